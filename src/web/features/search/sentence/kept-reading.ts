import { useEffect, useSyncExternalStore } from 'react'
import type { SentenceAnswer } from '#contract/search-sentence.ts'
import { createListeners } from '#web/lib/listeners.ts'

/** What of a sentence is left to be said above the results. In memory alone: the address has the filters. */
export type KeptReading = Pick<SentenceAnswer, 'unused' | 'ask' | 'safety'>

let kept: KeptReading | undefined
const listeners = createListeners()

export function keepReading(reading: KeptReading | undefined): void {
  kept = reading
  listeners.call()
}

/** Keeps what the next sentence left open. The emergency card of an earlier one stays. */
export function keepNextReading(reading: KeptReading): void {
  keepReading({ ...reading, safety: reading.safety || kept?.safety === true })
}

/** Forgets what the last sentence left open. The emergency card stays. */
export function forgetWords(): void {
  if (kept) keepReading(kept.safety ? { unused: [], ask: null, safety: true } : undefined)
}

export function useKeptReading(): KeptReading | undefined {
  return useSyncExternalStore(
    listeners.add,
    () => kept,
    () => undefined,
  )
}

let shownBy = 0

/** Forgets the sentence once the results are left; other filters of theirs leave it. */
export function useForgottenOnLeaving(): void {
  useEffect(() => {
    shownBy++
    return () => {
      shownBy--
      // React takes a page off and puts it back to test it.
      setTimeout(() => shownBy === 0 && keepReading(undefined))
    }
  }, [])
}
