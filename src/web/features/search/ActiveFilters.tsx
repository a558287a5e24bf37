import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { TextLink } from '#web/ui/Link.tsx'
import { activeFilters, type FilterOptions, unknownOption } from './active-filters.ts'
import { cleared, resultsPath, type SearchFilters } from './filters.ts'

type Props = {
  filters: SearchFilters
  options: FilterOptions
  /** The results are still to come, and with them the names of options that are not known yet. */
  isPending: boolean
  /** The place in `filters` is none, and narrows nothing. */
  isPlaceUnknown: boolean
}

/** What the results are narrowed by; each is a link to the results without it. */
export function ActiveFilters({ filters, options, isPending, isPlaceUnknown }: Props) {
  const active = activeFilters(filters, options).filter(
    ({ key, label }) => !(isPending && label === unknownOption) && !(isPlaceUnknown && key === 'near'),
  )
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
      {active.map(({ key, label, without }) => (
        <li key={key}>
          <Link to={resultsPath(without)} preventScrollReset className="filter-chip">
            <span className="sr-only">Remove filter: </span>
            {label}
            <IconX aria-hidden size={16} className="shrink-0" />
          </Link>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <TextLink
            to={resultsPath(cleared(filters))}
            preventScrollReset
            className="tappable-small px-1 text-sm"
          >
            Clear all
          </TextLink>
        </li>
      )}
    </ul>
  )
}
