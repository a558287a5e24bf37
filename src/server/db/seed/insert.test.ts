import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localDirectory } from '#server/integrations/object-storage/local.ts'
import { systemRandom } from '#server/ids.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { generateDemoDirectory } from './demo.ts'
import { fillDatabase } from './fill.ts'
import { drawDocuments } from './insert-documents.ts'
import { demoPassword, fillDemo, fillReference } from './insert.ts'

describe('filling a new database', () => {
  let test: TestApp
  let directory: string
  beforeEach(async () => {
    test = await buildTestApp()
    await test.db.deleteFrom('installation').where('key', 'not in', ['reference', 'weekly-series']).execute()
    directory = mkdtempSync(join(tmpdir(), 'hearth-seed-'))
  })
  afterEach(async () => {
    await test.db.deleteFrom('installation').where('key', 'not in', ['reference', 'weekly-series']).execute()
    await test.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const options = () => ({
    db: test.db,
    clock: test.clock,
    random: systemRandom,
    secrets: createSecrets([randomBytes(32)]),
    dataDirectory: directory,
    search: test.services.search,
  })
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      test.db,
    )
    return rows[0]?.count
  }
  const signIn = async (path: string, email: string) =>
    (await test.call('POST', path, { body: { email, password: demoPassword } })).status

  it('gives a directory that can be searched, with portraits and accounts to sign in to', async () => {
    await fillDemo({ ...options(), count: 12 })
    const found = await test.call('GET', '/practitioner/get-practitioners?per_page=50')
    expect(found.body.meta?.total).toBe(12)
    const [key] = readdirSync(join(localDirectory(directory), 'portraits'))
    for (const size of [64, 256, 1024]) {
      const { width, height, format } = await sharp(
        join(join(localDirectory(directory), 'portraits'), String(key), `${size}.webp`),
      ).metadata()
      expect({ width, height, format }).toEqual({ width: size, height: size, format: 'webp' })
    }
    for (const card of found.body.data as unknown as { profile_image: { full: string | null } }[]) {
      const full = card.profile_image.full
      if (full) expect(existsSync(join(directory, full))).toBe(true)
    }
    expect(await signIn('/client/login', 'client@demo.test')).toBe(200)
    expect(await signIn('/therapist/login', 'therapist@demo.test')).toBe(200)
    expect(await signIn('/admin/login', 'admin@demo.test')).toBe(200)
    const others = await sql<{ email: string }>`
      select email from accounts where role = 'therapist' and password_hash is not null`.execute(test.db)
    expect(others.rows).toEqual([{ email: 'therapist@demo.test' }])
    expect(await count('practitioners')).toBe(25)
  })

  it('happens once, and counts on from the ids it gave', async () => {
    await fillDemo({ ...options(), count: 3 })
    await fillDemo({ ...options(), count: 3 })
    expect(await count('practitioners')).toBe(16)
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('practitioners', 'id')) as id`.execute(test.db)
    expect(rows[0]?.id).toBe(17)
  })

  it('goes on where it was broken off, with nothing written by halves', async () => {
    const broken = { rebuild: () => Promise.reject(new Error('The power went out.')) }
    await expect(fillDemo({ ...options(), search: broken, count: 3 })).rejects.toThrow('The power went out.')
    expect(await count('practitioners')).toBe(0)
    expect(await count('accounts')).toBe(0)
    const drawn = readdirSync(join(localDirectory(directory), 'portraits')).length
    expect(drawn).toBeGreaterThan(0)
    await fillDemo({ ...options(), count: 3 })
    expect(await count('practitioners')).toBe(16)
    expect(readdirSync(join(localDirectory(directory), 'portraits'))).toHaveLength(drawn)
  })

  it('draws documents that other instances draw into the same folder at once', async () => {
    const { unlisted } = generateDemoDirectory({ count: 1, seed: 1, today: '2026-06-01' })
    const folder = localDirectory(directory)
    await Promise.all(Array.from({ length: 4 }, () => drawDocuments(unlisted, folder)))
    const drawn = readdirSync(join(folder, 'documents'))
    expect(drawn.length).toBe(2 * unlisted.filter(({ state }) => state === 'submitted').length)
    expect(drawn.filter((name) => !/^[0-9a-f]{24}\.jpg$/.test(name))).toEqual([])
  })

  it('keeps to what was chosen at the first start', async () => {
    const said: string[] = []
    const say = (sentence: string) => void said.push(sentence)
    await fillDatabase({ ...options(), seed: 'reference', say })
    await fillDatabase({ ...options(), seed: 'demo', say })
    expect(await count('practitioners')).toBe(0)
    // Nothing is filled in, and no practitioner can be listed yet.
    const sentence = 'No admin was made: ADMIN_EMAIL and ADMIN_PASSWORD are not set.'
    expect(said).toEqual([sentence, sentence])
  })

  it('makes the first admin of a database without demo data, and only the first', async () => {
    const say = () => undefined
    const admin = { email: 'first@example.test', password: demoPassword }
    await fillDatabase({ ...options(), seed: 'reference', say, admin })
    await fillDatabase({
      ...options(),
      seed: 'reference',
      say,
      admin: { ...admin, email: 'second@example.test' },
    })
    expect(await signIn('/admin/login', 'first@example.test')).toBe(200)
    expect(await signIn('/admin/login', 'second@example.test')).toBe(401)
  })

  it.each([
    ['ADMIN_EMAIL', { email: 'first@example.test' }, 'ADMIN_PASSWORD'],
    ['ADMIN_PASSWORD', { password: demoPassword }, 'ADMIN_EMAIL'],
  ])('says that %s alone makes no admin', async (given, admin, lacking) => {
    const sentence = `No admin was made: ${given} needs ${lacking} beside it.`
    const said: string[] = []
    const say = (each: string) => void said.push(each)
    await fillDatabase({ ...options(), seed: 'reference', say, admin })
    expect(said).toEqual([sentence])
    expect(await count('accounts')).toBe(0)
    // Once there is one, its password need not stay in the environment.
    const whole = { email: 'first@example.test', password: demoPassword }
    await fillDatabase({ ...options(), seed: 'reference', say, admin: whole })
    await fillDatabase({ ...options(), seed: 'reference', say, admin })
    expect(said).toEqual([sentence])
    expect(await count('accounts')).toBe(1)
  })

  it('brings reference data up to date where it has changed', async () => {
    await test.db.updateTable('installation').set({ value: 'older' }).where('key', '=', 'reference').execute()
    await test.db.updateTable('issues').set({ description: 'Older words.' }).where('id', '=', 1).execute()
    await fillReference(test.db)
    const issue = await test.db
      .selectFrom('issues')
      .select('description')
      .where('id', '=', 1)
      .executeTakeFirst()
    expect(issue?.description).toContain('Worry')
  })
})
