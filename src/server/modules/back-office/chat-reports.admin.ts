import type { AnswerOf, QueryOf } from '#contract/endpoints.ts'
import type { ChatReport, AttachedMessage } from '#contract/back-office/chat-reports.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { ChatModeration, ReportOfChat } from '../chat/chat.moderation.ts'
import { asAdmin } from './as-admin.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  moderation: Pick<ChatModeration, 'reports' | 'attached' | 'resolve'>
}

const perPage = 25

const settleAction = 'settle chat report'
const subjectOf = (id: string) => `chat report ${id}`

export type ChatReportsAdmin = ReturnType<typeof createChatReportsAdmin>

/** Reports of dialogs. Admins see only the messages that a reporter attached, and each look writes an audit entry. */
export function createChatReportsAdmin({ db, clock, moderation }: Dependencies) {
  return {
    async list(
      caller: SignedIn,
      { status = 'open', page = 1 }: QueryOf<'GET /admin/chat-reports'>,
    ): Promise<AnswerOf<'GET /admin/chat-reports'>> {
      asAdmin(caller)
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const { data, total } = await moderation.reports(db, status, range)
      return { data: await withDecisions(data), meta: { total, page, per_page: perPage } }
    },

    /** @throws 404 */
    async look(caller: SignedIn, id: string): Promise<AttachedMessage[]> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const messages = await moderation.attached(tx, id)
        await insert(tx, caller, 'look at messages', id, null)
        return messages
      })
    },

    /** @throws 404; 409 `transition_refused` */
    async resolve(caller: SignedIn, id: string, reason: string): Promise<ChatReport> {
      asAdmin(caller)
      const settled = await inTransaction(db, async (tx) => {
        const report = await moderation.resolve(tx, id)
        await insert(tx, caller, settleAction, id, reason)
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

  async function insert(tx: Tx, caller: SignedIn, action: string, id: string, reason: string | null) {
    const at = clock.now()
    await store.insertEntry(tx, {
      at,
      actor_id: caller.accountId,
      action,
      subject: subjectOf(id),
      reason,
    })
  }
}
