import type { AppointmentType } from '#contract/common.ts'
import type { Point } from '#contract/places.ts'
import {
  choicesOf,
  type CountedFilter,
  countedFilters,
  type FilterName,
  isOfKind,
  type RelaxableFilter,
} from '#contract/search-filters.ts'
import { countedRanges, type Filters, filtersInUse } from '../search.rules.ts'
import { type Bitmap, hasBit, membersOf } from './bitmaps.ts'
import { DirectoryMasks, type Matches, type Search } from './directory-masks.ts'
import type { Counted } from './directory-documents.ts'
import type { Asked, Counts, Found, Needs, Sort } from './directory.rules.ts'
import type { OrderedDocuments } from './ordered-documents.ts'

const formats = choicesOf('session_type')

/** Steps of a walk along an order cost about so many times less than a comparison in a sort. */
const stepsPerComparison = 4
/**
 * Reading one value of a document's list, one word of a row and the set, and one of two bitmaps until a member is found that
 * both have, in the same unit.
 */
const cost = { listed: 1, word: 0.13, looked: 0.35 }

/** Searches the directory, with the answers that SQL gives on the same rows. */
export class DirectoryIndex extends DirectoryMasks {
  count(filters: Filters, now: number): number {
    this.advance(now)
    this.beginCall()
    return this.combined(this.searchFor(filters)).total
  }

  find(asked: Asked, now: number): Found {
    this.advance(now)
    this.beginCall()
    const { filters } = asked
    const search = this.searchFor(filters)
    const matches = this.combined(search)
    const { total } = matches
    const ids = this.#page(matches, asked).map((document) => this.ids[document]!)
    return {
      total,
      ids,
      ...(total === 0 ? { relax: this.#relaxations(search) } : {}),
      ...(asked.counts ? this.#counts(search, asked.today) : {}),
    }
  }

  // Pages -------------------------------------------------------------------------------------------------------------

  #page(matches: Matches, { filters, sort, limit, offset }: Asked): number[] {
    if (sort === 'nearest' && filters.near)
      return this.#byDistance(matches.mask, filters.near).slice(offset, offset + limit)
    const order = this.#orderOf(sort, filters)
    const typed = sort === 'recommended' || sort === 'nearest' ? filters.name : undefined
    if (!typed?.every(({ exact }) => exact.length > 0)) return this.#slice(matches, order, offset, limit)
    // An exact match of a name ranks before one with a mistake.
    const first = this.narrowed(matches, this.named(typed, 'refused'))
    const begin = this.#slice(first, order, offset, limit)
    if (begin.length === limit) return begin
    const mask = this.spare()
    const rest = { mask, total: this.bitmaps.difference(mask, matches.mask, first.mask) }
    const after = Math.max(0, offset - first.total)
    return [...begin, ...this.#slice(rest, order, after, limit - begin.length)]
  }

  /** The members of a set, the nearest first, then by rank. */
  #byDistance(mask: Bitmap, from: Point): number[] {
    const { rank } = this.orders
    return Array.from(this.members.subarray(0, membersOf(mask, this.members)), (document) => ({
      document,
      miles: this.places.nearest(document, from)?.miles ?? Number.MAX_VALUE,
    }))
      .sort((a, b) => a.miles - b.miles || rank.compare(a.document, b.document))
      .map(({ document }) => document)
  }

  #orderOf(sort: Sort, { session_type: type }: Filters): OrderedDocuments {
    if (sort === 'price_asc') return this.orders.minFee
    if (sort === 'price_desc') return this.orders.maxFee
    if (sort === 'rating') return this.orders.rating
    if (sort !== 'soonest') return this.orders.rank
    if (type === 'online') return this.orders.soonestOnline
    return type ? this.orders.soonestFaceToFace : this.orders.soonest
  }

  /** Some members of a set in an order, from the `offset`th on. */
  #slice({ mask, total }: Matches, order: OrderedDocuments, offset: number, limit: number): number[] {
    const wanted = Math.min(limit, total - offset)
    if (wanted <= 0) return []
    const steps = ((offset + wanted) / total) * this.documentOf.size
    if (total * Math.log2(total + 1) * stepsPerComparison < steps) {
      const count = membersOf(mask, this.members)
      return Array.from(this.members.subarray(0, count))
        .sort(order.compare)
        .slice(offset, offset + wanted)
    }
    const { documents, length } = order.inOrder()
    const page: number[] = []
    let skipped = 0
    for (let place = 0; place < length && page.length < wanted; place++) {
      const document = documents[place]!
      if (!hasBit(mask, document)) continue
      if (skipped < offset) skipped += 1
      else page.push(document)
    }
    return page
  }

  #relaxations(search: Search): { filter: RelaxableFilter; total: number }[] {
    return filtersInUse(search.filters)
      .map((filter) => ({ filter, total: this.combined(search, filter).total }))
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total)
  }

  // Counts ------------------------------------------------------------------------------------------------------------

  #counts(search: Search, today: number): { counts: Counts; needs: Needs } {
    const { filters, groups } = search
    const counts = Object.fromEntries(countedFilters.map((name) => [name, {}])) as Counts
    const chosen = new Set<FilterName>(groups.map(({ name }) => name))
    const together = this.options.filter(({ filter }) => filter !== 'session_type' && !chosen.has(filter))
    this.#note(this.#countEach(this.combined(search), together), together, counts)
    for (const name of countedFilters) {
      if (!chosen.has(name) || isOfKind(name, 'format', 'days')) continue
      const own = this.options.filter(({ filter }) => filter === name)
      this.#note(this.#countEach(this.combined(search, name), own), own, counts)
    }
    for (const type of formats) counts.session_type[type] = this.#inFormat(search, type).total
    const ranges = Object.entries(countedRanges(today))
    const free = ranges.map(([, range]) => this.freeIn(range, filters.session_type))
    const found = this.bitmaps.countEach(this.combined(search, 'dates').mask, free)
    for (const [place, [key]] of ranges.entries()) counts.dates[key] = found[place]!
    return { counts, needs: this.#needs(search, today, counts) }
  }

  /** The matches in a format, whichever is searched for, without those of some filters. */
  #inFormat(search: Search, type: AppointmentType, ...left: FilterName[]): Matches {
    const masks = [this.documentsWith({ filter: 'session_type', value: type })]
    const near = search.groups.find(({ name }) => name === 'near')
    if (near && type === 'face_to_face' && !left.includes('near')) masks.push(near.mask)
    const { dates } = search.filters
    if (dates && !left.includes('dates')) masks.push(this.freeIn(dates, type))
    return this.narrowed(this.combined(search, 'session_type', 'dates', ...left), ...masks)
  }

  #note(found: readonly number[], options: readonly Counted[], counts: Counts): void {
    for (let place = 0; place < options.length; place++) {
      const { filter, key } = options[place]!
      counts[filter][key] = found[place]!
    }
  }

  /**
   * Counts the members of a set with each of some values: by the lists of its members, by the lists of all other listed
   * documents, or by what it has in common with the values' rows, what costs least.
   */
  #countEach({ mask, total }: Matches, options: readonly Counted[]): number[] {
    if (options.length === 0) return []
    const isMost = total > this.listedCount / 2
    const fewer = isMost ? this.listedCount - total : total
    const byLists = fewer * this.linksPerDocument * cost.listed
    if (byLists >= options.length * this.words * cost.word) {
      return this.bitmaps.countEach(
        mask,
        options.map(({ kept }) => kept.documents),
      )
    }
    let walked = mask
    if (isMost) {
      walked = this.spare()
      this.bitmaps.difference(walked, this.listed, mask)
    }
    const tallies = this.tallies.fill(0)
    this.links.tally(this.members, fewer === 0 ? 0 : membersOf(walked, this.members), tallies)
    return options.map(({ kept }) => (isMost ? kept.listed - tallies[kept.ordinal]! : tallies[kept.ordinal]!))
  }

  /** For each value without a match: the filter that leaves most when it goes, of those without which the value matches. */
  #needs(search: Search, today: number, counts: Counts): Needs {
    const needs: Needs = {}
    const inUse = filtersInUse(search.filters)
    if (inUse.length === 0) return needs
    let sorted: RelaxableFilter[] | undefined
    const note = (filter: CountedFilter, key: string, matchesWithout: (name: RelaxableFilter) => boolean) => {
      if (counts[filter][key] !== 0) return
      sorted ??= inUse.toSorted((a, b) => this.combined(search, b).total - this.combined(search, a).total)
      const needed = sorted.find((name) => name !== filter && matchesWithout(name))
      if (needed) (needs[filter] ??= {})[key] = needed
    }
    const without = (name: RelaxableFilter, own: FilterName): Matches =>
      search.filters[own] === undefined ? this.combined(search, name) : this.combined(search, name, own)
    const wanted = this.options.filter(
      (option) =>
        option.filter !== 'session_type' && counts[option.filter][option.key] === 0 && option.kept.listed > 0,
    )
    const places = new Map(wanted.map((option, place) => [option, place]))
    const found = new Map<Matches, readonly number[] | 'looked for'>()
    // Counted together where that costs less than looking for a common member of one after the other.
    const countsIn = (matches: Matches) => {
      let counted = found.get(matches)
      if (!counted) {
        const byLists = matches.total * this.linksPerDocument * cost.listed
        const isCounted = byLists < wanted.length * this.words * cost.looked
        found.set(matches, (counted = isCounted ? this.#countEach(matches, wanted) : 'looked for'))
      }
      return counted
    }
    for (const option of wanted) {
      const { filter, key, kept } = option
      note(filter, key, (name) => {
        const matches = without(name, filter)
        const counted = countsIn(matches)
        if (counted === 'looked for') return this.bitmaps.meet(matches.mask, kept.documents)
        return counted[places.get(option)!]! > 0
      })
    }
    for (const type of formats) {
      note('session_type', type, (name) => this.#inFormat(search, type, name).total > 0)
    }
    for (const [key, range] of Object.entries(countedRanges(today))) {
      note('dates', key, (name) => {
        const type = name === 'session_type' ? undefined : search.filters.session_type
        return this.bitmaps.meet(without(name, 'dates').mask, this.freeIn(range, type))
      })
    }
    return needs
  }
}
