import type { Serve } from '../../http/serve.ts'
import type { Shortlists } from './shortlist.service.ts'

export function shortlistRoutes(serve: Serve, shortlist: Shortlists): void {
  serve('GET /client/shortlist', ({ caller }) => shortlist.of(caller))
  serve('POST /client/shortlist', ({ caller, body }) => shortlist.add(caller, body.practitioner_ids))
  serve('POST /client/shortlist/remove', ({ caller, body }) =>
    shortlist.remove(caller, body.practitioner_ids),
  )
}
