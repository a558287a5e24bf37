import type { PublicReview } from '#contract/practitioners/practitioners.ts'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { OwnReview, PastSession, ReceivedReview, Report } from '#contract/reviews.ts'
import type { NobodyCame } from '#contract/rooms/nobody-came.ts'
import { notReviewable } from './reviews.rules.ts'
import type { ReportRow } from './reports.store.ts'
import type { listShown, ReviewRow } from './reviews.store.ts'

type ShownRow = Awaited<ReturnType<typeof listShown>>[number]

const startOfDay = (at: Date) => `${at.toISOString().slice(0, 10)}T00:00:00.000Z`

const instant = (at: Date | null) => at?.toISOString() ?? null

function shownReply({ reply, replied_at, reply_hidden_at }: ShownRow): PublicReview['reply'] {
  const isShown = reply !== null && replied_at !== null && reply_hidden_at === null
  return isShown ? { reply, date: replied_at.toISOString() } : null
}

/** The review as its author sees it. */
export function toOwnReview(row: ReviewRow): OwnReview {
  if (row.appointment_id === null) throw new Error('A review without an author is nobody’s own.')
  return {
    ...toPublicReview(row),
    appointment_id: row.appointment_id,
    edited_at: instant(row.edited_at),
    hidden_reason: row.hidden_reason,
  }
}

/** A session as its client sees it, before its review was read. */
export type Explained = { detail: AppointmentDetail; practitionersReason: string | null }

/** A session as its client sees it, with the review of it, if there is one, and whether the practitioner has not come. */
export function toReviewed(
  { detail, practitionersReason }: Explained,
  { review, absence }: { review: ReviewRow | undefined; absence: NobodyCame | undefined },
): PastSession {
  return {
    ...detail,
    review: review ? toOwnReview(review) : null,
    reviewable: !review && notReviewable(detail.status) === null,
    practitioners_reason: practitionersReason,
    nobody_came: absence ?? null,
  }
}

/** The review as the public sees it on a profile, with its day alone: its minute would help to find out who wrote it. */
export function toPublicReview(row: ShownRow): PublicReview {
  return {
    review_id: row.id,
    reviewer: row.reviewer,
    rating: row.rating,
    comment: row.comment,
    date: startOfDay(row.created_at),
    reply: shownReply(row),
  }
}

/** Whether the author has changed the review after the reply was saved last. */
export const isEditedSinceReply = (
  row: Pick<ReviewRow, 'edited_at' | 'replied_at' | 'reply_edited_at'>,
): boolean =>
  row.edited_at !== null && row.replied_at !== null && row.edited_at > (row.reply_edited_at ?? row.replied_at)

/** The review as the reviewed practitioner sees it. */
export function toReceived(row: ReviewRow & { reported: boolean }): ReceivedReview {
  return {
    ...toPublicReview(row),
    edited_at: instant(row.edited_at),
    reply:
      row.reply !== null && row.replied_at !== null
        ? {
            reply: row.reply,
            date: row.replied_at.toISOString(),
            edited_at: instant(row.reply_edited_at),
            hidden_reason: row.reply_hidden_reason,
          }
        : null,
    edited_since_reply: isEditedSinceReply(row),
    reported: row.reported,
    hidden_reason: row.hidden_reason,
  }
}

function toReporter(row: ReportRow): Report['reporter'] {
  if (row.account_id === null) return { name: '', email: '', is: 'deleted account' }
  return {
    name: `${row.first_name} ${row.last_name}`.trim(),
    email: row.email ?? '',
    is:
      row.account_id === row.practitioner_account_id
        ? 'practitioner'
        : row.reporter_role === 'client'
          ? 'client'
          : 'another practitioner',
  }
}

/** A report without the admin who decided it, whom the audit log names. */
export type ReportOfReview = Omit<Report, 'decided_by'>

/** The report as admins see it, with those of `rows` that are about the same and have the same decision. */
export function toReport(row: ReportRow, rows: readonly ReportRow[]): ReportOfReview {
  const others = rows.filter(
    (other) =>
      other.id !== row.id &&
      other.review_id === row.review_id &&
      other.about === row.about &&
      other.decided_at?.getTime() === row.decided_at?.getTime(),
  )
  return {
    report_id: row.id,
    about: row.about,
    status: row.state,
    reason: row.reason ?? '',
    created_at: row.created_at.toISOString(),
    decided_at: instant(row.decided_at),
    decision_reason:
      row.state !== 'hidden' ? null : row.about === 'review' ? row.hidden_reason : row.reply_hidden_reason,
    reporter: toReporter(row),
    open_reports: row.open_reports,
    others: others.map((other) => ({
      report_id: other.id,
      reason: other.reason ?? '',
      created_at: other.created_at.toISOString(),
      reporter: toReporter(other),
    })),
    practitioner: {
      practitioner_id: row.practitioner_id,
      full_name: `${row.practitioner_first_name} ${row.practitioner_last_name}`,
    },
    review: {
      review_id: row.review_id,
      reviewer: row.reviewer,
      rating: row.rating,
      comment: row.comment,
      date: row.reviewed_at.toISOString(),
      edited_at: instant(row.edited_at),
      hidden: row.hidden_at !== null,
      reply: row.reply,
      reply_edited_at: instant(row.reply_edited_at),
      reply_hidden: row.reply_hidden_at !== null,
    },
  }
}
