import type { Serve } from '../../http/serve.ts'
import type { ChatDesk } from './chat-desk.service.ts'

export function chatDeskRoutes(serve: Serve, desk: ChatDesk): void {
  serve('GET /admin/chat-reports', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/chat-reports/{id}/look', ({ caller, params }) => desk.look(caller, params.id))
  serve('POST /admin/chat-reports/{id}/settle', ({ caller, params, body }) =>
    desk.settle(caller, params.id, body.reason),
  )
}
