import type { TherapistSession } from '#contract/therapist-sessions.ts'
import { formatDayAndTime } from '#web/lib/time.ts'

export const formatWords = { online: 'Online', face_to_face: 'Face-to-face' } as const

/** What became of a session, or will by itself, in a few words. */
export function outcomeWords(session: TherapistSession, now: number, zone: string): string {
  switch (session.status) {
    case 'completed':
      return 'Completed'
    case 'no_show':
      return 'Client did not come'
    case 'cancelled':
      return session.cancelled_by === 'practitioner'
        ? 'Cancelled by you, refunded'
        : session.cancelled_by === 'client'
          ? 'Cancelled by the client, refunded'
          : 'Cancelled, refunded'
    default:
      if (Date.parse(session.ends_at) > now) {
        return Date.parse(session.starts_at) > now ? 'Booked' : 'Going on now'
      }
      return session.settles_at
        ? `Counts as completed on ${formatDayAndTime(session.settles_at, zone)}`
        : 'Completed'
  }
}

/** `in 25 minutes`, `in 3 hours`, `tomorrow`; nothing for what is further away or has begun. */
export function soonWords(startsAt: string, now: number): string | undefined {
  const minutes = Math.ceil((Date.parse(startsAt) - now) / 60_000)
  if (minutes <= 0) return undefined
  if (minutes < 60) return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.round(minutes / 60)
  return hours < 12 ? `in ${hours} ${hours === 1 ? 'hour' : 'hours'}` : undefined
}
