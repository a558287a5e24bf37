import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startTherapistSession } from '#web/lib/session.ts'
import { dropRequest, lookAgain, lookForRequests, readRequests } from './help-requests.ts'

/** Reads that wait for their answer, in the order in which they were sent. */
let reads: ((ids: string[]) => void)[]

beforeEach(() => {
  reads = []
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    reads.push((ids) => resolve(Response.json({ open: ids.map((request_id) => ({ request_id })) })))
    return promise
  })
  signIn(7)
})
afterEach(() => {
  endSession()
  vi.unstubAllGlobals()
})

test('an event during a read has the requests read once more after it', async () => {
  const first = lookForRequests()
  const all = [lookAgain(), lookAgain()]
  reads[0]?.([])
  await first
  expect(openRequests()).toEqual([])
  expect(reads).toHaveLength(2)
  reads[1]?.(['asked meanwhile'])
  await Promise.all(all)
  expect(openRequests()).toEqual(['asked meanwhile'])
  expect(reads).toHaveLength(2)
})

test('a request that was answered does not come back with a read that began before', async () => {
  const first = lookForRequests()
  reads[0]?.(['answered', 'waiting'])
  await first
  const late = lookForRequests()
  dropRequest('answered')
  expect(openRequests()).toEqual(['waiting'])
  reads[1]?.(['answered', 'waiting'])
  await late
  expect(openRequests()).toEqual(['waiting'])
})

test('a read that began for another practitioner shows nothing of theirs', async () => {
  const late = lookForRequests()
  signIn(8)
  reads[0]?.(['of the former'])
  await late
  expect(openRequests()).toEqual(undefined)
})

const openRequests = () => readRequests().requests?.open.map(({ request_id }) => request_id)

function signIn(id: number): void {
  const user = { first_name: 'Ada', last_name: 'Byron', email: `${id}@example.com`, practitioner_id: id }
  startTherapistSession({ token: 'token', refresh_token: 'refresh', user } as never)
}
