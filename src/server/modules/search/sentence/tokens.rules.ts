import { unsplitLetters } from '../names.rules.ts'

/** A word or a number of a sentence. */
export type Token = {
  /** Small letters without accents and apostrophes, or digits with a decimal point. */
  text: string
  /** Where it stands in the sentence. */
  start: number
  end: number
  /** A comma, a full stop or the like stands before it. */
  isAfterBreak: boolean
  /** A sign that ends a clause stands before it; a run of dots ends none. */
  isAfterStop: boolean
  /** A hyphen or a dash stands before it. */
  isAfterDash: boolean
  /** A pound sign stands before it. */
  isPounds: boolean
  /** It is joined to the number before it: `pm` in `6pm`. */
  isGlued: boolean
}

const breaks = new Set([',', '.', ';', ':', '!', '?', '(', ')', '\n', '…', '"', '“', '”', '•', '|'])
const stops = new Set([',', '.', ';', ':', '!', '?', '•', '|'])
const dashes = new Set(['-', '‐', '‑', '‒', '–', '—', '~'])
const apostrophes = new Set(["'", '’', '‘', 'ʼ', '`', '´'])
/** Not seen: a word that was pasted has them where it may be broken, or where its letters are joined. */
const invisible = new Set(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])

const isDigit = (sign: string) => sign >= '0' && sign <= '9'
const isPlainLetter = (sign: string) => sign >= 'a' && sign <= 'z'
/** Scripts without capital letters begin after the Latin ones. */
const isLetter = (sign: string) =>
  isPlainLetter(sign) ||
  sign.toUpperCase() !== sign ||
  (sign >= '\u0590' && sign <= '\u1fff') ||
  (sign >= '\u3040' && sign <= '\ud7ff')
const isMark = (sign: string) => sign >= '\u0300' && sign <= '\u036f'

/** A sign in small letters without accents; empty for an accent alone. */
function folded(sign: string): string {
  if (sign < '\u0080') return sign.toLowerCase()
  const small = sign.toLowerCase()
  const known = unsplitLetters[small]
  if (known !== undefined) return known
  let plain = ''
  for (const part of small.normalize('NFKD')) if (!isMark(part)) plain += part
  return plain
}

/** Takes a sentence apart, in one pass. */
export function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = []
  let open: Token | undefined
  const noMarks = { isAfterBreak: false, isAfterStop: false, isAfterDash: false, isPounds: false }
  let marks = { ...noMarks }
  let at = 0
  const close = () => {
    if (open) tokens.push(open)
    open = undefined
  }
  for (const sign of sentence) {
    const start = at
    at += sign.length
    const next = sentence[at] ?? ''
    if (invisible.has(sign)) continue
    if (apostrophes.has(sign)) {
      // Inside a word it joins: "can't" is "cant".
      if (!open || !isLetter(folded(next).slice(0, 1))) close()
      continue
    }
    const text = folded(sign)
    if (text === '' && open) continue
    const first = text.slice(0, 1)
    const isNumber = isDigit(first)
    if (isNumber || isLetter(first)) {
      const isOfNumber = open !== undefined && isDigit(open.text.slice(0, 1))
      const isGlued = isOfNumber && !isNumber
      if (isGlued) close()
      if (open) {
        open.text += text
        open.end = at
      } else {
        open = { text, start: sentence[start - 1] === '£' ? start - 1 : start, end: at, isGlued, ...marks }
        marks = { ...noMarks }
      }
      continue
    }
    const isWithin = open !== undefined && isDigit(open.text.slice(0, 1)) && isDigit(next)
    if (sign === '.' && isWithin && open && !open.text.includes('.')) {
      open.text += '.'
      continue
    }
    if (sign === ',' && isWithin && isThousands(sentence, at)) continue
    close()
    if (sign === '£') marks.isPounds = true
    else if (dashes.has(sign)) marks.isAfterDash = true
    else if (breaks.has(sign)) {
      marks.isAfterBreak = true
      const isInRun = sign === '.' && (next === '.' || sentence[start - 1] === '.')
      if (stops.has(sign) && !isInRun) marks.isAfterStop = true
    }
  }
  close()
  return tokens
}

/** Whether exactly three digits follow. */
function isThousands(sentence: string, at: number): boolean {
  return [0, 1, 2].every((more) => isDigit(sentence[at + more] ?? '')) && !isDigit(sentence[at + 3] ?? '')
}
