import type { AnswerOf, QueryOf } from '#contract/endpoints.ts'
import type { ChatReport, AttachedMessage } from '#contract/back-office/chat-reports.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { ChatModeration, ReportOfChat } from '../chat/chat.moderation.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import { metaOf, rangeOf } from './paging.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  moderation: Pick<ChatModeration, 'reports' | 'attached' | 'resolve'>
}

const settleAction = 'settle chat report'
const subjectOf = (id: string) => `chat report ${id}`

export type ChatReportsAdmin = ReturnType<typeof createChatReportsAdmin>

/** Reports of dialogs. Admins see only the messages that a reporter attached, and each look writes an audit entry. */
export function createChatReportsAdmin({ db, clock, moderation }: Dependencies) {
  const audit = createAudit({ clock })

  return {
    async list(
      caller: SignedIn,
      { status = 'open', page = 1 }: QueryOf<'GET /admin/chat-reports'>,
    ): Promise<AnswerOf<'GET /admin/chat-reports'>> {
      asAdmin(caller)
      const { data, total } = await moderation.reports(db, status, rangeOf(page))
      return { data: await withDecisions(data), meta: metaOf(total, page) }
    },

    /** @throws 404 */
    async look(caller: SignedIn, id: string): Promise<AttachedMessage[]> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const { report, messages } = await moderation.attached(tx, id)
        await audit(tx, caller, {
          action: 'look at messages',
          subject: subjectOf(id),
          practitioner_id: report.about.practitioner_id,
        })
        return messages
      })
    },

    /** @throws 404; 409 `transition_refused` */
    async resolve(caller: SignedIn, id: string, reason: string): Promise<ChatReport> {
      asAdmin(caller)
      const settled = await inTransaction(db, async (tx) => {
        const report = await moderation.resolve(tx, id)
        await audit(tx, caller, {
          action: settleAction,
          subject: subjectOf(id),
          practitioner_id: report.about.practitioner_id,
          reason,
        })
        return report
      })
      // The entry is written with the commit.
      const [report] = await withDecisions([settled])
      if (!report) throw new Error('A report has gone.')
      return report
    },
  }

  /** Adds the admins who settled, and what they did. */
  async function withDecisions(reports: readonly ReportOfChat[]): Promise<ChatReport[]> {
    const settled = reports.filter(({ status }) => status === 'settled')
    const subjects = settled.map(({ report_id }) => subjectOf(report_id))
    const entries = await store.lastActors(db, [settleAction], subjects)
    return reports.map((report) => {
      const entry = entries.get(subjectOf(report.report_id))
      return { ...report, settled_by: entry?.actor ?? null, settled_reason: entry?.reason ?? null }
    })
  }
}
