/** Numbers that look random and are the same for the same seed. */
export function createChance(seed: number) {
  let state = seed >>> 0
  /** At least 0 and below 1 (mulberry32). */
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(share() * list.length)]
    if (found === undefined) throw new Error('There is nothing to pick from.')
    return found
  }
  return {
    share,
    whole,
    pick,
    between: (from: number, to: number) => from + share() * (to - from),
    happens: (probability: number) => share() < probability,
    /** Normally distributed around 0 with a deviation of 1 (Box and Muller). */
    normal: () => Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share()),
    /** A place in a list of weights, as often as its weight says. */
    weighted(weights: readonly number[]): number {
      let left = share() * weights.reduce((sum, weight) => sum + weight, 0)
      const found = weights.findIndex((weight) => (left -= weight) < 0)
      return Math.max(0, found)
    },
    /** Some of a list, none twice. */
    sample<T>(list: readonly T[], count: number): T[] {
      const rest = [...list]
      return Array.from({ length: Math.min(count, rest.length) }, () => {
        const [taken] = rest.splice(Math.floor(share() * rest.length), 1)
        if (taken === undefined) throw new Error('There is nothing left.')
        return taken
      })
    },
  }
}
