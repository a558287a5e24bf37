import type { Serve } from '../../http/serve.ts'
import type { PractitionerSide } from './waitlist.practitioner.ts'
import type { Waitlist } from './waitlist.service.ts'
import type { SearchWishes } from './waitlist.wishes.ts'

export function waitlistRoutes(
  serve: Serve,
  waitlist: Waitlist,
  practitionerSide: PractitionerSide,
  wishes: SearchWishes,
): void {
  serve('POST /waitlist', ({ caller, body }) => waitlist.join(caller, body))
  serve('GET /client/waitlist', ({ caller }) => waitlist.own(caller))
  serve('GET /client/waitlist/swap', ({ caller, query }) => waitlist.swap(caller, query))
  serve('PUT /waitlist/{id}', ({ caller, params, body }) => waitlist.change(caller, params.id, body))
  serve('DELETE /waitlist/{id}', ({ caller, params }) => waitlist.leave(caller, params.id))
  serve('GET /waitlist/offers/{id}', ({ caller, params }) => waitlist.offer(caller, params.id))
  serve('POST /waitlist/offers/{id}/decline', ({ caller, params }) => waitlist.decline(caller, params.id))
  serve('POST /search-wishes', ({ caller, body }) => wishes.add(caller, body.filters))
  serve('GET /client/search-wishes', ({ caller }) => wishes.of(caller))
  serve('DELETE /search-wishes/{id}', ({ caller, params }) => wishes.remove(caller, params.id))
  serve('GET /therapist/waitlist', ({ caller, query }) => practitionerSide.list(caller, query.from))
  serve('POST /therapist/waitlist/{id}/offer', ({ caller, params, body }) =>
    practitionerSide.offer(caller, params.id, body.starts_at),
  )
}
