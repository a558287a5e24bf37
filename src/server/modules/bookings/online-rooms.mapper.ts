import type { AppointmentDetail, SessionRoom } from '#contract/bookings/bookings.ts'
import type { OnlineRoom } from '../practitioners/practitioners.rules.ts'
import { isFrozen } from './bookings.rules.ts'
import type { AppointmentRow } from './bookings.store.ts'

/** The room of an online session that is to take place. */
export function roomOf(
  row: Pick<AppointmentRow, 'id' | 'state' | 'frozen_at' | 'appointment_type'>,
  room: OnlineRoom | undefined,
): SessionRoom | null {
  if (row.appointment_type !== 'online' || row.state !== 'confirmed' || isFrozen(row) || !room) return null
  return room.kind === 'hearth' ? { kind: 'hearth', link: roomPath(row.id) } : room
}

/** A room as answers show it, and the field that only a link elsewhere has. */
export function toRoom(
  row: Parameters<typeof roomOf>[0],
  onlineRoom: OnlineRoom | undefined,
): Pick<AppointmentDetail, 'room' | 'meeting_link'> {
  const room = roomOf(row, onlineRoom)
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
