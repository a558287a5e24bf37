import { mondayOf } from '../../../clock.ts'
import {
  addPhrases,
  isOneOf,
  longestPhrase,
  noPhrases,
  numeralOf,
  type Phrases,
  phraseSet,
  type Word,
  wordSet,
} from './phrases.rules.ts'

/** Days since 1970-01-01; either end may be open. */
export type DayRange = { from?: number; to?: number }
/** `soon`: a free time in the coming week. */
export type Days = DayRange | 'soon'
type Span = { from: number; to: number }
type Found<Value> = { value: Value; end: number }

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const shortDays: Readonly<Record<string, number>> = {
  mon: 0,
  tue: 1,
  tues: 1,
  weds: 2,
  thu: 3,
  thur: 3,
  thurs: 3,
  fri: 4,
  // Words of their own, which name a day beside another word of time.
  wed: 2,
  sat: 5,
  sun: 6,
}
const isWordToo = new Set(['wed', 'sat', 'sun', 'mon', 'fri'])
const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const shortMonths = months.map((month) => month.slice(0, 3))
const ordinals = new Set(['st', 'nd', 'rd', 'th'])
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  couple: 2,
  two: 2,
  three: 3,
  few: 4,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
}

const sundayOf = (day: number) => mondayOf(day) + 6

/** Days by the words for them, as distances from today or as spans. */
const fixed: Phrases<(today: number) => Span> = noPhrases()
const on = (phrases: string, span: (today: number) => Span) => addPhrases(fixed, phrases, span)
on(
  'today, tonight, tonite, 2nite, this evening, this afternoon, this morning, right now, right away, straight away, immediately, ' +
    'now please, available now, available today, this minute, same day, later today, asap today',
  (today) => ({ from: today, to: today }),
)
on('tomorrow, tommorow, tomorow, tommorrow, tomoro, tmrw, tomoz, tmw, 2moro, tomorrows', (today) => ({
  from: today + 1,
  to: today + 1,
}))
on('day after tomorrow, the day after tomorrow', (today) => ({ from: today + 2, to: today + 2 }))
on('this week, later this week, this wk', (today) => ({ from: today, to: sundayOf(today) }))
on('next week, next wk', (today) => ({ from: sundayOf(today) + 1, to: sundayOf(today) + 7 }))
on('the week after next, week after next', (today) => ({
  from: sundayOf(today) + 8,
  to: sundayOf(today) + 14,
}))
on(
  'weekend, weekends, this weekend, the weekend, at the weekend, at weekends, on weekends, a weekend',
  (today) => ({
    from: Math.max(today, sundayOf(today) - 1),
    to: sundayOf(today),
  }),
)
on('next weekend', (today) => ({ from: sundayOf(today) + 6, to: sundayOf(today) + 7 }))

const soon = phraseSet(
  'free in the next 7 days, asap, as soon as possible, as soon as, soon, soonest, available soon, urgent, urgently, quickly, as quickly as possible, ' +
    'next available, earliest, first available, no waiting list, without a waiting list, no wait, quick appointment, ' +
    'short notice, soonish, earliest appointment, sooner rather than later, need someone soon',
)

type Edge = 'from' | 'after' | 'until' | 'before' | 'on'
const edges: Phrases<Edge> = noPhrases()
for (const [edge, phrases] of Object.entries({
  from: 'from, free from, starting, starting from, any time from, between, beginning',
  after: 'after, not before',
  until: 'until, free until, till, by, up to, no later than, not after',
  before: 'before',
  on: 'on, free, free on, for, on the, on a, next available, any',
})) {
  addPhrases(edges, phrases, edge as Edge)
}
const joins = new Set(['to', 'until', 'till', 'and', 'or', 'through'])
/** A search looks no further ahead. */
const daysAhead = 62

/** Words of time by which mistyped ones are known. */
export const wordsOfTime: readonly string[] = [
  ...weekdays,
  ...months,
  'tomorrow',
  'tonight',
  'weekend',
  'weekends',
]

/** The days that begin at a word: `tonight`, `next Friday`, `from Monday`, `15 to 20 June`. */
export function daysAt(words: readonly Word[], at: number, today: number): Found<Days> | undefined {
  const early = longestPhrase(soon, words, at)
  const span = spanAt(words, at, today)
  if (early && (!span || span.end <= early.end)) return { value: 'soon', end: early.end }
  return span && inReach(span, today)
}

function inReach({ value, end }: Found<DayRange>, today: number): Found<Days> | undefined {
  const { from = today, to = from } = value
  return to < today || from > today + daysAhead ? undefined : { value, end }
}

function spanAt(words: readonly Word[], at: number, today: number): Found<DayRange> | undefined {
  const edge = longestPhrase(edges, words, at)
  const start = edge?.end ?? at
  const first = dayAt(words, start, today, edge !== undefined)
  if (!first) return undefined
  const second = joinedTo(words, first, today)
  if (second) return second
  const { from, to } = first.value
  const value = {
    from: { from },
    after: { from: to + 1 },
    until: { to },
    before: { to: from - 1 },
    on: first.value,
  }
  return { value: value[edge?.value ?? 'on'], end: first.end }
}

/** A second day: "Thursday or Friday", "15 June to 20 June". Days apart that are alternatives are no range. */
function joinedTo(words: readonly Word[], first: Found<Span>, today: number): Found<DayRange> | undefined {
  const joint = words[first.end]
  const isJoint = isOneOf(joint, joins)
  if (!joint || (!isJoint && !joint.isAfterDash)) return undefined
  const second = dayAt(words, isJoint ? first.end + 1 : first.end, today, true)
  if (!second) return undefined
  const isChoice = joint.text === 'or' || joint.text === 'and'
  const [a, b] = [first.value, second.value]
  const to = b.to < a.from ? b.to + 7 : b.to
  const isNext = b.from === a.to + 1 || a.from === b.to + 1
  if (isChoice && !isNext && words[first.end - 1] && !hasBetween(words, first.end)) return undefined
  if (isChoice && a.from === b.to + 1) return { value: { from: b.from, to: a.to }, end: second.end }
  return { value: { from: a.from, to }, end: second.end }
}

/** "between 15 June and 20 June": `and` joins two ends where "between" stands before them. */
function hasBetween(words: readonly Word[], end: number): boolean {
  return words.slice(Math.max(0, end - 5), end).some(({ text }) => text === 'between' || text === 'from')
}

function dayAt(words: readonly Word[], at: number, today: number, isLed: boolean): Found<Span> | undefined {
  const known = longestPhrase(fixed, words, at)
  if (known) return { value: known.value(today), end: known.end }
  return dateAt(words, at, today, isLed) ?? weekdayAt(words, at, today, isLed) ?? comingAt(words, at, today)
}

function weekdayAt(
  words: readonly Word[],
  at: number,
  today: number,
  isLed: boolean,
): Found<Span> | undefined {
  const text = words[at]?.text
  const isNext = text === 'next'
  const isAny = text !== undefined && ['this', 'coming', 'every', 'any'].includes(text)
  const place = isNext || isAny ? at + 1 : at
  const word = words[place]
  const index = word && indexOfWeekday(word)
  if (!word || index === undefined) return undefined
  const isClear = isLed || isNext || isAny || !isWordToo.has(word.text) || isAmongDays(words, place)
  if (!isClear) return undefined
  const ahead = (index - (today - mondayOf(today)) + 7) % 7
  const from = isNext ? sundayOf(today) + 1 + index : today + ahead
  return { value: { from, to: from }, end: place + 1 }
}

const partsOfDay = wordSet('morning mornings afternoon afternoons evening evenings night or and')

/** Whether the words beside one are of days too, or there are none. */
function isAmongDays(words: readonly Word[], at: number): boolean {
  const [previous, word, next] = [words[at - 1], words[at], words[at + 1]]
  const isAlone = (!previous || word?.isAfterBreak) && (!next || next.isAfterBreak)
  return Boolean(isAlone) || (next !== undefined && partsOfDay.has(next.text))
}

export function indexOfWeekday(word: Word | undefined): number | undefined {
  if (!word) return undefined
  for (const reading of [word.text, ...word.readings]) {
    const name = reading.endsWith('s') && !(reading in shortDays) ? reading.slice(0, -1) : reading
    const index = (weekdays as readonly string[]).indexOf(name)
    if (index >= 0) return index
  }
  return shortDays[word.text]
}

/** What may follow a day of the month that is a date; in "the 2nd opinion" it counts something. */
const afterDayOfMonth = wordSet(
  'to until till through and or morning mornings afternoon afternoons evening evenings night at in for with from by after before ' +
    'between on onwards onward please if when near around online video phone face via ideally preferably i we my a an ' +
    'someone somebody anyone anybody therapist therapists counsellor psychologist psychiatrist who is would',
)

/**
 * `20 June`, `20th of June`, `June 20th`, `the 20th`, each with its weekday or without. `isLed`: a word such as "on" stands
 * before it.
 */
function dateAt(words: readonly Word[], at: number, today: number, isLed: boolean): Found<Span> | undefined {
  const first = words[at]
  const named = first && indexOfWeekday(first) !== undefined ? at + 1 : at
  const start = words[named]?.text === 'the' ? named + 1 : named
  const month = indexOfMonth(words[start])
  if (month !== undefined) {
    const number = dayNumber(words, start + 1)
    return number && onDate(number.day, month, number.end, today)
  }
  const number = dayNumber(words, start)
  if (!number) return undefined
  const monthAt = words[number.end]?.text === 'of' ? number.end + 1 : number.end
  const later = words[monthAt]?.isAfterBreak ? undefined : indexOfMonth(words[monthAt])
  if (later !== undefined) return onDate(number.day, later, monthAt + 1, today)
  const next = words[number.end]
  const found = number.isOrdinal ? onDayOfMonth(number.day, number.end, today) : undefined
  if (!found) return undefined
  const { from } = found.value
  const isOfWeekday =
    named > at && !words[start]?.isAfterBreak && indexOfWeekday(first) === from - mondayOf(from)
  const isFollowed = !next || next.isAfterBreak || afterDayOfMonth.has(next.text)
  return isOfWeekday || ((isLed || start > at) && isFollowed) ? found : undefined
}

/** Whether a word ends a number such as `20th`. */
export const isOrdinalEnd = (word: Word | undefined): boolean =>
  word?.isGlued === true && ordinals.has(word.text)

export function indexOfMonth(word: Word | undefined): number | undefined {
  for (const reading of word ? [word.text, ...word.readings] : []) {
    const index = Math.max(months.indexOf(reading), shortMonths.indexOf(reading), reading === 'sept' ? 8 : -1)
    if (index >= 0) return index
  }
  return undefined
}

function dayNumber(
  words: readonly Word[],
  at: number,
): { day: number; isOrdinal: boolean; end: number } | undefined {
  const word = words[at]
  if (!word || word.isPounds || word.text.length > 2) return undefined
  const day = Number(word.text)
  if (!Number.isInteger(day) || day < 1 || day > 31) return undefined
  const isOrdinal = isOrdinalEnd(words[at + 1])
  return { day, isOrdinal, end: at + (isOrdinal ? 2 : 1) }
}

const msADay = 86_400_000

/** The next time that the date comes. */
function onDate(day: number, month: number, end: number, today: number): Found<Span> | undefined {
  const year = new Date(today * msADay).getUTCFullYear()
  for (const each of [year, year + 1]) {
    const found = dayOfDate(each, month, day)
    if (found !== undefined && found >= today) return { value: { from: found, to: found }, end }
  }
  return undefined
}

function onDayOfMonth(day: number, end: number, today: number): Found<Span> | undefined {
  const now = new Date(today * msADay)
  for (const ahead of [0, 1, 2]) {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    const found = dayOfDate(first.getUTCFullYear(), first.getUTCMonth(), day)
    if (found !== undefined && found >= today) return { value: { from: found, to: found }, end }
  }
  return undefined
}

function dayOfDate(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month ? date.getTime() / msADay : undefined
}

/** `in the next 3 days`, `within a fortnight`, `next couple of weeks`. */
function comingAt(words: readonly Word[], at: number, today: number): Found<Span> | undefined {
  let place = at
  const passed = new Set(['in', 'the', 'within', 'next', 'coming', 'of', 'a'])
  let isLed = false
  while (place < at + 4 && passed.has(words[place]?.text ?? '') && words[place]?.text !== 'a') {
    isLed ||= ['next', 'within', 'coming'].includes(words[place]?.text ?? '')
    place++
  }
  if (!isLed) return undefined
  const text = words[place]?.text ?? ''
  const article = text === 'a' && numbers[words[place + 1]?.text ?? ''] !== undefined ? 1 : 0
  const counted = words[place + article]
  const count = numbers[counted?.text ?? ''] ?? numeralOf(counted)
  const unitAt = count === undefined ? place : place + article + 1
  const unit = words[words[unitAt]?.text === 'of' ? unitAt + 1 : unitAt]
  const length = { day: 1, days: 1, week: 7, weeks: 7, fortnight: 14 }[unit?.text ?? '']
  if (length === undefined || !Number.isInteger(count ?? 1)) return undefined
  const days = Math.min((count ?? 1) * length, daysAhead)
  const end = (words[unitAt]?.text === 'of' ? unitAt + 1 : unitAt) + 1
  return { value: { from: today, to: today + days }, end }
}
