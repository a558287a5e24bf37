import type { AppointmentType } from '#contract/common.ts'
import type { NextStart, PractitionerQuery } from '#contract/search.ts'
import {
  type ChoiceOf,
  type countedDays,
  defaultRangeDays,
  type FilterName,
  type FilterOfKind,
  filterOrder,
  filtersOfKind,
  filterTable,
  isOfKind,
  type RelaxableFilter,
  relaxableFilters,
} from '#contract/search-filters.ts'
import { dayInLondon, dayNumber, mondayOf } from '../../clock.ts'
import type { Circle } from './near.rules.ts'

/** Filters that are lists of ids. */
export type Facet = FilterOfKind<'ids'>
const facets = filtersOfKind('ids')

/** The ids of the words of names that one typed word matches. */
export type MatchedWord = { exact: number[]; close: number[] }

/** The lowest and the highest fee, in pence. */
export type FeeRange = { lowest: number; highest: number }

/** What a filter of a kind asks for. */
type Wanted = {
  ids: number[]
  /** The id of the name. */
  named: number
  /** One entry for each typed word. */
  words: MatchedWord[]
  pounds: FeeRange
  format: AppointmentType
  place: Circle
  /** Days since 1970-01-01 in Europe/London, both included; `to` before `from` matches no practitioner. */
  days: { from: number; to: number }
}

/** Filters of a search; an inactive one is absent. */
export type Filters = {
  [Kind in keyof Wanted as FilterOfKind<Kind>]?: Wanted[Kind]
} & { [Name in FilterOfKind<'choice'>]?: ChoiceOf<Name> }

const hundredPence = (pounds: number) => Math.round(pounds * 100)

/** The filters that need no database query. `today` is a day number in Europe/London. */
export function filtersOf(query: PractitionerQuery, today: number): Filters {
  const filters: Filters = {}
  const set = <Name extends FilterName>(name: Name, wanted: Filters[Name]) => {
    if (wanted !== undefined) filters[name] = wanted
  }
  for (const name of filterOrder.address) {
    if (isOfKind(name, 'ids')) set(name, query[name]?.length ? query[name] : undefined)
    else if (isOfKind(name, 'choice', 'format')) set(name, query[name])
    else if (isOfKind(name, 'pounds')) set(name, penceOf(query, name))
    else if (isOfKind(name, 'days')) set(name, daysOf(query, name, today))
  }
  return filters
}

function penceOf(query: PractitionerQuery, name: FilterOfKind<'pounds'>): Wanted['pounds'] | undefined {
  const { low, high } = filterTable[name]
  const [lowest, highest] = [query[low], query[high]]
  if (lowest === undefined && highest === undefined) return undefined
  return {
    lowest: hundredPence(lowest ?? 0),
    highest: highest === undefined ? 2_147_483_647 : hundredPence(highest),
  }
}

function daysOf(
  query: PractitionerQuery,
  name: FilterOfKind<'days'>,
  today: number,
): Wanted['days'] | undefined {
  const { from: first, to: last, flag } = filterTable[name]
  const [begin, end] = [query[first], query[last]]
  if (!query[flag] && !begin && !end) return undefined
  const from = Math.max(today, begin ? dayNumber(begin) : today)
  return { from, to: end ? dayNumber(end) : from + defaultRangeDays }
}

/** Most days of a query. Rows hold no days further ahead. */
const maxRangeDays = 62

export function daysBetween({ from, to }: Wanted['days']): number[] {
  const length = Math.max(0, Math.min(to - from + 1, maxRangeDays))
  return Array.from({ length }, (_, index) => from + index)
}

/** The ranges of days that are counted. */
export function countedRanges(today: number): Record<(typeof countedDays)[number], Wanted['days']> {
  return { today: { from: today, to: today }, week: { from: today, to: today + defaultRangeDays } }
}

/** The day number of an instant's date in Europe/London. */
export function dayNumberInLondon(instant: Date): number {
  return dayNumber(dayInLondon(instant))
}

/** The days left in the week of `day`, Monday to Sunday; the coming seven days if that week is over. */
export function daysLeftOfWeek(day: number, today: number): { from: number; to: number } {
  const monday = mondayOf(day)
  const sunday = monday + 6
  return sunday < today ? { from: today, to: today + 6 } : { from: Math.max(monday, today), to: sunday }
}

/** A value of a row's tags: a letter and an id. */
export function tagOf(name: FilterOfKind<'ids' | 'words'>, id: number): string {
  return `${filterTable[name].tag}${Math.trunc(id)}`
}

/** Those of a row's tags that are of one facet. */
export function ofFacet(name: FilterOfKind<'ids'>, tags: readonly string[]): string[] {
  const letter = filterTable[name].tag
  return tags.filter((tag) => tag.startsWith(letter) && /^\d+$/.test(tag.slice(letter.length)))
}

/** The tags of a row: its facets and the words of its name. */
export function tagsOf(values: Record<Facet, readonly number[]>, wordIds: readonly number[]): string[] {
  return [
    ...facets.flatMap((facet) => values[facet].map((id) => tagOf(facet, id))),
    ...wordIds.map((id) => tagOf('name', id)),
  ]
}

/**
 * The text of a tsquery for all id lists and names, such as `(i1|i2)&l3`, built from letters and integers alone.
 * Undefined without such a filter; null when no row can match.
 */
export function tagQuery(filters: Filters, mistakes: 'forgiven' | 'refused'): string | null | undefined {
  const groups = facets.flatMap((facet) => {
    const ids = filters[facet]
    return ids ? [anyOf(facet, ids)] : []
  })
  for (const { exact, close } of filters.name ?? []) {
    const ids = mistakes === 'forgiven' ? [...exact, ...close] : exact
    if (ids.length === 0) return null
    groups.push(anyOf('name', ids))
  }
  return groups.length === 0 ? undefined : groups.join('&')
}

/** A typed word that matches more words of names than this is not looked up by itself. */
const wordsLookedUp = 100

/**
 * The same in two parts: what rows are looked up by, and lists of tags of which a row has to have one each. A short word is
 * in most names: to look up each of them takes far longer than to check the rows that all else has found, and a tsquery
 * cannot hold tens of thousands.
 */
export function tagConditions(
  filters: Filters,
  mistakes: 'forgiven' | 'refused',
): { lookUp?: string; lists: string[][] } | null {
  const { name: words, ...others } = filters
  const idsOf = ({ exact, close }: MatchedWord) => (mistakes === 'forgiven' ? [...exact, ...close] : exact)
  const isBroad = (word: MatchedWord) => idsOf(word).length > wordsLookedUp
  const selective = words?.filter((word) => !isBroad(word)) ?? []
  const lookUp = tagQuery(selective.length > 0 ? { ...others, name: selective } : others, mistakes)
  if (lookUp === null) return null
  const broad = words?.filter(isBroad) ?? []
  const lists = broad.map((word) => idsOf(word).map((id) => tagOf('name', id)))
  return lookUp === undefined ? { lists } : { lookUp, lists }
}

const anyOf = (name: FilterOfKind<'ids' | 'words'>, ids: readonly number[]) =>
  `(${ids.map((id) => tagOf(name, id)).join('|')})`

/** The active filters that can be relaxed. */
export function filtersInUse(filters: Filters): RelaxableFilter[] {
  return relaxableFilters.filter((name) => filters[name] !== undefined)
}

/** The same filters without one. */
export function without(filters: Filters, dropped: RelaxableFilter): Filters {
  const rest = { ...filters }
  delete rest[dropped]
  // A place is searched near in sessions face to face alone.
  if (dropped === 'session_type') delete rest.near
  return rest
}

// Recommended order -------------------------------------------------------------------------------------------------

/** The rating assumed without reviews, and the number of reviews that it weighs as much as. */
const prior = { ratingHundredths: 420, reviews: 5 }

/** Length of an "about" text, in characters, that counts as complete. */
const fullBio = 1500

type Merits = {
  rating_hundredths: number
  reviews_total: number
  has_portrait: boolean
  has_video: boolean
  about_length: number
  facets: Record<Facet, readonly number[]>
}

/**
 * The part of the rank that does not depend on free time, 0 to 1000. Up to 700 is the rating, drawn towards the prior
 * while reviews are few, so that a single five does not lead the list; up to 300 is how complete the profile is.
 */
export function meritOf(facts: Merits): number {
  const weight = facts.reviews_total + prior.reviews
  const rating =
    (facts.rating_hundredths * facts.reviews_total + prior.ratingHundredths * prior.reviews) / weight
  const complete =
    (facts.has_portrait ? 90 : 0) +
    90 * Math.min(1, facts.about_length / fullBio) +
    (facts.has_video ? 30 : 0) +
    30 * Math.min(1, facts.facets.issue_id.length / 5) +
    30 * Math.min(1, facts.facets.therapy_type_id.length / 2) +
    30 * Math.min(1, facts.facets.language_id.length)
  return Math.round(((rating - 100) / 400) * 700 + complete)
}

/** As large as the largest merit, so that no other practitioner ranks above a bookable one. */
const bookableBonus = 1000

/** The rank in the recommended order: practitioners with free time in the bookable days first, then by merit. */
export function rankOf(merit: number, nextFree: Record<AppointmentType, Date | null>): number {
  return merit + (nextFree.online || nextFree.face_to_face ? bookableBonus : 0)
}

/** Most starts that a card shows. */
const startsOnCard = 4

/** The earliest starts in a format, or in both: a time offered in both counts once, as online. */
export function nextStarts(starts: readonly NextStart[], type: AppointmentType | undefined): NextStart[] {
  const offered = starts.filter((start) => type === undefined || start.appointment_type === type)
  const online = new Set(
    offered.filter((start) => start.appointment_type === 'online').map((start) => start.starts_at),
  )
  return offered
    .filter((start) => start.appointment_type === 'online' || !online.has(start.starts_at))
    .sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
    .slice(0, startsOnCard)
}
