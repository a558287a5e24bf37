import { longestPhrase, numeralOf, type Word, wordSet } from './phrases.rules.ts'
import type { Gazetteer } from './gazetteer.rules.ts'

/** What a text that names a place stands for. */
export type PlaceReading = { label: string } | { options: readonly string[] } | undefined
export type ReadPlace = (text: string) => PlaceReading

type Found = { place: { label: string } } | { unknown: { towns: readonly string[] } }

/** Reads a text as a place by a gazetteer of towns and postcodes. */
export function placeReader(find: (text: string) => Found): ReadPlace {
  return (text) => {
    const found = find(text)
    if ('place' in found) return { label: found.place.label }
    return found.unknown.towns.length > 0 ? { options: found.unknown.towns } : undefined
  }
}

/** A place of a sentence. */
export type FoundPlace = {
  end: number
  /** The words of the place itself. */
  from: number
  /** Miles, where they are named. */
  within?: number
  /** It stands after "in" or "near". */
  isLed: boolean
  /** No other word can be meant. */
  isSure: boolean
}

const leads = wordSet('in near nr around outside at from within towards')

/** A town or a postcode at a word, or after "in", "near" or "within 5 miles of". */
export function placeAt(
  words: readonly Word[],
  at: number,
  { towns, ordinaryTowns }: Gazetteer,
): FoundPlace | undefined {
  const radius = radiusAt(words, at)
  const from = radius?.end ?? at
  const isLed = radius !== undefined || isLedTo(words, from)
  const town = longestPhrase(towns, words, from, undefined, 'name')
  const postcodeEnd = outwardAt(words, from, isLed)
  const within = radius && { within: radius.miles }
  if (postcodeEnd !== undefined && postcodeEnd >= (town?.end ?? 0)) {
    return { end: postcodeEnd, from, isLed, isSure: true, ...within }
  }
  if (!town) return undefined
  const isOrdinary = town.end === from + 1 && ordinaryTowns.has(words[from]?.text ?? '')
  // "have a bath", "I like reading".
  if (isOrdinary && !isLed && !isBetweenBreaks(words, from, town.end)) return undefined
  return { end: town.end, from, isLed, isSure: isLed || !isOrdinary, ...within }
}

/** Whether "in" or the like stands before a word. */
export function isLedTo(words: readonly Word[], at: number): boolean {
  if (words[at]?.isAfterBreak) return false
  const [before, earlier] = [words[at - 1]?.text ?? '', words[at - 2]?.text ?? '']
  if (leads.has(before)) return true
  if (before === 'to') return ['close', 'near', 'next'].includes(earlier)
  if (before === 'by') return earlier === 'close'
  return ['central', 'north', 'south', 'east', 'west', 'greater'].includes(before) && leads.has(earlier)
}

function isBetweenBreaks(words: readonly Word[], from: number, end: number): boolean {
  const next = words[end]
  return (from === 0 || words[from]?.isAfterBreak === true) && (!next || next.isAfterBreak)
}

/** "within 5 miles of", "10 miles from", "5 mile radius of". */
function radiusAt(words: readonly Word[], at: number): { miles: number; end: number } | undefined {
  let place = words[at]?.text === 'within' ? at + 1 : at
  const miles = numeralOf(words[place])
  if (miles === undefined) return undefined
  if (!['mile', 'miles', 'mi'].includes(words[place + 1]?.text ?? '')) return undefined
  place += 2
  if (['radius', 'around', 'away'].includes(words[place]?.text ?? '')) place++
  if (!['of', 'from', 'around', 'to'].includes(words[place]?.text ?? '')) {
    return ['around', 'radius'].includes(words[place - 1]?.text ?? '') ? { miles, end: place } : undefined
  }
  return { miles, end: place + 1 }
}

/** The end of a postcode, full or its first half. */
function outwardAt(words: readonly Word[], at: number, isLed: boolean): number | undefined {
  const word = words[at]
  if (!word || !isOutward(word.text)) return undefined
  const [digit, letters] = [words[at + 1], words[at + 2]]
  const isFull =
    digit !== undefined &&
    !digit.isAfterBreak &&
    digit.text.length === 1 &&
    isDigit(digit.text) &&
    letters?.isGlued === true &&
    letters.text.length === 2
  if (isFull) return at + 3
  // "F2F" and the like have the shape of one too.
  return isLed || word.text.length > 2 ? at + 1 : undefined
}

const isDigit = (sign: string | undefined) => sign !== undefined && sign >= '0' && sign <= '9'
const isLetter = (sign: string | undefined) => sign !== undefined && sign >= 'a' && sign <= 'z'

/** One or two letters, a digit, and a digit or a letter at most. */
function isOutward(text: string): boolean {
  if (text.length < 2 || text.length > 4 || !isLetter(text[0])) return false
  const digitAt = isDigit(text[1]) ? 1 : 2
  if (digitAt === 2 && !isLetter(text[1])) return false
  const rest = text.slice(digitAt)
  if (!isDigit(rest[0]) || rest.length > 2) return false
  return rest.length === 1 || isDigit(rest[1]) || isLetter(rest[1])
}
