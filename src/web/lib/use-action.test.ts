import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { actionOptions, idempotent } from './use-action.ts'

const held = 'POST /appointment/create-session'
const refusal = (status: number, code = 'invalid_input') =>
  new ApiError(status, { code: code as ApiError['code'], message: 'No.' })

/** An action on an endpoint whose calls end as listed. */
function prepare(endpoint: Parameters<typeof idempotent>[0], ends: ('answer' | Error)[]) {
  const sent: { idempotencyKey?: string; body?: unknown }[] = []
  const work = idempotent(endpoint, new Map(), (_, input) => {
    sent.push(input as object)
    const end = ends.shift()
    return end instanceof Error ? Promise.reject(end) : Promise.resolve(end)
  })
  return { work, keys: () => sent.map(({ idempotencyKey }) => idempotencyKey) }
}

/** A client with a query on the page, whose reads are counted. */
function page() {
  const client = new QueryClient()
  let reads = 0
  const query = { queryKey: ['shown'], queryFn: () => (reads += 1), staleTime: Number.POSITIVE_INFINITY }
  const leave = new QueryObserver(client, query).subscribe(() => undefined)
  return { client, leave, reads: () => reads }
}

test('the key is kept while no answer comes, and renewed once there is one', async () => {
  const { work, keys } = prepare(held, [
    refusal(0, 'network_failure'),
    refusal(502),
    refusal(409, 'request_in_progress'),
    'answer',
    'answer',
  ])
  for (let tries = 0; tries < 3; tries += 1) await expect(work({ body: 1 })).rejects.toThrow()
  await work({ body: 1 })
  await work({ body: 1 })
  const [first, second, third, fourth, fifth] = keys()
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect([second, third, fourth]).toEqual([first, first, first])
  expect(fifth).not.toBe(first)
})

test('a refusal ends an act: what is sent next has another key', async () => {
  const { work, keys } = prepare(held, [refusal(422), 'answer'])
  await expect(work({ body: 1 })).rejects.toThrow()
  await work({ body: 1 })
  expect(keys()[1]).not.toBe(keys()[0])
})

test('other input has another key, and leaves the first one its own', async () => {
  const lost = refusal(0, 'timed_out')
  const { work, keys } = prepare(held, [lost, lost, 'answer'])
  await expect(work({ body: 1 })).rejects.toThrow()
  await expect(work({ body: 2 })).rejects.toThrow()
  await work({ body: 1 })
  expect(keys()[1]).not.toBe(keys()[0])
  expect(keys()[2]).toBe(keys()[0])
})

test('an endpoint that the contract does not mark gets no key', async () => {
  const { work, keys } = prepare('PUT /notices', ['answer'])
  await work({ body: {} })
  expect(keys()).toEqual([undefined])
})

test('an action reads the named queries again before it calls onDone, and is pending until that has ended', async () => {
  const { client, leave, reads } = page()
  const seen: unknown[] = []
  const observer = new MutationObserver(
    client,
    actionOptions(client, async (input) => `answer to ${input}`, {
      invalidates: [['shown']],
      async onDone(answer, input) {
        seen.push(answer, input, reads(), observer.getCurrentResult().isPending)
      },
    }),
  )
  await observer.mutate(['one'])
  expect(seen).toEqual(['answer to one', 'one', 2, true])
  expect(observer.getCurrentResult()).toMatchObject({ isPending: false, data: 'answer to one', error: null })
  leave()
})

test('an action waits five seconds for queries that do not answer, and they go on being read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  let answer: (value: number) => void = () => undefined
  let reads = 0
  const queryFn = () => {
    reads += 1
    return reads === 1 ? 1 : new Promise<number>((resolve) => (answer = resolve))
  }
  const leave = new QueryObserver(client, { queryKey: ['shown'], queryFn }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  const done: number[] = []
  const options = actionOptions(client, async () => undefined, {
    invalidates: [['shown']],
    onDone: () => done.push(reads),
  })
  const observer = new MutationObserver(client, options)
  void observer.mutate([])
  await vi.advanceTimersByTimeAsync(4999)
  expect([done, observer.getCurrentResult().isPending]).toEqual([[], true])
  await vi.advanceTimersByTimeAsync(1)
  expect([done, observer.getCurrentResult().isSuccess]).toEqual([[2], true])
  expect(client.getQueryState(['shown'])).toMatchObject({ data: 1, fetchStatus: 'fetching' })
  answer(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(client.getQueryData(['shown'])).toBe(2)
  leave()
})

test('a first read that began before an action ended is followed by another', async () => {
  const client = new QueryClient()
  const answers: ((value: number) => void)[] = []
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve))
  const leave = new QueryObserver(client, { queryKey: ['shown'], queryFn }).subscribe(() => undefined)
  const options = actionOptions(client, async () => undefined, { invalidates: [['shown']] })
  const acting = new MutationObserver(client, options).mutate([])
  await vi.waitFor(() => expect(client.getQueryState(['shown'])).toMatchObject({ isInvalidated: true }))
  answers[0]?.(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.(2)
  await acting
  expect(client.getQueryData(['shown'])).toBe(2)
  leave()
})

test.each([
  [404, 'not_found', 2],
  [409, 'changed_elsewhere', 2],
  [0, 'network_failure', 2],
  [422, 'invalid_input', 1],
  [403, 'forbidden', 1],
])(
  'after a %i %s the named queries have been read %i times, and onDone is not called',
  async (status, code, times) => {
    const { client, leave, reads } = page()
    let isDone = false
    const error = refusal(status, code)
    const options = actionOptions(client, () => Promise.reject(error), {
      invalidates: [['shown']],
      onDone: () => {
        isDone = true
      },
    })
    const observer = new MutationObserver(client, options)
    await expect(observer.mutate([])).rejects.toBe(error)
    await new Promise((later) => {
      setTimeout(later, 5)
    })
    expect([reads(), isDone]).toEqual([times, false])
    expect(observer.getCurrentResult()).toMatchObject({ isPending: false, error })
    leave()
  },
)
