import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bareDatabase } from '#test/test-database.ts'
import type { Database } from '../db/connection.ts'
import { sqlState } from '../db/transaction.ts'

let database: Database
beforeAll(async () => {
  database = await bareDatabase()
})
afterAll(() => database.close())
// A change of the schema: nothing is kept from the test before.
beforeEach(() =>
  sql`drop table if exists notes; create table notes (n int unique, words text)`.execute(database.db),
)

/** The texts that the database keeps parsed, without what this asks itself. */
async function keptTexts(): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements order by prepare_time`.execute(database.db)
  return rows.map(({ statement }) => statement)
}
const insert = (n: number, words: string | null, db = database.db) =>
  sql`insert into notes (n, words) values (${n}, ${words})`.execute(db)
const find = async (n: number, db = database.db) =>
  (await sql`select * from notes where n = ${n}`.execute(db)).rows
/** Past the handle, as another user of the same database. */
async function beside(text: string): Promise<void> {
  if (database.engine.kind !== 'embedded') throw new Error('This is about the embedded database.')
  await database.engine.pglite.exec(text)
}

describe('a statement of the embedded database', () => {
  test('is parsed once for all values', async () => {
    for (let n = 0; n < 10; n++) await insert(n, n % 2 ? null : 'even')
    expect(await find(3)).toEqual([{ n: 3, words: null }])
    expect(await find(4)).toEqual([{ n: 4, words: 'even' }])
    const texts = await keptTexts()
    expect(texts).toEqual([
      'insert into notes (n, words) values ($1, $2)',
      'select * from notes where n = $1',
    ])
  })

  test('returns the number of rows that it has changed', async () => {
    await insert(1, 'a')
    await insert(2, 'b')
    const update = (from: number) => sql`update notes set words = 'c' where n >= ${from}`.execute(database.db)
    expect((await update(1)).numAffectedRows).toBe(2n)
    expect((await update(3)).numAffectedRows).toBe(0n)
  })

  test('is parsed anew after 100 uses, so that its plan follows the growth of its tables', async () => {
    const parsedAt = async () =>
      (await sql<{ name: string }>`select name from pg_prepared_statements`.execute(database.db)).rows
    await insert(0, null)
    const first = await parsedAt()
    for (let n = 1; n < 100; n++) await insert(n, null)
    expect(await parsedAt()).toEqual(first)
    await insert(100, null)
    const later = await parsedAt()
    expect(later).toHaveLength(1)
    expect(later).not.toEqual(first)
  })

  test('is one of 400 that are kept, and the least recently used goes first', async () => {
    const ask = (length: number) => sql`select 1 where ${sql.raw(`${length} = `)}${length}::int`
    await ask(0).execute(database.db)
    for (let length = 1; length < 405; length++) {
      await ask(length).execute(database.db)
      await ask(0).execute(database.db)
      if (length === 50) await ask(1).execute(database.db)
    }
    const texts = await keptTexts()
    expect(texts).toHaveLength(400)
    for (const kept of [0, 404]) expect(texts).toContain(`select 1 where ${kept} = $1::int`)
    expect(texts).not.toContain('select 1 where 2 = $1::int')
  })

  test.each([
    ['the value', () => insert(1, null), '23505'],
    ['its type', () => sql`select ${'x'}::int`.execute(database.db), '22P02'],
    ['the text', () => sql`select ${1} from nowhere`.execute(database.db), '42P01'],
    [
      'a value that the driver cannot write',
      () => sql`select ${'maybe'}::bool`.execute(database.db),
      undefined,
    ],
  ])('fails by %s and leaves the database ready for the next one', async (_what, fail, code) => {
    await insert(1, 'kept')
    for (let time = 0; time < 3; time++) {
      const error = await fail().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(sqlState(error)).toBe(code)
      expect(await find(1)).toEqual([{ n: 1, words: 'kept' }])
    }
  })

  test('that fails fails its transaction alone', async () => {
    await insert(1, 'kept')
    const attempt = database.db.transaction().execute(async (tx) => {
      await insert(2, 'not kept', tx)
      await insert(1, null, tx)
    })
    await expect(attempt).rejects.toThrow('duplicate key')
    expect(await find(2)).toEqual([])
    await insert(2, 'kept')
    expect(await find(2)).toEqual([{ n: 2, words: 'kept' }])
  })

  test('outside a transaction waits for its end', async () => {
    const begun = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const transaction = database.db.transaction().execute(async (tx) => {
      await insert(1, 'within', tx)
      begun.resolve()
      await ending.promise
      expect(await find(2, tx)).toEqual([])
    })
    await begun.promise
    const outside = insert(2, 'outside')
    ending.resolve()
    await transaction
    await outside
    expect(await find(2)).toEqual([{ n: 2, words: 'outside' }])
  })

  test('sees columns that its table has got since', async () => {
    await insert(1, 'a')
    expect(await find(1)).toEqual([{ n: 1, words: 'a' }])
    await sql`alter table notes add column more text`.execute(database.db)
    expect(await database.db.transaction().execute((tx) => find(1, tx))).toEqual([
      { n: 1, words: 'a', more: null },
    ])
    await beside('alter table notes drop column words')
    expect(await find(1)).toEqual([{ n: 1, more: null }])
  })
})

test('without the private parts, each statement is parsed every time', async () => {
  await database.close()
  database = await bareDatabase({ without: ['embedded-statements'] })
  await sql`create table notes (n int unique, words text)`.execute(database.db)
  for (let n = 0; n < 3; n++) await insert(n, null)
  expect(await find(2)).toEqual([{ n: 2, words: null }])
  expect(await keptTexts()).toEqual([])
})
