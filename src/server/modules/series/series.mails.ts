import { clientName } from '#contract/client-name.ts'
import { type MailContent, writeMail } from '../../integrations/mail/layout.ts'
import { greeting, nameForMail } from '../../integrations/mail/names.ts'
import type { Mail, Sender } from '../../integrations/mail/port.ts'
import { day, time, zoneWords } from '../../integrations/mail/times.ts'
import { unconfirmedContent } from '../../integrations/mail/unconfirmed.ts'

export type SeriesRecipient = 'client' | 'practitioner'

/** Who gets each mail about a series. */
export const recipientsOf = {
  /** A client asks the practitioner to keep an hour. */
  asked: ['practitioner'],
  /** A practitioner offers an hour. */
  proposed: ['client'],
  accepted: ['client'],
  agreed: ['client', 'practitioner'],
  /** Declined, withdrawn or not answered. */
  declined: ['client', 'practitioner'],
  /** A date cannot be had. */
  conflict: ['client', 'practitioner'],
  /** Dates were skipped for time off. */
  skipped: ['client'],
  new_price: ['client'],
  price_accepted: ['practitioner'],
  paused: ['client', 'practitioner'],
  resumable: ['client'],
  /** It has a last day. */
  ending: ['client', 'practitioner'],
  ended: ['client', 'practitioner'],
  /** No new dates are made, as the practitioner is not listed. */
  unlisted: ['client', 'practitioner'],
  /** The practitioner has moved to another zone, and the hour stays. */
  zone_changed: ['client', 'practitioner'],
} as const satisfies Record<string, readonly SeriesRecipient[]>

export type SeriesMailKind = keyof typeof recipientsOf
export const seriesMailKinds = Object.keys(recipientsOf) as SeriesMailKind[]

/** What a mail stores as of its change. */
export type Facts = {
  /** The day of the rhythm that it is about. */
  on_date?: string
  /** Starts of sessions, as ISO text. */
  starts?: string[]
  /** Free times, as ISO text. */
  alternatives?: string[]
  fee_pence?: number
  from_date?: string
  answer_by?: string
  /** Money on its way back, in pence. */
  refund_pence?: number
  /** The practitioner's new zone. */
  zone?: string
}

/** The data of a mail about a series at the time of sending. Amounts in pence. */
export type SeriesMail = {
  /** Id of the mail, the same at every attempt. */
  id: string
  kind: SeriesMailKind
  recipient: SeriesRecipient
  to: { email: string; firstName: string; lastName: string; verified: boolean }
  facts: Facts
  series: {
    /** The start of a date, for the weekday and the time. */
    hour: Date
    zone: string
    everyWeeks: 1 | 2 | 4
    feePence: number
    pausedCause: 'unpaid' | 'suspension' | null
    pausedUntil: Date | null
    proposedUntil: Date | null
    endedBy: 'client' | 'practitioner' | 'system' | null
    endCause: string | null
    endReason: string | null
  }
  /** Sessions that are paid and stay, and the next ones that are not paid yet. */
  paid: Date[]
  reserved: Date[]
  practitioner: { fullName: string }
  client: { firstName: string; lastName: string }
  happenedAt: Date
}

export type MailHead = { sender: Sender; publicUrl: string }

/** Builds the mail. To an unconfirmed address it says only that there is news. */
export function seriesMail(mail: SeriesMail, head: MailHead): Mail {
  const isClient = mail.recipient === 'client'
  const url = isClient
    ? `${head.publicUrl}/my-sessions`
    : `${head.publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/series')}`
  const content = mail.to.verified
    ? {
        to: mail.to.email,
        greeting: greeting(mail.to.firstName),
        ...(isClient ? clientParts[mail.kind](mail) : practitionerParts[mail.kind](mail)),
        link: { text: isClient ? 'Open My Sessions' : 'Open your regular sessions', url },
        reason: isClient
          ? 'You are getting this email because you booked a session on Hearth.'
          : 'You are getting this email because you offer sessions on Hearth.',
      }
    : unconfirmedContent({
        to: mail.to.email,
        role: isClient ? 'client' : 'therapist',
        news: 'Something has changed in your account.',
        url,
        publicUrl: head.publicUrl,
      })
  return {
    ...writeMail(content),
    messageId: `series-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: mail.happenedAt,
  }
}

/** What the mail about a client who has left stores. */
export type FormerClientFacts = { hour: string; zone: string }

/** Tells a practitioner that the regular sessions of a client ended with the client's account. */
export function formerClientMail(
  mail: Pick<SeriesMail, 'id' | 'to' | 'happenedAt'> & { facts: FormerClientFacts },
  head: MailHead,
): Mail {
  const { hour, zone } = mail.facts
  const url = `${head.publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/series')}`
  const [weekday] = day(new Date(hour), zone).split(' ')
  const content = mail.to.verified
    ? {
        to: mail.to.email,
        greeting: greeting(mail.to.firstName),
        subject: 'Regular sessions have ended',
        paragraphs: [
          `A client has deleted their account, and with it their regular sessions: ${weekday}s at ${time(new Date(hour), zone)}. The hour is free.`,
        ],
        link: { text: 'Open your regular sessions', url },
        reason: 'You are getting this email because you offer sessions on Hearth.',
      }
    : unconfirmedContent({
        to: mail.to.email,
        role: 'therapist',
        news: 'Something has changed in your account.',
        url,
        publicUrl: head.publicUrl,
      })
  return {
    ...writeMail(content),
    messageId: `series-${mail.id}@${head.sender.address.split('@').at(-1)}`,
    date: mail.happenedAt,
  }
}

type Part = Pick<MailContent, 'subject' | 'paragraphs' | 'details' | 'closing'>

const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`

/** Tuesdays at 10:00. */
function hourOf({ series }: SeriesMail): string {
  const [weekday] = day(series.hour, series.zone).split(' ')
  return `${weekday}s at ${time(series.hour, series.zone)}`
}

const often = { 1: 'every week', 2: 'every second week', 4: 'every fourth week' } as const
const moment = (instant: Date, zone: string) => `${day(instant, zone)} at ${time(instant, zone)}`
/** A practitioner's name was checked by an admin. */
const theirs = (mail: SeriesMail) => mail.practitioner.fullName
const whose = ({ client }: SeriesMail) => nameForMail(clientName(client)) ?? 'a client'
const start = (mail: SeriesMail) => whose(mail).slice(0, 1).toUpperCase() + whose(mail).slice(1)

const facts = (mail: SeriesMail, { price = true } = {}) => [
  { label: 'When', value: `${hourOf(mail)}, ${often[mail.series.everyWeeks]}` },
  { label: 'Clock', value: zoneWords(mail.series.zone, mail.series.hour) },
  ...(price ? [{ label: 'Price', value: `${pounds(mail.series.feePence)} a session` }] : []),
]
const listed = (label: string, times: readonly Date[], mail: SeriesMail) =>
  times.map((at, index) => ({ label: index === 0 ? label : 'and', value: moment(at, mail.series.zone) }))
/** The next session by the agreed clock, and by the practitioner's new one. */
function bothClocks(mail: SeriesMail) {
  const [next = mail.series.hour] = [...mail.paid, ...mail.reserved].sort((a, b) => a.getTime() - b.getTime())
  return [mail.series.zone, mail.facts.zone ?? mail.series.zone].map((zone) => ({
    label: zoneWords(zone, next),
    value: moment(next, zone),
  }))
}
const startsIn = ({ facts: { starts = [] } }: SeriesMail) => starts.map((text) => new Date(text))
const alternativesIn = ({ facts: { alternatives = [] } }: SeriesMail) =>
  alternatives.map((text) => new Date(text))

const staying = (mail: SeriesMail): string[] =>
  mail.paid.length === 0
    ? ['All sessions that were not paid are given up, and cost nothing.']
    : ['Sessions that are paid stay booked. All others are given up, and cost nothing.']

const none = (subject: string): Part => ({
  subject,
  paragraphs: ['Something has changed in your regular sessions.'],
})

const clientParts: Record<SeriesMailKind, (mail: SeriesMail) => Part> = {
  asked: () => none('Your regular sessions'),
  price_accepted: () => none('Your regular sessions'),

  proposed: (mail) => ({
    subject: 'An hour for you, every time',
    paragraphs: [
      `${theirs(mail)} would like to keep ${hourOf(mail)} for you. Nothing is booked or paid until you agree.`,
    ],
    details: [
      ...facts(mail),
      ...(mail.series.proposedUntil
        ? [{ label: 'Answer by', value: moment(mail.series.proposedUntil, mail.series.zone) }]
        : []),
    ],
  }),

  accepted: (mail) => ({
    subject: 'Your hour can be kept',
    paragraphs: [`${theirs(mail)} has said yes to ${hourOf(mail)}. Choose a card and agree to begin.`],
    details: facts(mail),
  }),

  agreed: (mail) => ({
    subject: `${hourOf(mail)} are yours`,
    paragraphs: [
      `${theirs(mail)} keeps ${hourOf(mail)} for you. We take the money for each session 48 hours before it starts, and write to you a day before that.`,
    ],
    details: [...facts(mail), ...listed('Your next sessions', [...mail.paid, ...mail.reserved], mail)],
    closing: [
      'Skip or move a session free of charge until its money is taken, or end your regular sessions in one step, in My Sessions.',
    ],
  }),

  declined: (mail) => ({
    subject: 'Your regular sessions were not agreed',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `You have declined ${hourOf(mail)} with ${theirs(mail)}.`
        : mail.series.endedBy === 'system'
          ? `The time to agree on ${hourOf(mail)} with ${theirs(mail)} has run out.`
          : `${theirs(mail)} cannot keep ${hourOf(mail)} for you.`,
      ...(mail.series.endedBy === 'practitioner' && mail.series.endReason ? [mail.series.endReason] : []),
      'Nothing was booked for it and nothing was taken. Sessions that you booked by themselves stay as they are.',
    ],
  }),

  conflict: (mail) => ({
    subject: 'One of your regular sessions cannot take place',
    paragraphs: [
      `Your hour with ${theirs(mail)} is not free that week. You can choose another time, or leave the week out. You pay nothing for it.`,
    ],
    details: [
      ...listed('Not free', startsIn(mail), mail),
      ...listed('Free in that week', alternativesIn(mail), mail),
    ],
  }),

  skipped: (mail) => ({
    subject: `${theirs(mail)} is away`,
    paragraphs: [
      `${theirs(mail)} is away, so these regular sessions do not take place.`,
      (mail.facts.refund_pence ?? 0) > 0
        ? `We refund ${pounds(mail.facts.refund_pence ?? 0)} to you for what you have paid. Nothing is taken for the others.`
        : 'Nothing is taken for them. Your other regular sessions stay as they are.',
    ],
    details: listed('Left out', startsIn(mail), mail),
  }),

  new_price: (mail) => ({
    subject: 'A new price for your regular sessions',
    paragraphs: [
      `${theirs(mail)} changes the price of your regular sessions. It applies only if you accept it. If you do not, your regular sessions end before it would begin, and cost what they cost now until then.`,
    ],
    details: [
      { label: 'Now', value: pounds(mail.series.feePence) },
      { label: 'New', value: pounds(mail.facts.fee_pence ?? 0) },
      { label: 'From', value: plainDay(mail.facts.from_date) },
      ...(mail.facts.answer_by
        ? [{ label: 'Answer by', value: moment(new Date(mail.facts.answer_by), mail.series.zone) }]
        : []),
    ],
  }),

  paused: (mail) =>
    mail.series.pausedCause === 'suspension'
      ? {
          subject: 'Your regular sessions are paused',
          paragraphs: [
            `We are checking whether ${theirs(mail)} can see you. Until we know, no new sessions are reserved.`,
            'We write to you as soon as they can go on.',
          ],
        }
      : {
          subject: 'Your regular sessions are paused',
          paragraphs: [
            `Two sessions with ${theirs(mail)} were not paid in a row. We keep your hour and take no payment meanwhile.`,
            'Pay for your next session in My Sessions, from two days before it, and your regular sessions go on.',
          ],
          details: [
            ...listed('Your next session', mail.reserved.slice(0, 1), mail),
            ...(mail.series.pausedUntil
              ? [{ label: 'Kept until', value: moment(mail.series.pausedUntil, mail.series.zone) }]
              : []),
          ],
        },

  resumable: (mail) => ({
    subject: 'Your regular sessions can go on',
    paragraphs: [
      `${theirs(mail)} can see you again. If you would like to go on with ${hourOf(mail)}, say so in My Sessions.`,
    ],
    details: mail.series.pausedUntil
      ? [{ label: 'Kept until', value: moment(mail.series.pausedUntil, mail.series.zone) }]
      : [],
  }),

  ending: (mail) => ({
    subject: 'Your regular sessions are coming to an end',
    paragraphs: [
      mail.series.endCause === 'price_declined'
        ? `Your regular sessions with ${theirs(mail)} end before the new price would begin.`
        : `${theirs(mail)} is bringing your regular sessions to an end. There is time to say goodbye and to talk about what comes next.`,
      ...(mail.series.endReason ? [mail.series.endReason] : []),
    ],
    details: listed('Your last sessions', [...mail.paid, ...mail.reserved], mail),
    closing: ['If you would like to see someone else, we are glad to help you find them.'],
  }),

  ended: (mail) => ({
    subject: 'Your regular sessions have ended',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `You have ended your regular sessions with ${theirs(mail)}.`
        : mail.series.endedBy === 'practitioner'
          ? `${theirs(mail)} has ended your regular sessions.`
          : `Your regular sessions with ${theirs(mail)} have ended.`,
      ...(mail.series.endedBy === 'practitioner' && mail.series.endReason ? [mail.series.endReason] : []),
      ...staying(mail),
    ],
    details: listed('Still booked', mail.paid, mail),
    closing:
      mail.series.endedBy === 'client'
        ? []
        : ['If you would like to see someone else, we are glad to help you find them.'],
  }),

  unlisted: (mail) => ({
    subject: 'No new regular sessions for now',
    paragraphs: [
      `${theirs(mail)} takes no new bookings at the moment. The sessions that are reserved stay, and no new ones are added.`,
    ],
    details: listed('Your next sessions', [...mail.paid, ...mail.reserved], mail),
  }),

  zone_changed: (mail) => ({
    subject: 'Does your weekly hour still work for you?',
    paragraphs: [
      `${theirs(mail)} now lives by other clocks. Your hour stays where it is: ${hourOf(mail)}. Tell us in My Sessions that it still works for you, or choose another hour there.`,
    ],
    details: bothClocks(mail),
  }),
}

const practitionerParts: Record<SeriesMailKind, (mail: SeriesMail) => Part> = {
  proposed: () => none('Your regular sessions'),
  accepted: () => none('Your regular sessions'),
  skipped: () => none('Your regular sessions'),
  new_price: () => none('Your regular sessions'),
  resumable: () => none('Your regular sessions'),

  asked: (mail) => ({
    subject: 'A client would like to keep an hour',
    paragraphs: [`${start(mail)} would like to keep ${hourOf(mail)}. Please accept or decline.`],
    details: [
      ...facts(mail),
      ...(mail.series.proposedUntil
        ? [{ label: 'Answer by', value: moment(mail.series.proposedUntil, mail.series.zone) }]
        : []),
    ],
  }),

  agreed: (mail) => ({
    subject: 'Regular sessions were agreed',
    paragraphs: [
      `${start(mail)} has agreed to ${hourOf(mail)}. Each session is paid 48 hours before it starts.`,
    ],
    details: [...facts(mail), ...listed('Next sessions', [...mail.paid, ...mail.reserved], mail)],
  }),

  declined: (mail) => ({
    subject: 'Regular sessions were not agreed',
    paragraphs: [
      mail.series.endedBy === 'practitioner'
        ? `You have declined ${hourOf(mail)} with ${whose(mail)}.`
        : mail.series.endedBy === 'system'
          ? `The time to agree on ${hourOf(mail)} with ${whose(mail)} has run out. The hour is free.`
          : `${start(mail)} does not want to keep ${hourOf(mail)}. The hour is free.`,
    ],
  }),

  conflict: (mail) => ({
    subject: 'A regular session cannot take place',
    paragraphs: [
      `The hour of ${whose(mail)} is not free that week. They can choose another time or leave the week out.`,
    ],
    details: listed('Not free', startsIn(mail), mail),
  }),

  price_accepted: (mail) => ({
    subject: 'The new price was accepted',
    paragraphs: [`${start(mail)} has accepted the new price of their regular sessions.`],
    details: facts(mail, { price: false }),
  }),

  paused: (mail) => ({
    subject: 'Regular sessions are paused',
    paragraphs: [
      mail.series.pausedCause === 'suspension'
        ? `The regular sessions of ${whose(mail)} are paused.`
        : `Two sessions of ${whose(mail)} were not paid in a row. Their hour is kept while they can pay for the next one.`,
    ],
    details: mail.series.pausedUntil
      ? [{ label: 'Kept until', value: moment(mail.series.pausedUntil, mail.series.zone) }]
      : [],
  }),

  ending: (mail) => ({
    subject: 'Regular sessions are coming to an end',
    paragraphs: [
      mail.series.endCause === 'price_declined'
        ? `${start(mail)} has not accepted the new price. Their regular sessions end before it would begin.`
        : `The regular sessions of ${whose(mail)} are coming to an end, as you decided.`,
    ],
    details: listed('Last sessions', [...mail.paid, ...mail.reserved], mail),
  }),

  ended: (mail) => ({
    subject: 'Regular sessions have ended',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `${start(mail)} has ended their regular sessions.`
        : `The regular sessions of ${whose(mail)} have ended.`,
      'Sessions that are paid stay booked. The other hours are free.',
    ],
    details: listed('Still booked', mail.paid, mail),
  }),

  unlisted: (mail) => ({
    subject: 'No new regular sessions while you are not listed',
    paragraphs: [
      `Clients cannot find you at the moment, so no new sessions are added for ${whose(mail)}. Those that are reserved stay.`,
    ],
  }),

  zone_changed: (mail) => ({
    subject: 'Does this weekly hour still work for you?',
    paragraphs: [
      `Your profile has a new time zone. The weekly hour of ${whose(mail)} stays where it is for them: ${hourOf(mail)}. Tell us that it still works for you. If it does not, talk to your client, who can choose another hour.`,
    ],
    details: bothClocks(mail),
  }),
}

/** Of `YYYY-MM-DD`: Monday 8 June 2026. */
const plainDay = (date: string | undefined) => (date ? day(new Date(`${date}T12:00:00Z`), 'UTC') : '')
