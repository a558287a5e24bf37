import ICAL from 'ical.js'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { refuseRows } from './refused-rows.ts'

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

/** The token of a mailed link: in its fragment or, for pages that need no sign-in, in its query. */
export function tokenOf(link: URL | undefined): string {
  const fragment = new URLSearchParams(link?.hash.slice(1))
  return fragment.get('token') ?? link?.searchParams.get('token') ?? ''
}

export type ReadMail = {
  to: string
  subject: string
  messageId: string
  text: string
  /** The calendar entry beside it, as a calendar program would be handed it. */
  calendar: string | undefined
  raw: string
  /** Everything that it says, with its encodings undone: headers, text, HTML and the calendar entry. */
  whole: string
}

/** A written mail in its parts. */
export function readMail(raw: string): ReadMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? ''
  const file = /Content-Type: application\/ics[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(raw)?.[1]
  const inline = /Content-Type: text\/calendar/.test(raw)
  if (inline !== (file !== undefined)) throw new Error('A calendar entry is there only in part.')
  const calendar = file === undefined ? undefined : Buffer.from(file, 'base64').toString('utf8')
  return {
    to: header('To'),
    subject: header('Subject'),
    messageId: header('Message-ID'),
    text: textOf(raw).replaceAll('\r\n', '\n'),
    calendar,
    raw,
    whole: `${plainText(raw)}${calendar ?? ''}`,
  }
}

/** The calendar entry of a mail as another hand's parser reads it. */
export function entryIn(mail: ReadMail) {
  if (!mail.calendar) throw new Error('There is no calendar entry.')
  const calendar = new ICAL.Component(ICAL.parse(mail.calendar) as never)
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    summary: event.summary,
    location: event.location,
    description: event.description,
  }
}

/** The mails about sessions among some written ones. */
export function sessionMails(written: string[]): ReadMail[] {
  return written.map(readMail).filter((mail) => mail.messageId.startsWith('<news-'))
}

/** Has the database refuse every mail to an account until the returned function is called. */
export function refuseMailsTo(db: Db, accountId: string): Promise<() => Promise<void>> {
  const when = sql`new.account_id = ${sql.lit(accountId)}`
  return refuseRows(db, { table: 'outgoing_mails', before: 'insert', when })
}
