import { useSyncExternalStore } from 'react'
import type { Dialog } from '#contract/chat/chat.ts'
import { createListeners } from '#web/lib/listeners.ts'
import type { Messages, OutgoingMessage } from './conversation.ts'

/** What is known of one dialog's messages. */
export type Conversation = {
  messages: Messages
  /** Of the last messages: whether they are there. */
  status: 'loading' | 'ready' | 'failed'
  error?: unknown
  /** Of those before the first one. */
  older: 'idle' | 'loading' | 'failed'
}

/** The chats of the signed-in account, as far as this tab has loaded them. */
export type ChatState = {
  /** The own `cc_id`, once known. */
  ownId: string | undefined
  /** Last active first; undefined until they have been read. */
  dialogs: readonly Dialog[] | undefined
  /** Why they could not be read, or undefined. */
  dialogsError: unknown
  isLoadingDialogs: boolean
  conversations: Readonly<Record<string, Conversation | undefined>>
  outbox: readonly OutgoingMessage[]
  /** By dialog: whether the other is writing. */
  typing: Readonly<Record<string, true | undefined>>
}

export const emptyState: ChatState = {
  ownId: undefined,
  dialogs: undefined,
  dialogsError: undefined,
  isLoadingDialogs: false,
  conversations: {},
  outbox: [],
  typing: {},
}

let state = emptyState
const listeners = createListeners()

export function readChat(): ChatState {
  return state
}

export function changeChat(change: Partial<ChatState> | ((before: ChatState) => Partial<ChatState>)): void {
  state = { ...state, ...(typeof change === 'function' ? change(state) : change) }
  listeners.call()
}

/** Changes what is known of one dialog's messages. */
export function changeConversation(id: string, change: (before: Conversation) => Conversation): void {
  changeChat(({ conversations }) => {
    const before = conversations[id] ?? { messages: [], status: 'loading', older: 'idle' }
    return { conversations: { ...conversations, [id]: change(before) } }
  })
}

/** A part of the state; it must be the same value as long as nothing in it has changed. */
export function useChat<T>(part: (state: ChatState) => T): T {
  return useSyncExternalStore(
    listeners.add,
    () => part(state),
    () => part(emptyState),
  )
}
