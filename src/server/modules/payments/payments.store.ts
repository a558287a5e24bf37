import type { Db } from '../../db/connection.ts'
import { type IntentState, intentTransitions } from './payments.rules.ts'

// Saved cards -----------------------------------------------------------------------------------------------------

type NewMethod = {
  id: string
  account_id: string
  gateway: string
  gateway_ref: string
  brand: string
  last4: string
  expiry_month: number
  expiry_year: number
  fingerprint: string
  created_at: Date
}

export async function insertMethod(db: Db, method: NewMethod): Promise<void> {
  await db.insertInto('payment_methods').values(method).execute()
}

export function listMethods(db: Db, accountId: string, gateway: string) {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gateway', '=', gateway)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function findMethod(db: Db, id: string, gateway: string) {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', id)
    .where('gateway', '=', gateway)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export async function removeMethod(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('payment_methods').set({ removed_at: now }).where('id', '=', id).execute()
}

/** Whether a card (whoever saved it) has paid, or is paying, for another discounted session. */
export async function cardHadDiscount(db: Db, methodId: string, exceptAppointment: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_intents')
    .innerJoin('payment_methods as used', 'used.id', 'payment_intents.payment_method_id')
    .innerJoin('payment_methods as asked', 'asked.fingerprint', 'used.fingerprint')
    .select('payment_intents.id')
    .where('asked.id', '=', methodId)
    .where('payment_intents.appointment_id', '<>', exceptAppointment)
    .where('payment_intents.discount_pence', '>', 0)
    .where('payment_intents.state', 'in', ['authorised', 'capturing', 'captured'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.payment_intent_id', '=', 'payment_intents.id')
            .whereRef('refunds.discount_pence', '=', 'payment_intents.discount_pence'),
        ),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

// Payment intents -------------------------------------------------------------------------------------------------

export type Purpose = 'booking' | 'change'

type NewIntent = {
  id: string
  appointment_id: string
  payment_method_id: string
  gateway: string
  amount_pence: number
  discount_pence: number
  purpose: Purpose
  created_at: Date
}

export async function insertIntent(db: Db, intent: NewIntent): Promise<void> {
  await db
    .insertInto('payment_intents')
    .values({ ...intent, state: 'authorising', updated_at: intent.created_at })
    .execute()
}

export function findIntent(db: Db, id: string) {
  return db
    .selectFrom('payment_intents')
    .innerJoin('payment_methods', 'payment_methods.id', 'payment_intents.payment_method_id')
    .innerJoin('appointments', 'appointments.id', 'payment_intents.appointment_id')
    .selectAll('payment_intents')
    .select(['payment_methods.gateway_ref as method_ref', 'appointments.practitioner_id'])
    .where('payment_intents.id', '=', id)
    .executeTakeFirst()
}

/** The intent of an appointment that money is on, or may come to be on. At most one for a purpose. */
export function findLiveIntent(db: Db, appointmentId: string, purpose: Purpose) {
  return db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('purpose', '=', purpose)
    .where('state', 'in', ['authorising', 'requires_action', 'authorised', 'capturing'])
    .executeTakeFirst()
}

export function listIntents(db: Db, appointmentId: string, states: IntentState[]) {
  return db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('state', 'in', states)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

type Patch = { gateway_ref?: string; decline_code?: string | null; client_secret?: string | null }

/** Moves an intent along its life, if it still stands where it is thought to. */
export async function moveIntent(
  db: Db,
  id: string,
  from: IntentState,
  to: IntentState,
  now: Date,
  patch: Patch = {},
): Promise<boolean> {
  if (!intentTransitions[from].includes(to))
    throw new Error(`A payment intent cannot go from ${from} to ${to}.`)
  const row = await db
    .updateTable('payment_intents')
    .set({ ...patch, state: to, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setGatewayRef(db: Db, id: string, ref: string): Promise<void> {
  await db.updateTable('payment_intents').set({ gateway_ref: ref }).where('id', '=', id).execute()
}

/** Intents whose gateway call may have been cut off: not touched since `before`. */
export function listUnsettled(db: Db, before: Date, most: number) {
  return db
    .selectFrom('payment_intents')
    .select('id')
    .where('state', 'in', ['authorising', 'capturing', 'voiding'])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(most)
    .execute()
}

/** Money for a change that was never carried out: waiting since `before`. */
export function listAbandonedChanges(db: Db, before: Date, most: number) {
  return db
    .selectFrom('payment_intents')
    .select(['id', 'state'])
    .where('purpose', '=', 'change')
    .where('state', 'in', ['requires_action', 'authorised'])
    .where('updated_at', '<=', before)
    .limit(most)
    .execute()
}

// Refunds and the ledger ------------------------------------------------------------------------------------------

type NewRefund = {
  id: string
  payment_intent_id: string
  amount_pence: number
  discount_pence: number
  reason: string
  created_at: Date
}

export async function insertRefund(db: Db, refund: NewRefund): Promise<void> {
  await db
    .insertInto('refunds')
    .values({ ...refund, state: 'requested' })
    .execute()
}

export function findRefund(db: Db, id: string) {
  return db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .innerJoin('appointments', 'appointments.id', 'payment_intents.appointment_id')
    .selectAll('refunds')
    .select(['payment_intents.gateway_ref as payment_ref', 'payment_intents.state as intent_state'])
    .select('appointments.practitioner_id')
    .where('refunds.id', '=', id)
    .executeTakeFirst()
}

export async function succeedRefund(db: Db, id: string, ref: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('refunds')
    .set({ state: 'succeeded', gateway_ref: ref, succeeded_at: now, last_error: null })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteRefundFailure(db: Db, id: string, error: string): Promise<void> {
  await db
    .updateTable('refunds')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), last_error: error }))
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

export function listOpenRefunds(db: Db, before: Date, most: number) {
  return db
    .selectFrom('refunds')
    .select('id')
    .where('state', '=', 'requested')
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(most)
    .execute()
}

export function listRefunds(db: Db, appointmentIds: string[]) {
  return db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .select([
      'payment_intents.appointment_id',
      'refunds.payment_intent_id',
      'refunds.amount_pence',
      'refunds.discount_pence',
      'refunds.state',
    ])
    .where('payment_intents.appointment_id', 'in', appointmentIds)
    .execute()
}

type Entry = {
  account: 'gateway_balance' | 'practitioner_payable' | 'referral_discounts'
  practitioner_id: number | null
  amount_pence: number
}

/** Writes a balanced movement, once for its source. */
export async function postLedger(
  db: Db,
  kind: 'capture' | 'refund',
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
