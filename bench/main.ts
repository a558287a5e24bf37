// Measures the product on this machine and prints a table; bench/README.md says what each figure means.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { openServer } from '#server/db/connection.ts'
import { startCluster } from '#test/private-cluster.ts'
import { measureChat } from './chat.ts'
import { measureCosts } from './costs.ts'
import { loadDirectory } from './directory.ts'
import { measureHolds } from './holds.ts'
import { measureLighthouse } from './lighthouse.ts'
import { type Line, tableOf } from './line.ts'
import { measureMatching } from './matching.ts'
import { type Options, readOptions } from './options.ts'
import { measurePages } from './pages.ts'
import { startProduct } from './product.ts'
import { measureRooms } from './rooms.ts'
import { measureSearch } from './search.ts'
import { measureSeries } from './series.ts'
import { measureSlots } from './slots.ts'
import { measureStarting } from './starting.ts'
import { startVisitors } from './visitors.ts'
import { measureWaitlist } from './waitlist.ts'
import { buildInside, type Stage } from './stage.ts'

/** In this order: what takes slots comes after what is compared with a directory that is all free. */
const inDirectory: Record<string, (stage: Stage) => Promise<Line[]>> = {
  search: measureSearch,
  slots: measureSlots,
  starting: measureStarting,
  matching: measureMatching,
  waitlist: measureWaitlist,
  pages: measurePages,
  lighthouse: measureLighthouse,
  series: measureSeries,
  holds: measureHolds,
  costs: measureCosts,
}
/** What needs no directory, and brings its own database. */
const byThemselves: Record<string, (options: Options) => Promise<Line[]>> = {
  chat: measureChat,
  rooms: measureRooms,
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const cleanUp: (() => Promise<unknown> | void)[] = []
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  }
  process.once('SIGINT', () => void stop().then(() => process.exit(130)))
  const lines: Line[] = []
  const wanted = <T>(parts: Record<string, T>) =>
    Object.entries(parts).filter(([name]) => options.only.some((part) => name.includes(part)))
  if (wanted({ ...inDirectory, ...byThemselves }).length === 0) {
    throw new Error(`--only takes some of ${Object.keys({ ...inDirectory, ...byThemselves }).join(', ')}.`)
  }
  const measure = async (name: string, work: () => Promise<Line[]>) => {
    console.log(`Measuring ${name} …`)
    try {
      const measured = await work()
      lines.push(...measured)
      // A run takes long, and may be ended before it is over.
      console.log(`${tableOf(measured)}\n`)
    } catch (error) {
      // What the others measured is worth having all the same.
      console.error(`${name} could not be measured:`, error)
      process.exitCode = 1
    }
  }
  try {
    if (wanted(inDirectory).length > 0) {
      const stage = await setUp(options, cleanUp)
      for (const [name, part] of wanted(inDirectory)) await measure(name, () => part(stage))
    }
    for (const [name, part] of wanted(byThemselves)) await measure(name, () => part(options))
    console.log(`\n${tableOf(lines)}`)
  } finally {
    await stop()
  }
}

/** The generated directory in a PostgreSQL of its own, and the product on it. */
async function setUp(options: Options, cleanUp: (() => Promise<unknown> | void)[]): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  cleanUp.push(() => rmSync(directory, { recursive: true, force: true }))
  const cluster = await startCluster()
  cleanUp.push(cluster.stop)

  const began = performance.now()
  const loader = openServer(cluster.url, 4, () => undefined, { limits: 'none' })
  const people = await loadDirectory(loader.db, options.practitioners, new Date())
  await loader.close()
  const inside = await buildInside(cluster.url, directory)
  cleanUp.push(inside.close)
  await inside.services.search.rebuild(inside.db)
  const took = Math.round((performance.now() - began) / 1000)
  console.log(`${people.length} practitioners in PostgreSQL after ${took} s, on ${machine()}.`)

  const product = await startProduct({ databaseUrl: cluster.url, connections: options.connections })
  cleanUp.push(product.stop)
  const visitors = startVisitors()
  cleanUp.push(visitors.stop)
  return {
    ...options,
    product,
    visitors,
    databaseUrl: cluster.url,
    pgbench: join(cluster.programs, 'pgbench'),
    people,
    inside,
  }
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Node ${process.version}`
}

await main()
