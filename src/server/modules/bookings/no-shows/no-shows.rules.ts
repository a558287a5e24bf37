import { days, later, minutes } from '../../../clock.ts'
import { type Step, stepsOf } from '../../../life.ts'

export type NoShowState = 'declared' | 'withdrawn' | 'disputed' | 'upheld' | 'overturned'

/** The life of a no-show, from when it is declared. Every change of its state goes through this table. */
export const noShowLife: readonly Step<NoShowState>[] = [
  { from: 'declared', to: 'withdrawn', by: 'practitioner', when: 'until a day after the end of the session' },
  { from: 'declared', to: 'disputed', by: 'client', when: 'within 14 days of its declaration' },
  { from: 'disputed', to: 'upheld', by: 'admin', when: 'at any time; the fee stays' },
  { from: 'disputed', to: 'overturned', by: 'admin', when: 'at any time; the client is refunded in full' },
]

export const assertNoShowStep = stepsOf('A no-show', noShowLife)

export const noShowTimes = {
  /** Earliest time after the start of a session to declare a no-show. */
  wait: minutes(15),
  /** The client's time to dispute it. */
  dispute: days(14),
}

/** Deadline for disputing a no-show declared at an instant. */
export const disputeUntil = (declaredAt: Date): Date => later(declaredAt, noShowTimes.dispute)

/** Earliest time at which the practitioner may declare a no-show. */
export const noShowFrom = (session: { starts_at: Date }): Date => later(session.starts_at, noShowTimes.wait)

/**
 * Whether the practitioner may still declare a no-show, or correct it. A correction is final, so that the client is written to
 * once about each. Only the back office decides a disputed no-show.
 */
export const isCorrectable = (state: NoShowState | null): boolean => state === null || state === 'declared'

/** Whether the client may dispute it now, and if not, why. */
export function judgeDispute(
  noShow: { state: NoShowState; dispute_until: Date },
  now: Date,
): 'allowed' | 'too_late' | 'not_changeable' {
  if (noShow.state !== 'declared') return 'not_changeable'
  return now < noShow.dispute_until ? 'allowed' : 'too_late'
}
