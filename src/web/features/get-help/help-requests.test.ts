import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startTherapistSession } from '#web/lib/session.ts'
import { dropRequest, lookAgain, lookForRequests, readRequests } from './help-requests.ts'

/** Reads that wait for their answer, in the order in which they were sent. */
let reads: ((ids: string[], answerBy?: Date) => void)[]
/** The reads to come are refused with this status, or fail without an answer. */
let failure: number | 'no network' | undefined

beforeEach(() => {
  reads = []
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  failure = undefined
  vi.stubGlobal('fetch', async () => {
    if (failure === 'no network') throw new TypeError('Failed to fetch')
    if (failure) return Response.json({ code: 'suspended', message: 'Closed.' }, { status: failure })
    const { promise, resolve } = Promise.withResolvers<Response>()
    reads.push((ids, answerBy = new Date(Date.now() + 60_000)) =>
      resolve(
        Response.json({ open: ids.map((request_id) => ({ request_id, answer_by: answerBy.toISOString() })) }),
      ),
    )
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

test('a request whose time is over is not open any more, though the server cannot be reached', async () => {
  const first = lookForRequests()
  reads[0]?.(['over'], new Date(Date.now() - 1))
  await first
  failure = 'no network'
  await lookForRequests()
  expect(openRequests()).toEqual([])
})

test('a request stays open while the server cannot be reached within its time', async () => {
  const first = lookForRequests()
  reads[0]?.(['waiting'])
  await first
  failure = 'no network'
  await lookForRequests()
  expect(openRequests()).toEqual(['waiting'])
})

test('a practitioner who is refused, as once they are suspended, has no open request left', async () => {
  const first = lookForRequests()
  reads[0]?.(['waiting'])
  await first
  failure = 403
  await lookForRequests()
  expect(openRequests()).toEqual([])
})

const openRequests = () => readRequests().requests?.open.map(({ request_id }) => request_id)

function signIn(id: number): void {
  const user = { first_name: 'Ada', last_name: 'Byron', email: `${id}@example.com`, practitioner_id: id }
  startTherapistSession({ token: 'token', refresh_token: 'refresh', user } as never)
}
