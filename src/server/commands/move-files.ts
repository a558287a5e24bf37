// Copies the files in DATA_DIR to the bucket that S3_BUCKET names, and prints how many. It may be interrupted and run
// again: files that the bucket has already are skipped. Nothing is removed from the folder.
import '../production.ts'
import { createReadStream } from 'node:fs'
import { commandConfig, runCommand } from './command.ts'
import { copyFiles } from './file-copying.ts'
import { localDirectory } from '../integrations/object-storage/local.ts'
import { s3Storage } from '../integrations/object-storage/s3.ts'
import { s3Of } from '../adapters/storage.ts'

async function main(): Promise<void> {
  const config = commandConfig()
  const options = s3Of(config)
  if (!options) throw new Error('S3_BUCKET is missing: it names where the files are copied to.')
  const target = s3Storage(options)
  const { copied, there } = await copyFiles(localDirectory(config.DATA_DIR), target, createReadStream)
  target.close()
  console.log(`${copied} files are copied; ${there} were there already.`)
}

runCommand(main)
