import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hours, minutes } from '#server/clock.ts'
import { stripeGateway } from '#server/integrations/payment-gateway/stripe.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type Client, createAdmin, createClient, createPractitioner, ledger } from '#test/factories.ts'
import { startStripe, type StripeStandIn, stripeKeys } from '#test/stripe.ts'

let stripe: StripeStandIn
let app: TestApp
let client: Client
let session: string
let intent: { id: string; ref: string }

beforeAll(async () => {
  stripe = await startStripe()
})
afterAll(async () => stripe.stop())
beforeEach(async () => {
  app = await buildTestApp({
    gateway: (_sandbox, { db, clock }) => stripeGateway({ db, clock, ...stripeKeys, apiBase: stripe.url }),
  })
  client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const call = (path: string, body: object = {}) => app.call('POST', path, { token: client.token, body })
  const begun = await call('/payment/stripe/begin-card')
  const method = await stripe.saveInBrowser(String(begun.body.client_secret))
  const card = await call('/payment/stripe/add-new-card', { payment_method_id: method })
  const held = await call('/appointment/create-session', {
    practitioner_id: practitioner.id,
    booking_type: 'schedule',
    service_id: 1,
    appointment_type: 'online',
    datetime: '2026-06-08T09:00:00.000Z',
  })
  session = String(held.body.session_id)
  await call('/payment/stripe/existing-card-payment', {
    session_id: session,
    customer_id: card.body.customer_id,
  })
  const booked = await call('/appointment/instant-book', { appointment_id: session })
  expect(booked.body).toMatchObject({ status: 'confirmed' })
  const row = await app.db
    .selectFrom('payment_intents')
    .select(['id', 'gateway_ref'])
    .executeTakeFirstOrThrow()
  intent = { id: row.id, ref: String(row.gateway_ref) }
})
afterEach(async () => app.close())

const look = () => app.services.payments.lookAgain(intent.id)
const cancel = async () => {
  const cancelled = await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: session },
  })
  expect(cancelled.body).toMatchObject({ status: 'cancelled' })
}
const refunds = async () =>
  (await app.db.selectFrom('refunds').select('state').execute()).map((each) => each.state)
const refundsAtStripe = async () =>
  (await stripe.objects('refund')).filter((refund) => refund.payment_intent === intent.ref)
const dispute = () =>
  app.db.selectFrom('disputes').select(['state', 'withdrawn_pence', 'fee_pence']).executeTakeFirstOrThrow()
const incident = () => app.db.selectFrom('gateway_incidents').select(['kind', 'resolution']).execute()
const refunded = { gateway_balance: 0, practitioner_payable: 0 }

test('a refund passes during an inquiry, which ends it without a movement or a fee', async () => {
  await stripe.dashboard({ do: 'inquire', intent: intent.ref })
  await look()
  expect(await dispute()).toEqual({ state: 'open', withdrawn_pence: 0, fee_pence: 0 })
  expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  const read = async () => (await app.call('GET', `/appointment/${session}`, { token: client.token })).body
  expect(await read()).toMatchObject({ dispute: null })
  await cancel()
  expect(await refunds()).toEqual(['succeeded'])
  expect(await refundsAtStripe()).toMatchObject([{ amount: 6000 }])
  expect(await read()).toMatchObject({ dispute: null, refund: { state: 'succeeded' } })
  expect(await ledger(app)).toEqual(refunded)
  await look()
  expect(await dispute()).toEqual({ state: 'won', withdrawn_pence: 0, fee_pence: 0 })
  expect(await incident()).toEqual([{ kind: 'dispute', resolution: 'won' }])
  expect(await ledger(app)).toEqual(refunded)
})

test('an inquiry that ends without a dispute moves nothing', async () => {
  const name = await stripe.dashboard({ do: 'inquire', intent: intent.ref })
  await look()
  await stripe.dashboard({ do: 'close dispute', dispute: name, status: 'warning_closed' })
  await look()
  expect(await dispute()).toEqual({ state: 'won', withdrawn_pence: 0, fee_pence: 0 })
  expect(await incident()).toEqual([{ kind: 'dispute', resolution: 'won' }])
  expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
})

test('a refund waits once an inquiry has become a dispute, whichever was read first', async () => {
  const name = await stripe.dashboard({ do: 'inquire', intent: intent.ref })
  await look()
  // The product learns of the dispute by Stripe's refusal of the refund.
  await stripe.dashboard({ do: 'escalate', dispute: name })
  await cancel()
  const disputed = {
    gateway_balance: -2000,
    disputed_funds: 6000,
    dispute_fees: 2000,
    practitioner_payable: -6000,
  }
  const waits = async () => {
    expect(await refunds()).toEqual(['requested'])
    expect(await refundsAtStripe()).toEqual([])
    expect(await ledger(app)).toEqual(disputed)
  }
  await waits()
  app.clock.advance(minutes(5))
  await app.services.payments.recover()
  await look()
  await waits()
  await stripe.dashboard({ do: 'close dispute', dispute: name, status: 'won' })
  await look()
  // The bank takes longer than Stripe keeps its refusal under the key.
  await stripe.forgetKeys()
  app.clock.advance(minutes(5))
  await app.services.payments.recover()
  expect(await refunds()).toEqual(['succeeded'])
  expect(await refundsAtStripe()).toMatchObject([{ amount: 6000 }])
})

test('a refund waits while another dispute of the payment is no inquiry', async () => {
  await stripe.dashboard({ do: 'inquire', intent: intent.ref })
  await stripe.dashboard({ do: 'dispute', intent: intent.ref })
  await look()
  await cancel()
  expect(await refunds()).toEqual(['requested'])
  expect(await refundsAtStripe()).toEqual([])
})

test('a refund that Stripe cannot send for want of a balance stays requested until it is sent, and late ones alarm', async () => {
  await stripe.fail({ call: 'POST /v1/refunds', kind: 'short', times: 1 })
  await cancel()
  const waits = async () => {
    expect(await refunds()).toEqual(['requested'])
    expect(await refundsAtStripe()).toMatchObject([{ amount: 6000, status: 'pending' }])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await incident()).toEqual([])
  }
  await waits()
  // Its job asks again; that there are no funds is no failure of it.
  await sql`update pgboss.job set start_after = now() - interval '1 minute' where state = 'created'`.execute(
    app.db,
  )
  await app.queue.drain()
  await waits()
  expect([...app.queue.failures().keys()]).toEqual([])
  app.clock.advance(hours(21))
  await app.services.payments.recover()
  await look()
  await waits()
  const row = await app.db
    .selectFrom('refunds')
    .select(['last_error', 'gateway_error'])
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    last_error: 'RefundAwaitsFunds',
    gateway_error: { code: 'insufficient_funds' },
  })
  await createAdmin(app)
  await app.services.lateReturns.sweep()
  await app.queue.drain()
  const sent = async () =>
    (
      await app.db.selectFrom('outgoing_mails').select('template').where('outcome', '=', 'sent').execute()
    ).map(({ template }) => template)
  expect(await sent()).toContain('back-office.late_returns')
  expect(await sent()).not.toContain('session.refunded')

  const [refund] = await refundsAtStripe()
  await stripe.dashboard({ do: 'send refund', refund: String(refund?.id) })
  app.clock.advance(minutes(5))
  await app.services.payments.recover()
  expect(await refunds()).toEqual(['succeeded'])
  expect(await refundsAtStripe()).toHaveLength(1)
  expect(await ledger(app)).toEqual(refunded)
})

test('a refund that Stripe gives up for want of a balance fails, for an admin to pay otherwise', async () => {
  await stripe.fail({ call: 'POST /v1/refunds', kind: 'short', times: 1 })
  await cancel()
  const [refund] = await refundsAtStripe()
  await stripe.dashboard({ do: 'fail refund', refund: String(refund?.id) })
  await look()
  expect(await refunds()).toEqual(['failed'])
  expect(await incident()).toEqual([{ kind: 'refund_failed', resolution: null }])
  expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
})
