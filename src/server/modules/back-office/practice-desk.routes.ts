import type { Serve } from '../../http/serve.ts'
import type { PracticeDesk } from './practice-desk.service.ts'

export function practiceDeskRoutes(serve: Serve, desk: PracticeDesk): void {
  serve('GET /admin/payouts', ({ caller, query }) => desk.payouts(caller, query))
  serve('POST /admin/payouts/{id}', ({ caller, params, body }) => desk.payOut(caller, params.id, body))
  serve('GET /admin/video-orders', ({ caller, query }) => desk.videoOrders(caller, query))
  serve('POST /admin/video-orders/{id}/done', ({ caller, params }) => desk.finishVideo(caller, params.id))
}
