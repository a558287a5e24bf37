import { defineJob } from '../../jobs/queue.ts'

export const bookingsSweepJob = defineJob('bookings.sweep', { every: '* * * * *' })
/** Takes the money of reserved sessions; the next run continues. */
export const bookingsChargeJob = defineJob('bookings.charge-reserved', {
  retryLimit: 0,
  every: '* * * * *',
})
/** About a day and a half, as for a mail: the session reaches a calendar that was unavailable for a day. */
export const bookingsCalendarEntryJob = defineJob<{
  appointment_id: string
  /** For a session whose row is deleted by then. Absent in jobs of the release before. */
  practitioner_id?: number
}>('bookings.calendar-entry', { retryLimit: 45, retryDelayMax: 3600, workers: 4 })
/** Booked sessions of a practitioner take place elsewhere. */
export const bookingsChangedPlacesJob = defineJob<{
  /** Names the change, so that a repeated run mails no session twice. */
  change_id: string
  practitioner_id: number
  location_ids: number[]
  is_online_room: boolean
}>('bookings.changed-places', { retryLimit: 10, retryDelayMax: 600 })
export const bookingsRefundedElsewhereJob = defineJob<{ appointment_id: string; refund_id: string }>(
  'bookings.refunded-elsewhere',
  { retryLimit: 10, retryDelayMax: 600 },
)
