import type { FilterData } from '#contract/practitioners/practitioners.ts'
import { choicesOf, type FilterOfKind, filtersOfKind, filterTable } from '#contract/search-filters.ts'
import type { FeeRange } from '../search.rules.ts'
import type { DirectoryRow, Option, Value } from './directory.rules.ts'
import type { StoredRow } from './directory.store.ts'

const facetOfLetter = new Map<string, FilterOfKind<'ids'>>(
  filtersOfKind('ids').map((name) => [filterTable[name].tag, name]),
)
const wordLetter = filterTable.name.tag
const columns = filtersOfKind('named', 'choice').map((name) => ({ name, column: filterTable[name].column }))
const formats = choicesOf('session_type').map((type) => ({
  type,
  column: filterTable.session_type.columns[type],
}))

const numbersIn = (text: string): number[] => (text === '' ? [] : text.split(' ').map(Number))

const feeRange = (lowest: number | null, highest: number | null): FeeRange | null =>
  lowest === null || highest === null ? null : { lowest, highest }

/** What the index knows of a practitioner. */
export function toDirectoryRow(row: StoredRow): DirectoryRow {
  const values: Value[] = []
  const wordIds: number[] = []
  for (const tag of row.tags === '' ? [] : row.tags.split(' ')) {
    const letter = tag[0] ?? ''
    const id = Number(tag.slice(1))
    if (letter === wordLetter) wordIds.push(id)
    const filter = facetOfLetter.get(letter)
    if (filter) values.push({ filter, value: id })
  }
  for (const { name, column } of columns) {
    const value = row[column]
    if (value !== null) values.push({ filter: name, value })
  }
  for (const { type, column } of formats) {
    if (row[column]) values.push({ filter: 'session_type', value: type })
  }
  return {
    practitionerId: row.id,
    version: row.version,
    rank: row.rank,
    ratingHundredths: row.rating_hundredths,
    minFeePence: row.min_fee_pence,
    maxFeePence: row.max_fee_pence,
    fees: {
      online: feeRange(row.min_online_fee_pence, row.max_online_fee_pence),
      face_to_face: feeRange(row.min_face_to_face_fee_pence, row.max_face_to_face_fee_pence),
    },
    listedUntil: row.listed_until,
    freshUntil: row.fresh_until,
    knowsNextStarts: row.knows_next_starts,
    nextFree: {
      online: row.next_free_online ?? Number.POSITIVE_INFINITY,
      face_to_face: row.next_free_face_to_face ?? Number.POSITIVE_INFINITY,
    },
    freeDays: {
      online: numbersIn(row.free_days_online),
      face_to_face: numbersIn(row.free_days_face_to_face),
    },
    wordIds,
    values,
    places: row.place_points ?? [],
  }
}

type Lists = Omit<FilterData, 'min_price' | 'max_price' | 'genders'>

/** Every value that is counted. */
export function toOptions(lists: Lists, genderIds: ReadonlyMap<string, number>): Option[] {
  return [
    ...filtersOfKind('ids').flatMap((filter) =>
      (lists[filterTable[filter].list] as readonly Record<string, unknown>[]).map((entry) => ({
        filter,
        value: Number(entry[filter]),
        key: String(entry[filter]),
      })),
    ),
    ...Array.from(genderIds, ([name, id]) => ({ filter: 'gender' as const, value: id, key: name })),
    ...choicesOf('pronouns').map((value) => ({ filter: 'pronouns' as const, value, key: value })),
    ...choicesOf('session_type').map((value) => ({ filter: 'session_type' as const, value, key: value })),
  ]
}
