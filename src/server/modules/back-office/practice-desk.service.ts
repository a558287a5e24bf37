import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { Payable, VideoOrder } from '#contract/practice-desk.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Videos } from '../subscriptions/subscriptions.video.ts'
import { asAdmin } from './as-admin.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  payments: Pick<Payments, 'payables' | 'payable' | 'payOut'>
  practitioners: Pick<Practitioners, 'lock'>
  videos: Pick<Videos, 'orders' | 'finish'>
}

const perPage = 25

export type PracticeDesk = ReturnType<typeof createPracticeDesk>

/** What admins do by hand for practitioners. Whatever they do is in the audit log, in the same transaction. */
export function createPracticeDesk({ db, clock, payments, practitioners, videos }: Dependencies) {
  return {
    async payouts(
      caller: SignedIn,
      { page = 1 }: QueryOf<'GET /admin/payouts'>,
    ): Promise<AnswerOf<'GET /admin/payouts'>> {
      asAdmin(caller)
      const { data, total } = await payments.payables(db, rangeOf(page))
      return { data, meta: { total, page, per_page: perPage } }
    },

    /** Writes down a transfer. @throws as `payOut` */
    async payOut(
      caller: SignedIn,
      id: number,
      { amount, owed_before, reference }: BodyOf<'POST /admin/payouts/{id}'>,
    ): Promise<Payable> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        if (!(await practitioners.lock(tx, id))) throw notFound('This practitioner')
        const amountPence = Math.round(amount * 100)
        const owedBeforePence = Math.round(owed_before * 100)
        await payments.payOut(tx, id, { amountPence, owedBeforePence, reference })
        await store.insertEntry(tx, {
          at: clock.now(),
          actor_id: caller.accountId,
          action: 'pay out',
          subject: `£${(amountPence / 100).toFixed(2)} to practitioner ${id}`,
          practitioner_id: id,
          reason: reference,
        })
        return payments.payable(tx, id)
      })
    },

    async videoOrders(
      caller: SignedIn,
      { status = 'open', page = 1 }: QueryOf<'GET /admin/video-orders'>,
    ): Promise<AnswerOf<'GET /admin/video-orders'>> {
      asAdmin(caller)
      const { data, total } = await videos.orders(db, status, rangeOf(page))
      return { data, meta: { total, page, per_page: perPage } }
    },

    /** Writes down that a video was made. @throws 404 where none is ordered */
    async finishVideo(caller: SignedIn, id: number): Promise<VideoOrder> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const { order, isNews } = await videos.finish(tx, id)
        if (isNews) {
          await store.insertEntry(tx, {
            at: clock.now(),
            actor_id: caller.accountId,
            action: 'finish video',
            subject: `video of practitioner ${id}`,
            practitioner_id: id,
            reason: null,
          })
        }
        return order
      })
    },
  }
}

const rangeOf = (page: number) => ({ limit: perPage, offset: (page - 1) * perPage })
