import type { sortOrders } from '#contract/search.ts'
import { earliestDay, latestDay } from '#contract/day-limits.ts'
import { defaultRadius, radii, type Radius, withoutInward } from '#contract/places.ts'
import {
  type ChoiceOf,
  choicesOf,
  defaultRangeDays,
  type FilterName,
  type FilterOfKind,
  filterOrder,
  filtersOfKind,
  filterTable,
  isOfKind,
  type ParameterOf,
  parametersOf,
} from '#contract/search-filters.ts'
import { addDays, isDay } from '#web/lib/time.ts'

export type SortOrder = (typeof sortOrders)[number]

/** Filters that are lists of ids. */
export type IdListName = FilterOfKind<'ids'>
type Places = (typeof filterTable)[FilterOfKind<'place'>]
type Days = (typeof filterTable)[FilterOfKind<'days'>]

/**
 * The filters of a search by parameter. A filter that is off is absent or an empty list. Ids are ascending and unique;
 * money is in pounds; days are `YYYY-MM-DD`; a place is a town or an outward code, and goes with sessions face to face.
 */
export type SearchFilters = Record<IdListName, number[]> & {
  [Name in FilterOfKind<'named' | 'words'>]?: string
} & { [Name in FilterOfKind<'choice' | 'format'>]?: ChoiceOf<Name> } & {
  [Name in ParameterOf<FilterOfKind<'pounds'>>]?: number
} & { [Name in Places['place']]?: string } & { [Name in Places['within']]?: Radius } & {
  [Name in Days['from' | 'to']]?: string
} & { [Name in Days['flag']]?: true } & {
  /** Names the one kind of therapy in `therapy_type_id`: an address keeps it, and nothing is searched by it. */
  therapy_type_name?: string
  /** The specification's spelling in an address. True is `instant_booking`; false is kept and filters nothing. */
  instantBooking?: false
  /** Absent for the recommended order. */
  sort?: Exclude<SortOrder, 'recommended'>
  /** From 1. */
  page: number
}

export const noFilters: SearchFilters = {
  ...(Object.fromEntries(filtersOfKind('ids').map((name) => [name, []])) as unknown as Record<
    IdListName,
    number[]
  >),
  page: 1,
}

const otherOrders = ['price_asc', 'price_desc', 'rating', 'soonest', 'nearest'] as const satisfies SortOrder[]

const isOn = (text: string | null) => ['true', '1', 'on'].includes(text ?? '')
const isOff = (text: string | null) => ['false', '0'].includes(text ?? '')

/** The most ids in one list that the API takes. */
const maxIds = 100
/** Longer than the name of any kind of therapy. */
const maxNameLength = 100

/**
 * Reads the query of a page or the fields of a form. Ids may be joined by commas or come one by one, as a plain form
 * sends them; what cannot be understood is left out.
 */
export function parseFilters(query: URLSearchParams): SearchFilters {
  const filters: SearchFilters = {
    ...noFilters,
    sort: oneOf(otherOrders, query.get('sort')),
    page: pageNumber(query.get('page')),
  }
  const set = <Name extends keyof SearchFilters>(name: Name, value: SearchFilters[Name]) => {
    filters[name] = value
  }
  for (const name of filterOrder.address) {
    if (isOfKind(name, 'ids')) set(name, ids(query.getAll(name)))
    else if (isOfKind(name, 'named')) set(name, unlessAny(name, query.get(name)))
    else if (isOfKind(name, 'words')) set(name, searchable(query.get(name), filterTable[name].maxLength))
    else if (isOfKind(name, 'choice', 'format')) set(name, oneOf(choicesOf(name), query.get(name)))
    else if (isOfKind(name, 'pounds')) {
      const { low, high } = filterTable[name]
      const range = inOrder(money(query.get(low)), money(query.get(high)))
      set(low, range[0])
      set(high, range[1])
    } else if (isOfKind(name, 'place')) {
      const { place, within, maxLength } = filterTable[name]
      const typed = words(withoutInward(query.get(place) ?? ''), maxLength)
      if (typed === undefined || filters.session_type === 'online') continue
      set('session_type', 'face_to_face')
      set(place, typed)
      set(within, radiusOf(query.get(within)))
    } else {
      const { from, to, flag } = filterTable[name]
      const range = inOrder(day(query.get(from)), day(query.get(to)))
      set(from, range[0])
      set(to, range[1])
      set(flag, isOn(query.get(flag) ?? query.get('instantBooking')) ? true : undefined)
    }
  }
  if (filters.sort === 'nearest' && !filters.near) filters.sort = undefined
  if (filters.therapy_type_id.length === 1) {
    filters.therapy_type_name = words(query.get('therapy_type_name'), maxNameLength)
  }
  if (!filters.instant_booking && isOff(query.get('instantBooking'))) filters.instantBooking = false
  return filters
}

/** The parameters of the API, in one order, without those that are off. A page's address has them too. */
export function filterPairs(filters: SearchFilters): [name: string, value: string][] {
  const parameters = [...filterOrder.address.flatMap((name) => parametersOf(name)), 'sort', 'page'] as const
  return parameters.flatMap((name): [string, string][] => {
    const value = name === 'page' && filters.page === 1 ? '' : String(filters[name] ?? '')
    return value === '' ? [] : [[name, value]]
  })
}

/** The parameters of the page: those of the API, and what its address keeps beside them. */
export function addressPairs(filters: SearchFilters): [name: string, value: string][] {
  const { therapy_type_id: kinds, therapy_type_name: name } = filters
  const pairs = filterPairs(filters)
  if (name !== undefined && kinds.length === 1) pairs.push(['therapy_type_name', name])
  if (filters.instantBooking === false && !filters.instant_booking) pairs.push(['instantBooking', 'false'])
  return pairs
}

/** `?issue_id=1,2&sort=rating`, or nothing. Commas stay readable. */
export function queryOf(filters: SearchFilters): string {
  const parts = addressPairs(filters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

export const resultsPathname = '/found-therapists'

/** The one address of a search, to be shared. */
export function resultsPath(filters: SearchFilters): string {
  return resultsPathname + queryOf(filters)
}

/** As an address would have it: typed words without spare spaces, ranges from low to high. */
export function tidied(draft: SearchFilters): SearchFilters {
  return parseFilters(new URLSearchParams(addressPairs(draft)))
}

/** Whether two searches find the same practitioners, in any order. */
export function isSameSearch(one: SearchFilters, other: SearchFilters): boolean {
  const queryIn = (filters: SearchFilters) => queryOf({ ...tidied(filters), sort: undefined, page: 1 })
  return queryIn(one) === queryIn(other)
}

/** The page with every option of every filter, filled in as for this search. */
export function allFiltersPath(filters: SearchFilters): string {
  return `/found-therapists/filters${queryOf(withFilters(filters, {}))}`
}

/** Whether a query is already written in the one way. */
export function isCanonical(query: URLSearchParams, filters: SearchFilters): boolean {
  const pairs = addressPairs(filters)
  const given = [...query]
  return (
    given.length === pairs.length &&
    pairs.every(([name, value], at) => given[at]?.[0] === name && given[at]?.[1] === value)
  )
}

/** The same search from its first page with some filters changed. */
export function withFilters(filters: SearchFilters, change: Partial<SearchFilters>): SearchFilters {
  const isOtherKind = 'therapy_type_id' in change
  const isElsewhere = 'session_type' in change && change.session_type !== 'face_to_face'
  return {
    ...filters,
    ...(isOtherKind && { therapy_type_name: undefined }),
    ...(isElsewhere && switchedOff('near')),
    ...(change.near !== undefined && { session_type: 'face_to_face' as const }),
    ...change,
    page: change.page ?? 1,
  }
}

/** Everything off; the order stays. */
export function cleared(filters: SearchFilters): SearchFilters {
  return { ...noFilters, sort: filters.sort }
}

/** A filter switched off. */
export function switchedOff(name: FilterName): Partial<SearchFilters> {
  return Object.fromEntries(parametersOf(name).map((parameter) => [parameter, noFilters[parameter]]))
}

/** The first values of dates and instant booking when they are switched on: today to seven days later. */
export function firstFreeTime(
  today: string,
): Pick<SearchFilters, 'date_from' | 'date_to' | 'instant_booking'> {
  return { date_from: today, date_to: addDays(today, defaultRangeDays), instant_booking: true }
}

/** The last day of a range whose first one was chosen: another one where that would come after it. */
export function lastDayFrom(first: string | undefined, last: string | undefined): string | undefined {
  return first !== undefined && last !== undefined && last < first ? addDays(first, defaultRangeDays) : last
}

function ids(texts: string[]): number[] {
  const found = texts
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => /^\d{1,9}$/.test(part))
    .map(Number)
    .filter((id) => id > 0)
  return [...new Set(found)].sort((a, b) => a - b).slice(0, maxIds)
}

function words(text: string | null, most: number): string | undefined {
  const tidy = (text ?? '').toWellFormed().replaceAll('\u0000', '').replaceAll(/\s+/g, ' ').trim()
  return tidy.slice(0, most).toWellFormed().trim() || undefined
}

/** As `words`. Undefined without a letter or a digit: the search compares nothing else. */
function searchable(text: string | null, most: number): string | undefined {
  const typed = words(text, most)
  return typed !== undefined && /[\p{L}\p{N}]/u.test(typed) ? typed : undefined
}

function unlessAny(name: FilterOfKind<'named'>, text: string | null): string | undefined {
  const { maxLength, none } = filterTable[name]
  const typed = words(text, maxLength)
  return typed?.toLowerCase() === none ? undefined : typed
}

function money(text: string | null): number | undefined {
  if (!text || !/^\d{1,6}(\.\d{1,2})?$/.test(text.trim())) return undefined
  const pounds = Number(text)
  return pounds <= 100_000 ? pounds : undefined
}

/** Undefined out of the bounds of the API too: a field for a day has the year 202 on its way to 2026. */
function day(text: string | null): string | undefined {
  return isDay(text) && text >= earliestDay && text <= latestDay ? text : undefined
}

function pageNumber(text: string | null): number {
  return text && /^\d{1,6}$/.test(text) ? Math.min(100_000, Math.max(1, Number(text))) : 1
}

/** Undefined for the radius of a search that names none. */
function radiusOf(text: string | null): Radius | undefined {
  return radii.find((radius) => radius !== defaultRadius && String(radius) === text)
}

function oneOf<T extends string>(known: readonly T[], text: string | null): T | undefined {
  return known.find((value) => value === text)
}

function inOrder<T extends number | string>(
  low: T | undefined,
  high: T | undefined,
): [T | undefined, T | undefined] {
  return low !== undefined && high !== undefined && low > high ? [high, low] : [low, high]
}
