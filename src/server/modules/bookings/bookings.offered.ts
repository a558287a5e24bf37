import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { bookingsSweepJob } from './bookings.jobs.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import { addressOf } from './bookings.mapper.ts'
import { changeDeadline, disputeShown, isFrozen, mayChange } from './bookings.rules.ts'
import { type Bookings, changeOf, reread } from './bookings.service.ts'
import * as store from './bookings.store.ts'
import { freeUntil } from './reserved/reserved.rules.ts'
import type { Reserved } from './reserved/reserved.service.ts'

type Dependencies = BookingDependencies & {
  bookings: Bookings
  reserved: Pick<Reserved, 'cancelReserved'>
}

export type OfferedSessions = ReturnType<typeof createOfferedSessions>

/** The appointments of offers, and the sessions that they replace. The waitlist decides the deadlines. */
export function createOfferedSessions(deps: Dependencies) {
  const { clock, random, queue, events, practitioners, availability, payments, bookings, reserved, outbox } =
    deps

  return {
    /** Inserts the pending appointment of an offer on its hold. Returns its id. The price is the one of this moment. */
    async insert(
      tx: Tx,
      offer: {
        offerId: string
        clientId: string
        practitionerId: number
        reservationId: string
        service: { service_id: number; appointment_type: AppointmentType; fee_pence: number }
        locationId: number | null
        startsAt: Date
        endsAt: Date
        holdUntil: Date
        timezone: string
      },
    ): Promise<string> {
      const now = clock.now()
      const id = random.uuid(now)
      const price = await bookings.priceFor(tx, offer.clientId, offer.service.fee_pence)
      await store.insertAppointment(
        tx,
        store.appointmentOf({
          id,
          client_id: offer.clientId,
          practitioner_id: offer.practitionerId,
          state: 'pending',
          service_id: offer.service.service_id,
          appointment_type: offer.service.appointment_type,
          location_id: offer.locationId,
          reservation_id: offer.reservationId,
          starts_at: offer.startsAt,
          ends_at: offer.endsAt,
          fee_pence: price.feePence,
          discount_pence: price.discountPence,
          client_timezone: offer.timezone,
          created_at: now,
          offer_id: offer.offerId,
        }),
      )
      await queue.enqueue(tx, bookingsSweepJob, {}, { startAfter: offer.holdUntil })
      return id
    },

    /** Sets the end of an offer's hold. Returns false if it has ended. */
    async holdUntil(tx: Tx, id: string, until: Date): Promise<boolean> {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'pending' || !row.reservation_id) return false
      if (!(await availability.extendHold(tx, row.reservation_id, until))) return false
      await queue.enqueue(tx, bookingsSweepJob, {}, { startAfter: until })
      return true
    },

    /**
     * Cancels the appointment of an offer: releases its time and voids its payment. Returns the payment intents to void;
     * undefined if it is no longer pending.
     */
    async end(tx: Tx, id: string, by: 'client' | 'system'): Promise<string[] | undefined> {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'pending' || !row.reservation_id) return undefined
      await store.changeState(tx, id, 'pending', 'cancelled', { cancelled_by: by })
      await availability.release(tx, row.reservation_id)
      await events.announce(tx, 'hold.ended', { appointmentId: id, reservationId: row.reservation_id })
      return payments.releaseAll(tx, id)
    },

    /** Expires the offer's appointment if its hold has ended. Returns the payment intents to void. */
    expireIfDue: (tx: Tx, id: string): Promise<string[]> => bookings.expire(tx, id, { onlyIfDue: true }),

    /** Expires the unpaid appointments on released reservations. Returns the payment intents to void. */
    expireOn: bookings.expireOn,

    find: (handle: Db, id: string) => store.findAppointment(handle, id),

    /** A place by id, with its full address once the session is confirmed. */
    async placeOf(handle: Db, id: number | null, isConfirmed: boolean) {
      const place = id === null ? undefined : (await practitioners.placesById(handle, [id])).get(id)
      const shown = isConfirmed ? place : place?.asPublic
      return shown ? { location_name: shown.location_name, address: addressOf(shown) } : null
    },

    /** What a client pays for a service now, or without the session `except`. Pence. */
    priceFor: bookings.priceFor,

    /** Until when a session could be changed free of charge if it were booked now. */
    changeUntil: (startsAt: Date): Date => changeDeadline({ firstBookedAt: clock.now(), startsAt }),

    /** A client's session that another one may replace; undefined for any other id. */
    async replaceable(handle: Db, id: string, clientId: string) {
      const row = await store.findAppointment(handle, id)
      if (row?.client_id !== clientId || !row.starts_at || !row.ends_at) return undefined
      return {
        practitionerId: row.practitioner_id,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
        /** What has been paid for it and not been refunded. */
        refundPence: (await payments.sumRefundable(handle, [id])).get(id) ?? 0,
        dispute: disputeShown((await payments.disputesOf(handle, [id])).get(id)),
        /** Whether a discount goes over to the session in its place. */
        isDiscounted: row.discount_pence > 0,
        /** Until when it can be cancelled at no cost; null if it cannot be any more. */
        until: replaceableUntil(row, clock.now()),
      }
    },

    /**
     * Cancels a session in the transaction that confirms the one in its place, under its own rule. Jobs make the refund; of
     * a reserved session there is none. A discount goes over to the other session. Returns false, with nothing changed, if it
     * can no longer be changed, or starts at another time than was shown.
     */
    async replace(
      tx: Tx,
      id: string,
      {
        clientId,
        byAppointmentId,
        shownAt,
      }: { clientId: string; byAppointmentId: string; shownAt?: Date | undefined },
    ): Promise<boolean> {
      const row = await store.lockAppointment(tx, id)
      if (row?.client_id !== clientId || !replaceableUntil(row, clock.now())) return false
      if (shownAt && row.starts_at?.getTime() !== shownAt.getTime()) return false
      const reason = 'Replaced by a session from the waitlist'
      if (row.state === 'reserved') {
        await reserved.cancelReserved(tx, id, { by: 'client', reason })
        await moveDiscount(tx, row, byAppointmentId)
        await events.announce(tx, 'session.replaced', { appointmentId: id, byAppointmentId })
        return true
      }
      await store.changeState(tx, id, 'confirmed', 'cancelled', {
        cancelled_by: 'client',
        cancel_reason: reason,
      })
      if (row.reservation_id) await availability.release(tx, row.reservation_id)
      const refunds = await payments.requestRefund(
        tx,
        id,
        'everything',
        'replaced by a session from the waitlist',
      )
      await payments.releaseAll(tx, id)
      const after = await reread(tx, id)
      await outbox.note(tx, after, 'cancelled', { refunds })
      await moveDiscount(tx, row, byAppointmentId)
      await events.announce(tx, 'session.changed', changeOf(after))
      await events.announce(tx, 'session.replaced', { appointmentId: id, byAppointmentId })
      return true
    },

    /** Clients with a paid session with a practitioner in a range, except the given sessions. */
    clientsBookedBetween: store.listClientsBooked,

    checkpoint: deps.checkpoint,
    finishSoon: payments.finishSoon,
  }

  /**
   * Gives the discount of a cancelled session to the one in its place, which was paid in full while the other had it: a client
   * has one at a time. Not if the card that paid has had another.
   */
  async function moveDiscount(tx: Tx, from: store.AppointmentRow, id: string): Promise<void> {
    const row = from.discount_pence > 0 ? await store.lockAppointment(tx, id) : undefined
    const payment = row?.state === 'confirmed' && (await payments.live(tx, id, 'booking'))
    if (!row || !payment || (await payments.cardHadDiscount(tx, payment.payment_method_id, id))) return
    const { discountPence } = await bookings.priceFor(tx, row.client_id, row.fee_pence, id)
    if (discountPence === 0) return
    await store.changeTerms(tx, id, { discount_pence: discountPence })
    const part = { amountPence: discountPence, discountPence: -discountPence }
    const refunds = await payments.requestRefund(tx, id, part, payments.refundedForChange)
    await outbox.note(tx, await reread(tx, id), 'booked', { refunds })
  }
}

function replaceableUntil(row: store.AppointmentRow, now: Date): Date | null {
  if (row.state === 'reserved') {
    const until = row.frozen_at ? null : freeUntil(row, now)
    return until && until > now ? until : null
  }
  if (row.state !== 'confirmed' || isFrozen(row) || !row.starts_at || !row.first_booked_at) return null
  const session = { startsAt: row.starts_at, firstBookedAt: row.first_booked_at }
  return mayChange(session, now) ? changeDeadline(session) : null
}
