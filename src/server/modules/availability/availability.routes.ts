import type { Serve } from '../../http/serve.ts'
import type { Availability } from './availability.service.ts'

export function availabilityRoutes(serve: Serve, availability: Availability): void {
  serve('GET /practitioner/{id}/next-available-sessions', ({ params, query }) =>
    availability.nextSessions(params.id, query),
  )
}
