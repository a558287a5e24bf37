import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { fail, notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { owned } from '../../../http/policies.ts'
import { toTherapistSession } from '../bookings.mapper.ts'
import { afterSession, hasFailed, lifetimes, practitionerActions } from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { changeOf, notChangeable, requireUnmoved, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { readSurroundings } from '../surroundings.ts'
import { mayPayLate } from '../reserved/reserved.rules.ts'
import { noShowTimes } from '../no-shows/no-shows.rules.ts'
import type { NoShows } from '../no-shows/no-shows.service.ts'
import * as sessionStore from './practitioner-sessions.store.ts'

const perPage = 20

export type PractitionerSessions = ReturnType<typeof createPractitionerSessions>

type Dependencies = BookingDependencies & {
  noShows: Pick<NoShows, 'declare' | 'withdraw'>
}

/** A practitioner's own sessions: listing, cancelling and recording their outcome. */
export function createPractitionerSessions({
  db,
  clock,
  practitioners,
  availability,
  payments,
  outbox,
  events,
  checkpoint,
  noShows,
  lookups,
}: Dependencies) {
  return {
    /** A page of the caller's sessions: those that have not ended, soonest first, or those that are over, newest first. */
    async list(
      caller: SignedIn,
      query: { when?: 'upcoming' | 'past' | undefined; page?: number | undefined },
    ): Promise<AnswerOf<'GET /therapist/sessions'>> {
      const practitioner = await practitioners.requireOwn(db, caller)
      const page = query.page ?? 1
      const when = query.when ?? 'upcoming'
      const { sessions, total } = await sessionsOf(db, practitioner.id, when, { page, perPage })
      return { data: sessions, meta: { total, page, per_page: perPage, timezone: practitioner.timezone } }
    },

    /** As `list`, for the dashboard. */
    sessionsOf,

    /** One session of the caller. @throws 404 */
    detail: one,

    /** For later modules: client and practitioner of a confirmed session of the caller. @throws 404 */
    async pairOf(
      handle: Db,
      caller: SignedIn,
      id: string,
    ): Promise<{ clientAccountId: string; practitionerId: number }> {
      const row = owned('appointment', caller, await sessionStore.findForPractitioner(handle, id))
      return { clientAccountId: row.client_id, practitionerId: row.practitioner_id }
    },

    /** Number of sessions that have ended without an outcome. */
    countWithoutOutcome: (handle: Db, practitionerId: number) =>
      sessionStore.countWithoutOutcome(handle, practitionerId, clock.now()),

    /**
     * Earnings by month, in pence, of sessions that have begun and were not cancelled. A session counts on its day in
     * the practitioner's zone: `months` are the first instants of its months, oldest first.
     */
    earnings: (handle: Db, practitionerId: number, months: readonly Date[]) =>
      sessionStore.sumByMonth(handle, practitionerId, { months, now: clock.now() }),

    /**
     * Cancels a session before its end. The client is refunded in full and notified. Repeating it changes nothing.
     * @throws 404; 409 `not_changeable`, `changed_elsewhere`
     */
    async cancel(
      caller: SignedIn,
      id: string,
      { reason, starts_at }: BodyOf<'POST /therapist/sessions/{appointment_id}/cancel'>,
    ): Promise<TherapistSession> {
      return cancelOwn(caller, id, { cancel_reason: reason || null }, (row) => {
        requireUnmoved(row, starts_at)
        if (!practitionerActions(row, clock.now()).cancel) throw notChangeable()
      })
    },

    /**
     * Cancels an online session that failed for technical reasons. The client is refunded in full and notified; it is
     * never a no-show. Repeating it changes nothing.
     * @throws 404; 409 `too_early`, `too_late_to_change`, `not_changeable`
     */
    async technicalFailure(caller: SignedIn, id: string, reason: string | null): Promise<TherapistSession> {
      const change = { cancel_reason: reason || null, cancel_code: 'technical_failure' as const }
      return cancelOwn(caller, id, change, (row) => {
        const verdict = hasFailed(row, clock.now())
        if (verdict !== 'allowed') throw refusals[verdict]()
      })
    },

    /**
     * Keeps a reserved session that is not paid yet until it starts. Repeating it changes nothing.
     * @throws 404; 409 `not_changeable` unless its payment is due
     */
    async allowLatePayment(caller: SignedIn, id: string): Promise<TherapistSession> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'reserved' && row.pay_by && row.pay_by >= row.starts_at) return
        if (!mayPayLate(row, clock.now())) throw notChangeable()
        await store.changeTerms(tx, id, { pay_by: row.starts_at })
        await events.announce(tx, 'session.changed', changeOf(row))
      })
      return one(caller, id)
    },

    /**
     * Records the outcome of a session. Repeating it changes nothing. The practitioner can correct it until a day
     * after the session's end, a no-show once and unless the client has disputed it. The client is notified of a no-show
     * and may dispute it.
     * @throws 404; 409 `too_early`, `too_late_to_change`, `not_changeable`
     */
    async recordOutcome(
      caller: SignedIn,
      id: string,
      as: 'completed' | 'no_show',
    ): Promise<TherapistSession> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === as) return
        const verdict = afterSession(row, as, clock.now())
        if (verdict === 'too_early' && as === 'no_show') throw tooEarlyToMiss()
        if (verdict !== 'allowed') throw refusals[verdict]()
        const known = (await lookups().attendance(tx, [id])).get(id)
        if (as === 'no_show' && known?.clientCame) throw clientCame()
        if (known?.practitionerIsMissing) throw practitionerIsMissing()
        if (row.state === 'no_show') await noShows.withdraw(tx, row.id)
        await store.changeState(tx, id, row.state, as)
        const after = await reread(tx, id)
        if (as === 'no_show') await noShows.declare(tx, after)
        else if (row.state === 'no_show') await outbox.noteNoShow(tx, after, 'no_show_withdrawn')
        await events.announce(tx, 'session.changed', changeOf(row))
      })
      return one(caller, id)
    },
  }

  async function cancelOwn(
    caller: SignedIn,
    id: string,
    change: { cancel_reason: string | null; cancel_code?: 'technical_failure' },
    check: (row: sessionStore.PractitionerRow) => void,
  ): Promise<TherapistSession> {
    const cancelled = await inTransaction(db, async (tx) => {
      const row = await lockOwn(tx, caller, id)
      if (row.state === 'cancelled') return { refunds: [], intents: [] }
      check(row)
      await store.changeState(tx, id, row.state, 'cancelled', { cancelled_by: 'practitioner', ...change })
      if (row.reservation_id) await availability.release(tx, row.reservation_id)
      const isFailure = change.cancel_code === 'technical_failure'
      const reason = isFailure ? 'technical failure' : 'cancelled by the practitioner'
      const refunds = await payments.requestRefund(tx, id, 'everything', reason)
      const intents = await payments.releaseAll(tx, id)
      await outbox.note(tx, await reread(tx, id), 'cancelled', { refunds })
      await events.announce(tx, 'session.changed', changeOf(row))
      return { refunds, intents }
    })
    await checkpoint('session cancelled by the practitioner')
    await payments.finishSoon(cancelled)
    return one(caller, id)
  }

  async function lockOwn(tx: Tx, caller: SignedIn, id: string): Promise<sessionStore.PractitionerRow> {
    const found = await store.lockAppointment(tx, id)
    // Only the client may see what was started and never booked. A session of a series is booked once it is reserved.
    const row = found?.first_booked_at ? await sessionStore.findForPractitioner(tx, id) : undefined
    return owned('appointment', caller, row)
  }

  async function one(caller: SignedIn, id: string): Promise<TherapistSession> {
    const row = owned('appointment', caller, await sessionStore.findForPractitioner(db, id))
    const [session] = await present(db, [row])
    if (!session) throw notFound('This session')
    return session
  }

  async function sessionsOf(
    handle: Db,
    practitionerId: number,
    when: 'upcoming' | 'past',
    range: store.Page,
  ): Promise<{ sessions: TherapistSession[]; total: number }> {
    const now = clock.now()
    const rows = await sessionStore.listForPractitioner(handle, practitionerId, when, now, range)
    return {
      sessions: await present(handle, rows),
      total: await sessionStore.countForPractitioner(handle, practitionerId, when, now),
    }
  }

  async function present(handle: Db, rows: sessionStore.PractitionerRow[]): Promise<TherapistSession[]> {
    const aroundOf = await readSurroundings(handle, rows, { clock, practitioners, payments, lookups })
    const attendance = await lookups().attendance(
      handle,
      rows.map((row) => row.id),
    )
    return rows.map((row) =>
      toTherapistSession(row, { ...aroundOf(row), attendance: attendance.get(row.id) }),
    )
  }
}

const tooEarlyToMiss = () =>
  fail(
    'too_early',
    `A session counts as missed ${noShowTimes.wait / 60_000} minutes after its start at the earliest.`,
  )

const clientCame = () =>
  fail(
    'not_changeable',
    'The client was in the room of this session for ten minutes, or until you ended it, so it cannot count as missed.',
  )

const practitionerIsMissing = () =>
  fail(
    'not_changeable',
    'You have not been in the room of this session. Until it ends, and for a day after if your client has waited for ten minutes, you cannot say what became of it.',
  )

const refusals = {
  too_early: () => fail('too_early', 'You can say this once the session has begun.'),
  too_late: () =>
    fail(
      'too_late_to_change',
      `A session counts as completed ${lifetimes.completion / 3_600_000} hours after its end. After that this can no longer be changed.`,
    ),
  not_changeable: notChangeable,
}
