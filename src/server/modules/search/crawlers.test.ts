import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createPractitioner } from '#test/factories.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp({ profilesPerSitemap: 2 })
})
afterEach(async () => app.close())

const read = async (path: string) => {
  const answer = await fetch(app.origin + path)
  const { status, headers } = answer
  const [type, cached] = [headers.get('content-type'), headers.get('cache-control')]
  return { status, type, cached, text: await answer.text() }
}
const locations = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)

describe('the sitemap', () => {
  test('names every listed profile once, in files of limited length, by the public address', async () => {
    const people = []
    for (let count = 0; count < 5; count++) people.push(await createPractitioner(app))
    await createPractitioner(app, { state: 'submitted' })
    await createPractitioner(app, { subscribedUntil: null })
    await app.services.search.rebuild(app.db)

    const index = await read('/sitemap.xml')
    expect(index.type).toContain('application/xml')
    const files = locations(index.text)
    expect(files).toHaveLength(1 + 3)
    expect(files.every((file) => file.startsWith('http://hearth.test/sitemap/'))).toBe(true)
    const named = []
    for (const file of files.slice(1)) {
      const { text, type } = await read(new URL(file).pathname)
      expect(type).toContain('application/xml')
      expect(locations(text).length).toBeLessThanOrEqual(2)
      expect(text.match(/<lastmod>\d{4}-\d\d-\d\dT/g)).toHaveLength(locations(text).length)
      named.push(...locations(text))
    }
    expect(named).toEqual(
      people.map(({ id }) => `http://hearth.test/recommended-therapist?practitionerId=${id}`),
    )
    const pages = locations((await read('/sitemap/pages.xml')).text)
    expect(pages).toContain('http://hearth.test/')
    expect(pages).toContain('http://hearth.test/frequently-asked-questions')
  })

  test('the sitemap drops a suspended practitioner by the next request', async () => {
    const practitioner = await createPractitioner(app)
    await app.services.search.rebuild(app.db)
    expect((await read(`/sitemap/profiles-${practitioner.id}.xml`)).status).toBe(200)
    await inTransaction(app.db, async (tx) => {
      await app.services.practitioners.suspend(tx, practitioner.id, {
        reason: 'Checked anew',
        cause: 'other',
        sessions: 'freeze',
      })
    })
    expect((await read(`/sitemap/profiles-${practitioner.id}.xml`)).status).toBe(404)
    expect(locations((await read('/sitemap.xml')).text)).toHaveLength(1)
  })

  test('is built once in ten minutes, and anew when a practitioner in it changes', async () => {
    const [first, second, third, fourth] = [
      await createPractitioner(app),
      await createPractitioner(app),
      await createPractitioner(app),
      await createPractitioner(app),
    ]
    await app.services.search.rebuild(app.db)
    const files = ['/sitemap.xml', `/sitemap/profiles-${first.id}.xml`, `/sitemap/profiles-${third.id}.xml`]
    const sizes = async () => {
      const answers = await Promise.all(files.map(read))
      expect(answers.map(({ cached }) => cached)).toEqual(Array(3).fill('public, max-age=60'))
      return answers.map(({ text }) => locations(text).length)
    }
    expect(await sizes()).toEqual([3, 2, 2])
    // Behind the product's back.
    await app.db
      .deleteFrom('practitioner_search')
      .where('practitioner_id', 'in', [second.id, fourth.id])
      .execute()
    expect(await sizes()).toEqual([3, 2, 2])
    await inTransaction(app.db, (tx) =>
      app.services.practitioners.suspend(tx, fourth.id, {
        reason: 'Checked anew',
        cause: 'other',
        sessions: 'freeze',
      }),
    )
    expect(await sizes()).toEqual([2, 2, 1])
    app.clock.advance(minutes(10))
    expect(await sizes()).toEqual([2, 2, 1])
    expect((await read(files[1] ?? '')).text).toContain(`practitionerId=${third.id}<`)
  })

  test('a file of 5,000 profiles is the longest that is built', async () => {
    await app.close()
    app = await buildTestApp()
    await createPractitioner(app)
    await app.services.search.rebuild(app.db)
    await app.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const table of ['practitioners', 'practitioner_search']) {
        const key = table === 'practitioners' ? 'id' : 'practitioner_id'
        await sql`
          insert into ${sql.table(table)} overriding system value select (jsonb_populate_record(p, jsonb_build_object(
            ${key}::text, 100000 + n, 'account_id', gen_random_uuid(), 'slug', n))).*
          from ${sql.table(table)} p, generate_series(1, 5000) n`.execute(tx)
      }
    })
    const [, ...files] = locations((await read('/sitemap.xml')).text)
    const sizes = await Promise.all(
      files.slice(1).map(async (file) => locations((await read(new URL(file).pathname)).text).length),
    )
    expect(sizes).toEqual([1])
  })

  test('is read by an address 30 times a minute', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    for (let count = 0; count < 15; count++) {
      expect((await read('/sitemap.xml')).status).toBe(200)
      expect((await read('/sitemap/profiles-1.xml')).status).toBe(404)
    }
    for (const path of ['/sitemap.xml', '/sitemap/profiles-1.xml']) {
      const refused = await fetch(app.origin + path)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused.json()).toMatchObject({ code: 'too_many_requests' })
    }
    expect((await read('/sitemap/pages.xml')).status).toBe(200)
    app.clock.advance(minutes(2))
    expect((await read('/sitemap.xml')).status).toBe(200)
  })

  test.each(['/sitemap/profiles-0.xml', '/sitemap/profiles-x.xml', '/sitemap/profiles-99999999999.xml'])(
    'has no file %s',
    async (path) => {
      expect((await read(path)).status).toBe(404)
    },
  )
})

test('robots.txt names the sitemap and keeps crawlers out of what is private', async () => {
  const { text, type } = await read('/robots.txt')
  expect(type).toContain('text/plain')
  expect(text).toContain('Sitemap: http://hearth.test/sitemap.xml')
  for (const path of ['/api/', '/admin', '/account', '/therapist/'])
    expect(text).toContain(`Disallow: ${path}\n`)
  expect(text).not.toContain('Disallow: /\n')
})

test('the offline page is fetched anew when it has changed', () => {
  const folder = fileURLToPath(new URL('../../../web/public/', import.meta.url))
  const digest = createHash('sha256')
    .update(readFileSync(`${folder}offline.html`))
    .digest('hex')
    .slice(0, 8)
  expect(readFileSync(`${folder}service-worker.js`, 'utf8')).toContain(`'offline-${digest}'`)
})
