import { days, later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { GatewayRecord, PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { findCharge, moveCharge } from './charges.store.ts'
import { stepAfterEvent } from './webhooks.rules.ts'
import { deleteWebhookEvents, insertWebhookEvent } from './webhook-events.store.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import type { Declines } from './payments.declines.ts'
import { createComparison } from './payments.comparison.ts'
import { chargeAllDisputes } from './payments.disputes.ts'
import { paymentsLookAgainJob } from './payments.jobs.ts'
import type { Reconciliation } from './payments.reconciliation.ts'
import type { IntentState } from './payments.rules.ts'
import { findIntent, moveIntent } from './payments.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'log'> & {
  lookups: FinishingDependencies['lookups']
  gateway: PaymentGateway
  reconciliation: Reconciliation
  declines: Declines
  finish(intentId: string): Promise<void>
  finishCharge(chargeId: string): Promise<void>
  /** Stores on a card whether it was declined. */
  noteOnCard(tx: Tx, methodId: string, to: IntentState, declineCode: string | null): Promise<void>
}

/** How long event ids are kept. A gateway repeats an event for some days; its signature is valid only for minutes. */
const webhookEventsKept = days(30)

/**
 * Webhook events. Their content is not trusted: each event is stored once, and a job reads the payment at the gateway.
 * An event about a dispute or a failed refund also creates an incident at once, whether or not that job succeeds.
 */
export function createWebhooks(deps: Dependencies) {
  const { db, clock, queue, gateway, reconciliation, finish, finishCharge, noteOnCard, declines } = deps
  const comparison = createComparison(deps, lookAgain)
  return {
    lookAgain,

    /** Begins to compare payments with the gateway, which finds changes whose event was lost. */
    async compare(): Promise<void> {
      await comparison.begin()
      await chargeAllDisputes(deps)
    },

    compareRest: comparison.continue,

    /** @throws WebhookRefused for an invalid signature; 404 for a gateway without webhooks */
    async receiveWebhook(body: Buffer, signature: string): Promise<void> {
      if (!gateway.readWebhookEvent) throw notFound('This payment provider')
      const event = await gateway.readWebhookEvent(body, signature)
      await inTransaction(db, async (tx) => {
        const isNew = await insertWebhookEvent(tx, {
          gateway: gateway.name,
          id: event.id,
          kind: event.kind,
          payment_key: event.paymentKey,
          received_at: clock.now(),
        })
        if (!isNew || event.kind === 'other') return
        if (event.paymentKey) await queue.enqueue(tx, paymentsLookAgainJob, { payment_key: event.paymentKey })
        if (event.kind === 'payment' || event.subject === null) return
        await reconciliation.noteIncident(tx, {
          kind: event.kind === 'dispute' ? 'dispute' : 'refund_failed',
          subject: event.subject,
          paymentKey: event.paymentKey,
          amountPence: null,
        })
      })
    },

    async tidyWebhookEvents(): Promise<void> {
      await deleteWebhookEvents(db, later(clock.now(), -webhookEventsKept))
    },
  }

  /** Reads a payment at the gateway and stores its state. Idempotent. */
  async function lookAgain(key: string): Promise<void> {
    const found = await gateway.inspect(key)
    if (!found) return
    const patch = { gateway_ref: found.ref, decline_code: found.declineCode }
    const intent = await findIntent(db, key)
    if (intent) {
      await follow(intent, found, {
        move: async (to) => {
          const isNews = await inTransaction(db, async (tx) => {
            const moved = await moveIntent(tx, key, intent.state, to, clock.now(), patch)
            if (moved) await noteOnCard(tx, intent.payment_method_id, to, found.declineCode)
            return moved
          })
          if (isNews) await countIfDeclined(intent, to)
          return isNews
        },
        finish: () => finish(key),
        capture: () => reconciliation.takeOverIntent(key, found, { capture: true }),
      })
      return reconciliation.takeOverIntent(key, found)
    }
    const charge = await findCharge(db, key)
    if (!charge) return
    await follow(charge, found, {
      async move(to) {
        const isNews = await moveCharge(db, key, charge.state, to, clock.now(), patch)
        if (isNews) await countIfDeclined(charge, to)
        return isNews
      },
      finish: () => finishCharge(key),
      capture: () => reconciliation.takeOverCharge(key, found, { capture: true }),
    })
    return reconciliation.takeOverCharge(key, found)
  }

  /** One whose question to the gateway had no answer yet was counted as it was asked. */
  async function countIfDeclined(
    payment: Parameters<Declines['count']>[0] & { state: IntentState },
    to: IntentState,
  ): Promise<void> {
    if (payment.state === 'requires_action' && to === 'declined') await declines.count(payment)
  }

  type Ours = { id: string; state: IntentState }
  type Ways = { move(to: IntentState): Promise<boolean>; finish(): Promise<void>; capture(): Promise<void> }

  async function follow(ours: Ours, found: GatewayRecord, ways: Ways): Promise<void> {
    const { move, finish, capture } = ways
    switch (stepAfterEvent(ours.state, found.state)) {
      case 'finish':
        return finish()
      case 'authorised':
        return void (await move('authorised'))
      case 'declined':
        return void (await move('declined'))
      case 'let go':
      case 'give back':
        if (await move('voiding')) await finish()
        return
      case 'void':
        return void (await gateway.void(found.ref))
      case 'captured':
        return capture()
      case 'alarm':
        // The reading may be older than our own capture, after which it says nothing.
        if ((await gateway.inspect(ours.id))?.state === 'captured') return
        return inTransaction(db, (tx) =>
          reconciliation.noteIncident(tx, {
            kind: 'mismatch',
            subject: found.ref,
            paymentKey: ours.id,
            amountPence: found.amountPence,
          }),
        )
      case 'nothing':
    }
  }
}
