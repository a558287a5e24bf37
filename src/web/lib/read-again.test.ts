import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { readAgain } from './read-again.ts'

/** A client with a query on the page, whose reads are answered by the test. */
function page() {
  const client = new QueryClient()
  const answers: ((value: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const leave = new QueryObserver(client, { queryKey: ['shown'], queryFn }).subscribe(() => undefined)
  return { client, answers, leave, shown: () => client.getQueryData(['shown']) }
}

test('a first read that is under way is followed by another, and only then a promise resolves', async () => {
  const { client, answers, leave, shown } = page()
  let isRead = false
  const reading = readAgain(client, ['shown']).then(() => (isRead = true))
  expect(answers).toHaveLength(1)
  answers[0]?.('before the change')
  await expect.poll(() => answers.length).toBe(2)
  expect([shown(), isRead]).toEqual(['before the change', false])
  answers[1]?.('after the change')
  await reading
  expect(shown()).toBe('after the change')
  leave()
})

test('a later read that is under way is replaced by one other', async () => {
  const { client, answers, leave, shown } = page()
  answers[0]?.('at first')
  await expect.poll(shown).toBe('at first')
  const before = client.refetchQueries({ queryKey: ['shown'] })
  const reading = readAgain(client, ['shown'])
  expect(answers).toHaveLength(3)
  answers[1]?.('before the change')
  answers[2]?.('after the change')
  await Promise.all([before, reading])
  expect([shown(), answers.length]).toEqual(['after the change', 3])
  leave()
})
