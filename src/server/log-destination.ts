import { writeSync } from 'node:fs'
import { pino } from 'pino'

/** Lines wait for so many characters, or for so many milliseconds: a write costs as much as all else about a line. */
const minLength = 4096
const maxWait = 50
/** A line of this level is written at once, and all lines before it: a process may be about to be killed. */
const urgentFrom = pino.levels.values['warn'] ?? 0

/** Where log lines are written, in groups. What waits is written when the process ends, unless it is killed. */
export function logDestination(descriptor: number) {
  const destination = pino.destination({ dest: descriptor, sync: false })
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    return lines
  }
  const pass = () => {
    const lines = take()
    if (lines !== '') destination.write(lines)
  }
  const flushSync = () => {
    destination.flushSync()
    writeAll(descriptor, take())
  }
  process.once('beforeExit', pass)
  process.once('exit', flushSync)
  return {
    // Has the logger set `lastLevel` before each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      waiting += line
      if (waiting.length >= minLength || this.lastLevel >= urgentFrom) pass()
      else timer ??= setTimeout(pass, maxWait).unref()
    },
    flushSync,
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Writes to a pipe too, which may be full for a moment. Gives up after a second. */
function writeAll(descriptor: number, text: string): void {
  let left = Buffer.from(text)
  for (let tries = 0; left.length > 0 && tries < 100; ) {
    try {
      left = left.subarray(writeSync(descriptor, left))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(pause, 0, 0, 10)
      tries++
    }
  }
}
