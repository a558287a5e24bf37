import { lazy, Suspense } from 'react'
import type { SearchFilters } from '../filters.ts'
import { useForgottenOnLeaving, useKeptReading } from './kept-reading.ts'
import { SentenceBox } from './SentenceBox.tsx'

const SentenceNotes = lazy(() => import('./SentenceNotes.tsx'))

/** Above the results: the sentence box, and what became of the last sentence. */
export function SentenceSearch({ filters }: { filters: SearchFilters }) {
  const reading = useKeptReading()
  useForgottenOnLeaving()
  return (
    <div className="page pb-6">
      <SentenceBox filters={filters} />
      {reading && (
        <Suspense>
          <SentenceNotes filters={filters} reading={reading} />
        </Suspense>
      )}
    </div>
  )
}
