import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Schema } from '../../db/schema.gen.ts'
import type { Fault } from './payments.rules.ts'

/** Payments at the gateway: of appointments, and of accounts to the platform itself. */
export type PaymentTable = 'payment_intents' | 'platform_charges'

/** What the gateway's result changes of a payment beside its state. */
export type GatewayPatch = {
  gateway_ref?: string
  decline_code?: string | null
  client_secret?: string | null
}

export async function setGatewayRef(db: Db, table: PaymentTable, id: string, ref: string): Promise<void> {
  await db.updateTable(table).set({ gateway_ref: ref }).where('id', '=', id).execute()
}

/**
 * Counts a failed gateway call. A later `updated_at` puts the payment behind the others. Returns the number of
 * failures.
 */
export async function noteFailure(
  db: Db,
  table: PaymentTable,
  id: string,
  fault: Fault,
  now: Date,
): Promise<number> {
  const row = await db
    .updateTable(table)
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      updated_at: now,
      gateway_error: JSON.stringify(fault),
    }))
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts ?? 0
}

/** Payments whose gateway call may have been cut off: unchanged since `before`. */
export function listUnfinished(db: Db, table: PaymentTable, before: Date, limit: number) {
  return db
    .selectFrom(table)
    .select('id')
    .where('state', 'in', ['authorising', 'capturing', 'voiding'])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** Matches payments that were abandoned on the page: authorised, or waiting for the bank, since these instants. */
export const isAbandoned =
  (since: { authorised: Date; asked: Date }) => (eb: ExpressionBuilder<Schema, PaymentTable>) =>
    eb.or([
      eb.and([eb('state', '=', 'authorised'), eb('updated_at', '<=', since.authorised)]),
      eb.and([eb('state', '=', 'requires_action'), eb('updated_at', '<=', since.asked)]),
    ])
