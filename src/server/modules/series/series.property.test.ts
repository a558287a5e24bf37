import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Series } from '#contract/series/series.ts'
import { days, hours } from '#server/clock.ts'
import { absentGateway } from '#test/absent-gateway.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'

// A client, others who book, the practitioner, the gateway and the machine act in random order and concurrently, and time
// goes by. In the end each date has one session or none, and each session was paid once or not at all.

vi.setConfig({ testTimeout: 300_000 })

type Step =
  | { act: 'propose' }
  | { act: 'agree' }
  | { act: 'skip' | 'restore' | 'pay' | 'cancel'; date: number }
  | { act: 'move' | 'choose'; date: number; by: number }
  | { act: 'away'; from: number; to: number }
  | { act: 'change'; from: number; weekday: number }
  | { act: 'end' }
  | { act: 'card'; card: 'succeeds' | 'declined' | 'authentication' }
  /** Another client books the hour of a date, or one near it. */
  | { act: 'book'; date: number; by: number }
  | { act: 'time off'; date: number }
  | { act: 'sweep' }
  | { act: 'wait'; hours: number }
  | { act: 'gateway'; down: boolean }
  /** The process ends at a checkpoint from here on. */
  | { act: 'crash'; after: number }

const date = fc.nat({ max: 5 })
const by = fc.constantFrom(-24, -2, 0, 1, 3, 24, 168)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ act: 'propose' as const }) },
  { weight: 2, arbitrary: fc.constant({ act: 'agree' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom('skip' as const, 'restore' as const, 'pay' as const, 'cancel' as const),
      date,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constantFrom('move' as const, 'choose' as const), date, by }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('away' as const), from: date, to: date }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('change' as const),
      from: date,
      weekday: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'end' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('card' as const),
      card: fc.constantFrom('succeeds', 'succeeds', 'declined', 'authentication'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('book' as const), date, by }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('time off' as const), date }) },
  { weight: 6, arbitrary: fc.constant({ act: 'sweep' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 24, 48, 168) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('gateway' as const), down: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('crash' as const), after: fc.nat({ max: 3 }) }) },
)
/** A moved date and one that cannot be had: most that can happen, happens after that. */
const begun: Step[][] = [
  [{ act: 'move', date: 1, by: 3 }],
  [{ act: 'time off', date: 0 }],
  [{ act: 'wait', hours: 168 }],
  [{ act: 'sweep' }],
]
/** A week later, when the date within the time off is made, and another is left out. */
const later: Step[][] = [[{ act: 'wait', hours: 168 }], [{ act: 'sweep' }], [{ act: 'skip', date: 2 }]]
const moments = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(step) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
  ),
  { minLength: 8, maxLength: 24 },
)

let app: TestApp
let isDown = false
let crashIn = Number.POSITIVE_INFINITY
/** The checkpoint at which the process ends when it comes to it for the first time. */
let crashAt: string | undefined
/** Checkpoints in the order in which the process has come to them, and those at which it has ended. */
const passed: string[] = []
const crashedAt = new Set<string>()
let client: Client
let other: Client
let practitioner: Practitioner
let therapist: string
let session: string
let otherCard: string
const saved: Record<string, string> = {}

beforeEach(async () => {
  app = await buildTestApp({
    gateway: absentGateway(() => isDown),
    rateLimitScale: 1_000_000,
    checkpoint: async (name) => {
      passed.push(name)
      if (crashIn-- !== 0 && name !== crashAt) return
      crashAt = undefined
      crashIn = -1
      crashedAt.add(name)
      throw new Error('The process has ended.')
    },
  })
})
afterEach(async () => {
  vi.resetConfig()
  await app.close()
})

/** Two people of their own for each story, so that the clock may go on. */
async function begin(): Promise<void> {
  await beginWithSession()
  await carryOut({ act: 'propose' })
  await carryOut({ act: 'agree' })
}

async function beginWithSession(): Promise<void> {
  isDown = false
  crashIn = Number.POSITIVE_INFINITY
  client = await createClient(app)
  other = await createClient(app)
  practitioner = await createPractitioner(app)
  therapist = await signInPractitioner(app, practitioner)
  for (const card of ['succeeds', 'declined', 'authentication'] as const) {
    saved[card] = await saveCard(app, client, cards[card])
  }
  otherCard = await saveCard(app, other)
  // No client signs in again while days go by.
  await app.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date('2099-01-01') })
    .execute()
  const start = new Date(app.clock.now().getTime() + days(8))
  start.setUTCHours(9, 0, 0, 0)
  session = await bookSession(app, {
    practitioner,
    client,
    card: saved.succeeds ?? '',
    startsAt: start.toISOString(),
  })
}

/** Responses that are an error while the process runs on. */
const broken: string[] = []
function note({ status, body }: Answer): void {
  if (status >= 500 && status !== 503) broken.push(`${status} ${body.code}`)
}
const call = async (method: string, path: string, body?: object, token = client.token): Promise<Answer> => {
  const answer = await app.call(method, path, { token, ...(body ? { body } : {}) })
  note(answer)
  return answer
}

async function current(): Promise<Series | undefined> {
  const answer = await call('GET', '/client/series')
  if (answer.status !== 200) return undefined
  const all = answer.body.data as unknown as Series[]
  return all.find(({ state }) => state !== 'ended') ?? all[0]
}

const cardInUse = () => saved.succeeds ?? ''

async function carryOut(wanted: Step): Promise<void> {
  switch (wanted.act) {
    case 'propose':
      await call('POST', '/series', { appointment_id: session })
      return
    case 'wait':
      app.clock.advance(hours(wanted.hours))
      return
    case 'sweep':
      await sweepAll()
      return
    case 'gateway':
      isDown = wanted.down
      return
    case 'crash':
      crashIn = wanted.after
      return
    default:
      return act(wanted)
  }
}

async function act(wanted: Step): Promise<void> {
  const series = await current()
  if (!series) return
  const path = `/series/${series.series_id}`
  const at = 'date' in wanted ? series.dates[wanted.date] : undefined
  switch (wanted.act) {
    case 'agree':
      await call('POST', `${path}/agree`, {
        customer_id: cardInUse(),
        terms_version: series.terms?.version ?? 'an old one',
        dates: series.dates
          .filter(({ state }) => state === 'conflict')
          .map(({ on_date }) => ({ on_date, action: 'skip' })),
      })
      return
    case 'skip':
    case 'restore':
      if (at) await call('POST', `${path}/dates/${at.on_date}/${wanted.act}`)
      return
    case 'pay':
      if (at?.appointment_id) {
        await call('POST', `/appointment/${at.appointment_id}/pay`, { customer_id: cardInUse() })
      }
      return
    case 'cancel':
      if (at?.appointment_id) {
        await call('POST', '/appointment/cancel-session', { appointment_id: at.appointment_id })
      }
      return
    case 'move':
      if (at?.appointment_id) {
        await call('POST', '/appointment/edit-session', {
          appointment_id: at.appointment_id,
          type: 'online',
          appointment_datetime: hoursFrom(at.starts_at, wanted.by),
          customer_id: cardInUse(),
        })
      }
      return
    case 'choose': {
      const alternative =
        at?.conflict?.alternatives[0]?.starts_at ?? (at && hoursFrom(at.starts_at, wanted.by))
      if (at) await call('POST', `${path}/dates/${at.on_date}/move`, { starts_at: alternative })
      return
    }
    case 'away': {
      const [from, to] = [series.dates[wanted.from], series.dates[wanted.to]]
        .map((each) => each?.on_date)
        .toSorted()
      if (from && to) await call('POST', `${path}/away`, { from, to })
      return
    }
    case 'change': {
      const from = series.dates[wanted.from]?.on_date
      if (from) await call('POST', `${path}/change`, { from, weekday: wanted.weekday, start: '10:00' })
      return
    }
    case 'end':
      await call('POST', `${path}/end`, {})
      return
    case 'card':
      await call('PUT', `${path}/card`, { customer_id: saved[wanted.card] })
      return
    case 'book': {
      if (!at) return
      const held = await call(
        'POST',
        '/appointment/create-session',
        {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime: hoursFrom(at.rhythm_starts_at, wanted.by),
        },
        other.token,
      )
      if (held.status !== 201) return
      const id = held.body.session_id
      const pay = { session_id: id, customer_id: otherCard }
      await call('POST', '/payment/sandbox/existing-card-payment', pay, other.token)
      await call('POST', '/appointment/instant-book', { appointment_id: id }, other.token)
      return
    }
    case 'time off': {
      // Of those that are not reserved yet.
      const ahead = series.dates.at(-1 - (wanted.date % 2))
      if (ahead) await call('POST', '/therapist/time-off', { first_day: ahead.on_date }, therapist)
      return
    }
  }
}

const hoursFrom = (instant: string, by: number) => new Date(Date.parse(instant) + hours(by)).toISOString()

async function sweepAll(): Promise<void> {
  for (const sweep of [
    app.services.series.sweep,
    app.services.reserved.sweep,
    app.services.bookings.sweep,
    app.services.payments.recover,
  ]) {
    await sweep().catch((error: unknown) => {
      if (crashIn > 0) throw error
    })
  }
}

/** The machine is mended, and time goes by. */
async function recover(): Promise<void> {
  isDown = false
  crashIn = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    app.clock.advance(hours(1))
    await sweepAll()
    await app.queue.drain()
  }
}

/** Ledger and gateway have what was captured and not refunded, and no more. Returns how many payments were captured. */
async function checkLedger(): Promise<number> {
  const paid = await sql<{ pence: number; refunded: number; count: number }>`
    select coalesce(sum(i.amount_pence), 0)::int as pence, count(*)::int as count,
      coalesce(sum((select sum(r.amount_pence) from refunds r where r.payment_intent_id = i.id
        and r.state = 'succeeded')), 0)::int as refunded
    from payment_intents i where i.state = 'captured'`.execute(app.db)
  const [sums] = paid.rows
  const owed = (sums?.pence ?? 0) - (sums?.refunded ?? 0)
  expect(await ledger(app)).toMatchObject({ gateway_balance: owed, practitioner_payable: -owed })
  const { rows: atGateway } = await sql<{ taken: number; authorised: number }>`
    select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int as taken,
      count(*) filter (where state in ('authorised', 'requires_action'))::int as authorised
    from sandbox_gateway.payments`.execute(app.db)
  expect(atGateway).toEqual([{ taken: owed, authorised: 0 }])
  return sums?.count ?? 0
}

/** What must never be so, as sentences. */
async function wrongs(): Promise<string[]> {
  const found = async (name: string, query: ReturnType<typeof sql>) =>
    (await query.execute(app.db)).rows.map((row) => `${name}: ${JSON.stringify(row)}`)
  const live = sql`('reserved', 'confirmed', 'completed', 'no_show')`
  return (
    await Promise.all([
      found(
        'two times that overlap',
        sql`select a.id from reservations a join reservations b on a.id < b.id and a.state <> 'released'
          and b.state <> 'released' and a.practitioner_id = b.practitioner_id and a.blocked && b.blocked`,
      ),
      found(
        'a session of no date',
        sql`select a.id from appointments a where a.series_id is not null and a.state in ${live}
          and (select count(*) from series_dates d where d.appointment_id = a.id) <> 1`,
      ),
      found(
        'a date whose session is not as it says',
        sql`select d.series_id, d.on_date, d.state, a.state as session from series_dates d
          left join appointments a on a.id = d.appointment_id
          where (d.state in ('planned', 'moved')) is distinct from coalesce(a.state in ${live}, false)`,
      ),
      found(
        'a date outside its rhythm',
        sql`select d.series_id, d.on_date from series_dates d join session_series s on s.id = d.series_id
          where (d.on_date - s.first_on) % (s.every_weeks * 7) <> 0`,
      ),
      found(
        'a session that was paid twice',
        sql`select i.appointment_id from payment_intents i
          where i.state in ('captured', 'capturing') and i.purpose = 'booking'
          group by i.appointment_id having count(*) > 1`,
      ),
      found(
        'money taken too early or too late',
        sql`select a.id, a.pay_at, i.created_at, a.starts_at from payment_intents i
          join appointments a on a.id = i.appointment_id join series_dates d on d.appointment_id = a.id
          where i.state = 'captured' and i.purpose = 'booking' and d.state = 'planned'
            and (i.created_at < a.pay_at or i.created_at >= a.starts_at
              or i.created_at < a.starts_at - interval '48 hours')`,
      ),
      found(
        'a charge for a session that is not booked',
        sql`select a.id, a.state from payment_intents i join appointments a on a.id = i.appointment_id
          where i.state = 'captured' and a.series_id is not null and a.state in ('reserved', 'cancelled')
            and i.amount_pence <> (select coalesce(sum(r.amount_pence), 0) from refunds r
              where r.payment_intent_id = i.id and r.state not in ('failed', 'withdrawn'))`,
      ),
      found(
        'a paid session that was cancelled by anything but its client',
        sql`select a.id, a.cancel_code from payment_intents i join appointments a on a.id = i.appointment_id
          where i.state = 'captured' and a.series_id is not null and a.state = 'cancelled'
            and (a.cancel_code is not null or a.cancelled_by <> 'client')`,
      ),
      found(
        'a refund of a session that is booked',
        sql`select a.id from refunds r join payment_intents i on i.id = r.payment_intent_id
          join appointments a on a.id = i.appointment_id
          where a.series_id is not null and a.state in ('confirmed', 'completed', 'no_show')`,
      ),
      found(
        'a reserved session of a series that has ended',
        sql`select a.id from appointments a join session_series s on s.id = a.series_id
          where s.state = 'ended' and s.end_cause not in ('changed', 'by_choice', 'unlisted')
            and a.state = 'reserved' and a.starts_at > ${app.clock.now()}`,
      ),
    ])
  ).flat()
}

const skippedDates = async () =>
  (
    await sql<{ at: string }>`select series_id || ' ' || on_date as at from series_dates
      where state in ('skipped', 'moved', 'released') order by 1`.execute(app.db)
  ).rows.map(({ at }) => at)

test('each date ends with one session or none, and each session was paid once or not at all', async () => {
  const seen = { stories: 0, skipped: 0, moved: 0, conflict: 0, paid: 0 }
  await fc.assert(
    fc
      .asyncProperty(fc.nat({ max: begun.length }), moments, async (first, story) => {
        for (const together of [...begun.slice(0, first), ...story])
          await Promise.all(together.map((each) => carryOut(each)))
        const mayEnd = story.some((together) => together.some(({ act: what }) => what === 'crash'))
        expect(broken.splice(0)).toEqual(mayEnd ? expect.anything() : [])

        await recover()
        const { rows } = await sql<{ state: 'skipped' | 'moved' | 'conflict'; count: number }>`
          select state, count(*)::int as count from series_dates
          where state in ('skipped', 'moved', 'conflict') group by state`.execute(app.db)
        for (const { state, count } of rows) seen[state] = Math.max(seen[state], count)
        seen.stories++
        const leftOut = await skippedDates()
        expect(await wrongs()).toEqual([])
        for (let step = 0; step < 6; step++) {
          app.clock.advance(days(1.5))
          await sweepAll()
        }
        await app.queue.drain()
        expect(await wrongs()).toEqual([])
        // A date that was left out or moved never comes back by itself.
        expect(await skippedDates()).toEqual(expect.arrayContaining(leftOut))
        seen.paid = await checkLedger()
      })
      .beforeEach(begin),
    { numRuns: 15, endOnFailure: true, examples: [[begun.length, later]] },
  )
  // The stories came to something.
  process.stdout.write(`series stories: ${JSON.stringify(seen)}, ended at: ${[...crashedAt].join(', ')}\n`)
  expect(crashedAt.size).toBeGreaterThan(0)
  expect(seen.stories).toBe(15)
  expect(seen.skipped).toBeGreaterThan(0)
  expect(seen.moved).toBeGreaterThan(0)
  expect(seen.conflict).toBeGreaterThan(0)
  expect(seen.paid).toBeGreaterThan(5)
})

/** Passes every checkpoint of a series at least once. */
const life: Step[] = [
  { act: 'propose' },
  { act: 'agree' },
  { act: 'skip', date: 0 },
  { act: 'restore', date: 0 },
  { act: 'cancel', date: 1 },
  { act: 'restore', date: 1 },
  { act: 'move', date: 2, by: 3 },
  { act: 'away', from: 3, to: 4 },
  { act: 'wait', hours: 168 },
  { act: 'sweep' },
  { act: 'wait', hours: 168 },
  { act: 'sweep' },
  { act: 'card', card: 'declined' },
  { act: 'wait', hours: 168 },
  { act: 'sweep' },
  { act: 'pay', date: 0 },
  { act: 'card', card: 'succeeds' },
  { act: 'change', from: 2, weekday: 3 },
  { act: 'wait', hours: 168 },
  { act: 'sweep' },
  { act: 'wait', hours: 168 },
  { act: 'wait', hours: 12 },
  { act: 'sweep' },
  // Its first date is paid by now, and has not begun.
  { act: 'end' },
]
const steps = [
  'series agreed',
  'date skipped',
  'session cancelled',
  'dates skipped',
  'dates made',
  'payment noted',
  'payment authorised at the gateway',
  'reserved session authorised',
  'reserved session confirmed',
  'payment captured at the gateway',
  'series changed',
  'series ended',
]

async function live(endsAt?: string): Promise<string[]> {
  await beginWithSession()
  passed.length = 0
  crashAt = endsAt
  for (const each of life) await carryOut(each)
  return [...passed]
}

test('a crash after any step of a series leaves nothing that the next process does not put right', async () => {
  const whole = await live()
  expect(broken.splice(0)).toEqual([])
  expect(whole).toEqual(expect.arrayContaining(steps))
  const paidInAll = async () => {
    await recover()
    expect(await wrongs()).toEqual([])
    const { rows } = await sql<{ states: string[]; captured: number }>`
      select (select array_agg(distinct state) from session_series where client_id = ${client.id}) as states,
        (select count(*)::int from payment_intents i join appointments a on a.id = i.appointment_id
          where a.client_id = ${client.id} and i.state = 'captured') as captured`.execute(app.db)
    await checkLedger()
    return rows[0]
  }
  // The session before the series, three taken by the sweep, one paid on the page.
  expect(await paidInAll()).toEqual({ states: ['ended'], captured: 5 })
  for (const step of new Set(whole)) {
    crashedAt.clear()
    await live(step)
    expect([...crashedAt]).toEqual([step])
    expect(broken.splice(0).length, step).toBeLessThanOrEqual(1)
    expect({ step, ...(await paidInAll()) }).toMatchObject({ step, states: ['ended'] })
  }
})
