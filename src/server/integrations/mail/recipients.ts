import { signInUrl } from './format.ts'
import { type MailContent, writeMail } from './layout.ts'
import { greeting } from './names.ts'
import type { Mail } from './port.ts'
import { type News, unconfirmedContent } from './unconfirmed.ts'

/** Builds a mail to the holder of an account. To an address that is not confirmed it says only that there is news. */
export function mailToHolder(
  to: { email: string; firstName: string; verified: boolean },
  news: News,
  content: () => Omit<MailContent, 'to' | 'greeting'>,
): Mail {
  if (!to.verified) return writeMail({ to: to.email, ...unconfirmedContent(news) })
  return writeMail({ to: to.email, greeting: greeting(to.firstName), ...content() })
}

type ToAdmin = Pick<MailContent, 'to' | 'subject' | 'paragraphs' | 'details'> & {
  publicUrl: string
  /** Its path is behind the sign-in of admins. */
  link: { text: string; path: string }
}

/** Builds a mail to the back office. */
export function mailToAdmin({ publicUrl, link: { text, path }, ...content }: ToAdmin): Mail {
  return writeMail({
    ...content,
    greeting: 'Hello,',
    link: { text, url: signInUrl(publicUrl, 'admin', path) },
    reason: 'You are getting this email because you look after Hearth.',
  })
}
