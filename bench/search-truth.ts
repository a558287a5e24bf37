import { dayNumber } from '#server/clock.ts'
import { zoneOf } from '#server/modules/availability/zone.ts'
import { type Outlook, outlookOf } from '#server/modules/availability/availability.rules.ts'
import { nameWords } from '#server/modules/search/names.rules.ts'
import { meritOf, rankOf } from '#server/modules/search/search.rules.ts'
import { genders } from '#server/db/seed/reference/lists.ts'
import { distance } from '#test/edit-distance.ts'
import type { Person } from './directory.ts'
import type { SearchQuery } from './search-queries.ts'

const london = zoneOf('Europe/London')
const pageSize = 20
const never = Number.MAX_SAFE_INTEGER

type Known = {
  person: Person
  words: string[]
  fees: [low: number, high: number]
  offers: { online: boolean; face_to_face: boolean }
  outlook: Outlook
  rank: number
  rating: number
}

export type Truth = {
  /** How many match a query, and the ids of the page that it asks for. */
  answer(query: SearchQuery): { total: number; ids: number[] }
  /** For each list of ids, and for genders, how many match with each value instead of those of the query. */
  counts(query: SearchQuery): Record<string, Map<string, number>>
}

/**
 * The expected results of searches at a moment, computed from the generated facts alone by checking every practitioner:
 * no index, no search row, and the textbook's distance between words.
 */
export function truthAt(people: readonly Person[], now: Date): Truth {
  const known = people.map((person) => knownOf(person, now))
  const today = Math.floor((now.getTime() + london.offsetAt(now.getTime())) / 86_400_000)
  return {
    counts(query) {
      return Object.fromEntries(
        Object.entries(valuesOf).map(([name, values]) => {
          const { [name]: _, ...others } = query
          const { matches } = conditionOf(others, today)
          const counts = new Map<string, number>()
          for (const each of known) {
            if (!matches(each)) continue
            for (const value of values(each.person)) counts.set(value, (counts.get(value) ?? 0) + 1)
          }
          return [name, counts]
        }),
      )
    },
    answer(query) {
      const { matches, exact } = conditionOf(query, today)
      const found = known.filter(matches)
      const key = orderOf(query, exact)
      const sorted = found
        .map((each) => ({ id: each.person.id, keys: key(each) }))
        .sort((a, b) => compare(a.keys, b.keys) || a.id - b.id)
      const start = (Number(query.page ?? '1') - 1) * pageSize
      return { total: found.length, ids: sorted.slice(start, start + pageSize).map((each) => each.id) }
    },
  }
}

const valuesOf: Record<string, (person: Person) => string[]> = {
  provider_id: (person) => person.providerTypeIds.map(String),
  issue_id: (person) => person.issueIds.map(String),
  therapy_type_id: (person) => person.therapyTypeIds.map(String),
  language_id: (person) => person.languageIds.map(String),
  insurance_company_id: (person) => person.insuranceCompanyIds.map(String),
  gender: (person) => genders.filter(({ id }) => id === person.genderId).map(({ name }) => name),
}

function knownOf(person: Person, now: Date): Known {
  const fees = person.services.map((service) => service.feePence / 100)
  const shortest = (type: 'online' | 'face_to_face') => {
    const minutes = person.services
      .filter((service) => service.appointmentType === type)
      .map((service) => service.durationMinutes)
    return minutes.length === 0 ? {} : { [type]: Math.min(...minutes) }
  }
  const durations = { ...shortest('online'), ...shortest('face_to_face') }
  const outlook = outlookOf({
    zone: zoneOf(person.timezone),
    // A location is identified by its index, which serves as its id here.
    schedule: person.schedule.map((hour) => ({
      weekday: hour.weekday,
      hour: hour.hour,
      appointment_type: hour.appointmentType,
      location_id: hour.locationIndex,
    })),
    busy: [],
    durations,
    now: now.getTime(),
    viewer: london,
    leadTimeMinutes: 60,
    holdsEnd: [],
  })
  const { ratings } = person
  const sum = ratings.reduce((total, each) => total + each, 0)
  const rating = ratings.length === 0 ? 0 : Math.round((sum * 100) / ratings.length)
  const merit = meritOf({
    rating_hundredths: rating,
    reviews_total: ratings.length,
    has_portrait: person.portrait !== null,
    has_video: person.hasVideo,
    about_length: person.aboutLength,
    facets: {
      provider_id: person.providerTypeIds,
      issue_id: person.issueIds,
      therapy_type_id: person.therapyTypeIds,
      language_id: person.languageIds,
      insurance_company_id: person.insuranceCompanyIds,
    },
  })
  return {
    person,
    words: nameWords(`${person.firstName} ${person.lastName}`),
    fees: [Math.min(...fees), Math.max(...fees)],
    offers: { online: 'online' in durations, face_to_face: 'face_to_face' in durations },
    outlook,
    rank: rankOf(merit, outlook.nextFree),
    rating,
  }
}

function conditionOf(query: SearchQuery, today: number) {
  const among = (parameter: string) => {
    const wanted = (query[parameter] ?? '').split(',').filter(Boolean).map(Number)
    return (values: readonly number[]) => wanted.length === 0 || wanted.some((id) => values.includes(id))
  }
  const [provider, issue, therapy, language, insurance] = [
    among('provider_id'),
    among('issue_id'),
    among('therapy_type_id'),
    among('language_id'),
    among('insurance_company_id'),
  ]
  const gender = genders.find(({ name }) => name === query.gender)?.id
  const low = Number(query.min_price ?? 0)
  const high = Number(query.max_price ?? never)
  const type = query.session_type as 'online' | 'face_to_face' | undefined
  const dated = query.instant_booking === 'true' || query.date_from || query.date_to
  const from = Math.max(today, query.date_from ? dayNumber(query.date_from) : today)
  const to = query.date_to ? dayNumber(query.date_to) : from + 7
  const inRange = (days: readonly number[]) => days.some((day) => day >= from && day <= to)
  const typed = nameWords(query.name ?? '').map((text) => ({ text, near: rememberNear(text) }))
  return {
    matches: ({ person, words, fees, offers, outlook: { freeDays } }: Known) =>
      provider(person.providerTypeIds) &&
      issue(person.issueIds) &&
      therapy(person.therapyTypeIds) &&
      language(person.languageIds) &&
      insurance(person.insuranceCompanyIds) &&
      (gender === undefined || person.genderId === gender) &&
      fees[0] <= high &&
      fees[1] >= low &&
      (!type || offers[type]) &&
      (!dated ||
        (type !== 'face_to_face' && inRange(freeDays.online)) ||
        (type !== 'online' && inRange(freeDays.face_to_face))) &&
      typed.every(({ near }) => words.some(near)),
    exact: ({ words }: Known) => typed.every(({ text }) => words.some((word) => word.includes(text))),
  }
}

/** Sort keys, lower first. */
function orderOf(query: SearchQuery, exact: (each: Known) => boolean): (each: Known) => number[] {
  const soonest = ({ outlook: { nextFree } }: Known) =>
    Math.min(
      query.session_type === 'face_to_face' ? never : (nextFree.online?.getTime() ?? never),
      query.session_type === 'online' ? never : (nextFree.face_to_face?.getTime() ?? never),
    )
  switch (query.sort) {
    case 'price_asc':
      return ({ fees }) => [fees[0]]
    case 'price_desc':
      return ({ fees }) => [-fees[1]]
    case 'rating':
      return ({ rating }) => [-rating]
    case 'soonest':
      return (each) => [soonest(each)]
    default:
      return (each) => [exact(each) ? 0 : 1, -each.rank]
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    if (value !== other) return value - other
  }
  return 0
}

/** Whether a word of a name is meant by what was typed. Names share their words, so each is looked at once. */
function rememberNear(typed: string): (word: string) => boolean {
  const answers = new Map<string, boolean>()
  return (word) => {
    const known = answers.get(word)
    if (known !== undefined) return known
    const answer =
      word.includes(typed) ||
      (typed.length >= 3 && distance(typed, word) <= 1) ||
      (typed.length >= 5 && partsOf(word).some((part) => distance(typed, part) <= 1))
    answers.set(word, answer)
    return answer
  }
}

function partsOf(word: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < word.length; start++) {
    for (let end = start + 1; end <= word.length; end++) parts.push(word.slice(start, end))
  }
  return parts
}
