import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { weekNames } from '#contract/common.ts'
import { HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { hours, later, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  blockInChat,
  bookSession,
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
import { listCandidates } from './candidates.store.ts'
import {
  answerRequest,
  askForHelp,
  claimHelp,
  followHelp,
  openRequest,
  payForHelp,
  switchOn,
} from '#test/help.ts'

let app: TestApp
let client: Client
let card: string
beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  card = await saveCard(app, client)
})
afterEach(async () => app.close())

/** Creates a practitioner who is available by their switch alone, for the next two hours. */
async function available(options: Parameters<typeof createPractitioner>[1] = {}): Promise<Practitioner> {
  const practitioner = await createPractitioner(app, { hours: [], ...options })
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  return practitioner
}

const search = () => app.call('GET', '/find-therapist/get-help-right-now?issue_id=1', { token: client.token })

/** Sums the payments at the gateway: captured less refunds, and authorised. Pence. */
async function atGateway() {
  const { rows } = await sql<{ taken: number; reserved: number }>`
    select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int as taken,
      coalesce(sum(amount_pence) filter (where state in ('authorised', 'requires_action')), 0)::int as reserved
    from sandbox_gateway.payments`.execute(app.db)
  return rows[0]
}

/** Counts the reservations that are not released. */
async function reserved(): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from reservations where state <> 'released'`.execute(app.db)
  return rows[0]?.live ?? 0
}

describe('the whole way', () => {
  test('from the search to a session that has begun, and is paid', async () => {
    const practitioner = await available()
    const therapist = await signInPractitioner(app, practitioner)
    const found = await search()
    const [shown] = HelpPractitioner.array().parse(found.body.data)
    expect(shown).toMatchObject({
      practitioner_id: practitioner.id,
      provider_type: shown?.provider_types.join(', '),
      years_of_experience: shown?.experience,
    })
    expect(shown?.issue).toContainEqual({ issue_id: 1, issue_name: 'Anxiety' })
    expect(await reserved()).toBe(0)

    const claimed = await claimHelp(app, { client, preferred: practitioner.id })
    expect(claimed.status).toBe(201)
    expect(claimed.body).toMatchObject({
      booking_type: 'get-help-right-now',
      status: 'pending',
      fee: 25,
      practitioner: { practitioner_id: practitioner.id },
      hold_expires_at: later(app.clock.now(), minutes(5)).toISOString(),
      dispatch: { state: 'claimed', asked: 0, can_stop: true, money: { state: 'not_paid', amount: 25 } },
    })
    const id = String(claimed.body.session_id)
    expect((await app.call('GET', '/therapist/get-help/requests', { token: therapist })).body.open).toEqual(
      [],
    )

    const paid = await payForHelp(app, client, id, card)
    expect([paid.status, paid.body]).toEqual([
      200,
      {
        session_id: id,
        status: 'authorised',
        amount: 25,
        hold_expires_at: later(app.clock.now(), minutes(2)).toISOString(),
      },
    ])
    expect(await atGateway()).toEqual({ taken: 0, reserved: 2500 })
    const asking = await followHelp(app, client, id)
    expect(asking.body.dispatch).toMatchObject({
      state: 'asking',
      asked: 1,
      practitioner: { practitioner_id: practitioner.id },
      answer_by: later(app.clock.now(), minutes(2)).toISOString(),
      money: { state: 'reserved' },
    })

    const requests = await app.call('GET', '/therapist/get-help/requests', { token: therapist })
    expect(requests.body.open).toMatchObject([
      { state: 'open', client_name: 'Alex M.', fee: 25, duration: 15, issue: { issue_id: 1 } },
    ])
    expect(JSON.stringify(requests.body)).not.toContain('Morgan')
    app.clock.advance(30_000)
    const accepted = await answerRequest(
      app,
      therapist,
      String(requests.body.open?.[0]?.request_id),
      'accept',
    )
    expect([accepted.status, accepted.body.state]).toEqual([200, 'accepted'])

    const done = await followHelp(app, client, id)
    expect(done.body).toMatchObject({
      status: 'confirmed',
      starts_at: app.clock.now().toISOString(),
      ends_at: later(app.clock.now(), minutes(15)).toISOString(),
      services: [{ service_name: 'Get help right now' }],
      change: { allowed: false },
      dispatch: { state: 'accepted', can_stop: false, money: { state: 'taken' } },
    })
    expect(await atGateway()).toEqual({ taken: 2500, reserved: 0 })
    expect(await ledger(app)).toEqual({ gateway_balance: 2500, practitioner_payable: -2500 })
    const today = await app.call('GET', '/therapist/get-help/requests', { token: therapist })
    expect(today.body).toMatchObject({
      open: [],
      today: {
        day: '2026-06-01',
        earned: 25,
        missed: 0,
        sessions: [{ appointment_id: id, client_name: 'Alex M.', fee: 25, owed: 25 }],
      },
    })
    const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
    expect(upcoming.body[0]?.appointment_id).toBe(id)

    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    expect([cancelled.status, cancelled.body.code]).toEqual([409, 'too_late_to_change'])
    // Accepting twice is the same as once.
    const again = await answerRequest(app, therapist, String(accepted.body.request_id), 'accept')
    expect(again.status).toBe(200)
    expect(await atGateway()).toEqual({ taken: 2500, reserved: 0 })
    app.clock.advance(minutes(1))
    const refunded = await app.call('POST', `/admin/payments/${id}/refund`, {
      token: (await createAdmin(app)).token,
      body: { amount: 10, refunded_before: 0, reason: 'The sound was bad.' },
    })
    expect(refunded.status).toBe(200)
    const afterRefund = await app.call('GET', '/therapist/get-help/requests', { token: therapist })
    expect(afterRefund.body).toMatchObject({ today: { earned: 15, sessions: [{ fee: 25, owed: 15 }] } })
  })

  test('past one who declines and one who is silent, to one who accepts', async () => {
    const [first, second, third] = [await available(), await available(), await available()]
    const declines = await signInPractitioner(app, first)
    const { id, requestId, practitionerId } = await askForHelp(app, { client, card })
    expect(practitionerId).toBe(first.id)
    expect((await answerRequest(app, declines, requestId, 'decline')).body.state).toBe('declined')
    const next = await openRequest(app, id)
    expect(next.practitionerId).toBe(second.id)
    app.clock.advance(minutes(2))
    await app.services.dispatch.sweep()
    expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({
      asked: 3,
      practitioner: { practitioner_id: third.id },
    })
    const late = await answerRequest(app, await signInPractitioner(app, second), next.requestId, 'accept')
    expect([late.status, late.body.code]).toEqual([409, 'request_over'])
    const last = await openRequest(app, id)
    await answerRequest(app, await signInPractitioner(app, third), last.requestId, 'accept')
    expect(await ledger(app)).toEqual({ gateway_balance: 2500, practitioner_payable: -2500 })
    expect((await followHelp(app, client, id)).body.practitioner?.practitioner_id).toBe(third.id)
    expect(await reserved()).toBe(1)
  })

  test('to no practitioner: the payment is released by itself', async () => {
    await available()
    const { id } = await askForHelp(app, { client, card })
    app.clock.advance(minutes(2))
    await app.services.dispatch.sweep()
    const ended = await followHelp(app, client, id)
    expect(ended.body).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'system',
      dispatch: {
        state: 'nobody',
        practitioner: null,
        money: { state: 'returned', promised_by: later(app.clock.now(), hours(24)).toISOString() },
      },
    })
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    expect(await ledger(app)).toEqual({})
    expect(await reserved()).toBe(0)
    const current = await app.call('GET', '/appointment/get-help-right-now', { token: client.token })
    expect(current.body.data?.dispatch?.state).toBe('nobody')
    app.clock.advance(hours(1))
    const after = await app.call('GET', '/appointment/get-help-right-now', {
      token: (await createClient(app)).token,
    })
    expect(after.body.data).toBeNull()
  })
})

test('a mail about a request goes before the other mails in the queue, while there is time to answer', async () => {
  const practitioner = await available()
  await app.queue.drain()
  await app.services.mails.enqueue(app.db, {
    template: 'account.password_changed',
    about: { type: 'account', id: client.id },
    recipient: 'holder',
    accountId: client.id,
  })
  await askForHelp(app, { client, card })
  const { rows } = await sql<{ template: string; recipient: string }>`
    select m.template, m.account_id as recipient from pgboss.job j
    join outgoing_mails m on m.id = (j.data ->> 'mail_id')::uuid
    where j.name = 'mail.send' and j.state = 'created' order by j.priority desc, j.created_on`.execute(app.db)
  expect(rows.map(({ template }) => template)).toEqual(['help.asked', 'account.password_changed'])
  expect(rows[0]?.recipient).toBe(practitioner.accountId)
})

describe('who is asked', () => {
  const found = async () => (await search()).body.data?.[0]?.practitioner_id ?? null

  test('is available by their switch or by their schedule, and treats the issue', async () => {
    const scheduled = await createPractitioner(app)
    expect(await found()).toBe(scheduled.id)
    const switched = await available()
    expect(await found()).toBe(switched.id)
    await app.db.updateTable('practitioner_issues').set({ issue_id: 2 }).execute()
    expect(await found()).toBeNull()
    expect((await claimHelp(app, { client })).body.code).toBe('nobody_available')
    expect(await reserved()).toBe(0)
  })

  test.each(['client', 'practitioner'] as const)(
    'is never a practitioner with whom the chat is blocked, by the %s',
    async (by) => {
      const blocked = await available()
      await blockInChat(app, { client, practitioner: blocked, by })
      expect(await found()).toBeNull()
      expect((await claimHelp(app, { client, preferred: blocked.id })).body.code).toBe('nobody_available')
      expect(await reserved()).toBe(0)
      const other = await available()
      expect(await found()).toBe(other.id)
      await askForHelp(app, { client, preferred: blocked.id, card })
      const { rows } = await sql`select practitioner_id as id from help_offers`.execute(app.db)
      expect(rows).toEqual([{ id: other.id }])
    },
  )

  describe.each(['client', 'practitioner'] as const)('once the %s blocks the chat', (by) => {
    const follow = async (id: string) => (await followHelp(app, client, id)).body

    test('is the next practitioner, and the request of the one before is over', async () => {
      const [blocked, other] = [await available(), await available()]
      const asked = await askForHelp(app, { client, preferred: blocked.id, card })
      await blockInChat(app, { client, practitioner: blocked, by })
      expect(await openRequest(app, asked.id)).toMatchObject({ practitionerId: other.id })
      expect(await follow(asked.id)).toMatchObject({ dispatch: { state: 'asking' } })
      const token = await signInPractitioner(app, blocked)
      expect((await answerRequest(app, token, asked.requestId, 'accept')).body.code).toBe('request_over')
    })

    test('is the next practitioner where the client has not paid yet', async () => {
      const [blocked, other] = [await available(), await available()]
      const claimed = await claimHelp(app, { client, preferred: blocked.id })
      const id = String(claimed.body.session_id)
      await blockInChat(app, { client, practitioner: blocked, by })
      expect(await follow(id)).toMatchObject({ practitioner_id: other.id })
      expect((await payForHelp(app, client, id, card)).status).toBe(200)
      const { rows } = await sql`select practitioner_id as id from help_offers`.execute(app.db)
      expect(rows).toEqual([{ id: other.id }])
    })

    test('is none where there is no other, and nothing is charged', async () => {
      const blocked = await available()
      const asked = await askForHelp(app, { client, card })
      await blockInChat(app, { client, practitioner: blocked, by })
      expect(await follow(asked.id)).toMatchObject({ dispatch: { state: 'nobody' } })
      app.clock.advance(minutes(1))
      await app.services.payments.recover()
      expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
      expect(await reserved()).toBe(0)
    })

    test('and a session that was accepted before stays', async () => {
      const practitioner = await available()
      const asked = await askForHelp(app, { client, card })
      const token = await signInPractitioner(app, practitioner)
      expect((await answerRequest(app, token, asked.requestId, 'accept')).status).toBe(200)
      await blockInChat(app, { client, practitioner, by })
      expect(await follow(asked.id)).toMatchObject({ status: 'confirmed', practitioner_id: practitioner.id })
    })

    test('is still who was asked by another client', async () => {
      const practitioner = await available()
      const asked = await askForHelp(app, { client, card })
      await blockInChat(app, { client: await createClient(app), practitioner, by })
      expect(await openRequest(app, asked.id)).toMatchObject({ practitionerId: practitioner.id })
    })
  })

  test.each([
    { who: 'suspended', options: { state: 'suspended' as const } },
    { who: 'not yet approved', options: { state: 'submitted' as const } },
    { who: 'not subscribed', options: { subscribedUntil: null } },
    { who: 'no longer subscribed', options: { subscribedUntil: new Date('2026-06-01T08:00:00Z') } },
  ])('is never somebody who is $who', async ({ options }) => {
    await available(options)
    expect(await found()).toBeNull()
    expect((await claimHelp(app, { client })).status).toBe(409)
  })

  test('is never a practitioner who is offline: switched off, out of hours, away or face to face', async () => {
    const late = await createPractitioner(app, { hours: [10, 11] })
    await switchOn(app, late, app.clock.now())
    await createPractitioner(app, {
      services: [{ service_id: 1, appointment_type: 'face_to_face', duration_minutes: 50, fee_pence: 8000 }],
    })
    const away = await createPractitioner(app)
    await sql`insert into time_off (practitioner_id, during)
      values (${away.id}, tstzrange('2026-06-01T00:00Z', '2026-06-02T00:00Z'))`.execute(app.db)
    expect(await found()).toBeNull()
  })

  test.each([
    { begins: 20, pause: 0, asked: false },
    { begins: 29, pause: 0, asked: false },
    { begins: 30, pause: 0, asked: true },
    { begins: 40, pause: 15, asked: false },
    { begins: 45, pause: 15, asked: true },
  ])('with a session in $begins minutes and a pause of $pause: $asked', async ({ begins, pause, asked }) => {
    const practitioner = await createPractitioner(app)
    await bookSession(app, {
      practitioner,
      client: await createClient(app),
      startsAt: '2026-06-01T10:00:00Z',
    })
    await app.db.updateTable('practitioners').set({ pause_minutes: pause }).execute()
    app.clock.set(later(new Date('2026-06-01T10:00:00Z'), -minutes(begins)))
    client = await createClient(app)
    expect(await found()).toBe(asked ? practitioner.id : null)
    expect((await claimHelp(app, { client })).status).toBe(asked ? 201 : 409)
  })

  test('is the practitioner not asked for the longest time, declines included', async () => {
    const all = [await available(), await available(), await available()]
    const order: number[] = []
    for (let round = 0; round < 6; round++) {
      const asked = await askForHelp(app, { client, card })
      order.push(asked.practitionerId)
      await app.call('POST', '/appointment/cancel-session', {
        token: client.token,
        body: { appointment_id: asked.id },
      })
      app.clock.advance(1000)
    }
    expect(order).toEqual([...all, ...all].map((practitioner) => practitioner.id))
  })

  test('is found by the hour in every zone where few are at work, as in turn where many are', async () => {
    const all = []
    for (const timezone of ['Europe/London', 'Asia/Tokyo', 'America/New_York', 'Pacific/Auckland']) {
      for (const hours of [[8], [9, 10], [17, 21], []]) {
        const { id } = await createPractitioner(app, { hours })
        await app.db.updateTable('practitioners').set({ timezone }).where('id', '=', id).execute()
        all.push(id)
      }
    }
    // The last who came is first in turn.
    await sql`update help_turns set asked_at = timestamptz '2026-05-01T00:00Z' - practitioner_id * interval '1 hour'`.execute(
      app.db,
    )
    const counts = new Set<number>()
    for (let hour = 0; hour < 48; hour++) {
      const now = later(new Date('2026-06-07T00:30:00Z'), hours(hour))
      const wanted = { issueId: 1, now, until: later(now, minutes(30)), dispatchId: null, preferredId: null }
      const inTurn = await listCandidates(app.db, wanted, 20)
      expect([now, await listCandidates(app.db, wanted, 20, 0)]).toEqual([now, inTurn])
      expect(inTurn).toEqual(inTurn.toSorted((a, b) => b - a))
      counts.add(inTurn.length)
    }
    expect(Math.max(...counts)).toBeGreaterThan(1)
    expect(counts).toContain(0)
  })

  test('is free again at once when an unpaid hold or claim has run out, before anything sweeps', async () => {
    const practitioner = await createPractitioner(app)
    const other = await createClient(app)
    await claimHelp(app, { client: other })
    expect(await found()).toBeNull()
    app.clock.advance(minutes(5))
    expect(await found()).toBe(practitioner.id)
    const held = await app.call('POST', '/appointment/create-session', {
      token: (await createClient(app)).token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-01T10:00:00Z',
      },
    })
    expect([held.status, held.body.status]).toEqual([201, 'pending'])
    app.clock.set(new Date('2026-06-01T09:40:00Z'))
    expect((await claimHelp(app, { client: await createClient(app) })).status).toBe(201)
  })

  test('is no practitioner whose session ended within their pause, also where it was booked under a shorter one', async () => {
    const practitioner = await createPractitioner(app)
    await bookSession(app, {
      practitioner,
      client: await createClient(app),
      startsAt: '2026-06-01T09:00:00Z',
    })
    const token = await signInPractitioner(app, practitioner)
    const rules = { token, body: { pause_minutes: 30 } }
    expect((await app.call('PUT', '/therapist/booking-rules', rules)).status).toBe(200)
    for (const [time, expected] of [
      ['10:00', null],
      ['10:20', practitioner.id],
    ] as const) {
      app.clock.set(new Date(`2026-06-01T${time}:00Z`))
      client = await signInAgain(app, client)
      expect([(await search()).status, await found()], time).toEqual([200, expected])
    }
  })

  test('is no practitioner who still has an unanswered request, however late the sweep', async () => {
    const practitioner = await createPractitioner(app, { hours: [] })
    await switchOn(app, practitioner, later(app.clock.now(), hours(3)))
    const first = await askForHelp(app, { client, card })
    // The jobs stood still for longer than the practitioner is kept free.
    app.clock.advance(minutes(31))
    const other = await createClient(app)
    const token = other.token
    expect(
      (await app.call('GET', '/find-therapist/get-help-right-now?issue_id=1', { token })).body.data,
    ).toEqual([])
    const refused = await claimHelp(app, { client: other, preferred: practitioner.id })
    expect([refused.status, refused.body.code]).toEqual([409, 'nobody_available'])
    await app.services.dispatch.sweep()
    const { body } = await followHelp(app, await signInAgain(app, client), first.id)
    expect(body.dispatch).toMatchObject({ state: 'nobody', money: { state: 'returned' } })
    const asked = await askForHelp(app, { client: other })
    expect(asked.practitionerId).toBe(practitioner.id)
  })

  test('is the one who was shown if still free, else the next, who is named', async () => {
    const [first, second] = [await available(), await available()]
    const other = await createClient(app)
    await claimHelp(app, { client: other, preferred: second.id })
    const claimed = await claimHelp(app, { client, preferred: second.id })
    expect(claimed.body.practitioner?.practitioner_id).toBe(first.id)
    const third = await claimHelp(app, { client: await createClient(app) })
    expect([third.status, third.body.code]).toEqual([409, 'nobody_available'])
  })

  test('is no practitioner where the time to pay ran out during the payment, before anything swept', async () => {
    await app.close()
    app = await buildTestApp({
      checkpoint: async (step) => void (step === 'help paid' && app.clock.advance(minutes(5))),
    })
    client = await createClient(app)
    card = await saveCard(app, client)
    await available()
    const claimed = await claimHelp(app, { client })
    const paid = await payForHelp(app, client, String(claimed.body.session_id), card)
    expect([paid.status, paid.body.code]).toEqual([409, 'hold_expired'])
    expect(await app.db.selectFrom('help_offers').selectAll().execute()).toEqual([])
    expect([await atGateway(), await reserved(), await ledger(app)]).toEqual([
      { taken: 0, reserved: 0 },
      0,
      {},
    ])
  })

  test('is the next practitioner if the claimed one is suspended before the payment', async () => {
    const [first, second] = [await available(), await available()]
    const claimed = await claimHelp(app, { client, preferred: first.id })
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).where('id', '=', first.id).execute()
    await payForHelp(app, client, String(claimed.body.session_id), card)
    expect((await openRequest(app, String(claimed.body.session_id))).practitionerId).toBe(second.id)
  })
})

describe('a practitioner who is no longer available', () => {
  const switchOff = async (practitioner: Practitioner) => {
    const token = await signInPractitioner(app, practitioner)
    const body = { available: false }
    expect((await app.call('PUT', '/therapist/available-now', { token, body })).status).toBe(200)
    await app.queue.drain()
    return token
  }
  const offers = async () =>
    (await sql`select practitioner_id, state from help_offers order by asked_at, state desc`.execute(app.db))
      .rows

  test('by switching off passes an open request on at once, and can no longer accept it', async () => {
    const [first, second] = [await available(), await available()]
    const { id, requestId } = await askForHelp(app, { client, preferred: first.id, card })
    const token = await switchOff(first)
    expect(await offers()).toEqual([
      { practitioner_id: first.id, state: 'withdrawn' },
      { practitioner_id: second.id, state: 'open' },
    ])
    expect((await answerRequest(app, token, requestId, 'accept')).body.code).toBe('request_over')
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('asking')
    expect(await atGateway()).toEqual({ taken: 0, reserved: 2500 })
  })

  test('by switching off ends the search at no cost where no other is free', async () => {
    const only = await available()
    const { id } = await askForHelp(app, { client, card })
    await switchOff(only)
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('nobody')
    expect([await atGateway(), await reserved()]).toEqual([{ taken: 0, reserved: 0 }, 0])
  })

  test('by their switch keeps the request while their schedule has them at work', async () => {
    const scheduled = await createPractitioner(app)
    await switchOn(app, scheduled, later(app.clock.now(), hours(2)))
    const { requestId } = await askForHelp(app, { client, card })
    const token = await switchOff(scheduled)
    expect(await offers()).toEqual([{ practitioner_id: scheduled.id, state: 'open' }])
    expect((await answerRequest(app, token, requestId, 'accept')).status).toBe(200)
  })

  test('by switching off while the bank asks ends the paid search, also where the payment is sent again', async () => {
    const only = await available()
    const id = String((await claimHelp(app, { client })).body.session_id)
    const asking = await saveCard(app, client, cards.authentication)
    expect((await payForHelp(app, client, id, asking)).body.code).toBe('authentication_required')
    await switchOff(only)
    const confirmed = await app.call('POST', '/payment/sandbox/confirm-authentication', {
      token: client.token,
      body: { session_id: id },
    })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'authorised'])
    const again = await payForHelp(app, client, id, asking)
    expect([again.status, again.body]).toEqual([200, confirmed.body])
    expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({
      state: 'nobody',
      money: { state: 'returned' },
    })
    expect(await offers()).toEqual([])
    expect([await atGateway(), await reserved(), await ledger(app)]).toEqual([
      { taken: 0, reserved: 0 },
      0,
      {},
    ])
  })

  test.each(['vetted_until', 'subscribed_until'] as const)(
    'as their %s has passed is refused, and the request goes on to the next practitioner at once',
    async (until) => {
      const [first, second] = [await available(), await available()]
      const { id, requestId } = await askForHelp(app, { client, preferred: first.id, card })
      const token = await signInPractitioner(app, first)
      const ended = app.clock.now()
      await app.db
        .updateTable('practitioners')
        .set({ [until]: ended })
        .where('id', '=', first.id)
        .execute()
      const answer = await answerRequest(app, token, requestId, 'accept')
      expect([answer.status, answer.body.code]).toEqual([409, 'request_over'])
      expect(await offers()).toEqual([
        { practitioner_id: first.id, state: 'withdrawn' },
        { practitioner_id: second.id, state: 'open' },
      ])
      expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({ state: 'asking', asked: 2 })
      expect(await atGateway()).toEqual({ taken: 0, reserved: 2500 })
      const next = await openRequest(app, id)
      const accepted = await answerRequest(
        app,
        await signInPractitioner(app, second),
        next.requestId,
        'accept',
      )
      expect(accepted.status).toBe(200)
    },
  )

  test.each([
    ['taking time off', '/therapist/time-off', { first_day: '2026-06-01' }],
    [
      'giving up the hour',
      '/therapist/setup-schedule',
      weekNames.map((week_name) => ({ week_name, online: [], face_to_face: [] })),
    ],
  ] as const)('by %s passes it on as well', async (_, path, body) => {
    const [scheduled, second] = [await createPractitioner(app), await available()]
    const { requestId } = await askForHelp(app, { client, preferred: scheduled.id, card })
    const token = await signInPractitioner(app, scheduled)
    expect((await app.call('POST', path, { token, body })).status).toBeLessThan(300)
    await app.queue.drain()
    expect(await offers()).toEqual([
      { practitioner_id: scheduled.id, state: 'withdrawn' },
      { practitioner_id: second.id, state: 'open' },
    ])
    expect((await answerRequest(app, token, requestId, 'accept')).body.code).toBe('request_over')
  })

  test('by taking time off ends what their switch says for that time', async () => {
    const [first, second] = [await available(), await available()]
    await askForHelp(app, { client, preferred: first.id, card })
    const token = await signInPractitioner(app, first)
    const until = async () => (await app.call('GET', '/therapist/available-now', { token })).body
    const takeOff = (body: object) => app.call('POST', '/therapist/time-off', { token, body })
    await switchOn(app, first, later(app.clock.now(), hours(8)))
    // From the afternoon on: until then they are there.
    expect((await takeOff({ first_day: '2026-06-01', from_time: '12:00', to_time: '18:00' })).status).toBe(
      201,
    )
    expect(await until()).toMatchObject({ available: true, until: '2026-06-01T11:00:00.000Z' })
    await app.queue.drain()
    expect(await offers()).toEqual([{ practitioner_id: first.id, state: 'open' }])
    expect((await takeOff({ first_day: '2026-06-01' })).status).toBe(201)
    expect(await until()).toMatchObject({ available: false })
    await app.queue.drain()
    expect(await offers()).toEqual([
      { practitioner_id: first.id, state: 'withdrawn' },
      { practitioner_id: second.id, state: 'open' },
    ])
  })
})

describe('a client', () => {
  test('who asks twice for the same has one claim, and for another has that one instead', async () => {
    const [first, second] = [await available(), await available()]
    const once = await claimHelp(app, { client, preferred: first.id })
    const twice = await claimHelp(app, { client, preferred: first.id })
    expect(twice.body.session_id).toBe(once.body.session_id)
    const another = await claimHelp(app, { client, preferred: second.id })
    expect(another.body.practitioner?.practitioner_id).toBe(second.id)
    expect(await reserved()).toBe(1)
    expect((await followHelp(app, client, String(once.body.session_id))).body.dispatch?.state).toBe('stopped')
    await payForHelp(app, client, String(another.body.session_id), card)
    const third = await claimHelp(app, { client, preferred: first.id })
    expect([third.status, third.body.code, third.body.details?.appointment_id]).toEqual([
      409,
      'help_under_way',
      another.body.session_id,
    ])
    expect(await reserved()).toBe(1)
  })

  test('who does not pay in time has lost the claim, and is charged nothing', async () => {
    await available()
    const id = String((await claimHelp(app, { client })).body.session_id)
    app.clock.advance(minutes(5))
    const late = await payForHelp(app, client, id, card)
    expect([late.status, late.body.code]).toEqual([409, 'hold_expired'])
    await app.services.dispatch.sweep()
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('expired')
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    expect(await reserved()).toBe(0)
  })

  test('whose card is declined may try another within the time', async () => {
    await available()
    const id = String((await claimHelp(app, { client })).body.session_id)
    const declined = await payForHelp(app, client, id, await saveCard(app, client, cards.declined))
    expect([declined.status, declined.body.code]).toEqual([402, 'card_declined'])
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('claimed')
    expect((await payForHelp(app, client, id, card)).status).toBe(200)
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('asking')
  })

  test('whose bank asks back has five minutes more, and goes on from there', async () => {
    await available()
    const id = String((await claimHelp(app, { client })).body.session_id)
    const asked = await payForHelp(app, client, id, await saveCard(app, client, cards.authentication))
    expect([asked.status, asked.body.code]).toEqual([402, 'authentication_required'])
    app.clock.advance(minutes(9))
    await app.services.dispatch.sweep()
    const confirmed = await app.call('POST', '/payment/sandbox/confirm-authentication', {
      token: client.token,
      body: { session_id: id },
    })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'authorised'])
    expect((await followHelp(app, client, id)).body.dispatch?.state).toBe('asking')
  })

  test('may stop at no cost until a practitioner accepts', async () => {
    await available()
    const therapist = await signInPractitioner(app, await available())
    const asked = await askForHelp(app, { client, card })
    const stopped = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: asked.id },
    })
    expect([stopped.status, stopped.body.status]).toEqual([200, 'cancelled'])
    expect((await followHelp(app, client, asked.id)).body.dispatch).toMatchObject({
      state: 'stopped',
      money: { state: 'returned' },
    })
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    expect(await reserved()).toBe(0)
    const requests = await app.call('GET', '/therapist/get-help/requests', { token: therapist })
    expect(requests.body.open).toEqual([])
    const again = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: asked.id },
    })
    expect(again.status).toBe(200)
  })

  test('gets an error by field for what is missing, and no other price is accepted', async () => {
    await available()
    const send = (body: Record<string, unknown>) =>
      app.call('POST', '/appointment/create-session', {
        token: client.token,
        body: { booking_type: 'instant', ...body },
      })
    expect((await send({})).body.errors).toHaveProperty('issue_id')
    expect((await send({ issue_id: 4711 })).body.errors).toHaveProperty('issue_id')
    expect((await send({ issue_id: 1, fee: 24 })).body).toMatchObject({
      code: 'price_changed',
      details: { fee: 25 },
    })
    expect(await reserved()).toBe(0)
    // What some clients call it.
    expect((await send({ issue_id: 1 })).body).toMatchObject({ booking_type: 'get-help-right-now', fee: 25 })
  })

  test('who has a session soon is refused as busy, and no practitioner is held', async () => {
    const practitioner = await createPractitioner(app)
    await bookSession(app, { practitioner, client, card, startsAt: '2026-06-01T10:00:00Z' })
    await available()
    app.clock.set('2026-06-01T09:45:00Z')
    const { token } = await createClient(app)
    expect((await claimHelp(app, { client: { token } })).status).toBe(201)
    await available()
    const signedIn = await app.call('POST', '/client/login', {
      body: { email: client.email, password: 'correct horse battery' },
    })
    const busy = await claimHelp(app, { client: { token: String(signedIn.body.token) } })
    expect([busy.status, busy.body.code]).toEqual([409, 'client_busy'])
    expect(await reserved()).toBe(2)
  })

  test('who has a session in half an hour is still helped by the next practitioner', async () => {
    const practitioner = await createPractitioner(app)
    await bookSession(app, { practitioner, client, card, startsAt: '2026-06-01T10:00:00Z' })
    app.clock.set('2026-06-01T09:29:00Z')
    client = await signInAgain(app, client)
    const [, second] = [await available(), await available()]
    const { id } = await askForHelp(app, { client, card })
    app.clock.advance(minutes(2))
    await app.services.dispatch.sweep()
    const next = await openRequest(app, id)
    expect(next.practitionerId).toBe(second.id)
    app.clock.advance(minutes(1))
    await answerRequest(app, await signInPractitioner(app, second), next.requestId, 'accept')
    expect((await followHelp(app, client, id)).body).toMatchObject({
      dispatch: { state: 'accepted' },
      ends_at: '2026-06-01T09:47:00.000Z',
    })
  })

  test('cannot confirm a search as a booking, or move a session that has begun', async () => {
    const practitioner = await available()
    const asked = await askForHelp(app, { client, card })
    const book = await app.call('POST', '/appointment/instant-book', {
      token: client.token,
      body: { appointment_id: asked.id },
    })
    expect([book.status, book.body.code]).toEqual([409, 'not_changeable'])
    expect((await followHelp(app, client, asked.id)).body.dispatch?.state).toBe('asking')
    await answerRequest(app, await signInPractitioner(app, practitioner), asked.requestId, 'accept')
    const move = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: asked.id, type: 'online', appointment_datetime: '2026-06-03T10:00:00Z' },
    })
    expect(move.status).toBe(409)
  })
})

test('a search that no practitioner answers ends a quarter of an hour after the payment', async () => {
  for (let count = 0; count < 12; count++) await available()
  const { id } = await askForHelp(app, { client, card })
  for (let minute = 0; minute < 17; minute++) {
    app.clock.advance(minutes(1))
    await app.services.dispatch.sweep()
  }
  const ended = await app.db
    .selectFrom('help_dispatches')
    .selectAll()
    .where('appointment_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(ended.state).toBe('nobody')
  expect(ended.ended_at).toEqual(later(ended.paid_at ?? new Date(0), minutes(16)))
  const asked = await app.db.selectFrom('help_offers').selectAll().execute()
  expect(asked.length).toBe(8)
  expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
})
