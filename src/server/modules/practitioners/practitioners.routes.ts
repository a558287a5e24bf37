import type { Serve } from '../../http/serve.ts'
import type { PractitionerAccount } from './practitioner-account.ts'
import type { Practitioners } from './practitioners.service.ts'

/** The profile itself carries free times, so the search serves it. */
export function practitionerRoutes(serve: Serve, practitioners: Practitioners): void {
  serve('GET /issue/get-issues', () => practitioners.issues())
  serve('GET /language/get-languages', () => practitioners.languages())
  serve('GET /practitioner/{id}/service-types', ({ params }) => practitioners.serviceTypes(params.id))
  serve('GET /therapist/{id}/get-profile', ({ caller, params }) =>
    practitioners.profileFor(caller, params.id),
  )
}

/** A practitioner's account, where the profile has a say in it. */
export function practitionerAccountRoutes(serve: Serve, { account, rename }: PractitionerAccount): void {
  serve('GET /therapist/account', ({ caller }) => account(caller))
  serve('PUT /therapist/account', ({ caller, body }) => rename(caller, body))
}
