import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from './connection.ts'

/** PostgreSQL's codes for a transaction that lost to another and may simply be tried again. */
const lost = new Set(['40001', '40P01'])

/** The code of a database error, such as `23P01` for an exclusion constraint. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Runs `work` in a transaction, again when it was chosen as a deadlock's victim. `work` must hold no network call. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= 8 || !lost.has(sqlState(error) ?? '')) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
