import type { AnswerOf } from '#contract/endpoints.ts'
import type { Report, ReportState } from '#contract/reviews.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { ReportOfReview } from '../reviews/reviews.mapper.ts'
import type { Decided } from '../reviews/reviews.reports.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & { reviews: Pick<Reviews, 'reports' | 'decide'> }

/** What an audit entry of a decision is about: the report by which the admin decided. */
const subjectOf = (id: number, { about, review }: ReportOfReview) =>
  `report ${id} of ${about} ${review.review_id}`

const actions = { hide: 'hide reported', dismiss: 'dismiss report', restore: 'restore reported' } as const

export type ReviewReportsAdmin = ReturnType<typeof createReviewReportsAdmin>

/** Reports of reviews and replies. Each act of an admin writes an audit entry in the same transaction. */
export function createReviewReportsAdmin({ db, clock, reviews }: Dependencies) {
  const audit = createAudit({ clock })

  return {
    /** Lists a page of reported reviews and replies, those with open reports by default. */
    async list(
      caller: SignedIn,
      query: { status?: ReportState | undefined; page?: number | undefined },
    ): Promise<AnswerOf<'GET /admin/reports'>> {
      asAdmin(caller)
      const { data, meta } = await reviews.reports(db, query.status ?? 'open', query.page ?? 1)
      return { data: await withDeciders(db, data), meta }
    },

    /** Hides, dismisses or restores. @throws 404; 409 `transition_refused`, `changed_elsewhere`, with nothing changed */
    async decide(caller: SignedIn, id: number, { decision, reason = null, shown }: Decided): Promise<Report> {
      asAdmin(caller)
      const decided = await inTransaction(db, async (tx) => {
        const report = await reviews.decide(tx, id, { decision, reason, shown })
        await audit(tx, caller, {
          action: actions[decision],
          subject: subjectOf(id, report),
          practitioner_id: report.practitioner.practitioner_id,
          reason,
        })
        return report
      })
      // The entry is written with the commit.
      const [report] = await withDeciders(db, [decided])
      if (!report) throw new Error('A report has gone.')
      return report
    },
  }
}

/** Adds the admins who decided. An entry of the audit log names one of the reports that were decided together. */
async function withDeciders(db: Db, reports: readonly ReportOfReview[]): Promise<Report[]> {
  const decided = reports.map((report) => ({
    report,
    subjects:
      report.status === 'open'
        ? []
        : [report, ...report.others].map((each) => subjectOf(each.report_id, report)),
  }))
  const actors = await store.lastActors(
    db,
    Object.values(actions),
    decided.flatMap(({ subjects }) => subjects),
  )
  return decided.map(({ report, subjects }) => {
    const entries = subjects.flatMap((subject) => actors.get(subject) ?? [])
    const last = entries.toSorted((a, b) => b.id - a.id)[0]
    return { ...report, decided_by: last?.actor ?? null }
  })
}
