import type { Role } from '#contract/endpoint.ts'
import { type MailContent, writeMail } from '../../integrations/mail/layout.ts'
import { greeting } from '../../integrations/mail/names.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { unconfirmedContent } from '../../integrations/mail/unconfirmed.ts'

type UnreadMail = {
  to: { email: string; firstName: string; verified: boolean }
  role: Role
  dialogId: string
  /** Turns these mails off, without a sign-in. */
  stopUrl: string
  publicUrl: string
}

/** That something has not been read: not what, and not from whom. */
export function unreadMail({ to, role, dialogId, stopUrl, publicUrl }: UnreadMail): Mail {
  const signIn = role === 'therapist' ? '/therapist/sign-in' : '/sign-in'
  const behindSignIn = (path: string) => `${publicUrl}${signIn}?return_to=${encodeURIComponent(path)}`
  const stop = { text: 'Stop these emails', url: stopUrl }
  const content: MailContent = to.verified
    ? {
        to: to.email,
        subject: 'You have a message on Hearth',
        greeting: greeting(to.firstName),
        paragraphs: [
          'Someone has written to you, and you have not read it yet. What it says stays on Hearth.',
        ],
        link: { text: 'Read it', url: behindSignIn(`/chat?dialogId=${dialogId}`) },
        links: [stop],
        reason:
          'You are getting this email because a message has been waiting for 15 minutes. There is at most one a day for each conversation.',
      }
    : unconfirmedContent({
        to: to.email,
        role: role === 'therapist' ? 'therapist' : 'client',
        news: 'Something is waiting in your account.',
        url: behindSignIn('/chats'),
        links: [stop],
        publicUrl,
      })
  return { ...writeMail(content), unsubscribeUrl: stopUrl }
}
