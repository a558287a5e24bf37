import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, minutes } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  codeOf,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
} from '#test/factories.ts'
import { linkIn } from '#test/mails.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp({ rateLimitScale: 1 })
})
afterEach(() => app.close())

const home = '192.0.2.1'
const elsewhere = '198.51.100.7'

type Sender = { address?: string; cookie?: string | undefined }
type Credentials = { email: string; password?: string; totp?: string; role?: string }

const headersOf = ({ address = elsewhere, cookie }: Sender) => ({
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
})
const logIn = ({ role = 'client', password: secret = password, ...body }: Credentials, sender: Sender = {}) =>
  app.call('POST', `/${role}/login`, { body: { password: secret, ...body }, headers: headersOf(sender) })

/** The cookie that a browser sends back after an answer. */
function kept({ headers }: Answer): string {
  const [cookie = ''] = headers.getSetCookie().filter((text) => text.startsWith('hearth_known='))
  return cookie.split(';')[0] ?? ''
}

async function fail(times: number, credentials: Credentials, sender?: Sender): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) {
    statuses.push((await logIn({ ...credentials, password: `guess ${time}` }, sender)).status)
  }
  return statuses
}
const tenFailures = Array(10).fill(401)

describe('an account that a stranger guesses at', () => {
  test.each(['client', 'therapist', 'admin'])('opens to the %s in a known browser', async (role) => {
    const { email, totp } = await accountOf(role)
    const first = await logIn({ role, email, ...totp(0) }, { address: home })
    expect(first.status).toBe(200)
    app.clock.advance(minutes(1))

    expect(await fail(10, { role, email })).toEqual(tenFailures)
    expect((await logIn({ role, email, ...totp(0) })).status).toBe(429)
    // Wherever the browser is taken.
    const cookie = kept(first)
    const known = await logIn({ role, email, ...totp(0) }, { address: '203.0.113.9', cookie })
    expect(known.status).toBe(200)
    // That the owner came in gives the stranger no tries back.
    expect((await logIn({ role, email }, { address: '203.0.113.10' })).status).toBe(429)
  })

  test('opens at an address that the owner signed in from, without a cookie', async () => {
    const { email } = await createClient(app)
    expect((await logIn({ email }, { address: home })).status).toBe(200)
    expect(await fail(10, { email })).toEqual(tenFailures)
    expect((await logIn({ email }, { address: '203.0.113.9' })).status).toBe(429)
    expect((await logIn({ email }, { address: home })).status).toBe(200)
  })

  test('lets a person who is signed in give the password again', async () => {
    const { email, token } = await createClient(app)
    expect(await fail(10, { email })).toEqual(tenFailures)
    const body = {
      current_password: password,
      password: 'six tall poplars',
      password_confirmation: 'six tall poplars',
    }
    expect((await app.call('POST', '/client/change-password', { token, body })).status).toBe(200)
  })

  async function accountOf(role: string) {
    if (role === 'client') return { email: (await createClient(app)).email, totp: () => ({}) }
    if (role === 'admin') {
      const { email, secret } = await createAdmin(app)
      return { email, totp: (steps: number) => ({ totp: codeOf(app, secret, steps) }) }
    }
    const practitioner = await createPractitioner(app)
    await signInPractitioner(app, practitioner)
    return { email: practitioner.email, totp: () => ({}) }
  }
})

describe('a known browser', () => {
  test('has ten failures in 15 minutes, which do not count for the account', async () => {
    const { email } = await createClient(app)
    const cookie = kept(await logIn({ email }, { address: home }))
    expect(await fail(10, { email }, { cookie })).toEqual(tenFailures)
    const refused = await logIn({ email }, { cookie })
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(kept(refused)).toBe('')
    // The account's own count and that of its address are untouched.
    expect(await fail(9, { email }, { address: '203.0.113.9' })).toEqual(Array(9).fill(401))
    expect((await logIn({ email }, { address: '203.0.113.9' })).status).toBe(200)
    app.clock.advance(minutes(31))
    expect((await logIn({ email }, { cookie })).status).toBe(200)
  })

  test('is not made of a forged mark, a changed one, another account’s or one that is too old', async () => {
    const { email } = await createClient(app)
    const other = await createClient(app)
    const cookie = kept(await logIn({ email }, { address: home }))
    const foreign = kept(await logIn({ email: other.email }, { address: home }))
    const [, issued = '', mac = ''] = /=([^.]+)\.(.+)$/.exec(cookie) ?? []
    const [first = ''] = mac
    const swapped = `${first === 'A' ? 'B' : 'A'}${mac.slice(1)}`
    expect(await fail(10, { email })).toEqual(tenFailures)
    for (const forged of [
      foreign,
      `hearth_known=${issued}.${'A'.repeat(43)}`,
      `hearth_known=${issued}.${swapped}`,
      `hearth_known=${(Number.parseInt(issued, 36) + 1).toString(36)}.${mac}`,
      'hearth_known=nonsense',
      `hearth_known=${'~'.repeat(2000)}`,
    ]) {
      expect((await logIn({ email }, { cookie: forged })).status).toBe(429)
    }
    app.clock.advance(days(400))
    expect(await fail(10, { email }, { cookie })).toEqual(tenFailures)
    expect((await logIn({ email }, { cookie })).status).toBe(429)
  })

  test('is no longer known after the password was changed elsewhere; the one that changed it is', async () => {
    const { email, token } = await createClient(app)
    const stolen = kept(await logIn({ email }, { address: home }))
    const next = 'six tall poplars'
    const body = { current_password: password, password: next, password_confirmation: next }
    const changed = await app.call('POST', '/client/change-password', { token, body })
    expect(await fail(10, { email })).toEqual(tenFailures)
    expect((await logIn({ email, password: next }, { cookie: stolen })).status).toBe(429)
    expect((await logIn({ email, password: next }, { cookie: kept(changed) })).status).toBe(200)
  })

  test('is the one in which a link for a new password was followed', async () => {
    const { email } = await createClient(app)
    await app.call('POST', '/client/forgot-password', { body: { email } })
    await app.queue.drain()
    const link = app
      .mails()
      .map(linkIn)
      .findLast(({ pathname }) => pathname === '/reset-password')
    const next = 'six tall poplars'
    const body = {
      token: link?.searchParams.get('token'),
      email,
      password: next,
      password_confirmation: next,
    }
    const reset = await app.call('POST', '/client/password/reset', {
      body,
      headers: headersOf({ address: home }),
    })
    expect(reset.status).toBe(200)
    expect(await fail(10, { email })).toEqual(tenFailures)
    const known = { address: '203.0.113.9', cookie: kept(reset) }
    expect((await logIn({ email, password: next }, known)).status).toBe(200)
    expect((await logIn({ email, password: next }, { address: '203.0.113.10' })).status).toBe(429)
    expect((await logIn({ email, password: next }, { address: home })).status).toBe(200)
  })

  test('the cookie keeps one mark for each of the last five accounts, without ids or emails', async () => {
    const clients = []
    for (let count = 0; count < 6; count++) clients.push(await createClient(app))
    let cookie = ''
    for (const { email } of [...clients, ...clients.slice(-1)]) {
      cookie = kept(await logIn({ email }, { address: home, cookie }))
      app.clock.advance(1000)
    }
    const marks = cookie.replace('hearth_known=', '').split('~')
    expect(marks).toHaveLength(5)
    for (const { id, email } of clients) {
      expect(cookie).not.toContain(id)
      expect(cookie).not.toContain(email)
    }
    const [oldest, next] = clients
    for (const [client, status] of [
      [oldest, 429],
      [next, 200],
    ] as const) {
      const email = client?.email ?? ''
      expect(await fail(10, { email }, { address: `203.0.113.${status % 256}` })).toEqual(tenFailures)
      expect((await logIn({ email }, { cookie })).status).toBe(status)
    }
  })

  test('the cookie of a known browser does not sign in', async () => {
    const { email } = await createClient(app)
    const cookie = kept(await logIn({ email }, { address: home }))
    for (const path of ['/client/profile', '/client/login-sessions']) {
      expect((await app.call('GET', path, { headers: { cookie } })).status).toBe(401)
    }
  })

  test.each([
    ['http://hearth.test', false],
    ['https://hearth.test', true],
  ])(
    'keeps its cookie from scripts and other sites; from %s also from http: %s',
    async (publicUrl, isSecure) => {
      await app.close()
      app = await buildTestApp({ publicUrl })
      const { email } = await createClient(app)
      const answer = await logIn({ email })
      const [cookie = ''] = answer.headers.getSetCookie()
      const attributes = cookie.split('; ').slice(1)
      expect(attributes).toEqual([
        'Path=/api/v7',
        `Max-Age=${400 * 86_400}`,
        'HttpOnly',
        'SameSite=Strict',
        ...(isSecure ? ['Secure'] : []),
      ])
      expect(kept(await logIn({ email, password: 'not the password' }))).toBe('')
    },
  )
})

describe('a known address', () => {
  const addresses = () => app.db.selectFrom('known_addresses').selectAll().execute()

  test('has ten failures in 15 minutes, which do not count for the account', async () => {
    const { email } = await createClient(app)
    expect((await logIn({ email }, { address: home })).status).toBe(200)
    expect(await fail(10, { email }, { address: home })).toEqual(tenFailures)
    expect((await logIn({ email }, { address: home })).status).toBe(429)
    expect((await logIn({ email }, { address: elsewhere })).status).toBe(200)
  })

  test('says nothing of the address, is one of twenty, and is forgotten after 90 days', async () => {
    const { email } = await createClient(app)
    for (let host = 1; host <= 25; host++) {
      app.clock.advance(1000)
      expect((await logIn({ email }, { address: `203.0.113.${host}` })).status).toBe(200)
    }
    const rows = await addresses()
    expect(rows).toHaveLength(20)
    expect(rows.every(({ digest }) => digest.length === 32)).toBe(true)
    expect(await fail(10, { email })).toEqual(tenFailures)
    expect((await logIn({ email }, { address: '203.0.113.1' })).status).toBe(429)
    expect((await logIn({ email }, { address: '203.0.113.25' })).status).toBe(200)

    app.clock.advance(days(90) - minutes(1))
    await app.services.accounts.tidy()
    expect(await addresses()).not.toEqual([])
    app.clock.advance(minutes(2))
    await app.services.accounts.tidy()
    expect(await addresses()).toEqual([])
  })

  test('is in the export and goes with the account', async () => {
    const { token } = await createClient(app)
    const exported = await app.call('GET', '/client/export', { token })
    const sections = exported.body.sections as unknown as { title: string; entries: unknown[] }[]
    const [networks] = sections.filter(({ title }) => title === 'Networks that you signed in from')
    const now = app.clock.now().toISOString()
    expect(networks?.entries).toEqual([{ first_signed_in_at: now, last_signed_in_at: now }])
    const body = { current_password: password, understood: true }
    expect((await app.call('POST', '/client/delete-account', { token, body })).status).toBe(200)
    expect(await addresses()).toEqual([])
  })
})

describe('a refresh token whose answer was lost', () => {
  const refresh = (refresh_token: unknown, cookie?: string, role = 'client') =>
    app.call('POST', `/${role}/refresh-token`, { body: { refresh_token }, headers: headersOf({ cookie }) })
  const newClient = async () => ({ email: (await createClient(app)).email })
  const signedIn = async (credentials?: Credentials) => {
    const answer = await logIn(credentials ?? (await newClient()), { address: home })
    return { token: answer.body.refresh_token, cookie: kept(answer) }
  }

  test('goes on in its own browser, however long it was away', async () => {
    const { token, cookie } = await signedIn()
    const lost = await refresh(token, cookie)
    app.clock.advance(days(2))
    for (let time = 0; time < 2; time++) {
      const again = await refresh(token, cookie)
      expect([again.status, again.body.refresh_token]).toEqual([200, lost.body.refresh_token])
      app.clock.advance(minutes(5))
    }
    expect((await refresh(lost.body.refresh_token, cookie)).status).toBe(200)
  })

  test.each([
    ['without the mark', async () => undefined],
    ['with the mark of another account', async () => (await signedIn()).cookie],
  ])('counts as stolen %s, and ends the sign-in', async (_, cookieOf) => {
    const { token, cookie } = await signedIn()
    const lost = await refresh(token, cookie)
    app.clock.advance(minutes(1))
    expect((await refresh(token, await cookieOf())).status).toBe(401)
    expect((await refresh(lost.body.refresh_token, cookie)).status).toBe(401)
  })

  test('counts as stolen where it was spent without the mark', async () => {
    const { token, cookie } = await signedIn()
    const theirs = await refresh(token)
    expect(theirs.status).toBe(200)
    app.clock.advance(minutes(1))
    expect((await refresh(token, cookie)).status).toBe(401)
    expect((await refresh(theirs.body.refresh_token)).status).toBe(401)
  })

  test('counts as stolen once its successor has been used, and of an admin always', async () => {
    const { token, cookie } = await signedIn()
    const next = await refresh(token, cookie)
    const last = await refresh(next.body.refresh_token, cookie)
    app.clock.advance(minutes(1))
    expect((await refresh(token, cookie)).status).toBe(401)
    expect((await refresh(last.body.refresh_token, cookie)).status).toBe(401)

    const { email, secret } = await createAdmin(app)
    const admin = await signedIn({ role: 'admin', email, totp: codeOf(app, secret, 0) })
    const lost = await refresh(admin.token, admin.cookie, 'admin')
    expect(lost.status).toBe(200)
    app.clock.advance(minutes(1))
    expect((await refresh(admin.token, admin.cookie, 'admin')).status).toBe(401)
    expect((await refresh(lost.body.refresh_token, admin.cookie, 'admin')).status).toBe(401)
  })
})
