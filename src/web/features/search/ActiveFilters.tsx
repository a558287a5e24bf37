import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { TextLink } from '#web/ui/Link.tsx'
import { activeFilters, type FilterOptions } from './active-filters.ts'
import { cleared, resultsPath, type SearchFilters } from './filters.ts'

/** What the results are narrowed by; each is a link to the results without it. */
export function ActiveFilters({ filters, options }: { filters: SearchFilters; options: FilterOptions }) {
  const active = activeFilters(filters, options)
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
      {active.map(({ key, label, without }) => (
        <li key={key}>
          <Link
            to={resultsPath(without)}
            preventScrollReset
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-transparent bg-action-soft py-1 pr-2.5 pl-3.5 text-sm text-on-action-soft no-underline hover:border-current"
          >
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
            className="inline-flex min-h-9 items-center px-1 text-sm"
          >
            Clear all
          </TextLink>
        </li>
      )}
    </ul>
  )
}
