import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'

/** Every review of a client with the practitioner's name, newest first. */
export function listWritten(db: Db, clientId: string) {
  return db
    .selectFrom('reviews')
    .innerJoin('practitioners', 'practitioners.id', 'reviews.practitioner_id')
    .innerJoin('accounts as owner', 'owner.id', 'practitioners.account_id')
    .leftJoin('appointments', 'appointments.id', 'reviews.appointment_id')
    .selectAll('reviews')
    .select(['owner.first_name', 'owner.last_name', 'appointments.starts_at'])
    .where('reviews.client_id', '=', clientId)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .execute()
}

/** Every report that an account has made, newest first. */
export function listReported(db: Db, accountId: string) {
  return db
    .selectFrom('review_reports')
    .innerJoin('reviews', 'reviews.id', 'review_reports.review_id')
    .innerJoin('practitioners', 'practitioners.id', 'reviews.practitioner_id')
    .innerJoin('accounts as owner', 'owner.id', 'practitioners.account_id')
    .select([
      'review_reports.about',
      'review_reports.reason',
      'review_reports.created_at',
      'review_reports.state',
      'owner.first_name',
      'owner.last_name',
    ])
    .where('review_reports.account_id', '=', accountId)
    .orderBy('review_reports.created_at', 'desc')
    .orderBy('review_reports.id', 'desc')
    .execute()
}

/**
 * Deletes the reports of an account. Those after which a review or reply was hidden stay without account and reason: it
 * can only be restored by one.
 */
export async function eraseReports(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('review_reports')
    .where('account_id', '=', accountId)
    .where('state', '<>', 'hidden')
    .execute()
  await tx
    .updateTable('review_reports')
    .set({ account_id: null, reason: null })
    .where('account_id', '=', accountId)
    .execute()
}

/**
 * Anonymises the reviews of a client: keeps stars and day, and erases text, author, session and reply. Deletes hidden
 * reviews, which count for no rating. Returns the ids of the practitioners reviewed.
 */
export async function eraseWords(tx: Tx, clientId: string, reviewer: string): Promise<number[]> {
  await tx
    .deleteFrom('reviews')
    .where('client_id', '=', clientId)
    .where('hidden_at', 'is not', null)
    .execute()
  // Replies and reports may quote the review.
  await tx
    .deleteFrom('review_reports')
    .where('review_id', 'in', tx.selectFrom('reviews').select('id').where('client_id', '=', clientId))
    .execute()
  const rows = await tx
    .updateTable('reviews')
    .set({
      client_id: null,
      appointment_id: null,
      comment: '',
      reviewer,
      created_at: sql`date_trunc('day', created_at, 'UTC')`,
      edited_at: null,
      reply: null,
      replied_at: null,
      reply_edited_at: null,
      reply_hidden_at: null,
      reply_hidden_reason: null,
    })
    .where('client_id', '=', clientId)
    .returning('practitioner_id')
    .execute()
  return [...new Set(rows.map((row) => row.practitioner_id))].toSorted((a, b) => a - b)
}
