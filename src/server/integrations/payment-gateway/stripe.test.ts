import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#server/db/connection.ts'
import { type MovableClock, movableClock } from '#test/movable-clock.ts'
import { type Behaviour, startStripe, type StripeStandIn, stripeKeys } from '#test/stripe.ts'
import { unknownParameter } from '#test/stripe/parameters.ts'
import { emptyDatabase } from '#test/test-database.ts'
import { CardRefused, WebhookRefused, type PaymentGateway } from './port.ts'
import { stripeGateway } from './stripe.ts'

let stripe: StripeStandIn
let gateway: PaymentGateway
let db: Db
let clock: MovableClock
let someone: string

beforeAll(async () => {
  stripe = await startStripe()
})
afterAll(async () => stripe.stop())
beforeEach(async () => {
  db = (await emptyDatabase()).db
  clock = movableClock()
  // A lost answer is given up quickly, so that a test does not wait for it.
  gateway = stripeGateway({ db, clock, ...stripeKeys, apiBase: stripe.url, timeout: 800 })
  someone = crypto.randomUUID()
})
afterEach(async () => stripe.fail())

async function save(behaviour: Behaviour = 'succeeds', owner = someone) {
  const begun = await gateway.beginCard({ key: crypto.randomUUID(), owner })
  const id = await stripe.saveInBrowser(begun?.clientSecret ?? '', { behaviour })
  return gateway.saveCard({ payment_method_id: id }, owner)
}
const request = (token: string, key: string = crypto.randomUUID()) => ({
  key,
  token,
  owner: someone,
  amountPence: 6000,
  isPresent: true,
})
const intentsOf = async (key: string) =>
  (await stripe.objects('payment_intent')).filter((intent) => intent.metadata.attempt === key)

describe('an answer that is lost after Stripe has done it', () => {
  const confirm = 'POST /v1/payment_intents/:id/confirm'

  test.each([
    ['POST /v1/payment_intents', 'cut', 1],
    [confirm, 'lost', 1],
    [confirm, 'cut', 1],
    [confirm, 'refused', 1],
  ] as const)('authorises once all the same: %s %s', async (call, kind, times) => {
    const { token } = await save()
    const key = crypto.randomUUID()
    await stripe.fail({ call, kind, times })
    const paid = await gateway.authorise(request(token, key))
    expect(paid).toMatchObject({ state: 'authorised' })
    expect(await intentsOf(key)).toMatchObject([{ id: paid.ref, status: 'requires_capture' }])
    const charges = await stripe.objects('charge')
    expect(charges.filter((charge) => charge.payment_intent === paid.ref)).toHaveLength(1)
  })

  test('is found by its key when it never comes, and reserves nothing when it never arrived', async () => {
    const { token } = await save()
    const [arrived, never] = [crypto.randomUUID(), crypto.randomUUID()]
    await stripe.fail(
      { call: confirm, kind: 'cut', times: 1 },
      { call: 'GET /v1/payment_intents/:id', kind: 'refused', times: 20 },
      { call: confirm, kind: 'refused', times: 20 },
    )
    // The first response is cut off, and no later call reaches Stripe, so neither attempt learns its outcome.
    await gateway.authorise(request(token, arrived)).catch(() => undefined)
    await expect(gateway.authorise(request(token, never))).rejects.toThrow()
    await stripe.fail()
    expect(await gateway.findByKey(arrived)).toMatchObject({ state: 'authorised' })
    expect(await gateway.findByKey(never)).toBeUndefined()
    expect(await gateway.authorise(request(token, never))).toMatchObject({ state: 'authorised' })
    expect(await intentsOf(never)).toHaveLength(1)
  })

  test('captures, refunds and voids once all the same', async () => {
    const kind = 'cut'
    const { token } = await save()
    const [one, other] = [await gateway.authorise(request(token)), await gateway.authorise(request(token))]
    await stripe.fail(
      { call: 'POST /v1/payment_intents/:id/capture', kind, times: 1 },
      { call: 'POST /v1/payment_intents/:id/cancel', kind, times: 1 },
      { call: 'POST /v1/refunds', kind, times: 1 },
    )
    expect(await gateway.capture(one.ref)).toMatchObject({ state: 'captured' })
    expect(await gateway.void(other.ref)).toMatchObject({ state: 'voided' })
    const key = crypto.randomUUID()
    const { ref } = await gateway.refund({ key, ref: one.ref, amountPence: 2000 })
    const refunds = await stripe.objects('refund')
    expect(refunds.filter((refund) => refund.payment_intent === one.ref)).toMatchObject([
      { id: ref, amount: 2000 },
    ])
  })
})

test('a fault that Stripe keeps under a key does not stand in the way for ever', async () => {
  const { token } = await save()
  const paid = await gateway.authorise(request(token))
  await stripe.fail(
    { call: 'POST /v1/payment_intents/:id/capture', kind: 'fault', times: 1 },
    { call: 'POST /v1/refunds', kind: 'fault', times: 1 },
  )
  expect(await gateway.capture(paid.ref)).toMatchObject({ state: 'captured' })
  const refund = { key: crypto.randomUUID(), ref: paid.ref, amountPence: 6000 }
  expect(await gateway.refund(refund)).toEqual(await gateway.refund(refund))
  expect(await gateway.capture(paid.ref)).toMatchObject({ refundedPence: 6000 })
})

test('a new client saves a card and pays although Stripe answered a fault for both at first', async () => {
  await stripe.fail(
    { call: 'POST /v1/customers', kind: 'fault', times: 1 },
    { call: 'POST /v1/payment_intents', kind: 'fault', times: 1 },
  )
  const { token } = await save()
  const key = crypto.randomUUID()
  expect(await gateway.authorise(request(token, key))).toMatchObject({ state: 'authorised' })
  const customers = await stripe.objects('customer')
  expect(customers.filter(({ metadata }) => metadata.account === someone)).toHaveLength(1)
  expect(await intentsOf(key)).toHaveLength(1)
})

test('a refund is not sent twice after Stripe has forgotten its keys', async () => {
  const { token } = await save()
  const paid = await gateway.authorise(request(token))
  await gateway.capture(paid.ref)
  const refund = { key: crypto.randomUUID(), ref: paid.ref, amountPence: 2000 }
  const first = await gateway.refund(refund)
  await stripe.forgetKeys()
  expect(await gateway.refund(refund)).toEqual(first)
  expect(await gateway.capture(paid.ref)).toMatchObject({ state: 'captured', refundedPence: 2000 })
})

test('the other side may end without a warning: what it had done is still done', async () => {
  const { token } = await save()
  const key = crypto.randomUUID()
  await stripe.fail({ call: 'POST /v1/payment_intents/:id/confirm', kind: 'lost', times: 9 })
  const attempt = gateway.authorise(request(token, key)).catch((error: unknown) => error)
  await expect.poll(() => intentsOf(key), { timeout: 20_000 }).toMatchObject([{ status: 'requires_capture' }])
  await stripe.restart()
  await attempt
  expect(await gateway.authorise(request(token, key))).toMatchObject({ state: 'authorised' })
  expect(await intentsOf(key)).toHaveLength(1)
})

test('a bank that is not convinced declines', async () => {
  const { token } = await save('requires_action')
  const asked = await gateway.authorise(request(token))
  await stripe.answerBank(asked.clientSecret ?? '', 'wrong')
  expect(await gateway.confirm(asked.ref)).toMatchObject({
    state: 'declined',
    declineCode: 'authentication_failed',
  })
})

test("somebody else's card is refused, and so is a card number", async () => {
  const { token } = await save('succeeds', crypto.randomUUID())
  await gateway.beginCard({ key: crypto.randomUUID(), owner: someone })
  await expect(gateway.saveCard({ payment_method_id: token }, someone)).rejects.toThrow(CardRefused)
  const number = { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2034, cvv_number: '123' }
  await expect(gateway.saveCard(number, someone)).rejects.toThrow(CardRefused)
  expect(JSON.stringify(await stripe.heard())).not.toContain('4242424242424242')
})

test('every write goes out under a key made of our own ids, and tells nothing of a person', async () => {
  const { token } = await save()
  const paid = await gateway.authorise(request(token))
  await gateway.capture(paid.ref)
  await gateway.refund({ key: crypto.randomUUID(), ref: paid.ref, amountPence: 1 })
  await gateway.removeCard(token)
  const writes = (await stripe.heard()).filter(({ call }) => call.startsWith('POST'))
  expect(writes.length).toBeGreaterThan(5)
  for (const { key } of writes)
    expect(key).toMatch(/^(customer|setup|intent|confirm|capture|refund|detach|cancel)-/)
  expect(Object.keys(Object.assign({}, ...writes.map(({ form }) => form))).toSorted()).toEqual([
    'allowed_payment_method_types',
    'amount',
    'capture_method',
    'currency',
    'customer',
    'expand',
    'metadata',
    'payment_intent',
    'payment_method',
    'usage',
    'use_stripe_sdk',
  ])
})

test.each([
  [true, { state: 'declined', declineCode: 'authentication_failed' }],
  [false, { state: 'requires_action', declineCode: null }],
])('a bank that declines for want of authentication; client present: %s', async (isPresent, outcome) => {
  const { token } = await save()
  await stripe.setBank(token, 'authentication_required')
  const wanted = { ...request(token), isPresent }
  const paid = await gateway.authorise(wanted)
  expect(paid).toMatchObject({ ...outcome, clientSecret: null })
  expect(await gateway.findByKey(wanted.key)).toEqual(paid)
  expect(await gateway.confirm(paid.ref)).toEqual(paid)
  await expect(gateway.capture(paid.ref)).rejects.toThrow()
  expect(await gateway.void(paid.ref)).toMatchObject({ state: 'voided' })
})

describe('a webhook event', () => {
  const sign = (payload: string, secret = stripeKeys.webhookSecret, at = clock.now()) =>
    new Stripe('sk_test_signing').webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(at.getTime() / 1000),
    })
  const event = (type: string, object: object) =>
    JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const readWebhookEvent = async (body: string, signature: string) =>
    gateway.readWebhookEvent?.(Buffer.from(body), signature)

  test('says which of our payments it is about', async () => {
    const { token } = await save()
    const wanted = request(token)
    const { ref } = await gateway.authorise(wanted)
    const ours = event('payment_intent.succeeded', { id: ref })
    expect(await readWebhookEvent(ours, sign(ours))).toEqual({
      id: 'evt_1',
      kind: 'payment',
      subject: ref,
      paymentKey: wanted.key,
    })
    const failed = event('refund.failed', { id: 're_1', payment_intent: ref })
    expect(await readWebhookEvent(failed, sign(failed))).toMatchObject({
      kind: 'refund failed',
      paymentKey: wanted.key,
    })
    for (const [type, object, kind] of [
      ['charge.refunded', { id: 'ch_1', payment_intent: ref }, 'payment'],
      ['refund.created', { id: 're_1', payment_intent: ref, status: 'succeeded' }, 'payment'],
      ['refund.updated', { id: 're_1', payment_intent: ref, status: 'failed' }, 'refund failed'],
      ['charge.dispute.funds_withdrawn', { id: 'du_1', payment_intent: ref }, 'dispute'],
      ['charge.dispute.closed', { id: 'du_1', payment_intent: ref }, 'dispute'],
    ] as const) {
      const body = event(type, object)
      expect(await readWebhookEvent(body, sign(body))).toMatchObject({
        kind,
        subject: object.id,
        paymentKey: wanted.key,
      })
    }
    const strange = event('payment_intent.succeeded', { id: 'pi_of_another_shop' })
    expect(await readWebhookEvent(strange, sign(strange))).toMatchObject({
      kind: 'payment',
      paymentKey: null,
    })
    const other = event('customer.created', { id: 'cus_1' })
    expect(await readWebhookEvent(other, sign(other))).toMatchObject({ kind: 'other', paymentKey: null })
  })

  test('is refused unless Stripe has signed exactly this event, lately and not in the future', async () => {
    const body = event('payment_intent.succeeded', { id: 'pi_1' })
    const late = new Date(clock.now().getTime() - 301_000)
    const early = new Date(clock.now().getTime() + 60_000)
    const inner = (event: unknown) => JSON.stringify(event)
    const malformed = [
      'null',
      '[]',
      inner({}),
      inner({ id: 'evt_1', type: 'payment_intent.succeeded' }),
      inner({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: null } }),
      inner({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: {} } }),
      inner({ id: 7, type: 'refund.failed', data: { object: { id: 're_1' } } }),
      inner({ id: 'e'.repeat(300), type: 'refund.failed', data: { object: { id: 're_1' } } }),
      inner({ id: 'evt_1', type: 'refund.failed', data: { object: { id: 're_1', payment_intent: 5 } } }),
    ]
    for (const text of malformed)
      await expect(readWebhookEvent(text, sign(text))).rejects.toThrow(WebhookRefused)
    for (const [sent, signature] of [
      [body, ''],
      [body, 't=1,v1=00'],
      [body, sign(body, 'whsec_another')],
      [body, sign(body, stripeKeys.webhookSecret, late)],
      [body, sign(body, stripeKeys.webhookSecret, early)],
      [`${body} `, sign(body)],
      ['not JSON', sign('not JSON')],
    ] as const)
      await expect(readWebhookEvent(sent, signature)).rejects.toThrow(WebhookRefused)
  })
})

describe('what stands in for Stripe in these tests', () => {
  test('refuses parameters that the types of the SDK do not know, and values that they do not allow', async () => {
    const real = new Stripe(stripeKeys.secretKey, {
      host: '127.0.0.1',
      port: new URL(stripe.url).port,
      protocol: 'http',
    })
    const options = { idempotencyKey: `wrong-${someone}` }
    const create = (more: object) =>
      real.paymentIntents.create({ amount: 100, currency: 'gbp', ...more }, options)
    await expect(create({ payment_method_types: ['card'] })).rejects.toThrow('Received unknown parameter')
    await expect(create({ capture_method: 'later' })).rejects.toThrow('Invalid capture_method')
    await expect(create({ payment_method_options: { card: { nonsense: 1 } } })).rejects.toThrow(
      'Received unknown parameter: payment_method_options[card][nonsense]',
    )
    const known = { resource: 'PaymentIntents', type: 'PaymentIntentCreateParams' }
    expect(
      unknownParameter(known, {
        amount: '100',
        capture_method: 'manual',
        metadata: { anything: 'goes' },
        payment_method_options: { card: { request_three_d_secure: 'any' } },
      }),
    ).toBeUndefined()
  })

  // Not part of the product: they lie beside it where they were handed in.
  const samples = [process.env.STRIPE_FIXTURES, '../shared/data/stripe-fixtures.json']
    .map((path) => path && resolve(path))
    .find((path) => path && existsSync(path))

  test(`answers in the shape of ${samples ? "Stripe's published samples" : "the SDK's types alone: the published samples are not here"}`, async () => {
    const { token } = await save()
    const paid = await gateway.authorise(request(token))
    await gateway.capture(paid.ref)
    await gateway.refund({ key: crypto.randomUUID(), ref: paid.ref, amountPence: 1 })
    const types = [
      'customer',
      'setup_intent',
      'payment_method',
      'payment_intent',
      'charge',
      'refund',
    ] as const
    const published = samples
      ? (JSON.parse(readFileSync(samples, 'utf8')) as { resources: Record<string, object> }).resources
      : undefined
    for (const type of types) {
      const [answered] = await stripe.objects(type)
      expect(answered?.object).toBe(type)
      const sample = published?.[type]
      if (!answered || !sample) continue
      // What the samples, some months older than the SDK, do not have yet; and a list that is there when asked for.
      const [newer, optional] = [['allowed_payment_method_types', 'payment_record'], ['refunds']]
      const [ours, theirs] = [Object.keys(answered), Object.keys(sample)]
      expect(
        ours.filter((name) => !theirs.includes(name) && !newer.includes(name)),
        type,
      ).toEqual([])
      expect(
        theirs.filter((name) => !ours.includes(name) && !optional.includes(name)),
        type,
      ).toEqual(
        // Fields of accounts of another kind than customers, which the SDK calls optional.
        [
          'managed_payments',
          'customer_account',
          'flow_directions',
          'source',
          'level3',
          'attach_to_self',
        ].filter((name) => theirs.includes(name) && !ours.includes(name)),
      )
      for (const [name, value] of Object.entries(sample)) {
        const mine = (answered as object as Record<string, unknown>)[name]
        if (value !== null && mine !== null && mine !== undefined)
          expect(typeof mine, `${type}.${name}`).toBe(typeof value)
      }
    }
  })
})
