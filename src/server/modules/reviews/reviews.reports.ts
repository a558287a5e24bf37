import type { PageMeta } from '#contract/common.ts'
import type { BodyOf } from '#contract/endpoints.ts'
import type { ReportState } from '#contract/reviews.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { reportsOfAccount } from '../accounts/accounts.limits.ts'
import * as store from './reports.store.ts'
import { type ReportOfReview, toReport } from './reviews.mapper.ts'
import { type Decision, decisions, perPage, reportAfter } from './reviews.rules.ts'
import type { ReviewDependencies } from './reviews.deps.ts'
import { changeReview, findReview, lockReview } from './reviews.store.ts'

const ownWords = {
  review: 'You wrote this review. You can change or withdraw it among your past sessions.',
  reply: 'You wrote this reply. You can change or delete it among your reviews.',
}

type Shown = BodyOf<'POST /admin/reports/{id}/hide'>['shown']

/** What an admin decides. `shown` is what they had read. */
export type Decided = { decision: Decision; reason?: string | null; shown?: Shown }

/** @throws 409 `changed_elsewhere` for what was changed, or reported again, since it was read */
function requireShown(row: store.ReportRow | undefined, shown: NonNullable<Shown>): void {
  const editedAt = row?.about === 'reply' ? row.reply_edited_at : row?.edited_at
  const isSame =
    shown.edited_at === undefined || (editedAt?.toISOString() ?? null) === toInstant(shown.edited_at)
  if (isSame && row?.open_reports === shown.open_reports) return
  throw fail(
    'changed_elsewhere',
    'This was changed or reported again since you opened it. Go back and read it once more.',
  )
}

const toInstant = (text: string | null) => text && new Date(text).toISOString()

/** Reports of reviews and replies, and the decisions of admins about them. */
export function createReports({ db, clock, events, limits }: ReviewDependencies) {
  return {
    /**
     * Creates a report. Does nothing if the caller has an open report of the same review or reply.
     * @throws 404 for a review or reply that is not shown; 409 `conflict` for the caller's own; 429
     */
    async report(
      caller: SignedIn,
      reviewId: number,
      about: 'review' | 'reply',
      reason: string,
    ): Promise<'success'> {
      const isShown = (row: Awaited<ReturnType<typeof findReview>>) =>
        row !== undefined &&
        row.hidden_at === null &&
        (about === 'review' || (row.reply !== null && row.reply_hidden_at === null))
      const what = about === 'review' ? 'This review' : 'This reply'
      const row = await findReview(db, reviewId)
      if (!row || !isShown(row)) throw notFound(what)
      const authorId = about === 'review' ? row.client_id : row.practitioner_account_id
      if (authorId === caller.accountId) throw fail('conflict', ownWords[about])
      await limits.use(reportsOfAccount, caller.accountId)
      return inTransaction(db, async (tx): Promise<'success'> => {
        if (!isShown(await lockReview(tx, reviewId))) throw notFound(what)
        const opened = await store.insertReport(tx, {
          review_id: reviewId,
          about,
          account_id: caller.accountId,
          reason,
          created_at: clock.now(),
        })
        if (opened) await events.announce(tx, 'decision.asked', { of: 'review', id: String(opened) })
        return 'success'
      })
    },

    // For the back office ------------------------------------------------------------------------------------------

    /** A page of reported reviews and replies, each with all its reports: open ones oldest first, decided ones newest first. */
    async reports(
      handle: Db,
      state: ReportState,
      page: number,
    ): Promise<{ data: ReportOfReview[]; meta: PageMeta }> {
      const rows = await store.listReports(handle, state, page)
      const all = await store.reportsOf(
        handle,
        state,
        rows.map((row) => row.review_id),
      )
      return {
        data: rows.map((row) => toReport(row, all)),
        meta: { total: await store.countReports(handle, state), page, per_page: perPage },
      }
    },

    /**
     * Applies a decision, in the transaction that writes the audit log, and closes every open report of the same review
     * or reply. The author of a hidden review or reply sees `reason`.
     * @throws 404; 409 `transition_refused`, and `changed_elsewhere` for what is not as it was `shown`, with nothing changed
     */
    async decide(
      tx: Tx,
      reportId: number,
      { decision, reason = null, shown }: Decided,
    ): Promise<ReportOfReview> {
      // Lock the review first, in the same order as everywhere, to prevent deadlocks.
      const reviewId = await store.reviewOfReport(tx, reportId)
      const review = reviewId === undefined ? undefined : await lockReview(tx, reviewId)
      const report = await store.lockReport(tx, reportId)
      if (!review || !report) throw notFound('This report')
      const next = reportAfter(decision, report.state)
      if (!next || next === 'open') {
        throw fail('transition_refused', `A report that is ${report.state} cannot be settled in this way.`, {
          details: { status: report.state, decision },
        })
      }
      if (shown) requireShown(await store.findReport(tx, reportId), shown)
      const now = clock.now()
      if (decision !== 'dismiss') {
        const hides = decisions[decision].to === 'hidden'
        const at = hides ? now : null
        const why = hides ? reason : null
        if (report.about === 'review') {
          await changeReview(tx, review.id, { hidden_at: at, hidden_reason: why })
        } else if (review.reply !== null) {
          await changeReview(tx, review.id, { reply_hidden_at: at, reply_hidden_reason: why })
        }
        await events.announce(tx, 'practitioner.changed', { practitionerId: review.practitioner_id })
      }
      const from = decision === 'restore' ? 'hidden' : 'open'
      await store.settleReports(tx, report, { from, to: next }, now)
      const after = await store.findReport(tx, reportId)
      if (!after) throw notFound('This report')
      return toReport(after, await store.reportsOf(tx, next, [review.id]))
    },
  }
}
