import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Invoices } from './subscriptions.invoices.ts'
import type { BillingMailing } from './subscriptions.mailing.ts'
import type { Subscriptions } from './subscriptions.service.ts'
import type { Videos } from './subscriptions.video.ts'
import type { VideoOrders } from './video-orders.service.ts'

export const subscriptionsSweepJob = defineJob('subscriptions.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
export const subscriptionsRenewJob = defineJob<{ subscription_id: string }>('subscriptions.renew', {
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 900,
})
export const subscriptionsMailJob = defineJob<{ mail_id: string }>('subscriptions.mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const subscriptionsVideoOrderedJob = defineJob<{ practitioner_id: number }>(
  'subscriptions.video-ordered',
  { retryLimit: 45, retryDelay: 5, retryDelayMax: 3600 },
)
export const subscriptionsVideoMailJob = defineJob<{ mail_id: string }>('subscriptions.video-mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})

export function subscriptionJobs(
  queue: Queue,
  subscriptions: Subscriptions,
  mailing: BillingMailing,
  videos: Videos,
  videoOrders: VideoOrders,
): void {
  queue.handle(subscriptionsVideoMailJob, ({ mail_id }) => videoOrders.sendMail(mail_id))
  queue.handle(subscriptionsVideoOrderedJob, ({ practitioner_id }) => videos.sendOrderMails(practitioner_id))
  queue.handle(subscriptionsSweepJob, () => subscriptions.sweep())
  queue.handle(subscriptionsRenewJob, ({ subscription_id }) => subscriptions.advance(subscription_id))
  queue.handle(subscriptionsMailJob, ({ mail_id }) => mailing.send(mail_id))
}

/** What is charged on approval is due with it; what has been taken has its invoice. */
export function subscriptionSubscriptions(
  events: EventBus,
  subscriptions: Subscriptions,
  invoices: Invoices,
): void {
  events.on('practitioner.approved', (tx, { practitionerId }) => subscriptions.approved(tx, practitionerId))
  events.on('practitioner.closed', (tx, { practitionerId }) => subscriptions.closed(tx, practitionerId))
  events.on('charge.captured', (tx, charge) => invoices.captured(tx, charge))
  events.on('charge.refunded', (tx, refund) => invoices.refunded(tx, refund))
  events.on('charge.disputed', (tx, dispute) => invoices.disputed(tx, dispute))
}
