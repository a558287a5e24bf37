import { mondayOf } from '../../../clock.ts'
import {
  dateAt,
  type Found,
  type FoundDate,
  indexOfWeekday,
  jointAt,
  months,
  type Span,
  weekdays,
} from './dates.rules.ts'
import {
  addPhrases,
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
/** Words of their own, which name a day beside another word of time. */
const isWordToo = new Set(['wed', 'sat', 'sun', 'mon', 'fri'])
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
function joinedTo(words: readonly Word[], first: FoundDate, today: number): Found<DayRange> | undefined {
  const joint = jointAt(words, first.end)
  if (!joint) return undefined
  const { isChoice } = joint
  const second = dayAt(words, joint.end, today, true, isChoice ? undefined : first)
  if (!second) return undefined
  const [a, b] = [first.value, second.value]
  const to = b.to < a.from ? b.to + 7 : b.to
  const isNext = b.from === a.to + 1 || a.from === b.to + 1
  if (isChoice && !isNext) return undefined
  if (isChoice && a.from === b.to + 1) return { value: { from: b.from, to: a.to }, end: second.end }
  return { value: { from: a.from, to }, end: second.end }
}

/** @param after the day that begins a range whose end is sought */
function dayAt(
  words: readonly Word[],
  at: number,
  today: number,
  isLed: boolean,
  after?: FoundDate,
): FoundDate | undefined {
  const known = longestPhrase(fixed, words, at)
  if (known) return { value: known.value(today), end: known.end }
  return (
    weekOfAt(words, at, today) ??
    dateAt(words, at, today, isLed, after) ??
    weekdayAt(words, at, today, isLed) ??
    comingAt(words, at, today)
  )
}

const weeksOf = phraseSet('week of, the week of, wk of, the wk of')
const weeksFrom = phraseSet(
  'week beginning, the week beginning, week commencing, the week commencing, week starting, the week starting, ' +
    'wk beginning, wk commencing, wk starting, w c, wc',
)

/** "week of 22 June" is the week with that day; "week commencing 22 June" is seven days from it. */
function weekOfAt(words: readonly Word[], at: number, today: number): Found<Span> | undefined {
  const holding = longestPhrase(weeksOf, words, at)
  const lead = holding ?? longestPhrase(weeksFrom, words, at)
  // The day may have passed while its week has not.
  const date = lead && dateAt(words, lead.end, today - 6, true)
  if (!date) return undefined
  const from = holding ? mondayOf(date.value.from) : date.value.from
  return { value: { from: Math.max(from, today), to: from + 6 }, end: date.end }
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
  const next = words[place + 1]
  const isWeekOn = place === at && !next?.isAfterBreak && ['week', 'wk'].includes(next?.text ?? '')
  const isClear =
    isLed || isNext || isAny || isWeekOn || !isWordToo.has(word.text) || isAmongDays(words, place)
  if (!isClear) return undefined
  const ahead = (index - (today - mondayOf(today)) + 7) % 7
  if (isWeekOn) return { value: { from: today + ahead + 7, to: today + ahead + 7 }, end: place + 2 }
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
