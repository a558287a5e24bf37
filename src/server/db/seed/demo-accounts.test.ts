import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerOf, EndpointKey } from '#contract/endpoints.ts'
import { dayInLondon, days, hours, later } from '#server/clock.ts'
import type { TestApp } from '#test/build-test-app.ts'
import { buildDemoApp } from '#test/demo.ts'
import { signInToChat } from '#test/factories.ts'
import { demoPassword } from './insert.ts'

type Role = 'client' | 'therapist' | 'admin'
type Reading = Extract<EndpointKey, `GET ${string}`>

let app: TestApp
let end: () => Promise<void>
let tokens: Record<Role, string>

beforeAll(async () => {
  ;({ app, end } = await buildDemoApp({ adminsWithoutSecondFactor: ['admin@demo.test'] }))
  const tokenOf = async (role: Role) =>
    String(
      (
        await app.call('POST', `/${role}/login`, {
          body: { email: `${role}@demo.test`, password: demoPassword },
        })
      ).body.token,
    )
  tokens = {
    client: await tokenOf('client'),
    therapist: await tokenOf('therapist'),
    admin: await tokenOf('admin'),
  }
})
afterAll(() => end())

async function read<K extends Reading>(role: Role, key: K, query = ''): Promise<AnswerOf<K>> {
  const { status, body } = await app.call('GET', `${key.slice(4)}${query}`, { token: tokens[role] })
  expect(status).toBe(200)
  return body as unknown as AnswerOf<K>
}

const inDays = (count: number) => dayInLondon(later(app.clock.now(), days(count)))

describe('the demo client', () => {
  test('has a session tomorrow and one next week', async () => {
    const all = await read('client', 'GET /appointment/get-upcoming-sessions')
    const sessions = all.filter(({ status }) => status !== 'reserved')
    expect(sessions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
    const [first, second] = sessions.map(({ starts_at }) => dayInLondon(new Date(String(starts_at))))
    expect(first).toBe(inDays(1))
    const weekday = (app.clock.now().getUTCDay() + 6) % 7
    expect(String(second) >= inDays(7 - weekday) && String(second) <= inDays(13 - weekday)).toBe(true)
    expect(String(second) > inDays(1)).toBe(true)
  })

  test('keeps an hour with the demo practitioner, with one date skipped and one moved, none paid yet', async () => {
    const { data } = await read('client', 'GET /client/series')
    expect(data).toHaveLength(1)
    const [series] = data
    expect(series).toMatchObject({ state: 'active', practitioner: { full_name: 'Grace Holloway' } })
    const states = series?.dates.map(({ state }) => state) ?? []
    expect(states).toHaveLength(10)
    expect(states.slice(0, 4)).toEqual(['planned', 'skipped', 'moved', 'planned'])
    expect(series?.dates.filter(({ session_status }) => session_status === 'reserved')).toHaveLength(9)
    const [first, , moved] = series?.dates ?? []
    expect(first).toMatchObject({ payment: 'not_yet', can: { skip: true, move: true } })
    expect(moved?.starts_at).not.toBe(moved?.rhythm_starts_at)
    const theirs = await read('therapist', 'GET /therapist/series')
    expect(theirs.data.map(({ series_id }) => series_id)).toEqual([series?.series_id])
  })

  test('has two past sessions, of which one is reviewed', async () => {
    const { data, meta } = await read('client', 'GET /appointment/get-past-sessions')
    expect(meta.total).toBe(2)
    expect(data.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(data.filter(({ review }) => review !== null)).toHaveLength(1)
  })

  test('has a saved card and two conversations, one with an unread message', async () => {
    expect(
      await app.call('GET', '/payment/sandbox/get-client-cards', { token: tokens.client }),
    ).toMatchObject({ status: 200, body: [{ brand: 'visa', last4: '4242' }] })
    const chat = await signInToChat(app, tokens.client)
    const dialogs = await app.call('GET', '/chat/dialogs', { token: chat.token })
    expect(dialogs.body).toMatchObject([
      {
        last_message: 'I have kept our next time free. Bring the diary sheet if you can.',
        unread_messages_count: 1,
      },
      { last_message: 'That sounds like a good place to begin next time.', unread_messages_count: 0 },
    ])
  })
})

describe('the waitlists of the demo', () => {
  test('the demo client is the second of three who wait for times that a practitioner does not offer', async () => {
    const entries = await read('client', 'GET /client/waitlist')
    expect(entries).toMatchObject([{ state: 'waiting', place: 2, waiting: 3, offers: [] }])
    const id = entries[0]?.practitioner.practitioner_id
    const profile = await app.call('GET', `/practitioner/${id}/profile`)
    expect(profile.body).toMatchObject({ waitlist: { open: true, waiting: 3 } })
  })

  test('the demo practitioner has an hour offered to a client, and booked hours that others would like', async () => {
    const weeks = await Promise.all(
      [0, 7, 14].map((ahead) => read('therapist', 'GET /therapist/waitlist', `?from=${inDays(ahead)}`)),
    )
    expect(weeks[0]?.waiting).toBe(4)
    const offers = weeks.flatMap(({ week }) => week.offered)
    expect(offers).toMatchObject([{ initials: 'M. K.' }])
    const until = Date.parse(offers[0]?.until ?? '') - app.clock.now().getTime()
    expect(until).toBeGreaterThan(0)
    expect(until).toBeLessThanOrEqual(hours(16))
    const wanted = weeks.flatMap(({ week }) => week.wanted)
    expect(wanted.map(({ entry_ids, free }) => ({ clients: entry_ids.length, free }))).toEqual([
      { clients: 3, free: false },
      { clients: 3, free: false },
    ])
  })
})

describe('the demo practitioner', () => {
  test('has a month of sessions whose earnings match the ledger', async () => {
    const overview = await read('therapist', 'GET /therapist/home/get-dashboard-overview')
    expect(overview.upcoming.total).toBeGreaterThan(5)
    expect(overview.tasks.filter(({ code }) => code === 'session_to_settle')).toEqual([])
    const pages = [1, 2].map((page) =>
      read('therapist', 'GET /therapist/sessions', `?when=past&page=${page}`),
    )
    const past = (await Promise.all(pages)).flatMap(({ data }) => data)
    const monthAgo = later(app.clock.now(), -days(30)).toISOString()
    expect(past.filter(({ starts_at }) => starts_at > monthAgo).length).toBeGreaterThanOrEqual(20)

    const { rows } = await sql<{ month: string; pounds: number }>`
      select to_char(b.starts_at at time zone 'Europe/London', 'YYYY-MM') as month,
        -sum(e.amount_pence)::float8 / 100 as pounds
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      join payment_intents i on i.id = t.source_id join appointments b on b.id = i.appointment_id
      join practitioners p on p.id = e.practitioner_id join accounts a on a.id = p.account_id
      where a.email = 'therapist@demo.test' and t.kind = 'capture' and b.ends_at <= ${app.clock.now()}
      group by 1`.execute(app.db)
    const earned = new Map(rows.map(({ month, pounds }) => [month, pounds]))
    const shown = overview.earnings.filter(({ amount }) => amount > 0)
    expect(shown.length).toBeGreaterThanOrEqual(2)
    for (const { month, amount } of shown) expect(amount, month).toBe(earned.get(month))

    const balance = await read('therapist', 'GET /therapist/balance')
    expect(overview.owed).toBe(balance.owed)
    const { rows: paid } = await sql<{ pounds: number }>`
      select sum(amount_pence)::float8 / 100 as pounds from payouts`.execute(app.db)
    const captured = await sql<{ pounds: number }>`
      select sum(fee_pence)::float8 / 100 as pounds from appointments b
      join practitioners p on p.id = b.practitioner_id join accounts a on a.id = p.account_id
      where a.email = 'therapist@demo.test' and b.state in ('confirmed', 'completed')`.execute(app.db)
    expect(balance.owed).toBe((captured.rows[0]?.pounds ?? 0) - (paid[0]?.pounds ?? 0))
  })

  test('has 14 reviews, each of a completed session that ended before it', async () => {
    const reviews = await read('therapist', 'GET /therapist/reviews')
    expect(reviews.meta.total).toBe(14)
    const { rows } = await sql<{ count: number; clients: number }>`
      select count(*)::int as count, count(distinct r.client_id)::int as clients from reviews r
      join appointments b on b.id = r.appointment_id and b.client_id = r.client_id
      join practitioners p on p.id = b.practitioner_id and p.id = r.practitioner_id
      join accounts a on a.id = p.account_id
      where a.email = 'therapist@demo.test' and b.state = 'completed' and b.ends_at < r.created_at`.execute(
      app.db,
    )
    expect(rows[0]).toEqual({ count: 14, clients: 14 })
  })

  test('has approved documents, and stays listed', async () => {
    const practitioners = await read('admin', 'GET /admin/practitioners', '?search=Grace%20Holloway')
    const id = practitioners.data[0]?.practitioner_id
    const { status, body } = await app.call('GET', `/admin/practitioners/${id}`, { token: tokens.admin })
    expect(status).toBe(200)
    const file = body as unknown as AnswerOf<'GET /admin/practitioners/{id}'>
    expect(file.listed).toBe(true)
    expect(file.documents.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
      'dbs accepted',
      'identity accepted',
      'insurance_certificate accepted',
    ])
  })

  test('has a client who wrote today', async () => {
    const chat = await signInToChat(app, tokens.therapist)
    const { body } = await app.call('GET', '/chat/dialogs', { token: chat.token })
    const [newest] = body as unknown as { unread_messages_count: number; last_message_date_sent: number }[]
    expect(newest?.unread_messages_count).toBe(1)
    expect(dayInLondon(new Date((newest?.last_message_date_sent ?? 0) * 1000))).toBe(inDays(0))
  })
})

describe('the back office of the demo', () => {
  test('has a queue of five and two reports', async () => {
    const queue = await read('admin', 'GET /admin/practitioners', '?status=submitted')
    expect(queue.meta.total).toBe(5)
    expect((await read('admin', 'GET /admin/reports')).meta.total).toBe(1)
    expect((await read('admin', 'GET /admin/chat-reports')).meta.total).toBe(1)
  })

  test('has a payout due and a late refund, which no sweep sends', async () => {
    const { data } = await read('admin', 'GET /admin/payouts')
    expect(data.find(({ email }) => email === 'therapist@demo.test')?.payable).toBeGreaterThan(0)
    await app.services.payments.recover()
    const late = await read('admin', 'GET /admin/payments/late-returns')
    expect(late).toMatchObject({ total: 1, data: [{ kind: 'refund', client: { full_name: 'Imogen Hart' } }] })
  })
})

test('the money of the demo balances, here and at the gateway', async () => {
  const { rows } = await sql<{ sum: number }>`
    select sum(amount_pence)::int8 as sum from ledger_entries`.execute(app.db)
  expect(rows[0]?.sum).toBe(0)
  const { rows: gateway } = await sql<{ there: number; here: number }>`
    select (select sum(amount_pence - refunded_pence)::int8 from sandbox_gateway.payments where state = 'captured') as there,
      (select sum(e.amount_pence)::int8 from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where e.account = 'gateway_balance' and t.kind <> 'payout') as here`.execute(app.db)
  expect(gateway[0]?.there).toBe(gateway[0]?.here)
  await app.services.payments.compare()
  expect((await read('admin', 'GET /admin/payments/incidents')).total).toBe(0)
  const { rows: compared } = await sql<{ count: number }>`
    select count(*)::int as count from payment_intents where compared_at is not null`.execute(app.db)
  expect(compared[0]?.count).toBeGreaterThan(20)
})
