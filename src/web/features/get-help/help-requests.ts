import { useSyncExternalStore } from 'react'
import type { HelpRequests } from '#contract/get-help/get-help.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { createListeners } from '#web/lib/listeners.ts'
import { onAnotherPerson, readSession } from '#web/lib/session.ts'

/*
 * The requests for help that a practitioner is asked to answer. Kept outside of React, because both the frame, which asks
 * on every page, and the dashboard show them.
 */

type Known = {
  requests: HelpRequests | undefined
  /** Why the last look failed; what was read before stays, but for requests that are over. */
  error: unknown
}

const nothing: Known = { requests: undefined, error: undefined }
let known = nothing
let looking: Promise<void> | undefined
/** Those that were answered or have closed: a read that began before may still have them. */
const dropped = new Set<string>()
const listeners = createListeners()

onAnotherPerson(() => {
  dropped.clear()
  change(nothing)
})

export const readRequests = (): Known => known

/** What is known of the practitioner's requests. */
export function useHelpRequests(): Known {
  return useSyncExternalStore(listeners.add, readRequests, () => nothing)
}

/** Reads them now; a look that is under way already is waited for. */
export function lookForRequests(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

/** Reads them after a change: a look that is under way may have begun before it. */
export function lookAgain(): Promise<void> {
  return looking ? looking.then(lookForRequests) : lookForRequests()
}

/** Drops a request that was answered or has closed, for good. */
export function dropRequest(requestId: string): void {
  dropped.add(requestId)
  if (known.requests) change({ ...known, requests: withoutDropped(known.requests) })
}

function withoutDropped(requests: HelpRequests): HelpRequests {
  return { ...requests, open: requests.open.filter(({ request_id }) => !dropped.has(request_id)) }
}

async function look(): Promise<void> {
  const asked = readSession()
  if (asked.role !== 'therapist') return
  const isStillThem = () => {
    const session = readSession()
    return session.role === 'therapist' && session.therapist.id === asked.therapist.id
  }
  try {
    const requests = await callApi('GET /therapist/get-help/requests')
    if (isStillThem()) change({ requests: withoutDropped(requests), error: undefined })
  } catch (error) {
    if (isStillThem()) change({ requests: known.requests && stillOpen(known.requests, error), error })
  }
}

/** After a look that failed: no request rings beyond its time, or for a practitioner who may not answer any more. */
function stillOpen(requests: HelpRequests, error: unknown): HelpRequests {
  const isRefused = error instanceof ApiError && error.status === 403
  const open = requests.open.filter(({ answer_by }) => !isRefused && Date.parse(answer_by) > serverNow())
  return { ...requests, open }
}

function change(next: Known): void {
  known = next
  listeners.call()
}
