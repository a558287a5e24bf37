import { formatExactPence } from '#contract/money.ts'
import type { AppointmentType } from '#contract/common.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { type CalendarEntry, calendarEntry } from '../../../integrations/mail/calendar-entry.ts'
import type { MailContent, MailLink } from '../../../integrations/mail/layout.ts'
import { clientNameForMail, fullNameForMail } from '../../../integrations/mail/names.ts'
import type { Mail, Sender } from '../../../integrations/mail/port.ts'
import { day, time, zoneWords } from '../../../integrations/mail/times.ts'
import { capitalised, payPath, sessionPath, signInUrl } from '../../../integrations/mail/format.ts'
import { mailToHolder } from '../../../integrations/mail/recipients.ts'
import {
  type DatesMailKind,
  endsEntry,
  isAboutDates,
  isAboutPayment,
  isNoShow,
  isReminder,
  type MailRecipient,
  type ReminderKind,
  type SessionMailKind,
} from './bookings.mails.rules.ts'

export type SessionFailure = 'practitioner_absent' | 'technical_failure'

/** The data of a mail about a session at the time of sending. Amounts in pence. */
export type SessionMail = {
  kind: SessionMailKind
  recipient: MailRecipient
  to: { email: string; firstName: string; lastName: string; verified: boolean }
  /** The recipient's own zone if known, otherwise a default. */
  zone: string
  session: {
    id: string
    /** At the time the mail is composed. Its links and its calendar entry carry it. */
    sequence: number
    /** Whether it was a date of a series that was deleted with the account of its client: it has no page. */
    isDeleted: boolean
    type: AppointmentType
    startsAt: Date
    endsAt: Date
    /** The address of an in-person session. */
    place: { name: string; address: string } | undefined
    /** Of the room of an online session, if the recipient enters it by a link from us. */
    joinUrl: string | undefined
    pricePence: number
    changeUntil: Date | undefined
    cancelledBy: 'client' | 'practitioner' | 'system' | null
    /** Why a session did not take place at its time; undefined for any other cancellation. */
    failure: SessionFailure | undefined
    /** End of the freeze. */
    frozenUntil: Date | null
    /** Whether the cause of the freeze closes the chat as well: a suspension does, a lapse of the vetting does not. */
    isChatClosed: boolean
    /** End of the client's right to dispute the no-show. */
    disputeUntil: Date | undefined
    /** Of a reserved session: when its money is taken, until when it can be paid, and the second attempt. */
    unpaid: { payAt: Date; payBy: Date; retryAt: Date | null; wasTried: boolean } | undefined
    /** Until when a session of a series could be paid. */
    payBy: Date | undefined
    /** The starts of all dates of a series that the mail is about; empty if it is about this session alone. */
    dates: Date[]
  }
  movedFrom: Date | null
  /** Where the mail is about that. */
  profileChange?: ProfileChange['what'] | undefined
  /** Up to three comparable practitioners who are free that week, if the platform cancelled. */
  others: { id: number; fullName: string; profession: string | null; fromPence: number }[]
  practitioner: { id: number; fullName: string; listed: boolean }
  client: { firstName: string; lastName: string }
  /** The refunds to the client for this change, one part per card. */
  refunds: { amountPence: number; brand: string; last4: string }[]
  /** The discount, paid by the platform, that is no longer owed to the practitioner because of the refunds. */
  refundedDiscountPence: number
  /** How much of the fee went back to the client before an admin decided that a no-show stands. */
  feeGivenBack?: 'part' | 'all' | null
  /** `decision`: an admin decided the refund. */
  refundFor: 'cancellation' | 'change' | 'decision'
  /** Time of the change, used as the date of the mail however late it goes out. */
  happenedAt: Date
  /**
   * Whether we write this session into the recipient's connected calendar. If so, the mail carries no calendar entry.
   */
  isInOwnCalendar: boolean
  /** False for a date of a series that is neither paid nor moved: no mail about it carries a calendar entry. */
  mayBeInCalendar: boolean
  /** Turns reminders off, without a sign-in. */
  stopUrl: string | undefined
}

/** A change of a practitioner's profile, and what it alters of booked sessions: the place, or the online room. */
export type ProfileChange = { id: string; what: 'place' | 'room' }

/** The sender, and the base URL of the links. */
export type MailHead = { sender: Sender; publicUrl: string }

/**
 * Builds the mail. An unconfirmed address may belong to another person, so its mail says only that there is news. No
 * mail or calendar entry contains the topic of a session.
 */
export function sessionMail(mail: SessionMail, head: MailHead): Mail {
  const { kind, recipient } = mail
  const news = {
    role: roleOf(recipient),
    news: `${isReminder(kind) ? 'Something is coming up' : 'Something has changed'} in your account.`,
    url: behindSignIn(recipient, recipient === 'client' ? '/my-sessions' : '/therapist/dashboard', head),
    publicUrl: head.publicUrl,
  }
  const content = mailToHolder(mail.to, news, () => ({
    details: whenAndWhere(mail),
    link: mail.session.isDeleted ? theirSeries(head) : seeSession(mail, head),
    reason: recipient === 'client' ? clientReason : practitionerReason,
    ...(isAboutDates(kind) && mail.session.dates.length > 0
      ? datesPart(mail, kind, head)
      : recipient === 'practitioner' && isPractitioners(kind)
        ? practitionerPart(mail, kind)
        : clientParts[kind](mail, head)),
  }))
  const isNoChange = kind === 'refunded' || isAboutPayment(kind)
  const hasNoEntry = mail.isInOwnCalendar || !mail.mayBeInCalendar
  if (!mail.to.verified || isNoChange || isReminder(kind) || isNoShow(kind) || hasNoEntry) {
    return { ...content, ...(mail.stopUrl === undefined ? {} : { unsubscribeUrl: mail.stopUrl }) }
  }
  return { ...content, calendar: calendarEntry(entryOf(mail, head), head.sender) }
}

/** What one mail says. Without its own details, link or reason it has those of every mail about a session. */
type Part = Omit<MailContent, 'to' | 'greeting'>

const practitionerReason = 'You are getting this email because you offer sessions on Hearth.'
const clientReason = 'You are getting this email because you booked a session on Hearth.'

const clientParts: Record<SessionMailKind, (mail: SessionMail, head: MailHead) => Part> = {
  booked: (mail) => ({
    subject: 'Your session is booked',
    paragraphs: [`Your session with ${mail.practitioner.fullName} is booked and paid.`],
    details: [...whenAndWhere(mail), { label: 'Price', value: formatExactPence(mail.session.pricePence) }],
    links: roomLinks(mail),
    closing: [...changeTerms(mail), followsChanges],
  }),

  moved: (mail) => ({
    subject: mail.movedFrom ? 'Your session has moved' : 'Your session has changed',
    paragraphs: [
      ...changeOfProfile(mail),
      `Here is your session with ${mail.practitioner.fullName} as it is now.`,
      ...refundPromise(mail, 'You get the difference back:'),
    ],
    details: [
      ...whenAndWhere(mail),
      ...before(mail),
      { label: 'Price', value: formatExactPence(mail.session.pricePence) },
    ],
    links: roomLinks(mail),
    closing: [...changeTerms(mail), followsChanges],
  }),

  cancelled: (mail, head) => ({
    subject: clientSubjects[mail.session.failure ?? 'cancelled'],
    paragraphs: [
      whoCancelled(mail),
      ...refundPromise(mail, 'You get your money back in full:'),
      ...whatNext(mail),
      ...othersWords(mail),
    ],
    link: mail.practitioner.listed
      ? {
          text: 'Find another time',
          url: profileUrl(mail.practitioner.id, head),
        }
      : { text: 'Find someone else', url: `${head.publicUrl}/found-therapists?session_type=online` },
    links: [...othersLinks(mail, head), seeSession(mail, head)],
  }),

  frozen: (mail) => ({
    subject: 'Your session is being checked',
    paragraphs: [
      `We are checking whether your session with ${mail.practitioner.fullName} can take place. You do not have to do anything: we will write to you by ${moment(mail.session.frozenUntil, mail)}. If it cannot, it is cancelled by then${mail.session.unpaid ? '. It is not paid yet, and nothing is charged.' : ' and you get a full refund.'}`,
      `Until then the session’s ${mail.session.isChatClosed ? 'link and the chat are' : 'link is'} closed. You can cancel the session at any time${mail.session.unpaid ? '.' : ' and get all your money back.'}`,
    ],
  }),

  restored: (mail) => ({
    subject: 'Your session is going ahead',
    paragraphs: [
      `Your session with ${mail.practitioner.fullName} is going ahead as booked. Thank you for waiting.`,
    ],
    details: [...whenAndWhere(mail), { label: 'Price', value: formatExactPence(mail.session.pricePence) }],
    links: roomLinks(mail),
    closing: [...changeTerms(mail), ...(mail.mayBeInCalendar ? [followsChanges] : [])],
  }),

  refunded: (mail) => ({
    subject: 'Your refund is on its way',
    paragraphs: [
      `We have refunded ${formatExactPence(refunded(mail))} to you. It usually takes 5 to 10 working days to appear.`,
    ],
    details: [
      ...mail.refunds.map((part) => ({
        label: mail.refunds.length > 1 ? 'Part' : 'Amount',
        value: `${formatExactPence(part.amountPence)} to your ${capitalised(part.brand)} card ending in ${part.last4}`,
      })),
      {
        label: 'For',
        value:
          mail.refundFor === 'change'
            ? `The difference in price of your session with ${mail.practitioner.fullName}`
            : `Your ${mail.refundFor === 'decision' ? '' : 'cancelled '}session with ${mail.practitioner.fullName} on ${day(mail.session.startsAt, mail.zone)}`,
      },
    ],
  }),

  no_show: (mail, head) => ({
    subject: 'Your session is recorded as missed',
    paragraphs: [
      `${mail.practitioner.fullName} has recorded that you did not come to this session, so it is not refunded.`,
      ...(mail.session.disputeUntil
        ? [
            `If that is not right, tell us by ${day(mail.session.disputeUntil, mail.zone)}, ${time(mail.session.disputeUntil, mail.zone)}. We will look into it and decide, and hold the money until then.`,
          ]
        : []),
    ],
    link: seeSession(mail, head, 'See the session, or dispute it'),
  }),

  no_show_withdrawn: (mail) => ({
    subject: 'Your session has been corrected',
    paragraphs: [
      `${mail.practitioner.fullName} now says that this session took place. You do not need to do anything.`,
    ],
  }),

  no_show_disputed: (mail) => ({
    subject: 'We have your dispute',
    paragraphs: [
      `We will look at what you and ${mail.practitioner.fullName} say, and write to you as soon as we have decided. Until then we hold the money.`,
    ],
  }),

  no_show_upheld: (mail) => ({
    subject: 'Our decision about your session',
    paragraphs: [
      `We have looked into your dispute. What ${mail.practitioner.fullName} recorded stays: that you did not come. ${mail.feeGivenBack ? 'Nothing more is refunded.' : 'The session is not refunded.'}`,
    ],
    closing: ['If you do not agree, reply to this email and tell us what we have missed.'],
  }),

  no_show_overturned: (mail) => ({
    subject: 'Our decision about your session',
    paragraphs: [
      'We have looked into your dispute and decided in your favour. The session counts as cancelled.',
      ...refundPromise(mail, 'You get your money back in full:'),
    ],
  }),

  charge_ahead: (mail) => ({
    subject: `${formatExactPence(mail.session.pricePence)} will be taken on ${weekday(mail.session.unpaid?.payAt, mail)}`,
    paragraphs: [
      `We will take ${formatExactPence(mail.session.pricePence)} from your saved card on ${moment(mail.session.unpaid?.payAt ?? null, mail)}, for your session with ${mail.practitioner.fullName}. You do not have to do anything.`,
      'Until then you can skip the session or move it, free of charge.',
    ],
    details: [...whenAndWhere(mail), { label: 'Price', value: formatExactPence(mail.session.pricePence) }],
  }),

  card_ahead: (mail, head) => ({
    subject: 'Your sessions need another card',
    paragraphs: [
      `On ${moment(mail.session.unpaid?.payAt ?? null, mail)} we are to take ${formatExactPence(mail.session.pricePence)} for your session with ${mail.practitioner.fullName}. The card that you chose will have expired by then, or was removed.`,
      'Choose another card in My Sessions, so that your sessions stay as they are.',
    ],
    link: mySessions(head),
  }),

  payment_failed: (mail, head) => ({
    subject: `Pay for ${weekday(mail.session.startsAt, mail)}`,
    paragraphs: [
      mail.session.unpaid?.wasTried === false
        ? `Please pay ${formatExactPence(mail.session.pricePence)} for your session with ${mail.practitioner.fullName}. Nothing was charged for it yet.`
        : `We could not take ${formatExactPence(mail.session.pricePence)} for your session with ${mail.practitioner.fullName}. Nothing was charged.`,
      ...(mail.session.unpaid?.retryAt
        ? [`We will try once more on ${moment(mail.session.unpaid.retryAt, mail)}. You can also pay now.`]
        : []),
      `We keep the time for you until ${moment(mail.session.unpaid?.payBy ?? null, mail)}. If it is not paid by then, the session is cancelled and costs you nothing. Until then you can also skip it.`,
    ],
    details: [...whenAndWhere(mail), { label: 'Price', value: formatExactPence(mail.session.pricePence) }],
    link: {
      text: `Pay for ${weekday(mail.session.startsAt, mail)}`,
      url: behindSignIn('client', payPath(mail.session.id, mail.session.sequence), head),
    },
    links: [seeSession(mail, head)],
  }),

  unpaid: (mail) => ({
    subject: 'Your session is cancelled',
    paragraphs: [
      `Your session with ${mail.practitioner.fullName} was not paid${mail.session.payBy ? ` by ${moment(mail.session.payBy, mail)}` : ''}, so we have cancelled it. Nothing was charged.`,
      'If you would still like to come, look whether the time is free and book it.',
    ],
  }),

  day_before: (mail) => reminder(mail),
  hour_before: (mail) => reminder(mail),
}

const clientSubjects: Record<SessionFailure | 'cancelled', string> = {
  cancelled: 'Your session is cancelled',
  practitioner_absent: 'We are sorry that you waited',
  technical_failure: 'We are sorry that your session did not work',
}

/** How a client goes on after a session that did not take place. */
function whatNext({ session, practitioner }: SessionMail): string[] {
  if (!session.failure) return []
  if (!practitioner.listed) return ['When you feel ready, you can book with someone else.']
  return session.failure === 'practitioner_absent'
    ? [
        `When you feel ready, you can book another time with ${practitioner.fullName} or with someone else. To tell us more about what happened, reply to this email.`,
      ]
    : [`When you feel ready, you can book another time with ${practitioner.fullName}.`]
}

/** The texts give day and time and never 'tomorrow', because a mail may arrive or be read late. */
const reminderSubjects: Record<ReminderKind, string> = {
  day_before: 'Your session is coming up',
  hour_before: 'Your session begins soon',
}

function reminder(mail: SessionMail): Part {
  const isClient = mail.recipient === 'client'
  const who = isClient ? mail.practitioner.fullName : shortName(mail.client)
  return {
    subject: reminderSubjects[mail.kind as ReminderKind],
    paragraphs: [`Your session with ${who} ${mail.kind === 'day_before' ? 'is coming up' : 'begins soon'}.`],
    links: [
      ...roomLinks(mail),
      ...(mail.stopUrl ? [{ text: 'Stop reminders by email', url: mail.stopUrl }] : []),
    ],
    ...(isClient && {
      closing: changeTerms(mail),
      reason: 'You are getting this email because you have a session on Hearth.',
    }),
  }
}

/** Mails to a practitioner about one session. A suspension has one mail about all of them. */
const practitionerKinds = [
  'booked',
  'moved',
  'cancelled',
  'refunded',
  'no_show_disputed',
  'no_show_upheld',
  'no_show_overturned',
  'unpaid',
] as const satisfies readonly SessionMailKind[]
type PractitionerMailKind = (typeof practitionerKinds)[number]

const isPractitioners = (kind: SessionMailKind): kind is PractitionerMailKind =>
  practitionerKinds.some((each) => each === kind)

function practitionerPart(mail: SessionMail, kind: PractitionerMailKind): Part {
  const who = shortName(mail.client)
  const { cancelledBy } = mail.session
  // A reserved session has not been paid for yet.
  const givesBack = refunded(mail) > 0 ? ' and gets the price back in full' : ''
  const { failure } = mail.session
  if (kind === 'cancelled' && failure) return failedPart(mail, failure)
  const said = {
    booked: { subject: 'A session was booked', sentence: `${who} has booked a session with you.` },
    moved: {
      subject: mail.movedFrom ? 'A session was moved' : 'A session was changed',
      sentence: `${who} has changed a session with you.`,
    },
    cancelled: {
      subject: 'A session was cancelled',
      sentence:
        cancelledBy === 'practitioner'
          ? `You cancelled the session with ${who}, who has been told${givesBack}.`
          : cancelledBy === 'client'
            ? `${who} has cancelled a session with you. The time can be booked again.`
            : `We cancelled the session with ${who}, who has been told${givesBack}.`,
    },
    unpaid: {
      subject: 'A session was cancelled',
      sentence: `${who} has not paid for this session in time, so it is cancelled. The time can be booked again.`,
    },
    refunded: {
      subject: 'A session was refunded',
      sentence: `We have refunded ${formatExactPence(refunded(mail))} to ${who} for a session with you. ${takenOff(mail)}`,
    },
    no_show_disputed: {
      subject: 'A client disputes that they did not come',
      sentence: `${who} disagrees with you about this session. We will look into it and write to you as soon as we have decided. Until then the fee is not paid out. To tell us what happened, reply to this email.`,
    },
    no_show_upheld: {
      subject: 'Our decision about a session',
      sentence: `We have looked into the dispute from ${who}, and what you recorded stays: that they did not come. ${feeAfter(mail)}`,
    },
    no_show_overturned: {
      subject: 'Our decision about a session',
      sentence: `We have looked into the dispute from ${who} and decided in their favour. The session counts as cancelled, they get a full refund, and the fee is no longer owed to you.`,
    },
  }[kind]
  return {
    subject: said.subject,
    paragraphs: [said.sentence],
    details: [...whenAndWhere(mail), ...before(mail)],
  }
}

/** What a mail about several unpaid dates of a series says. */
function datesPart(mail: SessionMail, kind: DatesMailKind, head: MailHead): Part {
  const { session, zone, practitioner, recipient } = mail
  const details = [
    { label: 'Sessions', value: session.dates.map((at) => moment(at, mail)) },
    { label: 'Time zone', value: zoneTime(zone) },
  ]
  if (recipient === 'practitioner') {
    const sentence = `We cancelled these regular sessions with ${shortName(mail.client)}, who has been told.`
    return {
      subject: 'Regular sessions were cancelled',
      paragraphs: [sentence],
      details,
      link: theirSeries(head),
    }
  }
  const said = {
    frozen: {
      subject: 'Your regular sessions are being checked',
      paragraphs: [
        `We are checking whether your regular sessions with ${practitioner.fullName} can take place. You do not have to do anything: we will write to you by ${moment(session.frozenUntil, mail)}. If they cannot, they are cancelled by then. They are not paid yet, and nothing is charged.`,
        `Until then their links ${session.isChatClosed ? 'and the chat ' : ''}are closed. You can cancel any of them, or end your regular sessions, at any time.`,
      ],
    },
    restored: {
      subject: 'Your regular sessions are going ahead',
      paragraphs: [
        `Your regular sessions with ${practitioner.fullName} are going ahead as reserved. Thank you for waiting.`,
      ],
    },
    cancelled: {
      subject: 'Your regular sessions were cancelled',
      paragraphs: [
        `We had to cancel these regular sessions with ${practitioner.fullName}. We are sorry. They were not paid yet, and nothing is charged.`,
        ...othersWords(mail),
      ],
    },
  }[kind]
  return {
    ...said,
    details,
    link: mySessions(head),
    links: kind === 'cancelled' ? othersLinks(mail, head) : [],
  }
}

function failedPart(mail: SessionMail, failure: SessionFailure): Part {
  const who = shortName(mail.client)
  const paid = refunded(mail) > 0 ? `, and they get ${formatExactPence(refunded(mail))} back` : ''
  return {
    practitioner_absent: {
      subject: 'Your client waited for you',
      paragraphs: [
        `${who} was alone in the room of this session for ten minutes and told us that you did not come. The session is cancelled${paid}. There is no fee for it.`,
        'We hope that you are all right. A short message in the chat means a lot to someone who waited. If something went wrong on our side, or you were there, reply to this email.',
      ],
    },
    technical_failure: {
      subject: 'The session that did not work is cancelled',
      paragraphs: [
        `You told us that the session with ${who} did not work for technical reasons. It is cancelled${paid}. It does not count as missed, and there is no fee for it.`,
        `${who} has been told and can book another time. You can suggest one in the chat.`,
      ],
    },
  }[failure]
}

// What they are made of -------------------------------------------------------------------------------------------

const followsChanges =
  'The calendar entry in this email is updated when the session is moved or cancelled. Removing it from your calendar does not cancel the session.'

function whenAndWhere({ session, zone, recipient, practitioner, client }: SessionMail) {
  return [
    { label: 'Date', value: day(session.startsAt, zone) },
    {
      label: 'Time',
      value: `${time(session.startsAt, zone)} to ${time(session.endsAt, zone)} (${zoneWords(zone, session.startsAt)})`,
    },
    recipient === 'client'
      ? { label: 'Practitioner', value: practitioner.fullName }
      : { label: 'Client', value: shortName(client) },
    { label: 'Where', value: placeWords(session) },
  ]
}

function before({ movedFrom, zone }: SessionMail) {
  return movedFrom ? [{ label: 'Before', value: `${day(movedFrom, zone)}, ${time(movedFrom, zone)}` }] : []
}

function placeWords({ type, place }: SessionMail['session']): string {
  if (type === 'online') return 'Online'
  return place ? `${place.name}, ${place.address}` : 'In person'
}

function roomLinks({ session }: SessionMail): MailLink[] {
  return session.joinUrl ? [{ text: 'Join the session when it begins', url: session.joinUrl }] : []
}

/** Monday, on the reader's calendar. */
const weekday = (at: Date | undefined, { zone }: SessionMail) =>
  at === undefined ? 'time' : new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: zone }).format(at)

/** Monday 8 June 2026, 09:00. */
const moment = (at: Date | null, { zone }: SessionMail) => (at ? `${day(at, zone)}, ${time(at, zone)}` : '')

function changeTerms({ session, zone, happenedAt }: SessionMail): string[] {
  if (session.unpaid) {
    const { payAt, payBy } = session.unpaid
    if (payAt <= happenedAt) {
      return [
        `It is not paid yet. If it is not paid by ${day(payBy, zone)}, ${time(payBy, zone)}, it is cancelled and costs you nothing.`,
      ]
    }
    return [
      `It is not paid yet: we take the price on ${day(payAt, zone)}, ${time(payAt, zone)}. Until then you can skip it or move it, free of charge.`,
    ]
  }
  const until = session.changeUntil
  if (!until || until <= happenedAt) return ['This session can no longer be moved or cancelled.']
  return [
    `You can move or cancel it until ${day(until, zone)}, ${time(until, zone)}. Cancelled by then, you get your money back in full.`,
  ]
}

function whoCancelled({ session, practitioner }: SessionMail): string {
  if (session.failure === 'practitioner_absent') {
    return `You waited for your session, and ${practitioner.fullName} did not come. We are sorry: that should not have happened. The session is cancelled and costs you nothing.`
  }
  if (session.failure === 'technical_failure') {
    return `${practitioner.fullName} told us that your session did not work for technical reasons. We are sorry. It is cancelled and costs you nothing.`
  }
  if (session.cancelledBy === 'client') return `You cancelled your session with ${practitioner.fullName}.`
  if (session.cancelledBy === 'practitioner')
    return `${practitioner.fullName} had to cancel your session. We are sorry.`
  return `We had to cancel your session with ${practitioner.fullName}. We are sorry.`
}

const profileUrl = (id: number, { publicUrl }: MailHead) =>
  `${publicUrl}/recommended-therapist?practitionerId=${id}`

function othersWords({ others }: SessionMail): string[] {
  if (others.length === 0) return []
  const who = others.length === 1 ? 'one person' : others.length === 2 ? 'two people' : 'three people'
  const verbs =
    others.length === 1 ? 'helps with the same things and is' : 'help with the same things and are'
  return [`Below ${others.length === 1 ? 'is' : 'are'} ${who} who ${verbs} free that week.`]
}

function changeOfProfile({ profileChange, practitioner: { fullName } }: SessionMail): string[] {
  if (profileChange === 'place') return [`${fullName} has changed the details of the place where you meet.`]
  return profileChange === 'room' ? [`${fullName} has changed the online room where you meet.`] : []
}

const othersLinks = ({ others }: SessionMail, head: MailHead): MailLink[] =>
  others.map(({ id, fullName, profession, fromPence }) => ({
    text: [fullName, profession, `from ${formatExactPence(fromPence)}`].filter(Boolean).join(', '),
    url: profileUrl(id, head),
  }))

const refunded = ({ refunds }: SessionMail) => refunds.reduce((sum, part) => sum + part.amountPence, 0)

/** What the refunds change of what the practitioner is owed. */
function takenOff(mail: SessionMail): string {
  const discount = mail.refundedDiscountPence
  const off = formatExactPence(refunded(mail) + discount)
  if (discount === 0) return 'It is taken off what you are owed.'
  // Their discount has gone over to this session, whose fee they had paid in full.
  if (refunded(mail) + discount <= 0)
    return 'What you are owed stays the same: we pay this part of the fee, as a referral discount.'
  if (discount < 0)
    return `${off} is taken off what you are owed. We pay the rest of it, as a referral discount.`
  return `${off} is taken off what you are owed: the refund, and the referral discount of ${formatExactPence(discount)} that we had paid.`
}

/** What of the fee is the practitioner's once a no-show is upheld. */
function feeAfter({ feeGivenBack: back }: SessionMail): string {
  if (back === 'all') return 'The fee was refunded before, so nothing of it is paid out.'
  return `${back === 'part' ? 'What is left of the fee' : 'The fee'} is yours and can be paid out.`
}

function refundPromise(mail: SessionMail, words: string): string[] {
  const amount = refunded(mail)
  if (amount === 0) return []
  const cards = new Set(mail.refunds.map((part) => `${part.brand} ${part.last4}`))
  const where = cards.size > 1 ? 'cards' : 'card'
  return [
    `${words} ${formatExactPence(amount)}, to the ${where} you paid with. We will write again as soon as it is on its way.`,
  ]
}

function entryOf(mail: SessionMail, head: MailHead): CalendarEntry {
  const { session, to } = mail
  const forClient = mail.recipient === 'client'
  const join = session.joinUrl ? [`Join: ${session.joinUrl}`] : []
  // Without the sequence, which the entry has already: some changes send no new entry.
  const url = behindSignIn(mail.recipient, sessionPath(session.id), head)
  return {
    // Client and practitioner may share a mailbox, so each has an entry of their own.
    uid: forClient ? session.id : `${session.id}-practitioner`,
    sequence: session.sequence,
    writtenAt: mail.happenedAt,
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    tentative: session.frozenUntil !== null || session.unpaid !== undefined,
    summary: `${session.frozenUntil ? 'Being checked: session' : 'Session'} with ${forClient ? mail.practitioner.fullName : shortName(mail.client)}`,
    description: [
      ...join,
      `To look at, move or cancel it: ${url}`,
      'Removing this entry does not cancel the session.',
    ].join('\n'),
    location: placeWords(session),
    url,
    cancelled: endsEntry(mail.kind),
    attendee: { name: fullNameForMail(to.firstName, to.lastName, to.email), email: to.email },
  }
}

const roleOf = (recipient: MailRecipient): 'client' | 'therapist' =>
  recipient === 'client' ? 'client' : 'therapist'

const behindSignIn = (recipient: MailRecipient, path: string, { publicUrl }: MailHead): string =>
  signInUrl(publicUrl, roleOf(recipient), path)

const seeSession = (
  { recipient, session }: SessionMail,
  head: MailHead,
  text = 'See this session',
): MailLink => ({
  text,
  url: behindSignIn(recipient, sessionPath(session.id, session.sequence), head),
})

const mySessions = (head: MailHead): MailLink => ({
  text: 'See my sessions',
  url: behindSignIn('client', '/my-sessions', head),
})

const theirSeries = (head: MailHead): MailLink => ({
  text: 'Open your regular sessions',
  url: behindSignIn('practitioner', '/therapist/series', head),
})

const shortName = (client: { firstName: string; lastName: string }) => clientNameForMail(client) ?? 'A client'
