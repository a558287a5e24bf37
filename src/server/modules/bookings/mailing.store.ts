import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import type { MailOutcome, MailRecipient, SessionMailKind } from './mailing.rules.ts'

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

/** False when the same mail is due, or was settled, already. */
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

/** The mails about the same session to the same recipient, kept from others until the transaction ends. */
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

/** The refunds promised with a change of a session; none when it had none. */
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

/** Writes down what became of a mail; the first to know is right. */
export async function settleMail(db: Db, id: string, outcome: MailOutcome, now: Date): Promise<void> {
  await db
    .updateTable('session_mails')
    .set({ outcome, settled_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}
