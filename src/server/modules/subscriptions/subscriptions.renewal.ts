import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { errorName, type ProductError } from '../../errors.ts'
import type { Charge } from '../payments/payments.charges.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { nextPeriod } from './months.ts'
import { subscriptionsRenewJob } from './subscriptions.jobs.ts'
import type { BillingOutbox } from './subscriptions.outbox.ts'
import {
  afterFailure,
  graceUntil,
  lapsesAt,
  nextStep,
  subjectOf,
  subscribedUntil,
} from './subscriptions.rules.ts'
import * as store from './subscriptions.store.ts'

export type RenewalDependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'checkpoint'> & {
  practitioners: Practitioners
  payments: Payments
  outbox: BillingOutbox
}

/** Subscriptions that one sweep handles. */
const sweepBatch = 200

/**
 * Renews subscriptions. Each attempt is a charge that the subscription refers to. A page, a job or the sweep records
 * its outcome once, in the transaction that begins the capture.
 */
export function createRenewal(deps: RenewalDependencies) {
  const { db, clock, queue, log, practitioners, payments, outbox, checkpoint } = deps

  return {
    finish,
    end,
    begin,

    /** Has a subscription that waits taken up at once, if its practitioner is vetted now. The sweep would find it as well. */
    async vetted(tx: Tx, practitionerId: number): Promise<void> {
      const row = await store.findLive(tx, practitionerId)
      if (row?.state !== 'waiting' || !(await practitioners.isVetted(tx, practitionerId))) return
      await queue.enqueue(tx, subscriptionsRenewJob, { subscription_id: row.id })
    },

    /** Ends the subscription of a closed profile without a mail. The rest of a paid month lapses. */
    async closed(tx: Tx, practitionerId: number): Promise<void> {
      const row = await store.findLive(tx, practitionerId)
      if (!row) return
      await end(tx, row, { sendsMail: false })
    },

    advance,

    /** Recovers charges after a crash, and handles every subscription that is due: renewals, retries, ends. */
    async sweep(): Promise<void> {
      await payments.recoverCharges()
      for (const { id } of await store.listDue(db, clock.now(), sweepBatch)) {
        try {
          await advance(id)
        } catch (error) {
          // A failing subscription does not stop the others.
          log.warn(
            { err: { name: errorName(error) }, subscription: id },
            'A subscription could not be renewed just now and is tried again.',
          )
        }
      }
    },
  }

  /** Handles one subscription that is due. Idempotent. @throws 503 when the gateway cannot be reached */
  async function advance(id: string): Promise<void> {
    const before = await store.findSubscription(db, id)
    if (!before) return
    if (before.charge_id) {
      const under = await payments.readCharge(before.charge_id)
      // The practitioner is authenticating with their bank. `recoverCharges` voids the charge if they abandon it.
      if (under.on_session && under.state === 'requires_action') return
      const resumed = { chargeId: under.id, fresh: false }
      await finish(id, under.state === 'authorising' ? await payments.authoriseCharge(resumed) : under)
    }
    const charge = await inTransaction(db, (tx) => nextCharge(tx, id))
    if (!charge) return
    await checkpoint('renewal noted')
    await finish(id, await payments.authoriseCharge(charge))
  }

  /** Ends or pauses the subscription, or begins the charge that is due. Returns the charge to authorise. */
  async function nextCharge(tx: Tx, id: string) {
    const locked = await lock(tx, id)
    if (!locked) return undefined
    const { row, accountId } = locked
    const step = nextStep(row, await practitioners.isVetted(tx, row.practitioner_id), clock.now())
    if (step === 'end') await end(tx, row)
    if (step === 'pause') await pause(tx, row)
    if (step !== 'charge' || row.charge_id) return undefined
    const card = await payments.cardInUse(tx, accountId)
    if (!card) {
      await fail(tx, row, 'no_card')
      return undefined
    }
    return begin(tx, row, { accountId, methodId: card.customer_id, onSession: false })
  }

  /** Begins the charge for the month that is due. The caller has locked the practitioner. */
  async function begin(
    tx: Tx,
    row: store.SubscriptionRow,
    { accountId, methodId, onSession }: { accountId: string; methodId: string; onSession: boolean },
  ) {
    const begun = await payments.beginCharge(tx, {
      accountId,
      methodId,
      purpose: 'subscription',
      subject: subjectOf(row.id, row.payments),
      amountPence: row.price_pence,
      onSession,
    })
    await store.setCharge(tx, row.id, begun.chargeId)
    return begun
  }

  /**
   * Records the outcome of a charge, unless it was recorded before. A paid charge is captured and begins the next
   * month. A failed charge is retried later, or the subscription lapses. Returns the error for the caller, if any.
   */
  async function finish(id: string, charge: Charge): Promise<ProductError | undefined> {
    const taken = await inTransaction(db, async (tx) => {
      const locked = await lock(tx, id)
      if (!locked || locked.row.charge_id !== charge.id) return false
      const { row, accountId } = locked
      switch (charge.state) {
        case 'authorised':
          return take(tx, row, accountId, charge)
        case 'requires_action':
          if (charge.on_session) return false
          await payments.releaseCharge(tx, charge.id)
          await fail(tx, row, 'authentication_required')
          return false
        case 'declined':
          if (charge.on_session && (row.due_at === null || row.due_at > clock.now()))
            await store.setCharge(tx, row.id, null)
          else await fail(tx, row, charge.decline_code ?? 'card_declined')
          return false
        default:
          // A voided charge does not count as a failure.
          await store.setCharge(tx, row.id, null)
          return false
      }
    })
    if (taken) await checkpoint('subscription paid')
    await payments.finishChargeSoon(charge.id)
    return taken ? undefined : payments.refusalOf(charge)
  }

  async function take(
    tx: Tx,
    row: store.SubscriptionRow,
    accountId: string,
    charge: Charge,
  ): Promise<boolean> {
    const wanted = ['starting', 'waiting', 'active', 'past_due'].includes(row.state)
    if (!wanted || !(await practitioners.isVetted(tx, row.practitioner_id))) {
      // Cancelled, suspended or lapsed during the authorisation: the charge is voided.
      await payments.releaseCharge(tx, charge.id)
      await store.setCharge(tx, row.id, null)
      return false
    }
    if (!(await payments.takeCharge(tx, charge.id))) {
      await store.setCharge(tx, row.id, null)
      return false
    }
    const paused = row.state === 'starting' || row.state === 'waiting'
    const paid = paused || row.anchor_at === null ? null : { anchor: row.anchor_at, months: row.months }
    const period = nextPeriod(paid, clock.now())
    await store.insertMonth(tx, {
      charge_id: charge.id,
      subscription_id: row.id,
      starts_at: period.startsAt,
      ends_at: period.endsAt,
    })
    await store.moveSubscription(tx, row, 'active', {
      anchor_at: period.anchor,
      months: period.months,
      payments: row.payments + 1,
      paid_until: period.endsAt,
      due_at: period.endsAt,
      charge_id: null,
      failures: 0,
      failed_since: null,
    })
    await practitioners.setSubscribedUntil(tx, row.practitioner_id, subscribedUntil('active', period.endsAt))
    return true
  }

  async function fail(tx: Tx, row: store.SubscriptionRow, reason: string): Promise<void> {
    if (row.state !== 'waiting' && row.state !== 'active' && row.state !== 'past_due') {
      await store.setCharge(tx, row.id, null)
      return
    }
    const now = clock.now()
    const failures = row.failures + 1
    const since = row.failed_since ?? now
    const next = afterFailure(failures, since)
    const amount_pence = row.price_pence
    const is_first = row.payments === 0
    if (next.state === 'lapsed') {
      await store.moveSubscription(tx, row, 'lapsed', {
        charge_id: null,
        due_at: null,
        ended_at: now,
        failures,
        failed_since: since,
      })
      await practitioners.setSubscribedUntil(tx, row.practitioner_id, now)
      await outbox.note(tx, row.practitioner_id, 'lapsed', { amount_pence, is_first })
      return
    }
    await store.moveSubscription(tx, row, 'past_due', {
      charge_id: null,
      due_at: next.dueAt,
      failures,
      failed_since: since,
    })
    // An active subscription stays listed during the retries. A waiting one is listed only after its payment.
    if (row.state === 'active')
      await practitioners.setSubscribedUntil(tx, row.practitioner_id, graceUntil(since))
    await outbox.note(tx, row.practitioner_id, 'payment_failed', {
      amount_pence,
      is_first,
      reason,
      next_charge_at: next.dueAt.toISOString(),
      lapses_at: lapsesAt(since).toISOString(),
    })
  }

  /** Pauses the renewal of a practitioner who is no longer vetted, until they are again. */
  async function pause(tx: Tx, row: store.SubscriptionRow): Promise<void> {
    if (row.charge_id) await payments.releaseCharge(tx, row.charge_id)
    await store.moveSubscription(tx, row, 'waiting', {
      anchor_at: null,
      paid_until: null,
      months: 0,
      charge_id: null,
      due_at: null,
      failures: 0,
      failed_since: null,
    })
    await practitioners.setSubscribedUntil(tx, row.practitioner_id, row.paid_until)
  }

  /** Ends the subscription: the profile is no longer listed, and no further charge is made. */
  async function end(tx: Tx, row: store.SubscriptionRow, { sendsMail = true } = {}): Promise<void> {
    const now = clock.now()
    if (row.charge_id) await payments.releaseCharge(tx, row.charge_id)
    await store.moveSubscription(tx, row, 'ended', { charge_id: null, due_at: null, ended_at: now })
    const until = row.paid_until !== null && row.paid_until < now ? row.paid_until : now
    await practitioners.setSubscribedUntil(tx, row.practitioner_id, row.payments === 0 ? null : until)
    if (!sendsMail) return
    await outbox.note(tx, row.practitioner_id, 'ended', {
      until: row.payments === 0 ? null : until.toISOString(),
      is_hidden: !(await practitioners.isVetted(tx, row.practitioner_id)),
    })
  }

  /** Returns the subscription, with its practitioner locked until the transaction ends. */
  async function lock(tx: Tx, id: string) {
    const known = await store.findSubscription(tx, id)
    if (!known) return undefined
    await practitioners.lock(tx, known.practitioner_id)
    const row = await store.findSubscription(tx, id)
    const accountId = await practitioners.accountOf(tx, known.practitioner_id)
    return row && accountId ? { row, accountId } : undefined
  }
}
