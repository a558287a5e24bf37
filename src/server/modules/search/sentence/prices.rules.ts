import { isDayOfMonth } from './dates.rules.ts'
import {
  addPhrase,
  addPhrases,
  isOneOf,
  listed,
  longestPhrase,
  noPhrases,
  numeralOf,
  type Phrases,
  phraseSet,
  type Word,
} from './phrases.rules.ts'

/** Pounds; either end may be open. */
export type PriceRange = { min?: number; max?: number }

/** A price in words. Without a range, the words name none that a filter stands for. */
export type FoundPrice = {
  range?: PriceRange
  /** What the words ask for after a negation: "not under £60" is £60 or more. None for "not around £60". */
  opposite?: PriceRange
  end: number
}
type Amount = { pounds: number; end: number; isMoney: boolean }

const set = (text: string) => new Set(listed(text))
const units = set('pounds, pound, quid, gbp, squid')
const otherUnits = set(
  'minutes, minute, mins, min, miles, mile, mi, km, kms, hours, hour, hrs, hr, years, year, yrs, yr, months, month, weeks, week, ' +
    'days, day, people, kids, children, sessions, times, am, pm, oclock, percent, stone, kg, lbs, s, st, nd, rd, th, p, k, yo, ' +
    'something, meds, mg, units, pints, others',
)
const thousandWords: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
}
const joins = set('to, and, till, until')

type Bound = 'max' | 'min' | 'pay' | 'band' | 'range'
type Later = 'max' | 'min' | 'band'
const before: Phrases<Bound> = noPhrases()
const bounds: Record<Bound, string> = {
  max:
    'under, below, up to, upto, less than, no more than, not more than, no higher than, not over, no over, max, maximum, max of, ' +
    'maximum of, at most, sub, cheaper than, cant pay more than, cant afford more than, cannot afford more than, dont want to pay more than, ' +
    'up to a maximum of, not above, no more then, less then, lower than, not more then',
  pay:
    'budget, budget of, budget is, budgets, can afford, could afford, afford, spend, can spend, can pay, pay, could pay, ' +
    'within a budget of',
  min: 'over, above, more than, at least, from, minimum, min, starting at, starting from, upwards of, no less than, no fewer than, not less than, not below, no lower than, not lower than',
  band: 'around, about, roughly, approx, approximately, circa, somewhere around, in the region of, more or less, budget around, budget of around, budget of about',
  range: 'between, from, anywhere between, anything between, somewhere between',
}
for (const [bound, phrases] of Object.entries(bounds)) {
  addPhrases(before, phrases, bound as Bound, (known, added) => (known === 'min' ? known : added))
}
const after: Phrases<Later> = noPhrases()
addPhrases(
  after,
  'max, maximum, tops, or less, or under, or below, or lower, or cheaper, at most, at the most, limit, maximum please, ' +
    'no more, not more, and no more, and not more, but no more, but not more',
  'max',
)
addPhrases(after, 'ish, or so, or thereabouts, roughly, approx, more or less', 'band')
addPhrases(
  after,
  'or more, or over, and over, or above, and above, or higher, minimum, plus, upwards, and upwards, or upwards, ' +
    'no less, not less, and no less, and not less, but no less, but not less',
  'min',
)
const rates = noPhrases<true>()
for (const per of ['a', 'an', 'per', 'each', 'every', 'for a', 'for an', 'for each']) {
  for (const what of listed('session, sesh, hour, hr, week, time, appointment, go, pop, visit, meeting')) {
    addPhrase(rates, `${per} ${what}`, true)
  }
}
addPhrases(rates, 'session, hour, hourly, ph, phr, pw, p h, each, an hour session', true)

/** An amount for one of these is an income, a rent or a habit. */
const periods = phraseSet(
  'a year, per year, each year, every year, yearly, pa, p a, per annum, annually, a month, per month, each month, every month, ' +
    'pcm, monthly, a day, per day, every day, daily, a night, every night',
)

/** A lower amount without a pound sign is an age, a distance or a number of people. */
const leastBare = 20
/** Where the filter's price range ends at most. A higher amount is an income or a debt. */
const mostPounds = 1800
/** To either side of "around £60". */
const bandPounds = 10

/** The price that begins at a word, such as `£60`, `under 60`, `between 40 and 60 quid` or `sixty pounds max`. */
export function priceAt(words: readonly Word[], from: number): FoundPrice | undefined {
  const led = longestPhrase(before, words, from)
  if (led && isAge(words, from, led.end)) return undefined
  const read = led
    ? (boundAt(words, led.end, led.value) ?? rangeAt(words, led.end, true))
    : (rangeAt(words, from, false) ?? amountAlone(words, from))
  if (!read) return undefined
  const periodEnd = longestPhrase(periods, words, read.end)?.end
  const isOther = periodEnd !== undefined || Math.max(read.range?.min ?? 0, read.range?.max ?? 0) > mostPounds
  if (isOther) return { end: periodEnd ?? read.end }
  return { ...read, end: longestPhrase(rates, words, read.end)?.end ?? read.end }
}

const ages = set('age, ages, aged')
const afterAge = set('of, is, range, group, bracket')

/** "aged between 30 and 45". An amount of money is none. */
function isAge(words: readonly Word[], from: number, end: number): boolean {
  if (words[from]?.isAfterBreak || amountAt(words, end)?.isMoney) return false
  const at = afterAge.has(words[from - 1]?.text ?? '') ? from - 2 : from - 1
  return ages.has(words[at]?.text ?? '')
}

function boundAt(words: readonly Word[], from: number, bound: Bound): FoundPrice | undefined {
  // "up to around £60".
  const about = bound === 'band' ? undefined : longestPhrase(before, words, from)
  const start = about?.value === 'band' ? about.end : from
  const range = rangeAt(words, start, true)
  if (range) return range
  const amount = amountAt(words, start)
  if (!amount || bound === 'range') return undefined
  const later = laterAt(words, amount.end)
  const isMost = bound === 'max' || bound === 'pay' || later?.value === 'max'
  if (!amount.isMoney && !(isMost && amount.pounds >= leastBare)) return undefined
  return { ...boundedBy(amount.pounds, bound, later?.value), end: later?.end ?? amount.end }
}

/** The bound after an amount. In "£40 or over £80", "or over" is of the second one. */
function laterAt(words: readonly Word[], from: number): { value: Later; end: number } | undefined {
  const later = longestPhrase(after, words, from)
  return later && !amountAt(words, later.end) ? later : undefined
}

/** The words before an amount and those after it, taken together: "around £70 or less" is £70 or less. */
function boundedBy(
  pounds: number,
  bound: 'max' | 'min' | 'pay' | 'band' | undefined,
  later: Later | undefined,
): Omit<FoundPrice, 'end'> {
  const most = { max: pounds }
  const least = { min: pounds }
  const isFirm = bound === 'max' || bound === 'min'
  // "under £60 or more".
  if (isFirm && (later === 'max' || later === 'min') && later !== bound) return {}
  const meant = isFirm ? bound : (later ?? bound)
  if (meant === 'max') return { range: most, opposite: least }
  if (meant === 'min') return { range: least, opposite: most }
  return { range: meant === 'band' ? bandOf(pounds) : most }
}

/** Two amounts: "40 to 60", "£40-£60". Without money in it, it needs a word such as "between" before. */
function rangeAt(words: readonly Word[], from: number, isLed: boolean): FoundPrice | undefined {
  const first = amountAt(words, from)
  if (!first) return undefined
  const joint = words[first.end]
  const start = joint && !joint.isAfterDash && isOneOf(joint, joins) ? first.end + 1 : first.end
  if (start === first.end && !joint?.isAfterDash) return undefined
  const second = amountAt(words, start)
  if (!second || !(first.isMoney || second.isMoney || (isLed && first.pounds >= leastBare))) return undefined
  const [min, max] = [Math.min(first.pounds, second.pounds), Math.max(first.pounds, second.pounds)]
  return { range: { min, max }, end: second.end }
}

/** "£60" is the most that is to be paid; "60" alone is no price, "60 max" is. */
function amountAlone(words: readonly Word[], from: number): FoundPrice | undefined {
  const amount = amountAt(words, from)
  if (!amount) return undefined
  const later = laterAt(words, amount.end)
  if (!amount.isMoney && (later?.value !== 'max' || amount.pounds < leastBare)) return undefined
  return { ...boundedBy(amount.pounds, undefined, later?.value), end: later?.end ?? amount.end }
}

const bandOf = (pounds: number): PriceRange => ({
  min: Math.max(0, pounds - bandPounds),
  max: pounds + bandPounds,
})

function amountAt(words: readonly Word[], from: number): Amount | undefined {
  const word = words[from]
  if (!word) return undefined
  const read = numberAt(words, from)
  if (!read || read.value === 0) return undefined
  const unit = words[read.end]
  if (word.isPounds && unit?.isGlued && unit.text === 'k') {
    return { pounds: read.value * 1000, end: read.end + 1, isMoney: true }
  }
  const hasUnit = unit !== undefined && !unit.isAfterBreak && isOneOf(unit, units)
  const isMoney = word.isPounds || hasUnit
  if (!isMoney && unit && !unit.isAfterBreak && otherUnits.has(unit.text)) return undefined
  if (!isMoney && isDayOfMonth(words, from)) return undefined
  return { pounds: read.value, end: hasUnit ? read.end + 1 : read.end, isMoney }
}

/** A number in digits, or one of the words from twenty to a hundred and ninety-five. */
function numberAt(words: readonly Word[], from: number): { value: number; end: number } | undefined {
  const number = numeralOf(words[from])
  if (number !== undefined) return { value: Math.round(number * 100) / 100, end: from + 1 }
  const text = words[from]?.text
  let end = text === 'a' || text === 'one' ? from + 1 : from
  let value = 0
  if (words[end]?.text === 'hundred') {
    value = 100
    end++
    if (words[end]?.text === 'and' && thousandWords[words[end + 1]?.text ?? ''] !== undefined) end++
  } else if (end > from) return undefined
  const tens = thousandWords[words[end]?.text ?? '']
  if (tens !== undefined && tens < 100) {
    value += tens
    end++
    if (words[end]?.text === 'five') {
      value += 5
      end++
    }
  }
  return value > 0 ? { value, end } : undefined
}
