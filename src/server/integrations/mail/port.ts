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
   * @throws MailRefused when this recipient will never be accepted
   * @throws MailDeferred when the server replied with any other failure
   */
  send(mail: Mail): Promise<void>
}

/** The mail server refused the recipient for good: a retry would be refused again. */
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

/** A reply of the mail server without its words, which may name an address. */
export type FailureReply = {
  /** Such as 451. */
  responseCode: number
  /** Such as 5.4.5 (RFC 3463), if the reply has one. */
  enhancedStatus: string | undefined
  /** The step that was replied to, such as 'RCPT TO' or 'DATA'. */
  command: string
}

/** The mail server did not accept the mail, for a reason that may pass or that the operator can put right. */
export class MailDeferred extends Error implements FailureReply {
  override name = 'MailDeferred'
  readonly responseCode: number
  readonly enhancedStatus: string | undefined
  readonly command: string

  constructor({ responseCode, enhancedStatus, command }: FailureReply) {
    super(`The mail was not accepted: ${responseCode} to ${command}.`)
    this.responseCode = responseCode
    this.enhancedStatus = enhancedStatus
    this.command = command
  }
}
