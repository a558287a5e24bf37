import { defineJob, type Queue } from './queue.ts'

/** Deletes what modules no longer need. */
export const housekeepingJob = defineJob('housekeeping', {
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  every: '17 * * * *',
})

type Tidy = () => Promise<void>

/** Registers the hourly run over everything that is tidied, in the order given. */
export function keepHouse(queue: Queue, tidied: readonly (Tidy | undefined)[]): void {
  queue.handle(housekeepingJob, async () => {
    for (const tidy of tidied) await tidy?.()
  })
}
