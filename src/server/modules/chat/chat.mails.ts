import type { Role } from '#contract/endpoint.ts'
import { letter } from '../../integrations/mail/letter.ts'
import type { Mail } from '../../integrations/mail/port.ts'

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
  const path = to.verified ? `/chat?dialogId=${dialogId}` : '/chats'
  return {
    ...letter({
      to: to.email,
      subject: to.verified ? 'You have a message on Hearth' : 'There is news for you on Hearth',
      greeting: to.verified ? `Hello ${to.firstName},` : 'Hello,',
      paragraphs: [
        to.verified
          ? 'Somebody has written to you, and you have not read it yet. What it says stays on Hearth.'
          : 'Something is waiting in your account. You have not confirmed this address yet, so we say no more in a mail to it.',
      ],
      link: {
        text: to.verified ? 'Read it' : 'See what is new',
        url: `${publicUrl}${signIn}?return_to=${encodeURIComponent(path)}`,
      },
      links: [{ text: 'No more of these mails', url: stopUrl }],
      reason: to.verified
        ? 'You get this mail because a message has waited for a quarter of an hour. There is at most one a day for a conversation.'
        : 'You get this mail because somebody signed up for Hearth with this address.',
    }),
    unsubscribeUrl: stopUrl,
  }
}
