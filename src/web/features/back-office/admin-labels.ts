import type {
  FactKind,
  PractitionerFile,
  PractitionerState,
  SessionAhead,
  SessionsChoice,
  SuspensionCause,
  SuspensionOutcome,
  VettedDocument,
  VettedLicence,
} from '#contract/back-office/back-office.ts'
import type { ChatReport } from '#contract/back-office/chat-reports.ts'
import type { NoShowDispute } from '#contract/back-office/no-shows.ts'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import type { Report } from '#contract/reviews.ts'
import type { SeriesOfSession } from '#contract/series/series.ts'
import { stayLabel } from '#web/lib/attendance.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { formatDay, formatDayAndTime } from '#web/lib/time.ts'

/** The back office works by the clock of the United Kingdom. */
export const adminZone = 'Europe/London'

export const stateLabels: Record<PractitionerState, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  approved: 'Approved',
  rejected: 'Not approved',
  suspended: 'Suspended',
  closed: 'Closed',
}

export const causeLabels: Record<SuspensionCause, string> = {
  conduct: 'Conduct',
  identity: 'Identity',
  insurance: 'Insurance',
  papers: 'Late documents',
  other: 'Something else',
}

/** What is usual for sessions ahead: where clients may be at risk, they are cancelled. */
export const choiceFor: Record<SuspensionCause, SessionsChoice> = {
  conduct: 'cancel',
  identity: 'cancel',
  insurance: 'cancel',
  papers: 'freeze',
  other: 'freeze',
}

/** '2 sessions cancelled, 1 frozen.', or nothing where none was touched. */
export function outcomeLabel({ cancelled, frozen }: SuspensionOutcome): string {
  const parts = [
    ...(cancelled > 0 ? [`${cancelled} ${cancelled === 1 ? 'session' : 'sessions'} cancelled`] : []),
    ...(frozen > 0 ? [`${frozen} ${frozen === 1 ? 'session' : 'sessions'} frozen`] : []),
  ]
  return parts.length > 0 ? `${parts.join(', ')}.` : ''
}

/** Whether a licence is the renewal of one that was accepted under the same number. */
export function isRenewal(licence: VettedLicence, all: readonly VettedLicence[]): boolean {
  return (
    licence.status !== 'accepted' &&
    all.some(
      (other) =>
        other.status === 'accepted' &&
        other.provider_type === licence.provider_type &&
        other.licence === licence.licence &&
        other.licence_number === licence.licence_number,
    )
  )
}

export const factLabels: Record<FactKind, string> = {
  identity: 'Identity document',
  dbs: 'DBS certificate',
  insurance_certificate: 'Insurance certificate',
  licence: 'Licence',
}

export const factStateLabels: Record<VettedDocument['status'], string> = {
  waiting: 'Waiting',
  accepted: 'Accepted',
  refused: 'Refused',
  replaced: 'Replaced',
}

/** Monday 1 June, 09:00. */
export function formatInstant(instant: string): string {
  return formatDayAndTime(instant, adminZone, serverNow())
}

/** What lifting a suspension does, by whether what was accepted of the practitioner is still valid. */
export function liftLead({ vetted_until: until }: Pick<PractitionerFile, 'vetted_until'>): string {
  return until !== null && Date.parse(until) <= serverNow()
    ? `They get an email. A document was valid until ${lastDayBefore(until)}: clients cannot find them yet. Frozen sessions stay on hold until a newer one is accepted.`
    : 'They get an email, and clients can find and book them again. Sessions that are still frozen take place as booked.'
}

/** 'Monday 1 June, 09:00, Mo C., £60, not paid yet'. */
export function aheadLabel({
  starts_at: startsAt,
  client_name: client,
  paid,
  unpaid,
}: Pick<SessionAhead, 'starts_at' | 'client_name' | 'paid' | 'unpaid'>): string {
  const price = unpaid > 0 ? `${formatPounds(unpaid)}, not paid yet` : formatPounds(paid)
  return `${formatInstant(startsAt)}, ${client}, ${price}`
}

/** Where a session was held and, in its own room, when each side was there. */
export function attendanceLabel({
  appointment_type: type,
  room,
  seen,
  attendance,
}: Pick<NoShowDispute, 'appointment_type' | 'room' | 'seen' | 'attendance'>): string {
  if (type === 'face_to_face') return 'Held face to face: no times are kept.'
  if (room === 'own') return 'Held at the practitioner’s own link: no times are kept.'
  if (!seen.client && !seen.practitioner) return 'Neither side was seen in the session’s room.'
  if (!attendance) return 'Its times are no longer kept.'
  const times = (side: 'client' | 'practitioner') => {
    const known = attendance[side]
    if (known) return `for ${stayLabel(known, adminZone)}`
    return seen[side] ? 'at times that are no longer kept' : 'not at all'
  }
  return `In the session’s room: the client ${times('client')}; the practitioner ${times('practitioner')}.`
}

/** What upholding a no-show does, by what was refunded before. */
export function upholdLead({ paid, refunded }: Pick<NoShowDispute, 'paid' | 'refunded'>): string {
  const effect =
    refunded === 0
      ? 'The client gets nothing back, and the fee can be paid out.'
      : refunded < paid
        ? 'Nothing more is refunded, and what is left of the fee can be paid out.'
        : 'Nothing more is refunded. The fee was given back, so nothing of it is paid out.'
  return `${effect} Both are told. This cannot be undone.`
}

/**
 * The subject of an audit entry with its instants as days and times. The log keeps them in ISO 8601, as entries cannot
 * be rewritten.
 */
export const auditSubjectLabel = (subject: string): string =>
  subject.replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z/g, (instant) => formatInstant(instant))

/** 'Regular session: Every Tuesday at 10:00'. */
export function seriesLabel({ rhythm }: SeriesOfSession, startsAt: string): string {
  return `Regular session: ${rhythmLabel(rhythm, adminZone, startsAt)}`
}

/** Monday 1 June, of `YYYY-MM-DD`. */
export function formatLondonDay(day: string): string {
  return formatDay(`${day}T12:00:00Z`, adminZone, serverNow())
}

/** 6 May 1984. */
export function formatBirthday(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** The last good day of what holds until an instant. */
export function lastDayBefore(instant: string): string {
  return formatDay(new Date(Date.parse(instant) - 1), adminZone, serverNow())
}

/** What hiding a review or a reply does, and who reads the reason. */
export function hideLabels({ about, practitioner }: Pick<Report, 'about' | 'practitioner'>) {
  const name = practitioner.full_name
  return about === 'review'
    ? {
        lead: `It leaves the profile, with any reply, and no longer counts towards the rating. The client who wrote it, ${name} and our team can still read it. You can show it again.`,
        description: `The client who wrote it and ${name} will read this.`,
      }
    : {
        lead: `It leaves the profile. The review stays, and so does the rating. ${name}, who wrote it, and our team can still read it. You can show it again.`,
        description: `${name}, who wrote it, will read this.`,
      }
}

/** 'Hidden, Monday 1 June, 09:00, by Ada Admin': the decision about a report; undefined while it is open. */
export function decisionLabel({
  status,
  decided_at: at,
  decided_by: by,
}: Pick<Report, 'status' | 'decided_at' | 'decided_by'>): string | undefined {
  if (at === null) return undefined
  const decided = status === 'hidden' ? 'Hidden' : 'Decided to keep it'
  return `${decided}, ${formatInstant(at)}${by === null ? '' : `, by ${by}`}`
}

/** 'Client, mo@example.org': the side of a reported person, and where to write to them. */
export function reportedLabel({ practitioner_id: id, email }: ChatReport['about']): string {
  const side = id === null ? 'Client' : 'Practitioner'
  return email === null ? `${side}, account deleted` : `${side}, ${email}`
}

/** What to do before a report of a conversation is settled, by the side of the reported person. */
export function settleLead({ practitioner_id: id, email }: ChatReport['about']): string {
  if (id !== null) return 'If the practitioner should be suspended, do that on their own page first.'
  return email === null
    ? 'This client has deleted their account.'
    : `A client cannot be suspended. If they should hear from us, write to ${email} first.`
}

/** How long something has waited: 'since today', '3 days'. */
export function formatWait(since: string): string {
  const days = Math.floor((serverNow() - Date.parse(since)) / 86_400_000)
  if (days < 1) return 'Waiting since today'
  return days === 1 ? 'Waiting for a day' : `Waiting for ${days} days`
}

/** 240 kB, 1.2 MB. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Whether the next step of an order of a video is the back office's: dates to propose, or the video. */
export const waitsForOffice = ({
  state,
  dates_expired,
}: Pick<VideoOrder, 'state' | 'dates_expired'>): boolean =>
  ['ordered', 'dates_asked', 'date_agreed', 'change_asked'].includes(state) ||
  (state === 'dates_proposed' && dates_expired)
