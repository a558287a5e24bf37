import { setTimeout as sleep } from 'node:timers/promises'
import type { PayoutReversalReason } from '#contract/back-office/practitioners.ts'
import { later, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { PaidSession } from '../../contributions/lookups.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { monthBounds, monthsBetween } from '../../months.ts'
import { isResumed } from '../../resumption.ts'
import {
  findFirstMovement,
  insertPayout,
  insertPayoutReversal,
  listMonths,
  listMovements,
  type MovementRow,
  sumBefore,
} from './earnings.store.ts'
import { createCards } from './payments.cards.ts'
import { createCharges, refusalOf } from './payments.charges.ts'
import { createWebhooks } from './payments.webhooks.ts'
import { createDeclines } from './payments.declines.ts'
import { createIncidents } from './payments.incidents.ts'
import { paymentsRecoverJob } from './payments.jobs.ts'
import { createReconciliation } from './payments.reconciliation.ts'
import { createRecovery } from './payments.recovery.ts'
import { payoutEntries, turnedRound } from './payments.rules.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import {
  changePatience,
  createFinishing,
  cutOff,
  type Intent,
  isBeingAsked,
  underWay,
} from './payments.finishing.ts'
import { finishPatience, orUnavailable } from './payments.patience.ts'
import { gatewayFaultOf } from '../../integrations/payment-gateway/port.ts'
import { refundedForChange } from './refund-sums.rules.ts'
import { noteFailure } from './gateway-payments.store.ts'
import * as cardStore from './cards.store.ts'
import { postLedger } from './ledger.store.ts'
import * as store from './payments.store.ts'
import { deletePaid, deleteUnpaid } from './personal-data.store.ts'

type Dependencies = FinishingDependencies & Pick<Deps, 'limits'>

/** A payment for an appointment. Pence. */
export type WantedPayment = {
  appointmentId: string
  methodId: string
  amountPence: number
  /** The platform's share, owed to the practitioner on top. */
  discountPence: number
  purpose: store.Purpose
  /** Whether the client is there, so that their bank can ask them; true by default. */
  onSession?: boolean
}

/** A movement of the ledger with its session, unless it is a payout. Pence. */
export type Movement = MovementRow & { session: PaidSession | undefined }

/** A new payment, or the same one found under way. `finish`: the intents that it replaces. */
export type Begun = { intentId: string; fresh: boolean; finish: string[] }

export type Payments = ReturnType<typeof createPayments>

/** Saved cards, payment intents, refunds and the ledger. */
export function createPayments(deps: Dependencies) {
  const { db, clock, random, queue, gateway, checkpoint, log } = deps
  const reconciliation = createReconciliation(deps)
  const declines = createDeclines(deps)
  const finishing = createFinishing({ ...deps, reconciliation, declines })
  const charges = createCharges({ ...deps, reconciliation, declines })
  const recovery = createRecovery({ ...deps, finishing, charges })
  const cards = createCards(deps)
  const { read, note } = finishing

  return {
    ...cards,
    ...finishing,
    ...charges,
    ...recovery,
    ...createWebhooks({
      ...deps,
      reconciliation,
      declines,
      finish: finishing.finish,
      finishCharge: charges.finishCharge,
      noteOnCard: finishing.noteOnCard,
    }),
    ...createIncidents(deps),

    /** Records a payout, also in the ledger. The caller holds the practitioner's lock. */
    async recordPayout(
      tx: Tx,
      {
        practitionerId,
        amountPence,
        reference,
      }: { practitionerId: number; amountPence: number; reference: string },
    ): Promise<void> {
      const now = clock.now()
      const id = random.uuid(now)
      await insertPayout(tx, {
        id,
        practitioner_id: practitionerId,
        amount_pence: amountPence,
        reference,
        created_at: now,
      })
      await postLedger(tx, 'payout', id, now, payoutEntries({ practitionerId, amountPence }))
    },

    /**
     * Records that a payout came back or was recorded wrongly: what it paid is owed again. The caller holds the
     * practitioner's lock.
     * @returns whether anything changed: a payout is reversed once
     */
    async reversePayout(
      tx: Tx,
      payout: { id: string; practitionerId: number; amountPence: number },
      reason: PayoutReversalReason,
    ): Promise<boolean> {
      const now = clock.now()
      const isNew = await insertPayoutReversal(tx, { payout_id: payout.id, reason, created_at: now })
      if (isNew) await postLedger(tx, 'payout_reversed', payout.id, now, turnedRound(payoutEntries(payout)))
      return isNew
    },

    refusalOf,
    refundedForChange,

    /** As `recover`, and removes single-use cards; with `andSoon`, also twice more within the minute. */
    async recoverNow({ andSoon }: { andSoon: boolean }): Promise<void> {
      for (const wait of andSoon ? [seconds(20), seconds(40)] : []) {
        const startAfter = later(new Date(), wait)
        await queue.enqueue(db, paymentsRecoverJob, { once: true }, { startAfter })
      }
      await recovery.recover()
      await cards.removeSingleUse()
    },

    /** Sums of the ledger for a practitioner before an instant. Pence. */
    sumBefore,
    /** Every movement of the ledger for a practitioner in a range, each with its session, oldest first. Pence. */
    async movements(
      handle: Db,
      practitionerId: number,
      range: { from: Date; to: Date },
    ): Promise<Movement[]> {
      const rows = await listMovements(handle, practitionerId, range)
      const ids = [...new Set(rows.flatMap((row) => row.appointment_id ?? []))]
      const sessions = await deps.lookups().paidSessions(handle, ids)
      return rows.map((row) => ({ ...row, session: sessions.get(row.appointment_id ?? '') }))
    },
    /** The months of a zone with movements for a practitioner, `2026-06`, newest first. */
    async monthsWithMovements(handle: Db, practitionerId: number, zone: string): Promise<string[]> {
      const first = await findFirstMovement(handle, practitionerId)
      if (!first) return []
      const months = monthsBetween(first, clock.now(), zone)
      const starts = months.map((month) => monthBounds(month, zone).from)
      return (await listMonths(handle, practitionerId, starts)).flatMap((index) => months[index] ?? [])
    },

    /**
     * Inserts a payment intent before the gateway call, or finds the same one under way: an appointment has one live
     * intent per purpose. An uncaptured intent with another card or amount is voided. The caller then calls
     * `authorise` after the commit.
     */
    async begin(tx: Tx, wanted: WantedPayment): Promise<Begun> {
      const { appointmentId, purpose, onSession = true } = wanted
      if (await cardStore.isTakenByAnother(tx, wanted.methodId, appointmentId)) throw notFound('This card')
      const live = await store.lockLiveIntent(tx, appointmentId, purpose)
      const same =
        live &&
        (live.state === 'capturing' ||
          (live.payment_method_id === wanted.methodId &&
            live.amount_pence === wanted.amountPence &&
            live.discount_pence === wanted.discountPence &&
            // The bank can ask the client only about a payment that was begun with them, and while they are there.
            (live.state !== 'requires_action' || (live.on_session && onSession))))
      if (live && !same && isBeingAsked(live, clock.now())) throw underWay()
      // The client answers the bank about this payment from now on, and not about the other.
      const other = purpose === 'booking' ? 'change' : 'booking'
      const finish = onSession
        ? await finishing.releaseAll(tx, appointmentId, { purpose: other, isAtBank: true })
        : []
      if (same) return { intentId: live.id, fresh: false, finish }
      if (live) finish.push(...(await finishing.releaseAll(tx, appointmentId, { id: live.id })))
      const now = clock.now()
      const intentId = random.uuid(now)
      if (purpose === 'change') {
        const startAfter = later(new Date(), changePatience.authorised)
        await queue.enqueue(tx, paymentsRecoverJob, { once: true }, { startAfter })
      }
      await store.insertIntent(tx, {
        id: intentId,
        appointment_id: appointmentId,
        payment_method_id: wanted.methodId,
        gateway: gateway.name,
        amount_pence: wanted.amountPence,
        discount_pence: wanted.discountPence,
        purpose,
        on_session: onSession,
        created_at: now,
      })
      return { intentId, fresh: true, finish }
    },

    /**
     * Authorises the payment at the gateway, or waits for a concurrent authorisation.
     * @throws 402 `card_declined` or `authentication_required`, 429 after too many declines, 503 when the gateway
     * cannot be reached
     */
    async authorise(caller: SignedIn, { intentId, fresh, finish }: Begun): Promise<Intent> {
      await finishing.finishSoon({ intents: finish }, finishPatience)
      if (!fresh) return judged(await waitFor(intentId))
      const begun = await read(intentId)
      const intent = await declines.ask(caller.accountId, {
        ask: () => askGateway(begun),
        release: () =>
          inTransaction(db, (tx) => finishing.releaseAll(tx, begun.appointment_id, { id: intentId })),
      })
      return judged(intent)
    },

    /**
     * As `authorise`, without the client: returns the payment in any state. Declines are not counted.
     * @throws 503 when the gateway cannot be reached
     */
    async authoriseAbsent({ intentId, fresh, finish }: Begun): Promise<Intent> {
      await finishing.finishSoon({ intents: finish }, finishPatience)
      return fresh ? askGateway(await read(intentId)) : waitFor(intentId)
    },

    /** Continues after extra authentication. @throws as `authorise`, 409 when no payment waits for it */
    async confirm(appointmentId: string): Promise<Intent> {
      const booking = await store.findLiveIntent(db, appointmentId, 'booking')
      const change = await store.findLiveIntent(db, appointmentId, 'change')
      const live = change?.state === 'requires_action' ? change : (booking ?? change)
      if (!live?.gateway_ref) throw fail('not_payable', 'There is no payment to confirm.')
      if (live.state === 'requires_action') {
        const found = await orUnavailable(gateway.confirm(live.gateway_ref))
        const to = found.state
        if (to === 'authorised' || to === 'declined') {
          const isNews = await inTransaction(db, async (tx) => {
            const moved = await store.moveIntent(tx, live.id, 'requires_action', to, clock.now(), {
              decline_code: found.declineCode,
            })
            if (moved) await finishing.noteOnCard(tx, live.payment_method_id, to, found.declineCode)
            return moved
          })
          if (isNews && to === 'declined') await declines.count(await read(live.id))
        }
      }
      return judged(await read(live.id))
    },

    /**
     * Erasure at account deletion: deletes failed attempts to pay. Returns the appointments that still have payments.
     */
    deleteUnpaidOf: deleteUnpaid,

    /** Erasure after the retention period: deletes payments. The ledger holds no personal data and stays. */
    deletePaidOf: deletePaid,

    /** Those of some appointments that have a payment whose result is not known. */
    async underWayOf(handle: Db, appointmentIds: string[]): Promise<Set<string>> {
      return new Set(appointmentIds.length > 0 ? await store.listUnderWay(handle, appointmentIds) : [])
    },

    /** Every payment of an appointment, and whether it waits for the client's answer to the bank. */
    standings: store.listStandings,

    /** The newest payment of an appointment for its booking. */
    newest: store.findNewestIntent,

    /**
     * Whether the live payment for the booking of an appointment was captured outside the product. Locks it, so that it is not
     * found to be so until the transaction ends.
     */
    isCapturedElsewhere: async (tx: Tx, appointmentId: string): Promise<boolean> =>
      ((await store.lockLiveIntent(tx, appointmentId, 'booking'))?.captured_elsewhere_at ?? null) !== null,

    /** The live payment of an appointment, if there is one. */
    live: store.findLiveIntent,

    /**
     * Begins the capture. The caller calls `finish` after the commit; a job does it after a crash. Returns false
     * unless the intent is authorised with exactly this amount.
     */
    async beginCapture(tx: Tx, intentId: string, amountPence: number): Promise<boolean> {
      const intent = await store.lockIntent(tx, intentId)
      if (intent?.state !== 'authorised' || intent.amount_pence !== amountPence) return false
      await store.moveIntent(tx, intentId, 'authorised', 'capturing', clock.now())
      await finishing.enqueueFinish(tx, intentId)
      return true
    },
  }

  /** Authorises a stored intent at the gateway and stores the result. */
  async function askGateway(intent: Intent): Promise<Intent> {
    const token = intent.method_ref
    if (token === null) throw new Error('A payment is to be authorised on a card that is gone.')
    await checkpoint('payment noted')
    const call = gateway
      .authorise({
        key: intent.id,
        token,
        owner: intent.method_owner,
        amountPence: intent.amount_pence,
        isPresent: intent.on_session,
      })
      .catch(async (error: unknown) => {
        // A failed call ends its claim, so that the next caller calls the gateway again with the same key.
        const fault = gatewayFaultOf(error)
        await noteFailure(db, 'payment_intents', intent.id, fault, clock.now())
        log.warn({ err: fault, id: intent.id }, 'A payment could not be authorised.')
        throw error
      })
      .then(async (found) => {
        await checkpoint('payment authorised at the gateway')
        await note(intent, found)
      })
    // A response after the deadline is stored too.
    await orUnavailable(call)
    return read(intent.id)
  }

  async function waitFor(intentId: string): Promise<Intent> {
    for (let tries = 0; tries < 100; tries++) {
      const intent = await read(intentId)
      if (intent.state !== 'authorising') return intent
      if (isResumed()) return askGateway(intent)
      const now = clock.now()
      const isLeft = intent.attempts > 0 || intent.updated_at <= later(now, -cutOff)
      if (isLeft && (await store.claimAuthorising(db, intentId, later(now, -cutOff), now)))
        return askGateway(intent)
      await sleep(50)
    }
    throw fail('request_in_progress', 'Your payment is still going through.', { retryAfter: 2 })
  }
}

function judged(intent: Intent): Intent {
  const { state } = intent
  if (state === 'authorised' || state === 'capturing' || state === 'captured') return intent
  const refusal = state === 'requires_action' || state === 'declined' ? refusalOf(intent) : undefined
  throw refusal ?? fail('hold_expired', 'The time to pay has run out. Nothing was charged.')
}
