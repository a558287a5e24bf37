import type { Db } from '#server/db/connection.ts'
import { insertRows } from '#server/db/seed/insert-rows.ts'
import { days, later } from '#server/clock.ts'
import { hashSecret, systemRandom } from '#server/ids.ts'

export type BenchClient = { id: string; token: string }

/** Makes so many clients who are signed in for as long as a run may take. */
export async function makeClients(db: Db, count: number): Promise<BenchClient[]> {
  const now = new Date()
  const clients = Array.from({ length: count }, () => ({
    id: systemRandom.uuid(now),
    token: systemRandom.secret(),
    loginSession: systemRandom.uuid(now),
  }))
  await insertRows(
    db,
    'accounts',
    clients.map(({ id }) => ({
      id,
      role: 'client' as const,
      email: `${id}@bench.test`,
      email_verified_at: now,
      first_name: 'Sam',
      last_name: 'Bench',
      created_at: now,
    })),
  )
  await insertRows(
    db,
    'clients',
    clients.map(({ id }) => ({ account_id: id, referral_code: systemRandom.code(12) })),
  )
  await insertRows(
    db,
    'login_sessions',
    clients.map(({ id, loginSession }) => ({
      id: loginSession,
      account_id: id,
      created_at: now,
      last_used_at: now,
    })),
  )
  await insertRows(
    db,
    'access_tokens',
    clients.map(({ token, loginSession }) => ({
      hash: `\\x${hashSecret(token).toString('hex')}` as unknown as Buffer,
      login_session_id: loginSession,
      expires_at: later(now, days(1)),
    })),
  )
  return clients
}
