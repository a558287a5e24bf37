import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { type Db, lockDataDirectory, openEmbedded, openServer } from '../db/connection.ts'

/** The configuration of a command. It opens no port: what a product that others can reach refuses does not concern it. */
export const commandConfig = (): Config => readConfig({ ...process.env, ALLOW_DEMO: '1' })

/** Runs a command. An error ends it with 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => endWith(1, error))
}

/** Prints the message of an error and ends the process. */
export function endWith(code: number, error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(code)
}

/** Works on the database that is configured, without limits as its owner. An embedded one is locked meanwhile. */
export async function withDatabase<T>(
  config: Config,
  { asOwner }: { asOwner: boolean },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const owner = asOwner ? config.DATABASE_ADMIN_URL : undefined
  const url = config.DATABASE_URL && (owner ?? config.DATABASE_URL)
  const unlock = url ? () => undefined : lockDataDirectory(config.DATA_DIR)
  const database = url
    ? openServer(url, 2, () => undefined, {
        ...(asOwner ? { limits: 'none' as const } : {}),
        isPooled: config.DATABASE_PREPARED === 'off',
      })
    : await openEmbedded({ directory: join(config.DATA_DIR, 'database') })
  try {
    return await work(database.db)
  } finally {
    await database.close()
    unlock()
  }
}
