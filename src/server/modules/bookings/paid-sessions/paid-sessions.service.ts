import type { LateReturn, PaidFilter, PaidSession } from '#contract/back-office/payments.ts'
import { formatPence } from '#contract/money.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { fail, invalidField, notFound } from '../../../errors.ts'
import { toLateReturn, toPaidSession } from '../bookings.mapper.ts'
import { isRefundable, lateSince } from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import * as store from '../bookings.store.ts'
import * as paidStore from './paid-sessions.store.ts'

type Dependencies = Pick<BookingDependencies, 'clock' | 'payments' | 'outbox'>

/** Above this count an admin checks the gateway rather than a list. */
const maxLate = 50

/** Pence. */
export type WantedRefund = { amountPence: number | 'everything'; refundedBeforePence: number; reason: string }

/** Later modules add the series. */
type PaidWithoutSeries = Omit<PaidSession, 'series'>

export type PaidSessions = ReturnType<typeof createPaidSessions>

/** Payments for sessions, and refunds that an admin decides. */
export function createPaidSessions({ clock, payments, outbox }: Dependencies) {
  return {
    /** A page of sessions that were paid for, with their count up to 10,000. */
    async paid(
      handle: Db,
      { show, search }: { show: PaidFilter; search?: string | undefined },
      range: { limit: number; offset: number },
    ): Promise<{ data: PaidWithoutSeries[]; total: number; isCapped: boolean }> {
      const filter = { show, sought: await paidStore.readSought(handle, search) }
      const data = await present(handle, await paidStore.listPaid(handle, filter, range))
      return { data, ...(await paidStore.countPaid(handle, filter)) }
    },

    one,

    /** Voids and refunds that are late, longest first, with the total count. */
    async lateReturns(handle: Db): Promise<{ data: LateReturn[]; total: number }> {
      const rows = await paidStore.readLateReturns(handle, lateSince(clock.now()), maxLate)
      return { data: rows.map(toLateReturn), total: rows[0]?.total ?? 0 }
    },

    /** The keys of all late voids and refunds, also beyond the limit of `lateReturns`. */
    async lateReturnKeys(handle: Db): Promise<paidStore.LateReturnKey[]> {
      return paidStore.readLateReturnKeys(handle, lateSince(clock.now()))
    },

    /**
     * Requests a refund, at most the amount paid, and a mail that is sent after the refund succeeds. Returns the
     * amount and the ids of the refunds to send once the transaction has committed.
     * @throws 404; 409 `not_refundable` for a session that has not begun or that nothing is left of; 409
     * `changed_elsewhere` when more was refunded meanwhile; 422 under `amount`
     */
    async refund(
      tx: Tx,
      id: string,
      { amountPence, refundedBeforePence, reason }: WantedRefund,
    ): Promise<{ amountPence: number; practitionerId: number; refunds: string[] }> {
      const row = await store.lockAppointment(tx, id)
      // What is left of the payments stays as the admin sees it until it is refunded.
      await payments.lockCaptured(tx, id)
      const paid = row && (await one(tx, id))
      if (!row || !paid || paid.payments.length === 0) throw notFound('This payment')
      if (pence(paid.refunded) !== refundedBeforePence) {
        throw fail('changed_elsewhere', 'Some of it has been refunded meanwhile. Please look again.')
      }
      if (!isRefundable(row, clock.now())) {
        throw fail(
          'not_refundable',
          'This session is still to come. Cancelling it refunds everything: the client or the practitioner can do that.',
        )
      }
      const left = pence(paid.refundable)
      if (left === 0) throw fail('not_refundable', 'Everything that was paid has been refunded.')
      const wanted = amountPence === 'everything' ? left : amountPence
      if (wanted <= 0) throw invalidField('amount', 'Enter how much to refund.')
      if (wanted > left) {
        throw invalidField('amount', `This is more than is left: at most ${formatPence(left)}.`)
      }
      // The refund of the last penny includes the discount that the platform paid.
      const part = wanted === left ? 'rest' : await partOf(tx, id, wanted)
      const refunds = await payments.requestRefund(tx, id, part, reason)
      // The new sequence number gives this refund a mail of its own.
      await store.changeTerms(tx, id, {})
      const after = await store.findAppointment(tx, id)
      if (after) await outbox.noteRefund(tx, after, refunds)
      return { amountPence: wanted, practitionerId: row.practitioner_id, refunds }
    },
  }

  /** A part of what was paid. One that failed before takes its discount along. */
  async function partOf(tx: Tx, id: string, amountPence: number) {
    return { amountPence, discountPence: await payments.discountAgain(tx, id, amountPence) }
  }

  async function one(handle: Db, id: string): Promise<PaidWithoutSeries | undefined> {
    return (await present(handle, await paidStore.readPaid(handle, [id])))[0]
  }

  async function present(handle: Db, rows: paidStore.PaidRow[]): Promise<PaidWithoutSeries[]> {
    const now = clock.now()
    const left = await payments.sumRefundable(
      handle,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => toPaidSession(row, left.get(row.id) ?? 0, now))
  }
}

const pence = (pounds: number) => Math.round(pounds * 100)
