import type { Payment } from '#contract/bookings/bookings.ts'
import { later, minutes } from '../../../clock.ts'
import type { Tx } from '../../../db/connection.ts'
import { afterCommit, inTransaction } from '../../../db/transaction.ts'
import { attempt } from '../../../jobs/attempt.ts'
import { fail } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { owned } from '../../../http/policies.ts'
import type { Begun } from '../../payments/payments.service.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { dueOf, isFrozen } from '../bookings.rules.ts'
import { changeOf, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { priceChanged } from '../holds/quote.ts'
import type { ReservedPrices } from './reserved.price.ts'
import { type ChargeFailure, isPayable, nextChargeAt, sweepStep } from './reserved.rules.ts'
import * as reservedStore from './reserved.store.ts'

type Row = store.AppointmentRow

/** Sessions of a kind that one sweep handles; the next sweep continues. */
const sweepBatch = 500
/** Charges under way at a time. */
const concurrency = 8
/** How long a client may take to answer their bank before the sweep goes on. */
const bankPatience = minutes(15)
/** A payment on the page whose request has ended by then. */
const abandoned = minutes(1)

/**
 * How charges without the client ended on this instance since it started. `taken`; `refused` by the card or the bank;
 * `unfinished`: the next sweep goes on; `unpaid`: the session was cancelled at its deadline.
 */
export type ChargeFigures = Record<'taken' | 'refused' | 'unfinished' | 'unpaid', number>

type Dependencies = BookingDependencies & { prices: Pick<ReservedPrices, 'reprice'> }

/** Takes the money of reserved sessions: by the sweep, without the client, or on the page. */
export function createReservedPayments(deps: Dependencies) {
  const { db, clock, log, events, availability, payments, outbox, prices, checkpoint } = deps
  const figures: ChargeFigures = { taken: 0, refused: 0, unfinished: 0, unpaid: 0 }
  const count = (outcome: keyof ChargeFigures) => {
    figures[outcome]++
  }

  return {
    figures: (): ChargeFigures => figures,

    /**
     * Charges what is due, cancels what is unpaid, and writes the mails ahead of it. A failure does not stop the others;
     * what a crash left is found by its state.
     */
    async sweep(): Promise<void> {
      const now = clock.now()
      const authorised = await reservedStore.listAuthorised(db, later(now, -abandoned), sweepBatch)
      await each(authorised, 'capturing a payment', async (id) => {
        await capture(id)
      })
      await each(await reservedStore.listDue(db, now, sweepBatch), 'charging a session', (id) =>
        charge(id).catch((error: unknown) => {
          count('unfinished')
          throw error
        }),
      )
      for (const id of await reservedStore.listToAnnounce(db, now, sweepBatch)) {
        await attempt(log, 'announcing a charge', () => announce(id))
      }
      for (const id of await reservedStore.listUnchargeable(db, now, sweepBatch)) {
        await attempt(log, 'reporting a card', () =>
          inTransaction(db, async (tx) => {
            const row = await store.lockAppointment(tx, id)
            if (row?.state === 'reserved') await outbox.noteCard(tx, row)
          }),
        )
      }
    },

    /**
     * Pays for a reserved session on the page, from the moment that its money could be taken. Until the bank's question is
     * answered, repeating it throws `authentication_required` again.
     * @throws 404; 422 `price_changed`; 402 `card_declined`, `authentication_required`; 409 `not_payable`, `hold_expired`; 429
     */
    async pay(caller: SignedIn, id: string, customerId: string): Promise<Payment> {
      const card = await payments.cardToPayWith(caller, customerId)
      const begun = await inTransaction(db, async (tx) => {
        const row = owned('appointment', caller, await store.lockAppointment(tx, id))
        if (row.state === 'confirmed' && row.series_id) return undefined
        requirePayable(row)
        const priced = await prices.reprice(tx, row, card.id)
        // Stored, so that the page shows it and the client may go on.
        if (dueOf(priced) > dueOf(row))
          return { changedTo: dueOf(priced), finish: await payments.releaseAll(tx, id) }
        return payments.begin(tx, { ...wantedFor(priced), methodId: card.id })
      })
      if (begun && 'changedTo' in begun) {
        await payments.finishSoon({ intents: begun.finish })
        throw priceChanged(begun.changedTo, 'customer_id')
      }
      if (begun) {
        await payments.authorise(caller, begun)
        await checkpoint('reserved session authorised')
      }
      return afterAuthentication(id)
    },

    afterAuthentication,
  }

  /**
   * Captures a payment that the client has authorised.
   * @throws 409 if the session was cancelled, frozen or moved meanwhile; 422 `price_changed`
   */
  async function afterAuthentication(id: string): Promise<Payment> {
    const row = await capture(id)
    if (row.state !== 'confirmed') {
      requirePayable(row)
      throw priceChanged(dueOf(row), 'customer_id')
    }
    return { session_id: row.id, status: 'captured', amount: dueOf(row) / 100, hold_expires_at: null }
  }

  /** Confirms a session whose payment is authorised; voids the payment if it can no longer be. */
  async function capture(id: string): Promise<Row> {
    const { row, intents } = await inTransaction(db, async (tx) => {
      const locked = await store.lockAppointment(tx, id)
      if (!locked) throw new Error('An appointment has gone.')
      const live = await payments.live(tx, id, 'booking')
      if (live?.state !== 'authorised') return { row: locked, intents: [] }
      const mayBe =
        locked.state === 'reserved' && !isFrozen(locked) && isPayable(locked, clock.now()) === 'yes'
      if (mayBe && live.amount_pence === dueOf(locked)) return confirm(tx, locked, live.id)
      const released = await payments.releaseAll(tx, id, { id: live.id })
      return { row: locked, intents: released }
    })
    await checkpoint('reserved session confirmed')
    await payments.finishSoon({ intents })
    return row
  }

  /** Confirms a reserved session and begins the capture of its payment. The caller holds its lock. */
  async function confirm(tx: Tx, row: Row, intentId: string): Promise<{ row: Row; intents: string[] }> {
    await store.changeState(tx, row.id, 'reserved', 'confirmed', { charge_at: null })
    if (!(await payments.beginCapture(tx, intentId, dueOf(row)))) {
      throw new Error('A session was to be confirmed that has not been paid for.')
    }
    const booked = await reread(tx, row.id)
    await outbox.note(tx, booked, 'booked')
    await events.announce(tx, 'session.changed', { ...changeOf(booked), isPaid: true })
    return { row: booked, intents: [intentId] }
  }

  /** Does what is due for one session now. */
  async function charge(id: string): Promise<void> {
    const { begun, intents } = await inTransaction(db, (tx) => beginCharge(tx, id))
    await payments.finishSoon({ intents })
    if (!begun) return
    const intent = await payments.authoriseAbsent(begun)
    await checkpoint('reserved session authorised')
    if (intent.state === 'authorised') {
      const { state } = await capture(id)
      if (state === 'confirmed') count('taken')
      return
    }
    if (intent.state !== 'declined' && intent.state !== 'requires_action') {
      count('unfinished')
      return
    }
    const released = await inTransaction(db, async (tx) => {
      const row = await store.lockAppointment(tx, id)
      return row ? ((await noteRefusal(tx, row)) ?? []) : []
    })
    await payments.finishSoon({ intents: released })
  }

  /** Cancels the session or asks the client to pay, if that is due. Returns the payment to authorise, if one is. */
  async function beginCharge(tx: Tx, id: string): Promise<{ begun?: Begun; intents: string[] }> {
    const row = await store.lockAppointment(tx, id)
    if (!row || isFrozen(row)) return { intents: [] }
    const now = clock.now()
    const step = sweepStep(row, now)
    if (step === 'cancel') return { intents: await cancelUnpaid(tx, row) }
    if (step === 'ask') {
      await askToPay(tx, row, { ...(row.starts_at ? { pay_by: row.starts_at } : {}), charge_at: null })
      return { intents: await payments.releaseAll(tx, id) }
    }
    if (step !== 'charge') return { intents: [] }
    const refused = await noteRefusal(tx, row)
    if (refused) return { intents: refused }
    const newest = await payments.newest(tx, id)
    const isAtBank = newest?.state === 'requires_action' && newest.on_session
    if (isAtBank && newest.updated_at > later(now, -bankPatience)) return { intents: [] }
    const methodId = row.payment_method_id
    if (methodId === null) {
      await askToPay(tx, row, { charge_at: null })
      return { intents: [] }
    }
    const usable = await payments.chargeable(tx, methodId, now)
    if (usable !== 'yes') {
      await noteFailure(tx, row, usable === 'expired' ? 'expired_card' : 'no_card')
      return { intents: [] }
    }
    const priced = await prices.reprice(tx, row, methodId)
    if (dueOf(priced) > dueOf(row)) {
      // Never more than was announced without the client.
      await askToPay(tx, priced, { charge_at: null })
      return { intents: [] }
    }
    return {
      begun: await payments.begin(tx, { ...wantedFor(priced), methodId, onSession: false }),
      intents: [],
    }
  }

  /**
   * Stores that the attempt that is due was refused, if it was: after it, or after a crash. Returns the payment intents to
   * void; undefined if it was not refused.
   */
  async function noteRefusal(tx: Tx, row: Row): Promise<string[] | undefined> {
    const newest = await payments.newest(tx, row.id)
    const isOfThisAttempt =
      newest && !newest.on_session && row.charge_at && newest.created_at >= row.charge_at
    if (row.state !== 'reserved' || !isOfThisAttempt) return undefined
    if (newest.state === 'declined') {
      await noteFailure(tx, row, (newest.decline_code ?? 'card_declined') as ChargeFailure)
      return []
    }
    if (newest.state !== 'requires_action') return undefined
    await noteFailure(tx, row, 'authentication_required')
    return payments.releaseAll(tx, row.id, { id: newest.id })
  }

  async function noteFailure(tx: Tx, row: Row, reason: ChargeFailure): Promise<void> {
    afterCommit(tx, () => count('refused'))
    const failures = row.pay_failures
    const next = row.starts_at
      ? nextChargeAt(reason, { startsAt: row.starts_at, failures }, clock.now())
      : null
    await askToPay(tx, row, { pay_failures: failures + 1, charge_at: next })
  }

  async function askToPay(tx: Tx, row: Row, change: Parameters<typeof store.changeTerms>[2]): Promise<void> {
    await store.changeTerms(tx, row.id, change)
    const after = await reread(tx, row.id)
    await outbox.notePayment(tx, after, 'payment_failed')
    await events.announce(tx, 'session.changed', changeOf(after))
  }

  async function cancelUnpaid(tx: Tx, row: Row): Promise<string[]> {
    afterCommit(tx, () => count('unpaid'))
    await store.changeState(tx, row.id, 'reserved', 'cancelled', {
      cancelled_by: 'system',
      cancel_code: 'unpaid',
    })
    if (row.reservation_id) await availability.release(tx, row.reservation_id)
    const intents = await payments.releaseAll(tx, row.id)
    const after = await reread(tx, row.id)
    await outbox.notePayment(tx, after, 'unpaid')
    await events.announce(tx, 'session.changed', changeOf(after))
    return intents
  }

  async function announce(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const row = await store.lockAppointment(tx, id)
      if (row?.state !== 'reserved' || isFrozen(row)) return
      await outbox.notePayment(tx, await prices.reprice(tx, row, row.payment_method_id), 'charge_ahead')
    })
  }

  /** @throws 409 unless the client can pay for it now */
  function requirePayable(row: Row): void {
    if (row.state === 'cancelled') throw tooLate()
    if (isFrozen(row)) throw beingChecked()
    const verdict = isPayable(row, clock.now())
    if (verdict === 'too_late') throw tooLate()
    if (verdict === 'too_early') throw notYetDue()
    if (verdict === 'no') throw fail('not_payable', 'There is nothing to pay for this session.')
  }

  async function each(
    ids: readonly string[],
    what: string,
    work: (id: string) => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += concurrency) {
      await Promise.all(ids.slice(from, from + concurrency).map((id) => attempt(log, what, () => work(id))))
    }
  }
}

const wantedFor = (row: Row) => ({
  appointmentId: row.id,
  amountPence: dueOf(row),
  discountPence: row.discount_pence,
  purpose: 'booking' as const,
})

const tooLate = () =>
  fail('hold_expired', 'This session was not paid in time, so its time is free again. Nothing was charged.')

const beingChecked = () =>
  fail(
    'not_changeable',
    'This session is being checked, and its time is kept. It cannot be paid now. Nothing was charged.',
  )

const notYetDue = () =>
  fail(
    'not_payable',
    'This session is paid by itself two days before it starts. There is nothing to pay yet.',
  )
