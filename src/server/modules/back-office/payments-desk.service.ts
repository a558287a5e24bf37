import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { PaidSession } from '#contract/payment-desk.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { PaymentDesk } from '../bookings/bookings.desk.ts'
import type { Payments } from '../payments/payments.service.ts'
import { asAdmin } from './as-admin.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  desk: PaymentDesk
  payments: Pick<Payments, 'settleSoon'>
}

const perPage = 25

export type PaymentsDesk = ReturnType<typeof createPaymentsDesk>

/** What was paid, and giving it back, by admins alone. Every refund is in the audit log, in the same transaction. */
export function createPaymentsDesk({ db, clock, desk, payments }: Dependencies) {
  return {
    async list(
      caller: SignedIn,
      { show = 'all', search, page = 1 }: QueryOf<'GET /admin/payments'>,
    ): Promise<AnswerOf<'GET /admin/payments'>> {
      asAdmin(caller)
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const { data, total } = await desk.paid(db, { show, search }, range)
      return { data, meta: { total, page, per_page: perPage } }
    },

    /** Money that should have been back with its client by now. */
    async lateReturns(caller: SignedIn): Promise<AnswerOf<'GET /admin/payments/late-returns'>> {
      asAdmin(caller)
      return desk.lateReturns(db)
    },

    /** Gives back what was paid for a session, in full or in part. @throws as `refund` of the desk */
    async refund(
      caller: SignedIn,
      id: string,
      { amount, refunded_before, reason }: BodyOf<'POST /admin/payments/{id}/refund'>,
    ): Promise<PaidSession> {
      asAdmin(caller)
      const refunds = await inTransaction(db, async (tx) => {
        const done = await desk.refund(tx, id, {
          amountPence: amount === undefined ? 'everything' : Math.round(amount * 100),
          refundedBeforePence: Math.round(refunded_before * 100),
          reason,
        })
        await store.insertEntry(tx, {
          at: clock.now(),
          actor_id: caller.accountId,
          action: 'refund session',
          subject: `£${(done.amountPence / 100).toFixed(2)} of session ${id}`,
          practitioner_id: done.practitionerId,
          reason,
        })
        return done.refunds
      })
      await payments.settleSoon({ refunds })
      const paid = await desk.one(db, id)
      if (!paid) throw notFound('This payment')
      return paid
    },
  }
}
