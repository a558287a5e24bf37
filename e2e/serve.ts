// The server of all journeys. What it is filled with is kept in a folder as well: journeys with a server of their own
// begin with a copy of that, since filling one takes longer than most journeys.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { buildWebIfNeeded } from '#server/web-build.ts'
import { filledFolder, type Seed } from './filled.ts'

const main = 'src/server/main.ts'
// Once, rather than by both at the same time.
await buildWebIfNeeded((sentence) => process.stderr.write(`${sentence}\n`))
await Promise.all([fill('demo'), fill('reference')])
cpSync(filledFolder('demo'), process.env.DATA_DIR ?? '', { recursive: true })

const server = spawn(process.execPath, [main], { stdio: 'inherit' })
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code) => process.exit(code ?? 1))

async function fill(seed: Seed): Promise<void> {
  const filling = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: filledFolder(seed), SEED: seed, PORT: '0' },
  })
  const ended = once(filling, 'exit')
  for await (const line of createInterface(filling.stdout)) {
    if (line.startsWith('Hearth is ready')) filling.kill('SIGTERM')
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`The server with ${seed} data did not start, or did not stop in order.`)
}
