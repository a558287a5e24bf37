import { defineJob } from '../../jobs/queue.ts'

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
/** About a day and a half: a mail server may be away for long. */
export const bookingsMailJob = defineJob<{ mail_id: string }>('bookings.mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 8,
})
export const bookingsRefundedElsewhereJob = defineJob<{ appointment_id: string; refund_id: string }>(
  'bookings.refunded-elsewhere',
  { retryLimit: 10, retryDelay: 5, retryDelayMax: 600 },
)
