import { write, writeSync } from 'node:fs'
import { pino } from 'pino'

/** Lines wait for so many characters, or for so many milliseconds: a write costs as much as all else about a line. */
const minLength = 4096
const maxWait = 50
/** So many characters wait at most, as while the disk is full; a line beyond them is dropped. */
const maxLength = 1024 * 1024
/** A line of this level is written at once, and all lines before it: a process may be about to be killed. */
const urgentFrom = pino.levels.values['warn'] ?? 0

/**
 * Where log lines are written, in groups. What waits is written when the process ends, unless it is killed. A group that
 * cannot be written is kept and tried again; the destinations of pino end the process by its error, and retry it without
 * end when they exit.
 */
export function logDestination(descriptor: number) {
  let waiting = ''
  let group = Buffer.alloc(0)
  let isWriting = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = Buffer.from(waiting)
    waiting = ''
    return lines
  }
  const pass = () => {
    isDue = true
    if (isWriting) return
    if (group.length === 0) {
      group = take()
      isDue = false
    }
    if (group.length === 0) return
    isWriting = true
    write(descriptor, group, (error, written) => {
      isWriting = false
      group = group.subarray(written)
      if (error) passLater()
      else if (isDue || group.length > 0) pass()
    })
  }
  const passLater = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      pass()
    }, maxWait).unref()
  }
  const flushSync = () => {
    // A group that is under way is written before the process ends.
    const unwritten = isWriting ? [] : [group]
    if (!isWriting) group = Buffer.alloc(0)
    writeAll(descriptor, Buffer.concat([...unwritten, take()]))
  }
  process.once('beforeExit', pass)
  process.once('exit', flushSync)
  return {
    // Has the logger set `lastLevel` before each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      if (waiting.length + line.length <= maxLength) waiting += line
      if (waiting.length >= minLength || this.lastLevel >= urgentFrom) pass()
      else passLater()
    },
    flushSync,
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Writes to a pipe too, which may be full for a moment. Gives up after a second, and at any other error. */
function writeAll(descriptor: number, bytes: Buffer): void {
  let left = bytes
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
