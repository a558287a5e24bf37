import { afterEach, describe, expect, test } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import type { GatewayCard, PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  saveCard,
  signInAgain,
} from '#test/factories.ts'

const monday = '2026-06-08T09:00:00.000Z'

let app: TestApp
let client: Client
afterEach(() => app.close())

async function start(authorise: (real: PaymentGateway['authorise']) => PaymentGateway['authorise']) {
  app = await buildTestApp({
    gateway: (sandbox) => ({ ...sandbox, authorise: authorise(sandbox.authorise) }),
  })
  client = await createClient(app)
  return createPractitioner(app)
}
async function hold(practitionerId: number, datetime: string | null = monday): Promise<string> {
  const { body } = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitionerId,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })
  return String(body.session_id)
}
const pay = (session: string, card: string) =>
  app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: session, customer_id: card },
  })
const book = (session: string) =>
  app.call('POST', '/appointment/instant-book', { token: client.token, body: { appointment_id: session } })
const atGateway = async () =>
  (await app.db.selectFrom('sandbox_gateway.payments').select('state').orderBy('created_at').execute()).map(
    ({ state }) => state,
  )

/** An error like the ones that a gateway's SDK throws. */
const tooMany = () =>
  Object.assign(new Error('Request rate limit exceeded for 4242424242424242'), {
    name: 'Error',
    type: 'StripeRateLimitError',
    code: 'rate_limit',
    requestId: 'req_A1b2C3',
  })

describe('a gateway that fails', () => {
  test('is asked again by the next request at once, and its code and request are kept without its words', async () => {
    let failures = 1
    const practitioner = await start((real) => async (request) => {
      if (failures-- > 0) throw tooMany()
      return real(request)
    })
    const card = await saveCard(app, client)
    const session = await hold(practitioner.id)
    expect(await pay(session, card)).toMatchObject({ status: 503, body: { code: 'payment_unavailable' } })
    const { gateway_error } = await app.db
      .selectFrom('payment_intents')
      .select('gateway_error')
      .executeTakeFirstOrThrow()
    expect(gateway_error).toEqual({
      type: 'StripeRateLimitError',
      code: 'rate_limit',
      request_id: 'req_A1b2C3',
    })
    expect(app.logged()).toContain('req_A1b2C3')
    expect(app.logged()).not.toContain('4242424242424242')
    const asked = performance.now()
    expect((await pay(session, card)).status).toBe(200)
    expect(performance.now() - asked).toBeLessThan(4000)
    expect((await book(session)).status).toBe(200)
    expect(await atGateway()).toEqual(['captured'])
    const intents = await app.db.selectFrom('payment_intents').select('state').execute()
    expect(intents).toEqual([{ state: 'captured' }])
  })

  test('many requests after a failure ask it once, and pay once', async () => {
    let calls = 0
    const practitioner = await start((real) => async (request) => {
      if (++calls === 1) throw tooMany()
      return real(request)
    })
    const card = await saveCard(app, client)
    const session = await hold(practitioner.id)
    await pay(session, card)
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(session, card)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(calls).toBe(2)
    expect(await atGateway()).toEqual(['authorised'])
  })

  test('that hangs gets a response within 8 seconds; its late result is stored, and no payment is made twice', async () => {
    let hangs = true
    const practitioner = await start((real) => async (request) => {
      const done = await real(request)
      if (!hangs) return done
      hangs = false
      return new Promise(() => undefined)
    })
    const card = await saveCard(app, client)
    const session = await hold(practitioner.id)
    const asked = performance.now()
    expect((await pay(session, card)).status).toBe(503)
    expect(performance.now() - asked).toBeLessThan(8000)
    app.clock.advance(seconds(31))
    await app.services.payments.recover()
    expect((await pay(session, card)).status).toBe(200)
    expect((await book(session)).status).toBe(200)
    expect(await atGateway()).toEqual(['captured'])
  })
})

test('an attempt that the limit of declines refuses is refused again by a repetition, and reaches no bank', async () => {
  app = await buildTestApp({ rateLimitScale: 1 })
  client = await createClient(app)
  const session = await hold((await createPractitioner(app)).id)
  const attempts: string[] = []
  for (let index = 0; index < 6; index++) attempts.push(await saveCard(app, client, cards.declined))
  const statuses: number[] = []
  for (const card of attempts) statuses.push((await pay(session, card)).status)
  app.clock.advance(seconds(31))
  statuses.push((await pay(session, String(attempts.at(-1)))).status)
  expect(statuses).toEqual([402, 402, 402, 402, 402, 429, 429])
  expect(await atGateway()).toEqual(Array.from({ length: 5 }, () => 'declined'))
})

test('declines after the bank has asked count against the limit, whether the client, an event or the next card brings them', async () => {
  const decline = async () => {
    const declined = await app.db
      .updateTable('sandbox_gateway.payments')
      .set({ state: 'declined', decline_code: 'insufficient_funds' })
      .where('state', '=', 'requires_action')
      .returning(['ref', 'idempotency_key'])
      .executeTakeFirstOrThrow()
    return declined.idempotency_key
  }
  app = await buildTestApp({
    rateLimitScale: 1,
    gateway: (sandbox) => ({
      ...sandbox,
      async confirm() {
        const found = await sandbox.inspect(await decline())
        if (!found) throw new Error('The payment is not there.')
        return { ...found, clientSecret: null }
      },
    }),
  })
  client = await createClient(app)
  const session = await hold((await createPractitioner(app)).id)
  const codes: unknown[] = []
  for (let time = 0; time < 6; time++) {
    // The newest is declined at the bank, and its client pays with another card at once.
    const isSkipped = time === 3
    const asked = await pay(session, await saveCard(app, client, cards.authentication))
    codes.push(asked.body.code)
    if (asked.status === 429) break
    if (isSkipped) {
      await decline()
    } else if (time % 2 === 0) {
      const answer = await app.call('POST', '/payment/sandbox/confirm-authentication', {
        token: client.token,
        body: { session_id: session },
      })
      codes.push(answer.body.code)
    } else {
      const key = await decline()
      await app.services.payments.lookAgain(key)
      // Once more, as gateways repeat their events.
      await app.services.payments.lookAgain(key)
    }
  }
  const [byClient, byEvent] = [['authentication_required', 'card_declined'], ['authentication_required']]
  expect(codes).toEqual([byClient, byEvent, byClient, byEvent, byClient, 'too_many_requests'].flat())
  expect(await atGateway()).toEqual(Array.from({ length: 5 }, () => 'declined'))
})

test('a second card gets a 409 while the first is being authorised, and only the first pays', async () => {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const practitioner = await start((real) => async (request) => {
    reached.resolve()
    await goOn.promise
    return real(request)
  })
  const [one, two] = [await saveCard(app, client), await saveCard(app, client, cards.alsoSucceeds)]
  const session = await hold(practitioner.id)
  const first = pay(session, one)
  await reached.promise
  expect(await pay(session, two)).toMatchObject({ status: 409, body: { code: 'payment_under_way' } })
  goOn.resolve()
  expect((await first).status).toBe(200)
  expect((await book(session)).status).toBe(200)
  expect(await atGateway()).toEqual(['captured'])
})

test('the payment of an unbooked draft is voided within the hour, and the client can pay again', async () => {
  const practitioner = await start((real) => real)
  const card = await saveCard(app, client)
  const draft = await hold(practitioner.id, null)
  expect((await pay(draft, card)).status).toBe(200)
  app.clock.advance(minutes(54))
  await app.services.bookings.sweep()
  expect(await atGateway()).toEqual(['authorised'])
  app.clock.advance(minutes(2))
  await app.services.bookings.sweep()
  expect(await atGateway()).toEqual(['voided'])
  client = await signInAgain(app, client)
  expect((await pay(draft, card)).status).toBe(200)
})

test('the payment of an abandoned change is voided 5 minutes after it was made', async () => {
  const reached = Promise.withResolvers<void>()
  app = await buildTestApp({
    checkpoint: async (step) => {
      if (step !== 'change paid') return
      reached.resolve()
      await new Promise(() => undefined)
    },
  })
  client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const card = await saveCard(app, client)
  const session = await bookSession(app, { practitioner, client, card, startsAt: monday })
  const change = app
    .call('POST', '/appointment/edit-session', {
      token: client.token,
      body: {
        appointment_id: session,
        type: 'face_to_face',
        appointment_datetime: '2026-06-09T13:00:00.000Z',
        customer_id: card,
      },
    })
    .catch(() => undefined)
  await reached.promise
  app.app.server.closeAllConnections()
  await change
  app.clock.advance(minutes(5) - seconds(1))
  await app.services.payments.recover()
  // Both have the same time, because the clock of the test stands still.
  expect((await atGateway()).toSorted()).toEqual(['authorised', 'captured'])
  app.clock.advance(seconds(1))
  await app.services.payments.recover()
  expect((await atGateway()).toSorted()).toEqual(['captured', 'voided'])
})

test('a payment that a crash left authorised is voided within a minute', async () => {
  const reached = Promise.withResolvers<void>()
  let calls = 0
  const practitioner = await start((real) => async (request) => {
    const done = await real(request)
    if (++calls < 2) return done
    reached.resolve()
    return new Promise(() => undefined)
  })
  const card = await saveCard(app, client)
  const session = await bookSession(app, { practitioner, client, card, startsAt: monday })
  const change = app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: {
      appointment_id: session,
      type: 'face_to_face',
      appointment_datetime: '2026-06-09T13:00:00.000Z',
      customer_id: card,
    },
  })
  await reached.promise
  // The interval of the recovery job.
  for (let waited = 0; waited < 60; waited += 20) {
    app.clock.advance(seconds(20))
    await app.services.payments.recoverNow({ andSoon: false })
  }
  expect((await atGateway()).toSorted()).toEqual(['captured', 'voided'])
  expect((await change).status).toBe(503)
})

test('a card that the browser sends twice at once is saved once, and both answers name it', async () => {
  const bothSaved = Promise.withResolvers<void>()
  let saved: Promise<GatewayCard> | undefined
  let count = 0
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async saveCard(card, owner) {
        if (++count === 2) bothSaved.resolve()
        await bothSaved.promise
        return (saved ??= sandbox.saveCard(card, owner))
      },
    }),
  })
  client = await createClient(app)
  const named = await Promise.all([saveCard(app, client), saveCard(app, client)])
  const { body } = await app.call('GET', '/payment/sandbox/get-client-cards', { token: client.token })
  expect(body).toMatchObject([{ customer_id: named[0] }])
  expect(named[1]).toBe(named[0])
})
