import type { Deps } from '../deps.ts'
import { errorName } from '../errors.ts'

/** Logs a failure, so that one of a sweep does not stop the others. */
export async function attempt(log: Deps['log'], what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ err: { name: errorName(error) } }, what)
  }
}
