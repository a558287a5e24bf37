import { sql } from 'kysely'
import type { ReportState } from '#contract/reviews.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'
import { perPage } from './reviews.rules.ts'

/**
 * Writes a report down, unless the same person's of the same thing is still open. Returns its id if no other of that thing
 * is open. The caller has locked the review.
 */
export async function insertReport(
  tx: Tx,
  report: NewRow<'review_reports', 'state'>,
): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('review_reports')
    .values({ ...report, state: 'open' })
    .onConflict((conflict) =>
      conflict.columns(['review_id', 'about', 'account_id']).where('state', '=', sql.lit('open')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  const first = await tx
    .selectFrom('review_reports')
    .select('id')
    .where('review_id', '=', report.review_id)
    .where('about', '=', report.about)
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return inserted?.id === first?.id ? inserted?.id : undefined
}

/** Whether an account has an open report of a review. */
export async function hasReported(db: Db, reviewId: number, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('review_reports')
    .select('id')
    .where('review_id', '=', reviewId)
    .where('about', '=', 'review')
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the reports of a reply that was withdrawn. */
export async function deleteReplyReports(tx: Tx, reviewId: number): Promise<void> {
  await tx
    .deleteFrom('review_reports')
    .where('review_id', '=', reviewId)
    .where('about', '=', 'reply')
    .execute()
}

/** Locks a report until the transaction ends. */
export function lockReport(tx: Tx, id: number) {
  return tx
    .selectFrom('review_reports')
    .select(['id', 'review_id', 'about', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The review that a report is about. */
export async function reviewOfReport(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('review_reports')
    .select('review_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.review_id
}

/** Closes a report, and every other one of the same review or reply that is in the state `from`. */
export async function settleReports(
  tx: Tx,
  report: { id: number; review_id: number; about: 'review' | 'reply' },
  { from, to }: { from: ReportState; to: 'hidden' | 'dismissed' },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('review_reports')
    .set({ state: to, decided_at: now })
    .where('review_id', '=', report.review_id)
    .where('about', '=', report.about)
    .where((eb) => eb.or([eb('id', '=', report.id), eb('state', '=', from)]))
    .execute()
}

export type ReportRow = Awaited<ReturnType<typeof listReports>>[number]

const reports = (db: Db) =>
  db
    .selectFrom('review_reports')
    .innerJoin('reviews', 'reviews.id', 'review_reports.review_id')
    .innerJoin('practitioners', 'practitioners.id', 'reviews.practitioner_id')
    .innerJoin('accounts as owner', 'owner.id', 'practitioners.account_id')
    .leftJoin('accounts as reporter', 'reporter.id', 'review_reports.account_id')
    .selectAll('review_reports')
    .select([
      'reviews.reviewer',
      'reviews.rating',
      'reviews.comment',
      'reviews.created_at as reviewed_at',
      'reviews.edited_at',
      'reviews.hidden_at',
      'reviews.hidden_reason',
      'reviews.reply',
      'reviews.reply_edited_at',
      'reviews.reply_hidden_at',
      'reviews.reply_hidden_reason',
      'reviews.practitioner_id',
      'owner.id as practitioner_account_id',
      'owner.first_name as practitioner_first_name',
      'owner.last_name as practitioner_last_name',
      'reporter.role as reporter_role',
      'reporter.first_name',
      'reporter.last_name',
      'reporter.email',
    ])
    .select(
      sql<number>`(select count(*)::int from review_reports same where same.review_id = review_reports.review_id
        and same.about = review_reports.about and same.state = 'open')`.as('open_reports'),
    )

/** Whether a report is the oldest of those of the same review or reply that are open, or were closed by one decision. */
const isOldest = sql<boolean>`not exists (select from review_reports older
  where older.review_id = review_reports.review_id and older.about = review_reports.about
    and older.state = review_reports.state and older.decided_at is not distinct from review_reports.decided_at
    and older.id < review_reports.id)`

/** A page of the oldest reports of each thing: open ones oldest first, decided ones by the newest decision. */
export function listReports(db: Db, state: ReportState, page: number) {
  return reports(db)
    .where('review_reports.state', '=', state)
    .where(isOldest)
    .orderBy(
      state === 'open' ? 'review_reports.created_at' : 'review_reports.decided_at',
      state === 'open' ? 'asc' : 'desc',
    )
    .orderBy('review_reports.id', state === 'open' ? 'asc' : 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

/** Every report in a state of some reviews and their replies, oldest first. */
export async function reportsOf(db: Db, state: ReportState, reviewIds: number[]): Promise<ReportRow[]> {
  if (reviewIds.length === 0) return []
  return reports(db)
    .where('review_reports.state', '=', state)
    .where('review_reports.review_id', 'in', reviewIds)
    .orderBy('review_reports.id')
    .execute()
}

export function findReport(db: Db, id: number): Promise<ReportRow | undefined> {
  return reports(db).where('review_reports.id', '=', id).executeTakeFirst()
}

/** Counts as `listReports` lists. */
export async function countReports(db: Db, state: ReportState): Promise<number> {
  return countRows(db.selectFrom('review_reports').where('state', '=', state).where(isOldest))
}
