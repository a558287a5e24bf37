import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { clusterDatabase } from '#test/cluster-database.ts'
import { openServer } from '../db/connection.ts'
import { internals } from './internals.ts'
import { sqlState } from '../db/transaction.ts'

describe('a statement that takes long', () => {
  test.concurrent('is left alone while the server is at work on it, where there is no limit', async () => {
    const { url, database } = await clusterDatabase(1)
    await database.close()
    const patient = openServer(url, 1, () => undefined, { limits: 'none' })
    const { rows } = await sql<{ done: boolean }>`select pg_sleep(4) is not null as done`.execute(patient.db)
    expect(rows).toEqual([{ done: true }])
    await patient.close()
  })

  test.concurrent('is ended by the server at its limit, and its connection is used again', async () => {
    const { url, database } = await clusterDatabase(1)
    await database.close()
    const limits = { statement: 500, lock: 200, idleInTransaction: 500 }
    const hasty = openServer(url, 1, () => undefined, { limits })
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(hasty.db)).rows
    const before = await pid()
    const ended = await sql`select pg_sleep(4)`.execute(hasty.db).catch((error: unknown) => error)
    expect(sqlState(ended)).toBe('57014')
    expect(await pid()).toEqual(before)
    await hasty.close()
  })

  test.concurrent.each([[[]], [['connection-watch']], [internals]] as const)(
    'is given up by the product itself where the server keeps to no limit, without %j',
    async (without) => {
      const { url, database } = await clusterDatabase(1)
      await database.close()
      const hasty = openServer(url, 1, () => undefined, {
        without,
        limits: { statement: 500, lock: 200, idleInTransaction: 500 },
      })
      await sql`set statement_timeout = 0`.execute(hasty.db)
      const begun = performance.now()
      const ended = await sql`select pg_sleep(30)`.execute(hasty.db).catch((error: unknown) => error)
      expect(sqlState(ended)).toBe('08006')
      expect(performance.now() - begun).toBeLessThan(5000)
      // The pool has another connection.
      expect((await sql`select 1`.execute(hasty.db)).rows).toHaveLength(1)
      await hasty.close()
    },
  )

  test.concurrent('waits for a lock for less than 5 s', async () => {
    const { url, database } = await clusterDatabase(2)
    const other = openServer(url, 1, () => undefined, { limits: 'none' })
    const released = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = other.db.transaction().execute(async (tx) => {
      await sql`lock table accounts`.execute(tx)
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const begun = performance.now()
    const refused = await sql`select count(*) from accounts`
      .execute(database.db)
      .catch((error: unknown) => error)
    expect(sqlState(refused)).toBe('55P03')
    expect(performance.now() - begun).toBeLessThan(5000)
    released.resolve()
    await holding
    await other.close()
    await database.close()
  })
})
