import type { Db, Tx } from '../../db/connection.ts'
import { type Fault, type IntentState, intentTransitions, releasable } from './payments.rules.ts'

export type NewCharge = {
  id: string
  account_id: string
  payment_method_id: string
  gateway: string
  purpose: 'subscription' | 'video_production'
  subject: string
  amount_pence: number
  on_session: boolean
  created_at: Date
}

/** States in which a charge has paid for its subject, or still may. */
const live = [...releasable, 'capturing', 'captured'] as const

export async function insertCharge(tx: Tx, charge: NewCharge): Promise<void> {
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

type Patch = { gateway_ref?: string; decline_code?: string | null; client_secret?: string | null }

/** Changes the state of a charge if it is still `from`. Returns whether it was. */
export async function moveCharge(
  db: Db,
  id: string,
  from: IntentState,
  to: IntentState,
  now: Date,
  patch: Patch = {},
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

export async function setChargeRef(db: Db, id: string, ref: string): Promise<void> {
  await db.updateTable('platform_charges').set({ gateway_ref: ref }).where('id', '=', id).execute()
}

/**
 * Counts a failed gateway call. A later `updated_at` puts the charge behind the others. Returns the number of
 * failures.
 */
export async function noteChargeFailure(db: Db, id: string, fault: Fault, now: Date): Promise<number> {
  const row = await db
    .updateTable('platform_charges')
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

/** Charges whose gateway call may have been cut off: unchanged since `before`. */
export function listUnfinishedCharges(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('platform_charges')
    .select('id')
    .where('state', 'in', ['authorising', 'capturing', 'voiding'])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** Charges that an account abandoned on the page: authorised, or waiting for the bank, since these instants. */
export function listLeftCharges(db: Db, since: { authorised: Date; asked: Date }, limit: number) {
  return db
    .selectFrom('platform_charges')
    .select('id')
    .where('on_session', '=', true)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'authorised'), eb('updated_at', '<=', since.authorised)]),
        eb.and([eb('state', '=', 'requires_action'), eb('updated_at', '<=', since.asked)]),
      ]),
    )
    .limit(limit)
    .execute()
}
