import { randomUUID } from 'node:crypto'
import { seconds } from '../../clock.ts'

/** A long text in parts that each name the whole, their place in it and their number: `id.2.3:text`. */
const form = /^([\da-f-]{36})\.(\d{1,3})\.(\d{1,3}):/
const headLength = 36 + '.999.999:'.length
/** Texts whose parts have not all come. */
const maxIncomplete = 200
const patience = seconds(30)

/** Splits a text that is longer than so many characters; another is returned as it is. */
export function partsOf(text: string, longest: number): string[] {
  if (text.length <= longest) return [text]
  const size = longest - headLength
  const count = Math.ceil(text.length / size)
  const id = randomUUID()
  return Array.from(
    { length: count },
    (_, index) => `${id}.${index}.${count}:${text.slice(index * size, (index + 1) * size)}`,
  )
}

/** Puts texts together again whose parts come in any order, mixed with others. */
export function createParts(most: number) {
  const incomplete = new Map<string, { parts: (string | undefined)[]; missing: number; since: number }>()
  return {
    /** The text that is complete now; undefined while parts of it are missing. */
    add(received: string, now: number): string | undefined {
      const [head, id = '', place, of] = form.exec(received) ?? []
      if (head === undefined) return received
      const [index, count] = [Number(place), Number(of)]
      if (index >= count || count > most) return undefined
      const begun = incomplete.get(id) ?? { parts: Array<undefined>(count), missing: count, since: now }
      if (begun.parts.length !== count || begun.parts[index] !== undefined) return undefined
      begun.parts[index] = received.slice(head.length)
      begun.missing -= 1
      if (begun.missing === 0) {
        incomplete.delete(id)
        return begun.parts.join('')
      }
      incomplete.set(id, begun)
      forget(now)
      return undefined
    },
  }

  /** Drops the oldest texts that miss a part: it was lost, or made up. */
  function forget(now: number): void {
    for (const [id, { since }] of incomplete) {
      if (since >= now - patience && incomplete.size <= maxIncomplete) return
      incomplete.delete(id)
    }
  }
}
