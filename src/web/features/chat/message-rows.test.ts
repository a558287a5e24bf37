import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateHeight, indexesToRender, keepsPlace, overscan, splitLead } from './message-rows.ts'
import type { MessageRow, TimelineRow } from './timeline.ts'

const message = (key: string, extra: Partial<MessageRow> = {}): MessageRow => ({
  kind: 'message',
  key,
  text: 'x',
  at: 0,
  state: undefined,
  isLast: true,
  ...extra,
})
const day: TimelineRow = { kind: 'day', key: 'day-1', label: 'Today' }
const unread: TimelineRow = { kind: 'unread', key: 'unread' }
const keys = (rows: readonly TimelineRow[]) => rows.map(({ key }) => key)

test('the document never holds more than ninety rows, and always the visible ones and the focused one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.nat(5000),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: -1, max: 4999 }),
      (count, first, seen, focused) => {
        const startIndex = first % count
        const endIndex = Math.min(count - 1, startIndex + seen - 1)
        const indexes = indexesToRender({ startIndex, endIndex, overscan, count }, focused)
        expect(indexes.length).toBeLessThanOrEqual(90)
        expect(indexes).toContain(startIndex)
        expect(indexes).toContain(endIndex)
        if (focused >= 0 && focused < count) expect(indexes).toContain(focused)
        expect(indexes.every((index) => index >= 0 && index < count)).toBe(true)
        expect(indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? 0))).toBe(true)
      },
    ),
  )
})

test('at the end the last rows are in the document', () => {
  const range = { startIndex: 990, endIndex: 999, overscan: 3, count: 1000 }
  expect(indexesToRender(range, -1)).toEqual([
    987, 988, 989, 990, 991, 992, 993, 994, 995, 996, 997, 998, 999,
  ])
})

test('a focused row outside the window stands before or after it', () => {
  const range = { startIndex: 10, endIndex: 11, overscan: 1, count: 30 }
  expect(indexesToRender(range, 2)).toEqual([2, 9, 10, 11, 12])
  expect(indexesToRender(range, 20)).toEqual([9, 10, 11, 12, 20])
  expect(indexesToRender(range, 11)).toEqual([9, 10, 11, 12])
})

test('the headings above the first message are split off, and no others', () => {
  const { lead, rest } = splitLead([day, unread, message('a'), { ...day, key: 'day-2' }, message('b')])
  expect(keys(lead)).toEqual(['day-1', 'unread'])
  expect(keys(rest)).toEqual(['a', 'day-2', 'b'])
  expect(splitLead([])).toEqual({ lead: [], rest: [] })
})

test('the estimated height grows by the lines of the text and the space below the last of a group', () => {
  const short = estimateHeight(message('a', { isLast: false }))
  expect(estimateHeight(message('a'))).toBeGreaterThan(short)
  expect(estimateHeight(message('a', { text: 'a\nb', isLast: false }))).toBe(short + 28)
  expect(estimateHeight(message('a', { text: 'x'.repeat(53), isLast: false }))).toBe(short + 28)
})

test.each([
  ['above the row that is read, and in sight', { index: 4, start: 30, end: 100 }, { read: 5 }, true],
  ['of the row that is read itself', { index: 5, start: 100, end: 170 }, { read: 5 }, false],
  ['above what is in sight, where no row is known', { index: 4, start: -80, end: -10 }, { read: -1 }, true],
  ['in sight, where no row is known', { index: 4, start: 30, end: 100 }, { read: -1 }, false],
  ['again, above what is in sight', { index: 4, start: -80, end: -10 }, { isKnown: true }, true],
  ['again, partly in sight', { index: 4, start: -80, end: 10 }, { isKnown: true }, false],
  [
    'again, while scrolling back',
    { index: 4, start: -80, end: -10 },
    { isKnown: true, isScrollingBack: true },
    false,
  ],
])('a height that is measured %s moves what is below: %#', (_where, row, around, isKept) => {
  const usual = { offset: 0, isKnown: false, isScrollingBack: false, read: 5 }
  expect(keepsPlace(row, { ...usual, ...around })).toBe(isKept)
})
