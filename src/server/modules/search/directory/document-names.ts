import { forgivenWord, fragmentsOf, matchWord } from '../names.rules.ts'
import type { MatchedWord } from '../search.rules.ts'
import { type Bitmap, setBit } from './bitmaps.ts'

/** Stands between words in the text that is searched, and in no word. */
const border = '\n'

/** The words of names: which there are, and which documents have them. */
export class DocumentNames {
  #words = new Map<number, string>()
  /** All words in one text, so that a fragment is found in all of them by one pass. */
  #text = border
  /** Where each word begins in the text, ascending, and its id. */
  #starts: number[] = []
  #ids: number[] = []
  #documents = new Map<number, number[]>()
  /** The ids of the words that hold a short fragment which was typed before. */
  #short = new Map<string, number[]>()
  /** 1 for the ids of the words at hand. */
  #marks = new Uint8Array(1024)

  addWord(id: number, word: string): void {
    if (this.#words.has(id)) return
    this.#words.set(id, word)
    this.#starts.push(this.#text.length)
    this.#ids.push(id)
    this.#text += word + border
    for (const [fragment, ids] of this.#short) if (word.includes(fragment)) ids.push(id)
    if (id >= this.#marks.length) this.#marks = new Uint8Array(2 * id)
  }

  add(document: number, id: number): void {
    const documents = this.#documents.get(id)
    if (documents) documents.push(document)
    else this.#documents.set(id, [document])
  }

  remove(document: number, id: number): void {
    const documents = this.#documents.get(id)
    const place = documents?.indexOf(document) ?? -1
    if (!documents || place < 0) return
    documents[place] = documents.at(-1)!
    documents.pop()
    if (documents.length === 0) this.#documents.delete(id)
  }

  /** The ids of the words that a typed word matches. */
  match(typed: string): MatchedWord {
    if (typed.length >= forgivenWord) return this.#match(typed)
    const known = this.#short.get(typed)
    if (known) return { exact: known, close: [] }
    const { exact } = this.#match(typed)
    // What no word holds is not kept: it could be anything.
    if (exact.length > 0) this.#short.set(typed, exact)
    return { exact, close: [] }
  }

  #match(typed: string): MatchedWord {
    const matched: MatchedWord = { exact: [], close: [] }
    const seen = new Set<number>()
    for (const fragment of fragmentsOf(typed)) {
      let found = this.#text.indexOf(fragment)
      while (found >= 0) {
        const place = this.#wordAt(found)
        const id = this.#ids[place]!
        const end = this.#starts[place + 1] ?? this.#text.length
        if (!seen.has(id)) {
          seen.add(id)
          const how = matchWord(typed, this.#words.get(id) ?? '')
          if (how) matched[how].push(id)
        }
        found = this.#text.indexOf(fragment, end)
      }
    }
    return matched
  }

  /** Adds the documents with any of the words to `target`. */
  addDocuments(target: Bitmap, ids: readonly number[]): void {
    for (const id of ids) for (const document of this.#documents.get(id) ?? []) setBit(target, document)
  }

  /** Hands on marks by id, which are 1 for some words until it returns. */
  withMarks(ids: readonly number[], use: (marks: Uint8Array) => void): void {
    for (const id of ids) this.#marks[id] = 1
    use(this.#marks)
    for (const id of ids) this.#marks[id] = 0
  }

  /** The place of the last word that begins at or before a place in the text. */
  #wordAt(at: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}
