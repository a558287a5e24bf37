import { indexOfMonth, indexOfWeekday, isOrdinalEnd } from './dates.rules.ts'
import { type Word, wordSet } from './phrases.rules.ts'

/*
 * Days, amounts and places of a client's own story, which are no wish: "my mum died on Friday", "I earn £20,000", "I grew up in Leeds".
 */

/** Words of what is looked for. A day beside one of them is a wish. */
const wishes = wordSet(
  'someone somebody anyone anybody therapist therapists counsellor psychologist psychiatrist free available availability ' +
    'appointment appointments session sessions slot slots book booking see seeing talk speak meet looking need want prefer can could',
)
const told = wordSet(
  'died dies dying death funeral wedding left leaves lost lose hate hates hated dread dreads dreading fear fears face cry cries ' +
    'cried crying since last worst exam exams interview surgery birthday anniversary broke drank drunk drink hit happened fell got ' +
    'sacked fired dumped found quit told think thinking through kids',
)
const subjects = wordSet(
  'i he she they we it dad mum mom husband wife partner boyfriend girlfriend son daughter brother sister ex got was were',
)
const workers = wordSet('i we he she to im off')
/** Most words on either side of a day that may make it a part of a story. */
const reach = 8

/** Whether a weekday or a date is a part of what has happened, or of what is hard, and not when a session is to be. */
export function tellsOfDay(words: readonly Word[], from: number, end: number): boolean {
  const isNamed = words.slice(from, end).some(isDayName)
  if (!isNamed) return false
  for (let at = from - 1; at >= 0 && at >= from - reach && !words[at + 1]?.isAfterBreak; at--) {
    const text = words[at]?.text ?? ''
    if (wishes.has(text)) return false
    const before = words[at - 1]?.text ?? ''
    const isWork = (text === 'work' || text === 'working') && workers.has(before)
    if (told.has(text) || isWork || (text.endsWith('ed') && subjects.has(before))) return true
  }
  if (words[end]?.text === 'was') return true
  for (let at = end; at < end + reach && words[at] && !words[at]?.isAfterBreak; at++) {
    const text = words[at]?.text ?? ''
    if (wishes.has(text)) return false
    if (told.has(text)) return true
  }
  return false
}

const isDayName = (word: Word) =>
  word.text.startsWith('weekend') ||
  indexOfWeekday(word) !== undefined ||
  indexOfMonth(word) !== undefined ||
  isOrdinalEnd(word)

const amounts = wordSet(
  'earn earns earning earned salary wage wages income rent mortgage bill bills debt debts owe owes owing owed lost lose losing ' +
    'won stole spent charged paid cost costs',
)
const betweenAmount = wordSet(
  'is was of about around me us a the over under nearly almost only just at least roughly up to in went goes',
)

/** Where the words begin by which an amount is an income, a debt or a price paid before. */
export function tellsOfMoney(words: readonly Word[], from: number): number | undefined {
  for (let at = from - 1; at >= 0 && !words[at + 1]?.isAfterBreak; at--) {
    const text = words[at]?.text ?? ''
    const isCost = text === 'cost' || text === 'costs'
    if (amounts.has(text)) return isCost && words[at + 1]?.text !== 'me' ? undefined : at
    if (!betweenAmount.has(text)) return undefined
  }
  return undefined
}

/** Where the words begin by which a place is one of the past: "grew up in", "born in", "moved from". */
export function tellsOfPlace(words: readonly Word[], from: number): number | undefined {
  const [lead, verb, earlier] = [1, 2, 3].map((back) => words[from - back]?.text ?? '')
  if (lead !== 'in' && lead !== 'near' && lead !== 'from') return undefined
  if (verb === 'up' && ['grew', 'grown', 'growing', 'brought'].includes(earlier ?? '')) return from - 3
  const isPast = verb === 'born' || verb === 'raised' || (verb === 'moved' && lead === 'from')
  return isPast ? from - 2 : undefined
}
