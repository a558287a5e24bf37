import type { Serve } from '../../http/serve.ts'
import type { ReportDesk } from './reports.service.ts'

export function reportRoutes(serve: Serve, desk: ReportDesk): void {
  serve('GET /admin/reports', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/reports/{id}/hide', ({ caller, params, body }) =>
    desk.decide(caller, params.id, 'hide', body.reason),
  )
  serve('POST /admin/reports/{id}/dismiss', ({ caller, params }) => desk.decide(caller, params.id, 'dismiss'))
  serve('POST /admin/reports/{id}/restore', ({ caller, params }) => desk.decide(caller, params.id, 'restore'))
}
