import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { isDisputed } from './rooms.store.ts'

/** A person's sessions, and the side that is theirs. In two parts: each finds its rows by an index. */
const sessionsOf = (accountId: string) => sql`
  select id, starts_at, 'client' as own from appointments where client_id = ${accountId}
  union all
  select s.id, s.starts_at, 'practitioner' from practitioners p join appointments s on s.practitioner_id = p.id
  where p.account_id = ${accountId}`

/** Attendance of a person's sessions, newest first; `side` is theirs. */
export async function listAttendance(db: Db, accountId: string) {
  const { rows } = await sql<{
    starts_at: Date
    side: 'client' | 'practitioner'
    own: 'client' | 'practitioner'
    first_in: Date | null
    last_out: Date | null
    seconds: number
  }>`select a.starts_at, t.side, a.own, t.first_in, t.last_out, t.seconds
    from (${sessionsOf(accountId)}) a join session_attendance t on t.appointment_id = a.id
    where a.starts_at is not null
    order by a.starts_at desc, a.id, t.side`.execute(db)
  return rows
}

/** Forgets when a person came to their sessions; that they came stays, and the times too while a dispute is open. */
export async function eraseRooms(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from session_room_seats where account_id = ${accountId}`.execute(tx)
  await sql`update session_attendance t set first_in = null, last_out = null, seconds = 0, session_seconds = 0
    from (${sessionsOf(accountId)}) a
    where a.id = t.appointment_id and a.own = t.side and t.last_out is not null and not ${isDisputed}`.execute(
    tx,
  )
}
