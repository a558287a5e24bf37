import { isGivenBack } from '#contract/money.ts'
import { later, minutes, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  gatewayFaultOf,
  type GatewayPayment,
  RefundAwaitsFunds,
} from '../../integrations/payment-gateway/port.ts'
import { errorName, fail } from '../../errors.ts'
import { discountAgain, lockCaptured, sumRefundable } from './payments.captured.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { paymentsRefundJob, paymentsRemoveCardJob, paymentsFinishJob } from './payments.jobs.ts'
import type { Declines } from './payments.declines.ts'
import { afterCaller, gatewayPatience, patiently, waitUntilDeadline } from './payments.patience.ts'
import { chargeDisputes } from './payments.disputes.ts'
import { createPayee } from './payments.payee.ts'
import type { Reconciliation } from './payments.reconciliation.ts'
import {
  captureEntries,
  type IntentState,
  refundable,
  refundEntries,
  spreadRefund,
  statesNoted,
  type WantedRefund,
} from './payments.rules.ts'
import { noteFailure, setGatewayRef } from './gateway-payments.store.ts'
import * as cardStore from './cards.store.ts'
import { postLedger } from './ledger.store.ts'
import * as store from './payments.store.ts'
import { sumRefunds, type RefundSum } from './refund-sums.rules.ts'
import * as refundStore from './refunds.store.ts'
import { isRefundBlocked, listDisputeStates } from './reconciliation.store.ts'

export type Intent = NonNullable<Awaited<ReturnType<typeof store.findIntent>>>

/** A gateway call without a response after this time counts as cut off. */
export const cutOff = seconds(30)
/** How long an authorisation that is unknown to the gateway may still be on its way. */
export const onItsWay = seconds(25)
/**
 * The payment of an abandoned change is voided after this time: authorised, or waiting for authentication by the bank.
 */
export const changePatience = { authorised: minutes(5), asked: minutes(15) }
/** Whether a gateway call for an authorisation is under way, rather than failed or cut off. */
export function isBeingAsked(
  { state, attempts, updated_at }: { state: string; attempts: number; updated_at: Date },
  now: Date,
): boolean {
  return state === 'authorising' && attempts === 0 && updated_at > later(now, -cutOff)
}

/** The error for a second card while the first is being authorised. */
export const underWay = () =>
  fail('payment_under_way', 'This is already being paid with another card. Please wait a moment.', {
    retryAfter: 2,
  })

/** From this number of failures in a row, the log entry is an error. */
const alarming = 10

/** Logs a failed gateway call that is left to the queue. */
export function reportFailure(
  log: FinishingDependencies['log'],
  error: unknown,
  message: string,
  { id, attempts }: { id: string; attempts: number },
): void {
  const details = { err: { name: errorName(error), ...gatewayFaultOf(error) }, id, attempts }
  if (attempts >= alarming && !(error instanceof RefundAwaitsFunds)) log.error(details, message)
  else log.warn(details, message)
}

/**
 * Finishes payments and refunds after the transaction that began them. The caller finishes them first, a job retries, and the
 * sweep runs after a crash. Every step is idempotent.
 */
export function createFinishing({
  db,
  clock,
  random,
  queue,
  events,
  gateway,
  log,
  checkpoint,
  reconciliation,
  lookups,
  declines,
}: FinishingDependencies & { reconciliation: Reconciliation; declines: Declines }) {
  const { movement, sessionOf } = createPayee(lookups)
  return {
    read,
    note,
    noteOnCard,
    finish,
    finishRefund,
    tryFinishing,
    tryRefunding,

    /** Begins to void the uncaptured payments of an appointment. Returns the ids to `finish`. */
    async releaseAll(
      tx: Tx,
      appointmentId: string,
      which: { purpose?: store.Purpose; id?: string; isAtBank?: boolean } = {},
    ) {
      const ids = await store.releaseIntents(tx, { appointmentId, ...which }, clock.now())
      for (const id of ids) await enqueueFinish(tx, id)
      return ids
    },

    enqueueFinish,

    lockCaptured,
    sumRefundable,
    discountAgain,

    /**
     * Requests a refund, newest payment first, of at most what is left. Returns the ids to `finishRefund` after the commit.
     * `everything`: the session does not take place, so that nothing stays owed for a lost dispute that the platform bears.
     * `rest`: as much for a session that took place.
     */
    async requestRefund(
      tx: Tx,
      appointmentId: string,
      wanted: WantedRefund | 'everything' | 'rest',
      reason: string,
    ): Promise<string[]> {
      const captured = await lockCaptured(tx, appointmentId)
      const ids: string[] = []
      for (const part of spreadRefund(captured, refundable(captured, wanted))) {
        const now = clock.now()
        const id = random.uuid(now)
        await refundStore.insertRefund(tx, {
          id,
          payment_intent_id: part.intentId,
          amount_pence: part.amountPence,
          discount_pence: part.discountPence,
          reason,
          created_at: now,
        })
        await queue.enqueue(tx, paymentsRefundJob, { refund_id: id }, afterCaller())
        ids.push(id)
      }
      if (wanted === 'everything') await chargeDisputes(tx, { appointmentId }, sessionOf, clock.now())
      return ids
    },

    /**
     * Finishes payments and refunds after the commit. Jobs retry failures. A call beyond the limit continues in the
     * background.
     */
    async finishSoon(
      { intents = [], refunds = [] }: { intents?: string[]; refunds?: string[] },
      limitMs: number = gatewayPatience,
    ): Promise<void> {
      const work = async () => {
        for (const id of intents) await tryFinishing(id)
        for (const id of refunds) await tryRefunding(id)
      }
      await waitUntilDeadline(
        work().catch((error: unknown) =>
          log.warn({ err: { name: errorName(error) } }, 'A payment was not finished.'),
        ),
        limitMs,
      )
    },

    /**
     * Refunds by their ids: those that return money, each with its card, and the sum of the discounts that all of them
     * take off what is owed. Pence.
     */
    async refundsById(handle: Db, ids: string[]) {
      const rows = ids.length === 0 ? [] : await refundStore.listRefundsById(handle, ids)
      const given = rows.filter(({ state }) => isGivenBack(state))
      return {
        refunds: rows
          .filter((row) => row.amount_pence > 0)
          .map((row) => ({
            amountPence: row.amount_pence,
            state: row.state,
            brand: row.brand,
            last4: row.last4,
          })),
        discountPence: given.reduce((sum, row) => sum + row.discount_pence, 0),
      }
    },

    /** Sums and states of the refunds of some appointments. */
    async refundsOf(handle: Db, appointmentIds: string[]) {
      if (appointmentIds.length === 0) return new Map<string, RefundSum>()
      return sumRefunds(await refundStore.listRefunds(handle, appointmentIds))
    },

    /** States of the disputes of some appointments. */
    disputesOf: listDisputeStates,
  }

  async function read(intentId: string): Promise<Intent> {
    const intent = await store.findIntent(db, intentId)
    if (!intent) throw new Error('A payment intent has gone.')
    return intent
  }

  async function enqueueFinish(tx: Tx, id: string): Promise<void> {
    await queue.enqueue(tx, paymentsFinishJob, { intent_id: id }, afterCaller())
  }

  /** Stores the gateway's result of an authorisation. */
  async function note(intent: Intent, found: GatewayPayment): Promise<void> {
    const to = statesNoted[found.state]
    const noted = await inTransaction(db, async (tx) => {
      const moved = await store.moveIntent(tx, intent.id, 'authorising', to, clock.now(), {
        gateway_ref: found.ref,
        decline_code: found.declineCode,
        client_secret: found.clientSecret,
      })
      if (moved) await noteOnCard(tx, intent.payment_method_id, to, found.declineCode, intent.on_session)
      return moved
    })
    if (noted) return to === 'voiding' ? finish(intent.id) : undefined
    // The intent was voided during the gateway call, so its authorisation must be voided too.
    await store.moveIntent(db, intent.id, 'voided', 'voiding', clock.now())
    const now = await read(intent.id)
    if (now.state !== 'voiding') return
    await setGatewayRef(db, 'payment_intents', intent.id, found.ref)
    await finish(intent.id)
  }

  /**
   * Stores on a card whether it was declined. A card that is declined at its first payment is removed, unless reserved
   * sessions are charged to it. A failed authentication does not count against the card.
   */
  async function noteOnCard(
    tx: Tx,
    methodId: string,
    to: IntentState,
    declineCode: string | null,
    isPresent = true,
  ): Promise<void> {
    if (to === 'authorised') await cardStore.noteDeclined(tx, methodId, null)
    if (to !== 'declined' || declineCode === 'authentication_failed') return
    await cardStore.noteDeclined(tx, methodId, clock.now())
    // An agreement may charge it once more.
    if (!isPresent || (await lookups().isCardAgreed(tx, methodId))) return
    if (await cardStore.removeIfNeverPaid(tx, methodId, clock.now()))
      await queue.enqueue(tx, paymentsRemoveCardJob, { method_id: methodId })
  }

  /** Counts a failure, also one to finish within `cutOff`. Returns whether it succeeded. */
  async function tryFinishing(id: string): Promise<boolean> {
    try {
      await patiently(finish(id), cutOff)
      return true
    } catch (error) {
      const attempts = await noteFailure(db, 'payment_intents', id, gatewayFaultOf(error), clock.now())
      reportFailure(log, error, 'A payment could not be finished and is left to the queue.', { id, attempts })
      return false
    }
  }

  /** As `tryFinishing`. A refund that the gateway has accepted and not sent is no failure of the gateway. */
  async function tryRefunding(id: string): Promise<boolean> {
    try {
      await patiently(finishRefund(id), cutOff)
      return true
    } catch (error) {
      const attempts = await refundStore.noteRefundFailure(db, id, gatewayFaultOf(error), clock.now())
      reportFailure(log, error, 'A refund did not go through and is left to the queue.', { id, attempts })
      return error instanceof RefundAwaitsFunds
    }
  }

  /** Finishes an intent whose gateway call is due or was cut off. */
  async function finish(intentId: string): Promise<void> {
    const intent = await read(intentId)
    if (intent.state === 'authorising') await finishCutOff(intent)
    else if (intent.state === 'voiding') await finishVoiding(intent)
    else if (intent.state === 'capturing') await finishCapturing(intent)
  }

  async function finishCutOff(intent: Intent): Promise<void> {
    if (intent.updated_at > later(clock.now(), -cutOff)) return
    const found = intent.purpose === 'booking' ? await gateway.findByKey(intent.id) : undefined
    if (found) return note(intent, found)
    // The gateway does not know the intent, or it belongs to a change whose request has ended.
    if (await store.moveIntent(db, intent.id, 'authorising', 'voiding', clock.now())) await finish(intent.id)
  }

  async function finishVoiding(intent: Intent): Promise<void> {
    const ref = intent.gateway_ref ?? (await gateway.findByKey(intent.id))?.ref
    // The first call may still reach the gateway.
    if (!ref && intent.updated_at > later(clock.now(), -onItsWay)) return
    const wasDeclined = await declines.isDeclined(intent)
    if (ref) {
      try {
        await gateway.void(ref)
      } catch (error) {
        const found = await gateway.inspect(intent.id)
        if (found?.state !== 'captured') throw error
        for (const id of await reconciliation.giveBack(intent.id, found)) await finishRefund(id)
        return
      }
    }
    await checkpoint('payment voided at the gateway')
    const isNews = await inTransaction(db, async (tx) => {
      const patch = ref ? { gateway_ref: ref } : {}
      if (!(await store.moveIntent(tx, intent.id, 'voiding', 'voided', clock.now(), patch))) return false
      await events.announce(tx, 'payment.released', { appointmentId: intent.appointment_id })
      return true
    })
    if (isNews && wasDeclined) await declines.count(intent)
  }

  async function finishCapturing(intent: Intent): Promise<void> {
    if (!intent.gateway_ref) throw new Error('A payment is to be captured that the gateway does not know.')
    try {
      await gateway.capture(intent.gateway_ref)
    } catch (error) {
      const found = await gateway.inspect(intent.id)
      if (found?.state !== 'voided' && found?.state !== 'declined') throw error
      return reconciliation.loseCapture(intent.id, found)
    }
    await checkpoint('payment captured at the gateway')
    await inTransaction(db, async (tx) => {
      if (!(await store.moveIntent(tx, intent.id, 'capturing', 'captured', clock.now()))) return
      const entries = captureEntries(await movement(tx, intent, intent))
      await postLedger(tx, 'capture', intent.id, clock.now(), entries)
    })
  }

  /** Sends a requested refund, or the rest of it. An open dispute delays it, unless it is an inquiry. */
  async function finishRefund(refundId: string): Promise<void> {
    const refund = await refundStore.findRefund(db, refundId)
    if (!refund || refund.state !== 'requested') return
    if (refund.intent_state === 'capturing') await finish(refund.payment_intent_id)
    if (!refund.payment_ref) throw new Error('A refund of a payment that the gateway does not know.')
    if (await isRefundBlocked(db, refund.payment_intent_id)) return
    let made: { ref: string | null; amountPence: number; awaitsFunds?: boolean } = {
      ref: null,
      amountPence: 0,
    }
    try {
      const wanted = { key: refund.id, ref: refund.payment_ref, amountPence: refund.amount_pence }
      if (refund.amount_pence > 0) made = await gateway.refund(wanted)
    } catch (error) {
      const isLess = await lowerRefund(refund)
      if (!isLess) throw error
      return finishRefund(refundId)
    }
    // It stays requested, so that it is tried again, and is late after a while.
    if (made.awaitsFunds) throw new RefundAwaitsFunds()
    await checkpoint('refunded at the gateway')
    const isNoted = await inTransaction(db, async (tx) => {
      if (!(await refundStore.succeedRefund(tx, refund.id, made, clock.now()))) return false
      const entries = refundEntries(await movement(tx, refund, refund))
      await postLedger(tx, 'refund', refund.id, clock.now(), entries)
      await events.announce(tx, 'payment.refunded', {
        appointmentId: refund.appointment_id,
        refundId: refund.id,
      })
      return true
    })
    // It was done already, or it was reduced or withdrawn here as it left.
    if (!isNoted) await readAgain(refund.payment_intent_id)
  }

  /**
   * Books refunds and disputes made outside the product. Returns whether the refund became smaller, is no longer
   * requested or must wait.
   */
  async function lowerRefund(refund: {
    id: string
    payment_intent_id: string
    amount_pence: number
  }): Promise<boolean> {
    if (!(await readAgain(refund.payment_intent_id))) return false
    const after = await refundStore.findRefund(db, refund.id)
    if (after?.state !== 'requested' || after.amount_pence < refund.amount_pence) return true
    return isRefundBlocked(db, refund.payment_intent_id)
  }

  /** Books what the gateway knows of a payment. Returns whether it could be read. */
  async function readAgain(intentId: string): Promise<boolean> {
    const found = await gateway.inspect(intentId).catch(() => undefined)
    if (found) await reconciliation.takeOverIntent(intentId, found)
    return found !== undefined
  }
}
