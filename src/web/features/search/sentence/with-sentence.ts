import { filterOrder, parametersOf } from '#contract/search-filters.ts'
import type { SentenceFilters } from '#contract/search-sentence.ts'
import { type SearchFilters, switchedOff, withFilters } from '../filters.ts'

/** A search with the filters of a sentence. A filter that the sentence names is replaced as a whole; others stay. */
export function withSentence(filters: SearchFilters, wanted: SentenceFilters): SearchFilters {
  const named = filterOrder.address.filter((name) =>
    parametersOf(name).some((parameter) => wanted[parameter] !== undefined),
  )
  return withFilters(filters, Object.assign({}, ...named.map(switchedOff), wanted) as Partial<SearchFilters>)
}
