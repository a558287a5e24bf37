import { personOf, readSession } from './session.ts'

/** The key of a query for the account that is signed in: another may sign in within the same tab. */
export function accountKey(what: string, ...parts: unknown[]): unknown[] {
  const session = readSession()
  return [what, session.role, personOf(session)?.email ?? null, ...parts]
}
