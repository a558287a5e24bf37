import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import {
  type MailOutcome,
  type MailRecipient,
  type ReminderKind,
  reminders,
  type SessionMailKind,
} from './mailing.rules.ts'

type NewMail = {
  id: string
  appointment_id: string
  kind: SessionMailKind
  sequence: number
  recipient: MailRecipient
  moved_from: Date | null
  refund_ids: string[]
  created_at: Date
}

/** Returns false if the same mail exists already. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<boolean> {
  const row = await tx
    .insertInto('session_mails')
    .values(mail)
    .onConflict((conflict) =>
      conflict.columns(['appointment_id', 'kind', 'sequence', 'recipient']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type SessionMailRow = Awaited<ReturnType<typeof lockMailsBeside>>[number]

/** Locks the mails about the same session to the same recipient until the transaction ends. */
export function lockMailsBeside(tx: Tx, id: string) {
  return tx
    .selectFrom('session_mails')
    .selectAll()
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('appointment_id', 'recipient'),
        'in',
        selectFrom('session_mails as this')
          .select(['this.appointment_id', 'this.recipient'])
          .where('this.id', '=', id)
          .$asTuple('appointment_id', 'recipient'),
      ),
    )
    .orderBy('sequence')
    .orderBy('kind')
    .forUpdate()
    .execute()
}

/** The refunds requested with a change of a session, empty if there was none. */
export async function findRefundIds(db: Db, appointmentId: string, sequence: number): Promise<string[]> {
  const row = await db
    .selectFrom('session_mails')
    .select('refund_ids')
    .where('appointment_id', '=', appointmentId)
    .where('sequence', '=', sequence)
    .where('kind', '=', 'refunded')
    .executeTakeFirst()
  return row?.refund_ids ?? []
}

/** Whether a mail about a refund exists, sent or not. */
export async function hasMailFor(db: Db, appointmentId: string, refundId: string): Promise<boolean> {
  const row = await db
    .selectFrom('session_mails')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where(sql<boolean>`${refundId} = any(refund_ids)`)
    .executeTakeFirst()
  return row !== undefined
}

/** Mails that wait for a refund. */
export async function listWaitingFor(db: Db, appointmentId: string, refundId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('session_mails')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('outcome', 'is', null)
    .where(sql<boolean>`${refundId} = any(refund_ids)`)
    .execute()
  return rows.map((row) => row.id)
}

export async function setClaim(db: Db, id: string, until: Date | null): Promise<void> {
  await db
    .updateTable('session_mails')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Records the outcome of a mail; the first outcome stands. */
export async function settleMail(db: Db, id: string, outcome: MailOutcome, now: Date): Promise<void> {
  await db
    .updateTable('session_mails')
    .set({ outcome, settled_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Sessions with a due reminder that has not been inserted for their current time. Soonest first. */
export async function listToRemindOf(db: Db, kind: ReminderKind, now: Date, most: number): Promise<string[]> {
  const { told, due, latest } = reminders[kind]
  const toldBy = sql`a.starts_at - make_interval(secs => ${told / 1000})`
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a
    where a.state = 'confirmed' and a.frozen_at is null and a.booking_type = 'schedule'
      and a.starts_at <= ${new Date(now.getTime() + due)} and a.starts_at >= ${new Date(now.getTime() + latest)}
      and a.first_booked_at <= ${toldBy}
      and not exists (select from session_mails m where m.appointment_id = a.id and (
        (m.kind in ('booked', 'moved', 'restored') and m.created_at > ${toldBy})
        or (m.kind = ${kind} and m.sequence = a.sequence)))
    order by a.starts_at limit ${most}`.execute(db)
  return rows.map((row) => row.id)
}
