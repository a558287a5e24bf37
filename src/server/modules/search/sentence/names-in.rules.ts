import { listed } from './phrases.rules.ts'
import type { LeftPart } from './sentence.rules.ts'
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
