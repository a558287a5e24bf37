import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Db, Row } from '../../db/connection.ts'
import type { Random } from '../../ids.ts'
import { CardRefused, type DeclineCode, type GatewayPayment, isPast, type PaymentGateway } from './port.ts'

type Behaviour = 'succeeds' | 'requires_action' | DeclineCode

/** The field's usual test numbers, as Stripe's documentation lists them. Every other number is refused. */
const testCards: Record<string, { behaviour: Behaviour; brand: string }> = {
  '4242424242424242': { behaviour: 'succeeds', brand: 'visa' },
  '4000056655665556': { behaviour: 'succeeds', brand: 'visa' },
  '5555555555554444': { behaviour: 'succeeds', brand: 'mastercard' },
  '378282246310005': { behaviour: 'succeeds', brand: 'amex' },
  '4000008260000000': { behaviour: 'succeeds', brand: 'visa' },
  '4000002500003155': { behaviour: 'requires_action', brand: 'visa' },
  '4000000000000002': { behaviour: 'card_declined', brand: 'visa' },
  '4000000000000341': { behaviour: 'card_declined', brand: 'visa' },
  '4000000000009995': { behaviour: 'insufficient_funds', brand: 'visa' },
  '4000000000000069': { behaviour: 'expired_card', brand: 'visa' },
  '4000000000000127': { behaviour: 'incorrect_cvc', brand: 'visa' },
}

type Dependencies = { db: Db; clock: Clock; random: Random }

/**
 * A card gateway inside the product, for trying it and for tests. It keeps its own books in its own schema, and takes
 * nothing but the test numbers, so that no real card ends here. The expired-card and wrong-code numbers can be saved,
 * and are declined when they are to pay, as with the real gateway.
 */
export function sandboxGateway({ db, clock, random }: Dependencies): PaymentGateway {
  return {
    name: 'sandbox',
    // The product's own form takes the card.
    beginCard: async () => null,
    async saveCard(card) {
      if ('payment_method_id' in card) throw new CardRefused('unknown_card')
      const known = testCards[card.card_number]
      if (!known) throw new CardRefused('unknown_card')
      if (isPast(card.expiry_year, card.expiry_month, clock.now())) throw new CardRefused('expired_card')
      const saved = {
        token: `pm_sandbox_${random.secret()}`,
        behaviour: known.behaviour,
        brand: known.brand,
        last4: card.card_number.slice(-4),
        expiry_month: card.expiry_month,
        expiry_year: card.expiry_year,
        fingerprint: createHash('sha256').update(`sandbox ${card.card_number}`).digest('hex').slice(0, 16),
      }
      await db.insertInto('sandbox_gateway.cards').values(saved).execute()
      return {
        token: saved.token,
        brand: saved.brand,
        last4: saved.last4,
        expiryMonth: saved.expiry_month,
        expiryYear: saved.expiry_year,
        fingerprint: saved.fingerprint,
      }
    },
    async removeCard() {
      // Payments made with a card keep naming it, so the sandbox keeps its row.
    },
    async deleteOwner() {
      // The sandbox does not store the owner of a card.
    },
    async authorise({ key, token, amountPence }) {
      const card = await db
        .selectFrom('sandbox_gateway.cards')
        .select('behaviour')
        .where('token', '=', token)
        .executeTakeFirstOrThrow()
      const behaviour = card.behaviour as Behaviour
      const needsAction = behaviour === 'requires_action'
      const succeeds = behaviour === 'succeeds'
      await db
        .insertInto('sandbox_gateway.payments')
        .values({
          ref: `pi_sandbox_${random.uuid(clock.now())}`,
          idempotency_key: key,
          card_token: token,
          amount_pence: amountPence,
          state: succeeds ? 'authorised' : needsAction ? 'requires_action' : 'declined',
          decline_code: succeeds || needsAction ? null : behaviour,
          client_secret: needsAction ? `secret_${random.secret()}` : null,
          created_at: clock.now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      return payment(await byKey(key).executeTakeFirstOrThrow())
    },
    async confirm(ref) {
      await move(ref, 'requires_action', 'authorised')
      return read(ref)
    },
    async findByKey(key) {
      const row = await byKey(key).executeTakeFirst()
      return row && payment(row)
    },
    async inspect(key) {
      const row = await byKey(key).executeTakeFirst()
      if (!row) return undefined
      const refunds = await db
        .selectFrom('sandbox_gateway.refunds')
        .selectAll()
        .where('payment_ref', '=', row.ref)
        .orderBy('ref')
        .execute()
      const disputes = await db
        .selectFrom('sandbox_gateway.disputes')
        .selectAll()
        .where('payment_ref', '=', row.ref)
        .orderBy('ref')
        .execute()
      return {
        ...payment(row),
        refunds: refunds.map((refund) => ({
          ref: refund.ref,
          key: refund.idempotency_key,
          amountPence: refund.amount_pence,
          state: refund.state,
        })),
        disputes: disputes.map((dispute) => ({
          ref: dispute.ref,
          amountPence: dispute.amount_pence,
          withdrawnPence: dispute.withdrawn_pence,
          feePence: dispute.fee_pence,
          state: dispute.state,
          isRefundable: false,
        })),
      }
    },
    async capture(ref) {
      await move(ref, 'authorised', 'captured')
      const row = await read(ref)
      if (row.state !== 'captured')
        throw new Error(`The sandbox cannot capture a payment that is ${row.state}.`)
      return row
    },
    async void(ref) {
      await move(ref, 'authorised', 'voided')
      await move(ref, 'requires_action', 'voided')
      const row = await read(ref)
      if (row.state === 'captured') throw new Error('The sandbox cannot void a captured payment.')
      return row
    },
    async refund({ key, ref, amountPence }) {
      return db.transaction().execute(async (tx) => {
        const added = await tx
          .insertInto('sandbox_gateway.refunds')
          .values({
            ref: `re_sandbox_${random.uuid(clock.now())}`,
            idempotency_key: key,
            payment_ref: ref,
            amount_pence: amountPence,
          })
          .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
          .returning('ref')
          .executeTakeFirst()
        if (!added) {
          const made = await tx
            .selectFrom('sandbox_gateway.refunds')
            .select(['ref', 'amount_pence'])
            .where('idempotency_key', '=', key)
            .executeTakeFirstOrThrow()
          return { ref: made.ref, amountPence: made.amount_pence }
        }
        const { numUpdatedRows } = await tx
          .updateTable('sandbox_gateway.payments')
          .set((eb) => ({ refunded_pence: eb('refunded_pence', '+', amountPence) }))
          .where('ref', '=', ref)
          .where('state', '=', 'captured')
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) throw new Error('The sandbox can only refund a captured payment.')
        const disputed = await tx
          .selectFrom('sandbox_gateway.disputes')
          .select('ref')
          .where('payment_ref', '=', ref)
          .where('state', '<>', 'won')
          .executeTakeFirst()
        if (disputed) throw new Error('The sandbox cannot refund a disputed payment.')
        return { ...added, amountPence }
      })
    },
  }

  function payments() {
    return db.selectFrom('sandbox_gateway.payments').selectAll()
  }

  function byKey(key: string) {
    return payments().where('idempotency_key', '=', key)
  }

  async function move(
    ref: string,
    from: GatewayPayment['state'],
    to: GatewayPayment['state'],
  ): Promise<void> {
    await db
      .updateTable('sandbox_gateway.payments')
      .set({ state: to })
      .where('ref', '=', ref)
      .where('state', '=', from)
      .execute()
  }

  async function read(ref: string): Promise<GatewayPayment> {
    return payment(await payments().where('ref', '=', ref).executeTakeFirstOrThrow())
  }
}

function payment(row: Row<'sandbox_gateway.payments'>): GatewayPayment {
  return {
    ref: row.ref,
    amountPence: row.amount_pence,
    state: row.state,
    declineCode: row.decline_code as DeclineCode | null,
    clientSecret: row.client_secret,
    refundedPence: row.refunded_pence,
  }
}
