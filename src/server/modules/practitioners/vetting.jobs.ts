import type { Queue } from '../../jobs/queue.ts'
import type { Vetting } from './vetting.service.ts'

export function vettingJobs(queue: Queue, vetting: Vetting): void {
  queue.handle('practitioners.vetting-letter', ({ letter_id }) => vetting.sendLetter(letter_id))
  queue.handle('practitioners.reminders', () => vetting.remind())
}
