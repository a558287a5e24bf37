import { DatabaseSync } from 'node:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import {
  type Insertable,
  Kysely,
  type Logger,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import pg from 'pg'
import { watchConnections } from '../library-internals/connection-watch.ts'
import type { Internal } from '../library-internals/internals.ts'
import { pgliteDialect } from './pglite-dialect.ts'
import { namePrepared, sendStraight } from './prepared.ts'
import type { Schema } from './schema.gen.ts'
import { serverDialect } from './server-dialect.ts'
import { type TimeLimits, usualLimits } from './time-limits.ts'

/** A handle for reading and writing; inside a transaction it is the transaction. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

/** A row as it is read. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>
/** A row to insert into a table, without the columns that the inserting function sets itself. */
export type NewRow<T extends keyof Schema, Set extends keyof Schema[T] = never> = Omit<
  Insertable<Schema[T]>,
  Set
>
/** The columns of a row that a change sets. */
export type Patch<T extends keyof Schema> = Updateable<Schema[T]>

export type Database = {
  db: Db
  /** What the job queue needs beside it. */
  engine: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; pool: pg.Pool }
  /**
   * Takes what deleted rows of these tables have left behind out of the database's files. A server rewrites its files
   * and its journal by itself as it goes; the embedded one would not.
   */
  scrub(tables: readonly string[]): Promise<void>
  close(): Promise<void>
}

const extensions = { btree_gist, citext }

// Types that the two engines read differently by default: both give numbers for bigint and text for a date.
const int8 = 20
const date = 1082
const parsers = { [int8]: Number, [date]: (text: string) => text }

type EmbeddedOptions = {
  directory?: string
  template?: Blob
  log?: Logger | undefined
  without?: readonly Internal[]
}

/**
 * Opens the embedded database, in memory without `directory`; `template` is a dump that a new one starts from. `log` is
 * told of every statement.
 */
export async function openEmbedded(options: EmbeddedOptions = {}): Promise<Database> {
  const pglite = await PGlite.create({
    ...(options.directory ? { dataDir: options.directory } : {}),
    ...(options.template ? { loadDataDir: options.template } : {}),
    extensions,
    parsers,
  })
  const db = new Kysely<Schema>({
    dialect: pgliteDialect(pglite, options.without),
    ...(options.log ? { log: options.log } : {}),
  })
  return {
    db,
    engine: { kind: 'embedded', pglite },
    async scrub(tables) {
      for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(db)
      // The journal too: a new file, and those before it are removed rather than used again as they are.
      await sql`set wal_recycle = off`.execute(db)
      await sql`select pg_switch_wal()`.execute(db)
      await sql`checkpoint`.execute(db)
    },
    close: () => db.destroy(),
  }
}

export type ServerOptions = {
  /** Receives every statement. */
  log?: Logger | undefined
  /** `none` for long work such as migrations. */
  limits?: TimeLimits | 'none'
  /**
   * Whether a pooler shares the server's sessions out by transactions. Then nothing is prepared by name, and the limits
   * are the role's. With limits of `none` the address is the server's own, and the role's limits are lifted.
   */
  isPooled?: boolean
  without?: readonly Internal[]
  /** What `pg_stat_activity` calls the connections. */
  name?: string
}

/** How long a connection is waited for, be it a new one or one that is lent to others. */
const connecting = 4500

/**
 * Opens a pool on a PostgreSQL server. If the database goes silent, waiting statements fail within 4 seconds, also with
 * `limits` of `none`, unless this is `without` its watch.
 */
export function openServer(
  url: string,
  poolSize: number,
  onError: (error: Error) => void,
  { log, limits = usualLimits, isPooled = false, without = [], name = 'hearth' }: ServerOptions = {},
): Database {
  const config: pg.ClientConfig = {
    connectionString: url,
    fallback_application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: ownTypes(),
    ...(isPooled ? (limits === 'none' ? { options: liftedLimits } : {}) : limitsOf(limits)),
  }
  // The server ends a statement at its limit: one that goes on is not heard of any more.
  const timeoutMs = limits === 'none' ? undefined : limits.statement + 1000
  const watch = without.includes('connection-watch')
    ? undefined
    : watchConnections(config, timeoutMs, onError)
  const pool = new pg.Pool({
    ...config,
    ...(watch ? { Client: watch.Client } : timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
    max: poolSize,
    connectionTimeoutMillis: connecting,
    // Opening one, and planning on it what is prepared, takes longer than most of what is asked: they are kept.
    idleTimeoutMillis: 0,
  })
  watch?.follow(pool)
  // An idle connection that the server closes must not end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => {
    namePrepared(client, { without, isPooled })
    // Nor must one that is in use: its caller gets the error from the query that fails.
    client.on('error', () => undefined)
  })
  const db = new Kysely<Schema>({ dialect: serverDialect(pool), ...(log ? { log } : {}) })
  if (!log) sendStraight(db, pool)
  return {
    db,
    engine: { kind: 'server', pool },
    scrub: async () => undefined,
    async close() {
      await db.destroy()
      // Which ends the pool only if something was asked by way of Kysely.
      if (!pool.ending) await pool.end()
      watch?.stop()
    },
  }
}

/** The server keeps to them by itself, also when this process has stopped. */
const limitsOf = (limits: TimeLimits | 'none'): pg.ClientConfig =>
  limits === 'none'
    ? {}
    : {
        statement_timeout: limits.statement,
        lock_timeout: limits.lock,
        idle_in_transaction_session_timeout: limits.idleInTransaction,
      }

/** The driver sends no limit of 0. */
const liftedLimits = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** The driver's parsers with ours before them. */
function ownTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(int8, parsers[int8])
  types.setTypeParser(date, parsers[date])
  return types
}

/**
 * Locks the data folder for this process. The lock belongs to the open file, so the operating system releases it when
 * the process ends, also after a crash. Returns the function that unlocks the folder.
 * @throws Error with a message to show if another process holds the lock
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true })
  const lock = new DatabaseSync(join(directory, 'lock'))
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    lock.close()
    throw new Error(
      `The data in ${directory} is in use by another Hearth process. Stop it first, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  return () => lock.close()
}
