import type { Serve } from '../../http/serve.ts'
import type { PracticeDesk } from './practice-desk.service.ts'

export function practiceDeskRoutes(serve: Serve, desk: PracticeDesk): void {
  serve('GET /admin/payouts', ({ caller, query }) => desk.payouts(caller, query))
  serve('POST /admin/payouts/{id}', ({ caller, params, body }) => desk.payOut(caller, params.id, body))
  serve('GET /admin/video-orders', ({ caller, query }) => desk.videoOrders(caller, query))
  serve('POST /admin/video-orders/{id}/done', ({ caller, params }) => desk.finishVideo(caller, params.id))
  serve('POST /admin/video-orders/{id}/dates', ({ caller, params, body }) =>
    desk.proposeDates(caller, params.id, body),
  )
  serve('POST /admin/video-orders/{id}/video', ({ caller, params, receive }) =>
    receive((file) => desk.uploadVideo(caller, params.id, file)),
  )
  serve('POST /admin/video-orders/{id}/video-link', ({ caller, params }) => desk.videoLink(caller, params.id))
  serve('POST /admin/video-orders/{id}/undo', ({ caller, params, body }) =>
    desk.undoVideo(caller, params.id, body),
  )
}
