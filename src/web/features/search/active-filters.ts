import type { FilterData } from '#contract/practitioners/practitioners.ts'
import type { RelaxableFilter } from '#contract/search.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatShortDay } from '#web/lib/time.ts'
import { type IdListName, type SearchFilters, withFilters } from './filters.ts'

/** Something that can be chosen in a list of the filters. */
export type Option = { value: string; label: string }

/** What each list offers, in the order in which it is shown. */
export type FilterOptions = Record<IdListName, Option[]> & { genders: string[] }

/** Everything one can filter by, as the panel shows it: the page is sent with no more. */
export function optionsOf(data: FilterData): FilterOptions {
  return {
    genders: data.genders,
    provider_id: data.provider_types.map((type) => option(type.provider_id, type.provider_type)),
    issue_id: data.issues.map((issue) => option(issue.issue_id, issue.issue_name)),
    therapy_type_id: data.therapy_types.map((type) => option(type.therapy_type_id, type.therapy_type_name)),
    language_id: data.languages.map((language) => option(language.language_id, language.language_name)),
    insurance_company_id: data.insurance_companies.map((company) =>
      option(company.insurance_company_id, company.insurance_company),
    ),
  }
}

const option = (id: number, label: string): Option => ({ value: String(id), label })

/** A filter that is on, in words, with the search as it would be without it. */
export type ActiveFilter = { key: string; label: string; without: SearchFilters }

/** Every filter that is on, in the order of the panel. */
export function activeFilters(filters: SearchFilters, options: FilterOptions): ActiveFilter[] {
  const active: ActiveFilter[] = []
  const add = (key: string, label: string, change: Partial<SearchFilters>) =>
    active.push({ key, label, without: withFilters(filters, change) })
  const addList = (name: IdListName) => {
    for (const id of filters[name]) {
      const label = options[name].find((known) => known.value === String(id))?.label ?? 'No longer offered'
      add(`${name}-${id}`, label, { [name]: filters[name].filter((other) => other !== id) })
    }
  }
  addList('issue_id')
  if (filters.session_type) {
    add('session_type', sessionTypeLabel(filters.session_type), { session_type: undefined })
  }
  const dates = datesLabel(filters)
  if (dates) {
    add('dates', dates, { date_from: undefined, date_to: undefined, instant_booking: undefined })
  }
  const price = priceLabel(filters)
  if (price) add('price', price, { min_price: undefined, max_price: undefined })
  addList('provider_id')
  if (filters.gender) add('gender', filters.gender, { gender: undefined })
  addList('language_id')
  addList('therapy_type_id')
  addList('insurance_company_id')
  if (filters.name) add('name', `Name: ${filters.name}`, { name: undefined })
  return active
}

export function sessionTypeLabel(type: NonNullable<SearchFilters['session_type']>): string {
  return type === 'online' ? 'Online' : 'Face-to-face'
}

function priceLabel({ min_price: low, max_price: high }: SearchFilters): string | undefined {
  if (low !== undefined && high !== undefined) return `${formatPounds(low)} to ${formatPounds(high)}`
  if (low !== undefined) return `From ${formatPounds(low)}`
  return high === undefined ? undefined : `Up to ${formatPounds(high)}`
}

function datesLabel({ date_from: from, date_to: to, instant_booking }: SearchFilters): string | undefined {
  const day = (text: string) => formatShortDay(`${text}T12:00:00Z`, 'UTC')
  if (from && to) return from === to ? `Free on ${day(from)}` : `Free ${day(from)} to ${day(to)}`
  if (from) return `Free from ${day(from)}`
  if (to) return `Free until ${day(to)}`
  return instant_booking ? 'Free in the next 7 days' : undefined
}

const relaxedLabels: Record<RelaxableFilter, string> = {
  provider_id: 'any type of practitioner',
  issue_id: 'any concern',
  therapy_type_id: 'any kind of therapy',
  language_id: 'any language',
  insurance_company_id: 'any insurer, or none',
  gender: 'any gender',
  name: 'any name',
  price: 'any price',
  session_type: 'online or face to face',
  dates: 'any day',
}

const dropped: Record<RelaxableFilter, Partial<SearchFilters>> = {
  provider_id: { provider_id: [] },
  issue_id: { issue_id: [] },
  therapy_type_id: { therapy_type_id: [] },
  language_id: { language_id: [] },
  insurance_company_id: { insurance_company_id: [] },
  gender: { gender: undefined },
  name: { name: undefined },
  price: { min_price: undefined, max_price: undefined },
  session_type: { session_type: undefined },
  dates: { date_from: undefined, date_to: undefined, instant_booking: undefined },
}

/** The way out of a search that finds none because of one filter: the words for dropping it, and the search without it. */
export function relaxation(
  filters: SearchFilters,
  filter: RelaxableFilter,
): { label: string; to: SearchFilters } {
  return { label: relaxedLabels[filter], to: withFilters(filters, dropped[filter]) }
}
