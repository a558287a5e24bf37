/*
 * Postcodes, distances and the choices of "near". Browser and server load this file, so it knows no zod.
 */

export type Point = { latitude: number; longitude: number }

/** Miles around a place that can be searched. */
export const radii = [1, 3, 5, 10, 25] as const
export type Radius = (typeof radii)[number]
export const defaultRadius: Radius = 10

export const earthMiles = 3958.76
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The great-circle distance of two points. */
export function milesBetween(a: Point, b: Point): number {
  const sine = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const square =
    sine(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sine(a.longitude, b.longitude)
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(square)))
}

/** Outward code and, of a full postcode, the inward code: `LS6` and `2AB`. */
export type Postcode = { outward: string; inward: string | null }

const outwardShapes = ['A9', 'A99', 'AA9', 'AA99', 'A9A', 'AA9A']
const inwardShape = '9AA'
/** An inward code that is still being typed. */
const inwardBeginnings = ['9A', '9']

/** Letters as `A`, digits as `9`, anything else as it is. */
function shapeOf(text: string): string {
  let shape = ''
  for (const sign of text) {
    if (sign >= 'A' && sign <= 'Z') shape += 'A'
    else shape += sign >= '0' && sign <= '9' ? '9' : sign
  }
  return shape
}

/** Reads a whole text as an outward code or a full postcode, in any case, with or without spaces of any kind. */
export function parsePostcode(text: string): Postcode | undefined {
  if (text.length > 20) return undefined
  const compact = text.replace(/\s/g, '').toUpperCase()
  const shape = shapeOf(compact)
  if (outwardShapes.includes(shape)) return { outward: compact, inward: null }
  const cut = compact.length - inwardShape.length
  if (cut <= 0 || !shape.endsWith(inwardShape) || !outwardShapes.includes(shape.slice(0, cut)))
    return undefined
  return { outward: compact.slice(0, cut), inward: compact.slice(cut) }
}

function outwardOfBeginning(word: string): string | undefined {
  const compact = word.toUpperCase()
  const shape = shapeOf(compact)
  for (const beginning of inwardBeginnings) {
    const cut = shape.length - beginning.length
    if (shape.endsWith(beginning) && outwardShapes.includes(shape.slice(0, cut))) return compact.slice(0, cut)
  }
  return undefined
}

/**
 * What may be sent of a text typed as a place: the outward code of the first postcode in it, also of one that is not
 * finished yet; otherwise the text as it is.
 */
export function withoutInward(text: string): string {
  const words = text.split(/[\s,]/).filter(Boolean)
  for (const [index, word] of words.entries()) {
    const postcode = parsePostcode(word) ?? parsePostcode(`${word}${words[index + 1] ?? ''}`)
    const outward = postcode?.outward ?? outwardOfBeginning(word)
    if (outward) return outward
  }
  return words.join(' ') === '' ? '' : text.trim()
}
