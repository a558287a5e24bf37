import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, later } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { aSeries, dateOf, insertSeriesOf } from '#test/reserved.ts'
import type { WantedDate } from './reserved.service.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let card: string
const tuesday = new Date('2026-06-16T09:00:00Z')

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  card = await saveCard(app, client)
  await insertSeriesOf(app, wanted())
})
afterEach(async () => app.close())

const wanted = (change: Partial<WantedDate> = {}): WantedDate =>
  dateOf({ client, practitioner, card }, tuesday, change)
const reserve = (change?: Partial<WantedDate>) =>
  inTransaction(app.db, (tx) => app.services.reserved.reserve(tx, wanted(change)))

async function reserved(change?: Partial<WantedDate>): Promise<string> {
  const outcome = await reserve(change)
  if ('conflict' in outcome) throw new Error(outcome.conflict)
  return outcome.appointmentId
}

const live = async () =>
  (await app.db.selectFrom('reservations').select('id').where('state', '<>', 'released').execute()).length
const row = (id: string) =>
  app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const upcoming = async () =>
  (await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })).body

describe('reserving a date of a series', () => {
  test('books the time, plans its payment, takes no money and writes no mail', async () => {
    const id = await reserved()
    expect(await row(id)).toMatchObject({
      state: 'reserved',
      series_id: aSeries,
      fee_pence: 6000,
      discount_pence: 0,
      first_booked_at: app.clock.now(),
      pay_at: later(tuesday, -hours(48)),
      pay_by: later(tuesday, -hours(24)),
      charge_at: later(tuesday, -hours(48)),
    })
    await app.queue.drain()
    const mails = await app.db.selectFrom('outgoing_mails').select('template').execute()
    expect(mails.filter(({ template }) => template.startsWith('session.'))).toEqual([])
    expect(await app.db.selectFrom('payment_intents').select('id').execute()).toEqual([])
    const taken = await app.call('POST', '/appointment/create-session', {
      token: (await createClient(app)).token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: tuesday.toISOString(),
      },
    })
    expect([taken.status, taken.body.code]).toEqual([409, 'slot_taken'])
  })

  test('repeated returns the same appointment, and after a cancellation a new one', async () => {
    const id = await reserved()
    expect(await reserved()).toBe(id)
    expect(await live()).toBe(1)
    await inTransaction(app.db, (tx) => app.services.reserved.cancelReserved(tx, id, { by: 'client' }))
    expect(await live()).toBe(0)
    expect(await reserved()).not.toBe(id)
    expect(await live()).toBe(1)
  })

  test('finds what is in the way, and what check finds without writing', async () => {
    const token = await signInPractitioner(app, practitioner)
    const other = await createClient(app)
    await bookSession(app, { practitioner, client: other, startsAt: '2026-06-16T10:00:00.000Z' })
    const another = await createPractitioner(app)
    await bookSession(app, { practitioner: another, client, startsAt: '2026-06-16T11:00:00.000Z', card })
    const off = await app.call('POST', '/therapist/time-off', {
      token,
      body: { first_day: '2026-06-17', last_day: '2026-06-17' },
    })
    expect(off.status).toBeLessThan(300)
    await sql`insert into busy_elsewhere (practitioner_id, during)
      values (${practitioner.id}, tstzrange('2026-06-18 09:00+00', '2026-06-18 10:00+00'))`.execute(app.db)
    const before = await live()
    const cases = [
      ['2026-06-16T10:30:00Z', 'taken', true],
      ['2026-06-16T11:00:00Z', 'own_session', true],
      ['2026-06-17T09:00:00Z', 'time_off', true],
      ['2026-06-18T09:00:00Z', 'busy_elsewhere', true],
      ['2026-06-16T07:15:00Z', 'blocked', false],
      ['2026-06-16T03:00:00Z', 'blocked', false],
      ['2026-06-01T07:00:00Z', 'past', true],
    ] as const
    for (const [at, conflict, mayLieOutsideSchedule] of cases) {
      const time = { startsAt: new Date(at), mayLieOutsideSchedule }
      expect([at, await reserve(time)]).toEqual([at, { conflict }])
      expect([at, await app.services.reserved.check(app.db, wanted(time))]).toEqual([at, conflict])
    }
    expect(await live()).toBe(before)
    expect(await app.services.reserved.check(app.db, wanted())).toBeUndefined()
    expect(
      await reserve({ startsAt: new Date('2026-06-16T03:00:00Z'), mayLieOutsideSchedule: true }),
    ).toHaveProperty('appointmentId')
  })

  test('goes beyond the days that the public can book', async () => {
    expect(await reserve({ startsAt: later(tuesday, days(56)) })).toHaveProperty('appointmentId')
  })

  test('offers the three nearest free times of that week, without the times of the client', async () => {
    const another = await createPractitioner(app)
    await bookSession(app, { practitioner: another, client, startsAt: '2026-06-16T08:00:00.000Z', card })
    await reserved()
    const found = await app.services.reserved.nearestFree(app.db, wanted())
    expect(found.map(({ startsAt }) => startsAt.toISOString())).toEqual([
      '2026-06-16T10:00:00.000Z',
      '2026-06-16T07:00:00.000Z',
      '2026-06-16T11:00:00.000Z',
    ])
  })
})

describe('a reserved session', () => {
  test('is listed for both, tentative in feeds, and no reason to keep an account', async () => {
    const id = await reserved()
    expect((await upcoming()).data ?? (await upcoming())).toEqual([
      expect.objectContaining({
        appointment_id: id,
        status: 'reserved',
        series_id: aSeries,
        pay_at: '2026-06-14T09:00:00.000Z',
        pay_by: '2026-06-15T09:00:00.000Z',
        payment_due: 'planned',
        meeting_link: null,
        change: { allowed: true, until: '2026-06-14T09:00:00.000Z' },
      }),
    ])
    const token = await signInPractitioner(app, practitioner)
    const own = await app.call('GET', '/therapist/sessions', { token })
    expect(own.body.data).toEqual([
      expect.objectContaining({
        appointment_id: id,
        status: 'reserved',
        payment_due: 'planned',
        settles_at: null,
      }),
    ])
    const week = await app.call('GET', '/therapist/schedule?from=2026-06-16', { token })
    expect(week.body.sessions).toEqual([expect.objectContaining({ status: 'reserved', series_id: aSeries })])
    const { url } = (await app.call('POST', '/therapist/calendar-feed', { token })).body
    const feed = await app.app.inject(new URL(String(url)).pathname)
    expect(feed.body).toContain('STATUS:TENTATIVE')
    const left = await app.call('GET', '/client/delete-account', { token: client.token })
    expect(left.body.hindrances ?? left.body.data?.hindrances).toEqual([])
  })

  test('is cancelled by either without a refund, once', async () => {
    const id = await reserved()
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    const second = await reserved({ startsAt: later(tuesday, days(7)) })
    const token = await signInPractitioner(app, practitioner)
    const byPractitioner = await app.call('POST', `/therapist/sessions/${second}/cancel`, { token, body: {} })
    expect([byPractitioner.status, byPractitioner.body.status]).toEqual([200, 'cancelled'])
    expect(await live()).toBe(0)
    expect(await app.db.selectFrom('refunds').select('id').execute()).toEqual([])
    expect(await upcoming()).toEqual(expect.not.objectContaining({ appointment_id: id }))
  })
})
