import { expect, test } from 'vitest'
import { type CardText, createCardCache } from './card-cache.ts'

const card = (version: number, size = 500): CardText => ({
  version,
  common: Buffer.alloc(size),
  nextStarts: { either: Buffer.alloc(0), online: Buffer.alloc(0), face_to_face: Buffer.alloc(0) },
})

test('the cache of cards keeps to its bytes and drops what was read the longest time ago', () => {
  const cache = createCardCache(3500)
  for (const id of [1, 2, 3]) cache.set(id, card(1))
  expect(cache.get(1, 1)).toBeDefined()
  cache.set(4, card(1))
  expect([1, 2, 3, 4].map((id) => cache.get(id, 1) !== undefined)).toEqual([true, false, true, true])
  for (let id = 5; id < 500; id++) cache.set(id, card(1, id))
  expect(cache.bytes()).toBeLessThanOrEqual(3500)
})

test('a card of another version of the row is not shown and not kept', () => {
  const cache = createCardCache(10_000)
  cache.set(1, card(7))
  expect(cache.get(1, 8)).toBe(undefined)
  expect(cache.get(1, 7)).toBe(undefined)
  expect(cache.bytes()).toBe(0)
})
