import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { buildDirectory, buildWebIfNeeded } from '#server/web-build.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bookSession, createAdmin, createClient, createPractitioner } from '#test/factories.ts'
import { countScripts } from '../../../bench/weights.ts'
import { createReleaseFiles } from './release-files.ts'
import { scriptMark, sourceOf } from './page-body.ts'

const web = { mode: 'production', buildDirectory } as const
const results = '/found-therapists?session_type=online'

beforeAll(() => buildWebIfNeeded(() => undefined), 240_000)

it('ask for 38 scripts each at most, since a slow network has few requests at a time', async () => {
  const scripts = await countScripts()
  expect(scripts.size).toBeGreaterThan(80)
  expect(scripts.get('routes/my-sessions')).toBeGreaterThan(10)
  expect([...scripts].filter(([, count]) => count > 38)).toEqual([])
})

it('of another release find their scripts at an instance of this one, which keeps its own', async () => {
  const test = await buildTestApp({ web })
  const directory = mkdtempSync(join(tmpdir(), 'hearth-pages-'))
  try {
    const kept = () => test.db.selectFrom('release_files').select('name').execute()
    const own = readdirSync(join(buildDirectory, 'client/assets')).filter((name) => /\.(js|css)$/.test(name))
    expect(own.length).toBeGreaterThan(200)
    await expect.poll(async () => (await kept()).length).toBe(own.length)

    writeFileSync(join(directory, 'OpenDialog-0000000.js'), 'export default 1')
    const { db, clock, secrets } = test
    await createReleaseFiles({ db, clock, secrets, directory }).keep()
    const { status, headers, text } = await read(test, '/assets/OpenDialog-0000000.js')
    expect([status, text]).toEqual([200, 'export default 1'])
    expect(headers.get('cache-control')).toContain('immutable')
    expect((await read(test, '/assets/OpenDialog-1111111.js')).status).toBe(404)
    expect((await read(test, `/assets/${own[0]}`)).status).toBe(200)
  } finally {
    await test.close()
    rmSync(directory, { recursive: true })
  }
})

it('name the address that the operator has set for letters', async () => {
  const test = await buildTestApp({ web })
  try {
    for (const path of ['/', '/privacy-policy', '/terms-and-conditions', '/accessibility']) {
      const { text } = await read(test, path)
      expect(text, path).toContain('people@hearth.test')
      expect(text, path).not.toContain('hello@hearth.test')
    }
  } finally {
    await test.close()
  }
})

it('are rendered so many times a minute for an address, also where they read nothing of the API', async () => {
  const test = await buildTestApp({ web, rateLimitScale: 0.01 })
  try {
    const statuses: number[] = []
    for (let count = 0; count < 32; count++) statuses.push((await read(test, `/sign-in?at=${count}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429])
    const refused = await read(test, '/sign-in')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(refused.text).toContain('<h1 style="font-size: 1.75rem">Please wait a moment</h1>')
    expect((await test.call('GET', '/filter/i-know')).status, 'the API counts by itself').toBe(200)
  } finally {
    await test.close()
  }
})

describe('anonymous pages that are kept for a moment', () => {
  let test: TestApp
  beforeEach(async () => {
    test = await buildTestApp({ web })
  })
  afterEach(() => test.close())

  it('are rendered once and then sent again, each time with an id of its own beside it', async () => {
    await createPractitioner(test, { firstName: 'Imogen', lastName: 'Vale' })
    const ids = new Set<string>()
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => read(test, results)))
      for (const { text, headers, status } of answers) {
        const id = headers.get('x-request-id') ?? ''
        ids.add(id)
        expect(status).toBe(200)
        expect(headers.get('server-timing')).toBe(`request;desc="${id}"`)
        expect(text).toContain('Imogen Vale')
        expect(text).not.toContain(scriptMark)
        expect(text).not.toMatch(/nonce=|request-id/)
      }
    }
    expect(ids.size).toBe(1000)
    // Those of the first burst began before there was one to send again.
    expect(searches(test)).toBeGreaterThan(0)
    expect(searches(test)).toBeLessThan(200)
  })

  it('ask phones to put no links of their own into texts', async () => {
    for (const path of ['/', results, '/no-such-page']) {
      expect((await read(test, path)).text).toContain(
        '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no"/>',
      )
    }
  })

  it('run the inline scripts that they were sent with, and no other', async () => {
    const { id } = await createPractitioner(test, { firstName: 'Imogen<script>stranger()</script>' })
    for (const path of [
      '/',
      '/',
      results,
      results,
      `/recommended-therapist?practitionerId=${id}`,
      '/sign-in',
      '/x',
    ]) {
      const { text, headers } = await read(test, path)
      const policy = headers.get('content-security-policy') ?? ''
      const scripts = [...text.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)].flatMap(
        ([, attributes = '', content = '']) => (/ld\+json/.test(attributes) ? [] : sourceOf(content)),
      )
      expect(scripts.length).toBeGreaterThan(2)
      expect(new Set(policy.match(/'sha256-[^']*'(?=[^;]*; style-src )/g))).toEqual(new Set(scripts))
      expect(policy).not.toMatch(/nonce-|unsafe-(?!inline'; img-src)/)
    }
  })

  it('are the same for every reader, signed in or not, compressed or not, by HEAD or GET', async () => {
    await createPractitioner(test, { firstName: 'Imogen', lastName: 'Vale' })
    const client = await createClient(test, { name: 'Quentin Canary' })
    const plain = await read(test, results, { 'accept-encoding': 'identity' })
    const signedIn = await read(test, results, {
      authorization: `Bearer ${client.token}`,
      cookie: 'session=canary',
      'user-agent': 'canary',
      'accept-language': 'cy',
      'x-forwarded-host': 'canary.test',
    })
    expect(signedIn.headers.get('content-encoding')).toBe('gzip')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    expect(signedIn.text).toBe(plain.text)
    expect(signedIn.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'))
    expect(signedIn.text).not.toMatch(/canary/i)
    expect(searches(test)).toBe(1)

    const head = await fetch(test.origin + results, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'))
    // An invalid token does not change the page either.
    expect((await read(test, results, { authorization: 'Bearer nobody' })).status).toBe(200)
    expect(searches(test)).toBe(1)
  })

  it('end by themselves', async () => {
    // With no start that can no longer be booked meanwhile: a page ends with it.
    await createPractitioner(test, { hours: [12] })
    await read(test, results)
    test.clock.advance(1499)
    await read(test, results)
    expect(searches(test)).toBe(1)
    test.clock.advance(1)
    await read(test, results)
    expect(searches(test)).toBe(2)
  })

  it('are neither errors, nor redirects, nor pages that an address with a token leads to', async () => {
    const { id } = await createPractitioner(test, { subscribedUntil: null })
    const profile = `/recommended-therapist?practitionerId=${id}`
    expect((await read(test, profile)).status).toBe(404)
    // Written without an event: only a page that was not cached can change now.
    const until = new Date('2099-01-01T00:00:00Z')
    await test.db.updateTable('practitioners').set({ subscribed_until: until }).where('id', '=', id).execute()
    await inTransaction(test.db, (tx) => test.services.search.project(tx, id))
    expect((await read(test, profile)).status).toBe(200)
    const redirect = await fetch(`${test.origin}/found-therapists?session_type=online&issue_id=`, {
      redirect: 'manual',
    })
    expect(redirect.status).toBe(302)
    expect(redirect.headers.get('location')).toBe(results)
    const reset = '/reset-password?token=canary&email=a%40example.test'
    expect((await read(test, reset)).headers.get('cache-control')).toBe('no-cache')
  })

  it('show a booking and its cancellation on the very next request', async () => {
    const practitioner = await createPractitioner(test, { hours: [12] })
    const client = await createClient(test)
    const profile = `/recommended-therapist?practitionerId=${practitioner.id}`
    const isFree = async (path: string) => /2026-06-01T11:00(:00\.000)?Z/.test((await read(test, path)).text)
    expect([await isFree(results), await isFree(profile)]).toEqual([true, true])
    const session = await bookSession(test, { practitioner, client, startsAt: '2026-06-01T11:00:00Z' })
    expect([await isFree(results), await isFree(profile)]).toEqual([false, false])
    const body = { appointment_id: session }
    expect(
      (await test.call('POST', '/appointment/cancel-session', { token: client.token, body })).status,
    ).toBe(200)
    expect([await isFree(results), await isFree(profile)]).toEqual([true, true])
  })

  it('show a change on the next request, though others were being rendered while it was made', async () => {
    const { token } = await createAdmin(test)
    const { id } = await createPractitioner(test, { firstName: 'Imogen', lastName: 'Vale' })
    const isShown = async () => (await read(test, results)).text.includes('Imogen Vale')
    for (let round = 0; round < 12; round++) {
      const isListed = round % 2 === 1
      const rendering = Array.from({ length: 6 }, () => isShown())
      const body = isListed ? {} : { reason: 'A complaint is being looked into.' }
      const action = isListed ? 'reinstate' : 'suspend'
      expect((await test.call('POST', `/admin/practitioners/${id}/${action}`, { token, body })).status).toBe(
        200,
      )
      expect([round, await isShown()]).toEqual([round, isListed])
      await Promise.all(rendering)
      expect([round, await isShown()]).toEqual([round, isListed])
    }
  })

  it('forget nothing for a change that did not come about', async () => {
    const { token } = await createAdmin(test)
    const { id } = await createPractitioner(test)
    await read(test, results)
    const refused = await test.call('POST', `/admin/practitioners/${id}/approve`, { token })
    expect(refused.status).toBe(409)
    await read(test, results)
    expect(searches(test)).toBe(1)
  })

  it('stand beside API responses that are not cached', async () => {
    const client = await createClient(test)
    for (const [path, token] of [
      ['/client/profile/show', client.token],
      ['/appointment/get-upcoming-sessions', client.token],
      ['/practitioner/get-practitioners', undefined],
      ['/client/profile/show', 'nobody'],
    ] as const) {
      expect((await test.call('GET', path, { token })).headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('a request whose target is not a path', () => {
  it('shows the page of a whole address, and none for the server as a whole', async () => {
    const test = await buildTestApp({ web })
    expect(await statusOf(test, 'GET', 'http://host/')).toBe(200)
    expect(await statusOf(test, 'GET', 'http://host/sign-in?x=y')).toBe(200)
    expect(await statusOf(test, 'HEAD', 'https://host')).toBe(200)
    expect(await statusOf(test, 'GET', '*')).toBe(404)
    expect(await statusOf(test, 'OPTIONS', '*')).toBe(404)
    await test.close()
  })
})

/** `fetch` would make a path of the target. */
function statusOf(test: TestApp, method: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(test.origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('another instance on the same database', () => {
  it('shows a change within two seconds', async () => {
    const { url, database } = await clusterDatabase()
    const here = await buildTestApp({ web, database })
    const { openServer } = await import('#server/db/connection.ts')
    const there = await buildTestApp({ web, database: openServer(url, 5, () => undefined) })
    try {
      const { token } = await createAdmin(here)
      const { id } = await createPractitioner(here, { firstName: 'Imogen', lastName: 'Vale' })
      const isShown = async (app: TestApp) => (await read(app, results)).text.includes('Imogen Vale')
      expect([await isShown(here), await isShown(there)]).toEqual([true, true])
      const body = { reason: 'A complaint is being looked into.' }
      expect((await here.call('POST', `/admin/practitioners/${id}/suspend`, { token, body })).status).toBe(
        200,
      )
      expect(await isShown(here)).toBe(false)
      there.clock.advance(2000)
      expect(await isShown(there)).toBe(false)
    } finally {
      await there.close()
      await here.close()
    }
  })
})

type Page = { status: number; headers: Headers; text: string }

async function read(test: TestApp, path: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(test.origin + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** How often the database has been searched. */
function searches(test: TestApp): number {
  return test.logged().split('"route":"/api/v7/practitioner/get-practitioners"').length - 1
}
