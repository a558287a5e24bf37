import type { AnswerOf } from '#contract/endpoints.ts'
import type { PractitionerState } from '#contract/back-office.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'overviews' | 'file' | 'changeState'>
}

/** What an admin can do to a profile; each is a transition of its life cycle. */
type Action = 'approve' | 'reject' | 'suspend' | 'reinstate'

const perPage = 50

export type BackOffice = ReturnType<typeof createBackOffice>

/** Vetting, by admins alone. Whatever they do is in the audit log, in the same transaction. */
export function createBackOffice({ db, clock, practitioners }: Dependencies) {
  return {
    /** Practitioners in a state, or all of them, longest waiting first. */
    async list(
      caller: SignedIn,
      query: { status?: PractitionerState | undefined; page?: number | undefined },
    ): Promise<AnswerOf<'GET /admin/practitioners'>> {
      asAdmin(caller)
      const page = query.page ?? 1
      const { data, total } = await practitioners.overviews(db, query.status, rangeOf(page))
      return { data, meta: { total, page, per_page: perPage } }
    },

    /** @throws 404 */
    async file(caller: SignedIn, id: number): Promise<AnswerOf<'GET /admin/practitioners/{id}'>> {
      asAdmin(caller)
      const file = await practitioners.file(db, id)
      if (!file) throw notFound('This practitioner')
      return file
    },

    /** Approves, rejects, suspends or reinstates. @throws 404; 409 `transition_refused`, with nothing changed */
    async decide(
      caller: SignedIn,
      id: number,
      action: Action,
      reason: string | null = null,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/approve'>> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        await practitioners.changeState(tx, id, action, reason)
        await store.insertEntry(tx, {
          at: clock.now(),
          actor_id: caller.accountId,
          action,
          subject: `practitioner ${id}`,
          reason,
        })
        const file = await practitioners.file(tx, id)
        if (!file) throw notFound('This practitioner')
        return file
      })
    },

    /** What admins did, newest first. */
    async audit(
      caller: SignedIn,
      query: { page?: number | undefined },
    ): Promise<AnswerOf<'GET /admin/audit'>> {
      asAdmin(caller)
      const page = query.page ?? 1
      const [rows, total] = await Promise.all([store.readEntries(db, rangeOf(page)), store.countEntries(db)])
      return {
        data: rows.map(({ id, at, action, subject, reason, ...actor }) => ({
          id,
          at: at.toISOString(),
          actor: `${actor.first_name} ${actor.last_name} (${actor.email})`,
          action,
          subject,
          reason,
        })),
        meta: { total, page, per_page: perPage },
      }
    },
  }
}

/** The route has checked the role already; a use case with this reach checks it itself as well. */
function asAdmin(caller: SignedIn): void {
  if (caller.role !== 'admin') throw fail('forbidden', 'This is for the back office.')
}

const rangeOf = (page: number) => ({ limit: perPage, offset: (page - 1) * perPage })
