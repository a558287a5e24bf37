import { type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { internals } from '../library-internals/internals.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bareDatabase } from '#test/test-database.ts'
import type { Database } from './connection.ts'
import { prepare } from './prepared.ts'
import { sqlState } from './transaction.ts'

const between = prepare(
  (at: { low: number; high: number }) => sql<{ n: number; width: number }>`
    select n, ${at.high}::int - ${at.low}::int as width
    from generate_series(1, 10) as n where n >= ${at.low}::int and n <= ${at.high}::int order by n`,
)

describe.each([
  ['embedded', []],
  ['server', []],
  ['server', ['prepared-calls']],
] as const)('a prepared statement on the %s database, without %j', (kind, without) => {
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const log = ({ query }: LogEvent) => void sent.push(query)
  let database: Database
  beforeAll(async () => {
    database =
      kind === 'embedded' ? await bareDatabase({ log }) : (await clusterDatabase(1, log, without)).database
  })
  afterAll(() => database.close())

  test('takes each value once, in all its places, each time its own', async () => {
    expect(await between(database.db, { low: 3, high: 4 })).toEqual([
      { n: 3, width: 1 },
      { n: 4, width: 1 },
    ])
    expect(await between(database.db, { low: 9, high: 9 })).toEqual([{ n: 9, width: 0 }])
    expect(sent.slice(-2).map(({ parameters }) => parameters)).toEqual([
      [4, 3],
      [9, 9],
    ])
    expect(sent.at(-1)?.sql).toBe(sent.at(-2)?.sql)
  })

  test('stands within a transaction, and says what the database refuses', async () => {
    const divide = prepare((at: { by: number }) => sql<{ part: number }>`select 10 / ${at.by}::int as part`)
    const refused = await database.db
      .transaction()
      .execute((tx) => divide(tx, { by: 0 }))
      .catch((error: unknown) => error)
    expect(sqlState(refused)).toBe('22012')
    expect(await divide(database.db, { by: 5 })).toEqual([{ part: 2 }])
  })

  test.each(['select *', 'select distinct *', 'select 1 as one, "t".*'])(
    'refuses %j: a column that a migration adds would end it on each connection',
    async (what) => {
      const rows = sql.raw(`${what} from (values (1), (2)) as t (n)`)
      const all = prepare((at: { n: number }) => sql`${rows} where t.n = ${at.n}::int`)
      await expect(all(database.db, { n: 1 })).rejects.toThrow('names its columns')
      const counted = prepare(
        (at: { n: number }) =>
          sql`select count(*)::int * 2 as twice from unnest(array[1, 2, 3]) as n where n <= ${at.n}::int`,
      )
      expect(await counted(database.db, { n: 3 })).toEqual([{ twice: 6 }])
    },
  )

  test('refuses a value that is not given to it', async () => {
    const chosen = 7
    const mistaken = prepare((at: { low: number }) => sql`select ${at.low}::int + ${chosen}::int as sum`)
    const before = sent.length
    await expect(mistaken(database.db, { low: 1 })).rejects.toThrow('not given')
    expect(sent).toHaveLength(before)
  })

  if (kind === 'server') {
    test('is planned once on a connection', async () => {
      for (let low = 1; low < 5; low++) await between(database.db, { low, high: 9 })
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_prepared_statements where statement like '%generate_series%'`.execute(
        database.db,
      )
      expect(rows).toEqual([{ count: 1 }])
    })
  }
})

describe.each([[[]], [['prepared-calls']], [['connection-watch']], [internals]] as const)(
  'a prepared statement without a log, without %j',
  (without) => {
    let database: Database
    beforeAll(async () => {
      database = (await clusterDatabase(1, undefined, without)).database
    })
    afterAll(() => database.close())

    test('goes straight to the server, and gives its one connection back, refused or not', async () => {
      const divide = prepare((at: { by: number }) => sql<{ part: number }>`select 10 / ${at.by}::int as part`)
      const refused = await divide(database.db, { by: 0 }).catch((error: unknown) => error)
      expect(sqlState(refused)).toBe('22012')
      expect(await divide(database.db, { by: 5 })).toEqual([{ part: 2 }])
      expect(await between(database.db, { low: 3, high: 4 })).toHaveLength(2)
      const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_prepared_statements where statement like '%generate_series%'`.execute(
        database.db,
      )
      expect(rows).toEqual([{ count: 1 }])
    })

    test('belongs to the transaction that it is asked of', async () => {
      const write = prepare((at: { n: number }) => sql`insert into kept (n) values (${at.n}::int)`)
      const count = prepare(() => sql<{ count: number }>`select count(*)::int as count from kept`)
      await sql`create table kept (n int)`.execute(database.db)
      const undone = database.db.transaction().execute(async (tx) => {
        await write(tx, { n: 1 })
        expect(await count(tx, {})).toEqual([{ count: 1 }])
        throw new Error('not kept')
      })
      await expect(undone).rejects.toThrow('not kept')
      expect(await count(database.db, {})).toEqual([{ count: 0 }])
    })

    test('whose connection the server ends is refused, and the next one has another', async () => {
      const end = prepare((at: { pid: number }) => sql`select pg_terminate_backend(${at.pid}::int)`)
      const own = prepare(() => sql<{ pid: number }>`select pg_backend_pid() as pid`)
      const [first] = await own(database.db, {})
      await expect(end(database.db, { pid: first?.pid ?? 0 })).rejects.toThrow()
      const [second] = await own(database.db, {})
      expect(second?.pid).not.toBe(first?.pid)
    })
  },
)
