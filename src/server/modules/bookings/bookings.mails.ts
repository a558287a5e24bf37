import type { AppointmentType } from '#contract/common.ts'
import { type CalendarEntry, calendarEntry } from '../../integrations/mail/calendar-entry.ts'
import { type Letter, letter, type LetterLink } from '../../integrations/mail/letter.ts'
import type { Mail, Sender } from '../../integrations/mail/port.ts'
import { capitalised, day, pounds, time, zoneWords } from './mail-words.ts'
import { isReminder, type MailRecipient, type ReminderKind, type SessionMailKind } from './mailing.rules.ts'

/** Everything that a mail about a session may tell, as things stand when it is sent. Pence. */
export type SessionMail = {
  /** Of the mail itself: the same however often it is sent. */
  id: string
  kind: SessionMailKind
  recipient: MailRecipient
  to: { email: string; firstName: string; lastName: string; verified: boolean }
  /** The recipient's own zone, as far as it is known. */
  zone: string
  session: {
    id: string
    sequence: number
    type: AppointmentType
    startsAt: Date
    endsAt: Date
    /** Where one meets in person. */
    place: { name: string; address: string } | undefined
    meetingLink: string | undefined
    pricePence: number
    changeUntil: Date | undefined
    cancelledBy: 'client' | 'practitioner' | 'system' | null
  }
  movedFrom: Date | null
  practitioner: { id: number; fullName: string; listed: boolean }
  client: { firstName: string; lastName: string }
  /** What goes back to the client with this change, a part for each card. */
  refunds: { amountPence: number; brand: string; last4: string }[]
  /** `decision`: the back office gives it back. */
  refundFor: 'cancellation' | 'change' | 'decision'
  /** When the change was made: the mail's date, however late it goes out. */
  happenedAt: Date
  /** Whether the recipient's own calendar, which we write to, has the session: its entry is not in the mail as well. */
  isInOwnCalendar: boolean
  /** Turns reminders off, without a sign-in. */
  stopUrl: string | undefined
}

/** Where mails come from and lead to. */
export type Letterhead = { sender: Sender; publicUrl: string }

/**
 * The mail. To an address that nobody has confirmed it says that there is news, and not a word more: it may be
 * somebody else's. What the session is about is in no mail, in its calendar entry neither.
 */
export function sessionMail(mail: SessionMail, head: Letterhead): Mail {
  const { happenedAt } = mail
  const envelope = {
    messageId: `news-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: happenedAt,
  }
  const stop = mail.stopUrl === undefined ? {} : { unsubscribeUrl: mail.stopUrl }
  if (!mail.to.verified) return { ...letter(discreet(mail, head)), ...envelope, ...stop }
  const content = letter({
    to: mail.to.email,
    greeting: `Hello ${mail.to.firstName},`,
    ...(mail.recipient === 'client' || isReminder(mail.kind)
      ? clientParts[mail.kind](mail, head)
      : practitionerPart(mail, mail.kind, head)),
  })
  if (mail.kind === 'refunded' || isReminder(mail.kind) || mail.isInOwnCalendar) {
    return { ...content, ...envelope, ...stop }
  }
  return { ...content, ...envelope, calendar: calendarEntry(entryOf(mail, head), head.sender) }
}

type Part = Omit<Letter, 'to' | 'greeting'>

function discreet({ to, kind, recipient }: SessionMail, head: Letterhead): Letter {
  return {
    to: to.email,
    subject: 'There is news for you on Hearth',
    greeting: 'Hello,',
    paragraphs: [
      `${isReminder(kind) ? 'Something is coming up' : 'Something has changed'} in your account. You have not confirmed this address yet, so we say no more in a mail to it.`,
    ],
    link: { text: 'See what is new', url: signInUrl(recipient, head) },
    reason: 'You get this mail because somebody signed up for Hearth with this address.',
  }
}

const clientReason = 'You get this mail because you booked a session on Hearth.'

const clientParts: Record<SessionMailKind, (mail: SessionMail, head: Letterhead) => Part> = {
  booked: (mail, head) => ({
    subject: 'Your session is booked',
    paragraphs: [`Your session with ${mail.practitioner.fullName} is booked and paid.`],
    details: [...whenAndWhere(mail), { label: 'Price', value: pounds(mail.session.pricePence) }],
    link: mySessions(head),
    links: roomLinks(mail),
    closing: [...changeTerms(mail), followsChanges],
    reason: clientReason,
  }),

  moved: (mail, head) => ({
    subject: mail.movedFrom ? 'Your session has moved' : 'Your session has changed',
    paragraphs: [
      `This is your session with ${mail.practitioner.fullName} as it now stands.`,
      ...refundPromise(mail, 'You get the difference back:'),
    ],
    details: [
      ...whenAndWhere(mail),
      ...(mail.movedFrom
        ? [
            {
              label: 'Before',
              value: `${day(mail.movedFrom, mail.zone)}, ${time(mail.movedFrom, mail.zone)}`,
            },
          ]
        : []),
      { label: 'Price', value: pounds(mail.session.pricePence) },
    ],
    link: mySessions(head),
    links: roomLinks(mail),
    closing: [...changeTerms(mail), followsChanges],
    reason: clientReason,
  }),

  cancelled: (mail, head) => ({
    subject: 'Your session is cancelled',
    paragraphs: [whoCancelled(mail), ...refundPromise(mail, 'You get your money back in full:')],
    details: whenAndWhere(mail),
    link: mail.practitioner.listed
      ? {
          text: 'Find another time',
          url: `${head.publicUrl}/recommended-therapist?practitionerId=${mail.practitioner.id}`,
        }
      : { text: 'Find somebody else', url: `${head.publicUrl}/found-therapists?session_type=online` },
    links: [mySessions(head)],
    reason: clientReason,
  }),

  refunded: (mail, head) => ({
    subject: 'Your refund is on its way',
    paragraphs: [
      `We have returned ${pounds(refunded(mail))} to you. Banks usually take 5 to 10 working days to show it.`,
    ],
    details: [
      ...mail.refunds.map((part) => ({
        label: mail.refunds.length > 1 ? 'Part' : 'Amount',
        value: `${pounds(part.amountPence)} to your ${capitalised(part.brand)} card ending in ${part.last4}`,
      })),
      {
        label: 'For',
        value:
          mail.refundFor === 'change'
            ? `The difference in price of your session with ${mail.practitioner.fullName}`
            : `Your ${mail.refundFor === 'decision' ? '' : 'cancelled '}session with ${mail.practitioner.fullName} on ${day(mail.session.startsAt, mail.zone)}`,
      },
    ],
    link: mySessions(head),
    reason: clientReason,
  }),

  day_before: (mail, head) => reminder(mail, head),
  hour_before: (mail, head) => reminder(mail, head),
}

/** The words tell the day and time and never 'tomorrow': a mail may be late, or read late. */
const reminderSubjects: Record<ReminderKind, string> = {
  day_before: 'Your session is coming up',
  hour_before: 'Your session begins soon',
}

function reminder(mail: SessionMail, head: Letterhead): Part {
  const isClient = mail.recipient === 'client'
  const who = isClient ? mail.practitioner.fullName : shortName(mail.client)
  return {
    subject: reminderSubjects[mail.kind as ReminderKind],
    paragraphs: [`A reminder of your session with ${who}.`],
    details: whenAndWhere(mail),
    link: isClient ? mySessions(head) : { text: 'See my sessions', url: signInUrl('practitioner', head) },
    links: [
      ...(isClient ? roomLinks(mail) : []),
      ...(mail.stopUrl ? [{ text: 'No more reminders by mail', url: mail.stopUrl }] : []),
    ],
    ...(isClient ? { closing: changeTerms(mail) } : {}),
    reason: isClient
      ? 'You get this mail because you have a session on Hearth.'
      : 'You get this mail because you offer sessions on Hearth.',
  }
}

function practitionerPart(
  mail: SessionMail,
  kind: Exclude<SessionMailKind, ReminderKind>,
  head: Letterhead,
): Part {
  const who = shortName(mail.client)
  const { cancelledBy } = mail.session
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
          ? `You cancelled the session with ${who}, who has been told and gets the price back in full.`
          : cancelledBy === 'client'
            ? `${who} has cancelled a session with you. The time can be booked again.`
            : `The session with ${who} had to be cancelled. The time can be booked again.`,
    },
    refunded: { subject: '', sentence: '' },
  }[kind]
  return {
    subject: said.subject,
    paragraphs: [said.sentence],
    details: [
      ...whenAndWhere(mail),
      ...(mail.movedFrom
        ? [
            {
              label: 'Before',
              value: `${day(mail.movedFrom, mail.zone)}, ${time(mail.movedFrom, mail.zone)}`,
            },
          ]
        : []),
    ],
    link: { text: 'See my sessions', url: signInUrl('practitioner', head) },
    reason: 'You get this mail because you offer sessions on Hearth.',
  }
}

// What they are made of -------------------------------------------------------------------------------------------

const followsChanges =
  'The calendar entry in this mail follows when the session is moved or cancelled. Removing it from your calendar does not cancel the session.'

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

function placeWords({ type, place }: SessionMail['session']): string {
  if (type === 'online') return 'Online'
  return place ? `${place.name}, ${place.address}` : 'In person'
}

function roomLinks({ session }: SessionMail): LetterLink[] {
  return session.type === 'online' && session.meetingLink
    ? [{ text: 'Join the session when it begins', url: session.meetingLink }]
    : []
}

function changeTerms({ session, zone, happenedAt }: SessionMail): string[] {
  const until = session.changeUntil
  if (!until || until <= happenedAt) return ['This session can no longer be moved or cancelled.']
  return [
    `You can move or cancel it until ${day(until, zone)}, ${time(until, zone)}. Cancelled by then, you get your money back in full.`,
  ]
}

function whoCancelled({ session, practitioner }: SessionMail): string {
  if (session.cancelledBy === 'client') return `You cancelled your session with ${practitioner.fullName}.`
  if (session.cancelledBy === 'practitioner')
    return `${practitioner.fullName} had to cancel your session. We are sorry.`
  return `We had to cancel your session with ${practitioner.fullName}. We are sorry.`
}

const refunded = ({ refunds }: SessionMail) => refunds.reduce((sum, part) => sum + part.amountPence, 0)

function refundPromise(mail: SessionMail, words: string): string[] {
  const amount = refunded(mail)
  if (amount === 0) return []
  const cards = new Set(mail.refunds.map((part) => `${part.brand} ${part.last4}`))
  const where = cards.size > 1 ? 'cards' : 'card'
  return [
    `${words} ${pounds(amount)}, to the ${where} you paid with. We write again as soon as it is on its way.`,
  ]
}

function entryOf(mail: SessionMail, head: Letterhead): CalendarEntry {
  const { session, to } = mail
  const forClient = mail.recipient === 'client'
  const join =
    forClient && session.type === 'online' && session.meetingLink ? [`Join: ${session.meetingLink}`] : []
  return {
    // Of two people who share a mailbox, each has an entry of their own.
    uid: forClient ? session.id : `${session.id}-practitioner`,
    sequence: session.sequence,
    writtenAt: mail.happenedAt,
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    summary: `Session with ${forClient ? mail.practitioner.fullName : shortName(mail.client)}`,
    description: [
      ...join,
      `To look at, move or cancel it: ${signInUrl(mail.recipient, head)}`,
      'Removing this entry does not cancel the session.',
    ].join('\n'),
    location: placeWords(session),
    cancelled: mail.kind === 'cancelled',
    attendee: { name: `${to.firstName} ${to.lastName}`.trim(), email: to.email },
  }
}

/** A new tab starts signed out, so links lead through the sign-in and back. */
function signInUrl(recipient: MailRecipient, { publicUrl }: Letterhead): string {
  return recipient === 'client'
    ? `${publicUrl}/sign-in?return_to=${encodeURIComponent('/my-sessions')}`
    : `${publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/dashboard')}`
}

const mySessions = (head: Letterhead): LetterLink => ({
  text: 'See my sessions',
  url: signInUrl('client', head),
})

/** Mails lie in inboxes for long: an initial will do to tell clients apart. */
function shortName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const [initial] = lastName
  return initial ? `${firstName} ${initial.toUpperCase()}.` : firstName
}
