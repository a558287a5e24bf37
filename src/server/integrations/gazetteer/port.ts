import type { Point } from '#contract/places.ts'

export type Town = Point & {
  name: string
  /** Its name, with what tells it from others of that name; no two towns have the same. */
  label: string
  nation: string
  /** 0 where it is not known. */
  population: number
}

/** The area of an outward code. The point lies in its middle. */
export type District = Point & {
  outward: string
  /** "Headingley, Leeds". */
  name: string
}

/** A place that a search names: an outward code or the label of a town. */
export type KnownPlace = Point & { label: string }

/** Why a text is no place to search near, with the labels of towns to choose from. */
export type UnknownPlace = {
  reason: 'postcode' | 'town' | 'ambiguous' | 'northern_ireland'
  towns: string[]
}

/** Towns and postcodes of the United Kingdom. No request leaves the process. */
export type Gazetteer = {
  /** The larger ones first. */
  towns(): readonly Town[]
  /**
   * What a text stands for, be it a town, an outward code or a full postcode, whose inward code is not used. A district of
   * central London that is not known stands for London.
   */
  find(text: string): { place: KnownPlace } | { unknown: UnknownPlace }
  /** Undefined for an outward code that is not known, and for all of Northern Ireland. */
  district(outward: string): District | undefined
  /** The point of a full postcode. Undefined unless an imported file has it. */
  postcode(text: string): Point | undefined
  /**
   * The town of a name or a label: the largest, or with an outward code the likeliest by the post town of its area, also one
   * near that whose name begins so. Undefined where the area has no post town, and where only towns of Northern Ireland
   * have the name and the code lies outside it, or the other way round.
   */
  town(name: string, outward?: string): Town | undefined
}
