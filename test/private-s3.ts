import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { S3Options } from '#server/integrations/object-storage/s3.ts'

export type PrivateS3 = {
  options: S3Options & { endpoint: string }
  /** Where its objects lie, below the bucket's name. */
  directory: string
  /** Has the next requests answered with 503. */
  fail(times: number): Promise<void>
  /** Takes rights such as `s3:ListBucket` away from the key, and gives all others. */
  withhold(...rights: string[]): Promise<void>
  /** Sets its clock so many seconds ahead. */
  setAhead(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a store of its own that speaks S3, in another process. */
export async function startS3(): Promise<PrivateS3> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-s3-'))
  const options = {
    region: 'eu-west-2',
    bucket: 'files',
    accessKeyId: 'the-key',
    secretAccessKey: 'a secret',
  }
  const program = fileURLToPath(new URL('./s3-server.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [program, directory, options.accessKeyId, options.secretAccessKey, options.region],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  const port = first.toString().trim()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    options: { ...options, endpoint },
    directory,
    async fail(times) {
      await fetch(`${endpoint}/_/fail?times=${times}`, { method: 'POST' })
    },
    async withhold(...rights) {
      await fetch(`${endpoint}/_/rights?without=${rights.join(',')}`, { method: 'POST' })
    },
    async setAhead(seconds) {
      await fetch(`${endpoint}/_/clock?ahead=${seconds}`, { method: 'POST' })
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
