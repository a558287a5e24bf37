import { type NotNull, sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { type Entry, type Fault, type IntentState, intentTransitions, releasable } from './payments.rules.ts'
import { givenBack } from './reconciliation.rules.ts'

// Saved cards -----------------------------------------------------------------------------------------------------

export type NewMethod = {
  id: string
  account_id: string
  gateway: string
  gateway_ref: string
  brand: string
  last4: string
  expiry_month: number
  expiry_year: number
  fingerprint: string
  remembered?: boolean
  created_at: Date
}

export async function insertMethod(db: Db, method: NewMethod): Promise<void> {
  await db.insertInto('payment_methods').values(method).execute()
}

/** Cards that are saved and not removed. */
const usable = (db: Db, gateway: string) =>
  db
    .selectFrom('payment_methods')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('removed_at', 'is', null)
    .$narrowType<{
      gateway_ref: NotNull
      fingerprint: NotNull
      expiry_month: NotNull
      expiry_year: NotNull
    }>()

/** Remembered cards, newest first. */
export function listMethods(db: Db, accountId: string, gateway: string) {
  return usable(db, gateway)
    .where('account_id', '=', accountId)
    .where('remembered', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function findMethod(db: Db, id: string, gateway: string) {
  return usable(db, gateway).where('id', '=', id).executeTakeFirst()
}

/** The saved card with this reference at the gateway. */
export function findMethodByRef(db: Db, gateway: string, ref: string) {
  return usable(db, gateway).where('gateway_ref', '=', ref).executeTakeFirst()
}

export async function removeMethod(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('payment_methods').set({ removed_at: now }).where('id', '=', id).execute()
}

/** Whether a card has a payment under way. */
const underWayOn = sql`exists (select 1 from payment_intents i where i.payment_method_id = payment_methods.id
  and i.state in ('authorising', 'requires_action', 'authorised', 'capturing', 'voiding'))`
const hasPaid = sql`exists (select 1 from payment_intents i where i.payment_method_id = payment_methods.id
  and i.state = 'captured')`

/** Single-use cards that have paid their session, or were saved before an instant, with no payment under way. */
export function listUsedUp(db: Db, savedBefore: Date, limit: number) {
  return db
    .selectFrom('payment_methods')
    .select('id')
    .where('remembered', '=', false)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`not ${underWayOn} and (${hasPaid} or created_at <= ${savedBefore})`)
    .limit(limit)
    .execute()
}

/** Whether another appointment uses a single-use card. Locks the card until the transaction ends. */
export async function isTakenByAnother(tx: Tx, methodId: string, appointmentId: string): Promise<boolean> {
  const method = await tx
    .selectFrom('payment_methods')
    .select('remembered')
    .where('id', '=', methodId)
    .forUpdate()
    .executeTakeFirst()
  if (method?.remembered !== false) return false
  const other = await tx
    .selectFrom('payment_intents')
    .select('id')
    .where('payment_method_id', '=', methodId)
    .where('appointment_id', '<>', appointmentId)
    .where('state', 'not in', ['declined', 'voided'])
    .executeTakeFirst()
  return other !== undefined
}

/** Stores when the last payment of a card was declined; null if it was not. */
export async function noteDeclined(db: Db, methodId: string, at: Date | null): Promise<void> {
  await db.updateTable('payment_methods').set({ declined_at: at }).where('id', '=', methodId).execute()
}

/** Removes a card that has no payment made or under way. Returns whether it was removed. */
export async function removeIfNeverPaid(tx: Tx, methodId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('payment_methods')
    .set({ removed_at: now })
    .where('id', '=', methodId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`not ${underWayOn} and not exists (select 1 from payment_intents i
      where i.payment_method_id = payment_methods.id and i.state in ('captured', 'voided'))`)
    .where(
      sql<boolean>`not exists (select 1 from platform_charges c where c.payment_method_id = payment_methods.id)`,
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Serialises changes to the cards of an account until the transaction ends. */
export async function lockCardsOf(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`cards of ${accountId}`}))`.execute(tx)
}

/** Removes every card of an account. Returns their ids. */
export async function removeMethodsOf(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('payment_methods')
    .set({ removed_at: now })
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The gateway's reference of a card that was removed here. */
export async function findRemovedRef(db: Db, id: string, gateway: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_methods')
    .select('gateway_ref')
    .where('id', '=', id)
    .where('gateway', '=', gateway)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  return row?.gateway_ref ?? null
}

/**
 * Whether a card, saved by any client, has paid or is paying for another discounted session. Locks the card until the
 * transaction ends. A discount that was refunded in full does not count.
 */
export async function cardHadDiscount(tx: Tx, methodId: string, exceptAppointment: string): Promise<boolean> {
  const method = await tx
    .selectFrom('payment_methods')
    .select('fingerprint')
    .where('id', '=', methodId)
    .executeTakeFirstOrThrow()
  await sql`select pg_advisory_xact_lock(hashtext(${`card ${method.fingerprint}`}))`.execute(tx)
  const row = await tx
    .selectFrom('payment_intents')
    .innerJoin('payment_methods as used', 'used.id', 'payment_intents.payment_method_id')
    .select('payment_intents.id')
    .where('used.fingerprint', '=', method.fingerprint)
    .where('payment_intents.appointment_id', '<>', exceptAppointment)
    .where('payment_intents.discount_pence', '>', 0)
    .where('payment_intents.state', 'in', [...releasable, 'capturing', 'captured'])
    .where(
      sql<boolean>`payment_intents.discount_pence > coalesce((select sum(r.discount_pence) from refunds r
        where r.payment_intent_id = payment_intents.id and r.state in (${sql.join([...givenBack])})), 0)`,
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
    .selectAll('payment_intents')
    .select(['payment_methods.gateway_ref as method_ref', 'payment_methods.account_id as method_owner'])
    .where('payment_intents.id', '=', id)
    .executeTakeFirst()
}

/**
 * The live intent of an appointment, at most one per purpose: one that can still be voided, or for a booking also a
 * `capturing` one.
 */
export function findLiveIntent(db: Db, appointmentId: string, purpose: Purpose) {
  return liveIntent(db, appointmentId, purpose).executeTakeFirst()
}

/** As `findLiveIntent`, locked until the transaction ends. */
export function lockLiveIntent(tx: Tx, appointmentId: string, purpose: Purpose) {
  return liveIntent(tx, appointmentId, purpose).forUpdate().executeTakeFirst()
}

/** An intent, locked until the transaction ends. */
export function lockIntent(tx: Tx, id: string) {
  return tx.selectFrom('payment_intents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

function liveIntent(db: Db, appointmentId: string, purpose: Purpose) {
  return db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('purpose', '=', purpose)
    .where('state', 'in', purpose === 'booking' ? [...releasable, 'capturing'] : [...releasable])
}

/** Begins to void every uncaptured payment intent of an appointment. Returns their ids. */
export async function releaseIntents(
  db: Db,
  which: { appointmentId: string; purpose?: Purpose | undefined; id?: string | undefined },
  now: Date,
): Promise<string[]> {
  let query = db
    .updateTable('payment_intents')
    .set({ state: 'voiding', updated_at: now, releasing_since: now, attempts: 0 })
    .where('appointment_id', '=', which.appointmentId)
    .where('state', 'in', releasable)
  if (which.purpose) query = query.where('purpose', '=', which.purpose)
  if (which.id) query = query.where('id', '=', which.id)
  const rows = await query.returning('id').execute()
  return rows.map((row) => row.id)
}

/** The payments of an appointment in some states, newest first, locked until the transaction ends. */
export function lockIntents(db: Tx, appointmentId: string, states: IntentState[]) {
  return db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('state', 'in', states)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
}

/** State and gateway reference of every payment of an appointment. */
export function listStandings(db: Db, appointmentId: string) {
  return db
    .selectFrom('payment_intents')
    .select(['state', 'gateway_ref'])
    .where('appointment_id', '=', appointmentId)
    .execute()
}

type Patch = { gateway_ref?: string; decline_code?: string | null; client_secret?: string | null }

/** Changes the state of an intent if it is still `from`. Returns whether it was. */
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
    .set({
      ...patch,
      state: to,
      updated_at: now,
      attempts: 0,
      ...(to === 'voiding' ? { releasing_since: now } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts a failed gateway call. A later `updated_at` puts the intent behind the others. Returns the number of
 * failures.
 */
export async function noteIntentFailure(db: Db, id: string, fault: Fault, now: Date): Promise<number> {
  const row = await db
    .updateTable('payment_intents')
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

/**
 * Claims an authorisation whose gateway call has failed, or was cut off before an instant. Returns false if another
 * caller has the claim.
 */
export async function claimAuthorising(db: Db, id: string, before: Date, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('payment_intents')
    .set({ attempts: 0, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'authorising')
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('updated_at', '<=', before)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setGatewayRef(db: Db, id: string, ref: string): Promise<void> {
  await db.updateTable('payment_intents').set({ gateway_ref: ref }).where('id', '=', id).execute()
}

/** Intents whose gateway call may have been cut off: unchanged since `before`. */
export function listUnfinished(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('payment_intents')
    .select('id')
    .where('state', 'in', ['authorising', 'capturing', 'voiding'])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** Payments of abandoned changes: authorised, or waiting for the bank, since these instants. */
export function listAbandonedChanges(db: Db, since: { authorised: Date; asked: Date }, limit: number) {
  return db
    .selectFrom('payment_intents')
    .select(['id', 'state'])
    .where('purpose', '=', 'change')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'authorised'), eb('updated_at', '<=', since.authorised)]),
        eb.and([eb('state', '=', 'requires_action'), eb('updated_at', '<=', since.asked)]),
      ]),
    )
    .limit(limit)
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
    .selectAll('refunds')
    .select([
      'payment_intents.gateway_ref as payment_ref',
      'payment_intents.state as intent_state',
      'payment_intents.appointment_id',
    ])
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

/** Counts a failed attempt to refund. Returns the number of failures. */
export async function noteRefundFailure(db: Db, id: string, fault: Fault, now: Date): Promise<number> {
  const row = await db
    .updateTable('refunds')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      last_error: fault.type,
      gateway_error: JSON.stringify(fault),
      tried_at: now,
    }))
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts ?? 0
}

/** Requested refunds not tried since `before`, longest wait first. An open dispute excludes its refunds. */
export function listOpenRefunds(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('refunds')
    .select('id')
    .where('state', '=', 'requested')
    .where((eb) => eb(eb.fn.coalesce('tried_at', 'created_at'), '<=', before))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.payment_intent_id', '=', 'refunds.payment_intent_id')
            .where('disputes.state', '=', 'open'),
        ),
      ),
    )
    .orderBy((eb) => eb.fn.coalesce('tried_at', 'created_at'))
    .limit(limit)
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
      sql<boolean>`exists (select 1 from gateway_incidents g where g.kind = 'refund_failed'
        and g.subject = refunds.gateway_ref and g.payment_key = refunds.payment_intent_id
        and g.resolved_at is null)`.as('is_open_failure'),
    ])
    .where('payment_intents.appointment_id', 'in', appointmentIds)
    .execute()
}

/** Refunds by their ids, each with its card. */
export function listRefundsById(db: Db, ids: string[]) {
  return db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .innerJoin('payment_methods', 'payment_methods.id', 'payment_intents.payment_method_id')
    .select(['refunds.amount_pence', 'refunds.state', 'payment_methods.brand', 'payment_methods.last4'])
    .where('refunds.id', 'in', ids)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute()
}

export type LedgerKind =
  | 'capture'
  | 'refund'
  | 'charge'
  | 'payout'
  | 'refund_failed'
  | 'refund_paid_otherwise'
  | 'charge_refund'
  | 'charge_refund_failed'
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
