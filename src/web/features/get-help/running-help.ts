import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'
import { onAnotherPerson } from '#web/lib/session.ts'
import { tabStorage } from '#web/lib/tab-storage.ts'

/*
 * Which search for help this tab has under way, so that every page can say so. Where it stands is the server's to say.
 */

const storageKey = 'helpSession'
const listeners = createListeners()

/** This tab has a search under way. */
export function noteRunningHelp(sessionId: string): void {
  if (read() === sessionId) return
  tabStorage.setItem(storageKey, sessionId)
  listeners.call()
}

/** Forgets a search that has ended, once the client has seen the outcome. Another one that has begun since stays. */
export function forgetRunningHelp(sessionId: string): void {
  if (read() === sessionId) forget()
}

function forget(): void {
  tabStorage.removeItem(storageKey)
  listeners.call()
}

/** The session that is searched for; undefined for none, on the server and until the page is alive. */
export function useRunningHelp(): string | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined)
}

function subscribe(listener: () => void): () => void {
  const stops = [listeners.add(listener), onAnotherPerson(forget)]
  return () => {
    for (const stop of stops) stop()
  }
}

const read = () => tabStorage.getItem(storageKey) ?? undefined
