import { mondayOf } from '../../../clock.ts'
import { isOneOf, type Word, wordSet } from './phrases.rules.ts'

/*
 * Dates: a day of a month, with its weekday or without.
 */

export type Span = { from: number; to: number }
export type Found<Value> = { value: Value; end: number }
/** `hasMonth`: the month stands in the words. */
export type FoundDate = Found<Span> & { hasMonth?: true }

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
const shortDays: Readonly<Record<string, number>> = {
  mon: 0,
  tue: 1,
  tues: 1,
  weds: 2,
  thu: 3,
  thur: 3,
  thurs: 3,
  fri: 4,
  wed: 2,
  sat: 5,
  sun: 6,
}
export const months =
  'january february march april may june july august september october november december'.split(' ')
const shortMonths = months.map((month) => month.slice(0, 3))
const ordinals = new Set(['st', 'nd', 'rd', 'th'])
const joins = new Set(['to', 'until', 'till', 'and', 'or', 'through'])

/** What leads from one day to another. `isChoice`: the two may be alternatives. */
export function jointAt(words: readonly Word[], at: number): { end: number; isChoice: boolean } | undefined {
  const joint = words[at]
  const isJoint = isOneOf(joint, joins)
  if (!joint || (!isJoint && !joint.isAfterDash)) return undefined
  const isChoice = (joint.text === 'or' || joint.text === 'and') && !hasBetween(words, at)
  return { end: isJoint ? at + 1 : at, isChoice }
}

/** "between 15 June and 20 June": `and` joins two ends where "between" stands before them. */
function hasBetween(words: readonly Word[], end: number): boolean {
  return words.slice(Math.max(0, end - 5), end).some(({ text }) => text === 'between' || text === 'from')
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
 * `20 June`, `20th of June`, `June 20th`, `the 20th`, each with its weekday or without, and the 15 of `15 to 20 June`.
 * @param isLed whether a word such as "on" stands before it
 * @param after the day that begins a range: in "20 July to 25th" the date is the next 25th from there
 */
export function dateAt(
  words: readonly Word[],
  at: number,
  today: number,
  isLed: boolean,
  after?: FoundDate,
): FoundDate | undefined {
  const parts = partsOfDate(words, at)
  if (!parts) return undefined
  const { day, isOrdinal, month, start, end } = parts
  if (month !== undefined) return onDate(day, month, end, today)
  const shared = inMonthOfNext(words, parts, today)
  if (shared) return shared
  const found = isOrdinal || after?.hasMonth ? onDayOfMonth(day, end, after?.value.from ?? today) : undefined
  // "On 20 June until 6" names an hour.
  if (!found || (!isOrdinal && after && monthOf(found.value.from) !== monthOf(after.value.from)))
    return undefined
  const { from } = found.value
  const isOfWeekday =
    start > at && !words[start]?.isAfterBreak && indexOfWeekday(words[at]) === from - mondayOf(from)
  const next = words[end]
  const isFollowed = !next || next.isAfterBreak || afterDayOfMonth.has(next.text)
  return isOfWeekday || ((isLed || start > at) && isFollowed) ? found : undefined
}

type DateParts = { day: number; isOrdinal: boolean; month: number | undefined; start: number; end: number }

/** The numbers of a date. `start` is the place after its weekday and "the". */
function partsOfDate(words: readonly Word[], at: number): DateParts | undefined {
  const named = indexOfWeekday(words[at]) === undefined ? at : at + 1
  const start = words[named]?.text === 'the' ? named + 1 : named
  const first = indexOfMonth(words[start])
  const number = dayNumber(words, first === undefined ? start : start + 1)
  if (!number) return undefined
  if (first !== undefined) return { ...number, month: first, start }
  const later = monthAfter(words, number.end)
  return { ...number, month: later?.month, start, end: later?.end ?? number.end }
}

function monthAfter(words: readonly Word[], at: number): { month: number; end: number } | undefined {
  const monthAt = words[at]?.text === 'of' ? at + 1 : at
  // "I can pay 30 may be 40".
  const isVerb = words[monthAt]?.text === 'may' && words[monthAt + 1]?.text === 'be'
  const month = words[monthAt]?.isAfterBreak || isVerb ? undefined : indexOfMonth(words[monthAt])
  return month === undefined ? undefined : { month, end: monthAt + 1 }
}

/** Whether a number is the day of a date: `25 June`. */
export function isDayOfMonth(words: readonly Word[], at: number): boolean {
  const number = dayNumber(words, at)
  return number !== undefined && monthAfter(words, number.end) !== undefined
}

/**
 * A day that has its month from the date it leads to: the 15 of `15 to 20 June`, and the 28 of `28 to 3 July`, which is of
 * the month before. "I am 18 and 20 June suits me" has none.
 */
function inMonthOfNext(
  words: readonly Word[],
  { day, end }: DateParts,
  today: number,
): FoundDate | undefined {
  const joint = words[end]?.isAfterBreak ? undefined : jointAt(words, end)
  const next = joint && partsOfDate(words, joint.end)
  if (!next || next.month === undefined || day === next.day) return undefined
  const last = onDate(next.day, next.month, next.end, today)
  if (!last || (joint.isChoice && next.day !== day + 1)) return undefined
  const from = dayBefore(day, last.value.from)
  if (from === undefined || (joint.isChoice && from < today)) return undefined
  // A range that has begun goes on from today.
  const start = Math.max(from, today)
  return { value: { from: start, to: start }, end, hasMonth: true }
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
function onDate(day: number, month: number, end: number, today: number): FoundDate | undefined {
  const year = new Date(today * msADay).getUTCFullYear()
  for (const each of [year, year + 1]) {
    const found = dayOfDate(each, month, day)
    if (found !== undefined && found >= today) {
      return { value: { from: found, to: found }, end, hasMonth: true }
    }
  }
  return undefined
}

/** The next time that the day of the month comes. */
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

/** The day of the month that comes last before a day: of its month or of the one before. */
function dayBefore(day: number, last: number): number | undefined {
  const date = new Date(last * msADay)
  if (day > date.getUTCDate()) date.setUTCDate(0)
  return dayOfDate(date.getUTCFullYear(), date.getUTCMonth(), day)
}

const monthOf = (day: number) => new Date(day * msADay).getUTCMonth()
