import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSecrets } from '#server/secrets.ts'
import { clusterDatabase } from '#test/cluster-database.ts'

const command = fileURLToPath(new URL('rotate-keys.ts', import.meta.url))
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-rotate-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs the command. Returns its exit code and its words. */
function rotate(environment: Record<string, string>): Promise<{ code: number; words: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command],
      { env: { PATH: process.env.PATH, DATA_DIR: directory, ...environment } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, words: stdout + stderr }),
    )
  })
}

test('a key in the data folder is not exchanged beside a database that instances may be using', async () => {
  const { url, database } = await clusterDatabase(1)
  const { keyId } = openSecrets({ directory })
  const markers = () => database.db.selectFrom('installation').selectAll().orderBy('key').execute()
  const before = { file: readFileSync(join(directory, 'secret.key'), 'utf8'), markers: await markers() }
  const { code, words } = await rotate({ DATABASE_URL: url })
  expect(words).toContain('SECRET_KEY is missing.')
  expect(code).toBe(1)
  expect({
    file: readFileSync(join(directory, 'secret.key'), 'utf8'),
    markers: await markers(),
  }).toEqual(before)
  // With the key itself it goes on as an instance would.
  const kept = before.file.trim()
  const given = await rotate({ DATABASE_URL: url, SECRET_KEY: `${'A'.repeat(43)}=,${kept}` })
  expect(given).toMatchObject({ code: 0 })
  expect(given.words).toContain('0 values are sealed with the new key.')
  expect(given.words).not.toContain(kept)
  expect(openSecrets({ directory }).keyId).toBe(keyId)
  expect(readdirSync(directory)).toEqual(['secret.key'])
  await database.close()
})
