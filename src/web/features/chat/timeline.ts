import { dayIn, formatDay, formatShortDay, formatTime, type InstantLike } from '#web/lib/time.ts'
import type { Messages, OutgoingMessage } from './conversation.ts'

/** What becomes of an own message: on its way, kept by the server, seen by the other, or not sent. */
export type MessageState = 'sending' | 'sent' | 'read' | 'failed'

export type MessageRow = {
  kind: 'message'
  /** The message's id: the same before and after the server has acknowledged it. */
  key: string
  text: string
  /** Epoch milliseconds. */
  at: number
  /** The own state of an own message; undefined for the other's. */
  state: MessageState | undefined
  problem?: string
  /** The last of those that one person wrote within a few minutes, which carries the state. */
  isLast: boolean
}

export type TimelineRow =
  | { kind: 'day'; key: string; label: string }
  | { kind: 'unread'; key: 'unread' }
  | MessageRow

type Facts = {
  messages: Messages
  outgoing: readonly OutgoingMessage[]
  ownId: string
  /** How far the other has read, a `seq`. */
  otherReadUpTo: number
  /** How far one had read oneself on opening the chat: what the other wrote after it stands below the line of unread messages. */
  unreadAfter: number | undefined
  zone: string
  now: InstantLike
}

/** Messages of one person within this time stand together, under one state. */
const togetherMilliseconds = 5 * 60_000

/** What stands on the screen, from the oldest to the newest. */
export function timelineOf({
  messages,
  outgoing,
  ownId,
  otherReadUpTo,
  unreadAfter,
  zone,
  now,
}: Facts): TimelineRow[] {
  const rows: TimelineRow[] = []
  let day: string | undefined
  let before: MessageRow | undefined
  const firstUnread =
    unreadAfter === undefined
      ? undefined
      : messages.find(({ seq, sender_id }) => seq > unreadAfter && sender_id !== ownId)?._id

  const add = (row: Omit<MessageRow, 'kind' | 'isLast'>) => {
    const rowDay = dayIn(row.at, zone)
    const isNewDay = rowDay !== day
    if (isNewDay) rows.push({ kind: 'day', key: `day-${rowDay}`, label: dayLabel(row.at, zone, now) })
    day = rowDay
    const isUnreadLine = row.key === firstUnread
    if (isUnreadLine) rows.push({ kind: 'unread', key: 'unread' })
    const isFollowing =
      before !== undefined &&
      !isNewDay &&
      !isUnreadLine &&
      isOwn(before) === isOwn(row) &&
      row.at - before.at < togetherMilliseconds
    if (before && isFollowing) before.isLast = false
    before = { kind: 'message', isLast: true, ...row }
    rows.push(before)
  }

  for (const { _id, message, sender_id, date_sent, seq } of messages) {
    const state = sender_id !== ownId ? undefined : seq <= otherReadUpTo ? 'read' : 'sent'
    add({ key: _id, text: message, at: date_sent * 1000, state })
  }
  // A clock that is behind the server's must not put them on the day before what they follow.
  let latest = (messages.at(-1)?.date_sent ?? 0) * 1000
  for (const { _id, message, written_at, state, problem } of outgoing) {
    latest = Math.max(latest, written_at)
    add({ key: _id, text: message, at: latest, state, ...(problem ? { problem } : {}) })
  }
  return rows
}

function isOwn({ state }: { state: MessageState | undefined }): boolean {
  return state !== undefined
}

/** Today, Yesterday, Wednesday 4 March. */
export function dayLabel(at: InstantLike, zone: string, now: InstantLike): string {
  const day = dayIn(at, zone)
  if (day === dayIn(now, zone)) return 'Today'
  // Half a day back from noon is the day before, on days on which the clocks change as well.
  const noon = new Date(`${dayIn(now, zone)}T12:00:00Z`).getTime()
  if (day === dayIn(noon - 86_400_000, 'UTC')) return 'Yesterday'
  return formatDay(at, zone, now)
}

/** When something was last written, in a list: the time of today, else the day, with the year where it is another. */
export function lastTimeLabel(at: InstantLike, zone: string, now: InstantLike): string {
  const words = dayLabel(at, zone, now)
  if (words === 'Today') return formatTime(at, zone)
  if (words === 'Yesterday') return words
  const day = formatShortDay(at, zone).replace(/^\S+ /, '')
  const [year] = dayIn(at, zone).split('-')
  return dayIn(now, zone).startsWith(`${year}-`) ? day : `${day} ${year}`
}
