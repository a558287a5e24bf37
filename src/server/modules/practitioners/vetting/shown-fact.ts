import type { Tx } from '../../../db/connection.ts'
import { fail } from '../../../errors.ts'
import { readOverview } from '../practitioners.store.ts'
import { lockState } from '../standing.store.ts'

/** What an admin has compared a document or licence with. */
export type ShownFact = { full_name: string; expires_on: string | null }

/** @throws 409 `changed_elsewhere` if its practitioner has another name by now, or has named another last day */
export async function requireShown(
  tx: Tx,
  practitionerId: number,
  fact: { expires_on: string | null },
  shown: ShownFact | undefined,
): Promise<void> {
  if (!shown) return
  const owner = await readOverview(tx, practitionerId)
  const isShown =
    owner &&
    `${owner.first_name} ${owner.last_name}` === shown.full_name &&
    fact.expires_on === shown.expires_on
  if (isShown) return
  throw fail(
    'changed_elsewhere',
    'The practitioner has changed their name or the last day meanwhile. Please compare it once more.',
  )
}

/** @throws 409 `changed_elsewhere` for a profile that came into its state at another time than was shown */
export async function requireStatusShown(
  tx: Tx,
  practitionerId: number,
  shown: string | undefined,
): Promise<void> {
  if (shown === undefined) return
  await lockState(tx, practitionerId)
  const profile = await readOverview(tx, practitionerId)
  if (!profile || profile.state_since.getTime() === Date.parse(shown)) return
  throw fail('changed_elsewhere', 'This profile has been decided on meanwhile. Please look at it again.')
}
