import { IconArrowDown } from '@tabler/icons-react'
import { type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { classes } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/Spinner.tsx'
import type { TimelineRow } from './timeline.ts'
import { TimelineItem } from './MessageItem.tsx'
import { estimateHeight, splitLead } from './message-rows.ts'
import { useMessageWindow } from './use-message-window.ts'

type Props = {
  rows: readonly TimelineRow[]
  partnerName: string
  zone: string
  /** Messages before the first one: whether there are any, and how reading them goes. */
  older: 'none' | 'idle' | 'loading' | 'failed'
  onOlder(): void
  /** The other is writing. */
  isTyping: boolean
  /** Called when the last message is before the reader's eyes; once more for each function that is given. */
  onSeen(): void
  onRetry(id: string): void
  onDiscard(id: string): void
}

/** The messages of a chat, in a box that scrolls by itself. */
export function MessageList(props: Props) {
  const { rows, partnerName, zone, older, onOlder, isTyping, onSeen, onRetry, onDiscard } = props
  const { lead, rest } = useMemo(() => splitLead(rows), [rows])
  const [startAt] = useState(() =>
    rows.some(({ key }) => key === 'unread')
      ? Math.max(
          0,
          rest.findIndex(({ key }) => key === 'unread'),
        )
      : undefined,
  )
  const onNearStart = useCallback(() => {
    if (older === 'idle') onOlder()
  }, [older, onOlder])
  const { scroller, above, list, measure, items, start, end, isAtEnd, toEnd } = useMessageWindow({
    rows: rest,
    leadHeight: lead.reduce((sum, row) => sum + estimateHeight(row), 0),
    startAt,
    onNearStart,
  })
  // Clipped by the box as by the window: the box itself may stand off the screen, as below a session on a phone.
  const foot = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    let isInView: boolean | undefined
    const see = () => {
      if (isInView && document.visibilityState === 'visible') onSeen()
    }
    const observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting
      see()
    })
    if (foot.current) observer.observe(foot.current)
    document.addEventListener('visibilitychange', see)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', see)
    }
  }, [onSeen])

  // What one has just written is what one wants to see.
  const lastOwn = rows.findLast((row) => row.kind === 'message' && row.state !== undefined)?.key
  const knownOwn = useRef(lastOwn)
  useEffect(() => {
    if (knownOwn.current !== lastOwn) toEnd()
    knownOwn.current = lastOwn
  }, [lastOwn, toEnd])

  const lastKey = rows.at(-1)?.key
  const [seenKey, setSeenKey] = useState(lastKey)
  if (isAtEnd && seenKey !== lastKey) setSeenKey(lastKey)
  const newBelow = useMemo(() => {
    const from = rows.findIndex(({ key }) => key === seenKey)
    return rows.slice(from + 1).filter((row) => row.kind === 'message' && row.state === undefined).length
  }, [rows, seenKey])

  return (
    <div className="relative flex min-h-0 grow flex-col">
      <section
        ref={scroller}
        aria-label={`Messages with ${partnerName}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] focus-visible:outline-offset-[-3px] sm:px-6"
      >
        <div className="flex min-h-full flex-col justify-end">
          {/* As high at all times as the beginning, so that nothing moves when older messages come. */}
          <div ref={above} className={classes('relative', rows.length === 0 && 'my-auto')}>
            <Beginning partnerName={partnerName} isEmpty={rows.length === 0} isHidden={older !== 'none'} />
            {older === 'loading' && (
              <div className="absolute inset-x-0 bottom-0 flex justify-center py-3 text-soft">
                <Spinner label="Loading older messages" />
              </div>
            )}
            {older === 'failed' && (
              <p className="absolute inset-x-0 bottom-0 py-3 text-center text-sm text-soft">
                Older messages did not load.{' '}
                <button
                  type="button"
                  onClick={onOlder}
                  className="target font-semibold text-action underline underline-offset-4"
                >
                  Try again
                </button>
              </p>
            )}
          </div>
          <ol
            ref={list}
            className="flex flex-col"
            style={{ paddingBottom: end - (items.at(-1)?.end ?? start) }}
          >
            {lead.map((row) => (
              <TimelineItem key={row.key} row={row} {...{ partnerName, zone, onRetry, onDiscard }} />
            ))}
            {items.map(({ index, start: top }, at) => {
              const row = rest[index]
              return (
                row && (
                  <TimelineItem
                    key={row.key}
                    row={row}
                    index={index}
                    gap={top - (items[at - 1]?.end ?? start)}
                    measure={measure}
                    {...{ partnerName, zone, onRetry, onDiscard }}
                  />
                )
              )
            })}
          </ol>
          <Typing ref={foot} name={partnerName} isTyping={isTyping} />
        </div>
      </section>
      {!isAtEnd && (
        <button
          type="button"
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 inline-flex min-h-11 -translate-x-1/2 animate-appear items-center gap-2 rounded-full border border-edge bg-raised px-4 text-sm font-semibold whitespace-nowrap shadow-mid hover:border-ink"
        >
          <IconArrowDown aria-hidden size={18} />
          {newBelow === 0 ? 'Latest messages' : newBelow === 1 ? '1 new message' : `${newBelow} new messages`}
        </button>
      )}
    </div>
  )
}

function Beginning(props: { partnerName: string; isEmpty: boolean; isHidden: boolean }) {
  const { partnerName, isEmpty, isHidden } = props
  return (
    <p
      className={classes(
        'mx-auto max-w-md pt-6 text-center text-sm text-soft',
        isEmpty && 'pb-6',
        isHidden && 'invisible',
      )}
    >
      {isEmpty
        ? `Say hello to ${partnerName}, or ask what you would like to know.`
        : `Your chat with ${partnerName} starts here.`}{' '}
      Only the two of you can see it.
    </p>
  )
}

/** Keeps its height even if the partner is not typing, so that the messages do not move. */
function Typing(props: { ref: Ref<HTMLParagraphElement>; name: string; isTyping: boolean }) {
  const { ref, name, isTyping } = props
  return (
    <p ref={ref} className="-mt-3 flex min-h-8 items-center gap-2 py-1 text-sm text-soft">
      {isTyping && (
        <>
          <span aria-hidden className="flex gap-1">
            {[0, 1, 2].map((dot) => (
              <span
                key={dot}
                className="size-1.5 animate-breathe rounded-full border border-transparent bg-soft"
                style={{ animationDelay: `${dot * 200}ms` }}
              />
            ))}
          </span>
          {name} is writing
        </>
      )}
    </p>
  )
}
