import { formatExactPence } from '#contract/money.ts'
import { type MailContent, writeMail } from '../../integrations/mail/layout.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { confirmHint } from '../../integrations/mail/unconfirmed.ts'
import { sessionPath, signInUrl } from '../../integrations/mail/format.ts'
import { mailToHolder } from '../../integrations/mail/recipients.ts'
import { day, time, zoneWords } from '../../integrations/mail/times.ts'

export const helpMailKinds = ['asked', 'accepted', 'nobody', 'returned'] as const
export type HelpMailKind = (typeof helpMailKinds)[number]

/** The facts of a mail about a search for help, read when it is sent. Amounts in pence. */
export type HelpMail = {
  kind: HelpMailKind
  to: { email: string; firstName: string; verified: boolean }
  sessionId: string
  /** Of the session at the time the mail is composed. */
  sequence: number
  practitionerName: string
  pricePence: number
  /** Until when the practitioner may answer, in their zone, as text. */
  answerBy: string | null
  /** When the session began, where the mail goes out late; null while the practitioner may still be waiting. */
  began: { at: Date; zone: string } | null
  /** Whether the payment was released or refunded already. */
  isReturned: boolean
}

/**
 * Builds a mail. None names the issue. To an unconfirmed address, a client's mail says only that there is news, and a
 * practitioner's no amount.
 */
export function helpMail(mail: HelpMail, publicUrl: string): Mail {
  const { kind, to } = mail
  if (kind === 'asked' && !to.verified) {
    // Two minutes are too few for a mail that only says that there is news.
    const { details: _, ...words } = parts.asked(mail, publicUrl)
    return writeMail({ to: to.email, greeting: 'Hello,', ...words })
  }
  const url = signInUrl(publicUrl, 'client', '/my-sessions')
  return mailToHolder(to, { role: 'client', url, publicUrl }, () => ({
    reason: 'You are getting this email because you asked for help right now on Hearth.',
    ...parts[kind](mail, publicUrl),
  }))
}

type Part = Omit<MailContent, 'to' | 'greeting'>

const emergency =
  'If you or someone else may be in danger, do not wait for us: call 999. NHS 111 helps at any hour, and so do the Samaritans on 116 123, free of charge.'

const parts: Record<HelpMailKind, (mail: HelpMail, publicUrl: string) => Part> = {
  asked: (mail, publicUrl) => ({
    subject: 'Someone is asking for your help right now',
    paragraphs: [
      `A client is waiting for an online session of 15 minutes with you.${mail.answerBy ? ` You can accept until ${mail.answerBy}; then someone else is asked.` : ''}`,
    ],
    details: [{ label: 'Fee', value: `${formatExactPence(mail.pricePence)}, all of it yours` }],
    link: { text: 'See the request', url: signInUrl(publicUrl, 'therapist', '/therapist/dashboard') },
    ...hintUnless(mail.to.verified, publicUrl),
    reason:
      'You are getting this email because you are available now on Hearth, through your own switch or your weekly schedule.',
  }),

  accepted: (mail, publicUrl) => ({
    ...begunWords(mail),
    details: [{ label: 'Price', value: formatExactPence(mail.pricePence) }],
    link: {
      text: mail.began ? 'See your session' : 'Go to your session',
      url: signInUrl(publicUrl, 'client', sessionPath(mail.sessionId, mail.sequence)),
    },
    closing: [emergency],
  }),

  nobody: (mail, publicUrl) => ({
    subject: 'Nobody was free this time',
    paragraphs: ['Sorry, right now all our Therapists are busy.', moneyWords(mail)],
    link: {
      text: 'See available Therapists',
      url: `${publicUrl}/found-therapists?session_type=online`,
    },
    closing: [emergency],
  }),

  returned: (mail, publicUrl) => ({
    subject: 'Your money is back',
    paragraphs: [
      `The ${formatExactPence(mail.pricePence)} reserved for help right now has been released. Your bank may take a few days to show it.`,
    ],
    link: {
      text: 'See available Therapists',
      url: `${publicUrl}/found-therapists?session_type=online`,
    },
  }),
}

function begunWords({ practitionerName, began }: HelpMail): Pick<MailContent, 'subject' | 'paragraphs'> {
  if (!began) {
    return {
      subject: 'Your session begins now',
      paragraphs: [
        `${practitionerName} has accepted and is there for you now. Your session of 15 minutes has begun.`,
      ],
    }
  }
  const { at, zone } = began
  return {
    subject: `Your session began at ${time(at, zone)}`,
    paragraphs: [
      `${practitionerName} accepted your request. Your session of 15 minutes began on ${day(at, zone)} at ${time(at, zone)} (${zoneWords(zone, at)}). Sorry that this email reaches you late.`,
    ],
  }
}

/** A mail that asks for help names no client, so it goes to an unconfirmed address too, with a hint to confirm it. */
function hintUnless(isConfirmed: boolean, publicUrl: string): Pick<MailContent, 'links' | 'closing'> {
  if (isConfirmed) return {}
  const { words, link } = confirmHint('therapist', publicUrl)
  return { links: [link], closing: [words] }
}

function moneyWords({ pricePence, isReturned }: HelpMail): string {
  return isReturned
    ? `You have not been charged: the ${formatExactPence(pricePence)} reserved on your card has been released.`
    : `You have not been charged: the ${formatExactPence(pricePence)} reserved on your card is being released, within the next 24 hours at the latest. We will write again when it is done.`
}
