/** Characters that fill two lines of a card on a phone. */
const maxCharacters = 84
/** Shorter than this, a first sentence alone says too little. */
const minSentence = 30

/** A short description as a card shows it: its first sentences, or the words that fit. */
export function cardText(text: string): string {
  const whole = text.trim()
  if (whole.length <= maxCharacters) return whole
  const start = whole.slice(0, maxCharacters)
  const sentences = /^.*[.?!](?=\s)/s.exec(start)?.[0]
  if (sentences && sentences.length >= minSentence) return sentences
  const words = start.slice(0, Math.max(start.lastIndexOf(' '), 0)) || start
  return `${/^.*[^\s,;:.–-]/s.exec(words)?.[0] ?? words}…`
}

/** As many issues as fit a line or two of a card, at least one: 'Anxiety, low mood'. */
export function cardIssues(names: readonly string[]): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length > 0 && [...shown, name].join(', ').length > maxIssueCharacters) break
    shown.push(name)
  }
  return shown.join(', ')
}

const maxIssueCharacters = 68
