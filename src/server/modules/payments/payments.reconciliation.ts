import { isGivenBack } from '#contract/money.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { GatewayDispute, GatewayRecord } from '../../integrations/payment-gateway/port.ts'
import { moveCharge } from './charges.store.ts'
import { insertIncident, reopenIncident, resolveIncident } from './incidents.store.ts'
import { paymentsRefundJob } from './payments.jobs.ts'
import {
  captureEntries,
  chargeEntries,
  chargeRefundEntries,
  refundEntries,
  turnedRound,
} from './payments.rules.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { afterCaller } from './payments.patience.ts'
import { chargeDisputes, isChargedWithDisputes } from './payments.disputes.ts'
import { createPayee } from './payments.payee.ts'
import { postLedger } from './ledger.store.ts'
import { lockIntent, moveIntent } from './payments.store.ts'
import { insertRefund } from './refunds.store.ts'
import {
  disputeEntries,
  disputeFeeEntries,
  followDispute,
  type IncidentKind,
  isRefundableIn,
  refundSteps,
} from './reconciliation.rules.ts'
import * as store from './reconciliation.store.ts'

const words: Record<IncidentKind, string> = {
  refund: 'A refund was made at the payment provider.',
  capture: 'A payment was captured at the payment provider.',
  release: 'An authorisation ended at the payment provider before it was captured.',
  refund_failed: 'A refund did not reach the card: it has to be paid in another way.',
  dispute: 'A payment is disputed: it has to be answered at the payment provider.',
  mismatch: 'The payment provider and our accounts disagree.',
}

type LockedIntent = NonNullable<Awaited<ReturnType<typeof lockIntent>>>

export type Reconciliation = ReturnType<typeof createReconciliation>

/**
 * Books refunds, captures and disputes that were made at the gateway outside the product. Every step is idempotent.
 */
export function createReconciliation({
  db,
  clock,
  random,
  queue,
  events,
  gateway,
  log,
  lookups,
}: Omit<FinishingDependencies, 'checkpoint'>) {
  const { movement, sessionOf } = createPayee(lookups)
  return {
    noteIncident,

    /** Books the gateway's record of a captured session payment. `capture`: it was captured while we had it open. */
    async takeOverIntent(
      id: string,
      found: GatewayRecord,
      { capture = false }: { capture?: boolean } = {},
    ): Promise<void> {
      await inTransaction(db, async (tx) => {
        const intent = await lockIntent(tx, id)
        if (!intent || found.state !== 'captured') return
        const isWaiting = intent.state === 'authorised' || intent.state === 'requires_action'
        if (capture && isWaiting) {
          if (intent.state === 'requires_action')
            await moveIntent(tx, id, 'requires_action', 'authorised', clock.now(), { gateway_ref: found.ref })
          await bookForeignCapture(tx, intent, found)
        } else if (intent.state !== 'captured' && intent.captured_elsewhere_at === null) return
        await bookRecord(tx, intent, found)
      })
    },

    /**
     * Books a voided payment that was captured outside the product, and requests a refund of the rest. Returns the
     * refunds to send.
     */
    async giveBack(id: string, found: GatewayRecord): Promise<string[]> {
      return inTransaction(db, async (tx) => {
        const intent = await lockIntent(tx, id)
        if (intent?.state !== 'voiding') return []
        await moveIntent(tx, id, 'voiding', 'captured', clock.now(), { gateway_ref: found.ref })
        await bookForeignCapture(tx, intent, found)
        await bookRecord(tx, intent, found)
        const lost = (await store.sumLostDisputes(tx, [id])).get(id) ?? 0
        const back = (await store.listOwnRefunds(tx, id)).filter((each) => isGivenBack(each.state))
        const amountPence =
          intent.amount_pence - lost - back.reduce((total, each) => total + each.amountPence, 0)
        if (amountPence <= 0) return []
        const refundId = random.uuid(clock.now())
        await insertRefund(tx, {
          id: refundId,
          payment_intent_id: id,
          amount_pence: amountPence,
          discount_pence: intent.discount_pence - back.reduce((total, each) => total + each.discountPence, 0),
          reason: 'captured at the payment provider, and not booked',
          created_at: clock.now(),
        })
        await queue.enqueue(tx, paymentsRefundJob, { refund_id: refundId }, afterCaller())
        return [refundId]
      })
    },

    /** Records that the payment of a session can no longer be captured. There is nothing to refund of it. */
    async loseCapture(id: string, found: GatewayRecord): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await moveIntent(tx, id, 'capturing', 'voided', clock.now()))) return
        for (const refund of await store.listOwnRefunds(tx, id)) {
          if (refund.state === 'requested') await store.moveRefund(tx, refund.id, 'requested', 'withdrawn')
        }
        await noteIncident(tx, ofPayment('release', id, found))
      })
    },

    /** Records that a charge can no longer be captured. An admin decides about its purchase. */
    async loseChargeCapture(id: string, found: GatewayRecord): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await moveCharge(tx, id, 'capturing', 'voided', clock.now()))) return
        await noteIncident(tx, ofPayment('release', id, found))
      })
    },

    /** As `takeOverIntent`, for charges of the platform. */
    async takeOverCharge(
      id: string,
      found: GatewayRecord,
      { capture = false }: { capture?: boolean } = {},
    ): Promise<void> {
      await inTransaction(db, async (tx) => {
        const charge = await store.lockCharge(tx, id)
        if (!charge || found.state !== 'captured') return
        if (capture && charge.state !== 'captured') {
          const isNew = await store.noteCapturedElsewhere(tx, 'platform_charges', id, clock.now())
          const entries = chargeEntries(charge.purpose, charge.amount_pence)
          await postLedger(tx, 'charge', id, clock.now(), entries)
          if (isNew) await noteIncident(tx, ofPayment('capture', id, found))
        } else if (charge.state !== 'captured' && charge.captured_elsewhere_at === null) return
        await bookDisputes(tx, { intentId: null, chargeId: id }, found.disputes)
        const known = await store.listChargeRefunds(tx, id)
        for (const each of found.refunds) {
          const refund = known.find(({ gateway_ref }) => gateway_ref === each.ref)
          const entries = chargeRefundEntries(charge.purpose, each.amountPence)
          const incident = { subject: each.ref, paymentKey: id, amountPence: each.amountPence }
          const isOurs = each.key === id
          // It is booked once it has left.
          if (isOurs && each.awaitsFunds) continue
          if (!refund && each.state !== 'failed') {
            const refundId = random.uuid(clock.now())
            await store.insertChargeRefund(tx, {
              id: refundId,
              charge_id: id,
              gateway_ref: each.ref,
              amount_pence: each.amountPence,
              created_at: clock.now(),
            })
            await postLedger(tx, 'charge_refund', refundId, clock.now(), entries)
            // This refund follows from a capture outside the product, whose incident covers it.
            if (!isOurs) {
              await noteIncident(tx, { kind: 'refund', ...incident })
              await events.announce(tx, 'charge.refunded', { chargeId: id, amountPence: each.amountPence })
            }
          } else if (refund?.state === 'succeeded' && each.state === 'failed') {
            await store.failChargeRefund(tx, refund.id)
            await postLedger(tx, 'charge_refund_failed', refund.id, clock.now(), turnedRound(entries))
            await noteIncident(tx, { kind: 'refund_failed', ...incident }, { reopens: true })
          } else if (!refund) {
            // It never left, or failed before it was seen here.
            await noteIncident(tx, { kind: 'refund_failed', ...incident })
          }
        }
      })
    },
  }

  type Incident = {
    kind: IncidentKind
    subject: string
    paymentKey: string | null
    amountPence: number | null
  }

  function ofPayment(
    kind: 'capture' | 'mismatch' | 'release',
    paymentKey: string,
    found: GatewayRecord,
  ): Incident {
    return { kind, subject: found.ref, paymentKey, amountPence: found.amountPence }
  }

  /**
   * Creates an incident once and announces it, for the mail to the back office, in the same transaction. `again`:
   * announces it also if it exists. `reopens`: so that one is looked at which was marked as dealt with before it was booked.
   */
  async function noteIncident(
    tx: Tx,
    { kind, subject, paymentKey, amountPence }: Incident,
    { again = false, reopens = false }: { again?: boolean; reopens?: boolean } = {},
  ): Promise<void> {
    const now = clock.now()
    const newId = random.uuid(now)
    const id = await insertIncident(tx, {
      id: newId,
      kind,
      gateway: gateway.name,
      subject,
      payment_key: paymentKey,
      amount_pence: amountPence,
      noted_at: now,
    })
    const isReopened = reopens && id !== newId && (await reopenIncident(tx, id))
    if (id !== newId && !again && !isReopened) return
    await events.announce(tx, 'payment.incident', {
      incidentId: id,
      ...(id === newId ? {} : { again: true }),
    })
    log.error({ incident: id, kind, payment: paymentKey }, words[kind])
  }

  async function bookForeignCapture(tx: Tx, intent: LockedIntent, found: GatewayRecord): Promise<void> {
    const isNew = await store.noteCapturedElsewhere(tx, 'payment_intents', intent.id, clock.now())
    const entries = captureEntries(await movement(tx, intent, intent))
    await postLedger(tx, 'capture', intent.id, clock.now(), entries)
    if (isNew) await noteIncident(tx, ofPayment('capture', intent.id, found))
  }

  async function bookRecord(tx: Tx, intent: LockedIntent, found: GatewayRecord): Promise<void> {
    await bookDisputes(tx, { intentId: intent.id, chargeId: null }, found.disputes)
    const chargedDiscountPence = (await store.sumCharged(tx, [intent.id])).get(intent.id)?.discountPence ?? 0
    const payment = {
      amountPence: intent.amount_pence,
      discountPence: intent.discount_pence - chargedDiscountPence,
    }
    const own = await store.listOwnRefunds(tx, intent.id)
    const lost = {
      pence: (await store.sumLostDisputes(tx, [intent.id])).get(intent.id) ?? 0,
      isCharged: await isChargedWithDisputes(tx, intent, sessionOf),
    }
    const steps = refundSteps(payment, own, found.refunds, lost)
    for (const step of steps) {
      const now = clock.now()
      switch (step.step) {
        case 'withdraw':
          await store.moveRefund(tx, step.refund.id, 'requested', 'withdrawn')
          break
        case 'reduce':
          await store.reduceRefund(tx, step.refund.id, step.amountPence)
          break
        case 'sent': {
          const { refund, ref, amountPence } = step
          const patch = { gateway_ref: ref, amount_pence: amountPence, succeeded_at: now }
          await store.moveRefund(tx, refund.id, refund.state, 'succeeded', patch)
          const entries = refundEntries(await movement(tx, intent, toRow({ ...refund, amountPence })))
          await postLedger(tx, 'refund', refund.id, now, entries)
          const about = { appointmentId: intent.appointment_id, refundId: refund.id }
          await events.announce(tx, 'payment.refunded', about)
          break
        }
        case 'fail': {
          const { refund, ref } = step
          await store.moveRefund(tx, refund.id, refund.state, 'failed', { gateway_ref: ref })
          if (refund.state === 'succeeded') {
            const entries = turnedRound(refundEntries(await movement(tx, intent, toRow(refund))))
            await postLedger(tx, 'refund_failed', refund.id, now, entries)
          }
          const incident = { subject: ref, paymentKey: intent.id, amountPence: refund.amountPence }
          await noteIncident(tx, { kind: 'refund_failed', ...incident }, { reopens: true })
          break
        }
        case 'book': {
          const id = random.uuid(now)
          await store.insertGatewayRefund(tx, {
            id,
            payment_intent_id: intent.id,
            ...toRow(step),
            gateway_ref: step.ref,
            reason: 'refunded at the payment provider',
            created_at: now,
          })
          await postLedger(tx, 'refund', id, now, refundEntries(await movement(tx, intent, toRow(step))))
          await noteIncident(tx, {
            kind: 'refund',
            subject: step.ref,
            paymentKey: intent.id,
            amountPence: step.amountPence,
          })
          await events.announce(tx, 'payment.refunded-elsewhere', {
            appointmentId: intent.appointment_id,
            refundId: id,
          })
        }
      }
    }
    // A lost dispute may have returned to the client what is owed now.
    if (steps.length > 0) await chargeDisputes(tx, { intentId: intent.id }, sessionOf, clock.now())
  }

  type Disputed = { intentId: string; chargeId: null } | { intentId: null; chargeId: string }

  async function bookDisputes(
    tx: Tx,
    { intentId, chargeId }: Disputed,
    found: readonly GatewayDispute[],
  ): Promise<void> {
    for (const each of found) {
      const now = clock.now()
      const { row, isNew } = await store.keepDispute(tx, {
        id: random.uuid(now),
        gateway: gateway.name,
        gateway_ref: each.ref,
        payment_intent_id: intentId,
        charge_id: chargeId,
        amount_pence: each.amountPence,
        opened_at: now,
      })
      const own = {
        state: row.state,
        withdrawnPence: row.withdrawn_pence,
        isReinstated: row.is_reinstated,
        feePence: row.fee_pence,
        isFeeReturned: row.is_fee_returned,
      }
      const { after, movements, feeChangePence, isContradicted } = followDispute(own, each)
      await store.updateDispute(tx, row.id, { ...after, isRefundable: isRefundableIn(after, each) }, now)
      for (const kind of movements)
        await postLedger(tx, kind, row.id, now, disputeEntries(kind, after.withdrawnPence))
      if (feeChangePence !== 0) {
        // A dispute may have several fees. The locked row prevents booking a fee twice.
        const kind = feeChangePence > 0 ? 'dispute_fee' : 'dispute_fee_returned'
        await postLedger(tx, kind, random.uuid(now), now, disputeFeeEntries(feeChangePence))
      }
      if (isNew && chargeId && after.state === 'open')
        await events.announce(tx, 'charge.disputed', { chargeId, amountPence: each.amountPence })
      const incident = {
        subject: each.ref,
        paymentKey: intentId ?? chargeId,
        amountPence: each.amountPence,
      }
      // A lost dispute needs an admin's decision, so the back office gets another mail.
      const again = own.state === 'open' && after.state === 'lost'
      await noteIncident(tx, { kind: 'dispute', ...incident }, { again })
      if (after.state === 'won')
        await resolveIncident(tx, { gateway: gateway.name, kind: 'dispute', subject: each.ref }, 'won', now)
      if (isContradicted) await noteIncident(tx, { kind: 'mismatch', ...incident })
    }
  }
}

const toRow = ({ amountPence, discountPence }: { amountPence: number; discountPence: number }) => ({
  amount_pence: amountPence,
  discount_pence: discountPence,
})
