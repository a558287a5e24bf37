/** A mail, ready to send. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** `local@domain`, the same for the same mail however often it is handed over. One of its own when absent. */
  messageId?: string
  /** What the mail is dated; now when absent. */
  date?: Date
  /** Turns mails of this kind off, by a POST without a sign-in (RFC 8058). */
  unsubscribeUrl?: string
  /** A calendar entry, which calendars read from the mail itself and people find as a file beside it. */
  calendar?: CalendarMail
}

/** An iCalendar object (RFC 5545) and what a calendar is to do with it. */
export type CalendarMail = { method: 'REQUEST' | 'CANCEL'; content: string }

/** Who mails come from. */
export type Sender = { name: string; address: string }

export type Mailer = {
  readonly sender: Sender
  /**
   * Hands a mail over for delivery. Throws when it could not be handed over: the queue then tries again. A mail handed
   * over twice with the same `messageId`, `date` and content is the same mail byte for byte.
   * @throws MailRefused when this address or this mail will never be taken
   */
  send(mail: Mail): Promise<void>
}

/** The mail server has said for good that it does not take this mail. Trying again would be no use. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** The queue does not try again what fails for good. */
  readonly final = true
  /** The server's code, such as 550. Its words may name the address, so they are left out. */
  readonly responseCode: number

  constructor(responseCode: number) {
    super(`The mail was refused with ${responseCode}.`)
    this.responseCode = responseCode
  }
}
