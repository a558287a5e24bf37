import { formatExactPence } from '#contract/money.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { clientNameForMail } from '../../integrations/mail/names.ts'
import type { MailContent } from '../../integrations/mail/layout.ts'
import { day, time } from '../../integrations/mail/times.ts'
import type { SeriesMail, SeriesMailKind } from './series.mail-facts.ts'

// What mails about a series say to each of its two people.

export type Part = Pick<MailContent, 'subject' | 'paragraphs' | 'details' | 'closing'>

/** Tuesdays at 10:00. */
export function hourWords(start: Date, zone: string): string {
  const [weekday] = day(start, zone).split(' ')
  return `${weekday}s at ${time(start, zone)}`
}

const hourOf = ({ series }: SeriesMail) => hourWords(series.hour, series.zone)

const often = { 1: 'every week', 2: 'every second week', 4: 'every fourth week' } as const
/** The hour that this one replaces, and how often; undefined for the first one. */
const hourBefore = ({ facts: { replaced }, series }: SeriesMail) =>
  replaced && `${hourWords(new Date(replaced.hour), series.zone)}, ${often[replaced.every_weeks]}`
const before = (mail: SeriesMail) => {
  const hour = hourBefore(mail)
  return hour ? [{ label: 'Before', value: hour }] : []
}
/** Whether an offer ended because the practitioner is not on Hearth, rather than with its time. */
const isAway = ({ series }: SeriesMail) => series.endedBy === 'system' && series.endCause !== 'not_answered'
const moment = (instant: Date, zone: string) => `${day(instant, zone)} at ${time(instant, zone)}`
/** A practitioner's name was checked by an admin. */
const theirs = (mail: SeriesMail) => mail.practitioner.fullName
const whose = ({ client }: SeriesMail) => clientNameForMail(client) ?? 'a client'
const start = (mail: SeriesMail) => whose(mail).slice(0, 1).toUpperCase() + whose(mail).slice(1)

const zoneOf = (mail: SeriesMail) => ({ label: 'Time zone', value: zoneTime(mail.series.zone) })
const rhythm = (mail: SeriesMail) => [
  { label: 'When', value: `${hourOf(mail)}, ${often[mail.series.everyWeeks]}` },
  zoneOf(mail),
]
const facts = (mail: SeriesMail) => [
  ...rhythm(mail),
  { label: 'Price', value: `${formatExactPence(mail.series.feePence)} a session` },
]
const listed = (label: string, times: readonly Date[], mail: SeriesMail) =>
  times.length > 0 ? [{ label, value: times.map((at) => moment(at, mail.series.zone)) }] : []
/** A deadline, where there is one. */
const by = (label: string, at: Date | null, mail: SeriesMail) =>
  at ? [{ label, value: moment(at, mail.series.zone) }] : []
/** Times with their zone: a client may be in another one. */
const inZone = (mail: SeriesMail, ...times: ReturnType<typeof by | typeof listed>[]) => {
  const all = times.flat()
  return all.length > 0 ? [...all, zoneOf(mail)] : []
}
/** The next session by the agreed clock, and by the practitioner's new one. */
function bothClocks(mail: SeriesMail) {
  const [next = mail.series.hour] = [...mail.paid, ...mail.reserved].sort((a, b) => a.getTime() - b.getTime())
  return [mail.series.zone, mail.facts.zone ?? mail.series.zone].map((zone) => ({
    label: zoneTime(zone),
    value: moment(next, zone),
  }))
}
const startsIn = ({ facts: { starts = [] } }: SeriesMail) => starts.map((text) => new Date(text))
const alternativesIn = ({ facts: { alternatives = [] } }: SeriesMail) =>
  alternatives.map((text) => new Date(text))

/** A date that cannot be had, and the free times of its week. */
const conflictTimes = (mail: SeriesMail) =>
  inZone(mail, listed('Not free', startsIn(mail), mail), listed('Free then', alternativesIn(mail), mail))

/** What the practitioner writes to the client at the end. */
const words = (mail: SeriesMail): string[] =>
  mail.series.endReason ? [`${theirs(mail)} writes: “${mail.series.endReason}”`] : []

const staying = (mail: SeriesMail): string[] =>
  mail.paid.length === 0
    ? ['All sessions that were not paid are given up, and cost nothing.']
    : ['Sessions that are paid stay booked. All others are given up, and cost nothing.']

/** Whether the one who had proposed the series ended it before it was agreed. */
const isWithdrawn = ({ series }: SeriesMail) => series.endedBy === series.proposedBy

const none = (subject: string): Part => ({
  subject,
  paragraphs: ['Something has changed in your regular sessions.'],
})

export const clientParts: Record<SeriesMailKind, (mail: SeriesMail) => Part> = {
  asked: () => none('Your regular sessions'),
  price_accepted: () => none('Your regular sessions'),

  proposed: (mail) => ({
    subject: `${theirs(mail)} offers you a regular hour`,
    paragraphs: [
      `${theirs(mail)} would like to keep ${hourOf(mail)} for you. Nothing is booked or paid until you agree.`,
    ],
    details: [...facts(mail), ...by('Answer by', mail.series.proposedUntil, mail)],
  }),

  accepted: (mail) => ({
    subject: 'Your hour can be kept',
    paragraphs: [`${theirs(mail)} has said yes to ${hourOf(mail)}. Choose a card and agree to begin.`],
    details: facts(mail),
  }),

  agreed: (mail) => ({
    subject: hourBefore(mail) ? `Your regular sessions are now ${hourOf(mail)}` : `${hourOf(mail)} are yours`,
    paragraphs: [
      `${theirs(mail)} keeps ${hourOf(mail)} for you${hourBefore(mail) ? ' from now on, as you asked' : ''}. We take the money for each session 48 hours before it starts, and write to you a day before that.`,
    ],
    details: [...facts(mail), ...before(mail), ...listed('Next', [...mail.paid, ...mail.reserved], mail)],
    closing: [
      'Skip or move a session free of charge until its money is taken, or end your regular sessions in one step, in My Sessions.',
    ],
  }),

  declined: (mail) => ({
    subject:
      mail.series.endedBy === 'practitioner' && isWithdrawn(mail)
        ? 'An offer of a regular hour was withdrawn'
        : 'Your regular sessions were not agreed',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `As you decided, ${theirs(mail)} does not keep ${hourOf(mail)} for you.`
        : mail.series.endedBy === 'system'
          ? isAway(mail)
            ? `${theirs(mail)} is not available on Hearth for now, so ${hourOf(mail)} are not kept for you.`
            : `The time to agree on ${hourOf(mail)} with ${theirs(mail)} has run out.`
          : isWithdrawn(mail)
            ? `${theirs(mail)} has withdrawn the offer to keep ${hourOf(mail)} for you.`
            : `${theirs(mail)} cannot keep ${hourOf(mail)} for you.`,
      ...(mail.series.endedBy === 'practitioner' ? words(mail) : []),
      'Nothing was booked for it and nothing was taken. Sessions that you booked by themselves stay as they are.',
    ],
  }),

  conflict: (mail) => ({
    subject: 'One of your regular sessions cannot take place',
    paragraphs: [
      `Your hour with ${theirs(mail)} is not free that week. You can choose another time, or leave the week out. You pay nothing for it.`,
    ],
    details: conflictTimes(mail),
  }),

  kept: (mail) => ({
    subject: 'Your regular session can take place after all',
    paragraphs: [
      `${theirs(mail)} is free for your hour that week after all, so it is reserved for you. We take the money 48 hours before it starts, and write to you a day before that.`,
    ],
    details: inZone(mail, listed('Reserved', startsIn(mail), mail)),
    closing: ['Skip or move it free of charge until its money is taken, in My Sessions.'],
  }),

  skipped: (mail) => ({
    subject: `${theirs(mail)} is away`,
    paragraphs: [
      `${theirs(mail)} is away, so these regular sessions do not take place.`,
      (mail.facts.refund_pence ?? 0) > 0
        ? `We refund ${formatExactPence(mail.facts.refund_pence ?? 0)} to you for what you have paid. Nothing more is taken for them, and your other regular sessions stay as they are.`
        : 'Nothing is taken for them. Your other regular sessions stay as they are.',
    ],
    details: inZone(mail, listed('Left out', startsIn(mail), mail)),
  }),

  new_price: (mail) => ({
    subject: 'A new price for your regular sessions',
    paragraphs: [
      `${theirs(mail)} asks for a new price for your regular sessions. It applies only if you accept it. If you do not, your regular sessions end before it would begin, and until then they cost what they cost now.`,
    ],
    details: [
      { label: 'Now', value: formatExactPence(mail.series.feePence) },
      { label: 'New', value: formatExactPence(mail.facts.fee_pence ?? 0) },
      { label: 'From', value: plainDay(mail.facts.from_date) },
      ...inZone(mail, by('Answer by', mail.facts.answer_by ? new Date(mail.facts.answer_by) : null, mail)),
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
            `Two sessions in a row with ${theirs(mail)} were not paid. We keep your hour and take no payment meanwhile.`,
            'Pay for your next session in My Sessions, from two days before it, and your regular sessions go on.',
          ],
          details: inZone(
            mail,
            listed('Next', mail.reserved.slice(0, 1), mail),
            by('Kept until', mail.series.pausedUntil, mail),
          ),
        },

  resumable: (mail) => ({
    subject: 'Your regular sessions can go on',
    paragraphs: [
      `${theirs(mail)} can see you again. If you would like to go on with ${hourOf(mail)}, say so in My Sessions.`,
    ],
    details: inZone(mail, by('Kept until', mail.series.pausedUntil, mail)),
  }),

  ending: (mail) => ({
    subject: 'Your regular sessions are coming to an end',
    paragraphs: [
      mail.series.endCause === 'price_declined'
        ? `Your regular sessions with ${theirs(mail)} end before the new price would begin.`
        : `${theirs(mail)} is bringing your regular sessions to an end. There is time to say goodbye and to talk about what comes next.`,
      ...words(mail),
    ],
    details: inZone(mail, listed('Last', [...mail.paid, ...mail.reserved], mail)),
    closing: ['If you would like to see someone else, we are glad to help you find them.'],
  }),

  ended: (mail) => ({
    subject: 'Your regular sessions have ended',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `You have ended your regular sessions with ${theirs(mail)}.`
        : mail.series.endedBy === 'practitioner'
          ? `${theirs(mail)} has ended your regular sessions.`
          : mail.series.endCause === 'unpaid'
            ? `Your regular sessions with ${theirs(mail)} have ended, as they were not paid for.`
            : mail.series.isNotTakenUp
              ? `Your regular sessions with ${theirs(mail)} were paused and not taken up again in time, so they have ended.`
              : `${theirs(mail)} is no longer available on Hearth, so your regular sessions have ended.`,
      ...(mail.series.endedBy === 'practitioner' ? words(mail) : []),
      ...staying(mail),
    ],
    details: inZone(mail, listed('Still booked', mail.paid, mail)),
    closing:
      mail.series.endedBy === 'client'
        ? []
        : ['If you would like to see someone else, we are glad to help you find them.'],
  }),

  unlisted: (mail) => ({
    subject: 'No new regular sessions for now',
    paragraphs: [
      mail.paid.length + mail.reserved.length === 0
        ? `${theirs(mail)} takes no new bookings at the moment, so no new sessions are added. If that lasts, your regular sessions end.`
        : `${theirs(mail)} takes no new bookings at the moment. ${mail.areChecked ? 'The sessions that are reserved are being checked' : 'The sessions that are reserved stay'}, and no new ones are added.`,
    ],
    details: inZone(mail, listed('Next', [...mail.paid, ...mail.reserved], mail)),
  }),

  zone_changed: (mail) => ({
    subject: 'Does your regular hour still work for you?',
    paragraphs: [
      `${theirs(mail)} is in another time zone now. Your hour stays where it is: ${hourOf(mail)}. Tell us in My Sessions that it still works for you, or choose another hour there.`,
    ],
    details: bothClocks(mail),
  }),
}

export const practitionerParts: Record<SeriesMailKind, (mail: SeriesMail) => Part> = {
  proposed: () => none('Your regular sessions'),
  accepted: () => none('Your regular sessions'),
  kept: () => none('Your regular sessions'),
  skipped: () => none('Your regular sessions'),
  new_price: () => none('Your regular sessions'),
  resumable: () => none('Your regular sessions'),

  asked: (mail) => ({
    subject: 'A client would like to keep an hour',
    paragraphs: [`${start(mail)} would like to keep ${hourOf(mail)}. Please accept or decline.`],
    details: [...facts(mail), ...by('Answer by', mail.series.proposedUntil, mail)],
  }),

  agreed: (mail) => ({
    subject: hourBefore(mail) ? 'Regular sessions have changed' : 'Regular sessions were agreed',
    paragraphs: [
      `${start(mail)} has ${hourBefore(mail) ? 'changed their regular sessions' : 'agreed'} to ${hourOf(mail)}. Each session is paid 48 hours before it starts.`,
    ],
    details: [...facts(mail), ...before(mail), ...listed('Next', [...mail.paid, ...mail.reserved], mail)],
  }),

  declined: (mail) => ({
    subject: 'Regular sessions were not agreed',
    paragraphs: [
      mail.series.endedBy === 'practitioner'
        ? isWithdrawn(mail)
          ? `We have told ${whose(mail)} that you have withdrawn your offer of ${hourOf(mail)}. The hour is free.`
          : `We have told ${whose(mail)} that you cannot keep ${hourOf(mail)}.`
        : mail.series.endedBy === 'system'
          ? isAway(mail)
            ? `${hourOf(mail)} with ${whose(mail)} were not agreed, as you are not listed on Hearth for now.`
            : `The time to agree on ${hourOf(mail)} with ${whose(mail)} has run out. The hour is free.`
          : isWithdrawn(mail)
            ? `${start(mail)} no longer asks to keep ${hourOf(mail)}. The hour is free.`
            : `${start(mail)} does not want to keep ${hourOf(mail)}. The hour is free.`,
    ],
  }),

  conflict: (mail) => ({
    subject: 'A regular session cannot take place',
    paragraphs: [
      `The hour of ${whose(mail)} is not free that week. They can choose another time or leave the week out.`,
    ],
    details: conflictTimes(mail),
  }),

  price_accepted: (mail) => ({
    subject: 'The new price was accepted',
    paragraphs: [`${start(mail)} has accepted the new price of their regular sessions.`],
    details: [
      {
        label: 'New price',
        value: `${formatExactPence(mail.facts.fee_pence ?? mail.series.feePence)} a session`,
      },
      ...(mail.facts.from_date ? [{ label: 'From', value: plainDay(mail.facts.from_date) }] : []),
      ...rhythm(mail),
    ],
  }),

  paused: (mail) => ({
    subject: 'Regular sessions are paused',
    paragraphs: [
      mail.series.pausedCause === 'suspension'
        ? `The regular sessions of ${whose(mail)} are paused.`
        : `${start(mail)} did not pay for two sessions in a row. Their hour is kept while they can pay for the next one.`,
    ],
    details: inZone(mail, by('Kept until', mail.series.pausedUntil, mail)),
  }),

  ending: (mail) => ({
    subject: 'Regular sessions are coming to an end',
    paragraphs: [
      mail.series.endCause === 'price_declined'
        ? `${start(mail)} has not accepted the new price. Their regular sessions end before it would begin.`
        : `The regular sessions of ${whose(mail)} are coming to an end, as you decided.`,
    ],
    details: inZone(mail, listed('Last', [...mail.paid, ...mail.reserved], mail)),
  }),

  ended: (mail) => ({
    subject: 'Regular sessions have ended',
    paragraphs: [
      mail.series.endedBy === 'client'
        ? `${start(mail)} has ended their regular sessions.`
        : mail.series.endCause === 'unpaid'
          ? `The regular sessions of ${whose(mail)} have ended, as they were not paid for.`
          : mail.series.isNotTakenUp
            ? `The regular sessions of ${whose(mail)} were paused and not taken up again in time, so they have ended.`
            : mail.series.endedBy === 'system'
              ? `The regular sessions of ${whose(mail)} have ended with your listing.`
              : `The regular sessions of ${whose(mail)} have ended, as you decided.`,
      mail.paid.length > 0
        ? 'Sessions that are paid stay booked. The other hours are free.'
        : 'The hours are free.',
    ],
    details: inZone(mail, listed('Still booked', mail.paid, mail)),
  }),

  unlisted: (mail) => ({
    subject: 'No new regular sessions while you are not listed',
    paragraphs: [
      `Clients cannot find you at the moment, so ${whose(mail)} gets no new sessions. Those that are reserved ${mail.areChecked ? 'are being checked' : 'stay'}.`,
    ],
  }),

  zone_changed: (mail) => ({
    subject: 'Does this regular hour still work for you?',
    paragraphs: [
      `Your profile has a new time zone. The hour of ${whose(mail)} stays where it is for them: ${hourOf(mail)}. Tell us on the page below that it still works for you. If it does not, talk to your client, who can choose another hour.`,
    ],
    details: bothClocks(mail),
  }),
}

/** Of `YYYY-MM-DD`: Monday 8 June 2026. */
const plainDay = (date: string | undefined) => (date ? day(new Date(`${date}T12:00:00Z`), 'UTC') : '')
