import { CompiledQuery, type Kysely, sql } from 'kysely'
import pg from 'pg'
import { toBatch } from './batch.ts'
import type { Schema } from './schema.gen.ts'
import { type Answer, PreparedCall, PreparedCalls } from '../library-internals/prepared-call.ts'
import type { Internal } from '../library-internals/internals.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/** The names of prepared statements, by their text. */
const names = new Map<string, string>()

type Db = Kysely<Schema>
type Statement<T> = { compile(db: Db): CompiledQuery<T> }

/** What one or several prepared statements are to find out, and how it is read from their rows. */
export type Question<T> = {
  statements: readonly Statement<unknown>[]
  read(rows: readonly unknown[][]): T
}

/** All columns of a table in an answer, as the query builder writes it: `select *`, `"t".*` and `returning *`. */
const allColumns = /^select (?:distinct )?\*|"\.\*|returning \*/

/**
 * Once a migration adds a column, PostgreSQL refuses a prepared `*` on every connection that has called it before, so that a
 * release would fail beside the next one.
 * @throws Error for a statement that does not name its columns
 */
function named<T>(compiled: CompiledQuery<T>): CompiledQuery<T> {
  if (names.has(compiled.sql)) return compiled
  if (allColumns.test(compiled.sql)) throw new Error('A prepared statement names its columns.')
  names.set(compiled.sql, `hearth_${names.size}`)
  return compiled
}

/** Where what is prepared goes straight to, by the handle that it is asked of. */
const pools = new WeakMap<Db, pg.Pool>()

/** Sends prepared statements outside transactions straight to the pool, past the query builder and so past its log. */
export function sendStraight(db: Db, pool: pg.Pool): void {
  pools.set(db, pool)
}

async function send<T>(db: Db, query: CompiledQuery<T>): Promise<T[]> {
  const pool = pools.get(db)
  if (!pool) return (await db.executeQuery(query)).rows
  return lend(pool, async (client) => (await call(client, query)) as T[])
}

const call = async (client: pg.PoolClient, query: CompiledQuery): Promise<unknown[]> =>
  (await client.query(query.sql, [...query.parameters])).rows

async function lend<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isLost = false
  try {
    return await work(client)
  } catch (error) {
    isLost = !(error instanceof pg.DatabaseError && error.severity === 'ERROR')
    throw error
  } finally {
    client.release(isLost)
  }
}

/** The rows of each of several prepared statements, which go in one trip where the connection does that. */
export async function sendTogether(db: Db, queries: readonly CompiledQuery[]): Promise<unknown[][]> {
  const pool = pools.get(db)
  if (!pool) {
    const { rows } = await db.executeQuery(toBatch({ queries, goesWithCommit: false }))
    return rows.map((answer) => answer.rows)
  }
  return lend(pool, async (client) => {
    const answers = await callTogether(client, queries)
    if (answers) return answers.map(({ rows }) => rows)
    const found: unknown[][] = []
    for (const query of queries) found.push(await call(client, query))
    return found
  })
}

/**
 * Runs a statement that the server parses and plans once per connection rather than per call: for frequent statements
 * with a constant text. The embedded database keeps every statement with parameters, see `embeddedStatements`.
 */
export function runPrepared<T>(db: Db, statement: Statement<T>): Promise<T[]> {
  return send(db, named(statement.compile(db)))
}

/** A statement of a constant text and without values, under a name of its own. */
export const prepareText = (text: string): CompiledQuery => named(CompiledQuery.raw(text))

export const isPrepared = ({ sql: text }: CompiledQuery): boolean => names.has(text)

/** The statements of a question, prepared. */
export const queriesOf = (db: Db, { statements }: Question<unknown>): CompiledQuery[] =>
  statements.map((statement) => named(statement.compile(db)))

type Prepared<V, T> = {
  (db: Db, values: V): Promise<T[]>
  /** The same as a question, to be asked together with others. */
  of(values: V): Question<T[]>
}

/**
 * The same for a statement that is also written once rather than each time: `write` is given a place for each value, to
 * be put wherever the value goes and nowhere else. A value goes to the server once, however many places it has.
 */
export function prepare<V extends object, T>(write: (places: V) => Statement<T>): Prepared<V, T> {
  let written: { compiled: CompiledQuery<T>; keys: (keyof V)[] } | undefined

  const writeOnce = (db: Db) => {
    const keyOf = new Map<unknown, keyof V>()
    const places = new Proxy({} as V, {
      get(_, key) {
        const place = {}
        keyOf.set(place, key as keyof V)
        return place
      },
    })
    const { sql: text, parameters, ...rest } = write(places).compile(db)
    const keys: (keyof V)[] = []
    const once = text.replaceAll(/\$(\d+)/g, (_, number) => {
      const key = keyOf.get(parameters[Number(number) - 1])
      if (key === undefined) throw new Error('A prepared statement has a value that is not given to it.')
      if (!keys.includes(key)) keys.push(key)
      return `$${keys.indexOf(key) + 1}`
    })
    return { compiled: named<T>({ ...rest, sql: once, parameters: [] }), keys }
  }

  const compile = (db: Db, values: V): CompiledQuery<T> => {
    written ??= writeOnce(db)
    const { compiled, keys } = written
    return { ...compiled, parameters: keys.map((key) => values[key]) }
  }
  return Object.assign(async (db: Db, values: V) => send<T>(db, compile(db, values)), {
    of: (values: V): Question<T[]> => ({
      statements: [{ compile: (db) => compile(db, values) }],
      read: ([rows]) => rows as T[],
    }),
  })
}

/** One of some numbers, however many: a list in the statement's text would make it another one for each length. */
export const anyOf = (ids: readonly number[]) => sql<number>`any(${ids}::int[])`

/** The driver's error where `query_timeout` is over. */
const timedOut = 'Query read timeout'

/** Connections that carry out several prepared statements in one trip. */
const batching = new WeakSet<pg.PoolClient>()

/**
 * Calls prepared statements in one trip. Returns undefined, and sends nothing, if the connection does not do that or has
 * not called all of them before.
 */
export function callTogether(
  client: pg.PoolClient,
  queries: readonly CompiledQuery[],
): Promise<Answer[]> | undefined {
  if (!batching.has(client)) return undefined
  const statements = queries.flatMap(({ sql: text, parameters }) => {
    const name = names.get(text)
    return name === undefined ? [] : { name, text, values: parameters }
  })
  if (statements.length < queries.length) return undefined
  const { promise, resolve, reject } = Promise.withResolvers<Answer[]>()
  const calls = PreparedCalls.of(client, statements, (error, answers) => {
    if (!error) return resolve(answers ?? [])
    reject(rejection(client, error))
  })
  if (!calls) return undefined
  client.query(calls)
  return promise
}

/** The error for the caller of a statement. */
function rejection(client: pg.PoolClient, error: Error): Error {
  if (error.message !== timedOut) return error
  // The connection still waits for its statement: nothing else may be asked on it.
  void client.end()
  return new DatabaseUnreachable()
}

/**
 * Has a connection send the statements of `runPrepared` and `prepare` under their names. For all others too the driver is
 * given what to call rather than asked for a promise: those of its own keep every query and its rows until the whole heap
 * is collected.
 */
export function namePrepared(
  client: pg.PoolClient,
  { without, isPooled }: { without: readonly Internal[]; isPooled: boolean },
): void {
  const isPublic = without.includes('prepared-calls')
  if (!isPublic && !isPooled) batching.add(client)
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const naming = (first: unknown, values?: unknown, ...rest: unknown[]) => {
    if (typeof first !== 'string' || typeof values === 'function' || rest.length > 0) {
      return query(first, values, ...rest)
    }
    return new Promise<Answer>((resolve, reject) => {
      const callback = (error: Error | undefined, answer?: unknown) => {
        if (!error) return resolve(answer as Answer)
        reject(rejection(client, error))
      }
      // The next transaction may have a session of the server that has not heard of the name.
      const name = isPooled ? undefined : names.get(first)
      const given = (values ?? []) as unknown[]
      if (name === undefined) query(new pg.Query(first, given, callback))
      else if (isPublic) query(new pg.Query({ name, text: first, values: given }, callback))
      else query(new PreparedCall(client, { name, text: first, values: given }, callback))
    })
  }
  client.query = naming as typeof client.query
}
