import { days, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { GatewayPayment, PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { findCharge, moveCharge } from './charges.store.ts'
import { stepAfterHint } from './hints.rules.ts'
import { forgetNotices, insertNotice } from './notices.store.ts'
import type { IntentState } from './payments.rules.ts'
import { findIntent, moveIntent } from './payments.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'log'> & {
  gateway: PaymentGateway
  settle(intentId: string): Promise<void>
  settleCharge(chargeId: string): Promise<void>
}

/** A gateway repeats itself for some days; what it has signed is not taken for longer than minutes anyway. */
const noticesKept = days(30)

/**
 * What the gateway says of its own accord. It is never believed: each notice is taken once, and all it does is have the
 * payment read at the gateway again, by a job.
 */
export function createHints({ db, clock, queue, log, gateway, settle, settleCharge }: Dependencies) {
  return {
    /** @throws NoticeRefused for what the gateway has not signed; 404 where the gateway never says anything */
    async takeNotice(body: Buffer, signature: string): Promise<void> {
      if (!gateway.readNotice) throw notFound('This payment provider')
      const notice = await gateway.readNotice(body, signature)
      const isNew = await inTransaction(db, async (tx) => {
        const added = await insertNotice(tx, {
          gateway: gateway.name,
          id: notice.id,
          kind: notice.kind,
          payment_key: notice.paymentKey,
          received_at: clock.now(),
        })
        if (added && notice.paymentKey && notice.kind === 'payment')
          await queue.enqueue(tx, 'payments.look-again', { payment_key: notice.paymentKey })
        return added
      })
      if (!isNew || notice.kind === 'payment' || notice.kind === 'other') return
      const words = {
        'refund failed': 'A refund did not reach the card: it has to be paid in another way.',
        dispute: 'A payment is disputed: it has to be answered at the payment provider.',
      }
      log.error({ notice: notice.id, payment: notice.paymentKey }, words[notice.kind])
    },

    /** Reads a payment at the gateway, and takes over what it has come to. Safe to repeat. */
    async lookAgain(key: string): Promise<void> {
      const found = await gateway.findByKey(key)
      if (!found) return
      const intent = await findIntent(db, key)
      if (intent) {
        await follow(intent, found, {
          move: (to) =>
            moveIntent(db, key, intent.state, to, clock.now(), {
              gateway_ref: found.ref,
              decline_code: found.declineCode,
            }),
          settle: () => settle(key),
        })
        return
      }
      const charge = await findCharge(db, key)
      if (!charge) return
      await follow(charge, found, {
        move: (to) =>
          moveCharge(db, key, charge.state, to, clock.now(), {
            gateway_ref: found.ref,
            decline_code: found.declineCode,
          }),
        settle: () => settleCharge(key),
      })
    },

    async tidyNotices(): Promise<void> {
      await forgetNotices(db, later(clock.now(), -noticesKept))
    },
  }

  type Ours = { id: string; state: IntentState }
  type Ways = { move(to: IntentState): Promise<boolean>; settle(): Promise<void> }

  async function follow(ours: Ours, found: GatewayPayment, { move, settle }: Ways): Promise<void> {
    switch (stepAfterHint(ours.state, found.state)) {
      case 'settle':
        return settle()
      case 'authorised':
        return void (await move('authorised'))
      case 'declined':
        return void (await move('declined'))
      case 'let go':
        if (await move('voiding')) await settle()
        return
      case 'void':
        return void (await gateway.void(found.ref))
      case 'alarm':
        return log.error(
          { payment: ours.id, here: ours.state, there: found.state },
          'Money has moved at the payment provider that we did not move.',
        )
      case 'nothing':
    }
  }
}
