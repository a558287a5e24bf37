// Imports the postcodes of Great Britain from the ONS Postcode Directory, as its zip file or the CSV file in it. A running
// product reads them by itself; with an embedded database, stop it before.
import '../production.ts'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandConfig, runCommand, withDatabase } from './command.ts'
import { migrate } from '../db/migrate.ts'
import { postcodesFile } from '../integrations/gazetteer/gazetteer.ts'
import { packPostcodes, readLines, versionOf } from '../integrations/gazetteer/onspd.ts'
import { noteImport } from './postcode-import.ts'

async function main([path]: string[]): Promise<void> {
  if (!path) throw new Error('Usage: npm run import-postcodes -- ONSPD_AUG_2026_UK.zip')
  const config = commandConfig()
  const now = new Date()
  const version = versionOf(path) ?? now.toISOString().slice(0, 10)
  const postcodes = await withDatabase(config, { asOwner: true }, async (db) => {
    // Before the file changes under a running product: the role may not be the one that migrates.
    await migrate(db)
    const packed = await packPostcodes(readLines(path), version)
    const file = join(config.DATA_DIR, postcodesFile)
    // Beside a database server, the product may not have made it yet.
    mkdirSync(config.DATA_DIR, { recursive: true })
    writeFileSync(`${file}.new`, packed.bytes)
    renameSync(`${file}.new`, file)
    await noteImport(db, version, now)
    return packed.postcodes
  })
  console.log(`${postcodes} postcodes of ${version} are imported. Places are looked up within minutes.`)
}

runCommand(() => main(process.argv.slice(2)))
