/** Characters in a message at most, as people count them: an emoji of one code point is one. */
export const maxMessageLength = 4000

/** From here on the characters that are left are counted before the writer's eyes. */
const countedFrom = 3500

/** White space, and characters that take no room: as the server reads them. */
const blank = /^[\s\p{Cf}\p{Cc}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]*$/u

/** What is sent of what was written: without what trails behind, nothing at all when it is blank or too long. */
export function textToSend(written: string): string | undefined {
  // NUL comes along with what is pasted from some programs; it and half a character cannot be stored.
  const text = written.replaceAll('\u0000', '').toWellFormed().trimEnd()
  return blank.test(text) || lengthOf(text) > maxMessageLength ? undefined : text
}

/** How many characters are left, once it matters; below 0 when it is too long. */
export function charactersLeft(written: string): number | undefined {
  if (written.length < countedFrom) return undefined
  const length = lengthOf(written.trimEnd())
  return length < countedFrom ? undefined : maxMessageLength - length
}

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
