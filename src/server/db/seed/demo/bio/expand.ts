import type { Random } from '../random.ts'

/** What `[name]` stands for in a sentence; `[Name]` gives the same with a capital. */
export type Fillings = Readonly<Record<string, string>>

const alternatives = /\{([^{}]+)\}/g
const placeholders = /\[([A-Za-z]+\d?)\]/g

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Fills a sentence in: `{one|other}` is one of its alternatives, `[name]` its filling. Throws for a name that is
 * missing, so that no bracket ever reaches a page.
 */
export function expand(template: string, fillings: Fillings, random: Random): string {
  let text = template
  if (text.includes('{')) text = text.replace(alternatives, (_, list: string) => random.pick(list.split('|')))
  if (text.includes('[')) {
    text = text.replace(placeholders, (_, name: string) => {
      const plain = fillings[name]
      if (plain !== undefined) return plain
      const lower = fillings[name.charAt(0).toLowerCase() + name.slice(1)]
      if (lower === undefined) throw new RangeError(`Nothing to fill [${name}] with`)
      return capitalised(lower)
    })
  }
  return capitalised(text)
}
