import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Answer } from '../library-internals/prepared-call.ts'
import { batchOf, toBatch } from './batch.ts'
import { dialectOf } from './dialect.ts'
import { callTogether, isPrepared, prepareText } from './prepared.ts'

/**
 * Kysely on a pool of connections to a server. It differs from Kysely's own in its trips: a transaction begins with its
 * first statement, `toBatch` sends several at once, and some go with the commit.
 */
export const serverDialect = (pool: pg.Pool): Dialect => dialectOf(() => serverDriver(pool))

const begin = prepareText('begin')
const commit = prepareText('commit')
const rollback = prepareText('rollback')

function serverDriver(pool: pg.Pool): Driver {
  return {
    async init() {},
    acquireConnection: async () => new ServerConnection(await pool.connect()),
    async beginTransaction(
      connection: ServerConnection,
      { isolationLevel, accessMode }: TransactionSettings,
    ) {
      if (isolationLevel || accessMode) throw new Error('A transaction has the usual isolation.')
      connection.begin()
    },
    commitTransaction: (connection: ServerConnection) => connection.commit(),
    rollbackTransaction: (connection: ServerConnection) => connection.rollback(),
    async releaseConnection(connection: ServerConnection) {
      connection.release()
    },
    destroy: () => pool.end(),
  }
}

class ServerConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  /** Sent with the first statement of a transaction. */
  #beginning: CompiledQuery | undefined
  /** Sent with its commit. */
  #withCommit: CompiledQuery[] = []
  #isLost = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  begin(): void {
    this.#beginning = begin
    this.#withCommit = []
  }

  async commit(): Promise<void> {
    const last = this.#withCommit
    this.#withCommit = []
    if (this.#beginning && last.length === 0) {
      this.#beginning = undefined
      return
    }
    // By `executeQuery`, so that it is logged like any other.
    const query = toBatch({ queries: [...last, commit], goesWithCommit: false })
    const { rows } = await this.executeQuery<{ command: string }>(last.length > 0 ? query : commit)
    // An aborted transaction is rolled back by its commit.
    if (rows.at(-1)?.command === 'ROLLBACK') throw new Error('The transaction had failed before its commit.')
  }

  async rollback(): Promise<void> {
    this.#withCommit = []
    if (this.#beginning) {
      this.#beginning = undefined
      return
    }
    try {
      await this.#call([rollback])
    } catch (error) {
      this.#isLost = true
      throw error
    }
  }

  release(): void {
    this.#client.release(this.#isLost)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const batch = batchOf(query)
    if (batch?.goesWithCommit) {
      this.#withCommit.push(...batch.queries)
      return { rows: [] }
    }
    if (batch) {
      const answers = await this.#call(batch.queries)
      return { rows: answers.map(({ rows, command }) => ({ rows, command })) as R[] }
    }
    const [answer] = await this.#call([query])
    if (!answer) throw new Error('A statement has no answer.')
    const { command, rowCount, rows } = answer
    if (command === 'ROLLBACK' || command === 'COMMIT') return { rows: [{ command }] as R[] }
    return {
      rows: (rows ?? []) as R[],
      ...(writing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    }
  }

  streamQuery(): never {
    throw new Error('A server is asked for all rows at once.')
  }

  /** The answers to statements, before which the transaction begins if it has not yet. */
  async #call(queries: readonly CompiledQuery[]): Promise<Answer[]> {
    const first = this.#beginning
    if (!first) return this.#callAll(queries)
    this.#beginning = undefined
    if (queries.every(isPrepared)) return (await this.#callAll([first, ...queries])).slice(1)
    await this.#callAll([first])
    return this.#callAll(queries)
  }

  async #callAll(queries: readonly CompiledQuery[]): Promise<Answer[]> {
    const answers: Answer[] = []
    try {
      const together = queries.length > 1 ? await callTogether(this.#client, queries) : undefined
      if (together) return together
      for (const { sql, parameters } of queries) {
        answers.push(await this.#client.query(sql, [...parameters]))
      }
      return answers
    } catch (error) {
      throw withCaller(error)
    }
  }
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The driver's own trace leads to its socket. */
function withCaller(error: unknown): unknown {
  if (error instanceof Error) {
    error.stack = `${error.stack}\n${new Error().stack?.split('\n').slice(2).join('\n')}`
  }
  return error
}
