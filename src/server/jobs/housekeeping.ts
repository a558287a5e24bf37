import { defineJob, type Queue } from './queue.ts'

/** Deletes what modules no longer need. */
export const housekeepingJob = defineJob('housekeeping', {
  retryDelay: 60,
  retryDelayMax: 600,
  every: '17 * * * *',
})

type Tidy = () => Promise<void>

/**
 * Registers the hourly run over everything that is tidied, in the order given. One that fails keeps no other from its
 * turn.
 */
export function keepHouse(queue: Pick<Queue, 'handle'>, tidied: readonly (Tidy | undefined)[]): void {
  queue.handle(housekeepingJob, async () => {
    const errors: unknown[] = []
    for (const tidy of tidied) await tidy?.().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw new AggregateError(errors)
  })
}
