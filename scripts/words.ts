/** Words that leave open who or what is meant, and turns of phrase in place of a verb of the trade. See CONTRIBUTING.md. */
const phrases = [
  'somebody',
  'someone',
  'nobody',
  'no one',
  'anybody',
  'anyone',
  'everybody',
  'everyone',
  'whoever',
  'whomever',
  'whatever',
  'what is so',
  'lets? go of',
  'letting go of',
  'takes? in',
  'takes? back',
  'hands? in',
  'answers how',
  'says who',
  'says how',
  'tells of',
  'is told',
  'are told',
]
const pattern = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi')

/** What is read for prose: comments, and the names of tests and their groups. */
const tokens =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<title>\b(?:test|it|describe)(?:\.\w+)*(?:\([^()\n]*\))?\(\s*(?:'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`))|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** An indefinite word in a comment or in the name of a test, with its line, the first is 1. */
export type Found = { line: number; word: string }

/** Finds the indefinite words of a source text. The product's own words, in strings, are not looked at. */
export function findWords(source: string): Found[] {
  const found: Found[] = []
  for (const token of source.matchAll(tokens)) {
    const prose = token.groups?.['comment'] ?? token.groups?.['title']
    if (prose === undefined) continue
    for (const { 0: word, index } of prose.matchAll(pattern)) {
      const line = source.slice(0, token.index + index).split('\n').length
      found.push({ line, word: word.toLowerCase() })
    }
  }
  return found
}

/** How many a file may have: those of the record, where it is in the record. */
export type Words = Record<string, number>

/** The files with more than their record, and those with fewer, whose record is to be lowered. */
export function compareWords(record: Words, counted: Words): { above: string[]; below: string[] } {
  const files = [...new Set([...Object.keys(record), ...Object.keys(counted)])].toSorted()
  const difference = (file: string) => (counted[file] ?? 0) - (record[file] ?? 0)
  return {
    above: files.filter((file) => difference(file) > 0),
    below: files.filter((file) => difference(file) < 0),
  }
}
