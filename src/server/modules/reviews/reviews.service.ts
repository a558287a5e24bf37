import type { z } from 'zod'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { OwnReview, PastSession, ReceivedReview, WriteReply, WriteReview } from '#contract/reviews.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { ReviewDependencies } from './reviews.deps.ts'
import { type Explained, isEditedSinceReply, toOwnReview, toReceived, toReviewed } from './reviews.mapper.ts'
import { createReports } from './reviews.reports.ts'
import { notReviewable, perPage, pseudonymOf } from './reviews.rules.ts'
import { deleteReplyReports, hasReported } from './reports.store.ts'
import * as store from './reviews.store.ts'

export type Reviews = ReturnType<typeof createReviews>

/**
 * Clients' reviews of their past sessions, and practitioners' replies. Every change of a public review announces an
 * event in its own transaction, so that rating and total in the search equal those of the reviews shown.
 */
export function createReviews(deps: ReviewDependencies) {
  const { db, clock, events, accounts, practitioners, bookings, rooms } = deps

  return {
    ...createReports(deps),

    /** The caller's past sessions, newest first, with their reviews. */
    async past(
      caller: SignedIn,
      page: number,
    ): Promise<{ data: PastSession[]; meta: { total: number; page: number; per_page: number } }> {
      const { sessions, total } = await bookings.past(caller, { page, perPage })
      return { data: await reviewed(sessions), meta: { total, page, per_page: perPage } }
    },

    /** The caller's reviews of a practitioner, newest first. */
    ownOf: ({ accountId }: SignedIn, practitionerId: number) => store.listOwn(db, accountId, practitionerId),

    /** One session of the caller, with its review. For later modules. @throws 404 */
    async session(caller: SignedIn, appointmentId: string): Promise<PastSession> {
      const [session] = await reviewed([await bookings.explained(caller, appointmentId)])
      if (!session) throw notFound('This session')
      return session
    },

    /**
     * Creates the review of a session. Returns the existing one if rating and comment are the same.
     * @throws 404; 409 `not_reviewable`, `already_reviewed`
     */
    async write(
      caller: SignedIn,
      appointmentId: string,
      { rating, comment }: z.infer<typeof WriteReview>,
    ): Promise<OwnReview> {
      return inTransaction(db, async (tx) => {
        const session = await bookings.lockOwn(tx, caller, appointmentId)
        const before = await store.lockReviewOf(tx, appointmentId)
        if (before) {
          if (before.rating === rating && before.comment === comment) return toOwnReview(before)
          throw fail(
            'already_reviewed',
            'You have already reviewed this session. You can change what you wrote.',
          )
        }
        const hindrance = notReviewable(session.state)
        if (hindrance) throw fail('not_reviewable', hindrance)
        const author = await accounts.person(tx, caller.accountId)
        if (!author) throw notFound('This session')
        const id = await store.insertReview(tx, {
          practitioner_id: session.practitioner_id,
          client_id: caller.accountId,
          appointment_id: appointmentId,
          reviewer: pseudonymOf(author.firstName),
          rating,
          comment,
          created_at: clock.now(),
        })
        return ownAfter(tx, id)
      })
    },

    /** Updates a review. @throws 404; 409 `not_reviewable` if there is none, `review_hidden` */
    async edit(
      caller: SignedIn,
      appointmentId: string,
      { rating, comment }: z.infer<typeof WriteReview>,
    ): Promise<OwnReview> {
      return inTransaction(db, async (tx) => {
        await bookings.lockOwn(tx, caller, appointmentId)
        const row = await store.lockReviewOf(tx, appointmentId)
        if (!row)
          throw fail(
            'not_reviewable',
            'You have not reviewed this session, or have withdrawn what you wrote.',
          )
        if (row.rating === rating && row.comment === comment) return toOwnReview(row)
        requireShown(row)
        await store.changeReview(tx, row.id, { rating, comment, edited_at: clock.now() })
        return ownAfter(tx, row.id)
      })
    },

    /** Deletes a review, with its reply and reports. Idempotent. @throws as `edit` */
    async withdraw(caller: SignedIn, appointmentId: string): Promise<'success'> {
      return inTransaction(db, async (tx): Promise<'success'> => {
        await bookings.lockOwn(tx, caller, appointmentId)
        const row = await store.lockReviewOf(tx, appointmentId)
        if (!row) return 'success'
        requireShown(row)
        await store.deleteReview(tx, row.id)
        await events.announce(tx, 'practitioner.changed', { practitionerId: row.practitioner_id })
        return 'success'
      })
    },

    /** The reviews of the caller's own profile, newest first. */
    async received(
      caller: SignedIn,
      query: { page?: number | undefined; unreplied?: 'true' | 'false' | undefined },
    ): Promise<AnswerOf<'GET /therapist/reviews'>> {
      const practitioner = await practitioners.requireOwn(db, caller)
      const page = query.page ?? 1
      const onlyUnreplied = query.unreplied === 'true'
      const rows = await store.listReceived(db, practitioner.id, caller.accountId, { page, onlyUnreplied })
      const counts = await store.countReceived(db, practitioner.id)
      return {
        data: rows.map(toReceived),
        meta: {
          total: onlyUnreplied ? counts.unreplied : counts.total,
          page,
          per_page: perPage,
          rating: counts.rating_hundredths / 100,
          shown: counts.shown,
          unreplied: counts.unreplied,
        },
      }
    },

    /**
     * Creates or updates the reply to a review. The same words are saved anew where the review was changed since and is
     * as `shown`: they still fit.
     * @throws 404; 409 `review_hidden`, `changed_elsewhere`
     */
    async reply(
      caller: SignedIn,
      reviewId: number,
      { reply, shown }: z.infer<typeof WriteReply>,
    ): Promise<ReceivedReview> {
      return inTransaction(db, async (tx) => {
        const row = owned('review', caller, await store.lockReview(tx, reviewId))
        const isAsShown =
          shown && row.edited_at?.getTime() === (shown.edited_at ? Date.parse(shown.edited_at) : undefined)
        if (row.reply === reply && !(isAsShown && isEditedSinceReply(row)))
          return toReceived(await withReported(tx, row, caller))
        requireShown(row)
        if (row.comment === '') throw erasedMeanwhile()
        if (isAsShown === false) throw editedMeanwhile()
        if (row.reply_hidden_at) throw replyHidden()
        const now = clock.now()
        await store.changeReview(
          tx,
          row.id,
          row.reply === null ? { reply, replied_at: now } : { reply, reply_edited_at: now },
        )
        return receivedAfter(tx, row, caller)
      })
    },

    /** Deletes the reply to a review. Idempotent. @throws as `reply` */
    async withdrawReply(caller: SignedIn, reviewId: number): Promise<ReceivedReview> {
      return inTransaction(db, async (tx) => {
        const row = owned('review', caller, await store.lockReview(tx, reviewId))
        if (row.reply === null) return toReceived(await withReported(tx, row, caller))
        if (row.reply_hidden_at) throw replyHidden()
        await store.changeReview(tx, row.id, { reply: null, replied_at: null, reply_edited_at: null })
        await deleteReplyReports(tx, row.id)
        return receivedAfter(tx, row, caller)
      })
    },

    /** For the dashboard: average rating, number of reviews shown, without a reply, and changed after it. */
    receivedCounts: store.countReceived,
  }

  async function reviewed(sessions: readonly Explained[]): Promise<PastSession[]> {
    const details = sessions.map(({ detail }) => detail)
    const reviews = await store.reviewsOf(
      db,
      details.map(({ appointment_id }) => appointment_id),
    )
    // Of the sessions that are over, those of the last day.
    const undecided = details.filter(({ status }) => status === 'confirmed')
    const absences = await rooms.absences(
      db,
      undecided.map(({ appointment_id }) => appointment_id),
    )
    return sessions.map((session) => {
      const id = session.detail.appointment_id
      return toReviewed(session, { review: reviews.get(id), absence: absences.get(id) })
    })
  }

  async function ownAfter(tx: Tx, id: number): Promise<OwnReview> {
    const row = await store.findReview(tx, id)
    if (!row) throw new Error('A review has gone.')
    await events.announce(tx, 'practitioner.changed', { practitionerId: row.practitioner_id })
    return toOwnReview(row)
  }

  async function receivedAfter(tx: Tx, before: store.ReviewRow, caller: SignedIn): Promise<ReceivedReview> {
    const row = await store.findReview(tx, before.id)
    if (!row) throw new Error('A review has gone.')
    await events.announce(tx, 'practitioner.changed', { practitionerId: row.practitioner_id })
    return toReceived(await withReported(tx, row, caller))
  }
}

async function withReported(tx: Tx, row: store.ReviewRow, caller: SignedIn) {
  return { ...row, reported: await hasReported(tx, row.id, caller.accountId) }
}

const editedMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'The client has changed this review meanwhile. Please read it again before you reply.',
  )

/** The words of a review are never empty but once its author's account is deleted. */
const erasedMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'The words of this review were deleted with the account of the client who wrote it. You can no longer reply to it.',
  )

/** @throws 409 for a review that the back office has hidden */
function requireShown(row: store.ReviewRow): void {
  if (row.hidden_at) {
    throw fail(
      'review_hidden',
      'This review was hidden after a report. It is not public, and can no longer be changed or replied to.',
    )
  }
}

const replyHidden = () =>
  fail(
    'review_hidden',
    'Your reply was hidden after a report. It is not public, and can no longer be changed.',
  )
