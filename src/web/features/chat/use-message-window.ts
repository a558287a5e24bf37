import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { estimateHeight, indexesToRender, keepsPlace, overscan } from './message-rows.ts'
import type { TimelineRow } from './timeline.ts'

type Options = {
  rows: readonly TimelineRow[]
  /** The likely height of the rows above them in the list, in CSS pixels. */
  leadHeight: number
  /** The index of the row to begin at, with room above it; the end without one. */
  startAt: number | undefined
  onNearStart(): void
}

/** A distance from the end that counts as being there, in CSS pixels. */
const endTolerance = 32
const nearStart = 900
const roomAboveStart = 72

/**
 * Keeps the rows around the visible ones in the document, and the visible ones in their place. A reader at the end stays at
 * the end when rows are added or the box changes its height.
 */
export function useMessageWindow({ rows, leadHeight, startAt, onNearStart }: Options): {
  /** The element that scrolls, the one in it above the list, and the one that holds the rows. */
  scroller: RefObject<HTMLElement | null>
  above: RefObject<HTMLDivElement | null>
  list: RefObject<HTMLOListElement | null>
  measure(row: HTMLElement | null): void
  items: readonly VirtualItem[]
  /** Where the first row begins and the last one ends, in CSS pixels. */
  start: number
  end: number
  isAtEnd: boolean
  toEnd(): void
} {
  const scroller = useRef<HTMLElement>(null)
  const above = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [aboveHeight, setAboveHeight] = useState(0)
  const [focusedKey, setFocusedKey] = useState<string>()
  const [isAtEnd, setAtEnd] = useState(startAt === undefined)
  /** Known at once, for what happens before the next render. */
  const staysAtEnd = useRef(isAtEnd)
  /** Where the virtualizer scrolled to last; a reader's own scrolling ends elsewhere. */
  const written = useRef(Number.NaN)
  const latest = useRef(onNearStart)
  /** The first row of the document in sight: it keeps its place while rows above it are measured. */
  const readKey = useRef<VirtualItem['key']>(undefined)
  const scrollMargin = aboveHeight + leadHeight

  // oxlint-disable-next-line react/incompatible-library -- the product is built without the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => (rows[index] ? estimateHeight(rows[index]) : 0),
    measureElement: (element, entry) =>
      entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height,
    rangeExtractor: (range) =>
      indexesToRender(range, focusedKey === undefined ? -1 : rows.findIndex(({ key }) => key === focusedKey)),
    overscan,
    scrollMargin,
    scrollPaddingStart: roomAboveStart,
    anchorTo: 'end',
    scrollEndThreshold: endTolerance,
    // Rows that come while the box rests are measured in the commit that adds them, not a frame later.
    isScrollingResetDelay: 0,
    scrollToFn: (offset, options, instance) => {
      written.current = offset + (options.adjustments ?? 0)
      elementScroll(offset, options, instance)
    },
    observeElementOffset: (instance, report) =>
      observeElementOffset(instance, (offset, isScrolling) => {
        report(offset, isScrolling)
        noteRead()
        const isEnd = isEndVisible(scroller.current)
        // A row that is measured lower than it was estimated moves the box away from the end.
        if (!isEnd && staysAtEnd.current && Math.abs(offset - written.current) < 2) keepEnd()
        else noteEnd(isEnd)
        if (offset < nearStart) latest.current()
      }),
    observeElementRect: (instance, report) =>
      observeElementRect(instance, (rect) => {
        report(rect)
        keepEnd()
      }),
  })

  // The sizes that the virtualizer keeps do not tell: those that are as estimated are not among them.
  const isInDocument = (key: VirtualItem['key']) => virtualizer.elementsCache.get(key)?.isConnected === true
  const noteRead = () => {
    const from = virtualizer.scrollOffset ?? 0
    const until = from + (virtualizer.scrollRect?.height ?? 0)
    readKey.current = virtualizer
      .getVirtualItems()
      .find(({ start, key }) => from <= start && start < until && isInDocument(key))?.key
  }
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row) =>
    keepsPlace(row, {
      offset: virtualizer.scrollOffset ?? 0,
      isKnown: virtualizer.itemSizeCache.has(row.key),
      isScrollingBack: virtualizer.scrollDirection === 'backward',
      read: rows.findIndex(({ key }) => key === readKey.current),
    })

  const noteEnd = (isEnd: boolean) => {
    staysAtEnd.current = isEnd
    setAtEnd(isEnd)
  }
  /** After a change of height: only scrolling leaves the end. */
  const keepEnd = useCallback(() => {
    if (staysAtEnd.current) virtualizer.scrollToEnd()
    else if (isEndVisible(scroller.current)) {
      staysAtEnd.current = true
      setAtEnd(true)
    }
  }, [virtualizer])

  /** At once: rows that are measured on the way there must not leave the end. */
  const toEnd = useCallback(() => {
    staysAtEnd.current = true
    setAtEnd(true)
    virtualizer.scrollToEnd()
  }, [virtualizer])

  useLayoutEffect(() => {
    if (!above.current || !list.current) return undefined
    const head = above.current
    const measureAbove = () => setAboveHeight(head.offsetHeight)
    measureAbove()
    // The keyboard of a phone, a growing field, another width, a font that comes late.
    const observer = new ResizeObserver(() => {
      measureAbove()
      keepEnd()
    })
    observer.observe(head)
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [keepEnd])

  const [firstIndex] = useState(startAt)
  useLayoutEffect(() => {
    if (firstIndex !== undefined) virtualizer.scrollToIndex(firstIndex, { align: 'start' })
  }, [virtualizer, firstIndex])
  useLayoutEffect(keepEnd, [keepEnd, rows])
  // A list that does not fill its room is never scrolled.
  useEffect(() => {
    latest.current = onNearStart
    if (scroller.current && scroller.current.scrollTop < nearStart) onNearStart()
  }, [onNearStart, rows])

  useEffect(() => {
    const box = scroller.current
    // The browser's own way to the ends is a movement, which the rows that come in on the way would stop.
    const onKey = (event: KeyboardEvent) => {
      if (event.target !== box || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'End') toEnd()
      else if (event.key === 'Home') {
        staysAtEnd.current = false
        virtualizer.scrollToOffset(0)
      } else return
      event.preventDefault()
    }
    const onFocus = ({ target }: FocusEvent) =>
      setFocusedKey((target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row)
    const onBlur = () => setFocusedKey(undefined)
    box?.addEventListener('keydown', onKey)
    box?.addEventListener('focusin', onFocus)
    box?.addEventListener('focusout', onBlur)
    return () => {
      box?.removeEventListener('keydown', onKey)
      box?.removeEventListener('focusin', onFocus)
      box?.removeEventListener('focusout', onBlur)
    }
  }, [virtualizer, toEnd])

  return {
    scroller,
    above,
    list,
    measure: virtualizer.measureElement,
    items: virtualizer.getVirtualItems(),
    start: scrollMargin,
    end: scrollMargin + virtualizer.getTotalSize(),
    isAtEnd,
    toEnd,
  }
}

function isEndVisible(box: HTMLElement | null): boolean {
  return box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < endTolerance
}
