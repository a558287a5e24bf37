import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { lookEvery } from './help-news.ts'
import { isOver, lookAgainIn } from './help-queries.ts'
import { forgetRunningHelp } from './running-help.ts'

/**
 * Follows a search for help. Each `look` reads it, passes it to `show`, and looks again for as long as something may
 * change. Looks may overlap: only the newest counts, and none after `stop`.
 */
export function followHelp(
  sessionId: string,
  isConnected: boolean,
  show: (dispatch: HelpDispatch | undefined) => void,
): { look(): Promise<void>; stop(): void } {
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  async function look(): Promise<void> {
    clearTimeout(timer)
    const own = ++newest
    let next: number | false = lookEvery.alone
    try {
      const answer = await callApi('GET /appointment/{appointment_id}', {
        params: { appointment_id: sessionId },
      })
      if (own !== newest) return
      const found = answer.dispatch ?? undefined
      show(found)
      if (hasPassed(answer)) forgetRunningHelp(sessionId)
      next = found?.state === 'accepted' ? untilEnd(answer) : lookAgainIn(found, isConnected)
    } catch (error) {
      if (own !== newest) return
      // Only a 404 ends the search here. After any other error the next look tries again, and the known state stays.
      if (error instanceof ApiError && error.status === 404) forgetRunningHelp(sessionId)
    }
    if (next !== false) timer = setTimeout(() => void look(), next)
  }
  return {
    look,
    stop() {
      newest++
      clearTimeout(timer)
    },
  }
}

/** Whether there is nothing left to say: no search, one without an outcome, or a session that is over. */
function hasPassed(session: FollowedAppointment): boolean {
  const state = session.dispatch?.state
  if (state === 'accepted') return session.status !== 'confirmed' || isOver(session)
  return state === undefined || state === 'expired' || state === 'stopped'
}

/** Milliseconds until a session has ended; false once it has. */
function untilEnd(session: FollowedAppointment): number | false {
  if (session.ends_at === null || isOver(session)) return false
  return Date.parse(session.ends_at) - serverNow()
}
