import { sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import type { PaymentTable } from './gateway-payments.store.ts'
import {
  type DisputeState,
  type OwnDispute,
  type OwnRefund,
  type RefundState,
  refundLife,
} from './reconciliation.rules.ts'

export function lockCharge(tx: Tx, id: string) {
  return tx.selectFrom('platform_charges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Records a capture outside the product. Returns whether it was new. */
export async function noteCapturedElsewhere(
  tx: Tx,
  table: PaymentTable,
  id: string,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable(table)
    .set({ captured_elsewhere_at: now })
    .where('id', '=', id)
    .where('captured_elsewhere_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The refunds of a payment intent, oldest first. Pence. */
export async function listOwnRefunds(tx: Tx, intentId: string): Promise<OwnRefund[]> {
  const rows = await tx
    .selectFrom('refunds')
    .select(['id', 'amount_pence', 'discount_pence', 'state', 'gateway_ref'])
    .where('payment_intent_id', '=', intentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    amountPence: row.amount_pence,
    discountPence: row.discount_pence,
    state: row.state,
    gatewayRef: row.gateway_ref,
  }))
}

/** Stores a refund that was made at the gateway. */
export async function insertGatewayRefund(
  tx: Tx,
  refund: NewRow<'refunds', 'origin' | 'state'>,
): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({ ...refund, origin: 'gateway', state: 'succeeded', succeeded_at: refund.created_at })
    .execute()
}

/** Changes the state of a refund. @throws Error when it is not in the state it was read in */
export async function moveRefund(
  tx: Tx,
  id: string,
  from: RefundState,
  to: RefundState,
  patch: Pick<Patch<'refunds'>, 'gateway_ref' | 'amount_pence' | 'discount_pence' | 'succeeded_at'> = {},
): Promise<void> {
  if (!refundLife[from].includes(to)) throw new Error(`A refund cannot go from ${from} to ${to}.`)
  const row = await tx
    .updateTable('refunds')
    .set({ ...patch, state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Error('A refund has changed meanwhile.')
}

/** Lowers the amount of a requested refund. */
export async function reduceRefund(tx: Tx, id: string, amountPence: number): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ amount_pence: amountPence })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

/** The failed refund with this reference at the gateway. */
export function findFailedRefund(tx: Tx, intentId: string, ref: string) {
  return tx
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .selectAll('refunds')
    .select(['payment_intents.appointment_id', 'payment_intents.discount_pence as payment_discount_pence'])
    .where('refunds.payment_intent_id', '=', intentId)
    .where('refunds.gateway_ref', '=', ref)
    .where('refunds.state', '=', 'failed')
    .executeTakeFirst()
}

// Charges of the platform's own --------------------------------------------------------------------------------------

export function listChargeRefunds(tx: Tx, chargeId: string) {
  return tx.selectFrom('platform_charge_refunds').selectAll().where('charge_id', '=', chargeId).execute()
}

export async function insertChargeRefund(
  tx: Tx,
  refund: NewRow<'platform_charge_refunds', 'state'>,
): Promise<void> {
  await tx
    .insertInto('platform_charge_refunds')
    .values({ ...refund, state: 'succeeded' })
    .execute()
}

export async function failChargeRefund(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('platform_charge_refunds').set({ state: 'failed' }).where('id', '=', id).execute()
}

// Disputes -----------------------------------------------------------------------------------------------------------

/**
 * Inserts a dispute as open unless it exists. Returns its row, locked until the transaction ends, and whether it is
 * new.
 */
export async function keepDispute(tx: Tx, dispute: NewRow<'disputes', 'state'>) {
  const made = await tx
    .insertInto('disputes')
    .values({ ...dispute, state: 'open' })
    .onConflict((conflict) => conflict.columns(['gateway', 'gateway_ref']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const row = await tx
    .selectFrom('disputes')
    .selectAll()
    .where('gateway', '=', dispute.gateway)
    .where('gateway_ref', '=', dispute.gateway_ref)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { row, isNew: made !== undefined }
}

export async function updateDispute(
  tx: Tx,
  id: string,
  after: OwnDispute & { isRefundable: boolean },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('disputes')
    .set({
      state: after.state,
      withdrawn_pence: after.withdrawnPence,
      is_reinstated: after.isReinstated,
      fee_pence: after.feePence,
      is_fee_returned: after.isFeeReturned,
      is_refundable: after.isRefundable,
      ...(after.state === 'open' ? {} : { closed_at: sql<Date>`coalesce(closed_at, ${now})` }),
    })
    .where('id', '=', id)
    .execute()
}

/** A lost dispute by the gateway's reference, locked until the transaction ends. */
export function lockLostDispute(tx: Tx, gateway: string, ref: string) {
  return tx
    .selectFrom('disputes')
    .leftJoin('payment_intents', 'payment_intents.id', 'disputes.payment_intent_id')
    .selectAll('disputes')
    .select('payment_intents.appointment_id')
    .where('disputes.gateway', '=', gateway)
    .where('disputes.gateway_ref', '=', ref)
    .where('disputes.state', '=', 'lost')
    .forUpdate('disputes')
    .executeTakeFirst()
}

export async function decideDispute(tx: Tx, id: string, bornBy: 'platform' | 'practitioner'): Promise<void> {
  await tx
    .updateTable('disputes')
    .set({ borne_by: bornBy })
    .where('id', '=', id)
    .where('borne_by', 'is', null)
    .execute()
}

/** Who bears the disputes of a payment that an admin has decided and that withdrew money. */
export async function listBearers(tx: Tx, intentId: string) {
  const rows = await tx
    .selectFrom('disputes')
    .select('borne_by')
    .where('payment_intent_id', '=', intentId)
    .where('borne_by', 'is not', null)
    .where('withdrawn_pence', '>', 0)
    .execute()
  return rows.map((row) => row.borne_by)
}

/** Sums that clients received by lost disputes: pence by payment intent. */
export async function sumLostDisputes(db: Db, intentIds: string[]): Promise<Map<string, number>> {
  if (intentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('disputes')
    .select((eb) => ['payment_intent_id', eb.fn.sum<number>('withdrawn_pence').as('pence')])
    .where('payment_intent_id', 'in', intentIds)
    .where('state', '=', 'lost')
    .groupBy('payment_intent_id')
    .execute()
  return new Map(rows.map((row) => [String(row.payment_intent_id), row.pence]))
}

/** What the ledger has taken off practitioners for lost disputes: pence by payment intent. */
export async function sumCharged(
  db: Db,
  intentIds: string[],
): Promise<Map<string, { amountPence: number; discountPence: number }>> {
  if (intentIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; amount: number; discount: number }>`
    select d.payment_intent_id as id,
      coalesce(-sum(e.amount_pence) filter (where e.account = 'dispute_losses'), 0)::int as amount,
      coalesce(-sum(e.amount_pence) filter (where e.account = 'referral_discounts'), 0)::int as discount
    from (select id, payment_intent_id from disputes union all select id, payment_intent_id from refunds) d
    join ledger_transactions t on t.kind = 'dispute_charged' and t.source_id = d.id
    join ledger_entries e on e.transaction_id = t.id
    where d.payment_intent_id in (${sql.join(intentIds)}) group by d.payment_intent_id`.execute(db)
  return new Map(
    rows.map(({ id, amount, discount }) => [id, { amountPence: amount, discountPence: discount }]),
  )
}

/** What a movement may name as its source that charges a practitioner with lost disputes of a payment. Pence. */
export type ChargeSource = {
  source_id: string
  payment_intent_id: string
  appointment_id: string
  /** The most that it charges; null for a refund. */
  limit_pence: number | null
  /** Whether a dispute behind it is borne by the practitioner, also if the session takes place. */
  is_theirs: boolean
  /** Withdrawn by all disputes of the payment that an admin has decided, and by those that the practitioner bears. */
  decided_pence: number
  theirs_pence: number
}

/**
 * The disputes and refunds of payments with decided disputes that the ledger has no charge of, whether or not anything is
 * left to charge. A refund that fails makes its sum owed again; the last one leaves the discount owed without a payment.
 * Disputes first, oldest first; of all payments, or those of one appointment, or one.
 */
export async function listChargeSources(
  db: Db,
  { appointmentId = null, intentId = null }: { appointmentId?: string | null; intentId?: string | null } = {},
): Promise<ChargeSource[]> {
  const decided = sql`d.borne_by is not null and d.withdrawn_pence > 0`
  const { rows } = await sql<ChargeSource>`
    select s.id as source_id, i.id as payment_intent_id, i.appointment_id, s.limit_pence,
      coalesce(s.is_theirs, p.theirs_pence > 0) as is_theirs, p.decided_pence, p.theirs_pence
    from (select d.payment_intent_id as id, sum(d.withdrawn_pence)::int as decided_pence,
        coalesce(sum(d.withdrawn_pence) filter (where d.borne_by = 'practitioner'), 0)::int as theirs_pence
      from disputes d where ${decided} group by d.payment_intent_id) p
    join payment_intents i on i.id = p.id
    cross join lateral (
      select d.id, d.withdrawn_pence as limit_pence, d.borne_by = 'practitioner' as is_theirs, d.opened_at as at from disputes d
      where d.payment_intent_id = i.id and ${decided}
      union all
      select r.id, null, null, r.created_at from refunds r where r.payment_intent_id = i.id) s
    where not exists (select from ledger_transactions t where t.kind = 'dispute_charged' and t.source_id = s.id)
      and (${appointmentId}::uuid is null or i.appointment_id = ${appointmentId})
      and (${intentId}::uuid is null or i.id = ${intentId})
    order by s.limit_pence is null, s.at, s.id`.execute(db)
  return rows
}

/** What is still owed to its practitioner of what the client paid. Pence. */
export async function owedOfPayment(db: Db, intentId: string): Promise<number> {
  const charged = await sumCharged(db, [intentId])
  const { rows } = await sql<{ pence: number }>`
    select greatest(0, i.amount_pence - ${charged.get(intentId)?.amountPence ?? 0}
      - (select coalesce(sum(r.amount_pence), 0) from refunds r
        where r.payment_intent_id = i.id and ${oneOf('r.state', givenBack)}))::int as pence
    from payment_intents i where i.id = ${intentId}`.execute(db)
  return rows[0]?.pence ?? 0
}

/** The platform's discount that is still owed for a payment; 0 while the client has not had all of it back. Pence. */
export async function discountWithoutPayment(db: Db, intentId: string): Promise<number> {
  const charged = await sumCharged(db, [intentId])
  const { rows } = await sql<{ pence: number }>`
    select case when i.amount_pence <= back.pence + lost.pence then i.discount_pence - back.discount - ${charged.get(intentId)?.discountPence ?? 0} else 0 end::int as pence
    from payment_intents i,
      lateral (select coalesce(sum(r.amount_pence), 0) as pence, coalesce(sum(r.discount_pence), 0) as discount from refunds r
        where r.payment_intent_id = i.id and ${oneOf('r.state', givenBack)}) back,
      lateral (select coalesce(sum(d.withdrawn_pence), 0) as pence from disputes d
        where d.payment_intent_id = i.id and d.state = 'lost') lost
    where i.id = ${intentId}`.execute(db)
  return rows[0]?.pence ?? 0
}

/** Whether refunds of a payment wait for the bank. They need not in an inquiry. */
export async function isRefundBlocked(db: Db, intentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('disputes')
    .select('id')
    .where('payment_intent_id', '=', intentId)
    .where('state', '=', 'open')
    .where('is_refundable', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The newest dispute of each appointment that has one. `inquiry`: an open one in which the client is refunded as ever; one
 * in which refunds wait goes before it.
 */
export async function listDisputeStates(
  db: Db,
  appointmentIds: string[],
): Promise<Map<string, DisputeState | 'inquiry'>> {
  if (appointmentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('payment_intents', 'payment_intents.id', 'disputes.payment_intent_id')
    .select(['payment_intents.appointment_id', 'disputes.state', 'disputes.is_refundable'])
    .where('payment_intents.appointment_id', 'in', appointmentIds)
    .orderBy((eb) => eb.and([eb('disputes.state', '=', 'open'), eb('disputes.is_refundable', '=', false)]))
    .orderBy('disputes.opened_at')
    .orderBy('disputes.id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.appointment_id,
      row.state === 'open' && row.is_refundable ? 'inquiry' : row.state,
    ]),
  )
}

// Comparing ----------------------------------------------------------------------------------------------------------

const hasMoney = sql<boolean>`state in ('requires_action', 'authorised', 'capturing', 'captured', 'voiding')`
/** As the indexes have it. A charge that was given back after its capture there is voided here, and its refund may still fail. */
const isComparable = (table: PaymentTable) =>
  table === 'platform_charges' ? sql<boolean>`(${hasMoney} or captured_elsewhere_at is not null)` : hasMoney

export type ToCompare = { id: string; table: PaymentTable }

/** Keys of payments to compare: open, or changed since `touchedSince`, and not compared since `comparedBefore`. */
export async function listToCompare(
  db: Db,
  which: { gateway: string; comparedBefore: Date; touchedSince: Date; limit: number },
): Promise<ToCompare[]> {
  const of = (table: PaymentTable) =>
    db
      .selectFrom(table)
      .select(['id', 'compared_at'])
      .where('gateway', '=', which.gateway)
      .where('gateway_ref', 'is not', null)
      .where(isComparable(table))
      .where('updated_at', '>', which.touchedSince)
      .where((eb) => eb.or([eb('compared_at', 'is', null), eb('compared_at', '<=', which.comparedBefore)]))
      .orderBy(sql`compared_at nulls first`)
      .orderBy('id')
      .limit(which.limit)
      .execute()
  const intents = (await of('payment_intents')).map(({ id }) => ({ id, table: 'payment_intents' as const }))
  const charges = (await of('platform_charges')).map(({ id }) => ({ id, table: 'platform_charges' as const }))
  return [...intents, ...charges]
}

/**
 * Sets payments aside that have been compared and have not changed since `touchedSince`, some of them: until they change
 * again, they are compared no more. Those that are due are found behind them. Returns how many.
 */
export async function setAside(
  db: Db,
  { comparedBefore, touchedSince, limit }: { comparedBefore: Date; touchedSince: Date; limit: number },
): Promise<number> {
  let count = 0
  for (const table of ['payment_intents', 'platform_charges'] as const) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set compared_at = 'infinity' where id in (
        select id from ${sql.table(table)}
        where ${isComparable(table)} and compared_at <= ${comparedBefore} and updated_at <= ${touchedSince}
        order by compared_at nulls first, id limit ${limit} for update)`.execute(db)
    count += Number(numAffectedRows ?? 0n)
  }
  return count
}

export async function noteCompared(db: Db, { id, table }: ToCompare, now: Date): Promise<void> {
  await db.updateTable(table).set({ compared_at: now }).where('id', '=', id).execute()
}
