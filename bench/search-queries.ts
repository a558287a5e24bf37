import { genders } from '#server/db/seed/reference/lists.ts'
import { createRandom, type Random } from '#server/db/seed/demo/random.ts'
import type { Person } from './directory.ts'

/** The query of a search, as it stands in an address. */
export type SearchQuery = Record<string, string>

const seed = 120
const facets = {
  provider_id: (person: Person) => person.providerTypeIds,
  issue_id: (person: Person) => person.issueIds,
  therapy_type_id: (person: Person) => person.therapyTypeIds,
  language_id: (person: Person) => person.languageIds,
  insurance_company_id: (person: Person) => person.insuranceCompanyIds,
}
const facetNames = Object.keys(facets) as (keyof typeof facets)[]
const sorts = ['price_asc', 'price_desc', 'rating', 'soonest'] as const

/**
 * 120 searches as visitors make them, the same on every machine and day. They ask for what a practitioner in the
 * directory offers, one filter or several together, and for names in part or mistyped, prices, days, orders and pages.
 */
export function mixedQueries(people: readonly Person[], today: string): SearchQuery[] {
  return queriesOf(people, today, 'queries')
}

/** So many different searches of the same kinds. */
export function differentQueries(people: readonly Person[], today: string, count: number): SearchQuery[] {
  const found = new Map<string, SearchQuery>()
  for (let round = 0; found.size < count; round++) {
    for (const query of queriesOf(people, today, `queries ${round}`)) found.set(JSON.stringify(query), query)
  }
  return [...found.values()].slice(0, count)
}

function queriesOf(people: readonly Person[], today: string, series: string): SearchQuery[] {
  const random = createRandom(seed, series)
  const somebody = () => random.pick(people)
  const facet = (person: Person, name = random.pick(facetNames)): SearchQuery => {
    const own = facets[name](person)
    if (own.length === 0) return facet(somebody(), name)
    return { [name]: random.sample(own, random.int(1, Math.min(3, own.length))).join(',') }
  }
  const several = (count: number): SearchQuery => {
    const person = people.find((each) => each.id > random.int(0, people.length - 1) && hasEverything(each))!
    return Object.assign(
      {},
      ...random.sample(facetNames, count).map((name) => facet(person, name)),
    ) as SearchQuery
  }
  const day = (ahead: number) =>
    new Date(Date.parse(`${today}T12:00:00Z`) + ahead * 86_400_000).toISOString().slice(0, 10)
  const days = (): SearchQuery => {
    const from = random.int(0, 20)
    return { date_from: day(from), date_to: day(from + random.int(0, 9)) }
  }
  const prices = (): SearchQuery => {
    const low = random.int(3, 12) * 10
    return { min_price: String(low), max_price: String(low + random.int(1, 8) * 10) }
  }
  const format = (): SearchQuery => ({ session_type: random.pick(['online', 'face_to_face']) })
  const gender = (): SearchQuery => ({ gender: random.pick(genders).name })
  const order = (): SearchQuery => ({ sort: random.pick(sorts) })
  const page = (): SearchQuery => ({ page: String(random.int(2, 8)) })

  const kinds: [number, () => SearchQuery][] = [
    [1, () => ({})],
    [19, () => facet(somebody())],
    [18, () => several(2)],
    [10, () => ({ ...several(3), ...gender() })],
    [10, () => ({ ...facet(somebody()), ...gender(), ...format() })],
    [6, () => ({ name: part(random, fullName(somebody())) })],
    [6, () => ({ name: mistyped(random, fullName(somebody())) })],
    [4, () => ({ name: mistyped(random, somebody().lastName), ...format() })],
    [8, () => ({ ...facet(somebody()), ...prices() })],
    [4, () => ({ ...several(2), ...prices(), ...format() })],
    [6, () => ({ ...facet(somebody()), instant_booking: 'true' })],
    [6, () => ({ ...several(2), ...days(), ...format() })],
    [4, () => ({ ...days(), ...gender() })],
    [8, () => ({ ...facet(somebody()), ...order() })],
    [4, () => ({ ...prices(), ...order() })],
    [6, () => ({ ...facet(somebody()), ...page() })],
  ]
  return random.shuffle(kinds.flatMap(([count, make]) => Array.from({ length: count }, make)))
}

const hasEverything = (person: Person) => facetNames.every((name) => facets[name](person).length > 0)

const fullName = (person: Person) => `${person.firstName} ${person.lastName}`

function part(random: Random, name: string): string {
  const start = random.int(0, Math.max(0, name.length - 6))
  return name.slice(start, start + random.int(4, 9)).trim()
}

/** One letter left out, doubled, wrong, or swapped with its neighbour. */
function mistyped(random: Random, name: string): string {
  const at = random.int(1, name.length - 2)
  const [before, after] = [name.slice(0, at), name.slice(at + 1)]
  const letter = name[at] ?? ''
  return random.pick([
    before + after,
    before + letter + letter + after,
    `${before}e${after}`,
    before + (after[0] ?? '') + letter + after.slice(1),
  ])
}
