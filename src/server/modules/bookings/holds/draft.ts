import type { z } from 'zod'
import type { CreateSession, InstantBook } from '#contract/bookings/bookings.ts'
import { later } from '../../../clock.ts'
import type { Tx } from '../../../db/connection.ts'
import { fail, invalidField } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { comparePrice, priceChanged, type Quotes } from './quote.ts'
import { dueOf, lifetimes, placeWanted } from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { startOf } from '../bookings.starts.ts'
import * as store from '../bookings.store.ts'

/** Bookings without a time that a client may have open at once. */
const maxDrafts = 20

/** Drafts: bookings of older clients, which start with a price and get a time only at confirmation. */
export function createDrafts({ clock, random, availability }: BookingDependencies, quotes: Quotes) {
  return { insert, takeSlot }

  /** @throws 404 practitioner; 422 `price_changed`; 429 `too_many_holds` */
  async function insert(
    tx: Tx,
    caller: SignedIn,
    practitionerId: number,
    body: z.infer<typeof CreateSession>,
  ) {
    const service = await quotes.serviceWanted(tx, practitionerId, body)
    const price = await quotes.priceFor(tx, caller.accountId, service.fee_pence)
    comparePrice(price, body.fee)
    if ((await store.countDrafts(tx, caller.accountId)) >= maxDrafts) {
      throw fail(
        'too_many_holds',
        'You have started many bookings. Please finish or cancel one of them first.',
        {
          retryAfter: 60,
        },
      )
    }
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertAppointment(
      tx,
      store.appointmentOf({
        id,
        client_id: caller.accountId,
        practitioner_id: practitionerId,
        state: 'draft',
        service_id: body.service_id == null ? null : service.service_id,
        appointment_type: body.appointment_type == null ? null : service.appointment_type,
        location_id: null,
        reservation_id: null,
        starts_at: null,
        ends_at: null,
        fee_pence: price.feePence,
        discount_pence: price.discountPence,
        client_timezone: body.timezone ?? null,
        created_at: now,
      }),
    )
    return { id, finish: [] }
  }

  /**
   * Reserves the time of a draft that is being confirmed. @throws 409 `slot_taken`; 422 `price_changed` or by field
   */
  async function takeSlot(
    tx: Tx,
    caller: SignedIn,
    row: store.AppointmentRow,
    body: z.infer<typeof InstantBook>,
  ) {
    if (body.datetime == null) throw invalidField('datetime', 'Choose a time.')
    const startsAt = startOf(body.datetime, row.client_timezone)
    const whose = { practitionerId: row.practitioner_id, clientId: caller.accountId, startsAt }
    const { practitioner, facts } = await availability.beginHold(tx, whose)
    const service = quotes.serviceOf(practitioner, {
      service_id: body.service_id ?? row.service_id,
      appointment_type: body.appointment_type ?? row.appointment_type,
      fee: row.fee_pence / 100,
    })
    const { reservationId, slot, released } = await availability.hold(
      tx,
      {
        ...whose,
        durationMinutes: service.duration_minutes,
        appointmentType: service.appointment_type,
        locationId: placeWanted(service.appointment_type, body.location_id),
        expiresAt: later(clock.now(), lifetimes.hold),
      },
      { practitioner, facts },
      'at once',
    )
    // From here on no other booking of this client can change the price.
    const price = await quotes.priceFor(tx, caller.accountId, service.fee_pence, row.id)
    if (price.duePence > dueOf(row) || price.feePence !== row.fee_pence) throw priceChanged(price.duePence)
    if ((await availability.book(tx, reservationId)) !== 'booked') throw availability.slotTaken()
    return {
      released,
      patch: {
        service_id: service.service_id,
        appointment_type: service.appointment_type,
        location_id: slot.locationId,
        reservation_id: reservationId,
        starts_at: new Date(slot.startsAt),
        ends_at: new Date(slot.endsAt),
      },
    }
  }
}
