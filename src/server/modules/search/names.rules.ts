/** Letters that Unicode does not take apart into a letter and an accent. */
export const unsplitLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

/** Small letters without accents; an apostrophe inside a name joins (O'Neil → oneil), all else separates. */
export function nameWords(name: string): string[] {
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’ʼ`]/gu, '')
    .replace(/[ßæœøđðłþħı]/gu, (letter) => unsplitLetters[letter] ?? letter)
  return [...new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? [])]
}

const titles: ReadonlySet<string> = new Set(['dr', 'prof', 'professor', 'mr', 'mrs', 'ms', 'miss', 'mx'])

/** The words of a typed name without titles before it: the index holds first and last names alone. Of titles alone, the last. */
export function typedWords(name: string): string[] {
  const words = nameWords(name)
  const start = words.findIndex((word) => !titles.has(word))
  return words.slice(start)
}

/** Shortest typed word that may match a whole word with one mistake. */
export const forgivenWord = 3
/** Shortest typed word that may match part of a word with one mistake. A shorter one would match almost any word. */
const forgivenPart = 5

/**
 * Matches a typed word against a word of a name, both folded: `exact` when it is a part of it, `close` when it is with
 * one typing mistake.
 */
export function matchWord(typed: string, word: string): 'exact' | 'close' | undefined {
  if (word.includes(typed)) return 'exact'
  const letters = typed.length
  if (letters < forgivenWord) return undefined
  if (letters >= forgivenPart ? containsWithinOneMistake(typed, word) : withinOneMistake(typed, word)) {
    return 'close'
  }
  return undefined
}

/** Whether `b` is `a` with at most one mistake: a letter too many, missing or wrong, or two neighbours swapped. */
export function withinOneMistake(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const shorter = Math.min(a.length, b.length)
  let same = 0
  while (same < shorter && a[same] === b[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < shorter - same && a.at(-1 - sameAtEnd) === b.at(-1 - sameAtEnd)) sameAtEnd++
  const left = a.slice(same, a.length - sameAtEnd)
  const right = b.slice(same, b.length - sameAtEnd)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

function containsWithinOneMistake(typed: string, word: string): boolean {
  for (let start = 0; start < word.length; start++) {
    for (const size of [typed.length - 1, typed.length, typed.length + 1]) {
      if (start + size > word.length) break
      if (withinOneMistake(typed, word.slice(start, start + size))) return true
    }
  }
  return false
}

/**
 * Splits a typed word into up to three fragments, to narrow down the words that `matchWord` must check. Every word that it
 * accepts contains one of them: a single mistake, even two letters swapped across a border, leaves one intact. No letter is
 * cut in two: half a surrogate pair cannot be sent to the database.
 */
export function fragmentsOf(typed: string): string[] {
  if (typed.length < forgivenWord) return [typed]
  const cut = (part: number) => Math.round((part * typed.length) / 3)
  const isWithinLetter = (at: number) => (typed.codePointAt(at - 1) ?? 0) > 0xffff
  const first = isWithinLetter(cut(1)) ? cut(1) + 1 : cut(1)
  const second = isWithinLetter(cut(2)) ? cut(2) - 1 : cut(2)
  const fragments = [typed.slice(0, first), typed.slice(first, second), typed.slice(second)]
  return [...new Set(fragments)].filter((fragment) => fragment !== '')
}
