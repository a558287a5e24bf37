import type { Serve } from '../../http/serve.ts'
import type { NoShowDesk } from './no-show-desk.service.ts'

export function noShowDeskRoutes(serve: Serve, desk: NoShowDesk): void {
  serve('GET /admin/no-shows', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/no-shows/{appointment_id}/uphold', ({ caller, params, body }) =>
    desk.decide(caller, params.appointment_id, 'upheld', body.reason),
  )
  serve('POST /admin/no-shows/{appointment_id}/overturn', ({ caller, params, body }) =>
    desk.decide(caller, params.appointment_id, 'overturned', body.reason),
  )
}
