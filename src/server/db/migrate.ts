import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Db } from './connection.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the tables up to date, under a lock that lets several instances start at once.
 * @returns the names of the migrations carried out, oldest first.
 */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    // Two changes made side by side may land in the other order.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

async function readMigrations() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Object.fromEntries(
    await Promise.all(
      files.map(async (name) => {
        const text = await readFile(new URL(name, folder), 'utf8')
        return [
          name.replace(/\.sql$/, ''),
          { up: async (db: Kysely) => void (await sql.raw(text).execute(db)) },
        ]
      }),
    ),
  )
}

type Kysely = Parameters<ReturnType<typeof sql>['execute']>[0]
