import type { Session } from '#contract/sessions.ts'
import { joinLead } from '#web/lib/session-paths.ts'

/**
 * Where a session stands at an instant. `soon`: it can be joined, and has not begun. `over`: its time is up, or its room
 * was ended for both, which says nothing of its outcome.
 * `missed`: the practitioner declared that the client did not come.
 */
export type Moment = 'ahead' | 'soon' | 'live' | 'over' | 'cancelled' | 'frozen' | 'missed'

type Timed = Pick<Session, 'status' | 'starts_at' | 'ends_at' | 'frozen_until' | 'room'>

/** `now` in epoch milliseconds. */
export function momentOf({ status, starts_at, ends_at, frozen_until, room }: Timed, now: number): Moment {
  if (status === 'cancelled') return 'cancelled'
  if (status === 'no_show') return 'missed'
  if (frozen_until !== null) return 'frozen'
  if (status === 'completed' || room?.ended_at || now >= Date.parse(ends_at)) return 'over'
  const start = Date.parse(starts_at)
  if (now >= start) return 'live'
  return now >= start - joinLead ? 'soon' : 'ahead'
}

/** When the moment changes by itself, in epoch milliseconds; undefined if it does not. */
export function nextMomentAt(session: Timed, now: number): number | undefined {
  const start = Date.parse(session.starts_at)
  const moment = momentOf(session, now)
  if (moment === 'ahead') return start - joinLead
  if (moment === 'soon') return start
  return moment === 'live' ? Date.parse(session.ends_at) : undefined
}
