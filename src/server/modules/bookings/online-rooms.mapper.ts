import type { AppointmentDetail, SessionRoom } from '#contract/bookings/bookings.ts'
import type { OnlineRoom } from '../practitioners/practitioners.rules.ts'
import { isFrozen } from './bookings.rules.ts'
import type { AppointmentRow } from './bookings.store.ts'

/** What says whether a session has a room. */
type Held = Pick<AppointmentRow, 'id' | 'state' | 'frozen_at' | 'appointment_type'>

/** Whether it is an online session that is to take place. */
export const isHeldOnline = (row: Held): boolean =>
  row.appointment_type === 'online' && row.state === 'confirmed' && !isFrozen(row)

/** The room of an online session that is to take place, and when it was ended, if it was. */
export function roomOf(row: Held, room: OnlineRoom | undefined, endedAt?: Date): SessionRoom | null {
  if (!isHeldOnline(row) || !room) return null
  return room.kind === 'hearth'
    ? { kind: 'hearth', link: roomPath(row.id), ended_at: endedAt?.toISOString() ?? null }
    : { ...room, ended_at: null }
}

/** A room as answers show it, and the field that only a link elsewhere has. */
export function toRoom(
  row: Held,
  onlineRoom: OnlineRoom | undefined,
  endedAt: Date | undefined,
): Pick<AppointmentDetail, 'room' | 'meeting_link'> {
  const room = roomOf(row, onlineRoom, endedAt)
  return { meeting_link: room?.kind === 'own' ? room.link : null, room }
}

/**
 * The address of a room, for mails and calendars. This product's room is entered through the sign-in, because a new tab
 * starts signed out. The practitioner's own link is for the client alone.
 */
export function joinUrlOf(
  room: SessionRoom | null,
  recipient: 'client' | 'practitioner',
  publicUrl: string,
): string | undefined {
  if (!room?.link) return undefined
  if (room.kind === 'own') return recipient === 'client' ? room.link : undefined
  const page = recipient === 'client' ? '/sign-in' : '/therapist/sign-in'
  return `${publicUrl}${page}?return_to=${encodeURIComponent(room.link)}`
}

/** The page of a session's room. */
const roomPath = (appointmentId: string) => `/session-room?appointment=${appointmentId}`
