import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clusterDatabase } from '#test/cluster-database.ts'
import type { Database } from '../db/connection.ts'
import { type Answer, PreparedCall } from './prepared-call.ts'
import { sqlState } from '../db/transaction.ts'

let database: Database
let client: pg.PoolClient
beforeAll(async () => {
  ;({ database } = await clusterDatabase(1))
  if (database.engine.kind !== 'server') throw new Error('This is about a server.')
  client = await database.engine.pool.connect()
  await client.query(`create table notes (n int unique, words text)`)
})
afterAll(async () => {
  client.release()
  await database.close()
})

afterEach(() => client.query('rollback'))

const asked = (call: (callback: (error: Error | undefined, answer?: unknown) => void) => pg.Submittable) =>
  new Promise<Answer>((resolve, reject) => {
    client.query(call((error, answer) => (error ? reject(error) : resolve(answer as Answer))))
  })
let named = 0
const nameOf = () => `statement_${named++}`
const prepared = (
  text: string,
  values: readonly unknown[] = [],
  name = nameOf(),
  reader: pg.ClientBase = client,
) => asked((callback) => new PreparedCall(reader, { name, text, values }, callback))

const bytes = Buffer.from([0, 1, 0x5c, 0xff])
const quoted = ['plain', '', 'a "b" \\ c', '{d,e}', null, 'NULL', 'é\n👩🏽‍⚕️']

describe('a prepared call', () => {
  test.each([
    ['nothing', 'select $1::text as a, $2::int as b', [null, undefined]],
    ['texts', 'select $1::text as a, $2::uuid as b', ['é\n👩🏽‍⚕️', 'd0000000-0000-4000-8000-000000000001']],
    [
      'numbers',
      'select $1::int as a, $2::bigint as b, $3::float8 as c, $4::numeric as d',
      [1, 2 ** 40, 0.1, 2.5],
    ],
    ['truth', 'select $1::boolean as a, not $1::boolean as b', [true]],
    [
      'moments',
      'select $1::timestamptz as a, $2::date as b',
      [new Date('2026-03-29T00:59:59.123Z'), '2026-03-29'],
    ],
    ['bytes', 'select $1::bytea as a, $2::bytea as b', [bytes, new Uint8Array(bytes)]],
    ['lists of numbers', 'select $1::int[] as a, 2 = any($1::int[]) as b, $2::int[] as c', [[1, 2], []]],
    ['lists of texts', 'select $1::text[] as a', [quoted]],
    ['lists of bytes', 'select $1::bytea[] as a', [[bytes, new Uint8Array(bytes), null]]],
    [
      'lists of lists',
      'select $1::int[] as a',
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ['JSON', 'select $1::jsonb as a', [{ words: ['a', null, { b: 'é' }] }]],
    ['many rows', 'select n, n * n as n from generate_series(1, $1::int) n', [300]],
    ['no rows', 'select 1 as a where $1::int = 2', [1]],
    ['no columns', 'select from generate_series(1, $1::int)', [2]],
    [
      'what is written',
      'insert into notes (n) select * from generate_series($1::int, $1 + 2) on conflict do nothing',
      [1],
    ],
    ['what is written and given back', 'update notes set words = $1 where n < 3 returning n, words', ['x']],
    ['what is deleted', 'delete from notes where n = $1', [1]],
    ['a setting', 'set application_name = notes', []],
  ])("answers as the driver's own does: %s", async (_what, text, values) => {
    const name = nameOf()
    for (let time = 0; time < 3; time++) {
      await client.query('begin')
      const own = await asked((callback) => new pg.Query({ text, values: [...values] }, callback))
      await client.query('rollback')
      await client.query('begin')
      const { command, rowCount, rows } = await prepared(text, values, name)
      await client.query('rollback')
      expect(rows).toEqual(own.rows)
      expect([command, rowCount]).toEqual([own.command, own.rowCount])
    }
  })

  test('that is refused says why, whether it was known or not, and leaves the connection as it was', async () => {
    const name = nameOf()
    const divide = (by: unknown) => prepared('select 10 / $1::int as part', [by], name)
    const stateOf = (call: Promise<unknown>) => call.catch((error: unknown) => sqlState(error))
    expect(await stateOf(divide('no number'))).toBe('22P02')
    expect(await stateOf(divide(0))).toBe('22012')
    expect((await divide(5)).rows).toEqual([{ part: 2 }])
    expect(await stateOf(divide(0))).toBe('22012')
    expect((await divide(2)).rows).toEqual([{ part: 5 }])
    const mistaken = nameOf()
    for (let time = 0; time < 2; time++)
      expect(await stateOf(prepared('select nothing', [], mistaken))).toBe('42703')
  })

  test('whose rows cannot be read is refused', async () => {
    const unread = () => {
      throw new Error('not to be read')
    }
    const blind = Object.assign(Object.create(client) as pg.ClientBase, { getTypeParser: () => unread })
    await expect(prepared('select * from generate_series(1, 3) n', [], nameOf(), blind)).rejects.toThrow(
      'not to be read',
    )
    expect((await prepared('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  test('of an invalid moment is refused before anything is sent', async () => {
    await expect(prepared('select $1::timestamptz as a', [new Date('never')])).rejects.toThrow(RangeError)
    expect((await prepared('select 1 as n')).rows).toEqual([{ n: 1 }])
  })
})
