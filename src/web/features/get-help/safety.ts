import { useSyncExternalStore } from 'react'

/*
 * What was answered about immediate danger, in this tab alone: no address, call, log or other window has it. It is a
 * question about now, so an answer does not last.
 */

export type SafetyAnswer = 'danger' | 'safe'

/** Where the answer is kept; session storage outside of tests. */
export type SafetyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const storageKey = 'helpSafety'

/** Milliseconds after which it is asked again. */
export const answerLasts = 60 * 60_000

const listeners = new Set<() => void>()
/** For a reader whose settings forbid storage: as long as the page. */
let remembered: string | null = null

/** The answer of this tab, undefined where it was not asked, or too long ago. */
export function readSafety(now = Date.now(), storage = tabStorage()): SafetyAnswer | undefined {
  const [, answer, at] = /^(danger|safe) (\d+)$/.exec(kept(storage) ?? '') ?? []
  const age = now - Number(at)
  return age >= 0 && age < answerLasts ? (answer as SafetyAnswer) : undefined
}

export function keepSafety(answer: SafetyAnswer, now = Date.now(), storage = tabStorage()): void {
  write(`${answer} ${now}`, storage)
}

/** The question is asked again. */
export function forgetSafety(storage = tabStorage()): void {
  write(null, storage)
}

/** The answer as it stands; undefined on the server and until the page is alive. */
export function useSafety(): SafetyAnswer | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readSafety(),
    () => undefined,
  )
}

function kept(storage: SafetyStorage | undefined): string | null {
  try {
    return storage ? storage.getItem(storageKey) : remembered
  } catch {
    return remembered
  }
}

function write(text: string | null, storage: SafetyStorage | undefined): void {
  remembered = text
  try {
    if (text === null) storage?.removeItem(storageKey)
    else storage?.setItem(storageKey, text)
  } catch {
    // Remembered as long as the page.
  }
  for (const listener of listeners) listener()
}

function tabStorage(): SafetyStorage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
