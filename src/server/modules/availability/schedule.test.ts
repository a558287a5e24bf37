import { Temporal } from 'temporal-polyfill'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { DayRecord, Schedule, TimeOff } from '#contract/availability/schedule.ts'
import { weekNames } from '#contract/common.ts'
import { hours, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  addPlace,
  bookSession,
  createClient,
  createPractitioner,
  type Practitioner,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'

// Monday 1 June 2026, 09:00 in London.
let app: TestApp
let practitioner: Practitioner
let token: string

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { hours: [9, 10] })
  token = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

type Slots = { timeslot: string; location_id?: number | null }[]
type Days = Partial<Record<(typeof weekNames)[number], { online?: Slots; face_to_face?: Slots }>>

/** Seven records, empty but for those given. */
const week = (days: Days = {}) =>
  weekNames.map((week_name) => ({ week_name, online: [], face_to_face: [], ...days[week_name] }))
const at = (...times: string[]) => times.map((timeslot) => ({ timeslot, location_id: null }))
const post = (path: string, body: unknown, as = token) => app.call('POST', path, { token: as, body })
const put = (path: string, body: unknown) => app.call('PUT', path, { token, body })
const save = (body: unknown) => post('/therapist/setup-schedule', body)
const calendar = async () =>
  (await app.call('GET', '/therapist/get-calendar', { token })).body as unknown as DayRecord[]
const schedule = async (query = '') => {
  const answer = await app.call('GET', `/therapist/schedule${query}`, { token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Schedule
}
const starts = async (query: Record<string, string>, of = practitioner) => {
  const answer = await app.call(
    'GET',
    `/practitioner/${of.id}/next-available-sessions?${new URLSearchParams(query)}`,
  )
  return (answer.body.slots as unknown as { starts_at: string }[]).map((slot) => slot.starts_at)
}
const dayOf = (records: DayRecord[], name: string) => records.find(({ week_name }) => week_name === name)

describe('the weekly schedule', () => {
  test('is kept as it was sent and comes back as seven records in the wire’s own spelling', async () => {
    const sent = week({
      Mon: { online: at('11:00', '09:00') },
      Thr: { face_to_face: [{ timeslot: '14:00', location_id: practitioner.locationId }] },
      Sut: { online: at('21:00'), face_to_face: at('08:00') },
    })
    const answer = await save(sent)
    expect([answer.status, answer.body]).toEqual([200, 'success'])
    const records = await calendar()
    expect(records.map((day) => day.week_name)).toEqual([...weekNames])
    expect(dayOf(records, 'Mon')).toEqual({
      week_name: 'Mon',
      online: at('09:00', '11:00'),
      face_to_face: [],
    })
    expect(dayOf(records, 'Thr')?.face_to_face).toEqual([
      { timeslot: '14:00', location_id: practitioner.locationId },
    ])
    // An hour without a place gets the practitioner's only place.
    expect(dayOf(records, 'Sut')?.face_to_face).toEqual([
      { timeslot: '08:00', location_id: practitioner.locationId },
    ])
    expect(dayOf(records, 'Tue')).toEqual({ week_name: 'Tue', online: [], face_to_face: [] })
    const stored = await app.db
      .selectFrom('weekly_hours')
      .select(['weekday', 'hour'])
      .where('practitioner_id', '=', practitioner.id)
      .orderBy('weekday')
      .orderBy('hour')
      .execute()
    expect(stored.map((row) => `${row.weekday} ${row.hour}`)).toEqual(['1 9', '1 11', '4 14', '6 8', '6 21'])
  })

  test('names the formats whose hours no session fits into', async () => {
    const service = { service_id: 1, appointment_type: 'online', fee_pence: 6000 } as const
    practitioner = await createPractitioner(app, { services: [{ ...service, duration_minutes: 120 }] })
    token = await signInPractitioner(app, practitioner)
    const unfit = async (days: Days) => {
      expect((await save(week(days))).status).toBe(200)
      return (await schedule()).unfit
    }
    expect(await unfit({ Mon: { online: at('10:00', '12:00', '14:00') } })).toEqual(['online'])
    expect(await unfit({ Mon: { online: at('10:00'), face_to_face: at('12:00') } })).toEqual([
      'online',
      'face_to_face',
    ])
    expect(await unfit({ Mon: { online: at('10:00', '11:00'), face_to_face: at('12:00') } })).toEqual([
      'face_to_face',
    ])
    expect(await unfit({ Mon: { online: at('10:00', '11:00') } })).toEqual([])
    expect(await unfit({})).toEqual([])
  })

  test('a save accepts spaces, ranges, unbookable hours and duplicates, as older clients send them', async () => {
    const answer = await save({
      schedule: week({
        Mon: {
          online: at('9 : 00', ' 09:00 — 10', '1 : 00', '22:00', '24:00', '07:00', '21 : 00   ', '10:00:00'),
        },
        Wed: { face_to_face: [...at('12:00'), { timeslot: '12:00', location_id: practitioner.locationId }] },
      }),
    })
    expect(answer.status).toBe(200)
    const records = await calendar()
    expect(dayOf(records, 'Mon')?.online).toEqual(at('09:00', '10:00', '21:00'))
    expect(dayOf(records, 'Wed')?.face_to_face).toHaveLength(1)
  })

  test('a calendar that is read and sent back without its last three characters stays as it is', async () => {
    const cut = (slots: Slots) => slots.map((slot) => ({ ...slot, timeslot: slot.timeslot.slice(0, -3) }))
    await save(week({ Mon: { online: at('09:00', '21:00') }, Wed: { face_to_face: at('12:00') } }))
    const before = await calendar()
    const sent = before.map((day) => ({
      ...day,
      online: cut(day.online),
      face_to_face: cut(day.face_to_face),
    }))
    expect((await save(sent)).body).toBe('success')
    expect(await calendar()).toEqual(before)
    expect((await save(week({ Mon: { online: at('9 : ', '10:') } }))).status).toBe(200)
    expect(dayOf(await calendar(), 'Mon')?.online).toEqual(at('09:00', '10:00'))
  })

  test.each([
    ['half hours', { Mon: { online: at('09:30') } }],
    ['what is no time', { Mon: { online: at('soon') } }],
    ['an hour that no day has', { Mon: { online: at('25:00') } }],
    ['an hour without end', { Mon: { online: at('100') } }],
    ['a part of a half hour', { Mon: { online: at('09:3') } }],
  ])('refuses %s and leaves everything as it was', async (_, days) => {
    const before = await fingerprint(app.db)
    const answer = await save({ schedule: week(days as Days) })
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('refuses fewer than seven days, and a day twice: nothing is emptied by mistake', async () => {
    const before = await fingerprint(app.db)
    const [monday, ...others] = week({ Mon: { online: at('09:00') } })
    for (const body of [others, [], [...others.slice(0, 5), monday, monday]]) {
      expect((await save(body)).status).toBe(422)
      expect((await save({ schedule: body })).status).toBe(422)
    }
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('takes places of their own alone, which they have not given up, and says which hour is wrong', async () => {
    const other = await createPractitioner(app)
    const second = await addPlace(app, practitioner, 'Elm Rooms')
    await app.db
      .updateTable('locations')
      .set({ removed_at: app.clock.now() })
      .where('id', '=', practitioner.locationId)
      .execute()
    await addPlace(app, practitioner, 'Quiet Court')
    const before = await fingerprint(app.db)
    const places: [number | null, string][] = [
      [other.locationId, 'Wednesday, 09:00: choose one of your own places.'],
      [practitioner.locationId, 'Wednesday, 09:00: choose one of your own places.'],
      [2_000_000_000, 'Wednesday, 09:00: choose one of your own places.'],
      [null, 'Wednesday, 09:00: choose where you see people.'],
    ]
    for (const [location_id, words] of places) {
      const answer = await save(week({ Wed: { face_to_face: [{ timeslot: '09:00', location_id }] } }))
      expect([answer.status, answer.body.errors]).toEqual([422, { schedule: [words] }])
    }
    const two = await save(
      week({
        Wed: {
          face_to_face: [
            { timeslot: '09:00', location_id: second },
            { timeslot: '9:00', location_id: practitioner.locationId },
          ],
        },
      }),
    )
    expect(two.body.errors).toEqual({ schedule: ['Wednesday, 09:00: choose one place.'] })
    expect(await fingerprint(app.db)).toEqual(before)
    const own = await save(week({ Wed: { face_to_face: [{ timeslot: '09:00', location_id: second }] } }))
    expect(own.status).toBe(200)
  })

  test('needs a place before it can offer face-to-face hours', async () => {
    await app.db.deleteFrom('weekly_hours').where('practitioner_id', '=', practitioner.id).execute()
    await app.db.deleteFrom('locations').where('practitioner_id', '=', practitioner.id).execute()
    const answer = await save(week({ Mon: { face_to_face: at('09:00') } }))
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Add a place where you see people before you offer face-to-face hours.',
    ])
  })

  test('ignores a place for online hours', async () => {
    await save(week({ Mon: { online: [{ timeslot: '09:00', location_id: practitioner.locationId }] } }))
    expect(dayOf(await calendar(), 'Mon')?.online).toEqual(at('09:00'))
  })

  test('is not overwritten by a window that has not seen the last change', async () => {
    const first = await schedule()
    const body = (hour: string) => ({
      schedule: week({ Mon: { online: at(hour) } }),
      version: first.version,
    })
    expect((await save(body('09:00'))).status).toBe(200)
    const before = await fingerprint(app.db)
    const later = await save(body('15:00'))
    expect([later.status, later.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(later.body.details).toEqual({ version: first.version + 1 })
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await schedule()).version).toBe(first.version + 1)
    expect((await save({ ...body('15:00'), version: first.version + 1 })).status).toBe(200)
    // A save without a version is accepted.
    expect((await save(week())).status).toBe(200)
    expect((await schedule()).version).toBe(first.version + 3)
  })

  test('is the same when it is sent again after its answer was lost', async () => {
    const { version } = await schedule()
    const there = { timeslot: '14:00', location_id: practitioner.locationId }
    const sent = { schedule: week({ Mon: { online: at('11:00', '09:00'), face_to_face: [there] } }), version }
    expect((await save(sent)).status).toBe(200)
    const before = await fingerprint(app.db)
    const again = await save(sent)
    expect([again.status, again.body]).toEqual([200, 'success'])
    expect(await fingerprint(app.db)).toEqual(before)
    const other = { schedule: week({ Mon: { online: at('11:00', '09:00') } }), version }
    expect((await save(other)).status).toBe(409)
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('shows in search and profile on the next request', async () => {
    const find = async (query: string) =>
      (await app.call('GET', `/practitioner/get-practitioners?${query}`)).body as unknown as {
        data: PractitionerCard[]
      }
    const profile = async () => (await app.call('GET', `/practitioner/${practitioner.id}/profile`)).body
    expect((await find('')).data[0]?.next_available.online).toBe('2026-06-01T09:00:00.000Z')
    await save(week({ Thr: { online: at('15:00') } }))
    expect((await find('')).data[0]?.next_available).toEqual({
      online: '2026-06-04T14:00:00.000Z',
      face_to_face: null,
    })
    expect((await profile()).next_available).toEqual({
      online: '2026-06-04T14:00:00.000Z',
      face_to_face: null,
    })
    expect((await find('instant_booking=true&date_from=2026-06-04&date_to=2026-06-04')).data).toHaveLength(1)
    expect((await find('instant_booking=true&date_from=2026-06-02&date_to=2026-06-03')).data).toHaveLength(0)
    await save(week())
    expect((await find('')).data[0]?.next_available).toEqual({ online: null, face_to_face: null })
    expect(await starts({ from: '2026-06-01', days: '7' })).toEqual([])
  })

  test('deleting a place deletes its hours, and a save from a window with the old hours gets a 409', async () => {
    expect((await starts({ appointment_type: 'face_to_face', days: '1' })).length).toBe(1)
    const { version, schedule: shown } = await schedule()
    expect((await post('/therapist/add-location-list', { location_list: [] })).status).toBe(200)
    expect(await starts({ appointment_type: 'face_to_face', days: '1' })).toEqual([])
    expect((await calendar()).flatMap((day) => day.face_to_face)).toEqual([])
    expect((await calendar()).flatMap((day) => day.online)).toHaveLength(14)
    expect((await schedule()).locations).toEqual([])
    const late = await save({ schedule: shown, version })
    expect([late.status, late.body.code]).toEqual([409, 'changed_elsewhere'])
  })
})

describe('booked sessions and a schedule that changes', () => {
  test('stay as they are, and are named where they lie outside it now', async () => {
    const client = await createClient(app, { name: 'Robin Vale' })
    const inside = await bookSession(app, { practitioner, client, startsAt: '2026-06-02T08:00:00Z' })
    const outside = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    const inRoom = await bookSession(app, {
      practitioner,
      client,
      startsAt: '2026-06-04T09:00:00Z',
      type: 'face_to_face',
    })
    expect((await schedule()).outside).toEqual([])
    const before = await rowsOf()
    await save(week({ Tue: { online: at('09:00') }, Thr: { online: at('10:00') } }))
    expect(await rowsOf()).toEqual(before)

    const shown = await schedule()
    expect([shown.week_starts, shown.today, shown.timezone]).toEqual([
      '2026-06-01',
      '2026-06-01',
      'Europe/London',
    ])
    expect(shown.sessions.map((session) => [session.appointment_id, session.outside])).toEqual([
      [inside, null],
      [inRoom, 'hours'],
    ])
    expect(shown.outside.map((session) => session.appointment_id)).toEqual([inRoom, outside])
    expect(shown.sessions[1]).toEqual({
      appointment_id: inRoom,
      booking_type: 'schedule',
      status: 'confirmed',
      starts_at: '2026-06-04T09:00:00.000Z',
      ends_at: '2026-06-04T09:50:00.000Z',
      appointment_type: 'face_to_face',
      service_name: expect.any(String),
      client_name: 'Robin V.',
      client_timezone: null,
      location_name: 'Rosewood House',
      outside: 'hours',
      series_id: null,
      frozen: false,
    })
    const next = await schedule('?from=2026-06-13')
    expect([next.week_starts, next.sessions.map((session) => session.appointment_id)]).toEqual([
      '2026-06-08',
      [outside],
    ])
    // No surname, id or email of the client is sent.
    expect(JSON.stringify(shown)).not.toContain('Vale')
    expect(JSON.stringify(shown)).not.toContain(client.id)
    expect(JSON.stringify(shown)).not.toContain(client.email)
  })

  test('are another practitioner’s business alone', async () => {
    const client = await createClient(app)
    await bookSession(app, { practitioner, client, startsAt: '2026-06-02T08:00:00Z' })
    const other = await signInPractitioner(app, await createPractitioner(app))
    const answer = await app.call('GET', '/therapist/schedule', { token: other })
    expect([answer.status, answer.body.sessions]).toEqual([200, []])
  })

  test('that lie in time off are counted when it is taken, and named', async () => {
    const client = await createClient(app)
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-02T08:00:00Z' })
    const taken = await post('/therapist/time-off', { first_day: '2026-06-02' })
    expect([taken.status, taken.body.booked_sessions]).toEqual([201, 1])
    const shown = await schedule()
    expect(shown.sessions.map((session) => [session.appointment_id, session.outside])).toEqual([
      [id, 'time_off'],
    ])
    expect(shown.time_off).toHaveLength(1)
  })

  const rowsOf = async () => ({
    appointments: await app.db.selectFrom('appointments').selectAll().orderBy('id').execute(),
    reservations: await app.db.selectFrom('reservations').selectAll().orderBy('id').execute(),
    mails: await app.db.selectFrom('outgoing_mails').selectAll().orderBy('id').execute(),
  })
})

describe('time off', () => {
  const list = async () =>
    (await app.call('GET', '/therapist/time-off', { token })).body as unknown as TimeOff[]

  test('by days or hours closes exactly what it says, in the practitioner’s own zone, until it is given up', async () => {
    const newYork = await createPractitioner(app, { timezone: 'America/New_York', hours: [8, 12, 21] })
    token = await signInPractitioner(app, newYork)
    const query = { from: '2026-06-02', days: '4', timezone: 'America/New_York', appointment_type: 'online' }
    const before = await starts(query, newYork)
    expect(before).toHaveLength(12)
    const day = await post('/therapist/time-off', { first_day: '2026-06-03' })
    expect(day.body).toMatchObject({
      first_day: '2026-06-03',
      last_day: '2026-06-03',
      from_time: null,
      to_time: null,
      starts_at: '2026-06-03T04:00:00.000Z',
      ends_at: '2026-06-04T04:00:00.000Z',
    })
    const part = await post('/therapist/time-off', {
      first_day: '2026-06-04',
      last_day: '2026-06-05',
      from_time: '12:30',
      to_time: '08:30',
    })
    expect(part.status).toBe(201)
    const closed = [
      '2026-06-03T12:00:00.000Z',
      '2026-06-03T16:00:00.000Z',
      '2026-06-04T01:00:00.000Z',
      // The session at 12:00 lasts until 12:50, that at 08:00 begins before 08:30.
      '2026-06-04T16:00:00.000Z',
      '2026-06-05T01:00:00.000Z',
      '2026-06-05T12:00:00.000Z',
    ]
    expect(await starts(query, newYork)).toEqual(before.filter((start) => !closed.includes(start)))
    for (const { time_off_id } of await list()) {
      const answer = await app.call('DELETE', `/therapist/time-off/${time_off_id}`, { token })
      expect([answer.status, answer.body]).toEqual([200, 'success'])
    }
    expect(await starts(query, newYork)).toEqual(before)
    expect(await list()).toEqual([])
  })

  test('may overlap other time off; the same again is the same', async () => {
    const first = await post('/therapist/time-off', { first_day: '2026-06-02', last_day: '2026-06-05' })
    const again = await post('/therapist/time-off', { first_day: '2026-06-02', last_day: '2026-06-05' })
    expect(again.body.time_off_id).toBe(first.body.time_off_id)
    expect((await post('/therapist/time-off', { first_day: '2026-06-04' })).status).toBe(201)
    expect((await list()).map((row) => row.first_day)).toEqual(['2026-06-02', '2026-06-04'])
    await app.call('DELETE', `/therapist/time-off/${String(first.body.time_off_id)}`, { token })
    expect((await starts({ from: '2026-06-02', days: '4', appointment_type: 'online' })).length).toBe(6)
  })

  test('of 200 entries is the most, and one of them is still the same when it is sent again', async () => {
    const entry = (index: number) => ({
      first_day: Temporal.PlainDate.from('2026-06-02').add({ days: index }).toString(),
    })
    const during = (index: number) => {
      const { first_day } = entry(index)
      return `[${first_day} 00:00:00+01,${first_day} 12:00:00+01)`
    }
    await app.db
      .insertInto('time_off')
      .values(
        Array.from({ length: 199 }, (_, index) => ({
          practitioner_id: practitioner.id,
          during: during(index),
          timezone: 'Europe/London',
        })),
      )
      .execute()
    const last = await post('/therapist/time-off', entry(199))
    expect(last.status).toBe(201)
    const again = await post('/therapist/time-off', entry(199))
    expect([again.status, again.body.time_off_id]).toEqual([201, last.body.time_off_id])
    const more = await post('/therapist/time-off', entry(200))
    expect([more.status, Object.keys(more.body.errors ?? {})]).toEqual([422, ['first_day']])
    expect(await list()).toHaveLength(200)
  })

  test.each([
    [{ first_day: '2026-05-31' }, 'last_day'],
    [{ first_day: '2026-06-01', from_time: '07:00', to_time: '09:00' }, 'to_time'],
    [{ first_day: '2026-06-03', last_day: '2026-06-02' }, 'last_day'],
    [{ first_day: '2026-06-03', from_time: '12:00', to_time: '12:00' }, 'to_time'],
    [{ first_day: '2026-06-03', from_time: '12:00', to_time: '11:00' }, 'to_time'],
    [{ first_day: '2030-01-01' }, 'last_day'],
    [{ first_day: '9999-12-31' }, 'first_day'],
    [{ first_day: '2026-06-03', last_day: '9999-12-31' }, 'last_day'],
    [{ first_day: '0202-06-01', last_day: '2026-06-03' }, 'first_day'],
    [{ first_day: '2021-05-01', last_day: '2026-06-03' }, 'first_day'],
    [{ first_day: '2026-02-30' }, 'first_day'],
    [{ first_day: '2026-06-03', to_time: '24:30' }, 'to_time'],
  ])('is refused where it is over, empty or far away: %o', async (body, field) => {
    const before = await fingerprint(app.db)
    const answer = await post('/therapist/time-off', body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('of a year that cannot be answered is refused by the database itself', async () => {
    const { id } = await createPractitioner(app)
    for (const during of [
      '[0202-06-01 00:00:00+00,2026-06-03 00:00:00+00)',
      '[2026-06-01 00:00:00+00,9999-12-31 00:00:00+00)',
    ]) {
      const stored = app.db.insertInto('time_off').values({ practitioner_id: id, during }).execute()
      await expect(stored).rejects.toThrow('time_off_during_bounds')
    }
    const born = app.db
      .updateTable('practitioners')
      .set({ date_of_birth: '0202-01-01' })
      .where('id', '=', id)
      .execute()
    await expect(born).rejects.toThrow('practitioners_date_of_birth_bounds')
  })

  test('that has begun can still be taken, and is listed until it is over', async () => {
    // 09:00 in London.
    const answer = await post('/therapist/time-off', { first_day: '2026-06-01', to_time: '09:10' })
    expect(answer.status).toBe(201)
    app.clock.advance(minutes(10))
    expect(await list()).toEqual([])
  })

  test('a practitioner gets a 404 when deleting another one’s time off', async () => {
    const taken = await post('/therapist/time-off', { first_day: '2026-06-03' })
    const other = await signInPractitioner(app, await createPractitioner(app))
    const before = await fingerprint(app.db)
    const path = `/therapist/time-off/${String(taken.body.time_off_id)}`
    const answer = await app.call('DELETE', path, { token: other })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  /** The days on which the clocks change: 23, 25, 23.5 and 24.5 hours long. */
  const changes: [string, string, number][] = [
    ['Europe/London', '2027-03-28', 23],
    ['Europe/London', '2026-10-25', 25],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Australia/Lord_Howe', '2027-04-04', 24.5],
  ]
  test.each(changes)('in %s on %s is a day of %d hours', async (timezone, date, length) => {
    const there = await createPractitioner(app, { timezone })
    app.clock.set(
      new Date(Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds - hours(72)),
    )
    token = await signInPractitioner(app, there)
    const { body } = await post('/therapist/time-off', { first_day: date })
    const [from, to] = [Date.parse(String(body.starts_at)), Date.parse(String(body.ends_at))]
    expect((to - from) / hours(1)).toBe(length)
    expect([body.first_day, body.last_day, body.from_time, body.to_time]).toEqual([date, date, null, null])
    const shown = await starts({ from: date, days: '1', timezone, appointment_type: 'online' }, there)
    expect(shown).toEqual([])
  })

  test('over the hour that happens twice holds for both, and one that does not exist begins after it', async () => {
    const autumn = await post('/therapist/time-off', {
      first_day: '2026-10-25',
      from_time: '01:30',
      to_time: '01:45',
    })
    expect([autumn.body.starts_at, autumn.body.ends_at]).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:45:00.000Z',
    ])
    const spring = await post('/therapist/time-off', {
      first_day: '2027-03-28',
      from_time: '01:30',
      to_time: '03:00',
    })
    expect([spring.body.starts_at, spring.body.from_time]).toEqual(['2027-03-28T01:00:00.000Z', '02:00'])
  })

  test('means the same days and hours after a move to another zone', async () => {
    await post('/therapist/time-off', { first_day: '2026-06-03' })
    await post('/therapist/time-off', { first_day: '2026-06-05', from_time: '12:00', to_time: '14:00' })
    await app.db
      .updateTable('practitioners')
      .set({ timezone: 'America/New_York' })
      .where('id', '=', practitioner.id)
      .execute()
    await inTransaction(app.db, (tx) =>
      app.services.practitioners.setSubscribedUntil(tx, practitioner.id, new Date('2099-01-01T00:00:00Z')),
    )
    expect((await list()).map((row) => [row.first_day, row.from_time, row.to_time, row.starts_at])).toEqual([
      ['2026-06-03', null, null, '2026-06-03T04:00:00.000Z'],
      ['2026-06-05', '12:00', '14:00', '2026-06-05T16:00:00.000Z'],
    ])
  })

  test('shows in the search at once', async () => {
    const find = async () => {
      const { body } = await app.call('GET', '/practitioner/get-practitioners')
      return (body.data as unknown as PractitionerCard[])[0]?.next_available.online
    }
    expect(await find()).toBe('2026-06-01T09:00:00.000Z')
    const taken = await post('/therapist/time-off', { first_day: '2026-06-01', last_day: '2026-06-07' })
    expect(await find()).toBe('2026-06-08T08:00:00.000Z')
    await app.call('DELETE', `/therapist/time-off/${String(taken.body.time_off_id)}`, { token })
    expect(await find()).toBe('2026-06-01T09:00:00.000Z')
  })
})

describe('notice', () => {
  test('keeps sessions from being booked too soon, to the minute, in slots, booking and search', async () => {
    const client = await createClient(app)
    expect((await put('/therapist/booking-rules', { notice_minutes: 25 * 60 })).body).toEqual({
      notice_minutes: 1500,
      pause_minutes: 0,
      series_rule: 'open',
      waitlist: 'open',
    })
    // Monday 09:00: tomorrow at 10:00 is exactly 25 hours away.
    const tomorrow = '2026-06-02T09:00:00.000Z'
    const query = { from: '2026-06-01', days: '2', appointment_type: 'online' }
    expect(await starts(query)).toEqual([tomorrow])
    const find = await app.call('GET', '/practitioner/get-practitioners')
    expect((find.body.data as unknown as PractitionerCard[])[0]?.next_available.online).toBe(tomorrow)
    const hold = (datetime: string) =>
      post(
        '/appointment/create-session',
        {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime,
        },
        client.token,
      )
    expect((await hold('2026-06-02T08:00:00Z')).body.code).toBe('slot_not_offered')
    app.clock.advance(1)
    expect((await hold(tomorrow)).body.code).toBe('slot_not_offered')
    expect(await starts(query)).toEqual([])
    const later = await app.call('GET', '/practitioner/get-practitioners')
    expect((later.body.data as unknown as PractitionerCard[])[0]?.next_available.online).toBe(
      '2026-06-03T08:00:00.000Z',
    )
    await put('/therapist/booking-rules', { notice_minutes: 60 })
    expect((await hold(tomorrow)).status).toBe(201)
  })

  test('does not lengthen the sixty days ahead', async () => {
    await put('/therapist/booking-rules', { notice_minutes: 10_080 })
    const shown = await starts({ from: '2026-07-30', days: '7', appointment_type: 'online' })
    // 1 June, 09:00 + 1 hour + 60 days: 31 July, 10:00 is the first that is too far away.
    expect(shown.at(-1)).toBe('2026-07-31T08:00:00.000Z')
  })

  test.each([
    { notice_minutes: 59 },
    { notice_minutes: 10_081 },
    { pause_minutes: -1 },
    { pause_minutes: 61 },
    { pause_minutes: 7.5 },
  ])('and pause have their bounds: %o', async (body) => {
    const before = await fingerprint(app.db)
    expect((await put('/therapist/booking-rules', body)).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

test('notice and pause are not overwritten by a window that has not seen the last change', async () => {
  const seen = { notice_minutes: 60, pause_minutes: 0 }
  expect((await put('/therapist/booking-rules', { notice_minutes: 120, seen })).status).toBe(200)
  const before = await fingerprint(app.db)
  const later = await put('/therapist/booking-rules', { notice_minutes: 240, pause_minutes: 15, seen })
  expect([later.status, later.body.code]).toEqual([409, 'changed_elsewhere'])
  expect(await fingerprint(app.db)).toEqual(before)
  // Of what this window leaves alone, nothing is lost; the same change twice is no quarrel.
  const both = { notice_minutes: 120, pause_minutes: 15, series_rule: 'open', waitlist: 'open' }
  expect((await put('/therapist/booking-rules', { pause_minutes: 15, seen })).body).toEqual(both)
  expect((await put('/therapist/booking-rules', { notice_minutes: 120, seen })).body).toEqual(both)
  expect((await put('/therapist/booking-rules', { notice_minutes: 240, seen: both })).status).toBe(200)
})

describe('a pause between sessions', () => {
  const online = { from: '2026-06-02', days: '1', appointment_type: 'online' }

  test('is kept free after and before another session', async () => {
    await save(week({ Tue: { online: at('09:00', '10:00', '11:00', '12:00', '13:00') } }))
    const client = await createClient(app)
    // Sessions last 50 minutes: ten minutes are left as it is.
    await bookSession(app, { practitioner, client, startsAt: '2026-06-02T10:00:00Z' })
    const times = ['08', '09', '11', '12'].map((hour) => `2026-06-02T${hour}:00:00.000Z`)
    expect(await starts(online)).toEqual(times)
    await put('/therapist/booking-rules', { pause_minutes: 10 })
    expect(await starts(online)).toEqual(times)
    await put('/therapist/booking-rules', { pause_minutes: 15 })
    // 09:00 in UTC would end ten minutes before it, 11:00 begin ten minutes after it.
    expect(await starts(online)).toEqual([times[0], times[3]])
    const other = await createClient(app)
    const refused = await post(
      '/appointment/create-session',
      {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: times[1],
      },
      other.token,
    )
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    expect(await app.db.selectFrom('reservations').select('id').execute()).toHaveLength(1)
  })

  test('that grows shorter again frees the time around what is booked', async () => {
    await save(week({ Tue: { online: at('09:00', '10:00', '11:00') } }))
    await put('/therapist/booking-rules', { pause_minutes: 60 })
    await bookSession(app, {
      practitioner,
      client: await createClient(app),
      startsAt: '2026-06-02T08:00:00Z',
    })
    expect(await starts(online)).toEqual(['2026-06-02T10:00:00.000Z'])
    await put('/therapist/booking-rules', { pause_minutes: 0 })
    expect(await starts(online)).toEqual(['2026-06-02T09:00:00.000Z', '2026-06-02T10:00:00.000Z'])
    await bookSession(app, {
      practitioner,
      client: await createClient(app),
      startsAt: '2026-06-02T09:00:00Z',
    })
  })

  test('does not keep a session from being moved to beside where it is now', async () => {
    await save(week({ Tue: { online: at('09:00', '10:00') } }))
    await put('/therapist/booking-rules', { pause_minutes: 60 })
    const client = await createClient(app)
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-02T08:00:00Z' })
    const moved = await post(
      '/appointment/edit-session',
      { appointment_id: id, type: 'online', appointment_datetime: '2026-06-02T09:00:00Z' },
      client.token,
    )
    expect([moved.status, moved.body.starts_at]).toEqual([200, '2026-06-02T09:00:00.000Z'])
  })

  test('is not needed around time off', async () => {
    await save(week({ Tue: { online: at('09:00', '10:00', '11:00') } }))
    await put('/therapist/booking-rules', { pause_minutes: 30 })
    await post('/therapist/time-off', { first_day: '2026-06-02', from_time: '10:00', to_time: '11:00' })
    expect(await starts(online)).toEqual(['2026-06-02T08:00:00.000Z', '2026-06-02T10:00:00.000Z'])
  })
})

describe('being available now', () => {
  const read = async () => (await app.call('GET', '/therapist/available-now', { token })).body

  test('ends by itself, after two hours unless said otherwise', async () => {
    expect(await read()).toEqual({ available: false, until: null, listed: true })
    const on = await put('/therapist/available-now', { available: true })
    expect(on.body).toEqual({ available: true, until: '2026-06-01T10:00:00.000Z', listed: true })
    app.clock.advance(minutes(10))
    const longer = await put('/therapist/available-now', {
      available: true,
      until: '2026-06-01T10:00:00+01:00',
    })
    expect(longer.body.until).toBe('2026-06-01T09:00:00.000Z')
    app.clock.set('2026-06-01T08:59:59Z')
    token = await signInPractitioner(app, practitioner)
    expect(await read()).toMatchObject({ available: true })
    app.clock.advance(1000)
    expect(await read()).toEqual({ available: false, until: null, listed: true })
  })

  test('ends when it is switched off', async () => {
    await put('/therapist/available-now', { available: true })
    expect((await put('/therapist/available-now', { available: false })).body.available).toBe(false)
    const row = await app.db
      .selectFrom('practitioners')
      .select('available_now_until')
      .where('id', '=', practitioner.id)
      .executeTakeFirstOrThrow()
    expect(row.available_now_until).toBeNull()
  })

  test('is refused for a time that is over or far away', async () => {
    const before = await fingerprint(app.db)
    for (const until of ['2026-06-01T08:00:00Z', '2026-06-01T20:00:01Z']) {
      const answer = await put('/therapist/available-now', { available: true, until })
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['until']])
    }
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('says when clients cannot find them', async () => {
    const lapsed = await createPractitioner(app, { subscribedUntil: null })
    token = await signInPractitioner(app, lapsed)
    expect((await put('/therapist/available-now', { available: true })).body).toMatchObject({
      available: true,
      listed: false,
    })
  })
})
