import { expect, test } from 'vitest'
import { createContest } from './contest.ts'

const nine = new Date('2026-06-08T09:00:00Z')
const wanted = (clientId: string, startsAt = nine, practitionerId = 1) => ({
  practitionerId,
  clientId,
  startsAt,
})

test('while one client gets the time, another client does not ask for it', async () => {
  const contest = createContest()
  const first = Promise.withResolvers<string>()
  const asked: string[] = []
  const one = contest(wanted('one'), () => first.promise)
  const other = contest(wanted('other'), async () => asked.push('other'))
  first.resolve('held')
  expect(await Promise.all([one, other])).toEqual(['held', undefined])
  expect(asked).toEqual([])
  // Afterwards the database is asked again: the time may be free by then.
  expect(await contest(wanted('other'), async () => 'asked')).toBe('asked')
})

test('once the first is refused, all who waited ask at once', async () => {
  const contest = createContest()
  const first = Promise.withResolvers<string>()
  const asked: string[] = []
  const one = contest(wanted('one'), () => first.promise)
  const others = ['two', 'three', 'four'].map((id) => contest(wanted(id), async () => asked.push(id)))
  first.reject(new Error('refused'))
  await expect(one).rejects.toThrow('refused')
  expect(await Promise.all(others)).toEqual([1, 2, 3])
  expect(asked).toEqual(['two', 'three', 'four'])
})

test.each([
  ['the same client', wanted('one')],
  ['another start', wanted('other', new Date('2026-06-08T10:00:00Z'))],
  ['another practitioner', wanted('other', nine, 2)],
])('%s does not wait', async (_, second) => {
  const contest = createContest()
  const first = Promise.withResolvers<string>()
  const one = contest(wanted('one'), () => first.promise)
  expect(await contest(second, async () => 'asked')).toBe('asked')
  first.resolve('held')
  expect(await one).toBe('held')
})
