import { formatExactPence } from '#contract/money.ts'
import { type MailContent, writeMail } from '../../integrations/mail/layout.ts'
import { greeting } from '../../integrations/mail/names.ts'
import type { Mail, Sender } from '../../integrations/mail/port.ts'
import { confirmHint, unconfirmedContent } from '../../integrations/mail/unconfirmed.ts'
import { sessionPath } from '../../integrations/mail/format.ts'

export type HelpMailKind = 'asked' | 'accepted' | 'nobody' | 'returned'

/** The facts of a mail about a search for help, read when it is sent. Amounts in pence. */
export type HelpMail = {
  /** The id of the mail, the same for every attempt to send it. */
  id: string
  kind: HelpMailKind
  to: { email: string; firstName: string; verified: boolean }
  sessionId: string
  /** Of the session at the time the mail is composed. */
  sequence: number
  practitionerName: string
  pricePence: number
  /** Until when the practitioner may answer, in their zone, as text. */
  answerBy: string | null
  /** Whether the payment was released or refunded already. */
  isReturned: boolean
  happenedAt: Date
}

export type MailHead = { sender: Sender; publicUrl: string }

/** Builds a mail. None names the issue. To an unconfirmed address, a client's mail says only that there is news. */
export function helpMail(mail: HelpMail, head: MailHead): Mail {
  const envelope = {
    messageId: `help-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: mail.happenedAt,
  }
  const { to } = mail
  const content: MailContent =
    to.verified || mail.kind === 'asked'
      ? {
          to: to.email,
          greeting: to.verified ? greeting(to.firstName) : 'Hello,',
          ...parts[mail.kind](mail, head),
        }
      : unconfirmedContent({
          to: to.email,
          role: 'client',
          news: 'Something has changed in your account.',
          url: returnTo(head, '/my-sessions'),
          publicUrl: head.publicUrl,
        })
  return { ...writeMail(content), ...envelope }
}

type Part = Omit<MailContent, 'to' | 'greeting'>

const emergency =
  'If you or someone else may be in danger, do not wait for us: call 999. NHS 111 helps at any hour, and so do the Samaritans on 116 123, free of charge.'
const clientReason = 'You are getting this email because you asked for help right now on Hearth.'

const parts: Record<HelpMailKind, (mail: HelpMail, head: MailHead) => Part> = {
  asked: (mail, head) => ({
    subject: 'Someone is asking for your help right now',
    paragraphs: [
      `A client is waiting for an online session of 15 minutes with you.${mail.answerBy ? ` You can accept until ${mail.answerBy}; then someone else is asked.` : ''}`,
    ],
    details: [{ label: 'Fee', value: `${formatExactPence(mail.pricePence)}, all of it yours` }],
    link: { text: 'See the request', url: returnTo(head, '/therapist/dashboard', '/therapist/sign-in') },
    ...hintUnless(mail.to.verified, head),
    reason:
      'You are getting this email because you are available now on Hearth, through your own switch or your weekly schedule.',
  }),

  accepted: (mail, head) => ({
    subject: 'Your session begins now',
    paragraphs: [
      `${mail.practitionerName} has accepted and is waiting for you in the chat. Your session of 15 minutes has begun.`,
    ],
    details: [{ label: 'Price', value: formatExactPence(mail.pricePence) }],
    link: {
      text: 'Go to your session',
      url: returnTo(head, sessionPath(mail.sessionId, mail.sequence)),
    },
    closing: [emergency],
    reason: clientReason,
  }),

  nobody: (mail, head) => ({
    subject: 'Nobody was free this time',
    paragraphs: ['Sorry, right now all our Therapists are busy.', moneyWords(mail)],
    link: {
      text: 'See available Therapists',
      url: `${head.publicUrl}/found-therapists?session_type=online`,
    },
    closing: [emergency],
    reason: clientReason,
  }),

  returned: (mail, head) => ({
    subject: 'Your money is back',
    paragraphs: [
      `The ${formatExactPence(mail.pricePence)} reserved for help right now has been released. Your bank may take a few days to show it.`,
    ],
    link: {
      text: 'See available Therapists',
      url: `${head.publicUrl}/found-therapists?session_type=online`,
    },
    reason: clientReason,
  }),
}

/** A mail that asks for help names no client, so it goes to an unconfirmed address too, with a hint to confirm it. */
function hintUnless(isConfirmed: boolean, { publicUrl }: MailHead): Pick<MailContent, 'links' | 'closing'> {
  if (isConfirmed) return {}
  const { words, link } = confirmHint('therapist', publicUrl)
  return { links: [link], closing: [words] }
}

function moneyWords({ pricePence, isReturned }: HelpMail): string {
  return isReturned
    ? `You have not been charged: the ${formatExactPence(pricePence)} reserved on your card has been released.`
    : `You have not been charged: the ${formatExactPence(pricePence)} reserved on your card is being released, within the next 24 hours at the latest. We will write again when it is done.`
}

/** A new tab starts signed out, so links lead through the sign-in and back. */
const returnTo = ({ publicUrl }: MailHead, path: string, signIn = '/sign-in') =>
  `${publicUrl}${signIn}?return_to=${encodeURIComponent(path)}`
