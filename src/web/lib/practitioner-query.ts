import { apiQuery } from './api-query.ts'

/** A practitioner's public profile. */
export const practitionerQuery = (id: number) =>
  apiQuery(['practitioner', id], 'GET /practitioner/{id}/profile', { params: { id } })
