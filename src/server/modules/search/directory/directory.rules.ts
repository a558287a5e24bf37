import type { AppointmentType } from '#contract/common.ts'
import type { sortOrders } from '#contract/search.ts'
import type { CountedFilter, FilterOfKind, RelaxableFilter } from '#contract/search-filters.ts'
import type { FeeRange, Filters } from '../search.rules.ts'
import type { PlacePoint } from '../near.rules.ts'

/** What the index knows of a practitioner. Times are epoch milliseconds; infinite without one. */
export type DirectoryRow = {
  practitionerId: number
  /** The number of the transaction that wrote the row. */
  version: number
  rank: number
  ratingHundredths: number
  minFeePence: number
  maxFeePence: number
  /** Of the sessions in each format, if there are any. */
  fees: Record<AppointmentType, FeeRange | null>
  listedUntil: number
  freshUntil: number
  knowsNextStarts: boolean
  nextFree: Record<AppointmentType, number>
  freeDays: Record<AppointmentType, readonly number[]>
  /** Ids of the words of the name. */
  wordIds: readonly number[]
  values: readonly Value[]
  /** Where clients are seen in person, as the public sees it. */
  places: readonly PlacePoint[]
}

export type ValuedFilter = FilterOfKind<'ids' | 'named' | 'choice' | 'format'>

/** A value of a filter: an id, a fixed value or a format. */
export type Value = { filter: ValuedFilter; value: number | string }

/** A value that is counted, by the key under which its count is sent. */
export type Option = Value & { key: string }

export type Sort = (typeof sortOrders)[number]

export type Asked = {
  filters: Filters
  sort: Sort
  limit: number
  offset: number
  counts: boolean
  today: number
}

export type Counts = Record<CountedFilter, Record<string, number>>
export type Needs = Partial<Record<CountedFilter, Record<string, RelaxableFilter>>>

export type Found = {
  total: number
  /** Practitioners of the page, in order. */
  ids: number[]
  /** As JSON: `Counts`. */
  counts?: string
  needs?: Needs
  /** Without matches: what there would be without one filter, most first. */
  relax?: { filter: RelaxableFilter; total: number }[]
}
