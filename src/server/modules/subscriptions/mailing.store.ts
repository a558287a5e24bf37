import type { Db, Tx } from '../../db/connection.ts'

export type BillingMailKind = 'receipt' | 'payment_failed' | 'lapsed' | 'cancelled' | 'ended'

/** What a mail tells, as it was at the change: pence, instants as ISO text. */
export type Facts = {
  description?: string
  amount_pence?: number
  number?: string
  /** Until when it runs, or is paid. */
  until?: string | null
  next_charge_at?: string | null
  lapses_at?: string | null
  reason?: string
}

type NewMail = { id: string; practitioner_id: number; kind: BillingMailKind; facts: Facts; created_at: Date }

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  await tx
    .insertInto('subscription_mails')
    .values({ ...mail, facts: JSON.stringify(mail.facts) })
    .execute()
}

/** A mail that is still to be sent, kept from others until the transaction ends. */
export function lockMail(tx: Tx, id: string) {
  return tx
    .selectFrom('subscription_mails')
    .selectAll()
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function setClaim(db: Db, id: string, until: Date | null): Promise<void> {
  await db
    .updateTable('subscription_mails')
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
    .updateTable('subscription_mails')
    .set({ outcome, settled_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}
