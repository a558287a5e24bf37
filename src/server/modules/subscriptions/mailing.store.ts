import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'

export type BillingMailKind =
  | 'receipt'
  | 'payment_failed'
  | 'lapsed'
  | 'cancelled'
  | 'ended'
  | 'charge_refunded'
  | 'charge_disputed'

/** Mails about a video order. Those that end in `_office`, and what the practitioner asks for, go to the office. */
export type VideoMailKind =
  | 'video_dates'
  | 'video_dates_asked'
  | 'video_date_agreed'
  | 'video_date_agreed_office'
  | 'video_ready'
  | 'video_change_asked'
  | 'video_approved'
  | 'video_approved_office'
  | 'video_taken_back'

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
  /** The step of a video order that it tells of. */
  step?: number
  /** Whether it is about the first charge: there is nothing yet to be renewed. */
  is_first?: boolean
}

type NewMail = {
  id: string
  practitioner_id: number
  kind: BillingMailKind | VideoMailKind
  facts: Facts
  created_at: Date
}

export type MailRow = NonNullable<Awaited<ReturnType<typeof lockMail>>>

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  await tx
    .insertInto('subscription_mails')
    .values({ ...mail, facts: JSON.stringify(mail.facts) })
    .execute()
}

/** Locks an unsent mail until the transaction ends. */
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

/** Drops a mail about a step of a video order, unless it has been sent or is on its way. */
export async function dropUnsent(
  tx: Tx,
  mail: { practitionerId: number; kind: VideoMailKind; step: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscription_mails')
    .set({ outcome: 'dropped', settled_at: now })
    .where('practitioner_id', '=', mail.practitionerId)
    .where('kind', '=', mail.kind)
    .where(sql<number>`(facts ->> 'step')::int`, '=', mail.step)
    .where('outcome', 'is', null)
    .where('claimed_until', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
