import { setTimeout as sleep } from 'node:timers/promises'
import type { PractitionerList } from '#contract/search.ts'
import { openConnection, load, requestBytes } from './http-load.ts'
import { type Line, inMilliseconds, rateLine, timesLine } from './line.ts'
import { pgbench } from './pgbench.ts'
import { mixedQueries, type SearchQuery } from './search-queries.ts'
import { truthAt } from './search-truth.ts'
import type { Stage } from './stage.ts'
import { inTurns, median, quantile } from './statistics.ts'

const path = '/api/v7/practitioner/get-practitioners'
const pathOf = (query: SearchQuery) => `${path}?${new URLSearchParams(query).toString()}`

/** Searching: the rate beside the database's own on the same statements, how even it is, and whether it is right. */
export async function measureSearch(stage: Stage): Promise<Line[]> {
  const queries = mixedQueries(stage.people, new Date().toISOString().slice(0, 10))
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
  const requests = queries.map((query) => requestBytes({ method: 'GET', path: pathOf(query) }))
  const connections = await Promise.all(
    Array.from({ length: stage.connections }, () => openConnection(stage.product.origin)),
  )
  let turn = 0
  const next = () => requests[turn++ % requests.length]!
  await load(connections, 2, next)
  const evenness: { p99: number; median: number }[] = []
  const compared = await inTurns(
    stage.rounds,
    async () => {
      const { rate, milliseconds } = await load(connections, stage.seconds, next)
      evenness.push({ p99: quantile(milliseconds, 0.99), median: median(milliseconds) })
      return rate
    },
    () => bench.rate(stage.seconds),
  )
  for (const connection of connections) connection.close()
  bench.close()
  const times = evenness.map((round) => round.p99 / round.median)
  return [
    rateLine('search: answers in a second, pgbench on the same SQL', compared, 0.6),
    timesLine(
      'search: 99th percentile beside the median',
      {
        measured: inMilliseconds(median(evenness.map((round) => round.p99))),
        baseline: inMilliseconds(median(evenness.map((round) => round.median))),
        times,
      },
      { atMost: 6 },
      median(times),
    ),
    {
      figure: 'search: answers equal to brute force',
      measured: `${right} of ${queries.length}`,
      baseline: '',
      ratio: '',
      target: 'all',
      met: right === queries.length,
    },
  ]
}

/** How many of the queries are answered with the right total and the right page in the right order. */
async function compareWithTruth(stage: Stage, queries: readonly SearchQuery[]): Promise<number> {
  await allFresh(stage)
  const truth = truthAt(stage.people, new Date())
  let right = 0
  for (const query of queries) {
    const response = await fetch(stage.product.origin + pathOf(query))
    const { data, meta } = (await response.json()) as PractitionerList
    const expected = truth.answer(query)
    const got = data.map((card) => card.practitioner_id)
    if (meta.total === expected.total && got.join() === expected.ids.join()) right++
    else {
      console.log(
        `Not as expected: ${JSON.stringify(query)}: ${meta.total} ${got.join()} instead of ${expected.total} ${expected.ids.join()}`,
      )
    }
  }
  return right
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
