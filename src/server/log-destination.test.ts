import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
    const module = fileURLToPath(new URL('./log-destination.ts', import.meta.url))
    const code = `
      import { pino } from 'pino'
      import { logDestination } from ${JSON.stringify(module)}
      const log = pino({ base: null }, logDestination(2))
      for (let n = 0; n < 500; n++) log.info(String(n))
      ${ending}`
    const descriptor = openSync(file, 'w')
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'ignore', descriptor],
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    })
    closeSync(descriptor)
    await new Promise((resolve) => child.once('exit', resolve))
    // A group that was under way may come after those that the end has written.
    const lines = linesOf(file).map(Number)
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => n))
  },
)

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
