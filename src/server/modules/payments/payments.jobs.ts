import type { Queue } from '../../jobs/queue.ts'
import type { Payments } from './payments.service.ts'

export function paymentJobs(queue: Queue, payments: Payments): void {
  queue.handle('payments.settle', ({ intent_id }) => payments.settle(intent_id))
  queue.handle('payments.refund', ({ refund_id }) => payments.settleRefund(refund_id))
}
