import { sql } from 'kysely'
import { seriesTerms } from '#server/modules/series/series.terms.ts'
import { days, later } from '#server/clock.ts'
import { insertRows } from '#server/db/seed/insert-rows.ts'
import { systemRandom } from '#server/ids.ts'
import { type BenchClient, makeClients } from './clients.ts'
import { requestBytes } from './http-connection.ts'
import { inMilliseconds, type Line } from './line.ts'
import type { Stage } from './stage.ts'

const wantedDates = 2000
/** A weekly series has ten dates in the seventy days that are reserved, or eleven. */
const seriesCount = wantedDates / 10
const atOnce = 20
const longestExtension = 5000

/** Making the dates of weekly series, and twenty clients who agree to one at once. */
export async function measureSeries(stage: Stage): Promise<Line[]> {
  const { db, services, capture } = stage.inside
  const clients = await makeClients(db, seriesCount + atOnce)
  const made = await insertSeries(stage, clients.slice(0, seriesCount), 'active')
  const began = performance.now()
  const statements = await capture.during(() => services.series.sweep())
  const took = performance.now() - began
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from series_dates
    where state = 'planned' and series_id = any(${made.map(({ id }) => id)}::uuid[])`.execute(db)
  const dates = rows[0]?.count ?? 0
  if (dates < wantedDates) throw new Error(`Of ${wantedDates} dates, ${dates} were made.`)
  const bare = await takenByInserts(stage, dates)
  const perThousands = (took * wantedDates) / dates
  const agreeing = await agreeAtOnce(stage, clients.slice(seriesCount))
  return [
    {
      figure: `making ${wantedDates} dates of weekly series, those of one together`,
      measured: `${inMilliseconds(perThousands)}, ${(statements.length / dates).toFixed(1)} statements each`,
      baseline: inMilliseconds((bare * wantedDates) / dates),
      ratio: `${(took / bare).toFixed(1)}×`,
      target: 'at most 5 s',
      met: perThousands <= longestExtension,
    },
    {
      figure: `${atOnce} series agreed to at once: all done after`,
      measured: inMilliseconds(agreeing),
      baseline: '',
      ratio: '',
      target: '',
    },
  ]
}

type Made = { id: string; client: BenchClient; card: string }

/** Series at seven in the morning, each with a client and a practitioner of its own. */
async function insertSeries(
  { inside: { db }, people }: Stage,
  clients: readonly BenchClient[],
  state: 'active' | 'proposed',
): Promise<Made[]> {
  const now = new Date()
  const free = people
    .filter(({ timezone }) => timezone === 'Europe/London')
    .slice(state === 'active' ? 0 : seriesCount)
  const made = clients.map((client) => ({
    id: systemRandom.uuid(now),
    card: systemRandom.uuid(now),
    client,
  }))
  await insertRows(
    db,
    'payment_methods',
    made.map(({ card, client }) => ({
      id: card,
      account_id: client.id,
      gateway: 'sandbox',
      gateway_ref: `pm_bench_${card}`,
      brand: 'visa',
      last4: '4242',
      expiry_month: 12,
      expiry_year: 2040,
      fingerprint: card.slice(0, 16),
      created_at: now,
    })),
  )
  // The first date lies five days ahead, so that nothing is due yet.
  const first = later(now, days(5)).toISOString().slice(0, 10)
  await insertRows(
    db,
    'session_series',
    made.map(({ id, card, client }, index) => {
      const person = free[index % free.length]
      const service = person?.services[0]
      if (!person || !service) throw new Error('There are too few practitioners for the series.')
      const isActive = state === 'active'
      return {
        id,
        client_id: client.id,
        practitioner_id: person.id,
        service_id: service.serviceId,
        appointment_type: service.appointmentType,
        location_id: null,
        weekday: new Date(`${first}T00:00:00Z`).getUTCDay() || 7,
        start_minute: 420,
        duration_minutes: 50,
        every_weeks: 1,
        timezone: 'Europe/London',
        first_on: first,
        fee_pence: 6000,
        payment_method_id: isActive ? card : null,
        state,
        proposed_by: 'practitioner' as const,
        proposed_until: isActive ? null : later(now, days(7)),
        agreed_at: isActive ? now : null,
        terms_version: isActive ? seriesTerms.version : null,
        created_at: now,
      }
    }),
  )
  return made
}

/** Milliseconds that as many rows take, each inserted in a transaction of its own. */
async function takenByInserts({ inside: { db } }: Stage, count: number): Promise<number> {
  await sql`create table if not exists bench_dates (id bigint generated always as identity primary key, at timestamptz)`.execute(
    db,
  )
  const began = performance.now()
  for (let each = 0; each < count; each++) {
    await db.transaction().execute((tx) => sql`insert into bench_dates (at) values (now())`.execute(tx))
  }
  return performance.now() - began
}

/** Milliseconds until every client has agreed. */
async function agreeAtOnce(stage: Stage, clients: readonly BenchClient[]): Promise<number> {
  const made = await insertSeries(stage, clients, 'proposed')
  const requests = made.map(({ id, client, card }) =>
    requestBytes({
      method: 'POST',
      path: `/api/v7/series/${id}/agree`,
      headers: { authorization: `Bearer ${client.token}` },
      body: { customer_id: card, terms_version: seriesTerms.version },
    }),
  )
  const began = performance.now()
  const answers = await stage.visitors.race(stage.product.origin, requests)
  const took = performance.now() - began
  const refused = answers.filter(({ status }) => status !== 200)
  if (refused.length > 0) throw new Error(`${refused.length} agreements were refused: ${refused[0]?.status}`)
  return took
}
