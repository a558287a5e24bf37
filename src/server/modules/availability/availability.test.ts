import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
} from '#test/factories.ts'

let app: TestApp
let client: Client

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
})
afterEach(async () => app.close())

type Slot = { starts_at: string; ends_at: string; appointment_type: string; location_id: number | null }

async function slots(practitioner: Practitioner, query: Record<string, string>): Promise<Slot[]> {
  const answer = await app.call(
    'GET',
    `/practitioner/${practitioner.id}/next-available-sessions?${new URLSearchParams(query).toString()}`,
  )
  expect(answer.status).toBe(200)
  return answer.body.slots as unknown as Slot[]
}

/** Tries to book a slot by holding it and releasing the hold. */
async function couldBeBooked(practitioner: Practitioner, slot: Slot): Promise<string> {
  const held = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: slot.appointment_type,
      datetime: slot.starts_at,
      location_id: slot.location_id,
    },
  })
  if (held.status !== 201) return `${held.status} ${String(held.body.code)}`
  await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: held.body.appointment_id },
  })
  return `${held.body.starts_at} to ${held.body.ends_at}`
}

/** The clock changes of 2026 and 2027; Phoenix has none, so it is looked at when New York's clocks change. */
const changes: Record<string, string[]> = {
  'Europe/London': ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2027-04-04', '2027-10-03'],
  'America/Phoenix': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
}

describe.each(Object.entries(changes))('in %s', (zone, dates) => {
  test.each(dates)('the starts around %s are right to the minute, and each can be booked', async (date) => {
    const online = [
      { service_id: 1, appointment_type: 'online' as const, duration_minutes: 60, fee_pence: 6000 },
    ]
    const practitioner = await createPractitioner(app, { timezone: zone, services: online })
    const changeDay = Temporal.PlainDate.from(date)
    const first = changeDay.subtract({ days: 1 })
    app.clock.set(new Date(first.subtract({ days: 3 }).toZonedDateTime(zone).epochMilliseconds))
    client = await signInAgain(app, client)
    const expected = [0, 1, 2].flatMap((day) =>
      Array.from({ length: 14 }, (_, index) => {
        const local = first.add({ days: day }).toPlainDateTime({ hour: 8 + index })
        return new Date(local.toZonedDateTime(zone).epochMilliseconds).toISOString()
      }),
    )
    const offered = await slots(practitioner, { timezone: zone, from: first.toString(), days: '3' })
    expect(offered.map((slot) => slot.starts_at)).toEqual(expected)
    // The whole day of the change, and what lies next to it.
    for (const slot of offered.slice(13, 29))
      expect(await couldBeBooked(practitioner, slot)).toBe(`${slot.starts_at} to ${slot.ends_at}`)
  })
})

test('every slot that is offered can be booked, and no longer is once it has been', async () => {
  const minutes = fc.constantFrom(15, 30, 50, 60, 90, 120, 180, 240)
  const schedule = fc.uniqueArray(fc.integer({ min: 8, max: 21 }), { minLength: 1, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(changes)),
      schedule,
      minutes,
      fc.integer({ min: 0, max: 500 }),
      fc.nat(),
      async (zone, hours, duration, daysAhead, pick) => {
        app.clock.set(new Date(Date.UTC(2026, 2, 1, 6, 30) + daysAhead * 86_400_000))
        client = await signInAgain(app, client)
        const practitioner = await createPractitioner(app, {
          timezone: zone,
          hours,
          services: [
            { service_id: 1, appointment_type: 'online', duration_minutes: duration, fee_pence: 6000 },
          ],
        })
        const query = {
          from: app.clock.now().toISOString().slice(0, 10),
          days: '10',
          service_id: '1',
          timezone: 'UTC',
        }
        const offered = await slots(practitioner, query)
        if (offered.length === 0) return
        const chosen = offered[pick % offered.length] as Slot
        await bookSession(app, { practitioner, client: await createClient(app), startsAt: chosen.starts_at })
        const left = await slots(practitioner, query)
        const clear = offered.filter(
          (slot) => slot.ends_at <= chosen.starts_at || slot.starts_at >= chosen.ends_at,
        )
        expect(left).toEqual(clear)
        const other = left[(pick >> 3) % Math.max(1, left.length)]
        if (other)
          expect(await couldBeBooked(practitioner, other)).toBe(`${other.starts_at} to ${other.ends_at}`)
      },
    ),
    { numRuns: 25 },
  )
})

describe('what a viewer is shown', () => {
  test('is today in their own zone, as texts, unless days are given', async () => {
    const practitioner = await createPractitioner(app, { hours: [9, 10] })
    app.clock.set('2026-06-01T08:30:00Z')
    const today = await app.call('GET', `/practitioner/${practitioner.id}/next-available-sessions`)
    // 09:00 in London was half an hour ago, and 10:00 starts in half an hour: too soon to book.
    expect(today.body).toMatchObject({ free_datetime: [], timezone: 'Europe/London' })
    app.clock.set('2026-06-01T07:00:00Z')
    const earlier = await app.call('GET', `/practitioner/${practitioner.id}/next-available-sessions`)
    expect(earlier.body.free_datetime).toEqual(['2026-06-01 09:00', '2026-06-01 10:00'])
    const tokyo = await app.call(
      'GET',
      `/practitioner/${practitioner.id}/next-available-sessions?timezone=Asia/Tokyo&from=2026-06-02&days=1`,
    )
    expect(tokyo.body.free_datetime).toEqual(['2026-06-02 17:00', '2026-06-02 18:00'])
  })

  test('names the moment from which its first time can no longer be booked', async () => {
    const practitioner = await createPractitioner(app, { hours: [9, 10] })
    await app.db
      .updateTable('practitioners')
      .set({ notice_minutes: 120 })
      .where('id', '=', practitioner.id)
      .execute()
    const times = async () => {
      const { body } = await app.call('GET', `/practitioner/${practitioner.id}/next-available-sessions`)
      return [body.fresh_until, body.free_datetime]
    }
    app.clock.set('2026-06-01T05:00:00Z')
    const [until] = await times()
    expect(until).toBe('2026-06-01T06:00:00.001Z')
    app.clock.set('2026-06-01T06:00:00Z')
    expect(await times()).toEqual([until, ['2026-06-01 09:00', '2026-06-01 10:00']])
    app.clock.set(String(until))
    expect(await times()).toEqual(['2026-06-01T07:00:00.001Z', ['2026-06-01 10:00']])
    app.clock.set('2026-06-01T08:30:00Z')
    expect(await times()).toEqual([null, []])
  })

  test('has room for the length that is asked for, also where the service has another by now', async () => {
    const practitioner = await createPractitioner(app, { hours: [9, 10, 13] })
    const query = { from: '2026-06-02', days: '1', service_id: '1', appointment_type: 'online' }
    const offered = async (length: object) =>
      (await slots(practitioner, { ...query, ...length })).map(({ starts_at, ends_at }) => [
        starts_at.slice(11, 16),
        ends_at.slice(11, 16),
      ])
    expect(await offered({})).toEqual([
      ['08:00', '08:50'],
      ['09:00', '09:50'],
      ['12:00', '12:50'],
    ])
    expect(await offered({ duration_minutes: '90' })).toEqual([['08:00', '09:30']])
    expect(await offered({ service_id: '99', duration_minutes: '90' })).toEqual([])
    for (const length of ['14', '241', 'long'])
      expect(
        (
          await app.call(
            'GET',
            `/practitioner/${practitioner.id}/next-available-sessions?duration_minutes=${length}`,
          )
        ).status,
      ).toBe(422)
  })

  test('leaves out time off and what lies more than sixty days ahead', async () => {
    const practitioner = await createPractitioner(app, { hours: [9] })
    await app.db
      .insertInto('time_off')
      .values({ practitioner_id: practitioner.id, during: '[2026-06-03T00:00:00Z,2026-06-04T00:00:00Z)' })
      .execute()
    const week = await slots(practitioner, { from: '2026-06-02', days: '3', appointment_type: 'online' })
    expect(week.map((slot) => slot.starts_at.slice(0, 10))).toEqual(['2026-06-02', '2026-06-04'])
    expect(await slots(practitioner, { from: '2026-08-02', days: '10' })).toEqual([])
    const off = {
      starts_at: '2026-06-03T08:00:00.000Z',
      ends_at: '',
      appointment_type: 'online',
      location_id: null,
    }
    expect(await couldBeBooked(practitioner, off)).toBe('409 slot_taken')
  })

  test('a viewer gets a 404 for the free times of a practitioner who is not listed', async () => {
    const suspended = await createPractitioner(app, { state: 'suspended' })
    const lapsed = await createPractitioner(app, { subscribedUntil: new Date('2026-05-31T00:00:00Z') })
    for (const { id } of [suspended, lapsed, { id: 999_999 }]) {
      expect((await app.call('GET', `/practitioner/${id}/next-available-sessions`)).status).toBe(404)
    }
  })
})
