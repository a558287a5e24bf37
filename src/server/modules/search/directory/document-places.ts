import { milesBetween, type Point } from '#contract/places.ts'
import { type Bitmap, setBit } from './bitmaps.ts'
import { cellOf, cellsAround, type Circle, type PlacePoint } from '../near.rules.ts'

/** A place with the documents that have it. Practitioners of a district share one. */
type Shared = { place: PlacePoint; cell: number; documents: Set<number> }

/** Where the practitioners of documents see clients in person. */
export class DocumentPlaces {
  #byKey = new Map<string, Shared>()
  #byCell = new Map<number, Set<Shared>>()
  #ofDocument = new Map<number, readonly Shared[]>()
  /** Documents without a known place. */
  #unplaced = new Set<number>()

  set(document: number, places: readonly PlacePoint[]): void {
    const known = this.#ofDocument.get(document)
    const isSame =
      known?.length === places.length &&
      known.every((shared, at) => shared.place === this.#find(places[at]!)?.place)
    if (isSame && places.length > 0) return
    this.remove(document)
    if (places.length === 0) {
      this.#unplaced.add(document)
      return
    }
    const shared = places.map((place) => this.#find(place) ?? this.#begin(place))
    for (const { documents } of shared) documents.add(document)
    this.#ofDocument.set(document, shared)
  }

  remove(document: number): void {
    this.#unplaced.delete(document)
    for (const shared of this.#ofDocument.get(document) ?? []) {
      shared.documents.delete(document)
      if (shared.documents.size === 0) this.#end(shared)
    }
    this.#ofDocument.delete(document)
  }

  /** Adds the documents with a place in a circle, and those without a known place. */
  addWithin(mask: Bitmap, circle: Circle): void {
    for (const cell of cellsAround(circle)) {
      for (const { place, documents } of this.#byCell.get(cell) ?? []) {
        if (milesBetween(circle, place) > circle.miles) continue
        for (const document of documents) setBit(mask, document)
      }
    }
    for (const document of this.#unplaced) setBit(mask, document)
  }

  /** The nearest place of a document, with its distance. */
  nearest(document: number, from: Point): { place: PlacePoint; miles: number } | undefined {
    let best: { place: PlacePoint; miles: number } | undefined
    for (const { place } of this.#ofDocument.get(document) ?? []) {
      const miles = milesBetween(from, place)
      if (!best || miles < best.miles) best = { place, miles }
    }
    return best
  }

  #find(place: PlacePoint): Shared | undefined {
    return this.#byKey.get(keyOf(place))
  }

  #begin(place: PlacePoint): Shared {
    const shared: Shared = { place, cell: cellOf(place), documents: new Set() }
    this.#byKey.set(keyOf(place), shared)
    const inCell = this.#byCell.get(shared.cell) ?? new Set()
    this.#byCell.set(shared.cell, inCell.add(shared))
    return shared
  }

  #end(shared: Shared): void {
    this.#byKey.delete(keyOf(shared.place))
    const inCell = this.#byCell.get(shared.cell)
    inCell?.delete(shared)
    if (inCell?.size === 0) this.#byCell.delete(shared.cell)
  }
}

const keyOf = ({ latitude, longitude, district }: PlacePoint) => `${latitude} ${longitude} ${district}`
