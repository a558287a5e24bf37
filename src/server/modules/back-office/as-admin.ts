import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'

/** The route has checked the role already; a use case with this reach checks it itself as well. */
export function asAdmin(caller: SignedIn): void {
  if (caller.role !== 'admin' || caller.needsSecondFactor)
    throw fail('forbidden', 'This is for the back office.')
}
