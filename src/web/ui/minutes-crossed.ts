const announced = [5, 2, 1]

/**
 * The minutes left that a countdown announces on going from `previous` seconds to `now`: after a sleep, the fewest it has
 * passed. Undefined if it has passed none, as at the first look, whose `previous` is infinite.
 */
export function minutesCrossed(previous: number, now: number): number | undefined {
  if (previous === Number.POSITIVE_INFINITY) return undefined
  return announced.findLast((minute) => previous > minute * 60 && now <= minute * 60)
}
