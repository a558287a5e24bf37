import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { BookingMailing } from './bookings.mailing.ts'
import type { Bookings } from './bookings.service.ts'

export function bookingJobs(queue: Queue, bookings: Bookings, mailing: BookingMailing): void {
  queue.handle('bookings.sweep', () => bookings.sweep())
  queue.handle('bookings.mail', ({ mail_id }) => mailing.send(mail_id))
}

/** Tells a client of their refund once it has left. */
export function bookingSubscriptions(events: EventBus, mailing: BookingMailing): void {
  events.on('payment.refunded', (tx, refund) => mailing.refundSucceeded(tx, refund))
}
