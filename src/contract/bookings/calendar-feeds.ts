import { z } from 'zod'
import { Instant, Success } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** The link by which an account's own calendar reads its sessions. */
export const CalendarFeed = z.object({
  connected: z.boolean(),
  created_at: Instant.nullable(),
  /** When a calendar last read it, to the hour. */
  read_at: Instant.nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

/** Shown once: only a digest of the link is stored. */
export const NewCalendarFeed = z.object({ url: z.string(), created_at: Instant })
export type NewCalendarFeed = z.infer<typeof NewCalendarFeed>

export const calendarFeedEndpoints = defineEndpoints({
  'GET /therapist/calendar-feed': {
    access: ['therapist'],
    summary: "Whether the practitioner's own calendar has a link to their sessions",
    answer: CalendarFeed,
  },
  'POST /therapist/calendar-feed': {
    access: ['therapist'],
    summary: 'Make a link to the sessions for a calendar app; the one before ends',
    answer: NewCalendarFeed,
    status: 201,
  },
  'DELETE /therapist/calendar-feed': {
    access: ['therapist'],
    whileSuspended: true,
    summary: 'End the link',
    answer: Success,
  },
  'GET /client/calendar-feed': {
    access: ['client'],
    summary: "Whether the client's own calendar has a link to their sessions",
    answer: CalendarFeed,
  },
  'POST /client/calendar-feed': {
    access: ['client'],
    summary: 'Make a link to the sessions for a calendar app; the one before ends',
    answer: NewCalendarFeed,
    status: 201,
  },
  'DELETE /client/calendar-feed': {
    access: ['client'],
    summary: 'End the link',
    answer: Success,
  },
})
