import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { callsTo } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import { saveCard, signInToChat } from '#test/factories.ts'
import { makeClients } from './clients.ts'
import { offersOf } from './holds.ts'
import type { Line } from './line.ts'
import { processorTimeOf } from './product.ts'
import { mixedQueries } from './search-queries.ts'
import type { Stage } from './stage.ts'

/** What one piece of work takes: processor times in milliseconds, and bytes of the journal and of the database's files. */
type Cost = { product: number; database: number; journal: number; files: number }

const workers = 8

/** What a piece of each kind of work costs, for reckoning what a number of sessions a year takes (`docs/scale.md`). */
export async function measureCosts(stage: Stage): Promise<Line[]> {
  const { product, people, inside } = stage
  const calls = callsTo(product.origin)
  const get =
    (path: string, type = 'application/json') =>
    async () => {
      const answer = await fetch(product.origin + path, { headers: { accept: type } })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
    }
  const person = (unit: number) => people[(unit * 7919) % people.length]!
  const searches = mixedQueries(people, new Date().toISOString().slice(0, 10)).map((query) =>
    new URLSearchParams({ ...query, counts: 'true' }).toString(),
  )
  const bookings = 240
  const clients = await makeClients(inside.db, 2 * bookings)
  const offers = offersOf(stage)
  const post = async (path: string, token: string, body: unknown) => {
    const answer = await calls('POST', path, { token, body })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}.`)
    return answer.body
  }
  const hold = async (token: string) => {
    const { value: offer } = offers.next()
    if (!offer) throw new Error('This directory has no further times.')
    const { practitionerId, serviceId, type, datetime } = offer
    const held = await post('/appointment/create-session', token, {
      practitioner_id: practitionerId,
      service_id: serviceId,
      appointment_type: type,
      datetime,
      booking_type: 'schedule',
    })
    return held.session_id as unknown as string
  }
  const tokenOf = (unit: number) => clients[unit]!.token
  const cards: string[] = []
  for (let unit = bookings; unit < 2 * bookings; unit++) {
    cards.push(await saveCard({ call: calls }, { token: tokenOf(unit) }))
  }
  const book = async (unit: number) => {
    const token = tokenOf(bookings + unit)
    const id = await hold(token)
    await post('/payment/sandbox/existing-card-payment', token, { session_id: id, customer_id: cards[unit] })
    await post('/appointment/instant-book', token, { appointment_id: id })
  }
  const account = async (unit: number) => {
    const email = `cost-${process.pid}-${unit}@bench.test`
    await post('/client/register', '', {
      name: 'Sam Bench',
      email,
      password: 'correct horse battery',
      is_adult: true,
      accept_terms: true,
    })
  }

  const costs: [string, Cost][] = []
  const measure = async (what: string, units: number, work: (unit: number) => Promise<unknown>) => {
    costs.push([what, await costOf(stage, units, work)])
  }
  await measure('a search with all counts', 1200, (unit) =>
    get(`/api/v7/practitioner/get-practitioners?${searches[unit % searches.length]}`)(),
  )
  await measure('a results page that is in no cache', 400, (unit) =>
    get(`/found-therapists?session_type=online&max_price=${5000 + unit}`, 'text/html')(),
  )
  await measure('a page from the cache', 2000, get('/', 'text/html'))
  await measure('a profile that is in no cache', 400, (unit) =>
    get(`/recommended-therapist?practitionerId=${person(unit).id}`, 'text/html')(),
  )
  await measure('free times of 14 days', 1200, (unit) =>
    get(`/api/v7/practitioner/${person(unit).id}/next-available-sessions?days=14`)(),
  )
  await measure('a read with a sign-in', 1200, async (unit) => {
    const { status } = await calls('GET', '/client/profile', { token: tokenOf(unit % bookings) })
    if (status !== 200) throw new Error(`profile answered ${status}.`)
  })
  await measure('a new account', 48, account)
  await measure('a hold', bookings, (unit) => hold(tokenOf(unit)))
  await measure('a session held, paid and booked', bookings, book)
  await measure(
    'a chat message',
    1600,
    await messages(
      stage,
      clients.slice(0, 40).map(({ token }) => token),
    ),
  )
  return costs.map(([what, cost]) => ({
    figure: `cost: ${what}`,
    measured: `${cost.product.toFixed(2)} ms`,
    baseline: `PostgreSQL ${cost.database.toFixed(2)} ms`,
    ratio: `journal ${Math.round(cost.journal)} B, files ${Math.round(cost.files)} B`,
    target: '',
  }))
}

/** Sends a message by one of the sockets. */
async function messages({ product, people }: Stage, tokens: string[]) {
  const calls = { call: callsTo(product.origin) }
  const writers = await Promise.all(
    tokens.map(async (own, index) => {
      const { token } = await signInToChat(calls, own)
      const opened = await calls.call('POST', '/chat/dialogs', {
        token,
        body: { practitioner_id: people[index]!.id },
      })
      return {
        dialog: opened.body._id as unknown as string,
        chat: await connectChat(product.origin, token, { origin: null }),
      }
    }),
  )
  const text = 'Thank you, that helps. Could we move our next session to the afternoon, perhaps at three?'
  return async (unit: number) => {
    const { dialog, chat } = writers[unit % writers.length]!
    const answer = await chat.send(dialog, text)
    if (!answer.ok) throw new Error(`A message was answered ${answer.error.code}.`)
  }
}

/** Does the first eighth without counting it: code, plans and caches are warm then. */
async function costOf(stage: Stage, units: number, work: (unit: number) => Promise<unknown>): Promise<Cost> {
  const cold = Math.ceil(units / 8)
  await inParallel(0, cold, work)
  const before = await look(stage)
  await inParallel(cold, units, work)
  const after = await look(stage)
  const each = (key: keyof Cost) => (after[key] - before[key]) / (units - cold)
  return {
    product: each('product'),
    database: each('database'),
    journal: each('journal'),
    files: each('files'),
  }
}

async function inParallel(
  first: number,
  end: number,
  work: (unit: number) => Promise<unknown>,
): Promise<void> {
  let next = first
  const worker = async () => {
    while (next < end) await work(next++)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

async function look({ product, inside }: Stage): Promise<Cost> {
  const { rows } = await sql<{ pid: number; journal: number; files: number }>`
    select pg_backend_pid() as pid, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as journal,
      pg_database_size(current_database())::float8 as files`.execute(inside.db)
  const { pid = 0, journal = 0, files = 0 } = rows[0] ?? {}
  const server = parentOf(pid)
  const family = readdirSync('/proc')
    .map(Number)
    .filter((each) => each === server || parentOf(each) === server)
  const database = family.reduce((sum, each) => sum + timeOrNone(each), 0)
  return { product: product.processorTime(), database, journal, files }
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1],
    )
  } catch {
    return undefined
  }
}

function timeOrNone(pid: number): number {
  try {
    return processorTimeOf(pid)
  } catch {
    return 0
  }
}
