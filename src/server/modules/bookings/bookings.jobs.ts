import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { SessionCalendar } from './bookings.calendar.ts'
import type { BookingMailing } from './bookings.mailing.ts'
import type { Freezes } from './bookings.freeze.ts'
import type { Bookings } from './bookings.service.ts'

export function bookingJobs(
  queue: Queue,
  bookings: Bookings,
  freezes: Freezes,
  mailing: BookingMailing,
  calendar: SessionCalendar,
): void {
  queue.handle('bookings.sweep', async () => {
    await freezes.sweep()
    await bookings.sweep()
    await mailing.remind()
  })
  queue.handle('bookings.calendar-entry', ({ appointment_id }) => calendar.write(appointment_id))
  queue.handle('bookings.mail', ({ mail_id }) => mailing.send(mail_id))
}

/** Tells a client of their refund once it has left, and calendars of sessions; freezes and restores sessions. */
export function bookingSubscriptions(
  events: EventBus,
  freezes: Freezes,
  mailing: BookingMailing,
  calendar: SessionCalendar,
): void {
  events.on('session.changed', (tx, session) => calendar.note(tx, session))
  events.on('calendar.connected', (tx, { practitionerId }) => calendar.noteAhead(tx, practitionerId))
  events.on('practitioner.suspended', (tx, suspension) => freezes.suspended(tx, suspension))
  events.on('practitioner.reinstated', (tx, { practitionerId }) => freezes.reinstated(tx, { practitionerId }))
  events.on('practitioner.closed', (tx, { practitionerId }) => freezes.closed(tx, { practitionerId }))
  events.on('practitioner.facts-settled', (tx, { practitionerId }) =>
    freezes.factsSettled(tx, { practitionerId }),
  )
  events.on('payment.refunded', (tx, refund) => mailing.refundSucceeded(tx, refund))
}
