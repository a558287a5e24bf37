// Seals what the database holds with a new key. With SECRET_KEY, put the new key before the old ones, restart every
// instance, run this, and take the old ones away; without, it makes the new key itself, while the product is stopped.
import '../production.ts'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import { lockDataDirectory, openEmbedded, openServer } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { rotateKeys } from './key-rotation.ts'
import { addKeptKey, dropOldKeptKeys, openSecrets } from '../secrets.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const unlock = config.DATABASE_URL ? () => undefined : lockDataDirectory(config.DATA_DIR)
  const isKept = config.SECRET_KEY === undefined
  if (isKept) addKeptKey(config.DATA_DIR)
  const secrets = openSecrets({ configured: config.SECRET_KEY, directory: config.DATA_DIR })
  const database = config.DATABASE_URL
    ? openServer(config.DATABASE_ADMIN_URL ?? config.DATABASE_URL, 2, () => undefined, {
        limits: 'none',
        isPooled: config.DATABASE_PREPARED === 'off',
      })
    : await openEmbedded({ directory: join(config.DATA_DIR, 'database') })
  await migrate(database.db)
  const { sealed, codesLeft } = await rotateKeys(database.db, secrets)
  await database.close()
  console.log(`${sealed} values are sealed with the new key.`)
  if (codesLeft > 0) {
    console.log(
      `${codesLeft} recovery codes of admins need the old key: keep it until they have set up new ones, then run this again.`,
    )
  } else if (isKept) {
    dropOldKeptKeys(config.DATA_DIR)
  } else {
    console.log('The old keys can be taken out of SECRET_KEY.')
  }
  unlock()
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
