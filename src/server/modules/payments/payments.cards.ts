import type { z } from 'zod'
import type { Card, CardBeginning, NewCard, NewClientCard } from '#contract/payments.ts'
import { hours, later } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import {
  type CardRefusal,
  CardRefused,
  type PaymentGateway,
} from '../../integrations/payment-gateway/port.ts'
import { attempt } from '../../jobs/attempt.ts'
import { paymentsRemoveCardJob } from './payments.jobs.ts'
import { cardsBegunByAccount, newCardsOfClient } from './payments.limits.ts'
import { orUnavailable, patiently, unavailable } from './payments.patience.ts'
import * as cardStore from './cards.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'limits' | 'log'> & {
  gateway: PaymentGateway
}

/** A single-use card is removed after this time if it has paid nothing. */
const singleUseFor = hours(1)

type SavedCard = { card: Card; isRemembered: boolean; isRemoved: boolean; expiresAt: Date }

/** Saved cards: several per client, one per practitioner. */
export function createCards({ db, clock, random, queue, limits, log, gateway }: Dependencies) {
  return {
    checkProvider,

    async cards(caller: SignedIn, provider: string): Promise<Card[]> {
      checkProvider(provider)
      return (await cardStore.listMethods(db, caller.accountId, gateway.name)).map(toCard)
    },

    /**
     * Begins saving a card of a client or a practitioner. Returns the data for the provider's own script; null if the
     * card is sent to us instead.
     * @throws 429, 503
     */
    async beginCard(caller: SignedIn): Promise<CardBeginning> {
      await limits.use(cardsBegunByAccount, caller.accountId)
      const key = random.uuid(clock.now())
      const begun = await orUnavailable(gateway.beginCard({ key, owner: caller.accountId }))
      return { client_secret: begun?.clientSecret ?? null }
    },

    /** Saves a card. @throws 422 `card_refused` under the field at fault */
    async addCard(
      caller: SignedIn,
      provider: string,
      { remember = true, ...card }: z.infer<typeof NewClientCard>,
    ): Promise<Card> {
      checkProvider(provider)
      return keep(caller, card, (method) => cardStore.insertMethod(db, { ...method, remembered: remember }))
    },

    /** Removes single-use cards that have paid their session, or no longer can. */
    async removeSingleUse(): Promise<void> {
      const now = clock.now()
      for (const { id } of await cardStore.listUsedUp(db, later(now, -singleUseFor), 100)) {
        await attempt(log, 'removing a card', () =>
          inTransaction(db, async (tx) => {
            await cardStore.removeMethod(tx, id, now)
            await queue.enqueue(tx, paymentsRemoveCardJob, { method_id: id })
          }),
        )
      }
    },

    /**
     * Saves a card and removes all others of the caller. A job removes the others at the gateway.
     * @throws 422 `card_refused` under the field at fault
     */
    async replaceCard(caller: SignedIn, card: z.infer<typeof NewCard>): Promise<Card> {
      return keep(caller, card, (method) =>
        inTransaction(db, async (tx) => {
          await cardStore.lockCardsOf(tx, caller.accountId)
          const replaced = await cardStore.removeMethodsOf(tx, caller.accountId, clock.now())
          for (const id of replaced) await queue.enqueue(tx, paymentsRemoveCardJob, { method_id: id })
          await cardStore.insertMethod(tx, method)
        }),
      )
    },

    /** The card that an account pays with: the newest. */
    async cardInUse(handle: Db, accountId: string): Promise<Card | undefined> {
      const [method] = await cardStore.listMethods(handle, accountId, gateway.name)
      return method && toCard(method)
    },

    /** Removes a card at the gateway. Idempotent. */
    async removeAtGateway(methodId: string): Promise<void> {
      const ref = await cardStore.findRemovedRef(db, methodId, gateway.name)
      if (ref) await gateway.removeCard(ref)
    },

    /** Removes a saved card; its payments stay. @throws 404; 503 with the card kept */
    async removeCard(caller: SignedIn, provider: string, id: string): Promise<Card> {
      checkProvider(provider)
      const method = owned('payment_method', caller, await cardStore.findMethod(db, id, gateway.name))
      await orUnavailable(gateway.removeCard(method.gateway_ref))
      await cardStore.removeMethod(db, method.id, clock.now())
      return toCard(method)
    },

    /** The caller's card, for a payment. @throws 404 */
    async cardToPayWith(caller: SignedIn, id: string): Promise<{ id: string }> {
      return owned('payment_method', caller, await cardStore.findMethod(db, id, gateway.name))
    },

    /** Cards by id, removed ones included, for what is paid with them later. */
    async cardsById(handle: Db, ids: string[]): Promise<Map<string, SavedCard>> {
      const rows = ids.length === 0 ? [] : await cardStore.readMethods(handle, ids)
      return new Map(
        rows.map((row) => [
          row.id,
          {
            card: toCard(row),
            isRemembered: row.remembered,
            isRemoved: row.removed_at !== null,
            expiresAt: expiryOf(row),
          },
        ]),
      )
    },

    /** Whether a card can be charged at an instant: neither removed nor expired by then. */
    async chargeable(handle: Db, methodId: string, at: Date): Promise<'yes' | 'gone' | 'expired'> {
      const method = await cardStore.findMethod(handle, methodId, gateway.name)
      if (!method) return 'gone'
      return at < expiryOf(method) ? 'yes' : 'expired'
    },

    /** Whether the card has paid for a discounted first session of another appointment. */
    cardHadDiscount: cardStore.cardHadDiscount,
  }

  /** Exchanges a card for a token and stores it. */
  async function keep(
    caller: SignedIn,
    card: z.infer<typeof NewCard>,
    write: (method: cardStore.NewMethod) => Promise<void>,
  ): Promise<Card> {
    await limits.use(newCardsOfClient, caller.accountId)
    const saved = await patiently(gateway.saveCard(card, caller.accountId)).catch((error: unknown) => {
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
    // The browser sent its saved card once more. Removing the double would remove the card itself.
    const known = await cardStore.findMethodByRef(db, gateway.name, saved.token)
    if (known) return toCard(known)
    try {
      await write(method)
      return toCard(method)
    } catch (error) {
      const quicker = await cardStore.findMethodByRef(db, gateway.name, saved.token)
      if (quicker) return toCard(quicker)
      // Storing fails for example when the account was deleted meanwhile. Without a row here, the card must not stay
      // there.
      await gateway.removeCard(saved.token).catch(() => undefined)
      throw error
    }
  }

  /** @throws 404 for any gateway but the configured one */
  function checkProvider(provider: string): void {
    if (provider !== gateway.name) throw notFound('This payment provider')
  }
}

type Method = {
  id: string
  brand: string
  last4: string
  expiry_month: number
  expiry_year: number
  declined_at?: Date | null
}

function toCard({ id, brand, last4, expiry_month, expiry_year, declined_at }: Method): Card {
  const declined = declined_at != null
  return { customer_id: id, brand, last4, expiry_month, expiry_year, declined }
}

/** A card is good to the end of its month. */
const expiryOf = ({ expiry_month: month, expiry_year: year }: Pick<Method, 'expiry_month' | 'expiry_year'>) =>
  new Date(Date.UTC(year, month, 1))

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
