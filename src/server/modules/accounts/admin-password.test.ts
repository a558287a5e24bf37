import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hours, seconds } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { codeOf, createAdmin, createClient, createNewAdmin, password } from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { linkIn } from '#test/mails.ts'
import { movableClock } from '#test/movable-clock.ts'

const next = 'six tall poplars'
let app: TestApp
afterEach(() => app.close())

const post = (path: string, body: unknown) => app.call('POST', path, { body })
const forgot = (email: string) => post('/admin/forgot-password', { email })
const reset = (token: unknown, totp?: string, secret = next) =>
  post('/admin/password/reset', { token, password: secret, password_confirmation: secret, totp })
const logIn = (email: string, secret: string, totp?: string) =>
  post('/admin/login', { email, password: secret, totp })
const works = async (token: string) => (await app.call('GET', '/admin/profile', { token })).status === 200
const statusAndCode = ({ status, body }: Answer) => [status, body?.code]
const links = () =>
  app
    .mails()
    .map(linkIn)
    .filter(({ pathname }) => pathname === '/admin/reset-password')
const audit = () =>
  app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'actor_name', 'action', 'subject'])
    .orderBy('id')
    .execute()

async function mailedToken(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(200)
  await app.queue.drain()
  return links().at(-1)?.searchParams.get('token') ?? ''
}

describe('an admin who forgot the password', () => {
  beforeEach(async () => {
    app = await buildTestApp()
  })

  test('chooses a new one by the mailed link and a code, once; every sign-in ends', async () => {
    const admin = await createAdmin(app)
    const token = await mailedToken(admin.email)
    expect((await reset(token, codeOf(app, admin.secret))).body).toEqual({ success: true })
    expect(await works(admin.token)).toBe(false)
    expect(statusAndCode(await reset(token, codeOf(app, admin.secret, 1)))).toEqual([422, 'invalid_token'])
    app.clock.advance(seconds(60))
    expect((await logIn(admin.email, password, codeOf(app, admin.secret))).status).toBe(401)
    expect((await logIn(admin.email, next, codeOf(app, admin.secret))).status).toBe(200)
    expect(await audit()).toEqual([
      { actor_id: admin.id, actor_name: null, action: 'reset password', subject: 'own sign-in' },
    ])
    await app.queue.drain()
    expect(app.mails().at(-1)).toContain('Your password was changed')
  })

  test('needs the code: without one or with a wrong one nothing changes, and the link stays good', async () => {
    const admin = await createAdmin(app)
    const token = await mailedToken(admin.email)
    for (const totp of [undefined, '', '000000']) {
      const answer = await reset(token, totp)
      expect(statusAndCode(answer)).toEqual([422, 'wrong_code'])
      expect(Object.keys(answer.body.errors ?? {})).toEqual(['totp'])
    }
    expect(await works(admin.token)).toBe(true)
    expect(await audit()).toEqual([])
    expect((await reset(token, admin.recoveryCodes[0])).status).toBe(200)
  })

  test('an admin with a link can try ten codes, and guesses of strangers do not count against them', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    const admin = await createAdmin(app)
    for (let guess = 0; guess < 12; guess++) await logIn(admin.email, 'a guess')
    for (let guess = 0; guess < 12; guess++) {
      expect(statusAndCode(await reset('made-up', '000000'))).toEqual([422, 'invalid_token'])
    }
    const token = await mailedToken(admin.email)
    for (let guess = 0; guess < 10; guess++) expect((await reset(token, '000000')).status).toBe(422)
    expect((await reset(token, codeOf(app, admin.secret))).status).toBe(429)
    expect(await works(admin.token)).toBe(true)
  })

  test('no mail goes to a non-admin or an admin without a second factor, and the answers do not differ', async () => {
    const admin = await createAdmin(app)
    const plain = await createNewAdmin(app)
    const client = await createClient(app)
    await app.queue.drain()
    const before = app.mails().length
    const jobs = async () => Number((await app.db.selectFrom('rate_limits').select('hits').execute()).length)
    for (const email of [admin.email, plain.email, client.email, 'nobody@example.test']) {
      const counted = await jobs()
      const answer = await forgot(email)
      expect([answer.status, answer.body]).toEqual([200, 'success'])
      expect((await jobs()) - counted).toBeLessThan(3)
    }
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before + 1)
    expect(app.mails().at(-1)).toContain(`To: ${admin.email}`)
    expect(
      await app.db
        .selectFrom('mail_tokens')
        .select('account_id')
        .where('purpose', '=', 'password_reset')
        .execute(),
    ).toEqual([{ account_id: admin.id }])
  })

  test('cannot use a link that is an hour old, nor that of a client, nor a client that of an admin', async () => {
    const admin = await createAdmin(app)
    const token = await mailedToken(admin.email)
    app.clock.advance(hours(1))
    expect(statusAndCode(await reset(token, codeOf(app, admin.secret)))).toEqual([422, 'invalid_token'])
    const fresh = await mailedToken(admin.email)
    const body = { token: fresh, email: admin.email, password: next, password_confirmation: next }
    expect((await post('/client/password/reset', body)).status).toBe(422)
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    await app.queue.drain()
    const theirs = app
      .mails()
      .map(linkIn)
      .findLast(({ pathname }) => pathname === '/reset-password')
    expect((await reset(theirs?.searchParams.get('token'), codeOf(app, admin.secret))).status).toBe(422)
    expect(await audit()).toEqual([])
  })
})

describe('npm run admin-reset', () => {
  let url: string
  beforeEach(async () => {
    const opened = await clusterDatabase()
    url = opened.url
    // The command knows the time of the machine alone.
    app = await buildTestApp({ database: opened.database, clock: movableClock(new Date().toISOString()) })
  })

  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['src/server/commands/admin-reset.ts', ...args], {
      env: { ...process.env, DATABASE_URL: url, DATA_DIR: tmpdir(), PUBLIC_URL: 'http://127.0.0.1:3000' },
    })
  const tokenIn = (output: string) => new URL(output.split('\n')[1] ?? '').searchParams.get('token')

  test('lets an admin without a second factor, or who lost it, choose a password; the audit names the operator', async () => {
    const plain = await createNewAdmin(app)
    const { stdout } = await run(plain.email)
    expect(stdout).not.toContain(password)
    expect(await works(plain.token)).toBe(false)
    expect(statusAndCode(await logIn(plain.email, password))).toEqual([401, 'invalid_credentials'])
    const token = tokenIn(stdout)
    expect((await reset(token)).body).toEqual({ success: true })
    expect(statusAndCode(await reset(token))).toEqual([422, 'invalid_token'])
    expect((await logIn(plain.email, next)).body.second_factor_needed).toBe(true)

    const admin = await createAdmin(app)
    const withCode = tokenIn((await run(admin.email)).stdout)
    expect(statusAndCode(await reset(withCode))).toEqual([422, 'wrong_code'])
    const without = tokenIn((await run(admin.email, '--without-second-factor')).stdout)
    expect(statusAndCode(await reset(withCode))).toEqual([422, 'invalid_token'])
    expect(statusAndCode(await logIn(admin.email, password))).toEqual([401, 'invalid_credentials'])
    expect((await reset(without)).status).toBe(200)
    expect((await logIn(admin.email, next)).body.second_factor_needed).toBe(true)
    const by = { actor_id: null, actor_name: 'operator on the server' }
    expect((await audit()).filter(({ actor_name }) => actor_name)).toEqual([
      { ...by, action: 'make reset link', subject: `sign-in of ${plain.email}` },
      { ...by, action: 'make reset link', subject: `sign-in of ${admin.email}` },
      { ...by, action: 'make reset link without second factor', subject: `sign-in of ${admin.email}` },
    ])
  })

  test('changes nothing for an email that is no admin’s, and says so', async () => {
    const client = await createClient(app)
    const before = await fingerprint(app.db)
    await expect(run(client.email)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no admin with the email'),
    })
    await expect(run()).rejects.toMatchObject({ code: 1 })
    expect(await fingerprint(app.db)).toEqual(before)
  })
})
