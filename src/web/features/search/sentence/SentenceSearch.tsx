import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { leftWordsId } from '#contract/search-filters.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { SearchFilters } from '../filters.ts'
import { useKeptReading, useKeptWithResults } from './kept-reading.ts'
import { SentenceBox } from './SentenceBox.tsx'

const SentenceNotes = lazyPart(() => import('./SentenceNotes.tsx'))

/** Above the results: the sentence box, and what became of the last sentence. */
export function SentenceSearch({ filters }: { filters: SearchFilters }) {
  const reading = useKeptReading()
  useKeptWithResults()
  // The server does not know of it.
  const { hash } = useLocation()
  const hasLeftWords = !useHydrated() || hash === `#${leftWordsId}`
  return (
    <div className="page pb-6">
      <SentenceBox filters={filters} />
      {hasLeftWords && (
        <p id={leftWordsId} className="hidden max-w-2xl scroll-mt-[50vh] pt-4 text-sm text-soft target:block">
          Some of your words became no filter. You can try other words, or choose from the filters.
        </p>
      )}
      {reading && (
        <Suspense>
          <SentenceNotes filters={filters} reading={reading} />
        </Suspense>
      )}
    </div>
  )
}
