import type { z } from 'zod'
import type { InstantBook } from '#contract/bookings/bookings.ts'
import { later } from '../../../clock.ts'
import type { Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { attempt } from '../../../jobs/attempt.ts'
import type { ProductError } from '../../../errors.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'
import type { Quotes } from './quote.ts'
import { extendedHold, lifetimes } from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import * as store from '../bookings.store.ts'

/** Appointments of a kind that one sweep handles; the next sweep continues. */
const sweepBatch = 500

const slotGone = new Set<string>([
  'slot_taken',
  'slot_not_offered',
  'client_busy',
  'hold_expired',
  'offer_over',
])

export type Expiry = ReturnType<typeof createExpiry>

/** Ends bookings that are unpaid, cannot be confirmed or are over, and grants a hold its one extension. */
export function createExpiry(
  { db, clock, queue, log, events, availability, payments, practitioners }: BookingDependencies,
  quotes: Quotes,
) {
  return { sweep, expire, expireOn, letGo, extendHold }

  /** Expires overdue holds, voids the payments of unbooked drafts, and completes sessions that are over. */
  async function sweep(): Promise<void> {
    const now = clock.now()
    for (const id of await store.listExpired(db, now, later(now, -lifetimes.draft), sweepBatch)) {
      await attempt(log, 'expiring a booking', async () => {
        const intents = await inTransaction(db, (tx) => expire(tx, id, { onlyIfDue: true }))
        await payments.finishSoon({ intents })
      })
    }
    for (const id of await store.listPaidDrafts(db, later(now, -lifetimes.paidDraft), sweepBatch)) {
      await attempt(log, 'giving back the payment of a draft', async () => {
        const intents = await inTransaction(db, async (tx) => {
          const row = await store.lockAppointment(tx, id)
          return row?.state === 'draft' ? payments.releaseAll(tx, id, { purpose: 'booking' }) : []
        })
        await payments.finishSoon({ intents })
      })
    }
    for (const id of await store.listEnded(db, later(now, -lifetimes.completion), sweepBatch)) {
      await attempt(log, 'completing a session', () =>
        inTransaction(db, async (tx) => {
          const row = await store.lockAppointment(tx, id)
          if (row?.state === 'confirmed') await store.changeState(tx, id, 'confirmed', 'completed')
        }),
      )
    }
  }

  /**
   * Handles a booking that could not be confirmed. If its slot has gone, the booking expires. If its price has
   * changed, the booking stays and can be paid anew. Either way its authorisation is voided.
   */
  async function letGo(booking: z.infer<typeof InstantBook>, error: ProductError): Promise<void> {
    const { appointment_id: id } = booking
    if (!slotGone.has(error.code) && error.code !== 'price_changed') return
    const intents = await inTransaction(db, async (tx) => {
      // The waitlist withdraws an offer in time off, which is no miss of its client.
      if (slotGone.has(error.code)) return expire(tx, id, { onlyIfDue: error.code === 'offer_over' })
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'draft' && row?.state !== 'pending') return []
      const fee = row.state === 'draft' ? await presentFee(tx, row, booking) : row.fee_pence
      const price = await quotes.priceFor(tx, row.client_id, fee, row.id)
      await store.changeTerms(tx, id, { fee_pence: fee, discount_pence: price.discountPence })
      return payments.releaseAll(tx, id, { purpose: 'booking' })
    })
    await payments.finishSoon({ intents })
  }

  /** What the service costs now that a draft is to be booked for: it keeps no price, as it keeps no time. Pence. */
  async function presentFee(
    tx: Tx,
    row: store.AppointmentRow,
    booking: z.infer<typeof InstantBook>,
  ): Promise<number> {
    const serviceId = booking.service_id ?? row.service_id
    const type = booking.appointment_type ?? row.appointment_type
    const bookable = (await practitioners.bookable(tx, [row.practitioner_id])).get(row.practitioner_id)
    const offered = (bookable?.services ?? []).filter(
      (service) => type === null || service.appointment_type === type,
    )
    // Older clients send no service. Where none has the price any more, the refusal names that of the first.
    const service =
      serviceId === null
        ? (offered.find((each) => each.fee_pence === row.fee_pence) ?? offered[0])
        : offered.find((each) => each.service_id === serviceId)
    return service?.fee_pence ?? row.fee_pence
  }

  /** Expires an unpaid appointment, whose time is taken by another one or is free. Returns the ids of the payment intents to void. */
  async function expire(tx: Tx, id: string, { onlyIfDue = false, isTaken = false } = {}): Promise<string[]> {
    const row = await store.lockAppointment(tx, id)
    if (row?.state !== 'pending' && row?.state !== 'draft') return []
    if (onlyIfDue && row.hold_expires_at && row.hold_expires_at > clock.now()) return []
    await store.changeState(tx, id, row.state, 'expired')
    if (row.reservation_id) {
      await availability.release(tx, row.reservation_id)
      await events.announce(tx, 'hold.ended', {
        appointmentId: id,
        reservationId: row.reservation_id,
        isTaken,
      })
    }
    return payments.releaseAll(tx, id)
  }

  /** Expires the unpaid appointments on reservations that were released for another one. Returns the ids of the payment intents to void. */
  async function expireOn(tx: Tx, reservationIds: string[]): Promise<string[]> {
    const intents: string[] = []
    for (const id of await store.pendingOn(tx, reservationIds))
      intents.push(...(await expire(tx, id, { isTaken: true })))
    return intents
  }

  /** Extends a hold once, by 10 minutes. Returns false if it may not be extended. The caller holds the row's lock. */
  async function extendHold(tx: Tx, row: store.AppointmentRow): Promise<boolean> {
    const until = extendedHold(row, clock.now())
    if (!until || !row.reservation_id) return false
    if (!(await availability.extendHold(tx, row.reservation_id, until))) return false
    await store.markHoldExtended(tx, row.id)
    await queue.enqueue(tx, bookingsSweepJob, {}, { startAfter: until })
    return true
  }
}
