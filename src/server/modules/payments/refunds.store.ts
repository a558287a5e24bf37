import { sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, NewRow } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import type { Fault } from './payments.rules.ts'

export async function insertRefund(db: Db, refund: NewRow<'refunds', 'state'>): Promise<void> {
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

/** Notes that a refund left. Returns false if it is no longer requested, or with another amount. */
export async function succeedRefund(
  db: Db,
  id: string,
  { ref, amountPence }: { ref: string | null; amountPence: number },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('refunds')
    .set({ state: 'succeeded', gateway_ref: ref, succeeded_at: now, last_error: null })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .where('amount_pence', '=', amountPence)
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
    .where(({ not }) => not(isDisputed))
    .orderBy((eb) => eb.fn.coalesce('tried_at', 'created_at'))
    .limit(limit)
    .execute()
}

/** Whether a refund waits until the bank has decided about a dispute of its payment. */
export const isDisputed = sql<boolean>`exists (select 1 from disputes d
  where d.payment_intent_id = refunds.payment_intent_id and d.state = 'open' and not d.is_refundable)`

/** Whether no admin has dealt with the failure of a refund. */
export const isOpenFailure = sql<boolean>`exists (select 1 from gateway_incidents g where g.kind = 'refund_failed'
  and g.subject = refunds.gateway_ref and g.payment_key = refunds.payment_intent_id and g.resolved_at is null)`

/** What a client has paid with a payment and does not have back, nor will have. Pence; `intent`: its alias in the query. */
export const restOf = (intent: 'i' | 'payment_intents') => sql<number>`(${sql.ref(`${intent}.amount_pence`)}
  - (select coalesce(sum(r.amount_pence), 0) from refunds r
    where r.payment_intent_id = ${sql.ref(`${intent}.id`)} and ${oneOf('r.state', givenBack)})
  - (select coalesce(sum(l.withdrawn_pence), 0) from disputes l
    where l.payment_intent_id = ${sql.ref(`${intent}.id`)} and l.state = 'lost'))::int`

/** The refunds of some appointments, oldest first. */
export function listRefunds(db: Db, appointmentIds: string[]) {
  return db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .select([
      'payment_intents.appointment_id',
      'payment_intents.discount_pence as payment_discount_pence',
      'refunds.payment_intent_id',
      'refunds.amount_pence',
      'refunds.discount_pence',
      'refunds.state',
      'refunds.reason',
      isOpenFailure.as('is_open_failure'),
      sql<number | null>`case when refunds.state = 'failed' then ${restOf('payment_intents')} end`.as(
        'rest_pence',
      ),
    ])
    .where('payment_intents.appointment_id', 'in', appointmentIds)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute()
}

/** Some refunds, each with its card. */
export function listRefundsById(db: Db, ids: string[]) {
  return db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .innerJoin('payment_methods', 'payment_methods.id', 'payment_intents.payment_method_id')
    .select([
      'refunds.amount_pence',
      'refunds.discount_pence',
      'refunds.state',
      'payment_methods.brand',
      'payment_methods.last4',
    ])
    .where('refunds.id', 'in', ids)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute()
}
