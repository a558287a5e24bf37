import { useState } from 'react'
import { filtersOfKind } from '#contract/search-filters.ts'
import { callApi } from '#web/lib/api.ts'
import { type FilterOptions, optionsOf } from './active-filters.ts'

/**
 * The options that the page was sent with, and all of them once `load` has read them. Those of the page stay first, so
 * that nothing moves under a finger.
 */
export function useAllOptions(some: FilterOptions): {
  options: FilterOptions
  isWhole: boolean
  load(): Promise<void>
} {
  const [all, setAll] = useState<FilterOptions>()
  const [first, setFirst] = useState(some)
  return {
    options: all ? withFirst(all, first) : some,
    isWhole: all !== undefined,
    async load() {
      if (all) return
      const read = optionsOf(await callApi('GET /filter/i-know'))
      setFirst(some)
      setAll(read)
    },
  }
}

function withFirst(all: FilterOptions, first: FilterOptions): FilterOptions {
  const ordered = { ...all }
  for (const name of filtersOfKind('ids')) {
    const shown = new Set(first[name].map((option) => option.value))
    ordered[name] = [...first[name], ...all[name].filter((option) => !shown.has(option.value))]
  }
  return ordered
}
