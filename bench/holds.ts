import { sql } from 'kysely'
import type { Appointment } from '#contract/bookings/bookings.ts'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { type BenchClient, makeClients } from './clients.ts'
import type { Person } from './directory.ts'
import { requestBytes } from './http-connection.ts'
import { inMilliseconds, type Line, rateLine, timesLine } from './line.ts'
import { pgbench } from './pgbench.ts'
import type { Stage } from './stage.ts'
import { inTurns, median, quantile } from './statistics.ts'

const path = '/api/v7/appointment/create-session'
const racers = 20
const racesPerRound = 30
/** More than are held in a second. */
const mostPerSecond = 2500
/**
 * Two live holds are all that a client may have. So many clients make their first one before the first of them makes the
 * second, so that no client waits for themselves. The number is odd, so that a client's two never overlap.
 */
const blockOfClients = 63

/** Something that can be held: a practitioner, one of their services and a free time. */
type Offer = { practitionerId: number; serviceId: number; type: string; datetime: string }

/** Holding a slot: the rate beside the bare insert under the exclusion constraint, and what losers of a race wait. */
export async function measureHolds(stage: Stage): Promise<Line[]> {
  const wanted = (stage.rounds * stage.seconds + 1) * mostPerSecond
  const races = stage.rounds * racesPerRound
  const offers: Offer[] = []
  // A small directory has fewer, which a short run does not use up either.
  for (const offer of offersOf(stage)) if (offers.push(offer) === races + wanted) break
  const raced = offers.splice(0, races)
  const blocks = Math.ceil(offers.length / 2 / blockOfClients)
  const clients = await makeClients(stage.inside.db, blocks * blockOfClients)
  const bench = pgbench(
    { program: stage.pgbench, url: stage.databaseUrl, connections: stage.connections, protocol: 'prepared' },
    [await bareInsert(stage)],
  )
  const requests = offers.map((offer, turn) => {
    const block = Math.floor(turn / (2 * blockOfClients))
    return holdRequest(clients[block * blockOfClients + (turn % blockOfClients)]!, offer)
  })
  // What the database plans on empty tables does not suit those that the rounds fill within seconds.
  await bench.rate(stage.seconds)
  const { origin } = stage.product
  // Goes on in the list from round to round. Where a time comes again the product refuses it, which ends the run.
  const hold = async (seconds: number) =>
    (await stage.visitors.load({ origin, connections: stage.connections, seconds, expected: 201 }, requests))
      .rate
  await hold(1)
  await sql`vacuum analyze reservations, appointments, clients`.execute(stage.inside.db)
  const compared = await inTurns(
    stage.rounds,
    () => hold(stage.seconds),
    () => bench.rate(stage.seconds),
  )
  const refused = await race(stage, raced)
  bench.close()
  return [rateLine('holding a slot, pgbench on the bare insert', compared, 0.12), refused]
}

function holdRequest(client: BenchClient, offer: Offer): Buffer {
  return requestBytes({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${client.token}` },
    body: {
      practitioner_id: offer.practitionerId,
      service_id: offer.serviceId,
      appointment_type: offer.type,
      datetime: offer.datetime,
      booking_type: 'schedule',
    },
  })
}

/**
 * Times, each once, spread over practitioners: by turns one within 33 days and one after that. Ends when a walk through
 * all practitioners finds no other.
 */
export function* offersOf({ people }: Stage): Generator<Offer, void, undefined> {
  const random = createRandom(17, 'offers')
  const given = new Set<string>()
  let sooner = true
  let givenBefore: number
  do {
    givenBefore = given.size
    for (const person of random.shuffle(people)) {
      const offer = someTimeOf(person, sooner ? random.int(15, 26) : random.int(33, 50))
      const key = offer && `${offer.practitionerId} ${offer.datetime}`
      if (!key || given.has(key)) continue
      given.add(key)
      sooner = !sooner
      yield offer
    }
  } while (given.size > givenBefore)
}

/** A scheduled hour of a weekday that is at least so many days ahead. In London alone, whose noon is easily told. */
function someTimeOf(person: Person, ahead: number): Offer | undefined {
  if (person.timezone !== 'Europe/London') return undefined
  const service = person.services.find((each) => each.durationMinutes <= 60)
  const hour = person.schedule.find((each) => each.appointmentType === service?.appointmentType)
  if (!service || !hour) return undefined
  const date = new Date(Date.now() + ahead * 86_400_000)
  while ((date.getUTCDay() + 6) % 7 !== hour.weekday - 1) date.setUTCDate(date.getUTCDate() + 1)
  date.setUTCHours(hour.hour, 0, 0, 0)
  const shown = Number(londonHour.format(date))
  date.setUTCHours(hour.hour - (shown - hour.hour))
  return {
    practitionerId: person.id,
    serviceId: service.serviceId,
    type: service.appointmentType,
    datetime: date.toISOString(),
  }
}

const londonHour = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: 'numeric',
  hour12: false,
})

/** What the database cannot do without: the row that takes the time, for a practitioner, client and hour at random. */
async function bareInsert({ inside, people }: Stage): Promise<string> {
  const clients = await makeClients(inside.db, 10_000)
  // pgbench draws numbers; a table of its own turns one into a client's id.
  await sql`drop table if exists bench_clients`.execute(inside.db)
  await sql`create table bench_clients (number int primary key, id uuid not null)`.execute(inside.db)
  await sql`
    insert into bench_clients
    select (row_number() over ())::int, id from unnest(${clients.map((each) => each.id)}::uuid[]) as id`.execute(
    inside.db,
  )
  return `\\set practitioner random(1, ${people.length})
\\set client random(1, ${clients.length})
\\set hour random(1, 1000000)
insert into reservations (id, practitioner_id, client_id, during, state, hold_expires_at, created_at)
select gen_random_uuid(), :practitioner, id,
  tstzrange('2040-01-01T00:00Z'::timestamptz + :hour * interval '1 hour', '2040-01-01T01:00Z'::timestamptz + :hour * interval '1 hour'),
  'held', now() + interval '10 minutes', now()
from bench_clients where number = :client
on conflict do nothing;
`
}

/** Twenty clients request one time at once: exactly one may hold it. Measures how soon the others are refused. */
async function race(stage: Stage, offers: readonly Offer[]): Promise<Line> {
  const times: number[] = []
  const winners: number[] = []
  const losers: number[] = []
  let single = true
  for (let round = 0; round < stage.rounds; round++) {
    const clients = await makeClients(stage.inside.db, racers)
    const [won, lost]: number[][] = [[], []]
    for (let turn = 0; turn < racesPerRound; turn++) {
      const offer = offers[round * racesPerRound + turn]
      if (!offer) throw new Error('This directory has too few times for the races.')
      const answers = await stage.visitors.race(
        stage.product.origin,
        clients.map((client) => holdRequest(client, offer)),
      )
      const winning = answers.filter((answer) => answer.status === 201)
      single &&= winning.length === 1 && answers.every(({ status }) => status === 201 || status === 409)
      won!.push(...winning.map((answer) => answer.milliseconds))
      lost!.push(...answers.filter((each) => each.status === 409).map((each) => each.milliseconds))
      await letGo(
        stage,
        clients,
        answers.map((answer) => answer.body),
      )
    }
    winners.push(median(won!))
    losers.push(quantile(lost!, 0.99))
    times.push(quantile(lost!, 0.99) / median(won!))
  }
  const middle = median(times)
  const line = timesLine(
    `losers of a ${racers}-way race (99th percentile) beside the winner's median`,
    { measured: inMilliseconds(median(losers)), baseline: inMilliseconds(median(winners)), times },
    { atMost: 3 },
    middle,
  )
  return { ...line, met: line.met && single }
}

/** The winner has to be able to hold again. */
async function letGo({ product }: Stage, clients: readonly BenchClient[], bodies: readonly string[]) {
  for (const [index, body] of bodies.entries()) {
    const answer = JSON.parse(body) as Partial<Appointment>
    if (!answer.appointment_id) continue
    await fetch(`${product.origin}/api/v7/appointment/cancel-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clients[index]!.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ appointment_id: answer.appointment_id }),
    })
  }
}
