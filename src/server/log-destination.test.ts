import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logDestination } from './log-destination.ts'

test('a few lines are written without waiting for more', async () => {
  const file = fileIn()
  const descriptor = openSync(file, 'w')
  onTestFinished(() => closeSync(descriptor))
  const log = pino({ base: null }, logDestination(descriptor))
  log.info('one')
  log.info('two')
  await vi.waitFor(() => expect(linesOf(file)).toEqual(['one', 'two']))
  log.info('three')
  await vi.waitFor(() => expect(linesOf(file)).toEqual(['one', 'two', 'three']))
})

test('a warning is written at once, with the lines before it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = fileIn()
  const descriptor = openSync(file, 'w')
  onTestFinished(() => closeSync(descriptor))
  const log = pino({ base: null }, logDestination(descriptor))
  log.info('one')
  log.child({ part: 'search' }).warn('two')
  log.info('three')
  for (let turn = 0; turn < 100_000 && linesOf(file).length < 2; turn++) await nextTurn()
  expect(linesOf(file)).toEqual(['one', 'two'])
  vi.runAllTimers()
  for (let turn = 0; turn < 100_000 && linesOf(file).length < 3; turn++) await nextTurn()
  expect(linesOf(file)).toEqual(['one', 'two', 'three'])
})

test.each(['process.exit(3)', "throw new Error('unexpected')", ''])(
  'a process that ends by "%s" has written every line',
  async (ending) => {
    const file = fileIn()
    await runTo(file, `for (let n = 0; n < 500; n++) log.info(String(n)); ${ending}`).status
    // A group that was under way may come after those that the end has written.
    const lines = linesOf(file).map(Number)
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => n))
  },
)

test.each(['process.exit(3)', "throw new Error('unexpected')", 'process.exitCode = 3'])(
  'a process whose log has no room goes on, and ends by "%s"',
  async (ending) => {
    const { stdout, status } = runTo(
      '/dev/full',
      `
      for (let n = 0; n < 10; n++) {
        log.warn('one')
        log.info('two')
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      console.log('still here')
      ${ending}`,
    )
    expect(await text(stdout)).toBe('still here\n')
    expect(await status).toBe(ending.startsWith('throw') ? 1 : 3)
  },
)

test('a server whose log has no room answers, and ends on SIGTERM', async () => {
  const { child, stdout, status } = runTo(
    '/dev/full',
    `
      import { fastify } from 'fastify'
      const app = fastify({ loggerInstance: log })
      app.get('/', () => 'here')
      process.on('SIGTERM', () => app.close().then(() => process.exit(0)))
      console.log(await app.listen({ host: '127.0.0.1', port: 0 }))`,
  )
  const [address] = await new Promise<string[]>((resolve) => {
    createInterface({ input: stdout }).once('line', (line) => resolve([line]))
  })
  for (let count = 0; count < 5; count++) {
    expect(await (await fetch(address ?? '', { signal: AbortSignal.timeout(10_000) })).text()).toBe('here')
    // Longer than lines wait.
    await sleep(60)
  }
  child.kill('SIGTERM')
  expect(await status).toBe(0)
}, 60_000)

test('lines that cannot be written wait in bounds until there is room', async () => {
  const pipe = fileIn()
  execFileSync('mkfifo', [pipe])
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(descriptor))
  const log = pino({ base: null, timestamp: false }, logDestination(descriptor))
  const line = 'x'.repeat(1000)
  for (let n = 0; n < 3000; n++) {
    log.info(`${n} ${line}`)
    if (n % 100 === 0) await nextTurn()
  }
  let written = ''
  const chunk = Buffer.alloc(65_536)
  const read = () => {
    try {
      written += chunk.toString('utf8', 0, readSync(descriptor, chunk))
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' })
    }
  }
  await vi.waitFor(
    () => {
      read()
      log.warn('3000 last')
      expect(numbersOf(written).at(-1)).toBe(3000)
    },
    { timeout: 20_000, interval: 10 },
  )
  const kept = numbersOf(written).filter((number) => number < 3000)
  expect(kept).toEqual(kept.map((_, n) => n))
  expect(kept.length).toBeGreaterThan(1000)
  expect(kept.length).toBeLessThan(2000)
})

const numbersOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => Number.parseInt((JSON.parse(line) as { msg: string }).msg, 10))

/** Starts a process with a `log` that is written to a file. */
function runTo(file: string, code: string) {
  const module = fileURLToPath(new URL('./log-destination.ts', import.meta.url))
  const head = `
    import { pino } from 'pino'
    import { logDestination } from ${JSON.stringify(module)}
    const log = pino({ base: null }, logDestination(2))`
  const descriptor = openSync(file, 'w')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${head}\n${code}`], {
    stdio: ['ignore', 'pipe', descriptor],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  closeSync(descriptor)
  const status = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stdout = child.stdout ?? Readable.from([])
  return { child, stdout, status }
}

function fileIn(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'log')
}

function linesOf(file: string): unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  // Node prints the error itself beside them.
  return lines
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => (JSON.parse(line) as { msg: unknown }).msg)
}
