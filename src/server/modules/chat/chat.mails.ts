import type { Role } from '#contract/endpoint.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToHolder } from '../../integrations/mail/recipients.ts'
import { signInUrl } from '../../integrations/mail/format.ts'

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
  const side = role === 'therapist' ? 'therapist' : 'client'
  const links = [{ text: 'Stop these emails', url: stopUrl }]
  const news = 'Something is waiting in your account.'
  const url = signInUrl(publicUrl, side, '/chats')
  const mail = mailToHolder(to, { role: side, news, url, links, publicUrl }, () => ({
    subject: 'You have a message on Hearth',
    paragraphs: ['Someone has written to you, and you have not read it yet. What it says stays on Hearth.'],
    link: { text: 'Read it', url: signInUrl(publicUrl, side, `/chat?dialogId=${dialogId}`) },
    links,
    reason:
      'You are getting this email because a message has been waiting for 15 minutes. There is at most one a day for each conversation.',
  }))
  return { ...mail, unsubscribeUrl: stopUrl }
}
