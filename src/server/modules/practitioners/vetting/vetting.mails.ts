import type { FactKind, PractitionerState } from '#contract/back-office/back-office.ts'
import { pathOfStep } from '#contract/practitioners/profile-steps.ts'
import type { MailContent } from '../../../integrations/mail/layout.ts'
import type { Mail } from '../../../integrations/mail/port.ts'
import { mailToHolder } from '../../../integrations/mail/recipients.ts'
import { date } from '../../../integrations/mail/times.ts'
import { signInUrl } from '../../../integrations/mail/format.ts'
import { stepOfFact } from './vetting.rules.ts'

export const letterKinds = [
  'approved',
  'rejected',
  'suspended',
  'reinstated',
  'closed',
  'fact_accepted',
  'fact_refused',
  'expires_soon',
  'captions_asked',
  'expired',
] as const
export type VettingMailKind = (typeof letterKinds)[number]

/** The state in which a letter about the profile holds; one that is sent after it would contradict the next. */
export const stateOfLetter: Partial<Record<VettingMailKind, PractitionerState>> = {
  approved: 'approved',
  rejected: 'rejected',
  suspended: 'suspended',
  reinstated: 'approved',
  closed: 'closed',
}

/** What a mail stores until it is sent. */
export type LetterFacts = {
  fact?: string
  /** Mails of earlier releases do not say. */
  fact_kind?: FactKind
  /** Of a reminder. Mails of earlier releases do not say. */
  fact_id?: string
  reason?: string | null
  expires_on?: string | null
  /** Of a suspension or closing. Mails of earlier releases do not say. */
  had_sessions?: boolean
}

export type VettingLetter = {
  kind: VettingMailKind
  email: string
  firstName: string
  /** Whether the address is confirmed. */
  verified: boolean
  /** What it is about, such as 'DBS certificate'. */
  fact: string | null
  factKind: FactKind | null
  reason: string | null
  /** `YYYY-MM-DD`. */
  expiresOn: string | null
  /** Whether there were sessions ahead when the profile was suspended or closed. */
  hadSessions: boolean
  /** Whether clients can find them as things are. */
  isListed: boolean
  /** Whether what was vetted has run out. */
  isOut: boolean
  /** Whether it is a licence, and another one holds longer. */
  isSpare: boolean
  /** Whether a newer one waits to be checked. */
  isRenewed: boolean
}

/**
 * A mail to a practitioner about what the back office decided, or what runs out. To an address that is not confirmed it
 * says where to read it, and not a word more.
 */
export function vettingMail(about: VettingLetter, siteUrl: string): Mail {
  const news = {
    role: 'therapist' as const,
    news: 'Something has changed about your profile, or will soon.',
    url: signInUrl(siteUrl, 'therapist', '/therapist/dashboard'),
    publicUrl: siteUrl,
  }
  return mailToHolder(about, news, () => ({
    reason: 'You are getting this email because you have a practitioner account with Hearth.',
    link: { text: 'Open your profile', url: `${siteUrl}/therapist/dashboard` },
    ...words[about.kind](about, {
      video: {
        text: 'Add captions or a transcript',
        url: `${siteUrl}${pathOfStep('video', { returnTo: 'dashboard' })}`,
      },
      // Links in mails lead through sign-in and back.
      step: (text) => ({
        text,
        url: `${siteUrl}${about.factKind === null ? '/therapist/dashboard' : pathOfStep(stepOfFact[about.factKind], { returnTo: 'dashboard' })}`,
      }),
    }),
  }))
}

type Words = Pick<MailContent, 'subject' | 'paragraphs' | 'details' | 'link' | 'closing'>
type Link = { text: string; url: string }
type Links = { video: Link; step(text: string): Link }

const reasonOf = ({ reason }: VettingLetter) => (reason ? [{ label: 'Reason', value: reason }] : [])
const dayOf = ({ expiresOn }: VettingLetter) =>
  expiresOn ? date(new Date(`${expiresOn}T12:00:00Z`), 'UTC') : ''
const factOf = ({ fact }: VettingLetter) => fact ?? 'document'

const words: Record<VettingMailKind, (about: VettingLetter, links: Links) => Words> = {
  approved: (about) => ({
    subject: 'Your profile is approved',
    paragraphs: [
      'We have looked at your profile and your documents, and everything is in order. Welcome to Hearth.',
      about.isListed
        ? 'Clients can find and book you from now on.'
        : 'Clients can find and book you as soon as your subscription is active.',
    ],
  }),
  rejected: (about) => ({
    subject: 'Your profile is not approved yet',
    paragraphs: [
      'We have looked at your profile and cannot approve it as it is.',
      'You can change it and submit it again. Nothing you entered is lost, and nothing was charged.',
    ],
    details: reasonOf(about),
    closing: ['If you think that we are wrong, reply to this email.'],
  }),
  suspended: (about) => ({
    subject: 'Your profile is hidden for now',
    paragraphs: [
      'We have suspended your profile: clients cannot find or book you for now, and the chat is closed.',
      about.hadSessions
        ? 'Your upcoming sessions are waiting for our decision or have been cancelled, and your clients have been told, without the reason. Please do not meet them until we write to you again. Your account shows what happens next and who to contact.'
        : 'Your account shows what happens next and who to contact.',
    ],
    details: reasonOf(about),
    closing: ['If you think that we are wrong, or can help to settle it, reply to this email.'],
  }),
  reinstated: (about) => ({
    subject: 'Your profile is open again',
    paragraphs: [
      about.isOut
        ? 'The suspension of your profile is lifted, but a document of yours has run out. Sessions that have not been cancelled stay on hold until we have accepted the new one; each is cancelled with a full refund if it does not come in time.'
        : 'The suspension of your profile is lifted. Sessions that have not been cancelled go ahead as booked, and your clients have been told.',
      about.isListed
        ? 'Clients can find and book you again.'
        : 'Clients can find and book you once your subscription is active and your documents are valid.',
    ],
  }),
  closed: (about) => ({
    subject: 'Your profile is closed',
    paragraphs: [
      'We have closed your profile permanently: clients can no longer find, book or message you.',
      ...(about.hadSessions
        ? [
            'Your upcoming sessions are cancelled. Your clients have been told, without the reason, and get a full refund. Please do not meet them.',
          ]
        : []),
      'What you have earned stays yours. Your account still shows your earnings and invoices.',
    ],
    details: reasonOf(about),
    closing: ['If you think that we are wrong, reply to this email.'],
  }),
  fact_accepted: (about) => ({
    subject: `Your ${factOf(about)} is accepted`,
    paragraphs: [
      `We have looked at your ${factOf(about)}, and it is in order.${about.expiresOn && about.factKind !== 'identity' ? ` It is valid until ${dayOf(about)}; we will write to you before that.` : ''}`,
    ],
  }),
  fact_refused: (about, { step }) => ({
    subject: `Your ${factOf(about)} needs another look`,
    paragraphs: [
      `We have looked at your ${factOf(about)} and cannot accept it. Please send another one.`,
      ...(about.isListed ? ['What we accepted before still counts: clients can go on booking you.'] : []),
    ],
    details: reasonOf(about),
    link: step('Send it again'),
    closing: ['If you think that we are wrong, reply to this email.'],
  }),
  captions_asked: (_, { video }) => ({
    subject: 'Your introduction needs captions or a transcript',
    paragraphs: [
      'People who are deaf or hard of hearing cannot follow your video yet. Please add captions to it as a WebVTT file, or write down what you say.',
      'Either takes a few minutes. Your video stays on your profile meanwhile.',
    ],
    link: video,
  }),
  expires_soon: (about, { step }) => ({
    subject: `Your ${factOf(about)} runs out on ${dayOf(about)}`,
    paragraphs: [
      `Your ${factOf(about)} is valid until ${dayOf(about)}. Please send us the new one before then: checking it takes us a day or two.`,
      about.isSpare
        ? 'After that day clients can still find and book you, because another licence of yours is valid for longer. This one is no longer shown on your profile then.'
        : 'After that day clients cannot find or book you until the new one is accepted. Sessions that are booked for later are put on hold then, and your clients are told that we are checking them. Each is cancelled with a full refund after 72 hours, or two hours before its start if that is sooner, unless the new one is accepted before.',
    ],
    link: step('Send the new one'),
  }),
  expired: (about, { step }) => ({
    subject: `Your ${factOf(about)} has run out`,
    paragraphs: [
      about.isOut
        ? `Your ${factOf(about)} held until ${dayOf(about)}. Your profile is hidden since: clients cannot find or book you. Sessions that are booked for later are on hold, and your clients are told that we are checking them. Each is cancelled with a full refund 72 hours after that day, or two hours before its start if that is sooner, unless the new one is accepted before.`
        : `Your ${factOf(about)} was valid until ${dayOf(about)}. Clients can still find you, because of your other documents.`,
      [
        about.isRenewed
          ? 'We are checking the new one that you sent.'
          : `Please send us the new one${about.isOut ? ' now' : ''}.`,
        ...(about.isOut
          ? [
              'Once it is accepted, clients can find you again, and sessions that are still on hold go ahead as booked.',
            ]
          : []),
      ].join(' '),
    ],
    ...(about.isRenewed ? {} : { link: step('Send the new one') }),
  }),
}
