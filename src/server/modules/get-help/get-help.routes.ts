import type { Serve } from '../../http/serve.ts'
import type { HelpPractice } from './get-help.practice.ts'
import type { GetHelp } from './get-help.service.ts'

/** Getting help right now, and the calls that it shares with every booking. */
export function getHelpRoutes(serve: Serve, getHelp: GetHelp, practice: HelpPractice): void {
  serve('GET /find-therapist/get-help-right-now', ({ query }) => getHelp.search(query.issue_id))
  serve('POST /appointment/create-session', ({ caller, body }) => getHelp.create(caller, body))
  serve('POST /payment/{provider}/existing-card-payment', ({ caller, params, body }) =>
    getHelp.pay(caller, params.provider, body),
  )
  serve('POST /payment/{provider}/confirm-authentication', ({ caller, params, body }) =>
    getHelp.confirmAuthentication(caller, params.provider, body.session_id),
  )
  serve('POST /appointment/cancel-session', ({ caller, body }) => getHelp.cancel(caller, body))
  serve('GET /appointment/get-help-right-now', ({ caller }) => getHelp.current(caller))
  serve('GET /appointment/{appointment_id}', ({ caller, params }) =>
    getHelp.detail(caller, params.appointment_id),
  )
  serve('GET /therapist/get-help/requests', ({ caller }) => practice.requests(caller))
  serve('POST /therapist/get-help/requests/{id}/accept', ({ caller, params }) =>
    practice.answer(caller, params.id, 'accepted'),
  )
  serve('POST /therapist/get-help/requests/{id}/decline', ({ caller, params }) =>
    practice.answer(caller, params.id, 'declined'),
  )
}
