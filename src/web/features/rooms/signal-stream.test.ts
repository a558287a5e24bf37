import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ackAfter, createSignalStream, type Frame, resendAfter } from './signal-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What becomes of a frame on its way. */
type Fate = 'arrives' | 'is lost' | 'comes twice' | 'comes late'

/** Two streams with a channel each way. Frames meet the given fates in turn, and arrive once these are used up. */
function pairOf(fates: Fate[] = []) {
  const received = { a: [] as number[], b: [] as number[] }
  const frames: Frame<number>[] = []
  const carry = (to: 'a' | 'b') => (frame: Frame<number>) => {
    frames.push(frame)
    const fate = fates.shift() ?? 'arrives'
    const arrive = () => streams[to].receive(frame)
    if (fate === 'is lost') return
    setTimeout(arrive, fate === 'comes late' ? 1500 : 10)
    if (fate === 'comes twice') setTimeout(arrive, 700)
  }
  const streams = {
    a: createSignalStream<number>({ send: carry('b'), deliver: (body) => received.a.push(body) }),
    b: createSignalStream<number>({ send: carry('a'), deliver: (body) => received.b.push(body) }),
  }
  return { ...streams, received, frames }
}

test('each body is delivered once and in order, over a channel that loses, repeats and reorders', () => {
  const fate = fc.constantFrom<Fate>('arrives', 'is lost', 'comes twice', 'comes late')
  fc.assert(
    fc.property(
      fc.array(fate, { maxLength: 60 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 20 }),
      (fates, fromA, fromB) => {
        const { a, b, received } = pairOf([...fates])
        const bodies = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
        for (const body of bodies(fromA)) {
          a.send(body)
          vi.advanceTimersByTime(30)
        }
        for (const body of bodies(fromB)) b.send(body)
        vi.advanceTimersByTime(60 * resendAfter)
        expect(received).toEqual({ a: bodies(fromB), b: bodies(fromA) })
        expect(vi.getTimerCount()).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})

test('a frame without acknowledgement is sent again after two seconds, and then no more', () => {
  const { a, received, frames } = pairOf(['is lost'])
  a.send(7)
  vi.advanceTimersByTime(resendAfter - 1)
  expect(received.b).toEqual([])
  vi.advanceTimersByTime(1 + 10)
  expect(received.b).toEqual([7])
  vi.advanceTimersByTime(10 * resendAfter)
  expect(frames).toEqual([
    { n: 1, ack: 0, body: 7 },
    { n: 1, ack: 0, body: 7 },
    { n: 0, ack: 1 },
  ])
})

test('a frame that was lost is sent again in time while the other side goes on sending', () => {
  const { a, b, received } = pairOf(['is lost'])
  a.send(7)
  for (let sent = 1; sent <= 10; sent++) {
    vi.advanceTimersByTime(resendAfter / 4)
    b.send(sent)
  }
  expect(received.b).toEqual([7])
})

test('several frames are acknowledged by one', () => {
  const { a, frames } = pairOf()
  for (const body of [1, 2, 3]) a.send(body)
  vi.advanceTimersByTime(10 + ackAfter)
  expect(frames.filter(({ n }) => n === 0)).toEqual([{ n: 0, ack: 3 }])
})

test('what is not acknowledged is sent at once when the way is open again', () => {
  const { a, received } = pairOf(['is lost', 'is lost'])
  a.send(1)
  a.send(2)
  a.flush()
  vi.advanceTimersByTime(10)
  expect(received.b).toEqual([1, 2])
})

test('a stream that has ended neither sends nor delivers', () => {
  const { a, b, received, frames } = pairOf()
  a.send(1)
  b.end()
  vi.advanceTimersByTime(20)
  b.send(2)
  expect(received).toEqual({ a: [], b: [] })
  a.end()
  vi.advanceTimersByTime(10 * resendAfter)
  expect(frames).toHaveLength(1)
})
