import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LateReturn } from '#contract/back-office/payments.ts'
import { hours, later, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  cards,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import {
  answerRequest,
  askForHelp,
  claimHelp,
  finishedHelp,
  followHelp,
  payForHelp,
  switchOn,
} from '#test/help.ts'
import { plainText, readMail } from '#test/mails.ts'
import { gatewayPatience } from '../payments/payments.patience.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let isGatewayDown: boolean
/** What the gateway waits for before it releases a payment. */
let hanging: Promise<void> | undefined
/** What came through to the gateway. */
let calls: { voids: number; refunds: number }
/** What was handed to push services. */
let pushed: string[]

beforeEach(async () => {
  isGatewayDown = false
  hanging = undefined
  calls = { voids: 0, refunds: 0 }
  pushed = []
  app = await buildTestApp({
    push: {
      publicKey: 'key',
      allows: () => true,
      async send(_target, { text }) {
        pushed.push(text)
        return 'taken'
      },
    },
    gateway: (sandbox) => ({
      ...sandbox,
      async void(ref) {
        if (isGatewayDown) throw new Error('The gateway is away.')
        await hanging
        calls.voids++
        return sandbox.void(ref)
      },
      async refund(wanted) {
        if (isGatewayDown) throw new Error('The gateway is away.')
        calls.refunds++
        return sandbox.refund(wanted)
      },
    }),
  })
  client = await createClient(app)
  practitioner = await createPractitioner(app, { hours: [] })
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  await app.queue.drain()
})
afterEach(() => app.close())

/** All mails to an address, oldest first. */
const mailsTo = (email: string) =>
  app
    .mails()
    .map(readMail)
    .filter((mail) => mail.to === email)

async function sweepAll(): Promise<void> {
  await app.services.dispatch.sweep()
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  await app.queue.drain()
}

/** Lets hours pass, with a sweep of the payments in each. */
async function wait(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour++) {
    app.clock.advance(hours(1))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    await app.services.lateReturns.sweep()
  }
  await app.queue.drain()
}

/** The mails to the back office about late refunds. */
const alarms = () =>
  app
    .mails()
    .map(readMail)
    .filter((mail) => /^A refund is late|refunds are late$/.test(mail.subject))

async function lateReturns(): Promise<LateReturn[]> {
  const { token } = await createAdmin(app)
  const { body } = await app.call('GET', '/admin/payments/late-returns', { token })
  expect(Number(body.total)).toBe((body.data as unknown as LateReturn[]).length)
  return body.data as unknown as LateReturn[]
}

const moneyOf = async (id: string) => {
  client = await signInAgain(app, client)
  return (await followHelp(app, client, id)).body.dispatch?.money
}

describe('what was promised back', () => {
  test('is released once after the gateway was away for 23 hours, and the back office is alerted after 20', async () => {
    const { id } = await askForHelp(app, { client })
    isGatewayDown = true
    app.clock.advance(minutes(2))
    await sweepAll()
    const ended = app.clock.now()
    expect(await moneyOf(id)).toMatchObject({
      state: 'returning',
      promised_by: later(ended, hours(24)).toISOString(),
    })
    await wait(19)
    expect(await lateReturns()).toEqual([])
    expect(alarms()).toEqual([])
    await wait(1)
    expect(await lateReturns()).toMatchObject([
      {
        session_id: id,
        kind: 'release',
        booking_type: 'get-help-right-now',
        amount: 25,
        client: { email: client.email },
        promised_by: later(ended, hours(24)).toISOString(),
      },
    ])
    await wait(3)
    expect(calls.voids).toBe(0)
    // The back office gets one mail, and it does not name the client.
    expect(alarms().map((mail) => mail.subject)).toEqual(['A refund is late'])
    expect(alarms()[0]?.text).toContain('/admin/sign-in?return_to=%2Fadmin%2Fpayments')
    expect(alarms()[0]?.text).not.toContain(client.email)
    isGatewayDown = false
    await wait(1)
    expect(calls.voids).toBe(1)
    expect(await lateReturns()).toEqual([])
    expect(await moneyOf(id)).toMatchObject({ state: 'returned' })
    await wait(3)
    expect(calls).toEqual({ voids: 1, refunds: 0 })
    expect((await finishedHelp(app)).wrong).toEqual([])
    expect(await ledger(app)).toEqual({})
    const subjects = mailsTo(client.email).map((mail) => mail.subject)
    expect(subjects.slice(-2)).toEqual(['Nobody was free this time', 'Your money is back'])
  })

  test('is refunded if other hands have taken it when the first practitioner does not accept, and is owed to none', async () => {
    const second = await createPractitioner(app, { hours: [] })
    const { id } = await askForHelp(app, { client })
    await switchOn(app, second, later(app.clock.now(), hours(2)))
    const intents = app.db.selectFrom('payment_intents').selectAll().where('appointment_id', '=', id)
    const intent = await intents.executeTakeFirstOrThrow()
    await sandboxDashboard(app.db).move(String(intent.gateway_ref), 'captured')
    await app.services.payments.lookAgain(intent.id)
    expect(await ledger(app)).toEqual({ gateway_balance: 2500, practitioner_payable: -2500 })
    app.clock.advance(minutes(2))
    await sweepAll()
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('nobody')
    expect(calls.refunds).toBe(1)
    const owed = await app.db
      .selectFrom('ledger_entries')
      .select((eb) => ['practitioner_id', eb.fn.sum('amount_pence').as('pence')])
      .where('practitioner_id', 'is not', null)
      .groupBy('practitioner_id')
      .execute()
    expect(owed.map((each) => [each.practitioner_id, Number(each.pence)])).toEqual([[practitioner.id, 0]])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  })

  test.each(['accepts', 'is silent'])(
    'has ended elsewhere when the practitioner %s: the search ends, and no other is asked',
    async (how) => {
      const second = await createPractitioner(app, { hours: [] })
      const { id, requestId } = await askForHelp(app, { client })
      await switchOn(app, second, later(app.clock.now(), hours(2)))
      const intents = app.db.selectFrom('payment_intents').selectAll().where('appointment_id', '=', id)
      const intent = await intents.executeTakeFirstOrThrow()
      await sandboxDashboard(app.db).move(String(intent.gateway_ref), 'voided')
      await app.services.payments.lookAgain(intent.id)
      if (how === 'accepts') {
        const therapist = await signInPractitioner(app, practitioner)
        const answer = await answerRequest(app, therapist, requestId, 'accept')
        expect([answer.status, answer.body.code]).toEqual([409, 'request_over'])
      } else {
        app.clock.advance(minutes(2))
        await sweepAll()
      }
      expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({
        state: 'nobody',
        asked: 1,
        money: { state: 'returned' },
      })
      expect((await finishedHelp(app)).wrong).toEqual([])
      expect(await ledger(app)).toEqual({})
    },
  )

  test('is nothing where the bank asked the client, who did not answer before the claim expired', async () => {
    const { body } = await claimHelp(app, { client, preferred: practitioner.id })
    const id = String(body.session_id)
    await payForHelp(app, client, id, await saveCard(app, client, cards.authentication))
    isGatewayDown = true
    app.clock.advance(minutes(10))
    await sweepAll()
    const expired = { state: 'expired', money: { state: 'not_paid', promised_by: null } }
    client = await signInAgain(app, client)
    expect((await followHelp(app, client, id)).body.dispatch).toMatchObject(expired)
    expect(calls.voids).toBe(0)
    isGatewayDown = false
    app.clock.advance(minutes(2))
    await sweepAll()
    expect(calls).toEqual({ voids: 1, refunds: 0 })
    client = await signInAgain(app, client)
    expect((await followHelp(app, client, id)).body.dispatch).toMatchObject(expired)
    expect(await ledger(app)).toEqual({})
  })

  test('is released where the client answered the bank, and the claim expired before a practitioner was asked', async () => {
    const { body } = await claimHelp(app, { client, preferred: practitioner.id })
    const id = String(body.session_id)
    await payForHelp(app, client, id, await saveCard(app, client, cards.authentication))
    await app.services.payments.confirm(id)
    app.clock.advance(minutes(10))
    await sweepAll()
    expect(await moneyOf(id)).toMatchObject({ state: 'returned' })
    expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({ state: 'expired', asked: 0 })
    expect(calls).toEqual({ voids: 1, refunds: 0 })
  })

  test('is refunded where other hands have taken what waited for the client when the claim expired', async () => {
    const { body } = await claimHelp(app, { client, preferred: practitioner.id })
    const id = String(body.session_id)
    await payForHelp(app, client, id, await saveCard(app, client, cards.authentication))
    await app.db.updateTable('sandbox_gateway.payments').set({ state: 'captured' }).execute()
    app.clock.advance(minutes(10))
    await sweepAll()
    expect(await moneyOf(id)).toMatchObject({ state: 'returned' })
    expect(calls.refunds).toBe(1)
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  })

  test('is refunded once after 23 hours, where a practitioner cancels what they had accepted', async () => {
    const { id, requestId } = await askForHelp(app, { client })
    const therapist = await signInPractitioner(app, practitioner)
    await answerRequest(app, therapist, requestId, 'accept')
    isGatewayDown = true
    const cancelled = await app.call('POST', `/therapist/sessions/${id}/cancel`, {
      token: therapist,
      body: { reason: 'My connection broke.' },
    })
    expect(cancelled.status).toBe(200)
    await wait(20)
    expect(await lateReturns()).toMatchObject([{ session_id: id, kind: 'refund', amount: 25 }])
    const money = { amount: 25, promised_by: null }
    expect(await moneyOf(id)).toEqual({ ...money, state: 'returning' })
    expect((await followHelp(app, client, id)).body.refund).toMatchObject({ amount: 25, state: 'requested' })
    await wait(3)
    isGatewayDown = false
    await wait(2)
    expect(calls).toEqual({ voids: 0, refunds: 1 })
    expect(await moneyOf(id)).toEqual({ ...money, state: 'returned' })
    expect((await followHelp(app, client, id)).body.refund).toMatchObject({ amount: 25, state: 'succeeded' })
    expect(await lateReturns()).toEqual([])
    const books = await ledger(app)
    expect(Object.values(books).every((sum) => sum === 0)).toBe(true)
  })

  test('in part of a session that took place leaves the rest taken, with no promise', async () => {
    const { id, requestId } = await askForHelp(app, { client })
    const therapist = await signInPractitioner(app, practitioner)
    await answerRequest(app, therapist, requestId, 'accept')
    app.clock.advance(hours(49))
    const { token } = await createAdmin(app)
    const body = { amount: 10, reason: 'Goodwill.', refunded_before: 0 }
    expect((await app.call('POST', `/admin/payments/${id}/refund`, { token, body })).status).toBe(200)
    expect(await moneyOf(id)).toEqual({ state: 'taken', amount: 25, promised_by: null })
    expect((await followHelp(app, client, id)).body.refund).toMatchObject({ amount: 10, state: 'succeeded' })
  })

  test('alarms the back office also about a return that is late behind fifty others', async () => {
    const { id, requestId } = await askForHelp(app, { client })
    const therapist = await signInPractitioner(app, practitioner)
    await answerRequest(app, therapist, requestId, 'accept')
    isGatewayDown = true
    const body = { reason: 'My connection broke.' }
    await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body })
    const { id: _, ...refund } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    // Refunds of a penny in its place.
    await app.db.updateTable('refunds').set({ state: 'withdrawn' }).execute()
    const addRefunds = (count: number) =>
      app.db
        .insertInto('refunds')
        .values(
          Array.from({ length: count }, (_each, n) => ({
            ...refund,
            id: randomUUID(),
            amount_pence: 1,
            discount_pence: 0,
            created_at: later(app.clock.now(), -hours(20) - n),
          })),
        )
        .execute()
    await createAdmin(app)
    await addRefunds(50)
    const sweep = async () => {
      await app.services.lateReturns.sweep()
      await app.queue.drain()
    }
    await sweep()
    app.clock.advance(hours(2))
    await sweep()
    expect(alarms().map((mail) => mail.subject)).toEqual(['50 refunds are late'])
    await addRefunds(1)
    await sweep()
    expect(alarms().map((mail) => mail.subject)).toEqual(['50 refunds are late', '51 refunds are late'])
  })
})

describe('while the gateway hangs', () => {
  /** Another practitioner who is available, and a search that waits for the client's bank. */
  async function askBank(): Promise<void> {
    const other = await createPractitioner(app, { hours: [] })
    await switchOn(app, other, later(app.clock.now(), hours(2)))
    const waiting = await createClient(app)
    const { body } = await claimHelp(app, { client: waiting, preferred: other.id })
    const card = await saveCard(app, waiting, cards.authentication)
    const asked = await payForHelp(app, waiting, String(body.session_id), card)
    expect(asked.body.code).toBe('authentication_required')
  }

  test('a search that has ended keeps no other from its next practitioner', async () => {
    await askBank()
    const spare = await createPractitioner(app, { hours: [] })
    app.clock.advance(minutes(9))
    client = await signInAgain(app, client)
    const { id } = await askForHelp(app, { client, preferred: practitioner.id })
    await switchOn(app, spare, later(app.clock.now(), hours(2)))
    app.clock.advance(minutes(2))
    const { promise, resolve } = Promise.withResolvers<void>()
    hanging = promise
    const swept = app.services.dispatch.sweep()
    await vi.waitFor(async () => expect((await followHelp(app, client, id)).body.dispatch?.asked).toBe(2), {
      timeout: 4000,
    })
    resolve()
    await swept
  })

  test('a client who searches does not wait for the payments of others', async () => {
    await askBank()
    await askBank()
    app.clock.advance(minutes(11))
    client = await signInAgain(app, client)
    const { promise, resolve } = Promise.withResolvers<void>()
    hanging = promise
    const from = performance.now()
    const found = await app.call('GET', '/find-therapist/get-help-right-now?issue_id=1', {
      token: client.token,
    })
    // Before those payments would have been given up.
    expect(performance.now() - from).toBeLessThan(gatewayPatience)
    expect(found.status).toBe(200)
    expect(found.body.data).toHaveLength(1)
    resolve()
    await app.queue.drain()
  })
})

describe('mails', () => {
  test('and push notifications reach the practitioner when asked, and the client when a practitioner accepts', async () => {
    const therapist = await signInPractitioner(app, practitioner)
    const keys = {
      p256dh: Buffer.alloc(65, 4).toString('base64url'),
      auth: Buffer.alloc(16).toString('base64url'),
    }
    await app.call('POST', '/notices/push', {
      token: therapist,
      body: { endpoint: 'https://push.example.test/1', keys },
    })
    await app.call('POST', '/notices/push', {
      token: client.token,
      body: { endpoint: 'https://push.example.test/2', keys },
    })
    const { requestId } = await askForHelp(app, { client })
    await app.queue.drain()
    expect(pushed.splice(0)).toEqual([
      JSON.stringify({
        kind: 'instant-offer',
        path: '/therapist/dashboard',
        role: 'therapist',
        seconds: 120,
        ends_at: new Date(app.clock.now().getTime() + 120_000).toISOString(),
      }),
    ])
    const [asked] = mailsTo(practitioner.email).slice(-1)
    expect(asked?.subject).toBe('Someone is asking for your help right now')
    expect(asked?.text).toContain('You can accept until 09:02')
    // Neither who it is nor what it is about.
    expect(asked?.text).not.toMatch(/Alex|Morgan/)
    await answerRequest(app, therapist, requestId, 'accept')
    await app.queue.drain()
    const [accepted] = mailsTo(client.email).slice(-1)
    expect(accepted?.subject).toBe('Your session begins now')
    // In the room of the session, wherever that is, and not in the chat.
    expect(accepted?.text).toContain('has accepted and is there for you now.')
    expect(accepted?.text).toMatch(/999[\s\S]*116 123/)
    const row = await app.db
      .selectFrom('appointments')
      .select(['id', 'sequence'])
      .where('client_id', '=', client.id)
      .executeTakeFirstOrThrow()
    expect(accepted?.text).toContain(
      encodeURIComponent(`/session?appointment=${row.id}&sequence=${row.sequence}`),
    )
    expect(pushed).toEqual([
      JSON.stringify({ kind: 'session-begins', path: `/session?appointment=${row.id}`, role: 'client' }),
    ])
    await app.queue.drain()
    expect(mailsTo(client.email).filter((mail) => mail.subject === accepted?.subject).length).toBe(1)
  })

  test('say when a session began to a client whom they reach late', async () => {
    const therapist = await signInPractitioner(app, practitioner)
    const { requestId } = await askForHelp(app, { client })
    await answerRequest(app, therapist, requestId, 'accept')
    app.clock.advance(minutes(20))
    await app.queue.drain()
    const late = mailsTo(client.email).find(({ subject }) => subject.startsWith('Your session beg'))
    expect(late?.subject).toBe('Your session began at 09:00')
    expect(late?.text).toMatch(/began on [A-Z]\w+ \d+ \w+ \d{4} at 09:00 \(London time/)
    expect(late?.text).not.toContain('there for you now')
  })

  test('about a request that is over by the time they would go out are not sent', async () => {
    const { id } = await askForHelp(app, { client })
    const before = mailsTo(practitioner.email).length
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    await app.queue.drain()
    expect(mailsTo(practitioner.email).length).toBe(before)
  })

  test('say at once that nothing was charged where it has been released already, with the emergency numbers', async () => {
    await askForHelp(app, { client })
    app.clock.advance(minutes(2))
    await sweepAll()
    const [last] = mailsTo(client.email).slice(-1)
    expect(last?.subject).toBe('Nobody was free this time')
    expect(last?.text).toContain('Sorry, right now all our Therapists are busy.')
    expect(last?.text).toContain('has been released')
    expect(last?.text).toMatch(/999[\s\S]*116 123/)
  })

  test('ask a practitioner whose address is not confirmed, without a name, and say how to confirm it', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: null }).execute()
    await askForHelp(app, { client })
    await app.queue.drain()
    const asked = app
      .mails()
      .map(readMail)
      .find(({ subject }) => subject === 'Someone is asking for your help right now')
    expect(asked?.text).toContain('press “Send the link again” on your account page')
    expect(asked?.text).toMatch(/Confirm this address: .*%2Ftherapist%2Faccount%2Femail/)
    expect(asked?.text).toMatch(/^Hello,$/m)
    expect(asked?.text).not.toMatch(/£|Fee/)
  })

  test('say only that there is news when the address is unconfirmed', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: null }).execute()
    await askForHelp(app, { client })
    app.clock.advance(minutes(2))
    await sweepAll()
    const [last] = mailsTo(client.email).slice(-1)
    expect(last?.subject).toBe('There is something new for you on Hearth')
    expect(last?.text).not.toMatch(/25|busy|session of/)
  })
})

test('an account with a search under way is not deleted; with a claim alone, the claim goes with it', async () => {
  const card = await saveCard(app, client)
  const { id } = await askForHelp(app, { client, card })
  const leave = () =>
    app.call('POST', '/client/delete-account', {
      token: client.token,
      body: { current_password: 'correct horse battery', understood: true },
    })
  const refused = await leave()
  expect([refused.status, refused.body.code]).toEqual([409, 'not_deletable'])
  expect(JSON.stringify(refused.body)).toContain('Stop the search first')
  await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id },
  })
  const exported = await app.call('GET', '/client/export', { token: client.token })
  expect(JSON.stringify(exported.body)).toContain('you stopped it, and were not charged')
  await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: { booking_type: 'get-help-right-now', issue_id: 1 },
  })
  expect((await leave()).status).toBe(200)
  for (const table of ['help_dispatches', 'help_offers'] as const) {
    expect([table, await app.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
  // The mail to the practitioner whom it asked is dropped when it is due.
  await app.queue.drain()
  expect(plainText(app.mails().join())).not.toContain('Someone is asking for your help right now')
  const unsent = app.db
    .selectFrom('outgoing_mails')
    .select(['template', 'outcome'])
    .where('template', 'like', 'help.%')
    .where('outcome', 'is distinct from', 'sent')
  expect(await unsent.execute()).toEqual([{ template: 'help.asked', outcome: 'dropped' }])
  const live = await app.db.selectFrom('reservations').selectAll().where('state', '<>', 'released').execute()
  expect(live).toEqual([])
})
