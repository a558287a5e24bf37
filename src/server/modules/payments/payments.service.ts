import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Card, NewCard } from '#contract/payments.ts'
import { later, minutes, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import {
  type CardRefusal,
  CardRefused,
  type GatewayPayment,
  type PaymentGateway,
} from '../../integrations/payment-gateway/port.ts'
import {
  type Captured,
  captureEntries,
  declineMessages,
  refundEntries,
  spreadRefund,
} from './payments.rules.ts'
import * as store from './payments.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'limits' | 'log'> & {
  gateway: PaymentGateway
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}

/** Payment of an appointment that is to be authorised. Pence. */
export type WantedPayment = {
  appointmentId: string
  methodId: string
  amountPence: number
  /** The platform's share, owed to the practitioner on top. */
  discountPence: number
  purpose: store.Purpose
}

type Intent = NonNullable<Awaited<ReturnType<typeof store.findIntent>>>

/** A gateway call that has not come back by now is taken for cut off. */
const cutOff = seconds(30)
/** Money for a change that nobody carried out is let go of after this long. */
const changePatience = minutes(15)

export type Payments = ReturnType<typeof createPayments>

/** Saved cards, payment intents, refunds and the ledger. */
export function createPayments(deps: Dependencies) {
  const { db, clock, random, queue, limits, gateway, log, checkpoint } = deps

  return {
    /** @throws 404 for any gateway but the configured one */
    checkProvider,

    async cards(caller: SignedIn, provider: string): Promise<Card[]> {
      checkProvider(provider)
      return (await store.listMethods(db, caller.accountId, gateway.name)).map(toCard)
    },

    /** Saves a card. @throws 422 `card_refused` under the field at fault */
    async addCard(caller: SignedIn, provider: string, card: z.infer<typeof NewCard>): Promise<Card> {
      checkProvider(provider)
      await limits.use('new cards of a client', caller.accountId)
      const saved = await gateway.saveCard(card).catch((error: unknown) => {
        throw error instanceof CardRefused ? refusedCard(error) : unavailable(error)
      })
      const method = {
        id: random.uuid(clock.now()),
        account_id: caller.accountId,
        gateway: gateway.name,
        gateway_ref: saved.token,
        brand: saved.brand,
        last4: saved.last4,
        expiry_month: saved.expiryMonth,
        expiry_year: saved.expiryYear,
        fingerprint: saved.fingerprint,
        created_at: clock.now(),
      }
      await store.insertMethod(db, method)
      return toCard(method)
    },

    /** Removes a saved card; payments made with it stay. @throws 404 */
    async removeCard(caller: SignedIn, provider: string, id: string): Promise<Card> {
      checkProvider(provider)
      const method = owned('payment_method', caller, await store.findMethod(db, id, gateway.name))
      await store.removeMethod(db, method.id, clock.now())
      await gateway.removeCard(method.gateway_ref)
      return toCard(method)
    },

    /** The caller's card, for a payment. @throws 404; 429 after too many declines */
    async cardToPayWith(caller: SignedIn, id: string): Promise<{ id: string }> {
      const method = owned('payment_method', caller, await store.findMethod(db, id, gateway.name))
      await limits.check('declined payments of a client', caller.accountId)
      return { id: method.id }
    },

    /** Whether the card has paid for somebody's discounted first session before. */
    cardHadDiscount: store.cardHadDiscount,

    /**
     * Notes down a payment before the gateway hears of it, or finds the one that is under way: an appointment has one
     * at a time for a purpose, however often it is asked for. Call `authorise` once the transaction is through.
     */
    async begin(tx: Tx, wanted: WantedPayment): Promise<{ intentId: string; fresh: boolean }> {
      const live = await store.findLiveIntent(tx, wanted.appointmentId, wanted.purpose)
      const now = clock.now()
      if (live && live.state === 'requires_action' && live.payment_method_id !== wanted.methodId) {
        // The client gave up on the bank's question and pays with another card.
        await store.moveIntent(tx, live.id, 'requires_action', 'voiding', now)
        await queue.enqueue(tx, 'payments.settle', { intent_id: live.id })
      } else if (live) {
        return { intentId: live.id, fresh: false }
      }
      const intentId = random.uuid(now)
      await store.insertIntent(tx, {
        id: intentId,
        appointment_id: wanted.appointmentId,
        payment_method_id: wanted.methodId,
        gateway: gateway.name,
        amount_pence: wanted.amountPence,
        discount_pence: wanted.discountPence,
        purpose: wanted.purpose,
        created_at: now,
      })
      return { intentId, fresh: true }
    },

    /**
     * Asks the gateway, or waits for whoever is asking.
     * @throws 402 `card_declined` or `authentication_required`, 503 when the gateway cannot be reached
     */
    async authorise(
      caller: SignedIn,
      { intentId, fresh }: { intentId: string; fresh: boolean },
    ): Promise<Intent> {
      const intent = fresh ? await askGateway(await read(intentId)) : await waitFor(intentId)
      return judged(caller, intent, fresh)
    },

    /** Goes on after extra authentication. @throws as `authorise`, 409 when no payment waits for it */
    async confirm(caller: SignedIn, appointmentId: string): Promise<Intent> {
      const live =
        (await store.findLiveIntent(db, appointmentId, 'booking')) ??
        (await store.findLiveIntent(db, appointmentId, 'change'))
      if (!live?.gateway_ref) throw fail('not_payable', 'There is no payment to confirm.')
      if (live.state === 'requires_action') {
        const found = await gateway.confirm(live.gateway_ref).catch((error: unknown) => {
          throw unavailable(error)
        })
        if (found.state === 'authorised' || found.state === 'declined') {
          await store.moveIntent(db, live.id, 'requires_action', found.state, clock.now(), {
            decline_code: found.declineCode,
          })
        }
      }
      return judged(caller, await read(live.id), true)
    },

    /** The live payment of an appointment, if there is one. */
    live: (handle: Db, appointmentId: string, purpose: store.Purpose) =>
      store.findLiveIntent(handle, appointmentId, purpose),

    /**
     * From here the money is to be taken: call `settle` once the transaction is through; a job does it after a crash.
     * The intent's id, or nothing when there is no authorised payment.
     */
    async beginCapture(tx: Tx, appointmentId: string, purpose: store.Purpose): Promise<string | undefined> {
      const live = await store.findLiveIntent(tx, appointmentId, purpose)
      if (!live) return undefined
      if (live.state === 'capturing') return live.id
      if (live.state !== 'authorised') return undefined
      if (!(await store.moveIntent(tx, live.id, 'authorised', 'capturing', clock.now()))) return undefined
      await queue.enqueue(
        tx,
        'payments.settle',
        { intent_id: live.id },
        { startAfter: later(new Date(), seconds(10)) },
      )
      return live.id
    },

    /** Lets go of all money that is not taken yet, whatever state it is in. The ids to `settle`. */
    async releaseAll(tx: Tx, appointmentId: string, purpose?: store.Purpose): Promise<string[]> {
      const intents = await store.listIntents(tx, appointmentId, [
        'authorising',
        'requires_action',
        'authorised',
      ])
      const ids: string[] = []
      for (const intent of intents) {
        if (purpose && intent.purpose !== purpose) continue
        if (!(await store.moveIntent(tx, intent.id, intent.state, 'voiding', clock.now()))) continue
        await queue.enqueue(
          tx,
          'payments.settle',
          { intent_id: intent.id },
          { startAfter: later(new Date(), seconds(10)) },
        )
        ids.push(intent.id)
      }
      return ids
    },

    /** Promises money back, newest payment first. The ids to `settleRefund` once the transaction is through. */
    async requestRefund(
      tx: Tx,
      appointmentId: string,
      wanted: { amountPence: number; discountPence: number } | 'everything',
      reason: string,
    ): Promise<string[]> {
      const captured = await capturedPayments(tx, appointmentId)
      const sum = (pick: (payment: Captured) => number) =>
        captured.reduce((total, each) => total + pick(each), 0)
      const asked =
        wanted === 'everything'
          ? {
              amountPence: sum((each) => each.amountPence - each.refundedPence),
              discountPence: sum((each) => each.discountPence - each.undiscountedPence),
            }
          : wanted
      const ids: string[] = []
      for (const part of spreadRefund(captured, asked)) {
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
        await queue.enqueue(
          tx,
          'payments.refund',
          { refund_id: id },
          { startAfter: later(new Date(), seconds(10)) },
        )
        ids.push(id)
      }
      return ids
    },

    settle,
    settleRefund,

    /** Settles now what a transaction began; what fails is left to the jobs that stand behind it. */
    async settleSoon({
      intents = [],
      refunds = [],
    }: {
      intents?: string[]
      refunds?: string[]
    }): Promise<void> {
      for (const id of intents) await settle(id).catch((error: unknown) => logFailure(error, 'settling'))
      for (const id of refunds)
        await settleRefund(id).catch((error: unknown) => logFailure(error, 'refunding'))
    },

    /** Finishes or undoes what a crash left behind. */
    async recover(): Promise<void> {
      const now = clock.now()
      for (const change of await store.listAbandonedChanges(db, later(now, -changePatience), 100)) {
        await store.moveIntent(db, change.id, change.state, 'voiding', now)
        await settle(change.id)
      }
      for (const { id } of await store.listUnsettled(db, later(now, -cutOff), 100)) {
        await settle(id).catch((error: unknown) => logFailure(error, 'settling'))
      }
      for (const { id } of await store.listOpenRefunds(db, later(now, -cutOff), 100)) {
        await settleRefund(id).catch((error: unknown) => logFailure(error, 'refunding'))
      }
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

  function checkProvider(provider: string): void {
    if (provider !== gateway.name) throw notFound('This payment provider')
  }

  async function read(intentId: string): Promise<Intent> {
    const intent = await store.findIntent(db, intentId)
    if (!intent) throw new Error('A payment intent has gone.')
    return intent
  }

  /** Sends an authorisation that has been noted down, and notes what came of it. */
  async function askGateway(intent: Intent): Promise<Intent> {
    await checkpoint('payment noted')
    const found = await gateway
      .authorise({ key: intent.id, token: intent.method_ref, amountPence: intent.amount_pence })
      .catch((error: unknown) => {
        throw unavailable(error)
      })
    await checkpoint('payment authorised at the gateway')
    await note(intent, found)
    return read(intent.id)
  }

  async function note(intent: Intent, found: GatewayPayment): Promise<void> {
    const to = found.state === 'requires_action' || found.state === 'declined' ? found.state : 'authorised'
    const noted = await store.moveIntent(db, intent.id, 'authorising', to, clock.now(), {
      gateway_ref: found.ref,
      decline_code: found.declineCode,
      client_secret: found.clientSecret,
    })
    if (noted) return
    // It was let go of while the gateway was thinking: nothing may stay on the card.
    const now = await read(intent.id)
    if (now.state !== 'voiding' && now.state !== 'voided') return
    await store.setGatewayRef(db, intent.id, found.ref)
    await gateway.void(found.ref)
  }

  async function waitFor(intentId: string): Promise<Intent> {
    for (let tries = 0; tries < 100; tries++) {
      const intent = await read(intentId)
      if (intent.state !== 'authorising') return intent
      if (intent.updated_at <= later(clock.now(), -cutOff)) return askGateway(intent)
      await sleep(50)
    }
    throw fail('request_in_progress', 'Your payment is still being carried out.', { retryAfter: 2 })
  }

  async function judged(caller: SignedIn, intent: Intent, count: boolean): Promise<Intent> {
    switch (intent.state) {
      case 'authorised':
      case 'capturing':
      case 'captured':
        return intent
      case 'requires_action':
        throw fail('authentication_required', 'Your bank wants to check that it is you.', {
          details: { client_secret: intent.client_secret },
        })
      case 'declined': {
        if (count) await limits.count('declined payments of a client', caller.accountId)
        const reason = (intent.decline_code ?? 'card_declined') as keyof typeof declineMessages
        throw fail('card_declined', declineMessages[reason] ?? declineMessages.card_declined, {
          details: { decline_code: reason },
        })
      }
      default:
        throw fail('hold_expired', 'The time to pay has run out. Nothing was charged.')
    }
  }

  /** Brings an intent whose gateway call is due or was cut off to rest. Safe to repeat. */
  async function settle(intentId: string): Promise<void> {
    let intent = await read(intentId)
    if (intent.state === 'authorising') {
      if (intent.updated_at > later(clock.now(), -cutOff)) return
      if (intent.purpose === 'change') {
        // Nobody is left to carry the change out.
        await store.moveIntent(db, intent.id, 'authorising', 'voiding', clock.now())
        intent = await read(intentId)
      } else {
        const found = await gateway.findByKey(intent.id)
        if (found) await note(intent, found)
        else await store.moveIntent(db, intent.id, 'authorising', 'voided', clock.now())
      }
    }
    if (intent.state === 'voiding') {
      const ref = intent.gateway_ref ?? (await gateway.findByKey(intent.id))?.ref
      if (ref) await gateway.void(ref)
      await store.moveIntent(db, intent.id, 'voiding', 'voided', clock.now(), ref ? { gateway_ref: ref } : {})
    }
    if (intent.state === 'capturing' && intent.gateway_ref) {
      await gateway.capture(intent.gateway_ref)
      await checkpoint('payment captured at the gateway')
      await inTransaction(db, async (tx) => {
        if (!(await store.moveIntent(tx, intent.id, 'capturing', 'captured', clock.now()))) return
        await store.postLedger(tx, 'capture', intent.id, clock.now(), captureEntries(movement(intent)))
      })
    }
  }

  async function settleRefund(refundId: string): Promise<void> {
    const refund = await store.findRefund(db, refundId)
    if (!refund || refund.state === 'succeeded') return
    if (refund.intent_state === 'capturing') await settle(refund.payment_intent_id)
    if (!refund.payment_ref) throw new Error('A refund of a payment that the gateway does not know.')
    try {
      const { ref } = await gateway.refund({
        key: refund.id,
        ref: refund.payment_ref,
        amountPence: refund.amount_pence,
      })
      await checkpoint('refunded at the gateway')
      await inTransaction(db, async (tx) => {
        if (!(await store.succeedRefund(tx, refund.id, ref, clock.now()))) return
        await store.postLedger(tx, 'refund', refund.id, clock.now(), refundEntries(movement(refund)))
      })
    } catch (error) {
      await store.noteRefundFailure(db, refund.id, error instanceof Error ? error.name : 'unknown')
      throw error
    }
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

  function logFailure(error: unknown, what: string): void {
    log.warn({ err: { name: error instanceof Error ? error.name : 'unknown' } }, `${what} left to the queue`)
  }
}

function movement(row: { practitioner_id: number; amount_pence: number; discount_pence: number }) {
  return {
    practitionerId: row.practitioner_id,
    amountPence: row.amount_pence,
    discountPence: row.discount_pence,
  }
}

type Method = { id: string; brand: string; last4: string; expiry_month: number; expiry_year: number }

function toCard({ id, brand, last4, expiry_month, expiry_year }: Method): Card {
  return { customer_id: id, brand, last4, expiry_month, expiry_year }
}

const refusals: Record<CardRefusal, { field: string; message: string }> = {
  expired_card: { field: 'expiry_month', message: 'This card has expired.' },
  incorrect_cvc: { field: 'cvv_number', message: 'The security code is not right.' },
  unknown_card: { field: 'card_number', message: 'This card cannot be used here. Please check the number.' },
}

function refusedCard({ reason }: CardRefused) {
  return invalidField(refusals[reason].field, refusals[reason].message, 'card_refused')
}

/** The gateway's own words stay out of the answer and the log: they may repeat what was sent. */
function unavailable(error: unknown) {
  return fail(
    'payment_unavailable',
    'The payment could not be carried out just now. Please try again in a moment.',
    {
      retryAfter: 5,
      cause: error instanceof Error ? error.name : undefined,
    },
  )
}
