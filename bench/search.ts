import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PractitionerList } from '#contract/search.ts'
import { requestBytes } from './http-connection.ts'
import { type Line, inMilliseconds, rateLine, timesLine } from './line.ts'
import { pgbench } from './pgbench.ts'
import { differentQueries, mixedQueries, type SearchQuery } from './search-queries.ts'
import { truthAt } from './search-truth.ts'
import { processorTimeOf } from './product.ts'
import type { Stage } from './stage.ts'
import { inTurns, median, quantile } from './statistics.ts'

const path = '/api/v7/practitioner/get-practitioners'
const pathOf = (query: SearchQuery) => `${path}?${new URLSearchParams(query).toString()}`
const countedPathOf = (query: SearchQuery) => pathOf({ ...query, counts: 'true' })

const bareServer = fileURLToPath(new URL('search-bare.ts', import.meta.url))
const different = 5000
/** Bodies that the bare server sends; as many as tell how long they are on average. */
const bareBodies = 500

/** Searching with counts: the rate beside the database's and a bare servers', how even it is, and whether it is right. */
export async function measureSearch(stage: Stage): Promise<Line[]> {
  const today = new Date().toISOString().slice(0, 10)
  const queries = mixedQueries(stage.people, today)
  const indexAfter = await untilIndexed(stage)
  const right = await compareWithTruth(stage, queries)
  const scripts: string[] = []
  for (const query of queries) {
    const statements = await stage.inside.capture.during(() => stage.inside.app.inject(pathOf(query)))
    scripts.push(statements.join(''))
  }
  const bench = pgbench(
    { program: stage.pgbench, url: stage.databaseUrl, connections: stage.connections, protocol: 'simple' },
    scripts,
  )
  const asked = differentQueries(stage.people, today, different)
  const requests = asked.map((query) => requestBytes({ method: 'GET', path: countedPathOf(query) }))
  const bodies = await bodiesOf(stage, asked.slice(0, bareBodies))
  const visit = (origin: string, { seconds = stage.seconds, isRead = false } = {}) =>
    stage.visitors.load({ origin, connections: stage.connections, seconds, isRead }, requests)
  await visit(stage.product.origin, { seconds: 4 })
  const evenness: { p99: number; median: number }[] = []
  const search = async () => {
    const { rate, milliseconds } = await visit(stage.product.origin)
    evenness.push({ p99: quantile(milliseconds, 0.99), median: median(milliseconds) })
    return rate
  }
  const beside = await inTurns(stage.rounds, search, () => bench.rate(stage.seconds))
  const node = await startBare(bodies, 'node')
  const rateOf = async (origin: string) => (await visit(origin)).rate
  const besideNode = await inTurns(stage.rounds, search, () => rateOf(node.origin))
  const readRateOf = async (origin: string) => (await visit(origin, { isRead: true })).rate
  const bothRead = await inTurns(
    stage.rounds,
    () => readRateOf(stage.product.origin),
    () => readRateOf(node.origin),
  )
  const fastify = await startBare(bodies, 'fastify')
  const timeOf = async ({ pid, origin }: { pid: number; origin: string }) => {
    const before = processorTimeOf(pid)
    const { milliseconds } = await visit(origin)
    return (processorTimeOf(pid) - before) / milliseconds.length
  }
  const each = await inTurns(
    stage.rounds,
    () => timeOf(stage.product),
    () => timeOf(fastify),
  )
  const ceiling = await inTurns(
    stage.rounds,
    () => rateOf(fastify.origin),
    () => bench.rate(stage.seconds),
  )
  bench.close()
  node.stop()
  fastify.stop()
  const times = evenness.map((round) => round.p99 / round.median)
  return [
    rateLine('search: answers with all counts in a second, pgbench on the SQL of page and total', beside, 15),
    rateLine('search: the same, a bare node:http server that sends the same bodies', besideNode, 0.1),
    rateLine('search: the same where those who ask read the answers as JSON', bothRead),
    rateLine('search: a bare route of Fastify that sends the same bodies, pgbench on the SQL', ceiling),
    timesLine(
      'search: 99th percentile beside the median',
      {
        measured: inMilliseconds(median(evenness.map((round) => round.p99))),
        baseline: inMilliseconds(median(evenness.map((round) => round.median))),
        times,
      },
      { atMost: 5 },
      median(times),
    ),
    {
      figure: 'search: answers and counts equal to brute force',
      measured: `${right} of ${queries.length}`,
      baseline: '',
      ratio: '',
      target: 'all',
      met: right === queries.length,
    },
    {
      figure: 'search: processor time of an answer with all counts, of the bare route of Fastify',
      measured: inMilliseconds(each.measured),
      baseline: inMilliseconds(each.baseline),
      ratio: `${each.ratio.toFixed(1)}×`,
      target: '',
    },
    {
      figure: 'search: index built after the start, seconds',
      measured: indexAfter === undefined ? 'before it was looked at' : (indexAfter / 1000).toFixed(1),
      baseline: '',
      ratio: '',
      target: 'at most 10',
      met: indexAfter === undefined || indexAfter <= 10_000,
    },
  ]
}

/** Waits until answers carry counts. Returns the milliseconds of waiting; undefined when they did at once. */
async function untilIndexed({ product }: Stage): Promise<number | undefined> {
  const began = performance.now()
  for (let tries = 0; ; tries++) {
    const response = await fetch(product.origin + countedPathOf({}))
    const { meta } = (await response.json()) as PractitionerList
    if (meta.counts) return tries === 0 ? undefined : performance.now() - began
    if (performance.now() - began > 120_000) throw new Error('The index was not built.')
    await sleep(100)
  }
}

/** What the product answers. */
async function bodiesOf({ product }: Stage, queries: readonly SearchQuery[]): Promise<string> {
  const bodies: string[] = []
  for (const query of queries) bodies.push(await (await fetch(product.origin + countedPathOf(query))).text())
  const file = join(product.directory, 'bodies.json')
  writeFileSync(file, JSON.stringify(bodies))
  return file
}

/** Starts a bare server that sends the bodies of a file. */
async function startBare(file: string, kind: 'node' | 'fastify') {
  const child = spawn(process.execPath, [bareServer, kind, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  return { origin: first.toString().trim(), pid: child.pid ?? 0, stop: () => void child.kill() }
}

/** How many of the queries are answered with the right total and the right page in the right order. */
async function compareWithTruth(stage: Stage, queries: readonly SearchQuery[]): Promise<number> {
  await allFresh(stage)
  const truth = truthAt(stage.people, new Date())
  let right = 0
  for (const query of queries) {
    const response = await fetch(stage.product.origin + countedPathOf(query))
    const { data, meta } = (await response.json()) as PractitionerList
    const expected = truth.answer(query)
    const got = data.map((card) => card.practitioner_id)
    const wrong = wrongCounts(meta.counts, truth.counts(query))
    if (wrong.length > 0) console.log(`Counts differ: ${JSON.stringify(query)}: ${wrong.join(', ')}`)
    else if (meta.total === expected.total && got.join() === expected.ids.join()) right++
    else {
      console.log(
        `Not as expected: ${JSON.stringify(query)}: ${meta.total} ${got.join()} instead of ${expected.total} ${expected.ids.join()}`,
      )
    }
  }
  return right
}

/** The values whose count is not that of brute force. */
function wrongCounts(
  counts: PractitionerList['meta']['counts'],
  expected: Record<string, Map<string, number>>,
): string[] {
  return Object.entries(expected).flatMap(([name, values]) => {
    const own: Record<string, number> = counts?.[name as 'issue_id'] ?? {}
    const keys = new Set([...Object.keys(own), ...values.keys()])
    return [...keys].filter((key) => own[key] !== (values.get(key) ?? 0)).map((key) => `${name} ${key}`)
  })
}

/** Waits until every row of the search knows the free time of this moment, and a new hour is not about to begin. */
async function allFresh({ inside }: Stage): Promise<void> {
  for (;;) {
    const { stale } = await inside.db
      .selectFrom('practitioner_search')
      .select((eb) => eb.fn.countAll<number>().as('stale'))
      .where('fresh_until', '<=', new Date(Date.now() + 60_000))
      .executeTakeFirstOrThrow()
    if (stale === 0) return
    await sleep(1000)
  }
}
