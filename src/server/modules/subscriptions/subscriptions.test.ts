import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days } from '#server/clock.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  cards,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { readMail } from '#test/mails.ts'
import { addAcceptedFacts } from '#test/vetting.ts'

let app: TestApp
let practitioner: Practitioner
let token: string
/** Set to make the gateway fail at one of its calls. */
let away: 'authorise' | 'capture' | 'saveCard' | undefined

const failing = (sandbox: PaymentGateway): PaymentGateway => ({
  ...sandbox,
  authorise: (request) => (away === 'authorise' ? lost() : sandbox.authorise(request)),
  capture: (ref) => (away === 'capture' ? lost() : sandbox.capture(ref)),
  saveCard: (card, owner) => (away === 'saveCard' ? lost() : sandbox.saveCard(card, owner)),
})
const lost = () => Promise.reject(new Error('The gateway is away.'))

beforeEach(async () => {
  away = undefined
  app = await buildTestApp({ gateway: failing })
  await open()
})
afterEach(async () => app.close())

/** Signs in a new practitioner with a confirmed address and without a subscription. */
async function open(options: Parameters<typeof createPractitioner>[1] = {}): Promise<void> {
  practitioner = await createPractitioner(app, { subscribedUntil: null, ...options })
  await app.db
    .updateTable('accounts')
    .set({ email_verified_at: app.clock.now() })
    .where('id', '=', practitioner.accountId)
    .execute()
  token = await signInPractitioner(app, practitioner)
}

const get = (path: string) => app.call('GET', path, { token })
const post = (path: string, body: unknown = {}) => app.call('POST', path, { token, body })
const subscribe = (payment_method_id: string) =>
  post('/therapist/subscription/subscribe', { payment_method_id })
const subscribeWith = async (number: string = cards.succeeds) =>
  subscribe(await saveTherapistCard(app, token, number))

const text = 'You have successfully subscribed'
/** The payments at the gateway: state and pence. */
async function atGateway(): Promise<string[]> {
  const rows = await app.db
    .selectFrom('sandbox_gateway.payments')
    .select(['state', 'amount_pence'])
    .orderBy('created_at')
    .execute()
  return rows.map((row) => `${row.state} ${row.amount_pence}`)
}
const taken = async () => (await atGateway()).filter((each) => each.startsWith('captured'))
/** Subjects of the mails to the practitioner, oldest first. */
async function mails(): Promise<string[]> {
  await app.queue.drain()
  return app
    .mails()
    .map(readMail)
    .filter((mail) => mail.to === practitioner.email && mail.messageId.startsWith('<billing-'))
    .map((mail) => mail.subject)
}
async function expectNothingCharged(): Promise<void> {
  expect((await atGateway()).filter((each) => /^(captured|authorised|requires_action)/.test(each))).toEqual(
    [],
  )
  expect(await ledger(app)).toEqual({})
  expect(await mails()).toEqual([])
  expect(await app.db.selectFrom('invoices').select('id').execute()).toEqual([])
  expect(await listed()).toBe(false)
}
async function listed(): Promise<boolean> {
  const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
  const found = await app.call('GET', '/practitioner/get-practitioners')
  const isFound = (found.body.data as unknown as { practitioner_id: number }[]).some(
    (each) => each.practitioner_id === practitioner.id,
  )
  expect(isFound).toBe(profile.status === 200)
  return isFound
}

describe('the card of a practitioner', () => {
  test('is a 404 before one is saved', async () => {
    const answer = await get('/therapist/payment/card')
    expect([answer.status, answer.body.code]).toEqual([404, 'no_card'])
  })

  test('is saved, named without its number, and replaced by the next one, after which the gateway removes it', async () => {
    const first = await saveTherapistCard(app, token)
    expect((await get('/therapist/payment/card')).body).toEqual({
      payment_method_id: first,
      brand: 'visa',
      last4: '4242',
      expiry_month: 12,
      expiry_year: 2034,
    })
    const second = await saveTherapistCard(app, token, cards.alsoSucceeds)
    expect((await get('/therapist/payment/card')).body).toMatchObject({
      payment_method_id: second,
      brand: 'mastercard',
      last4: '4444',
    })
    const kept = await app.db.selectFrom('payment_methods').select(['id', 'removed_at']).execute()
    expect(kept.filter((row) => row.removed_at === null).map((row) => row.id)).toEqual([second])
    expect((await subscribe(first)).status).toBe(404)
    await expectNothingCharged()
  })

  test('that is refused is not saved, and the one before stays', async () => {
    const first = await saveTherapistCard(app, token)
    const before = await fingerprint(app.db)
    const answer = await post('/therapist/payment/add-new-card', {
      card_number: '4111111111111111',
      expiry_month: 12,
      expiry_year: 2034,
      cvv_number: '123',
    })
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
      422,
      'card_refused',
      ['card_number'],
    ])
    away = 'saveCard'
    const unsaved = await post('/therapist/payment/add-new-card', {
      card_number: cards.succeeds,
      expiry_month: 12,
      expiry_year: 2034,
      cvv_number: '123',
    })
    expect([unsaved.status, unsaved.body.code]).toEqual([503, 'payment_unavailable'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await get('/therapist/payment/card')).body.payment_method_id).toBe(first)
  })

  test('pays only its own practitioner’s subscription', async () => {
    const card = await saveTherapistCard(app, token)
    await open()
    const before = await fingerprint(app.db)
    const answer = await subscribe(card)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await fingerprint(app.db)).toEqual(before)
    // A client's card is rejected too.
    const client = await createClient(app)
    const theirs = await app.call('POST', '/payment/sandbox/add-new-card', {
      token: client.token,
      body: { card_number: cards.succeeds, expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
    })
    expect((await subscribe(String(theirs.body.customer_id))).status).toBe(404)
    await expectNothingCharged()
  })
})

describe('subscribing', () => {
  test('charges the first month at once, lists the practitioner on the next request, and sends a receipt', async () => {
    expect(await listed()).toBe(false)
    const none = await get('/therapist/subscription')
    expect([none.status, none.body.code]).toEqual([404, 'not_subscribed'])
    const answer = await subscribeWith()
    expect([answer.status, answer.body]).toEqual([200, text])
    expect(await listed()).toBe(true)
    expect((await get('/therapist/subscription')).body).toEqual({
      status: 'active',
      price: 30,
      paid_until: '2026-07-01T08:00:00.000Z',
      begun: true,
      next_charge_at: '2026-07-01T08:00:00.000Z',
      lapses_at: null,
      paused_for: null,
    })
    expect(await atGateway()).toEqual(['captured 3000'])
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    expect(await mails()).toEqual(['Your receipt from Hearth'])
  })

  test('charges the price of now when an earlier try was declined at another price', async () => {
    expect((await subscribeWith(cards.declined)).status).toBe(402)
    // As if the price had been raised since.
    await app.db.updateTable('subscriptions').set({ price_pence: 2500 }).execute()
    expect((await get('/therapist/subscription')).body.details).toMatchObject({ price: 30 })
    expect((await subscribeWith()).body).toBe(text)
    expect(await taken()).toEqual(['captured 3000'])
    expect((await get('/therapist/subscription')).body).toMatchObject({ price: 30 })
  })

  test('again charges nothing more', async () => {
    const card = await saveTherapistCard(app, token)
    for (let time = 0; time < 3; time++) expect((await subscribe(card)).body).toBe(text)
    expect(await taken()).toEqual(['captured 3000'])
    expect(await mails()).toHaveLength(1)
  })

  test.each([
    ['declined', cards.declined, 'card_declined'],
    ['without money', cards.insufficientFunds, 'insufficient_funds'],
    ['expired', cards.expired, 'expired_card'],
    ['with a wrong code', cards.wrongCode, 'incorrect_cvc'],
  ])('with a card that is %s is refused, and charges nothing', async (_, number, reason) => {
    const answer = await subscribeWith(number)
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([
      402,
      'card_declined',
      { decline_code: reason },
    ])
    expect((await get('/therapist/subscription')).body.code).toBe('not_subscribed')
    await expectNothingCharged()
    // Subscribing with another card succeeds.
    expect((await subscribeWith()).body).toBe(text)
    expect(await taken()).toEqual(['captured 3000'])
  })

  test('may be stopped by the bank’s question, and goes on after it', async () => {
    const asked = await subscribeWith(cards.authentication)
    expect([asked.status, asked.body.code]).toEqual([402, 'authentication_required'])
    expect(asked.body.details?.client_secret).toBeTruthy()
    expect((await get('/therapist/subscription')).body.code).toBe('not_subscribed')
    expect(await taken()).toEqual([])
    const confirmed = await post('/therapist/payment/confirm-authentication', { purpose: 'subscription' })
    expect([confirmed.status, confirmed.body]).toEqual([200, 'success'])
    expect((await get('/therapist/subscription')).body.status).toBe('active')
    expect(await atGateway()).toEqual(['captured 3000'])
    // A repeated confirmation changes nothing.
    expect((await post('/therapist/payment/confirm-authentication', { purpose: 'subscription' })).body).toBe(
      'success',
    )
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
  })

  test('abandoned at the bank’s authentication charges nothing', async () => {
    await subscribeWith(cards.authentication)
    app.clock.advance(61 * 60_000)
    await app.services.subscriptions.sweep()
    expect(await atGateway()).toEqual(['voided 3000'])
    await expectNothingCharged()
    token = await signInPractitioner(app, practitioner)
    const late = await post('/therapist/payment/confirm-authentication', { purpose: 'subscription' })
    expect([late.status, late.body.code]).toEqual([409, 'not_payable'])
    await expectNothingCharged()
    expect((await subscribeWith()).body).toBe(text)
  })

  test('abandoned stops no renewal while its charge cannot be let go, which follows once it can', async () => {
    await subscribeWith()
    const renewing = practitioner.id
    app.clock.advance(days(30))
    await open()
    await subscribeWith(cards.authentication)
    await sql`create function refuse_charge() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = 'check_violation'; end $$`.execute(app.db)
    await sql`create trigger refuse_charge before update on platform_charges for each row
      when (new.state = 'voiding') execute function refuse_charge()`.execute(app.db)
    app.clock.advance(days(1))
    await app.services.subscriptions.sweep()
    expect(app.logged()).toContain('letting a charge go')
    expect(await atGateway()).toEqual(['captured 3000', 'requires_action 3000', 'captured 3000'])
    const paid = await app.db.selectFrom('invoices').select('practitioner_id').execute()
    expect(paid).toEqual([{ practitioner_id: renewing }, { practitioner_id: renewing }])
    await sql`drop function refuse_charge cascade`.execute(app.db)
    await app.services.subscriptions.sweep()
    expect(await atGateway()).toEqual(['captured 3000', 'voided 3000', 'captured 3000'])
  })

  test('while the gateway is away charges nothing, and can be tried again', async () => {
    const card = await saveTherapistCard(app, token)
    away = 'authorise'
    const answer = await subscribe(card)
    expect([answer.status, answer.body.code]).toEqual([503, 'payment_unavailable'])
    await expectNothingCharged()
    away = undefined
    // The sweep voids the charge after a while.
    app.clock.advance(3 * 60_000)
    await app.services.subscriptions.sweep()
    await expectNothingCharged()
    expect((await subscribe(card)).body).toBe(text)
    expect(await taken()).toEqual(['captured 3000'])
  })

  test('again at once, when the gateway is back, asks for the same charge once more', async () => {
    const card = await saveTherapistCard(app, token)
    away = 'authorise'
    expect((await subscribe(card)).status).toBe(503)
    away = undefined
    expect((await subscribe(card)).body).toBe(text)
    expect(await atGateway()).toEqual(['captured 3000'])
    expect(await app.db.selectFrom('platform_charges').select('id').execute()).toHaveLength(1)
  })

  test('counts although the money is only taken by the job behind it', async () => {
    away = 'capture'
    expect((await subscribeWith()).body).toBe(text)
    expect(await listed()).toBe(true)
    expect(await ledger(app)).toEqual({})
    expect(await mails()).toEqual([])
    away = undefined
    app.clock.advance(60_000)
    await app.services.subscriptions.sweep()
    expect(await atGateway()).toEqual(['captured 3000'])
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    expect(await mails()).toHaveLength(1)
  })

  test('while an admin suspends the profile charges nothing, and does not report success', async () => {
    await app.close()
    let isReached = false
    app = await buildTestApp({
      checkpoint: async (step) => {
        if (step !== 'charge authorised at the gateway' || isReached) return
        isReached = true
        await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
      },
    })
    await open()
    const answer = await subscribeWith()
    expect([answer.status, answer.body.code]).toEqual([409, 'not_payable'])
    expect(isReached).toBe(true)
    app.clock.advance(60_000)
    await app.services.subscriptions.sweep()
    expect(await atGateway()).toEqual(['voided 3000'])
    await expectNothingCharged()
  })

  test('with bad cards may be tried five times an hour, and one that is good is not counted', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    await open()
    const card = await saveTherapistCard(app, token, cards.declined)
    const codes: unknown[] = []
    for (let time = 0; time < 7; time++) codes.push((await subscribe(card)).body.code)
    expect(codes).toEqual([...Array(5).fill('card_declined'), ...Array(2).fill('too_many_requests')])
    expect(await app.db.selectFrom('sandbox_gateway.payments').select('ref').execute()).toHaveLength(5)
    await expectNothingCharged()
  })

  test('leaves no card number in the log or the database', async () => {
    await subscribeWith(cards.alsoSucceeds)
    expect(app.logged()).not.toContain(cards.alsoSucceeds)
    const kept = await app.db.selectFrom('payment_methods').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(cards.alsoSucceeds)
  })

  test('is a practitioner’s alone, with an id that is one', async () => {
    for (const payment_method_id of ['4242', '', null, undefined]) {
      expect((await post('/therapist/subscription/subscribe', { payment_method_id })).status).toBe(422)
    }
    const client = await createClient(app)
    for (const path of ['/therapist/subscription', '/therapist/payment/card', '/therapist/invoices']) {
      expect((await app.call('GET', path, { token: client.token })).status).toBe(403)
      expect((await app.call('GET', path)).status).toBe(401)
    }
  })
})

describe('a profile that is not approved yet', () => {
  beforeEach(async () => {
    await open({ state: 'submitted' })
    await addAcceptedFacts(app, practitioner)
  })
  const decide = async (action: string) => {
    const admin = await createAdmin(app)
    const answer = await app.call('POST', `/admin/practitioners/${practitioner.id}/${action}`, {
      token: admin.token,
      body: { reason: 'A reason.' },
    })
    expect(answer.status).toBe(200)
  }

  test('is charged with its approval, and not before', async () => {
    expect((await subscribeWith()).body).toBe(text)
    expect((await get('/therapist/subscription')).body).toMatchObject({
      status: 'waiting',
      paid_until: null,
      next_charge_at: null,
    })
    await expectNothingCharged()
    app.clock.set('2026-06-09T10:00:00Z')
    await app.services.subscriptions.sweep()
    await expectNothingCharged()
    await decide('approve')
    await app.queue.drain()
    expect(await atGateway()).toEqual(['captured 3000'])
    expect(await listed()).toBe(true)
    token = await signInPractitioner(app, practitioner)
    expect((await get('/therapist/subscription')).body).toMatchObject({
      status: 'active',
      paid_until: '2026-07-09T10:00:00.000Z',
    })
    expect(await mails()).toEqual(['Your receipt from Hearth'])
  })

  test('pays what is past due, where that has not ended meanwhile: no other begins by it', async () => {
    await subscribeWith(cards.declined)
    await decide('approve')
    await app.queue.drain()
    const payDue = (payment_method_id: string) =>
      post('/therapist/subscription/subscribe', { payment_method_id, past_due_only: true })
    expect((await get('/therapist/subscription')).body).toMatchObject({ status: 'past_due' })
    expect((await post('/therapist/subscription/cancel')).status).toBe(200)
    const body = { card_number: cards.succeeds, expiry_month: 12, expiry_year: 2034, cvv_number: '123' }
    const card = await post('/therapist/payment/add-new-card', { ...body, charges_due: false })
    const id = String(card.body.payment_method_id)
    const before = await fingerprint(app.db)
    const refused = await payDue(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect([await taken(), await listed()]).toEqual([[], false])

    expect((await subscribe(id)).body).toBe(text)
    expect(await taken()).toHaveLength(1)
    expect((await payDue(id)).body).toBe(text)
    expect(await taken()).toHaveLength(1)
  })

  test('is not listed when the card is declined then; it is tried again', async () => {
    await subscribeWith(cards.declined)
    await decide('approve')
    expect(await mails()).toEqual(['Your subscription could not begin'])
    expect(await listed()).toBe(false)
    expect((await get('/therapist/subscription')).body).toMatchObject({
      status: 'past_due',
      paid_until: null,
      begun: false,
      next_charge_at: '2026-06-02T08:00:00.000Z',
      lapses_at: '2026-06-08T08:00:00.000Z',
    })
    expect(await ledger(app)).toEqual({})
    // A new card is charged at once.
    await saveTherapistCard(app, token)
    expect((await get('/therapist/subscription')).body.status).toBe('active')
    expect(await listed()).toBe(true)
    expect(await taken()).toEqual(['captured 3000'])
  })

  test('can be cancelled before it begins, at no cost', async () => {
    await subscribeWith()
    const answer = await post('/therapist/subscription/cancel')
    expect([answer.status, answer.body.status]).toEqual([200, 'ended'])
    expect((await get('/therapist/subscription')).body.code).toBe('not_subscribed')
    await decide('approve')
    await app.queue.drain()
    expect(await atGateway()).toEqual([])
    expect(await mails()).toEqual(['Your subscription has ended'])
  })
})
