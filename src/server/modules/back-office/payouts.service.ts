import type { SuspensionCause } from '#contract/back-office/back-office.ts'
import type { Payable, PayoutReversalReason, RecordedPayout } from '#contract/back-office/practitioners.ts'
import { formatPence } from '#contract/money.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { Payments } from '../payments/payments.service.ts'
import * as store from './payouts.store.ts'

type Dependencies = Pick<Deps, 'clock'> & { payments: Pick<Payments, 'recordPayout' | 'reversePayout'> }

/** During a suspension for one of these, payouts are withheld: clients may have their money to get back. */
const withholdingCauses: readonly SuspensionCause[] = ['conduct', 'identity', 'insurance']

/** Of those that a search finds, these are shown. */
const mostFound = 200

/** A transfer that was made at the bank. */
export type WantedPayout = {
  amountPence: number
  /** What was owed when it was decided. */
  owedBeforePence: number
  reference: string
  /** It was made although more than can be paid out. */
  isBeyondPayable: boolean
  /** It was made although a suspension withholds payouts. */
  isDespiteSuspension: boolean
}

export type Payouts = ReturnType<typeof createPayouts>

/** Balances owed to practitioners, of which money for sessions that may still be refunded is held, and payouts. */
export function createPayouts({ clock, payments }: Dependencies) {
  return {
    /** A page of practitioners with a balance, or of those that a search finds, highest payable amount first. */
    async payables(db: Db, search: string | undefined, range: { limit: number; offset: number }) {
      const found = search?.trim() ? await store.findPaid(db, search, mostFound) : null
      const rows = await store.listPayables(db, clock.now(), found, range)
      return { data: rows.map(toPayable), total: found?.length ?? (await store.countPayables(db)) }
    },

    /** @throws 404 */
    payable: (db: Db, practitionerId: number): Promise<Payable> => readPayable(db, practitionerId),

    /**
     * Records a payout. The caller holds the practitioner's lock.
     * @throws 404; 409 `changed_elsewhere` when the amount owed has changed; 422 for more than the payable amount, and
     *   during a suspension that withholds payouts, unless the transfer was made all the same
     * @returns what it was recorded in spite of
     */
    async payOut(
      tx: Tx,
      practitionerId: number,
      wanted: WantedPayout,
    ): Promise<{ isBeyondPayable: boolean; isDespiteSuspension: boolean }> {
      const { amountPence, owedBeforePence, reference } = wanted
      const { owed, payable, is_withheld } = await readPayable(tx, practitionerId)
      if (Math.round(owed * 100) !== owedBeforePence) {
        throw fail('changed_elsewhere', 'What is owed has changed meanwhile. Nothing was recorded.')
      }
      if (amountPence <= 0) throw invalidField('amount', 'Enter an amount above £0.')
      const payablePence = Math.round(payable * 100)
      const isBeyondPayable = amountPence > payablePence
      if (isBeyondPayable && !wanted.isBeyondPayable) {
        throw invalidField('amount', `At most ${formatPence(payablePence)} can be paid out now.`)
      }
      if (is_withheld && !wanted.isDespiteSuspension) {
        throw invalidField('despite_suspension', 'During this suspension nothing is to be paid out.')
      }
      await payments.recordPayout(tx, { practitionerId, amountPence, reference })
      return { isBeyondPayable, isDespiteSuspension: is_withheld }
    },

    /** A page of recorded payouts, newest first. */
    async recorded(db: Db, search: string | undefined, range: { limit: number; offset: number }) {
      const rows = await store.listRecorded(db, search, range)
      return { data: rows.map(toRecorded), total: await store.countRecorded(db, search) }
    },

    /** @throws 404 */
    async oneRecorded(db: Db, id: string): Promise<RecordedPayout> {
      const row = await store.findRecorded(db, id)
      if (!row) throw notFound('This payout')
      return toRecorded(row)
    },

    /**
     * Reverses a payout. The caller holds the practitioner's lock.
     * @returns whether anything changed: a payout is reversed once
     */
    reverse: (tx: Tx, payout: RecordedPayout, reason: PayoutReversalReason): Promise<boolean> =>
      payments.reversePayout(
        tx,
        {
          id: payout.payout_id,
          practitionerId: payout.practitioner_id,
          amountPence: Math.round(payout.amount * 100),
        },
        reason,
      ),
  }

  async function readPayable(db: Db, practitionerId: number): Promise<Payable> {
    const [row] = await store.listPayables(db, clock.now(), [practitionerId], { limit: 1, offset: 0 })
    if (!row) throw notFound('This practitioner')
    return toPayable(row)
  }
}

function toPayable(row: store.PayableRow): Payable {
  return {
    practitioner_id: row.practitioner_id,
    full_name: `${row.first_name} ${row.last_name}`.trim(),
    email: row.email,
    owed: row.owed_pence / 100,
    held: row.held_pence / 100,
    payable: Math.max(0, row.owed_pence - row.held_pence) / 100,
    paid_out_at: row.paid_out_at?.toISOString() ?? null,
    suspended_for: row.suspended_for,
    is_withheld: row.suspended_for !== null && withholdingCauses.includes(row.suspended_for),
  }
}

function toRecorded(row: store.RecordedRow): RecordedPayout {
  return {
    payout_id: row.id,
    practitioner_id: row.practitioner_id,
    full_name: `${row.first_name} ${row.last_name}`.trim(),
    email: row.email,
    amount: row.amount_pence / 100,
    reference: row.reference,
    paid_out_at: row.created_at.toISOString(),
    reversal:
      row.reason && row.reversed_at
        ? { reason: row.reason, reversed_at: row.reversed_at.toISOString() }
        : null,
  }
}
