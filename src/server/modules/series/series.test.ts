import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Series, SeriesPreview } from '#contract/series/series.ts'
import { days, later } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  blockInChat,
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  password,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { backOfficeAs } from '#test/vetting.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let card: string
let therapist: string
/** A session on Tuesday 9 June at 10:00 in London. */
let session: string

beforeEach(async () => {
  app = await buildTestApp({ rateLimitScale: 1_000 })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  card = await saveCard(app, client)
  session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
  therapist = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const post = (path: string, body: object = {}, token = client.token) =>
  app.call('POST', path, { token, body })
const seriesIn = (answer: Answer): Series => {
  expect([answer.status, answer.body.message]).toEqual([answer.status < 300 ? answer.status : 200, undefined])
  return (answer.body as unknown as { data: Series }).data
}

async function propose(body: object = {}): Promise<Series> {
  return seriesIn(await post('/series', { appointment_id: session, ...body }))
}

async function agree(series: Series, choices: object[] = [], customer = card): Promise<Answer> {
  return post(`/series/${series.series_id}/agree`, {
    customer_id: customer,
    terms_version: series.terms?.version,
    dates: choices,
  })
}

const setZone = (id: string, client_timezone: string | null) =>
  app.db.updateTable('appointments').set({ client_timezone }).where('id', '=', id).execute()

/** The clocks of the client of each reserved session, in order of time. */
async function zonesOf({ series_id }: Series): Promise<(string | null)[]> {
  const rows = await app.db
    .selectFrom('appointments')
    .select('client_timezone')
    .where('series_id', '=', series_id)
    .where('state', '=', 'reserved')
    .orderBy('starts_at')
    .execute()
  return rows.map((row) => row.client_timezone)
}

/** What a client agrees to, as the page sends it. */
const shownOf = ({
  first_on,
  rhythm,
  service_id,
  appointment_type,
  location,
  fee,
}: SeriesPreview | Series) => ({
  first_on,
  every_weeks: rhythm.every_weeks,
  duration_minutes: rhythm.duration_minutes,
  service_id,
  appointment_type,
  location_id: location?.location_id ?? null,
  fee,
})

/** A weekly series on Tuesdays at 10:00 that the client has agreed to. */
async function agreed(body: object = {}): Promise<Series> {
  return seriesIn(await agree(await propose(body)))
}

const read = async (id: string, token = client.token) =>
  seriesIn(await app.call('GET', `/series/${id}`, { token }))
const appointments = () =>
  app.db
    .selectFrom('appointments')
    .select(['id', 'state', 'starts_at', 'cancel_code', 'fee_pence', 'payment_method_id'])
    .where('series_id', 'is not', null)
    .orderBy('starts_at')
    .execute()
const reservedStarts = async () =>
  (await appointments())
    .filter(({ state }) => state === 'reserved')
    .map(({ starts_at }) => starts_at?.toISOString())
const templates = async () =>
  (
    await app.db
      .selectFrom('outgoing_mails')
      .select(['template', 'recipient'])
      .orderBy('created_at')
      .orderBy('template')
      .orderBy('recipient')
      .execute()
  )
    .filter(({ template }) => template.startsWith('series.'))
    .map(({ template, recipient }) => `${template} ${recipient}`)

const verifyAddresses = () =>
  app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()

async function moveTo(now: Date): Promise<void> {
  app.clock.set(now)
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
}

/** The money of the session on 16 June is taken, 48 hours before it starts. */
async function payFirst(): Promise<void> {
  await moveTo(new Date('2026-06-14T09:00:00Z'))
  await app.services.reserved.sweep()
  expect(await ledger(app)).toEqual(twoSessions)
}
/** The session that the series began from, and one of the series. */
const twoSessions = { gateway_balance: 12_000, practitioner_payable: -12_000 }
const statesOf = async (start: string) =>
  (await appointments())
    .filter(({ starts_at }) => starts_at?.toISOString() === start)
    .map(({ state }) => state)

test('the client of a series in person reads the district until a session is paid, the practitioner the address', async () => {
  const [district, full] = ['Leeds, LS1', '12 Park Row, Leeds, LS1 5HD']
  const addressFor = async (token: string) => (await read(series_id, token)).location?.address
  const inPerson = { appointment_type: 'face_to_face', location_id: practitioner.locationId }
  const { series_id } = await agreed(inPerson)
  expect([await addressFor(client.token), await addressFor(therapist)]).toEqual([district, full])
  await moveTo(new Date('2026-06-14T09:00:00Z'))
  await app.services.reserved.sweep()
  expect(await addressFor(client.token)).toBe(full)
})

describe('a client with whom the chat is blocked', () => {
  test('neither asks for a series nor agrees to one where the practitioner blocked them, and nothing is reserved', async () => {
    const series = await propose()
    const unblock = await blockInChat(app, { client, practitioner, by: 'practitioner' })
    for (const refused of [
      await agree(series),
      await post('/series', { appointment_id: session, start: '14:00' }),
      await post('/series/preview', { appointment_id: session, start: '14:00' }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      expect(refused.body.message).not.toMatch(/block/i)
    }
    expect(await read(series.series_id)).toMatchObject({ state: 'proposed' })
    expect([await appointments(), await templates()]).toEqual([[], []])
    await unblock()
    expect((await agree(series)).status).toBe(200)
  })

  test.each(['client', 'practitioner'] as const)(
    'is proposed no series where the %s has blocked the other',
    async (by) => {
      const unblock = await blockInChat(app, { client, practitioner, by })
      const refused = await post('/therapist/series', { appointment_id: session }, therapist)
      expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
      expect([await app.db.selectFrom('session_series').select('id').execute(), await templates()]).toEqual([
        [],
        [],
      ])
      await unblock()
      expect((await post('/therapist/series', { appointment_id: session }, therapist)).status).toBe(201)
    },
  )

  test('does not change the hour of their series where the practitioner blocked them, and keeps it as it is', async () => {
    const { series_id } = await agreed()
    const before = await reservedStarts()
    const body = { from: '2026-06-30', weekday: 4, start: '14:00' }
    const unblock = await blockInChat(app, { client, practitioner, by: 'practitioner' })
    for (const path of ['change-preview', 'change']) {
      const refused = await post(`/series/${series_id}/${path}`, body)
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      expect(refused.body.message).not.toMatch(/block/i)
    }
    expect(await read(series_id)).toMatchObject({ state: 'active', rhythm: { weekday: 2, start: '10:00' } })
    expect(await reservedStarts()).toEqual(before)
    await unblock()
    expect((await post(`/series/${series_id}/change`, body)).status).toBe(200)
  })

  test('keeps the series that was agreed before; one who has blocked the practitioner may still agree', async () => {
    await blockInChat(app, { client, practitioner, by: 'client' })
    const { series_id } = await agreed()
    const before = await reservedStarts()
    await blockInChat(app, { client, practitioner, by: 'practitioner' })
    expect(await read(series_id)).toMatchObject({ state: 'active' })
    expect(await reservedStarts()).toEqual(before)
  })
})

describe('a preview', () => {
  test('shows the next ten dates of a session’s hour with price, payment and terms, and makes nothing', async () => {
    const answer = await post('/series/preview', { appointment_id: session })
    expect(answer.status).toBe(200)
    const preview = answer.body as unknown as SeriesPreview
    expect(preview.rhythm).toEqual({
      weekday: 2,
      start: '10:00',
      every_weeks: 1,
      duration_minutes: 50,
      timezone: 'Europe/London',
    })
    expect(preview.dates.map(({ on_date }) => on_date)).toEqual([
      '2026-06-16',
      '2026-06-23',
      '2026-06-30',
      '2026-07-07',
      '2026-07-14',
      '2026-07-21',
      '2026-07-28',
      '2026-08-04',
      '2026-08-11',
      '2026-08-18',
    ])
    expect(preview.dates[0]).toMatchObject({
      state: 'free',
      starts_at: '2026-06-16T09:00:00.000Z',
      pay_at: '2026-06-14T09:00:00.000Z',
      fee: 60,
      conflict: null,
    })
    // The clock of the tests stands at 1 June: the last two begin more than seventy days from then.
    expect(preview.dates.at(-1)).toMatchObject({ state: 'later' })
    expect(preview.dates.at(-1)?.reserved_from).toBe('2026-06-09')
    expect(preview.terms.text.length).toBeGreaterThan(3)
    expect(await app.db.selectFrom('session_series').select('id').execute()).toEqual([])
    expect(await appointments()).toEqual([])
  })

  test.each([
    [2, ['2026-06-23', '2026-07-07']],
    [4, ['2026-07-07', '2026-08-04']],
  ])('of every %i weeks goes on in the rhythm of the session', async (every_weeks, expected) => {
    const firstTwo = async (body: object) => {
      const answer = await post('/series/preview', { appointment_id: session, every_weeks, ...body })
      return (answer.body as unknown as SeriesPreview).dates.slice(0, 2).map(({ on_date }) => on_date)
    }
    expect(await firstTwo({})).toEqual(expected)
    const [first] = await firstTwo({ weekday: 4 })
    expect(first).toBe('2026-06-11')
    await moveTo(new Date('2026-07-01T08:00:00Z'))
    expect((await firstTwo({}))[0]).toBe('2026-07-07')
  })

  test('names what is in the way of a date, with the three nearest free times of its week', async () => {
    const other = await createClient(app)
    await bookSession(app, {
      practitioner,
      client: other,
      card: await saveCard(app, other),
      startsAt: '2026-06-16T09:00:00Z',
    })
    const { body } = await post('/series/preview', { appointment_id: session })
    const [first] = (body as unknown as SeriesPreview).dates
    expect(first).toMatchObject({ state: 'conflict', conflict: { cause: 'taken' } })
    expect(first?.conflict?.alternatives.map(({ starts_at }) => starts_at)).toEqual([
      '2026-06-16T08:00:00.000Z',
      '2026-06-16T10:00:00.000Z',
      '2026-06-16T07:00:00.000Z',
    ])
  })
})

describe('a preview of dates that are not free', () => {
  test('names the conflict of a later date that is known today', async () => {
    await app.call('POST', '/therapist/time-off', { token: therapist, body: { first_day: '2026-08-18' } })
    const { body } = await post('/series/preview', { appointment_id: session })
    const last = (body as unknown as SeriesPreview).dates.at(-1)
    expect(last).toMatchObject({
      on_date: '2026-08-18',
      state: 'later',
      reserved_from: '2026-06-09',
      conflict: { cause: 'time_off' },
    })
    expect(last?.conflict?.alternatives).toHaveLength(3)
  })

  test('names the sessions of the client with another practitioner', async () => {
    await agreed()
    const other = await createPractitioner(app)
    const wanted = {
      practitioner_id: other.id,
      service_id: 1,
      appointment_type: 'online',
      weekday: 2,
      start: '10:00',
      first_on: '2026-06-16',
    }
    const { body } = await post('/series/preview', wanted)
    const { dates } = body as unknown as SeriesPreview
    expect(dates.map(({ conflict }) => conflict?.cause)).toEqual([
      ...Array<string>(8).fill('own_session'),
      undefined,
      undefined,
    ])
    expect(dates[0]?.state).toBe('conflict')
  })
})

describe('agreeing', () => {
  test('reserves the dates of the next seventy days, takes no money and writes one mail to each', async () => {
    await verifyAddresses()
    const series = await agreed()
    expect(series).toMatchObject({ state: 'active', card: { customer_id: card } })
    expect(await reservedStarts()).toHaveLength(8)
    await app.queue.drain()
    expect(await reservedStarts()).toEqual(
      Array.from({ length: 8 }, (_, week) =>
        later(new Date('2026-06-16T09:00:00Z'), days(7 * week)).toISOString(),
      ),
    )
    expect(series.dates.map(({ state }) => state)).toEqual([...Array(8).fill('planned'), 'later', 'later'])
    expect(await templates()).toEqual(['series.agreed client', 'series.agreed practitioner'])
    const mails = app
      .mails()
      .map(readMail)
      .filter(({ messageId }) => messageId.startsWith('<series-'))
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([client.email, practitioner.email]))
    for (const { text } of mails) {
      expect(text).toContain('Next: Tuesday 16 June 2026 at 10:00\nTuesday 23 June 2026 at 10:00\n')
      expect(text.match(/Tuesday \d+ \w+ 2026 at 10:00/g)).toHaveLength(8)
    }
    // The payment of the session that the series began from.
    expect((await app.db.selectFrom('payment_intents').select('id').execute()).length).toBe(1)
    const consents = await app.db.selectFrom('consents').selectAll().execute()
    expect(consents).toMatchObject([{ account_id: client.id, scope: 'series', subject: series.series_id }])
    await moveTo(later(new Date('2026-06-01T08:00:00Z'), days(7)))
    await app.services.series.sweep()
    expect(await reservedStarts()).toHaveLength(9)
  })

  test('gives each session the clocks that the client booked by, not those of the practitioner', async () => {
    await setZone(session, 'Asia/Tokyo')
    const series = await agreed()
    await post(`/series/${series.series_id}/dates/2026-06-23/skip`)
    await post(`/series/${series.series_id}/dates/2026-06-23/restore`)
    expect(await zonesOf(series)).toEqual(Array(8).fill('Asia/Tokyo'))

    // Those of the booking that was made last; without one, those of the series.
    await setZone(session, null)
    await moveTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    expect(await zonesOf(series)).toEqual([...Array(8).fill('Asia/Tokyo'), 'Europe/London'])
  })

  test('adds one event for each session to the calendar feed, and no rule', async () => {
    await agreed()
    const { url } = (await post('/therapist/calendar-feed', {}, therapist)).body
    const feed = await app.app.inject(new URL(String(url)).pathname)
    const lines = feed.body.split('\r\n')
    // The session that the series began from, and its eight reserved dates.
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(9)
    expect(new Set(lines.filter((line) => line.startsWith('UID:'))).size).toBe(9)
    expect(lines.filter((line) => line === 'STATUS:TENTATIVE')).toHaveLength(8)
    expect(feed.body).not.toContain('RRULE')
  })

  test('twice, or by an old link, doubles nothing', async () => {
    const first = await propose()
    const again = await propose()
    expect(again.series_id).toBe(first.series_id)
    await agree(first)
    expect(seriesIn(await agree(first)).state).toBe('active')
    expect((await propose()).series_id).toBe(first.series_id)
    await app.queue.drain()
    expect(await reservedStarts()).toHaveLength(8)
    expect(await templates()).toHaveLength(2)
  })

  test('is found by another press, although it holds every date itself', async () => {
    await moveTo(new Date('2026-06-10T08:00:00Z'))
    const { series_id } = await agreed()
    expect(await reservedStarts()).toHaveLength(10)
    expect((await propose()).series_id).toBe(series_id)
  })

  test('to another series than the one that was shown is refused, and reserves nothing', async () => {
    const series = await propose({ every_weeks: 2 })
    const preview = await post('/series/preview', { appointment_id: session })
    const weekly = shownOf(preview.body as unknown as SeriesPreview)
    const shown = shownOf(series)
    const others = [
      weekly,
      { ...shown, fee: shown.fee - 1 },
      { ...shown, first_on: '2026-06-30' },
      { ...shown, duration_minutes: 80 },
      { ...shown, service_id: shown.service_id + 1 },
      { ...shown, appointment_type: 'face_to_face' },
      { ...shown, location_id: practitioner.locationId },
    ]
    const body = { customer_id: card, terms_version: series.terms?.version }
    for (const other of others) {
      const refused = await post(`/series/${series.series_id}/agree`, { ...body, shown: other })
      expect([other, refused.status, refused.body.code]).toEqual([other, 409, 'changed_elsewhere'])
    }
    expect((await read(series.series_id)).state).toBe('proposed')
    expect([await appointments(), await templates()]).toEqual([[], []])
    const right = await post(`/series/${series.series_id}/agree`, { ...body, shown })
    expect(seriesIn(right).state).toBe('active')
    // Repeated, it changes nothing; what was shown in another tab is not agreed to by it.
    const again = await post(`/series/${series.series_id}/agree`, { ...body, shown })
    expect(seriesIn(again).state).toBe('active')
    const late = await post(`/series/${series.series_id}/agree`, { ...body, shown: weekly })
    expect([late.status, late.body.code]).toEqual([409, 'changed_elsewhere'])
  })

  test('resolves conflicts by skipping or another time, and is refused with all of them otherwise', async () => {
    const other = await createClient(app)
    const theirs = await saveCard(app, other)
    for (const startsAt of ['2026-06-16T09:00:00Z', '2026-06-23T09:00:00Z']) {
      await bookSession(app, { practitioner, client: other, card: theirs, startsAt })
    }
    const series = await propose()
    const refused = await agree(series)
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
    const { conflicts } = refused.body.details as unknown as {
      conflicts: { on_date: string; alternatives: object[] }[]
    }
    expect(conflicts.map(({ on_date }) => on_date)).toEqual(['2026-06-16', '2026-06-23'])
    expect(conflicts.every(({ alternatives }) => alternatives.length === 3)).toBe(true)
    expect(await appointments()).toEqual([])
    expect(await app.db.selectFrom('series_dates').selectAll().execute()).toEqual([])
    const resolved = seriesIn(
      await agree(series, [
        { on_date: '2026-06-16', action: 'skip' },
        { on_date: '2026-06-23', action: 'move', starts_at: '2026-06-24T09:00:00Z' },
      ]),
    )
    expect(resolved.dates.slice(0, 3).map(({ state, starts_at }) => [state, starts_at])).toEqual([
      ['skipped', '2026-06-16T09:00:00.000Z'],
      ['moved', '2026-06-24T09:00:00.000Z'],
      ['planned', '2026-06-30T09:00:00.000Z'],
    ])
    expect(await reservedStarts()).toHaveLength(7)
  })

  test('takes a saved card of the client, and the terms that were read', async () => {
    const series = await propose()
    const path = `/series/${series.series_id}/agree`
    const once = await app.call('POST', '/payment/sandbox/add-new-card', {
      token: client.token,
      body: {
        card_number: '5555555555554444',
        expiry_month: 12,
        expiry_year: 2034,
        cvv_number: '123',
        remember: false,
      },
    })
    const single = await agree(series, [], String(once.body.customer_id))
    expect([single.status, Object.keys(single.body.errors ?? {})]).toEqual([422, ['customer_id']])
    const stranger = await createClient(app)
    const foreign = await agree(series, [], await saveCard(app, stranger))
    expect(foreign.status).toBe(404)
    const old = await post(path, { customer_id: card, terms_version: 'series-2020-01' })
    expect([old.status, old.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(await appointments()).toEqual([])
    expect(await app.db.selectFrom('consents').selectAll().execute()).toEqual([])
  })

  test('is refused once the proposal has run out, and both get a mail', async () => {
    const series = await propose()
    await moveTo(later(app.clock.now(), days(7)))
    const late = await agree(series)
    expect([late.status, late.body.code]).toEqual([409, 'series_over'])
    await app.services.series.sweep()
    expect(await read(series.series_id)).toMatchObject({
      state: 'ended',
      ended: { by: 'system', cause: 'not_answered' },
    })
    expect(await templates()).toEqual(['series.declined client', 'series.declined practitioner'])
    expect(await appointments()).toEqual([])
  })

  test('waits for a practitioner who wants to be asked, and is not offered by one who keeps no hours', async () => {
    const rule = (series_rule: string) =>
      app.call('PUT', '/therapist/booking-rules', { token: therapist, body: { series_rule } })
    expect((await rule('ask')).body.series_rule).toBe('ask')
    const series = await propose()
    expect(series).toMatchObject({ waits_for: 'practitioner', can: { agree: false } })
    const early = await agree(series)
    expect([early.status, early.body.code]).toEqual([409, 'not_changeable'])
    const accepted = seriesIn(await post(`/therapist/series/${series.series_id}/accept`, {}, therapist))
    expect(accepted).toMatchObject({ waits_for: 'client', client_name: 'Alex M.' })
    expect(seriesIn(await agree(series)).state).toBe('active')
    expect(await templates()).toEqual([
      'series.accepted client',
      'series.agreed client',
      'series.agreed practitioner',
      'series.asked practitioner',
    ])
    await rule('closed')
    const refused = await post('/series', { appointment_id: session, start: '12:00' })
    expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
  })

  test('from a session that was cancelled, or is not paid, is refused to either', async () => {
    const series = await agreed()
    const unpaid = series.dates[0]?.appointment_id
    await post('/appointment/cancel-session', { appointment_id: session })
    for (const appointment_id of [session, unpaid]) {
      for (const [path, token] of [
        ['/series', client.token],
        ['/series/preview', client.token],
        ['/therapist/series', therapist],
      ] as const) {
        const refused = await post(path, { appointment_id, start: '12:00' }, token)
        expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'not_changeable'])
      }
    }
    const all = await app.db.selectFrom('session_series').select('id').execute()
    expect(all).toEqual([{ id: series.series_id }])
  })

  test('at an hour that the schedule does not offer is refused', async () => {
    const answer = await post('/series', { appointment_id: session, start: '06:00' })
    expect([answer.status, answer.body.code]).toEqual([422, 'slot_not_offered'])
    expect(await app.db.selectFrom('session_series').select('id').execute()).toEqual([])
  })
})

describe('a date', () => {
  const at = (series: Series, onDate: string) => {
    const found = series.dates.find(({ on_date }) => on_date === onDate)
    if (!found) throw new Error(`No date ${onDate}.`)
    return found
  }

  test('is skipped and taken up again, and stays skipped through the sweep', async () => {
    const series = await agreed()
    const path = `/series/${series.series_id}/dates/2026-06-30`
    const skipped = seriesIn(await post(`${path}/skip`))
    expect(at(skipped, '2026-06-30')).toMatchObject({ state: 'skipped', can: { restore: true, skip: false } })
    expect(seriesIn(await post(`${path}/skip`)).state).toBe('active')
    await app.services.series.sweep()
    await app.queue.drain()
    expect(await reservedStarts()).not.toContain('2026-06-30T09:00:00.000Z')
    const restored = seriesIn(await post(`${path}/restore`))
    expect(at(restored, '2026-06-30')).toMatchObject({ state: 'planned', session_status: 'reserved' })
    expect(seriesIn(await post(`${path}/restore`)).state).toBe('active')
    expect((await reservedStarts()).filter((start) => start === '2026-06-30T09:00:00.000Z')).toHaveLength(1)
  })

  test('is not skipped once its session is at another time than was shown', async () => {
    const series = await agreed()
    const date = series.dates[0]
    const moved = await post('/appointment/edit-session', {
      appointment_id: date?.appointment_id,
      type: 'online',
      appointment_datetime: '2026-06-19T13:00:00Z',
    })
    expect(moved.status).toBe(200)
    const skip = (starts_at: string) =>
      post(`/series/${series.series_id}/dates/${date?.on_date}/skip`, { starts_at })
    const refused = await skip(date?.starts_at ?? '')
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(await statesOf('2026-06-19T13:00:00.000Z')).toEqual(['reserved'])
    expect(seriesIn(await skip('2026-06-19T13:00:00Z')).dates[0]).toMatchObject({ state: 'skipped' })
    expect(await statesOf('2026-06-19T13:00:00.000Z')).toEqual(['cancelled'])
    // The release before sends no body.
    const path = `/series/${series.series_id}/dates/${series.dates[1]?.on_date}/skip`
    const bare = await app.call('POST', path, { token: client.token })
    expect(seriesIn(bare).dates[1]).toMatchObject({ state: 'skipped' })
  })

  test('that another client took meanwhile is not restored, and three other times are named', async () => {
    const series = await agreed()
    const path = `/series/${series.series_id}/dates/2026-06-30`
    await post(`${path}/skip`)
    const other = await createClient(app)
    await bookSession(app, {
      practitioner,
      client: other,
      card: await saveCard(app, other),
      startsAt: '2026-06-30T09:00:00Z',
    })
    const refused = await post(`${path}/restore`)
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
    expect(at(await read(series.series_id), '2026-06-30').state).toBe('skipped')
  })

  test('that is not reserved yet can be skipped, and is then not made', async () => {
    const series = await agreed()
    const path = `/series/${series.series_id}/dates/2026-08-11`
    expect(at(seriesIn(await post(`${path}/skip`)), '2026-08-11').state).toBe('skipped')
    await moveTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    expect(await reservedStarts()).not.toContain('2026-08-11T09:00:00.000Z')
    expect(at(seriesIn(await post(`${path}/restore`)), '2026-08-11').state).toBe('planned')
  })

  test('moved by its session stays that date, and moving creates no other', async () => {
    const series = await agreed()
    const before = (await appointments()).length
    const { appointment_id: id } = at(series, '2026-06-30')
    const move = (datetime: string) =>
      post('/appointment/edit-session', {
        appointment_id: id,
        type: 'online',
        appointment_datetime: datetime,
        customer_id: card,
      })
    const moved = await move('2026-07-01T13:00:00Z')
    expect([moved.status, moved.body.message]).toEqual([200, undefined])
    expect(at(await read(series.series_id), '2026-06-30')).toMatchObject({
      state: 'moved',
      starts_at: '2026-07-01T13:00:00.000Z',
      rhythm_starts_at: '2026-06-30T09:00:00.000Z',
    })
    await app.services.series.sweep()
    await app.queue.drain()
    expect((await appointments()).length).toBe(before)
    expect((await move('2026-06-30T09:00:00Z')).status).toBe(200)
    expect(at(await read(series.series_id), '2026-06-30').state).toBe('planned')
    expect((await appointments()).length).toBe(before)
  })

  test('cannot be skipped once it is of no rhythm, another’s or in the past', async () => {
    const series = await agreed()
    expect((await post(`/series/${series.series_id}/dates/2026-06-17/skip`)).status).toBe(404)
    const stranger = await createClient(app)
    const path = `/series/${series.series_id}/dates/2026-06-16/skip`
    expect((await post(path, {}, stranger.token)).status).toBe(404)
    expect(await reservedStarts()).toHaveLength(8)
  })

  test('is not skipped once it is paid or has begun', async () => {
    const series = await agreed()
    await payFirst()
    const skip = (onDate: string) => post(`/series/${series.series_id}/dates/${onDate}/skip`)
    const expectRefused = async (onDate: string) => {
      await app.queue.drain()
      const before = await appointments()
      const refused = await skip(onDate)
      expect([refused.status, refused.body.code]).toEqual([409, 'too_late_to_change'])
      await app.queue.drain()
      expect(await appointments()).toEqual(before)
      const date = await app.db
        .selectFrom('series_dates')
        .select('state')
        .where('on_date', '=', onDate)
        .execute()
      expect(date).toEqual([{ state: 'planned' }])
    }
    await expectRefused('2026-06-16')
    // The one of 23 June was never paid, and has begun.
    await moveTo(new Date('2026-06-23T09:00:00Z'))
    await expectRefused('2026-06-16')
    await expectRefused('2026-06-23')
    expect(await ledger(app)).toEqual(twoSessions)
    expect((await skip('2026-06-09')).status).toBe(404)
  })

  test('that cannot be had is mailed to both ten weeks early, and takes another time', async () => {
    const series = await agreed()
    await app.call('POST', '/therapist/time-off', {
      token: therapist,
      body: { first_day: '2026-08-11', from_time: '09:00', to_time: '12:00' },
    })
    await moveTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    const date = at(await read(series.series_id), '2026-08-11')
    expect(date).toMatchObject({
      state: 'conflict',
      appointment_id: null,
      conflict: { cause: 'time_off' },
      can: { choose_time: true, skip: true },
    })
    expect((await templates()).slice(2)).toEqual(['series.conflict client', 'series.conflict practitioner'])
    await verifyAddresses()
    await app.queue.drain()
    const mailed = app
      .mails()
      .map(readMail)
      .filter(({ subject }) => subject.includes('cannot take place'))
    expect(new Set(mailed.map(({ to }) => to))).toEqual(new Set([client.email, practitioner.email]))
    for (const { text } of mailed) {
      expect(text).toContain(
        [
          'Not free: Tuesday 11 August 2026 at 10:00',
          'Free then: Tuesday 11 August 2026 at 08:00',
          'Tuesday 11 August 2026 at 12:00',
          'Tuesday 11 August 2026 at 13:00',
          'Time zone: London time',
        ].join('\n'),
      )
    }
    const path = `/series/${series.series_id}/dates/2026-08-11/move`
    const far = await post(path, { starts_at: '2026-09-11T09:00:00Z' })
    expect(far.status).toBe(422)
    const blocked = await post(path, { starts_at: '2026-08-11T10:00:00Z' })
    expect([blocked.status, blocked.body.code]).toEqual([409, 'series_conflict'])
    const [alternative] = date.conflict?.alternatives ?? []
    const moved = seriesIn(await post(path, { starts_at: alternative?.starts_at }))
    expect(at(moved, '2026-08-11')).toMatchObject({ state: 'moved', starts_at: alternative?.starts_at })
    await app.services.series.sweep()
    expect((await reservedStarts()).filter((start) => start === alternative?.starts_at)).toHaveLength(1)
  })

  describe('in conflict with another calendar of the practitioner', () => {
    const hour = '2026-08-11T09:00:00.000Z'
    let series: Series
    const keep = (token = therapist) =>
      post(`/therapist/series/${series.series_id}/dates/2026-08-11/keep`, {}, token)
    const busyThen = () =>
      sql`insert into busy_elsewhere (practitioner_id, during)
        values (${practitioner.id}, tstzrange('2026-08-11T09:30:00Z', '2026-08-11T10:00:00Z'))`.execute(
        app.db,
      )
    const timeOffThen = () =>
      app.call('POST', '/therapist/time-off', {
        token: therapist,
        body: { first_day: '2026-08-11', from_time: '09:00', to_time: '12:00' },
      })
    /** The date is made a week later. */
    const makeDate = async () => {
      await moveTo(later(app.clock.now(), days(7)))
      await app.services.series.sweep()
    }
    beforeEach(async () => {
      series = await agreed()
    })

    test('is kept by the practitioner, and the client gets a mail', async () => {
      await busyThen()
      await makeDate()
      expect(at(await read(series.series_id, therapist), '2026-08-11')).toMatchObject({
        state: 'conflict',
        conflict: { cause: 'busy_elsewhere' },
        can: { keep: true },
      })
      expect(at(await read(series.series_id), '2026-08-11').can).toMatchObject({ keep: false, skip: true })
      const kept = seriesIn(await keep())
      expect(at(kept, '2026-08-11')).toMatchObject({
        state: 'planned',
        starts_at: hour,
        session_status: 'reserved',
        can: { keep: false },
      })
      expect(seriesIn(await keep()).state).toBe('active')
      expect((await reservedStarts()).filter((start) => start === hour)).toHaveLength(1)
      await app.services.series.sweep()
      await verifyAddresses()
      await app.queue.drain()
      const told = app
        .mails()
        .map(readMail)
        .filter(({ subject }) => subject === 'Your regular session can take place after all')
      expect(told.map(({ to }) => to)).toEqual([client.email])
      expect(told[0]?.text).toContain('Reserved: Tuesday 11 August 2026 at 10:00')
    })

    test('is not kept where the client has chosen another time, who keeps that', async () => {
      await busyThen()
      await makeDate()
      const [alternative] = at(await read(series.series_id), '2026-08-11').conflict?.alternatives ?? []
      const path = `/series/${series.series_id}/dates/2026-08-11`
      const chosen = { starts_at: alternative?.starts_at }
      expect(at(seriesIn(await post(`${path}/move`, chosen)), '2026-08-11').state).toBe('moved')
      const before = [await appointments(), await templates()]
      for (const refused of [await keep(), await post(`${path}/restore`)]) {
        expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
      }
      expect([await appointments(), await templates()]).toEqual(before)
    })

    test.each(['against time off', 'against another booking', 'while the practitioner is not listed'])(
      'is not kept %s',
      async (obstacle) => {
        await busyThen()
        await makeDate()
        if (obstacle === 'against time off') await timeOffThen()
        else if (obstacle.startsWith('while')) {
          await app.db
            .updateTable('practitioners')
            .set({ subscribed_until: later(app.clock.now(), -days(30)) })
            .where('id', '=', practitioner.id)
            .execute()
        } else {
          await sql`insert into reservations (id, practitioner_id, client_id, during, pause_minutes, state, origin, created_at)
            values (gen_random_uuid(), ${practitioner.id}, ${(await createClient(app)).id},
              tstzrange('2026-08-11T08:30:00Z', '2026-08-11T09:20:00Z'), 0, 'booked', 'client', now())`.execute(
            app.db,
          )
        }
        const before = await appointments()
        const refused = await keep()
        expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
        expect(await appointments()).toEqual(before)
        expect(at(await read(series.series_id), '2026-08-11').state).toBe('conflict')
        expect(await templates()).not.toContain('series.kept client')
      },
    )

    test('is kept by no other practitioner, nor once it was skipped or has ended', async () => {
      await busyThen()
      await makeDate()
      const stranger = await signInPractitioner(app, await createPractitioner(app))
      expect((await keep(stranger)).status).toBe(404)
      await post(`/series/${series.series_id}/dates/2026-08-11/skip`)
      const skipped = await keep()
      expect([skipped.status, skipped.body.code]).toEqual([409, 'not_changeable'])
      await post(`/series/${series.series_id}/end`)
      const ended = await keep()
      expect([ended.status, ended.body.code]).toEqual([409, 'series_over'])
      expect(await reservedStarts()).toEqual([])
      expect(await templates()).not.toContain('series.kept client')
    })

    test('has no button if its cause is time off, which refuses to be overruled', async () => {
      await timeOffThen()
      await makeDate()
      expect(at(await read(series.series_id, therapist), '2026-08-11')).toMatchObject({
        conflict: { cause: 'time_off' },
        can: { keep: false },
      })
      const refused = await keep()
      expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
      expect(await reservedStarts()).not.toContain(hour)
    })
  })

  test('is made by a sweep that comes late, unless it was skipped, is past or is in the way of another', async () => {
    const series = await agreed()
    await post(`/series/${series.series_id}/dates/2026-08-25/skip`)
    await app.call('POST', '/therapist/time-off', {
      token: therapist,
      body: { first_day: '2026-08-18', from_time: '09:00', to_time: '12:00' },
    })
    await moveTo(new Date('2026-06-29T08:00:00Z'))
    const other = await createClient(app)
    const held = await app.call('POST', '/appointment/create-session', {
      token: other.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        datetime: '2026-08-11T09:00:00Z',
        appointment_type: 'online',
      },
    })
    expect(held.status).toBe(201)
    // The hold is over; the sweep that makes the date releases it.
    await moveTo(later(app.clock.now(), days(1) / 24))
    await app.services.series.sweep()
    const dates = await app.db
      .selectFrom('series_dates')
      .select(['on_date', 'state', 'conflict_cause'])
      .where('on_date', '>', '2026-08-04')
      .orderBy('on_date')
      .execute()
    expect(dates.map((date) => [date.on_date, date.state, date.conflict_cause])).toEqual([
      ['2026-08-11', 'planned', null],
      ['2026-08-18', 'conflict', 'time_off'],
      ['2026-08-25', 'skipped', null],
      ['2026-09-01', 'planned', null],
    ])
    expect((await templates()).slice(2)).toEqual(['series.conflict client', 'series.conflict practitioner'])
    const { extended_to } = await app.db
      .selectFrom('session_series')
      .select('extended_to')
      .executeTakeFirstOrThrow()
    expect(extended_to).toBe('2026-09-01')
    const before = await appointments()
    await app.services.series.sweep()
    expect(await appointments()).toEqual(before)
  })

  test.each([
    ['before', '2026-08-25T08:00:00Z'],
    ['after', '2026-08-25T10:00:00Z'],
  ])(
    'is made by one sweep with others, unless a calendar, another session or the pause %s it is in the way',
    async (_, neighbour) => {
      const series = await agreed()
      const busy = (from: string, to: string) =>
        sql`insert into busy_elsewhere (practitioner_id, during)
        values (${practitioner.id}, tstzrange(${from}, ${to}))`.execute(app.db)
      // A busy time that is added over a session that is reserved changes nothing.
      await busy('2026-06-16T09:00:00Z', '2026-06-16T10:00:00Z')
      await app.services.series.sweep()
      await payFirst()
      expect(at(await read(series.series_id), '2026-06-16')).toMatchObject({
        state: 'planned',
        payment: 'paid',
      })

      await moveTo(new Date('2026-06-29T08:00:00Z'))
      const other = await createClient(app)
      await busy('2026-08-11T08:30:00Z', '2026-08-11T09:10:00Z')
      await bookSession(app, {
        practitioner: await createPractitioner(app),
        client,
        card,
        startsAt: '2026-08-18T09:00:00Z',
      })
      await bookSession(app, {
        practitioner,
        client: other,
        card: await saveCard(app, other),
        startsAt: neighbour,
      })
      const rules = { token: therapist, body: { pause_minutes: 30 } }
      expect((await app.call('PUT', '/therapist/booking-rules', rules)).status).toBe(200)
      const before = await reservedStarts()
      await app.services.series.sweep()
      const dates = await app.db
        .selectFrom('series_dates')
        .select(['on_date', 'state', 'conflict_cause'])
        .where('on_date', 'in', ['2026-08-11', '2026-08-18', '2026-08-25', '2026-09-01'])
        .orderBy('on_date')
        .execute()
      expect(dates.map((date) => [date.on_date, date.state, date.conflict_cause])).toEqual([
        ['2026-08-11', 'conflict', 'busy_elsewhere'],
        ['2026-08-18', 'conflict', 'own_session'],
        ['2026-08-25', 'conflict', 'taken'],
        ['2026-09-01', 'planned', null],
      ])
      expect(await reservedStarts()).toEqual([...before, '2026-09-01T09:00:00.000Z'])
    },
  )

  test('in a range of days away is skipped', async () => {
    const series = await agreed()
    const answer = await post(`/series/${series.series_id}/away`, { from: '2026-06-22', to: '2026-07-05' })
    expect([answer.status, answer.body.skipped, answer.body.refused]).toEqual([
      200,
      ['2026-06-23', '2026-06-30'],
      [],
    ])
    expect(await reservedStarts()).toHaveLength(6)
    const wrong = await post(`/series/${series.series_id}/away`, { from: '2026-07-05', to: '2026-06-22' })
    expect(wrong.status).toBe(422)
  })

  test('that was moved counts for days away by when it takes place, skipped or refused', async () => {
    const series = await agreed()
    const move = async (index: number, appointment_datetime: string) => {
      const body = {
        appointment_id: series.dates[index]?.appointment_id,
        type: 'online',
        appointment_datetime,
      }
      expect((await post('/appointment/edit-session', body)).status).toBe(200)
    }
    const away = async (from: string, to: string) => {
      const { status, body } = await post(`/series/${series.series_id}/away`, { from, to })
      return [
        status,
        body.skipped,
        (body.refused as unknown as { on_date: string }[]).map(({ on_date }) => on_date),
      ]
    }
    await move(1, '2026-06-26T13:00:00Z')
    await move(2, '2026-07-03T13:00:00Z')
    // The one of the 23rd takes place on the 26th, and that of the 30th on 3 July.
    expect(await away('2026-06-22', '2026-06-24')).toEqual([200, [], []])
    expect(await reservedStarts()).toHaveLength(8)
    expect(await away('2026-06-25', '2026-07-01')).toEqual([200, ['2026-06-23'], []])
    expect(await statesOf('2026-06-26T13:00:00.000Z')).toEqual(['cancelled'])
    await moveTo(new Date('2026-07-01T14:00:00Z'))
    await app.services.reserved.sweep()
    expect(await statesOf('2026-07-03T13:00:00.000Z')).toEqual(['confirmed'])
    expect(await away('2026-07-02', '2026-07-08')).toEqual([200, ['2026-07-07'], ['2026-06-30']])
  })

  test('counts for days away by the clocks that the client names, those of the series without', async () => {
    practitioner = await createPractitioner(app, { timezone: 'Australia/Sydney' })
    // Wednesday 10 June at 08:00 in Sydney, Tuesday in London.
    session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T22:00:00Z' })
    const series = await agreed()
    expect(series.rhythm).toMatchObject({ weekday: 3, start: '08:00', timezone: 'Australia/Sydney' })
    const away = async (body: object) => {
      const { status, body: answer } = await post(`/series/${series.series_id}/away`, body)
      return [status, answer.skipped]
    }
    // Dates with a session, by the day before in London.
    const days = { from: '2026-06-17', to: '2026-06-23' }
    expect(await away({ ...days, timezone: 'Europe/London' })).toEqual([200, ['2026-06-24']])
    expect(await away(days)).toEqual([200, ['2026-06-17']])
    // Later ones too.
    const later = { from: '2026-11-11', to: '2026-11-17' }
    expect(await away({ ...later, timezone: 'Europe/London' })).toEqual([200, ['2026-11-18']])
    expect(await away(later)).toEqual([200, ['2026-11-11']])
    expect(await away({ ...days, timezone: 'Europe/Nowhere' })).toEqual([422, undefined])
  })

  test('that is paid stays booked while its client is away, and is named as refused', async () => {
    const series = await agreed()
    await payFirst()
    const answer = await post(`/series/${series.series_id}/away`, { from: '2026-06-15', to: '2026-06-24' })
    expect([answer.status, answer.body.skipped, answer.body.refused]).toEqual([
      200,
      ['2026-06-23'],
      [
        {
          on_date: '2026-06-16',
          message: 'This session is paid already. You can cancel it by itself in My Sessions.',
        },
      ],
    ])
    await app.queue.drain()
    expect(await statesOf('2026-06-16T09:00:00.000Z')).toEqual(['confirmed'])
    expect(await statesOf('2026-06-23T09:00:00.000Z')).toEqual(['cancelled'])
    expect(await ledger(app)).toEqual(twoSessions)
  })
})

describe('the rhythm', () => {
  test('is changed in one step: paid sessions stay, unpaid ones go, a new series goes on', async () => {
    await verifyAddresses()
    const series = await agreed()
    const body = { from: '2026-06-30', weekday: 4, start: '14:00', every_weeks: 2 }
    const preview = await post(`/series/${series.series_id}/change-preview`, body)
    expect((preview.body as unknown as SeriesPreview).dates[0]).toMatchObject({
      on_date: '2026-07-02',
      state: 'free',
    })
    const next = seriesIn(await post(`/series/${series.series_id}/change`, body))
    expect(next).toMatchObject({ state: 'active', rhythm: { weekday: 4, start: '14:00', every_weeks: 2 } })
    const old = await read(series.series_id)
    expect(old).toMatchObject({ state: 'ended', continued_by: next.series_id, ended: { cause: 'changed' } })
    expect(old.dates.map(({ on_date }) => on_date)).toEqual(['2026-06-16', '2026-06-23'])
    expect(await reservedStarts()).toEqual([
      '2026-06-16T09:00:00.000Z',
      '2026-06-23T09:00:00.000Z',
      '2026-07-02T13:00:00.000Z',
      '2026-07-16T13:00:00.000Z',
      '2026-07-30T13:00:00.000Z',
    ])
    const again = seriesIn(await post(`/series/${series.series_id}/change`, body))
    expect(again.series_id).toBe(next.series_id)
    await app.queue.drain()
    const changed = app
      .mails()
      .map(readMail)
      .filter(({ text }) => text.includes('Before: Tuesdays at 10:00, every week'))
    expect(changed).toHaveLength(2)
    expect(Object.fromEntries(changed.map(({ to, subject }) => [to, subject]))).toEqual({
      [client.email]: 'Your regular sessions are now Thursdays at 14:00',
      [practitioner.email]: 'Regular sessions have changed',
    })
    for (const { text } of changed) expect(text).toContain('When: Thursdays at 14:00, every second week')
  })

  describe('that changed from a later day on', () => {
    let next: Series
    beforeEach(async () => {
      const { series_id } = await agreed()
      next = seriesIn(
        await post(`/series/${series_id}/change`, { from: '2026-06-30', weekday: 4, start: '14:00' }),
      )
    })
    const former = ['2026-06-16T09:00:00.000Z', '2026-06-23T09:00:00.000Z']

    test('counts the sessions before that day among those that go with it, and ends them too', async () => {
      const reservedNow = await reservedStarts()
      expect(reservedNow.slice(0, 2)).toEqual(former)
      expect((await read(next.series_id)).on_end.goes).toBe(reservedNow.length)
      await post(`/series/${next.series_id}/end`)
      expect(await reservedStarts()).toEqual([])
      await moveTo(new Date('2026-06-17T08:00:00Z'))
      await app.services.bookings.sweep()
      expect((await appointments()).every(({ state }) => state === 'cancelled')).toBe(true)
    })

    test('ends by the practitioner after its own next session, with those before it', async () => {
      const path = `/therapist/series/${next.series_id}`
      const shown = (await app.call('GET', `/series/${next.series_id}`, { token: therapist })).body
      const { on_end } = (shown as unknown as { data: Series }).data
      const last = '2026-07-02T13:00:00.000Z'
      expect(on_end.last_session_at).toBe(last)
      expect((await post(`${path}/end`, { last_session_at: last }, therapist)).status).toBe(200)
      expect(await reservedStarts()).toEqual([...former, last])
    })

    test('skips those sessions as well while the client is away, and has them charged to a new card', async () => {
      const other = await saveCard(app, client)
      const path = `/series/${next.series_id}`
      const answer = await app.call('PUT', `${path}/card`, {
        token: client.token,
        body: { customer_id: other },
      })
      expect(answer.status).toBe(200)
      const cards = (await appointments()).filter(({ state }) => state === 'reserved')
      expect(new Set(cards.map(({ payment_method_id }) => payment_method_id))).toEqual(new Set([other]))
      const away = await post(`${path}/away`, { from: '2026-06-20', to: '2026-07-03' })
      expect(away.body.skipped).toEqual(['2026-06-23', '2026-07-02'])
      expect((await reservedStarts()).slice(0, 2)).toEqual([former[0], '2026-07-09T13:00:00.000Z'])
    })

    test('tells in the mail about its end of a paid one of those sessions', async () => {
      await verifyAddresses()
      await moveTo(new Date('2026-06-14T09:00:00Z'))
      await app.services.reserved.sweep()
      await app.queue.drain()
      await post(`/series/${next.series_id}/end`)
      await app.queue.drain()
      const mails = app.mails().map(readMail)
      const ended = mails.filter(({ to, subject }) => to === client.email && /have ended/.test(subject))
      expect(ended.map(({ text }) => /Tuesday 16 June/.test(text))).toEqual([true])
    })

    test('is changed back to the hour that they have', async () => {
      const body = { from: '2026-06-16', weekday: 2, start: '10:00' }
      const preview = await post(`/series/${next.series_id}/change-preview`, body)
      const shown = (preview.body as unknown as SeriesPreview).dates
      expect(shown.slice(0, 3).map(({ state }) => state)).toEqual(['free', 'free', 'free'])
      expect((await post(`/series/${next.series_id}/change`, body)).status).toBe(200)
      expect((await reservedStarts()).slice(0, 3)).toEqual([...former, '2026-06-30T09:00:00.000Z'])
    })

    test('gives up those sessions from an earlier day on with another change', async () => {
      const body = { from: '2026-06-22', weekday: 3, start: '14:00' }
      expect((await post(`/series/${next.series_id}/change`, body)).status).toBe(200)
      expect((await reservedStarts()).slice(0, 2)).toEqual([former[0], '2026-06-24T13:00:00.000Z'])
    })
  })

  test('shows beforehand what is in the way of an hour that overlaps its own', async () => {
    const series = await agreed()
    const other = await createClient(app)
    await bookSession(app, {
      practitioner,
      client: other,
      card: await saveCard(app, other),
      startsAt: '2026-06-23T10:00:00Z',
    })
    await app.call('POST', '/therapist/time-off', { token: therapist, body: { first_day: '2026-07-07' } })
    const change = async (start: string) => {
      const body = { from: '2026-06-16', weekday: 2, start }
      const before = await appointments()
      const preview = await post(`/series/${series.series_id}/change-preview`, body)
      const causes = (preview.body as unknown as SeriesPreview).dates.map(
        ({ state, conflict }) => conflict?.cause ?? state,
      )
      const answer = await post(`/series/${series.series_id}/change`, body)
      expect([answer.status, answer.body.code]).toEqual([409, 'series_conflict'])
      expect(await appointments()).toEqual(before)
      return causes
    }
    // Between two hours of the schedule.
    expect(await change('10:30')).toEqual([
      'blocked',
      'taken',
      'blocked',
      'time_off',
      ...Array(6).fill('blocked'),
    ])
    const free = Array(4).fill('free')
    expect(await change('11:00')).toEqual(['free', 'taken', 'free', 'time_off', ...free, 'later', 'later'])
  })

  test('is not reported as changed where another change came first', async () => {
    const series = await agreed()
    const body = { from: '2026-06-30', weekday: 4, start: '14:00', every_weeks: 2 }
    const change = (other: object, { series_id } = series) =>
      post(`/series/${series_id}/change`, { ...body, ...other })
    const next = seriesIn(await change({}))
    const before = [await appointments(), await templates()]
    const others = [
      { weekday: 3 },
      { start: '15:00' },
      { every_weeks: 4 },
      // As the series was before, every week.
      { every_weeks: null },
      { from: '2026-07-09' },
      { appointment_type: 'face_to_face' },
    ]
    for (const other of others) {
      const refused = await change(other)
      expect([other, refused.status, refused.body.code]).toEqual([other, 409, 'changed_elsewhere'])
    }
    expect([await appointments(), await templates()]).toEqual(before)
    // Of those from Thursday 2 July on, each first day is the same.
    expect(seriesIn(await change({ from: '2026-07-02' })).series_id).toBe(next.series_id)
    seriesIn(await change({ start: '15:00' }, next))
    const refused = await change({})
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
  })

  test('is changed at the same hour from a paid session on, which takes place once', async () => {
    const series = await agreed()
    await payFirst()
    const body = { from: '2026-06-16', weekday: 2, start: '10:00', every_weeks: 2 }
    const next = seriesIn(await post(`/series/${series.series_id}/change`, body))
    expect(next.dates[0]).toMatchObject({ on_date: '2026-06-16', state: 'skipped', can: { restore: false } })
    await app.services.series.sweep()
    await app.services.reserved.sweep()
    await app.queue.drain()
    expect(await statesOf('2026-06-16T09:00:00.000Z')).toEqual(['confirmed'])
    expect((await read(series.series_id)).dates).toMatchObject([{ on_date: '2026-06-16', payment: 'paid' }])
    expect(await reservedStarts()).toEqual(
      Array.from({ length: 4 }, (_, index) =>
        later(new Date('2026-06-30T09:00:00Z'), days(14 * index)).toISOString(),
      ),
    )
    expect(await ledger(app)).toEqual(twoSessions)
  })

  test('is not changed at all while a date of the new one is in conflict', async () => {
    const series = await agreed()
    const other = await createClient(app)
    await bookSession(app, {
      practitioner,
      client: other,
      card: await saveCard(app, other),
      startsAt: '2026-07-02T13:00:00Z',
    })
    const before = await appointments()
    const body = { from: '2026-06-30', weekday: 4, start: '14:00' }
    const refused = await post(`/series/${series.series_id}/change`, body)
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
    expect(await appointments()).toEqual(before)
    expect((await read(series.series_id)).state).toBe('active')
    const dates = [{ on_date: '2026-07-02', action: 'skip' }]
    expect(seriesIn(await post(`/series/${series.series_id}/change`, { ...body, dates })).state).toBe(
      'active',
    )
  })

  test('is changed to another frequency at the same hour', async () => {
    const series = await agreed()
    const body = { from: '2026-06-16', weekday: 2, start: '10:00', every_weeks: 4 }
    const next = seriesIn(await post(`/series/${series.series_id}/change`, body))
    expect(next.dates[0]).toMatchObject({ on_date: '2026-06-16', state: 'planned' })
    expect(await reservedStarts()).toEqual(['2026-06-16T09:00:00.000Z', '2026-07-14T09:00:00.000Z'])
  })
})

describe('ending', () => {
  test('by the client is one step: paid sessions stay, reserved ones go, both get a mail', async () => {
    const series = await agreed()
    const ended = seriesIn(await post(`/series/${series.series_id}/end`, {}))
    expect(ended).toMatchObject({ state: 'ended', ended: { by: 'client', cause: 'by_choice' } })
    expect(Object.values(ended.can).some(Boolean)).toBe(false)
    expect(await reservedStarts()).toEqual([])
    expect((await appointments()).every(({ cancel_code }) => cancel_code === 'series_ended')).toBe(true)
    const first = await app.db.selectFrom('appointments').select('state').where('id', '=', session).execute()
    expect(first).toEqual([{ state: 'confirmed' }])
    await post(`/series/${series.series_id}/end`, {})
    await app.services.series.sweep()
    await app.queue.drain()
    expect(await reservedStarts()).toEqual([])
    expect((await templates()).slice(2)).toEqual(['series.ended client', 'series.ended practitioner'])
    const skip = await post(`/series/${series.series_id}/dates/2026-06-30/restore`)
    expect([skip.status, skip.body.code]).toEqual([409, 'series_over'])
    const mails = await app.db.selectFrom('outgoing_mails').select('template').execute()
    expect(mails.filter(({ template }) => template === 'session.cancelled')).toEqual([])
  })

  test('takes a date that was moved out of the calendars of both, by a mail of its own', async () => {
    const series = await agreed()
    const [first] = series.dates
    const moved = await post('/appointment/edit-session', {
      appointment_id: first?.appointment_id,
      type: 'online',
      appointment_datetime: '2026-06-17T09:00:00Z',
    })
    expect(moved.status).toBe(200)
    await post(`/series/${series.series_id}/end`)
    const cancelled = await app.db
      .selectFrom('outgoing_mails')
      .select(['subject_id', 'recipient'])
      .where('template', '=', 'session.cancelled')
      .orderBy('recipient')
      .execute()
    expect(cancelled).toEqual([
      { subject_id: first?.appointment_id, recipient: 'client' },
      { subject_id: first?.appointment_id, recipient: 'practitioner' },
    ])
    await verifyAddresses()
    await app.queue.drain()
    const files = app
      .mails()
      .map(readMail)
      .filter(({ calendar }) => calendar?.includes('METHOD:CANCEL'))
    expect(files.map(({ to }) => to).toSorted()).toEqual([client.email, practitioner.email].toSorted())
  })

  test('that only declines a proposal leaves a series that was agreed meanwhile, without a mail', async () => {
    const series = await agreed()
    const before = [await reservedStarts(), await templates()]
    const refused = await post(`/series/${series.series_id}/end`, { proposal_only: true })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    await app.queue.drain()
    expect((await read(series.series_id)).state).toBe('active')
    expect([await reservedStarts(), await templates()]).toEqual(before)
    await post(`/series/${series.series_id}/end`, {})
    const again = await post(`/series/${series.series_id}/end`, { proposal_only: true })
    expect(seriesIn(again).state).toBe('ended')
  })

  test('by the client leaves a session of the series that is paid', async () => {
    const series = await agreed()
    await payFirst()
    const { on_end } = await read(series.series_id)
    expect(on_end).toMatchObject({ stays: ['2026-06-16T09:00:00.000Z'], goes: 7 })
    const ended = seriesIn(await post(`/series/${series.series_id}/end`))
    expect(ended.dates).toMatchObject([{ on_date: '2026-06-16', payment: 'paid' }])
    await app.services.series.sweep()
    await app.queue.drain()
    expect(await statesOf('2026-06-16T09:00:00.000Z')).toEqual(['confirmed'])
    expect(await reservedStarts()).toEqual([])
    expect(await ledger(app)).toEqual(twoSessions)
    expect(await app.db.selectFrom('refunds').select('id').execute()).toEqual([])
  })

  test('by the practitioner leaves the next session, or is at once with a reason', async () => {
    const series = await agreed()
    const path = `/therapist/series/${series.series_id}/end`
    const bare = await post(path, { at_once: true }, therapist)
    expect([bare.status, Object.keys(bare.body.errors ?? {})]).toEqual([422, ['reason']])
    expect(await reservedStarts()).toHaveLength(8)
    const ending = seriesIn(await post(path, { reason: 'I am moving away.' }, therapist))
    expect(ending).toMatchObject({ state: 'active', last_on: '2026-06-16' })
    expect(await reservedStarts()).toEqual(['2026-06-16T09:00:00.000Z'])
    await moveTo(new Date('2026-06-17T09:00:00Z'))
    await app.services.series.sweep()
    expect(await read(series.series_id)).toMatchObject({
      state: 'ended',
      ended: { by: 'practitioner', cause: 'by_choice', reason: 'I am moving away.' },
    })
  })

  describe('by the practitioner with the session that the page showed', () => {
    const goodbye = (series: Series, last_session_at: string) =>
      post(`/therapist/series/${series.series_id}/end`, { last_session_at }, therapist)
    const moveSession = async (series: Series, index: number, appointment_datetime: string) => {
      const appointment_id = series.dates[index]?.appointment_id
      const body = { appointment_id, type: 'online', appointment_datetime }
      expect((await post('/appointment/edit-session', body)).status).toBe(200)
    }

    test.each(['moved', 'last day', 'paused', 'nothing ahead'])(
      'is refused once that is not its last one, and neither cancels nor mails: %s',
      async (meanwhile) => {
        const series = await agreed()
        const shown = (await read(series.series_id, therapist)).on_end.last_session_at ?? ''
        expect(shown).toBe('2026-06-16T09:00:00.000Z')
        if (meanwhile === 'moved') await moveSession(series, 0, '2026-06-19T13:00:00Z')
        else if (meanwhile === 'nothing ahead') {
          await post(`/series/${series.series_id}/away`, { from: '2026-06-10', to: '2026-09-30' })
        } else {
          const patch =
            meanwhile === 'paused'
              ? ({ state: 'paused', paused_cause: 'unpaid', paused_until: new Date('2026-06-20') } as const)
              : ({ last_on: '2026-07-06', end_cause: 'price_declined' } as const)
          await app.db.updateTable('session_series').set(patch).where('id', '=', series.series_id).execute()
        }
        const before = [await read(series.series_id), await appointments(), await templates()]
        const refused = await goodbye(series, shown)
        expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
        expect([await read(series.series_id), await appointments(), await templates()]).toEqual(before)
      },
    )

    test('ends with it, also where another date was moved to a time after it', async () => {
      const series = await agreed()
      await moveSession(series, 0, '2026-06-24T13:00:00Z')
      // The one of 30 June comes before that of the 23rd.
      await moveSession(series, 2, '2026-06-22T13:00:00Z')
      const ending = seriesIn(await goodbye(series, '2026-06-22T13:00:00Z'))
      expect(ending).toMatchObject({ state: 'active', last_on: '2026-06-30' })
      expect(await reservedStarts()).toEqual(['2026-06-22T13:00:00.000Z'])
      // Pressed again after a lost answer.
      const before = [await appointments(), await templates()]
      expect(seriesIn(await goodbye(series, '2026-06-22T13:00:00Z'))).toEqual(ending)
      expect([await appointments(), await templates()]).toEqual(before)
    })
  })

  test('of a place that a live series uses is refused', async () => {
    const series = await propose({
      appointment_type: 'face_to_face',
      location_id: practitioner.locationId,
      start: '12:00',
    })
    expect(series.location?.location_id).toBe(practitioner.locationId)
    const gone = await app.call('POST', '/therapist/add-location-list', {
      token: therapist,
      body: { location_list: [] },
    })
    expect([gone.status, gone.body.code]).toEqual([409, 'place_in_use'])
  })
})

describe('the price', () => {
  const propose28 = (id: string, body: object) => post(`/therapist/series/${id}/new-price`, body, therapist)

  test('is raised with 28 days’ notice and the client’s answer', async () => {
    const series = await agreed()
    const soon = await propose28(series.series_id, { fee: 70, from: '2026-06-20' })
    expect([soon.status, Object.keys(soon.body.errors ?? {})]).toEqual([422, ['from']])
    for (const from of ['2062-07-03', '2199-12-31']) {
      const far = await propose28(series.series_id, { fee: 70, from })
      expect([far.status, Object.keys(far.body.errors ?? {})]).toEqual([422, ['from']])
    }
    const asked = seriesIn(await propose28(series.series_id, { fee: 70, from: '2026-07-03' }))
    expect(asked.price_change).toMatchObject({ fee: 70, from_date: '2026-07-07', answer: null })
    const [, , before, first] = asked.dates
    const askedOn = async (date: typeof first, token = client.token) =>
      (await app.call('GET', `/sessions/${date?.appointment_id}`, { token })).body.series?.asked_price
    const price = { fee: 70, answer_by: asked.price_change?.answer_by }
    expect([await askedOn(before), await askedOn(first)]).toEqual([undefined, price])
    expect(await askedOn(first, therapist)).toEqual(price)
    const other = await propose28(series.series_id, { fee: 80, from: '2026-07-03' })
    expect([other.status, other.body.code]).toEqual([409, 'not_changeable'])
    const accepted = seriesIn(await post(`/series/${series.series_id}/price`, { accept: true }))
    expect(accepted.dates.map(({ fee }) => fee)).toEqual([60, 60, 60, 70, 70, 70, 70, 70, 70, 70])
    expect(await askedOn(first)).toBeUndefined()
    await moveTo(new Date('2026-07-08T09:00:00Z'))
    await app.services.series.sweep()
    expect(await read(series.series_id)).toMatchObject({ fee: 70, price_change: null })
    expect((await appointments()).map(({ fee_pence }) => fee_pence)).toEqual([
      ...Array(3).fill(6000),
      ...Array((await appointments()).length - 3).fill(7000),
    ])

    // Another one later is accepted with a mail of its own.
    await propose28(series.series_id, { fee: 75, from: '2026-08-11' })
    expect((await post(`/series/${series.series_id}/price`, { accept: true })).status).toBe(200)
    await verifyAddresses()
    await app.queue.drain()
    const accepting = app
      .mails()
      .map(readMail)
      .filter(({ subject }) => subject === 'The new price was accepted')
    expect(accepting.map(({ to }) => to)).toEqual([practitioner.email, practitioner.email])
    // Both may be written within a millisecond, in either order.
    const prices = accepting.map(({ text }) => /New price: .*\nFrom: .*/.exec(text)?.[0])
    expect(prices).toContain('New price: £75.00 a session\nFrom: Tuesday 11 August 2026')
  })

  test('is refused for regular sessions that have ended, and says so', async () => {
    const series = await agreed()
    const goodbye = { at_once: true, reason: 'I am moving away.' }
    const end = await post(`/therapist/series/${series.series_id}/end`, goodbye, therapist)
    expect(seriesIn(end).state).toBe('ended')
    const late = await propose28(series.series_id, { fee: 70, from: '2026-07-03' })
    expect(late.body).toMatchObject({ code: 'series_over', message: 'These regular sessions have ended.' })
    expect(await read(series.series_id)).toMatchObject({ fee: 60, price_change: null })
  })

  test.each([
    ['accepted', { fee: 70, from_date: '2026-07-07', answer: 'accepted' }],
    ['asked for', { fee: 70, from_date: '2026-07-07', answer: null }],
  ])('that is %s from a day on goes with a change of the hour', async (what, price) => {
    const series = await agreed()
    expect((await propose28(series.series_id, { fee: 70, from: '2026-07-07' })).status).toBe(200)
    if (what === 'accepted') await post(`/series/${series.series_id}/price`, { accept: true })
    const wanted = { from: '2026-06-24', weekday: 3, start: '10:00' }
    const preview = await post(`/series/${series.series_id}/change-preview`, wanted)
    const fees = what === 'accepted' ? [60, 60, ...Array(8).fill(70)] : Array(10).fill(60)
    expect((preview.body as unknown as SeriesPreview).dates.map(({ fee }) => fee)).toEqual(fees)
    const next = seriesIn(await post(`/series/${series.series_id}/change`, wanted))
    expect(next.dates.map(({ fee }) => fee)).toEqual(fees)
    expect(next.price_change).toMatchObject(price)
    const shown = (await appointments()).filter(({ starts_at }) => (starts_at?.getUTCDay() ?? 0) === 3)
    expect(shown.map(({ fee_pence }) => fee_pence / 100)).toEqual(fees.slice(0, shown.length))
  })

  test('that is accepted is not that of a date that takes place as another service or in another form', async () => {
    const series = await agreed()
    await propose28(series.series_id, { fee: 70, from: '2026-07-07' })
    const other = series.dates[4]
    expect(other?.on_date).toBe('2026-07-14')
    const changed = await post('/appointment/edit-session', {
      appointment_id: other?.appointment_id,
      type: 'face_to_face',
      appointment_datetime: other?.starts_at,
      location_id: practitioner.locationId,
    })
    expect([changed.status, changed.body.message]).toEqual([200, undefined])
    const { fee } = changed.body
    expect(fee).not.toBe(60)
    const asked = await app.call('GET', `/sessions/${other?.appointment_id}`, { token: client.token })
    expect(asked.body.series?.asked_price).toBeUndefined()
    const accepted = seriesIn(await post(`/series/${series.series_id}/price`, { accept: true }))
    expect(accepted.dates.slice(0, 6).map((date) => date.fee)).toEqual([60, 60, 60, 70, fee, 70])
  })

  test('that is not answered is answered before the hour changes from a later day on', async () => {
    const series = await agreed()
    await propose28(series.series_id, { fee: 70, from: '2026-07-07' })
    const wanted = { from: '2026-07-08', weekday: 3, start: '10:00' }
    const before = await appointments()
    for (const path of ['change-preview', 'change']) {
      const refused = await post(`/series/${series.series_id}/${path}`, wanted)
      expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
      expect(refused.body.message).toContain('Please reply to it first')
    }
    expect(await appointments()).toEqual(before)
    expect(await read(series.series_id)).toMatchObject({ state: 'active', price_change: { answer: null } })
    await post(`/series/${series.series_id}/price`, { accept: true })
    const next = seriesIn(await post(`/series/${series.series_id}/change`, wanted))
    expect(next.dates.map(({ fee }) => fee)).toEqual(Array(10).fill(70))
    expect((await read(series.series_id)).dates.map(({ fee }) => fee)).toEqual([60, 60, 60, 70])
  })

  test('stays when the practitioner raises the price of the service, also for new and moved dates', async () => {
    const series = await agreed()
    await app.db
      .updateTable('practitioner_services')
      .set({ fee_pence: 9000 })
      .where('practitioner_id', '=', practitioner.id)
      .execute()
    await moveTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    const date = (await read(series.series_id)).dates[1]
    const moved = await post('/appointment/edit-session', {
      appointment_id: date?.appointment_id,
      type: 'online',
      appointment_datetime: '2026-06-24T13:00:00Z',
    })
    expect([moved.status, moved.body.message]).toEqual([200, undefined])
    const fees = (await appointments()).map(({ fee_pence }) => fee_pence)
    expect(fees).toEqual(Array(9).fill(6000))
    expect((await read(series.series_id)).dates.map(({ fee }) => fee)).toEqual(Array(10).fill(60))
    await moveTo(new Date('2026-06-22T13:00:00Z'))
    await app.services.reserved.sweep()
    expect(await ledger(app)).toEqual(twoSessions)
  })

  test('is neither accepted nor declined as another than the one that was shown', async () => {
    const series = await agreed()
    await propose28(series.series_id, { fee: 70, from: '2026-07-07' })
    const answer = (body: object) => post(`/series/${series.series_id}/price`, body)
    for (const shown of [
      { fee: 65, from_date: '2026-07-07' },
      { fee: 70, from_date: '2026-06-30' },
    ]) {
      for (const accept of [true, false]) {
        const refused = await answer({ accept, shown })
        expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
      }
    }
    expect(await read(series.series_id)).toMatchObject({
      state: 'active',
      last_on: null,
      price_change: { answer: null },
    })
    const accepted = await answer({ accept: true, shown: { fee: 70, from_date: '2026-07-07' } })
    expect(seriesIn(accepted).price_change).toMatchObject({ fee: 70, answer: 'accepted' })
  })

  test.each(['declined', 'not answered'])('that is %s ends the series at its date', async (how) => {
    const series = await agreed()
    await propose28(series.series_id, { fee: 70, from: '2026-07-07' })
    if (how === 'declined') await post(`/series/${series.series_id}/price`, { accept: false })
    else {
      await moveTo(new Date('2026-07-04T10:00:00Z'))
      await app.services.series.sweep()
    }
    expect(await read(series.series_id)).toMatchObject({ last_on: '2026-07-06' })
    expect((await reservedStarts()).filter((start) => String(start) > '2026-07-06')).toEqual([])
    await moveTo(new Date('2026-07-07T10:00:00Z'))
    await app.services.series.sweep()
    expect(await read(series.series_id)).toMatchObject({ state: 'ended', ended: { cause: 'price_declined' } })
    expect((await appointments()).every(({ fee_pence }) => fee_pence === 6000)).toBe(true)
  })
})

describe('a practitioner', () => {
  test('proposes an hour outside the schedule, which keeps its first date until the client answers', async () => {
    const proposal = seriesIn(
      await post('/therapist/series', { appointment_id: session, weekday: 3, start: '06:30' }, therapist),
    )
    expect(proposal).toMatchObject({ state: 'proposed', proposed_by: 'practitioner', waits_for: 'client' })
    const kept = () =>
      app.db
        .selectFrom('session_series')
        .innerJoin('reservations', 'reservations.id', 'session_series.kept_reservation_id')
        .select('reservations.state')
        .execute()
    expect(await kept()).toEqual([{ state: 'booked' }])
    const seen = await read(proposal.series_id)
    expect(seen.dates[0]).toMatchObject({ on_date: '2026-06-10', state: 'free', conflict: null })
    expect(seriesIn(await agree(seen)).state).toBe('active')
    expect((await reservedStarts())[0]).toBe('2026-06-10T05:30:00.000Z')
    expect(await kept()).toEqual([])
  })

  describe('who offers an hour that is offered or kept already', () => {
    const offer = (body: object = {}) =>
      post('/therapist/series', { appointment_id: session, first_on: '2026-06-16', ...body }, therapist)
    const every = () => app.db.selectFrom('session_series').selectAll().execute()
    const refusedWith = async (answer: Answer, message: RegExp, before: unknown) => {
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
      expect(answer.body.message).toMatch(message)
      expect([await every(), await templates()]).toEqual(before)
    }

    test('sees the same offer once, and is to withdraw one on other terms', async () => {
      const made = seriesIn(await offer())
      expect(seriesIn(await offer()).series_id).toBe(made.series_id)
      const before = [await every(), await templates()]
      await refusedWith(await offer({ every_weeks: 2 }), /withdraw/i, before)
      await refusedWith(await offer({ first_on: '2026-06-23' }), /withdraw/i, before)
      await refusedWith(await offer({ appointment_type: 'face_to_face' }), /withdraw/i, before)
      await app.db
        .updateTable('session_series')
        .set({ fee_pence: 5000 })
        .where('id', '=', made.series_id)
        .execute()
      await refusedWith(await offer(), /withdraw/i, [await every(), await templates()])
    })

    test('is to reply to what the client has asked for', async () => {
      await propose({ first_on: '2026-06-16' })
      await refusedWith(await offer(), /has asked for this hour/, [await every(), await templates()])
    })

    test('is to change or end the sessions that the client keeps', async () => {
      await agree(seriesIn(await offer()))
      await refusedWith(await offer(), /keeps this hour/, [await every(), await templates()])
    })
  })

  test('reads whose session an hour is offered from, and another practitioner does not', async () => {
    const body = { appointment_id: session }
    const { first_name, last_name } = await app.db
      .selectFrom('accounts')
      .select(['first_name', 'last_name'])
      .where('id', '=', client.id)
      .executeTakeFirstOrThrow()
    const preview = await post('/therapist/series/preview', body, therapist)
    expect(preview.body).toMatchObject({ client_name: `${first_name} ${last_name[0]}.` })
    const other = await signInPractitioner(app, await createPractitioner(app))
    expect((await post('/therapist/series/preview', body, other)).status).toBe(404)
    expect((await post('/series/preview', body)).body).not.toHaveProperty('client_name')
  })

  test('proposes no hour at a place that was given up, in words that say so', async () => {
    const at = { practitioner, client, card, startsAt: '2026-06-11T09:00:00.000Z' }
    const session = await bookSession(app, { ...at, type: 'face_to_face' })
    expect((await post('/therapist/add-location-list', { location_list: [] }, therapist)).status).toBe(200)
    for (const path of ['/therapist/series/preview', '/therapist/series']) {
      const refused = await post(path, { appointment_id: session }, therapist)
      expect([refused.status, refused.body.message]).toEqual([
        422,
        'The place of this session is no longer offered.',
      ])
    }
    expect(await app.db.selectFrom('session_series').selectAll().execute()).toEqual([])
  })

  test('whose profile is closed frees the kept hour of the client', async () => {
    const offered = { appointment_id: session, every_weeks: 1, weekday: 4, first_on: '2026-06-18' }
    expect((await post('/therapist/series', offered, therapist)).status).toBe(201)
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await office.act(practitioner.id, 'close', { reason: 'Left.' })).status).toBe(200)
    const other = await createPractitioner(app)
    await bookSession(app, { practitioner: other, client, card, startsAt: '2026-06-18T09:00:00Z' })
  })

  test('proposes none to a client who has deleted their account, and keeps no hour', async () => {
    app.clock.set('2026-06-10T12:00:00Z')
    await app.services.bookings.sweep()
    client = await signInAgain(app, client)
    const left = await post('/client/delete-account', { current_password: password, understood: true })
    expect(left.status).toBe(200)
    therapist = await signInPractitioner(app, practitioner)
    for (const path of ['/therapist/series/preview', '/therapist/series']) {
      const refused = await post(path, { appointment_id: session }, therapist)
      expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
    }
    const reservations = await app.db.selectFrom('reservations').select('during').execute()
    expect([reservations.length, await app.db.selectFrom('session_series').selectAll().execute()]).toEqual([
      1,
      [],
    ])
  })

  test('frees the kept hour by withdrawing, and the client by declining', async () => {
    for (const path of ['decline', 'end'] as const) {
      const proposal = seriesIn(
        await post('/therapist/series', { appointment_id: session, weekday: 3, start: '06:30' }, therapist),
      )
      const [url, token] =
        path === 'end'
          ? [`/series/${proposal.series_id}/end`, client.token]
          : [`/therapist/series/${proposal.series_id}/decline`, therapist]
      expect(seriesIn(await post(url, {}, token)).state).toBe('ended')
    }
    const live = await app.db.selectFrom('reservations').select('id').where('state', '=', 'booked').execute()
    expect(live).toHaveLength(1)
    expect(await appointments()).toEqual([])
  })

  test('who withdraws a proposal and one who declines a request send different mails', async () => {
    await verifyAddresses()
    const proposal = seriesIn(
      await post('/therapist/series', { appointment_id: session, weekday: 3, start: '06:30' }, therapist),
    )
    await app.queue.drain()
    await post(
      `/therapist/series/${proposal.series_id}/decline`,
      { reason: 'My week has changed.' },
      therapist,
    )
    await app.queue.drain()
    const texts = (to: string) =>
      app
        .mails()
        .map(readMail)
        .filter(({ to: each, subject }) => each === to && /regular (sessions|hour)/i.test(subject))
        .map(({ subject, text }) => `${subject}\n${text.replace(/\s+/g, ' ')}`)
        .join('\n')
    // The hour stays when the clocks change.
    expect(texts(client.email)).toMatch(/Time zone: London time Price:/)
    expect(texts(client.email)).toContain('An offer of a regular hour was withdrawn')
    expect(texts(client.email)).toContain('has withdrawn the offer to keep Wednesdays at 06:30 for you.')
    expect(texts(client.email)).toContain('My week has changed.')
    expect(texts(client.email)).not.toContain('cannot keep')
    expect(texts(practitioner.email)).toContain('you have withdrawn your offer of Wednesdays at 06:30.')
    expect(texts(practitioner.email)).not.toContain('cannot keep')

    const request = await propose()
    await post(`/therapist/series/${request.series_id}/decline`, {}, therapist)
    await app.queue.drain()
    expect(texts(client.email)).toContain('cannot keep Tuesdays at 10:00 for you.')
    expect(texts(practitioner.email)).toContain('that you cannot keep Tuesdays at 10:00.')
    await post(`/series/${(await propose()).series_id}/end`)
    await app.queue.drain()
    expect(texts(practitioner.email)).toContain('no longer asks to keep Tuesdays at 10:00.')
  })

  test('lists the series sessions in time off and skips them with one press, a paid one refunded in full', async () => {
    const series = await agreed()
    const range = { first_day: '2026-06-22', last_day: '2026-07-03' }
    const inside = await post('/therapist/series/in-time-off', range, therapist)
    expect((inside.body as unknown as { data: object[] }).data).toMatchObject([
      { on_date: '2026-06-23', client_name: 'Alex M.', paid: false, fee: 60 },
      { on_date: '2026-06-30', paid: false },
    ])
    const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: range })
    // Adding time off alone skips nothing.
    expect(await reservedStarts()).toHaveLength(8)
    const path = `/therapist/time-off/${String(off.body.time_off_id)}/skip-series`
    const skipped = await post(path, {}, therapist)
    expect((skipped.body as unknown as { data: object[] }).data).toHaveLength(2)
    expect(await reservedStarts()).toHaveLength(6)
    const now = await read(series.series_id)
    expect(now.dates.slice(1, 3)).toMatchObject([
      { state: 'skipped', can: { restore: false } },
      { state: 'skipped', can: { restore: false } },
    ])
    expect((await templates()).slice(2)).toEqual(['series.skipped client'])
    expect((await post(path, {}, therapist)).body.data).toEqual([])
    expect((await templates()).slice(2)).toEqual(['series.skipped client'])
    const stranger = await signInPractitioner(app, await createPractitioner(app))
    expect((await post(path, {}, stranger)).status).toBe(404)
  })

  describe('a skip for time off that names the sessions that were shown', () => {
    const range = { first_day: '2026-06-22', last_day: '2026-07-03' }
    type Listed = { appointment_id: string; starts_at: string; on_date: string }
    const inTimeOff = async () =>
      ((await post('/therapist/series/in-time-off', range, therapist)).body as unknown as { data: Listed[] })
        .data
    const daysOf = (listed: readonly Listed[]) => listed.map(({ on_date }) => on_date)
    const named = (listed: readonly Listed[]) => ({
      only: listed.map(({ appointment_id, starts_at }) => ({ appointment_id, starts_at })),
    })
    const takeOff = async () => {
      const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: range })
      return `/therapist/time-off/${String(off.body.time_off_id)}/skip-series`
    }
    const skip = async (path: string, body: object) => {
      const { status, body: answer } = await post(path, body, therapist)
      const { data, left } = answer as unknown as { data: Listed[]; left: Listed[] }
      return { status, skipped: daysOf(data), left: daysOf(left) }
    }
    const move = (id: string | null | undefined, to: string, token = client.token) =>
      post(
        '/appointment/edit-session',
        { appointment_id: id, type: 'online', appointment_datetime: to, customer_id: card },
        token,
      )

    test('skips those alone, and leaves one that was agreed since', async () => {
      await agreed()
      const shown = await inTimeOff()
      const other = await createClient(app)
      const theirs = await saveCard(app, other)
      const begun = await bookSession(app, {
        practitioner,
        client: other,
        card: theirs,
        startsAt: '2026-06-10T09:00:00Z',
      })
      const proposed = seriesIn(await post('/series', { appointment_id: begun }, other.token))
      const body = { customer_id: theirs, terms_version: proposed.terms?.version, dates: [] }
      seriesIn(await post(`/series/${proposed.series_id}/agree`, body, other.token))
      const path = await takeOff()
      expect(await skip(path, named(shown))).toEqual({
        status: 200,
        skipped: ['2026-06-23', '2026-06-30'],
        left: ['2026-06-24', '2026-07-01'],
      })
      expect(daysOf(await inTimeOff())).toEqual(['2026-06-24', '2026-07-01'])
      // Repeated after an answer that was lost.
      expect(await skip(path, named(shown))).toMatchObject({
        skipped: [],
        left: ['2026-06-24', '2026-07-01'],
      })
    })

    test('leaves one that was moved since, within the time off or out of it', async () => {
      const series = await agreed()
      const shown = await inTimeOff()
      expect((await move(shown[0]?.appointment_id, '2026-06-24T13:00:00Z')).status).toBe(200)
      expect((await move(shown[1]?.appointment_id, '2026-07-06T13:00:00Z')).status).toBe(200)
      const path = await takeOff()
      expect(await skip(path, named(shown))).toEqual({
        status: 200,
        skipped: [],
        left: ['2026-06-23', '2026-06-30'],
      })
      expect(await reservedStarts()).toHaveLength(8)
      expect((await read(series.series_id)).dates.slice(1, 3)).toMatchObject([
        { state: 'moved', session_status: 'reserved' },
        { state: 'moved', session_status: 'reserved' },
      ])
      expect((await templates()).filter((template) => template.startsWith('series.skipped'))).toEqual([])
    })

    test('leaves a session of another practitioner that it names', async () => {
      await agreed()
      const shown = await inTimeOff()
      therapist = await signInPractitioner(app, await createPractitioner(app))
      expect(await skip(await takeOff(), named(shown))).toEqual({ status: 200, skipped: [], left: [] })
      expect(await reservedStarts()).toHaveLength(8)
    })

    test.each(['unpaid', 'paid'])('leaves one that is moved while others are skipped: %s', async (which) => {
      let moveLast: (() => Promise<unknown>) | undefined
      await app.close()
      app = await buildTestApp({
        rateLimitScale: 1_000,
        async checkpoint(step) {
          if (step !== 'dates skipped for time off') return
          const run = moveLast
          moveLast = undefined
          await run?.()
        },
      })
      client = await createClient(app)
      practitioner = await createPractitioner(app)
      card = await saveCard(app, client)
      therapist = await signInPractitioner(app, practitioner)
      for (const day of ['2026-06-09', '2026-06-10']) {
        session = await bookSession(app, { practitioner, client, card, startsAt: `${day}T09:00:00Z` })
        await agreed()
      }
      const wanted = { first_day: '2026-06-16', last_day: '2026-06-17' }
      const listed = (await post('/therapist/series/in-time-off', wanted, therapist)).body
      const [, last] = (listed as unknown as { data: Listed[] }).data
      if (which === 'paid') {
        // The last instant in which a paid session is moved.
        await moveTo(new Date('2026-06-15T09:00:00Z'))
        await app.services.reserved.sweep()
      }
      const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: wanted })
      let moved: Answer | undefined
      moveLast = async () => {
        moved = await move(last?.appointment_id, '2026-06-22T13:00:00Z')
      }
      const path = `/therapist/time-off/${String(off.body.time_off_id)}/skip-series`
      const answer = await post(path, {}, therapist)
      expect(moved?.status).toBe(200)
      expect(answer.body).toMatchObject({ data: [{ on_date: '2026-06-16' }] })
      expect(answer.body.data).toHaveLength(1)
      expect(await statesOf('2026-06-22T13:00:00.000Z')).toEqual([
        which === 'paid' ? 'confirmed' : 'reserved',
      ])
    })
  })

  test('counts and lists no session that has begun before time off is entered, and promises no money for it', async () => {
    await agreed()
    await payFirst()
    await moveTo(new Date('2026-06-16T14:00:00Z'))
    const range = { first_day: '2026-06-16', last_day: '2026-06-24' }
    const inside = await post('/therapist/series/in-time-off', range, therapist)
    const dates = (inside.body as unknown as { data: { on_date: string }[] }).data
    expect(dates.map(({ on_date }) => on_date)).toEqual(['2026-06-23'])
    const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: range })
    expect(off.body).toMatchObject({ booked_sessions: 1 })
    expect((await statesOf('2026-06-16T09:00:00.000Z'))[0]).toBe('confirmed')
  })
})

describe('the first session of a referred client', () => {
  let friend: string
  const mastercard = '5555555555554444'
  beforeEach(async () => {
    friend = client.referralCode
    client = await createClient(app, { referral_code: friend })
    await verifyAddresses()
  })

  const wanted = () => ({
    practitioner_id: practitioner.id,
    service_id: 1,
    appointment_type: 'online',
    weekday: 2,
    start: '10:00',
    first_on: '2026-06-16',
  })
  const keep = async (number: string, body: object = {}): Promise<Series> => {
    card = await saveCard(app, client, number)
    return seriesIn(await agree(seriesIn(await post('/series', { ...wanted(), ...body })), [], card))
  }
  const feesOf = ({ dates }: { dates: { fee: number }[] }) => dates.map(({ fee }) => fee)
  const discounted = [48, ...Array<number>(9).fill(60)]
  const sweepAt = async (now: string) => {
    await moveTo(new Date(now))
    await app.services.reserved.sweep()
    await app.queue.drain()
  }
  const discounts = async () =>
    (
      await app.db
        .selectFrom('appointments')
        .select(['starts_at', 'state'])
        .where('client_id', '=', client.id)
        .where('discount_pence', '>', 0)
        .where('state', '<>', 'cancelled')
        .orderBy('starts_at')
        .execute()
    ).map(({ starts_at, state }) => `${starts_at?.toISOString().slice(0, 10)} ${state}`)
  /** What this client has paid, beside the session of another client that each test begins with. */
  const paid = async () => {
    const all = await ledger(app)
    return {
      client: (all.gateway_balance ?? 0) - 6000,
      practitioner: -(all.practitioner_payable ?? 0) - 6000,
      hearth: all.referral_discounts ?? 0,
    }
  }

  test('costs 20 % less as the first date of a series, and no other date does', async () => {
    expect(feesOf((await post('/series/preview', wanted())).body as unknown as SeriesPreview)).toEqual(
      discounted,
    )
    const series = await keep(mastercard)
    expect(feesOf(series)).toEqual(discounted)
    expect(feesOf(await read(series.series_id, therapist))).toEqual(Array(10).fill(60))
    await sweepAt('2026-06-13T09:00:00Z')
    const announced = app.mails().map(readMail)
    expect(
      announced.filter(({ to, raw }) => to === client.email && raw.includes('=C2=A348=2E00_will_be_taken')),
    ).toHaveLength(1)
    await sweepAt('2026-06-14T09:00:00Z')
    expect(await paid()).toEqual({ client: 4800, practitioner: 6000, hearth: 1200 })
    await sweepAt('2026-06-21T09:00:00Z')
    expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    expect(await discounts()).toEqual(['2026-06-16 confirmed'])
  })

  test('is listed within time off with what its client gets back of it', async () => {
    await keep(mastercard)
    await sweepAt('2026-06-14T09:00:00Z')
    await moveTo(new Date('2026-06-15T08:00:00Z'))
    const range = { first_day: '2026-06-16', last_day: '2026-06-23' }
    const { body } = await post('/therapist/series/in-time-off', range, therapist)
    expect(body.data).toMatchObject([
      { on_date: '2026-06-16', paid: true, fee: 60, price: 48 },
      { on_date: '2026-06-23', paid: false, fee: 60, price: 60 },
    ])
    const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: range })
    await post(`/therapist/time-off/${String(off.body.time_off_id)}/skip-series`, {}, therapist)
    await app.queue.drain()
    expect(await paid()).toEqual({ client: 0, practitioner: 0, hearth: 0 })
    const told = app.mails().map(readMail)
    const away = told.filter(({ to, subject }) => to === client.email && subject.endsWith('is away'))
    expect(away.map(({ text }) => text.includes('We refund £48.00 to you'))).toEqual([true])
  })

  test('is the next one once it is skipped, and it alone', async () => {
    const { series_id: id } = await keep(mastercard)
    await post(`/series/${id}/dates/2026-06-16/skip`)
    expect(await discounts()).toEqual([])
    await sweepAt('2026-06-20T09:00:00Z')
    expect(await discounts()).toEqual(['2026-06-23 reserved'])
    expect(feesOf(await read(id)).slice(0, 2)).toEqual([48, 60])
    await sweepAt('2026-06-21T09:00:00Z')
    await sweepAt('2026-06-28T09:00:00Z')
    expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    expect(await discounts()).toEqual(['2026-06-23 confirmed'])
  })

  test('is the next one also where that is moved to a near time and paid with the move', async () => {
    const { series_id: id } = await keep(mastercard)
    await post(`/series/${id}/dates/2026-06-16/skip`)
    await moveTo(new Date('2026-06-15T09:00:00Z'))
    const next = (await read(id)).dates.find(({ on_date }) => on_date === '2026-06-23')
    const move = (fee?: number) =>
      post('/appointment/edit-session', {
        appointment_id: next?.appointment_id,
        type: 'online',
        appointment_datetime: '2026-06-16T13:00:00Z',
        customer_id: card,
        fee,
      })
    const refused = await move(60)
    expect([refused.body.code, refused.body.details]).toEqual(['price_changed', { fee: 48 }])
    expect(await paid()).toEqual({ client: 0, practitioner: 0, hearth: 0 })
    expect((await move(48)).body).toMatchObject({ status: 'confirmed', fee: 48, discount: 12 })
    expect(await paid()).toEqual({ client: 4800, practitioner: 6000, hearth: 1200 })
    expect(await discounts()).toEqual(['2026-06-16 confirmed'])
  })

  test('that is skipped and taken up again costs less once', async () => {
    const { series_id: id } = await keep(mastercard)
    await post(`/series/${id}/dates/2026-06-16/skip`)
    expect((await post(`/series/${id}/dates/2026-06-16/restore`)).status).toBe(200)
    await sweepAt('2026-06-14T09:00:00Z')
    await sweepAt('2026-06-21T09:00:00Z')
    expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    expect(await discounts()).toEqual(['2026-06-16 confirmed'])
  })

  test('costs 20 % less of a new price as well', async () => {
    const { series_id: id } = await keep(mastercard, { first_on: '2026-07-07' })
    await post(`/therapist/series/${id}/new-price`, { fee: 70, from: '2026-07-07' }, therapist)
    const accepted = seriesIn(await post(`/series/${id}/price`, { accept: true }))
    expect(feesOf(accepted)).toEqual([56, ...Array<number>(9).fill(70)])
    await sweepAt('2026-07-05T09:00:00Z')
    expect(await paid()).toEqual({ client: 5600, practitioner: 7000, hearth: 1400 })
  })

  test('was booked by itself: every date of the series has the whole price', async () => {
    card = await saveCard(app, client, mastercard)
    await bookSession(app, { practitioner, client, card, startsAt: '2026-06-10T09:00:00Z' })
    expect(feesOf(await keep(mastercard))).toEqual(Array(10).fill(60))
    await sweepAt('2026-06-14T09:00:00Z')
    expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    expect(await discounts()).toEqual(['2026-06-10 completed'])
  })

  describe('with a card that has had a discount', () => {
    const number = '4242424242424242'
    beforeEach(async () => {
      const other = await createClient(app, { referral_code: friend })
      await bookSession(app, {
        practitioner,
        client: other,
        card: await saveCard(app, other, number),
        startsAt: '2026-06-10T09:00:00Z',
      })
    })
    const before = { client: 4800, practitioner: 6000, hearth: 1200 }

    test('has the whole price', async () => {
      expect(feesOf(await keep(number))).toEqual(Array(10).fill(60))
      await sweepAt('2026-06-14T09:00:00Z')
      expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    })

    test('is not charged before the client has seen the whole price', async () => {
      const { series_id: id } = await keep(mastercard)
      const swapped = await saveCard(app, client, number)
      await app.call('PUT', `/series/${id}/card`, { token: client.token, body: { customer_id: swapped } })
      await sweepAt('2026-06-14T09:00:00Z')
      expect(await paid()).toEqual(before)
      const date = (await read(id)).dates[0]
      expect(date).toMatchObject({ fee: 60, session_status: 'reserved', can: { pay: true } })
      const pay = () => post(`/appointment/${date?.appointment_id}/pay`, { customer_id: swapped })
      expect((await pay()).body).toMatchObject({ status: 'captured', amount: 60 })
      expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    })

    test('is refused a move to a near time once, with the whole price of it', async () => {
      const { dates } = await keep(mastercard)
      await moveTo(new Date('2026-06-12T09:00:00Z'))
      const theirs = await saveCard(app, client, number)
      const move = () =>
        post('/appointment/edit-session', {
          appointment_id: dates[0]?.appointment_id,
          type: 'online',
          appointment_datetime: '2026-06-12T13:00:00Z',
          customer_id: theirs,
        })
      const refused = await move()
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        422,
        'price_changed',
        { fee: 60 },
      ])
      expect(await paid()).toEqual(before)
      expect(await statesOf('2026-06-16T09:00:00.000Z')).toEqual(['reserved'])
      expect((await move()).status).toBe(200)
      expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    })

    test('is refused on the page once, with the price that it has then', async () => {
      const { dates } = await keep(mastercard)
      await moveTo(new Date('2026-06-14T09:00:00Z'))
      const theirs = await saveCard(app, client, number)
      const pay = () => post(`/appointment/${dates[0]?.appointment_id}/pay`, { customer_id: theirs })
      const refused = await pay()
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        422,
        'price_changed',
        { fee: 60 },
      ])
      expect(await paid()).toEqual(before)
      expect((await pay()).body).toMatchObject({ status: 'captured', amount: 60 })
      expect(await paid()).toEqual({ client: 10_800, practitioner: 12_000, hearth: 1200 })
    })
  })
})

test('a skip for time off that is cut off after a session leaves none of them without a mail', async () => {
  await app.close()
  let isCutOff = true
  app = await buildTestApp({
    rateLimitScale: 1_000,
    checkpoint: async (step) => {
      if (step === 'dates skipped for time off' && isCutOff) throw new Error('The process ends here.')
    },
  })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  card = await saveCard(app, client)
  session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
  therapist = await signInPractitioner(app, practitioner)
  await agreed()
  const range = { first_day: '2026-06-22', last_day: '2026-07-03' }
  const off = await app.call('POST', '/therapist/time-off', { token: therapist, body: range })
  const path = `/therapist/time-off/${String(off.body.time_off_id)}/skip-series`
  expect((await post(path, {}, therapist)).status).toBe(500)
  isCutOff = false
  expect((await post(path, {}, therapist)).status).toBe(200)
  expect(await reservedStarts()).toHaveLength(6)
  await verifyAddresses()
  await app.queue.drain()
  const told = app
    .mails()
    .map(readMail)
    .filter(({ to, subject }) => to === client.email && subject.endsWith('is away'))
  const text = told.map((mail) => mail.text).join()
  expect([text.includes('23 June'), text.includes('30 June')]).toEqual([true, true])
})

describe('time off over a paid date', () => {
  test('skips it with one press, and the client gets the whole price back', async () => {
    const series = await agreed()
    await payFirst()
    const off = await app.call('POST', '/therapist/time-off', {
      token: therapist,
      body: { first_day: '2026-06-16' },
    })
    expect(await statesOf('2026-06-16T09:00:00.000Z')).toEqual(['confirmed'])
    const path = `/therapist/time-off/${String(off.body.time_off_id)}/skip-series`
    const skipped = await post(path, {}, therapist)
    expect(skipped.body.data).toMatchObject([{ on_date: '2026-06-16', paid: true, fee: 60 }])
    await verifyAddresses()
    await app.queue.drain()
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect((await read(series.series_id)).dates[0]).toMatchObject({
      on_date: '2026-06-16',
      state: 'skipped',
      session_status: 'cancelled',
      payment: 'refunded',
    })
    await app.db.updateTable('refunds').set({ state: 'failed' }).execute()
    expect((await read(series.series_id)).dates[0]).toMatchObject({ state: 'skipped', payment: 'none' })
    await app.db.updateTable('refunds').set({ state: 'succeeded' }).execute()
    const mails = app.mails().map(readMail)
    const told = mails.filter(({ to, subject }) => to === client.email && subject.endsWith('is away'))
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain('We refund £60.00 to you')
    expect((await post(path, {}, therapist)).body.data).toEqual([])
    await app.queue.drain()
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })
})

describe('the money of a series', () => {
  /** Hours of the product's life pass as its jobs see them. */
  async function sweep(): Promise<void> {
    await app.services.series.sweep()
    await app.services.reserved.sweep()
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    await app.queue.drain()
  }

  test('is taken once for each of twelve weeks, 48 hours before it, exact to the penny', async () => {
    const series = await agreed()
    const path = `/series/${series.series_id}/dates`
    await post(`${path}/2026-06-30/skip`)
    const end = new Date('2026-09-02T09:00:00Z')
    for (let now = app.clock.now(); now < end; now = later(now, days(0.5))) {
      app.clock.set(now)
      await sweep()
    }
    const paid = await app.db
      .selectFrom('payment_intents')
      .innerJoin('appointments', 'appointments.id', 'payment_intents.appointment_id')
      .select([
        'appointments.starts_at',
        'payment_intents.created_at',
        'payment_intents.amount_pence',
        'on_session',
      ])
      .where('appointments.series_id', 'is not', null)
      .where('payment_intents.state', '=', 'captured')
      .orderBy('appointments.starts_at')
      .execute()
    // From 16 June to 1 September, without 30 June.
    expect(paid).toHaveLength(11)
    for (const { starts_at, created_at, amount_pence, on_session } of paid) {
      expect([amount_pence, on_session]).toEqual([6000, false])
      const ahead = (starts_at?.getTime() ?? 0) - created_at.getTime()
      expect(ahead).toBeLessThanOrEqual(days(2))
      expect(ahead).toBeGreaterThan(days(1.4))
    }
    expect(await ledger(app)).toEqual({ gateway_balance: 12 * 6000, practitioner_payable: -12 * 6000 })
    client = await signInAgain(app, client)
    expect((await read(series.series_id)).state).toBe('active')
  }, 120_000)

  test('of a date that is cancelled and taken up again, unpaid, moved and paid, is taken for the last session alone', async () => {
    const series = await agreed()
    const onDate = '2026-06-30'
    for (const before of ['2026-06-16', '2026-06-23']) {
      await post(`/series/${series.series_id}/dates/${before}/skip`)
    }
    const path = `/series/${series.series_id}/dates/${onDate}`
    const date = async () => (await read(series.series_id)).dates.find(({ on_date }) => on_date === onDate)
    const cancel = async () =>
      post('/appointment/cancel-session', { appointment_id: (await date())?.appointment_id })
    const restore = async () => {
      expect((await post(`${path}/restore`)).status).toBe(200)
      expect(await date()).toMatchObject({ state: 'planned', starts_at: '2026-06-30T09:00:00.000Z' })
    }
    expect((await cancel()).status).toBe(200)
    expect((await date())?.state).toBe('skipped')
    await restore()
    const moved = await post('/appointment/edit-session', {
      appointment_id: (await date())?.appointment_id,
      type: 'online',
      appointment_datetime: '2026-06-30T13:00:00Z',
    })
    expect(moved.status).toBe(200)
    expect((await date())?.state).toBe('moved')
    expect((await cancel()).status).toBe(200)
    // Taken up again less than 96 hours before, it can be cancelled after its payment.
    await moveTo(new Date('2026-06-27T21:00:00Z'))
    await restore()
    await moveTo(new Date('2026-06-28T09:00:00Z'))
    await sweep()
    expect((await date())?.payment).toBe('paid')
    expect(await ledger(app)).toEqual({ gateway_balance: 12_000, practitioner_payable: -12_000 })
    expect((await cancel()).status).toBe(200)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    await restore()
    app.clock.advance(60_000)
    await sweep()
    expect((await date())?.payment).toBe('paid')
    expect(await ledger(app)).toEqual({ gateway_balance: 12_000, practitioner_payable: -12_000 })
    const { rows: live } = await sql<{ state: string; count: number }>`
      select state, count(*)::int from appointments where series_id = ${series.series_id}
        and starts_at between '2026-06-30' and '2026-07-01' group by state order by state`.execute(app.db)
    expect(live).toEqual([
      { state: 'cancelled', count: 3 },
      { state: 'confirmed', count: 1 },
    ])
  }, 120_000)

  test('of a session within 48 hours is taken on agreement, with the client there', async () => {
    await moveTo(new Date('2026-06-14T12:00:00Z'))
    const series = seriesIn(await agree(await propose()))
    expect(series.dates[0]).toMatchObject({
      on_date: '2026-06-16',
      payment: 'paid',
      session_status: 'confirmed',
    })
    expect(series.dates[1]).toMatchObject({ payment: 'not_yet' })
    const intents = await app.db
      .selectFrom('payment_intents')
      .select(['on_session', 'state'])
      .orderBy('created_at', 'desc')
      .execute()
    expect(intents).toHaveLength(2)
    expect(intents[0]).toEqual({ on_session: true, state: 'captured' })
  })

  test('is paid with a card that is shown to expire soon, twelve days before it does', async () => {
    const series = await agreed()
    await app.db
      .updateTable('payment_methods')
      .set({ expiry_year: 2026, expiry_month: 6 })
      .where('id', '=', card)
      .execute()
    const expiresSoon = async () => (await read(series.series_id)).card?.expires_soon
    await moveTo(new Date('2026-06-18T23:59:59Z'))
    expect(await expiresSoon()).toBe(false)
    await moveTo(new Date('2026-06-19T00:00:00Z'))
    expect(await expiresSoon()).toBe(true)
  })

  test('that the bank asks about is answered 402 with the session, and the series is agreed', async () => {
    await moveTo(new Date('2026-06-14T12:00:00Z'))
    const asking = await saveCard(app, client, '4000002500003155')
    const series = await propose()
    const answer = await agree(series, [], asking)
    expect([answer.status, answer.body.code]).toEqual([402, 'authentication_required'])
    const details = answer.body.details as unknown as Record<string, string>
    const now = await read(series.series_id)
    expect(now.state).toBe('active')
    expect(details).toMatchObject({
      series_id: series.series_id,
      appointment_id: now.dates[0]?.appointment_id,
    })
    expect(details.client_secret).toBeTruthy()
    const paid = await post('/payment/sandbox/confirm-authentication', { session_id: details.appointment_id })
    expect([paid.status, paid.body.status]).toEqual([200, 'captured'])
    expect((await read(series.series_id)).dates[0]?.payment).toBe('paid')
  })

  test('that is declined is not owed for a skipped date, which counts as unpaid for the pause all the same', async () => {
    const declined = await saveCard(app, client, '4000000000000002')
    const series = seriesIn(await agree(await propose(), [], declined))
    const failAndSkip = async (onDate: string) => {
      await moveTo(later(new Date(`${onDate}T09:00:00Z`), -days(2)))
      await sweep()
      const due = (await read(series.series_id)).dates.find(({ on_date }) => on_date === onDate)
      expect(due).toMatchObject({ payment: 'due', can: { skip: true } })
      return seriesIn(await post(`/series/${series.series_id}/dates/${onDate}/skip`))
    }
    expect((await failAndSkip('2026-06-16')).state).toBe('active')
    expect(await failAndSkip('2026-06-23')).toMatchObject({ state: 'paused', paused: { cause: 'unpaid' } })
    const skipped = (await appointments()).filter(({ state }) => state === 'cancelled')
    expect(skipped.map(({ cancel_code }) => cancel_code)).toEqual([null, null])
    await sweep()
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const states = await app.db.selectFrom('payment_intents').select('state').execute()
    expect(states.map(({ state }) => state).sort()).toEqual(['captured', 'declined', 'declined'])
  })

  test('that is declined for dates that the practitioner then cancels pauses nothing', async () => {
    const declined = await saveCard(app, client, '4000000000000002')
    const series = seriesIn(await agree(await propose(), [], declined))
    for (const onDate of ['2026-06-16', '2026-06-23']) {
      await moveTo(later(new Date(`${onDate}T09:00:00Z`), -days(2)))
      await sweep()
      const due = (await read(series.series_id)).dates.find(({ on_date }) => on_date === onDate)
      expect(due).toMatchObject({ payment: 'due' })
      const cancelled = await post(`/therapist/sessions/${due?.appointment_id}/cancel`, {}, therapist)
      expect(cancelled.status).toBe(200)
    }
    expect(await read(series.series_id)).toMatchObject({ state: 'active', paused: null })
  })

  test('that is declined twice running pauses the series, and paying the next date lets it go on', async () => {
    const declined = await saveCard(app, client, '4000000000000002')
    const series = seriesIn(await agree(await propose(), [], declined))
    for (
      let now = new Date('2026-06-13T09:00:00Z');
      now < new Date('2026-06-22T12:00:00Z');
      now = later(now, days(0.25))
    ) {
      app.clock.set(now)
      await sweep()
    }
    await moveTo(new Date('2026-06-22T12:00:00Z'))
    const paused = await read(series.series_id)
    expect(paused).toMatchObject({ state: 'paused', paused: { cause: 'unpaid' } })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const next = paused.paused?.pay_appointment_id
    await moveTo(new Date('2026-06-28T09:00:00Z'))
    const paid = await post(`/appointment/${String(next)}/pay`, { customer_id: card })
    expect([paid.status, paid.body.message]).toEqual([200, undefined])
    expect(await read(series.series_id)).toMatchObject({ state: 'active', paused: null })
    expect(await ledger(app)).toEqual({ gateway_balance: 12_000, practitioner_payable: -12_000 })
    seriesIn(
      await app.call('PUT', `/series/${series.series_id}/card`, {
        token: client.token,
        body: { customer_id: card },
      }),
    )
    const cards = (await appointments()).filter(({ state }) => state === 'reserved')
    expect(new Set(cards.map(({ payment_method_id }) => payment_method_id))).toEqual(new Set([card]))
  }, 120_000)
})
