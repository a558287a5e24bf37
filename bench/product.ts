import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/private-cluster.ts'

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
/** Linux counts processor time in these. */
const ticksPerSecond = 100

export type Product = {
  origin: string
  /** Its `DATA_DIR`. */
  directory: string
  pid: number
  /** Processor time that the process has used so far, in milliseconds. */
  processorTime(): number
  stop(): Promise<void>
}

/** Starts the product as a user would, in a process of its own, on a database that is filled already. */
export async function startProduct(options: {
  databaseUrl: string
  connections: number
  /** So much more than usual may be asked of it. */
  rateLimitScale?: number
  /** What it encrypts with, for one that goes on with another's database; its own when absent. */
  secretKey?: string
  /** Options of Node itself. */
  nodeOptions?: readonly string[]
}): Promise<Product> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const log = join(directory, 'log')
  const port = await freePort()
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), main], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: directory,
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL: String(options.connections),
      SEED: 'reference',
      ...(options.secretKey ? { SECRET_KEY: options.secretKey } : {}),
      RATE_LIMIT_SCALE: String(options.rateLimitScale ?? 1_000_000),
    },
    stdio: ['ignore', openSync(log, 'w'), openSync(log, 'a')],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await gone
      clearTimeout(impatient)
    }
    rmSync(directory, { recursive: true, force: true })
  }
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null || tries > 600) {
      const words = readFileSync(log, 'utf8').slice(-2000)
      await stop()
      throw new Error(`The product did not start: ${words}`)
    }
    await sleep(100)
  }
  const pid = child.pid ?? 0
  return { origin, directory, pid, processorTime: () => processorTimeOf(pid), stop }
}

/** As the kernel counts it, in steps of ten milliseconds. Linux alone tells. */
export function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
  return ((user + system) * 1000) / ticksPerSecond
}
