import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { days, hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type Admin,
  bookSession,
  cards as testCards,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { entriesOf, joinBody } from '#test/waitlist.ts'

// Clients join, swap, pause, cancel, accept, decline and let turns pass in random order, the practitioner takes time off
// and is suspended, and the process ends at random checkpoints. After each step every hour is one thing, in order.

vi.setConfig({ testTimeout: 300_000 })

type Step =
  | {
      act: 'join' | 'leave' | 'pause' | 'go on' | 'accept' | 'pay' | 'be asked' | 'decline' | 'see'
      client: number
    }
  | { act: 'book' | 'cancel'; hour: number }
  | { act: 'take time off' | 'end time off' | 'suspend' | 'reinstate' }
  | { act: 'wait'; minutes: number }
  | { act: 'crash'; after: number }

const client = fc.nat({ max: 3 })
const hour = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      act: fc.constantFrom(
        'join',
        'join',
        'see',
        'see',
        'leave',
        'pause',
        'go on',
        'accept',
        'accept',
        'pay',
        'be asked',
        'decline',
        'see',
      ),
      client,
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom('book', 'cancel', 'cancel'), hour }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('take time off', 'end time off', 'end time off', 'suspend', 'reinstate'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 3, 10, 61, 241, 600),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('crash' as const), after: fc.nat({ max: 3 }) }) },
)

/** Two clients wait, and an hour comes free: most that can happen, happens after that. */
const begun: Step[] = [
  { act: 'join', client: 0 },
  // Two who join at the same instant have no order.
  { act: 'wait', minutes: 1 },
  { act: 'join', client: 2 },
  { act: 'cancel', hour: 0 },
  { act: 'wait', minutes: 3 },
]
/**
 * In half of the stories the first of them takes it, in some after a question of the bank: by chance alone hardly any
 * offer is taken in time.
 */
const taken = fc.constantFrom<Step[]>(
  [],
  [{ act: 'accept', client: 0 }],
  [{ act: 'be asked', client: 0 }],
  [
    { act: 'be asked', client: 0 },
    { act: 'accept', client: 0 },
  ],
)
/** A story that comes to what a run of them has to come to: a turn after a question of the bank, one declined, and a crash. */
const example: [Step[], Step[]] = [
  [
    { act: 'be asked', client: 0 },
    { act: 'accept', client: 0 },
  ],
  [
    { act: 'crash', after: 0 },
    { act: 'cancel', hour: 1 },
    { act: 'wait', minutes: 3 },
    { act: 'decline', client: 2 },
  ],
]
class Ended extends Error {}

let app: TestApp
let crashIn = Number.POSITIVE_INFINITY
/** The checkpoint at which the process ends when it comes to it for the first time. */
let crashAt: string | undefined
/** Checkpoints in the order in which the process has come to them. */
const passed: string[] = []
/** Checkpoints at which the process has ended. */
const crashedAt = new Set<string>()
let people: Client[]
let cards: string[]
/** Of the same people, with a bank that asks them to authenticate. */
let askingCards: string[]
let other: Client
let otherCard: string
let admin: Admin
let week = 0

beforeEach(async () => {
  week = 0
  app = await buildTestApp({
    rateLimitScale: 1_000_000,
    checkpoint: async (name) => {
      passed.push(name)
      if (crashIn-- !== 0 && name !== crashAt) return
      crashAt = undefined
      crashIn = -1
      crashedAt.add(name)
      throw new Ended()
    },
  })
  people = [
    await createClient(app),
    await createClient(app),
    await createClient(app),
    await createClient(app),
  ]
  cards = await Promise.all(people.map((person) => saveCard(app, person)))
  askingCards = await Promise.all(people.map((person) => saveCard(app, person, testCards.authentication)))
  other = await createClient(app)
  otherCard = await saveCard(app, other)
  admin = await createAdmin(app)
})
afterEach(async () => {
  vi.resetConfig()
  await app.close()
})

/** A practitioner with three booked hours on a Friday, and clients of whom two have a session the day before. */
type Story = {
  practitioner: Practitioner
  therapist: string
  starts: Date[]
  /** The practitioner's lead time, in milliseconds. */
  leadTime: number
  booked: (string | undefined)[]
  /** Sessions that clients would exchange for one of the hours. */
  toSwap: (string | undefined)[]
  timeOff: string | undefined
  startedAt: Date
  /** Offers that were made in earlier steps. */
  known: string[]
}

/** Lead times of practitioners: an hour, two days, and one that ends seven hours after a story begins. */
const leadTimes = [60, 2880, 5400]

async function begin(leadMinutes = 60): Promise<Story> {
  crashIn = Number.POSITIVE_INFINITY
  // Each story of a test has a week of its own, so that the sessions of another one are not in the way.
  const monday = Date.parse('2026-06-01T08:00:00Z') + week++ * days(7)
  app.clock.set(new Date(monday))
  const practitioner = await createPractitioner(app, { hours: [10, 11, 12] })
  const therapist = await signInPractitioner(app, practitioner)
  // No person signs in again while days go by.
  await app.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date('2099-01-01') })
    .execute()
  const at = (day: number, hour: number) => new Date(monday + days(day) + hours(hour))
  const story: Story = {
    practitioner,
    therapist,
    starts: [at(4, 1), at(4, 2), at(4, 3)],
    leadTime: minutes(leadMinutes),
    booked: [],
    toSwap: [],
    timeOff: undefined,
    startedAt: new Date(monday),
    known: [],
  }
  const book = (who: Client, card: string | undefined, start: Date) =>
    bookSession(app, { practitioner, client: who, startsAt: start.toISOString(), card: card ?? '' })
  for (const start of story.starts) story.booked.push(await book(other, otherCard, start))
  for (const index of [2, 3]) {
    const who = people[index]
    if (who) story.toSwap[index] = await book(who, cards[index], at(3, index - 1))
  }
  const rules = await app.call('PUT', '/therapist/booking-rules', {
    token: therapist,
    body: { notice_minutes: leadMinutes },
  })
  expect(rules.body.notice_minutes).toBe(leadMinutes)
  return story
}

async function look(): Promise<void> {
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  await app.services.waitlistMatching.sweep()
}

async function turnOf(who: Client) {
  const { rows } = await sql<{ id: string; appointment_id: string }>`
    select o.id, o.appointment_id from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
    where e.client_id = ${who.id} and o.state = 'open' and o.kind = 'turn'`.execute(app.db)
  return rows[0]
}

async function act(story: Story, each: Step): Promise<void> {
  const { practitioner, therapist } = story
  if (each.act === 'crash') {
    crashIn = each.after
    return
  }
  if (each.act === 'wait') {
    app.clock.advance(minutes(each.minutes))
    return look()
  }
  if ('hour' in each) return ofHour(story, each)
  if ('client' in each) return ofClient(story, each)
  if (each.act === 'suspend' || each.act === 'reinstate') {
    const body = each.act === 'suspend' ? { cause: 'other', reason: 'A complaint.', sessions: 'freeze' } : {}
    await app.call('POST', `/admin/practitioners/${practitioner.id}/${each.act}`, {
      token: admin.token,
      body,
    })
    return
  }
  if (each.act === 'take time off') {
    const day = story.starts[0]?.toISOString().slice(0, 10)
    const added = await app.call('POST', '/therapist/time-off', {
      token: therapist,
      body: { first_day: day },
    })
    if (added.status === 201) story.timeOff = String(added.body.time_off_id)
  } else if (story.timeOff) {
    await app.call('DELETE', `/therapist/time-off/${story.timeOff}`, { token: therapist })
    story.timeOff = undefined
  }
}

async function ofHour(story: Story, { act: what, hour: index }: Step & { hour: number }): Promise<void> {
  const id = story.booked[index]
  if (what === 'cancel') {
    story.booked[index] = undefined
    if (!id) return
    await app.call('POST', '/appointment/cancel-session', {
      token: other.token,
      body: { appointment_id: id },
    })
    return
  }
  if (id) return
  const startsAt = story.starts[index]?.toISOString() ?? ''
  story.booked[index] = await bookSession(app, {
    practitioner: story.practitioner,
    client: other,
    startsAt,
    card: otherCard,
  }).catch(() => undefined)
}

async function ofClient(
  story: Story,
  { act: what, client: index }: Step & { client: number },
): Promise<void> {
  const who = people[index]
  if (!who) return
  const { token } = who
  const mine = async () =>
    (await entriesOf(app, who)).find(
      ({ practitioner }) => practitioner.practitioner_id === story.practitioner.id,
    )
  if (what === 'join') {
    const friday = story.starts[0]?.toISOString().slice(0, 10)
    const swaps = story.toSwap[index]
    const body = joinBody(story.practitioner, {
      earliest: friday,
      latest: friday,
      ...(swaps ? { swaps_appointment_id: swaps } : {}),
    })
    await app.call('POST', '/waitlist', { token, body })
  } else if (what === 'see') await mine()
  else if (what === 'leave' || what === 'pause' || what === 'go on') {
    const { rows } = await sql<{ id: string }>`select id from waitlist_entries where client_id = ${who.id}
      and practitioner_id = ${story.practitioner.id} and state in ('waiting', 'offered', 'paused')`.execute(
      app.db,
    )
    const [entry] = rows
    if (!entry) return
    if (what === 'leave') await app.call('DELETE', `/waitlist/${entry.id}`, { token })
    else {
      const state = what === 'pause' ? 'paused' : 'waiting'
      await app.call('PUT', `/waitlist/${entry.id}`, { token, body: { state } })
    }
  } else {
    const turn = await turnOf(who)
    if (!turn) return
    if (what === 'decline') {
      await app.call('POST', `/waitlist/offers/${turn.id}/decline`, { token })
      return
    }
    await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token,
      body: {
        session_id: turn.appointment_id,
        customer_id: (what === 'be asked' ? askingCards : cards)[index],
      },
    })
    if (what !== 'accept') return
    await app.call('POST', '/appointment/instant-book', {
      token,
      body: { appointment_id: turn.appointment_id },
    })
  }
}

type Hour = {
  offered: number
  booked: number
  held: number
  away: boolean
}

/** What must never be so after a step, as sentences. */
async function wrongs(story: Story): Promise<string[]> {
  const id = story.practitioner.id
  const now = app.clock.now()
  const found = async (name: string, query: ReturnType<typeof sql>) =>
    (await query.execute(app.db)).rows.map((row) => `${name}: ${JSON.stringify(row)}`)
  const times = await inTransaction(app.db, (tx) => app.services.availability.freeTimes(tx, id))
  const free = new Set(times?.free().map(({ startsAt }) => startsAt))
  const wrong: string[] = []
  for (const start of story.starts) {
    const { rows } = await sql<Hour>`select
      (select count(*)::int from waitlist_offers o join reservations r on r.id = o.reservation_id
        join appointments a on a.id = o.appointment_id
        where o.practitioner_id = ${id} and o.starts_at = ${start} and o.state = 'open' and r.state = 'held'
          and r.origin = 'offer' and r.hold_expires_at > ${now} and a.state = 'pending') as offered,
      (select count(*)::int from reservations r where r.practitioner_id = ${id} and lower(r.during) = ${start}
        and r.state = 'booked' and exists (select from appointments a where a.reservation_id = r.id and a.state = 'confirmed')) as booked,
      (select count(*)::int from reservations r where r.practitioner_id = ${id} and lower(r.during) = ${start}
        and r.state = 'held' and r.origin = 'client' and r.hold_expires_at > ${now}) as held,
      exists (select from time_off t where t.practitioner_id = ${id} and t.during @> ${start}::timestamptz) as away`.execute(
      app.db,
    )
    const [hourNow] = rows
    if (!hourNow) throw new Error('What an hour is, is one row.')
    const isPublic = free.has(start.getTime())
    const live = hourNow.offered + hourNow.booked + hourNow.held
    const isGone = !times || hourNow.away || start.getTime() < times.range.from
    const isOneThing = live === 1 ? !isPublic : live === 0 && isPublic !== isGone
    if (!isOneThing) {
      wrong.push(
        `${start.toISOString()} is not one thing: ${JSON.stringify({ ...hourNow, isPublic, isGone })}`,
      )
    }
  }
  const checks = await Promise.all([
    found(
      'two times that overlap',
      sql`select a.id from reservations a join reservations b on a.id < b.id and a.practitioner_id = b.practitioner_id
        and a.blocked && b.blocked and a.state <> 'released' and b.state <> 'released' where a.practitioner_id = ${id}`,
    ),
    found(
      'an open turn without its hold',
      sql`select o.id from waitlist_offers o
        left join reservations r on r.id = o.reservation_id left join appointments a on a.id = o.appointment_id
        where o.practitioner_id = ${id} and o.kind = 'turn' and o.state = 'open'
          and (r.state is distinct from 'held' or r.origin <> 'offer' or a.state <> 'pending' or a.offer_id <> o.id)`,
    ),
    found(
      'the hold of an offer that is over',
      sql`select r.id from reservations r where r.practitioner_id = ${id} and r.origin = 'offer' and r.state = 'held'
        and not exists (select from waitlist_offers o where o.reservation_id = r.id and o.state = 'open')`,
    ),
    found(
      'a turn that keeps its time from others up to the lead time limit',
      sql`select o.id from waitlist_offers o join reservations r on r.id = o.reservation_id
        where o.practitioner_id = ${id} and o.state = 'open'
          and r.hold_expires_at >= o.starts_at - make_interval(secs => ${story.leadTime / 1000})`,
    ),
    found(
      'an entry that is offered without a turn, or the other way round',
      sql`select e.id from waitlist_entries e where e.practitioner_id = ${id} and (e.state = 'offered') <> exists (
        select from waitlist_offers o where o.entry_id = e.id and o.kind = 'turn' and o.state = 'open')`,
    ),
    found(
      'a client who was passed over',
      sql`select o.id as offer, earlier.id as entry from waitlist_offers o
        join waitlist_entries e on e.id = o.entry_id
        join reservations r on r.id = o.reservation_id
        join waitlist_entries earlier on earlier.practitioner_id = o.practitioner_id
          and (earlier.joined_at, earlier.id) < (e.joined_at, e.id) and earlier.state = 'waiting'
        left join appointments swapped on swapped.id = earlier.swaps_appointment_id
        where o.practitioner_id = ${id} and o.id <> all(${story.known}::uuid[]) and o.kind = 'turn' and o.state = 'open'
          -- Asked for this time already, or busy with another offer when this one was made.
          and not exists (select from waitlist_offers asked where asked.entry_id = earlier.id
            and (asked.starts_at = o.starts_at and asked.freed_at = o.freed_at or asked.closed_at = ${now}))
          and not exists (select from appointments met where met.client_id = earlier.client_id and met.state = 'confirmed'
            and met.practitioner_id = o.practitioner_id and met.id is distinct from earlier.swaps_appointment_id
            and met.starts_at::date = o.starts_at::date)
          and (swapped.id is null or (swapped.state = 'confirmed' and r.hold_expires_at + interval '25 minutes'
            < greatest(swapped.first_booked_at, swapped.starts_at - interval '96 hours') + interval '48 hours'))`,
    ),
    found(
      'a booked hour beside the session that it was to replace',
      sql`select o.id, old.id as old from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
        join appointments old on old.id = e.swaps_appointment_id
        where o.practitioner_id = ${id} and o.state = 'taken' and old.state in ('confirmed', 'reserved')
          -- It could still be changed when the offer was taken.
          and o.closed_at < case old.state when 'reserved' then old.pay_by
            else greatest(old.first_booked_at, old.starts_at - interval '96 hours') + interval '48 hours' end`,
    ),
    found(
      'money for an hour that is not booked, without its refund',
      sql`select a.id, a.state, i.state as intent from appointments a join payment_intents i on i.appointment_id = a.id
        where a.practitioner_id = ${id} and a.state in ('expired', 'cancelled') and (i.state in ('authorised', 'requires_action')
          or i.state in ('capturing', 'captured') and i.amount_pence <> (select coalesce(sum(r.amount_pence), 0) from refunds r
            where r.payment_intent_id = i.id and r.state not in ('failed', 'withdrawn')))`,
    ),
    found(
      'a booked hour that was not paid once',
      sql`select a.id from appointments a where a.practitioner_id = ${id} and a.state = 'confirmed'
        and (select coalesce(sum(i.amount_pence), 0) from payment_intents i where i.appointment_id = a.id
          and i.state in ('capturing', 'captured')) <> a.fee_pence - a.discount_pence`,
    ),
    found(
      'a refund of a session that is booked',
      sql`select r.id from refunds r join payment_intents i on i.id = r.payment_intent_id
        join appointments a on a.id = i.appointment_id where a.practitioner_id = ${id} and a.state = 'confirmed'`,
    ),
  ])
  const { rows: made } = await sql<{ id: string }>`
    select id from waitlist_offers where practitioner_id = ${id}`.execute(app.db)
  story.known = made.map((offer) => offer.id)
  return [...wrong, ...checks.flat()]
}

/** Looks after each step at what must never be so. Returns how often the process has ended. */
async function carryOut(story: Story, steps: readonly Step[]): Promise<number> {
  let ends = 0
  for (const each of steps) {
    await act(story, each).catch((error: unknown) => {
      if (!(error instanceof Ended)) throw error
    })
    if (each.act !== 'crash' && crashIn < 0) {
      // Another process goes on.
      crashIn = Number.POSITIVE_INFINITY
      ends += 1
    }
    expect(await wrongs(story), each.act).toEqual([])
  }
  return ends
}

/** Goes on to the last moment at which an hour can be booked. No offer keeps it from others then. */
async function walkToLimit(story: Story, start: Date): Promise<void> {
  const limit = later(start, -story.leadTime)
  for (let stepsLeft = 5; stepsLeft > 0 && app.clock.now() < limit; stepsLeft--) {
    app.clock.advance(Math.floor((limit.getTime() - app.clock.now().getTime()) / stepsLeft))
    await look()
    expect(await wrongs(story), 'left alone').toEqual([])
  }
  const { rows } = await sql`select from reservations where practitioner_id = ${story.practitioner.id}
    and lower(during) = ${start} and state = 'held' and origin = 'offer'
    and hold_expires_at > ${limit}`.execute(app.db)
  if (app.clock.now() <= limit) expect(rows).toEqual([])
}

/** Left alone, every hour is public or booked before the lead time limit, and the money is where it belongs. */
async function expectSettled(story: Story): Promise<void> {
  crashIn = Number.POSITIVE_INFINITY
  for (const start of story.starts) await walkToLimit(story, start)
  const lastHours = story.startedAt.getTime() + days(4) - minutes(1)
  app.clock.set(new Date(Math.max(app.clock.now().getTime(), lastHours)))
  await look()
  await look()
  await sql`update pgboss.job set start_after = now() where state < 'active'`.execute(app.db)
  await app.queue.drain()
  expect(await wrongs(story)).toEqual([])
  const { rows: held } = await sql`select from reservations where practitioner_id = ${story.practitioner.id}
    and state = 'held' and hold_expires_at > ${app.clock.now()}`.execute(app.db)
  expect(held).toEqual([])
  const { rows } = await sql<{ taken: number; reserved: number; due: number }>`select
    (select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int
      from sandbox_gateway.payments) as taken,
    (select count(*)::int from sandbox_gateway.payments where state in ('authorised', 'requires_action')) as reserved,
    (select coalesce(sum(fee_pence - discount_pence), 0)::int from appointments
      where state in ('confirmed', 'completed')) as due`.execute(app.db)
  expect(rows[0]?.reserved).toBe(0)
  expect(rows[0]?.taken).toBe(rows[0]?.due)
  expect(Object.values(await ledger(app)).reduce((sum, pence) => sum + pence, 0)).toBe(0)
}

/** How many offers came to which end, how many sessions were exchanged, and how many holds extended for a bank. */
async function outcomes(story: Story): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`
    select state as outcome, count(*)::int from waitlist_offers
      where practitioner_id = ${story.practitioner.id} group by state
    union all select 'swaps', count(*)::int from appointments where practitioner_id = ${story.practitioner.id}
      and cancel_reason = 'Replaced by a session from the waitlist'
    union all select 'extended', count(*)::int from appointments where practitioner_id = ${story.practitioner.id}
      and hold_extended and offer_id is not null`.execute(app.db)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** No client waits when the next story begins. */
async function endEntries(): Promise<void> {
  await app.db.updateTable('waitlist_entries').set({ state: 'ended', paused_by: null }).execute()
}

test('after each step an hour is offered, booked, public or gone, in order, and each payment has its session', async () => {
  const seen: Record<string, number> = { stories: 0, crashes: 0 }
  await fc.assert(
    fc.asyncProperty(taken, fc.array(step, { minLength: 10, maxLength: 24 }), async (first, steps) => {
      const story = await begin(leadTimes[(seen.stories ?? 0) % leadTimes.length])
      seen.crashes = (seen.crashes ?? 0) + (await carryOut(story, [...begun, ...first, ...steps]))
      await expectSettled(story)
      for (const [outcome, count] of Object.entries(await outcomes(story))) {
        seen[outcome] = (seen[outcome] ?? 0) + count
      }
      seen.stories = (seen.stories ?? 0) + 1
      await endEntries()
    }),
    { numRuns: 13, examples: [example], endOnFailure: true },
  )
  // The stories came to something.
  process.stdout.write(`waitlist stories: ${JSON.stringify(seen)}, ended at: ${[...crashedAt].join(', ')}\n`)
  expect(seen.stories).toBe(13)
  expect(seen.taken).toBeGreaterThan(0)
  expect(seen.declined).toBeGreaterThan(0)
  expect(seen.extended).toBeGreaterThan(0)
  expect(seen.crashes).toBeGreaterThan(0)
})

/** Passes every checkpoint of the waitlist at least once: turns that are taken, declined and withdrawn, and an exchange. */
const life: Step[] = [
  ...begun,
  { act: 'pay', client: 0 },
  { act: 'accept', client: 0 },
  { act: 'cancel', hour: 1 },
  { act: 'wait', minutes: 3 },
  { act: 'accept', client: 2 },
  { act: 'join', client: 1 },
  { act: 'wait', minutes: 1 },
  { act: 'join', client: 3 },
  { act: 'cancel', hour: 2 },
  { act: 'wait', minutes: 3 },
  { act: 'decline', client: 1 },
  { act: 'wait', minutes: 3 },
  { act: 'pay', client: 3 },
  { act: 'wait', minutes: 241 },
  { act: 'take time off' },
  { act: 'wait', minutes: 600 },
]
const checkpoints = [
  'session cancelled',
  'waitlist offer made',
  'payment noted',
  'payment authorised at the gateway',
  'payment authorised',
  'booking confirmed',
  'payment captured at the gateway',
  'payment voided at the gateway',
]

test('a crash after any step of the waitlist leaves nothing that the next process does not put right', async () => {
  const live = async (endsAt?: string) => {
    const story = await begin()
    passed.length = 0
    crashedAt.clear()
    crashAt = endsAt
    const ends = await carryOut(story, life)
    await expectSettled(story)
    await endEntries()
    return { ends, came: [...passed], outcomes: await outcomes(story) }
  }
  const whole = await live()
  expect(whole).toMatchObject({ ends: 0, outcomes: { taken: 2, declined: 1, swaps: 1 } })
  expect(whole.outcomes.withdrawn).toBeGreaterThan(0)
  expect(whole.came).toEqual(expect.arrayContaining(checkpoints))
  for (const checkpoint of new Set(whole.came)) {
    await live(checkpoint)
    expect([...crashedAt]).toEqual([checkpoint])
  }
})
