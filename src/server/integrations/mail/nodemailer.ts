import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { type Mail, type Mailer, MailRefused, type Sender } from './port.ts'

/** Sends through a mail server. */
export function smtpMailer(url: string, from: string): Mailer {
  const sender = senderOf(from)
  const transport = createTransport({
    url,
    // A server that does not answer is tried again by the queue, well before the job's own time is over.
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
  })
  return {
    sender,
    async send(mail) {
      try {
        await transport.sendMail(message(mail, sender))
      } catch (error) {
        throw refusal(error) ?? error
      }
    },
  }
}

/** Writes each mail as an `.eml` file into a folder: the default, and what tests read. */
export function fileMailer(directory: string, from: string): Mailer {
  const sender = senderOf(from)
  const transport = createTransport({ streamTransport: true, buffer: true })
  /** Milliseconds since 1970, later with every mail: the names stand in the order of sending. */
  let lastName = 0
  return {
    sender,
    async send(mail) {
      const { message: written } = await transport.sendMail(message(mail, sender))
      await mkdir(directory, { recursive: true })
      lastName = Math.max(Date.now(), lastName + 1)
      const name = `${lastName}-${randomUUID()}.eml`
      // Renamed when complete, so that no reader sees half a mail.
      await writeFile(join(directory, `.${name}`), written as Buffer)
      await rename(join(directory, `.${name}`), join(directory, name))
    },
  }
}

/** `Hearth <hello@hearth.test>`, or the address alone. */
function senderOf(from: string): Sender {
  const bracket = from.lastIndexOf('<')
  if (bracket < 0 || !from.trimEnd().endsWith('>')) return { name: '', address: from.trim() }
  const name = from.slice(0, bracket).trim()
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  const address = from.slice(bracket + 1, from.lastIndexOf('>'))
  return { name: isQuoted ? name.slice(1, -1) : name, address: address.trim() }
}

function message({ messageId, calendar, unsubscribeUrl, ...mail }: Mail, sender: Sender) {
  return {
    ...mail,
    from: sender,
    // Stops out-of-office replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(messageId
      ? {
          messageId: `<${messageId}>`,
          baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 16),
        }
      : {}),
    ...(calendar ? { icalEvent: { ...calendar, filename: 'session.ics' } } : {}),
  }
}

/**
 * What the server said about this recipient or this mail for good (RFC 5321, 5yz). What it says about the sender or
 * the sign-in is about the configuration, which can be put right, so that is tried again.
 */
function refusal(error: unknown): MailRefused | undefined {
  if (!(error instanceof Error)) return undefined
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  const about = command === 'RCPT TO' || command === 'DATA'
  return about && typeof responseCode === 'number' && responseCode >= 500
    ? new MailRefused(responseCode)
    : undefined
}
