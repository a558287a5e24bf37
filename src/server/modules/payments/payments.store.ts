import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { type GatewayPatch, isAbandoned } from './gateway-payments.store.ts'
import { type IntentState, intentTransitions, releasable } from './payments.rules.ts'

export type Purpose = 'booking' | 'change'

export async function insertIntent(
  db: Db,
  intent: NewRow<'payment_intents', 'state' | 'updated_at'>,
): Promise<void> {
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

/** The newest intent for the booking of an appointment. */
export function findNewestIntent(db: Db, appointmentId: string) {
  return db
    .selectFrom('payment_intents')
    .select(['id', 'state', 'on_session', 'decline_code', 'created_at', 'updated_at'])
    .where('appointment_id', '=', appointmentId)
    .where('purpose', '=', 'booking')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
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

/** Begins to void every uncaptured payment intent of an appointment, or those at the bank alone. Returns their ids. */
export async function releaseIntents(
  db: Db,
  which: { appointmentId: string; purpose?: Purpose; id?: string; isAtBank?: boolean },
  now: Date,
): Promise<string[]> {
  let query = db
    .updateTable('payment_intents')
    .set({ state: 'voiding', updated_at: now, releasing_since: now, attempts: 0 })
    .where('appointment_id', '=', which.appointmentId)
    .where('state', 'in', which.isAtBank ? ['requires_action'] : releasable)
  if (which.purpose) query = query.where('purpose', '=', which.purpose)
  if (which.id) query = query.where('id', '=', which.id)
  const rows = await query.returning('id').execute()
  return rows.map((row) => row.id)
}

/** A query of the payments of some appointments in some states, newest first. */
export const intentsOf = (db: Db, appointmentIds: string[], states: IntentState[]) =>
  db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', 'in', appointmentIds)
    .where('state', 'in', states)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

/** Those of some appointments that have a payment whose result is not known, or that is being captured. */
export async function listUnderWay(db: Db, appointmentIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_intents')
    .select('appointment_id')
    .where('appointment_id', 'in', appointmentIds)
    .where('state', 'in', ['authorising', 'authorised', 'capturing'])
    .execute()
  return rows.map((row) => row.appointment_id)
}

/** Every payment of an appointment. `awaits_bank`: the bank has asked the client, whose answer is not known. */
export function listStandings(db: Db, appointmentId: string) {
  return db
    .selectFrom('payment_intents')
    .select(['state', 'gateway_ref'])
    .select((eb) => eb('client_secret', 'is not', null).$castTo<boolean>().as('awaits_bank'))
    .where('appointment_id', '=', appointmentId)
    .execute()
}

/** Changes the state of an intent if it is still `from`. Returns whether it was. */
export async function moveIntent(
  db: Db,
  id: string,
  from: IntentState,
  to: IntentState,
  now: Date,
  patch: GatewayPatch = {},
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
      // The client has answered the bank.
      ...(to === 'authorised' ? { client_secret: null } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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

/** Payments of abandoned changes: authorised, or waiting for the bank, since these instants. */
export function listAbandonedChanges(db: Db, since: { authorised: Date; asked: Date }, limit: number) {
  return db
    .selectFrom('payment_intents')
    .select(['id', 'state'])
    .where('purpose', '=', 'change')
    .where(isAbandoned(since))
    .limit(limit)
    .execute()
}
