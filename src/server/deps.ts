import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Db } from './db/connection.ts'
import type { Reads } from './db/reads.ts'
import type { EventBus } from './events.ts'
import type { Limits } from './http/limits.ts'
import type { Random } from './ids.ts'
import type { Live } from './integrations/live/port.ts'
import type { Queue } from './jobs/queue.ts'
import type { Secrets } from './secrets.ts'

/** What every module's service is made from; each takes the part that it needs. */
export type Deps = {
  db: Db
  /** For what may be a moment old. */
  reads: Reads
  clock: Clock
  random: Random
  queue: Queue
  events: EventBus
  limits: Limits
  live: Live
  secrets: Secrets
  log: FastifyBaseLogger
  /** Where people reach the product, without a slash at the end. */
  publicUrl: string
  /** Called between two transactions of one operation; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}
