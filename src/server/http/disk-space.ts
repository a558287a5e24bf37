import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { sqlState } from '../db/transaction.ts'

/** PostgreSQL's code for a full disk, and those of the operating system. */
const noSpace = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** Whether an error means a full disk, the database's or that of this machine. */
export const isOutOfSpace = (error: unknown): boolean => noSpace.has(sqlState(error) ?? '')

export type DatabaseSpace = { isFull(): Promise<boolean> }

/**
 * Tracks whether the database's disk is full: from the first request that fails for it until a write succeeds again.
 */
export function watchDatabaseSpace(app: FastifyInstance, db: Db): DatabaseSpace {
  let isSuspected = false
  let asked: Promise<boolean> | undefined

  /** Tests the disk with a temporary table. */
  async function isStillFull(): Promise<boolean> {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`create temporary table disk_probe on commit drop as
          select md5(random()::text) as filler from generate_series(1, 4000)`.execute(tx)
      })
      isSuspected = false
      return false
    } catch (error) {
      // Any other failure is for the check of the database itself.
      return isOutOfSpace(error)
    }
  }

  app.addHook('onError', async (_request, _reply, error) => {
    if (sqlState(error) === '53100') isSuspected = true
  })

  return {
    async isFull() {
      if (!isSuspected) return false
      asked ??= isStillFull().finally(() => (asked = undefined))
      return asked
    },
  }
}
