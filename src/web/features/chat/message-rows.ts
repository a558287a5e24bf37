import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import type { TimelineRow } from './timeline.ts'

/** Rows in the document before the first visible one and after the last. */
export const overscan = 24

/**
 * Splits off the headings above the first message. Older messages move those headings, so the scroll position can only be
 * kept by the rows after them.
 */
export function splitLead(rows: readonly TimelineRow[]): {
  lead: readonly TimelineRow[]
  rest: readonly TimelineRow[]
} {
  const first = rows.findIndex(({ kind }) => kind === 'message')
  const at = first < 0 ? rows.length : first
  return { lead: rows.slice(0, at), rest: rows.slice(at) }
}

/** The likely height of a row at a usual width, in CSS pixels. */
export function estimateHeight(row: TimelineRow): number {
  if (row.kind !== 'message') return 54
  const lines = row.text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 52)), 0)
  return 22 + lines * 28 + (row.isLast ? 32 : 24)
}

/** The indexes of the rows in the document: those around the visible ones, and the one with the focus. */
export function indexesToRender(range: Range, focused: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
  return [...indexes, focused].toSorted((a, b) => a - b)
}

type Measured = { index: number; start: number; end: number }

/**
 * Whether the scroll position follows a change of a row's height. A row that is measured for the first time may have come
 * into sight above the row that is read, `read`, or -1 without one.
 */
export function keepsPlace(
  row: Measured,
  {
    offset,
    isKnown,
    isScrollingBack,
    read,
  }: { offset: number; isKnown: boolean; isScrollingBack: boolean; read: number },
): boolean {
  if (isKnown) return row.end <= offset && !isScrollingBack
  return read < 0 ? row.start < offset : row.index < read
}
