import type { PractitionerList } from '#contract/search.ts'
import {
  type CountedFilter,
  countedFilters,
  type FilterOfKind,
  filterTable,
  isOfKind,
  type RelaxableFilter,
  relaxableFilters,
} from '#contract/search-filters.ts'
import { formatCount } from './count.ts'

/** How many practitioners one value of a filter matches; where it is none, the filter to drop for most matches. */
export type ValueCount = { total: number; needs?: RelaxableFilter | undefined }

/** The numbers beside the values of the filters. */
export type ValueCounts = { of(filter: CountedFilter, value: string): ValueCount | undefined }

type Meta = Pick<PractitionerList['meta'], 'counts' | 'needs'>

/** Undefined while there are none. */
export function countsOf({ counts, needs }: Meta): ValueCounts | undefined {
  if (!counts) return undefined
  return {
    of(filter, value) {
      const total = counts[filter]?.[value]
      return total === undefined ? undefined : { total, needs: needs?.[filter]?.[value] }
    },
  }
}

/** The counts of some options and of all fixed choices as a page is sent with them: one text per filter. */
export type PackedCounts = Partial<Record<CountedFilter, string>>

/** `1=1204|2=price`: a total, or instead of 0 the filter to drop. */
export function packCounts(
  { counts, needs }: Meta,
  options: Readonly<Record<FilterOfKind<'ids'>, readonly { value: string }[]>>,
): PackedCounts | undefined {
  if (!counts) return undefined
  const packed: PackedCounts = {}
  for (const filter of countedFilters) {
    const totals = counts[filter]
    if (!totals) continue
    const values = isOfKind(filter, 'ids') ? options[filter].map(({ value }) => value) : Object.keys(totals)
    packed[filter] = values
      .filter((value) => totals[value] !== undefined)
      .map((value) => `${value}=${totals[value] || (needs?.[filter]?.[value] ?? 0)}`)
      .join('|')
  }
  return packed
}

export function unpackCounts(packed: PackedCounts | undefined): ValueCounts | undefined {
  if (!packed) return undefined
  const known = new Map<string, ValueCount>()
  for (const filter of countedFilters) {
    for (const entry of (packed[filter] ?? '').split('|')) {
      const at = entry.lastIndexOf('=')
      const text = entry.slice(at + 1)
      const needs = relaxableFilters.find((each) => each === text)
      if (at > 0) known.set(`${filter} ${entry.slice(0, at)}`, { total: needs ? 0 : Number(text), needs })
    }
  }
  return { of: (filter, value) => known.get(`${filter} ${value}`) }
}

/** '1,204', '0 · would need any price'. */
export function countText({ total, needs }: ValueCount): string {
  if (total > 0) return formatCount(total)
  return `0 · would need ${needs ? filterTable[needs].relaxed : 'fewer filters'}`
}

/** Options with the numbers beside them. */
export function withCounts<T extends { value: string }>(
  options: readonly T[],
  filter: CountedFilter,
  counts: ValueCounts | undefined,
): (T & { count?: string; isEmpty?: boolean })[] {
  return options.map((option) => {
    const known = counts?.of(filter, option.value)
    return known ? { ...option, count: countText(known), isEmpty: known.total === 0 } : option
  })
}
