import type { Serve } from '../../http/serve.ts'
import type { PaymentsDesk } from './payments-desk.service.ts'

export function paymentsDeskRoutes(serve: Serve, desk: PaymentsDesk): void {
  serve('GET /admin/payments', ({ caller, query }) => desk.list(caller, query))
  serve('GET /admin/payments/late-returns', ({ caller }) => desk.lateReturns(caller))
  serve('GET /admin/payments/incidents', ({ caller }) => desk.incidents(caller))
  serve('POST /admin/payments/incidents/{id}/resolve', ({ caller, params, body }) =>
    desk.resolveIncident(caller, params.id, body),
  )
  serve('POST /admin/payments/{id}/refund', ({ caller, params, body }) =>
    desk.refund(caller, params.id, body),
  )
  serve('POST /admin/sessions/{appointment_id}/cancel', ({ caller, params, body }) =>
    desk.cancelSession(caller, params.appointment_id, body.reason),
  )
}
