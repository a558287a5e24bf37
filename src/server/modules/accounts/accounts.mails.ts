import { letter } from '../../integrations/mail/letter.ts'
import type { Mail } from '../../integrations/mail/port.ts'

/** The link for a new password. */
export function passwordMail(to: string, firstName: string, url: string): Mail {
  return letter({
    to,
    subject: 'Choose a new password',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      'Somebody, most likely you, asked for a new password for Hearth. The link works once, for one hour.',
      'If it was not you, you need not do anything: your password stays as it is.',
    ],
    link: { text: 'Choose a new password', url },
    reason: 'You get this mail because a new password was asked for with this address.',
  })
}

/** The link that confirms an email address. */
export function verificationMail(to: string, firstName: string, url: string): Mail {
  return letter({
    to,
    subject: 'Please confirm your email address',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      'Please confirm that this address is yours. Until then our mails to it say nothing about your sessions.',
      'If you did not sign up for Hearth, you need not do anything.',
    ],
    link: { text: 'Confirm this address', url },
    reason: 'You get this mail because somebody signed up for Hearth with this address.',
  })
}
