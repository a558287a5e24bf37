import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

/** Dialogs that clients have begun: opened to ask something, and written in by them first. */
const enquiries = (practitionerId: number) => sql`
  from chat_dialogs d join chat_messages f on f.dialog_id = d.id and f.seq = 1 and f.sender_id = d.client_id
  where d.practitioner_id = ${practitionerId} and d.opened_for = 'enquiry'`

export async function countEnquiries(db: Db, practitionerId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${enquiries(practitionerId)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * The median of the times from a first message to the first answer, in minutes; null where nothing was answered yet.
 * Messages are numbered in the order of their times. `offset 0` has each answer looked for once, not once for each use.
 */
export async function medianResponse(db: Db, practitionerId: number): Promise<number | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select round(percentile_cont(0.5) within group (order by extract(epoch from taken) / 60))::int as minutes
    from (
      select (select m.sent_at from chat_messages m
          where m.dialog_id = d.id and m.sender_id <> d.client_id
          order by m.seq limit 1) - f.sent_at as taken
      ${enquiries(practitionerId)} offset 0) answered
    where taken is not null`.execute(db)
  return rows[0]?.minutes ?? null
}
