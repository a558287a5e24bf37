import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { optionsOf } from '#web/features/search/active-filters.ts'
import { FilterPanel } from '#web/features/search/FilterPanel.tsx'
import {
  allFiltersPath,
  filterPairs,
  isSameSearch,
  parseFilters,
  resultsPath,
  tidied,
  withFilters,
} from '#web/features/search/filters.ts'
import { packCounts, unpackCounts } from '#web/features/search/value-counts.ts'
import { serverNow } from '#web/lib/clock.ts'
import { pageErrorOf } from '#web/lib/page-error.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { pageTitle } from '#web/lib/site.ts'
import { dayIn } from '#web/lib/time.ts'
import { pageZone } from '#web/lib/viewer-zone.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/all-filters.ts'

export const meta: Route.MetaFunction = () => [{ title: pageTitle('All filters') }]

/** Every option of every filter, where a page of results has the most common ones alone. */
export async function loader({ context, request, url: { searchParams } }: Route.LoaderArgs) {
  const api = serverApi(context)
  const { signal } = request
  const filters = parseFilters(searchParams)
  const query = { ...Object.fromEntries(filterPairs({ ...filters, page: 1 })), per_page: 1, counts: true }
  try {
    const [data, { meta }] = await Promise.all([
      api('GET /filter/i-know', { signal }),
      api('GET /practitioner/get-practitioners', { query, signal }),
    ])
    return {
      counts: packCounts(meta, optionsOf(data)),
      options: optionsOf(data),
      bounds: { min: data.min_price, max: data.max_price },
      today: dayIn(serverNow(), pageZone),
    }
  } catch (error) {
    throw pageErrorOf(error)
  }
}

/** The query changes on the way to the results alone. */
export const shouldRevalidate = () => false

/** The query is that of the results. A plain form, which leads to them; alive, it stays filled in on the way back. */
export default function AllFilters({ loaderData: { options, counts, bounds, today } }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [counted] = useState(() => parseFilters(query))
  const [draft, setDraft] = useState(counted)
  const search = async () => {
    const wanted = tidied(draft)
    // Going back from the results finds the form as it was left.
    await navigate(allFiltersPath(wanted), { replace: true, preventScrollReset: true })
    await navigate(resultsPath(wanted))
  }
  return (
    <div className="page">
      <div className="mx-auto max-w-2xl pb-16">
        <PageHeading
          title="All filters"
          above={
            <TextLink to={resultsPath(parseFilters(query))} className="tappable">
              Back to the results
            </TextLink>
          }
        />
        <FilterPanel
          options={options}
          bounds={bounds}
          today={today}
          // Those of what was chosen before; nothing stands beside a choice that is not searched for yet.
          counts={isSameSearch(draft, counted) ? unpackCounts(counts) : undefined}
          filters={{
            draft,
            change: setDraft,
            type: (values) => setDraft((current) => withFilters(current, values)),
            submit: () => void search(),
          }}
          submitLabel="Show results"
        />
      </div>
    </div>
  )
}
