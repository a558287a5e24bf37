import { expect, test } from 'vitest'
import { keepHouse } from './housekeeping.ts'

test('one that cannot be tidied keeps no other from its turn, and the run is tried again', async () => {
  const tidied: string[] = []
  const handled: unknown[] = []
  const tidy = (name: string) => async () => void tidied.push(name)
  const broken = async () => {
    throw new Error('no')
  }
  keepHouse({ handle: (_job, work) => void handled.push(work) }, [
    tidy('first'),
    broken,
    undefined,
    tidy('last'),
  ])
  const [run] = handled as [() => Promise<void>]
  await expect(run()).rejects.toThrow(AggregateError)
  expect(tidied).toEqual(['first', 'last'])
})
