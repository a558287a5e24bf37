/** A source of numbers that gives the same run for the same seed on every machine. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** `count` different entries in the list's own order; all of them where there are fewer. */
  sample<T>(list: readonly T[], count: number): T[]
  shuffle<T>(list: readonly T[]): T[]
  /** An entry drawn in proportion to `weight`. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T
}

/** The entry at a position that is known to be there; throws where it is not. */
export function at<T>(list: readonly T[], index: number): T {
  const entry = list[index]
  if (entry === undefined) throw new RangeError(`No entry ${index} in a list of ${list.length}`)
  return entry
}

/** sfc32 (Chris Doty-Humphrey's Small Fast Counting generator, public domain), started from one number and a label. */
export function createRandom(seed: number, label = ''): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed >>> 0
  let counter = 1
  for (let index = 0; index < label.length; index++) c = Math.imul(c ^ label.charCodeAt(index), 0x01000193)

  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  // The first rounds still show the seed.
  for (let round = 0; round < 15; round++) next()

  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]): T => at(list, int(0, list.length - 1))
  const shuffle = <T>(list: readonly T[]): T[] => {
    const result = [...list]
    for (let index = result.length - 1; index > 0; index--) {
      const other = int(0, index)
      const held = at(result, index)
      result[index] = at(result, other)
      result[other] = held
    }
    return result
  }
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick,
    shuffle,
    sample(list, count) {
      const result: (typeof list)[number][] = []
      let needed = Math.min(count, list.length)
      for (let index = 0; needed > 0; index++) {
        if (next() < needed / (list.length - index)) {
          result.push(at(list, index))
          needed--
        }
      }
      return result
    },
    weighted(list) {
      const total = list.reduce((sum, entry) => sum + entry.weight, 0)
      let left = next() * total
      for (const entry of list) {
        left -= entry.weight
        if (left < 0) return entry
      }
      return pick(list)
    },
  }
}

/**
 * A pack of cards that is dealt out before it is shuffled again, so that what is drawn from it repeats as late as it
 * can.
 */
export interface Deck<T> {
  draw(): T
  /** The next card that fits; the others keep their place. Throws when none of the whole pack fits. */
  drawWhere(fits: (card: T) => boolean): T
}

export function createDeck<T>(random: Random, cards: readonly T[]): Deck<T> {
  let left: T[] = []
  const refill = () => {
    left = random.shuffle(cards)
  }
  const take = (fits: (card: T) => boolean): T | undefined => {
    for (let index = left.length - 1; index >= 0; index--) {
      const card = at(left, index)
      if (fits(card)) {
        left.splice(index, 1)
        return card
      }
    }
    return undefined
  }
  return {
    draw() {
      if (left.length === 0) refill()
      const card = left.pop()
      if (card === undefined) throw new RangeError('An empty deck')
      return card
    },
    drawWhere(fits) {
      const found = take(fits)
      if (found !== undefined) return found
      // What is left has been seen and does not fit, so it may as well go back in.
      refill()
      const again = take(fits)
      if (again === undefined) throw new RangeError('No card of this deck fits')
      return again
    },
  }
}
