import { milesBetween, type Point } from '#contract/places.ts'

/** A circle that practitioners are searched in. */
export type Circle = Point & { miles: number }

/** A place of a practitioner as the public sees it. */
export type PlacePoint = Point & { district: string }

/** Degrees of a cell's sides. */
const side = 0.02
const perRow = 32_768
const milesPerDegree = 69.1

const rowOf = (latitude: number) => Math.floor(latitude / side)
const columnOf = (longitude: number) => Math.floor(longitude / side)
const cell = (row: number, column: number) => row * perRow + column + perRow / 2

/** The cell that a point lies in. */
export function cellOf({ latitude, longitude }: Point): number {
  return cell(rowOf(latitude), columnOf(longitude))
}

/** Every cell that a circle touches, and some beside it. */
export function cellsAround({ latitude, longitude, miles }: Circle): number[] {
  const height = miles / milesPerDegree
  const [south, north] = [latitude - height, latitude + height]
  // A degree of longitude is shortest at the end that is nearest to a pole.
  const narrowest = Math.cos((Math.min(89, Math.max(Math.abs(south), Math.abs(north))) * Math.PI) / 180)
  const width = miles / (milesPerDegree * narrowest)
  const cells: number[] = []
  for (let row = rowOf(south); row <= rowOf(north); row++) {
    for (let column = columnOf(longitude - width); column <= columnOf(longitude + width); column++) {
      cells.push(cell(row, column))
    }
  }
  return cells
}

/** The nearest of some places to a point, with its distance. Undefined without places. */
export function nearestOf<Place extends Point>(
  from: Point,
  places: readonly Place[],
): { place: Place; miles: number } | undefined {
  let best: { place: Place; miles: number } | undefined
  for (const place of places) {
    const miles = milesBetween(from, place)
    if (!best || miles < best.miles) best = { place, miles }
  }
  return best
}
