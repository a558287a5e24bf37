import { writeMail } from '../../integrations/mail/layout.ts'
import { greeting } from '../../integrations/mail/names.ts'
import type { Mail, Sender } from '../../integrations/mail/port.ts'
import { unconfirmedContent } from '../../integrations/mail/unconfirmed.ts'
import type { SeriesMail } from './series.mail-facts.ts'
import { clientParts, hourWords, practitionerParts } from './series.mail-texts.ts'

export type MailHead = { sender: Sender; publicUrl: string }

/** Builds the mail. To an unconfirmed address it says only that there is news. */
export function seriesMail(mail: SeriesMail, head: MailHead): Mail {
  const isClient = mail.recipient === 'client'
  const url = isClient
    ? `${head.publicUrl}/my-sessions`
    : `${head.publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/series')}`
  const content = mail.to.verified
    ? {
        to: mail.to.email,
        greeting: greeting(mail.to.firstName),
        ...(isClient ? clientParts[mail.kind](mail) : practitionerParts[mail.kind](mail)),
        link: { text: isClient ? 'Open My Sessions' : 'Open your regular sessions', url },
        reason: isClient
          ? 'You are getting this email because you booked a session on Hearth.'
          : 'You are getting this email because you offer sessions on Hearth.',
      }
    : unconfirmedContent({
        to: mail.to.email,
        role: isClient ? 'client' : 'therapist',
        news: 'Something has changed in your account.',
        url,
        publicUrl: head.publicUrl,
      })
  return {
    ...writeMail(content),
    messageId: `series-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: mail.happenedAt,
  }
}

/** What the mail about a client who has left stores. */
export type FormerClientFacts = { hour: string; zone: string }

/** Tells a practitioner that the regular sessions of a client ended with the client's account. */
export function formerClientMail(
  mail: Pick<SeriesMail, 'id' | 'to' | 'happenedAt'> & { facts: FormerClientFacts },
  head: MailHead,
): Mail {
  const { hour, zone } = mail.facts
  const url = `${head.publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/series')}`
  const content = mail.to.verified
    ? {
        to: mail.to.email,
        greeting: greeting(mail.to.firstName),
        subject: 'Regular sessions have ended',
        paragraphs: [
          `A client has deleted their account, and with it their regular sessions: ${hourWords(new Date(hour), zone)}. The hour is free.`,
        ],
        link: { text: 'Open your regular sessions', url },
        reason: 'You are getting this email because you offer sessions on Hearth.',
      }
    : unconfirmedContent({
        to: mail.to.email,
        role: 'therapist',
        news: 'Something has changed in your account.',
        url,
        publicUrl: head.publicUrl,
      })
  return {
    ...writeMail(content),
    messageId: `series-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: mail.happenedAt,
  }
}
