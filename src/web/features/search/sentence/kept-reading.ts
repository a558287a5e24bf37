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

let resultsShown = 0

/** Keeps what the sentence left open for as long as the results are shown: other filters of theirs leave it. */
export function useKeptWithResults(): void {
  useEffect(() => {
    resultsShown++
    return () => {
      resultsShown--
    }
  }, [])
}

/** Forgets the sentence once the page that it was written on is left for another one than the results. */
export function useForgottenOnLeaving(): void {
  useEffect(
    () => () => {
      // React takes a page off and puts it back to test it.
      setTimeout(() => resultsShown === 0 && keepReading(undefined))
    },
    [],
  )
}
