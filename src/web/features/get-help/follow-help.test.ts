import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tabStorage } from '#web/lib/tab-storage.ts'
import { followHelp } from './follow-help.ts'
import { noteRunningHelp } from './running-help.ts'

type State = 'claimed' | 'asking' | 'accepted' | 'stopped' | 'expired'

/** Reads that wait for their answer, in the order in which they were sent. */
let reads: { answer(state: State): void; fail(status: number): void }[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  reads = []
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    reads.push({
      answer(state) {
        const dispatch = { state, money: { state: 'held' } }
        const ends_at = new Date(Date.now() + 900_000).toISOString()
        resolve(Response.json({ status: 'confirmed', ends_at, dispatch }))
      },
      fail: (status) => resolve(Response.json({ code: 'x', message: 'No.' }, { status })),
    })
    return promise
  })
  noteRunningHelp('mine')
})
afterEach(() => {
  tabStorage.removeItem('helpSession')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const running = () => tabStorage.getItem('helpSession')

function follow() {
  const shown: (State | undefined)[] = []
  const followed = followHelp('mine', true, (dispatch) => shown.push(dispatch?.state as State | undefined))
  return { ...followed, shown }
}

test('an answer that comes after that to a later look is ignored, with its next look', async () => {
  const { look, shown } = follow()
  const looks = [look(), look()]
  reads[1]?.answer('accepted')
  await looks[1]
  reads[0]?.answer('asking')
  await looks[0]
  expect(shown).toEqual(['accepted'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toHaveLength(2)
})

test('an answer that was overtaken does not end the search', async () => {
  const { look } = follow()
  const looks = [look(), look(), look()]
  reads[0]?.fail(404)
  reads[1]?.answer('expired')
  await Promise.all([looks[0], looks[1]])
  expect(running()).toBe('mine')
  reads[2]?.answer('asking')
  await looks[2]
  expect(running()).toBe('mine')
})

test.each([
  ['has passed', () => reads[0]?.answer('stopped')],
  ['is gone', () => reads[0]?.fail(404)],
])('a search that %s is forgotten, unless it is followed no longer or another one runs', async (_, end) => {
  const first = follow()
  const ended = first.look()
  end()
  await ended
  expect(running()).toBeNull()

  reads = []
  noteRunningHelp('mine')
  const stopped = follow()
  const late = stopped.look()
  stopped.stop()
  end()
  await late
  expect([running(), stopped.shown]).toEqual(['mine', []])

  reads = []
  const replaced = follow()
  const looked = replaced.look()
  noteRunningHelp('another')
  end()
  await looked
  expect(running()).toBe('another')
})

test('a search is looked at again for as long as it may change, and after an error', async () => {
  const { look, stop } = follow()
  void look()
  reads[0]?.answer('asking')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(reads).toHaveLength(2)
  reads[1]?.fail(500)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads).toHaveLength(3)
  reads[2]?.answer('asking')
  await vi.advanceTimersByTimeAsync(1000)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toHaveLength(3)
})
