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

export type ReadMail = {
  to: string
  subject: string
  messageId: string
  text: string
  /** The calendar entry beside it, as a calendar program would be handed it. */
  calendar: string | undefined
  raw: string
}

/** A written mail in its parts. */
export function readMail(raw: string): ReadMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? ''
  const file = /Content-Type: application\/ics[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(raw)?.[1]
  const inline = /Content-Type: text\/calendar/.test(raw)
  if (inline !== (file !== undefined)) throw new Error('A calendar entry is there only in part.')
  return {
    to: header('To'),
    subject: header('Subject'),
    messageId: header('Message-ID'),
    text: textOf(raw).replaceAll('\r\n', '\n'),
    calendar: file === undefined ? undefined : Buffer.from(file, 'base64').toString('utf8'),
    raw,
  }
}
