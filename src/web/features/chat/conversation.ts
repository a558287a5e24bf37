import type { Message } from '#contract/chat/chat.ts'

/*
 * What is known of one dialog's messages, and how what arrives is put into it. The order is the server's: `seq` counts from
 * 1 without gaps in each dialog, so a hole in it says that something is still to be fetched.
 */

/** A message that the server has not acknowledged. */
export type OutgoingMessage = {
  /** Made here, once: however often it is sent, the server keeps it once. */
  _id: string
  chat_dialog_id: string
  message: string
  /** Epoch milliseconds by this device's clock, for the time that is shown until the server names its own. */
  written_at: number
  /** `sending` is on its way or waits for a connection; `failed` was refused or given up, and waits for its writer. */
  state: 'sending' | 'failed'
  /** Why it failed, in words. */
  problem?: string
}

/** By `seq`, ascending, each once. */
export type Messages = readonly Message[]

/** Merges messages by `seq`, in any order and with repeats. Returns the same list when none is new. */
export function mergeMessages(known: Messages, arrived: Messages): Messages {
  const bySeq = new Map(known.map((message) => [message.seq, message]))
  const before = bySeq.size
  for (const message of arrived) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message)
  if (bySeq.size === before) return known
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}

/** The last `seq` before the first gap: messages after it have to be read again. 0 for an empty list. */
export function lastWithoutGap(messages: Messages): number {
  let last = messages[0]?.seq ?? 0
  for (const { seq } of messages) {
    if (seq > last + 1) return last
    last = seq
  }
  return last
}

/** The messages before the first gap. Later ones are shown once it is filled, so that no reply shows before its question. */
export function withoutGap(messages: Messages): Messages {
  const last = lastWithoutGap(messages)
  return messages.at(-1)?.seq === last ? messages : messages.filter(({ seq }) => seq <= last)
}

/** Whether there are messages before the first that is known. */
export function hasOlder(messages: Messages): boolean {
  return (messages[0]?.seq ?? 1) > 1
}

/** What is still on its way once these have arrived. */
export function withoutDelivered(
  outgoing: readonly OutgoingMessage[],
  arrived: Messages,
): readonly OutgoingMessage[] {
  const ids = new Set(arrived.map(({ _id }) => _id))
  return outgoing.some(({ _id }) => ids.has(_id)) ? outgoing.filter(({ _id }) => !ids.has(_id)) : outgoing
}
