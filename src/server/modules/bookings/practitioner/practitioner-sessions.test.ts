import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { minutes } from '#server/clock.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { plainText, textOf } from '#test/mails.ts'

const startsAt = '2026-06-08T09:00:00.000Z'

let app: TestApp
let client: Client
let practitioner: Practitioner
let therapist: string
let id: string
let refundFails = false

const setUp = async (options: Parameters<typeof buildTestApp>[0] = {}) => {
  refundFails = false
  app = await buildTestApp({
    gateway: (sandbox): PaymentGateway => ({
      ...sandbox,
      refund: async (request) => {
        if (refundFails) throw new Error('out of reach')
        return sandbox.refund(request)
      },
    }),
    ...options,
  })
  client = await createClient(app, { name: 'Morgan Wells' })
  practitioner = await createPractitioner(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  therapist = await signInPractitioner(app, practitioner)
  id = await bookSession(app, { practitioner, client, startsAt })
  await app.queue.drain()
}
afterEach(async () => app.close())

const act = (what: 'cancel' | 'complete' | 'no-show', body?: unknown, token = therapist, of = id) =>
  app.call('POST', `/therapist/sessions/${of}/${what}`, {
    token,
    ...(what === 'cancel' ? { body: body ?? {} } : {}),
  })
const list = async (query = '', token = therapist) => {
  const answer = await app.call('GET', `/therapist/sessions${query}`, { token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as AnswerOf<'GET /therapist/sessions'>
}
const at = async (time: string) => {
  app.clock.set(time)
  therapist = await signInPractitioner(app, practitioner)
  client = await signInAgain(app, client)
}
const mailsSince = (count: number) => app.mails().slice(count)
const subjectsTo = (mails: string[], to: string) =>
  mails.filter((mail) => mail.includes(`To: ${to}`)).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim())
const stateOf = async (of = id) =>
  await app.db
    .selectFrom('appointments')
    .select(['state', 'cancelled_by', 'cancel_reason'])
    .where('id', '=', of)
    .executeTakeFirstOrThrow()
const refunds = () => app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute()
/** Asserts that the ledger balances. Returns its accounts. */
const balanced = async () => {
  const books = await ledger(app)
  expect(Object.values(books).reduce((sum, amount) => sum + amount, 0)).toBe(0)
  return books
}

describe('a practitioner’s sessions', () => {
  beforeEach(() => setUp())

  test('are listed with no more of the client than a first name and an initial', async () => {
    const { data, meta } = await list()
    expect(meta).toEqual({ total: 1, page: 1, per_page: 20, timezone: 'Europe/London' })
    expect(data).toEqual([
      {
        appointment_id: id,
        client: { name: 'Morgan W.', timezone: null },
        booking_type: 'schedule',
        status: 'confirmed',
        starts_at: startsAt,
        ends_at: '2026-06-08T09:50:00.000Z',
        appointment_type: 'online',
        service_name: expect.any(String),
        location: null,
        meeting_link: 'https://rooms.example.test/priya',
        room: { kind: 'own', link: 'https://rooms.example.test/priya', ended_at: null },
        fee: 60,
        owed: 60,
        payment_change: null,
        cancelled_by: null,
        cancelled_because: null,
        your_reason: null,
        can: {
          cancel: true,
          complete: false,
          no_show: false,
          technical_failure: false,
          allow_late_payment: false,
          message: true,
        },
        settles_at: '2026-06-09T09:50:00.000Z',
        frozen_until: null,
        no_show_from: '2026-06-08T09:15:00.000Z',
        no_show: null,
        attendance: null,
        series_id: null,
        pay_at: null,
        pay_by: null,
        payment_due: null,
      },
    ])
    const text = JSON.stringify(data)
    for (const secret of ['Wells', client.email, client.id]) expect(text).not.toContain(secret)
  })

  test('exclude other practitioners’ sessions and unpaid bookings, and move to the past when they end', async () => {
    await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-10T09:00:00Z',
      },
    })
    const other = await createPractitioner(app)
    const theirs = await bookSession(app, { practitioner: other, client, startsAt: '2026-06-10T12:00:00Z' })
    const room = await bookSession(app, {
      practitioner,
      client,
      startsAt: '2026-06-09T09:00:00Z',
      type: 'face_to_face',
    })
    expect((await list()).data.map((each) => [each.appointment_id, each.location?.location_name])).toEqual([
      [id, undefined],
      [room, 'Rosewood House'],
    ])
    expect((await list('', await signInPractitioner(app, other))).data).toMatchObject([
      { appointment_id: theirs },
    ])
    await at('2026-06-08T09:50:00.000Z')
    expect((await list()).data.map((each) => each.appointment_id)).toEqual([room])
    expect((await list('?when=past')).data).toMatchObject([
      { appointment_id: id, status: 'confirmed', can: { cancel: false, complete: true, no_show: true } },
    ])
    expect((await list('?when=past&page=2')).data).toEqual([])
  })

  test('show the full fee, with or without a referral discount', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    await bookSession(app, { practitioner, client: referred, startsAt: '2026-06-09T09:00:00Z' })
    expect((await list()).data.map(({ fee }) => fee)).toEqual([60, 60])
  })

  test('show a former client once the client’s account is deleted', async () => {
    await at('2026-06-09T12:00:00Z')
    await app.services.bookings.sweep()
    const left = await app.call('POST', '/client/delete-account', {
      token: client.token,
      body: { current_password: 'correct horse battery', understood: true },
    })
    expect(left.status).toBe(200)
    expect((await list('?when=past')).data).toMatchObject([
      { client: { name: 'Former client' }, status: 'completed', can: { message: false } },
    ])
  })
})

describe('a practitioner cancels', () => {
  beforeEach(() => setUp())

  test('a session shortly before its start, and the client is refunded in full and notified', async () => {
    await at('2026-06-08T08:59:00Z')
    const before = app.mails().length
    const answer = await act('cancel', { reason: 'I am ill. I am sorry.' })
    expect(answer.body).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'practitioner',
      your_reason: 'I am ill. I am sorry.',
      can: { cancel: false, complete: false, no_show: false, message: true },
    })
    await app.queue.drain()
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    expect(await balanced()).toMatchObject({ gateway_balance: 0, practitioner_payable: 0 })
    const mails = mailsSince(before)
    expect(subjectsTo(mails, client.email).toSorted()).toEqual([
      'Your refund is on its way',
      'Your session is cancelled',
    ])
    const told = mails.filter((mail) => mail.includes(`To: ${client.email}`)).map(textOf)
    expect(told.find((text) => !text.includes('We have refunded'))).toMatch(
      /Priya Patel\d+ (had to cancel|has cancelled)/,
    )
    expect(mails.map(plainText).join()).not.toContain('I am ill')
    const own = mails.filter((mail) => mail.includes(`To: ${practitioner.email}`))
    expect(own.map((mail) => textOf(mail).replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('You cancelled the session with Morgan W., who has been told'),
    ])
    // The client reads the reason among past sessions, and the time is free again.
    const past = await app.call('GET', '/appointment/get-past-sessions', { token: client.token })
    expect(past.body.data).toMatchObject([
      { cancelled_by: 'practitioner', practitioners_reason: 'I am ill. I am sorry.', reviewable: false },
    ])
    expect(await app.db.selectFrom('reservations').select('state').execute()).toEqual([{ state: 'released' }])
  })

  test('not a session that the client has moved since its start was shown', async () => {
    const shown = (await list()).data.find(({ appointment_id }) => appointment_id === id)?.starts_at
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: '2026-06-09T09:00:00Z' },
    })
    expect(moved.status).toBe(200)
    await app.queue.drain()
    const before = app.mails().length
    const refused = await act('cancel', { starts_at: shown })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    await app.queue.drain()
    expect([await refunds(), app.mails().length]).toEqual([[], before])
    expect((await list()).data).toMatchObject([{ appointment_id: id, status: 'confirmed' }])
    expect((await act('cancel', { starts_at: '2026-06-09T10:00:00+01:00' })).status).toBe(200)
  })

  test('once, however often it is sent', async () => {
    const before = app.mails().length
    const all = await Promise.all([act('cancel'), act('cancel'), act('cancel')])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    const headers = { 'idempotency-key': 'once more' }
    const body = { reason: null }
    const path = `/therapist/sessions/${id}/cancel`
    const first = await app.call('POST', path, { token: therapist, headers, body })
    expect((await app.call('POST', path, { token: therapist, headers, body })).body).toEqual(first.body)
    await app.queue.drain()
    expect(await refunds()).toHaveLength(1)
    expect(subjectsTo(mailsSince(before), client.email)).toHaveLength(2)
    await balanced()
  })

  test('a discounted session: the payment is refunded, and the platform’s discount is no longer owed', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    const theirs = await bookSession(app, {
      practitioner,
      client: referred,
      startsAt: '2026-06-09T09:00:00Z',
    })
    expect(await balanced()).toMatchObject({ practitioner_payable: -12_000, referral_discounts: 1200 })
    await act('cancel', {}, therapist, theirs)
    await app.queue.drain()
    expect(await refunds()).toEqual([{ amount_pence: 4800, state: 'succeeded' }])
    expect(await balanced()).toMatchObject({ practitioner_payable: -6000, referral_discounts: 0 })
  })

  test('while the gateway is away: the session is cancelled, and the refund follows', async () => {
    refundFails = true
    const before = app.mails().length
    expect((await act('cancel')).status).toBe(200)
    await app.queue.drain()
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'requested' }])
    expect(subjectsTo(mailsSince(before), client.email)).toEqual(['Your session is cancelled'])
    refundFails = false
    app.clock.advance(minutes(5))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    await app.queue.drain()
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    expect(subjectsTo(mailsSince(before), client.email)).toEqual([
      'Your session is cancelled',
      'Your refund is on its way',
    ])
    await balanced()
  })

  test('no ended session, no unpaid booking and no session of another practitioner, and no refund or mail follows', async () => {
    const held = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-10T09:00:00Z',
      },
    })
    const stranger = await signInPractitioner(app, await createPractitioner(app))
    const mails = app.mails().length
    const before = await fingerprint(app.db)
    expect((await act('cancel', {}, therapist, String(held.body.session_id))).status).toBe(404)
    expect((await act('cancel', {}, stranger)).status).toBe(404)
    expect((await act('cancel', { reason: 'x'.repeat(1001) })).status).toBe(422)
    expect((await act('complete')).body.code).toBe('too_early')
    expect((await act('no-show')).body.code).toBe('too_early')
    expect(await fingerprint(app.db)).toEqual(before)
    await app.queue.drain()
    expect([await refunds(), mailsSince(mails)]).toEqual([[], []])

    await at('2026-06-08T09:50:00Z')
    const after = await fingerprint(app.db)
    const late = await act('cancel')
    expect([late.status, late.body.code]).toEqual([409, 'not_changeable'])
    expect(await fingerprint(app.db)).toEqual(after)
    expect([await refunds(), mailsSince(mails)]).toEqual([[], []])
  })
})

describe('the outcome of a session', () => {
  beforeEach(() => setUp())

  test('can be recorded once it has begun, moves no money and sends no mail', async () => {
    const books = await balanced()
    await at(startsAt)
    const mails = app.mails().length
    expect((await act('complete')).body).toMatchObject({
      status: 'completed',
      can: { cancel: false, complete: false, no_show: false, message: true },
    })
    const before = await fingerprint(app.db)
    expect((await act('complete')).status).toBe(200)
    expect((await act('cancel')).body.code).toBe('not_changeable')
    expect(await fingerprint(app.db)).toEqual(before)
    await app.queue.drain()
    expect([await ledger(app), await refunds(), mailsSince(mails)]).toEqual([books, [], []])
  })

  test('can be corrected until a day after its end, to the millisecond, and not later', async () => {
    await at('2026-06-08T09:20:00Z')
    expect((await act('complete')).body).toMatchObject({ status: 'completed', can: { no_show: true } })
    await at('2026-06-09T09:49:59.999Z')
    expect((await act('no-show')).body).toMatchObject({ status: 'no_show', can: { complete: true } })
    app.clock.advance(1)
    // The sweep keeps a recorded outcome.
    await app.services.bookings.sweep()
    const before = await fingerprint(app.db)
    const late = await act('complete')
    expect([late.status, late.body.code]).toEqual([409, 'too_late_to_change'])
    expect(await fingerprint(app.db)).toEqual(before)
    const [session] = (await list('?when=past')).data
    expect(session).toMatchObject({ status: 'no_show', can: { complete: false }, settles_at: null })
  })

  test('is completed automatically after a day without a recorded outcome', async () => {
    await at('2026-06-09T09:50:00Z')
    const late = await act('no-show')
    expect([late.status, late.body.code]).toEqual([409, 'too_late_to_change'])
    expect(await stateOf()).toMatchObject({ state: 'confirmed' })
    await app.services.bookings.sweep()
    expect(await stateOf()).toMatchObject({ state: 'completed' })
    expect((await act('no-show')).body.code).toBe('too_late_to_change')
    // Between that day and the sweep, the practitioner can still record the outcome that the sweep would set.
    expect((await act('complete')).body.status).toBe('completed')
  })

  test('cannot be recorded for a cancelled session', async () => {
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    await at(startsAt)
    const before = await fingerprint(app.db)
    for (const what of ['complete', 'no-show'] as const) {
      expect((await act(what)).body.code).toBe('not_changeable')
    }
    // Cancelling a cancelled session succeeds and changes nothing.
    expect((await act('cancel')).body).toMatchObject({ cancelled_by: 'client', your_reason: null })
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

describe('with many connections', () => {
  beforeEach(async () => setUp({ database: (await clusterDatabase(20)).database }))

  test('client and practitioner who cancel at once do it once: one refund, one mail, one who did it', async () => {
    for (let round = 0; round < 8; round++) {
      const day = String(9 + round).padStart(2, '0')
      const session = await bookSession(app, { practitioner, client, startsAt: `2026-06-${day}T09:00:00Z` })
      const before = (await refunds()).length
      const [own, theirs] = await Promise.all([
        app.call('POST', '/appointment/cancel-session', {
          token: client.token,
          body: { appointment_id: session },
        }),
        act('cancel', { reason: 'Ill.' }, therapist, session),
      ])
      expect([own.status, theirs.status]).toEqual([200, 200])
      expect((await refunds()).length).toBe(before + 1)
      const { state, cancelled_by, cancel_reason } = await stateOf(session)
      expect([state, cancel_reason]).toEqual(['cancelled', cancelled_by === 'practitioner' ? 'Ill.' : null])
      const mails = await app.db
        .selectFrom('outgoing_mails')
        .select('id')
        .where('subject_id', '=', session)
        .where('template', '=', 'session.cancelled')
        .where('recipient', '=', 'client')
        .execute()
      expect(mails).toHaveLength(1)
    }
    await app.queue.drain()
    await balanced()
  })

  test('a move and a cancelling at once leave either a moved session or a refunded one', async () => {
    for (let round = 0; round < 8; round++) {
      const day = String(9 + round).padStart(2, '0')
      const card = await saveCard(app, client)
      const session = await bookSession(app, {
        practitioner,
        client,
        card,
        startsAt: `2026-06-${day}T09:00:00Z`,
      })
      const before = (await refunds()).reduce((sum, refund) => sum + refund.amount_pence, 0)
      // The dearer choice costs £20 more.
      const [moved, cancelled] = await Promise.all([
        app.call('POST', '/appointment/edit-session', {
          token: client.token,
          body: {
            appointment_id: session,
            type: 'face_to_face',
            appointment_datetime: `2026-06-${day}T15:00:00Z`,
            customer_id: card,
          },
        }),
        act('cancel', {}, therapist, session),
      ])
      expect(cancelled.status).toBe(200)
      expect([200, 409]).toContain(moved.status)
      const paidBack = (await refunds()).reduce((sum, refund) => sum + refund.amount_pence, 0) - before
      expect(paidBack).toBe(moved.status === 200 ? 8000 : 6000)
      expect(await stateOf(session)).toMatchObject({ state: 'cancelled', cancelled_by: 'practitioner' })
    }
    app.clock.advance(minutes(5))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    await app.queue.drain()
    const intents = await app.db.selectFrom('payment_intents').select('state').execute()
    expect(intents.filter(({ state }) => !['captured', 'voided'].includes(state))).toEqual([])
    // Only the first session of the test is left.
    expect(await balanced()).toMatchObject({ practitioner_payable: -6000 })
  })

  test('of ‘completed’ and ‘did not come’ at once, one stands', async () => {
    await at('2026-06-08T09:15:00Z')
    const answers = await Promise.all(
      (['complete', 'no-show', 'complete', 'no-show'] as const).map((what) => act(what)),
    )
    // A no-show that was corrected is not declared again.
    for (const { status, body } of answers) expect([200, 'not_changeable']).toContain(body.code ?? status)
    const { state } = await stateOf()
    const listed: TherapistSession | undefined = (await list('?when=past')).data[0]
    expect(['completed', 'no_show']).toContain(state)
    expect(listed?.status).toBe(state)
  })
})
