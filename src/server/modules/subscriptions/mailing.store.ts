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

/** Mails about a video order. Kinds that end in `_office`, and a practitioner's requests, go to the back office. */
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

/** The content of a mail as of its change: pence, instants as ISO text. */
export type Facts = {
  description?: string
  amount_pence?: number
  number?: string
  /** End of the subscription or of the paid month. */
  until?: string | null
  next_charge_at?: string | null
  lapses_at?: string | null
  reason?: string
  /** Number of the video order's step that the mail is about. */
  step?: number
  /** Whether it is about the first charge, which renews nothing. */
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

/** Records the outcome of a mail; the first outcome stands. */
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

/** Drops an unsent mail about a step of a video order. A claimed mail stays. */
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
