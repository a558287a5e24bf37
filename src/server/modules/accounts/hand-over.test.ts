import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, minutes, seconds } from '#server/clock.ts'
import { createSecrets } from '#server/secrets.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type Client,
  codeOf,
  createAdmin,
  createClient,
  createNewAdmin,
  createPractitioner,
  password,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { openServer } from '#server/db/connection.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const post = (path: string, body?: unknown, token?: string) => app.call('POST', path, { body, token })
const handOver = (refreshToken: unknown, role = 'client') =>
  post(`/${role}/hand-over`, { refresh_token: refreshToken })
const refresh = (refreshToken: unknown, role = 'client') =>
  post(`/${role}/refresh-token`, { refresh_token: refreshToken })
const works = async (token: unknown, path = '/client/profile') =>
  (await app.call('GET', path, { token: String(token) })).status === 200
const sessions = () =>
  app.db.selectFrom('login_sessions').select(['id', 'family_id', 'ended_at']).orderBy('id').execute()

/** A client who is signed in in two tabs of one browser. */
async function twoTabs(): Promise<{ first: Client; second: Answer['body'] }> {
  const first = await createClient(app)
  const answer = await handOver(first.refreshToken)
  expect(answer.status).toBe(200)
  return { first, second: answer.body }
}

describe('a sign-in handed over to another tab', () => {
  test('is one of its own: neither tab’s renewals end the other’s', async () => {
    const { first, second } = await twoTabs()
    expect(second.user).toEqual({ first_name: 'Alex', last_name: 'Morgan', email: first.email })
    let tokens = [first.refreshToken, String(second.refresh_token)]
    for (let round = 0; round < 4; round++) {
      app.clock.advance(minutes(20))
      const renewed: string[] = []
      for (const token of tokens) {
        const answer = await refresh(token)
        expect(answer.status).toBe(200)
        expect(await works(answer.body.token)).toBe(true)
        renewed.push(String(answer.body.refresh_token))
      }
      tokens = renewed
    }
    expect(new Set(tokens).size).toBe(2)
  })

  test('is given for a token spent by another tab just now, and not for one spent earlier', async () => {
    const first = await createClient(app)
    await refresh(first.refreshToken)
    app.clock.advance(seconds(20))
    expect((await handOver(first.refreshToken)).status).toBe(200)
    app.clock.advance(seconds(20))
    expect((await handOver(first.refreshToken)).status).toBe(401)
    // That was a stolen one: nothing is left of the browser's sign-ins.
    expect((await sessions()).every(({ ended_at }) => ended_at)).toBe(true)
  })

  test.each([
    ['an access token', (client: Client) => client.token],
    ['a made-up token', () => 'a'.repeat(43)],
  ])('is not given for %s', async (_what, of) => {
    const client = await createClient(app)
    expect((await handOver(of(client))).status).toBe(401)
    expect((await handOver(client.refreshToken, 'therapist')).status).toBe(401)
    expect((await handOver(client.refreshToken, 'admin')).status).toBe(401)
    expect(await sessions()).toHaveLength(1)
    expect(await works(client.token)).toBe(true)
  })

  test('does not last longer by itself than the one that it came from', async () => {
    const first = await createClient(app)
    app.clock.advance(days(29))
    const second = await handOver(first.refreshToken)
    app.clock.advance(days(1))
    expect((await refresh(second.body.refresh_token)).status).toBe(401)
  })

  test('may do what its account may: a practitioner keeps the number, an admin has a second factor or none', async () => {
    const practitioner = await createPractitioner(app)
    await signInPractitioner(app, practitioner)
    const therapist = await post('/therapist/login', { email: practitioner.email, password })
    const second = await handOver(therapist.body.refresh_token, 'therapist')
    expect(second.body.user).toMatchObject({ practitioner_id: practitioner.id })

    const { email, secret } = await createAdmin(app)
    const admin = await post('/admin/login', { email, password, totp: codeOf(app, secret) })
    const office = await handOver(admin.body.refresh_token, 'admin')
    expect(await works(office.body.token, '/admin/audit')).toBe(true)
    const fresh = await createNewAdmin(app)
    const unready = await post('/admin/login', { email: fresh.email, password })
    const closed = await handOver(unready.body.refresh_token, 'admin')
    const answer = await app.call('GET', '/admin/audit', { token: String(closed.body.token) })
    expect([answer.status, answer.body.code]).toEqual([403, 'second_factor_needed'])
  })

  test('is listed with its browser as one device, and ends with it', async () => {
    const { first, second } = await twoTabs()
    const other = await signInAgain(app, first)
    app.clock.advance(minutes(5))
    await refresh(second.refresh_token)
    type Listed = { id: string; current: boolean; began_at: string; last_used_at: string }[]
    const listed = (await app.call('GET', '/client/login-sessions', { token: first.token }))
      .body as unknown as Listed
    expect(listed.map(({ current }) => current)).toEqual([true, false])
    expect(listed[0]?.last_used_at).toBe(app.clock.now().toISOString())
    expect(Date.parse(listed[0]?.began_at ?? '')).toBe(app.clock.now().getTime() - minutes(5))
    const { id = '' } = listed[0] ?? {}
    expect((await app.call('DELETE', `/client/login-sessions/${id}`, { token: other.token })).status).toBe(
      200,
    )
    expect(await works(first.token)).toBe(false)
    expect(await works(second.token)).toBe(false)
    expect(await works(other.token)).toBe(true)
  })

  test.each(['first', 'second'] as const)(
    'ends when the %s tab signs out, and other browsers’ do not',
    async (tab) => {
      const { first, second } = await twoTabs()
      const third = await handOver(second.refresh_token)
      const other = await signInAgain(app, first)
      const token = tab === 'first' ? first.token : String(second.token)
      expect((await post('/client/logout', undefined, token)).status).toBe(200)
      for (const ended of [first.token, second.token, third.body.token])
        expect(await works(ended)).toBe(false)
      for (const ended of [first.refreshToken, second.refresh_token, third.body.refresh_token]) {
        expect((await refresh(ended)).status).toBe(401)
        expect((await handOver(ended)).status).toBe(401)
      }
      expect(await works(other.token)).toBe(true)
    },
  )

  test('ends with a stolen token of any tab of its browser', async () => {
    const { first, second } = await twoTabs()
    await refresh(second.refresh_token)
    app.clock.advance(seconds(31))
    expect((await refresh(second.refresh_token)).status).toBe(401)
    expect(await works(first.token)).toBe(false)
    expect((await refresh(first.refreshToken)).status).toBe(401)
  })

  test('ends with a new password, the tab excepted in which it was chosen', async () => {
    const { first, second } = await twoTabs()
    const next = 'six tall poplars'
    const body = { current_password: password, password: next, password_confirmation: next }
    expect((await post('/client/change-password', body, first.token)).status).toBe(200)
    expect(await works(first.token)).toBe(true)
    expect(await works(second.token)).toBe(false)
    expect((await handOver(second.refresh_token)).status).toBe(401)
    expect((await handOver(first.refreshToken)).status).toBe(200)
  })

  test('is one of fifty: the one used longest ago ends', async () => {
    const first = await createClient(app)
    const tokens: unknown[] = []
    for (let tab = 0; tab < 50; tab++) {
      app.clock.advance(1000)
      tokens.push((await handOver(first.refreshToken)).body.refresh_token)
    }
    expect((await sessions()).filter(({ ended_at }) => !ended_at)).toHaveLength(50)
    expect((await refresh(tokens[0])).status).toBe(200)
    expect((await refresh(first.refreshToken)).status).toBe(401)
  })
})

describe('on a database with real concurrency', () => {
  test('no hand-over survives a sign-out at the same moment, on either instance', async () => {
    await app.close()
    const { url, database } = await clusterDatabase()
    const secrets = createSecrets([randomBytes(32)])
    app = await buildTestApp({ database, secrets })
    const other = await buildTestApp({
      database: openServer(url, 10, () => undefined),
      clock: app.clock,
      secrets,
    })
    try {
      let handedOver = 0
      for (let round = 0; round < 8; round++) {
        const client = await createClient(app)
        const body = { refresh_token: client.refreshToken }
        const asked = Array.from({ length: 4 }, () => other.call('POST', '/client/hand-over', { body }))
        // In every other round the sign-out waits for the first of them, or it would win every time.
        if (round % 2) await Promise.race(asked)
        const given = await Promise.all([
          ...asked,
          post('/client/logout', undefined, client.token),
          ...Array.from({ length: 4 }, () => app.call('POST', '/client/hand-over', { body })),
        ])
        for (const { status, body: answer } of given) {
          if (status !== 200 || !answer.token) continue
          handedOver++
          expect(await works(answer.token)).toBe(false)
        }
      }
      expect(handedOver).toBeGreaterThan(0)
      expect((await sessions()).filter(({ ended_at }) => !ended_at)).toEqual([])
    } finally {
      await other.close()
    }
  })
})
