import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bareDatabase } from '#test/test-database.ts'
import { type Database, openServer } from './connection.ts'
import { prepare } from './prepared.ts'
import { inTransaction, sqlState, together, withCommit } from './transaction.ts'

const insert = prepare((at: { n: number }) => sql`insert into notes (n) values (${at.n}::int)`)
const divide = prepare((at: { by: number }) => sql<{ part: number }>`select 10 / ${at.by}::int as part`)
const lock = prepare((at: { n: number }) => sql`select n from notes where n = ${at.n}::int for update`)
const sum = prepare(() => sql<{ sum: number }>`select coalesce(sum(n), 0)::int as sum from notes`)

/** As `DATABASE_PREPARED` and `WITHOUT_INTERNALS` have it: one statement after the other. */
const open = {
  embedded: () => bareDatabase(),
  server: async () => (await clusterDatabase(3)).database,
  'server without prepared calls': async () =>
    (await clusterDatabase(3, undefined, ['prepared-calls'])).database,
  'pooled server': async () => {
    const { url, database } = await clusterDatabase(1)
    await database.close()
    return openServer(url, 3, () => undefined, { isPooled: true })
  },
}

describe.each(Object.keys(open) as (keyof typeof open)[])('a transaction on the %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await open[kind]()
    await sql`create table notes (n int unique)`.execute(database.db)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await sql`delete from notes`.execute(database.db)
  })
  const total = async () => (await sum(database.db, {}))[0]?.sum

  // The first time, a connection calls each statement by itself.
  const times = [1, 2, 3]

  test('asks several questions together, each after what those before it wrote', async () => {
    for (const n of times) {
      const found = await inTransaction(database.db, (tx) =>
        together(tx, insert.of({ n }), sum.of({}), {
          ...divide.of({ by: 5 }),
          read: ([rows]) => rows?.length,
        }),
      )
      expect(found).toEqual([[], [{ sum: (n * (n + 1)) / 2 }], 1])
    }
  })

  test('is not needed to ask several questions together', async () => {
    for (const n of times) {
      const [, [row]] = await together(database.db, insert.of({ n }), sum.of({}))
      expect(row?.sum).toBe((n * (n + 1)) / 2)
      // A failure leaves the connection as it was, for the next.
      await expect(together(database.db, sum.of({}), divide.of({ by: 0 }))).rejects.toThrow('division')
    }
    expect(await total()).toBe(6)
  })

  test('sends the last statements with its commit', async () => {
    for (const n of times) {
      await inTransaction(database.db, async (tx) => {
        withCommit(tx, insert.of({ n }), insert.of({ n: n * 100 }))
        if (kind !== 'embedded') expect(await sum(tx, {})).toEqual([{ sum: (n * (n - 1) * 101) / 2 }])
      })
      expect(await total()).toBe((n * (n + 1) * 101) / 2)
    }
  })

  test('with nothing but a commit commits it', async () => {
    await inTransaction(database.db, async (tx) => withCommit(tx, insert.of({ n: 7 })))
    await inTransaction(database.db, async () => undefined)
    expect(await total()).toBe(7)
  })

  test('keeps nothing if one of several statements fails, wherever it stands', async () => {
    for (const _ of times) {
      const refused = [
        inTransaction(database.db, (tx) =>
          together(tx, insert.of({ n: 1 }), divide.of({ by: 0 }), insert.of({ n: 2 })),
        ),
        inTransaction(database.db, async (tx) => {
          await insert(tx, { n: 3 })
          withCommit(tx, insert.of({ n: 4 }), divide.of({ by: 0 }), insert.of({ n: 5 }))
        }),
        inTransaction(database.db, async (tx) => {
          withCommit(tx, insert.of({ n: 6 }), insert.of({ n: 6 }))
        }),
        inTransaction(database.db, async (tx) => {
          withCommit(tx, insert.of({ n: 7 }))
          throw new Error('thought better')
        }),
      ]
      const reasons = (await Promise.allSettled(refused)).map(
        (each) => each.status === 'rejected' && each.reason,
      )
      expect(reasons.map((reason) => sqlState(reason) ?? String(reason))).toEqual([
        '22012',
        '22012',
        '23505',
        'Error: thought better',
      ])
      expect(await total()).toBe(0)
    }
  })

  test('begins with its first statement, also one that is not prepared', async () => {
    const undone = inTransaction(database.db, async (tx) => {
      await tx.executeQuery(
        CompiledQuery.raw('insert into notes (n) values (1); insert into notes (n) values (2)'),
      )
      await sql`insert into notes (n) values (${3})`.execute(tx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await total()).toBe(0)
  })

  test('that a statement has failed in is not committed, though its error was caught', async () => {
    const half = inTransaction(database.db, async (tx) => {
      await insert(tx, { n: 1 })
      await divide(tx, { by: 0 }).catch(() => undefined)
    })
    await (kind === 'embedded' ? half.catch(() => undefined) : expect(half).rejects.toThrow('failed'))
    expect(await total()).toBe(0)
  })

  if (kind !== 'embedded') {
    test('sees what was committed while it waited for a lock', async () => {
      for (const n of times) {
        await insert(database.db, { n })
        const locked = Promise.withResolvers<void>()
        const asked = Promise.withResolvers<void>()
        const first = inTransaction(database.db, async (tx) => {
          await lock(tx, { n })
          locked.resolve()
          await asked.promise
          await insert(tx, { n: n * 1000 })
        })
        await locked.promise
        const before = await total()
        const second = inTransaction(database.db, (tx) => together(tx, lock.of({ n }), sum.of({})))
        await waiting(database)
        asked.resolve()
        await first
        expect((await second)[1]).toEqual([{ sum: (before ?? 0) + n * 1000 }])
      }
    })
  }
})

/** Waits until a statement waits for a lock. */
async function waiting({ db }: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_locks where not granted`.execute(db)
    if (rows.length > 0) return
  }
}
