import type { FilterData } from '#contract/practitioners/practitioners.ts'
import {
  defaultRangeDays,
  type FilterName,
  type FilterOfKind,
  filterOrder,
  filtersOfKind,
  filterTable,
  isOfKind,
  type RelaxableFilter,
} from '#contract/search-filters.ts'
import { defaultRadius } from '#contract/places.ts'
import { milesLabel } from '#web/lib/miles.ts'
import { formatPounds } from '#web/lib/money.ts'
import { addDays, formatShortDay } from '#web/lib/time.ts'
import { type SearchFilters, switchedOff, withFilters } from './filters.ts'
import type { ValueCounts } from './value-counts.ts'

/** A search without a place that the server did not know, and without the order by distance. It leaves both out. */
export function applied(filters: SearchFilters, isPlaceUnknown: boolean): SearchFilters {
  if (!isPlaceUnknown) return filters
  const sort = filters.sort === 'nearest' ? undefined : filters.sort
  return { ...filters, ...switchedOff('near'), sort }
}

/** Something that can be chosen in a list of the filters. */
export type Option = { value: string; label: string }

/** What each list offers, in the order in which it is shown. */
export type FilterOptions = Record<FilterOfKind<'ids' | 'named'>, Option[]>

/** The lists that the table names. It does not compile if `FilterData` lacks one of them. */
type Lists = {
  [Name in FilterOfKind<'ids'> as (typeof filterTable)[Name]['list']]: readonly Record<
    (typeof filterTable)[Name]['named'],
    string
  >[]
} & Record<(typeof filterTable)[FilterOfKind<'named'>]['list'], readonly string[]>

/** Everything one can filter by, as the panel shows it: the page is sent with no more. */
export function optionsOf(data: FilterData & Lists): FilterOptions {
  const listed = filtersOfKind('ids').map((name) => {
    const { list, named } = filterTable[name]
    const entries: readonly Record<string, string | number>[] = data[list]
    return [name, entries.map((entry) => option(String(entry[name]), String(entry[named])))] as const
  })
  const names = filtersOfKind('named').map((name) => {
    const texts = data[filterTable[name].list]
    return [name, texts.map((text) => option(text, text))] as const
  })
  return Object.fromEntries([...listed, ...names]) as FilterOptions
}

/** How many options of each list there are. */
export type OptionTotals = Record<FilterOfKind<'ids'>, number>

/** Most options of a list that a page of results is sent with. */
const sentAtMost = 10

/**
 * The options that a page of results is sent with: of each list those chosen, and those that most practitioners have.
 * Without counts they are the first of the reference data, which number the most common first.
 */
export function sentOptions(
  all: FilterOptions,
  filters: SearchFilters,
  counts?: ValueCounts,
): { options: FilterOptions; totals: OptionTotals } {
  const options = { ...all }
  const totals: Partial<OptionTotals> = {}
  for (const name of filtersOfKind('ids')) {
    const chosen = new Set(filters[name].map(String))
    const total = ({ value }: Option) => counts?.of(name, value)?.total ?? 0
    const isChosen = ({ value }: Option) => Number(chosen.has(value))
    const ranked = all[name].toSorted(
      (a, b) => isChosen(b) - isChosen(a) || total(b) - total(a) || Number(a.value) - Number(b.value),
    )
    const sent = new Set(ranked.slice(0, Math.max(sentAtMost, chosen.size)))
    options[name] = all[name].filter((option) => sent.has(option))
    totals[name] = all[name].length
  }
  return { options, totals: totals as OptionTotals }
}

/** Lists as a page is sent with them: `1=Anxiety|2=Depression`, without line ends, which take three signs each. */
export type PackedOptions = Record<keyof FilterOptions, string>

export function packOptions(options: FilterOptions): PackedOptions {
  return mapped(options, (list) => list.map(({ value, label }) => `${value}=${label}`).join('|'))
}

export function unpackOptions(packed: PackedOptions): FilterOptions {
  return mapped(packed, (text) =>
    text.split('|').flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [option(line.slice(0, at), line.slice(at + 1))] : []
    }),
  )
}

function mapped<From, To>(
  lists: Record<keyof FilterOptions, From>,
  change: (list: From) => To,
): Record<keyof FilterOptions, To> {
  const entries = Object.entries(lists).map(([name, list]) => [name, change(list)])
  return Object.fromEntries(entries) as Record<keyof FilterOptions, To>
}

/** The filters that are on, in a few words: 'Anxiety, Online and 2 more'. */
export function filtersInWords(filters: SearchFilters, options: FilterOptions): string {
  const labels = activeFilters(filters, options).map(({ label }) => label)
  const named = labels.slice(0, namedAtMost)
  return labels.length > named.length
    ? `${named.join(', ')} and ${labels.length - named.length} more`
    : named.join(', ')
}

const namedAtMost = 3

const option = (value: string, label: string): Option => ({ value, label })

/** What can be chosen of a filter with one value. */
export function choices(name: FilterOfKind<'named' | 'choice' | 'format'>, options: FilterOptions): Option[] {
  if (isOfKind(name, 'named')) return options[name]
  return Object.entries(filterTable[name].choices).map(([value, label]) => option(value, label))
}

/** An id that is in none of the lists known here. */
export const unknownOption = 'No longer offered'

/** A filter that is on, in words, with the search as it would be without it. */
export type ActiveFilter = { key: string; label: string; without: SearchFilters }

/** Every filter that is on, in the order of the chips. */
export function activeFilters(filters: SearchFilters, options: FilterOptions): ActiveFilter[] {
  const active: ActiveFilter[] = []
  const add = (key: string, label: string, change: Partial<SearchFilters>) =>
    active.push({ key, label, without: withFilters(filters, change) })
  for (const name of filterOrder.chips) {
    if (isOfKind(name, 'ids')) {
      for (const id of filters[name]) {
        const label = options[name].find((known) => known.value === String(id))?.label ?? unknownOption
        add(`${name}-${id}`, label, { [name]: filters[name].filter((other) => other !== id) })
      }
    } else {
      const label = labelOf(name, filters, options)
      if (label) add(name, label, switchedOff(name))
    }
  }
  return active
}

/** What a filter that is on asks for, in words. */
function labelOf(
  name: Exclude<FilterName, FilterOfKind<'ids'>>,
  filters: SearchFilters,
  options: FilterOptions,
): string | undefined {
  if (isOfKind(name, 'words')) return filters[name] && `${filterTable[name].label}: ${filters[name]}`
  if (isOfKind(name, 'pounds')) return priceLabel(filters, filterTable[name])
  if (isOfKind(name, 'place')) return placeLabel(filters, filterTable[name])
  if (isOfKind(name, 'days')) return daysLabel(filters, filterTable[name])
  const value = filters[name]
  return value && (choices(name, options).find((known) => known.value === value)?.label ?? value)
}

type PoundsFilter = (typeof filterTable)[FilterOfKind<'pounds'>]
type PlaceFilter = (typeof filterTable)[FilterOfKind<'place'>]
type DaysFilter = (typeof filterTable)[FilterOfKind<'days'>]

function priceLabel(filters: SearchFilters, of: PoundsFilter): string | undefined {
  const [low, high] = [filters[of.low], filters[of.high]]
  if (low !== undefined && high !== undefined) return `${formatPounds(low)} to ${formatPounds(high)}`
  if (low !== undefined) return `From ${formatPounds(low)}`
  return high === undefined ? undefined : `Up to ${formatPounds(high)}`
}

function placeLabel(filters: SearchFilters, of: PlaceFilter): string | undefined {
  const place = filters[of.place]
  return place && `Within ${milesLabel(filters[of.within] ?? defaultRadius)} of ${place}`
}

function daysLabel(filters: SearchFilters, of: DaysFilter): string | undefined {
  const from = filters[of.from]
  const to = filters[of.to] ?? (from && addDays(from, defaultRangeDays))
  const day = (text: string) => formatShortDay(`${text}T12:00:00Z`, 'UTC')
  if (from && to) return from === to ? `Free on ${day(from)}` : `Free ${day(from)} to ${day(to)}`
  if (to) return `Free until ${day(to)}`
  return filters[of.flag] ? `Free in the next ${defaultRangeDays} days` : undefined
}

/** The way out of a search that finds none because of one filter: the words for dropping it, and the search without it. */
export function relaxation(
  filters: SearchFilters,
  filter: RelaxableFilter,
): { label: string; to: SearchFilters } {
  return { label: filterTable[filter].relaxed, to: withFilters(filters, switchedOff(filter)) }
}
