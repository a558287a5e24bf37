import { expect, test } from 'vitest'
import { shortlistedByVisitor } from '#contract/shortlist-limits.ts'
import { parseSaved, withSaved } from './visitor-shortlist.ts'

const day = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 5, 8)

test('a saved practitioner is kept for thirty days, the newest first', () => {
  const stored = JSON.stringify([
    { id: 3, at: now - 30 * day },
    { id: 4, at: now - 30 * day + 1 },
    { id: 5, at: now - day },
  ])
  expect(parseSaved(stored, now).map(({ id }) => id)).toEqual([5, 4])
})

test.each([null, '', 'no list', '{}', '[null, 3, {"id": "4", "at": 1}, {"id": -2, "at": 1}, {"id": 2}]'])(
  'stored text that is no list is read as an empty one: %s',
  (text) => {
    expect(parseSaved(text, now)).toEqual([])
  },
)

test('a time ahead of the clock is not kept for ever', () => {
  expect(parseSaved(JSON.stringify([{ id: 1, at: now + 1 }]), now)).toEqual([])
})

test('the list takes each practitioner once and refuses one more than it holds', () => {
  let saved: ReturnType<typeof withSaved> = []
  for (let id = 1; id <= shortlistedByVisitor; id++) saved = withSaved(saved ?? [], id, now)
  expect(saved).toHaveLength(shortlistedByVisitor)
  expect(withSaved(saved ?? [], 7, now)).toBe(saved)
  expect(withSaved(saved ?? [], 999, now)).toBeUndefined()
  expect(parseSaved(JSON.stringify([...(saved ?? []), { id: 999, at: now }]), now)).toHaveLength(
    shortlistedByVisitor,
  )
})
