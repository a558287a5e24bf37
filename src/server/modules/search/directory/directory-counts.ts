import type { AppointmentType } from '#contract/common.ts'
import {
  choicesOf,
  type CountedFilter,
  countedFilters,
  type FilterName,
  isOfKind,
  type RelaxableFilter,
} from '#contract/search-filters.ts'
import { countedRanges, filtersInUse } from '../search.rules.ts'
import { type Bitmap, membersOf } from './bitmaps.ts'
import type { Counted } from './directory-documents.ts'
import { DirectoryMasks, type Matches, type Search } from './directory-masks.ts'
import type { Needs, Option } from './directory.rules.ts'
import { NumberedText } from './numbered-text.ts'

const formats = choicesOf('session_type')

/**
 * Nanoseconds for finding a document of a set and adding one of its vectors, most of it for reading memory; for a word of a
 * value's set and the matches; and for a word of two sets until a member is found that both have.
 */
const cost = { document: 4, vector: 4, word: 0.19, looked: 0.5 }

/** The values of one filter, by their places among all that are counted. */
type Range = { filter: CountedFilter; from: number; to: number }

/** Counts for every value what a search for it as well would match. */
export class DirectoryCounts extends DirectoryMasks {
  /** All values but formats and days, those of one filter together. */
  readonly #counted: readonly Counted[]
  readonly #ranges: readonly Range[]
  /** The set of each value. */
  readonly #sets: readonly Bitmap[]
  /** What the rows call each value. */
  readonly #slots: Int32Array
  /** The counts of the search at hand, and their text but for those of formats and days. */
  readonly #numbers: Int32Array
  readonly #text: NumberedText

  /** @param options all values that are counted */
  constructor(options: Option[]) {
    super(options)
    this.#counted = this.options.filter(({ filter }) => !isOfKind(filter, 'format', 'days'))
    this.#ranges = countedFilters.flatMap((filter) => {
      if (isOfKind(filter, 'format', 'days')) return []
      const from = this.#counted.findIndex((option) => option.filter === filter)
      const to = this.#counted.findLastIndex((option) => option.filter === filter) + 1
      return [{ filter, from: Math.max(0, from), to }]
    })
    this.#sets = this.#counted.map(({ kept }) => kept.documents)
    this.#slots = Int32Array.from(this.#counted, ({ kept }) => this.rows.slotOf(kept.ordinal))
    this.#numbers = new Int32Array(this.#counted.length)
    this.#text = textOf(this.#ranges, this.#counted)
  }

  /** For a search without matches: what there would be without one filter, most first. */
  protected relaxations(search: Search): { filter: RelaxableFilter; total: number }[] {
    return filtersInUse(search.filters)
      .map((filter) => ({ filter, total: this.combined(search, filter).total }))
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total)
  }

  /** The counts as JSON, an object of values for each filter; `today` is a day number in Europe/London. */
  protected counts(search: Search, today: number): { counts: string; needs: Needs } {
    const { filters, groups } = search
    const chosen = new Set<FilterName>(groups.map(({ name }) => name))
    const together = this.#ranges.filter(({ filter }) => !chosen.has(filter))
    this.#countEach(this.combined(search), together)
    for (const range of this.#ranges) {
      if (chosen.has(range.filter)) this.#countEach(this.combined(search, range.filter), [range])
    }
    const ofFormats = formats.map((type) => this.#inFormat(search, type).total)
    const ranges = Object.entries(countedRanges(today))
    const free = ranges.map(([, range]) => this.freeIn(range, filters.session_type))
    const ofDays = new Int32Array(free.length)
    this.bitmaps.countEach(this.combined(search, 'dates').mask, free, ofDays)
    const needs = this.#needs(search, today, ofFormats, ofDays)
    const byFormat = Object.fromEntries(formats.map((type, place) => [type, ofFormats[place]]))
    const byDays = Object.fromEntries(ranges.map(([key], place) => [key, ofDays[place]]))
    const others = `"session_type":${JSON.stringify(byFormat)},"dates":${JSON.stringify(byDays)}`
    return { counts: `{${this.#text.with(this.#numbers)}${others}}`, needs }
  }

  /** The matches in a format, whichever is searched for, without those of some filters. */
  #inFormat(search: Search, type: AppointmentType, ...left: FilterName[]): Matches {
    const masks = [this.documentsWith({ filter: 'session_type', value: type })]
    const near = search.groups.find(({ name }) => name === 'near')
    if (near && type === 'face_to_face' && !left.includes('near')) masks.push(near.mask)
    const { dates, price } = search.filters
    if (dates && !left.includes('dates')) masks.push(this.freeIn(dates, type))
    if (price && !left.includes('price')) masks.push(this.pricedIn(price, type))
    return this.narrowed(this.combined(search, 'session_type', 'dates', 'price', ...left), ...masks)
  }

  /**
   * Counts the members of a set with each of the values of some filters: by the rows of its members, by the rows of all
   * other listed documents, or by what it has in common with the values' sets, what costs least.
   */
  #countEach({ mask, total }: Matches, ranges: readonly Range[]): void {
    const isMost = total > this.listedCount / 2
    const fewer = isMost ? this.listedCount - total : total
    const asked = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    const numbers = this.#numbers
    if (this.#costOfRows(fewer) >= asked * this.words * cost.word) {
      for (const { from, to } of ranges) this.bitmaps.countEach(mask, this.#sets, numbers, from, to)
      return
    }
    const counts = this.#countByRows(mask, isMost, fewer)
    const values = this.#counted
    for (const { from, to } of ranges) {
      for (let place = from; place < to; place++) {
        const counted = counts[this.#slots[place]!]!
        numbers[place] = isMost ? values[place]!.kept.listed - counted : counted
      }
    }
  }

  /** Counts the members of a set, or, where they are most, all other listed documents. */
  #countByRows(mask: Bitmap, isMost: boolean, fewer: number): Int32Array {
    const { rows } = this
    let walked = mask
    if (isMost && fewer > 0) {
      walked = this.spare()
      this.bitmaps.difference(walked, this.listed, mask)
    }
    rows.tally(fewer === 0 ? 0 : membersOf(walked, rows.documents))
    return rows.counts
  }

  /** What counting so many documents by their rows costs. */
  #costOfRows(documents: number): number {
    return documents * (cost.document + this.rows.vectors * cost.vector)
  }

  /** For each value without a match: the filter that leaves most when it goes, of those without which the value matches. */
  #needs(search: Search, today: number, ofFormats: readonly number[], ofDays: Int32Array): Needs {
    const needs: Needs = {}
    const inUse = filtersInUse(search.filters)
    if (inUse.length === 0) return needs
    let sorted: RelaxableFilter[] | undefined
    const note = (filter: CountedFilter, key: string, matchesWithout: (name: RelaxableFilter) => boolean) => {
      sorted ??= inUse.toSorted((a, b) => this.combined(search, b).total - this.combined(search, a).total)
      const needed = sorted.find((name) => name !== filter && matchesWithout(name))
      if (needed) (needs[filter] ??= {})[key] = needed
    }
    const without = (name: RelaxableFilter, own: FilterName): Matches =>
      search.filters[own] === undefined ? this.combined(search, name) : this.combined(search, name, own)
    const wanted: Counted[] = []
    for (const { from, to } of this.#ranges) {
      for (let place = from; place < to; place++) {
        const option = this.#counted[place]!
        if (this.#numbers[place] === 0 && option.kept.listed > 0) wanted.push(option)
      }
    }
    const found = new Map<Matches, ReadonlySet<Counted> | 'looked for'>()
    // Counted together where that costs less than looking for a common member of one after the other.
    const matchedIn = (matches: Matches) => {
      let matched = found.get(matches)
      if (!matched) {
        const isCounted = this.#costOfRows(matches.total) < wanted.length * this.words * cost.looked
        found.set(matches, (matched = isCounted ? this.#matched(matches, wanted) : 'looked for'))
      }
      return matched
    }
    for (const option of wanted) {
      note(option.filter, option.key, (name) => {
        const matches = without(name, option.filter)
        const matched = matchedIn(matches)
        if (matched === 'looked for') return this.bitmaps.meet(matches.mask, option.kept.documents)
        return matched.has(option)
      })
    }
    for (const [place, type] of formats.entries()) {
      if (ofFormats[place] !== 0) continue
      note('session_type', type, (name) => this.#inFormat(search, type, name).total > 0)
    }
    for (const [place, [key, range]] of Object.entries(countedRanges(today)).entries()) {
      if (ofDays[place] !== 0) continue
      note('dates', key, (name) => {
        const type = name === 'session_type' ? undefined : search.filters.session_type
        return this.bitmaps.meet(without(name, 'dates').mask, this.freeIn(range, type))
      })
    }
    return needs
  }

  /** Those of some values that a member of a set has. */
  #matched(matches: Matches, values: readonly Counted[]): Set<Counted> {
    const counts = this.#countByRows(matches.mask, false, matches.total)
    return new Set(values.filter(({ kept }) => counts[this.rows.slotOf(kept.ordinal)]! > 0))
  }
}

/** The counts of all values as JSON, with a comma after each filter. */
function textOf(ranges: readonly Range[], options: readonly Option[]): NumberedText {
  const before = options.map(() => '')
  let waiting = ''
  for (const { filter, from, to } of ranges) {
    waiting += `"${filter}":{`
    for (let place = from; place < to; place++) {
      before[place] = `${waiting}${JSON.stringify(options[place]!.key)}:`
      waiting = ','
    }
    waiting = from < to ? '},' : `${waiting}},`
  }
  return new NumberedText(before, waiting)
}
