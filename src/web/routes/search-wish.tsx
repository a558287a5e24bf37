import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { filtersInWords, optionsOf } from '#web/features/search/active-filters.ts'
import { filterPairs, parseFilters, resultsPath } from '#web/features/search/filters.ts'
import { isSameSearch } from '#web/features/waitlist/same-search.ts'
import { knownFiltersQuery, wishesQuery } from '#web/features/waitlist/waitlist-queries.ts'
import { WishPage } from '#web/features/waitlist/WishPage.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'

export const meta = () => [{ title: pageTitle('Tell me by email') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <WishPage search={undefined} kept={undefined} onKept={() => undefined} />
}

/** Keeps a search without results. The query is that of the results. */
export default function KeepSearchWish() {
  const [query] = useSearchParams()
  const navigate = useLateNavigate()
  const filters = { ...parseFilters(query), sort: undefined, page: 1 }
  const known = useQuery(knownFiltersQuery())
  const words = known.data && filtersInWords(filters, optionsOf(known.data))
  const wishes = useQuery(wishesQuery())
  const wished = Object.fromEntries(filterPairs(filters))
  const isLoading = (words === undefined && !known.error) || wishes.isLoading
  return (
    <WishPage
      search={isLoading ? undefined : { words: words ?? '', filters: wished, path: resultsPath(filters) }}
      kept={wishes.data?.find((wish) => isSameSearch(wish.filters, wished))}
      onKept={() => void navigate(ownWaitlistPath, { replace: true })}
    />
  )
}
