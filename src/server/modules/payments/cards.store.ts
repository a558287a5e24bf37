import { type NotNull, sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import { releasable } from './payments.rules.ts'

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

/** Cards by id, removed ones included unless their account was deleted. */
export function readMethods(db: Db, ids: string[]) {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', 'in', ids)
    .where('expiry_month', 'is not', null)
    .$narrowType<{ expiry_month: NotNull; expiry_year: NotNull }>()
    .execute()
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
    .where('payment_intents.state', 'in', [...releasable, 'capturing', 'captured'])
    .where(
      sql<boolean>`payment_intents.discount_pence > coalesce((select sum(r.discount_pence) from refunds r
        where r.payment_intent_id = payment_intents.id and ${oneOf('r.state', givenBack)}), 0)`,
    )
    .executeTakeFirst()
  return row !== undefined
}
