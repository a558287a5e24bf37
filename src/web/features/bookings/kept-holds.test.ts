import { expect, test } from 'vitest'
import type { TextStorage } from '#web/lib/tab-storage.ts'
import { findHold, forgetHold, keepHold, readHolds } from './kept-holds.ts'

function memory(start: Record<string, string> = {}): TextStorage {
  const kept = new Map(Object.entries(start))
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
const request = {
  practitionerId: 1,
  serviceId: 2,
  startsAt: '2027-03-04T14:00:00.000Z',
  type: 'online' as const,
}

test('a hold is found by what was asked for, and by nothing else', () => {
  const storage = memory()
  keepHold({ sessionId: 'a', request }, storage)
  expect(findHold({ ...request }, storage)).toBe('a')
  expect(findHold({ ...request, serviceId: 3 }, storage)).toBeUndefined()
  expect(findHold({ ...request, startsAt: '2027-03-04T15:00:00.000Z' }, storage)).toBeUndefined()
})

test('a second hold for the same takes the place of the first', () => {
  const storage = memory()
  keepHold({ sessionId: 'a', request }, storage)
  keepHold({ sessionId: 'b', request }, storage)
  expect(readHolds(storage).map((hold) => hold.sessionId)).toEqual(['b'])
})

test('a hold that is forgotten leaves the others', () => {
  const storage = memory()
  keepHold({ sessionId: 'a', request }, storage)
  keepHold({ sessionId: 'b', request: { ...request, practitionerId: 9 } }, storage)
  forgetHold('b', storage)
  expect(readHolds(storage).map((hold) => hold.sessionId)).toEqual(['a'])
})

test.each(['{', '"text"', '[{"sessionId":4}]'])('storage that holds %s counts as empty', (text) => {
  expect(readHolds(memory({ 'written-bookingHolds': text }))).toEqual([])
})
