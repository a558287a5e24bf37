import Stripe from 'stripe'
import { type Clock, seconds } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import {
  type Authorisation,
  CardRefused,
  type GatewayPayment,
  isPast,
  type PaymentGateway,
  WebhookRefused,
} from './port.ts'
import {
  awaitsFunds,
  cardRefused,
  clientPresent,
  disputeOf,
  isEvent,
  idOf,
  type IntentFacts,
  paymentOf,
  refundOf,
  subjectOf,
  uncapturedOf,
} from './stripe-answers.ts'
import { stripeBooks } from './stripe-books.ts'
import { isInvalid, isMissing, isRepeated, write } from './stripe-calls.ts'

export type StripeOptions = {
  db: Db
  clock: Clock
  secretKey: string
  webhookSecret: string
  /** Another address than Stripe's own, such as a test's. */
  apiBase?: string | undefined
  /** How long a call may take; three of them at most stay below what the product takes for cut off. Milliseconds. */
  timeout?: number
}

/** How old what Stripe has signed may be, as its own documentation suggests. Seconds. */
const freshness = 300
/** How far ahead of ours Stripe's clock may be. Seconds. */
const clockDrift = 30
/** More refunds than a payment here can have. */
const maxRefunds = 100
/** What a payment intent has to be answered with to be read. */
const withCharge = { expand: ['latest_charge'] }

/**
 * Stripe, by its own SDK. A payment is an intent that is created first, which reserves nothing, then stored here, and
 * only then confirmed. So a later call finds the intent here and reads its state at Stripe. Every write has an
 * idempotency key made of the product's own ids, the same at every attempt. See docs/decisions/0018-stripe.md.
 */
export function stripeGateway(options: StripeOptions): PaymentGateway {
  const { db, clock, webhookSecret } = options
  const stripe = connect(options)
  const books = stripeBooks(db)

  return {
    name: 'stripe',

    async beginCard({ key, owner }) {
      const intent = await withCustomer(owner, (customer) =>
        stripe.setupIntents.create(
          {
            customer,
            allowed_payment_method_types: ['card'],
            // Renewals are charged while the cardholder is not present.
            usage: 'off_session',
          },
          { idempotencyKey: `setup-${key}-${customer}` },
        ),
      )
      if (!intent.client_secret) throw new Error('Stripe has made a setup intent without its secret.')
      return { clientSecret: intent.client_secret }
    },

    async saveCard(sent, owner) {
      // A card's number is the business of Stripe's own fields in the browser: it is not passed on from here.
      if (!('payment_method_id' in sent)) throw new CardRefused('unknown_card')
      const customer = await books.customerOf(owner)
      const method = customer === undefined ? undefined : await cardOf(customer, sent.payment_method_id)
      const card = method?.card
      if (!card?.fingerprint) throw new CardRefused('unknown_card')
      if (isPast(card.exp_year, card.exp_month, clock.now())) throw new CardRefused('expired_card')
      return {
        token: sent.payment_method_id,
        brand: card.brand,
        last4: card.last4,
        expiryMonth: card.exp_month,
        expiryYear: card.exp_year,
        fingerprint: card.fingerprint,
      }
    },

    async removeCard(token) {
      await write(
        `detach-${token}`,
        async (idempotencyKey) => {
          await stripe.paymentMethods.detach(token, {}, { idempotencyKey })
          return true
        },
        async () => ((await findMethod(token))?.customer ?? null) === null || undefined,
      )
    },

    async deleteOwner(owner) {
      const customer = await books.customerOf(owner)
      if (customer === undefined) return
      await stripe.customers.del(customer).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      await books.deleteCustomer(owner)
    },

    async authorise(request) {
      const known = await books.paymentOf(request.key)
      const before = known === undefined ? undefined : paymentOf(await read(known))
      if (before) return before
      const ref = known ?? (await make(request))
      if (ref === null) return standing(await refuseCard(request))
      const confirmed = await write(
        `confirm-${request.key}`,
        (idempotencyKey) =>
          stripe.paymentIntents.confirm(
            ref,
            { ...withCharge, ...(request.isPresent ? { use_stripe_sdk: true } : { off_session: true }) },
            { idempotencyKey },
          ),
        async () => {
          const now = await read(ref)
          return paymentOf(now) && now
        },
      )
      return standing(await current(confirmed))
    },

    async confirm(ref) {
      return standing(await read(ref))
    },

    async findByKey(key) {
      const ref = await books.paymentOf(key)
      return ref === undefined ? undefined : paymentOf(await read(ref))
    },

    async inspect(key) {
      const ref = await books.paymentOf(key)
      if (ref === undefined) return undefined
      const intent = await read(ref)
      const payment = paymentOf(intent)
      if (payment?.state !== 'captured') return payment && { ...payment, refunds: [], disputes: [] }
      const refunds = await stripe.refunds.list({ payment_intent: ref, limit: maxRefunds })
      const disputes = await stripe.disputes.list({ payment_intent: ref, limit: maxRefunds })
      return {
        ...payment,
        refunds: [...refunds.data.map(refundOf), ...uncapturedOf(intent)],
        disputes: disputes.data.map(disputeOf),
      }
    },

    async capture(ref) {
      const captured = await write(
        `capture-${ref}`,
        (idempotencyKey) => stripe.paymentIntents.capture(ref, withCharge, { idempotencyKey }),
        () => readIf(ref, 'succeeded'),
      )
      return standing(await current(captured))
    },

    async void(ref) {
      return standing(
        await write(
          `cancel-${ref}`,
          (idempotencyKey) => stripe.paymentIntents.cancel(ref, withCharge, { idempotencyKey }),
          () => readIf(ref, 'canceled'),
        ),
      )
    },

    async refund({ key, ref, amountPence }) {
      const made = async () => {
        const { data } = await stripe.refunds.list({ payment_intent: ref, limit: maxRefunds })
        return data.find((refund) => refund.metadata?.attempt === key)
      }
      // Keys are forgotten by Stripe after a day or more, refunds never: what is there is not asked for again.
      const refund =
        (await made()) ??
        (await write(
          // What is left to give back may have become less since the first try.
          `refund-${key}-${amountPence}`,
          (idempotencyKey) =>
            stripe.refunds.create(
              { payment_intent: ref, amount: amountPence, metadata: { attempt: key } },
              { idempotencyKey },
            ),
          made,
        ))
      if (refundOf(refund).state === 'failed')
        throw new Error('Stripe could not carry the refund out: somebody has to look at it there.')
      return {
        ref: refund.id,
        amountPence: refund.amount,
        ...(awaitsFunds(refund) ? { awaitsFunds: true } : {}),
      }
    },

    async readWebhookEvent(body, signature) {
      const now = clock.now().getTime()
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret, freshness, undefined, now)
      } catch {
        // The SDK's error repeats what was sent.
        throw new WebhookRefused()
      }
      const signedAt = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1])
      if (!(signedAt <= now / 1000 + clockDrift) || !isEvent(event)) throw new WebhookRefused()
      const { kind, intent, subject } = subjectOf(event)
      const key = intent === null ? undefined : await books.keyOf(intent)
      return { id: event.id, kind, subject, paymentKey: key ?? null }
    },
  }

  /**
   * Creates and stores an intent. It reserves nothing, so an abandoned one costs nothing. Returns null if the card is no longer
   * saved for the customer: it was detached, or its customer is gone.
   */
  async function make(request: Authorisation): Promise<string | null> {
    const { key, owner, token } = request
    return withCustomer(owner, async (customer) => {
      try {
        return await createIntent(`intent-${key}-${customer}`, key, {
          ...intentFacts(request),
          customer,
          payment_method: token,
        })
      } catch (error) {
        const mayBeCard = isInvalid(error) && !isMissing(error, 'customer')
        if (!mayBeCard || (await cardOf(customer, token)) !== undefined) throw error
        // Throws where the keys are another account's, which know neither.
        await isDeleted(customer)
        return null
      }
    })
  }

  /** Creates and stores an intent without a card, which can never be paid: a declined payment that later calls find. */
  async function refuseCard(request: Authorisation): Promise<IntentFacts> {
    const { key } = request
    const facts = intentFacts(request)
    const metadata = { ...facts.metadata, ...cardRefused }
    return read(await createIntent(`intent-${key}-refused`, key, { ...facts, metadata }))
  }

  async function createIntent(
    idempotencyKey: string,
    key: string,
    facts: Stripe.PaymentIntentCreateParams,
  ): Promise<string> {
    return write(
      idempotencyKey,
      async (nthKey) => {
        const { id } = await stripe.paymentIntents.create(facts, { idempotencyKey: nthKey })
        return books.keepPayment(key, id, clock.now())
      },
      () => books.paymentOf(key),
    )
  }

  /** Calls with the customer of an account. A customer that was deleted at Stripe is replaced, once. */
  async function withCustomer<Made>(owner: string, call: (customer: string) => Promise<Made>): Promise<Made> {
    const known = await books.customerOf(owner)
    const customer = known ?? (await createCustomer(owner))
    try {
      return await call(customer)
    } catch (error) {
      if (!isMissing(error, 'customer') || !(await isDeleted(customer))) throw error
      return call(await createCustomer(owner, customer))
    }
  }

  /**
   * Whether a customer was deleted. Stripe remembers those; with keys of another account it knows none of ours, and nothing
   * may be replaced or declined for that. @throws Error for a customer that these keys do not know
   */
  async function isDeleted(customer: string): Promise<boolean> {
    return (await stripe.customers.retrieve(customer)).deleted === true
  }

  /** `gone`: the customer that it replaces. Its key is another one, or Stripe would repeat the answer with that customer. */
  async function createCustomer(owner: string, gone?: string): Promise<string> {
    return write(
      gone === undefined ? `customer-${owner}` : `customer-${owner}-${gone}`,
      async (idempotencyKey) => {
        const { id } = await stripe.customers.create({ metadata: { account: owner } }, { idempotencyKey })
        if (gone !== undefined) await books.replaceCustomer(owner, { gone, ref: id, now: clock.now() })
        return books.keepCustomer(owner, id, clock.now())
      },
      async () => {
        const stored = await books.customerOf(owner)
        return stored === gone ? undefined : stored
      },
    )
  }

  async function findMethod(token: string): Promise<Stripe.PaymentMethod | undefined> {
    return stripe.paymentMethods.retrieve(token).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
  }

  /** A card that is saved for a customer. A card of another customer counts as unknown. */
  async function cardOf(customer: string, token: string): Promise<Stripe.PaymentMethod | undefined> {
    const method = await findMethod(token)
    return method && idOf(method.customer) === customer ? method : undefined
  }

  async function read(ref: string): Promise<IntentFacts> {
    return stripe.paymentIntents.retrieve(ref, withCharge)
  }

  /** What Stripe answers once more is what it answered then, not how it stands now. */
  async function current(answer: IntentFacts): Promise<IntentFacts> {
    return isRepeated(answer) ? read(answer.id) : answer
  }

  async function readIf(ref: string, status: Stripe.PaymentIntent.Status) {
    const now = await read(ref)
    return now.status === status ? now : undefined
  }
}

/** @throws Error for a payment whose bank was never asked */
function standing(intent: IntentFacts): GatewayPayment {
  const payment = paymentOf(intent)
  if (!payment) throw new Error('Stripe has not asked the bank yet.')
  return payment
}

function intentFacts({ key, amountPence, isPresent }: Authorisation) {
  return {
    amount: amountPence,
    currency: 'gbp',
    allowed_payment_method_types: ['card'],
    capture_method: 'manual',
    metadata: { attempt: key, ...(isPresent ? clientPresent : {}) },
  } satisfies Stripe.PaymentIntentCreateParams
}

function connect({ secretKey, apiBase, timeout = seconds(6) }: StripeOptions): Stripe {
  const base = apiBase === undefined ? undefined : new URL(apiBase)
  return new Stripe(secretKey, {
    timeout,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(base
      ? {
          protocol: base.protocol === 'http:' ? 'http' : 'https',
          host: base.hostname,
          port: base.port || (base.protocol === 'http:' ? 80 : 443),
        }
      : {}),
  })
}
