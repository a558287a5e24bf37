import type { Role } from '#contract/endpoint.ts'
import { signInUrl } from './format.ts'
import type { MailContent, MailLink } from './layout.ts'

export type News = {
  role: Extract<Role, 'client' | 'therapist'>
  /** That there is something, and not what. */
  news?: string
  /** Where it can be read, behind the sign-in. */
  url: string
  links?: MailLink[]
  publicUrl: string
}

type MailedRole = News['role']

/** How the holder of an account confirms its address, for a mail that is worth reading all the same. */
export function confirmHint(role: MailedRole, publicUrl: string): { words: string; link: MailLink } {
  const base = role === 'therapist' ? '/therapist' : ''
  return {
    words:
      'This address is not confirmed yet, so we leave the details out of our emails. To get them by email, log in and press “Send the link again” on your account page. Then open the link in the email that arrives.',
    link: {
      text: 'Confirm this address',
      url: signInUrl(publicUrl, role, `${base}/account/email`),
    },
  }
}

/**
 * A mail to an address that is not confirmed: it may be another person's. It carries no name and no detail, only where
 * to read them and how to confirm the address.
 */
export function unconfirmedContent({
  role,
  news = 'Something has changed in your account.',
  url,
  links = [],
  publicUrl,
}: News): Omit<MailContent, 'to'> {
  const hint = confirmHint(role, publicUrl)
  return {
    subject: 'There is something new for you on Hearth',
    greeting: 'Hello,',
    paragraphs: [news, hint.words],
    link: { text: 'See what is new', url },
    links: [hint.link, ...links],
    closing: ['If you did not sign up for Hearth, you can ignore this email.'],
    reason: 'You are getting this email because someone signed up for Hearth with this address.',
  }
}
