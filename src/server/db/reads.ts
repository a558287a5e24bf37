import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult, sql } from 'kysely'
import { seconds } from '../clock.ts'
import type { Database, Db } from './connection.ts'
import { dialectOf } from './dialect.ts'
import { createReplicaAge } from './replica-age.ts'
import type { Schema } from './schema.gen.ts'
import { sqlState } from './transaction.ts'
import { isServerAway } from './unreachable.ts'

/** Reading what may be a moment old, from a replica where there is one. */
export type Reads = {
  /**
   * Each statement goes to the replica, or to the primary while the replica is away or behind. Without transactions: see
   * `whole`.
   */
  db: Db
  /** `db`, but the primary if this instance knows one of these practitioners to have changed moments ago. */
  about(practitionerIds: readonly number[]): Db
  /** Notes that a practitioner has changed. Called after the commit. */
  changed(practitionerId: number): void
  /**
   * Runs reading work of several statements on one server. If the replica fails meanwhile, runs it once more on the
   * primary.
   */
  whole<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Undefined without a replica. The age is in seconds, infinite while it is unknown. */
  figures(): { age: number; replica: number; primary: number } | undefined
  close(): Promise<void>
}

type Options = {
  primary: Database
  replica: Database | undefined
  /** How old what is read may be, in milliseconds. */
  maxAge: number
  /** How often the replica's age is measured, in milliseconds. */
  lookEvery?: number
  log: { warn(sentence: string): void; info(sentence: string): void }
}

/** How long the replica is given to replay what the primary has just written, before it is asked. */
const replayTime = 50

export function createReads({ primary, replica, maxAge, log, lookEvery = seconds(0.5) }: Options): Reads {
  if (!replica) {
    return {
      db: primary.db,
      about: () => primary.db,
      changed: () => undefined,
      whole: (work) => work(primary.db),
      figures: () => undefined,
      close: async () => undefined,
    }
  }
  const age = createReplicaAge()
  const changedAt = new Map<number, number>()
  const read = { replica: 0, primary: 0 }
  let isUsed: boolean | undefined
  let isClosed = false

  const isFresh = () => age.age(performance.now()) <= maxAge

  /** Logs a change, once. */
  const note = () => {
    const isGood = isFresh()
    if (isGood === isUsed || isClosed) return
    isUsed = isGood
    if (isGood) log.info('The replica is up to date: it is read from.')
    else log.warn('The replica is away or behind: everything is read from the primary.')
  }

  const look = async () => {
    try {
      const at = performance.now()
      const ahead = await positionOf(primary, 'pg_current_wal_insert_lsn()')
      age.notePrimary({ at, position: ahead })
      await sleep(replayTime)
      age.noteReplica(await positionOf(replica, 'pg_last_wal_replay_lsn()'))
    } catch {
      // What is known grows old by itself, and the replica is passed over from then on.
    }
    note()
    const now = performance.now()
    for (const [id, when] of changedAt) if (now - when > maxAge) changedAt.delete(id)
  }
  let looking: Promise<void> | undefined
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const first = lookOnce()
  const timer = setInterval(() => void lookOnce(), lookEvery).unref()

  const reading = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    if (isFresh()) {
      try {
        const result = await work(replica.db)
        read.replica += 1
        return result
      } catch (error) {
        if (!isServerAway(error) && !ended.has(sqlState(error) ?? '')) throw error
        age.forget()
        note()
      }
    }
    read.primary += 1
    return work(primary.db)
  }

  const db = new Kysely<Schema>({
    dialect: dialectOf(() => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: refuseTransaction,
      commitTransaction: refuseTransaction,
      rollbackTransaction: refuseTransaction,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    })),
  })
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      reading((handle) => handle.executeQuery(query as CompiledQuery<R>)),
    streamQuery() {
      throw new Error('What may come from a replica is not read in a stream.')
    },
  }

  return {
    db,
    about(practitionerIds) {
      const now = performance.now()
      const isRecent = (id: number) => now - (changedAt.get(id) ?? Number.NEGATIVE_INFINITY) <= maxAge
      return practitionerIds.some(isRecent) ? primary.db : db
    },
    changed: (practitionerId) => void changedAt.set(practitionerId, performance.now()),
    async whole(work) {
      await first
      return reading(work)
    },
    figures: () => ({ age: age.age(performance.now()) / 1000, ...read }),
    async close() {
      isClosed = true
      clearInterval(timer)
      await looking
      await replica.close()
    },
  }
}

/** A position in the journal, in bytes. @throws Error where the function is not of this kind of server */
async function positionOf({ db }: Database, of: string): Promise<number> {
  const { rows } = await sql<{ position: number | null }>`
    select (${sql.raw(of)} - '0/0'::pg_lsn)::float8 as position
    where pg_is_in_recovery() = ${of === 'pg_last_wal_replay_lsn()'}`.execute(db)
  const position = rows[0]?.position
  if (position === undefined || position === null) throw new Error('This server has another part.')
  return position
}

async function refuseTransaction(): Promise<never> {
  throw new Error('What may come from a replica is read without a transaction.')
}

/** A replica ends a read with one of these so that it can go on replaying. */
const ended = new Set(['40001', '40P01'])
