import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { isDisputed } from './rooms.store.ts'

/** Attendance of a person's sessions, newest first; `side` is theirs. */
export async function listAttendance(db: Db, accountId: string) {
  const { rows } = await sql<{
    starts_at: Date
    side: 'client' | 'practitioner'
    own: 'client' | 'practitioner'
    first_in: Date | null
    last_out: Date | null
    seconds: number
  }>`select a.starts_at, t.side, case when a.client_id = ${accountId} then 'client' else 'practitioner' end as own,
      t.first_in, t.last_out, t.seconds
    from session_attendance t join appointments a on a.id = t.appointment_id
    join practitioners p on p.id = a.practitioner_id
    where ${accountId}::uuid in (a.client_id, p.account_id) and a.starts_at is not null
    order by a.starts_at desc, a.id, t.side`.execute(db)
  return rows
}

/** Forgets when a person came to their sessions; that they came stays, and the times too while a dispute is open. */
export async function eraseRooms(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from session_room_seats where account_id = ${accountId}`.execute(tx)
  await sql`update session_attendance t set first_in = null, last_out = null, seconds = 0, session_seconds = 0
    from appointments a join practitioners p on p.id = a.practitioner_id
    where a.id = t.appointment_id and t.last_out is not null and not ${isDisputed}
      and ${accountId}::uuid = case t.side when 'client' then a.client_id else p.account_id end`.execute(tx)
}
