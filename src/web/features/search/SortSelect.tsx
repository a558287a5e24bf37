import { Select } from '#web/ui/Select.tsx'
import { applied } from './active-filters.ts'
import { type SearchFilters, type SortOrder, withFilters } from './filters.ts'
import type { FilterDraft } from './use-filter-draft.ts'

const orders: readonly { value: SortOrder; label: string }[] = [
  { value: 'recommended', label: 'Recommended' },
  { value: 'soonest', label: 'Soonest free' },
  { value: 'rating', label: 'Best rated' },
  { value: 'price_asc', label: 'Lowest price' },
  { value: 'price_desc', label: 'Highest price' },
]

/** Offered where a place is searched near. */
const nearest = { value: 'nearest', label: 'Nearest' } as const

type Props = {
  filters: FilterDraft
  form: string
  /** The place that is searched near is none: there is no order by distance. */
  isPlaceUnknown: boolean
}

/** The order of the results; a field of the filter form, wherever it stands. */
export function SortSelect({ filters: { draft, change }, form, isPlaceUnknown }: Props) {
  const { near, sort } = applied(draft, isPlaceUnknown)
  return (
    <div className="flex grow basis-40 items-end gap-2 lg:grow-0 lg:basis-auto">
      <Select
        label="Sort by"
        className="min-w-0 grow"
        name="sort"
        form={form}
        options={near ? [...orders, nearest] : orders}
        value={sort ?? 'recommended'}
        onChange={(event) => {
          const { value } = event.currentTarget
          const chosen = value === 'recommended' ? undefined : (value as SearchFilters['sort'])
          change(withFilters(draft, { sort: chosen }))
        }}
      />
      <noscript>
        <button
          type="submit"
          form={form}
          className="target rounded-full border border-edge px-4 font-semibold"
        >
          Sort
        </button>
      </noscript>
    </div>
  )
}
