import { useEffect, useEffectEvent, useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { filterPairs, queryOf, type SearchFilters } from './filters.ts'
import { countsOf, type ValueCounts } from './value-counts.ts'

/**
 * The numbers beside the values of the filters: those that the page was sent with, and of every value once all options
 * are shown.
 * @param filters those of the results
 */
export function useCounts(
  sent: ValueCounts | undefined,
  filters: SearchFilters,
  isWhole: boolean,
): ValueCounts | undefined {
  const [whole, setWhole] = useState<{ query: string; counts: ValueCounts | undefined }>()
  const query = queryOf({ ...filters, sort: undefined, page: 1 })
  const isWanted = isWhole && sent !== undefined
  const read = useEffectEvent((signal: AbortSignal) => {
    const pairs = Object.fromEntries(filterPairs({ ...filters, sort: undefined, page: 1 }))
    return callApi('GET /practitioner/get-practitioners', {
      query: { ...pairs, per_page: 1, counts: true },
      signal,
    })
  })
  useEffect(() => {
    if (!isWanted) return undefined
    const leaving = new AbortController()
    read(leaving.signal)
      .then(({ meta }) => setWhole({ query, counts: countsOf(meta) }))
      // Where they cannot be read, the page's own stay.
      .catch(() => undefined)
    return () => leaving.abort()
  }, [isWanted, query])
  return isWanted && whole?.query === query ? whole.counts : sent
}
