import type { Serve } from '../../http/serve.ts'
import type { PaymentsDesk } from './payments-desk.service.ts'

export function paymentsDeskRoutes(serve: Serve, desk: PaymentsDesk): void {
  serve('GET /admin/payments', ({ caller, query }) => desk.list(caller, query))
  serve('GET /admin/payments/late-returns', ({ caller }) => desk.lateReturns(caller))
  serve('POST /admin/payments/{id}/refund', ({ caller, params, body }) =>
    desk.refund(caller, params.id, body),
  )
}
