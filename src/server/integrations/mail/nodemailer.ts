import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { loopback } from '../../loopback.ts'
import { type FailureReply, type Mail, MailDeferred, type Mailer, MailRefused, type Sender } from './port.ts'

/** Sends through a mail server. */
export function smtpMailer(url: string, from: string): Mailer {
  const sender = senderOf(from)
  const transport = createTransport({
    url,
    requireTLS: requiresTls(url),
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
        throw failureOf(error)
      }
    },
  }
}

/**
 * Whether a mail may go out only after STARTTLS. Without this an attacker on the way removes the server's offer, and the
 * password and all mails go in clear. `smtps:` is encrypted from the start. `ignoreTLS=true` in the URL is the operator's
 * consent to a relay without TLS; the library reads it too, as it does `requireTLS=false`, for TLS where it is offered.
 */
function requiresTls(url: string): boolean {
  if (!URL.canParse(url)) return true
  const { protocol, hostname, searchParams } = new URL(url)
  // Without a host the library goes to this machine.
  const host = hostname.toLowerCase().replace(/\.$/, '') || 'localhost'
  return protocol !== 'smtps:' && !loopback.test(host) && searchParams.get('ignoreTLS') !== 'true'
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
 * Statuses that are about the recipient alone (RFC 3463). Not among them: 5.1.0, 5.1.7 and 5.1.8, by which servers refuse
 * the sender; 5.2.0 and 5.2.252, by which Exchange refuses our account; 5.2.2, since a full mailbox may have room again.
 */
const recipientStatuses = /^5\.(1\.(1|2|3|4|6|10)|2\.[13])$/

/** Words of a refusal at RCPT TO that is about the sender or the sign-in. Some servers send it as 550 without a status. */
const aboutSender =
  /\b(relay|auth|sender|allowed rcpthosts|exceed|limit|quota|rate\b|block|spam|denied|prohibit|polic(y|ies)\b)/i

/**
 * Returns what the failure of a mail is thrown as. Only a refusal of the recipient is final. What a server refuses
 * because of our account, our sender or the content can be put right, and mails would be lost meanwhile.
 */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { responseCode, command, response } = error as {
    responseCode?: unknown
    command?: unknown
    response?: unknown
  }
  if (typeof responseCode !== 'number' || typeof command !== 'string') return error
  const text = typeof response === 'string' ? response : ''
  const reply = { responseCode, enhancedStatus: enhancedStatusOf(text), command }
  return refusesRecipient(reply, text) ? new MailRefused(responseCode) : new MailDeferred(reply)
}

function refusesRecipient({ responseCode, enhancedStatus, command }: FailureReply, text: string): boolean {
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return false
  if (enhancedStatus) return recipientStatuses.test(enhancedStatus)
  return (
    command === 'RCPT TO' &&
    [550, 551, 553].includes(responseCode) &&
    !aboutSender.test(withoutAddresses(text))
  )
}

/** A reply may repeat the recipient, whose address may hold any word. */
const withoutAddresses = (text: string) =>
  text
    .split(' ')
    .filter((word) => !word.includes('@'))
    .join(' ')

/** The status of a reply: after its code (RFC 2034), or as qmail writes it, `(#5.1.1)`. */
function enhancedStatusOf(text: string): string | undefined {
  const [, status, inWords] =
    /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)|\(#([245]\.\d{1,3}\.\d{1,3})\)/m.exec(text) ?? []
  return status ?? inWords
}
