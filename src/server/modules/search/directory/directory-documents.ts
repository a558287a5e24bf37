import type { Point } from '#contract/places.ts'
import { countedFilters } from '#contract/search-filters.ts'
import type { PlacePoint } from '../near.rules.ts'
import type { MatchedWord } from '../search.rules.ts'
import { type Bitmap, Bitmaps, clearBit, hasBit, setBit, wordsFor } from './bitmaps.ts'
import type { DirectoryRow, Option, Value, ValuedFilter } from './directory.rules.ts'
import { DocumentDays } from './document-days.ts'
import { DocumentFees } from './document-fees.ts'
import { DocumentPlaces } from './document-places.ts'
import { DocumentNames } from './document-names.ts'
import { grown } from './grown.ts'
import { OrderedDocuments } from './ordered-documents.ts'
import { SmallLists } from './small-lists.ts'
import { ValueRows } from './value-rows.ts'

/** The documents with a value, and how many of them are listed. */
type Kept = { readonly ordinal: number; readonly documents: Bitmap; listed: number }
/** A value that is counted. */
export type Counted = Option & { readonly kept: Kept }

/**
 * All practitioners of the directory by what they can be searched for. Knows no database: rows are put and removed by its
 * owner. Documents are numbered as they come; every order of them, the recommended one too, is a sorted list beside.
 */
export class DirectoryDocuments {
  protected capacity = 1024
  protected documentOf = new Map<number, number>()
  protected ids = new Int32Array(this.capacity)
  #versions = new Float64Array(this.capacity)
  #used = 0
  /** Documents without a practitioner that no order knows any more, and those that one still may. */
  #free: number[] = []
  #leaving: number[] = []
  #now = Number.NEGATIVE_INFINITY
  protected readonly bitmaps = new Bitmaps(wordsFor(this.capacity))
  protected readonly listed = this.bitmaps.begin()
  protected listedCount = 0
  protected readonly startsUnknown = this.bitmaps.begin()
  protected values = new Map<ValuedFilter, Map<number | string, Kept>>()
  protected byOrdinal: Kept[] = []
  protected links = new SmallLists((length) => new Uint16Array(length), 32, this.capacity)
  protected wordsOf = new SmallLists((length) => new Int32Array(length), 4, this.capacity)
  protected names = new DocumentNames()
  protected places = new DocumentPlaces()
  protected fees = {
    either: new DocumentFees(this.bitmaps),
    online: new DocumentFees(this.bitmaps),
    face_to_face: new DocumentFees(this.bitmaps),
  }
  protected freeDays = {
    online: new DocumentDays(this.capacity, this.bitmaps),
    face_to_face: new DocumentDays(this.capacity, this.bitmaps),
  }
  // A change of a practitioner changes most orders. All repaired at once would hold requests up; these numbers are primes,
  // so that two orders are rarely due at the same change.
  protected orders = {
    rank: new OrderedDocuments(this.ids, 4093),
    rating: new OrderedDocuments(this.ids, 3847),
    minFee: new OrderedDocuments(this.ids, 3593),
    maxFee: new OrderedDocuments(this.ids, 3347),
    soonest: new OrderedDocuments(this.ids, 3089),
    soonestOnline: new OrderedDocuments(this.ids, 2837),
    soonestFaceToFace: new OrderedDocuments(this.ids, 2579),
    freshUntil: new OrderedDocuments(this.ids, 2333),
    listedUntil: new OrderedDocuments(this.ids, 2081),
  }
  /** Practitioners whose free time has changed since their row was put. */
  readonly marked = new Set<number>()
  protected readonly options: readonly Counted[]
  /** The values that are counted, once more by document. */
  protected readonly rows: ValueRows

  /** @param options all values that are counted */
  constructor(options: Option[]) {
    // Those of one filter lie together.
    const ofFilters = countedFilters.flatMap((filter) => options.filter((each) => each.filter === filter))
    this.options = ofFilters.map((option) => ({ ...option, kept: this.kept(option) }))
    this.rows = new ValueRows(this.byOrdinal.length, this.capacity)
  }

  protected get words(): number {
    return wordsFor(this.capacity)
  }

  /** The number of practitioners, unlisted ones included. */
  get size(): number {
    return this.documentOf.size
  }

  // Changing ----------------------------------------------------------------------------------------------------------

  /** Inserts a practitioner or replaces what is known of one. The words of the name must have been added. */
  put(row: DirectoryRow): void {
    const document = this.documentOf.get(row.practitionerId) ?? this.#begin(row.practitionerId)
    this.#versions[document] = row.version
    this.marked.delete(row.practitionerId)
    const links = row.values.map((value) => this.kept(value).ordinal)
    if (!this.links.equals(document, links)) {
      this.#show(document, false)
      this.#unlink(document)
      this.links.set(document, links)
      this.rows.set(document, links)
      for (const ordinal of links) setBit(this.byOrdinal[ordinal]!.documents, document)
    }
    if (!this.wordsOf.equals(document, row.wordIds)) {
      this.#forgetName(document)
      this.wordsOf.set(document, row.wordIds)
      for (const id of row.wordIds) this.names.add(document, id)
    }
    this.places.set(document, row.places)
    this.fees.either.set(document, { lowest: row.minFeePence, highest: row.maxFeePence })
    this.fees.online.set(document, row.fees.online)
    this.fees.face_to_face.set(document, row.fees.face_to_face)
    this.freeDays.online.set(document, row.freeDays.online)
    this.freeDays.face_to_face.set(document, row.freeDays.face_to_face)
    if (row.knowsNextStarts) clearBit(this.startsUnknown, document)
    else setBit(this.startsUnknown, document)
    const orders = this.orders
    orders.rank.set(document, -row.rank)
    orders.rating.set(document, -row.ratingHundredths)
    orders.minFee.set(document, row.minFeePence)
    orders.maxFee.set(document, -row.maxFeePence)
    orders.soonest.set(document, Math.min(row.nextFree.online, row.nextFree.face_to_face))
    orders.soonestOnline.set(document, row.nextFree.online)
    orders.soonestFaceToFace.set(document, row.nextFree.face_to_face)
    orders.freshUntil.set(document, row.freshUntil)
    orders.listedUntil.set(document, row.listedUntil)
    this.#show(document, row.listedUntil > this.#now)
  }

  remove(practitionerId: number): void {
    const document = this.documentOf.get(practitionerId)
    if (document === undefined) return
    this.#show(document, false)
    this.#unlink(document)
    this.links.set(document, [])
    this.rows.set(document, [])
    this.#forgetName(document)
    this.wordsOf.set(document, [])
    this.places.remove(document)
    this.freeDays.online.set(document, [])
    this.freeDays.face_to_face.set(document, [])
    clearBit(this.startsUnknown, document)
    for (const order of Object.values(this.orders)) order.remove(document)
    this.documentOf.delete(practitionerId)
    this.marked.delete(practitionerId)
    this.#leaving.push(document)
  }

  /** The free time of a practitioner is out of date until their row is put again. */
  mark(practitionerId: number): void {
    const document = this.documentOf.get(practitionerId)
    if (document === undefined) return
    this.marked.add(practitionerId)
    this.orders.freshUntil.set(document, 0)
  }

  addWord(id: number, word: string): void {
    this.names.addWord(id, word)
  }

  // Asking ------------------------------------------------------------------------------------------------------------

  /** The transaction that wrote the known row of a practitioner. */
  versionOf(practitionerId: number): number | undefined {
    const document = this.documentOf.get(practitionerId)
    return document === undefined ? undefined : this.#versions[document]
  }

  matchWord(typed: string): MatchedWord {
    return this.names.match(typed)
  }

  /** Whether the free time of any practitioner has expired. */
  hasStale(now: number): boolean {
    return this.orders.freshUntil.countUpTo(now) > 0
  }

  /** Until when the free time of a practitioner is right by itself. */
  freshUntil(practitionerId: number): number {
    const document = this.documentOf.get(practitionerId)
    return document === undefined ? Number.POSITIVE_INFINITY : this.orders.freshUntil.keyOf(document)
  }

  /** Whether the free times of a practitioner have to be computed before they are shown. */
  isStale(practitionerId: number, now: number): boolean {
    const document = this.documentOf.get(practitionerId)
    if (document === undefined) return false
    return this.orders.freshUntil.keyOf(document) <= now || hasBit(this.startsUnknown, document)
  }

  /** The nearest place of a practitioner, with its distance. Undefined without a known place. */
  nearestPlace(practitionerId: number, from: Point): { place: PlacePoint; miles: number } | undefined {
    const document = this.documentOf.get(practitionerId)
    return document === undefined ? undefined : this.places.nearest(document, from)
  }

  /** The lowest and the highest fee of all listed practitioners, in pence; zero without any. */
  bounds(now: number): { min_fee_pence: number; max_fee_pence: number } {
    this.advance(now)
    const { minFee, maxFee } = this.orders
    const [cheapest, dearest] = [minFee.firstIn(this.listed), maxFee.firstIn(this.listed)]
    return {
      min_fee_pence: cheapest === undefined ? 0 : minFee.keyOf(cheapest),
      max_fee_pence: dearest === undefined ? 0 : -maxFee.keyOf(dearest),
    }
  }

  // Documents ---------------------------------------------------------------------------------------------------------

  #begin(practitionerId: number): number {
    if (this.#free.length === 0 && this.#leaving.length > 1024) {
      for (const order of Object.values(this.orders)) order.repair()
      this.#free = this.#leaving
      this.#leaving = []
    }
    if (this.#free.length === 0 && this.#used === this.capacity) this.reserve(1.25 * this.capacity)
    const document = this.#free.pop() ?? this.#used++
    this.documentOf.set(practitionerId, document)
    this.ids[document] = practitionerId
    return document
  }

  /** Makes room for so many practitioners. */
  reserve(count: number): void {
    if (count <= this.capacity) return
    const size = Math.ceil(count / 32) * 32
    this.ids = grown(new Int32Array(size), this.ids)
    this.#versions = grown(new Float64Array(size), this.#versions)
    this.capacity = size
    this.bitmaps.widen(this.words)
    this.links.grow(size)
    this.wordsOf.grow(size)
    for (const days of Object.values(this.freeDays)) days.grow(size)
    for (const order of Object.values(this.orders)) order.grow(this.ids)
    this.rows.grow(size)
  }

  protected kept({ filter, value }: Value): Kept {
    let values = this.values.get(filter)
    if (!values) this.values.set(filter, (values = new Map()))
    let kept = values.get(value)
    if (!kept) {
      kept = { ordinal: this.byOrdinal.length, documents: this.bitmaps.begin(), listed: 0 }
      values.set(value, kept)
      this.byOrdinal.push(kept)
    }
    return kept
  }

  #unlink(document: number): void {
    for (const ordinal of this.links.of(document)) clearBit(this.byOrdinal[ordinal]!.documents, document)
  }

  #forgetName(document: number): void {
    for (const id of this.wordsOf.of(document)) this.names.remove(document, id)
  }

  #show(document: number, isListed: boolean): void {
    if (hasBit(this.listed, document) === isListed) return
    const links = this.links.of(document)
    const step = isListed ? 1 : -1
    if (isListed) setBit(this.listed, document)
    else clearBit(this.listed, document)
    this.listedCount += step
    for (const ordinal of links) this.byOrdinal[ordinal]!.listed += step
  }

  /** Lists and unlists practitioners whose listing begins or ends with time. A clock that was put back lists them again. */
  protected advance(now: number): void {
    if (now === this.#now) return
    const order = this.orders.listedUntil
    const [from, to] = [Math.min(now, this.#now), Math.max(now, this.#now)]
    const [first, end] = [order.countUpTo(from), order.countUpTo(to)]
    if (first < end) {
      const { documents } = order.inOrder()
      for (let place = first; place < end; place++) this.#show(documents[place]!, now < this.#now)
    }
    this.#now = now
  }
}
