import type { Message } from '#contract/chat/chat.ts'
import type { ErrorAnswer } from '#contract/errors.ts'
import { announce } from '#web/lib/announce.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { callChat } from '#web/lib/chat-session.ts'
import { askLive, isConnected, onConnected } from '#web/lib/live.ts'
import { randomId } from '#web/lib/random-id.ts'
import { changeChat, readChat } from './chat-state.ts'
import type { OutgoingMessage } from './conversation.ts'
import { keepOutbox } from './kept-texts.ts'

/*
 * The way of what was written here to the server. A message stays in the outbox, and over a reload in the tab, until the
 * server has acknowledged it. It is sent again with the same id, which the server keeps once; in the order of writing, one
 * after the other.
 */

/** What becomes of one attempt. */
type Outcome =
  | { kind: 'delivered'; message: Message }
  /** The server will not take it, however often it is tried. */
  | { kind: 'refused'; problem: string }
  /** It may or may not have arrived, or the server cannot take it now; `isReachable` when the server itself answered. */
  | { kind: 'unknown'; isReachable: boolean; waitMilliseconds?: number }

const maxAttempts = 5
const maxWaitMs = 30_000

let onDelivered: (message: Message) => void = () => {}
let isRunning = false
let timer: ReturnType<typeof setTimeout> | undefined
/** Attempts in a row that the server answered without taking the message; a network that is gone does not count. */
let attempts = 0
let pauses = 0

/** Registers the delivery callback and sends on each connection. Returns the function that stops both. */
export function startOutbox(deliver: (message: Message) => void): () => void {
  onDelivered = deliver
  const stop = onConnected(flushOutbox)
  window.addEventListener('online', flushOutbox)
  return () => {
    stop()
    window.removeEventListener('online', flushOutbox)
    clearTimeout(timer)
    onDelivered = () => {}
  }
}

/** Puts a text at the end of the outbox and sends what is in it. */
export function putIntoOutbox(dialogId: string, text: string): void {
  const message: OutgoingMessage = {
    _id: randomId(),
    chat_dialog_id: dialogId,
    message: text,
    written_at: Date.now(),
    state: 'sending',
  }
  changeOutbox((outbox) => [...outbox, message])
  flushOutbox()
}

/** Sends a message that failed again, after those that were written since. */
export function retryMessage(id: string): void {
  changeOutbox((outbox) => {
    const failed = outbox.find(({ _id }) => _id === id)
    if (!failed) return outbox
    const { problem: _, ...again } = failed
    return [...outbox.filter(({ _id }) => _id !== id), { ...again, state: 'sending', written_at: Date.now() }]
  })
  flushOutbox()
}

/** Takes a message that failed out of the outbox. */
export function discardMessage(id: string): void {
  changeOutbox((outbox) => outbox.filter(({ _id, state }) => _id !== id || state !== 'failed'))
}

/** Sends what waits, unless that is under way. */
export function flushOutbox(): void {
  clearTimeout(timer)
  pauses = 0
  if (!isRunning) void run()
}

async function run(): Promise<void> {
  isRunning = true
  try {
    for (;;) {
      const { ownId, outbox } = readChat()
      const next = outbox.find(({ state }) => state === 'sending')
      if (!ownId || !next) return
      const outcome = await attempt(next)
      // Another account signed in meanwhile: the message is not part of its outbox, which is sent now.
      if (readChat().ownId !== ownId) continue
      if (!settle(next, outcome)) return
    }
  } finally {
    isRunning = false
  }
}

/** Records the outcome of an attempt. Returns whether to go on with the next message. */
function settle({ _id }: OutgoingMessage, outcome: Outcome): boolean {
  if (outcome.kind === 'delivered') {
    attempts = 0
    changeOutbox((outbox) => outbox.filter((each) => each._id !== _id))
    onDelivered(outcome.message)
    return true
  }
  if (outcome.kind === 'unknown') {
    if (outcome.isReachable) attempts++
    if (attempts < maxAttempts) {
      timer = setTimeout(
        () => {
          if (!isRunning) void run()
        },
        outcome.waitMilliseconds ?? Math.min(1000 * 2 ** pauses++, maxWaitMs),
      )
      return false
    }
  }
  attempts = 0
  const problem = outcome.kind === 'refused' ? outcome.problem : 'We could not send it. Please try again.'
  changeOutbox((outbox) =>
    outbox.map((each) => (each._id === _id ? { ...each, state: 'failed', problem } : each)),
  )
  announce(`Your message was not sent. ${problem}`)
  return true
}

async function attempt({ _id, chat_dialog_id, message }: OutgoingMessage): Promise<Outcome> {
  const body = { _id, chat_dialog_id, message }
  if (isConnected()) {
    const answer = await askLive('send', body)
    if (answer?.ok) return { kind: 'delivered', message: answer.message }
    if (answer) return outcomeOf(answer.error)
    return { kind: 'unknown', isReachable: false }
  }
  if (!navigator.onLine) return { kind: 'unknown', isReachable: false }
  try {
    return { kind: 'delivered', message: await callChat('POST /chat/messages', { body }) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) return { kind: 'unknown', isReachable: false }
    const wait = error.retryAfter === undefined ? undefined : error.retryAfter * 1000
    return outcomeOf({ code: error.code, message: error.message }, wait)
  }
}

const passing = new Set<string>([
  'too_many_requests',
  'internal_error',
  'unavailable',
  'unauthenticated',
  'unreadable_answer',
  'timed_out',
])

function outcomeOf(
  { code, message }: { code: ErrorAnswer['code'] | ApiError['code']; message: string },
  waitMilliseconds?: number,
): Outcome {
  if (!passing.has(code)) return { kind: 'refused', problem: message }
  return {
    kind: 'unknown',
    // Having written too much too fast passes by itself, and is no reason to give up.
    isReachable: code !== 'too_many_requests',
    ...(waitMilliseconds === undefined ? {} : { waitMilliseconds }),
  }
}

function changeOutbox(change: (outbox: readonly OutgoingMessage[]) => readonly OutgoingMessage[]): void {
  changeChat(({ outbox }) => ({ outbox: change(outbox) }))
  const { ownId, outbox } = readChat()
  if (ownId) keepOutbox(ownId, outbox)
}
