import type { AppointmentState, BookingType } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Role } from '#contract/endpoint.ts'
import type { ClosedBecause, RoomState } from '#contract/rooms/rooms.ts'
import { days, later, minutes, seconds } from '../../clock.ts'
import type { Step } from '../../life.ts'

export type Side = 'client' | 'practitioner'

export const sideOf = ({ role }: { role: Role }): Side => (role === 'client' ? 'client' : 'practitioner')

/** Times of one side in a room. */
export type SideAttendance = {
  /** Null once the times are forgotten: only that the side came is kept. */
  firstIn: Date | null
  lastOut: Date | null
  seconds: number
  /** Of those, between the session's start and end. */
  sessionSeconds: number
}
/** Null for a side that never came. */
export type SessionAttendance = { client: SideAttendance | null; practitioner: SideAttendance | null }

type Transition = Step<'none' | RoomState, Side | 'system'>

/** The life of a room. Every change of its state goes through this table. */
export const roomLife: readonly Transition[] = [
  { from: 'none', to: 'waiting', by: 'client', when: 'takes a seat, from 15 minutes before the start' },
  {
    from: 'none',
    to: 'waiting',
    by: 'practitioner',
    when: 'takes a seat, decides, or says that they are late',
  },
  { from: 'none', to: 'admitted', by: 'system', when: 'help right now was accepted' },
  { from: 'waiting', to: 'admitted', by: 'practitioner', when: 'while the room is open' },
  { from: 'admitted', to: 'waiting', by: 'practitioner', when: 'while the room is open' },
  { from: 'waiting', to: 'ended', by: 'practitioner', when: 'while the room is open' },
  { from: 'admitted', to: 'ended', by: 'practitioner', when: 'while the room is open' },
  { from: 'waiting', to: 'ended', by: 'system', when: 'the session does not take place, or is over' },
  { from: 'admitted', to: 'ended', by: 'system', when: 'the session does not take place, or is over' },
  { from: 'admitted', to: 'waiting', by: 'system', when: 'the session was moved' },
  { from: 'ended', to: 'waiting', by: 'system', when: 'the session was moved, or restored after a freeze' },
  { from: 'waiting', to: 'admitted', by: 'system', when: 'help right now was moved' },
  {
    from: 'ended',
    to: 'admitted',
    by: 'system',
    when: 'help right now was moved, or restored after a freeze',
  },
]

/** Whether a room may go from one state to another. A state that stays is no transition, and is allowed. */
export function mayBecome(from: Transition['from'], to: RoomState, by: Transition['by']): boolean {
  return from === to || roomLife.some((step) => step.from === from && step.to === to && step.by === by)
}

/** @throws Error for a transition that the table lacks: a defect */
export function assertRoomStep(from: Transition['from'], to: RoomState, by: Transition['by']): void {
  if (!mayBecome(from, to, by)) throw new Error(`A room cannot go from ${from} to ${to} by the ${by}.`)
}

/** The state in which a room begins, and begins again. Accepting help right now lets its client in. */
export const firstState = (type: BookingType): 'waiting' | 'admitted' =>
  type === 'get-help-right-now' ? 'admitted' : 'waiting'

export const times = {
  /** Before the start. */
  opens: minutes(15),
  /** Before the start, for a practitioner whose session before ends within `opens` of it. */
  opensAfterAnother: minutes(5),
  /** After the end. */
  closes: minutes(30),
  /** A seat not seen for longer counts as empty. */
  here: seconds(30),
  /** Time between two heartbeats counts as attendance up to this: browsers slow the timers of hidden pages down. */
  counted: seconds(90),
  /** How long a client waits alone until they may report it, and is present for not to be a no-show. */
  present: minutes(10),
  /** A practitioner who was there for less of the session, and let no client in, has not come. */
  glance: minutes(1),
  /** After the end the outcome is final. */
  outcome: days(1),
  /** After the outcome is final, only whether each side came is kept. */
  kept: days(90),
}

export type RoomFacts = {
  state: AppointmentState
  frozen_at: Date | null
  appointment_type: AppointmentType
  kind: 'hearth' | 'own'
  starts_at: Date
  ends_at: Date
  /** Whether another session of the practitioner ends within 15 minutes before the start. */
  follows_another: boolean
  /** Null while there is no room. */
  room_starts_at: Date | null
  room_state: RoomState | null
  admitted_at: Date | null
  ended_at: Date | null
  ended_by: 'practitioner' | 'system' | null
}

/** Whether a session takes place online as it is booked. Saying early that it took place closes no door. */
export function takesPlace(row: Pick<RoomFacts, 'state' | 'frozen_at' | 'appointment_type'>): boolean {
  return (
    (row.state === 'confirmed' || row.state === 'completed') &&
    row.frozen_at === null &&
    row.appointment_type === 'online'
  )
}

/** When a room is open to a side. */
export function windowOf(
  { starts_at, ends_at, follows_another }: Pick<RoomFacts, 'starts_at' | 'ends_at' | 'follows_another'>,
  side: Side,
): { opensAt: Date; closesAt: Date } {
  const before = side === 'practitioner' && follows_another ? times.opensAfterAnother : times.opens
  return { opensAt: later(starts_at, -before), closesAt: later(ends_at, times.closes) }
}

export type Standing = {
  state: RoomState
  /** Whether the side may take a seat now. */
  isOpen: boolean
  admittedAt: Date | null
  endedAt: Date | null
  endedBy: 'practitioner' | 'system' | null
}

/** Whether the stored room is that of the session's start, and not of the one before it was moved. */
export const isOfStart = (row: Pick<RoomFacts, 'room_starts_at' | 'starts_at'>): boolean =>
  row.room_starts_at !== null && row.room_starts_at.getTime() === row.starts_at.getTime()

/** How a room stands for a side now: as it is stored, unless the session or the time says otherwise. */
export function standingOf(row: RoomFacts, side: Side, now: Date): Standing {
  const { opensAt, closesAt } = windowOf(row, side)
  const isStored = isOfStart(row)
  const stored = isStored ? row.room_state : null
  const admittedAt = isStored ? row.admitted_at : null
  if (stored === 'ended') {
    return { state: 'ended', isOpen: false, admittedAt, endedAt: row.ended_at, endedBy: row.ended_by }
  }
  const isAhead = row.state === 'reserved' && row.frozen_at === null
  if (!takesPlace(row) && !isAhead) {
    return { state: 'ended', isOpen: false, admittedAt, endedAt: null, endedBy: 'system' }
  }
  if (now >= closesAt) {
    return { state: 'ended', isOpen: false, admittedAt, endedAt: closesAt, endedBy: 'system' }
  }
  const isOpen = row.kind === 'hearth' && takesPlace(row) && now >= opensAt
  return { state: stored ?? 'waiting', isOpen, admittedAt, endedAt: null, endedBy: null }
}

/** Why a room is closed. Null for one that is open or still to open. */
export function closureOf(
  row: Pick<RoomFacts, 'state' | 'frozen_at'>,
  standing: Pick<Standing, 'state' | 'endedBy'>,
): ClosedBecause | null {
  if (row.state === 'cancelled' || row.state === 'expired') return 'cancelled'
  if (row.state === 'no_show') return 'missed'
  if (row.frozen_at !== null) return 'frozen'
  if (standing.state !== 'ended') return row.state === 'reserved' ? 'unpaid' : null
  return standing.endedBy === 'practitioner' ? 'ended' : 'over'
}

/** What becomes of a stored room when its session has changed. Undefined if nothing. */
export function afterChange(
  row: RoomFacts & { room_state: RoomState; room_starts_at: Date },
): 'ended' | 'moved' | 'restored' | undefined {
  if (!takesPlace(row)) return row.room_state === 'ended' ? undefined : 'ended'
  if (row.room_starts_at.getTime() !== row.starts_at.getTime()) return 'moved'
  return row.room_state === 'ended' && row.ended_by === 'system' ? 'restored' : undefined
}

/** Whether a seat counts as taken by a person who is there. */
export function isHere(seat: { seen_at: Date; left_at: Date | null }, now: Date): boolean {
  return seat.left_at === null && seat.seen_at >= later(now, -times.here)
}

/** A heartbeat may be missing at the end. */
const enoughSeconds = times.present / 1000 - 10

/** Whether a side was in the room for 10 minutes between the session's start and end. */
export function wasPresent(side: SideAttendance | null): boolean {
  return side !== null && side.sessionSeconds >= enoughSeconds
}

/**
 * Whether the practitioner ended the room while the client was in it, who could still have been there for 10 minutes of the
 * session.
 */
export function wasSentAway(
  client: SideAttendance | null,
  room: Pick<RoomFacts, 'starts_at' | 'ends_at' | 'room_state' | 'ended_at' | 'ended_by'>,
): boolean {
  if (!client?.lastOut || room.room_state !== 'ended' || room.ended_by !== 'practitioner' || !room.ended_at) {
    return false
  }
  if (client.lastOut < later(room.ended_at, -times.here)) return false
  return canBePresent(client, room.ended_at, room)
}

/** Whether the client is in the room now, and can still be there for 10 minutes of the session. */
export function isComing(
  client: SideAttendance | null,
  seat: { seen_at: Date; left_at: Date | null } | undefined,
  room: Pick<RoomFacts, 'starts_at' | 'ends_at' | 'room_state'>,
  now: Date,
): boolean {
  if (!client || !seat || room.room_state === 'ended') return false
  return isHere(seat, now) && canBePresent(client, now, room)
}

/** Whether a client who stays in the room from an instant on is there for 10 minutes of the session. */
function canBePresent(
  client: SideAttendance,
  from: Date,
  { starts_at, ends_at }: Pick<RoomFacts, 'starts_at' | 'ends_at'>,
): boolean {
  const begins = Math.max(starts_at.getTime(), from.getTime())
  return begins + times.present - seconds(client.sessionSeconds) <= ends_at.getTime()
}

/** The practitioner's side of a session to which the client says that they did not come. */
export type Absence = SessionAttendance & {
  /** The practitioner has the seat now. */
  isPractitionerHere: boolean
  /** The practitioner let the client in. */
  isLetIn: boolean
}

/** Whether the practitioner came: is there, let the client in before the end, or was there for a minute of the session. */
export function hasCome({ practitioner, isPractitionerHere, isLetIn }: Absence): boolean {
  if (!practitioner) return false
  return isPractitionerHere || isLetIn || seconds(practitioner.sessionSeconds) >= times.glance
}

/** Whether the client was in the room for 10 minutes of the session, and the practitioner did not come. */
export function wasAlone(absence: Absence): boolean {
  return wasPresent(absence.client) && !hasCome(absence)
}

/** Until when the client may report that the practitioner did not come. */
export const reportableUntil = ({ ends_at }: Pick<RoomFacts, 'ends_at'>): Date =>
  later(ends_at, times.outcome)

/** From when the client may report that the practitioner did not come. Null before the start, once they came, and when it is too late. */
export function nobodyCameFrom(
  absence: Absence,
  session: Pick<RoomFacts, 'starts_at' | 'ends_at'>,
  now: Date,
): Date | null {
  const { client } = absence
  const { starts_at, ends_at } = session
  if (hasCome(absence) || !client?.lastOut || now < starts_at || now >= reportableUntil(session)) return null
  if (wasPresent(client)) return later(starts_at, times.present)
  // What has passed since the last heartbeat will count with the next one.
  const isCounted = now.getTime() - client.lastOut.getTime() <= times.counted
  const counted = isCounted ? Math.max(client.lastOut.getTime(), starts_at.getTime()) : now.getTime()
  const from = new Date(counted + times.present - seconds(client.sessionSeconds))
  return from <= ends_at ? from : null
}

/** What decides whether a signal is forwarded, and to whom. */
export type Line = {
  clientId: string
  practitionerAccountId: string
  clientPeer: string | null
  practitionerPeer: string | null
  isAdmitted: boolean
  /** The session takes place, and its room was not ended. */
  isOpen: boolean
  closesAt: Date
}
