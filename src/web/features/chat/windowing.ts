/*
 * A long list of which only the rows around what is seen are in the document. Above and below them stands empty room of the
 * height that the other rows have, or are likely to have.
 */

/** Rows before the first one that is seen, and from it on, which are in the document. */
const rowsBefore = 30
const rowsAfter = 60
/** The window moves when fewer rows than this are left on a side. */
const slack = 12

/**
 * What the reader looks at: the end of the list, or a row that ends so many pixels below the upper edge. Its end, since the room
 * above a message depends on the one before it, which may come later.
 */
export type Anchor = { at: 'end' } | { at: 'row'; key: string; offset: number }

export type RowWindow = { from: number; to: number }

/** Which of `count` rows are in the document when the one at `first` is the first that is seen; undefined for the end. */
export function windowAround(first: number | undefined, count: number): RowWindow {
  if (first === undefined) return { from: Math.max(0, count - rowsAfter), to: count }
  const from = Math.max(0, Math.min(first - rowsBefore, count - rowsAfter))
  return { from, to: Math.min(count, Math.max(first, from) + rowsAfter) }
}

/** Whether the rows that are seen come close to an edge of the window behind which there are more. */
export function mustMove(
  { from, to }: RowWindow,
  seen: { first: number; last: number },
  count: number,
): boolean {
  return (from > 0 && seen.first - from < slack) || (to < count && to - 1 - seen.last < slack)
}

/** The row at a distance from the top of the list, and how far it begins below that; of a list that is not empty. */
export function rowAt(heights: readonly number[], distance: number): { index: number; offset: number } {
  let top = 0
  for (const [index, height] of heights.entries()) {
    if (top + height > distance || index === heights.length - 1) return { index, offset: top - distance }
    top += height
  }
  return { index: 0, offset: 0 }
}

export function sumOf(heights: readonly number[], from: number, to: number): number {
  let sum = 0
  for (let index = from; index < to; index++) sum += heights[index] ?? 0
  return sum
}
