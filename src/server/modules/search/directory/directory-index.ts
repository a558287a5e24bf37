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
import {
  andInto,
  type Bitmap,
  differenceInto,
  hasBit,
  intersects,
  membersOf,
  sizeOf,
  sizeOfIntersection,
} from './bitmap.ts'
import { DirectoryMasks, type Search } from './directory-masks.ts'
import type { Asked, Counts, Found, Needs, Option, Sort } from './directory.rules.ts'
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
    return sizeOf(this.combined(this.searchFor(filters)))
  }

  find(asked: Asked, now: number): Found {
    this.advance(now)
    this.beginCall()
    const { filters } = asked
    const search = this.searchFor(filters)
    const mask = this.combined(search)
    const total = sizeOf(mask)
    const ids = this.#page(mask, total, asked).map((document) => this.ids[document]!)
    return {
      total,
      ids,
      ...(total === 0 ? { relax: this.#relaxations(search) } : {}),
      ...(asked.counts ? this.#counts(search, asked.today, mask, total) : {}),
    }
  }

  // Pages -------------------------------------------------------------------------------------------------------------

  #page(mask: Bitmap, total: number, { filters, sort, limit, offset }: Asked): number[] {
    if (sort === 'nearest' && filters.near)
      return this.#byDistance(mask, filters.near).slice(offset, offset + limit)
    const order = this.#orderOf(sort, filters)
    const typed = sort === 'recommended' || sort === 'nearest' ? filters.name : undefined
    if (!typed?.every(({ exact }) => exact.length > 0)) return this.#slice(mask, total, order, offset, limit)
    // An exact match of a name ranks before one with a mistake.
    const first = this.named(typed, 'refused')
    andInto(first, mask)
    const firstTotal = sizeOf(first)
    const begin = this.#slice(first, firstTotal, order, offset, limit)
    if (begin.length === limit) return begin
    const rest = this.spare()
    differenceInto(rest, mask, first)
    const after = Math.max(0, offset - firstTotal)
    return [...begin, ...this.#slice(rest, total - firstTotal, order, after, limit - begin.length)]
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
  #slice(mask: Bitmap, total: number, order: OrderedDocuments, offset: number, limit: number): number[] {
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
      .map((filter) => ({ filter, total: sizeOf(this.combined(search, filter)) }))
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total)
  }

  // Counts ------------------------------------------------------------------------------------------------------------

  #counts(search: Search, today: number, mask: Bitmap, total: number): { counts: Counts; needs: Needs } {
    const { filters, groups } = search
    const counts = Object.fromEntries(countedFilters.map((name) => [name, {}])) as Counts
    const chosen = new Set<FilterName>(groups.map(({ name }) => name))
    const together = this.options.filter(({ filter }) => filter !== 'session_type' && !chosen.has(filter))
    this.#note(this.#countEach(mask, total, together), together, counts)
    for (const name of countedFilters) {
      if (!chosen.has(name) || isOfKind(name, 'format', 'days')) continue
      const own = this.options.filter(({ filter }) => filter === name)
      const others = this.combined(search, name)
      this.#note(this.#countEach(others, sizeOf(others), own), own, counts)
    }
    for (const type of formats) counts.session_type[type] = sizeOf(this.#inFormat(search, type))
    const others = this.combined(search, 'dates')
    for (const [key, range] of Object.entries(countedRanges(today))) {
      counts.dates[key] = sizeOfIntersection(others, this.freeIn(range, filters.session_type))
    }
    return { counts, needs: this.#needs(search, today, counts) }
  }

  /** The matches in a format, whichever is searched for, without those of some filters. */
  #inFormat(search: Search, type: AppointmentType, ...left: FilterName[]): Bitmap {
    const mask = this.combined(search, 'session_type', 'dates', ...left)
    andInto(mask, this.documentsWith({ filter: 'session_type', value: type }))
    const near = search.groups.find(({ name }) => name === 'near')
    if (near && type === 'face_to_face' && !left.includes('near')) andInto(mask, near.mask)
    const { dates } = search.filters
    if (dates && !left.includes('dates')) andInto(mask, this.freeIn(dates, type))
    return mask
  }

  #note(found: readonly number[], options: readonly Option[], counts: Counts): void {
    for (const [index, { filter, key }] of options.entries()) counts[filter][key] = found[index]!
  }

  /**
   * Counts the members of a set with each of some values: by the lists of its members, by the lists of all other listed
   * documents, or by what it has in common with the values' rows, what costs least.
   */
  #countEach(mask: Bitmap, total: number, options: readonly Option[]): number[] {
    if (options.length === 0) return []
    const values = options.map((option) => this.kept(option))
    const isMost = total > this.listedCount / 2
    const fewer = isMost ? this.listedCount - total : total
    const byLists = fewer * this.linksPerDocument * cost.listed
    if (byLists >= options.length * this.words * cost.word) {
      const ordinals = values.map(({ ordinal }) => ordinal)
      const first = Math.min(...ordinals)
      const counts = this.rows.countEach(mask, first, Math.max(...ordinals) + 1)
      return ordinals.map((ordinal) => counts[ordinal - first]!)
    }
    let walked = mask
    if (isMost) {
      walked = this.spare()
      differenceInto(walked, this.listed, mask)
    }
    const tallies = this.tallies.fill(0)
    this.links.tally(this.members, fewer === 0 ? 0 : membersOf(walked, this.members), tallies)
    return values.map(({ ordinal, listed }) => (isMost ? listed - tallies[ordinal]! : tallies[ordinal]!))
  }

  /** For each value without a match: the filter that leaves most when it goes, of those without which the value matches. */
  #needs(search: Search, today: number, counts: Counts): Needs {
    const needs: Needs = {}
    const dropped = filtersInUse(search.filters)
      .map((name) => ({ name, mask: this.combined(search, name) }))
      .map((each) => ({ ...each, total: sizeOf(each.mask) }))
      .sort((a, b) => b.total - a.total)
    const note = (filter: CountedFilter, key: string, matchesWithout: (name: RelaxableFilter) => boolean) => {
      if (counts[filter][key] !== 0) return
      const needed = dropped.find(({ name }) => name !== filter && matchesWithout(name))
      if (needed) (needs[filter] ??= {})[key] = needed.name
    }
    if (dropped.length === 0) return needs
    const keyOf = (name: RelaxableFilter, own: FilterName) =>
      search.filters[own] === undefined ? name : `${name} ${own}`
    const masks = new Map<string, Bitmap>()
    const without = (name: RelaxableFilter, own: FilterName): Bitmap => {
      const key = keyOf(name, own)
      let mask = key === name ? dropped.find((each) => each.name === name)?.mask : masks.get(key)
      mask ??= this.combined(search, name, own)
      masks.set(key, mask)
      return mask
    }
    const wanted = this.options.filter(
      (option) =>
        option.filter !== 'session_type' &&
        counts[option.filter][option.key] === 0 &&
        this.kept(option).listed > 0,
    )
    const places = new Map(wanted.map((option, place) => [option, place]))
    const found = new Map<string, readonly number[] | 'looked for'>()
    // Counted together where that costs less than looking for a common member of one after the other.
    const countsWithout = (name: RelaxableFilter, own: FilterName) => {
      const key = keyOf(name, own)
      let counted = found.get(key)
      if (!counted) {
        const mask = without(name, own)
        const total = sizeOf(mask)
        const together = Math.min(
          total * this.linksPerDocument * cost.listed,
          this.options.length * this.words * cost.word,
        )
        const isCounted = together < wanted.length * this.words * cost.looked
        found.set(key, (counted = isCounted ? this.#countEach(mask, total, wanted) : 'looked for'))
      }
      return counted
    }
    for (const option of wanted) {
      const { filter, key } = option
      note(filter, key, (name) => {
        const counted = countsWithout(name, filter)
        if (counted === 'looked for') return intersects(without(name, filter), this.kept(option).documents)
        return counted[places.get(option)!]! > 0
      })
    }
    for (const type of formats) {
      note('session_type', type, (name) => sizeOf(this.#inFormat(search, type, name)) > 0)
    }
    for (const [key, range] of Object.entries(countedRanges(today))) {
      note('dates', key, (name) => {
        const type = name === 'session_type' ? undefined : search.filters.session_type
        return intersects(without(name, 'dates'), this.freeIn(range, type))
      })
    }
    return needs
  }
}
