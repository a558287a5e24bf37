import { randomBytes } from 'node:crypto'
import { type Logger, sql } from 'kysely'
import { expect, inject } from 'vitest'
import { type Database, type Db, openServer } from '#server/db/connection.ts'
import type { Internal } from '#server/library-internals/internals.ts'
import { templateName } from './test-database.ts'

/**
 * A new database on the private cluster, with real concurrency. Its address and an open pool.
 * @throws Error that says what to install when there is no cluster
 */
export async function clusterDatabase(
  poolSize = 20,
  log?: Logger,
  without: readonly Internal[] = [],
): Promise<{ url: string; database: Database }> {
  const url = await createDatabase(`template ${templateName}`)
  return { url, database: openServer(url, poolSize, () => undefined, { log, without }) }
}

/** Resolves once a statement on the database waits for a lock. */
export async function untilOneWaits(db: Db): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  }
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
}

/** As `clusterDatabase`, with its files in a folder that PostgreSQL owns; `drop` takes them away again. */
export async function clusterDatabaseIn(
  directory: string,
): Promise<{ database: Database; drop(): Promise<void> }> {
  const space = newName('hearth_space')
  await onCluster(`create tablespace ${space} location '${directory}'`)
  const url = await createDatabase(`template ${templateName} tablespace ${space}`)
  const database = openServer(url, 10, () => undefined)
  return {
    database,
    async drop() {
      await onCluster(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
      await onCluster(`drop tablespace ${space}`)
    },
  }
}

/** A new database with nothing in it. Its address. */
export function emptyClusterDatabase(): Promise<string> {
  return createDatabase('template template0')
}

/** Other tests of this process may have modules of their own, so that counting would not do. */
const newName = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

async function createDatabase(from: string): Promise<string> {
  const name = newName('hearth')
  const url = await onCluster(`create database ${name} ${from}`)
  return url.replace(/postgres$/, name)
}

/** Has the cluster's owner carry out a statement. The address of its maintenance database. */
async function onCluster(statement: string): Promise<string> {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  const admin = openServer(cluster.url, 1, () => undefined, { limits: 'none' })
  if (admin.engine.kind === 'server') await admin.engine.pool.query(statement)
  await admin.close()
  return cluster.url
}
