/** A written mail with its transfer encoding undone. */
export function plainText(mail: string): string {
  const text = mail.replace(/=\r?\n/g, '')
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The plain-text part of a written mail. */
export function textOf(mail: string): string {
  return /Content-Type: text\/plain[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n-{2}/.exec(plainText(mail))?.[1] ?? ''
}

/** The one link of a written mail, as its text has it. */
export function linkIn(mail: string): URL {
  const link = /: (https?:\/\/\S+)/.exec(textOf(mail))?.[1]
  if (!link) throw new Error('The mail has no link.')
  return new URL(link)
}
