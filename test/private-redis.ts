import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './private-cluster.ts'

const run = promisify(execFile)

export type PrivateRedis = { url: string; stop(): Promise<void>; start(): Promise<void> }

/**
 * Starts a Redis of its own on a free port; it keeps nothing, and can be stopped and started again on the same port.
 * @throws Error that says what to install
 */
export async function startRedis(): Promise<PrivateRedis> {
  const program = await findProgram()
  const port = await freePort()
  let server: ChildProcess | undefined

  const stop = async () => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const started = spawn(program, settings, { stdio: ['ignore', 'pipe', 'ignore'] })
    server = started
    let words = ''
    started.stdout.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-4000)
    })
    for (let tries = 0; !words.includes('Ready to accept connections'); tries++) {
      if (started.exitCode !== null || tries > 400) throw new Error(`Redis did not start: ${words}`)
      await sleep(25)
    }
  }
  await start()
  return { url: `redis://127.0.0.1:${port}`, stop, start }
}

async function findProgram(): Promise<string> {
  const found = look()
  if (found) return found
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update']).catch(() => undefined)
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => undefined)
  }
  const installed = look()
  if (installed) return installed
  throw new Error('Redis was not found. Install it (on Debian: apt-get install redis-server).')
}

function look(): string | undefined {
  const folders = [
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path))
}
