import { createListeners } from './listeners.ts'

const listeners = createListeners()

/** Calls the listener when the chat refuses a practitioner as suspended or closed. Returns the unsubscribe function. */
export const onSuspended = listeners.add

/** Reports that the server has refused this account as suspended or closed. */
export const noteSuspended = listeners.call
