import { useSyncExternalStore } from 'react'
import type { HelpRequests } from '#contract/get-help/get-help.ts'
import { callApi } from '#web/lib/api.ts'
import { onAnotherPerson, readSession } from '#web/lib/session.ts'

/*
 * The requests for help that a practitioner is asked to answer. Kept outside of React, because both the frame, which asks
 * on every page, and the dashboard show them.
 */

type Known = {
  requests: HelpRequests | undefined
  /** Why the last look failed; what was read before stays. */
  error: unknown
}

const nothing: Known = { requests: undefined, error: undefined }
let known = nothing
let looking: Promise<void> | undefined
const listeners = new Set<() => void>()

onAnotherPerson(() => change(nothing))

/** What is known of the practitioner's requests. */
export function useHelpRequests(): Known {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known,
    () => nothing,
  )
}

/** Reads them now; a look that is under way already is waited for. */
export function lookForRequests(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

/** Drops a request that was answered or has closed, so that it is not shown again while the next read runs. */
export function dropRequest(requestId: string): void {
  const { requests } = known
  if (!requests) return
  change({
    ...known,
    requests: { ...requests, open: requests.open.filter(({ request_id }) => request_id !== requestId) },
  })
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
    if (isStillThem()) change({ requests, error: undefined })
  } catch (error) {
    if (isStillThem()) change({ ...known, error })
  }
}

function change(next: Known): void {
  known = next
  for (const listener of listeners) listener()
}
