import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Dispatch } from './get-help.dispatch.ts'
import type { HelpMailing } from './get-help.mailing.ts'

export const getHelpSweepJob = defineJob('get-help.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
/** Told later than that, being asked is no news any more. */
export const getHelpMailJob = defineJob<{ mail_id: string }>('get-help.mail', {
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 4,
})

export function getHelpJobs(queue: Queue, dispatch: Dispatch, mailing: HelpMailing): void {
  queue.handle(getHelpSweepJob, () => dispatch.sweep())
  queue.handle(getHelpMailJob, ({ mail_id }) => mailing.send(mail_id))
}

/** Tells a client once money that was reserved for nothing has been let go of. */
export function getHelpSubscriptions(events: EventBus, mailing: HelpMailing): void {
  events.on('payment.released', (tx, { appointmentId }) => mailing.released(tx, appointmentId))
}

/**
 * Withdraws requests from a practitioner who is suspended or closed. Has to come before sessions are frozen: a request that is accepted
 * at this moment is waited for here, and is a session afterwards.
 */
export function helpWithdrawals(events: EventBus, dispatch: Dispatch): void {
  events.on('practitioner.suspended', (tx, { practitionerId }) => dispatch.withdrawFrom(tx, practitionerId))
  events.on('practitioner.closed', (tx, { practitionerId }) => dispatch.withdrawFrom(tx, practitionerId))
}
