import type { Serve } from '../../http/serve.ts'
import type { Notifications } from './notifications.service.ts'

export function notificationRoutes(serve: Serve, notifications: Notifications): void {
  serve('GET /notices', ({ caller }) => notifications.choices(caller))
  serve('PUT /notices', ({ caller, body }) => notifications.choose(caller, body))
  serve('POST /notices/push', ({ caller, body }) => notifications.subscribe(caller, body))
  serve('POST /notices/push/renew', ({ body }) => notifications.renew(body))
  serve('POST /notices/push/remove', ({ caller, body }) => notifications.unsubscribe(caller, body.endpoint))
  serve('POST /notices/unsubscribe', ({ body }) => notifications.stopMails(body.token))
}
