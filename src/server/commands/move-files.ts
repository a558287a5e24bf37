// Copies the files in DATA_DIR to the bucket that S3_BUCKET names, and says how many. It may be broken off and run again: what
// is there already is left alone. Nothing is removed from the folder.
import '../production.ts'
import { createReadStream } from 'node:fs'
import { readConfig } from '../config.ts'
import { copyFiles } from './file-copying.ts'
import { localDirectory } from '../integrations/object-storage/local.ts'
import { s3Storage } from '../integrations/object-storage/s3.ts'
import { s3Of } from '../adapters/storage.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const options = s3Of(config)
  if (!options) throw new Error('S3_BUCKET is missing: it names where the files are copied to.')
  const target = s3Storage(options)
  const { copied, there } = await copyFiles(localDirectory(config.DATA_DIR), target, createReadStream)
  target.close()
  console.log(`${copied} files are copied; ${there} were there already.`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
