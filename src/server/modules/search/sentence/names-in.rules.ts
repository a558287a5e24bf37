import { negationBefore } from './context.rules.ts'
import { listed } from './phrases.rules.ts'
import type { LeftPart } from './sentence.rules.ts'
import { tokensOf } from './tokens.rules.ts'
import { ordinaryNames } from './words/fillers.ts'

/** Most words of a name. More words are a story, and no part of it is looked for among names. */
const mostWords = 3
const ordinary: ReadonlySet<string> = new Set(listed(ordinaryNames))

/**
 * The parts of a sentence that may be a practitioner's name. None where more than three words are left. An ordinary word,
 * such as "Young", is looked for beside another one alone.
 */
export function possibleNames(left: readonly LeftPart[]): LeftPart[] {
  const count = left.reduce((sum, { words }) => sum + words.length, 0)
  if (count > mostWords) return []
  return left.filter(({ words }) => words.length > 1 || !ordinary.has(words[0] ?? ''))
}

/** A run of words of a sentence and where it stands. */
export type Run = { text: string; start: number; end: number }

/**
 * The runs of three and of two words that no break divides and no "not" stands before, three first: a first name with a
 * surname has as many.
 */
export function runsOfName(sentence: string): Run[] {
  const tokens = tokensOf(sentence)
  return [mostWords, 2].flatMap((size) =>
    tokens.flatMap(({ start }, at) => {
      if (negationBefore(tokens, at, 'place')) return []
      const run = tokens.slice(at, at + size)
      const last = run.at(-1)
      if (!last || run.length < size || run.slice(1).some((token) => token.isAfterBreak)) return []
      return [{ text: sentence.slice(start, last.end), start, end: last.end }]
    }),
  )
}

/** Whether so few words are left beside a whole name that the sentence is no story. */
export function isBesideName(left: readonly LeftPart[]): boolean {
  return left.reduce((sum, { words }) => sum + words.length, 0) <= mostWords - 2
}
