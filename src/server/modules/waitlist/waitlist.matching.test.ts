import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Schedule } from '#contract/availability/schedule.ts'
import { days, hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { reserveDate } from '#test/reserved.ts'
import { agreeSeries } from '#test/series.ts'
import {
  cancelSession,
  entriesOf,
  joinBody,
  joinWaitlist,
  openOffers,
  passMinutes,
  readOffer,
  wantedDay,
  wantedStart,
} from '#test/waitlist.ts'

let app: TestApp
let practitioner: Practitioner
let waiter: Client

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { hours: [10] })
  waiter = await createClient(app)
})
afterEach(async () => app.close())

const joinFor = (start: string, more: Record<string, unknown> = {}) =>
  joinWaitlist(app, waiter, practitioner, {
    earliest: start.slice(0, 10),
    latest: start.slice(0, 10),
    ...more,
  })
const therapist = () => signInPractitioner(app, practitioner)

/** How the hour that a client waits for comes free. Each begins when it is not, and returns its start. */
const causes = {
  async 'the schedule is widened'() {
    const token = await therapist()
    await bookSession(app, { practitioner, client: await createClient(app), startsAt: wantedStart })
    const start = '2026-06-05T10:00:00.000Z'
    await joinFor(start)
    return {
      start,
      async free() {
        const { schedule, version } = (await app.call('GET', '/therapist/schedule', { token }))
          .body as unknown as Schedule
        const wider = schedule.map((day) =>
          day.week_name === 'Fri'
            ? { ...day, online: [...day.online, { timeslot: '11:00', location_id: null }] }
            : day,
        )
        const body = { schedule: wider, version }
        expect((await app.call('POST', '/therapist/setup-schedule', { token, body })).status).toBe(200)
        await passMinutes(app, 3)
      },
    }
  },
  async 'time off is removed'() {
    const token = await therapist()
    const body = { first_day: wantedDay }
    const { time_off_id: id } = (await app.call('POST', '/therapist/time-off', { token, body })).body
    await joinFor(wantedStart)
    return {
      start: wantedStart,
      async free() {
        expect((await app.call('DELETE', `/therapist/time-off/${String(id)}`, { token })).status).toBe(200)
        await passMinutes(app, 3)
      },
    }
  },
  async 'a date of a series is skipped'() {
    const client = await createClient(app)
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: wantedStart })
    const series = await agreeSeries(app, { client, card, session })
    const start = '2026-06-12T09:00:00.000Z'
    await joinFor(start)
    return {
      start,
      async free() {
        const path = `/series/${series.series_id}/dates/2026-06-12/skip`
        const skipped = await app.call('POST', path, { token: client.token })
        expect(skipped.status).toBe(200)
        await passMinutes(app, 3)
      },
    }
  },
  async 'a reserved session is not paid in time'() {
    const client = await createClient(app)
    const card = await saveCard(app, client, cards.insufficientFunds)
    const start = '2026-06-12T09:00:00.000Z'
    await reserveDate(app, { client, practitioner, card }, start)
    await joinFor(start)
    return {
      start,
      async free() {
        for (const before of [hours(48), hours(36), hours(24) + minutes(1)]) {
          app.clock.set(later(new Date(start), -before))
          await app.services.reserved.sweep()
          await passMinutes(app, 0)
          expect(await openOffers(app)).toEqual([])
        }
        app.clock.set(later(new Date(start), -hours(24)))
        await app.services.reserved.sweep()
        await passMinutes(app, 3)
      },
    }
  },
  async 'the day comes within the 60 days that can be booked'() {
    const start = '2026-07-31T09:00:00.000Z'
    expect(later(new Date(start), -days(60) - hours(1))).toEqual(app.clock.now())
    await joinFor(start)
    return {
      start,
      async free() {
        await passMinutes(app, 56)
        expect(await openOffers(app)).toEqual([])
        await passMinutes(app, 1)
      },
    }
  },
}

describe('an hour is offered once to a client who waits for it', () => {
  test.each(Object.keys(causes) as (keyof typeof causes)[])('when %s', async (cause) => {
    const { start, free } = await causes[cause]()
    await passMinutes(app, 3)
    expect(await openOffers(app)).toEqual([])
    await free()
    await passMinutes(app, 1)
    expect(await openOffers(app)).toMatchObject([{ kind: 'turn', starts_at: new Date(start) }])
    const { rows } = await sql<{ state: string; origin: string }>`
      select state, origin from reservations where lower(during) = ${start} and state <> 'released'`.execute(
      app.db,
    )
    expect(rows).toEqual([{ state: 'held', origin: 'offer' }])
  })
})

test('a practitioner who is not listed is looked at once an hour, and leaves their turn to others', async () => {
  await bookSession(app, { practitioner, client: await createClient(app), startsAt: wantedStart })
  await joinFor(wantedStart)
  const lookedAt = async () =>
    (await app.db.selectFrom('waitlist_snapshots').selectAll().executeTakeFirstOrThrow()).taken_at
  const joined = await lookedAt()
  await inTransaction(app.db, (tx) =>
    app.services.practitioners.setSubscribedUntil(tx, practitioner.id, app.clock.now()),
  )
  await passMinutes(app, 61)
  const looked = await lookedAt()
  expect(looked).toEqual(app.clock.now())
  expect(looked.getTime()).toBeGreaterThan(joined.getTime())
  await passMinutes(app, 30)
  expect(await lookedAt()).toEqual(looked)
})

describe('an hour in another time zone', () => {
  test('is matched by the windows of the client, and their night stops the clock of the offer', async () => {
    // 15:00 in London is 10:00 in New York.
    const start = '2026-06-05T14:00:00.000Z'
    const host = await createPractitioner(app, { hours: [15] })
    const holder = await createClient(app)
    const booked = await bookSession(app, { practitioner: host, client: holder, startsAt: start })
    const mornings = { windows: [{ weekdays: [5], from: '09:00', to: '12:00' }] }
    const inLondon = await joinWaitlist(app, waiter, host, mornings)
    const newYorker = await createClient(app)
    const entry = await joinWaitlist(app, newYorker, host, { ...mornings, timezone: 'America/New_York' })
    // 19:57 in New York, an hour and three minutes before the quiet hours.
    app.clock.set('2026-06-01T23:57:00Z')
    expect((await cancelSession(app, await signInAgain(app, holder), booked)).status).toBe(200)
    await passMinutes(app, 3)
    const [offer, ...more] = await openOffers(app)
    expect(more).toEqual([])
    expect(offer).toMatchObject({ entry_id: entry.entry_id, kind: 'turn', starts_at: new Date(start) })
    const back = await signInAgain(app, newYorker)
    // An hour until 21:00 and three from 08:00, on the clocks of New York.
    expect(await readOffer(app, back, String(offer?.id))).toMatchObject({
      timezone: 'America/New_York',
      expires_at: '2026-06-02T15:00:00.000Z',
    })
    const [waiting] = await entriesOf(app, await signInAgain(app, waiter))
    expect(waiting).toMatchObject({ entry_id: inLondon.entry_id, state: 'waiting', offers: [] })
  })
})

describe('an hour goes to the first client whom it suits', () => {
  const services = [
    { service_id: 1, appointment_type: 'online' as const, duration_minutes: 50, fee_pence: 6000 },
    { service_id: 2, appointment_type: 'online' as const, duration_minutes: 80, fee_pence: 9000 },
    { service_id: 1, appointment_type: 'face_to_face' as const, duration_minutes: 50, fee_pence: 8000 },
    { service_id: 2, appointment_type: 'face_to_face' as const, duration_minutes: 80, fee_pence: 9500 },
  ]
  const wishes = {
    online: { service_id: 1, appointment_type: 'online' },
    longer: { service_id: 2, appointment_type: 'online' },
    atTheirPlace: { service_id: 1, appointment_type: 'face_to_face' },
    longerAtTheirPlace: { service_id: 2, appointment_type: 'face_to_face' },
  }

  /** Cancels a session at the wanted hour, from which hours of one format are scheduled, while clients wait in an order. */
  async function offeredAmong(
    waiting: (keyof typeof wishes)[],
    session: { hours: number[]; type: 'online' | 'face_to_face'; serviceId: number },
  ) {
    const host = await createPractitioner(app, { hours: session.hours, services })
    await app.db
      .deleteFrom('weekly_hours')
      .where('practitioner_id', '=', host.id)
      .where('appointment_type', '<>', session.type)
      .execute()
    const holder = await createClient(app)
    const booked = await bookSession(app, {
      practitioner: host,
      client: holder,
      startsAt: wantedStart,
      ...session,
    })
    const places: { client: Client; entryId: string; wish: keyof typeof wishes }[] = []
    for (const wish of waiting) {
      const client = await createClient(app)
      const { entry_id: entryId } = await joinWaitlist(app, client, host, wishes[wish])
      places.push({ client, entryId, wish })
    }
    expect((await cancelSession(app, holder, booked)).status).toBe(200)
    await passMinutes(app, 3)
    const offers = await openOffers(app)
    expect(offers).toMatchObject([{ kind: 'turn', starts_at: new Date(wantedStart) }])
    const seen = []
    for (const { client, entryId, wish } of places) {
      const [entry] = await entriesOf(app, client)
      const isOffered = offers[0]?.entry_id === entryId
      expect(entry?.offers).toHaveLength(isOffered ? 1 : 0)
      seen.push([wish, entry?.state, entry?.place])
    }
    return seen
  }

  test('passing over those who wait for another format or a longer session, who keep their places', async () => {
    const seen = await offeredAmong(['atTheirPlace', 'longer', 'online'], {
      hours: [10],
      type: 'online',
      serviceId: 1,
    })
    expect(seen).toEqual([
      ['atTheirPlace', 'waiting', 1],
      ['longer', 'waiting', 2],
      ['online', 'offered', 3],
    ])
  })

  test('and where a longer one at their place fits, to the client who waits for that', async () => {
    const seen = await offeredAmong(['online', 'longer', 'longerAtTheirPlace', 'atTheirPlace'], {
      hours: [10, 11],
      type: 'face_to_face',
      serviceId: 2,
    })
    expect(seen).toEqual([
      ['online', 'waiting', 1],
      ['longer', 'waiting', 2],
      ['longerAtTheirPlace', 'offered', 3],
      ['atTheirPlace', 'waiting', 4],
    ])
  })
})

describe('a longer session that becomes possible at a start that was free before', () => {
  const lengths = [50, 80].map((duration_minutes, index) => ({
    service_id: index + 1,
    appointment_type: 'online' as const,
    duration_minutes,
    fee_pence: 6000,
  }))
  /** Hours from 10 to 12 of which the second is booked: 50 minutes fit at the first, 80 do not. */
  async function besideASession() {
    const host = await createPractitioner(app, { hours: [10, 11], services: lengths })
    const holder = await createClient(app)
    const second = '2026-06-05T10:00:00.000Z'
    const booked = await bookSession(app, { practitioner: host, client: holder, startsAt: second })
    return { host, cancel: async () => cancelSession(app, await signInAgain(app, holder), booked) }
  }
  const atTen = { windows: [{ weekdays: [5], from: '10:00', to: '10:30' }] }

  test('is offered to the client who waits for one', async () => {
    const { host, cancel } = await besideASession()
    const shorter = await createClient(app)
    // The shorter one is free there and cannot be waited for.
    const refused = await app.call('POST', '/waitlist', {
      token: shorter.token,
      body: joinBody(host, atTen),
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_free'])
    const entry = await joinWaitlist(app, waiter, host, { ...atTen, service_id: 2 })
    await passMinutes(app, 60)
    expect(await openOffers(app)).toEqual([])
    expect((await cancel()).status).toBe(200)
    await passMinutes(app, 3)
    expect(await openOffers(app)).toMatchObject([
      { entry_id: entry.entry_id, kind: 'turn', starts_at: new Date(wantedStart) },
    ])
    const { rows } = await sql<{ minutes: number }>`
      select extract(epoch from upper(during) - lower(during))::int / 60 as minutes from reservations
      where origin = 'offer' and state = 'held'`.execute(app.db)
    expect(rows).toEqual([{ minutes: 80 }])
  })

  test('is not offered to a client who let the shorter one pass', async () => {
    const { host, cancel } = await besideASession()
    const holder = await createClient(app)
    const first = await bookSession(app, { practitioner: host, client: holder, startsAt: wantedStart })
    const entry = await joinWaitlist(app, waiter, host, atTen)
    expect((await cancelSession(app, await signInAgain(app, holder), first)).status).toBe(200)
    await passMinutes(app, 3)
    const [offer] = await openOffers(app)
    expect(offer?.entry_id).toBe(entry.entry_id)
    const { token } = await signInAgain(app, waiter)
    await app.call('POST', `/waitlist/offers/${String(offer?.id)}/decline`, { token })
    // The longest time between rounds: a later offer would begin anew.
    await passMinutes(app, 60)
    expect(await openOffers(app)).toEqual([])
    expect((await cancel()).status).toBe(200)
    await passMinutes(app, 3)
    expect(await openOffers(app)).toEqual([])
  })

  test('is not offered again once it is public', async () => {
    const { host, cancel } = await besideASession()
    await joinWaitlist(app, waiter, host, { ...atTen, service_id: 2 })
    expect((await cancel()).status).toBe(200)
    await passMinutes(app, 3)
    const [offer] = await openOffers(app)
    const token = (await signInAgain(app, waiter)).token
    expect((await app.call('POST', `/waitlist/offers/${String(offer?.id)}/decline`, { token })).status).toBe(
      200,
    )
    for (const passed of [1, 60, 60]) {
      await passMinutes(app, passed)
      expect(await openOffers(app)).toEqual([])
    }
  })
})

test('a practitioner whose subscription has lapsed gets no matching; the places go on once it is renewed', async () => {
  const host = await createPractitioner(app, {
    hours: [10],
    subscribedUntil: new Date('2026-06-02T08:00:00Z'),
  })
  const holder = await createClient(app)
  const booked = await bookSession(app, { practitioner: host, client: holder, startsAt: wantedStart })
  const { entry_id: entryId } = await joinWaitlist(app, waiter, host)
  app.clock.set('2026-06-02T08:00:00Z')
  expect((await cancelSession(app, await signInAgain(app, holder), booked)).status).toBe(200)
  for (const passed of [3, 60, 60]) {
    await passMinutes(app, passed)
    expect(await openOffers(app)).toEqual([])
  }
  expect(await entriesOf(app, await signInAgain(app, waiter))).toMatchObject([
    { entry_id: entryId, state: 'waiting', place: 1, waiting: 1 },
  ])
  await app.db
    .updateTable('practitioners')
    .set({ subscribed_until: new Date('2027-01-01T00:00:00Z') })
    .where('id', '=', host.id)
    .execute()
  await passMinutes(app, 60)
  expect(await openOffers(app)).toMatchObject([
    { entry_id: entryId, kind: 'turn', starts_at: new Date(wantedStart) },
  ])
})

test('two sessions that are cancelled at once leave one job, which runs three minutes later', async () => {
  const host = await createPractitioner(app, { hours: [10, 11] })
  const holder = await createClient(app)
  const sessions = [
    await bookSession(app, { practitioner: host, client: holder, startsAt: wantedStart }),
    await bookSession(app, { practitioner: host, client: holder, startsAt: '2026-06-05T10:00:00.000Z' }),
  ]
  await joinWaitlist(app, waiter, host)
  const jobs = async () => {
    const { rows } = await sql<{ data: unknown; singleton_key: string; start_after: Date }>`
      select data, singleton_key, start_after from pgboss.job where name = 'waitlist.match'`.execute(app.db)
    return rows
  }
  expect(await jobs()).toEqual([])
  const cancelledAt = app.clock.now()
  for (const session of sessions) {
    expect((await cancelSession(app, holder, session)).status).toBe(200)
    app.clock.advance(minutes(1))
  }
  expect(await jobs()).toEqual([
    {
      data: { practitioner_id: host.id },
      singleton_key: String(host.id),
      start_after: later(cancelledAt, minutes(3)),
    },
  ])
})
