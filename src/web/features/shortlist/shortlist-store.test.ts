import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startClientSession } from '#web/lib/session.ts'
import { onShortlist, readShortlist, save, takeOff } from './shortlist-store.ts'

/** As the server has it. */
let kept: number[]
/** Answers that wait, in the order of the calls. */
let answers: ((isRefused?: 'refused') => void)[]
let stop: () => void

beforeEach(async () => {
  kept = [1]
  answers = []
  vi.stubGlobal('window', Object.assign(new EventTarget(), globalThis))
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<'refused' | undefined>()
    answers.push(resolve)
    const known = kept
    if ((await promise) === 'refused') {
      return Response.json({ code: 'conflict', message: 'Your list is full.' }, { status: 409 })
    }
    if (method === 'GET') return Response.json({ practitioner_ids: known })
    const { practitioner_ids: ids } = JSON.parse(String(body)) as { practitioner_ids: number[] }
    kept = [...ids, ...kept]
    return Response.json({ practitioner_ids: kept })
  })
  signIn('robin')
  stop = onShortlist(() => undefined)
  answers[0]?.()
  await expect.poll(() => readShortlist().isKnown).toBe(true)
  answers = []
})
afterEach(() => {
  endSession()
  stop()
  vi.unstubAllGlobals()
})

test('two practitioners saved one after the other are both on the list from the first moment on', async () => {
  const both = [save(2), save(3)]
  await expect.poll(() => answers.length).toBe(1)
  expect(readShortlist().ids).toEqual([3, 2, 1])
  answers[0]?.()
  await expect.poll(() => answers.length).toBe(2)
  expect(readShortlist().ids).toEqual([3, 2, 1])
  answers[1]?.()
  await Promise.all(both)
  expect(readShortlist().ids).toEqual([3, 2, 1])
})

test('one that the server refuses is off the list again, and one saved meanwhile stays', async () => {
  const refused = save(2)
  const saved = save(3)
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('refused')
  await expect(refused).rejects.toMatchObject({ status: 409 })
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  await saved
  expect(readShortlist().ids).toEqual([3, 1])
})

test('one that could not be taken off is on the list again', async () => {
  const change = takeOff([1])
  expect(readShortlist().ids).toEqual([])
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('refused')
  await expect(change).rejects.toMatchObject({ status: 409 })
  expect(readShortlist().ids).toEqual([1])
})

test('an answer to a client shows nothing to the one who signs in meanwhile', async () => {
  const sent = save(2)
  const waiting = save(3)
  await expect.poll(() => answers.length).toBe(1)
  signIn('alex')
  answers[0]?.()
  await sent
  await expect(waiting).rejects.toThrow('Another account')
  expect(readShortlist()).toMatchObject({ ids: [], isKnown: false })
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  await expect.poll(() => readShortlist().isKnown).toBe(true)
  // What the server had when the second client’s list was read.
  expect(readShortlist().ids).toEqual([1])
})

function signIn(name: string): void {
  const user = { first_name: name, last_name: 'Vale', email: `${name}@example.com` }
  startClientSession({ token: name, refresh_token: name, user })
}
