import { tellLive } from '#web/lib/live.ts'
import { onAnotherPerson } from '#web/lib/session.ts'
import { changeChat, readChat } from './chat-state.ts'

/** How long one `typing` event shows the partner as typing. */
const typingMilliseconds = 5000
/** Signs of writing are sent this far apart. */
const typingPause = 2500

let lastSign = 0

/** Lets the other know that one is writing. */
export function tellTyping(id: string): void {
  const now = Date.now()
  if (now - lastSign < typingPause) return
  lastSign = now
  tellLive('typing', { chat_dialog_id: id })
}

const typingTimers = new Map<string, ReturnType<typeof setTimeout>>()

/** Shows the partner as writing, until they have stopped. */
export function showTyping(id: string): void {
  clearTimeout(typingTimers.get(id))
  typingTimers.set(
    id,
    setTimeout(() => hideTyping(id), typingMilliseconds),
  )
  if (!readChat().typing[id]) changeChat(({ typing }) => ({ typing: { ...typing, [id]: true } }))
}

export function hideTyping(id: string): void {
  clearTimeout(typingTimers.get(id))
  if (readChat().typing[id]) changeChat(({ typing }) => ({ typing: { ...typing, [id]: undefined } }))
}

onAnotherPerson(() => {
  for (const timer of typingTimers.values()) clearTimeout(timer)
})
