/** How much of an about text is shown at first. */
const aboutPreviewLength = 200

/**
 * The beginning of a text, at most 200 characters and an ellipsis, cut between words; nothing when the whole text is no
 * longer than that.
 */
export function previewOf(about: string, most = aboutPreviewLength): string | undefined {
  const text = about.trim()
  if (text.length <= most) return undefined
  // Not through the middle of a character either.
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  const atWord = /^\s/.test(text.slice(cut.length)) ? cut : cut.replace(/\s+\S*$/, '')
  return `${atWord.trimEnd().replace(/[,;:–-]$/, '')}…`
}

/** Paragraphs are divided by an empty line. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}
