import type { FastifyInstance } from 'fastify'
import type { CalendarOutcome } from '#contract/calendars.ts'
import { readCookie } from '../../http/cookies.ts'

const path = '/api/v7/therapist/google-calendar'
const cookie = 'hearth_calendar'

/** The `Set-Cookie` header that stores the flow's state for the callback path alone. */
export function keepForCalendar(value: string, secure: boolean): string {
  const parts = [`${cookie}=${value}`, `Path=${path}`, 'Max-Age=900', 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}

/**
 * Receives Google's callback. The tab has no sign-in session. Redirects to a page that shows the outcome and says that
 * the tab can be closed.
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
