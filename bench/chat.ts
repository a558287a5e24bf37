import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Db, openServer } from '#server/db/connection.ts'
import { insertPairs, openDialogOf } from '#test/chat-people.ts'
import { freePort, startCluster } from '#test/private-cluster.ts'
import type { Seat } from './chat-load.ts'
import { type Crowd, gatherCrowd, startBare } from './chat-peers.ts'
import { inMilliseconds, type Line, perSecond, rateLine, timesLine } from './line.ts'
import { residentAfterCollection } from './memory.ts'
import type { Options } from './options.ts'
import { type PgBench, pgbench } from './pgbench.ts'
import { startProduct } from './product.ts'
import { median, quantile } from './statistics.ts'

const run = promisify(execFile)

const sizes = [200, 1000]
const idle = 2000
/** Turns of a round, each a part of its time: what else the machine does comes in bursts, and fewer of them meet a short turn. */
const turnsInRound = 3
/** Messages a second that all connections offer together, the same to each server. */
const offered = 300
/** Messages a second, of those of a relay that stores nothing. */
const leastShare = 0.25
/** What may be added to a bare connection. Bytes. */
const mostAdded = 20_000
/** People write more than they do: sixty a minute each is all they otherwise may. */
const rateLimitScale = 100
/** The products of a run follow each other on one database. */
const secretKey = randomBytes(32).toString('base64')

type Ground = {
  databaseUrl: string
  commits: PgBench
  crowd: Crowd
  chairs: Seat[]
  /** Flushes the system's writes to the disk, and waits until the processes are idle. */
  settleDown(): Promise<void>
  options: Options
}

/**
 * The chat beside a `ws` server that relays the same frames: how long a message takes, how many there are in a second,
 * and what a connection that does nothing costs. On a PostgreSQL of its own, whose commits wait for the disk.
 */
export async function measureChat(options: Options): Promise<Line[]> {
  const cluster = await startCluster({ durable: true })
  const crowd = gatherCrowd()
  const database = openServer(cluster.url, 2, () => undefined)
  try {
    const chairs = await prepare(database.db, cluster.url, options)
    const commits = pgbench(
      {
        program: join(cluster.programs, 'pgbench'),
        url: cluster.url,
        connections: options.connections,
        protocol: 'prepared',
      },
      [
        "insert into bench_commits (id, body) values (gen_random_uuid(), decode(repeat('5a', 120), 'hex'));\n",
      ],
    )
    try {
      const settleDown = async () => {
        await run('sync')
        await sleep(2000)
      }
      const ground = { databaseUrl: cluster.url, commits, crowd, chairs, settleDown, options }
      return [...(await measureTalk(ground)), await measureIdle(ground)]
    } finally {
      commits.close()
    }
  } finally {
    await crowd.stop()
    await database.close()
    await cluster.stop()
  }
}

/** Fills an empty database with people in pairs, each with their dialog: a chair for each of them. */
async function prepare(db: Db, databaseUrl: string, { connections }: Options): Promise<Seat[]> {
  const product = await startProduct({ databaseUrl, connections, secretKey })
  try {
    const pairs = await db.transaction().execute((tx) => insertPairs(tx, idle / 2))
    const chairs: Seat[] = []
    for (let from = 0; from < pairs.length; from += 10) {
      const opened = await Promise.all(
        pairs.slice(from, from + 10).map(async ({ client, therapist, ...pair }) => {
          const dialog = await openDialogOf(product.origin, { client, therapist, ...pair })
          return [client, therapist].map(({ token }) => ({ pair: dialog, token }))
        }),
      )
      chairs.push(...opened.flat())
    }
    await sql`create table bench_commits (id uuid primary key, body bytea not null)`.execute(db)
    // The checkpoint that follows setting up a server, long before the first message.
    await sql`checkpoint`.execute(db)
    return chairs
  } finally {
    await product.stop()
  }
}

/** The bare server's guests show nothing. */
const withoutTokens = (seats: readonly Seat[]): Seat[] => seats.map(({ pair }) => ({ pair }))

async function measureTalk(ground: Ground): Promise<Line[]> {
  const { databaseUrl, options } = ground
  const product = await startProduct({
    databaseUrl,
    connections: options.connections,
    secretKey,
    rateLimitScale,
  })
  const { connections } = options
  const relay = await startBare()
  const committing = await startBare([], { url: databaseUrl, connections })
  try {
    const lines: Line[] = []
    const origins = { product: product.origin, relay: relay.origin, committing: committing.origin }
    for (const size of sizes) lines.push(...(await compareAt(ground, size, origins)))
    return lines
  } finally {
    await committing.stop()
    await relay.stop()
    await product.stop()
  }
}

/** The product, the bare relay, and the bare relay that commits. */
type Origins = { product: string; relay: string; committing: string }

/** Messages in a second, in one round. */
type Rates = { product: number; relay: number; committing: number }

type Delivery = { p50: number; p99: number }
/** How long it took in one turn of each; `commit` is one without a relay. */
type Turn = { product: Delivery; relay: Delivery; committing: Delivery; commit: Delivery }

const deliveryOf = (times: readonly number[]): Delivery => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
})

async function compareAt(
  { crowd, commits, chairs, settleDown, options: { rounds, seconds } }: Ground,
  size: number,
  { product, relay, committing }: Origins,
): Promise<Line[]> {
  const seats = chairs.slice(0, size)
  const turn = Math.max(1, Math.round(seconds / turnsInRound))
  const paced = async (where: string, seed: number): Promise<Delivery> => {
    const order = { do: 'pace', origin: where, perSecond: offered, seconds: turn, seed } as const
    return deliveryOf((await crowd.ask(order)).delivered)
  }
  const rate = async (where: string) => (await crowd.ask({ do: 'rush', origin: where, seconds })).rate
  const everywhere = [product, relay, committing]

  for (const where of everywhere) {
    await crowd.ask({
      do: 'connect',
      origin: where,
      seats: where === product ? seats : withoutTokens(seats),
    })
    // None is measured while its code is still being compiled.
    await rate(where)
  }
  await settleDown()
  const turns: Turn[] = []
  for (let seed = 0; seed < rounds * turnsInRound; seed++) {
    turns.push({
      product: await paced(product, seed),
      relay: await paced(relay, seed),
      committing: await paced(committing, seed),
      commit: deliveryOf(await commits.paced(turn, offered)),
    })
  }
  // Apart from that: what a rush leaves to be collected and written is not part of a quiet conversation.
  const rates: Rates[] = []
  for (let round = 0; round < rounds; round++) {
    rates.push({
      product: await rate(product),
      relay: await rate(relay),
      committing: await rate(committing),
    })
  }
  for (const where of everywhere) await crowd.ask({ do: 'leave', origin: where })
  return [...deliveryLines(`chat, ${size} connected`, turns), ...rateLines(`chat, ${size} connected`, rates)]
}

function deliveryLines(figure: string, turns: readonly Turn[]): Line[] {
  const middle = (of: (turn: Turn) => number) => inMilliseconds(median(turns.map(of)))
  const apart = (name: keyof Delivery) =>
    `${middle(({ relay }) => relay[name])}, commit ${middle(({ commit }) => commit[name])}`
  const slowest = middle(({ product }) => product.p99)
  const ofBoth = turns.map(({ product, committing }) => product.p99 / committing.p99)
  const twiceTheRelay = ({ relay, commit }: Turn) => 2 * relay.p99 + commit.p99
  const ofTwiceTheRelay = turns.map((each) => each.product.p99 / twiceTheRelay(each))
  const bareOfTwiceTheRelay = turns.map((each) => each.committing.p99 / twiceTheRelay(each))
  return [
    {
      figure: `${figure}: delivery, median`,
      measured: middle(({ product }) => product.p50),
      baseline: `${apart('p50')}, in one ${middle(({ committing }) => committing.p50)}`,
      ratio: '',
      target: '',
    },
    timesLine(
      `${figure}: delivery, 99th percentile, of a relay that commits`,
      { measured: slowest, baseline: middle(({ committing }) => committing.p99), times: ofBoth },
      { atMost: 2 },
      median(ofBoth),
    ),
    timesLine(
      `${figure}: the same, of twice the relay and a commit`,
      { measured: slowest, baseline: apart('p99'), times: ofTwiceTheRelay },
      { atMost: 1 },
      median(ofTwiceTheRelay),
    ),
    {
      figure: `${figure}: the relay that commits, of the same`,
      measured: middle(({ committing }) => committing.p99),
      baseline: apart('p99'),
      ratio: `${median(bareOfTwiceTheRelay).toFixed(2)}×`,
      target: '',
    },
  ]
}

function rateLines(figure: string, rates: readonly Rates[]): Line[] {
  const ofRelay = rates.map(({ product, relay }) => product / relay)
  const ofCommitting = median(rates.map(({ product, committing }) => product / committing))
  const compared = {
    measured: median(rates.map(({ product }) => product)),
    baseline: median(rates.map(({ relay }) => relay)),
    ratio: median(ofRelay),
    spread: [Math.min(...ofRelay), Math.max(...ofRelay)] as [number, number],
  }
  return [
    rateLine(`${figure}: messages in a second`, compared, leastShare),
    {
      figure: `${figure}: the same, of a relay that commits`,
      measured: perSecond(compared.measured),
      baseline: perSecond(median(rates.map(({ committing }) => committing))),
      ratio: `${(100 * ofCommitting).toFixed(0)}%`,
      target: '',
    },
  ]
}

/** A process whose memory can be asked for. */
type Inspected = { origin: string; pid: number; inspector: number; stop(): Promise<void> }

/** What each of many connections that do nothing adds to a process, the product's beside the bare server's. */
async function measureIdle({ databaseUrl, crowd, chairs, options }: Ground): Promise<Line> {
  const added = async (measured: Inspected, seats: Seat[]) => {
    try {
      // What the first connections bring with them stays, however many follow.
      await crowd.ask({ do: 'connect', origin: measured.origin, seats: seats.slice(0, 200) })
      await crowd.ask({ do: 'leave', origin: measured.origin })
      const before = await residentAfterCollection(measured.pid, measured.inspector)
      await crowd.ask({ do: 'connect', origin: measured.origin, seats })
      await sleep(1000)
      const after = await residentAfterCollection(measured.pid, measured.inspector)
      await crowd.ask({ do: 'leave', origin: measured.origin })
      return (after - before) / seats.length
    } finally {
      await measured.stop()
    }
  }
  const seats = chairs.slice(0, idle)
  const pairs: [number, number][] = []
  for (let round = 0; round < Math.min(3, options.rounds); round++) {
    const inspector = await freePort()
    const inspected = [`--inspect=127.0.0.1:${inspector}`]
    const product = await startProduct({
      databaseUrl,
      connections: options.connections,
      secretKey,
      nodeOptions: inspected,
    })
    const ofProduct = await added({ ...product, inspector }, seats)
    const bare = await startBare(inspected)
    const ofBare = await added({ ...bare, inspector }, withoutTokens(seats))
    pairs.push([ofProduct, ofBare])
  }
  const more = pairs.map(([product, bare]) => product - bare)
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  return {
    figure: `chat, ${idle} connected: memory of an idle connection`,
    measured: kilobytes(median(pairs.map(([product]) => product))),
    baseline: kilobytes(median(pairs.map(([, bare]) => bare))),
    ratio: `${kilobytes(median(more))} more (${kilobytes(Math.min(...more))} to ${kilobytes(Math.max(...more))})`,
    target: `at most ${kilobytes(mostAdded)} more`,
    met: median(more) <= mostAdded,
  }
}
