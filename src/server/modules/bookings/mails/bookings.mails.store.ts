import { sql } from 'kysely'
import type { Db } from '../../../db/connection.ts'
import { type ReminderKind, reminders } from './bookings.mails.rules.ts'

/** Sessions with a due reminder that has not been inserted for their current time. Soonest first. */
export async function listToRemindOf(
  db: Db,
  kind: ReminderKind,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { notified, due, latest } = reminders[kind]
  const notifiedBy = sql`a.starts_at - make_interval(secs => ${notified / 1000})`
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a
    where a.state = 'confirmed' and a.frozen_at is null and a.booking_type = 'schedule'
      and a.starts_at <= ${new Date(now.getTime() + due)} and a.starts_at >= ${new Date(now.getTime() + latest)}
      and a.first_booked_at <= ${notifiedBy}
      and not exists (select from outgoing_mails m where m.subject_type = 'appointment' and m.subject_id = a.id::text and (
        (m.template in ('session.booked', 'session.moved', 'session.restored') and m.created_at > ${notifiedBy})
        or (m.template = ${`session.${kind}`} and m.sequence = a.sequence)))
    order by a.starts_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
