import { idIn } from '#web/lib/search-params.ts'
import { getHelpPath as helpPath } from '#web/lib/site.ts'

/*
 * Addresses of "Get help right now". They carry ids of issues and sessions, and never the client's answer about danger.
 */

/** The steps before the search, as `?step=` has them; without one, the question about danger. */
export type HelpStep = 'safety' | 'description' | 'issues'

export function helpStepPath(step: HelpStep): string {
  return step === 'safety' ? helpPath : `${helpPath}?step=${step}`
}

/** The page of one issue, with the way to the search. */
export function helpIssuePath(issueId: number): string {
  return `${helpPath}?issueId=${issueId}`
}

/** The search for a practitioner who treats this issue; without an issue, the list of issues. */
export function helpSearchPath(issueId: number | null | undefined): string {
  return issueId ? `${helpPath}/search-therapist?issueId=${issueId}` : helpStepPath('issues')
}

/** Where a session that is paid for is followed. */
export function helpFollowPath(sessionId: string, issueId: number | null | undefined): string {
  const query = new URLSearchParams({ ...(issueId && { issueId: String(issueId) }), session: sessionId })
  return `${helpPath}/session-is-booked?${query}`
}

/** Where a card is added that pays for a claimed session; `price` in pounds. */
export function helpAddCardPath(session: { session_id: string; fee: number }, issueId: number): string {
  const query = new URLSearchParams({
    session: session.session_id,
    price: String(session.fee),
    process: helpProcess,
    issueId: String(issueId),
  })
  return `/add-card?${query}`
}

/** The same for a session of which only the id is known. */
export function helpAddCardOfSession(sessionId: string): string {
  return `/add-card?${new URLSearchParams({ session: sessionId, process: helpProcess })}`
}

/** The `process` by which `/add-card` knows what it pays for. */
export const helpProcess = 'get-help-process'

/** `issueId` of an address; undefined where there is none, or none that could be one. */
export function issueIdOf(search: URLSearchParams): number | undefined {
  return idIn(search.get('issueId'))
}
