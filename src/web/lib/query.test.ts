import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { newQueryClient } from './query.ts'

const queryKey = ['profile']

test('what a call has answered stays, though a read that began before it ends later', async () => {
  const client = newQueryClient()
  client.setQueryData(queryKey, 'draft')
  const read = Promise.withResolvers<string>()
  const reading = client.fetchQuery({ queryKey, queryFn: () => read.promise, staleTime: 0 })
  client.setQueryData(queryKey, 'submitted')
  read.resolve('draft')
  expect(await reading).toBe('submitted')
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 'submitted', fetchStatus: 'idle' })
})

test('what is put where nothing has been read yet leaves the first read alone, which knows the rest', async () => {
  const client = newQueryClient()
  const read = Promise.withResolvers<string[]>()
  const reading = client.fetchQuery({ queryKey, queryFn: () => read.promise })
  client.setQueryData<string[]>(queryKey, (known) => ['added', ...(known ?? [])])
  read.resolve(['added', 'kept'])
  expect(await reading).toEqual(['added', 'kept'])
})

test('a change to what has not been read yet leaves the read alone', async () => {
  const client = newQueryClient()
  const read = Promise.withResolvers<string[]>()
  const reading = client.fetchQuery({ queryKey, queryFn: () => read.promise })
  client.setQueryData<string[]>(queryKey, (known) => known?.filter((each) => each !== 'removed'))
  read.resolve(['kept'])
  expect(await reading).toEqual(['kept'])
})

test('a read is tried again, twice, where no answer of the server came, and a change never', () => {
  const { queries, mutations } = newQueryClient().getDefaultOptions()
  const retries = queries?.retry as (failures: number, error: Error) => boolean
  const failed = (status: number) => new ApiError(status, { code: 'network_failure', message: '' })
  expect([0, 502, 503].map((status) => retries(1, failed(status)))).toEqual([true, true, true])
  expect([400, 404, 409, 429, 500].map((status) => retries(0, failed(status)))).not.toContain(true)
  expect(retries(2, failed(0))).toBe(false)
  expect(retries(0, new Error('A defect.'))).toBe(false)
  expect(mutations?.retry).toBe(false)
})
