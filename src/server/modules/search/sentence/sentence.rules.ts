import { isOrdinalEnd } from './dates.rules.ts'
import { type DayRange, type Days, daysAt } from './days.rules.ts'
import { hasFailed, isNegator, isOfPractitioner, negationBefore } from './context.rules.ts'
import { acronyms, type Gazetteer, type IdFilter, type Meaning, type ValueFilter } from './gazetteer.rules.ts'
import { type FoundPlace, isLedTo, placeAt, type ReadPlace } from './places.rules.ts'
import {
  isOneOf,
  longestPhrase,
  numeralOf,
  type Word,
  wordSet,
  wordsOf,
  mostPassed,
} from './phrases.rules.ts'
import { type FoundPrice, priceAt, type PriceRange } from './prices.rules.ts'
import { tellsOfDay, tellsOfMoney, tellsOfPlace } from './stories.rules.ts'

/** A part of a sentence that became a filter. */
export type UsedPart = {
  text: string
  filter: IdFilter | ValueFilter | 'price' | 'dates' | 'near'
  id: number | string | null
}

/** Words that stand beside each other and are no filter. */
export type LeftPart = { text: string; words: readonly string[] }

export type Reading = {
  ids: Partial<Record<IdFilter, number[]>>
  values: Partial<Record<ValueFilter, string>>
  price: PriceRange | undefined
  days: Days | undefined
  near: { label: string; within?: number } | undefined
  used: UsedPart[]
  left: LeftPart[]
  /** A place that may be another, with the labels of those it may be. */
  ask: { text: string; options: readonly string[] } | undefined
  isDanger: boolean
}

/** May stand within a phrase without a change of its meaning. */
const passing = wordSet('a an the my our your his her their some really so very this of')
/** There are two formats. There are more than two genders: "not a man" asks for none of them. */
const opposites: Readonly<Record<string, string>> = {
  online: 'face_to_face',
  face_to_face: 'online',
}

/** What became of a word; a word that has no state yet is left. */
type State = 'used' | 'understood' | 'alone'

/**
 * Reads a sentence as filters. The work grows with its length alone: every word is tried at most as often as the longest
 * phrase has words.
 * @param today days since 1970-01-01 in Europe/London
 */
export function readSentence(
  sentence: string,
  gazetteer: Gazetteer,
  { today, readPlace }: { today: number; readPlace: ReadPlace },
): Reading {
  const words = wordsOf(sentence, gazetteer.spelling)
  const reading: Reading = {
    ids: {},
    values: {},
    price: undefined,
    days: undefined,
    near: undefined,
    used: [],
    left: [],
    ask: undefined,
    isDanger: false,
  }
  const states: (State | undefined)[] = Array.from({ length: words.length })
  const groups: { from: number; end: number }[] = []
  const used: { from: number; part: UsedPart }[] = []
  const values: { filter: ValueFilter; value: string; from: number; end: number }[] = []
  /** Values that are not wanted and have no opposite. */
  const denied: { filter: ValueFilter; value: string; from: number; end: number }[] = []
  /** Where a negated price or value ends; in "not under £40 or over £60" the negation goes on. */
  let negatedUntil: number | undefined
  let asked: { from: number; end: number } | undefined
  let nearAt: { from: number; end: number } | undefined
  const isShouted = sentence === sentence.toUpperCase()
  const textOf = (from: number, end: number) => sentence.slice(words[from]?.start, words[end - 1]?.end)

  const mark = (from: number, end: number, state: State) => {
    for (let at = from; at < end; at++) states[at] = state
  }
  /** Names a run of words as not used, in one piece. */
  const leave = (from: number, end: number) => {
    mark(from, end, 'alone')
    groups.push({ from, end })
  }
  const take = (from: number, end: number, filter: UsedPart['filter'], id: UsedPart['id']) => {
    mark(from, end, 'used')
    used.push({ from, part: { text: textOf(from, end), filter, id } })
  }

  const takeIds = (from: number, end: number, wanted: readonly { filter: IdFilter; id: number }[]) => {
    for (const { filter, id } of wanted) {
      const known = (reading.ids[filter] ??= [])
      if (!known.includes(id)) {
        known.push(id)
        take(from, end, filter, id)
      } else mark(from, end, 'used')
    }
  }

  const takeMeaning = (from: number, end: number, meaning: Meaning) => {
    if (meaning.kind === 'understood' || meaning.kind === 'any_format') return mark(from, end, 'understood')
    if (meaning.kind === 'without_filter') return leave(from, end)
    if (meaning.kind === 'ids') {
      const areAll = (list: IdFilter) => meaning.wanted.every(({ filter }) => filter === list)
      const isTherapy = areAll('therapy_type_id')
      const what = areAll('language_id') ? 'language' : 'issue'
      const negation = negationBefore(words, from, isTherapy ? 'therapy' : what)
      if (negation) return leave(negation.from, end)
      const failure = isTherapy ? hasFailed(words, from, end) : undefined
      if (failure) return leave(failure.from, failure.end)
      return takeIds(from, end, meaning.wanted)
    }
    if (meaning.kind === 'possible_gender' && !isNegatedWay(from)) {
      if (!isOfPractitioner(words, from, end, states[from - 1] === 'used')) return undefined
    }
    const filter = meaning.kind === 'value' ? meaning.filter : 'gender'
    takeValue(from, end, filter, meaning.value)
  }
  const isNegatedWay = (at: number) => negationBefore(words, at, 'way') !== undefined
  const takeValue = (from: number, end: number, filter: ValueFilter, value: string) => {
    const negation = negationBefore(words, from, 'way')
    if (negation?.isIndifferent) return mark(negation.from, end, 'understood')
    if (negation) negatedUntil = end
    const wanted = negation ? opposites[value] : value
    const start = negation?.from ?? from
    mark(start, end, 'used')
    if (wanted === undefined) return void denied.push({ filter, value, from: start, end })
    values.push({ filter, value: wanted, from: start, end })
  }

  const takePrice = ({ range, opposite, end }: FoundPrice, from: number) => {
    const told = tellsOfMoney(words, from)
    if (told !== undefined) return leave(told, end)
    const goesOn = words[from - 1]?.text === 'or' && negatedUntil === from - 1
    // "no more than £60" is a bound by itself.
    const isOwn = isNegator(words[from])
    const negation = isOwn ? undefined : negationBefore(words, from, 'price')
    const isNegated = goesOn || negation !== undefined
    if (isNegated || isOwn) negatedUntil = end
    const wanted = isNegated ? opposite : range
    const start = negation?.from ?? from
    if (wanted === undefined || negation?.isIndifferent) return leave(start, end)
    const both = { ...reading.price, ...wanted }
    // "under £40 or over £80": no practitioner is both, and no filter has a gap. The first stands.
    if ((both.min ?? 0) > (both.max ?? Number.POSITIVE_INFINITY)) return leave(start, end)
    reading.price = both
    take(start, end, 'price', null)
  }

  const takePlace = (found: FoundPlace, from: number) => {
    const text = textOf(found.from, found.end)
    const negation = negationBefore(words, from, 'place')
    const told = negation?.from ?? tellsOfPlace(words, found.from)
    if (told !== undefined) return leave(told, found.end)
    if (reading.near || reading.ask) return leave(found.from, found.end)
    const place = readPlace(text)
    if (!place) return leave(found.from, found.end)
    mark(from, found.end, 'used')
    if ('options' in place || !found.isSure) {
      asked = { from: found.from, end: found.end }
      reading.ask = { text, options: 'options' in place ? place.options : [place.label] }
      return undefined
    }
    reading.near = { label: place.label, ...(found.within === undefined ? {} : { within: found.within }) }
    nearAt = { from, end: found.end }
    take(from, found.end, 'near', place.label)
  }

  const danger = dangerIn(words, gazetteer)
  reading.isDanger = danger.size > 0
  for (let at = 0; at < words.length; ) {
    const phrase = longestPhrase(gazetteer.phrases, words, at, passing)
    const price = priceAt(words, at)
    const days = daysAt(words, at, today)
    const place = placeAt(words, at, gazetteer)
    const timeEnd = partOfDayAt(words, at)
    const end = Math.max(phrase?.end ?? 0, price?.end ?? 0, days?.end ?? 0, place?.end ?? 0, timeEnd ?? 0)
    if (end === 0) {
      const isAcronym = acronyms.has(words[at]?.text ?? '')
      const wanted = isAcronym && !isShouted ? acronymAt(at) : undefined
      if (wanted) takeMeaning(at, at + 1, wanted)
      // The end of a number, as in "2nd", is no word: "ND" is.
      at += isOrdinalEnd(words[at + 1]) ? 2 : 1
    } else {
      if (place?.end === end && (place.end !== phrase?.end || place.isLed)) takePlace(place, at)
      else if (phrase?.end === end) takeMeaning(at, end, phrase.value)
      else if (price?.end === end) takePrice(price, at)
      else if (days?.end === end) {
        const negation = negationBefore(words, at, 'days')
        if (reading.days === undefined && !negation && !tellsOfDay(words, at, end)) {
          reading.days = days.value
          take(at, end, 'dates', null)
        } else leave(negation?.from ?? at, end)
      } else leave(at, end)
      at = end
    }
  }

  /** "ACT" and "CAT" in capitals are kinds of therapy. */
  function acronymAt(at: number): Meaning | undefined {
    const text = textOf(at, at + 1)
    if (text !== text.toUpperCase()) return undefined
    return longestPhrase(gazetteer.phrases, wordsOf(`${text} therapy`, gazetteer.spelling), 0, passing)?.value
  }

  settleValues()
  dropDistanceOnline()
  collectLeft()
  if (!reading.ask) askForTown()
  reading.used = used.toSorted((a, b) => a.from - b.from).map(({ part }) => part)
  return reading

  /** Both formats, or two genders, narrow nothing: one after the other is no filter. */
  function settleValues(): void {
    for (const filter of new Set(values.map((each) => each.filter))) {
      const found = values.filter((each) => each.filter === filter)
      const [first] = found
      const isOne = found.every(({ value }) => value === first?.value)
      if (first && isOne) {
        reading.values[filter] = first.value
        for (const { from, end } of found.slice(1)) mark(from, end, 'used')
        take(first.from, first.end, filter, first.value)
      } else for (const { from, end } of found) mark(from, end, 'understood')
    }
    for (const { filter, value, from, end } of denied) {
      const wanted = reading.values[filter]
      if (wanted === undefined || wanted === value) leave(from, end)
    }
  }

  /** Nowhere is near online. */
  function dropDistanceOnline(): void {
    if (reading.values.session_type !== 'online') return
    for (const place of [nearAt, asked]) if (place) leave(place.from, place.end)
    reading.near = undefined
    reading.ask = undefined
    const others = used.filter(({ part }) => part.filter !== 'near')
    used.splice(0, used.length, ...others)
  }

  /** The words that are neither used nor fillers, in runs without the fillers at their ends. */
  function collectLeft(): void {
    const isFiller = (at: number) => !words[at] || isOneOf(words[at], gazetteer.fillers)
    const isLeft = (at: number) => states[at] === undefined && !danger.has(at)
    const runs = groups.map((group) => ({ ...group }))
    for (let at = 0; at < words.length; at++) {
      if (!isLeft(at) || isFiller(at)) continue
      let end = at + 1
      for (let next = end; next < words.length && isLeft(next) && !words[next]?.isAfterBreak; next++) {
        if (!isFiller(next)) end = next + 1
      }
      runs.push({ from: at, end })
      at = end - 1
    }
    // One negation of two words, "not a man or a woman", is named once.
    const apart: typeof runs = []
    for (const run of runs.toSorted((a, b) => a.from - b.from || b.end - a.end)) {
      if (run.end > (apart.at(-1)?.end ?? 0)) apart.push(run)
    }
    reading.left = apart.map(({ from, end }) => ({
      text: textOf(from, end),
      words: words.slice(from, end).map(({ text }) => text),
    }))
  }

  /** A word after "in" or "near" that is no town may be a mistyped one. */
  function askForTown(): void {
    if (reading.near || reading.values.session_type === 'online') return
    for (const [at, word] of words.entries()) {
      if (states[at] !== undefined || word.text.length < 4 || gazetteer.fillers.has(word.text)) continue
      if (!isLedTo(words, at) || gazetteer.ordinaryTowns.has(word.text)) continue
      const place = readPlace(textOf(at, at + 1))
      if (place && 'options' in place && place.options.length > 0) {
        reading.ask = { text: textOf(at, at + 1), options: place.options }
        reading.left = reading.left.filter(({ words: each }) => each.join(' ') !== word.text)
      }
      return
    }
  }
}

/** Words of danger, which are also not named as something that was not used. */
function dangerIn(words: readonly Word[], gazetteer: Gazetteer): ReadonlySet<number> {
  const { danger, dangerFillers, afterDangerEndings, harmlessAfter } = gazetteer
  const found = new Set<number>()
  for (let at = 0; at < words.length; at++) {
    const phrase = longestPhrase(danger, words, at, dangerFillers, 'danger')
    if (!phrase) continue
    const next = wordAfter(phrase.end)
    if (phrase.value === 'at the end' && next && !afterDangerEndings.has(next)) continue
    if (phrase.value === 'unless' && next && harmlessAfter.has(next)) continue
    for (let each = at; each < phrase.end; each++) found.add(each)
  }
  return found

  /** What its clause goes on with, past fillers; none where it ends. */
  function wordAfter(end: number): string | undefined {
    for (let at = end; at < Math.min(words.length, end + mostPassed + 1); at++) {
      const word = words[at]
      if (!word || word.isAfterBreak || word.isAfterDash) return undefined
      if (!dangerFillers.has(word.text)) return word.text
    }
    return undefined
  }
}

const clockMarks = new Set(['am', 'pm', 'oclock', 'ish'])
const clockLeads = new Set(['after', 'before', 'from', 'at', 'by', 'until', 'around'])

/** "after 6pm", "9am": a time of day, which no filter stands for. */
function partOfDayAt(words: readonly Word[], at: number): number | undefined {
  const start = clockLeads.has(words[at]?.text ?? '') ? at + 1 : at
  if (numeralOf(words[start]) === undefined || words[start]?.isPounds) return undefined
  return clockMarks.has(words[start + 1]?.text ?? '') ? start + 2 : undefined
}

/** The days of a reading as a range. */
export function rangeOf(days: Days | undefined): DayRange | undefined {
  return days === 'soon' ? undefined : days
}
