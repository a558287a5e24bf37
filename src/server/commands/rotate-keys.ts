// Seals what the database holds with a new key. With SECRET_KEY, put the new key before the old ones, restart every
// instance, run this, and take the old ones away; without, it makes the new key itself, while the product is stopped.
import '../production.ts'
import { commandConfig, runCommand, withDatabase } from './command.ts'
import { migrate } from '../db/migrate.ts'
import { rotateKeys } from './key-rotation.ts'
import { addKeptKey, dropOldKeptKeys, openSecrets } from '../secrets.ts'

const usage = [
  'SECRET_KEY is missing. Set it to a new key (openssl rand -base64 32), a comma and the key in DATA_DIR/secret.key,',
  'restart every instance with it, and run this again. Nothing was changed.',
].join(' ')

async function main(): Promise<void> {
  const config = commandConfig()
  const isKept = config.SECRET_KEY === undefined
  // The folder of an embedded database is locked. Beside a server's, an instance that runs would go on with the old key.
  if (isKept && config.DATABASE_URL) throw new Error(usage)
  const { sealed, codesLeft } = await withDatabase(config, { asOwner: true }, async (db) => {
    if (isKept) addKeptKey(config.DATA_DIR)
    const secrets = openSecrets({ configured: config.SECRET_KEY, directory: config.DATA_DIR })
    await migrate(db)
    const rotated = await rotateKeys(db, secrets)
    if (isKept && rotated.codesLeft === 0) dropOldKeptKeys(config.DATA_DIR)
    return rotated
  })
  console.log(`${sealed} values are sealed with the new key.`)
  if (codesLeft > 0) {
    console.log(
      `${codesLeft} recovery codes of admins need the old key: keep it until they have set up new ones, then run this again.`,
    )
  } else if (!isKept) {
    console.log('The old keys can be taken out of SECRET_KEY.')
  }
}

runCommand(main)
