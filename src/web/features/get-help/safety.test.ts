import { expect, test } from 'vitest'
import { tabTextPrefix } from '#web/lib/tab-texts.ts'
import { answerLasts, forgetSafety, keepSafety, readSafety } from './safety.ts'

function newStorage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const now = Date.parse('2026-03-04T02:00:00Z')

test('an answer is kept for an hour, and then asked for again', () => {
  const storage = newStorage()
  expect(readSafety(now, storage)).toBe(undefined)
  keepSafety('safe', now, storage)
  expect(readSafety(now, storage)).toBe('safe')
  expect(readSafety(now + answerLasts - 1, storage)).toBe('safe')
  expect(readSafety(now + answerLasts, storage)).toBe(undefined)
})

test('danger takes the place of an earlier answer, and is forgotten when the question is asked again', () => {
  const storage = newStorage()
  keepSafety('safe', now, storage)
  keepSafety('danger', now + 1000, storage)
  expect(readSafety(now + 1000, storage)).toBe('danger')
  forgetSafety(storage)
  expect(readSafety(now + 1000, storage)).toBe(undefined)
  expect(storage.kept.size).toBe(0)
})

test('a stored answer that is malformed or from the future counts as not answered', () => {
  const storage = newStorage()
  for (const text of ['safe', 'yes 1', `safe ${now + 5000}`, 'safe -1', '{}', '']) {
    storage.setItem(`${tabTextPrefix}helpSafety`, text)
    expect(readSafety(now, storage), text).toBe(undefined)
  }
})
