import { formatExactPence } from '#contract/money.ts'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import { signInUrl } from '../../integrations/mail/format.ts'
import type { MailContent } from '../../integrations/mail/layout.ts'
import { nameForMail } from '../../integrations/mail/names.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin, mailToHolder } from '../../integrations/mail/recipients.ts'
import { day } from './format.ts'

export const billingMailKinds = [
  'receipt',
  'payment_failed',
  'lapsed',
  'cancelled',
  'ended',
  'charge_refunded',
  'charge_disputed',
  'dispute_charged',
] as const
export type BillingMailKind = (typeof billingMailKinds)[number]

/** The content of a mail as of its change: pence, instants as ISO text. */
export type Facts = {
  description?: string
  amount_pence?: number
  number?: string
  /** End of the subscription or of the paid month. */
  until?: string | null
  next_charge_at?: string | null
  lapses_at?: string | null
  reason?: string
  /** Number of the video order's step that the mail is about. */
  step?: number
  /** Whether it is about the first charge, which renews nothing. */
  is_first?: boolean
  /** The start of the session that a client's dispute was about. */
  session_at?: string | null
  /** Whether the profile is not approved, as during a suspension: no client can find it with a subscription either. */
  is_hidden?: boolean
}

/** The data of a mail about a payment to the platform, or about what is taken off a practitioner's earnings. */
export type BillingMail = {
  kind: BillingMailKind
  facts: Facts
  to: { email: string; firstName: string; verified: boolean }
}

/** Builds the mail. To an unconfirmed address it says only that there is news. */
export function billingMail({ kind, facts, to }: BillingMail, publicUrl: string): Mail {
  const isAboutEarnings = kind === 'dispute_charged'
  const url = signInUrl(
    publicUrl,
    'therapist',
    isAboutEarnings ? '/therapist/money' : '/therapist/subscription',
  )
  return mailToHolder(to, { role: 'therapist', url, publicUrl }, () => ({
    ...parts[kind](facts),
    link: { text: isAboutEarnings ? 'See what you are owed' : 'Open your subscription', url },
    reason: 'You are getting this email because you offer sessions on Hearth.',
  }))
}

type Part = Pick<MailContent, 'subject' | 'paragraphs' | 'details' | 'closing'>

const continuing = (until: Facts['until']) =>
  until
    ? [`Your subscription continues to the end of the month it was paid for, ${day(new Date(until))}.`]
    : []

const parts: Record<BillingMailKind, (facts: Facts) => Part> = {
  receipt: ({ description = '', amount_pence = 0, number = '', until, next_charge_at }) => ({
    subject: 'Your receipt from Hearth',
    paragraphs: ['Thank you. We have charged your card, and your invoice is ready to download.'],
    details: [
      { label: 'For', value: description },
      { label: 'Charged', value: formatExactPence(amount_pence) },
      { label: 'Invoice', value: number },
      ...(until ? [{ label: 'Paid until', value: day(new Date(until)) }] : []),
      ...(next_charge_at ? [{ label: 'Renews', value: day(new Date(next_charge_at)) }] : []),
    ],
    closing: next_charge_at ? ['You can cancel at any time. It then runs to the end of the paid month.'] : [],
  }),

  charge_refunded: ({ description = '', amount_pence = 0, number = '', until }) => ({
    subject: 'Your payment to Hearth was refunded',
    paragraphs: [
      `We have refunded ${formatExactPence(amount_pence)} to the card you paid with. It can take up to ten days to appear.`,
      ...continuing(until),
    ],
    details: [
      { label: 'For', value: description },
      { label: 'Refunded', value: formatExactPence(amount_pence) },
      { label: 'Invoice', value: number },
    ],
    closing: ['If you did not expect this, reply to this email.'],
  }),

  charge_disputed: ({ description = '', amount_pence = 0, number = '', until }) => ({
    subject: 'A payment has been disputed through your bank',
    paragraphs: [
      `Your bank tells us that a payment of ${formatExactPence(amount_pence)} to Hearth is disputed. The bank decides, which can take a few weeks.`,
      ...continuing(until),
    ],
    details: [
      { label: 'For', value: description },
      { label: 'Disputed', value: formatExactPence(amount_pence) },
      { label: 'Invoice', value: number },
    ],
    closing: [
      'If this is a mistake, tell your bank. If you want your money back, reply to this email: that is quicker.',
    ],
  }),

  dispute_charged: ({ amount_pence = 0, session_at }) => ({
    subject: 'A bank took back a payment for a session with you',
    paragraphs: [
      `The bank of a client took back what they had paid for a session with you, and decided the dispute in their favour. ${formatExactPence(amount_pence)} is taken off what you are owed.`,
    ],
    details: [
      ...(session_at ? [{ label: 'Session', value: day(new Date(session_at)) }] : []),
      { label: 'Taken off', value: formatExactPence(amount_pence) },
    ],
    closing: ['If you think that this is wrong, reply to this email.'],
  }),

  payment_failed: ({
    amount_pence = 0,
    next_charge_at,
    lapses_at,
    reason = 'card_declined',
    is_first = false,
  }) => ({
    subject: is_first ? 'Your subscription could not begin' : 'Your subscription could not be renewed',
    paragraphs: [
      `We could not charge ${formatExactPence(amount_pence)} for your Hearth subscription. ${reasons[reason] ?? reasons.card_declined} Nothing was taken.`,
      ...(is_first
        ? ['Your profile is approved, and clients can find you as soon as the first month is paid.']
        : []),
    ],
    details: [
      ...(next_charge_at ? [{ label: 'We try again', value: day(new Date(next_charge_at)) }] : []),
      ...(lapses_at
        ? [
            {
              label: is_first ? 'We stop trying' : 'It lapses',
              value: `${day(new Date(lapses_at))}, unless it is paid`,
            },
          ]
        : []),
    ],
    closing: ['You can pay at once, with this card or another one.'],
  }),

  lapsed: ({ amount_pence = 0, is_first = false }) => ({
    subject: is_first ? 'Your subscription has not begun' : 'Your subscription has lapsed',
    paragraphs: is_first
      ? [
          `We tried four times over a week, and could not charge ${formatExactPence(amount_pence)} for the first month of your Hearth subscription. Nothing was taken, and we will not try again.`,
          'Your profile is approved and stays as it is. Clients can find you as soon as you subscribe.',
        ]
      : [
          `We tried four times over a week, and could not charge ${formatExactPence(amount_pence)} for your Hearth subscription. It has lapsed, and clients can no longer find you. Nothing was taken.`,
          'Sessions that are booked stay booked. Your profile stays as it is, and is back as soon as you subscribe again.',
        ],
  }),

  cancelled: ({ until, is_hidden = false }) => ({
    subject: 'Your subscription is cancelled',
    paragraphs: [
      `Your Hearth subscription is not renewed any more, and we charge nothing further.${until ? ` It runs to the end of the month you have paid for: ${day(new Date(until))}.` : ''}${until && !is_hidden ? ' Until then clients can find you as before.' : ''}`,
    ],
    closing: is_hidden ? [] : ['If you change your mind before that day, you can resume it with one click.'],
  }),

  ended: ({ until, is_hidden = false }) => ({
    subject: 'Your subscription has ended',
    paragraphs: [
      until
        ? `Your Hearth subscription ended on ${day(new Date(until))}.${is_hidden ? '' : ' Clients can no longer find you.'} We charge nothing further.`
        : 'Your Hearth subscription has ended before its first month. Nothing was charged.',
      is_hidden
        ? 'Your profile stays as it is. To be found, it needs our approval and a subscription.'
        : 'Sessions that are booked stay booked. Your profile stays as it is, and is back as soon as you subscribe again.',
    ],
  }),
}

const reasons: Record<string, string> = {
  card_declined: 'Your bank declined the card.',
  insufficient_funds: 'There was not enough money on the card.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The security code of the card is not right.',
  authentication_required: 'Your bank wants to check that it is you, so you need to be there.',
  no_card: 'There is no card to charge.',
}

type OrderedVideo = Pick<VideoOrder, 'practitioner_id' | 'full_name' | 'price' | 'ordered_at'>

/** Notifies the back office that a practitioner has ordered a video call. */
export function videoOrderMail(to: string, order: OrderedVideo, publicUrl: string): Mail {
  return mailToAdmin({
    to,
    publicUrl,
    subject: 'A video was ordered',
    paragraphs: [
      `${nameForMail(order.full_name) ?? `Practitioner ${order.practitioner_id}`} has ordered and paid for an introduction video over a call. Please propose dates for it.`,
    ],
    details: [
      { label: 'Ordered', value: day(new Date(order.ordered_at)) },
      { label: 'Paid', value: formatExactPence(Math.round(order.price * 100)) },
    ],
    link: { text: 'See the videos to be made', path: '/admin/videos' },
  })
}
