import { clientName } from '#contract/client-name.ts'
import type { Attendance } from '#contract/rooms/attendance.ts'
import type { NobodyCame } from '#contract/rooms/nobody-came.ts'
import type { Room } from '#contract/rooms/rooms.ts'
import type { KnownAttendance } from '../../contributions/lookups.ts'
import {
  type Absence,
  closureOf,
  firstState,
  hasCome,
  isComing,
  isHere,
  isOfStart,
  type Line,
  nobodyCameFrom,
  reportableUntil,
  type SessionAttendance,
  type Side,
  type SideAttendance,
  type Standing,
  standingOf,
  takesPlace,
  wasPresent,
  wasSentAway,
  windowOf,
} from './rooms.rules.ts'
import type { AttendanceRow, RoomRow } from './rooms.store.ts'

export type Seat = { peer_id: string; taken_at: Date; seen_at: Date; left_at: Date | null }

export const otherSide = (side: Side): Side => (side === 'client' ? 'practitioner' : 'client')

/** The seat of a side, given up or not. Undefined if it was never taken. */
export function seatOf(row: RoomRow, side: Side): Seat | undefined {
  const peer_id = row[`${side}_peer`]
  const taken_at = row[`${side}_taken_at`]
  const seen_at = row[`${side}_seen_at`]
  if (!peer_id || !taken_at || !seen_at) return undefined
  return { peer_id, taken_at, seen_at, left_at: row[`${side}_left_at`] }
}

/** What decides about the signals of a room. Undefined if the session has no room yet. */
export function lineOf(row: RoomRow): Line | undefined {
  if (row.room_state === null) return undefined
  const peerOf = (side: Side) => (row[`${side}_left_at`] === null ? row[`${side}_peer`] : null)
  return {
    clientId: row.client_id,
    practitionerAccountId: row.practitioner_account_id,
    clientPeer: peerOf('client'),
    practitionerPeer: peerOf('practitioner'),
    isAdmitted: row.room_state === 'admitted',
    isOpen: row.room_state !== 'ended' && isOfStart(row) && takesPlace(row),
    closesAt: windowOf(row, 'client').closesAt,
  }
}

type Context = {
  now: Date
  /** The path of a portrait by its key. */
  portrait(key: string): string
  ice(closesAt: Date): Room['ice']
}

/** The room as one of its two people sees it. */
export function toRoom(row: RoomRow, side: Side, { now, portrait, ice }: Context): Room {
  const { opensAt, closesAt } = windowOf(row, side)
  const standing = standingOf(row, side, now)
  const attendance = attendanceOf(row)
  // A room that has closed has no seats.
  const held = (of: Side) => {
    const seat = standing.state === 'ended' ? undefined : seatOf(row, of)
    return seat && seat.left_at === null ? seat : undefined
  }
  const own = held(side)
  const others = held(otherSide(side))
  return {
    appointment_id: row.id,
    you: side,
    kind: row.kind,
    meeting_link: row.kind === 'own' && takesPlace(row) ? row.meeting_link : null,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    opens_at: opensAt.toISOString(),
    closes_at: closesAt.toISOString(),
    state: standing.state,
    version: row.version ?? 0,
    admitted_at: standing.admittedAt?.toISOString() ?? null,
    ended_at: standing.endedAt?.toISOString() ?? null,
    ended_by: standing.endedBy,
    closed_because: closureOf(row, standing),
    late_at: row.late_at?.toISOString() ?? null,
    own_link: ownLinkOf(row, side, standing),
    seat: own ? { peer_id: own.peer_id, taken_at: own.taken_at.toISOString() } : null,
    other: {
      ...personOf(row, otherSide(side), portrait),
      here: others !== undefined && isHere(others, now),
      since: others?.taken_at.toISOString() ?? null,
      peer_id: standing.state === 'admitted' ? (others?.peer_id ?? null) : null,
    },
    ice: standing.isOpen ? ice(closesAt) : null,
    attendance: {
      client: toAttendance(attendance.client),
      practitioner: toAttendance(attendance.practitioner),
    },
    nobody_came_from: side === 'client' ? (toNobodyCame(row, now)?.from ?? null) : null,
  }
}

/** Whether a session is held in its room. A client who has waited there keeps it so, also when the practitioner chooses a link then. */
const isHeldHere = (row: RoomRow) => row.kind === 'hearth' || wasPresent(attendanceOf(row).client)

/**
 * What the client may report of a practitioner who has not come so far. Null once they came, and where the session is
 * held elsewhere, is being checked, or has an outcome.
 */
export function toNobodyCame(row: RoomRow, now: Date): NobodyCame | null {
  const isUndecided = row.state === 'confirmed' && row.frozen_at === null
  if (!isUndecided || row.appointment_type !== 'online' || !isHeldHere(row)) return null
  const absence = absenceOf(row, now)
  if (hasCome(absence)) return null
  return {
    from: nobodyCameFrom(absence, row, now)?.toISOString() ?? null,
    until: reportableUntil(row).toISOString(),
  }
}

/** Another way on, while the room is open. */
function ownLinkOf(
  { meeting_link: link, own_link_at: at }: RoomRow,
  side: Side,
  { isOpen }: Standing,
): Room['own_link'] {
  if (!isOpen || link === null || (side === 'client' && at === null)) return null
  return { link, offered_at: at?.toISOString() ?? null }
}

function personOf(
  row: RoomRow,
  side: Side,
  portrait: Context['portrait'],
): { name: string; image: string | null } {
  if (side === 'client') {
    const name = clientName({ firstName: row.client_first_name, lastName: row.client_last_name })
    return { name, image: null }
  }
  return {
    name: `${row.practitioner_first_name} ${row.practitioner_last_name}`,
    image: row.image_key && portrait(row.image_key),
  }
}

/** Both sides of a room that was read. */
export function attendanceOf(row: RoomRow): SessionAttendance {
  const of = (side: Side): SideAttendance | null =>
    row[`${side}_came`]
      ? {
          firstIn: row[`${side}_first_in`],
          lastOut: row[`${side}_last_out`],
          seconds: row[`${side}_seconds`] ?? 0,
          sessionSeconds: row[`${side}_session_seconds`] ?? 0,
        }
      : null
  return { client: of('client'), practitioner: of('practitioner') }
}

/** A room that was read, for the question whether its practitioner came. */
export function absenceOf(row: RoomRow, now: Date): Absence {
  const seat = seatOf(row, 'practitioner')
  return {
    ...attendanceOf(row),
    isPractitionerHere: seat !== undefined && isHere(seat, now),
    isLetIn:
      row.admitted_at !== null &&
      row.admitted_at < row.ends_at &&
      firstState(row.booking_type) !== 'admitted',
  }
}

/**
 * Whether the practitioner has not come to a session in its room that goes on, or after whose end the client may still say
 * so. During the session a client who comes late can have waited for long enough by its end.
 */
function isPractitionerMissing(row: RoomRow, now: Date): boolean {
  if (!isHeldHere(row) || row.appointment_type !== 'online' || now < row.starts_at) return false
  const absence = absenceOf(row, now)
  return !hasCome(absence) && (now < row.ends_at || nobodyCameFrom(absence, row, now) !== null)
}

/** By session: of those with attendance, and those whose practitioner is missing. */
export function toKnownAttendance(
  rows: readonly AttendanceRow[],
  rooms: readonly RoomRow[],
  now: Date,
): Map<string, KnownAttendance> {
  const bySession = Map.groupBy(rows, (row) => row.appointment_id)
  const missed = new Set(rooms.filter((row) => isPractitionerMissing(row, now)).map(({ id }) => id))
  const counted = rooms.filter((row) => {
    const { client } = attendanceOf(row)
    return wasSentAway(client, row) || isComing(client, seatOf(row, 'client'), row, now)
  })
  const present = new Set(counted.map(({ id }) => id))
  return new Map(
    [...bySession.keys(), ...missed].map((id) => {
      const { client, practitioner } = toSessionAttendance(bySession.get(id) ?? [])
      const shown = { client: toAttendance(client), practitioner: toAttendance(practitioner) }
      const practitionerIsMissing = missed.has(id)
      const clientCame = wasPresent(client) || present.has(id)
      const seen = { client: client !== null, practitioner: practitioner !== null }
      return [id, { ...shown, seen, clientCame, practitionerIsMissing }]
    }),
  )
}

/** Both sides of one session, from their rows. */
export function toSessionAttendance(rows: readonly AttendanceRow[]): SessionAttendance {
  const of = (side: Side): SideAttendance | null => {
    const row = rows.find((each) => each.side === side)
    if (!row) return null
    const { first_in: firstIn, last_out: lastOut, seconds, session_seconds: sessionSeconds } = row
    return { firstIn, lastOut, seconds, sessionSeconds }
  }
  return { client: of('client'), practitioner: of('practitioner') }
}

/** Null also once the times are forgotten. */
function toAttendance(side: SideAttendance | null): Attendance | null {
  if (!side?.firstIn || !side.lastOut) return null
  return {
    first_in: side.firstIn.toISOString(),
    last_out: side.lastOut.toISOString(),
    minutes: Math.floor(side.seconds / 60),
  }
}
