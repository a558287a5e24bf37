import type { z } from 'zod'
import type { CreateSession } from '#contract/bookings/bookings.ts'
import { later, nextSecond } from '../../../clock.ts'
import { inTransaction, withCommit } from '../../../db/transaction.ts'
import { fail, ProductError } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'
import type { AppointmentFacts } from '../bookings.mapper.ts'
import { lifetimes, placeWanted } from '../bookings.rules.ts'
import * as store from '../bookings.store.ts'
import { createContest } from './contest.ts'
import type { Expiry } from './expiry.ts'
import { comparePrice, type Quotes } from './quote.ts'

/** A started booking, and the payment intents to void. */
export type Begun = { row: AppointmentFacts; finish: string[] }

/** Refusals that may be due to the client's own session at this time. */
const ownTimeCodes = new Set<string>(['slot_taken', 'client_busy'])

/** Holds: bookings that start with a time. */
export function createHolds(
  { db, clock, random, queue, availability }: BookingDependencies,
  quotes: Quotes,
  expiry: Expiry,
) {
  const contest = createContest()

  return { insert }

  /** @throws 409 `slot_taken` and the other refusals of `availability.hold`; 404 practitioner; 422 by field or price */
  async function insert(
    caller: SignedIn,
    practitionerId: number,
    body: z.infer<typeof CreateSession>,
    startsAt: Date,
  ): Promise<Begun> {
    const whose = { practitionerId, clientId: caller.accountId, startsAt }
    const begun = await contest(whose, () => hold(whose, body))
    if (!begun) throw availability.slotTaken()
    return begun
  }

  /** Holds the time in two trips: one locks and reads, one writes and commits. A refusal may take a third. */
  async function hold(whose: store.OwnTime, body: z.infer<typeof CreateSession>): Promise<Begun> {
    const { practitionerId, clientId } = whose
    const now = clock.now()
    // At a full second, so that holds share the job that ends them.
    const expiresAt = nextSecond(later(now, lifetimes.hold))
    const held = inTransaction(db, async (tx) => {
      const { practitioner, facts, referredBy } = await availability.beginHold(tx, whose)
      const service = quotes.serviceOf(practitioner, body)
      const { reservationId, slot, released } = await availability.hold(
        tx,
        {
          ...whose,
          durationMinutes: service.duration_minutes,
          appointmentType: service.appointment_type,
          locationId: placeWanted(service.appointment_type, body.location_id),
          expiresAt,
        },
        { practitioner, facts },
        'with the commit',
      )
      const finish = await expiry.expireOn(tx, released)
      const price = await quotes.priceOfReferred(tx, clientId, referredBy, service.fee_pence)
      comparePrice(price, body.fee)
      const appointment = store.appointmentOf({
        id: random.uuid(now),
        client_id: clientId,
        practitioner_id: practitionerId,
        state: 'pending',
        service_id: service.service_id,
        appointment_type: service.appointment_type,
        location_id: slot.locationId,
        reservation_id: reservationId,
        starts_at: new Date(slot.startsAt),
        ends_at: new Date(slot.endsAt),
        fee_pence: price.feePence,
        discount_pence: price.discountPence,
        client_timezone: body.timezone ?? null,
        created_at: now,
      })
      withCommit(tx, store.insertAppointment.of(appointment))
      await queue.enqueueSharedWithCommit(tx, bookingsSweepJob, { startAfter: expiresAt })
      const row = {
        ...appointment,
        service_name: service.name,
        hold_expires_at: expiresAt,
        hold_extended: false,
      }
      return { row, finish }
    })
    return held.catch(async (error: unknown) => {
      throw await withOwnSession(availability.refusalOf(error) ?? error, whose)
    })
  }

  /** Adds the client's own session to the refusal of a time that they have booked already. */
  async function withOwnSession(error: unknown, whose: store.OwnTime): Promise<unknown> {
    if (!(error instanceof ProductError) || !ownTimeCodes.has(error.code)) return error
    const id = await store.findBookedAt(db, whose)
    if (id === undefined) return error
    return fail(error.code, 'You have already booked this session. Nothing more was charged.', {
      details: { own_session_id: id },
    })
  }
}
