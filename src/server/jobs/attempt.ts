import type { Deps } from '../deps.ts'
import { errorName } from '../errors.ts'

/** Logs a failure, so that one of a sweep does not stop the others. Returns whether the work succeeded. */
export async function attempt(log: Deps['log'], what: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log.error({ err: { name: errorName(error) } }, what)
    return false
  }
}
