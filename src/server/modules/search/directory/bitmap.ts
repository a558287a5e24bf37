/** A set of small whole numbers, one bit for each. Sets that are combined have the same length. */
export type Bitmap = Uint32Array<ArrayBuffer>

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const emptyBitmap = (words: number): Bitmap => new Uint32Array(words)

/** A copy with room for more. */
export function grown(bitmap: Bitmap, words: number): Bitmap {
  const larger = new Uint32Array(words)
  larger.set(bitmap)
  return larger
}

export const hasBit = (bitmap: Bitmap, index: number): boolean =>
  ((bitmap[index >>> 5]! >>> (index & 31)) & 1) === 1

export function setBit(bitmap: Bitmap, index: number): void {
  bitmap[index >>> 5]! |= 1 << (index & 31)
}

export function clearBit(bitmap: Bitmap, index: number): void {
  bitmap[index >>> 5]! &= ~(1 << (index & 31))
}

/** Leaves in `target` what `other` has as well. */
export function andInto(target: Bitmap, other: Bitmap): void {
  for (let word = 0; word < target.length; word++) target[word]! &= other[word]!
}

export function orInto(target: Bitmap, other: Bitmap): void {
  for (let word = 0; word < target.length; word++) target[word]! |= other[word]!
}

/** Writes what `a` has and `b` does not to `target`. */
export function differenceInto(target: Bitmap, a: Bitmap, b: Bitmap): void {
  for (let word = 0; word < target.length; word++) target[word] = a[word]! & ~b[word]!
}

function onesOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

export const sizeOf = (bitmap: Bitmap): number => sizeOfIntersection(bitmap, bitmap)

/**
 * The size of an intersection. Eight words at a time are added bit by bit with carries (Harley and Seal), so that one
 * count of ones serves eight of them.
 */
export function sizeOfIntersection(a: Bitmap, b: Bitmap): number {
  const { length } = a
  const whole = length & ~7
  let [eights, ones, twos, fours] = [0, 0, 0, 0]
  for (let at = 0; at < whole; at += 8) {
    const w0 = a[at]! & b[at]!
    const w1 = a[at + 1]! & b[at + 1]!
    const w2 = a[at + 2]! & b[at + 2]!
    const w3 = a[at + 3]! & b[at + 3]!
    const w4 = a[at + 4]! & b[at + 4]!
    const w5 = a[at + 5]! & b[at + 5]!
    const w6 = a[at + 6]! & b[at + 6]!
    const w7 = a[at + 7]! & b[at + 7]!
    let half = ones ^ w0
    const twosA = (ones & w0) | (half & w1)
    ones = half ^ w1
    half = ones ^ w2
    const twosB = (ones & w2) | (half & w3)
    ones = half ^ w3
    half = twos ^ twosA
    const foursA = (twos & twosA) | (half & twosB)
    twos = half ^ twosB
    half = ones ^ w4
    const twosC = (ones & w4) | (half & w5)
    ones = half ^ w5
    half = ones ^ w6
    const twosD = (ones & w6) | (half & w7)
    ones = half ^ w7
    half = twos ^ twosC
    const foursB = (twos & twosC) | (half & twosD)
    twos = half ^ twosD
    half = fours ^ foursA
    const eight = (fours & foursA) | (half & foursB)
    fours = half ^ foursB
    if (eight !== 0) eights += onesOf(eight)
  }
  let total = 8 * eights + 4 * onesOf(fours) + 2 * onesOf(twos) + onesOf(ones)
  for (let at = whole; at < length; at++) total += onesOf(a[at]! & b[at]!)
  return total
}

export function intersects(a: Bitmap, b: Bitmap): boolean {
  for (let word = 0; word < a.length; word++) if ((a[word]! & b[word]!) !== 0) return true
  return false
}

/** Writes the members to `target`, smallest first. Returns their number. */
export function membersOf(bitmap: Bitmap, target: Int32Array): number {
  let count = 0
  for (let at = 0; at < bitmap.length; at++) {
    for (let word = bitmap[at]!; word !== 0; word &= word - 1) {
      target[count++] = (at << 5) + 31 - Math.clz32(word & -word)
    }
  }
  return count
}
