import type { Point } from '#contract/places.ts'
import type { Filters } from '../search.rules.ts'
import { type Bitmap, hasBit } from './bitmaps.ts'
import { DirectoryCounts } from './directory-counts.ts'
import type { Matches } from './directory-masks.ts'
import type { Asked, Found, Sort } from './directory.rules.ts'
import type { OrderedDocuments } from './ordered-documents.ts'

/** Steps of a walk along an order cost about so many times less than a comparison in a sort. */
const stepsPerComparison = 4

/** Searches the directory, with the answers that SQL gives on the same rows. */
export class DirectoryIndex extends DirectoryCounts {
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
      ...(total === 0 ? { relax: this.relaxations(search) } : {}),
      ...(asked.counts ? this.counts(search, asked.today) : {}),
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
    return Array.from(this.membersOf(mask), (document) => ({
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
      return Array.from(this.membersOf(mask))
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
}
