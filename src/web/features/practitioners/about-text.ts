/** How much of an about text is shown at first. */
const aboutPreviewLength = 200

/**
 * The beginning of a text, at most 200 characters and an ellipsis, cut between words; nothing when the whole text is no
 * longer than that.
 */
export function previewOf(about: string): string | undefined {
  const text = about.trim()
  if (text.length <= aboutPreviewLength) return undefined
  // Not through the middle of a character either.
  const cut = text.slice(0, aboutPreviewLength).replace(/[\uD800-\uDBFF]$/, '')
  const atWord = /^\s/.test(text.slice(cut.length)) ? cut : cut.slice(0, startOfLastWord(cut))
  return `${atWord.trimEnd().replace(/[,;:–-]$/, '')}…`
}

/** Paragraphs are divided by an empty line. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}

/** Where the text's last word begins, at its end after white space; the whole length of a text that is one word. */
function startOfLastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1] ?? '')) start -= 1
  return start === 0 ? text.length : start
}
