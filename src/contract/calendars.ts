import { z } from 'zod'
import { Instant, Success } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

export const GoogleCalendar = z.object({
  /** Whether this installation can connect calendars at all. */
  available: z.boolean(),
  /**
   * `ended`: Google no longer lets us in (`revoked`), or the calendar that sessions were written to is gone (`removed`).
   * `leaving`: disconnected here, while Google is still being told.
   */
  status: z.enum(['none', 'connected', 'ended', 'leaving']),
  ended_why: z.enum(['revoked', 'removed']).nullable(),
  ended_at: Instant.nullable(),
  /** The Google account. */
  email: z.string().nullable(),
  connected_at: Instant.nullable(),
  /** As of when the busy times are that slots keep clear of. */
  read_at: Instant.nullable(),
  /** Whether reading has failed since, and is tried again. */
  reading_fails: z.boolean(),
})
export type GoogleCalendar = z.infer<typeof GoogleCalendar>

/** How a way to Google and back has ended. */
export const calendarOutcomes = [
  'connected',
  'cancelled',
  'incomplete',
  'other_account',
  'expired',
  'failed',
] as const
export type CalendarOutcome = (typeof calendarOutcomes)[number]

/** A practitioner's own Google Calendar. */
export const calendarEndpoints = defineEndpoints({
  'GET /therapist/request-google-calendar-access': {
    access: ['therapist'],
    summary: 'The address of the page on which Google asks for consent, for a new tab of the same browser',
    answer: z.string(),
  },
  'GET /therapist/google-calendar': {
    access: ['therapist'],
    summary: 'Whether a Google Calendar is connected, and how it goes',
    answer: GoogleCalendar,
  },
  'DELETE /therapist/google-calendar': {
    access: ['therapist'],
    whileSuspended: true,
    summary:
      'Disconnect it: our calendar there is removed, the consent is returned, and busy times are forgotten',
    answer: Success,
  },
})
