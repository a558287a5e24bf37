import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Invoices } from './subscriptions.invoices.ts'
import type { BillingMailing } from './subscriptions.mailing.ts'
import type { Subscriptions } from './subscriptions.service.ts'
import type { Videos } from './subscriptions.video.ts'
import type { VideoOrders } from './video-orders.service.ts'

export function subscriptionJobs(
  queue: Queue,
  subscriptions: Subscriptions,
  mailing: BillingMailing,
  videos: Videos,
  videoOrders: VideoOrders,
): void {
  queue.handle('subscriptions.video-mail', ({ mail_id }) => videoOrders.sendMail(mail_id))
  queue.handle('subscriptions.video-ordered', ({ practitioner_id }) => videos.sendOrderMails(practitioner_id))
  queue.handle('subscriptions.sweep', () => subscriptions.sweep())
  queue.handle('subscriptions.renew', ({ subscription_id }) => subscriptions.advance(subscription_id))
  queue.handle('subscriptions.mail', ({ mail_id }) => mailing.send(mail_id))
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
}
