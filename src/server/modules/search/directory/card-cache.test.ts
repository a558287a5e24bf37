import { expect, test } from 'vitest'
import { type CardText, createCardCache, createCardObjects } from './card-cache.ts'

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

test('a card is the same value until it is written anew or many others were read', () => {
  const objects = createCardObjects()
  const written = (id: number): CardText => ({
    version: 1,
    common: Buffer.from(`,{"practitioner_id":${id}`),
    nextStarts: {
      either: Buffer.from(',"next_starts":["either"]}'),
      online: Buffer.from(',"next_starts":["online"]}'),
      face_to_face: Buffer.from(',"next_starts":[]}'),
    },
  })
  const first = written(1)
  const value = objects.of(first, undefined, undefined)
  expect(value).toEqual({ practitioner_id: 1, next_starts: ['either'] })
  expect(objects.of(first, undefined, undefined)).toBe(value)
  expect(objects.of(first, 'online', { distance_miles: 2.3 })).toEqual({
    practitioner_id: 1,
    next_starts: ['online'],
    distance_miles: 2.3,
  })
  expect(objects.of(written(1), undefined, undefined)).not.toBe(value)
  for (let id = 2; id < 2100; id++) objects.of(written(id), undefined, undefined)
  expect(objects.of(first, undefined, undefined)).not.toBe(value)
})
