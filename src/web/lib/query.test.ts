import { expect, test } from 'vitest'
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
