import type { MailContent } from '../../integrations/mail/layout.ts'
import { fullNameForMail } from '../../integrations/mail/names.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { day, time, zoneWords } from '../../integrations/mail/times.ts'
import { mailToAdmin, mailToHolder } from '../../integrations/mail/recipients.ts'
import { signInUrl } from '../../integrations/mail/format.ts'
import {
  isToAdmin,
  lastStep,
  type AdminMailKind,
  stateOf,
  type VideoCourse,
  type VideoMailKind,
  type VideoStep,
  videoSteps,
} from './video-orders.rules.ts'

export type VideoMail = {
  kind: VideoMailKind
  /** The step that the mail is about. */
  step: VideoStep
  /** The order at the time of sending. */
  course: VideoCourse
  practitioner: {
    id: number
    timezone: string
    email: string
    firstName: string
    lastName: string
    verified: boolean
  }
  /** The address in the back office that a mail to it goes to. */
  adminEmail: string
}

/** The zone of times in mails to the back office. */
const adminZone = 'Europe/London'

/** Builds the mail. Undefined if it is obsolete. */
export function videoMail(mail: VideoMail, publicUrl: string): Mail | undefined {
  if (isObsolete(mail)) return undefined
  if (!isToAdmin(mail.kind)) return practitionerLetter(mail, publicUrl)
  const { firstName, lastName, id } = mail.practitioner
  const name = fullNameForMail(firstName, lastName, `Practitioner ${id}`)
  return mailToAdmin({
    to: mail.adminEmail,
    publicUrl,
    ...toAdmin[mail.kind](name, mail),
    link: { text: 'See the video orders', path: '/admin/videos' },
  })
}

/** Whether the step was undone, or asks for a reply that is no longer possible. */
function isObsolete({ kind, step, course }: VideoMail): boolean {
  if (kind === 'video_taken_back') return false
  if (step.undone_at) return true
  const asks = kind === 'video_dates' || kind === 'video_ready'
  return asks && (lastStep(course)?.number !== step.number || stateOf(course) !== videoSteps[step.kind].to)
}

type Part = Pick<MailContent, 'subject' | 'paragraphs' | 'details' | 'closing'>

const toAdmin: Record<AdminMailKind, (name: string, mail: VideoMail) => Part> = {
  video_dates_asked: (name) => ({
    subject: 'Other dates were asked for',
    paragraphs: [
      `${name} has asked for other dates for the video call. When they are free is in the back office. Please propose other dates there.`,
    ],
  }),
  video_date_agreed_office: (name, { step }) => ({
    subject: 'A date for a video call is agreed',
    paragraphs: [
      `${name} has taken one of the dates that you proposed. Please send them the link to the call.`,
    ],
    details: step.date ? dateRows(step.date, adminZone) : [],
  }),
  video_change_asked: (name) => ({
    subject: 'A change to a video was asked for',
    paragraphs: [
      `${name} has watched the video and asked for a change. What to change is in the back office.`,
    ],
  }),
  video_approved_office: (name) => ({
    subject: 'A video is approved',
    paragraphs: [`${name} has approved the video. It is on their profile.`],
  }),
}

type PractitionerMail = Extract<
  VideoMailKind,
  'video_dates' | 'video_date_agreed' | 'video_ready' | 'video_approved' | 'video_taken_back'
>

const toPractitioner: Record<PractitionerMail, (mail: VideoMail) => Part & { action: string }> = {
  video_dates: ({ step, course, practitioner }) => {
    const replaced = replacedDate(course, step)
    return {
      subject: 'Choose a date for your video call',
      paragraphs: [
        replaced
          ? `We are sorry, we have to move the call on ${dateInWords(replaced, practitioner.timezone)}. Please choose one of the dates below instead, or ask for others.`
          : 'We make your introduction video with you over a call. Please choose one of these dates, or ask for others.',
      ],
      details: [
        ...step.dates.map((date, index) => ({
          label: step.dates.length > 1 ? `Date ${index + 1}` : 'Date',
          value: dateInWords(date, practitioner.timezone),
        })),
        ...zoneRow(step.dates[0], practitioner.timezone),
      ],
      action: 'Choose a date',
    }
  },
  video_date_agreed: ({ step, practitioner }) => ({
    subject: 'Your video call has a date',
    paragraphs: ['Thank you. We will send you the link to the call before then.'],
    details: step.date ? dateRows(step.date, practitioner.timezone) : [],
    closing: ['If it no longer suits you, you can ask for other dates until the video is made.'],
    action: 'See your video order',
  }),
  video_ready: () => ({
    subject: 'Your video is ready to watch',
    paragraphs: [
      'Your introduction video is ready. Only you and our team can see it until you approve it.',
      'Please watch it. You can put it on your profile, or ask for a change.',
    ],
    action: 'Watch your video',
  }),
  video_approved: () => ({
    subject: 'Your video is on your profile',
    paragraphs: [
      'You have approved your introduction video, and it is on your profile. You can change or remove it there at any time.',
    ],
    action: 'See your video order',
  }),
  video_taken_back: ({ step, course, practitioner }) => {
    const agreed = stateOf(course) === 'date_agreed' ? lastStep(course)?.date : null
    const next = agreed
      ? `The date you chose before is still agreed: ${dateInWords(agreed, practitioner.timezone)}.`
      : undefined
    return step.kind === 'upload'
      ? {
          subject: 'Your video is not ready after all',
          paragraphs: [
            'We have withdrawn the video we sent you to approve. We will write to you as soon as it is ready again.',
          ],
          action: 'See your video order',
        }
      : {
          subject: 'The dates for your video call are withdrawn',
          paragraphs: [
            'We have withdrawn the dates we proposed for your video call. We are sorry for the trouble.',
            next ?? 'We will write to you with other dates.',
          ],
          action: 'See your video order',
        }
  },
}

function practitionerLetter(mail: VideoMail, publicUrl: string): Mail {
  const url = signInUrl(publicUrl, 'therapist', '/therapist/subscription#video')
  const news = 'There is something new about the video that you ordered.'
  return mailToHolder(mail.practitioner, { role: 'therapist', news, url, publicUrl }, () => {
    const { action, ...part } = toPractitioner[mail.kind as PractitionerMail](mail)
    return {
      ...part,
      link: { text: action, url },
      reason: 'You are getting this email because you ordered a video from Hearth.',
    }
  })
}

/** The agreed date that a proposal replaces. */
function replacedDate({ steps }: VideoCourse, proposal: VideoStep): Date | null {
  const before = steps
    .filter(({ number, undone_at }) => number < proposal.number && undone_at === null)
    .at(-1)
  return before?.kind === 'take_date' ? before.date : null
}

const dateInWords = (date: Date, zone: string) => `${day(date, zone)}, ${time(date, zone)}`

const zoneRow = (date: Date | undefined, zone: string) =>
  date ? [{ label: 'Time zone', value: zoneWords(zone, date) }] : []

const dateRows = (date: Date, zone: string) => [
  { label: 'Date', value: dateInWords(date, zone) },
  ...zoneRow(date, zone),
]
