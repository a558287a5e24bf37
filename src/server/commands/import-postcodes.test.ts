import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterDatabase } from '#test/cluster-database.ts'

const command = fileURLToPath(new URL('import-postcodes.ts', import.meta.url))
const csv = 'pcds,doterm,lat,long\nYO1 7HH,,53.962213,-1.082097\nLS6 2AB,,53.818712,-1.569987\n'
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-import-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('an import writes its file into a folder that is not there yet, and a wrong file changes nothing', async () => {
  const { url, database } = await clusterDatabase(1)
  const data = join(directory, 'data')
  const run = (path: string) =>
    new Promise<{ code: number | null; words: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATA_DIR: data, DATABASE_URL: url }
      const child = execFile(process.execPath, [command, path], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, words: stdout + stderr }),
      )
    })
  const version = async () =>
    (
      await database.db
        .selectFrom('installation')
        .select('value')
        .where('key', '=', 'postcodes_version')
        .executeTakeFirst()
    )?.value
  const path = join(directory, 'ONSPD_AUG_2026_UK.csv')
  writeFileSync(path, csv)
  for (let time = 0; time < 2; time++) {
    const { code, words } = await run(path)
    expect(words).toContain('2 postcodes of AUG_2026 are imported.')
    expect(code).toBe(0)
  }
  expect(readdirSync(data)).toEqual(['postcodes.bin'])
  const before = readFileSync(join(data, 'postcodes.bin'))

  const other = join(directory, 'ONSPD_NOV_2026_UK.csv')
  writeFileSync(other, 'postcode,lat,long\nLS6 2AB,53.8,-1.5\n')
  expect(await run(other)).toEqual({ code: 1, words: 'This file has no column pcds, doterm.\n' })
  writeFileSync(other, csv.replace(',-1.569987\n', ''))
  expect(await run(other)).toEqual({
    code: 1,
    words: 'This file ends in the middle of a line. Please fetch it again.\n',
  })
  expect(readdirSync(data)).toEqual(['postcodes.bin'])
  expect(readFileSync(join(data, 'postcodes.bin')).equals(before)).toBe(true)
  expect(await version()).toBe('AUG_2026')
  await database.close()
})
