import type { Db, Tx } from '../../db/connection.ts'

export type HelpMailKind = 'asked' | 'accepted' | 'nobody' | 'returned'

type NewMail = {
  id: string
  appointment_id: string
  kind: HelpMailKind
  offer_id: string | null
  created_at: Date
}

/** Notes a mail that is due, unless it has been noted before. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<boolean> {
  const row = await tx
    .insertInto('help_mails')
    .values(mail)
    .onConflict((conflict) => conflict.columns(['appointment_id', 'kind', 'offer_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A mail that is still to be sent, kept from others until the transaction ends. */
export function lockMail(tx: Tx, id: string) {
  return tx
    .selectFrom('help_mails')
    .selectAll()
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether a mail has been sent, or is being sent. */
export async function isOut(db: Db, appointmentId: string, kind: HelpMailKind): Promise<boolean> {
  const row = await db
    .selectFrom('help_mails')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('outcome', '=', 'sent'), eb('claimed_until', 'is not', null)]))
    .executeTakeFirst()
  return row !== undefined
}

export async function setClaim(db: Db, id: string, until: Date | null): Promise<void> {
  await db
    .updateTable('help_mails')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Writes down what became of a mail; the first to know is right. */
export async function settleMail(
  db: Db,
  id: string,
  outcome: 'sent' | 'dropped' | 'refused',
  now: Date,
): Promise<void> {
  await db
    .updateTable('help_mails')
    .set({ outcome, settled_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}
