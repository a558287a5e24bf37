import { type Clock, later, minutes, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { GatewayPayment, PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { errorName } from '../../errors.ts'
import { type Captured, captureEntries, refundEntries, spreadRefund, statesNoted } from './payments.rules.ts'
import * as store from './payments.store.ts'

export type SettlementDependencies = Pick<Deps, 'db' | 'random' | 'queue' | 'events' | 'log'> & {
  clock: Clock
  gateway: PaymentGateway
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}

export type Intent = NonNullable<Awaited<ReturnType<typeof store.findIntent>>>

/** A gateway call that has not come back by now is taken for cut off. */
export const cutOff = seconds(30)
/** How long an authorisation that the gateway does not know of may still be on its way. */
export const onItsWay = minutes(2)
/** Money for a change that nobody carried out is let go of after this long. */
const changePatience = minutes(15)
/** So many failures in a row are worth somebody's look. */
const alarming = 10

/**
 * Bringing payments and refunds to rest: what a transaction began is finished here, by whoever began it, by a job after
 * a crash, and by the sweep in the end. Every step may be repeated.
 */
export function createSettlement({
  db,
  clock,
  random,
  queue,
  events,
  gateway,
  log,
  checkpoint,
}: SettlementDependencies) {
  return {
    read,
    note,
    settle,
    settleRefund,

    /** Lets go of money that is not taken yet, whatever state it is in. The ids to `settle`. */
    async releaseAll(tx: Tx, appointmentId: string, which: { purpose?: store.Purpose; id?: string } = {}) {
      const ids = await store.releaseIntents(tx, { appointmentId, ...which }, clock.now())
      for (const id of ids) await enqueueSettling(tx, id)
      return ids
    },

    enqueueSettling,

    /** Promises money back, newest payment first. The ids to `settleRefund` once the transaction is through. */
    async requestRefund(
      tx: Tx,
      appointmentId: string,
      wanted: { amountPence: number; discountPence: number } | 'everything',
      reason: string,
    ): Promise<string[]> {
      const captured = await capturedPayments(tx, appointmentId)
      const ids: string[] = []
      for (const part of spreadRefund(captured, wanted === 'everything' ? whatIsLeft(captured) : wanted)) {
        const now = clock.now()
        const id = random.uuid(now)
        await store.insertRefund(tx, {
          id,
          payment_intent_id: part.intentId,
          amount_pence: part.amountPence,
          discount_pence: part.discountPence,
          reason,
          created_at: now,
        })
        const startAfter = later(new Date(), seconds(10))
        await queue.enqueue(tx, 'payments.refund', { refund_id: id }, { startAfter })
        ids.push(id)
      }
      return ids
    },

    /** Settles now what a transaction began; what fails is left to the jobs that stand behind it. */
    async settleSoon({
      intents = [],
      refunds = [],
    }: {
      intents?: string[]
      refunds?: string[]
    }): Promise<void> {
      for (const id of intents) await trySettling(id)
      for (const id of refunds) await tryRefunding(id)
    },

    /** Finishes or undoes what a crash left behind. One failure does not keep others from their turn. */
    async recover(): Promise<void> {
      const now = clock.now()
      for (const change of await store.listAbandonedChanges(db, later(now, -changePatience), 100)) {
        await store.moveIntent(db, change.id, change.state, 'voiding', now)
        await trySettling(change.id)
      }
      for (const { id } of await store.listUnsettled(db, later(now, -cutOff), 100)) await trySettling(id)
      for (const { id } of await store.listOpenRefunds(db, later(now, -cutOff), 100)) await tryRefunding(id)
    },

    /** Some refunds, each with the card that it goes back to. Pence. */
    async refundsById(handle: Db, ids: string[]) {
      if (ids.length === 0) return []
      return (await store.listRefundsById(handle, ids)).map((row) => ({
        amountPence: row.amount_pence,
        state: row.state,
        brand: row.brand,
        last4: row.last4,
      }))
    },

    /** What came of the refunds of some appointments. Pence. */
    async refundsOf(handle: Db, appointmentIds: string[]) {
      const sums = new Map<string, { amountPence: number; state: 'requested' | 'succeeded' }>()
      if (appointmentIds.length === 0) return sums
      for (const refund of await store.listRefunds(handle, appointmentIds)) {
        const sum = sums.get(refund.appointment_id) ?? { amountPence: 0, state: 'succeeded' as const }
        sums.set(refund.appointment_id, {
          amountPence: sum.amountPence + refund.amount_pence,
          state: refund.state === 'requested' ? 'requested' : sum.state,
        })
      }
      return sums
    },
  }

  async function read(intentId: string): Promise<Intent> {
    const intent = await store.findIntent(db, intentId)
    if (!intent) throw new Error('A payment intent has gone.')
    return intent
  }

  async function enqueueSettling(tx: Tx, id: string): Promise<void> {
    await queue.enqueue(
      tx,
      'payments.settle',
      { intent_id: id },
      { startAfter: later(new Date(), seconds(10)) },
    )
  }

  /** Writes down what the gateway made of an authorisation. */
  async function note(intent: Intent, found: GatewayPayment): Promise<void> {
    const to = statesNoted[found.state]
    const noted = await store.moveIntent(db, intent.id, 'authorising', to, clock.now(), {
      gateway_ref: found.ref,
      decline_code: found.declineCode,
      client_secret: found.clientSecret,
    })
    if (noted) return to === 'voiding' ? settle(intent.id) : undefined
    // It was let go of while the gateway was thinking: nothing may stay on the card.
    await store.moveIntent(db, intent.id, 'voided', 'voiding', clock.now())
    const now = await read(intent.id)
    if (now.state !== 'voiding') return
    await store.setGatewayRef(db, intent.id, found.ref)
    await settle(intent.id)
  }

  async function trySettling(id: string): Promise<void> {
    try {
      await settle(id)
    } catch (error) {
      const attempts = await store.noteIntentFailure(db, id, clock.now())
      report(error, 'A payment could not be settled and is left to the queue.', id, attempts)
    }
  }

  async function tryRefunding(id: string): Promise<void> {
    try {
      await settleRefund(id)
    } catch (error) {
      const attempts = await store.noteRefundFailure(db, id, errorName(error), clock.now())
      report(error, 'A refund did not go through and is left to the queue.', id, attempts)
    }
  }

  function report(error: unknown, message: string, id: string, attempts: number): void {
    const details = { err: { name: errorName(error) }, id, attempts }
    if (attempts >= alarming) log.error(details, message)
    else log.warn(details, message)
  }

  /** Brings an intent whose gateway call is due or was cut off to rest. */
  async function settle(intentId: string): Promise<void> {
    const intent = await read(intentId)
    if (intent.state === 'authorising') await settleCutOff(intent)
    else if (intent.state === 'voiding') await settleVoiding(intent)
    else if (intent.state === 'capturing') await settleCapturing(intent)
  }

  async function settleCutOff(intent: Intent): Promise<void> {
    if (intent.updated_at > later(clock.now(), -cutOff)) return
    const found = intent.purpose === 'booking' ? await gateway.findByKey(intent.id) : undefined
    if (found) return note(intent, found)
    // The gateway has not heard of it, or nobody is left to carry the change out.
    if (await store.moveIntent(db, intent.id, 'authorising', 'voiding', clock.now())) await settle(intent.id)
  }

  async function settleVoiding(intent: Intent): Promise<void> {
    const ref = intent.gateway_ref ?? (await gateway.findByKey(intent.id))?.ref
    // A call that is still on its way may reach the gateway yet.
    if (!ref && intent.updated_at > later(clock.now(), -onItsWay)) return
    if (ref) await gateway.void(ref)
    await checkpoint('payment voided at the gateway')
    await inTransaction(db, async (tx) => {
      const patch = ref ? { gateway_ref: ref } : {}
      if (!(await store.moveIntent(tx, intent.id, 'voiding', 'voided', clock.now(), patch))) return
      await events.announce(tx, 'payment.released', { appointmentId: intent.appointment_id })
    })
  }

  async function settleCapturing(intent: Intent): Promise<void> {
    if (!intent.gateway_ref) throw new Error('A payment is to be captured that the gateway does not know.')
    await gateway.capture(intent.gateway_ref)
    await checkpoint('payment captured at the gateway')
    await inTransaction(db, async (tx) => {
      if (!(await store.moveIntent(tx, intent.id, 'capturing', 'captured', clock.now()))) return
      await store.postLedger(tx, 'capture', intent.id, clock.now(), captureEntries(movement(intent)))
    })
  }

  /** Sends a promised refund. */
  async function settleRefund(refundId: string): Promise<void> {
    const refund = await store.findRefund(db, refundId)
    if (!refund || refund.state === 'succeeded') return
    if (refund.intent_state === 'capturing') await settle(refund.payment_intent_id)
    if (!refund.payment_ref) throw new Error('A refund of a payment that the gateway does not know.')
    const { ref } = await gateway.refund({
      key: refund.id,
      ref: refund.payment_ref,
      amountPence: refund.amount_pence,
    })
    await checkpoint('refunded at the gateway')
    await inTransaction(db, async (tx) => {
      if (!(await store.succeedRefund(tx, refund.id, ref, clock.now()))) return
      await store.postLedger(tx, 'refund', refund.id, clock.now(), refundEntries(movement(refund)))
      await events.announce(tx, 'payment.refunded', {
        appointmentId: refund.appointment_id,
        refundId: refund.id,
      })
    })
  }

  async function capturedPayments(tx: Tx, appointmentId: string): Promise<Captured[]> {
    const intents = await store.listIntents(tx, appointmentId, ['capturing', 'captured'])
    const refunds = await store.listRefunds(tx, [appointmentId])
    return intents.map((intent) => {
      const mine = refunds.filter((refund) => refund.payment_intent_id === intent.id)
      return {
        id: intent.id,
        amountPence: intent.amount_pence,
        discountPence: intent.discount_pence,
        refundedPence: mine.reduce((sum, refund) => sum + refund.amount_pence, 0),
        undiscountedPence: mine.reduce((sum, refund) => sum + refund.discount_pence, 0),
      }
    })
  }
}

function whatIsLeft(captured: Captured[]) {
  const sum = (pick: (payment: Captured) => number) => captured.reduce((total, each) => total + pick(each), 0)
  return {
    amountPence: sum((each) => each.amountPence - each.refundedPence),
    discountPence: sum((each) => each.discountPence - each.undiscountedPence),
  }
}

function movement(row: { practitioner_id: number; amount_pence: number; discount_pence: number }) {
  return {
    practitionerId: row.practitioner_id,
    amountPence: row.amount_pence,
    discountPence: row.discount_pence,
  }
}
