import type { z } from 'zod'
import type {
  Appointment,
  AppointmentDetail,
  BookingPreview,
  BookingPreviewQuery,
  CancelSession,
  CreateSession,
  ExistingCardPayment,
  InstantBook,
  Payment,
} from '#contract/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { type Accounts, referralDiscountPercent } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { BookableService, Practitioners } from '../practitioners/practitioners.service.ts'
import { toAppointment, toDetail } from './bookings.mapper.ts'
import { changeDeadline, lifetimes, mayChange, type Price, penceSent, priceOf } from './bookings.rules.ts'
import * as store from './bookings.store.ts'

export type BookingDependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue'> & {
  accounts: Accounts
  practitioners: Practitioners
  availability: Availability
  payments: Payments
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}

/** More upcoming sessions than this one client are not listed at once. */
const mostUpcoming = 200

export type Bookings = ReturnType<typeof createBookings>

/** Booking a session: price, hold, payment, confirmation; and what a client may see of their sessions. */
export function createBookings(deps: BookingDependencies) {
  const { db, clock, random, queue, accounts, practitioners, availability, payments, checkpoint } = deps

  return {
    /** Price and terms of a booking under consideration. @throws 404; 422 for a service that is not offered */
    async preview(caller: SignedIn, query: z.infer<typeof BookingPreviewQuery>): Promise<BookingPreview> {
      const service = await serviceWanted(db, query.practitioner_id, query)
      const price = await priceFor(db, caller.accountId, service)
      const startsAt = new Date(query.datetime)
      const slot = await availability.slotAt(db, {
        practitionerId: query.practitioner_id,
        clientId: caller.accountId,
        startsAt,
        durationMinutes: service.duration_minutes,
        appointmentType: service.appointment_type,
      })
      return {
        fee: price.duePence / 100,
        full_fee: price.feePence / 100,
        discount: price.discountPence / 100,
        starts_at: startsAt.toISOString(),
        ends_at: later(startsAt, service.duration_minutes * 60_000).toISOString(),
        change_until: changeDeadline({ firstBookedAt: clock.now(), startsAt }).toISOString(),
        free: slot !== undefined,
      }
    },

    /**
     * Starts a booking: with a time, the slot is held for 10 minutes; without, it is a draft at a price.
     * @throws 404 practitioner; 422 `price_changed`, `slot_not_offered`; 409 `slot_taken`; 429 `too_many_holds`
     */
    async create(caller: SignedIn, body: z.infer<typeof CreateSession>): Promise<Appointment> {
      if (body.practitioner_id == null) throw invalidField('practitioner_id', 'Choose a practitioner.')
      const practitionerId = body.practitioner_id
      const { appointment, settle } = await inTransaction(db, async (tx) => {
        const service = await serviceWanted(tx, practitionerId, body)
        const now = clock.now()
        const id = random.uuid(now)
        const terms = { id, client_id: caller.accountId, practitioner_id: practitionerId, created_at: now }
        if (body.datetime == null) {
          const price = await priceFor(tx, caller.accountId, service)
          comparePrice(price, body.fee)
          await store.insertAppointment(tx, {
            ...terms,
            state: 'draft',
            service_id: body.service_id == null ? null : service.service_id,
            appointment_type: body.appointment_type == null ? null : service.appointment_type,
            location_id: null,
            reservation_id: null,
            starts_at: null,
            ends_at: null,
            fee_pence: price.feePence,
            discount_pence: price.discountPence,
          })
          return { appointment: await reread(tx, id), settle: [] as string[] }
        }
        const expiresAt = later(now, lifetimes.hold)
        const { reservationId, slot, released } = await availability.hold(tx, {
          practitionerId,
          clientId: caller.accountId,
          startsAt: new Date(body.datetime),
          durationMinutes: service.duration_minutes,
          appointmentType: service.appointment_type,
          locationId: body.location_id ?? null,
          expiresAt,
        })
        const settle = await expireOn(tx, released)
        const price = await priceFor(tx, caller.accountId, service)
        comparePrice(price, body.fee)
        await store.insertAppointment(tx, {
          ...terms,
          state: 'pending',
          service_id: service.service_id,
          appointment_type: service.appointment_type,
          location_id: slot.locationId,
          reservation_id: reservationId,
          starts_at: new Date(slot.startsAt),
          ends_at: new Date(slot.endsAt),
          fee_pence: price.feePence,
          discount_pence: price.discountPence,
        })
        await queue.enqueue(tx, 'bookings.sweep', {}, { startAfter: expiresAt })
        return { appointment: await reread(tx, id), settle }
      })
      await checkpoint('slot held')
      await payments.settleSoon({ intents: settle })
      return toAppointment(appointment)
    },

    /**
     * Authorises the price of a started booking on a saved card.
     * @throws 404; 422 `price_changed`; 402 `card_declined`, `authentication_required`; 409 `hold_expired`
     */
    async pay(
      caller: SignedIn,
      provider: string,
      body: z.infer<typeof ExistingCardPayment>,
    ): Promise<Payment> {
      payments.checkProvider(provider)
      const card = await payments.cardToPayWith(caller, body.customer_id)
      const begun = await inTransaction(db, async (tx) => {
        const row = owned('appointment', caller, await store.lockAppointment(tx, body.session_id))
        if (row.state === 'confirmed') return { row }
        requirePayable(row)
        // A card's second discount is refused before any money is asked for, and the full price shown.
        if (row.discount_pence > 0 && (await payments.cardHadDiscount(tx, card.id, row.id))) {
          await store.changeTerms(tx, row.id, { discount_pence: 0 })
          return { row, changed: row.fee_pence }
        }
        const price = { feePence: row.fee_pence, discountPence: row.discount_pence, duePence: dueOf(row) }
        comparePrice(price, body.fee_amount, 'fee_amount')
        const intent = await payments.begin(tx, {
          appointmentId: row.id,
          methodId: card.id,
          amountPence: price.duePence,
          discountPence: price.discountPence,
          purpose: 'booking',
        })
        return { row, intent }
      })
      if (begun.changed !== undefined) throw priceChanged(begun.changed)
      if (!begun.intent) return paymentAnswer(begun.row, 'captured')
      try {
        await payments.authorise(caller, begun.intent)
      } catch (error) {
        if (error instanceof ProductError && error.code === 'authentication_required')
          await extendHold(body.session_id)
        throw error
      }
      await checkpoint('payment authorised')
      return paymentAnswer(await reread(db, body.session_id), 'authorised')
    },

    /** Goes on after the bank has checked that it is the client. @throws as `pay` */
    async confirmAuthentication(caller: SignedIn, provider: string, sessionId: string): Promise<Payment> {
      payments.checkProvider(provider)
      const row = owned('appointment', caller, await store.findAppointment(db, sessionId))
      await payments.confirm(caller, row.id)
      return paymentAnswer(await reread(db, row.id), 'authorised')
    },

    /**
     * Confirms a paid booking: the slot and the money are taken together. Where the slot has gone, the authorisation is
     * voided and nothing was charged. @throws 402 `not_paid`; 409 `slot_taken`, `hold_expired`
     */
    async book(caller: SignedIn, body: z.infer<typeof InstantBook>): Promise<Appointment> {
      try {
        const { intents, row } = await inTransaction(db, (tx) => confirmBooking(tx, caller, body))
        await checkpoint('booking confirmed')
        await payments.settleSoon({ intents })
        return toAppointment(row)
      } catch (error) {
        if (error instanceof ProductError && slotGone.has(error.code))
          await giveUp(caller, body.appointment_id)
        throw error
      }
    },

    /**
     * Cancels a confirmed session with a full refund, or lets go of a hold. Repeating it changes nothing.
     * @throws 404; 409 `too_late_to_change`, `not_changeable`
     */
    async cancel(caller: SignedIn, body: z.infer<typeof CancelSession>): Promise<Appointment> {
      const done = await inTransaction(db, async (tx) => {
        const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
        if (row.state === 'cancelled' || row.state === 'expired') return { row, intents: [], refunds: [] }
        if (row.state === 'confirmed') requireChangeable(row, clock.now())
        else if (row.state !== 'draft' && row.state !== 'pending') throw notChangeable()
        await store.changeState(tx, row.id, row.state, 'cancelled', {
          cancelled_by: 'client',
          cancel_reason: body.reason ?? null,
        })
        if (row.reservation_id) await availability.release(tx, row.reservation_id)
        const refunds =
          row.state === 'confirmed'
            ? await payments.requestRefund(tx, row.id, 'everything', 'cancelled by the client')
            : []
        const intents = await payments.releaseAll(tx, row.id)
        return { row: await reread(tx, row.id), intents, refunds }
      })
      await checkpoint('session cancelled')
      await payments.settleSoon(done)
      return toAppointment(done.row)
    },

    /** The caller's confirmed sessions that have not ended, soonest first. */
    async upcoming(caller: SignedIn): Promise<AppointmentDetail[]> {
      return details(db, await store.listUpcoming(db, caller.accountId, clock.now(), mostUpcoming))
    },

    /** @throws 404 */
    async detail(caller: SignedIn, id: string): Promise<AppointmentDetail> {
      const row = owned('appointment', caller, await store.findAppointment(db, id))
      const [detail] = await details(db, [row])
      if (!detail) throw notFound('This session')
      return detail
    },

    /** Does what has become due: holds that ran out, sessions that are over, money a crash left in between. */
    async sweep(): Promise<void> {
      const now = clock.now()
      for (const id of await store.listExpired(db, now, later(now, -lifetimes.draft), 500)) {
        const intents = await inTransaction(db, (tx) => expire(tx, id))
        await payments.settleSoon({ intents })
      }
      for (const id of await store.listEnded(db, later(now, -lifetimes.completion), 500)) {
        await inTransaction(db, async (tx) => {
          const row = await store.lockAppointment(tx, id)
          if (row?.state === 'confirmed') await store.changeState(tx, id, 'confirmed', 'completed')
        })
      }
      await payments.recover()
    },

    // For moving a session (bookings.change.ts).
    expireOn,
    serviceWanted,
  }

  async function confirmBooking(tx: Tx, caller: SignedIn, body: z.infer<typeof InstantBook>) {
    const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
    if (row.state === 'confirmed') return { intents: await openCapture(tx, row.id), row }
    if (row.state !== 'draft' && row.state !== 'pending') throw holdExpired()
    const live = await payments.live(tx, row.id, 'booking')
    if (live?.state !== 'authorised') {
      throw fail('not_paid', 'This session has not been paid for yet. Nothing was charged.')
    }
    const intents: string[] = []
    const now = clock.now()
    if (row.state === 'draft') {
      const { patch, released } = await takeDraftSlot(tx, caller, row, body)
      intents.push(...(await expireOn(tx, released)))
      await store.changeState(tx, row.id, 'draft', 'confirmed', { ...patch, first_booked_at: now })
    } else {
      if (!row.reservation_id || !(await availability.book(tx, row.reservation_id))) throw holdExpired()
      await store.changeState(tx, row.id, 'pending', 'confirmed', { first_booked_at: now })
    }
    const capture = await payments.beginCapture(tx, row.id, 'booking')
    if (!capture) throw new Error('An authorised payment went away inside its own transaction.')
    return { intents: [capture, ...intents], row: await reread(tx, row.id) }
  }

  async function openCapture(tx: Tx, appointmentId: string): Promise<string[]> {
    const live = await payments.live(tx, appointmentId, 'booking')
    return live?.state === 'capturing' ? [live.id] : []
  }

  async function takeDraftSlot(
    tx: Tx,
    caller: SignedIn,
    row: store.AppointmentRow,
    body: z.infer<typeof InstantBook>,
  ) {
    if (body.datetime == null) throw invalidField('datetime', 'Choose a time.')
    const service = await serviceWanted(tx, row.practitioner_id, {
      service_id: body.service_id ?? row.service_id,
      appointment_type: body.appointment_type ?? row.appointment_type,
      fee: row.fee_pence / 100,
    })
    if (service.fee_pence !== row.fee_pence) throw priceChanged(service.fee_pence)
    const { reservationId, slot, released } = await availability.hold(tx, {
      practitionerId: row.practitioner_id,
      clientId: caller.accountId,
      startsAt: new Date(body.datetime),
      durationMinutes: service.duration_minutes,
      appointmentType: service.appointment_type,
      locationId: body.location_id ?? null,
      expiresAt: later(clock.now(), lifetimes.hold),
    })
    await availability.book(tx, reservationId)
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

  /** Ends a booking whose slot has gone, with its authorisation. */
  async function giveUp(caller: SignedIn, id: string): Promise<void> {
    const intents = await inTransaction(db, async (tx) => {
      owned('appointment', caller, await store.findAppointment(tx, id))
      return expire(tx, id)
    })
    await payments.settleSoon({ intents })
  }

  /** Ends an unpaid appointment. The payment intents to settle. */
  async function expire(tx: Tx, id: string): Promise<string[]> {
    const row = await store.lockAppointment(tx, id)
    if (row?.state !== 'pending' && row?.state !== 'draft') return []
    await store.changeState(tx, id, row.state, 'expired')
    if (row.reservation_id) await availability.release(tx, row.reservation_id)
    return payments.releaseAll(tx, id)
  }

  /** Ends the unpaid appointments that stood on released reservations. The payment intents to settle. */
  async function expireOn(tx: Tx, reservationIds: string[]): Promise<string[]> {
    const intents: string[] = []
    for (const id of await store.pendingOn(tx, reservationIds)) intents.push(...(await expire(tx, id)))
    return intents
  }

  async function extendHold(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'pending' || row.hold_extended || !row.reservation_id || !row.hold_expires_at) return
      const until = later(row.hold_expires_at, lifetimes.holdExtension)
      await availability.extendHold(tx, row.reservation_id, until)
      await store.markHoldExtended(tx, id)
      await queue.enqueue(tx, 'bookings.sweep', {}, { startAfter: until })
    })
  }

  function requirePayable(row: store.AppointmentRow): void {
    if (row.state === 'draft') return
    if (row.state !== 'pending') throw row.state === 'expired' ? holdExpired() : notPayable()
    if (!row.hold_expires_at || row.hold_expires_at <= clock.now()) throw holdExpired()
  }

  async function serviceWanted(
    handle: Db,
    practitionerId: number,
    wanted: {
      service_id?: number | null
      appointment_type?: AppointmentType | null
      fee?: number | undefined
    },
  ): Promise<BookableService> {
    const bookable = (await practitioners.bookable(handle, [practitionerId])).get(practitionerId)
    if (!bookable) throw notFound('This practitioner')
    const offered = bookable.services.filter(
      (service) => wanted.appointment_type == null || service.appointment_type === wanted.appointment_type,
    )
    if (wanted.service_id != null) {
      const service = offered.find((each) => each.service_id === wanted.service_id)
      if (!service)
        throw invalidField('service_id', 'This practitioner does not offer this service in this way.')
      return service
    }
    // Older clients name no service: the one at the price they saw is meant, at a list price or with their discount.
    if (wanted.fee === undefined) throw invalidField('service_id', 'Choose a service.')
    const sent = penceSent(wanted.fee)
    const service =
      offered.find((each) => each.fee_pence === sent) ??
      offered.find((each) => priceOf(each.fee_pence, referralDiscountPercent).duePence === sent)
    if (!service) {
      const [cheapest] = offered
      if (!cheapest)
        throw invalidField('appointment_type', 'This practitioner does not offer this kind of session.')
      throw priceChanged(cheapest.fee_pence)
    }
    return service
  }

  async function priceFor(handle: Db, clientId: string, service: BookableService): Promise<Price> {
    const referred = await accounts.referredBy(handle, clientId)
    const first = referred !== null && !(await store.hasUsedDiscount(handle, clientId))
    return priceOf(service.fee_pence, first ? referralDiscountPercent : 0)
  }

  async function details(handle: Db, rows: store.AppointmentRow[]): Promise<AppointmentDetail[]> {
    const ids = [...new Set(rows.map((row) => row.practitioner_id))]
    const cards = await practitioners.cards(handle, ids)
    const rooms = await practitioners.meetingLinks(handle, ids)
    const places = new Map(
      await Promise.all(ids.map(async (id) => [id, await practitioners.locationsOf(handle, id)] as const)),
    )
    const refunds = await payments.refundsOf(
      handle,
      rows.map((row) => row.id),
    )
    return rows.flatMap((row) => {
      const practitioner = cards.get(row.practitioner_id)
      if (!practitioner) return []
      return toDetail(row, {
        now: clock.now(),
        practitioner,
        meetingLink: rooms.get(row.practitioner_id) ?? null,
        location: places.get(row.practitioner_id)?.find((place) => place.location_id === row.location_id),
        refund: refunds.get(row.id),
      })
    })
  }
}

/** The appointment as it now stands. */
export async function reread(handle: Db, id: string): Promise<store.AppointmentRow> {
  const row = await store.findAppointment(handle, id)
  if (!row) throw new Error('An appointment has gone.')
  return row
}

/** @throws 409 unless the client may still change it */
export function requireChangeable(row: store.AppointmentRow, now: Date): void {
  if (row.state !== 'confirmed' || !row.starts_at || !row.first_booked_at) throw notChangeable()
  if (!mayChange({ startsAt: row.starts_at, firstBookedAt: row.first_booked_at }, now)) {
    throw fail(
      'too_late_to_change',
      'This session can no longer be moved or cancelled: that is possible within 48 hours of booking it, or until 48 hours before it starts.',
    )
  }
}

/** @throws 422 `price_changed` with the right amount, when an amount was sent and is another one */
export function comparePrice(price: Price, sent: number | null | undefined, field = 'fee'): void {
  if (sent == null || penceSent(sent) === price.duePence) return
  throw priceChanged(price.duePence, field)
}

export function priceChanged(pence: number, field = 'fee') {
  const amount = pence / 100
  return fail(
    'price_changed',
    `The price is £${amount.toFixed(2)}. Nothing was charged. Please check it and go on.`,
    {
      errors: { [field]: [`The price is £${amount.toFixed(2)}.`] },
      details: { fee: amount },
    },
  )
}

const slotGone = new Set<string>(['slot_taken', 'slot_not_offered', 'client_busy', 'hold_expired'])

const dueOf = (row: { fee_pence: number; discount_pence: number }) => row.fee_pence - row.discount_pence

const holdExpired = () =>
  fail(
    'hold_expired',
    'The time was held for 10 minutes and has been let go. Nothing was charged. Please choose it again.',
  )

const notPayable = () => fail('not_payable', 'There is nothing to pay for this session.')

const notChangeable = () => fail('not_changeable', 'This session can no longer be changed.')

function paymentAnswer(row: store.AppointmentRow, status: Payment['status']): Payment {
  return {
    session_id: row.id,
    status,
    amount: dueOf(row) / 100,
    hold_expires_at: row.state === 'pending' ? (row.hold_expires_at?.toISOString() ?? null) : null,
  }
}
