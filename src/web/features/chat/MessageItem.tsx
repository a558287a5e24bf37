import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { memo, useId } from 'react'
import { formatTime } from '#web/lib/time.ts'
import { classes } from '#web/ui/classes.ts'
import type { MessageRow, MessageState, TimelineRow } from './timeline.ts'

type Props = {
  row: TimelineRow
  /** Its place among the rows that come and go; undefined for the headings that stay. */
  index?: number
  /** The room of the rows above it that are not in the document, in CSS pixels. */
  gap?: number
  measure?(element: HTMLElement | null): void
  partnerName: string
  zone: string
  onRetry(id: string): void
  onDiscard(id: string): void
}

/** One line of a chat: a day, the line above what is unread, or a message. */
export const TimelineItem = memo(function TimelineItem({ row, index, gap, measure, ...props }: Props) {
  const place = {
    'data-row': row.key,
    'data-index': index,
    ref: measure,
    style: gap ? { marginTop: gap } : undefined,
  }
  if (row.kind === 'day') {
    return (
      <li {...place} className="flex justify-center pt-3 pb-5">
        <span className="rounded-full border border-transparent bg-sunken px-3.5 py-0.5 text-xs font-semibold text-soft">
          {row.label}
        </span>
      </li>
    )
  }
  if (row.kind === 'unread') {
    return (
      <li {...place} className="flex items-center gap-3 pt-2 pb-4 text-sm font-semibold text-ember-text">
        <span aria-hidden className="h-0 grow border-t border-ember" />
        New messages
        <span aria-hidden className="h-0 grow border-t border-ember" />
      </li>
    )
  }
  return (
    <li
      {...place}
      className={classes(
        'flex flex-col',
        row.isLast ? 'pb-3' : 'pb-1',
        row.state === undefined ? 'items-start' : 'items-end',
      )}
    >
      <Message row={row} {...props} />
    </li>
  )
})

type MessageProps = Omit<Props, 'row' | 'index' | 'gap' | 'measure'> & { row: MessageRow }

function Message({ row, partnerName, zone, onRetry, onDiscard }: MessageProps) {
  const { state, text, at, isLast } = row
  const isOwn = state !== undefined
  const isFailed = state === 'failed'
  const time = formatTime(at, zone)
  const textId = useId()
  return (
    <>
      <div
        className={classes(
          'max-w-[min(34rem,86%)] border px-4 py-2.5',
          isFailed
            ? 'border-danger bg-danger-soft text-ink'
            : isOwn
              ? 'border-transparent bg-action-soft text-ink'
              : 'border-line bg-surface text-ink',
          'rounded-2xl',
          isOwn ? isLast && 'rounded-br-sm' : isLast && 'rounded-bl-sm',
        )}
      >
        <span className="sr-only">{`${isOwn ? 'You' : partnerName}, ${time}: `}</span>
        <p id={textId} dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      </div>
      <span
        className={classes(
          'mt-1 flex items-center gap-1 px-1.5 text-xs',
          isFailed ? 'text-danger' : 'text-faint',
        )}
      >
        <span aria-hidden className="tabular-nums">
          {time}
        </span>
        {state && (isLast || isFailed || state === 'sending') && <StateMark state={state} />}
      </span>
      {isFailed && (
        <div className="flex max-w-[min(34rem,86%)] flex-col items-end gap-x-2 px-1.5 text-right text-sm">
          <p className="text-danger">{row.problem}</p>
          <span className="-mr-2 flex">
            <FailedButton onPress={() => onRetry(row.key)} describedBy={textId}>
              Try again
            </FailedButton>
            <FailedButton onPress={() => onDiscard(row.key)} describedBy={textId}>
              Remove
            </FailedButton>
          </span>
        </div>
      )}
    </>
  )
}

type FailedProps = { onPress(): void; describedBy: string; children: string }

function FailedButton({ onPress, describedBy, children }: FailedProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-describedby={describedBy}
      className="target rounded-full border border-transparent px-3 font-semibold text-action underline underline-offset-4 hover:bg-action-soft"
    >
      {children}
    </button>
  )
}

const marks: Record<MessageState, { icon: typeof IconCheck; words: string; isShown: boolean }> = {
  sending: { icon: IconClock, words: 'Sending', isShown: true },
  sent: { icon: IconCheck, words: 'Sent', isShown: false },
  read: { icon: IconChecks, words: 'Read', isShown: true },
  failed: { icon: IconAlertCircle, words: 'Not sent', isShown: true },
}

/** A sign for the eye, its word where it says something new, and always for the ear. */
function StateMark({ state }: { state: MessageState }) {
  const { icon: Icon, words, isShown } = marks[state]
  return (
    <>
      <Icon aria-hidden size={16} className={state === 'read' ? 'text-action' : undefined} />
      <span className={classes(!isShown && 'sr-only')}>{words}</span>
    </>
  )
}
