// Imports the postcodes of Great Britain from the ONS Postcode Directory, as its zip file or the CSV file in it. A running
// product reads them by itself; with an embedded database, stop it before.
import '../production.ts'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import { lockDataDirectory, openEmbedded, openServer } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { postcodesFile } from '../integrations/gazetteer/gazetteer.ts'
import { packPostcodes, readLines, versionOf } from '../integrations/gazetteer/onspd.ts'
import { noteImport } from './postcode-import.ts'

async function main([path]: string[]): Promise<void> {
  if (!path) throw new Error('Usage: npm run import-postcodes -- ONSPD_AUG_2026_UK.zip')
  const config = readConfig(process.env)
  const unlock = config.DATABASE_URL ? () => undefined : lockDataDirectory(config.DATA_DIR)
  const now = new Date()
  const version = versionOf(path) ?? now.toISOString().slice(0, 10)
  const { bytes, postcodes } = await packPostcodes(readLines(path), version)
  const file = join(config.DATA_DIR, postcodesFile)
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
  const database = config.DATABASE_URL
    ? openServer(config.DATABASE_ADMIN_URL ?? config.DATABASE_URL, 2, () => undefined, { limits: 'none' })
    : await openEmbedded({ directory: join(config.DATA_DIR, 'database') })
  await migrate(database.db)
  await noteImport(database.db, version, now)
  await database.close()
  unlock()
  console.log(`${postcodes} postcodes of ${version} are imported. Places are looked up within minutes.`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
