import type { ExistingCardPayment } from '#contract/bookings/bookings.ts'
import type { z } from 'zod'
import type { Db, Tx } from '../../db/connection.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { Begun } from '../payments/payments.service.ts'
import { toAppointment } from './bookings.mapper.ts'
import { comparePrice } from './holds/quote.ts'
import { dueOf, priceOf } from './bookings.rules.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import { changeOf, notChangeable, reread } from './bookings.service.ts'
import * as store from './bookings.store.ts'

type Dependencies = Pick<BookingDependencies, 'clock' | 'random' | 'events' | 'availability' | 'payments'>

export type InstantSessions = ReturnType<typeof createInstantSessions>

/**
 * The appointments of help right now. An appointment is pending until a practitioner accepts, and its claimed
 * practitioner may change. The module that matches practitioners decides the deadlines.
 */
export function createInstantSessions({ clock, random, events, availability, payments }: Dependencies) {
  return {
    /** Checks the price that the client saw. @throws 422 `price_changed` when another amount was sent */
    comparePrice(feePence: number, sent: number | null | undefined): void {
      comparePrice(priceOf(feePence, 0), sent)
    },

    /** Inserts an appointment with the claimed practitioner. Returns its id. */
    async insert(
      tx: Tx,
      wanted: {
        clientId: string
        practitionerId: number
        reservationId: string
        issueId: number
        feePence: number
        timezone: string | null
      },
    ): Promise<string> {
      const now = clock.now()
      const id = random.uuid(now)
      await store.insertAppointment(
        tx,
        store.appointmentOf({
          id,
          client_id: wanted.clientId,
          practitioner_id: wanted.practitionerId,
          booking_type: 'get-help-right-now',
          state: 'pending',
          service_id: null,
          appointment_type: 'online',
          location_id: null,
          issue_id: wanted.issueId,
          reservation_id: wanted.reservationId,
          starts_at: null,
          ends_at: null,
          fee_pence: wanted.feePence,
          discount_pence: 0,
          client_timezone: wanted.timezone,
          created_at: now,
        }),
      )
      return id
    },

    /** Releases the claimed practitioner. `reassign` or `end` follows in the same transaction. */
    async release(tx: Tx, reservationId: string): Promise<void> {
      await availability.release(tx, reservationId)
    },

    /** Assigns the newly claimed practitioner. The previous practitioner has been released. */
    async reassign(
      tx: Tx,
      id: string,
      { practitionerId, reservationId }: { practitionerId: number; reservationId: string },
    ): Promise<void> {
      await store.changeTerms(tx, id, { practitioner_id: practitionerId, reservation_id: reservationId })
    },

    /**
     * Creates the payment intent, or finds the same one under way. The caller continues with `payments.authorise`.
     * @throws 404; 409 once it is no longer pending; 422 `price_changed`
     */
    async beginPayment(
      tx: Tx,
      caller: SignedIn,
      body: z.infer<typeof ExistingCardPayment>,
      methodId: string,
    ): Promise<Begun> {
      const row = owned('appointment', caller, await store.lockAppointment(tx, body.session_id))
      if (row.state !== 'pending') throw notChangeable()
      const amountPence = dueOf(row)
      comparePrice(priceOf(amountPence, 0), body.fee_amount, 'fee_amount')
      return payments.begin(tx, {
        appointmentId: row.id,
        methodId,
        amountPence,
        discountPence: 0,
        purpose: 'booking',
      })
    },

    /**
     * Confirms the appointment and begins the capture. Returns the ids of the payment intents to capture.
     * @throws Error when nothing was authorised: the caller must roll back
     */
    async confirm(tx: Tx, id: string, time: { startsAt: Date; endsAt: Date }): Promise<string[]> {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'pending' || !row.reservation_id) throw new Error('There is nothing to confirm.')
      await store.changeState(tx, id, 'pending', 'confirmed', {
        starts_at: time.startsAt,
        ends_at: time.endsAt,
        first_booked_at: clock.now(),
      })
      await availability.narrow(tx, row.reservation_id, row.practitioner_id, time)
      await events.announce(tx, 'session.changed', changeOf(row))
      const live = await payments.live(tx, id, 'booking')
      if (!live || !(await payments.beginCapture(tx, live.id, dueOf(row)))) {
        throw new Error('An appointment was to be confirmed that has not been paid for.')
      }
      return [live.id]
    },

    /**
     * Ends the appointment: releases its time and voids its payment. Returns the ids of the payment intents to void.
     */
    async end(
      tx: Tx,
      id: string,
      how: { state: 'expired' } | { state: 'cancelled'; by: 'client' | 'system'; reason?: string | null },
    ): Promise<string[]> {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'pending') throw new Error('There is nothing to end.')
      await store.changeState(
        tx,
        id,
        'pending',
        how.state,
        how.state === 'cancelled' ? { cancelled_by: how.by, cancel_reason: how.reason ?? null } : {},
      )
      if (row.reservation_id) await availability.release(tx, row.reservation_id)
      return payments.releaseAll(tx, id)
    },

    /** The appointment as create-session returns it, with its client and state. */
    async read(handle: Db, id: string) {
      const row = await reread(handle, id)
      return {
        appointment: toAppointment(row),
        clientId: row.client_id,
        state: row.state,
      }
    },
  }
}
