import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '../../db/connection.ts'

type Range = { from: Date; to: Date }

/** A practitioner's movements in the ledger, in pence. Each sum is positive in the sense of its name. */
export type Sums = {
  paid_pence: number
  refunded_pence: number
  disputed_pence: number
  discount_pence: number
  paid_out_pence: number
  owed_pence: number
}

/**
 * The ledger's transactions of a practitioner. A refund that gives a discount of the same amount changes nothing of what
 * they are owed, so that no entry names them: it is found by its payment.
 */
const transactionsOf = (practitionerId: number) => sql<string>`
  select transaction_id from ledger_entries where practitioner_id = ${practitionerId}
  union
  select t.id from ledger_entries e
  join ledger_transactions c on c.id = e.transaction_id and c.kind = 'capture'
  join refunds r on r.payment_intent_id = c.source_id and r.discount_pence < 0
  join ledger_transactions t on t.kind in ('refund', 'refund_failed', 'refund_paid_otherwise') and t.source_id = r.id
  where e.practitioner_id = ${practitionerId}`

/** Sums of the ledger for a practitioner before an instant. */
export async function sumBefore(db: Db, practitionerId: number, before: Date): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select
      coalesce(sum(e.amount_pence) filter (where t.kind = 'capture' and e.account = 'gateway_balance'), 0)::int8 as paid_pence,
      coalesce(-sum(e.amount_pence) filter (where t.kind in ('refund', 'refund_failed', 'refund_paid_otherwise')
        and e.account = 'gateway_balance'), 0)::int8 as refunded_pence,
      coalesce(-sum(e.amount_pence) filter (where t.kind = 'dispute_charged' and e.account = 'dispute_losses'), 0)::int8 as disputed_pence,
      coalesce(sum(e.amount_pence) filter (where e.account = 'referral_discounts'), 0)::int8 as discount_pence,
      coalesce(sum(e.amount_pence) filter (where t.kind in ('payout', 'payout_reversed')
        and e.account = 'practitioner_payable'), 0)::int8 as paid_out_pence,
      coalesce(-sum(e.amount_pence) filter (where e.account = 'practitioner_payable'), 0)::int8 as owed_pence
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.at < ${before} and t.id in (${transactionsOf(practitionerId)})`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('Sums are one row.')
  return sums
}

export type MovementRow = {
  at: Date
  kind: string
  /** Null for a payout, and for one that is reversed. */
  appointment_id: string | null
  /** Reference of a payout on the bank statement. */
  payout_reference: string | null
  /** Payment by the client; negative for a refund and for what a bank returned after a dispute. */
  client_pence: number
  discount_pence: number
  owed_pence: number
}

/** Every movement for a practitioner in a range, oldest first. */
export async function listMovements(db: Db, practitionerId: number, range: Range): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select t.at, t.kind, s.appointment_id,
      (select p.reference from payouts p where t.kind in ('payout', 'payout_reversed') and p.id = t.source_id)
        as payout_reference,
      coalesce(sum(e.amount_pence) filter (where t.kind not in ('payout', 'payout_reversed') and e.account in
        ('gateway_balance', 'dispute_losses')), 0)::int8 as client_pence,
      coalesce(sum(e.amount_pence) filter (where e.account = 'referral_discounts'), 0)::int8 as discount_pence,
      coalesce(-sum(e.amount_pence) filter (where e.account = 'practitioner_payable'), 0)::int8 as owed_pence
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    left join lateral (
      select i.appointment_id from payment_intents i
      where i.id = t.source_id or i.id = (select r.payment_intent_id from refunds r where r.id = t.source_id)
        or i.id = (select d.payment_intent_id from disputes d where d.id = t.source_id)
      limit 1) s on true
    where t.at >= ${range.from} and t.at < ${range.to} and t.id in (${transactionsOf(practitionerId)})
    group by t.id, s.appointment_id order by t.at, t.id`.execute(db)
  return rows
}

/** The instant of a practitioner's first movement. */
export async function findFirstMovement(db: Db, practitionerId: number): Promise<Date | null> {
  const row = await movementsOf(db, practitionerId)
    .select((eb) => eb.fn.min('ledger_transactions.at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** The places of the months with movements for a practitioner, newest first. Months are given by their first instants. */
export async function listMonths(db: Db, practitionerId: number, months: readonly Date[]): Promise<number[]> {
  const rows = await movementsOf(db, practitionerId)
    .select(sql<number>`width_bucket(ledger_transactions.at, ${months}::timestamptz[]) - 1`.as('month'))
    .distinct()
    .orderBy('month', 'desc')
    .execute()
  return rows.map((row) => row.month)
}

const movementsOf = (db: Db, practitionerId: number) =>
  db
    .selectFrom('ledger_transactions')
    .where(sql<boolean>`ledger_transactions.id in (${transactionsOf(practitionerId)})`)

export async function insertPayout(tx: Tx, payout: NewRow<'payouts'>): Promise<void> {
  await tx.insertInto('payouts').values(payout).execute()
}

/** @returns whether it is new: a payout is reversed once */
export async function insertPayoutReversal(tx: Tx, reversal: NewRow<'payout_reversals'>): Promise<boolean> {
  const row = await tx
    .insertInto('payout_reversals')
    .values(reversal)
    .onConflict((conflict) => conflict.column('payout_id').doNothing())
    .returning('payout_id')
    .executeTakeFirst()
  return row !== undefined
}
