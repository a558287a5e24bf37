import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { days } from '#server/clock.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createReleaseFiles } from './release-files.ts'

let app: TestApp
const folders: string[] = []
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => {
  await app.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** An instance of a release with these files. */
function release(files: Record<string, string>, secrets = app.secrets) {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-release-'))
  folders.push(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return createReleaseFiles({ db: app.db, clock: app.clock, secrets, directory })
}
const text = (packed: Buffer | undefined) => packed && brotliDecompressSync(packed).toString()
const names = async () => {
  const rows = await app.db.selectFrom('release_files').select(['name', 'left_at']).orderBy('name').execute()
  return rows.map(({ name, left_at }) => [name, left_at?.toISOString() ?? null])
}

test('an instance sends the scripts and styles of a release before and of one after, as the build packed them', async () => {
  const packed = brotliCompressSync('packed by the build')
  const first = release({
    'dialog-1.js': 'one',
    'theme-1.css': 'body {}',
    'font-1.woff2': 'x',
    'big-1.js': 'big',
  })
  writeFileSync(join(folders[0] ?? '', 'big-1.js.br'), packed)
  const second = release({ 'dialog-2.js': 'two' })
  await first.keep()
  expect(await names()).toEqual([
    ['big-1.js', null],
    ['dialog-1.js', null],
    ['theme-1.css', null],
  ])
  await second.keep()
  expect(text(await second.find('dialog-1.js'))).toBe('one')
  expect(text(await second.find('theme-1.css'))).toBe('body {}')
  expect(await second.find('big-1.js')).toEqual(packed)
  // Asked for together, by an instance that has not read the names since.
  const found = await Promise.all(['dialog-2.js', 'dialog-2.js'].map((name) => first.find(name)))
  expect(found.map(text)).toEqual(['two', 'two'])
  expect(await second.find('font-1.woff2')).toBeUndefined()
})

test('files are deleted 30 days after another release was started, unless theirs came back', async () => {
  const [first, second] = [
    release({ 'a-1.js': '1', 'both.js': 'x' }),
    release({ 'a-2.js': '2', 'both.js': 'x' }),
  ]
  await first.keep()
  app.clock.advance(days(60))
  const switched = app.clock.now().toISOString()
  await second.keep()
  expect(await names()).toEqual([
    ['a-1.js', switched],
    ['a-2.js', null],
    ['both.js', null],
  ])
  app.clock.advance(days(29))
  await first.keep()
  await second.keep()
  const again = app.clock.now().toISOString()
  expect(await names()).toEqual([
    ['a-1.js', again],
    ['a-2.js', null],
    ['both.js', null],
  ])
  app.clock.advance(days(31))
  await second.keep()
  expect(await names(), 'an instance of the same release has nothing to write').toHaveLength(3)
  await release({ 'a-3.js': '3' }).keep()
  expect((await names()).map(([name]) => name)).toEqual(['a-2.js', 'a-3.js', 'both.js'])
})

test('instances that start at the same moment write down each file once', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`part-${index}.js`, `${index}`]),
  )
  await Promise.all([release(files), release(files), release(files)].map((each) => each.keep()))
  expect(await names()).toHaveLength(100)
})

test('what was changed in the database, or has a name that no build gives, is not sent', async () => {
  await release({ 'a-1.js': '1', 'b-1.js': '2' }).keep()
  await app.db
    .updateTable('release_files')
    .set({ sealed_body: brotliCompressSync('another script') })
    .where('name', '=', 'a-1.js')
    .execute()
  const other = release({ 'a-2.js': '2' })
  expect(await other.find('a-1.js')).toBeUndefined()
  expect(text(await other.find('b-1.js'))).toBe('2')
  const stranger = release({}, createSecrets([new Uint8Array(32).fill(9)]))
  expect(await stranger.find('b-1.js'), 'by another key').toBeUndefined()
  for (const name of ['', '../b-1.js', '%2e', 'b-1.js\0', `${'b'.repeat(100_000)}.js`, "b-1.js' or 'a"])
    expect(await other.find(name)).toBeUndefined()
})

test('names that are made up cost one look at the database in a second', async () => {
  const other = release({ 'a-1.js': '1' })
  let queries = 0
  const counted = createReleaseFiles({
    db: new Proxy(app.db, {
      get(target, key) {
        if (key === 'selectFrom') queries += 1
        const found: unknown = Reflect.get(target, key, target)
        return typeof found === 'function' ? (found.bind(target) as unknown) : found
      },
    }),
    clock: app.clock,
    secrets: app.secrets,
    directory: folders[0] ?? '',
  })
  await other.keep()
  await Promise.all(Array.from({ length: 50 }, (_, index) => counted.find(`made-up-${index}.js`)))
  await sleep(10)
  for (let index = 0; index < 50; index++) await counted.find(`again-${index}.js`)
  expect(queries).toBe(1)
})
