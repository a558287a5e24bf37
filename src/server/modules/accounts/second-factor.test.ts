import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import type { Tx } from '#server/db/connection.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import { codeOf, createAdmin, createNewAdmin, password } from '#test/factories.ts'

let app: TestApp
afterEach(() => app.close())

const post = (path: string, body: unknown, token?: string) => app.call('POST', path, { token, body })
const logIn = (email: string, totp?: string, secret = password) =>
  post('/admin/login', { email, password: secret, ...(totp === undefined ? {} : { totp }) })
const statusAndCode = ({ status, body }: Answer) => [status, body?.code]
const works = async (token: unknown) =>
  (await app.call('GET', '/admin/practitioners', { token: String(token) })).status
const sessions = () =>
  app.db.selectFrom('login_sessions').select('id').where('ended_at', 'is', null).execute()
const audit = () => app.db.selectFrom('audit_log').select('action').orderBy('id').execute()

describe('an admin without a second factor', () => {
  beforeEach(async () => {
    app = await buildTestApp()
  })

  test('can do nothing but set one up, and has to use it from then on', async () => {
    const { token, email } = await createNewAdmin(app)
    for (const [method, path] of [
      ['GET', '/admin/practitioners'],
      ['GET', '/admin/audit'],
      ['POST', '/admin/practitioners/1/suspend'],
    ] as const) {
      const answer = await app.call(method, path, {
        token,
        ...(method === 'POST' ? { body: { reason: 'x' } } : {}),
      })
      expect(statusAndCode(answer)).toEqual([403, 'second_factor_needed'])
    }
    const before = await app.call('GET', '/admin/profile', { token })
    expect(before.body.second_factor).toEqual({ is_on: false, needed: true, recovery_codes_left: 0 })

    const elsewhere = await logIn(email)
    expect([elsewhere.status, elsewhere.body.second_factor_needed]).toEqual([200, true])
    const shown = await post('/admin/second-factor/set-up', {}, token)
    const secret = String(shown.body.secret)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(shown.body.uri).toContain(`secret=${secret}`)
    expect(String(shown.body.uri)).toMatch(/^otpauth:\/\/totp\/Hearth:/)
    expect(statusAndCode(await post('/admin/second-factor/confirm', { code: '000000' }, token))).toEqual([
      422,
      'wrong_code',
    ])
    expect(await works(token)).toBe(403)

    const on = await post('/admin/second-factor/confirm', { code: codeOf(app, secret) }, token)
    const codes = on.body.recovery_codes as unknown as string[]
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect(await works(token)).toBe(200)
    // Signed in with the password alone before: over.
    expect(await works(elsewhere.body.token)).toBe(401)
    const after = await app.call('GET', '/admin/profile', { token })
    expect(after.body.second_factor).toEqual({ is_on: true, needed: false, recovery_codes_left: 10 })
    expect(statusAndCode(await logIn(email))).toEqual([401, 'totp_required'])
    expect(await audit()).toEqual([{ action: 'set up second factor' }])
  })

  test('is let in where the demo data says so', async () => {
    await app.close()
    const demo = 'admin@demo.test'
    app = await buildTestApp({ adminsWithoutSecondFactor: [demo] })
    const { token, id } = await createNewAdmin(app)
    expect(await works(token)).toBe(403)
    await app.db.updateTable('accounts').set({ email: demo }).where('id', '=', id).execute()
    const answer = await logIn(demo)
    expect(answer.body.second_factor_needed).toBe(false)
    expect(await works(answer.body.token)).toBe(200)
  })

  test('finds no secret of it in the database, nor in the log', async () => {
    const { token } = await createNewAdmin(app)
    const shown = await post('/admin/second-factor/set-up', {}, token)
    const secret = String(shown.body.secret)
    const on = await post('/admin/second-factor/confirm', { code: codeOf(app, secret) }, token)
    const recoveryCodes = on.body.recovery_codes as unknown as string[]
    const factor = await app.db.selectFrom('second_factors').selectAll().executeTakeFirstOrThrow()
    const codes = await app.db.selectFrom('recovery_codes').selectAll().execute()
    expect(codes).toHaveLength(10)
    const stored = Buffer.concat([factor.secret ?? new Uint8Array(), ...codes.map((code) => code.digest)])
    expect(stored.includes(secret)).toBe(false)
    for (const code of recoveryCodes) {
      expect(stored.includes(code.replaceAll('-', ''))).toBe(false)
      expect(app.logged()).not.toContain(code)
    }
    expect(app.logged()).not.toContain(secret)
  })
})

describe('a code', () => {
  beforeEach(async () => {
    app = await buildTestApp()
  })

  test('is good once, also when it is sent twice at the same moment', async () => {
    const { email, secret } = await createAdmin(app)
    const code = codeOf(app, secret)
    const answers = await Promise.all([logIn(email, code), logIn(email, code), logIn(email, code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    const open = await sessions()
    expect(statusAndCode(await logIn(email, code))).toEqual([422, 'wrong_code'])
    // Nor one of an earlier step, once a later one was used.
    expect(statusAndCode(await logIn(email, codeOf(app, secret, -1)))).toEqual([422, 'wrong_code'])
    expect(await sessions()).toEqual(open)
    app.clock.advance(seconds(30))
    expect((await logIn(email, codeOf(app, secret))).status).toBe(200)
  })

  test('that confirmed the set-up does not sign in as well', async () => {
    const { token, email } = await createNewAdmin(app)
    const shown = await post('/admin/second-factor/set-up', {}, token)
    const code = codeOf(app, String(shown.body.secret))
    expect((await post('/admin/second-factor/confirm', { code }, token)).status).toBe(200)
    expect(statusAndCode(await logIn(email, code))).toEqual([422, 'wrong_code'])
  })

  test('may be one step early or late, and no more', async () => {
    const { email, secret } = await createAdmin(app)
    app.clock.advance(minutes(10))
    for (const steps of [-2, 2, 5]) {
      expect([steps, (await logIn(email, codeOf(app, secret, steps))).status]).toEqual([steps, 422])
    }
    for (const steps of [-1, 1]) {
      expect([steps, (await logIn(email, codeOf(app, secret, steps))).status]).toEqual([steps, 200])
    }
  })

  test('does no good without the password, and the answer does not say that it was right', async () => {
    const { email, secret } = await createAdmin(app)
    const right = await logIn(email, codeOf(app, secret), 'not the password')
    const wrong = await logIn(email, '000000', 'not the password')
    expect(statusAndCode(right)).toEqual([401, 'invalid_credentials'])
    expect(right.body).toEqual(wrong.body)
    // It was not used up.
    expect((await logIn(email, codeOf(app, secret))).status).toBe(200)
  })

  test('may be written with a space', async () => {
    const { email, secret } = await createAdmin(app)
    const code = codeOf(app, secret)
    expect((await logIn(email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })
})

describe('wrong codes', () => {
  test('are limited like wrong passwords, and asking without one does not give tries back', async () => {
    app = await buildTestApp({ rateLimitScale: 1 })
    const { email, secret } = await createAdmin(app)
    const open = await sessions()
    for (let tries = 0; tries < 10; tries++) {
      expect(statusAndCode(await logIn(email, '000000'))).toEqual([422, 'wrong_code'])
      if (tries < 9) expect((await logIn(email)).status).toBe(401)
    }
    const refused = await logIn(email, codeOf(app, secret))
    expect(statusAndCode(refused)).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await sessions()).toEqual(open)
    app.clock.advance(minutes(40))
    expect((await logIn(email, codeOf(app, secret))).status).toBe(200)
  })

  test('at the set-up are limited as well', async () => {
    app = await buildTestApp({ rateLimitScale: 1 })
    const { token } = await createNewAdmin(app)
    const shown = await post('/admin/second-factor/set-up', {}, token)
    for (let tries = 0; tries < 10; tries++) {
      expect((await post('/admin/second-factor/confirm', { code: '000000' }, token)).status).toBe(422)
    }
    const code = codeOf(app, String(shown.body.secret))
    expect((await post('/admin/second-factor/confirm', { code }, token)).status).toBe(429)
    expect(await works(token)).toBe(403)
  })
})

describe('recovery codes', () => {
  beforeEach(async () => {
    app = await buildTestApp()
  })

  test('sign in once each, however they are written, and the use is written down', async () => {
    const { email, recoveryCodes, token } = await createAdmin(app)
    const [first = '', second = ''] = recoveryCodes
    const answers = await Promise.all([logIn(email, first), logIn(email, first)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await logIn(email, first)).status).toBe(422)
    expect((await logIn(email, `${second.slice(0, 4)}-${second.slice(4).toLowerCase()} `)).status).toBe(200)
    const profile = await app.call('GET', '/admin/profile', { token })
    expect(profile.body.second_factor).toMatchObject({ recovery_codes_left: 0 })
    expect((await audit()).map((entry) => entry.action)).toEqual(['use recovery code', 'use recovery code'])
  })

  test('are those of one admin', async () => {
    const [mine, other] = [await createAdmin(app), await createAdmin(app)]
    expect((await logIn(other.email, mine.recoveryCodes[0])).status).toBe(422)
    expect((await logIn(mine.email, mine.recoveryCodes[0])).status).toBe(200)
  })
})

describe('another app in the place of the first', () => {
  test('needs the password; the first one counts until the new one is confirmed', async () => {
    app = await buildTestApp()
    const { email, token, secret, recoveryCodes } = await createAdmin(app)
    for (const body of [{}, { current_password: 'not the password' }]) {
      expect(statusAndCode(await post('/admin/second-factor/set-up', body, token))).toEqual([
        422,
        'wrong_password',
      ])
    }
    const shown = await post('/admin/second-factor/set-up', { current_password: password }, token)
    const newer = String(shown.body.secret)
    expect((await logIn(email, codeOf(app, newer))).status).toBe(422)
    expect((await logIn(email, codeOf(app, secret))).status).toBe(200)
    const mailed = async () => {
      await app.queue.drain()
      return app.mails().filter((mail) => mail.includes('Subject: Your authenticator app was replaced'))
    }
    expect(await mailed()).toEqual([])
    expect((await post('/admin/second-factor/confirm', { code: codeOf(app, newer) }, token)).status).toBe(200)
    expect(await mailed()).toEqual([expect.stringContaining(`To: ${email}`)])
    app.clock.advance(minutes(1))
    expect((await logIn(email, codeOf(app, secret))).status).toBe(422)
    expect((await logIn(email, recoveryCodes[0])).status).toBe(422)
    expect((await logIn(email, codeOf(app, newer))).status).toBe(200)
    expect(statusAndCode(await post('/admin/second-factor/confirm', { code: '123456' }, token))).toEqual([
      409,
      'conflict',
    ])
  })
})

describe('a sign-in by the password alone, while', () => {
  /** What came of a sign-in that had judged the password before `change` happened, on PostgreSQL with real locks. */
  async function signInDuring(change: (tx: Tx, id: string) => Promise<unknown>): Promise<Answer> {
    app = await buildTestApp({ database: (await clusterDatabase()).database })
    const { id, email } = await createNewAdmin(app)
    const before = await sessions()
    let answer: Promise<Answer> | undefined
    await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute()
      answer = logIn(email)
      await untilOneWaits(app.db)
      await change(tx, id)
    })
    if (!answer) throw new Error('Nobody signed in.')
    const done = await answer
    expect(await sessions()).toEqual(before)
    return done
  }

  test('a second factor is set up elsewhere, needs its code', async () => {
    const answer = await signInDuring((tx, id) =>
      tx
        .insertInto('second_factors')
        .values({ account_id: id, secret: Buffer.alloc(40, 1), confirmed_at: app.clock.now() })
        .execute(),
    )
    expect(statusAndCode(answer)).toEqual([401, 'totp_required'])
  })

  test('the password is changed, is none', async () => {
    const answer = await signInDuring((tx, id) =>
      tx.updateTable('accounts').set({ password_hash: 'another' }).where('id', '=', id).execute(),
    )
    expect(statusAndCode(answer)).toEqual([401, 'invalid_credentials'])
  })
})
