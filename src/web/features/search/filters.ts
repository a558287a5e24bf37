import type { AppointmentType } from '#contract/common.ts'
import type { sortOrders } from '#contract/search.ts'

export type SortOrder = (typeof sortOrders)[number]

/** Filters that are lists of ids, by the name of their parameter. */
export const idLists = [
  'provider_id',
  'issue_id',
  'therapy_type_id',
  'language_id',
  'insurance_company_id',
] as const
export type IdListName = (typeof idLists)[number]

/**
 * The filters of a search. A filter that is off is absent or an empty list. Ids are ascending and unique; money is in
 * pounds; days are `YYYY-MM-DD`.
 */
export type SearchFilters = Record<IdListName, number[]> & {
  gender?: string
  name?: string
  min_price?: number
  max_price?: number
  session_type?: AppointmentType
  date_from?: string
  date_to?: string
  instant_booking?: true
  /** Absent for the recommended order. */
  sort?: Exclude<SortOrder, 'recommended'>
  /** From 1. */
  page: number
}

export const noFilters: SearchFilters = {
  provider_id: [],
  issue_id: [],
  therapy_type_id: [],
  language_id: [],
  insurance_company_id: [],
  page: 1,
}

/** The choice of no gender, in the specification's words. */
export const anyGender = "it doesn't matter"

const sessionTypes = ['online', 'face_to_face'] as const satisfies AppointmentType[]
const otherOrders = ['price_asc', 'price_desc', 'rating', 'soonest'] as const satisfies SortOrder[]

/** The most ids in one list that the API takes. */
const maxIds = 100

/**
 * Reads the query of a page or the fields of a form. Ids may be joined by commas or come one by one, as a plain form
 * sends them; what cannot be understood is left out.
 */
export function parseFilters(query: URLSearchParams): SearchFilters {
  const [min_price, max_price] = inOrder(money(query.get('min_price')), money(query.get('max_price')))
  const [date_from, date_to] = inOrder(day(query.get('date_from')), day(query.get('date_to')))
  const filters: SearchFilters = {
    ...noFilters,
    gender: genderText(query.get('gender')),
    name: words(query.get('name'), 100),
    min_price,
    max_price,
    session_type: oneOf(sessionTypes, query.get('session_type')),
    date_from,
    date_to,
    instant_booking: ['true', '1', 'on'].includes(query.get('instant_booking') ?? '') ? true : undefined,
    sort: oneOf(otherOrders, query.get('sort')),
    page: pageNumber(query.get('page')),
  }
  for (const name of idLists) filters[name] = ids(query.getAll(name))
  return filters
}

/** The parameters of the API and of the page alike, in one order, without those that are off. */
export function filterPairs(filters: SearchFilters): [name: string, value: string][] {
  const { page, sort, gender, name, min_price, max_price } = filters
  const { session_type, date_from, date_to, instant_booking } = filters
  const pairs: [string, string | number | boolean | undefined][] = [
    ...idLists.map((list): [string, string] => [list, filters[list].join(',')]),
    ['gender', gender],
    ['name', name],
    ['min_price', min_price],
    ['max_price', max_price],
    ['session_type', session_type],
    ['date_from', date_from],
    ['date_to', date_to],
    ['instant_booking', instant_booking],
    ['sort', sort],
    ['page', page === 1 ? undefined : page],
  ]
  return pairs.flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, String(value)]]))
}

/** `?issue_id=1,2&sort=rating`, or nothing. Commas stay readable. */
export function queryOf(filters: SearchFilters): string {
  const parts = filterPairs(filters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** The one address of a search, to be shared. */
export function resultsPath(filters: SearchFilters): string {
  return `/found-therapists${queryOf(filters)}`
}

/** Whether a query is already written in the one way. */
export function isCanonical(query: URLSearchParams, filters: SearchFilters): boolean {
  const pairs = filterPairs(filters)
  const given = [...query]
  return (
    given.length === pairs.length &&
    pairs.every(([name, value], at) => given[at]?.[0] === name && given[at]?.[1] === value)
  )
}

/** The same search from its first page with some filters changed. */
export function withFilters(filters: SearchFilters, change: Partial<SearchFilters>): SearchFilters {
  return { ...filters, ...change, page: change.page ?? 1 }
}

/** Everything off; the order stays. */
export function cleared(filters: SearchFilters): SearchFilters {
  return { ...noFilters, sort: filters.sort }
}

/** The first values of dates and instant booking when they are switched on: today to seven days later. */
export function firstFreeTime(
  today: string,
): Pick<SearchFilters, 'date_from' | 'date_to' | 'instant_booking'> {
  return { date_from: today, date_to: dayAfter(today, 7), instant_booking: true }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
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

function genderText(text: string | null): string | undefined {
  const gender = words(text, 40)
  return gender?.toLowerCase() === anyGender ? undefined : gender
}

function money(text: string | null): number | undefined {
  if (!text || !/^\d{1,6}(\.\d{1,2})?$/.test(text.trim())) return undefined
  const pounds = Number(text)
  return pounds <= 100_000 ? pounds : undefined
}

function day(text: string | null): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  // A day that no month has is read as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

function pageNumber(text: string | null): number {
  return text && /^\d{1,6}$/.test(text) ? Math.min(100_000, Math.max(1, Number(text))) : 1
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
