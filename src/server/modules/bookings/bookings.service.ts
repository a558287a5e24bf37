import type { z } from 'zod'
import type {
  Appointment,
  CancelSession,
  CreateSession,
  ExistingCardPayment,
  InstantBook,
  Payment,
} from '#contract/bookings/bookings.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import { createDrafts } from './holds/draft.ts'
import { createExpiry } from './holds/expiry.ts'
import { type Begun, createHolds } from './holds/hold.ts'
import { toAppointment } from './bookings.mapper.ts'
import { createPriceOnCard } from './holds/price-on-card.ts'
import { comparePrice, createQuotes, priceChanged } from './holds/quote.ts'
import { dueOf, isAhead, isFrozen, mayChange } from './bookings.rules.ts'
import { startOf } from './bookings.starts.ts'
import * as store from './bookings.store.ts'
import { createViews } from './bookings.view.ts'

export type Bookings = ReturnType<typeof createBookings>

/** Booking a session: price, hold, payment, confirmation, cancelling. Moving one is in `bookings.change.ts`. */
export function createBookings(deps: BookingDependencies) {
  const { db, clock, events, practitioners, availability, payments, outbox, checkpoint, lookups } = deps
  const quotes = createQuotes(deps)
  const drafts = createDrafts(deps, quotes)
  const expiry = createExpiry(deps, quotes)
  const holds = createHolds(deps, quotes, expiry)
  const priceOnCard = createPriceOnCard(deps, quotes)
  /** The error for a time that is held in time off, which the practitioner has entered since. */
  const away = (row: store.AppointmentRow) => (row.offer_id ? offerOver() : availability.slotTaken())

  return {
    ...createViews(deps),
    preview: quotes.preview,

    /** For later modules: whether a client and a practitioner have a session, or had one. */
    haveMet: store.haveMet,

    /**
     * Starts a booking: with a time, the slot is held for 10 minutes; without, it is a draft at a price.
     * @throws 404 practitioner; 422 `price_changed`, `slot_not_offered`; 409 `slot_taken`; 429 `too_many_holds`
     */
    async create(caller: SignedIn, body: z.infer<typeof CreateSession>): Promise<Appointment> {
      if (body.practitioner_id == null) throw invalidField('practitioner_id', 'Choose a practitioner.')
      const practitionerId = body.practitioner_id
      const { row, finish } =
        body.datetime == null
          ? await insertDraft(caller, practitionerId, body)
          : await holds.insert(caller, practitionerId, body, startOf(body.datetime, body.timezone))
      await checkpoint('slot held')
      await payments.finishSoon({ intents: finish })
      return toAppointment(row)
    },

    /**
     * Authorises the price of a started booking on a saved card. One with a practitioner who has blocked the client, or has
     * taken time off, ends.
     * @throws 403; 404; 422 `price_changed`; 402 `card_declined`, `authentication_required`; 409 `hold_expired`, `slot_taken`
     */
    async pay(
      caller: SignedIn,
      provider: string,
      body: z.infer<typeof ExistingCardPayment>,
    ): Promise<Payment> {
      payments.checkProvider(provider)
      const card = await payments.cardToPayWith(caller, body.customer_id)
      const outcome = await inTransaction(db, (tx) => beginPayment(tx, caller, body, card.id))
      if (outcome.kind === 'paid') return paymentAnswer(outcome.row, 'captured')
      if (outcome.kind === 'refused') {
        await payments.finishSoon({ intents: outcome.finish })
        throw outcome.error
      }
      if (outcome.kind === 'changed') {
        await payments.finishSoon({ intents: outcome.finish })
        throw priceChanged(outcome.duePence, 'fee_amount')
      }
      try {
        await payments.authorise(caller, outcome.begun)
      } catch (error) {
        if (error instanceof ProductError && error.code === 'authentication_required') {
          await inTransaction(db, async (tx) => {
            const row = await store.lockAppointment(tx, body.session_id)
            if (row) await expiry.extendHold(tx, row)
          })
        }
        throw error
      }
      await checkpoint('payment authorised')
      return paymentAnswer(await reread(db, body.session_id), 'authorised')
    },

    /** Continues after the bank has authenticated the client for a booking or a change. @throws as `pay` */
    async confirmAuthentication(caller: SignedIn, provider: string, sessionId: string) {
      payments.checkProvider(provider)
      const row = owned('appointment', caller, await store.findAppointment(db, sessionId))
      const { purpose } = await payments.confirm(row.id)
      return { purpose, payment: paymentAnswer(await reread(db, row.id), 'authorised') }
    },

    /**
     * Confirms a paid booking: reserves the slot and begins the capture in one transaction. If the slot has gone, the
     * authorisation is voided and nothing is charged.
     * @throws 402 `not_paid`; 409 `slot_taken`, `hold_expired`; 422 `price_changed`
     */
    async book(caller: SignedIn, body: z.infer<typeof InstantBook>): Promise<Appointment> {
      try {
        const { intents, row } = await inTransaction(db, (tx) => confirmBooking(tx, caller, body))
        await checkpoint('booking confirmed')
        await payments.finishSoon({ intents })
        return toAppointment(row)
      } catch (error) {
        if (error instanceof ProductError) await expiry.letGo(body, error)
        throw error
      }
    },

    /**
     * Cancels a confirmed session with a full refund, or an unpaid booking. Repeating it changes nothing. A frozen
     * session can be cancelled at any time. With `hold_only` a booked session stays booked, with `starts_at` a moved one.
     * @throws 404; 409 `too_late_to_change`, `not_changeable`, `changed_elsewhere`
     */
    async cancel(caller: SignedIn, body: z.infer<typeof CancelSession>): Promise<Appointment> {
      const cancelled = await inTransaction(db, async (tx) => {
        const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
        if (row.state === 'cancelled' || row.state === 'expired') return { row, intents: [], refunds: [] }
        if (row.state === 'pending') requireScheduled(row)
        else if (body.hold_only && row.state !== 'draft') throw bookedMeanwhile()
        requireUnmoved(row, body.starts_at)
        if (isAhead(row.state)) requireCancellable(row, clock.now())
        else if (row.state !== 'draft' && row.state !== 'pending') throw notChangeable()
        await store.changeState(tx, row.id, row.state, 'cancelled', {
          cancelled_by: 'client',
          cancel_reason: body.reason ?? null,
        })
        if (row.reservation_id) await availability.release(tx, row.reservation_id)
        if (row.state === 'pending' && row.reservation_id) {
          await events.announce(tx, 'hold.ended', {
            appointmentId: row.id,
            reservationId: row.reservation_id,
          })
        }
        const refunds =
          row.state === 'confirmed'
            ? await payments.requestRefund(tx, row.id, 'everything', 'cancelled by the client')
            : []
        const intents = await payments.releaseAll(tx, row.id)
        const after = await reread(tx, row.id)
        if (isAhead(row.state)) {
          await outbox.note(tx, after, 'cancelled', { refunds })
          await events.announce(tx, 'session.changed', changeOf(after))
        }
        return { row: after, intents, refunds }
      })
      await checkpoint('session cancelled')
      await payments.finishSoon(cancelled)
      return toAppointment(cancelled.row)
    },

    /**
     * Extends the client's hold on an unpaid time once, by 10 minutes.
     * @throws 404; 409 `hold_expired` if it has ended, `not_changeable` if it was extended before or cannot be
     */
    async extendHold(caller: SignedIn, id: string): Promise<Appointment> {
      return inTransaction(db, async (tx) => {
        const row = owned('appointment', caller, await store.lockAppointment(tx, id))
        requireScheduled(row)
        requirePayable(row)
        if (row.offer_id) throw notExtendable()
        if (!(await expiry.extendHold(tx, row))) throw notExtendable()
        return toAppointment(await reread(tx, id))
      })
    },

    sweep: expiry.sweep,

    /** Whether one of the two has blocked the other in the chat. */
    isChatBlocked: async (handle: Db, clientId: string, practitionerId: number): Promise<boolean> =>
      (await blockBetween(handle, clientId, practitionerId)) !== undefined,

    /** Refuses what a client whom the practitioner has blocked would newly agree to. @throws 403 */
    async requireUnblocked(handle: Db, clientId: string, practitionerId: number): Promise<void> {
      if ((await blockBetween(handle, clientId, practitionerId))?.byPractitioner) throw bookingRefused()
    },

    // For moving a session (bookings.change.ts), for freezing (freezes) and for offers (bookings.offered.ts).
    expire: expiry.expire,
    expireOn: expiry.expireOn,
    serviceWanted: quotes.serviceWanted,
    priceFor: quotes.priceFor,
  }

  async function insertDraft(
    caller: SignedIn,
    practitionerId: number,
    body: z.infer<typeof CreateSession>,
  ): Promise<Begun> {
    const { id, finish } = await inTransaction(db, (tx) => drafts.insert(tx, caller, practitionerId, body))
    return { row: await reread(db, id), finish }
  }

  async function beginPayment(
    tx: Tx,
    caller: SignedIn,
    body: z.infer<typeof ExistingCardPayment>,
    methodId: string,
  ) {
    const row = owned('appointment', caller, await store.lockAppointment(tx, body.session_id))
    if (row.state === 'confirmed') return { kind: 'paid' as const, row }
    requireScheduled(row)
    requirePayable(row)
    if ((await blockBetween(tx, row.client_id, row.practitioner_id))?.byPractitioner) {
      return { kind: 'refused' as const, error: bookingRefused(), finish: await expiry.expire(tx, row.id) }
    }
    if (row.reservation_id && (await availability.isAway(tx, row.reservation_id))) {
      // The waitlist withdraws an offer.
      const finish = row.offer_id ? [] : await expiry.expire(tx, row.id)
      return { kind: 'refused' as const, error: away(row), finish }
    }
    const price = await priceOnCard(tx, row, methodId)
    if (price.discountPence !== row.discount_pence) {
      // The price differs from the one shown, so nothing is authorised, and an authorisation of the old price is
      // voided.
      const finish = await payments.releaseAll(tx, row.id, { purpose: 'booking' })
      await store.changeTerms(tx, row.id, { discount_pence: price.discountPence })
      return { kind: 'changed' as const, duePence: price.duePence, finish }
    }
    comparePrice(price, body.fee_amount, 'fee_amount')
    const begun = await payments.begin(tx, {
      appointmentId: row.id,
      methodId,
      amountPence: price.duePence,
      discountPence: price.discountPence,
      purpose: 'booking',
    })
    return { kind: 'begun' as const, begun }
  }

  /** Which of the two has blocked the other in the chat; undefined for neither. */
  async function blockBetween(handle: Db, clientId: string, practitionerId: number) {
    return (await lookups().blockedPractitioners(handle, clientId)).get(practitionerId)
  }

  async function confirmBooking(tx: Tx, caller: SignedIn, body: z.infer<typeof InstantBook>) {
    const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
    requireScheduled(row)
    const live = await payments.live(tx, row.id, 'booking')
    if (row.state === 'confirmed') return { intents: live ? [live.id] : [], row }
    if (row.state !== 'draft' && row.state !== 'pending') throw holdOver(row)
    if (live?.state !== 'authorised') {
      throw fail('not_paid', 'This session has not been paid for yet. Nothing was charged.')
    }
    const intents = [live.id]
    const now = clock.now()
    if (row.state === 'draft') {
      const { patch, released } = await drafts.takeSlot(tx, caller, row, body)
      intents.push(...(await expiry.expireOn(tx, released)))
      await store.changeState(tx, row.id, 'draft', 'confirmed', { ...patch, first_booked_at: now })
    } else {
      requireSameTime(row, body)
      if (!(await practitioners.listed(tx, row.practitioner_id))) throw noLongerListed()
      const held = row.reservation_id ? await availability.book(tx, row.reservation_id) : 'over'
      if (held === 'over') throw holdOver(row)
      if (held === 'away') throw away(row)
      await store.changeState(tx, row.id, 'pending', 'confirmed', { first_booked_at: now })
    }
    if (!(await payments.beginCapture(tx, live.id, dueOf(row)))) throw priceChanged(dueOf(row))
    const booked = await reread(tx, row.id)
    await outbox.note(tx, booked, 'booked')
    const { replaces_appointment_id: replaces, replaces_starts_at: start } = body
    const replacesStart = start == null ? start : new Date(start)
    await events.announce(tx, 'session.changed', { ...changeOf(booked), booked: { replaces, replacesStart } })
    // The session that it replaces may have left it a discount.
    return { intents, row: row.offer_id || replaces ? await reread(tx, row.id) : booked }
  }

  function requirePayable(row: store.AppointmentRow): void {
    if (row.state === 'draft') return
    if (row.state !== 'pending') {
      throw row.state === 'expired' || row.offer_id ? holdOver(row) : notPayable()
    }
    if (!row.hold_expires_at || row.hold_expires_at <= clock.now()) throw holdOver(row)
  }
}

/** Older clients name the time again. @throws 422 if it is not the one that is held, which would be booked instead */
function requireSameTime(row: store.AppointmentRow, sent: z.infer<typeof InstantBook>): void {
  if (sent.datetime == null || !row.starts_at) return
  if (startOf(sent.datetime, row.client_timezone).getTime() === row.starts_at.getTime()) return
  throw invalidField('datetime', 'Another time is held for this booking. Start again to book this one.')
}

export async function reread(handle: Db, id: string): Promise<store.AppointmentRow> {
  const row = await store.findAppointment(handle, id)
  if (!row) throw new Error('An appointment has gone.')
  return row
}

/** The payload of `session.changed`. */
export const changeOf = (row: { id: string; practitioner_id: number }) => ({
  appointmentId: row.id,
  practitionerId: row.practitioner_id,
})

/** Refuses help right now, which the practitioner's acceptance confirms. @throws 409 */
function requireScheduled(row: store.AppointmentRow): void {
  if (row.booking_type !== 'schedule') throw notChangeable()
}

/** @throws 409 unless the client may still cancel it */
function requireCancellable(row: store.AppointmentRow, now: Date): void {
  if (row.state === 'reserved' && row.starts_at && now < row.starts_at) return
  if (!isFrozen(row)) requireChangeable(row, now)
}

/** @throws 409 unless the client may still change it */
export function requireChangeable(row: store.AppointmentRow, now: Date): void {
  if (isFrozen(row)) {
    throw fail(
      'not_changeable',
      'This session is being checked and its time is kept. It cannot be moved; you can cancel it free of charge.',
    )
  }
  if (row.state !== 'confirmed' || !row.starts_at || !row.first_booked_at) throw notChangeable()
  if (!mayChange({ startsAt: row.starts_at, firstBookedAt: row.first_booked_at }, now)) {
    throw fail(
      'too_late_to_change',
      'This session can no longer be moved or cancelled: that is possible within 48 hours of booking it, or until 48 hours before it starts.',
    )
  }
}

const holdExpired = () =>
  fail(
    'hold_expired',
    'We held the time for 10 minutes and have released it. Nothing was charged. Please choose it again.',
  )

/** An offer of the waitlist keeps its place; another hold is chosen again. */
const holdOver = (row: { offer_id: string | null }) => (row.offer_id ? offerOver() : holdExpired())

const offerOver = () =>
  fail(
    'offer_over',
    'This offer is over and the time has been released. Nothing was charged, and your place on the waitlist is kept.',
  )

const notExtendable = () =>
  fail('not_changeable', 'This time cannot be held any longer. You can still pay until it is released.')

const noLongerListed = () =>
  fail(
    'slot_not_offered',
    'This practitioner can no longer be booked. Nothing was charged. Please choose another.',
  )

/** Says no more than the closed chat does. */
const bookingRefused = () =>
  fail(
    'forbidden',
    'You cannot book a session with this practitioner. Nothing was charged. Please choose another.',
  )

/** @throws 409 `changed_elsewhere` for a session that was moved after its start was shown */
export function requireUnmoved(row: { starts_at: Date | null }, shown: string | undefined): void {
  if (shown === undefined || row.starts_at?.getTime() === Date.parse(shown)) return
  throw fail(
    'changed_elsewhere',
    'This session was moved meanwhile, so it was not cancelled. Please look at its new time.',
  )
}

const bookedMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'This time was booked meanwhile, so it was not released. Your session stays booked.',
  )

const notPayable = () => fail('not_payable', 'There is nothing to pay for this session.')

/** The error for a session that cannot be changed now. */
export const notChangeable = () => fail('not_changeable', 'This session can no longer be changed.')

function paymentAnswer(row: store.AppointmentRow, status: Payment['status']): Payment {
  return {
    session_id: row.id,
    status,
    amount: dueOf(row) / 100,
    hold_expires_at: row.state === 'pending' ? (row.hold_expires_at?.toISOString() ?? null) : null,
  }
}
