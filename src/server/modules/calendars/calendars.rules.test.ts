import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarLife, canBecome, eventIdOf, nextEventId, retryAt, withoutOwn } from './calendars.rules.ts'

const minutesOf = (ranges: readonly { from: number; to: number }[]) =>
  new Set(
    ranges.flatMap(({ from, to }) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)),
  )

const anyRange = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 15 }))
  .map(([from, length]) => ({ from, to: from + length }))

describe('busy times', () => {
  test('are exactly what is taken, less what is booked here, in order and apart', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), fc.array(anyRange, { maxLength: 5 }), (busy, own) => {
        const left = withoutOwn(busy, own)
        const sessions = minutesOf(own)
        expect(minutesOf(left)).toEqual(
          new Set([...minutesOf(busy)].filter((minute) => !sessions.has(minute)).sort((a, b) => a - b)),
        )
        for (const [index, range] of left.entries()) {
          expect(range.from).toBeLessThan(range.to)
          expect(range.from).toBeGreaterThanOrEqual(left[index - 1]?.to ?? 0)
        }
      }),
    )
  })

  test('that end as they begin are none', () => {
    expect(withoutOwn([{ from: 5, to: 5 }], [])).toEqual([])
  })
})

describe('the id of an entry', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'

  test('is made of letters that Google takes, and always the same', () => {
    expect(eventIdOf(id)).toMatch(/^[a-v0-9]{5,1024}$/)
    expect(eventIdOf(id)).toBe(eventIdOf(id))
  })

  test('is another one after one that is spent', () => {
    const second = nextEventId(id, eventIdOf(id))
    expect(second).toBe(eventIdOf(id, 1))
    expect(nextEventId(id, second)).toBe(eventIdOf(id, 2))
    expect(new Set([eventIdOf(id), second, nextEventId(id, second)]).size).toBe(3)
    expect(nextEventId(id, second)).toMatch(/^[a-v0-9]+$/)
  })
})

test('a calendar that cannot be read is asked ever less often, and once an hour in the end', () => {
  const now = new Date('2026-06-01T09:00:00Z')
  const waits = [1, 2, 3, 4, 5, 6, 60].map(
    (failures) => (retryAt(now, failures).getTime() - now.getTime()) / 60_000,
  )
  expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60])
})

test('a calendar that is being left does not come back', () => {
  expect(canBecome('leaving', 'connected')).toBe(false)
  expect(canBecome('ended', 'connected')).toBe(true)
  expect(new Set(calendarLife.map((step) => `${step.from} ${step.to}`)).size).toBe(calendarLife.length)
})
