import argon2 from 'argon2'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { days, seconds } from '#server/clock.ts'
import { hashSecret } from '#server/ids.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type Client,
  codeOf,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
} from '#test/factories.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
})

type Role = 'client' | 'therapist'
type Staying = { client: Client; cookie: string; answer: Answer }

const logIn = (email: string, body: object = {}, cookie?: string, role: Role | 'admin' = 'client') =>
  app.call('POST', `/${role}/login`, {
    body: { email, password, ...body },
    ...(cookie ? { headers: { cookie } } : {}),
  })
const resume = (cookie?: string, role: Role = 'client') =>
  app.call('POST', `/${role}/resume`, cookie ? { headers: { cookie } } : {})
const works = async (token: unknown) =>
  (await app.call('GET', '/client/profile', { token: String(token) })).status === 200
const devices = () => app.db.selectFrom('device_tokens').selectAll().execute()
const sessions = () =>
  app.db.selectFrom('login_sessions').select(['id', 'family_id', 'ended_at']).orderBy('id').execute()

/** The whole text of the device's cookie in an answer. */
const setCookie = ({ headers }: Answer) =>
  headers.getSetCookie().find((text) => text.startsWith('hearth_device='))

/** The cookie that tells a page of the device's cookie. */
const hint = ({ headers }: Answer) => headers.getSetCookie().find((text) => text.startsWith('hearth_stays_'))

/** The cookie that a browser sends back after an answer. */
function kept(answer: Answer): string {
  const [pair = ''] = (setCookie(answer) ?? '').split(';')
  return pair
}

/** A client who has signed in with the box ticked. */
async function staying(): Promise<Staying> {
  const client = await createClient(app)
  app.clock.advance(seconds(60))
  const answer = await logIn(client.email, { stay_signed_in: true })
  const { token, refresh_token } = answer.body
  return {
    client: { ...client, token: String(token), refreshToken: String(refresh_token) },
    cookie: kept(answer),
    answer,
  }
}

/** Asserts that the token starts nothing, and that the browser forgets it. */
async function expectEnded(cookie: string, role: Role = 'client'): Promise<void> {
  const before = await sessions()
  const answer = await resume(cookie, role)
  expect([answer.status, answer.body]).toEqual([200, null])
  expect(setCookie(answer)).toContain('Max-Age=0')
  expect(hint(answer)).toContain(`hearth_stays_${role}=; Path=/; Max-Age=0`)
  expect(await sessions()).toEqual(before)
}

describe('a browser that stays signed in', () => {
  test('is kept only if that was asked for, by a token that the database holds as a digest', async () => {
    const client = await createClient(app)
    expect(setCookie(await logIn(client.email))).toBeUndefined()
    expect(setCookie(await logIn(client.email, { stay_signed_in: false }))).toBeUndefined()
    expect(await devices()).toEqual([])

    const answer = await logIn(client.email, { stay_signed_in: true })
    expect(setCookie(answer)).toMatch(
      /^hearth_device=[\w-]{43}; Path=\/api\/v7\/client; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(hint(answer)).toBe('hearth_stays_client=yes; Path=/; Max-Age=2592000; Secure; SameSite=Strict')
    const token = kept(answer).split('=')[1] ?? ''
    const [row] = await devices()
    expect(Buffer.from(row?.hash ?? [])).toEqual(hashSecret(token))
    expect(JSON.stringify(answer.body)).not.toContain(token)
  })

  test('starts a new tab’s session of the same device, and its token does nothing else', async () => {
    const { client, cookie } = await staying()
    const tab = await resume(cookie)
    expect(tab.body.user).toEqual({ first_name: 'Alex', last_name: 'Morgan', email: client.email })
    expect(await works(tab.body.token)).toBe(true)
    expect(await works(client.token)).toBe(true)
    const refreshed = await app.call('POST', '/client/refresh-token', {
      body: { refresh_token: tab.body.refresh_token },
    })
    expect(refreshed.status).toBe(200)

    const token = cookie.split('=')[1] ?? ''
    expect(await works(token)).toBe(false)
    expect((await app.call('GET', '/client/profile', { headers: { cookie } })).status).toBe(401)
    for (const path of ['/client/refresh-token', '/client/hand-over']) {
      expect((await app.call('POST', path, { body: { refresh_token: token } })).status).toBe(401)
    }
    const listed = await app.call('GET', '/client/login-sessions', { token: client.token })
    expect(listed.body).toMatchObject([
      { current: true, stays_signed_in: true },
      { current: false, stays_signed_in: false },
    ])
  })

  test('exchanges its token at each use; tabs that open at once get the same one', async () => {
    const { cookie } = await staying()
    const [first, second] = await Promise.all([resume(cookie), resume(cookie)])
    expect(kept(first)).not.toBe(cookie)
    expect(hint(first)).toContain('hearth_stays_client=yes; Path=/; Max-Age=2592000;')
    expect(kept(second)).toBe(kept(first))
    expect(first.body.token).not.toBe(second.body.token)
    app.clock.advance(days(1))
    expect((await resume(kept(first))).body).not.toBeNull()
  })

  test('is signed out everywhere when a token that was spent earlier is used: it was stolen', async () => {
    const { client, cookie } = await staying()
    const tab = await resume(cookie)
    app.clock.advance(seconds(31))
    expect((await resume(cookie)).body).toBeNull()
    expect(await devices()).toEqual([])
    expect(await works(tab.body.token)).toBe(false)
    expect(await works(client.token)).toBe(false)
    expect((await sessions()).filter(({ ended_at }) => !ended_at)).toHaveLength(1)
    await expectEnded(kept(tab))
  })

  test('stays so for 30 days after its last new tab', async () => {
    let { cookie } = await staying()
    for (let round = 0; round < 3; round++) {
      app.clock.advance(days(29))
      const answer = await resume(cookie)
      expect(answer.body).toMatchObject({ token: expect.any(String) })
      cookie = kept(answer)
    }
    app.clock.advance(days(30))
    await expectEnded(cookie)
    app.clock.advance(days(2))
    await app.services.accounts.tidy()
    expect(await devices()).toEqual([])
  })

  test.each<[string, (staying: Staying) => Promise<Answer>]>([
    ['signing out there', ({ client: { token } }) => app.call('POST', '/client/logout', { token })],
    [
      'ending the device from another one',
      async ({ client }) => {
        const other = await logIn(client.email)
        const token = String(other.body.token)
        const listed = await app.call('GET', '/client/login-sessions', { token })
        const found = (listed.body as unknown as { id: string; stays_signed_in: boolean }[]).find(
          (each) => each.stays_signed_in,
        )
        return app.call('DELETE', `/client/login-sessions/${found?.id}`, { token })
      },
    ],
    [
      'signing out everywhere',
      ({ client: { token } }) => app.call('POST', '/client/logout-everywhere', { token }),
    ],
    [
      'a new password, chosen in it',
      ({ client: { token } }) =>
        app.call('POST', '/client/change-password', {
          token,
          body: {
            current_password: password,
            password: 'three quiet lanterns',
            password_confirmation: 'three quiet lanterns',
          },
        }),
    ],
    [
      'deleting the account',
      ({ client: { token } }) =>
        app.call('POST', '/client/delete-account', {
          token,
          body: { current_password: password, understood: true },
        }),
    ],
    ['a sign-in without the box', ({ client, cookie }) => logIn(client.email, {}, cookie)],
  ])('stays so no longer after %s', async (_what, end) => {
    const begun = await staying()
    expect((await end(begun)).status).toBe(200)
    expect(await devices()).toEqual([])
    await expectEnded(begun.cookie)
  })

  test('signing out clears the cookies', async () => {
    const { client } = await staying()
    const answer = await app.call('POST', '/client/logout', { token: client.token })
    expect(setCookie(answer)).toContain('hearth_device=; Path=/api/v7/client; Max-Age=0')
    expect(hint(answer)).toContain('hearth_stays_client=; Path=/; Max-Age=0')
  })

  test('signing out in a tab of an earlier sign-in ends the one that stays, and leaves another browser', async () => {
    const { client, cookie } = await staying()
    const other = await logIn(client.email, { stay_signed_in: true })
    const earlier = client.token
    const later = await logIn(client.email, { stay_signed_in: true }, cookie)
    const answer = await app.call('POST', '/client/logout', {
      token: earlier,
      headers: { cookie: kept(later) },
    })
    expect([answer.status, setCookie(answer)]).toEqual([200, expect.stringContaining('Max-Age=0')])
    expect([await works(earlier), await works(later.body.token)]).toEqual([false, false])
    await expectEnded(kept(later))
    expect(await works(other.body.token)).toBe(true)
    expect((await resume(kept(other))).body).toMatchObject({ token: expect.any(String) })
  })

  test('signing out where another account stays has the browser forget it, and leaves its tabs signed in', async () => {
    const { client } = await staying()
    const second = await staying()
    const { cookie } = second
    const answer = await app.call('POST', '/client/logout', { token: client.token, headers: { cookie } })
    expect([answer.status, await works(client.token)]).toEqual([200, false])
    await expectEnded(cookie)
    expect(await works(second.client.token)).toBe(true)
  })

  test('is in the export of the account', async () => {
    const { client } = await staying()
    const { body } = await app.call('GET', '/client/export', { token: client.token })
    const { sections } = body as unknown as { sections: { title: string; entries: object[] }[] }
    const section = sections.find(({ title }) => title === 'Devices that you stay signed in on')
    expect(section?.entries).toEqual([
      {
        since: app.clock.now().toISOString(),
        ends_at: new Date(app.clock.now().getTime() + days(30)).toISOString(),
      },
    ])
  })
})

test('a practitioner stays signed in until a suspension; an admin never does', async () => {
  const practitioner = await createPractitioner(app)
  await signInPractitioner(app, practitioner)
  const answer = await logIn(practitioner.email, { stay_signed_in: true }, undefined, 'therapist')
  const tab = await resume(kept(answer), 'therapist')
  expect(tab.body.user).toMatchObject({ practitioner_id: practitioner.id })
  // A cookie of one role is nothing to the other.
  await expectEnded(kept(tab), 'client')

  const admin = await createAdmin(app)
  const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token: admin.token,
    body: { reason: 'A complaint is being looked into.' },
  })
  expect(suspended.body).not.toHaveProperty('code')
  await expectEnded(kept(tab), 'therapist')

  app.clock.advance(seconds(60))
  const office = await logIn(
    admin.email,
    { stay_signed_in: true, totp: codeOf(app, admin.secret) },
    undefined,
    'admin',
  )
  expect(office.status).toBe(200)
  expect([setCookie(office), hint(office)]).toEqual([undefined, undefined])
  expect(await devices()).toEqual([])
})

test('a sign-in whose password is checked while all sign-ins are ended begins none', async () => {
  const client = await createClient(app)
  const { verify } = argon2
  vi.spyOn(argon2, 'verify').mockImplementationOnce(async (...given) => {
    const ended = await app.call('POST', '/client/logout-everywhere', { token: client.token })
    expect(ended.status).toBe(200)
    return verify(...given)
  })
  const answer = await logIn(client.email, { stay_signed_in: true })
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  expect(setCookie(answer)).toBeUndefined()
  expect((await sessions()).every(({ ended_at }) => ended_at)).toBe(true)
  expect(await devices()).toEqual([])
  expect((await logIn(client.email)).status).toBe(200)
})
