import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import { days, later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { Events } from '../../events.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { absenceMail } from './absences.mails.ts'
import * as store from './absences.store.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & {
  freezes: Pick<Freezes, 'absences'>
  practitioners: Pick<Practitioners, 'cards'>
  adminMails: AdminMails
}

/** Two absences within it are a task. */
const within = days(30)
/** An absence is reported until a day after the session's end: this long before a task began what led to it. */
const shown = within + days(2)
/** More than these are not listed at once. */
const listed = 200

export type RepeatedAbsences = ReturnType<typeof createRepeatedAbsences>

/** Practitioners who repeatedly did not come to their sessions: a task for each, and one mail to the back office. */
export function createRepeatedAbsences(deps: Dependencies) {
  const { db, clock, freezes, practitioners, adminMails, publicUrl } = deps
  const audit = createAudit(deps)

  adminMails.template<{ practitioner_id: number }>('back-office.absences', async (tx, { data }, to) =>
    (await store.openSince(tx, data.practitioner_id)) ? absenceMail(to, data, publicUrl) : 'obsolete',
  )

  return {
    /** Opens a task if it is the second absence within 30 days, in the transaction of the absence. */
    async note(tx: Tx, absence: Events['session.missed-by-practitioner']): Promise<void> {
      const { practitionerId, appointmentId, startsAt } = absence
      await store.lockAbsences(tx, practitionerId)
      const [from, until] = [later(startsAt, -within), later(startsAt, within)]
      if ((await freezes.absences(tx, [practitionerId], from, until)).length < 2) return
      const task = { practitioner_id: practitionerId, appointment_id: appointmentId, noted_at: clock.now() }
      if (!(await store.openTask(tx, task))) return
      await adminMails.enqueue(tx, {
        template: 'back-office.absences',
        about: { type: 'appointment', id: appointmentId },
        dedupeKey: `back-office.absences ${appointmentId}`,
        data: { practitioner_id: practitionerId },
      })
    },

    async list(caller: SignedIn): Promise<AnswerOf<'GET /admin/absences'>> {
      asAdmin(caller)
      const tasks = await store.listOpen(db, listed)
      const ids = tasks.map((task) => task.practitioner_id)
      const earliest = tasks[0] ? later(tasks[0].noted_at, -shown) : clock.now()
      const [cards, absences, total] = await Promise.all([
        practitioners.cards(db, ids),
        freezes.absences(db, ids, earliest, clock.now()),
        store.countOpen(db),
      ])
      const data = tasks.map(({ practitioner_id: id, noted_at }) => ({
        practitioner_id: id,
        full_name: cards.get(id)?.full_name ?? '',
        since: noted_at.toISOString(),
        sessions: absences
          .filter((each) => each.practitioner_id === id && each.starts_at >= later(noted_at, -shown))
          .map((each) => ({ appointment_id: each.id, starts_at: each.starts_at.toISOString() })),
      }))
      return { data, total }
    },

    /**
     * Resolves the task about a practitioner; an audit entry keeps what was done.
     * @throws 404; 409 `changed_elsewhere` for another number of sessions than was shown
     */
    async resolve(
      caller: SignedIn,
      practitionerId: number,
      { reason, shown_sessions: wanted }: BodyOf<'POST /admin/practitioners/{id}/resolve-absences'>,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/resolve-absences'>> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        await store.lockAbsences(tx, practitionerId)
        const since = await store.openSince(tx, practitionerId)
        if (!since) throw notFound('This task')
        const now = clock.now()
        const sessions = await freezes.absences(tx, [practitionerId], later(since, -shown), now)
        if (wanted !== undefined && wanted !== sessions.length) throw anotherAbsence()
        await store.resolveTask(tx, practitionerId, now)
        await audit(tx, caller, {
          action: 'resolve absences',
          subject: `practitioner ${practitionerId}`,
          practitioner_id: practitionerId,
          reason,
        })
        return { total: await store.countOpen(tx) }
      })
    },
  }
}

const anotherAbsence = () =>
  fail(
    'changed_elsewhere',
    'They did not come to another session since you opened this. Go back and look at it first.',
  )
