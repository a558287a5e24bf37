import { formatExactPence } from '#contract/money.ts'
import { zoneTime } from '#contract/zone-names.ts'
import type { MailContent } from '../../integrations/mail/layout.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { day, time, zoneWords } from '../../integrations/mail/times.ts'
import { mailToHolder } from '../../integrations/mail/recipients.ts'
import { signInUrl } from '../../integrations/mail/format.ts'

export const waitlistMailKinds = [
  'offer',
  'broadcast',
  'withdrawn',
  'paused',
  'ending',
  'closed',
  'wish',
] as const
export type WaitlistMailKind = (typeof waitlistMailKinds)[number]

/** The facts of a mail of the waitlist, read when it is sent. */
export type WaitlistFacts = {
  /** Where its link leads. */
  path: string
  practitionerName?: string
  /** Whether the practitioner has offered the time to this client alone. */
  isByHand?: boolean
  /** When the place on the waitlist ends, and the client's time zone. */
  ends?: { at: Date; timezone: string }
  /** What has become of the place on the waitlist. `closed`: it ended as the practitioner was closed. */
  place?: 'kept' | 'ended' | 'closed'
  session?: {
    startsAt: Date
    /** Further times that come free with it. */
    alsoAt: Date[]
    timezone: string
    pricePence: number
    /** When the turn ends; null for none. */
    until: Date | null
  }
}

type WaitlistMail = WaitlistFacts & {
  kind: WaitlistMailKind
  to: { email: string; firstName: string; verified: boolean }
}

/** Builds a mail. To an unconfirmed address it says only that there is news. */
export function waitlistMail(mail: WaitlistMail, publicUrl: string): Mail {
  const url = signInUrl(publicUrl, 'client', mail.path)
  const news = mail.session && 'There is news about a time you are waiting for.'
  return mailToHolder(mail.to, { role: 'client', news, url, publicUrl }, () => ({
    reason: 'You are getting this email because you joined a waitlist on Hearth.',
    ...parts[mail.kind](mail, url, publicUrl),
  }))
}

type Part = Omit<MailContent, 'to' | 'greeting'>

const parts: Record<WaitlistMailKind, (mail: WaitlistMail, url: string, publicUrl: string) => Part> = {
  // As its notification, neither of these names the practitioner: the page behind the link does.
  offer: (mail, url) => ({
    subject: 'A time has come free for you',
    paragraphs: [
      'A practitioner you are waiting for has a time that fits what you asked for, and it is your turn.',
      mail.session?.until
        ? `We are keeping it for you until ${clockOf(mail.session.until, mail.session.timezone)}. After that it is offered to the next person.`
        : 'We are keeping it for you for a while.',
    ],
    details: detailsOf(mail),
    link: { text: 'See the time', url },
    closing: ['If it does not suit you, decline it on the same page. You keep your place.'],
  }),
  broadcast: (mail, url) =>
    isOfSeveral(mail)
      ? severalTimes(mail, url)
      : {
          subject: 'A time that starts soon has come free',
          paragraphs: [
            'A practitioner you are waiting for has a time that fits what you asked for.',
            `${mail.isByHand ? 'They have offered it to you. As it starts soon, we cannot keep it for you' : 'As it starts soon, we have told everyone on the waitlist whom it suits'}. The first to book it gets it, and you keep your place if it is not you.`,
          ],
          details: detailsOf(mail),
          link: { text: 'See the time', url },
        },
  withdrawn: (mail, url) => ({
    subject: 'The time we offered you is no longer free',
    paragraphs: [
      `We are sorry: the time with ${who(mail)} that we offered you cannot take place after all. You have not been charged, and anything reserved on your card is released.`,
      placeAfter(mail),
    ],
    details: detailsOf(mail),
    link: { text: 'See your waitlist', url: url.replace(encodeURIComponent(mail.path), myWaitlist) },
  }),
  paused: (mail, url) => ({
    subject: 'Your place on the waitlist is paused',
    paragraphs: [
      `Two offers for times with ${who(mail)} have passed without an answer, so we have stopped sending them for now. That is quite all right.`,
      'Your place is kept. One press takes you back into the list when you are ready.',
    ],
    link: { text: 'Go on waiting', url },
  }),
  ending: (mail, url) => ({
    subject: 'Are you still waiting?',
    paragraphs: [
      `You have been on the waitlist of ${who(mail)} for a while. Your place ends${mail.ends ? ` on ${day(mail.ends.at, mail.ends.timezone)}` : ' soon'}.`,
      'Would you still like a time? One press keeps your place for another 60 days. If not, there is nothing to do.',
    ],
    link: { text: 'Keep my place', url },
  }),
  closed: (mail, _, publicUrl) => ({
    subject: 'Your waitlist has ended',
    paragraphs: [
      `${who(mail)} no longer offers sessions on Hearth, so your place on their waitlist has ended. We are sorry that you have waited without a time.`,
      'If you would like to, you can look for another practitioner, or ask us to write when your search finds one.',
    ],
    link: { text: 'Find a practitioner', url: `${publicUrl}/find-therapist` },
  }),
  wish: (_, url) => ({
    subject: 'Your search has found someone',
    paragraphs: [
      'You asked us to write when a search finds a practitioner. There is now at least one.',
      'We write about a search at most once in three days.',
    ],
    link: { text: 'See your searches', url },
    reason:
      'You are getting this email because you asked for it on Hearth. You can stop it on the same page.',
  }),
}

const isOfSeveral = ({ session }: WaitlistMail) => session !== undefined && session.alsoAt.length > 0

const severalTimes = (mail: WaitlistMail, url: string): Part => ({
  subject: 'Times that start soon have come free',
  paragraphs: [
    'A practitioner you are waiting for has times that fit what you asked for.',
    'As they start soon, we have told everyone on the waitlist whom they suit. The first to book a time gets it, and you keep your place if it is not you.',
  ],
  details: detailsOf(mail),
  link: { text: 'See the times', url },
})

const myWaitlist = encodeURIComponent('/my-sessions/waitlist')

const who = ({ practitionerName }: WaitlistMail) => practitionerName ?? 'Your practitioner'

/** What a client who is offered no time for now can expect. */
function placeAfter(mail: WaitlistMail): string {
  if (mail.place === 'closed')
    return `${who(mail)} no longer offers sessions on Hearth, so this waitlist has ended. You are welcome to look for another practitioner.`
  if (mail.place === 'ended') return 'You are no longer on this waitlist.'
  return 'You keep your place on the waitlist, and we will write when the next time comes free.'
}

/** 14:20 on Monday 8 June 2026. */
const clockOf = (instant: Date, zone: string) => `${time(instant, zone)} on ${day(instant, zone)}`

function detailsOf({ session }: WaitlistMail): { label: string; value: string | string[] }[] {
  if (!session) return []
  const { startsAt, alsoAt, timezone, pricePence } = session
  const price = { label: 'Price', value: formatExactPence(pricePence) }
  if (alsoAt.length > 0) {
    const times = [startsAt, ...alsoAt].map((at) => `${day(at, timezone)}, ${time(at, timezone)}`)
    return [{ label: 'Times', value: times }, { label: 'Time zone', value: zoneTime(timezone) }, price]
  }
  return [
    { label: 'Date', value: day(startsAt, timezone) },
    { label: 'Time', value: `${time(startsAt, timezone)} (${zoneWords(timezone, startsAt)})` },
    price,
  ]
}
