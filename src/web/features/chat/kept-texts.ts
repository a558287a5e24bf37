import { forgetTextsBeside, keepTabText, readTabText } from '#web/lib/tab-texts.ts'
import type { OutgoingMessage } from './conversation.ts'

/*
 * Drafts and unsent messages, by account: after a session expires another account may sign in within this tab.
 */

const kind = 'chat-'
const draftName = (ownId: string, dialogId: string) => `${kind}${ownId}-draft-${dialogId}`
const outboxName = (ownId: string) => `${kind}${ownId}-outbox`

/** What was being written in a dialog. */
export function readDraft(ownId: string, dialogId: string): string {
  return readTabText(draftName(ownId, dialogId)) ?? ''
}

export function keepDraft(ownId: string, dialogId: string, text: string): void {
  keepTabText(draftName(ownId, dialogId), text.trim() === '' ? undefined : text)
}

/** The messages that were on their way when the page was left, in the order of writing. */
export function readOutbox(ownId: string): OutgoingMessage[] {
  try {
    const kept: unknown = JSON.parse(readTabText(outboxName(ownId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isOutgoing) : []
  } catch {
    return []
  }
}

export function keepOutbox(ownId: string, outbox: readonly OutgoingMessage[]): void {
  keepTabText(outboxName(ownId), outbox.length === 0 ? undefined : JSON.stringify(outbox))
}

/** Forgets what others have written in the chat in this tab. */
export function forgetTextsOfOthers(ownId: string): void {
  forgetTextsBeside(kind, `${kind}${ownId}-`)
}

function isOutgoing(value: unknown): value is OutgoingMessage {
  if (typeof value !== 'object' || value === null) return false
  const { _id, chat_dialog_id, message, written_at, state } = value as Record<string, unknown>
  return (
    typeof _id === 'string' &&
    typeof chat_dialog_id === 'string' &&
    typeof message === 'string' &&
    typeof written_at === 'number' &&
    (state === 'sending' || state === 'failed')
  )
}
