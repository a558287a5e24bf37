import { Select } from '#web/ui/Select.tsx'
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

/** The order of the results; a field of the filter form, wherever it stands. */
export function SortSelect({ filters: { draft, change }, form }: { filters: FilterDraft; form: string }) {
  return (
    <div className="flex grow basis-40 items-end gap-2 lg:grow-0 lg:basis-auto">
      <Select
        label="Sort by"
        className="min-w-0 grow"
        name="sort"
        form={form}
        options={draft.near ? [...orders, nearest] : orders}
        value={draft.sort ?? 'recommended'}
        onChange={(event) => {
          const { value } = event.currentTarget
          const sort = value === 'recommended' ? undefined : (value as SearchFilters['sort'])
          change(withFilters(draft, { sort }))
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
