import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import type { GetKey } from '#web/lib/endpoint-types.ts'
import { readSession } from '#web/lib/session.ts'

const whose = () => {
  const session = readSession()
  return session.role === 'therapist' ? session.therapist.id : null
}

/** The practitioner's own profile. The key carries the account: another one may sign in within the same tab. */
export const therapistProfileQuery = () =>
  queryOptions({
    queryKey: ['therapist', 'profile', whose()],
    queryFn: ({ signal }) => callApi('GET /therapist/profile', { signal }),
    // What is being typed into a form must not be exchanged under it.
    refetchOnWindowFocus: false,
  })

/** The profile as clients will see it. */
export const previewQuery = () =>
  apiQuery(['therapist', 'preview', whose()], 'GET /therapist/profile-preview', { staleTime: 0 })

/** Lists to choose from. */
export type ListKey =
  | Extract<GetKey, `GET /therapist/get-${string}-list`>
  | 'GET /therapist/services'
  | 'GET /language/get-languages'

/** A list to choose from; it does not change while the practitioner fills in a form. */
export const listQuery = <K extends ListKey>(key: K) =>
  queryOptions({
    queryKey: ['list', key],
    // These calls need nothing but their name.
    queryFn: ({ signal }) => (callApi as ReadList)(key, { signal }) as Promise<AnswerOf<K>>,
    staleTime: 600_000,
  })
type ReadList = (key: ListKey, options: { signal: AbortSignal }) => Promise<unknown>

/** Puts a profile that a save has answered in the place of the one that was read. */
export function useKeepProfile(): (profile: TherapistProfile) => void {
  const client = useQueryClient()
  return (profile) => {
    client.setQueryData(therapistProfileQuery().queryKey, profile)
    void client.invalidateQueries({ queryKey: previewQuery().queryKey })
  }
}

/** How often a step was saved; 0 while never. */
export function versionOf(profile: TherapistProfile, step: ProfileStep): number {
  return profile.steps.find((each) => each.step === step)?.version ?? 0
}

/** What a window has seen of a step, to be sent with its save. */
export function versionTag(step: ProfileStep, version: number): string {
  return `"${step}-${version}"`
}
