import type { Mail } from '../../integrations/mail/port.ts'
import { mailToHolder } from '../../integrations/mail/recipients.ts'
import { signInUrl } from '../../integrations/mail/format.ts'
import type { SeriesMail } from './series.mail-facts.ts'
import { clientParts, hourWords, type Part, practitionerParts } from './series.mail-texts.ts'

/** Builds the mail. To an unconfirmed address it says only that there is news. */
export function seriesMail(mail: SeriesMail, publicUrl: string): Mail {
  if (mail.recipient === 'practitioner')
    return toPractitioner(mail.to, publicUrl, () => practitionerParts[mail.kind](mail))
  const url = `${publicUrl}/my-sessions`
  return mailToHolder(mail.to, { role: 'client', url, publicUrl }, () => ({
    ...clientParts[mail.kind](mail),
    link: { text: 'Open My Sessions', url },
    reason: 'You are getting this email because you booked a session on Hearth.',
  }))
}

/** What the mail about a client who has left stores. */
export type FormerClientFacts = { hour: string; zone: string }

/** Tells a practitioner that the regular sessions of a client ended with the client's account. */
export function formerClientMail(
  to: SeriesMail['to'],
  { hour, zone }: FormerClientFacts,
  publicUrl: string,
): Mail {
  return toPractitioner(to, publicUrl, () => ({
    subject: 'Regular sessions have ended',
    paragraphs: [
      `A client has deleted their account, and with it their regular sessions: ${hourWords(new Date(hour), zone)}. The hour is free.`,
    ],
  }))
}

function toPractitioner(to: SeriesMail['to'], publicUrl: string, part: () => Part): Mail {
  const url = signInUrl(publicUrl, 'therapist', '/therapist/series')
  return mailToHolder(to, { role: 'therapist', url, publicUrl }, () => ({
    ...part(),
    link: { text: 'Open your regular sessions', url },
    reason: 'You are getting this email because you offer sessions on Hearth.',
  }))
}
