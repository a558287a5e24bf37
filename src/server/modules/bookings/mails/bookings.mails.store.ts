import { sql } from 'kysely'
import type { Db } from '../../../db/connection.ts'
import { type ReminderKind, reminders } from './bookings.mails.rules.ts'

/** Sessions with a due reminder that has not been inserted for their current time. Soonest first. */
export async function listToRemindOf(db: Db, kind: ReminderKind, now: Date, most: number): Promise<string[]> {
  const { told, due, latest } = reminders[kind]
  const toldBy = sql`a.starts_at - make_interval(secs => ${told / 1000})`
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a
    where a.state = 'confirmed' and a.frozen_at is null and a.booking_type = 'schedule'
      and a.starts_at <= ${new Date(now.getTime() + due)} and a.starts_at >= ${new Date(now.getTime() + latest)}
      and a.first_booked_at <= ${toldBy}
      and not exists (select from outgoing_mails m where m.subject_type = 'appointment' and m.subject_id = a.id::text and (
        (m.template in ('session.booked', 'session.moved', 'session.restored') and m.created_at > ${toldBy})
        or (m.template = ${`session.${kind}`} and m.sequence = a.sequence)))
    order by a.starts_at limit ${most}`.execute(db)
  return rows.map((row) => row.id)
}
