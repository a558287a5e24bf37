import { Temporal } from 'temporal-polyfill'
import { days, later } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import type { Tx } from '../connection.ts'

const price = 3000

/** The subscription of the demo practitioner: paid 12 days ago with a test card, in the books, and with its invoice. */
export async function insertSubscription(
  tx: Tx,
  practitioner: { id: number; accountId: string; name: string },
  { now, random }: { now: Date; random: Random },
): Promise<void> {
  const anchor = later(now, -days(12))
  const local = Temporal.Instant.fromEpochMilliseconds(anchor.getTime()).toZonedDateTimeISO('Europe/London')
  const end = local.add({ months: 1 })
  const paidUntil = new Date(end.epochMilliseconds)
  const card = { brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: local.year + 4 }
  const token = `pm_sandbox_${random.secret()}`
  const [methodId, chargeId, subscriptionId] = [random.uuid(anchor), random.uuid(anchor), random.uuid(anchor)]
  const ref = `pi_sandbox_${random.uuid(anchor)}`

  await tx
    .insertInto('sandbox_gateway.cards')
    .values({ ...card, token, behaviour: 'succeeds', fingerprint: 'demo' })
    .execute()
  await tx
    .insertInto('sandbox_gateway.payments')
    .values({
      ref,
      idempotency_key: chargeId,
      card_token: token,
      amount_pence: price,
      state: 'captured',
      created_at: anchor,
    })
    .execute()
  await tx
    .insertInto('payment_methods')
    .values({
      ...card,
      id: methodId,
      account_id: practitioner.accountId,
      gateway: 'sandbox',
      gateway_ref: token,
      fingerprint: 'demo',
      created_at: anchor,
    })
    .execute()
  await tx
    .insertInto('platform_charges')
    .values({
      id: chargeId,
      account_id: practitioner.accountId,
      payment_method_id: methodId,
      gateway: 'sandbox',
      gateway_ref: ref,
      purpose: 'subscription',
      subject: `subscription ${subscriptionId} payment 1`,
      amount_pence: price,
      on_session: true,
      state: 'captured',
      created_at: anchor,
      updated_at: anchor,
    })
    .execute()
  const { id } = await tx
    .insertInto('ledger_transactions')
    .values({ kind: 'charge', source_id: chargeId, at: anchor })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('ledger_entries')
    .values([
      { transaction_id: id, account: 'gateway_balance', amount_pence: price },
      { transaction_id: id, account: 'subscription_income', amount_pence: -price },
    ])
    .execute()
  await tx
    .insertInto('subscriptions')
    .values({
      id: subscriptionId,
      practitioner_id: practitioner.id,
      state: 'active',
      price_pence: price,
      anchor_at: anchor,
      months: 1,
      payments: 1,
      paid_until: paidUntil,
      due_at: paidUntil,
      created_at: anchor,
    })
    .execute()
  await tx
    .insertInto('subscription_months')
    .values({ charge_id: chargeId, subscription_id: subscriptionId, starts_at: anchor, ends_at: paidUntil })
    .execute()
  await tx.insertInto('invoice_numbers').values({ year: local.year, last: 1 }).execute()
  await tx
    .insertInto('invoices')
    .values({
      id: random.uuid(anchor),
      charge_id: chargeId,
      practitioner_id: practitioner.id,
      year: local.year,
      serial: 1,
      seller: 'Hearth',
      buyer: practitioner.name,
      description: `Hearth subscription, ${day(local)} to ${day(end.subtract({ days: 1 }))}`,
      amount_pence: price,
      issued_at: anchor,
    })
    .execute()
}

const day = (date: Temporal.ZonedDateTime) =>
  date.toPlainDate().toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
