import { expect, test } from 'vitest'
import { intentKeys } from './intent-keys.ts'

test('the same act keeps its key over retries', () => {
  const keys = intentKeys()
  expect(keys.of({ session: 1, card: 'a' })).toBe(keys.of({ session: 1, card: 'a' }))
})

test('another act gets another key', () => {
  const keys = intentKeys()
  expect(keys.of({ session: 1, card: 'a' })).not.toBe(keys.of({ session: 1, card: 'b' }))
})

test('the same act wanted again after it was done gets another key', () => {
  const keys = intentKeys()
  const first = keys.of('hold')
  keys.done()
  expect(keys.of('hold')).not.toBe(first)
})
