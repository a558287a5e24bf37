import type { AnswerOf, QueryOf } from '#contract/endpoints.ts'
import type { NoShowDispute } from '#contract/back-office/no-shows.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { DisputeOfNoShow } from '../bookings/no-shows/no-shows.mapper.ts'
import type { NoShows } from '../bookings/no-shows/no-shows.service.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import { metaOf, rangeOf } from './paging.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  noShows: Pick<NoShows, 'disputes' | 'one' | 'decide' | 'finish'>
}

const actions = { upheld: 'uphold no-show', overturned: 'overturn no-show' } as const
const subjectOf = (id: string) => `session ${id}`

export type NoShowsAdmin = ReturnType<typeof createNoShowsAdmin>

/** Disputed no-shows, decided by admins alone. Every decision is in the audit log, in the same transaction. */
export function createNoShowsAdmin({ db, clock, noShows }: Dependencies) {
  const audit = createAudit({ clock })

  return {
    async list(
      caller: SignedIn,
      { status = 'open', page = 1 }: QueryOf<'GET /admin/no-shows'>,
    ): Promise<AnswerOf<'GET /admin/no-shows'>> {
      asAdmin(caller)
      const { data, total } = await noShows.disputes(db, status, rangeOf(page))
      return { data: await withDecisions(data), meta: metaOf(total, page) }
    },

    /** @throws as `decide` of the no-shows */
    async decide(
      caller: SignedIn,
      id: string,
      decision: 'upheld' | 'overturned',
      reason: string,
    ): Promise<NoShowDispute> {
      asAdmin(caller)
      const refunds = await inTransaction(db, async (tx) => {
        const decided = await noShows.decide(tx, id, decision)
        if (decided.isNew) {
          await audit(tx, caller, {
            action: actions[decision],
            subject: subjectOf(id),
            practitioner_id: decided.practitionerId,
            reason,
          })
        }
        return decided.refunds
      })
      await noShows.finish(refunds)
      const decided = await noShows.one(db, id)
      const [dispute] = decided ? await withDecisions([decided]) : []
      if (!dispute) throw notFound('This dispute')
      return dispute
    },
  }

  /** Adds the admins who decided, and why. */
  async function withDecisions(disputes: readonly DisputeOfNoShow[]): Promise<NoShowDispute[]> {
    const subjects = disputes.map(({ appointment_id }) => subjectOf(appointment_id))
    const entries = await store.lastActors(db, Object.values(actions), subjects)
    return disputes.map((dispute) => {
      const entry = entries.get(subjectOf(dispute.appointment_id))
      return { ...dispute, decided_by: entry?.actor ?? null, decision_reason: entry?.reason ?? null }
    })
  }
}
