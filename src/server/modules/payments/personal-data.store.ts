import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { isDisputed, isOpenFailure } from './refunds.store.ts'

/** Subquery of a client's cards, removed ones included: every payment of a client is by a card of theirs. */
const cardsOf = (db: Db, clientId: string) =>
  db.selectFrom('payment_methods').select('id').where('account_id', '=', clientId)

/** Unfinished payments. Pence. */
export function listUnderWay(db: Db, clientId: string) {
  return db
    .selectFrom('payment_intents')
    .select('amount_pence')
    .where('payment_method_id', 'in', cardsOf(db, clientId))
    .where('state', 'in', ['authorising', 'requires_action', 'authorised', 'capturing', 'voiding'])
    .orderBy('created_at')
    .execute()
}

/** Every refund to a client, oldest first. One that corrects a discount alone moves no money of theirs. Pence. */
const refundsTo = (db: Db, clientId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .select([
      'refunds.payment_intent_id',
      'refunds.amount_pence',
      'refunds.state',
      'refunds.created_at',
      'refunds.succeeded_at',
      isDisputed.as('is_disputed'),
    ])
    .where('payment_intents.payment_method_id', 'in', cardsOf(db, clientId))
    .where('refunds.amount_pence', '>', 0)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')

export const listRefundsTo = (db: Db, clientId: string) => refundsTo(db, clientId).execute()

/** Refunds that were requested and not sent, and those that failed and that no admin has dealt with. Pence. */
export function listOwedRefunds(db: Db, clientId: string) {
  return refundsTo(db, clientId)
    .where((eb) =>
      eb.or([
        eb('refunds.state', '=', 'requested'),
        eb.and([eb('refunds.state', '=', 'failed'), isOpenFailure]),
      ]),
    )
    .execute()
}

/** Every dispute of a client with their bank, oldest first. Pence. */
export function listDisputesOf(db: Db, clientId: string) {
  return db
    .selectFrom('disputes')
    .innerJoin('payment_intents', 'payment_intents.id', 'disputes.payment_intent_id')
    .select([
      'payment_intents.id as payment_intent_id',
      'disputes.amount_pence',
      'disputes.withdrawn_pence',
      'disputes.state',
      'disputes.opened_at',
      'disputes.closed_at',
    ])
    .where('payment_intents.payment_method_id', 'in', cardsOf(db, clientId))
    .orderBy('disputes.opened_at')
    .orderBy('disputes.id')
    .execute()
}

/** Every payment of a client with its card, newest first. Pence. */
export function listPayments(db: Db, clientId: string) {
  return db
    .selectFrom('payment_intents')
    .innerJoin('payment_methods', 'payment_methods.id', 'payment_intents.payment_method_id')
    .select([
      'payment_intents.id',
      'payment_intents.appointment_id',
      'payment_intents.amount_pence',
      'payment_intents.discount_pence',
      'payment_intents.state',
      'payment_intents.created_at',
      'payment_methods.brand',
      'payment_methods.last4',
    ])
    .where('payment_methods.account_id', '=', clientId)
    .orderBy('payment_intents.created_at', 'desc')
    .orderBy('payment_intents.id')
    .execute()
}

/** Every card of a client, removed ones included, newest first. */
export function listCards(db: Db, accountId: string) {
  return db
    .selectFrom('payment_methods')
    .select(['brand', 'last4', 'expiry_month', 'expiry_year', 'created_at', 'removed_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()
}

/**
 * Deletes failed attempts to pay. An attempt without a response from the gateway stays, because the response may still
 * come and is then voided.
 * @returns the appointments that still have payments
 */
export async function deleteUnpaid(tx: Tx, clientId: string): Promise<string[]> {
  const failed = tx
    .selectFrom('payment_intents')
    .select('id')
    .where('payment_method_id', 'in', cardsOf(tx, clientId))
    .where((eb) =>
      eb.or([
        eb('state', '=', 'declined'),
        eb.and([eb('state', '=', 'voided'), eb('gateway_ref', 'is not', null)]),
      ]),
    )
  // Withdrawn ones, of a payment that ended at the gateway before it was captured.
  await tx.deleteFrom('refunds').where('payment_intent_id', 'in', failed).execute()
  await tx.deleteFrom('payment_intents').where('id', 'in', failed).execute()
  await tx
    .updateTable('payment_intents')
    .set({ client_secret: null })
    .where('payment_method_id', 'in', cardsOf(tx, clientId))
    .execute()
  const left = await tx
    .selectFrom('payment_intents')
    .select('appointment_id')
    .distinct()
    .where('payment_method_id', 'in', cardsOf(tx, clientId))
    .execute()
  return left.map((row) => row.appointment_id)
}

/**
 * Deletes the payments for some appointments of a client, with their refunds and with cards that paid nothing else.
 */
export async function deletePaid(tx: Tx, clientId: string, appointmentIds: string[]): Promise<void> {
  if (appointmentIds.length === 0) return
  const intents = tx.selectFrom('payment_intents').select('id').where('appointment_id', 'in', appointmentIds)
  await tx.deleteFrom('refunds').where('payment_intent_id', 'in', intents).execute()
  await tx.deleteFrom('disputes').where('payment_intent_id', 'in', intents).execute()
  await tx.deleteFrom('gateway_incidents').where('payment_key', 'in', intents).execute()
  await tx.deleteFrom('payment_intents').where('appointment_id', 'in', appointmentIds).execute()
  await deleteForgotten(tx, clientId)
}

/**
 * Clears the columns of a client's cards that the accounts do not need. The gateway's reference stays until the card
 * is removed there. A fingerprint stays if the card has had a first-session discount.
 */
export async function eraseCards(tx: Tx, accountId: string, now: Date): Promise<void> {
  await sql`
    update payment_methods m set
      gateway_ref = case when removed_at is null then gateway_ref end,
      removed_at = coalesce(removed_at, ${now}), expiry_month = null, expiry_year = null,
      fingerprint = case when exists (select from payment_intents i
        where i.payment_method_id = m.id and i.state = 'captured' and (i.discount_pence > 0 or exists (
          select from refunds r where r.payment_intent_id = i.id and r.discount_pence < 0))) then fingerprint end
    where account_id = ${accountId}`.execute(tx)
  await deleteForgotten(tx, accountId)
}

/** Cards of a deleted account that the gateway still has. */
export function listUnforgotten(db: Db, accountId: string, gateway: string) {
  return db
    .selectFrom('payment_methods')
    .innerJoin('accounts', 'accounts.id', 'payment_methods.account_id')
    .select(['payment_methods.id', 'payment_methods.gateway_ref'])
    .where('payment_methods.account_id', '=', accountId)
    .where('payment_methods.gateway', '=', gateway)
    .where('payment_methods.gateway_ref', 'is not', null)
    .where('accounts.deleted_at', 'is not', null)
    .$narrowType<{ gateway_ref: string }>()
    .execute()
}

/** Records that a card was removed at the gateway. A card without any payment is then deleted here too. */
export async function noteForgotten(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.updateTable('payment_methods').set({ gateway_ref: null }).where('id', '=', id).execute()
  await deleteForgotten(tx, accountId)
}

async function deleteForgotten(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('payment_methods')
    .where('account_id', '=', accountId)
    .where('gateway_ref', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payment_intents')
            .select('payment_intents.id')
            .whereRef('payment_intents.payment_method_id', '=', 'payment_methods.id'),
        ),
      ),
    )
    .execute()
}
