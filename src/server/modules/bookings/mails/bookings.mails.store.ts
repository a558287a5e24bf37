import { sql } from 'kysely'
import type { Db } from '../../../db/connection.ts'
import { type AppointmentRow, owedPence } from '../bookings.store.ts'
import {
  type DatesMailKind,
  type MailRecipient,
  type ReminderKind,
  reminders,
} from './bookings.mails.rules.ts'

/**
 * Sessions with a due reminder that has not been inserted for their current time. Soonest first. That a session is on again, or
 * elsewhere, is mailed to its client alone: sending drops the client's reminder.
 */
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
        m.template in ('session.booked', 'session.moved', ${`session.${kind}`}) and m.created_at > ${notifiedBy}
        and m.recipient = 'practitioner'))
    order by a.starts_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** What is owed to the practitioner for a session, in pence. */
export async function readOwed(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('appointments')
    .select(owedPence.as('pence'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.pence
}

/** The mails that bring a session with its time by themselves: a calendar may show it. */
const withTime = sql`('session.booked', 'session.moved')`

/** Whether a calendar may show a session of a series by a mail about it: once it is paid or moved. */
export async function mayBeInCalendar(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from outgoing_mails
    where subject_type = 'appointment' and subject_id = ${id} and template in ${withTime} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a mail that brings a session with its time was inserted for a recipient by an instant. */
export async function hadEntryBy(
  db: Db,
  { id, recipient, at }: { id: string; recipient: MailRecipient; at: Date },
): Promise<boolean> {
  const { rows } = await sql`select from outgoing_mails
    where subject_type = 'appointment' and subject_id = ${id} and template in ${withTime}
      and recipient = ${recipient} and created_at <= ${at} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * The unpaid dates of a series that one change by the platform froze, restored or cancelled, this session among them;
 * soonest first. None for a session without a series, for one that an admin cancelled by itself, and for one that had a
 * mail with its time: a calendar may show it.
 * `at` is when the mail was inserted.
 */
export async function listDatesTogether(
  db: Db,
  kind: DatesMailKind,
  row: Pick<AppointmentRow, 'id' | 'series_id' | 'frozen_at' | 'frozen_until' | 'cancel_code'>,
  at: Date,
): Promise<{ id: string; starts_at: Date; frozen_until: Date | null }[]> {
  if (row.series_id === null || row.cancel_code === 'office') return []
  const together = {
    frozen: sql`a.state = 'reserved' and a.frozen_at = ${row.frozen_at}`,
    // All of them were restored in one transaction.
    restored: sql`a.state = 'reserved' and a.frozen_at is null and exists (
      select from outgoing_mails m where m.subject_type = 'appointment' and m.subject_id = a.id::text
        and m.template = 'session.restored' and m.sequence = a.sequence
        and m.created_at between ${at}::timestamptz - interval '1 minute' and ${at}::timestamptz + interval '1 minute')`,
    // Each is cancelled in a transaction of its own: the next ones are about to be.
    cancelled: sql`a.frozen_until = ${row.frozen_until} and (
      (a.state = 'cancelled' and a.cancel_code = ${row.cancel_code}) or (a.state = 'reserved' and a.frozen_at is not null))`,
  }[kind]
  const { rows } = await sql<{ id: string; starts_at: Date; frozen_until: Date | null }>`
    select a.id, a.starts_at, a.frozen_until from appointments a
    where a.series_id = ${row.series_id} and ${together} and not exists (
      select from outgoing_mails m where m.subject_type = 'appointment' and m.subject_id = a.id::text
        and m.template in ${withTime})
    order by a.starts_at, a.id`.execute(db)
  return rows.some(({ id }) => id === row.id) ? rows : []
}
