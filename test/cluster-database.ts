import type { Logger } from 'kysely'
import { inject } from 'vitest'
import { type Database, openServer } from '#server/db/connection.ts'
import { templateName } from './test-database.ts'

let copies = 0

/**
 * A new database on the private cluster, with real concurrency. Its address and an open pool.
 * @throws Error that says what to install when there is no cluster
 */
export async function clusterDatabase(
  poolSize = 20,
  log?: Logger,
): Promise<{ url: string; database: Database }> {
  const url = await createDatabase(`template ${templateName}`)
  return { url, database: openServer(url, poolSize, () => undefined, log) }
}

/** A new database with nothing in it. Its address. */
export function emptyClusterDatabase(): Promise<string> {
  return createDatabase('template template0')
}

async function createDatabase(from: string): Promise<string> {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  const name = `hearth_${process.pid}_${++copies}`
  const admin = openServer(cluster.url, 1, () => undefined)
  if (admin.engine.kind === 'server') await admin.engine.pool.query(`create database ${name} ${from}`)
  await admin.close()
  return cluster.url.replace(/postgres$/, name)
}
