import type { FastifyInstance } from 'fastify'
import type { CalendarOutcome } from '#contract/calendars/calendars.ts'
import { readCookie } from '../../http/cookies.ts'

const path = '/api/v7/therapist/google-calendar'
const cookie = 'hearth_calendar'

/** The header that has a browser keep what it needs on the way back, where only that way sees it. */
export function keepForCalendar(value: string, secure: boolean): string {
  const parts = [`${cookie}=${value}`, `Path=${path}`, 'Max-Age=900', 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}

/**
 * Where Google sends people back to. The tab that they come back in is signed in as nobody: it is shown how it ended, and
 * that it can be closed.
 */
export function receiveCalendarConsent(
  api: FastifyInstance,
  finish: (query: URLSearchParams, kept: string | undefined) => Promise<CalendarOutcome>,
  secure: boolean,
): void {
  api.get('/therapist/google-calendar/callback', async (request, reply) => {
    const { searchParams } = new URL(request.url, 'http://hearth.invalid')
    const kept = readCookie(request.headers.cookie, cookie, /^[\w-]{1,4000}$/)
    const outcome = await finish(searchParams, kept)
    return reply
      .header('cache-control', 'no-store')
      .header('set-cookie', keepForCalendar('', secure).replace('Max-Age=900', 'Max-Age=0'))
      .redirect(`/calendar-connected?outcome=${outcome}`, 303)
  })
}
