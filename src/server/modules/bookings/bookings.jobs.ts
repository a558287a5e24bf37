import type { Queue } from '../../jobs/queue.ts'
import type { Bookings } from './bookings.service.ts'

export function bookingJobs(queue: Queue, bookings: Bookings): void {
  queue.handle('bookings.sweep', () => bookings.sweep())
}
