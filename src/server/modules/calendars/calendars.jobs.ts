import type { Queue } from '../../jobs/queue.ts'
import type { Calendars } from './calendars.service.ts'

export function calendarJobs(queue: Queue, calendars: Calendars): void {
  queue.handle('calendars.sweep', () => calendars.sweep())
  queue.handle('calendars.visit', ({ calendar }) => calendars.visit(calendar))
  queue.handle('calendars.ended-mail', ({ calendar }) => calendars.mailEnded(calendar))
}
