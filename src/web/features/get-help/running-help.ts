import { useSyncExternalStore } from 'react'
import { onAnotherPerson } from '#web/lib/session.ts'

/*
 * Which search for help this tab has under way, so that every page can say so. Where it stands is the server's to say.
 */

const storageKey = 'helpSession'
const listeners = new Set<() => void>()

/** This tab has a search under way. */
export function noteRunningHelp(sessionId: string): void {
  if (read() !== sessionId) write(sessionId)
}

/** Forgets a search that has ended, once the client has seen the outcome. */
export function forgetRunningHelp(): void {
  if (read() !== undefined) write(undefined)
}

/** The session that is searched for; undefined for none, on the server and until the page is alive. */
export function useRunningHelp(): string | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const stop = onAnotherPerson(forgetRunningHelp)
  return () => {
    listeners.delete(listener)
    stop()
  }
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined
  } catch {
    return undefined
  }
}

function write(sessionId: string | undefined): void {
  try {
    if (sessionId === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, sessionId)
  } catch {
    // Without storage no other page says so; the search itself goes on.
  }
  for (const listener of listeners) listener()
}
