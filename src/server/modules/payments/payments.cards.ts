import type { z } from 'zod'
import type { Card, NewCard } from '#contract/payments.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import {
  type CardRefusal,
  CardRefused,
  type PaymentGateway,
} from '../../integrations/payment-gateway/port.ts'
import * as store from './payments.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits'> & { gateway: PaymentGateway }

/** Saved cards of clients. */
export function createCards({ db, clock, random, limits, gateway }: Dependencies) {
  return {
    checkProvider,

    async cards(caller: SignedIn, provider: string): Promise<Card[]> {
      checkProvider(provider)
      return (await store.listMethods(db, caller.accountId, gateway.name)).map(toCard)
    },

    /** Saves a card. @throws 422 `card_refused` under the field at fault */
    async addCard(caller: SignedIn, provider: string, card: z.infer<typeof NewCard>): Promise<Card> {
      checkProvider(provider)
      await limits.use('new cards of a client', caller.accountId)
      const saved = await gateway.saveCard(card).catch((error: unknown) => {
        throw error instanceof CardRefused ? refusedCard(error) : unavailable(error)
      })
      const method = {
        id: random.uuid(clock.now()),
        account_id: caller.accountId,
        gateway: gateway.name,
        gateway_ref: saved.token,
        brand: saved.brand,
        last4: saved.last4,
        expiry_month: saved.expiryMonth,
        expiry_year: saved.expiryYear,
        fingerprint: saved.fingerprint,
        created_at: clock.now(),
      }
      await store.insertMethod(db, method).catch(async (error: unknown) => {
        // Such as when the account was deleted meanwhile: a card that nobody has here must not stay there.
        await gateway.removeCard(saved.token).catch(() => undefined)
        throw error
      })
      return toCard(method)
    },

    /** Removes a saved card; payments made with it stay. @throws 404; 503 with the card kept */
    async removeCard(caller: SignedIn, provider: string, id: string): Promise<Card> {
      checkProvider(provider)
      const method = owned('payment_method', caller, await store.findMethod(db, id, gateway.name))
      await gateway.removeCard(method.gateway_ref).catch((error: unknown) => {
        throw unavailable(error)
      })
      await store.removeMethod(db, method.id, clock.now())
      return toCard(method)
    },

    /** The caller's card, for a payment. @throws 404 */
    async cardToPayWith(caller: SignedIn, id: string): Promise<{ id: string }> {
      return owned('payment_method', caller, await store.findMethod(db, id, gateway.name))
    },

    /** Whether the card has paid for somebody's discounted first session before. */
    cardHadDiscount: store.cardHadDiscount,
  }

  /** @throws 404 for any gateway but the configured one */
  function checkProvider(provider: string): void {
    if (provider !== gateway.name) throw notFound('This payment provider')
  }
}

type Method = { id: string; brand: string; last4: string; expiry_month: number; expiry_year: number }

function toCard({ id, brand, last4, expiry_month, expiry_year }: Method): Card {
  return { customer_id: id, brand, last4, expiry_month, expiry_year }
}

const refusals: Record<CardRefusal, { field: string; message: string }> = {
  expired_card: { field: 'expiry_month', message: 'This card has expired.' },
  incorrect_cvc: { field: 'cvv_number', message: 'The security code is not right.' },
  unknown_card: {
    field: 'card_number',
    message: 'This card cannot be used here. Please check the number.',
  },
}

function refusedCard({ reason }: CardRefused) {
  return invalidField(refusals[reason].field, refusals[reason].message, 'card_refused')
}

/** The gateway's own words stay out of the answer and the log: they may repeat what was sent. */
export function unavailable(error: unknown) {
  return fail(
    'payment_unavailable',
    'The payment could not be carried out just now. Please try again in a moment.',
    {
      retryAfter: 5,
      cause: error instanceof Error ? error.name : undefined,
    },
  )
}
