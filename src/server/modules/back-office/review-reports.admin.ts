import type { AnswerOf } from '#contract/endpoints.ts'
import type { Report, ReportState } from '#contract/reviews.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import { asAdmin } from './as-admin.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & { reviews: Pick<Reviews, 'reports' | 'decide'> }

const actions = { hide: 'hide reported', dismiss: 'dismiss report', restore: 'restore reported' } as const

export type ReviewReportsAdmin = ReturnType<typeof createReviewReportsAdmin>

/** Reports of reviews and replies. Each act of an admin writes an audit entry in the same transaction. */
export function createReviewReportsAdmin({ db, clock, reviews }: Dependencies) {
  return {
    /** Lists a page of reports, open ones by default. */
    async list(
      caller: SignedIn,
      query: { status?: ReportState | undefined; page?: number | undefined },
    ): Promise<AnswerOf<'GET /admin/reports'>> {
      asAdmin(caller)
      return reviews.reports(db, query.status ?? 'open', query.page ?? 1)
    },

    /** Hides, dismisses or restores. @throws 404; 409 `transition_refused`, with nothing changed */
    async decide(
      caller: SignedIn,
      id: number,
      decision: keyof typeof actions,
      reason: string | null = null,
    ): Promise<Report> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const report = await reviews.decide(tx, id, decision, reason)
        await store.insertEntry(tx, {
          at: clock.now(),
          actor_id: caller.accountId,
          action: actions[decision],
          subject: `report ${id} of ${report.about} ${report.review.review_id}`,
          reason,
        })
        return report
      })
    },
  }
}
