// The server of all journeys. What it is filled with is kept in a folder as well: journeys with a server of their own
// begin with a copy of that, since filling one takes longer than most journeys.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { openEmbedded } from '#server/db/connection.ts'
import { buildWebIfNeeded } from '#server/web-build.ts'
import { readTemplate } from '#test/test-database.ts'
import { filledFolder } from './filled.ts'

const main = 'src/server/main.ts'
// Once, rather than by each server.
await buildWebIfNeeded((sentence) => process.stderr.write(`${sentence}\n`))
await fillReference()
await fillDemo()
cpSync(filledFolder('demo'), process.env.DATA_DIR ?? '', { recursive: true })

const server = spawn(process.execPath, [main], { stdio: 'inherit' })
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code) => process.exit(code ?? 1))

/** Unpacks the database that the other tests start from. */
async function fillReference(): Promise<void> {
  const directory = join(filledFolder('reference'), 'database')
  mkdirSync(directory, { recursive: true })
  const database = await openEmbedded({ directory, template: await readTemplate() })
  await database.close()
}

/** Fills in the demo data, or copies those of a run within the same hour from the same sources. */
async function fillDemo(): Promise<void> {
  const kept = join('node_modules/.cache/hearth-e2e', digest())
  if (existsSync(kept)) return cpSync(kept, filledFolder('demo'), { recursive: true })
  cpSync(filledFolder('reference'), filledFolder('demo'), { recursive: true })
  const filling = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: filledFolder('demo'), SEED: 'demo', PORT: '0' },
  })
  const ended = once(filling, 'exit')
  for await (const line of createInterface(filling.stdout)) {
    if (line.startsWith('Hearth is ready')) filling.kill('SIGTERM')
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error('The server with demo data did not start, or did not stop in order.')
  rmSync(dirname(kept), { recursive: true, force: true })
  cpSync(filledFolder('demo'), `${kept}.${process.pid}`, { recursive: true })
  renameSync(`${kept}.${process.pid}`, kept)
}

/** Of the server's sources and the hour: made-up people are free, and have their reviews, some time after the start. */
function digest(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 13))
  const sources = globSync(['src/server/**', 'src/contract/**', 'package-lock.json']).sort()
  for (const file of sources) if (statSync(file).isFile()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 24)
}
