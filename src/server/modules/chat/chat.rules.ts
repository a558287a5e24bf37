import { hours, minutes } from '../../clock.ts'

/** How long things of the chat are good for. */
export const lifetimes = {
  /** What a profile carries: long enough to be traded at once on a slow line. */
  password: minutes(5),
  /** After it, the browser gets another by its sign-in. */
  token: hours(12),
}

/** The place of a message: its text opens there and nowhere else. */
export type Place = { dialogId: string; messageId: string; senderId: string }

/** So many messages an account may write … */
export const messagesInWindow = 60
/** … in any stretch this long. */
export const messageWindow = minutes(1)

/** So much of the last message is in the list of dialogs. */
const previewLength = 200

/** The beginning of a text, without half a character at its end. */
export function preview(text: string): string {
  return text.length <= previewLength
    ? text
    : Array.from(text.slice(0, 2 * previewLength))
        .slice(0, previewLength)
        .join('')
}

/** Why a member cannot write in a dialog, or null if they can. A blocked member sees only `unavailable`. */
export function closedFor(dialog: {
  blocked_by_caller: boolean
  blocked_by_other: boolean
  other_has_left: boolean
  practitioner_suspended: boolean
}): 'blocked_by_you' | 'unavailable' | null {
  if (dialog.blocked_by_caller) return 'blocked_by_you'
  return dialog.blocked_by_other || dialog.other_has_left || dialog.practitioner_suspended
    ? 'unavailable'
    : null
}

/** About how many bytes of messages one socket answer holds, so that a slow line receives it before the next. */
export const largestAnswer = 64 * 1024

/** Returns the first messages that together fit into `bytes`, and at least one. */
export function fittingIn<T extends { body: Uint8Array }>(rows: readonly T[], bytes: number): T[] {
  let taken = 0
  return rows.filter((row, index) => {
    taken += row.body.length
    return index === 0 || taken <= bytes
  })
}
