import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'
import { tabStorage } from '#web/lib/tab-storage.ts'
import { tabTextPrefix } from '#web/lib/tab-texts.ts'

/*
 * What was answered about immediate danger, in this tab alone: no address, call, log or other window has it. It is a
 * question about now, so an answer does not last. Signing out removes it, and so does a sign-in of another account.
 */

export type SafetyAnswer = 'danger' | 'safe'

const storageKey = `${tabTextPrefix}helpSafety`

/** Milliseconds after which it is asked again. */
export const answerLasts = 60 * 60_000

const listeners = createListeners()

/** The answer of this tab, undefined where it was not asked, or too long ago. */
export function readSafety(now = Date.now(), storage = tabStorage): SafetyAnswer | undefined {
  const [, answer, at] = /^(danger|safe) (\d+)$/.exec(storage.getItem(storageKey) ?? '') ?? []
  const age = now - Number(at)
  return age >= 0 && age < answerLasts ? (answer as SafetyAnswer) : undefined
}

export function keepSafety(answer: SafetyAnswer, now = Date.now(), storage = tabStorage): void {
  storage.setItem(storageKey, `${answer} ${now}`)
  listeners.call()
}

/** The question is asked again. */
export function forgetSafety(storage = tabStorage): void {
  storage.removeItem(storageKey)
  listeners.call()
}

/** The answer as it stands; undefined on the server and until the page is alive. */
export function useSafety(): SafetyAnswer | undefined {
  return useSyncExternalStore(
    listeners.add,
    () => readSafety(),
    () => undefined,
  )
}
