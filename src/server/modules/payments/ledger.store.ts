import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Entry } from './payments.rules.ts'

export type LedgerKind =
  | 'capture'
  | 'refund'
  | 'charge'
  | 'payout'
  | 'payout_reversed'
  | 'refund_failed'
  | 'refund_paid_otherwise'
  | 'charge_refund'
  | 'charge_refund_failed'
  | 'charge_refund_paid_otherwise'
  | 'dispute_withdrawn'
  | 'dispute_reinstated'
  | 'dispute_lost'
  | 'dispute_charged'
  | 'dispute_fee'
  | 'dispute_fee_returned'

/** Posts a balanced transaction, once per source. */
export async function postLedger(
  db: Db,
  kind: LedgerKind,
  sourceId: string,
  at: Date,
  entries: Entry[],
): Promise<void> {
  const transaction = await db
    .insertInto('ledger_transactions')
    .values({ kind, source_id: sourceId, at })
    .onConflict((conflict) => conflict.columns(['kind', 'source_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!transaction) return
  await db
    .insertInto('ledger_entries')
    .values(entries.map((entry) => ({ ...entry, transaction_id: transaction.id })))
    .execute()
}

/** The amount owed to a practitioner, in pence: client payments plus platform discounts, less refunds. */
export async function sumPayable(db: Db, practitionerId: number): Promise<number> {
  const { rows } = await sql<{ pence: number }>`
    select coalesce(-sum(amount_pence), 0)::float8 as pence from ledger_entries
    where practitioner_id = ${practitionerId} and account = 'practitioner_payable'`.execute(db)
  return rows[0]?.pence ?? 0
}
