import { type NotNull, sql } from 'kysely'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { perPage } from './reviews.rules.ts'

export type ReviewRow = NonNullable<Awaited<ReturnType<typeof findReview>>>

/** Reviews, each with the account of the reviewed practitioner. */
const reviews = (db: Db) =>
  db
    .selectFrom('reviews')
    .innerJoin('practitioners', 'practitioners.id', 'reviews.practitioner_id')
    .selectAll('reviews')
    .select('practitioners.account_id as practitioner_account_id')

export function findReview(db: Db, id: number) {
  return reviews(db).where('reviews.id', '=', id).executeTakeFirst()
}

/** As `findReview`; locks the review until the transaction ends. */
export async function lockReview(tx: Tx, id: number): Promise<ReviewRow | undefined> {
  await tx.selectFrom('reviews').select('id').where('id', '=', id).forUpdate().execute()
  return findReview(tx, id)
}

/** Locks the review of a session until the transaction ends. */
export async function lockReviewOf(tx: Tx, appointmentId: string): Promise<ReviewRow | undefined> {
  const row = await tx
    .selectFrom('reviews')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .executeTakeFirst()
  return row && findReview(tx, row.id)
}

/** The reviews of some sessions, by session. */
export async function reviewsOf(db: Db, appointmentIds: string[]): Promise<Map<string, ReviewRow>> {
  if (appointmentIds.length === 0) return new Map()
  const rows = await reviews(db).where('reviews.appointment_id', 'in', appointmentIds).execute()
  return new Map(rows.flatMap((row) => (row.appointment_id ? [[row.appointment_id, row] as const] : [])))
}

export async function insertReview(tx: Tx, review: NewRow<'reviews'>): Promise<number> {
  const { id } = await tx.insertInto('reviews').values(review).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function changeReview(tx: Tx, id: number, patch: Patch<'reviews'>): Promise<void> {
  await tx.updateTable('reviews').set(patch).where('id', '=', id).execute()
}

export async function deleteReview(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('reviews').where('id', '=', id).execute()
}

/** Whether a review is shown and has no reply. One whose words were erased with its author's account needs none. */
const unreplied = sql<boolean>`reviews.reply is null and reviews.hidden_at is null and reviews.comment <> ''`

/** Whether a review is shown and was changed after its reply, which the practitioner can still change. */
const editedSinceReply = sql<boolean>`reviews.edited_at > coalesce(reviews.reply_edited_at, reviews.replied_at)
  and reviews.hidden_at is null and reviews.reply_hidden_at is null`

/** A page of a practitioner's reviews, those changed since the reply first, then newest first, with whether `accountId` has reported each. */
export function listReceived(
  db: Db,
  practitionerId: number,
  accountId: string,
  { page, onlyUnreplied }: { page: number; onlyUnreplied: boolean },
) {
  return reviews(db)
    .select(
      sql<boolean>`exists (select from review_reports r where r.review_id = reviews.id and r.about = 'review'
        and r.state = 'open' and r.account_id = ${accountId})`.as('reported'),
    )
    .where('reviews.practitioner_id', '=', practitionerId)
    .$if(onlyUnreplied, (query) => query.where(unreplied))
    .orderBy(sql`(${editedSinceReply}) is true`, 'desc')
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

/** A client's reviews of a practitioner, newest first. */
export function listOwn(db: Db, clientId: string, practitionerId: number) {
  return db
    .selectFrom('reviews')
    .select(['id as review_id', 'appointment_id'])
    .where('client_id', '=', clientId)
    .where('practitioner_id', '=', practitionerId)
    .orderBy('id', 'desc')
    .$narrowType<{ appointment_id: NotNull }>()
    .execute()
}

/** The newest shown reviews of a practitioner. */
export function listShown(db: Db, practitionerId: number, limit: number) {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('practitioner_id', '=', practitionerId)
    .where('hidden_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Averages, times 100, and counts of the shown reviews by practitioner. */
export async function readRatings(db: Db, practitionerIds: number[]) {
  const { rows } = await sql<{ practitioner_id: number; hundredths: number; total: number }>`
    select practitioner_id, round(avg(rating) * 100)::int as hundredths, count(*)::int as total
    from reviews where practitioner_id = any(${practitionerIds}::int[]) and hidden_at is null
    group by practitioner_id`.execute(db)
  return new Map(
    rows.map(({ practitioner_id, hundredths, total }) => [practitioner_id, { hundredths, total }]),
  )
}

type ReceivedCounts = Record<
  'total' | 'shown' | 'unreplied' | 'edited_since_reply' | 'rating_hundredths',
  number
>

/** Counts a practitioner's reviews: all, those shown, without a reply and changed after it; with the average of those shown. */
export async function countReceived(db: Db, practitionerId: number) {
  const { rows } = await sql<ReceivedCounts>`
    select count(*)::int as total, count(*) filter (where hidden_at is null)::int as shown,
      count(*) filter (where ${unreplied})::int as unreplied,
      count(*) filter (where ${editedSinceReply})::int as edited_since_reply,
      coalesce(round(avg(rating) filter (where hidden_at is null) * 100), 0)::int as rating_hundredths
    from reviews where practitioner_id = ${practitionerId}`.execute(db)
  return rows[0] ?? { total: 0, shown: 0, unreplied: 0, edited_since_reply: 0, rating_hundredths: 0 }
}
