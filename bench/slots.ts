import { sql } from 'kysely'
import type { AvailableSessions } from '#contract/availability/availability.ts'
import { days, hours } from '#server/clock.ts'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { systemRandom } from '#server/ids.ts'
import { freeSlots } from '#server/modules/availability/availability.rules.ts'
import { zoneOf } from '#server/modules/availability/zone.ts'
import { makeClients } from './clients.ts'
import type { Person } from './directory.ts'
import { requestBytes } from './http-connection.ts'
import { type Line, rateLine, timesLine } from './line.ts'
import { pgbench } from './pgbench.ts'
import type { Stage } from './stage.ts'
import { inTurns, median } from './statistics.ts'

const range = 14
/** How many practitioners are asked about, and how many sessions each of them has in the days ahead. */
const asked = 120
const booked = 8

/** Free times over 14 days: the rate beside the database's own on the read it needs, and the computation alone. */
export async function measureSlots(stage: Stage): Promise<Line[]> {
  const people = createRandom(14, 'slots').shuffle(stage.people).slice(0, asked)
  await bookSome(stage, people)
  const paths = people.map((each) => `/api/v7/practitioner/${each.id}/next-available-sessions?days=${range}`)
  const scripts: string[] = []
  for (const path of paths) {
    const statements = await stage.inside.capture.during(() => stage.inside.app.inject(path))
    scripts.push(statements.join(''))
  }
  const bench = pgbench(
    { program: stage.pgbench, url: stage.databaseUrl, connections: stage.connections, protocol: 'prepared' },
    scripts,
  )
  const requests = paths.map((path) => requestBytes({ method: 'GET', path }))
  const { origin } = stage.product
  const visit = (seconds: number) =>
    stage.visitors.load({ origin, connections: stage.connections, seconds }, requests)
  await visit(2)
  const compared = await inTurns(
    stage.rounds,
    async () => (await visit(stage.seconds)).rate,
    () => bench.rate(stage.seconds),
  )
  const answer = (await (await fetch(origin + paths[0]!)).json()) as AvailableSessions
  const shown = answer.slots.length
  bench.close()
  return [
    rateLine(
      `next-available-sessions, ${range} days (such as ${shown} slots), pgbench on its read`,
      compared,
      0.2,
    ),
    computation(people, stage.rounds),
  ]
}

/** The computation alone, once the zones are known and the code is warm. */
function computation(people: readonly Person[], rounds: number): Line {
  const from = Date.now() + hours(1)
  const random = createRandom(15, 'busy')
  const questions = people.map((person) => ({
    zone: zoneOf(person.timezone),
    schedule: person.schedule.map((hour) => ({
      weekday: hour.weekday,
      hour: hour.hour,
      appointment_type: hour.appointmentType,
      location_id: hour.locationIndex,
    })),
    busy: Array.from({ length: booked }, () => {
      const at = from + random.int(0, range * 24) * hours(1)
      return { from: at, to: at + hours(1) }
    }),
    from,
    to: from + days(range),
    durations: { online: 50, face_to_face: 50 },
  }))
  const once = () => {
    let found = 0
    const start = performance.now()
    for (const question of questions) found += freeSlots(question).length
    return { microseconds: ((performance.now() - start) * 1000) / questions.length, found }
  }
  for (let warmUp = 0; warmUp < 200; warmUp++) once()
  const repeated = Array.from({ length: rounds }, () =>
    median(Array.from({ length: 100 }, () => once().microseconds)),
  )
  const target = 50
  const middle = median(repeated)
  return timesLine(
    `free times of ${range} days: the computation alone`,
    {
      measured: `${middle.toFixed(1)} µs`,
      baseline: `${target} µs`,
      times: repeated.map((each) => each / target),
    },
    { atMost: 1 },
    middle / target,
  )
}

/** Gives each of the practitioners some sessions at times that they offer. */
async function bookSome({ inside }: Stage, people: readonly Person[]): Promise<void> {
  const clients = await makeClients(inside.db, booked * 4)
  const random = createRandom(16, 'sessions')
  const now = new Date()
  for (const { id } of people) {
    const free = await inside.services.availability.nextSessions(id, { days: range })
    const slots = random.sample(free.slots, booked)
    for (const slot of slots) {
      await sql`
        insert into reservations (id, practitioner_id, client_id, during, state, created_at)
        values (${systemRandom.uuid(now)}, ${id}, ${random.pick(clients).id},
          tstzrange(${slot.starts_at}::timestamptz, ${slot.ends_at}::timestamptz), 'booked', ${now})
        on conflict do nothing`.execute(inside.db)
    }
  }
}
