import type { Serve } from '../../http/serve.ts'
import type { Reviews } from './reviews.service.ts'

export function reviewRoutes(serve: Serve, reviews: Reviews): void {
  serve('GET /appointment/get-past-sessions', ({ caller, query }) => reviews.past(caller, query.page ?? 1))
  serve('POST /appointment/{appointment_id}/review', ({ caller, params, body }) =>
    reviews.write(caller, params.appointment_id, body),
  )
  serve('PUT /appointment/{appointment_id}/review', ({ caller, params, body }) =>
    reviews.edit(caller, params.appointment_id, body),
  )
  serve('DELETE /appointment/{appointment_id}/review', ({ caller, params }) =>
    reviews.withdraw(caller, params.appointment_id),
  )
  serve('GET /client/reviews', ({ caller, query }) => reviews.ownOf(caller, query.practitioner_id))
  serve('GET /therapist/reviews', ({ caller, query }) => reviews.received(caller, query))
  serve('PUT /therapist/reviews/{id}/reply', ({ caller, params, body }) =>
    reviews.reply(caller, params.id, body),
  )
  serve('DELETE /therapist/reviews/{id}/reply', ({ caller, params }) =>
    reviews.withdrawReply(caller, params.id),
  )
  serve('POST /reviews/{id}/report', ({ caller, params, body }) =>
    reviews.report(caller, params.id, 'review', body.reason),
  )
  serve('POST /reviews/{id}/reply/report', ({ caller, params, body }) =>
    reviews.report(caller, params.id, 'reply', body.reason),
  )
}
