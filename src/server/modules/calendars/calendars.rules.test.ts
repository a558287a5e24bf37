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
  test('are exactly what is taken, less ranges that equal a session, in order and apart', () => {
    fc.assert(
      fc.property(
        fc.array(anyRange, { maxLength: 8 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 15 })), { maxLength: 5 }),
        (elsewhere, sessions) => {
          // Apart from each other, as booked sessions are.
          let until = 0
          const own = sessions.map(([gap, length]) => {
            const from = until + gap
            until = from + length
            return { from, to: until }
          })
          const kept = elsewhere.filter(
            ({ from, to }) => !own.some((one) => one.from === from && one.to === to),
          )
          const left = withoutOwn([...elsewhere, ...own], own)
          expect(minutesOf(left)).toEqual(new Set([...minutesOf(kept)].sort((a, b) => a - b)))
          for (const [index, range] of left.entries()) {
            expect(range.from).toBeLessThan(range.to)
            expect(range.from).toBeGreaterThan(left[index - 1]?.to ?? -1)
          }
        },
      ),
    )
  })

  const first = { from: 10, to: 20 }
  const second = { from: 20, to: 30 }
  const third = { from: 35, to: 45 }
  test.each([
    ['a session', [first], []],
    ['sessions back to back, which the calendar returns as one', [{ from: 10, to: 30 }], []],
    ['longer than a session', [{ from: 8, to: 22 }], [{ from: 8, to: 22 }]],
    ['longer on one side', [{ from: 10, to: 31 }], [{ from: 10, to: 31 }]],
    ['within a session', [{ from: 12, to: 18 }], [{ from: 12, to: 18 }]],
    ['sessions and the time between them', [{ from: 20, to: 45 }], [{ from: 20, to: 45 }]],
    ['a session and its own longer time', [first, { from: 5, to: 22 }], [{ from: 5, to: 22 }]],
    ['a session right before another time', [third, { from: 45, to: 60 }], [{ from: 45, to: 60 }]],
  ])('of %s are left out only if sessions cover them exactly', (_, busy, left) => {
    expect(withoutOwn(busy, [first, second, third])).toEqual(left)
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
