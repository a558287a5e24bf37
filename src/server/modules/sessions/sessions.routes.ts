import type { Serve } from '../../http/serve.ts'
import type { Sessions } from './sessions.service.ts'

export function sessionRoutes(serve: Serve, sessions: Sessions): void {
  serve('GET /sessions/today', ({ caller, query }) => sessions.ofChat(caller, query))
  serve('GET /sessions/{appointment_id}', ({ caller, params }) =>
    sessions.detail(caller, params.appointment_id),
  )
}
