import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { SessionCalendar } from './bookings.calendar.ts'
import type { BookingMailing } from './bookings.mailing.ts'
import type { Freezes } from './bookings.freeze.ts'
import type { Bookings } from './bookings.service.ts'

export const bookingsSweepJob = defineJob('bookings.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
/** As long as a mail: a calendar that is away for a day has the session in the end. */
export const bookingsCalendarEntryJob = defineJob<{ appointment_id: string }>('bookings.calendar-entry', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 4,
})
export const bookingsRefundedElsewhereJob = defineJob<{ appointment_id: string; refund_id: string }>(
  'bookings.refunded-elsewhere',
  { retryLimit: 10, retryDelay: 5, retryDelayMax: 600 },
)
/** About a day and a half: a mail server may be away for long. */
export const bookingsMailJob = defineJob<{ mail_id: string }>('bookings.mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 8,
})

export function bookingJobs(
  queue: Queue,
  bookings: Bookings,
  freezes: Freezes,
  mailing: BookingMailing,
  calendar: SessionCalendar,
): void {
  queue.handle(bookingsSweepJob, async () => {
    await freezes.sweep()
    await bookings.sweep()
    await mailing.remind()
  })
  queue.handle(bookingsCalendarEntryJob, ({ appointment_id }) => calendar.write(appointment_id))
  queue.handle(bookingsRefundedElsewhereJob, ({ appointment_id, refund_id }) =>
    mailing.refundedElsewhere(appointment_id, refund_id),
  )
  queue.handle(bookingsMailJob, ({ mail_id }) => mailing.send(mail_id))
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
  events.on('payment.refunded-elsewhere', (tx, refund) => mailing.noteRefundedElsewhere(tx, refund))
  events.on('payment.refunded', (tx, refund) => mailing.refundSucceeded(tx, refund))
}
