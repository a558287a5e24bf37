import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { days, minutes } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { stripeGateway } from '#server/integrations/payment-gateway/stripe.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { movableClock } from '#test/movable-clock.ts'
import { type Behaviour, startStripe, type StripeStandIn, stripeKeys } from '#test/stripe.ts'

/** Timeout for asynchronous events on a busy machine. */
const patience = { timeout: 20_000 }
const monday = '2026-06-08T09:00:00.000Z'

let stripe: StripeStandIn
beforeAll(async () => {
  stripe = await startStripe()
})
afterAll(async () => stripe.stop())

const onStripe = (
  _sandbox: PaymentGateway,
  { db, clock }: Pick<Parameters<typeof stripeGateway>[0], 'db' | 'clock'>,
) => stripeGateway({ db, clock, ...stripeKeys, apiBase: stripe.url })

/** Saves a card as the browser does: at Stripe, and then by its id with us. */
async function addCard(app: TestApp, token: string, behaviour: Behaviour = 'succeeds', therapist = false) {
  const path = therapist ? '/therapist/payment' : '/payment/stripe'
  const begun = await app.call('POST', `${path}/begin-card`, { token })
  expect(begun.status).toBe(201)
  const id = await stripe.saveInBrowser(String(begun.body.client_secret), { behaviour })
  const added = await app.call('POST', `${path}/add-new-card`, { token, body: { payment_method_id: id } })
  expect(added.status).toBe(201)
  return {
    id: String(added.body.customer_id ?? added.body.payment_method_id),
    ref: id,
    again: () => app.call('POST', `${path}/add-new-card`, { token, body: { payment_method_id: id } }),
  }
}
const hold = async (app: TestApp, client: Client, practitioner: Practitioner) => {
  const held = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: monday,
    },
  })
  expect(held.status).toBe(201)
  return String(held.body.session_id)
}
const pay = (app: TestApp, client: Client, session: string, card: string) =>
  app.call('POST', '/payment/stripe/existing-card-payment', {
    token: client.token,
    body: { session_id: session, customer_id: card },
  })
const book = (app: TestApp, client: Client, session: string) =>
  app.call('POST', '/appointment/instant-book', { token: client.token, body: { appointment_id: session } })
/** The payments of an app's database at Stripe: `status amount -refunded`. */
async function atStripe(app: TestApp): Promise<string[]> {
  const rows = await app.db.selectFrom('stripe_gateway.payments').select('ref').execute()
  const [intents, charges] = [await stripe.objects('payment_intent'), await stripe.objects('charge')]
  return intents
    .filter((intent) => rows.some(({ ref }) => ref === intent.id))
    .map((intent) => {
      const charge = charges.find(({ id }) => id === intent.latest_charge)
      return `${intent.status} ${intent.amount} -${intent.status === 'succeeded' ? charge?.amount_refunded : 0}`
    })
}
const intentStates = async (app: TestApp) =>
  (await app.db.selectFrom('payment_intents').select('state').orderBy('created_at').execute()).map(
    ({ state }) => state,
  )

describe('booking on Stripe', () => {
  let app: TestApp
  let client: Client
  let practitioner: Practitioner
  beforeEach(async () => {
    app = await buildTestApp({ gateway: onStripe })
    client = await createClient(app)
    practitioner = await createPractitioner(app)
  })
  afterEach(async () => {
    await stripe.sendWebhooks(null)
    await app.close()
  })
  const listen = () => stripe.sendWebhooks(`${app.origin}/webhooks/stripe`, app.clock.now())
  const storedEvents = async () => (await app.db.selectFrom('gateway_notices').select('id').execute()).length
  /** Runs the jobs of stored webhook events. */
  async function runWebhookJobs(): Promise<void> {
    const rows = await app.db
      .selectFrom('gateway_notices')
      .select('payment_key')
      .where('payment_key', 'is not', null)
      .execute()
    for (const { payment_key } of rows) await app.services.payments.lookAgain(String(payment_key))
  }

  test('a client whose customer was deleted at Stripe is asked for another card, and pays with it', async () => {
    const card = await addCard(app, client.token)
    const { ref } = await app.db
      .selectFrom('stripe_gateway.customers')
      .select('ref')
      .executeTakeFirstOrThrow()
    await stripe.dashboard({ do: 'delete customer', customer: ref })
    const session = await hold(app, client, practitioner)
    const refused = await pay(app, client, session, card.id)
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({ code: 'card_declined', details: { decline_code: 'card_declined' } })
    expect(await intentStates(app)).toEqual(['declined'])
    expect(await atStripe(app)).toEqual(['requires_payment_method 6000 -0'])
    expect((await book(app, client, session)).status).toBe(402)
    const other = await addCard(app, client.token)
    expect((await pay(app, client, session, other.id)).body).toMatchObject({ status: 'authorised' })
    expect((await book(app, client, session)).body).toMatchObject({ status: 'confirmed' })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('a bank that wants authentication and does not ask for it declines, which counts towards the limit', async () => {
    await app.close()
    app = await buildTestApp({ gateway: onStripe, rateLimitScale: 1 })
    client = await createClient(app)
    practitioner = await createPractitioner(app)
    const card = await addCard(app, client.token)
    await stripe.setBank(card.ref, 'authentication_required')
    const session = await hold(app, client, practitioner)
    const refused = await pay(app, client, session, card.id)
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({
      code: 'card_declined',
      details: { decline_code: 'authentication_failed' },
    })
    expect(await intentStates(app)).toEqual(['declined'])
    const statuses: number[] = []
    for (let nth = 2; nth <= 6; nth++) statuses.push((await pay(app, client, session, card.id)).status)
    expect(statuses).toEqual([402, 402, 402, 402, 429])
    expect(await atStripe(app)).not.toContain('requires_capture 6000 -0')
    expect(await ledger(app)).toEqual({})
  })

  test('authorises, captures and refunds, and the ledger equals Stripe’s', async () => {
    const card = await addCard(app, client.token)
    const listed = await app.call('GET', '/payment/stripe/get-client-cards', { token: client.token })
    expect(listed.body).toMatchObject([{ customer_id: card.id, brand: 'visa', last4: '4242' }])
    expect((await card.again()).body.customer_id).toBe(card.id)
    const session = await hold(app, client, practitioner)
    expect((await pay(app, client, session, card.id)).body).toMatchObject({
      status: 'authorised',
      amount: 60,
    })
    expect(await atStripe(app)).toEqual(['requires_capture 6000 -0'])
    expect((await book(app, client, session)).body).toMatchObject({ status: 'confirmed' })
    expect(await atStripe(app)).toEqual(['succeeded 6000 -0'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: session },
    })
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
    expect(await atStripe(app)).toEqual(['succeeded 6000 -6000'])
    expect(await ledger(app)).toMatchObject({ gateway_balance: 0, practitioner_payable: 0 })

    const removed = await app.call('DELETE', `/payment/stripe/cards/${card.id}`, { token: client.token })
    expect(removed.status).toBe(200)
    const methods = await stripe.objects('payment_method')
    expect(methods.find(({ id }) => id === card.ref)).toMatchObject({ customer: null })
    for (const secret of [stripeKeys.secretKey, stripeKeys.webhookSecret, '_secret_', '4242424242424242'])
      expect(app.logged()).not.toContain(secret)
  })

  test('a declined card holds nothing and charges nothing; another one pays', async () => {
    const poor = await addCard(app, client.token, 'insufficient_funds')
    const session = await hold(app, client, practitioner)
    const declined = await pay(app, client, session, poor.id)
    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'card_declined', details: { decline_code: 'insufficient_funds' } },
    })
    expect(await ledger(app)).toEqual({})
    const good = await addCard(app, client.token)
    expect((await pay(app, client, session, good.id)).status).toBe(200)
    expect((await book(app, client, session)).status).toBe(200)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('rejects another client’s card, and a card that Stripe never saved', async () => {
    const other = await createClient(app)
    const theirs = await addCard(app, other.token)
    await app.call('POST', '/payment/stripe/begin-card', { token: client.token })
    for (const payment_method_id of [theirs.ref, 'pm_nothing', '../customers'])
      expect(
        await app.call('POST', '/payment/stripe/add-new-card', {
          token: client.token,
          body: { payment_method_id },
        }),
      ).toMatchObject({ status: 422, body: { code: 'card_refused' } })
    const body = { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2034, cvv_number: '123' }
    expect(
      await app.call('POST', '/payment/stripe/add-new-card', { token: client.token, body }),
    ).toMatchObject({ status: 422, body: { code: 'card_refused' } })
    const listed = await app.call('GET', '/payment/stripe/get-client-cards', { token: client.token })
    expect(listed.body).toEqual([])
    const wrongProvider = await app.call('POST', '/payment/sandbox/begin-card', { token: client.token })
    expect(wrongProvider.status).toBe(404)
  })

  test('the bank asks: paid once it is answered, nothing when it is answered wrongly', async () => {
    const card = await addCard(app, client.token, 'requires_action')
    const session = await hold(app, client, practitioner)
    const confirm = () =>
      app.call('POST', '/payment/stripe/confirm-authentication', {
        token: client.token,
        body: { session_id: session },
      })
    const asked = await pay(app, client, session, card.id)
    expect(asked).toMatchObject({ status: 402, body: { code: 'authentication_required' } })
    expect((await book(app, client, session)).status).not.toBe(200)
    await stripe.answerBank(String(asked.body.details?.client_secret), 'wrong')
    expect(await confirm()).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    const askedAgain = await pay(app, client, session, card.id)
    await stripe.answerBank(String(askedAgain.body.details?.client_secret), 'right')
    expect(await confirm()).toMatchObject({ status: 200, body: { status: 'authorised' } })
    expect((await book(app, client, session)).status).toBe(200)
    expect((await atStripe(app)).toSorted()).toEqual(['requires_payment_method 6000 -0', 'succeeded 6000 -0'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('a late event stores the bank’s decision once, in any order and number of deliveries', async () => {
    await listen()
    const card = await addCard(app, client.token, 'requires_action')
    const session = await hold(app, client, practitioner)
    const asked = await pay(app, client, session, card.id)
    await stripe.answerBank(String(asked.body.details?.client_secret), 'right')
    // The page has gone, so the result comes only from Stripe.
    await expect.poll(storedEvents, patience).toBeGreaterThan(1)
    expect(await intentStates(app)).toEqual(['requires_action'])
    await runWebhookJobs()
    expect(await intentStates(app)).toEqual(['authorised'])
    expect((await book(app, client, session)).status).toBe(200)

    expect(new Set(await stripe.deliverAll('as it was'))).toEqual(new Set([200]))
    const before = await storedEvents()
    const answers = [...(await stripe.deliverAll('backwards', 3)), ...(await stripe.deliverAll('as it was'))]
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await storedEvents()).toBe(before)
    await runWebhookJobs()
    expect(await intentStates(app)).toEqual(['captured'])
    expect(await atStripe(app)).toEqual(['succeeded 6000 -0'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('a payment authenticated after it has ended is voided at Stripe', async () => {
    await listen()
    const card = await addCard(app, client.token, 'requires_action')
    const session = await hold(app, client, practitioner)
    const asked = await pay(app, client, session, card.id)
    await app.db.updateTable('payment_intents').set({ state: 'declined' }).execute()
    await stripe.answerBank(String(asked.body.details?.client_secret), 'right')
    expect(await atStripe(app)).toEqual(['requires_capture 6000 -0'])
    await expect.poll(storedEvents, patience).toBeGreaterThan(2)
    await runWebhookJobs()
    expect(await atStripe(app)).toEqual(['canceled 6000 -0'])
    await runWebhookJobs()
    expect(await intentStates(app)).toEqual(['declined'])
    expect(await ledger(app)).toEqual({})
  })

  test('a webhook event that Stripe has not signed changes nothing', async () => {
    const before = await storedEvents()
    const send = (body: string, headers: Record<string, string>) =>
      fetch(`${app.origin}/webhooks/stripe`, { method: 'POST', body, headers })
    const event = JSON.stringify({ id: 'evt_forged', object: 'event', type: 'payment_intent.succeeded' })
    for (const headers of [
      {},
      { 'stripe-signature': 't=1,v1=abc' },
      { 'content-type': 'application/json', 'stripe-signature': '' },
      { 'content-type': 'text/plain', 'stripe-signature': 'x'.repeat(5000) },
    ]) {
      const answer = await send(event, headers as Record<string, string>)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: 'malformed_request' })
    }
    expect((await send('x'.repeat(1024 * 1024 + 1), { 'stripe-signature': 't=1' })).status).toBe(413)
    expect((await fetch(`${app.origin}/webhooks/sandbox`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(await storedEvents()).toBe(before)
  })

  test('what happens in the dashboard is in the books by signed events in any order, and by night without them', async () => {
    await listen()
    const card = await addCard(app, client.token)
    const session = await hold(app, client, practitioner)
    await pay(app, client, session, card.id)
    await book(app, client, session)
    const { gateway_ref: ref } = await app.db
      .selectFrom('payment_intents')
      .select('gateway_ref')
      .executeTakeFirstOrThrow()
    const intent = String(ref)
    const incidents = async () =>
      (await app.db.selectFrom('gateway_incidents').select('kind').orderBy('noted_at').execute()).map(
        ({ kind }) => kind,
      )
    const refund = await stripe.dashboard({ do: 'refund', intent, amount: 2000 })
    const dispute = await stripe.dashboard({ do: 'dispute', intent })
    // The event itself creates the incident; a job reads the rest at Stripe.
    await expect.poll(incidents, patience).toContain('dispute')
    await stripe.deliverAll('backwards', 2)
    await runWebhookJobs()
    expect(await ledger(app)).toEqual({
      gateway_balance: -2000,
      disputed_funds: 4000,
      dispute_fees: 2000,
      practitioner_payable: -4000,
    })
    expect((await incidents()).toSorted()).toEqual(['dispute', 'refund'])

    // From here on no event arrives.
    await stripe.sendWebhooks(null)
    await stripe.dashboard({ do: 'close dispute', dispute, status: 'won', loseEvents: true })
    await stripe.dashboard({ do: 'fail refund', refund, loseEvents: true })
    app.clock.advance(days(1))
    await app.services.payments.compare()
    // Stripe keeps its fee for a won dispute.
    expect(await ledger(app)).toEqual({
      gateway_balance: 4000,
      disputed_funds: 0,
      dispute_fees: 2000,
      practitioner_payable: -6000,
    })
    expect((await incidents()).toSorted()).toEqual(['dispute', 'refund', 'refund_failed'])
    await app.queue.drain()
    const told = await app.db
      .selectFrom('outgoing_mails')
      .select('recipient')
      .where('template', '=', 'session.refunded')
      .orderBy('recipient')
      .execute()
    expect(told).toEqual([{ recipient: 'client' }, { recipient: 'practitioner' }])
  })

  test('a partial capture in the dashboard of an expired hold is refunded', async () => {
    const card = await addCard(app, client.token)
    const session = await hold(app, client, practitioner)
    await pay(app, client, session, card.id)
    const { gateway_ref: intent } = await app.db
      .selectFrom('payment_intents')
      .select('gateway_ref')
      .executeTakeFirstOrThrow()
    await stripe.dashboard({ do: 'capture', intent: String(intent), amount: 2500, loseEvents: true })
    app.clock.advance(minutes(11))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    expect(await atStripe(app)).toEqual(['succeeded 6000 -6000'])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    expect(await intentStates(app)).toEqual(['captured'])
  })

  test('a refund that the bank sends back is for a person to look at', async () => {
    await listen()
    const card = await addCard(app, client.token)
    const key = crypto.randomUUID()
    const owner = client.id
    const gateway = stripeGateway({ db: app.db, clock: app.clock, ...stripeKeys, apiBase: stripe.url })
    const paid = await gateway.authorise({ key, token: card.ref, owner, amountPence: 100, isPresent: true })
    await gateway.capture(paid.ref)
    const { ref } = await gateway.refund({ key: crypto.randomUUID(), ref: paid.ref, amountPence: 100 })
    await stripe.dashboard({ do: 'fail refund', refund: ref })
    await expect.poll(() => app.logged(), patience).toContain('A refund did not reach the card')
  })
})

describe('a subscription on Stripe', () => {
  test('is renewed off-session, and a bank that requires authentication makes it past due', async () => {
    const app = await buildTestApp({ gateway: onStripe })
    const practitioner = await createPractitioner(app, { subscribedUntil: null })
    const token = await signInPractitioner(app, practitioner)
    const card = await addCard(app, token, 'succeeds', true)
    const subscribed = await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id: card.id },
    })
    expect(subscribed.status).toBe(200)
    app.clock.advance(days(32))
    await app.services.subscriptions.sweep()
    expect(await atStripe(app)).toEqual(['succeeded 3000 -0', 'succeeded 3000 -0'])
    await stripe.setBank(card.ref, 'requires_action')
    app.clock.advance(days(32))
    await app.services.subscriptions.sweep()
    expect(await atStripe(app)).toEqual(['canceled 3000 -0', 'succeeded 3000 -0', 'succeeded 3000 -0'])
    expect(await ledger(app)).toMatchObject({ gateway_balance: 6000, subscription_income: -6000 })
    const { state } = await app.db.selectFrom('subscriptions').select('state').executeTakeFirstOrThrow()
    expect(state).toBe('past_due')
    const confirms = (await stripe.heard()).filter(({ call }) => call.endsWith('/confirm'))
    expect(confirms.slice(-2).map(({ form }) => form.off_session)).toEqual(['true', 'true'])
    await app.close()
  })

  test('refunded and disputed at Stripe is on the invoice and in the books, with the fee', async () => {
    const app = await buildTestApp({ gateway: onStripe })
    const practitioner = await createPractitioner(app, { subscribedUntil: null })
    const token = await signInPractitioner(app, practitioner)
    const card = await addCard(app, token, 'succeeds', true)
    await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id: card.id },
    })
    const { id, gateway_ref } = await app.db
      .selectFrom('platform_charges')
      .selectAll()
      .executeTakeFirstOrThrow()
    const intent = String(gateway_ref)
    const invoice = async () => (await app.call('GET', '/therapist/invoices', { token })).body
    await stripe.dashboard({ do: 'refund', intent, amount: 1000 })
    await app.services.payments.lookAgain(id)
    expect(await invoice()).toMatchObject([{ refunded: 10, status: 'partly_refunded' }])
    const dispute = await stripe.dashboard({ do: 'dispute', intent })
    await app.services.payments.lookAgain(id)
    expect(await invoice()).toMatchObject([{ refunded: 10, status: 'disputed' }])
    expect(await ledger(app)).toEqual({
      gateway_balance: -2000,
      disputed_funds: 2000,
      dispute_fees: 2000,
      subscription_income: -2000,
    })
    await stripe.dashboard({ do: 'close dispute', dispute, status: 'lost' })
    await app.services.payments.lookAgain(id)
    await app.services.payments.lookAgain(id)
    expect(await invoice()).toMatchObject([{ status: 'taken_back' }])
    expect(await ledger(app)).toEqual({
      gateway_balance: -2000,
      disputed_funds: 0,
      dispute_losses: 2000,
      dispute_fees: 2000,
      subscription_income: -2000,
    })
    await app.close()
  })

  test('whose authorisation ended at Stripe before the capture ends, and is not retried', async () => {
    const app = await buildTestApp({
      gateway: onStripe,
      checkpoint: async (step) => {
        if (step !== 'subscription paid') return
        const { gateway_ref } = await app.db
          .selectFrom('platform_charges')
          .select('gateway_ref')
          .executeTakeFirstOrThrow()
        await stripe.dashboard({ do: 'cancel', intent: String(gateway_ref) })
      },
    })
    const practitioner = await createPractitioner(app, { subscribedUntil: null })
    const token = await signInPractitioner(app, practitioner)
    const card = await addCard(app, token, 'succeeds', true)
    await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id: card.id },
    })
    const captures = async () => (await stripe.heard()).filter(({ call }) => call.endsWith('/capture')).length
    const before = await captures()
    app.clock.advance(minutes(10))
    await app.services.subscriptions.sweep()
    expect(await captures()).toBe(before)
    const states = await app.db.selectFrom('platform_charges').select('state').execute()
    expect(states).toEqual([{ state: 'voided' }])
    expect(await ledger(app)).toEqual({})
    const kinds = await app.db.selectFrom('gateway_incidents').select('kind').execute()
    expect(kinds).toEqual([{ kind: 'release' }])
    await app.close()
  })

  test.each([
    { ending: 'send refund', kinds: ['capture'], books: 0 },
    { ending: 'fail refund', kinds: ['capture', 'refund_failed'], books: 3000 },
  ] as const)(
    'captured at Stripe while it is given up is not refunded in the books before Stripe has the funds: $ending',
    async ({ ending, kinds, books }) => {
      const app = await buildTestApp({
        gateway: onStripe,
        checkpoint: async (step) => {
          if (step !== 'charge authorised at the gateway') return
          const { ref } = await app.db
            .selectFrom('stripe_gateway.payments')
            .select('ref')
            .executeTakeFirstOrThrow()
          await stripe.dashboard({ do: 'capture', intent: ref })
          throw new Error('The connection was cut off.')
        },
      })
      const practitioner = await createPractitioner(app, { subscribedUntil: null })
      await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
      const token = await signInPractitioner(app, practitioner)
      const card = await addCard(app, token, 'succeeds', true)
      const body = { payment_method_id: card.id }
      const subscribed = await app.call('POST', '/therapist/subscription/subscribe', { token, body })
      expect(subscribed.status).toBeGreaterThan(400)
      const { id, ref } = await app.db
        .selectFrom('stripe_gateway.payments')
        .select(['idempotency_key as id', 'ref'])
        .executeTakeFirstOrThrow()
      const refunds = async () =>
        (await stripe.objects('refund')).filter(({ payment_intent }) => payment_intent === ref)
      const state = async () =>
        (await app.db.selectFrom('platform_charges').select('state').executeTakeFirstOrThrow()).state
      const incidents = async () =>
        (await app.db.selectFrom('gateway_incidents').select('kind').orderBy('kind').execute()).map(
          ({ kind }) => kind,
        )
      await app.queue.drain()
      const before = app.mails().length
      await stripe.fail({ call: 'POST /v1/refunds', kind: 'short', times: 1 })
      for (let tries = 0; tries < 2; tries++) {
        app.clock.advance(minutes(2))
        await app.services.payments.recover()
        await app.services.payments.lookAgain(id)
        await app.queue.drain()
        expect([await state(), await incidents()]).toEqual(['voiding', ['capture']])
        expect(await refunds()).toMatchObject([{ amount: 3000, status: 'pending' }])
        expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
      }
      expect([...app.queue.failures().keys()]).toEqual([])

      await stripe.dashboard({ do: ending, refund: String((await refunds())[0]?.id) })
      app.clock.advance(minutes(2))
      for (let tries = 0; tries < 2; tries++) {
        await app.services.payments.recover()
        await app.services.payments.lookAgain(id)
      }
      expect([await state(), await incidents()]).toEqual(['voided', kinds])
      expect(await refunds()).toHaveLength(1)
      expect(await ledger(app)).toEqual({ gateway_balance: books, subscription_income: 0 - books })
      await app.queue.drain()
      const mails = app.mails().slice(before).map(readMail)
      expect(mails.filter(({ to }) => to === practitioner.email)).toEqual([])
      await app.close()
    },
  )
})

describe('a crash between Stripe and our books is resolved once', () => {
  test.each([
    { step: 'payment authorised at the gateway', stripeHas: ['canceled 6000 -0'], kept: {} },
    {
      step: 'payment captured at the gateway',
      stripeHas: ['succeeded 6000 -0'],
      kept: { gateway_balance: 6000, practitioner_payable: -6000 },
    },
  ])('after: $step', async ({ step, stripeHas, kept }) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock()
    const reached = Promise.withResolvers<void>()
    const before = await buildTestApp({
      database,
      clock,
      gateway: onStripe,
      checkpoint: async (here) => {
        if (here !== step) return
        reached.resolve()
        // This promise never resolves, so the operation stops here as at the end of the process.
        await new Promise(() => undefined)
      },
    })
    const client = await createClient(before)
    const practitioner = await createPractitioner(before)
    const card = await addCard(before, client.token)
    const session = await hold(before, client, practitioner)
    void pay(before, client, session, card.id)
      .then(() => book(before, client, session))
      .catch(() => undefined)
    await reached.promise
    before.app.server.closeAllConnections()
    clock.advance(minutes(16))
    const after = await buildTestApp({
      database: openServer(url, 5, () => undefined),
      clock,
      gateway: onStripe,
    })
    await after.services.bookings.sweep()
    await after.services.bookings.sweep()
    await after.services.payments.recover()
    expect(await atStripe(after)).toEqual(stripeHas)
    expect(await ledger(after)).toEqual(kept)
    // The client returns and repeats the booking.
    if (!kept.gateway_balance) {
      const back = await signInAgain(after, client)
      const again = await hold(after, back, practitioner)
      await pay(after, back, again, card.id)
      expect((await book(after, back, again)).status).toBe(200)
    }
    expect(await ledger(after)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    await after.close()
    await before.close()
  })
})
