import { withinOneMistake } from '../names.rules.ts'
import { type Token, tokensOf } from './tokens.rules.ts'

type Node<Value> = { next: Map<string, Node<Value>>; value?: Value }

/** Phrases by their words. */
export type Phrases<Value> = { root: Node<Value> }

export const noPhrases = <Value>(): Phrases<Value> => ({ root: { next: new Map() } })

/** Adds a phrase. `merge` says what becomes of the value of one that is there already. */
export function addPhrase<Value>(
  { root }: Phrases<Value>,
  phrase: string,
  value: Value,
  merge: (known: Value, added: Value) => Value = (known) => known,
): void {
  let node = root
  for (const { text } of tokensOf(phrase)) {
    let next = node.next.get(text)
    if (!next) {
      next = { next: new Map() }
      node.next.set(text, next)
    }
    node = next
  }
  if (node === root) return
  node.value = node.value === undefined ? value : merge(node.value, value)
}

/** The phrases of a text in which commas separate them. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
}

/** Adds the phrases of a text in which commas separate them. */
export function addPhrases<Value>(
  phrases: Phrases<Value>,
  text: string,
  value: Value,
  merge?: (known: Value, added: Value) => Value,
): void {
  for (const phrase of listed(text)) addPhrase(phrases, phrase, value, merge)
}

/** A set of phrases without a value of their own. */
export function phraseSet(text: string): Phrases<true> {
  const phrases = noPhrases<true>()
  addPhrases(phrases, text, true)
  return phrases
}

/** The words of a text in which spaces separate them. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** What a word stands for where it is mistyped. */
export type Spelling = {
  /** The known words that it is one mistake away from; none for a known word. */
  corrected(word: string): readonly string[]
}

/** Shortest and longest word that is corrected. */
const [shortest, longest] = [5, 24]
/** Most readings of one word. */
const mostReadings = 4

/**
 * Finds words within one mistake of the known ones: a letter too many, missing or wrong, or two neighbours swapped. Two
 * such words share a form with one letter left out of either, so that a word costs as many look-ups as it has letters.
 * @param ordinary words that are right as they are
 */
export function spellingOf(known: Iterable<string>, ordinary: ReadonlySet<string>): Spelling {
  const words = new Set<string>()
  const byForm = new Map<string, string[]>()
  for (const word of known) {
    if (words.has(word)) continue
    words.add(word)
    if (word.length < shortest) continue
    for (const form of formsOf(word)) {
      const sharing = byForm.get(form)
      if (sharing) sharing.push(word)
      else byForm.set(form, [word])
    }
  }
  return {
    corrected(word) {
      if (word.length < shortest || word.length > longest) return []
      if (words.has(word) || ordinary.has(word)) return []
      const found = new Set<string>()
      for (const form of formsOf(word)) {
        for (const candidate of byForm.get(form) ?? []) {
          if (withinOneMistake(word, candidate)) found.add(candidate)
        }
        if (found.size >= mostReadings) break
      }
      return [...found].slice(0, mostReadings)
    },
  }
}

/** A word, and the same with each letter left out. */
function formsOf(word: string): Set<string> {
  const forms = new Set([word])
  for (let at = 0; at < word.length; at++) forms.add(word.slice(0, at) + word.slice(at + 1))
  return forms
}

/** A token with what it may stand for. */
export type Word = Token & { readings: readonly string[] }

export function wordsOf(sentence: string, spelling: Spelling): Word[] {
  return tokensOf(sentence).map((token) => ({ ...token, readings: spelling.corrected(token.text) }))
}

/** The number that a word is in digits. A fraction, such as "½", is none. */
export function numeralOf(word: Word | undefined): number | undefined {
  const text = word?.text ?? ''
  const number = text >= '0' && text < ':' ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Whether a word stands for one of some words. */
export function isOneOf(word: Word | undefined, some: ReadonlySet<string>): boolean {
  return word !== undefined && (some.has(word.text) || word.readings.some((reading) => some.has(reading)))
}

/** Most words between two of a phrase that are passed over. */
export const mostPassed = 3
const none: ReadonlySet<string> = new Set()

/**
 * What phrases are of. A name goes past a comma, as "Newport, Wales", and has one number: "well" is not "Wells". Danger goes
 * past dots: "I want to... die".
 */
type Topic = 'name' | 'danger' | 'other'

const endsPhrase: Record<Topic, (word: Word) => boolean> = {
  name: () => false,
  danger: (word) => word.isAfterStop,
  other: (word) => word.isAfterBreak,
}

/**
 * The longest phrase that begins at a word. Goes on from a phrase's first word past some words, such as an article: "loss
 * of the confidence" is "loss of confidence". A phrase does not go past a comma or a full stop.
 * @returns its value and the place after it
 */
export function longestPhrase<Value>(
  { root }: Phrases<Value>,
  words: readonly Word[],
  from: number,
  passing = none,
  topic: Topic = 'other',
): { value: Value; end: number } | undefined {
  let reached: { node: Node<Value>; passed: number }[] = [{ node: root, passed: 0 }]
  let found: { value: Value; end: number } | undefined
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (!word || (at > from && endsPhrase[topic](word))) break
    const isPassed = at > from && passing.has(word.text)
    const next: typeof reached = []
    for (const { node, passed } of reached) {
      const steps = stepsFrom(node, word, topic)
      for (const step of steps) {
        next.push({ node: step, passed: 0 })
        if (step.value !== undefined && found?.end !== at + 1) found = { value: step.value, end: at + 1 }
      }
      const isOpen = steps.length === 0 || topic === 'danger'
      if (isOpen && isPassed && passed < mostPassed) next.push({ node, passed: passed + 1 })
    }
    if (next.length === 0) break
    reached = next
  }
  return found
}

/** Where a word leads to: by itself, or else by what it may stand for. Danger is followed each way. */
function stepsFrom<Value>(node: Node<Value>, { text, readings }: Word, topic: Topic): Node<Value>[] {
  const forms = [text, ...readings]
  if (topic !== 'name' && text.length >= shortest - 1) {
    // A word that is known in one number is known in the other. In danger, "attack" is not "attacks".
    if (text.endsWith('s')) forms.push(text.slice(0, -1))
    else if (topic !== 'danger') forms.push(`${text}s`)
  }
  const steps = forms.flatMap((form) => node.next.get(form) ?? [])
  return topic === 'danger' ? steps : steps.slice(0, 1)
}

/** All words of phrases. */
export function* vocabulary({ root }: Phrases<unknown>): Generator<string> {
  const open: Node<unknown>[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [word, next] of node.next) {
      yield word
      open.push(next)
    }
  }
}
