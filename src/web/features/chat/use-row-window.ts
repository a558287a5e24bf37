import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Anchor, mustMove, rowAt, sumOf, windowAround } from './windowing.ts'

type Row = { key: string }

type Options<R extends Row> = {
  rows: readonly R[]
  /** The height that a row is likely to have until it has been seen, in CSS pixels. */
  guess(row: R): number
  /** Whether a row keeps its neighbours when rows are added; the heading of a day moves to its first message. */
  holds(row: R): boolean
  /** The row to begin at, with room above it; the end without one. */
  startAt: string | undefined
  /** The reader comes near the first row. */
  onNearStart(): void
}

/** So near to an end counts as being there, in CSS pixels. */
const endTolerance = 32
const nearStart = 900
const roomAboveStart = 120

/**
 * Keeps the rows around what is seen in the document, and what is seen in its place: when rows are put in front, when they
 * turn out higher than guessed, when the window changes. At the end, it stays at the end.
 */
export function useRowWindow<R extends Row>({
  rows,
  guess,
  holds,
  startAt,
  onNearStart,
}: Options<R>): {
  /** The element that scrolls, and the one in it that holds the rows; each row has its key as `data-row`. */
  scroller: RefObject<HTMLElement | null>
  list: RefObject<HTMLOListElement | null>
  shown: readonly R[]
  /** The empty room above and below, in CSS pixels. */
  above: number
  below: number
  isAtEnd: boolean
  toEnd(): void
} {
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [measured] = useState(() => new Map<string, number>())
  const anchor = useRef<Anchor>(
    startAt === undefined ? { at: 'end' } : { at: 'row', key: startAt, offset: roomAboveStart },
  )
  /** How far it was scrolled, and how high it and what is in it were, when that was last looked at. */
  const known = useRef({ top: 0, room: 0, height: 0 })
  const [firstKey, setFirstKey] = useState(startAt)
  const [isAtEnd, setAtEnd] = useState(startAt === undefined)

  const heights = rows.map((row) => measured.get(row.key) ?? guess(row))
  const firstIndex = firstKey === undefined ? -1 : rows.findIndex(({ key }) => key === firstKey)
  const shownRange = windowAround(firstIndex < 0 ? undefined : firstIndex, rows.length)
  const latest = useRef({ rows, heights, shownRange, holds, onNearStart })
  useLayoutEffect(() => {
    latest.current = { rows, heights, shownRange, holds, onNearStart }
  })

  /** Puts what is looked at back to where it was. */
  const restore = useCallback(() => {
    const box = scroller.current
    const kept = anchor.current
    if (!box) return
    if (kept.at === 'end') {
      box.scrollTop = box.scrollHeight
      known.current = placeOf(box)
      return
    }
    const row = rowElement(list.current, kept.key)
    if (!row) return
    const off = bottomWithin(row, box) - kept.offset
    if (Math.abs(off) >= 1) box.scrollTop += off
  }, [])

  useLayoutEffect(() => {
    for (const row of rowElements(list.current)) {
      measured.set(row.dataset.row ?? '', row.getBoundingClientRect().height)
    }
    restore()
  })

  /** Lets the window begin around another row. What has the focus must not leave the document with it. */
  const move = useCallback((key: string | undefined) => {
    const { rows: all } = latest.current
    const index = all.findIndex((row) => row.key === key)
    const { from, to } = windowAround(index < 0 ? undefined : index, all.length)
    const focused = rowElements(list.current).find((row) => row.contains(document.activeElement))
    const staying = all.slice(from, to).some((row) => row.key === focused?.dataset.row)
    if (focused && !staying) scroller.current?.focus({ preventScroll: true })
    setFirstKey(key)
  }, [])

  const look = useCallback(() => {
    const box = scroller.current
    if (!box || latest.current.rows.length === 0) return
    const { shownRange: range, rows: all, heights: guessed } = latest.current
    // Only scrolling up leaves the end; a change of height does not.
    if (anchor.current.at === 'end' && !isScrolledUp(known.current, placeOf(box))) restore()
    known.current = placeOf(box)
    const isEnd = box.scrollHeight - box.scrollTop - box.clientHeight < endTolerance
    setAtEnd(isEnd)
    if (box.scrollTop < nearStart) latest.current.onNearStart()
    if (isEnd) {
      anchor.current = { at: 'end' }
      move(undefined)
      return
    }
    const seen = rowElements(list.current).filter((row) => {
      const bottom = bottomWithin(row, box)
      return bottom > 0 && bottom - row.offsetHeight < box.clientHeight
    })
    const [first] = seen
    const last = seen.at(-1)
    if (first?.dataset.row && last?.dataset.row) {
      const indexOf = (row: HTMLElement) => all.findIndex(({ key }) => key === row.dataset.row)
      const held =
        seen.find((row) => {
          const at = all[indexOf(row)]
          return at && latest.current.holds(at)
        }) ?? first
      anchor.current = { at: 'row', key: held.dataset.row ?? '', offset: bottomWithin(held, box) }
      if (mustMove(range, { first: indexOf(first), last: indexOf(last) }, all.length)) {
        move(first.dataset.row)
      }
      return
    }
    // Far off, by the scroll bar or a key: where no row stands yet.
    const { index, offset } = rowAt(guessed, box.scrollTop)
    const key = all[index]?.key
    if (key === undefined) return
    anchor.current = { at: 'row', key, offset: offset + (guessed[index] ?? 0) }
    move(key)
  }, [move, restore])

  useEffect(() => {
    const box = scroller.current
    // At once, or the next frame would show the empty room.
    const onScroll = () => flushSync(look)
    box?.addEventListener('scroll', onScroll, { passive: true })
    return () => box?.removeEventListener('scroll', onScroll)
  }, [look])

  // The keyboard of a phone, a growing field, another width, a font that comes late; and once at the start, since a list that
  // does not fill its room is never scrolled.
  useEffect(() => {
    if (!scroller.current || !list.current) return undefined
    const observer = new ResizeObserver(() => {
      restore()
      look()
    })
    observer.observe(scroller.current)
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [restore, look])

  const toEnd = useCallback(() => {
    anchor.current = { at: 'end' }
    move(undefined)
    setAtEnd(true)
    restore()
  }, [move, restore])

  // The browser's own way to the ends is a movement, which the rows that come in on the way would stop.
  useEffect(() => {
    const box = scroller.current
    const onKey = (event: KeyboardEvent) => {
      const { rows: all, heights: guessed } = latest.current
      if (event.target !== box || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'End') toEnd()
      else if (event.key === 'Home' && all[0]) {
        anchor.current = { at: 'row', key: all[0].key, offset: guessed[0] ?? 0 }
        move(all[0].key)
        restore()
      } else return
      event.preventDefault()
    }
    box?.addEventListener('keydown', onKey)
    return () => box?.removeEventListener('keydown', onKey)
  }, [move, restore, toEnd])

  return {
    scroller,
    list,
    shown: rows.slice(shownRange.from, shownRange.to),
    above: sumOf(heights, 0, shownRange.from),
    below: sumOf(heights, shownRange.to, rows.length),
    isAtEnd,
    toEnd,
  }
}

type Place = { top: number; room: number; height: number }

function placeOf(box: HTMLElement): Place {
  return { top: box.scrollTop, room: box.clientHeight, height: box.scrollHeight }
}

function isScrolledUp(before: Place, now: Place): boolean {
  return now.top < before.top && now.room === before.room && now.height === before.height
}

function rowElements(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])]
}

function rowElement(list: HTMLElement | null, key: string): HTMLElement | undefined {
  return rowElements(list).find((row) => row.dataset.row === key)
}

/** How far an element ends below the upper edge of what scrolls, in CSS pixels. */
function bottomWithin(element: HTMLElement, box: HTMLElement): number {
  return element.getBoundingClientRect().bottom - box.getBoundingClientRect().top - box.clientTop
}
