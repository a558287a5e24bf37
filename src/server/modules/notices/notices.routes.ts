import type { Serve } from '../../http/serve.ts'
import type { Notices } from './notices.service.ts'

export function noticeRoutes(serve: Serve, notices: Notices): void {
  serve('GET /notices', ({ caller }) => notices.choices(caller))
  serve('PUT /notices', ({ caller, body }) => notices.choose(caller, body))
  serve('POST /notices/push', ({ caller, body }) => notices.subscribe(caller, body))
  serve('POST /notices/push/remove', ({ caller, body }) => notices.unsubscribe(caller, body.endpoint))
  serve('POST /notices/unsubscribe', ({ body }) => notices.stopMails(body.token))
}
