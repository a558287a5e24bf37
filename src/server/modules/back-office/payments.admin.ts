import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { PaidSession } from '#contract/back-office/payments.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { PaidSessions } from '../bookings/paid-sessions/paid-sessions.service.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { SeriesOfSessions } from '../series/series.sessions.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import { cappedMetaOf, rangeOf } from './paging.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  paidSessions: PaidSessions
  freezes: Pick<Freezes, 'cancelByAdmin'>
  payments: Pick<Payments, 'finishSoon' | 'openIncidents' | 'resolveIncident'>
  seriesOfSessions: Pick<SeriesOfSessions, 'of'>
}

export type PaymentsAdmin = ReturnType<typeof createPaymentsAdmin>

/** What was paid, and giving it back, by admins alone. Every refund is in the audit log, in the same transaction. */
export function createPaymentsAdmin({
  db,
  clock,
  paidSessions,
  freezes,
  payments,
  seriesOfSessions,
}: Dependencies) {
  const audit = createAudit({ clock })

  return {
    async list(
      caller: SignedIn,
      { show = 'all', search, page = 1 }: QueryOf<'GET /admin/payments'>,
    ): Promise<AnswerOf<'GET /admin/payments'>> {
      asAdmin(caller)
      const { data, ...count } = await paidSessions.paid(db, { show, search }, rangeOf(page))
      return { data: await withSeries(data), meta: cappedMetaOf(count, page) }
    },

    /** Money that should have been back with its client by now. */
    async lateReturns(caller: SignedIn): Promise<AnswerOf<'GET /admin/payments/late-returns'>> {
      asAdmin(caller)
      return paidSessions.lateReturns(db)
    },

    /**
     * Cancels a session before its end; its client gets everything back. Repeating it changes nothing.
     * @throws 404; 409 `not_changeable`, `changed_elsewhere`
     */
    async cancelSession(
      caller: SignedIn,
      id: string,
      { reason, starts_at }: BodyOf<'POST /admin/sessions/{appointment_id}/cancel'>,
    ): Promise<PaidSession> {
      asAdmin(caller)
      const begun = await inTransaction(db, async (tx) => {
        const { practitionerId, changed, finish } = await freezes.cancelByAdmin(tx, id, starts_at)
        if (!changed) return finish
        await audit(tx, caller, {
          action: 'cancel session',
          subject: `session ${id}`,
          practitioner_id: practitionerId,
          reason,
        })
        return finish
      })
      await payments.finishSoon(begun)
      return one(id, 'This session')
    },

    /** What happened at the gateway by other hands, and waits for a decision. */
    async incidents(caller: SignedIn): Promise<AnswerOf<'GET /admin/payments/incidents'>> {
      asAdmin(caller)
      return payments.openIncidents(db)
    },

    /** Decides about one of them, once. @throws as `resolveIncident` of payments */
    async resolveIncident(
      caller: SignedIn,
      id: string,
      { decision, reason }: BodyOf<'POST /admin/payments/incidents/{id}/resolve'>,
    ): Promise<AnswerOf<'POST /admin/payments/incidents/{id}/resolve'>> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const incident = await payments.resolveIncident(tx, id, decision)
        const { total } = await payments.openIncidents(tx)
        await audit(tx, caller, {
          action: 'resolve gateway incident',
          subject: `${incident.kind} ${incident.reference}: ${decision}`,
          practitioner_id: incident.practitioner_id,
          reason,
        })
        return { total }
      })
    },

    /** Gives back what was paid for a session, in full or in part. @throws as `refund` of paid sessions */
    async refund(
      caller: SignedIn,
      id: string,
      { amount, refunded_before, reason }: BodyOf<'POST /admin/payments/{id}/refund'>,
    ): Promise<PaidSession> {
      asAdmin(caller)
      const refunds = await inTransaction(db, async (tx) => {
        const refunded = await paidSessions.refund(tx, id, {
          amountPence: amount === undefined ? 'everything' : Math.round(amount * 100),
          refundedBeforePence: Math.round(refunded_before * 100),
          reason,
        })
        await audit(tx, caller, {
          action: 'refund session',
          subject: `£${(refunded.amountPence / 100).toFixed(2)} of session ${id}`,
          practitioner_id: refunded.practitionerId,
          reason,
        })
        return refunded.refunds
      })
      await payments.finishSoon({ refunds })
      return one(id, 'This payment')
    },
  }

  async function one(id: string, name: string): Promise<PaidSession> {
    const paid = await paidSessions.one(db, id)
    const [whole] = await withSeries(paid ? [paid] : [])
    if (!whole) throw notFound(name)
    return whole
  }

  async function withSeries(sessions: readonly Omit<PaidSession, 'series'>[]): Promise<PaidSession[]> {
    const series = await seriesOfSessions.of(
      db,
      sessions.map(({ session_id }) => session_id),
    )
    return sessions.map((session) => ({ ...session, series: series.get(session.session_id) ?? null }))
  }
}
