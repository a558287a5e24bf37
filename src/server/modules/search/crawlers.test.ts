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
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
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

  test('is read by an address so many times a minute, since each file is read from the database', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    for (let count = 0; count < 60; count++) {
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
