import type { Serve } from '../../http/serve.ts'
import type { PractitionerHelp } from './get-help.practitioner.ts'
import type { GetHelp } from './get-help.service.ts'

/** Searching for help right now, and answering requests. Booking, paying and stopping are calls of bookings. */
export function getHelpRoutes(serve: Serve, getHelp: GetHelp, practitionerHelp: PractitionerHelp): void {
  serve('GET /find-therapist/get-help-right-now', ({ caller, query }) =>
    getHelp.search(caller, query.issue_id),
  )
  serve('GET /appointment/get-help-right-now', ({ caller }) => getHelp.current(caller))
  serve('GET /therapist/get-help/requests', ({ caller }) => practitionerHelp.requests(caller))
  serve('POST /therapist/get-help/requests/{id}/accept', ({ caller, params }) =>
    practitionerHelp.answer(caller, params.id, 'accepted'),
  )
  serve('POST /therapist/get-help/requests/{id}/decline', ({ caller, params }) =>
    practitionerHelp.answer(caller, params.id, 'declined'),
  )
}
