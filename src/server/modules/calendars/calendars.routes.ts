import type { Serve } from '../../http/serve.ts'
import type { Calendars } from './calendars.service.ts'
import { keepForCalendar } from './consent.pages.ts'

export function calendarRoutes(serve: Serve, calendars: Calendars, secure: boolean): void {
  serve('GET /therapist/request-google-calendar-access', async ({ caller, setHeader }) => {
    const { url, kept } = await calendars.begin(caller)
    setHeader('set-cookie', keepForCalendar(kept, secure))
    return url
  })
  serve('GET /therapist/google-calendar', ({ caller }) => calendars.state(caller))
  serve('DELETE /therapist/google-calendar', ({ caller }) => calendars.disconnect(caller))
}
