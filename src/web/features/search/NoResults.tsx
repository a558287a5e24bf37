import type { RelaxableFilter } from '#contract/search-filters.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { relaxation } from './active-filters.ts'
import { countOf } from './count.ts'
import { cleared, filterPairs, queryOf, resultsPath, type SearchFilters } from './filters.ts'

export type NoResultsProps = {
  filters: SearchFilters
  /** Those that were searched by: a place that is not known is left out. */
  searched: SearchFilters
  /** Filters without which there are results, and how many there are without each. */
  relax: readonly { filter: RelaxableFilter; total: number }[]
}

/** No practitioner matches: offers to drop a filter, with the number of results that brings. */
export function NoResults({ filters, searched, relax }: NoResultsProps) {
  const wished = { ...searched, sort: undefined, page: 1 }
  const hasFilters = filterPairs(wished).length > 0
  return (
    <EmptyState
      title="Nobody matches all of these filters"
      illustration={<Looking className="w-44" />}
      actions={
        <>
          {hasFilters && (
            <ButtonLink to={`/search-wish${queryOf(wished)}`} variant="secondary">
              Tell me by email
            </ButtonLink>
          )}
          {relax.length === 0 ? (
            <ButtonLink to={resultsPath(cleared(filters))}>Clear all filters</ButtonLink>
          ) : (
            <TextLink to={resultsPath(cleared(filters))} className="tappable">
              Clear all filters
            </TextLink>
          )}
        </>
      }
    >
      {relax.length === 0 ? (
        <p>You would have to remove more than one filter. You can clear them all and start again.</p>
      ) : (
        <>
          <p>Removing one filter is enough:</p>
          <ul className="mt-4 flex flex-col gap-2">
            {relax.map(({ filter, total }) => {
              const { label, to } = relaxation(filters, filter)
              return (
                <li key={filter}>
                  <ButtonLink to={resultsPath(to)} preventScrollReset variant="secondary" fullWidth>
                    <span className="grow text-left">{capital(label)}</span>
                    <span className="font-normal whitespace-nowrap text-soft tabular-nums">
                      {countOf(total)}
                    </span>
                  </ButtonLink>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </EmptyState>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
