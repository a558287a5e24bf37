import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { formatDayAndTime, type InstantLike } from '#web/lib/time.ts'

type Session = Pick<AppointmentDetail, 'practitioner_id' | 'status' | 'change' | 'starts_at'>

/** Whether a session can still be cancelled free of charge, and so be exchanged for another with the practitioner. */
export function isSwappable(
  { practitioner_id, status, change }: Session,
  practitionerId: number,
  now: number,
) {
  return (
    practitioner_id === practitionerId &&
    (status === 'confirmed' || status === 'reserved') &&
    change.allowed &&
    change.until !== null &&
    Date.parse(change.until) > now
  )
}

/** 'Tuesday 9 June, 10:00', 'Tuesday 16 June, 10:00 (reserved, not paid yet)'. */
export function swapLabel({ starts_at, status }: Session, zone: string, now?: InstantLike): string {
  const when = formatDayAndTime(starts_at ?? '', zone, now)
  return status === 'reserved' ? `${when} (reserved, not paid yet)` : when
}
