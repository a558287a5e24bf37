import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { bookSession, createClient, createPractitioner, saveCard, signInAgain } from '#test/factories.ts'
import { joinBody } from '#test/waitlist.ts'

// Clients join, cancel, accept, decline and let offers pass in random order, and the process ends at random steps.

vi.setConfig({ testTimeout: 240_000 })

type Step =
  | { act: 'join' | 'leave' | 'accept' | 'decline' | 'see'; client: number }
  | { act: 'book' | 'cancel'; hour: number }
  | { act: 'wait'; minutes: number }
  | { act: 'crash'; after: number }

const client = fc.nat({ max: 3 })
const hour = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom('join', 'join', 'leave', 'accept', 'accept', 'decline', 'see'),
      client,
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom('book', 'cancel', 'cancel'), hour }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 3, 10, 61, 241, 600),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('crash' as const), after: fc.nat({ max: 2 }) }) },
)

/** Two clients wait, and an hour comes free: most that can happen, happens after that. */
const begun: Step[] = [
  { act: 'join', client: 0 },
  { act: 'join', client: 1 },
  { act: 'cancel', hour: 0 },
  { act: 'wait', minutes: 3 },
]
class Ended extends Error {}

test('an hour is never reserved twice, never public and offered, and offered in order, in any sequence of events', async () => {
  let crashIn = Number.POSITIVE_INFINITY
  const app = await buildTestApp({
    checkpoint: async () => {
      if (crashIn-- === 0) throw new Ended()
    },
  })
  let seen = 0
  let week = 0
  const people = await Promise.all([0, 1, 2, 3].map(() => createClient(app)))
  const cards = await Promise.all(people.map((person) => saveCard(app, person)))
  const other = await createClient(app)
  const card = await saveCard(app, other)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      crashIn = Number.POSITIVE_INFINITY
      // Each run has a week of its own, so that the sessions of another one are not in the way.
      const monday = Date.parse('2026-06-01T08:00:00Z') + week++ * 7 * 86_400_000
      app.clock.set(new Date(monday))
      const starts = [1, 2, 3].map((at) => new Date(monday + (4 * 24 + at) * 3_600_000).toISOString())
      const friday = starts[0]?.slice(0, 10)
      const practitioner = await createPractitioner(app, { hours: [10, 11, 12] })
      const booked: (string | undefined)[] = []
      for (const startsAt of starts) {
        const client = await signInAgain(app, other)
        booked.push(await bookSession(app, { practitioner, client, startsAt, card }))
      }
      const tokenOf = async (index: number) => {
        const person = people[index]
        return person ? (await signInAgain(app, person)).token : ''
      }
      const openOf = async (index: number) => {
        const { rows } = await sql<{ id: string; appointment_id: string | null; starts_at: Date }>`
          select o.id, o.appointment_id, o.starts_at from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
          where e.client_id = ${people[index]?.id ?? null} and o.state = 'open' and o.kind = 'turn'`.execute(
          app.db,
        )
        return rows[0]
      }
      for (const each of [...begun, ...steps]) {
        await act(each).catch((error: unknown) => {
          if (!(error instanceof Ended)) throw error
        })
        await holds(app, practitioner.id)
      }
      // Left alone, every hour is public or booked before the lead time limit.
      crashIn = Number.POSITIVE_INFINITY
      app.clock.set(new Date(monday + 4 * 86_400_000 - 60_000))
      await look()
      await look()
      await holds(app, practitioner.id)
      const { rows: heldStill } = await sql`
        select from reservations where practitioner_id = ${practitioner.id} and state = 'held'
          and hold_expires_at > ${app.clock.now()}`.execute(app.db)
      expect(heldStill).toEqual([])
      const { rows: made } =
        await sql`select from waitlist_offers where practitioner_id = ${practitioner.id}`.execute(app.db)
      seen += made.length

      async function look(): Promise<void> {
        await app.services.bookings.sweep()
        await app.services.waitlistMatching.sweep()
      }

      async function act(each: Step): Promise<unknown> {
        if (each.act === 'crash') return void (crashIn = each.after)
        if (each.act === 'wait') {
          app.clock.advance(each.minutes * 60_000)
          return look()
        }
        if ('hour' in each) {
          const { token } = await signInAgain(app, other)
          const id = booked[each.hour]
          if (each.act === 'cancel') {
            booked[each.hour] = undefined
            if (!id) return undefined
            return app.call('POST', '/appointment/cancel-session', { token, body: { appointment_id: id } })
          }
          if (id) return undefined
          const startsAt = starts[each.hour] ?? ''
          booked[each.hour] = await bookSession(app, {
            practitioner,
            client: { token },
            startsAt,
            card,
          }).catch(() => undefined)
          return undefined
        }
        const token = await tokenOf(each.client)
        if (each.act === 'join') {
          return app.call('POST', '/waitlist', {
            token,
            body: joinBody(practitioner, { earliest: friday, latest: friday }),
          })
        }
        if (each.act === 'see') return app.call('GET', '/client/waitlist', { token })
        if (each.act === 'leave') {
          const entries = await app.call('GET', '/client/waitlist', { token })
          const [first] = entries.body as unknown as { entry_id: string }[]
          return first && app.call('DELETE', `/waitlist/${first.entry_id}`, { token })
        }
        const offer = await openOf(each.client)
        if (!offer) return undefined
        if (each.act === 'decline') return app.call('POST', `/waitlist/offers/${offer.id}/decline`, { token })
        await app.call('POST', '/payment/sandbox/existing-card-payment', {
          token,
          body: { session_id: offer.appointment_id, customer_id: cards[each.client] },
        })
        return app.call('POST', '/appointment/instant-book', {
          token,
          body: { appointment_id: offer.appointment_id },
        })
      }
    }),
    { numRuns: 10 },
  )
  expect(seen).toBeGreaterThan(10)
  await app.close()
})

/** Asserts what holds after every step. */
async function holds(app: TestApp, practitionerId: number): Promise<void> {
  const { rows: twice } = await sql`
    select from reservations a join reservations b on a.id < b.id and a.practitioner_id = b.practitioner_id
      and a.blocked && b.blocked and a.state <> 'released' and b.state <> 'released'
    where a.practitioner_id = ${practitionerId}`.execute(app.db)
  expect(twice).toEqual([])
  // An open turn stands on a hold of its client, and its appointment is unpaid.
  const { rows: loose } = await sql`
    select o.id from waitlist_offers o
      left join reservations r on r.id = o.reservation_id
      left join appointments a on a.id = o.appointment_id
    where o.practitioner_id = ${practitionerId} and o.kind = 'turn' and o.state = 'open'
      and (r.state is distinct from 'held' or r.origin <> 'offer' or a.state <> 'pending' or a.offer_id <> o.id)`.execute(
    app.db,
  )
  expect(loose).toEqual([])
  const { rows: states } = await sql`
    select e.id from waitlist_entries e
    where e.practitioner_id = ${practitionerId} and (e.state = 'offered') <> exists (
      select from waitlist_offers o where o.entry_id = e.id and o.kind = 'turn' and o.state = 'open')`.execute(
    app.db,
  )
  expect(states).toEqual([])
  const free = await inTransaction(app.db, (tx) => app.services.availability.freeTimes(tx, practitionerId))
  const { rows: offered } = await sql<{ starts_at: Date }>`
    select starts_at from waitlist_offers o join reservations r on r.id = o.reservation_id
    where o.practitioner_id = ${practitionerId} and o.state = 'open' and r.hold_expires_at > ${app.clock.now()}`.execute(
    app.db,
  )
  const open = new Set(free?.free().map(({ startsAt }) => startsAt))
  expect(offered.filter(({ starts_at }) => open.has(starts_at.getTime()))).toEqual([])
  // No client was asked while another one had waited longer, without that one having been asked since.
  const { rows: jumped } = await sql`
    select o.id from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
      join waitlist_entries earlier on earlier.practitioner_id = o.practitioner_id and earlier.joined_at < e.joined_at
    where o.practitioner_id = ${practitionerId} and o.state = 'open' and earlier.state = 'waiting'
      and not exists (select from waitlist_offers asked where asked.entry_id = earlier.id
        and asked.starts_at = o.starts_at and asked.freed_at = o.freed_at)
      and not exists (select from waitlist_offers busy where busy.entry_id = earlier.id and busy.made_at <= o.made_at
        and (busy.closed_at is null or busy.closed_at >= o.made_at))
      and not exists (select from appointments met where met.client_id = earlier.client_id and met.state = 'confirmed'
        and met.practitioner_id = o.practitioner_id)`.execute(app.db)
  expect(jumped).toEqual([])
}
