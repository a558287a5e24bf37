import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { type EmbeddedStatements, embeddedStatements } from '../library-internals/embedded-statements.ts'
import type { Internal } from '../library-internals/internals.ts'
import { batchOf } from './batch.ts'
import { dialectOf } from './dialect.ts'

/**
 * Kysely on the embedded database. Kysely's own dialect shares one connection object among all callers, so a query
 * beside an open transaction would run inside it; here every caller has its own and waits for PGlite's lock instead.
 * The price: a query on the outer handle from inside a transaction waits for ever, so a transaction passes `tx` on.
 */
export function pgliteDialect(pglite: PGlite, without: readonly Internal[] = []): Dialect {
  const statements = without.includes('embedded-statements') ? undefined : embeddedStatements(pglite)
  return dialectOf(() => pgliteDriver(pglite, statements))
}

type Connection = DatabaseConnection & { open?: OpenTransaction | undefined }
type OpenTransaction = {
  tx: PGliteTransaction
  finish: (how: 'commit' | 'rollback') => void
  ended: Promise<void>
}

const rolledBack = new Error('rolled back')

function pgliteDriver(pglite: PGlite, statements: EmbeddedStatements | undefined): Driver {
  return {
    async init() {
      await pglite.waitReady
    },
    async acquireConnection() {
      return connect(pglite, statements)
    },
    async beginTransaction(connection: Connection) {
      const begun = Promise.withResolvers<PGliteTransaction>()
      const finished = Promise.withResolvers<'commit' | 'rollback'>()
      const ended = pglite
        .transaction(async (tx) => {
          begun.resolve(tx)
          if ((await finished.promise) === 'rollback') throw rolledBack
        })
        .catch((error: unknown) => {
          begun.reject(error)
          if (error !== rolledBack) throw error
        })
      // A failure reaches the caller through `ended` or `begun`, so it is never an unhandled rejection.
      ended.catch(() => undefined)
      connection.open = { tx: await begun.promise, finish: finished.resolve, ended }
    },
    async commitTransaction(connection: Connection) {
      await end(connection, 'commit')
    },
    async rollbackTransaction(connection: Connection) {
      await end(connection, 'rollback')
    },
    async releaseConnection() {},
    async destroy() {
      if (!pglite.closed) await pglite.close()
    },
  }
}

async function end(connection: Connection, how: 'commit' | 'rollback'): Promise<void> {
  const open = connection.open
  connection.open = undefined
  if (!open) return
  open.finish(how)
  await open.ended
}

function connect(pglite: PGlite, statements: EmbeddedStatements | undefined): Connection {
  const exec = async (target: PGlite | PGliteTransaction, text: string) => {
    await statements?.notice(text)
    return (await target.exec(text)).at(-1)
  }
  const connection: Connection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const batch = batchOf(query)
      if (batch) {
        // Every trip is short here.
        const answers: { rows: unknown[] }[] = []
        for (const each of batch.queries) answers.push(await connection.executeQuery(each))
        return { rows: answers.map(({ rows }) => ({ rows })) as R[] }
      }
      const target = connection.open?.tx ?? pglite
      // Several statements in one text, as migrations have them, only pass without parameters.
      const result = await (query.parameters.length === 0
        ? exec(target, query.sql)
        : (statements?.query(query.sql, query.parameters, connection.open !== undefined) ??
          target.query(query.sql, [...query.parameters])))
      return {
        rows: (result?.rows ?? []) as R[],
        ...(result?.affectedRows == null ? {} : { numAffectedRows: BigInt(result.affectedRows) }),
      }
    },
    streamQuery() {
      throw new Error('The embedded database does not stream.')
    },
  }
  return connection
}
