import { fragmentsOf, matchWord } from '../names.rules.ts'
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

  knows(id: number): boolean {
    return this.#words.has(id)
  }

  addWord(id: number, word: string): void {
    if (this.#words.has(id)) return
    this.#words.set(id, word)
    this.#starts.push(this.#text.length)
    this.#ids.push(id)
    this.#text += word + border
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
