import { parsePostcode, type Point } from '#contract/places.ts'
import type { Gazetteer } from '../../integrations/gazetteer/port.ts'

type Address = { postal_code: string; city: string }
export type PointSource = 'postcode' | 'town'

/** What is stored of an address beside its words. */
export type Lookup = {
  outward_code: string | null
  /** "Headingley, Leeds"; the town where the outward code is not known. */
  district_name: string
  latitude: number | null
  longitude: number | null
  /** Null for coordinates that were typed, and without any. */
  point_source: PointSource | null
}

/** Looks an address up by its postcode, or else by its town. */
export function lookUp(gazetteer: Gazetteer, { postal_code, city }: Address): Lookup {
  const outward = parsePostcode(postal_code)?.outward ?? null
  const district = outward === null ? undefined : gazetteer.district(outward)
  const exact = gazetteer.postcode(postal_code) ?? district
  const found = exact ?? gazetteer.town(city, outward ?? undefined)
  return {
    outward_code: outward,
    district_name: district?.name ?? city,
    latitude: found?.latitude ?? null,
    longitude: found?.longitude ?? null,
    point_source: found ? (exact ? 'postcode' : 'town') : null,
  }
}

/**
 * Looks up an address that was sent. The stored point stays until the postcode is edited, unless it is the town's.
 * Coordinates that were sent stay where the full postcode is not known.
 */
export function lookUpSent(
  gazetteer: Gazetteer,
  sent: Address & { latitude: number | null; longitude: number | null },
  stored: (Address & Pick<Lookup, 'latitude' | 'longitude' | 'point_source'>) | undefined,
): Lookup {
  const found = lookUp(gazetteer, sent)
  const isKnown = gazetteer.postcode(sent.postal_code) !== undefined
  const isMoved = !stored || codeOf(stored) !== codeOf(sent)
  // A town's point may be that of another one of its name, which was known no better.
  const isElsewhere = isMoved || stored.point_source === 'town'
  if (sent.latitude !== null && sent.longitude !== null && !isKnown) {
    const isSame = stored?.latitude === sent.latitude && stored.longitude === sent.longitude
    return {
      ...found,
      latitude: sent.latitude,
      longitude: sent.longitude,
      point_source: isSame && !isMoved ? stored.point_source : null,
    }
  }
  if (isElsewhere || stored.latitude === null) return found
  const { latitude, longitude, point_source } = stored
  return { ...found, latitude, longitude, point_source }
}

const codeOf = ({ postal_code }: Address) => postal_code.replace(/\s/g, '').toUpperCase()

/** A full postcode in its usual form; any other text as it is. */
export function formatPostcode(text: string): string {
  const postcode = parsePostcode(text)
  return postcode?.inward ? `${postcode.outward} ${postcode.inward}` : text
}

/** Degrees of the grid to which a point is coarsened where its district is not known. */
const grid = 0.02

/**
 * The point of an address that the public sees: the middle of its district. Without a known district, the middle of the
 * field of a grid that its own point lies in, or the town.
 */
export function publicPoint(
  gazetteer: Gazetteer,
  address: Address,
  own: Point | undefined,
): Point | undefined {
  const outward = parsePostcode(address.postal_code)?.outward
  const district = outward === undefined ? undefined : gazetteer.district(outward)
  const known = district ?? (own ? undefined : gazetteer.town(address.city, outward))
  if (known) return { latitude: known.latitude, longitude: known.longitude }
  if (!own) return undefined
  const coarse = (degrees: number) => Number(((Math.floor(degrees / grid) + 0.5) * grid).toFixed(2))
  return { latitude: coarse(own.latitude), longitude: coarse(own.longitude) }
}
