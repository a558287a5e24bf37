import { sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof findInvoice>>>

/**
 * The next invoice number of a year. Its row stays locked until the transaction ends, so that numbers have no gaps.
 */
export async function nextSerial(tx: Tx, year: number): Promise<number> {
  const row = await tx
    .insertInto('invoice_numbers')
    .values({ year, last: 1 })
    .onConflict((conflict) => conflict.column('year').doUpdateSet({ last: sql`invoice_numbers.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow()
  return row.last
}

export async function insertInvoice(tx: Tx, invoice: NewRow<'invoices'>): Promise<void> {
  await tx.insertInto('invoices').values(invoice).execute()
}

/** Invoices with the later refunds and disputes of their charges. Pence. */
const invoicesWithChanges = (db: Db) =>
  db
    .selectFrom('invoices')
    .selectAll('invoices')
    .select([
      sql<number>`(select coalesce(sum(r.amount_pence), 0)::int from platform_charge_refunds r
      where r.charge_id = invoices.charge_id and ${oneOf('r.state', givenBack)})`.as('refunded_pence'),
      sql<number>`(select coalesce(sum(d.withdrawn_pence), 0)::int from disputes d
      where d.charge_id = invoices.charge_id and d.state = 'lost')`.as('taken_back_pence'),
      sql<'open' | 'won' | 'lost' | null>`(select d.state from disputes d
      where d.charge_id = invoices.charge_id order by d.opened_at desc, d.id desc limit 1)`.as(
        'dispute_state',
      ),
    ])

/** An invoice of this practitioner. */
export function findInvoice(db: Db, practitionerId: number, id: string) {
  return invoicesWithChanges(db)
    .where('practitioner_id', '=', practitionerId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findInvoiceOfCharge(db: Db, chargeId: string) {
  return db.selectFrom('invoices').selectAll().where('charge_id', '=', chargeId).executeTakeFirst()
}

export function listInvoices(db: Db, practitionerId: number) {
  return invoicesWithChanges(db)
    .where('practitioner_id', '=', practitionerId)
    .orderBy('year', 'desc')
    .orderBy('serial', 'desc')
    .execute()
}
