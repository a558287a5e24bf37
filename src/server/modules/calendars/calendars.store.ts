import { sql } from 'kysely'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'

const all = (db: Db) => db.selectFrom('google_calendars').selectAll()

export type CalendarRow = NonNullable<Awaited<ReturnType<typeof findOf>>>

export function findOf(db: Db, practitionerId: number) {
  return all(db).where('practitioner_id', '=', practitionerId).executeTakeFirst()
}

export function find(db: Db, id: string) {
  return all(db).where('id', '=', id).executeTakeFirst()
}

export function lock(tx: Tx, id: string) {
  return all(tx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function lockOf(tx: Tx, practitionerId: number) {
  return all(tx).where('practitioner_id', '=', practitionerId).forUpdate().executeTakeFirst()
}

/** Returns false if the practitioner has a calendar already. */
export async function insert(tx: Tx, calendar: NewRow<'google_calendars', 'state'>): Promise<boolean> {
  const row = await tx
    .insertInto('google_calendars')
    .values({ ...calendar, state: 'connected' })
    .onConflict((conflict) => conflict.column('practitioner_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function change(db: Db, id: string, change: Patch<'google_calendars'>): Promise<void> {
  await db.updateTable('google_calendars').set(change).where('id', '=', id).execute()
}

export async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom('google_calendars').where('id', '=', id).execute()
}

/** Whether another practitioner's connection uses a consent of the same account. */
export async function isShared(db: Db, { id, subject }: { id?: string; subject: string }): Promise<boolean> {
  const others = await all(db).where('subject', '=', subject).where('sealed_grant', 'is not', null).execute()
  return others.some((row) => row.id !== id)
}

/** Deletes a connection if another one shares its account, and returns whether it did. Serialises concurrent calls. */
export async function removeShared(tx: Tx, row: { id: string; subject: string }): Promise<boolean> {
  await all(tx).where('subject', '=', row.subject).orderBy('id').forUpdate().execute()
  if (!(await isShared(tx, row))) return false
  await remove(tx, row.id)
  return true
}

/** Claims the calendars that are due to be read or disconnected for the caller until `until`. Returns their ids. */
export async function claimDue(db: Db, now: Date, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update google_calendars set due_at = ${until} where id in (
      select id from google_calendars where state in ('connected', 'leaving') and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

// Entries ---------------------------------------------------------------------------------------------------------------

export function findEntry(db: Db, appointmentId: string) {
  return db
    .selectFrom('calendar_entries')
    .select(['calendar', 'event_id', 'etag'])
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirst()
}

export async function keepEntry(
  db: Db,
  entry: { appointment_id: string; calendar: string; event_id: string; etag: string; written_at: Date },
): Promise<void> {
  const { calendar, event_id, etag, written_at } = entry
  await db
    .insertInto('calendar_entries')
    .values(entry)
    .onConflict((conflict) =>
      conflict.column('appointment_id').doUpdateSet({ calendar, event_id, etag, written_at }),
    )
    .execute()
}

export async function deleteEntry(db: Db, appointmentId: string): Promise<void> {
  await db.deleteFrom('calendar_entries').where('appointment_id', '=', appointmentId).execute()
}

export async function deleteEntriesOf(db: Db, calendar: string): Promise<void> {
  await db.deleteFrom('calendar_entries').where('calendar', '=', calendar).execute()
}
