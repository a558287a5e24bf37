import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PractitionerList } from '#contract/search.ts'
import { openServer } from '#server/db/connection.ts'
import { freePort } from '#test/private-cluster.ts'
import { loadDirectory } from './directory.ts'
import { requestBytes } from './http-connection.ts'
import type { Line } from './line.ts'
import { residentAfterCollection } from './memory.ts'
import { startProduct } from './product.ts'
import { differentQueries } from './search-queries.ts'
import { buildInside, type Stage } from './stage.ts'
import { median } from './statistics.ts'

const path = '/api/v7/practitioner/get-practitioners'
/** As many practitioners as the demo has. */
const few = 240
const most = { ready: 5, indexed: 10, megabytes: 250 }
const searches = 2000

/** What an instance takes that starts on the filled database: seconds until it answers and searches by its index, and memory. */
export async function measureStarting(stage: Stage): Promise<Line[]> {
  const small = await smallDirectory(stage)
  const filled = {
    databaseUrl: stage.databaseUrl,
    people: stage.people,
    secretKey: readFileSync(join(stage.product.directory, 'secret.key'), 'utf8').trim(),
  }
  const [many, little]: Started[][] = [[], []]
  for (let round = 0; round < stage.rounds; round++) {
    many!.push(await start(stage, filled))
    little!.push(await start(stage, small))
  }
  const middle = (starts: Started[] | undefined, key: keyof Started) =>
    median((starts ?? []).map((each) => each[key]))
  const inSeconds = (key: 'ready' | 'indexed', figure: string): Line => ({
    figure: `starting: ${figure}, seconds, beside one with ${few} practitioners`,
    measured: middle(many, key).toFixed(1),
    baseline: middle(little, key).toFixed(1),
    ratio: '',
    target: `at most ${most[key]}`,
    met: middle(many, key) <= most[key],
  })
  const more = middle(many, 'megabytes') - middle(little, 'megabytes')
  return [
    inSeconds('ready', 'ready'),
    inSeconds('indexed', 'searches by its index'),
    {
      figure: `starting: memory after ${searches} searches, beside one with ${few} practitioners`,
      measured: `${middle(many, 'megabytes').toFixed(0)} MB`,
      baseline: `${middle(little, 'megabytes').toFixed(0)} MB`,
      ratio: `${more.toFixed(0)} MB more`,
      target: `at most ${most.megabytes} MB more`,
      met: more <= most.megabytes,
    },
  ]
}

type Ground = Pick<Stage, 'databaseUrl' | 'people'> & { secretKey: string }
/** Seconds since the start, and resident memory once it has searched and garbage has been collected. */
type Started = { ready: number; indexed: number; megabytes: number }

/** A second database on the same cluster. */
async function smallDirectory({ databaseUrl, product, inside }: Stage): Promise<Ground> {
  const name = 'bench_small'
  await sql`create database ${sql.id(name)}`.execute(inside.db)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  const database = openServer(url.href, 4, () => undefined, { limits: 'none' })
  const people = await loadDirectory(database.db, few, new Date())
  await database.close()
  const filled = await buildInside(url.href, product.directory)
  await filled.services.search.rebuild(filled.db)
  await filled.close()
  return { databaseUrl: url.href, people, secretKey: randomBytes(32).toString('base64') }
}

async function start({ visitors, connections }: Stage, ground: Ground): Promise<Started> {
  const inspector = await freePort()
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const { databaseUrl, secretKey } = ground
  const nodeOptions = [`--inspect=127.0.0.1:${inspector}`]
  const product = await startProduct({ databaseUrl, connections, secretKey, nodeOptions })
  try {
    await until(async () => (await fetch(`${product.origin}/readyz`)).ok)
    const ready = since()
    await until(async () => {
      const answer = await fetch(`${product.origin}${path}?counts=true`)
      return ((await answer.json()) as PractitionerList).meta.counts !== undefined
    })
    const indexed = since()
    const queries = differentQueries(ground.people, new Date().toISOString().slice(0, 10), searches)
    const requests = queries.map((query) =>
      requestBytes({
        method: 'GET',
        path: `${path}?${new URLSearchParams({ ...query, counts: 'true' }).toString()}`,
      }),
    )
    let asked = 0
    while (asked < searches) {
      asked += (await visitors.load({ origin: product.origin, connections, seconds: 1 }, requests))
        .milliseconds.length
    }
    return { ready, indexed, megabytes: (await residentAfterCollection(product.pid, inspector)) / 1e6 }
  } finally {
    await product.stop()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > 120_000) throw new Error('The product is not ready after two minutes.')
    await sleep(50)
  }
}
