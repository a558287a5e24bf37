import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  addPlace,
  blockInChat,
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner

const monday = '2026-06-08T09:00:00.000Z'
const later = '2026-06-09T13:00:00.000Z'

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
})
afterEach(async () => app.close())

/** Moves the clock and signs in again, as a sign-in does not last that long. */
async function at(instant: string): Promise<void> {
  app.clock.set(instant)
  client = await signInAgain(app, client)
}

const hold = (body: Record<string, unknown> = {}, who = client) =>
  app.call('POST', '/appointment/create-session', {
    token: who.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: monday,
      ...body,
    },
  })
const pay = (sessionId: unknown, customerId: string, body: Record<string, unknown> = {}) =>
  app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: sessionId, customer_id: customerId, ...body },
  })
const book = (sessionId: unknown, body: Record<string, unknown> = {}) =>
  app.call('POST', '/appointment/instant-book', {
    token: client.token,
    body: { appointment_id: sessionId, ...body },
  })
const extend = (sessionId: unknown) =>
  app.call('POST', `/appointment/${String(sessionId)}/extend-hold`, { token: client.token })
const count = async (
  table: 'appointments' | 'reservations' | 'payment_intents' | 'refunds' | 'ledger_transactions',
) =>
  Number(
    (
      await app.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
/** The payments at the gateway, sorted: rows come in the order in which their pages are filled. */
const atGateway = async () =>
  (
    await app.db
      .selectFrom('sandbox_gateway.payments')
      .select(['state', 'amount_pence', 'refunded_pence'])
      .execute()
  )
    .map((row) => `${row.state} ${row.amount_pence} -${row.refunded_pence}`)
    .sort()
const stateOf = async (id: unknown) =>
  (
    await app.db
      .selectFrom('appointments')
      .select('state')
      .where('id', '=', String(id))
      .executeTakeFirstOrThrow()
  ).state

describe('a booking with a practitioner with whom the chat is blocked', () => {
  test('is not paid where the practitioner has blocked the client: its time is free again, and nothing is charged', async () => {
    const card = await saveCard(app, client)
    const { body } = await hold()
    const unblock = await blockInChat(app, { client, practitioner, by: 'practitioner' })
    const refused = await pay(body.session_id, card)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect(refused.body.message).not.toMatch(/block/i)
    expect(await stateOf(body.session_id)).toBe('expired')
    expect([await count('payment_intents'), await atGateway()]).toEqual([0, []])
    await app.queue.drain()
    expect(app.mails().filter((mail) => mail.includes('session is booked'))).toEqual([])
    expect((await hold({}, await createClient(app))).status).toBe(201)
    await unblock()
    const again = await hold({ datetime: later })
    expect((await pay(again.body.session_id, card)).status).toBe(200)
  })

  test('is paid where the client alone has blocked the practitioner, and what is booked stays booked', async () => {
    const card = await saveCard(app, client)
    await blockInChat(app, { client, practitioner, by: 'client' })
    const { body } = await hold()
    expect((await pay(body.session_id, card)).status).toBe(200)
    expect((await book(body.session_id)).status).toBe(200)
    await blockInChat(app, { client, practitioner, by: 'practitioner' })
    expect(await stateOf(body.session_id)).toBe('confirmed')
  })
})

describe('a time that is held when the practitioner takes time off over it', () => {
  const takeOff = async () => {
    const token = await signInPractitioner(app, practitioner)
    const body = { first_day: monday.slice(0, 10) }
    expect((await app.call('POST', '/therapist/time-off', { token, body })).status).toBe(201)
  }
  const bookedMails = () => app.mails().filter((mail) => mail.includes('session is booked'))

  test('is not confirmed: the authorisation is voided, and nothing is charged or mailed', async () => {
    const card = await saveCard(app, client)
    const { body } = await hold()
    expect((await pay(body.session_id, card)).status).toBe(200)
    await takeOff()
    const refused = await book(body.session_id)
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    await app.queue.drain()
    expect(await stateOf(body.session_id)).toBe('expired')
    expect(await atGateway()).toEqual(['voided 6000 -0'])
    expect([await count('ledger_transactions'), bookedMails()]).toEqual([0, []])
    const live = app.db.selectFrom('reservations').select('id').where('state', '<>', 'released')
    expect(await live.execute()).toEqual([])
  })

  test('is not paid: no money is reserved, and the time is released', async () => {
    const card = await saveCard(app, client)
    const { body } = await hold()
    await takeOff()
    const refused = await pay(body.session_id, card)
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    expect(await stateOf(body.session_id)).toBe('expired')
    expect([await count('payment_intents'), await atGateway()]).toEqual([0, []])
  })

  test('is booked if it lies on another day', async () => {
    const card = await saveCard(app, client)
    const { body } = await hold({ datetime: later })
    await takeOff()
    expect((await pay(body.session_id, card)).status).toBe(200)
    expect((await book(body.session_id)).status).toBe(200)
  })
})

describe('a booking under consideration', () => {
  test('is free for the client who holds the time, and for no other client', async () => {
    const other = await createClient(app)
    const isFree = async (who: Client) => {
      const query = new URLSearchParams({
        practitioner_id: String(practitioner.id),
        service_id: '1',
        appointment_type: 'online',
        datetime: monday,
      })
      const preview = await app.call('GET', `/appointment/preview?${query}`, { token: who.token })
      expect(preview.body.may_use_code).toBe(who === other || (await count('payment_intents')) === 0)
      return preview.body.free
    }
    expect([await isFree(client), await isFree(other)]).toEqual([true, true])
    const { body } = await hold()
    expect([await isFree(client), await isFree(other)]).toEqual([true, false])
    await pay(body.session_id, await saveCard(app, client))
    await book(body.session_id)
    expect([await isFree(client), await isFree(other)]).toEqual([false, false])
  })
})

test('the present time of a session is free for the same session in another format, and for no other', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: monday })
  const isFree = async (appointmentId: string, who = client, datetime = monday) => {
    const query = new URLSearchParams({
      practitioner_id: String(practitioner.id),
      service_id: '1',
      appointment_type: 'face_to_face',
      datetime,
      appointment_id: appointmentId,
    })
    return (await app.call('GET', `/appointment/preview?${query}`, { token: who.token })).body.free
  }
  expect(await isFree(id)).toBe(true)
  expect(await isFree(crypto.randomUUID())).toBe(false)
  expect(await isFree(id, await createClient(app))).toBe(false)
  expect(await isFree(id, client, '2026-06-08T03:00:00.000Z')).toBe(false)
})

test('the present time of a face-to-face session is free for another service at the place where its hour is now', async () => {
  const own = practitioner.locationId
  const id = await bookSession(app, { practitioner, client, startsAt: monday, type: 'face_to_face' })
  await app.db
    .insertInto('practitioner_services')
    .values({
      practitioner_id: practitioner.id,
      service_id: 2,
      appointment_type: 'face_to_face',
      duration_minutes: 50,
      fee_pence: 8000,
    })
    .execute()
  const other = await addPlace(app, practitioner, 'Elm House')
  await app.db
    .updateTable('weekly_hours')
    .set({ location_id: other })
    .where('appointment_type', '=', 'face_to_face')
    .execute()
  const preview = async (place?: number) => {
    const query = new URLSearchParams({
      practitioner_id: String(practitioner.id),
      service_id: '2',
      appointment_type: 'face_to_face',
      datetime: monday,
      appointment_id: id,
      ...(place === undefined ? {} : { location_id: String(place) }),
    })
    return (await app.call('GET', `/appointment/preview?${query}`, { token: client.token })).body
  }
  const change = (place: number) =>
    app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: {
        appointment_id: id,
        type: 'face_to_face',
        location_id: place,
        appointment_datetime: monday,
        service_id: 2,
      },
    })
  expect(await preview()).toMatchObject({ free: true, location_id: other })
  expect(await preview(own)).toMatchObject({ free: false, location_id: null })
  expect((await change(own)).body.code).toBe('slot_not_offered')
  expect(await preview(other)).toMatchObject({ free: true, location_id: other })
  expect((await change(other)).body).toMatchObject({ service_id: 2, location_id: other })
})

describe('booking', () => {
  test('holds, authorises, confirms and captures, and owes the practitioner the whole fee', async () => {
    const created = await hold()
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      status: 'pending',
      fee: 60,
      starts_at: monday,
      ends_at: '2026-06-08T09:50:00.000Z',
      hold_expires_at: '2026-06-01T08:10:00.000Z',
      client_category_id: 1,
    })
    const card = await saveCard(app, client)
    const paid = await pay(created.body.session_id, card, { fee_amount: 60 })
    expect(paid.body).toMatchObject({ status: 'authorised', amount: 60 })
    expect(await atGateway()).toEqual(['authorised 6000 -0'])
    const booked = await book(created.body.session_id)
    expect(booked.body).toMatchObject({ status: 'confirmed', session_id: created.body.session_id })
    expect(await atGateway()).toEqual(['captured 6000 -0'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })

    const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
    expect(upcoming.body).toMatchObject([
      { status: 'confirmed', meeting_link: 'https://rooms.example.test/priya', change: { allowed: true } },
    ])
  })

  test('held times are listed to their client until they are paid, released or over', async () => {
    const held = async (who = client) => {
      const path = '/appointment/get-upcoming-sessions?held=true'
      const { body } = await app.call('GET', path, { token: who.token })
      return (body as unknown as { appointment_id: string }[]).map(({ appointment_id }) => appointment_id)
    }
    const { body } = await hold()
    const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
    expect(upcoming.body).toEqual([])
    expect(await held()).toEqual([body.session_id])
    expect(await held(await createClient(app))).toEqual([])
    await pay(body.session_id, await saveCard(app, client))
    await book(body.session_id)
    expect(await held()).toEqual([])
    const second = await hold({ datetime: later })
    expect(await held()).toEqual([second.body.session_id])
    app.clock.advance(minutes(10))
    expect(await held()).toEqual([])
  })

  test('a client who has booked the time already is refused with their own session, another client without', async () => {
    const appointmentId = await bookSession(app, { client, practitioner, startsAt: monday })
    const again = await hold()
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'slot_taken', details: { own_session_id: appointmentId } },
    })
    const theirs = await hold({}, await createClient(app))
    expect(theirs).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    expect(theirs.body.details).toBeUndefined()
  })

  test('a held time is offered to no other client, and is free again once the hold has run out', async () => {
    await hold()
    const offered = async () => {
      const answer = await app.call(
        'GET',
        `/practitioner/${practitioner.id}/next-available-sessions?from=2026-06-08&days=1&timezone=UTC`,
      )
      return JSON.stringify(answer.body.free_datetime).includes('2026-06-08 09:00')
    }
    expect(await offered()).toBe(false)
    const other = await createClient(app)
    expect((await hold({}, other)).body).toMatchObject({ code: 'slot_taken' })
    app.clock.advance(minutes(10))
    expect(await offered()).toBe(true)
    expect((await hold({}, other)).status).toBe(201)
  })

  test('the sweep expires an unpaid hold and voids its authorisation', async () => {
    const created = await hold()
    await pay(created.body.session_id, await saveCard(app, client))
    app.clock.advance(minutes(10) - 1)
    await app.services.bookings.sweep()
    expect(await stateOf(created.body.session_id)).toBe('pending')
    app.clock.advance(1)
    await app.services.bookings.sweep()
    expect(await stateOf(created.body.session_id)).toBe('expired')
    expect(await atGateway()).toEqual(['voided 6000 -0'])
    expect((await book(created.body.session_id)).body).toMatchObject({ code: 'hold_expired' })
    expect(await count('ledger_transactions')).toBe(0)
  })

  test('a declined card leaves the slot held, and another card pays', async () => {
    const created = await hold()
    const declined = await pay(created.body.session_id, await saveCard(app, client, cards.insufficientFunds))
    expect(declined.status).toBe(402)
    expect(declined.body).toMatchObject({
      code: 'card_declined',
      details: { decline_code: 'insufficient_funds' },
    })
    expect(await stateOf(created.body.session_id)).toBe('pending')
    expect((await book(created.body.session_id)).body).toMatchObject({ code: 'not_paid' })
    expect((await pay(created.body.session_id, await saveCard(app, client))).status).toBe(200)
    expect((await book(created.body.session_id)).status).toBe(200)
    expect(await atGateway()).toEqual(['captured 6000 -0', 'declined 6000 -0'])
  })

  test('an extra authentication extends the hold once and goes on', async () => {
    const created = await hold()
    const card = await saveCard(app, client, cards.authentication)
    const first = await pay(created.body.session_id, card)
    expect(first.status).toBe(402)
    expect(first.body).toMatchObject({ code: 'authentication_required' })
    expect(String(first.body.details?.client_secret)).toMatch(/^secret_/)
    await pay(created.body.session_id, card)
    const held = await app.call('GET', `/appointment/${created.body.session_id}`, { token: client.token })
    expect(held.body.hold_expires_at).toBe('2026-06-01T08:20:00.000Z')
    const confirmed = await app.call('POST', '/payment/sandbox/confirm-authentication', {
      token: client.token,
      body: { session_id: created.body.session_id },
    })
    expect(confirmed.body).toMatchObject({ status: 'authorised' })
    expect((await book(created.body.session_id)).status).toBe(200)
    expect(await atGateway()).toEqual(['captured 6000 -0'])
  })

  test('a client extends a hold once before its end, and pays in the time gained', async () => {
    const { body } = await hold()
    expect(body).toMatchObject({ hold_extendable: true })
    await at('2026-06-01T08:09:59Z')
    const first = await extend(body.session_id)
    expect(first.body).toMatchObject({
      status: 'pending',
      hold_expires_at: '2026-06-01T08:20:00.000Z',
      hold_extendable: false,
    })
    expect((await extend(body.session_id)).body).toMatchObject({ code: 'not_changeable' })
    await at('2026-06-01T08:19:00Z')
    await app.queue.drain()
    expect(await stateOf(body.session_id)).toBe('pending')
    // The bank's question does not extend it a second time.
    const asked = await pay(body.session_id, await saveCard(app, client, cards.authentication))
    expect(asked.body).toMatchObject({ code: 'authentication_required' })
    const held = await app.call('GET', `/appointment/${body.session_id}`, { token: client.token })
    expect(held.body).toMatchObject({ hold_expires_at: '2026-06-01T08:20:00.000Z', hold_extendable: false })
    expect((await pay(body.session_id, await saveCard(app, client))).status).toBe(200)
    expect((await book(body.session_id)).status).toBe(200)
    expect((await extend(body.session_id)).body).toMatchObject({ code: 'not_payable' })
  })

  test('an extended hold expires by itself, and one that has ended is not extended', async () => {
    const extended = await hold()
    const another = await createPractitioner(app)
    const plain = await hold({ practitioner_id: another.id, datetime: later })
    await extend(extended.body.session_id)
    await at('2026-06-01T08:10:00Z')
    expect((await extend(plain.body.session_id)).body).toMatchObject({ code: 'hold_expired' })
    await app.services.bookings.sweep()
    expect(await stateOf(plain.body.session_id)).toBe('expired')
    expect((await extend(plain.body.session_id)).body).toMatchObject({ code: 'hold_expired' })
    expect(await stateOf(extended.body.session_id)).toBe('pending')
    await at('2026-06-01T08:20:00Z')
    await app.services.bookings.sweep()
    expect(await stateOf(extended.body.session_id)).toBe('expired')
    expect((await hold({}, await createClient(app))).status).toBe(201)
  })

  test('another card instead of the bank’s question voids the first and charges once', async () => {
    const created = await hold()
    await pay(created.body.session_id, await saveCard(app, client, cards.authentication))
    expect((await pay(created.body.session_id, await saveCard(app, client))).status).toBe(200)
    await book(created.body.session_id)
    await app.queue.drain()
    expect(await atGateway()).toEqual(['captured 6000 -0', 'voided 6000 -0'])
  })

  test('repeating any step changes nothing', async () => {
    const key = { 'idempotency-key': 'one' }
    const body = {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      datetime: monday,
      appointment_type: 'online',
    }
    const send = () =>
      app.call('POST', '/appointment/create-session', { token: client.token, body, headers: key })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(await count('appointments')).toBe(1)
    const other = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: { ...body, datetime: later },
      headers: key,
    })
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused' })
    const card = await saveCard(app, client)
    await pay(first.body.session_id, card)
    await pay(first.body.session_id, card)
    await book(first.body.session_id)
    const again = await book(first.body.session_id)
    expect(again.body).toMatchObject({ status: 'confirmed' })
    expect((await pay(first.body.session_id, card)).body).toMatchObject({ status: 'captured' })
    expect(await atGateway()).toEqual(['captured 6000 -0'])
    expect(await count('ledger_transactions')).toBe(1)
  })

  test('a draft takes its slot when it is booked; where that has gone nothing is charged', async () => {
    const draft = async () =>
      app.call('POST', '/appointment/create-session', {
        token: client.token,
        body: { practitioner_id: practitioner.id, booking_type: 'schedule', fee: 60 },
      })
    const card = await saveCard(app, client)
    const first = await draft()
    expect(first.body).toMatchObject({ status: 'draft', fee: 60, starts_at: null })
    await pay(first.body.session_id, card)
    const request = { datetime: monday, service_id: 1, appointment_type: 'online' }
    expect((await book(first.body.session_id, request)).body).toMatchObject({
      status: 'confirmed',
      starts_at: monday,
    })

    const other = await createClient(app)
    await bookSession(app, { practitioner, client: other, startsAt: later })
    const second = await draft()
    await pay(second.body.session_id, card)
    const gone = await book(second.body.session_id, { ...request, datetime: later })
    expect(gone.status).toBe(409)
    expect(gone.body).toMatchObject({ code: 'slot_taken' })
    expect(await stateOf(second.body.session_id)).toBe('expired')
    expect(await atGateway()).toEqual(['captured 6000 -0', 'captured 6000 -0', 'voided 6000 -0'])
  })

  test.each([
    ['with its service', { service_id: 1 }, { service_id: 1, appointment_type: 'online' }],
    ['with its service alone', { service_id: 1 }, { service_id: 1 }],
    ['of an older client, without a service', {}, { appointment_type: 'online' }],
  ])('a draft %s whose price has changed is paid anew at that price, and booked', async (_, begun, sent) => {
    const draft = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: { practitioner_id: practitioner.id, booking_type: 'schedule', fee: 60, ...begun },
    })
    const id = String(draft.body.session_id)
    const card = await saveCard(app, client)
    await pay(id, card)
    await app.db
      .updateTable('practitioner_services')
      .set({ fee_pence: 7000 })
      .where('practitioner_id', '=', practitioner.id)
      .where('appointment_type', '=', 'online')
      .execute()
    const request = { datetime: monday, ...sent }
    const changed = await book(id, request)
    expect([changed.status, changed.body.code]).toEqual([422, 'price_changed'])
    expect(await atGateway()).toEqual(['voided 6000 -0'])
    expect(await stateOf(id)).toBe('draft')
    expect((await pay(id, card)).body).toMatchObject({ status: 'authorised' })
    expect((await book(id, request)).body).toMatchObject({ status: 'confirmed', fee: 70 })
    expect(await atGateway()).toEqual(['captured 7000 -0', 'voided 6000 -0'])
  })

  test('of a time that is held is refused for another one, with nothing charged', async () => {
    const held = await hold({})
    const id = String(held.body.session_id)
    await pay(id, await saveCard(app, client))
    const refused = await book(id, { datetime: later })
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['datetime']])
    expect(await atGateway()).toEqual(['authorised 6000 -0'])
    const sent = { datetime: monday, appointment_type: 'online' }
    expect((await book(id, sent)).body).toMatchObject({ status: 'confirmed', starts_at: monday })
    expect((await book(id, { datetime: later })).body).toMatchObject({ starts_at: monday })
  })

  test('takes a time as `free_datetime` lists it, on the clocks of the viewer', async () => {
    const listed = async (zone = '') => {
      const path = `/practitioner/${practitioner.id}/next-available-sessions?from=2026-06-09${zone}`
      const { free_datetime, slots } = (await app.call('GET', path)).body as unknown as {
        free_datetime: string[]
        slots: { starts_at: string; appointment_type: string }[]
      }
      const starts = new Set(slots.map((slot) => slot.starts_at))
      expect(free_datetime).toHaveLength(starts.size)
      return free_datetime.map((text, at) => [text, [...starts][at]] as const)
    }
    const [[first, firstStart] = [], [second, secondStart] = []] = await listed()
    expect(first).toMatch(/^2026-06-09 \d\d:00$/)
    const card = await saveCard(app, client)
    const draft = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: { practitioner_id: practitioner.id, booking_type: 'schedule', fee: 60 },
    })
    await pay(draft.body.session_id, card)
    const booked = await book(draft.body.session_id, { datetime: first, appointment_type: 'online' })
    expect(booked.body).toMatchObject({ status: 'confirmed', starts_at: firstStart })
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: draft.body.session_id, type: 'online', appointment_datetime: second },
    })
    expect(moved.body).toMatchObject({ status: 'confirmed', starts_at: secondStart })

    const [[tokyo, start] = []] = await listed('&timezone=Asia/Tokyo')
    const held = await hold({ datetime: tokyo, timezone: 'Asia/Tokyo' }, await createClient(app))
    expect(held.body).toMatchObject({ status: 'pending', starts_at: start })
    for (const datetime of ['2026-02-30 10:00', '2026-06-09 25:00', '2026-06-09', 'today']) {
      const refused = await hold({ datetime })
      expect([refused.status, refused.body.errors], datetime).toEqual([
        422,
        { datetime: ['Enter a day and a time.'] },
      ])
    }
    // The hour that is skipped when the clocks go forward.
    expect((await hold({ datetime: '2027-03-28 01:00' })).body).toMatchObject({ code: 'slot_not_offered' })
  })

  test('takes the place of an online session for none, as older clients send one', async () => {
    const card = await saveCard(app, client)
    const place = practitioner.locationId
    const held = await hold({ location_id: place })
    expect(held.body).toMatchObject({ status: 'pending', location_id: null })
    const draft = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: { practitioner_id: practitioner.id, booking_type: 'schedule', fee: 60 },
    })
    const id = draft.body.session_id
    await pay(id, card)
    const request = { datetime: later, appointment_type: 'online', location_id: place }
    expect((await book(id, request)).body).toMatchObject({ status: 'confirmed', location_id: null })
    const edit = (appointment_datetime: string) =>
      app.call('POST', '/appointment/edit-session', {
        token: client.token,
        body: { appointment_id: id, type: 'online', appointment_datetime, location_id: place },
      })
    for (const start of [later, monday]) {
      expect((await edit(start)).body).toMatchObject({ starts_at: start, location_id: null })
    }
  })

  test('takes ids as texts, as older clients read them in an address', async () => {
    const ids = { practitioner_id: String(practitioner.id), service_id: '1' }
    const inPerson = {
      ...ids,
      appointment_type: 'face_to_face',
      location_id: String(practitioner.locationId),
    }
    const held = await hold({ ...inPerson, datetime: '2026-06-10T09:00:00Z' })
    expect(held.body).toMatchObject({
      status: 'pending',
      practitioner_id: practitioner.id,
      location_id: practitioner.locationId,
    })
    await pay(held.body.session_id, await saveCard(app, client))
    const booked = await book(held.body.session_id, { ...inPerson, client_category_id: '1' })
    expect(booked.body).toMatchObject({ status: 'confirmed', client_category_id: 1 })
    for (const practitioner_id of ['', '1.5', '0', 'one', true, []]) {
      const refused = await hold({ practitioner_id })
      expect([refused.status, Object.keys(refused.body.errors ?? {})], String(practitioner_id)).toEqual([
        422,
        ['practitioner_id'],
      ])
    }
  })

  test('prices are the server’s own', async () => {
    const wrong = await hold({ fee: 1 })
    expect(wrong.status).toBe(422)
    expect(wrong.body).toMatchObject({ code: 'price_changed', details: { fee: 60 } })
    expect(await count('reservations')).toBe(0)
    const created = await hold({ fee: 60, status: 'confirmed', fee_pence: 1, discount: 59 })
    expect(created.body).toMatchObject({ status: 'pending', fee: 60 })
    const card = await saveCard(app, client)
    expect((await pay(created.body.session_id, card, { fee_amount: 59.99 })).body).toMatchObject({
      code: 'price_changed',
    })
    expect(await count('payment_intents')).toBe(0)
  })

  test('times that are not offered are refused', async () => {
    for (const datetime of [
      '2026-06-08T09:30:00Z',
      '2026-06-08T03:00:00Z',
      '2026-06-01T08:30:00Z',
      '2027-06-08T09:00:00Z',
    ]) {
      expect((await hold({ datetime })).body).toMatchObject({ code: 'slot_not_offered' })
    }
    expect(await count('reservations')).toBe(0)
  })

  test('a client holds two times at most, and one at a time with a practitioner', async () => {
    const first = await hold()
    const second = await hold({ datetime: later })
    expect(second.status).toBe(201)
    expect(await stateOf(first.body.session_id)).toBe('expired')
    const [b, c] = [await createPractitioner(app), await createPractitioner(app)]
    expect((await hold({ practitioner_id: b.id })).status).toBe(201)
    const third = await hold({ practitioner_id: c.id, datetime: '2026-06-10T09:00:00Z' })
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBeTruthy()
    expect(await count('appointments')).toBe(3)
  })

  test('a client cannot be in two sessions at once', async () => {
    await bookSession(app, { practitioner, client, startsAt: monday })
    const other = await createPractitioner(app)
    expect((await hold({ practitioner_id: other.id })).body).toMatchObject({ code: 'client_busy' })
  })
})

describe('the first session with a referral', () => {
  /** A time held with another practitioner: a client holds one time with each. */
  const holdElsewhere = async (datetime: string) =>
    hold({ practitioner_id: (await createPractitioner(app)).id, datetime })
  const ownCode = async () =>
    (await app.call('GET', '/client/check-referral-code', { token: client.token })).body

  test('costs 20% less, and the practitioner is owed the whole fee', async () => {
    const code = client.referralCode
    expect(await ownCode()).toEqual({ state: 'none', referral_code: null, discount_percent: 20 })
    client = await createClient(app, { referral_code: code })
    expect(await ownCode()).toEqual({ state: 'saved', referral_code: code, discount_percent: 20 })
    const created = await hold()
    expect(created.body).toMatchObject({ fee: 48, full_fee: 60, discount: 12 })
    await pay(created.body.session_id, await saveCard(app, client), { fee_amount: 48 })
    await book(created.body.session_id)
    expect(await ledger(app)).toEqual({
      gateway_balance: 4800,
      practitioner_payable: -6000,
      referral_discounts: 1200,
    })
    expect((await hold({ datetime: later })).body).toMatchObject({ fee: 60, discount: 0 })
    expect(await ownCode()).toMatchObject({ state: 'over' })
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: created.body.session_id },
    })
    expect(await ownCode()).toMatchObject({ state: 'saved' })
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0, referral_discounts: 0 })
  })

  test('is not to be had any more once a first session is booked, with or without it', async () => {
    const friend = await createClient(app)
    await bookSession(app, { practitioner, client, startsAt: monday })
    const query = `practitioner_id=${practitioner.id}&service_id=1&appointment_type=online&datetime=${later}`
    const preview = await app.call('GET', `/appointment/preview?${query}`, { token: client.token })
    expect(preview.body).toMatchObject({ may_use_code: false, discount: 0 })
    const check = () =>
      app.call('POST', '/client/check-referral-code', {
        token: client.token,
        body: { referral_code: friend.referralCode },
      })
    expect((await check()).body).toMatchObject({ code: 'referral_used' })
    const { referred_by } = await app.db
      .selectFrom('clients')
      .select('referred_by')
      .where('account_id', '=', client.id)
      .executeTakeFirstOrThrow()
    expect(referred_by).toBe(null)
    expect(await ownCode()).toEqual({ state: 'over', referral_code: null, discount_percent: 20 })
    expect((await hold({ datetime: later })).body).toMatchObject({ fee: 60, discount: 0 })
  })

  test('is refused to a card that has had it before, with nothing charged', async () => {
    const first = await createClient(app, { referral_code: client.referralCode })
    const second = await createClient(app, { referral_code: client.referralCode })
    await bookSession(app, { practitioner, client: first, startsAt: later })
    client = second
    const created = await hold()
    expect(created.body).toMatchObject({ fee: 48 })
    const card = await saveCard(app, client)
    const refused = await pay(created.body.session_id, card, { fee_amount: 48 })
    expect(refused.body).toMatchObject({ code: 'price_changed', details: { fee: 60 } })
    expect(await atGateway()).toEqual(['captured 4800 -0'])
    expect((await pay(created.body.session_id, card, { fee_amount: 60 })).status).toBe(200)
  })

  test('is the one of two held sessions that is paid first, and the other one then costs its full price', async () => {
    client = await createClient(app, { referral_code: client.referralCode })
    const held = (await hold()).body.session_id
    const paidFirst = (await holdElsewhere(later)).body
    expect(paidFirst).toMatchObject({ fee: 60, discount: 0 })
    const card = await saveCard(app, client)
    const cheaper = await pay(paidFirst.session_id, card, { fee_amount: 60 })
    expect(cheaper.body).toMatchObject({ code: 'price_changed', details: { fee: 48 } })
    expect(await atGateway()).toEqual([])
    expect((await pay(paidFirst.session_id, card, { fee_amount: 48 })).status).toBe(200)
    expect((await book(paidFirst.session_id)).body).toMatchObject({ fee: 48, full_fee: 60, discount: 12 })
    const dearer = await pay(held, card, { fee_amount: 48 })
    expect(dearer.body).toMatchObject({ code: 'price_changed', details: { fee: 60 } })
    expect((await pay(held, card, { fee_amount: 60 })).status).toBe(200)
    expect((await book(held)).body).toMatchObject({ fee: 60, discount: 0 })
    expect(await atGateway()).toEqual(['captured 4800 -0', 'captured 6000 -0'])
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -12_000, referral_discounts: 1200 })
  })

  test('stays the held session that is being paid, or for which the card can have no discount', async () => {
    const card = cards.succeeds
    const first = await createClient(app, { referral_code: client.referralCode })
    await bookSession(app, { practitioner, client: first, startsAt: '2026-06-10T09:00:00.000Z' })
    client = await createClient(app, { referral_code: client.referralCode })
    const held = (await hold()).body.session_id
    const other = (await holdElsewhere(later)).body.session_id
    expect((await pay(other, await saveCard(app, client, card), { fee_amount: 60 })).status).toBe(200)
    const discountOf = async (id: unknown) =>
      (await app.call('GET', `/appointment/${String(id)}`, { token: client.token })).body.discount
    expect([await discountOf(held), await discountOf(other)]).toEqual([12, 0])
    await pay(held, await saveCard(app, client, cards.alsoSucceeds), { fee_amount: 48 })
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: other },
    })
    const third = (await holdElsewhere('2026-06-15T09:00:00.000Z')).body.session_id
    await pay(third, await saveCard(app, client, cards.alsoSucceeds), { fee_amount: 60 })
    expect([await discountOf(held), await discountOf(third)]).toEqual([12, 0])
  })
})

describe('cancelling', () => {
  const cancel = (id: string) =>
    app.call('POST', '/appointment/cancel-session', { token: client.token, body: { appointment_id: id } })

  test('refunds in full, frees the time, and can be repeated', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
    expect(await atGateway()).toEqual(['captured 6000 -6000'])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    expect(await count('refunds')).toBe(1)
    const detail = await app.call('GET', `/appointment/${id}`, { token: client.token })
    expect(detail.body).toMatchObject({ refund: { amount: 60, state: 'succeeded' }, meeting_link: null })
    expect((await hold()).status).toBe(201)
  })

  test('that only releases a held time leaves a session that was booked meanwhile, with its money and no mail', async () => {
    const letGo = (id: unknown) =>
      app.call('POST', '/appointment/cancel-session', {
        token: client.token,
        body: { appointment_id: id, hold_only: true },
      })
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    await app.queue.drain()
    const mails = app.mails().length
    const refused = await letGo(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    await app.queue.drain()
    expect([await stateOf(id), await atGateway(), await count('refunds'), app.mails().length]).toEqual([
      'confirmed',
      ['captured 6000 -0'],
      0,
      mails,
    ])
    expect((await hold()).body).toMatchObject({ code: 'slot_taken' })
    const held = (await hold({ datetime: later })).body.session_id
    expect((await letGo(held)).body).toMatchObject({ status: 'cancelled' })
    expect((await letGo(held)).body).toMatchObject({ status: 'cancelled' })
    expect((await hold({ datetime: later }, await createClient(app))).status).toBe(201)
  })

  test('is refused for a session that was moved after its start was shown, and nothing is refunded', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    const body = { appointment_id: id, starts_at: monday }
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: later, service_id: 1, fee: 60 },
    })
    expect(moved.status).toBe(200)
    const refused = await app.call('POST', '/appointment/cancel-session', { token: client.token, body })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect([await stateOf(id), await count('refunds'), await atGateway()]).toEqual([
      'confirmed',
      0,
      ['captured 6000 -0'],
    ])
    const again = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { ...body, starts_at: later },
    })
    expect(again.body).toMatchObject({ status: 'cancelled' })
  })

  test('is allowed to the last second of 48 hours after booking, and refused one second later', async () => {
    await at('2026-06-06T12:00:00Z')
    const soon = '2026-06-08T13:00:00.000Z'
    const id = await bookSession(app, { practitioner, client, startsAt: soon })
    await at('2026-06-08T12:00:01Z')
    expect((await cancel(id)).body).toMatchObject({ code: 'too_late_to_change' })
    expect(await count('refunds')).toBe(0)
    expect(await stateOf(id)).toBe('confirmed')
    app.clock.advance(-seconds(1))
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
  })

  test('is allowed until 48 hours before the start, and refused one second later', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    await at('2026-06-06T09:00:01Z')
    expect((await cancel(id)).body).toMatchObject({ code: 'too_late_to_change' })
    expect(await atGateway()).toEqual(['captured 6000 -0'])
    await at('2026-06-06T09:00:00Z')
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
  })

  test('is never possible once the session has begun', async () => {
    await at('2026-06-08T07:00:00Z')
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    await at(monday)
    expect((await cancel(id)).body).toMatchObject({ code: 'too_late_to_change' })
    app.clock.advance(-seconds(1))
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
  })
})

describe('moving', () => {
  const edit = (id: string, body: Record<string, unknown>) =>
    app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: later, ...body },
    })

  test('takes the new time and frees the old one, at no cost', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    expect((await edit(id, {})).body).toMatchObject({ starts_at: later, status: 'confirmed' })
    expect(await atGateway()).toEqual(['captured 6000 -0'])
    const other = await createClient(app)
    expect((await hold({}, other)).status).toBe(201)
    expect((await hold({ datetime: later }, await createClient(app))).body).toMatchObject({
      code: 'slot_taken',
    })
  })

  test('keeps a service that is not offered any more, and takes no other like that', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    await app.db.deleteFrom('practitioner_services').where('appointment_type', '=', 'online').execute()
    await app.db.updateTable('practitioner_services').set({ service_id: 2 }).execute()
    const free = await app.call(
      'GET',
      `/practitioner/${practitioner.id}/next-available-sessions?from=${later.slice(0, 10)}&appointment_type=online&duration_minutes=50`,
    )
    const starts = (free.body.slots as unknown as { starts_at: string }[]).map((slot) => slot.starts_at)
    expect(starts).toContain(new Date(later).toISOString())
    const inPerson = { type: 'face_to_face', location_id: practitioner.locationId, service_id: 1 }
    expect((await edit(id, inPerson)).status).toBe(422)
    expect((await edit(id, {})).body).toMatchObject({ starts_at: later, fee: 60, service_id: 1 })
  })

  test('of a session that is another than the one shown is refused, and changes nothing', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    const shown = { starts_at: monday, service_id: 1, appointment_type: 'online' }
    for (const other of [{ starts_at: later }, { service_id: 2 }, { appointment_type: 'face_to_face' }]) {
      const refused = await edit(id, { shown: { ...shown, ...other } })
      expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    }
    const { body } = await app.call('GET', `/appointment/${id}`, { token: client.token })
    expect(body).toMatchObject({ starts_at: monday, service_id: 1, appointment_type: 'online' })
    expect((await edit(id, { shown })).body).toMatchObject({ starts_at: later })
    // A repetition of what is done already.
    expect((await edit(id, { shown })).status).toBe(200)
  })

  test('keeps the length and the price that were agreed, until another choice is made', async () => {
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    await app.db.updateTable('practitioner_services').set({ duration_minutes: 30, fee_pence: 3500 }).execute()
    const ends = (start: string, length: number) =>
      new Date(Date.parse(start) + minutes(length)).toISOString()
    expect((await edit(id, {})).body).toMatchObject({ fee: 60, starts_at: later, ends_at: ends(later, 50) })
    const inPerson = await edit(id, { type: 'face_to_face', location_id: practitioner.locationId, fee: 35 })
    expect(inPerson.body).toMatchObject({ fee: 35, starts_at: later, ends_at: ends(later, 30) })
    expect(await ledger(app)).toEqual({ gateway_balance: 3500, practitioner_payable: -3500 })
  })

  test('to a dearer choice pays the difference first, and to a cheaper one refunds it', async () => {
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    const room = { type: 'face_to_face', location_id: practitioner.locationId }
    const unpaid = await edit(id, room)
    expect(unpaid.status).toBe(422)
    expect(unpaid.body.errors?.customer_id).toBeTruthy()
    const moved = await edit(id, { ...room, customer_id: card, fee: 80 })
    expect(moved.body).toMatchObject({
      fee: 80,
      appointment_type: 'face_to_face',
      location_id: practitioner.locationId,
    })
    expect(await ledger(app)).toEqual({ gateway_balance: 8000, practitioner_payable: -8000 })
    const back = await edit(id, { appointment_datetime: monday })
    expect(back.body).toMatchObject({ fee: 60, appointment_type: 'online' })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test.each([
    [6029, 60],
    [6030, 60.3],
  ])(
    'to a choice of %i pence where £60 was paid makes it £%d: a card is charged 30 pence or more',
    async (pence, fee) => {
      await app.db
        .updateTable('practitioner_services')
        .set({ fee_pence: pence })
        .where('practitioner_id', '=', practitioner.id)
        .where('appointment_type', '=', 'face_to_face')
        .execute()
      const card = await saveCard(app, client)
      const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
      const room = { type: 'face_to_face', location_id: practitioner.locationId, customer_id: card }
      const refused = await edit(id, { ...room, fee: fee === 60 ? 60.29 : 60 })
      expect(refused.body).toMatchObject({ code: 'price_changed', details: { fee } })
      expect((await edit(id, { ...room, fee })).body).toMatchObject({ fee, appointment_type: 'face_to_face' })
      const kept = Math.round(fee * 100)
      expect(await ledger(app)).toEqual({ gateway_balance: kept, practitioner_payable: -kept })
    },
  )

  test('to a dearer choice on a declined card changes nothing', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: monday })
    const bad = await saveCard(app, client, cards.declined)
    const refused = await edit(id, { type: 'face_to_face', customer_id: bad })
    expect(refused.status).toBe(402)
    const detail = await app.call('GET', `/appointment/${id}`, { token: client.token })
    expect(detail.body).toMatchObject({ starts_at: monday, fee: 60, appointment_type: 'online' })
  })

  test('into a time that is taken changes nothing, and the difference is not charged', async () => {
    const other = await createClient(app)
    await bookSession(app, { practitioner, client: other, startsAt: later })
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    const refused = await edit(id, { type: 'face_to_face', customer_id: card })
    expect(refused.body).toMatchObject({ code: 'slot_taken' })
    expect(await atGateway()).toEqual(['captured 6000 -0', 'captured 6000 -0', 'voided 2000 -0'])
    const detail = await app.call('GET', `/appointment/${id}`, { token: client.token })
    expect(detail.body).toMatchObject({ starts_at: monday, fee: 60 })
  })

  test('a discounted session between prices that differ by a penny leaves it owed exactly, and nothing after its cancelling', async () => {
    client = await createClient(app, { referral_code: client.referralCode })
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    const place = { online: null, face_to_face: practitioner.locationId }
    const price = (type: 'online' | 'face_to_face', fee_pence: number) =>
      app.db
        .updateTable('practitioner_services')
        .set({ fee_pence })
        .where('appointment_type', '=', type)
        .execute()
    const owed = async () => {
      const { gateway_balance, practitioner_payable, referral_discounts } = await ledger(app)
      return [gateway_balance, referral_discounts, practitioner_payable]
    }
    // 60.42 costs the client as much as 60.43; the penny between them is the platform's.
    const steps = [
      ['face_to_face', 6042, [4834, 1208, -6042]],
      ['online', 6043, [4834, 1209, -6043]],
      ['face_to_face', 6080, [4864, 1216, -6080]],
      ['online', 6042, [4834, 1208, -6042]],
      ['face_to_face', 6043, [4834, 1209, -6043]],
      ['online', 6042, [4834, 1208, -6042]],
    ] as const
    for (const [type, pence, after] of steps) {
      await price(type, pence)
      const moved = await edit(id, { type, location_id: place[type], customer_id: card })
      expect(moved.body).toMatchObject({ status: 'confirmed', full_fee: pence / 100 })
      expect(await owed()).toEqual(after)
    }
    // A mail about the 30 pence that went back, and none about the pennies that were the platform's.
    const mails = app.db
      .selectFrom('outgoing_mails')
      .select('data')
      .where('template', '=', 'session.refunded')
    expect(await mails.execute()).toHaveLength(1)
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    expect(await owed()).toEqual([0, 0, 0])
  })

  test('a discounted session to a dearer choice gives no more discount to a card that has had one', async () => {
    const [first, second] = [client, client].map(({ referralCode }) => ({ referral_code: referralCode }))
    const other = await createClient(app, first)
    await bookSession(app, { practitioner, client: other, startsAt: later })
    client = await createClient(app, second)
    const own = await saveCard(app, client, cards.alsoSucceeds)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card: own })
    const room = { type: 'face_to_face', location_id: practitioner.locationId, appointment_datetime: monday }
    const theirs = await saveCard(app, client)
    const refused = await edit(id, { ...room, customer_id: theirs, fee: 64 })
    expect(refused.body).toMatchObject({ code: 'price_changed', details: { fee: 68 } })
    expect(await atGateway()).toEqual(['captured 4800 -0', 'captured 4800 -0'])
    const moved = await edit(id, { ...room, customer_id: theirs, fee: 68 })
    expect(moved.body).toMatchObject({ fee: 68, full_fee: 80, discount: 12 })
    expect(await ledger(app)).toEqual({
      gateway_balance: 4800 + 6800,
      practitioner_payable: -6000 - 8000,
      referral_discounts: 1200 + 1200,
    })
    // The session keeps the discount that it had, and no more at a price between the two.
    expect((await edit(id, { appointment_datetime: monday })).body).toMatchObject({ fee: 48, discount: 12 })
    expect((await edit(id, { ...room, customer_id: own, fee: 64 })).body).toMatchObject({ discount: 16 })
    expect(await ledger(app)).toEqual({
      gateway_balance: 4800 + 6400,
      practitioner_payable: -6000 - 8000,
      referral_discounts: 1200 + 1600,
    })
  })

  test('does not restart the 48 hours', async () => {
    await at('2026-06-06T12:00:00Z')
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T13:00:00Z' })
    await at('2026-06-08T11:00:00Z')
    expect((await edit(id, { appointment_datetime: '2026-06-08T15:00:00Z' })).status).toBe(200)
    await at('2026-06-08T12:00:01Z')
    expect((await edit(id, { appointment_datetime: '2026-06-08T16:00:00Z' })).body).toMatchObject({
      code: 'too_late_to_change',
    })
  })
})

test('a session keeps the address of a place that the practitioner has given up', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: monday, type: 'face_to_face' })
  await app.db.updateTable('locations').set({ removed_at: app.clock.now() }).execute()
  const location = { location_name: 'Rosewood House', address: '12 Park Row, Leeds, LS1 5HD' }
  const detail = await app.call('GET', `/appointment/${id}`, { token: client.token })
  expect(detail.body).toMatchObject({ location })
  const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
  expect(upcoming.body).toMatchObject([{ location }])
})

test('a session is completed a day after its end, and not before', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: monday })
  app.clock.set('2026-06-09T09:49:59Z')
  await app.services.bookings.sweep()
  expect(await stateOf(id)).toBe('confirmed')
  app.clock.set('2026-06-09T09:50:00Z')
  await app.services.bookings.sweep()
  expect(await stateOf(id)).toBe('completed')
})

test('no card number or code is stored or logged anywhere', async () => {
  await saveCard(app, client, cards.alsoSucceeds)
  await app.call('POST', '/payment/sandbox/add-new-card', {
    token: client.token,
    headers: { 'idempotency-key': 'card' },
    body: { card_number: '4111111111111111', expiry_month: 12, expiry_year: 2034, cvv_number: '987' },
  })
  const tables = await app.db.introspection.getTables()
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(
      app.db,
    )
    const text = rows.map((row) => row.row).join('\n')
    expect(text, name).not.toContain(cards.alsoSucceeds)
    expect(text, name).not.toContain('4111111111111111')
  }
  expect(app.logged()).not.toContain('4111111111111111')
  expect(app.logged()).not.toContain(cards.alsoSucceeds)
})
