import type { Queue } from '../../jobs/queue.ts'
import type { Payments } from './payments.service.ts'
import type { PaymentsShare } from './payments.share.ts'

export function paymentJobs(queue: Queue, payments: Payments, share: PaymentsShare): void {
  queue.handle('payments.settle', ({ intent_id }) => payments.settle(intent_id))
  queue.handle('payments.refund', ({ refund_id }) => payments.settleRefund(refund_id))
  queue.handle('payments.settle-charge', ({ charge_id }) => payments.settleCharge(charge_id))
  queue.handle('payments.look-again', ({ payment_key }) => payments.lookAgain(payment_key))
  queue.handle('payments.recover', ({ once }) => payments.recoverNow({ andSoon: !once }))
  queue.handle('payments.compare', () => payments.compare())
  queue.handle('payments.remove-card', ({ method_id }) => payments.removeAtGateway(method_id))
  queue.handle('payments.forget-cards', ({ account_id }) => share.forgetCards(account_id))
}
