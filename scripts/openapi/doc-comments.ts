export type DocComments = {
  /** Texts by what they are about: `WriteReview`, its field `WriteReview.rating`, the endpoint `GET /chat/unread`. */
  texts: ReadonlyMap<string, string>
  /** The schema that another one is made from, by its `extend`, `pick`, `omit` or `partial`. */
  bases: ReadonlyMap<string, string>
}

const opens = /^ *\/\*\*/
const declares = /^(?:export )?const (\w+)\b(?:.*= ([A-Z]\w*)\s*\.(?:extend|pick|omit|partial)\()?/
const endpoint = /^ *'((?:GET|POST|PUT|DELETE) \/[^']*)': \{/
const field = /^ *(\w+):/

/**
 * Reads the doc comments of a contract file, which the formatter has laid out: a comment stands alone on the lines before
 * what it is about, and indentation is nesting.
 */
export function readDocComments(source: string): DocComments {
  const texts = new Map<string, string>()
  const bases = new Map<string, string>()
  const within: { indent: number; name: string }[] = []
  let comment: string[] | undefined
  let text: string | undefined
  for (const line of source.split('\n')) {
    if (opens.test(line)) comment = []
    if (comment) {
      comment.push(line)
      if (!line.includes('*/')) continue
      text = textOf(comment)
      comment = undefined
      continue
    }
    if (line.trim() === '') continue
    const [, declared, base] = declares.exec(line) ?? []
    const key = endpoint.exec(line)?.[1]
    const name = declared ?? key ?? field.exec(line)?.[1]
    const indent = line.search(/\S/)
    while (within.length > 0 && (within.at(-1)?.indent ?? 0) >= indent) within.pop()
    if (name !== undefined) {
      // An endpoint's name is its key alone, without the map that contains it.
      if (key !== undefined) within.length = 0
      within.push({ indent, name })
      if (text !== undefined) texts.set(within.map((each) => each.name).join('.'), text)
      if (declared !== undefined && base !== undefined) bases.set(declared, base)
    }
    text = undefined
  }
  return { texts, bases }
}

function textOf(lines: string[]): string {
  return lines
    .join('\n')
    .replaceAll(/^\s*\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim()
}
