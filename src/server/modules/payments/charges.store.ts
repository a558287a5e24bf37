import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { type GatewayPatch, isAbandoned } from './gateway-payments.store.ts'
import { type IntentState, intentTransitions, releasable } from './payments.rules.ts'

/** States in which a charge has paid for its subject, or still may. */
const live = [...releasable, 'capturing', 'captured'] as const

export async function insertCharge(
  tx: Tx,
  charge: NewRow<'platform_charges', 'state' | 'updated_at'>,
): Promise<void> {
  await tx
    .insertInto('platform_charges')
    .values({ ...charge, state: 'authorising', updated_at: charge.created_at })
    .execute()
}

export type ChargeRow = NonNullable<Awaited<ReturnType<typeof findCharge>>>

export function findCharge(db: Db, id: string) {
  return db
    .selectFrom('platform_charges')
    .innerJoin('payment_methods', 'payment_methods.id', 'platform_charges.payment_method_id')
    .selectAll('platform_charges')
    .select('payment_methods.gateway_ref as method_ref')
    .where('platform_charges.id', '=', id)
    .executeTakeFirst()
}

/** The live charge for a subject, locked until the transaction ends. */
export function lockChargeFor(tx: Tx, subject: string) {
  return tx
    .selectFrom('platform_charges')
    .selectAll()
    .where('subject', '=', subject)
    .where('state', 'in', live)
    .forUpdate()
    .executeTakeFirst()
}

/** Changes the state of a charge if it is still `from`. Returns whether it was. */
export async function moveCharge(
  db: Db,
  id: string,
  from: IntentState,
  to: IntentState,
  now: Date,
  patch: GatewayPatch = {},
): Promise<boolean> {
  if (!intentTransitions[from].includes(to)) throw new Error(`A charge cannot go from ${from} to ${to}.`)
  const row = await db
    .updateTable('platform_charges')
    .set({ ...patch, state: to, updated_at: now, attempts: 0 })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins to void an uncaptured charge. Returns whether it was uncaptured. */
export async function releaseCharge(tx: Tx, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('platform_charges')
    .set({ state: 'voiding', updated_at: now, attempts: 0 })
    .where('id', '=', id)
    .where('state', 'in', releasable)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Charges that an account abandoned on the page: authorised, or waiting for the bank, since these instants. */
export function listLeftCharges(db: Db, since: { authorised: Date; asked: Date }, limit: number) {
  return db
    .selectFrom('platform_charges')
    .select('id')
    .where('on_session', '=', true)
    .where(isAbandoned(since))
    .limit(limit)
    .execute()
}
