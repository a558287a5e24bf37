import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import { days, hours, later, minutes, seconds } from '#server/clock.ts'
import { hashSecret } from '#server/ids.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type Client,
  codeOf,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { linkIn, plainText, readMail, textOf, tokenOf } from '#test/mails.ts'

let app: TestApp

beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => app.close())

const post = (path: string, body: unknown, token?: string, headers?: Record<string, string>) =>
  app.call('POST', path, { body, token, ...(headers ? { headers } : {}) })
const filled = (body: Record<string, unknown> = {}) => ({
  name: 'Alex Jo Morgan',
  email: 'alex@example.test',
  password,
  is_adult: true,
  accept_terms: true,
  ...body,
})
const login = (email: string, secret = password, role = 'client') =>
  post(`/${role}/login`, { email, password: secret })
const refresh = (refreshToken: unknown, role = 'client') =>
  post(`/${role}/refresh-token`, { refresh_token: refreshToken })
const profile = (token: unknown) => app.call('GET', '/client/profile', { token: String(token) })

/** How many rows there are of what an account is made of. */
async function rows() {
  const { rows } = await sql<{ accounts: number; clients: number; sign_ins: number; jobs: number }>`
    select (select count(*) from accounts)::int as accounts, (select count(*) from clients)::int as clients,
      (select count(*) from login_sessions)::int as sign_ins, (select count(*) from pgboss.job)::int as jobs
    `.execute(app.db)
  return rows[0]
}
const nothing = { accounts: 0, clients: 0, sign_ins: 0, jobs: 0 }

/** One token spent five times at once, and what is left of it. */
async function fiveAtOnce(): Promise<void> {
  const client = await createClient(app)
  const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(client.refreshToken)))
  expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(200))
  const [successor = '', ...more] = new Set(answers.map((answer) => String(answer.body.refresh_token)))
  expect(more).toEqual([])
  const stored = await app.db.selectFrom('refresh_tokens').select(['hash', 'spent_at']).execute()
  expect(stored).toHaveLength(2)
  const living = stored.filter(({ spent_at }) => !spent_at)
  expect(living.map(({ hash }) => Buffer.from(hash))).toEqual([hashSecret(successor)])
  for (const { body } of answers) expect((await profile(body.token)).status).toBe(200)
  // Used again when the grace is over, the spent one ends all that came of it.
  app.clock.advance(seconds(31))
  expect((await refresh(client.refreshToken)).status).toBe(401)
  expect((await refresh(successor)).status).toBe(401)
  for (const { body } of answers) expect((await profile(body.token)).status).toBe(401)
}

/** The token and email of the newest mailed link to a page. */
async function mailedLink(page = '/reset-password'): Promise<{ token: string; email: string | null }> {
  await app.queue.drain()
  const url = app
    .mails()
    .map(linkIn)
    .findLast((link) => link.pathname === page)
  if (!url) throw new Error(`No mail with a link to ${page} was written.`)
  return { token: tokenOf(url), email: url.searchParams.get('email') }
}

describe('registering', () => {
  test('creates a client, signs them in and splits the name after its first word', async () => {
    const answer = await post('/client/register', filled({ email: '  Alex@Example.TEST ' }))
    expect(answer.status).toBe(201)
    expect(answer.body.user).toEqual({
      first_name: 'Alex',
      last_name: 'Jo Morgan',
      email: 'alex@example.test',
    })
    expect((await profile(answer.body.token)).body).toMatchObject({
      first_name: 'Alex',
      last_name: 'Jo Morgan',
      email: 'alex@example.test',
      email_verified: false,
    })
    expect((await refresh(answer.body.refresh_token)).status).toBe(200)
    expect(await rows()).toMatchObject({ accounts: 1, clients: 1, sign_ins: 1 })
  })

  test.each([
    ['name', { name: '  ' }, 'Enter a name.'],
    ['name', { name: 'x'.repeat(101) }, 'Use at most 100 characters.'],
    ['name', { name: 'A\u0000B' }, 'Contains a character that cannot be stored.'],
    ['email', { email: 'not an email' }, 'Enter an email address, such as name@example.com.'],
    ['password', { password: 'short' }, 'Use at least 8 characters.'],
    ['password', { password: 'x'.repeat(129) }, 'Use at most 128 characters.'],
    ['password', { password: 'Password123' }, /most common/],
    ['password', { password: '££££££££££' }, /most common/],
    ['is_adult', { is_adult: false }, 'You need to be 18 or over to use Hearth.'],
    ['is_adult', { is_adult: 'true' }, 'You need to be 18 or over to use Hearth.'],
    ['accept_terms', { accept_terms: undefined }, 'Please accept the terms to create an account.'],
    ['health_consent', { health_consent: 'of another text' }, /./],
    ['referral_code', { referral_code: 'NOSUCH99' }, /do not know this code/],
  ])('says what is wrong with %s under the field, and creates nothing (%j)', async (field, sent, message) => {
    const answer = await post('/client/register', filled(sent))
    expect(answer.status).toBe(422)
    const errors = answer.body.errors as unknown as Record<string, string[]>
    expect(Object.keys(errors)).toEqual([field])
    expect(errors[field]?.[0]).toMatch(message)
    expect(await rows()).toEqual(nothing)
    expect(app.mails()).toEqual([])
  })

  test('records the consent to the use of health data with the version of its text, and asks later where it was not given', async () => {
    const consents = () =>
      app.db
        .selectFrom('consents')
        .select(['account_id', 'scope', 'subject', 'text_version', 'given_at', 'withdrawn_at'])
        .execute()
    const agreed = await createClient(app, { health_consent: healthConsent.version })
    const given = {
      account_id: agreed.id,
      scope: 'health-data',
      subject: agreed.id,
      text_version: healthConsent.version,
      given_at: app.clock.now(),
      withdrawn_at: null,
    }
    expect(await consents()).toEqual([given])
    const at = app.clock.now().toISOString()
    expect((await profile(agreed.token)).body.health_consent_at).toBe(at)

    const without = await createClient(app)
    expect((await profile(without.token)).body.health_consent_at).toBeNull()
    const agree = (version: unknown) =>
      app.call('PUT', '/client/health-consent', { token: without.token, body: { health_consent: version } })
    expect((await agree('of another text')).status).toBe(422)
    expect((await agree(undefined)).status).toBe(422)
    expect(await consents()).toEqual([given])

    app.clock.advance(minutes(1))
    // Two tabs agree at once, and one of them again.
    const answers = await Promise.all([agree(healthConsent.version), agree(healthConsent.version)])
    app.clock.advance(minutes(1))
    answers.push(await agree(healthConsent.version))
    const next = later(new Date(at), minutes(1))
    for (const { status, body } of answers)
      expect([status, body.health_consent_at]).toEqual([200, next.toISOString()])
    expect(await consents()).toEqual(
      expect.arrayContaining([
        given,
        { ...given, account_id: without.id, subject: without.id, given_at: next },
      ]),
    )
    expect(await consents()).toHaveLength(2)
  })

  test('a stranger’s consent does not stand for the holder of the address, who is asked', async () => {
    const stranger = await createClient(app, { health_consent: healthConsent.version })
    app.clock.advance(minutes(1))
    await post('/client/forgot-password', { email: stranger.email })
    const { token } = await mailedLink()
    const reset = { token, email: stranger.email, password: 'seven slow herons' }
    expect(
      (await post('/client/password/reset', { ...reset, password_confirmation: reset.password })).status,
    ).toBe(200)
    const holder = await login(stranger.email, reset.password)
    expect((await profile(holder.body.token)).body.health_consent_at).toBeNull()
    const kept = await app.db
      .selectFrom('consents')
      .select(['given_at', 'withdrawn_at'])
      .orderBy('id')
      .execute()
    expect(kept.map(({ given_at, withdrawn_at }) => [given_at !== null, withdrawn_at])).toEqual([
      [true, null],
      [false, app.clock.now()],
    ])
  })

  test('names every wrong field at once', async () => {
    const answer = await post('/client/register', {})
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors ?? {}).sort()).toEqual([
      'accept_terms',
      'email',
      'is_adult',
      'name',
      'password',
    ])
    expect(await rows()).toEqual(nothing)
  })

  test('refuses a taken email in any spelling, and leaves the account that has it as it was', async () => {
    await createClient(app, { email: 'taken@example.test' })
    const before = await rows()
    const answer = await post(
      '/client/register',
      filled({ email: 'TAKEN@example.test', password: 'other words' }),
    )
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('email_taken')
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['email'])
    expect(await rows()).toEqual(before)
    expect((await login('taken@example.test')).status).toBe(200)
    expect((await login('taken@example.test', 'other words')).status).toBe(401)
  })

  test('keeps whose code was entered, however it is typed', async () => {
    const friend = await createClient(app)
    await createClient(app, {
      email: 'new@example.test',
      referral_code: ` ${friend.referralCode.toLowerCase()} `,
    })
    const row = await app.db
      .selectFrom('clients')
      .innerJoin('accounts', 'accounts.id', 'clients.account_id')
      .select('referred_by')
      .where('email', '=', 'new@example.test')
      .executeTakeFirstOrThrow()
    expect(row.referred_by).toBe(friend.id)
  })

  test('is limited per address, and a refused one creates nothing', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 0.01 })
    const from = (address: string, email: string) =>
      post('/client/register', filled({ email }), undefined, { 'x-forwarded-for': address })
    expect((await from('192.0.2.1', 'one@example.test')).status).toBe(201)
    expect((await from('192.0.2.1', 'two@example.test')).status).toBe(201)
    const refused = await from('192.0.2.1', 'three@example.test')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await rows()).toMatchObject({ accounts: 2, clients: 2 })
    expect((await from('192.0.2.2', 'three@example.test')).status).toBe(201)
  })
})

describe('signing in', () => {
  test('answers the same for an unknown email and a wrong password, and takes as long', async () => {
    await app.close()
    app = await buildTestApp({ passwordCost: undefined })
    const client = await createClient(app)
    const before = await rows()
    const times: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] }
    const timed = async (kind: keyof typeof times, email: string) => {
      const started = performance.now()
      const answer = await login(email, 'not the password')
      times[kind].push(performance.now() - started)
      return answer
    }
    await timed('unknown', 'nobody@example.test')
    times.unknown = []
    for (let round = 0; round < 9; round++) {
      const unknown = await timed('unknown', 'nobody@example.test')
      const wrong = await timed('wrong', client.email)
      expect(unknown.status).toBe(401)
      expect(unknown.body).toEqual(wrong.body)
      expect(wrong.status).toBe(401)
    }
    const middle = (list: number[]) => list.sort((a, b) => a - b)[4] ?? 0
    // Without the dummy hash, an unknown email would take about a twentieth of the time.
    expect(middle(times.unknown) / middle(times.wrong)).toBeGreaterThan(0.4)
    expect(middle(times.unknown) / middle(times.wrong)).toBeLessThan(2.5)
    expect(await rows()).toEqual(before)
  })

  test('names no field in its refusal: fields come with a 422 alone', async () => {
    const { email } = await createAdmin(app)
    const wrong = { code: 'invalid_credentials', message: 'The email or the password is not right.' }
    for (const role of ['client', 'therapist', 'admin'] as const) {
      const answer = await login(email, 'not the password', role)
      expect([answer.status, answer.body], role).toEqual([401, wrong])
    }
    const withoutCode = await post('/admin/login', { email, password })
    expect([withoutCode.status, withoutCode.body]).toEqual([
      401,
      { code: 'totp_required', message: 'Enter the six digits that your authenticator app shows.' },
    ])
  })

  test('tells a client and a therapist with one email apart', async () => {
    const practitioner = await createPractitioner(app)
    await signInPractitioner(app, practitioner)
    await createClient(app, { email: practitioner.email, password: 'another pass phrase' })
    expect((await login(practitioner.email, password)).status).toBe(401)
    expect((await login(practitioner.email, 'another pass phrase', 'therapist')).status).toBe(401)
    const asTherapist = await login(practitioner.email, password, 'therapist')
    expect(asTherapist.status).toBe(200)
    expect(asTherapist.body.user).toMatchObject({ practitioner_id: practitioner.id, first_name: 'Priya' })
    const asClient = await login(practitioner.email, 'another pass phrase')
    expect(asClient.status).toBe(200)
    expect(asClient.body.user).not.toHaveProperty('practitioner_id')
    expect((await login(practitioner.email, password, 'admin')).status).toBe(401)
  })

  test('takes the email in any spelling and the password in this one alone', async () => {
    const client = await createClient(app, { email: 'some.one@example.test' })
    expect((await login(' Some.One@EXAMPLE.test ')).status).toBe(200)
    expect((await login(client.email, password.toUpperCase())).status).toBe(401)
    expect((await login(client.email, `${password} `)).status).toBe(401)
    const unstorable = await login('some.one@example.test\u0000')
    expect(unstorable.status).toBe(422)
    expect(Object.keys(unstorable.body.errors ?? {})).toEqual(['email'])
  })

  test('an admin signs in by their own door alone', async () => {
    const admin = await createAdmin(app)
    expect((await app.call('GET', '/admin/audit', { token: admin.token })).status).toBe(200)
    const { email } = admin
    const answer = await post('/admin/login', { email, password, totp: codeOf(app, admin.secret) })
    expect(answer.body.user).toEqual({ first_name: 'Ada', last_name: 'Admin', email })
    expect((await login(email, 'wrong words', 'admin')).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    expect((await refresh(answer.body.refresh_token, 'client')).status).toBe(401)
    expect((await refresh(answer.body.refresh_token, 'admin')).status).toBe(200)
    expect((await post('/admin/logout', undefined, admin.token)).status).toBe(200)
    expect((await app.call('GET', '/admin/audit', { token: admin.token })).status).toBe(401)
  })
})

describe('the limit on failed sign-ins', () => {
  beforeEach(async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
  })
  const failTimes = async (email: string, times: number): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (let time = 0; time < times; time++) answers.push(await login(email, 'not the password'))
    return answers
  }

  test('refuses the eleventh try, the right password included, and says when to come back', async () => {
    const client = await createClient(app)
    const therapist = await createPractitioner(app)
    await signInPractitioner(app, therapist)
    const before = await rows()
    expect((await failTimes(client.email, 10)).map((answer) => answer.status)).toEqual(Array(10).fill(401))
    const refused = await login(client.email)
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('too_many_requests')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(await rows()).toEqual(before)
    // Another account can sign in, the open sign-in session goes on, and Retry-After holds.
    expect((await login(therapist.email, password, 'therapist')).status).toBe(200)
    expect((await profile(client.token)).status).toBe(200)
    app.clock.advance(seconds(wait))
    expect((await login(client.email)).status).toBe(200)
  })

  test('counts unknown emails alike, so that it tells nothing', async () => {
    expect((await failTimes('nobody@example.test', 10)).map((answer) => answer.status)).toEqual(
      Array(10).fill(401),
    )
    expect((await login('nobody@example.test')).status).toBe(429)
  })

  test('allows no second burst where one window ends and the next begins', async () => {
    const client = await createClient(app)
    app.clock.set('2026-06-01T08:14:50Z')
    await failTimes(client.email, 10)
    app.clock.set('2026-06-01T08:15:01Z')
    expect((await login(client.email)).status).toBe(429)
  })

  test('holds for guesses sent all at once', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1, passwordCost: undefined })
    const client = await createClient(app)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => login(client.email, `guess number ${index}`)),
    )
    const refused = answers.filter((answer) => answer.status === 429)
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(refused).toHaveLength(30)
  })

  test('holds for guesses at many accounts sent all at once from one address', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 0.1, passwordCost: undefined })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => login(`guess${index}@example.test`, 'some words')),
    )
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(30)
  })

  test('many right sign-ins at once all pass', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1, passwordCost: undefined })
    const client = await createClient(app)
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(client.email)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(200))
  })

  test('a success in between starts the count anew', async () => {
    const client = await createClient(app)
    await failTimes(client.email, 9)
    expect((await login(client.email)).status).toBe(200)
    expect((await failTimes(client.email, 10)).every((answer) => answer.status === 401)).toBe(true)
  })

  test('is lifted by a reset through the mail', async () => {
    const client = await createClient(app)
    await failTimes(client.email, 10)
    expect((await login(client.email)).status).toBe(429)
    await post('/client/forgot-password', { email: client.email })
    const { token } = await mailedLink()
    const next = 'a wholly new phrase'
    const reset = await post('/client/password/reset', {
      token,
      email: client.email,
      password: next,
      password_confirmation: next,
    })
    expect(reset.status).toBe(200)
    expect((await login(client.email, next)).status).toBe(200)
  })

  test('is kept for a whole address too', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 0.1 })
    const client = await createClient(app)
    const from = (address: string, email: string, secret: string) =>
      post('/client/login', { email, password: secret }, undefined, { 'x-forwarded-for': address })
    for (let guess = 0; guess < 10; guess++) {
      expect((await from('192.0.2.9', `guess${guess}@example.test`, 'some words')).status).toBe(401)
    }
    expect((await from('192.0.2.9', client.email, password)).status).toBe(429)
    expect((await from('192.0.2.10', client.email, password)).status).toBe(200)
  })
})

describe('access tokens', () => {
  test('are good for 15 minutes to the second', async () => {
    const client = await createClient(app)
    app.clock.advance(minutes(15) - seconds(1))
    expect((await profile(client.token)).status).toBe(200)
    app.clock.advance(seconds(1))
    const answer = await profile(client.token)
    expect(answer.status).toBe(401)
    expect(answer.body.code).toBe('unauthenticated')
  })

  test.each(['nonsense', '', 'Bearer', 'Basic YWxleDpzZWNyZXQ=', `Bearer ${'x'.repeat(300)}`, 'Bearer a b'])(
    'are the only thing that is taken for one: %s',
    async (header) => {
      const answer = await app.call('GET', '/client/profile', { headers: { authorization: header } })
      expect(answer.status).toBe(401)
    },
  )

  test('are not refresh tokens, nor the other way round', async () => {
    const client = await createClient(app)
    expect((await profile(client.refreshToken)).status).toBe(401)
    expect((await refresh(client.token)).status).toBe(401)
    expect((await refresh(client.refreshToken)).status).toBe(200)
  })

  test('end on the server with the sign-in, and other sign-ins go on', async () => {
    const first = await createClient(app)
    const second = await signInAgain(app, first)
    expect((await post('/client/logout', undefined, first.token)).body).toBe('success')
    expect((await profile(first.token)).status).toBe(401)
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect((await profile(second.token)).status).toBe(200)
    expect((await refresh(second.refreshToken)).status).toBe(200)
  })
})

describe('refreshing', () => {
  test('answers a new pair each time, and the newest goes on for long', async () => {
    let { token, refreshToken } = await createClient(app)
    for (let day = 0; day < 3; day++) {
      app.clock.advance(days(29))
      expect((await profile(token)).status).toBe(401)
      const answer = await refresh(refreshToken)
      expect(answer.status).toBe(200)
      expect(answer.body.refresh_token).not.toBe(refreshToken)
      token = String(answer.body.token)
      refreshToken = String(answer.body.refresh_token)
      expect((await profile(token)).status).toBe(200)
    }
    app.clock.advance(days(30))
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  test('of an admin goes on for a day of work: 12 hours without a call end the sign-in', async () => {
    const admin = await createAdmin(app)
    app.clock.advance(minutes(1))
    const { body } = await post('/admin/login', {
      email: admin.email,
      password,
      totp: codeOf(app, admin.secret),
    })
    app.clock.advance(hours(11))
    const next = await refresh(body.refresh_token, 'admin')
    expect(next.status).toBe(200)
    app.clock.advance(hours(11))
    const last = await refresh(next.body.refresh_token, 'admin')
    expect(last.status).toBe(200)
    app.clock.advance(hours(12))
    expect((await refresh(last.body.refresh_token, 'admin')).status).toBe(401)
    expect((await app.call('GET', '/admin/audit', { token: String(last.body.token) })).status).toBe(401)
  })

  test('answers a spent token again for 30 seconds', async () => {
    const client = await createClient(app)
    const first = await refresh(client.refreshToken)
    app.clock.advance(seconds(30))
    const second = await refresh(client.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).toBe(first.body.refresh_token)
    for (const answer of [first, second]) {
      expect((await profile(answer.body.token)).status).toBe(200)
      expect((await refresh(answer.body.refresh_token)).status).toBe(200)
    }
  })

  test('answers a spent token with the one that can still be spent, however often it was renewed since', async () => {
    const client = await createClient(app)
    let last = client.refreshToken
    for (let time = 0; time < 4; time++) last = String((await refresh(last)).body.refresh_token)
    app.clock.advance(seconds(29))
    expect((await refresh(client.refreshToken)).body.refresh_token).toBe(last)
    app.clock.advance(minutes(20))
    expect((await refresh(last)).status).toBe(200)
  })

  test('of one token five times at once leaves one successor, of which only a hash is stored', async () => {
    await fiveAtOnce()
  })

  test('goes on with a token that was spent by a release whose successors were random', async () => {
    const client = await createClient(app)
    const spent = await app.db
      .updateTable('refresh_tokens')
      .set({ spent_at: app.clock.now() })
      .returning('login_session_id')
      .executeTakeFirstOrThrow()
    const random = 'r'.repeat(43)
    const expires_at = new Date(app.clock.now().getTime() + days(30))
    await app.db
      .insertInto('refresh_tokens')
      .values({ hash: hashSecret(random), login_session_id: spent.login_session_id, expires_at })
      .execute()
    const answers = [await refresh(client.refreshToken), await refresh(client.refreshToken)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.refresh_token).toBe(answers[1]?.body.refresh_token)
    app.clock.advance(seconds(31))
    expect((await refresh(random)).status).toBe(200)
    expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200)
  })

  test('takes a token that was spent longer ago for stolen, and ends that sign-in alone', async () => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    const first = await refresh(client.refreshToken)
    const second = await refresh(first.body.refresh_token)
    app.clock.advance(seconds(31))
    expect((await profile(second.body.token)).status).toBe(200)
    expect((await refresh(client.refreshToken)).status).toBe(401)
    for (const ended of [client, { token: first.body.token }, { token: second.body.token }]) {
      expect((await profile(ended.token)).status).toBe(401)
    }
    expect((await refresh(second.body.refresh_token)).status).toBe(401)
    expect((await profile(elsewhere.token)).status).toBe(200)
    expect((await refresh(elsewhere.refreshToken)).status).toBe(200)
  })

  test("refuses a token of another role, which stays good at its own role's door", async () => {
    const client = await createClient(app)
    expect((await refresh(client.refreshToken, 'therapist')).status).toBe(401)
    expect((await refresh(client.refreshToken, 'admin')).status).toBe(401)
    app.clock.advance(minutes(1))
    expect((await refresh(client.refreshToken)).status).toBe(200)
    expect((await profile(client.token)).status).toBe(200)
  })

  test('ignores a worn-out token that is sent beside it', async () => {
    const client = await createClient(app)
    const answer = await post('/client/refresh-token', { refresh_token: client.refreshToken }, 'worn-out')
    expect(answer.status).toBe(200)
  })
})

describe('on a database with real concurrency', () => {
  beforeEach(async () => {
    await app.close()
    const { database } = await clusterDatabase()
    app = await buildTestApp({ database, passwordCost: undefined })
  })

  test('ten refreshes of one token at once all get a pair that works', async () => {
    const client = await createClient(app)
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(client.refreshToken)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
    for (const answer of answers) {
      expect((await profile(answer.body.token)).status).toBe(200)
      expect((await refresh(answer.body.refresh_token)).status).toBe(200)
    }
  })

  test('five refreshes of one token at once leave one successor', async () => {
    await fiveAtOnce()
  })

  test('of twenty registrations with one email at once exactly one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/client/register', filled())))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(422)])
    expect(await rows()).toMatchObject({ accounts: 1, clients: 1, sign_ins: 1 })
  })

  test('of ten resets by one link at once exactly one succeeds', async () => {
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    const { token, email } = await mailedLink()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const next = `a new phrase ${index}`
        return post('/client/password/reset', { token, email, password: next, password_confirmation: next })
      }),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(422)])
    const winner = answers.findIndex((answer) => answer.status === 200)
    expect((await login(client.email, `a new phrase ${winner}`)).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  const next = 'a wholly new phrase'
  const reset = (body: Record<string, unknown>, role = 'client') =>
    post(`/${role}/password/reset`, { password: next, password_confirmation: next, ...body })

  test.each([
    { isConfirmed: true, hint: false },
    { isConfirmed: false, hint: true },
  ])(
    'mails name the holder of a confirmed address alone; confirmed: $isConfirmed',
    async ({ isConfirmed, hint }) => {
      const client = await createClient(app, { name: 'Robin Vale' })
      await app.db
        .updateTable('accounts')
        .set({ email_verified_at: isConfirmed ? app.clock.now() : null })
        .where('id', '=', client.id)
        .execute()
      await app.queue.drain()
      const before = app.mails().length
      await post('/client/forgot-password', { email: client.email })
      await app.queue.drain()
      await app.call('POST', '/client/change-password', {
        token: client.token,
        body: {
          current_password: 'correct horse battery',
          password: 'another horse battery',
          password_confirmation: 'another horse battery',
        },
      })
      await app.queue.drain()
      const [asked, changed, ...more] = app.mails().slice(before).map(readMail)
      expect(more).toEqual([])
      expect(asked?.subject).toBe('Choose a new password')
      expect(changed?.subject).toBe('Your password was changed')
      for (const mail of [asked, changed]) {
        expect(mail?.text.includes('Robin')).toBe(isConfirmed)
        expect(mail?.text.includes('This address is not confirmed yet')).toBe(hint)
      }
      expect(changed?.text.includes('Confirm this address: ')).toBe(hint)
    },
  )

  test('says the same and does the same for an unknown email, and sends it nothing', async () => {
    const client = await createClient(app)
    await app.queue.drain()
    const before = app.mails().length
    const counted = async (email: string) => {
      const jobs = (await rows())?.jobs ?? 0
      const answer = await post('/client/forgot-password', { email })
      return { status: answer.status, body: answer.body, jobs: ((await rows())?.jobs ?? 0) - jobs }
    }
    const known = await counted(client.email)
    const unknown = await counted('nobody@example.test')
    expect(known).toEqual({ status: 200, body: 'success', jobs: 1 })
    expect(unknown).toEqual(known)
    await app.queue.drain()
    expect(app.mails().length).toBe(before + 1)
    expect(app.mails().at(-1)).toMatch(new RegExp(`^To: ${client.email}`, 'm'))
    // The practitioners' form sends no mail to a client's account.
    await post('/therapist/forgot-password', { email: client.email })
    await app.queue.drain()
    expect(app.mails().length).toBe(before + 1)
  })

  test('is replaced by the link of the mail, which ends every sign-in', async () => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    await post('/client/forgot-password', { email: ` ${client.email.toUpperCase()} ` })
    const link = await mailedLink()
    expect(link.email).toBe(client.email)
    expect((await reset({ token: link.token, email: link.email })).body).toEqual({ success: true })
    for (const token of [client.token, elsewhere.token]) expect((await profile(token)).status).toBe(401)
    for (const token of [client.refreshToken, elsewhere.refreshToken]) {
      expect((await refresh(token)).status).toBe(401)
    }
    expect((await login(client.email)).status).toBe(401)
    expect((await login(client.email, next)).status).toBe(200)
  })

  test('a mail says that it was replaced, and none goes out for a link that was refused', async () => {
    const client = await createClient(app)
    const practitioner = await createPractitioner(app)
    for (const [role, email] of [
      ['client', client.email],
      ['therapist', practitioner.email],
    ] as const) {
      await post(`/${role}/forgot-password`, { email })
      const { token } = await mailedLink(`${role === 'client' ? '' : '/therapist'}/reset-password`)
      const before = app.mails().length
      expect((await reset({ token, email }, role)).status).toBe(200)
      expect((await reset({ token, email }, role)).status).toBe(422)
      await app.queue.drain()
      const mails = app.mails().slice(before)
      expect(mails.map(readMail).map(({ subject }) => subject)).toEqual(['Your password was changed'])
      expect(mails[0]).toMatch(new RegExp(`^To: ${email}`, 'm'))
      expect(linkIn(mails[0] ?? '').pathname).toBe(`${role === 'client' ? '' : '/therapist'}/forgot-password`)
      expect(textOf(mails[0] ?? '')).not.toContain(next)
    }
  })

  test('is not replaced twice by one link', async () => {
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    const { token } = await mailedLink()
    await reset({ token, email: client.email })
    const again = await reset({
      token,
      email: client.email,
      password: 'third phrase here',
      password_confirmation: 'third phrase here',
    })
    expect(again.status).toBe(422)
    expect(again.body.code).toBe('invalid_token')
    expect((await login(client.email, 'third phrase here')).status).toBe(401)
    expect((await login(client.email, next)).status).toBe(200)
  })

  test('has a link that is good for an hour, to the second', async () => {
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    const { token } = await mailedLink()
    app.clock.advance(hours(1))
    expect((await reset({ token, email: client.email })).body.code).toBe('invalid_token')
    expect((await login(client.email)).status).toBe(200)
    app.clock.advance(-seconds(1))
    expect((await reset({ token, email: client.email })).status).toBe(200)
  })

  test('has only its newest link', async () => {
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    const first = await mailedLink()
    app.clock.advance(minutes(1))
    await post('/client/forgot-password', { email: client.email })
    const second = await mailedLink()
    expect(second.token).not.toBe(first.token)
    expect((await reset({ token: first.token, email: client.email })).status).toBe(422)
    expect((await reset({ token: second.token, email: client.email })).status).toBe(200)
  })

  test('stays as it is for another email, another role, another kind of link or two different phrases', async () => {
    const client = await createClient(app)
    const other = await createClient(app)
    const confirmation = await mailedLink('/verify-email')
    await post('/client/forgot-password', { email: client.email })
    const { token } = await mailedLink()
    const refusals = [
      await reset({ token, email: other.email }),
      await reset({ token, email: '' }),
      await reset({ token, email: client.email }, 'therapist'),
      await reset({ token: confirmation.token, email: other.email }),
      await reset({ token: 'made-up', email: client.email }),
      await reset({ token: 'nul\u0000', email: client.email }),
    ]
    expect(refusals.map((answer) => answer.body.code)).toEqual(Array(6).fill('invalid_token'))
    expect(refusals.map((answer) => answer.status)).toEqual(Array(6).fill(422))
    const different = await reset({
      token,
      email: client.email,
      password_confirmation: 'a wholly new phrasE',
    })
    expect(different.status).toBe(422)
    expect(different.body.errors).toEqual({ password_confirmation: ['Passwords do not match.'] })
    const common = await reset({
      token,
      email: client.email,
      password: 'password1',
      password_confirmation: 'password1',
    })
    expect(Object.keys(common.body.errors ?? {})).toEqual(['password'])
    // Nothing of this ended a sign-in, changed a password or used the link up.
    expect((await profile(client.token)).status).toBe(200)
    expect((await profile(other.token)).status).toBe(200)
    expect((await login(client.email)).status).toBe(200)
    expect((await login(other.email)).status).toBe(200)
    expect((await reset({ token, email: client.email })).status).toBe(200)
  })

  test('of a therapist is replaced on the screen for therapists', async () => {
    const practitioner = await createPractitioner(app)
    const token = await signInPractitioner(app, practitioner)
    await post('/therapist/forgot-password', { email: practitioner.email })
    const link = await mailedLink('/therapist/reset-password')
    expect((await reset({ token: link.token, email: link.email })).status).toBe(422)
    expect((await reset({ token: link.token, email: link.email }, 'therapist')).status).toBe(200)
    expect((await post('/therapist/logout', undefined, token)).status).toBe(401)
    expect((await login(practitioner.email, next, 'therapist')).status).toBe(200)
  })

  test('the server mails five password links an hour at most, and answers alike for an unknown email', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    const client = await createClient(app)
    await app.queue.drain()
    const before = app.mails().length
    const ask = async (email: string) => {
      const answers: number[] = []
      for (let time = 0; time < 6; time++)
        answers.push((await post('/client/forgot-password', { email })).status)
      return answers
    }
    expect(await ask(client.email)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await ask('nobody@example.test')).toEqual([200, 200, 200, 200, 200, 429])
    await app.queue.drain()
    expect(app.mails().length).toBe(before + 5)
  })
})

describe('confirming an email address', () => {
  const verify = (token: string, as?: string) => post('/client/verify-email', { token }, as)
  const isConfirmed = async (client: Client) => (await profile(client.token)).body.email_verified

  test('takes the link of the mail and the sign-in to its account, works once, and for a week', async () => {
    let client = await createClient(app)
    const { token } = await mailedLink('/verify-email')
    app.clock.advance(days(7))
    client = await signInAgain(app, client)
    expect((await verify(token, client.token)).body.code).toBe('invalid_token')
    app.clock.advance(-seconds(1))
    expect(await isConfirmed(client)).toBe(false)
    expect((await verify(token, client.token)).body).toEqual({ success: true })
    expect(await isConfirmed(client)).toBe(true)
    const again = await verify(token, client.token)
    expect([again.status, again.body.code]).toEqual([422, 'invalid_token'])
  })

  test('is not done by the link alone, or with it by another account, and the link stays good', async () => {
    const client = await createClient(app)
    const { token } = await mailedLink('/verify-email')
    const stranger = await createClient(app)
    const practitioner = await signInPractitioner(app, await createPractitioner(app))
    const before = await fingerprint(app.db)
    const refusals = [
      await verify(token),
      await verify(token, stranger.token),
      await post('/therapist/verify-email', { token }, practitioner),
      await post('/therapist/verify-email', { token }, client.token),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'unauthenticated'],
      [403, 'other_account'],
      [403, 'other_account'],
      [403, 'forbidden'],
    ])
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await verify(token, client.token)).status).toBe(200)
    expect(await isConfirmed(stranger)).toBe(false)
  })

  test('is bound to the address that the link was mailed to', async () => {
    const client = await createClient(app)
    const { token } = await mailedLink('/verify-email')
    await app.db.updateTable('accounts').set({ email: 'other@example.test' }).execute()
    expect((await verify(token, client.token)).body.code).toBe('invalid_token')
    expect(await isConfirmed(client)).toBe(false)
  })

  test('takes links that an older release mailed, which name no address', async () => {
    const client = await createClient(app)
    const { token } = await mailedLink('/verify-email')
    await app.db.updateTable('mail_tokens').set({ email: null }).execute()
    expect((await verify(token)).status).toBe(401)
    expect((await verify(token, client.token)).status).toBe(200)
    expect(await isConfirmed(client)).toBe(true)
  })

  test('can be asked for again: the newest link works, and it is in no log', async () => {
    const client = await createClient(app)
    const first = await mailedLink('/verify-email')
    const asked = await post('/client/resend-verification', undefined, client.token)
    expect([asked.status, asked.body]).toEqual([200, 'success'])
    const second = await mailedLink('/verify-email')
    const mail = readMail(app.mails().at(-1) ?? '')
    expect(mail).toMatchObject({ to: client.email, subject: 'Confirm your email address' })
    expect(linkIn(mail.raw).search).toBe('')
    expect((await verify(first.token, client.token)).body.code).toBe('invalid_token')
    expect((await verify(second.token, client.token)).status).toBe(200)
    expect(app.logged()).not.toContain(second.token)

    // Once it is confirmed, no link is sent any more.
    const written = app.mails().length
    const late = await post('/client/resend-verification', undefined, client.token)
    expect([late.status, late.body.code]).toEqual([409, 'already_confirmed'])
    await app.services.mails.enqueue(app.db, {
      template: 'account.confirmation',
      about: { type: 'account', id: client.id },
      recipient: 'holder',
      accountId: client.id,
    })
    await app.queue.drain()
    expect(app.mails()).toHaveLength(written)
  })

  test('can be asked for again five times an hour, and the refusal says for how long', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    let client = await createClient(app)
    await app.queue.drain()
    const written = app.mails().length
    const ask = () => post('/client/resend-verification', undefined, client.token)
    const statuses: number[] = []
    for (let time = 0; time < 5; time++) {
      statuses.push((await ask()).status)
      await app.queue.drain()
    }
    expect(statuses).toEqual(Array(5).fill(200))
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(60)
    await app.queue.drain()
    expect(app.mails()).toHaveLength(written + 5)
    app.clock.advance(seconds(wait))
    client = await signInAgain(app, client)
    expect((await ask()).status).toBe(200)
  })

  test('is not done by a link for a new password, which stays good', async () => {
    const client = await createClient(app)
    await post('/client/forgot-password', { email: client.email })
    const { token } = await mailedLink()
    expect((await verify(token, client.token)).status).toBe(422)
    expect(await isConfirmed(client)).toBe(false)
    const next = 'a wholly new phrase'
    const done = await post('/client/password/reset', {
      token,
      email: client.email,
      password: next,
      password_confirmation: next,
    })
    expect(done.status).toBe(200)
    const again = await login(client.email, next)
    expect((await profile(again.body.token)).body.email_verified).toBe(true)
  })

  test('is asked for in the welcome, and there is no other mail', async () => {
    const client = await createClient(app)
    await app.queue.drain()
    const [mail = '', ...more] = app.mails().filter((each) => each.includes(`To: ${client.email}`))
    expect(more).toEqual([])
    expect(readMail(mail)).toMatchObject({ subject: 'Welcome to Hearth', to: client.email })
    expect(linkIn(mail).pathname).toBe('/verify-email')
    expect(textOf(mail)).toContain('http://hearth.test/find-therapist')
    expect(textOf(mail)).toContain('116\u00a0123')
  })

  test('is not asked for again once it has been done, and not where it is known from the start', async () => {
    const client = await createClient(app)
    const welcomed = async () => {
      await app.services.accounts.noteWelcome(app.db, client.id)
      await app.queue.drain()
      return app.mails().filter((mail) => mail.includes('Subject: Welcome to Hearth'))
    }
    const { token } = await mailedLink('/verify-email')
    app.clock.advance(1000)
    expect((await verify(token, client.token)).status).toBe(200)
    expect(await welcomed()).toHaveLength(1)
    await app.db
      .updateTable('accounts')
      .set((eb) => ({ email_verified_at: eb.ref('created_at') }))
      .execute()
    const mails = await welcomed()
    expect(mails).toHaveLength(2)
    const second = mails.find((mail) => !textOf(mail).includes('verify-email')) ?? ''
    expect(textOf(second)).not.toContain('confirm')
    expect(linkIn(second).href).toBe('http://hearth.test/find-therapist')
  })

  test('of a therapist is asked for with what comes next for them', async () => {
    const practitioner = await createPractitioner(app)
    await app.services.accounts.noteWelcome(app.db, practitioner.accountId)
    const { token } = await mailedLink('/therapist/verify-email')
    const as = await signInPractitioner(app, practitioner)
    expect((await post('/therapist/verify-email', { token }, as)).status).toBe(200)
    expect((await app.call('GET', '/therapist/account', { token: as })).body.email_verified).toBe(true)
    const text = textOf(app.mails().at(-1) ?? '')
    expect(text).toContain('http://hearth.test/therapist/sign-in')
    expect(text).not.toContain('Samaritans')
  })

  test('greets by a name, and repeats nothing else that was typed at registration', async () => {
    const greetingFor = async (name: string) => {
      const { email } = await createClient(app, { name })
      await app.queue.drain()
      return plainText(app.mails().find((mail) => readMail(mail).to === email) ?? '')
    }
    expect(await greetingFor('Zoë Bell')).toContain('Hello Zoë,')
    for (const name of ['<img/src=x> "& Co"', 'http://evil.example now', '\u202eevil.example']) {
      const mail = await greetingFor(name)
      expect(mail).toMatch(/<p [^>]*>Hello,/)
      expect(mail).not.toMatch(/img\/src|evil\.example/)
    }
  })
})

describe('a referral code', () => {
  const check = (code: unknown, token?: string) =>
    post('/client/check-referral-code', { referral_code: code }, token)
  const referredBy = async (id: string) =>
    (
      await app.db
        .selectFrom('clients')
        .select('referred_by')
        .where('account_id', '=', id)
        .executeTakeFirstOrThrow()
    ).referred_by

  test('a visitor can check a referral code, and a signed-in client keeps it', async () => {
    const friend = await createClient(app)
    const client = await createClient(app)
    const answer = await check(friend.referralCode)
    expect(answer.body).toEqual({ valid: true, discount_percent: 20 })
    expect(await referredBy(client.id)).toBe(null)
    expect((await check(friend.referralCode, client.token)).status).toBe(200)
    expect(await referredBy(client.id)).toBe(friend.id)
  })

  test('a client keeps no referral code that is unknown or their own', async () => {
    const client = await createClient(app)
    const unknown = await check('NOSUCH99', client.token)
    expect(unknown.status).toBe(422)
    expect(unknown.body.code).toBe('unknown_referral_code')
    const own = await check(client.referralCode, client.token)
    expect(own.status).toBe(422)
    expect(own.body.code).toBe('own_referral_code')
    expect(Object.keys(own.body.errors ?? {})).toEqual(['referral_code'])
    expect((await check('nul\u0000', client.token)).status).toBe(422)
    expect(await referredBy(client.id)).toBe(null)
  })

  test('a practitioner may check a referral code, and an invalid token gets a 401', async () => {
    const friend = await createClient(app)
    const token = await signInPractitioner(app, await createPractitioner(app))
    expect((await check(friend.referralCode, token)).status).toBe(200)
    expect((await check(friend.referralCode, 'worn-out')).status).toBe(401)
  })

  test('cannot be guessed by trying: that is limited per address', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 0.02 })
    expect((await check('NOSUCH99')).status).toBe(422)
    expect((await check('NOSUCH99')).status).toBe(422)
    expect((await check('NOSUCH99')).status).toBe(429)
  })
})

describe('secrets', () => {
  test('are stored only as hashes and never logged', async () => {
    await app.close()
    app = await buildTestApp({ passwordCost: undefined })
    const secretPassword = 'Tr0ub4dor & the horse'
    const client = await createClient(app, { password: secretPassword })
    const refreshed = await refresh(client.refreshToken)
    await post('/client/forgot-password', { email: client.email })
    await login(client.email, 'a wrong secret phrase')
    await app.queue.drain()
    const links = app.mails().map((mail) => tokenOf(linkIn(mail)))
    expect(links).toHaveLength(2)
    const reset = await post('/client/password/reset', {
      token: links.find((_, index) => linkIn(app.mails()[index] ?? '').pathname === '/reset-password'),
      email: client.email,
      password: 'The second secret phrase',
      password_confirmation: 'The second secret phrase',
    })
    expect(reset.status).toBe(200)
    const secrets = [
      secretPassword,
      'The second secret phrase',
      'a wrong secret phrase',
      client.token,
      client.refreshToken,
      String(refreshed.body.token),
      String(refreshed.body.refresh_token),
      ...links,
    ]
    expect(secrets.every((secret) => secret.length > 15)).toBe(true)

    const stored = await everythingStored()
    // That the scan sees what there is.
    expect(stored).toContain(client.email)
    expect(stored).toContain('$argon2id$v=19$m=19456,p=1,t=2$')
    for (const secret of secrets) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
      expect(stored).not.toContain(Buffer.from(secret).toString('base64'))
      expect(app.logged()).not.toContain(secret)
    }
    expect(app.logged()).toContain('/client/login')
    expect(app.logged()).not.toContain(client.email)
    expect(app.logged()).not.toContain('Morgan')
  })
})

/** Every row of every table there is, as text. */
async function everythingStored(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(app.db)
  expect(tables.length).toBeGreaterThan(30)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(app.db)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

describe('tidying up', () => {
  test('forgets tokens a day after they expired, and no others', async () => {
    const client = await createClient(app)
    const count = async () =>
      (
        await sql<{ n: number }>`
          select (select count(*) from access_tokens)::int + (select count(*) from refresh_tokens)::int as n
          `.execute(app.db)
      ).rows[0]?.n
    app.clock.advance(days(1))
    await app.services.accounts.tidy()
    expect(await count()).toBe(2)
    app.clock.advance(minutes(16))
    await app.services.accounts.tidy()
    expect(await count()).toBe(1)
    expect((await refresh(client.refreshToken)).status).toBe(200)
    app.clock.advance(days(32))
    await app.services.accounts.tidy()
    expect(await count()).toBe(0)
  })
})
