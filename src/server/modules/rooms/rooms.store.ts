import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { AppointmentState, BookingType } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { RoomState } from '#contract/rooms/rooms.ts'
import type { Db, Patch, Tx } from '../../db/connection.ts'
import { prepare } from '../../db/prepared.ts'
import { together } from '../../db/transaction.ts'
import { type Side, times } from './rooms.rules.ts'

/** A session, its two people, its room, both seats and both attendances, in one row. */
export type RoomRow = {
  id: string
  state: AppointmentState
  booking_type: BookingType
  appointment_type: AppointmentType
  frozen_at: Date | null
  starts_at: Date
  ends_at: Date
  follows_another: boolean
  client_id: string
  client_first_name: string
  client_last_name: string
  practitioner_id: number
  practitioner_account_id: string
  practitioner_first_name: string
  practitioner_last_name: string
  image_key: string | null
  kind: 'hearth' | 'own'
  meeting_link: string | null
  room_starts_at: Date | null
  room_state: RoomState | null
  admitted_at: Date | null
  ended_at: Date | null
  ended_by: 'practitioner' | 'system' | null
  late_at: Date | null
  own_link_at: Date | null
  version: number | null
  client_peer: string | null
  client_taken_at: Date | null
  client_seen_at: Date | null
  client_left_at: Date | null
  practitioner_peer: string | null
  practitioner_taken_at: Date | null
  practitioner_seen_at: Date | null
  practitioner_left_at: Date | null
  client_came: boolean
  client_first_in: Date | null
  client_last_out: Date | null
  client_seconds: number | null
  client_session_seconds: number | null
  practitioner_came: boolean
  practitioner_first_in: Date | null
  practitioner_last_out: Date | null
  practitioner_seconds: number | null
  practitioner_session_seconds: number | null
}

const factsOf = (those: RawBuilder<SqlBool>) => sql`
  select a.id, a.state, a.booking_type, a.appointment_type, a.frozen_at, a.starts_at, a.ends_at, a.client_id,
    a.practitioner_id, p.account_id as practitioner_account_id, p.image_key, p.meeting_link,
    p.room as kind,
    c.first_name as client_first_name, c.last_name as client_last_name,
    o.first_name as practitioner_first_name, o.last_name as practitioner_last_name,
    exists (select from appointments b where b.practitioner_id = a.practitioner_id and b.id <> a.id
      and b.starts_at < a.starts_at and b.starts_at > a.starts_at - interval '1 day'
      and b.state in ('confirmed', 'completed') and b.frozen_at is null
      and b.ends_at > a.starts_at - make_interval(secs => ${sql.lit(times.opens / 1000)})
      and b.ends_at <= a.starts_at) as follows_another,
    r.starts_at as room_starts_at, r.state as room_state, r.admitted_at, r.ended_at, r.ended_by, r.late_at,
    r.own_link_at, r.version,
    cs.peer_id as client_peer, cs.taken_at as client_taken_at, cs.seen_at as client_seen_at, cs.left_at as client_left_at,
    ps.peer_id as practitioner_peer, ps.taken_at as practitioner_taken_at, ps.seen_at as practitioner_seen_at,
    ps.left_at as practitioner_left_at,
    ca.side is not null as client_came, ca.first_in as client_first_in, ca.last_out as client_last_out,
    ca.seconds as client_seconds, ca.session_seconds as client_session_seconds,
    pa.side is not null as practitioner_came, pa.first_in as practitioner_first_in,
    pa.last_out as practitioner_last_out, pa.seconds as practitioner_seconds,
    pa.session_seconds as practitioner_session_seconds
  from appointments a
  join practitioners p on p.id = a.practitioner_id
  join accounts o on o.id = p.account_id
  join accounts c on c.id = a.client_id
  left join session_rooms r on r.appointment_id = a.id
  left join session_room_seats cs on cs.appointment_id = a.id and cs.side = 'client'
  left join session_room_seats ps on ps.appointment_id = a.id and ps.side = 'practitioner'
  left join session_attendance ca on ca.appointment_id = a.id and ca.side = 'client'
  left join session_attendance pa on pa.appointment_id = a.id and pa.side = 'practitioner'
  where ${those} and a.first_booked_at is not null and a.starts_at is not null and a.ends_at is not null`

const readRoom = prepare<{ id: string }, RoomRow>(({ id }) => sql<RoomRow>`${factsOf(sql`a.id = ${id}`)}`)
const readRooms = prepare<{ ids: readonly string[] }, RoomRow>(
  ({ ids }) => sql<RoomRow>`${factsOf(sql`a.id = any(${ids}::uuid[])`)}`,
)

/** The room of a session that was booked once; within a transaction, what it has written itself included. */
export async function findRoom(db: Db, id: string): Promise<RoomRow | undefined> {
  return (await readRoom(db, { id }))[0]
}

/** The rooms of sessions that were booked once. */
export async function findRooms(db: Db, ids: readonly string[]): Promise<RoomRow[]> {
  const [id, ...others] = ids
  if (id === undefined) return []
  // PostgreSQL keeps the plan for one, and makes one anew for each list.
  return others.length === 0 ? readRoom(db, { id }) : readRooms(db, { ids })
}

const lock = prepare<{ id: string }, { appointment_id: string }>(
  ({ id }) =>
    sql<{
      appointment_id: string
    }>`select appointment_id from session_rooms where appointment_id = ${id} for update`,
)

export type LockedRoom = { row: RoomRow | undefined; isStored: boolean }

/** Locks the room of a session until the transaction ends, if there is one, and reads it as it is once locked. */
export async function lockRoom(tx: Tx, id: string): Promise<LockedRoom> {
  const [locked, [row]] = await together(tx, lock.of({ id }), readRoom.of({ id }))
  return { row, isStored: locked.length > 0 }
}

type NewRoom = { appointment_id: string; starts_at: Date; state: RoomState; admitted_at: Date | null }

const insertRoom = prepare<NewRoom, never>(
  ({ appointment_id, starts_at, state, admitted_at }) => sql<never>`
    insert into session_rooms (appointment_id, starts_at, state, admitted_at)
    values (${appointment_id}, ${starts_at}, ${state}, ${admitted_at}) on conflict do nothing`,
)

/** Creates the room of a session unless another call has, locks it, and reads it as it is once locked. */
export async function createRoom(tx: Tx, room: NewRoom): Promise<RoomRow | undefined> {
  const id = room.appointment_id
  const [, , [row]] = await together(tx, insertRoom.of(room), lock.of({ id }), readRoom.of({ id }))
  return row
}

export type RoomChange = Omit<Patch<'session_rooms'>, 'version'>

/** Changes a locked room, raises its version, and reads it as it then is. */
export async function changeRoom(tx: Tx, id: string, change: RoomChange): Promise<RoomRow | undefined> {
  const changing = tx
    .updateTable('session_rooms')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('appointment_id', '=', id)
  const [, [row]] = await together(tx, { statements: [changing], read: () => undefined }, readRoom.of({ id }))
  return row
}

/** Seconds since a seat was seen last; none if it was too long ago. */
const passed = (now: Date) => sql`case when ${now}::timestamptz - seat.seen_at
  <= make_interval(secs => ${sql.lit(times.counted / 1000)})
  then greatest(0, extract(epoch from ${now}::timestamptz - seat.seen_at))::float8 else 0 end`

/** As `passed`, of the time between the session's start and end. */
const passedInSession = (now: Date) => sql`case when ${now}::timestamptz - seat.seen_at
  <= make_interval(secs => ${sql.lit(times.counted / 1000)})
  then greatest(0, extract(epoch from least(${now}::timestamptz, seat.ends_at) - greatest(seat.seen_at, seat.starts_at)))::float8
  else 0 end`

/** The time at which a device has gone: where it was not seen any more, that of its last heartbeat stays. */
const lastOut = (now: Date) => sql`case when ${now}::timestamptz - seat.seen_at
  <= make_interval(secs => ${sql.lit(times.counted / 1000)}) then ${now}::timestamptz else t.last_out end`

/** Deletes the seats of a locked room, and counts their last seconds. */
export async function deleteSeats(tx: Tx, id: string, now: Date): Promise<void> {
  await together(tx, countSeats.of({ id, side: null, now }), clearSeats.of({ id }))
}

const clearSeats = prepare<{ id: string }, never>(
  ({ id }) => sql<never>`delete from session_room_seats where appointment_id = ${id}`,
)

export async function deleteAttendance(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('session_attendance').where('appointment_id', '=', id).execute()
}

/** Counts the time since the seats of a locked room were seen last, as their devices stop now: of both sides, or of one. */
const countSeats = prepare<{ id: string; side: Side | null; now: Date }, never>(
  ({ id, side, now }) => sql<never>`
    with seat as (
      select s.appointment_id, s.side, s.seen_at, r.starts_at, r.starts_at + (a.ends_at - a.starts_at) as ends_at
      from session_room_seats s
      join session_rooms r on r.appointment_id = s.appointment_id
      join appointments a on a.id = s.appointment_id
      where s.appointment_id = ${id} and s.left_at is null and (${side}::text is null or s.side = ${side})
      -- Before the time, as a heartbeat locks them.
      for no key update of s
    )
    update session_attendance t set last_out = ${lastOut(now)}, seconds = t.seconds + ${passed(now)},
      session_seconds = t.session_seconds + ${passedInSession(now)}
    from seat where t.appointment_id = seat.appointment_id and t.side = seat.side`,
)

type Taken = {
  appointment_id: string
  side: Side
  peer_id: string
  account_id: string
  login_session_id: string
}

const insertSeat = prepare<Taken & { now: Date }, never>(
  ({ appointment_id, side, peer_id, account_id, login_session_id, now }) => sql<never>`
    insert into session_room_seats (appointment_id, side, peer_id, account_id, login_session_id, taken_at, seen_at)
    values (${appointment_id}, ${side}, ${peer_id}, ${account_id}, ${login_session_id}, ${now}, ${now})
    on conflict (appointment_id, side) do update set peer_id = excluded.peer_id, account_id = excluded.account_id,
      login_session_id = excluded.login_session_id, taken_at = excluded.taken_at, seen_at = excluded.seen_at,
      left_at = null`,
)

const insertAttendance = prepare<Pick<Taken, 'appointment_id' | 'side'> & { now: Date }, never>(
  ({ appointment_id, side, now }) => sql<never>`
    insert into session_attendance (appointment_id, side, first_in, last_out)
    values (${appointment_id}, ${side}, ${now}, ${now})
    on conflict (appointment_id, side) do update set last_out = excluded.last_out`,
)

const raiseVersion = prepare<{ id: string }, never>(
  ({ id }) => sql<never>`update session_rooms set version = version + 1 where appointment_id = ${id}`,
)

/** Gives a seat of a locked room to a device, notes that its side came, and reads the room as it then is. */
export async function takeSeat(tx: Tx, taken: Taken, now: Date): Promise<RoomRow | undefined> {
  const { appointment_id: id, side } = taken
  const [, , , , [row]] = await together(
    tx,
    countSeats.of({ id, side, now }),
    insertSeat.of({ ...taken, now }),
    insertAttendance.of({ appointment_id: id, side, now }),
    raiseVersion.of({ id }),
    readRoom.of({ id }),
  )
  return row
}

type Place = { id: string; side: Side; peer: string; account: string; now: Date }

/** Keeps a seat that a device has, and counts its time, in one statement. Undefined if it does not have it. */
const keepSeat = prepare<
  Place,
  { seconds: number; session_seconds: number } & RoomRow & { is_kept: boolean }
>(
  ({ id, side, peer, account, now }) => sql`
  with seat as (
    select s.appointment_id, s.side, s.seen_at, a.starts_at, a.ends_at
    from session_room_seats s
    join session_rooms r on r.appointment_id = s.appointment_id
    join appointments a on a.id = s.appointment_id
    where s.appointment_id = ${id} and s.side = ${side} and s.peer_id = ${peer} and s.account_id = ${account}
      and s.left_at is null and r.state <> 'ended' and r.starts_at = a.starts_at
      and a.state in ('confirmed', 'completed') and a.frozen_at is null
      and ${now}::timestamptz < a.ends_at + make_interval(secs => ${sql.lit(times.closes / 1000)})
    for no key update of s
  ), seen as (
    update session_room_seats s set seen_at = ${now} from seat
    where s.appointment_id = seat.appointment_id and s.side = seat.side returning s.side
  ), counted as (
    update session_attendance t set last_out = ${now}, seconds = t.seconds + ${passed(now)},
      session_seconds = t.session_seconds + ${passedInSession(now)}
    from seat where t.appointment_id = seat.appointment_id and t.side = seat.side
    returning t.seconds, t.session_seconds
  )
  select facts.*, exists (select from seen) as is_kept,
    coalesce((select c.seconds from counted c), 0) as seconds,
    coalesce((select c.session_seconds from counted c), 0) as session_seconds
  from (${factsOf(sql`a.id = ${id}`)}) facts`,
)

/** The room after the heartbeat of a device, and whether that device has the seat. */
export async function beat(db: Db, place: Place): Promise<{ row: RoomRow; isKept: boolean } | undefined> {
  const [found] = await keepSeat(db, place)
  if (!found) return undefined
  const { is_kept: isKept, seconds, session_seconds, ...row } = found
  if (!isKept) return { row, isKept }
  // The statement reads what was there before it wrote.
  const { side, now } = place
  const written = {
    [`${side}_seen_at`]: now,
    [`${side}_last_out`]: now,
    [`${side}_seconds`]: seconds,
    [`${side}_session_seconds`]: session_seconds,
  }
  return { row: { ...row, ...written }, isKept }
}

/** Gives up the seat of a device, and counts its last seconds. False if it does not have it. */
export async function leaveSeat(tx: Tx, { id, side, peer, account, now }: Place): Promise<boolean> {
  const { rows } = await sql`
    with seat as (
      select s.appointment_id, s.side, s.seen_at, a.starts_at, a.ends_at
      from session_room_seats s join appointments a on a.id = s.appointment_id
      where s.appointment_id = ${id} and s.side = ${side} and s.peer_id = ${peer} and s.account_id = ${account}
        and s.left_at is null for no key update of s
    ), counted as (
      update session_attendance t set last_out = ${lastOut(now)}, seconds = t.seconds + ${passed(now)},
        session_seconds = t.session_seconds + ${passedInSession(now)}
      from seat where t.appointment_id = seat.appointment_id and t.side = seat.side
    )
    update session_room_seats s set left_at = ${now} from seat
    where s.appointment_id = seat.appointment_id and s.side = seat.side returning s.side`.execute(tx)
  return rows.length > 0
}

/** Sessions in which an account has a seat by a sign-in session that has ended. */
export async function seatsSignedOut(
  tx: Tx,
  accountId: string,
): Promise<{ id: string; peer: string; side: Side }[]> {
  return tx
    .selectFrom('session_room_seats as s')
    .innerJoin('login_sessions as l', 'l.id', 's.login_session_id')
    .select(['s.appointment_id as id', 's.peer_id as peer', 's.side'])
    .where('s.account_id', '=', accountId)
    .where('s.left_at', 'is', null)
    .where('l.ended_at', 'is not', null)
    .execute()
}

/** Sessions of a practitioner with a room that is neither ended nor past. */
export async function openRoomsOf(tx: Tx, practitionerId: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a join session_rooms r on r.appointment_id = a.id
    where a.practitioner_id = ${practitionerId} and r.state <> 'ended'
      and a.ends_at > ${now}::timestamptz - make_interval(secs => ${sql.lit(times.closes / 1000)})
    order by a.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** When the rooms of sessions were ended, by appointment, each for the session's present start. */
export async function findRoomEnds(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('session_rooms as r')
    .innerJoin('appointments as a', (join) =>
      join.onRef('a.id', '=', 'r.appointment_id').onRef('a.starts_at', '=', 'r.starts_at'),
    )
    .select(['r.appointment_id', 'r.ended_at'])
    .where('r.appointment_id', 'in', ids)
    .where('r.state', '=', 'ended')
    .execute()
  return new Map(rows.flatMap(({ appointment_id: id, ended_at: at }) => (at ? [[id, at] as const] : [])))
}

export type AttendanceRow = Awaited<ReturnType<typeof readAttendance>>[number]

export async function readAttendance(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db.selectFrom('session_attendance').selectAll().where('appointment_id', 'in', ids).execute()
}

/** Deletes seats of sessions that ended before an instant. */
export async function deleteSeatsOfEnded(db: Db, endedBefore: Date): Promise<void> {
  await sql`delete from session_room_seats s using appointments a
    where a.id = s.appointment_id and a.ends_at < ${endedBefore}`.execute(db)
}

/** Whether what became of a session `a` is disputed: attendance is then still needed. */
export const isDisputed = sql`(exists (select from no_shows n where n.appointment_id = a.id and n.state = 'disputed')
  or exists (select from payment_intents i join disputes d on d.payment_intent_id = i.id
    where i.appointment_id = a.id and d.state = 'open'))`

/** Deletes rooms and forgets the times of attendance of sessions that ended before an instant, open disputes aside. */
export async function forgetTimes(db: Db, endedBefore: Date): Promise<void> {
  await sql`update session_attendance t set first_in = null, last_out = null, seconds = 0, session_seconds = 0
    from appointments a where a.id = t.appointment_id and t.first_in < ${endedBefore}
      and t.last_out < ${endedBefore} and a.ends_at < ${endedBefore} and not ${isDisputed}`.execute(db)
  await sql`delete from session_rooms r using appointments a
    where a.id = r.appointment_id and r.starts_at < ${endedBefore} and a.ends_at < ${endedBefore}
      and not ${isDisputed}`.execute(db)
}
