import { days, later, minutes } from '../../clock.ts'

export type NoShowState = 'declared' | 'withdrawn' | 'disputed' | 'upheld' | 'overturned'

type Transition = {
  from: NoShowState
  to: NoShowState
  by: 'client' | 'practitioner' | 'admin'
  when: string
}

/** The life of a no-show, from when it is declared. Every change of its state goes through this table. */
export const noShowLife: readonly Transition[] = [
  { from: 'declared', to: 'withdrawn', by: 'practitioner', when: 'until a day after the end of the session' },
  { from: 'withdrawn', to: 'declared', by: 'practitioner', when: 'until a day after the end of the session' },
  { from: 'declared', to: 'disputed', by: 'client', when: 'within 14 days of its declaration' },
  { from: 'disputed', to: 'upheld', by: 'admin', when: 'at any time; the fee stays' },
  { from: 'disputed', to: 'overturned', by: 'admin', when: 'at any time; the client is refunded in full' },
]

/** @throws Error when the table has no such change */
export function assertNoShowStep(from: NoShowState, to: NoShowState): void {
  if (!noShowLife.some((step) => step.from === from && step.to === to)) {
    throw new Error(`A no-show cannot go from ${from} to ${to}.`)
  }
}

export const noShowTimes = {
  /** How long after its start a session counts as missed at the earliest. */
  wait: minutes(15),
  /** How long the client may dispute it. */
  dispute: days(14),
}

/** Until when a no-show may be disputed that was declared at an instant. */
export const disputeUntil = (declaredAt: Date): Date => later(declaredAt, noShowTimes.dispute)

/** From when the practitioner may say that the client did not come. */
export const noShowFrom = (session: { starts_at: Date }): Date => later(session.starts_at, noShowTimes.wait)

/** Whether the practitioner may still correct it: what the client disputes is decided by the back office alone. */
export const isCorrectable = (state: NoShowState | null): boolean =>
  state === null || state === 'declared' || state === 'withdrawn'

/** Whether the client may dispute it now, and why not. */
export function judgeDispute(
  noShow: { state: NoShowState; dispute_until: Date },
  now: Date,
): 'allowed' | 'too_late' | 'not_changeable' {
  if (noShow.state !== 'declared') return 'not_changeable'
  return now < noShow.dispute_until ? 'allowed' : 'too_late'
}
