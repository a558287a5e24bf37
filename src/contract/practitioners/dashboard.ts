import { z } from 'zod'
import { PractitionerState } from '../back-office/back-office.ts'
import { Day, Id, IdInPath, Instant, Month, Pounds, Success } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { TherapistSession } from '../bookings/practitioner-sessions.ts'

/** In the order in which they are listed where they are equally urgent. */
export const dashboardTasks = [
  'complete_profile',
  'profile_refused',
  'document_refused',
  'document_expires',
  'document_undated',
  'captions_asked',
  'subscribe',
  'schedule_empty',
  'calendar_ended',
  'session_to_settle',
  'review_unreplied',
] as const

/** Something that the practitioner should do next, in words, with where it is done. */
export const DashboardTask = z.object({
  code: z.enum(dashboardTasks),
  /** `now`: clients cannot find or book the practitioner, or soon cannot. */
  urgency: z.enum(['now', 'soon']),
  title: z.string(),
  message: z.string(),
  action: z.object({ label: z.string(), path: z.string() }).nullable(),
  /** The day by which it has to be done, where there is one. */
  due: Day.nullable(),
})
export type DashboardTask = z.infer<typeof DashboardTask>

/** What modules know of a practitioner's work, each its part. */
export const DashboardParts = z.object({
  profile: z.object({
    practitioner_id: Id,
    first_name: z.string(),
    status: PractitionerState,
    /** Of a refusal or suspension, in the words of the back office. */
    reason: z.string().nullable(),
    timezone: z.string(),
    /** Clients find and book them: approved, subscribed and vetted. */
    listed: z.boolean(),
    /** Until when the subscription is paid; null when there is none. */
    subscribed_until: Instant.nullable(),
    /** Until when they are available now for help right now; null when they are not. */
    available_now_until: Instant.nullable(),
  }),
  /** The next ones, soonest first, and how many there are. */
  upcoming: z.object({ total: z.number().int(), sessions: z.array(TherapistSession) }),
  /**
   * By month, the newest last: the fees of sessions that have begun and were not cancelled, less refunds, by the day of
   * the session. The whole fee is the practitioner's, also where the platform bears a discount.
   */
  earnings: z.array(z.object({ month: Month, amount: Pounds, sessions: z.number().int() })),
  /** What clients have paid, less refunds, for past and coming sessions: the balance of the practitioner's account in the ledger. */
  owed: Pounds,
  /** How often the public profile was opened: not by its owner, by programs, or twice within half an hour. */
  profile_views: z.object({
    last_30_days: z.number().int(),
    months: z.array(z.object({ month: Month, views: z.number().int() })),
  }),
  reviews: z.object({ rating: z.number(), total: z.number().int(), unreplied: z.number().int() }),
  /** Clients who have begun a chat. */
  enquiries_count: z.number().int(),
  /** Minutes until a first answer, at the median. Null while nothing was answered. */
  response_minutes: z.number().int().nullable(),
})
export type DashboardParts = z.infer<typeof DashboardParts>

export const DashboardOverview = DashboardParts.extend({
  /** What needs doing next, the urgent first. */
  tasks: z.array(DashboardTask),
})
export type DashboardOverview = z.infer<typeof DashboardOverview>

/** What a practitioner has earned, as the dashboard shows it. */
export const Earnings = z.object({
  /** The last twelve, the newest last. */
  months: DashboardParts.shape.earnings,
  owed: DashboardParts.shape.owed,
})
export type Earnings = z.infer<typeof Earnings>

export const dashboardEndpoints = defineEndpoints({
  'GET /therapist/home/get-dashboard-overview': {
    access: ['therapist'],
    summary: 'Sessions, earnings, views, reviews, and what needs doing next',
    answer: DashboardOverview,
  },
  'GET /therapist/earnings': {
    access: ['therapist'],
    whileSuspended: true,
    summary: 'Earnings by month, and what is owed',
    answer: Earnings,
  },
  'POST /practitioner/{id}/view': {
    access: 'anyone',
    summary: 'Count that a public profile was opened; nothing is kept of who opened it',
    params: z.object({ id: IdInPath }),
    answer: Success,
  },
})
