import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerQuery, RelaxableFilter } from '#contract/search.ts'
import { dayInLondon } from '../../clock.ts'

/** Facets that are lists of ids, and the letter that their tags begin with. */
export const facetLetters = {
  provider_id: 'p',
  issue_id: 'i',
  therapy_type_id: 't',
  language_id: 'l',
  insurance_company_id: 'c',
} as const
export type Facet = keyof typeof facetLetters
const facets = [
  'provider_id',
  'issue_id',
  'therapy_type_id',
  'language_id',
  'insurance_company_id',
] as const satisfies Facet[]
const nameLetter = 'n'

/** The ids of the words of names that one typed word matches. */
export type MatchedWord = { exact: number[]; close: number[] }

/** Filters of a search; an inactive one is absent. */
export type Filters = {
  facets: Partial<Record<Facet, number[]>>
  genderId?: number
  /** One entry for each typed word. */
  name?: MatchedWord[]
  price?: { minPence: number; maxPence: number }
  sessionType?: AppointmentType
  /** Days since 1970-01-01 in Europe/London, both included; `to` before `from` matches no practitioner. */
  days?: { from: number; to: number }
}

const hundredPence = (pounds: number) => Math.round(pounds * 100)

/** The filters that need no database query. `today` is a day number in Europe/London. */
export function filtersOf(query: PractitionerQuery, today: number): Filters {
  const filters: Filters = { facets: {} }
  for (const facet of facets) {
    const ids = query[facet]
    if (ids && ids.length > 0) filters.facets[facet] = ids
  }
  if (query.min_price !== undefined || query.max_price !== undefined) {
    filters.price = {
      minPence: hundredPence(query.min_price ?? 0),
      maxPence: query.max_price === undefined ? 2_147_483_647 : hundredPence(query.max_price),
    }
  }
  if (query.session_type) filters.sessionType = query.session_type
  const days = daysOf(query, today)
  if (days) filters.days = days
  return filters
}

/** Days that a range without an end continues after its first day. */
export const defaultRangeDays = 7

function daysOf(query: PractitionerQuery, today: number): Filters['days'] {
  if (!query.instant_booking && !query.date_from && !query.date_to) return undefined
  const from = Math.max(today, query.date_from ? dayOf(query.date_from) : today)
  const to = query.date_to ? dayOf(query.date_to) : from + defaultRangeDays
  return { from, to }
}

/** `YYYY-MM-DD` as days since 1970-01-01. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

/** The day number of an instant's date in Europe/London. */
export function dayNumberInLondon(instant: Date): number {
  return dayOf(dayInLondon(instant))
}

/** The days left in the week of `day`, Monday to Sunday; the coming seven days if that week is over. */
export function daysLeftOfWeek(day: number, today: number): { from: number; to: number } {
  // 1970-01-01 was a Thursday.
  const monday = day - ((day + 3) % 7)
  const sunday = monday + 6
  return sunday < today ? { from: today, to: today + 6 } : { from: Math.max(monday, today), to: sunday }
}

/** The tags of a row: its facets and the words of its name. */
export function tagsOf(values: Record<Facet, readonly number[]>, wordIds: readonly number[]): string[] {
  return [
    ...facets.flatMap((facet) => values[facet].map((id) => `${facetLetters[facet]}${id}`)),
    ...wordIds.map((id) => `${nameLetter}${id}`),
  ]
}

/**
 * The text of a tsquery for all id lists and names, such as `(i1|i2)&l3`, built from letters and integers alone.
 * Undefined without such a filter; null when no row can match.
 */
export function tagQuery(filters: Filters, mistakes: 'forgiven' | 'refused'): string | null | undefined {
  const groups = facets.flatMap((facet) => {
    const ids = filters.facets[facet]
    return ids ? [anyOf(facetLetters[facet], ids)] : []
  })
  for (const { exact, close } of filters.name ?? []) {
    const ids = mistakes === 'forgiven' ? [...exact, ...close] : exact
    if (ids.length === 0) return null
    groups.push(anyOf(nameLetter, ids))
  }
  return groups.length === 0 ? undefined : groups.join('&')
}

const anyOf = (letter: string, ids: readonly number[]) =>
  `(${ids.map((id) => `${letter}${Math.trunc(id)}`).join('|')})`

/** The active filters, by the name under which they can be relaxed. */
export function filtersInUse(filters: Filters): RelaxableFilter[] {
  return [
    ...facets.filter((facet) => filters.facets[facet]),
    ...(filters.genderId === undefined ? [] : (['gender'] as const)),
    ...(filters.name ? (['name'] as const) : []),
    ...(filters.price ? (['price'] as const) : []),
    ...(filters.sessionType ? (['session_type'] as const) : []),
    ...(filters.days ? (['dates'] as const) : []),
  ]
}

/** The same filters without one. */
export function without(filters: Filters, dropped: RelaxableFilter): Filters {
  const rest: Filters = { ...filters, facets: { ...filters.facets } }
  if (dropped === 'gender') delete rest.genderId
  else if (dropped === 'name') delete rest.name
  else if (dropped === 'price') delete rest.price
  else if (dropped === 'session_type') delete rest.sessionType
  else if (dropped === 'dates') delete rest.days
  else delete rest.facets[dropped]
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
