import type { AppointmentState } from '#contract/bookings/bookings.ts'
import type { ReportState } from '#contract/reviews.ts'

/** The public name of a review's author: the initial of the first name, never more. */
export function pseudonymOf(firstName: string): string {
  const initial = /^\p{L}/u.exec(firstName.trim().normalize('NFC'))?.[0]
  return initial ? `${initial.toLocaleUpperCase('en-GB')}.` : 'A client'
}

/** The public name of a review's author whose account is deleted. */
export const formerAuthor = 'A former client'

const notYet = 'A session can be reviewed once it counts as completed: a day after its end at the latest.'
const neverWas = 'This session did not take place, so it cannot be reviewed.'

/** Why a session cannot be reviewed, by its state; null when it can. */
const hindrances: Record<AppointmentState, string | null> = {
  completed: null,
  draft: 'This session has not been booked.',
  pending: 'This session has not been booked.',
  reserved: notYet,
  confirmed: notYet,
  cancelled: neverWas,
  expired: neverWas,
  no_show: 'Your practitioner recorded that you did not come to this session, so it cannot be reviewed.',
}

/** Why a session cannot be reviewed; null when it can. */
export const notReviewable = (state: AppointmentState): string | null => hindrances[state]

/** State machine of a report: each decision of an admin, with its source and target states. */
export const decisions = {
  hide: { from: ['open', 'dismissed'], to: 'hidden' },
  dismiss: { from: ['open'], to: 'dismissed' },
  restore: { from: ['hidden'], to: 'dismissed' },
} as const satisfies Record<string, { from: readonly ReportState[]; to: ReportState }>

export type Decision = keyof typeof decisions

/** The state after a decision; undefined if the decision is not possible in `state`. */
export function reportAfter(decision: Decision, state: ReportState): ReportState | undefined {
  const { from, to } = decisions[decision]
  return (from as readonly ReportState[]).includes(state) ? to : undefined
}

export const perPage = 20
