import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'

/**
 * Sets or lifts a member's block, and locks the dialog if it changed. The first block keeps how far each sees that the
 * other has read. Returns whether it changed.
 */
export async function setBlocked(
  tx: Tx,
  dialogId: string,
  by: 'client' | 'practitioner',
  isBlocked: boolean,
): Promise<{ clientId: string; practitionerId: number } | undefined> {
  const column = by === 'client' ? 'client_blocks' : 'practitioner_blocks'
  const row = await tx
    .updateTable('chat_dialogs')
    .set(column, isBlocked)
    .where('id', '=', dialogId)
    .where(column, '<>', isBlocked)
    .returning(['client_id', 'practitioner_id', 'client_blocks', 'practitioner_blocks'])
    .executeTakeFirst()
  if (isBlocked && row && row.client_blocks !== row.practitioner_blocks) {
    await tx
      .updateTable('chat_members')
      .set(({ ref }) => ({ shown_read_seq: ref('read_seq') }))
      .where('dialog_id', '=', dialogId)
      .execute()
  }
  return row && { clientId: row.client_id, practitionerId: row.practitioner_id }
}

/** Those of some messages that are of a dialog, in their order. */
export function readNamed(db: Db, dialogId: string, ids: readonly string[]) {
  return db
    .selectFrom('chat_messages')
    .select(['id', 'seq', 'sender_id', 'body', 'sent_at'])
    .where('dialog_id', '=', dialogId)
    .where('id', 'in', ids)
    .orderBy('seq')
    .execute()
}

/** False when the reporter has an open report of this dialog already. */
export async function insertReport(tx: Tx, report: NewRow<'chat_reports'>): Promise<boolean> {
  const row = await tx
    .insertInto('chat_reports')
    .values(report)
    .onConflict((conflict) =>
      conflict.columns(['dialog_id', 'reporter_id']).where('state', '=', sql.lit('open')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type ReportRow = {
  id: string
  state: 'open' | 'settled'
  sealed_reason: Uint8Array
  messages_count: number
  created_at: Date
  settled_at: Date | null
  reporter_id: string
  reporter_role: string
  reporter_first_name: string
  reporter_last_name: string
  reporter_email: string | null
  other_first_name: string
  other_last_name: string
  other_email: string | null
  practitioner_id: number
}

const columns = sql`r.id, r.state, r.sealed_reason, r.messages_count, r.created_at, r.settled_at, r.reporter_id,
  a.role as reporter_role, a.first_name as reporter_first_name, a.last_name as reporter_last_name,
  a.email as reporter_email, o.first_name as other_first_name, o.last_name as other_last_name,
  o.email as other_email, d.practitioner_id`
const people = sql`from chat_reports r
  join chat_dialogs d on d.id = r.dialog_id
  join chat_members reported on reported.dialog_id = d.id and reported.account_id <> r.reporter_id
  join accounts a on a.id = r.reporter_id
  join accounts o on o.id = reported.account_id`

/** A page of reports: open ones oldest first, settled ones newest first. */
export async function listReports(
  db: Db,
  state: 'open' | 'settled',
  range: { limit: number; offset: number },
): Promise<ReportRow[]> {
  const order = state === 'open' ? sql`r.created_at, r.id` : sql`r.settled_at desc, r.id desc`
  const { rows } = await sql<ReportRow>`select ${columns} ${people} where r.state = ${state}
    order by ${order} limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

export async function findReport(db: Db, id: string): Promise<ReportRow | undefined> {
  return (await sql<ReportRow>`select ${columns} ${people} where r.id = ${id}`.execute(db)).rows[0]
}

export async function countReports(db: Db, state: 'open' | 'settled'): Promise<number> {
  return countRows(db.selectFrom('chat_reports').where('state', '=', state))
}

export async function readSealedMessages(db: Db, id: string): Promise<Uint8Array | null | undefined> {
  const row = await db
    .selectFrom('chat_reports')
    .select('sealed_messages')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sealed_messages
}

/** False when it was settled before. */
export async function resolveReport(tx: Tx, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('chat_reports')
    .set({ state: 'settled', settled_at: now })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the reports of an account, oldest first. */
export function listOwnReports(db: Db, accountId: string) {
  return db
    .selectFrom('chat_reports')
    .select(['id', 'state', 'sealed_reason', 'messages_count', 'created_at'])
    .where('reporter_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}

/** Dialogs that either of the two has blocked. */
const blocked = (db: Db) =>
  db
    .selectFrom('chat_dialogs')
    .where((eb) => eb.or([eb('client_blocks', '=', true), eb('practitioner_blocks', '=', true)]))

/** The clients of a practitioner whose dialog either of the two has blocked. */
export async function listBlockedClients(db: Db, practitionerId: number): Promise<Set<string>> {
  const rows = await blocked(db).select('client_id').where('practitioner_id', '=', practitionerId).execute()
  return new Set(rows.map((row) => row.client_id))
}

/** The practitioners of a client whose dialog either of the two has blocked, and whether the practitioner has. */
export async function listBlockedPractitioners(
  db: Db,
  clientId: string,
): Promise<Map<number, { byPractitioner: boolean }>> {
  const rows = await blocked(db)
    .select(['practitioner_id', 'practitioner_blocks'])
    .where('client_id', '=', clientId)
    .execute()
  return new Map(
    rows.map((row) => [row.practitioner_id, { byPractitioner: row.practitioner_blocks }] as const),
  )
}
