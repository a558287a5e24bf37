import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import { systemClock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { googleVouchesFor, openidProvider, type OpenidOptions } from '#server/integrations/identity/openid.ts'
import { createSecrets } from '#server/secrets.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient, password } from '#test/factories.ts'
import { linkIn, textOf, tokenOf } from '#test/mails.ts'
import { freePort } from '#test/private-cluster.ts'

let app: TestApp
afterEach(async () => app.close())

const wanted = { is_adult: true, accept_terms: true }
type Counted = 'accounts' | 'identities' | 'login_sessions' | 'identity_codes' | 'client_calendar_feeds'
const count = async (table: Counted) =>
  Number(
    (
      await app.db
        .selectFrom(table)
        .select((of) => of.fn.countAll().as('all'))
        .executeTakeFirstOrThrow()
    ).all,
  )

describe('ID tokens', () => {
  // A provider that is nothing but its description and keys, so that a test can sign what no provider would.
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let strangers: CryptoKey
  let host: Server
  let issuer: string
  let publicKey: string

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true })
    strangers = (await generateKeyPair('RS256')).privateKey
    publicKey = await exportSPKI(keys.publicKey)
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    host = createServer((request, response) => {
      const answer = request.url?.endsWith('/keys')
        ? { keys: [jwk] }
        : {
            issuer,
            jwks_uri: `${issuer}/keys`,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  })
  afterAll(() => void host.close())

  const startApp = async (options: Pick<OpenidOptions, 'vouchesFor'> = {}) => {
    app = await buildTestApp({
      identityProvider: openidProvider({
        name: 'Test',
        issuer,
        clientId: 'hearth',
        insecure: true,
        ...options,
        // The app's own clock does not exist yet.
        now: () => app.clock.now(),
      }),
    })
  }
  beforeEach(() => startApp())

  type Made = { claims?: JWTPayload; key?: CryptoKey | Uint8Array; header?: { alg: string; kid?: string } }

  async function credentialOf({ claims = {}, key, header = { alg: 'RS256', kid: 'one' } }: Made = {}) {
    const nonce = (await app.call('GET', '/identity/nonce')).body.nonce
    const now = Math.floor(app.clock.now().getTime() / 1000)
    const all = {
      iss: issuer,
      aud: 'hearth',
      sub: '110',
      email: 'Robin@Example.com',
      email_verified: true,
      given_name: 'Robin',
      family_name: 'Hale',
      iat: now,
      exp: now + 600,
      nonce: String(nonce),
      ...claims,
    }
    const told = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return new SignJWT(told).setProtectedHeader(header).sign(key ?? keys.privateKey)
  }

  const signIn = (credential: string, more: object = {}) =>
    app.call('POST', '/client/google-sign-in', { body: { credential, ...more } })
  const signUp = (credential: string, more: object = {}) =>
    app.call('POST', '/client/google-sign-up', { body: { credential, ...wanted, ...more } })

  test('opens an account and signs in to it, whose email needs no confirming', async () => {
    const opened = await signUp(await credentialOf(), { first_name: 'Whoever', last_name: 'Else' })
    expect(opened.status).toBe(200)
    expect(opened.body.user).toEqual({ first_name: 'Robin', last_name: 'Hale', email: 'robin@example.com' })
    const token = String(opened.body.token)
    const profile = await app.call('GET', '/client/profile', { token })
    expect(profile.body).toMatchObject({ email: 'robin@example.com', email_verified: true })
    await app.queue.drain()
    expect(app.mails()).toHaveLength(1)
    expect(app.mails()[0]).not.toContain('verify-email')

    const again = await signIn(await credentialOf(), { first_name: 'Robin', email: 'robin@EXAMPLE.com' })
    expect(again.status).toBe(200)
    // From now on the subject identifies the account, even if its email at the provider changes.
    const moved = await signIn(await credentialOf({ claims: { email: 'other@example.com' } }))
    expect(moved.body.user).toMatchObject({ email: 'robin@example.com' })
    expect(await count('accounts')).toBe(1)
    // Another sign-up with the same credential signs in.
    expect((await signUp(await credentialOf())).body.user).toEqual(opened.body.user)
    expect(await count('identities')).toBe(1)
    // There is no password to guess, and one can be set by mail.
    const guessed = await app.call('POST', '/client/login', {
      body: { email: 'robin@example.com', password },
    })
    expect(guessed.body.code).toBe('invalid_credentials')
    const asked = { current_password: password }
    for (const [call, body] of [
      ['delete-account', { ...asked, understood: true }],
      ['change-email', { ...asked, email: 'new@example.com' }],
      [
        'change-password',
        { ...asked, password: 'a quiet evening', password_confirmation: 'a quiet evening' },
      ],
    ] as const) {
      const refused = await app.call('POST', `/client/${call}`, { token, body })
      expect(refused.status, call).toBe(422)
      expect(refused.body.errors, call).toEqual({
        current_password: ['You have not chosen a password yet. We can send you a link to choose one.'],
      })
    }
    expect(await count('accounts')).toBe(1)
  })

  test('says when there is no account, and the same credential then opens one', async () => {
    const credential = await credentialOf()
    const none = await signIn(credential)
    expect([none.status, none.body.code, none.body.message]).toEqual([
      404,
      'no_account',
      'Need to create an account with this email',
    ])
    expect([await count('accounts'), await count('login_sessions')]).toEqual([0, 0])
    expect((await signUp(credential)).status).toBe(200)
    // And is then used up.
    expect((await signIn(credential)).body.code).toBe('identity_refused')
  })

  test('records the consent to the use of health data with the account that it opens', async () => {
    const credential = await credentialOf()
    const answer = await app.call('POST', '/client/google-sign-up', {
      body: { credential, ...wanted, health_consent: healthConsent.version },
    })
    expect(answer.status).toBe(200)
    const consents = await app.db.selectFrom('consents').select(['scope', 'text_version']).execute()
    expect(consents).toEqual([{ scope: 'health-data', text_version: healthConsent.version }])
  })

  test('asks for age and terms before it opens anything', async () => {
    const credential = await credentialOf()
    const answer = await app.call('POST', '/client/google-sign-up', { body: { credential } })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors as object).sort()).toEqual(['accept_terms', 'is_adult'])
    expect(await count('accounts')).toBe(0)
  })

  test('opens the account of a practitioner beside that of a client with the same email', async () => {
    expect((await signUp(await credentialOf())).status).toBe(200)
    const none = await app.call('POST', '/therapist/google-sign-in', {
      body: { credential: await credentialOf() },
    })
    expect(none.body.code).toBe('no_account')
    const opened = await app.call('POST', '/therapist/google-sign-up', {
      body: { credential: await credentialOf(), accept_terms: true },
    })
    expect(opened.status).toBe(200)
    const id = (opened.body.user as unknown as { practitioner_id: number }).practitioner_id
    const back = await app.call('POST', '/therapist/google-sign-in', {
      body: { credential: await credentialOf() },
    })
    expect(back.body.user).toMatchObject({ practitioner_id: id })
  })

  test('joins an account with a confirmed email, and leaves its password', async () => {
    const client = await createClient(app, { email: 'robin@example.com' })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    expect((await signIn(await credentialOf())).status).toBe(200)
    const byPassword = await app.call('POST', '/client/login', {
      body: { email: client.email, password },
    })
    expect(byPassword.status).toBe(200)
    expect((await app.call('GET', '/client/profile', { token: client.token })).status).toBe(200)
  })

  test('a sign-in locks out the stranger who registered an account with the unconfirmed email', async () => {
    const stranger = await createClient(app, { email: 'robin@example.com' })
    const feed = await app.call('POST', '/client/calendar-feed', { token: stranger.token, body: {} })
    expect(feed.status).toBe(201)
    const opened = await signIn(await credentialOf())
    expect(opened.status).toBe(200)
    expect(await count('client_calendar_feeds')).toBe(0)
    expect((await app.call('GET', '/client/profile', { token: stranger.token })).status).toBe(401)
    const refreshed = await app.call('POST', '/client/refresh-token', {
      body: { refresh_token: stranger.refreshToken },
    })
    expect(refreshed.status).toBe(401)
    const byPassword = await app.call('POST', '/client/login', { body: { email: stranger.email, password } })
    expect(byPassword.body.code).toBe('invalid_credentials')
    expect(await app.db.selectFrom('mail_tokens').selectAll().execute()).toEqual([])
  })

  test('the later owner of an email address is refused the account of the earlier one', async () => {
    expect((await signUp(await credentialOf())).status).toBe(200)
    const later = await credentialOf({ claims: { sub: '999' } })
    expect((await signIn(later)).body.code).toBe('identity_refused')
    expect(await count('identities')).toBe(1)
  })

  test('of Google bring an email that is neither Gmail nor of a Workspace to no account, new or old', async () => {
    await app.close()
    await startApp({ vouchesFor: googleVouchesFor })
    const refusal = {
      code: 'identity_refused',
      message:
        'This sign-in does not show whether the email is still yours. Please use your email and password.',
    }
    for (const enter of [signIn, signUp]) expect((await enter(await credentialOf())).body).toEqual(refusal)
    expect(await count('accounts')).toBe(0)
    const client = await createClient(app, { email: 'robin@example.com' })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    for (const enter of [signIn, signUp]) expect((await enter(await credentialOf())).body).toEqual(refusal)
    expect([await count('identities'), await count('login_sessions')]).toEqual([0, 1])

    // The owner of the domain says whose it is; then it is known by its subject.
    const ofWorkspace = await credentialOf({ claims: { hd: 'example.com' } })
    expect((await signIn(ofWorkspace)).body.user?.email).toBe(client.email)
    expect((await signIn(await credentialOf())).status).toBe(200)
    const ofGmail = { sub: '111', email: 'Robin.Hale@gmail.com' }
    expect((await signUp(await credentialOf({ claims: ofGmail }))).status).toBe(200)
  })

  test('of an old email no longer open the account, and those of the new one do', async () => {
    const client = await createClient(app, { email: 'robin@example.com' })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    expect((await signIn(await credentialOf())).status).toBe(200)
    const later = { sub: '220', email: 'hale@example.com' }
    const change = { email: later.email, current_password: password }
    await app.call('POST', '/client/change-email', { token: client.token, body: change })
    await app.queue.drain()
    // Until the link is opened nothing changes.
    expect((await signIn(await credentialOf())).status).toBe(200)
    const link = app
      .mails()
      .map(linkIn)
      .find(({ pathname }) => pathname === '/confirm-email')
    const body = { token: tokenOf(link) }
    expect((await app.call('POST', '/client/confirm-email', { token: client.token, body })).status).toBe(200)

    await app.queue.drain()
    expect(app.mails().map(textOf).join('')).toContain('with this address no longer opens')
    const refused = await signIn(await credentialOf())
    expect([refused.status, refused.body.code]).toEqual([404, 'no_account'])
    const opened = await signIn(await credentialOf({ claims: later }))
    expect([opened.status, opened.body.user]).toMatchObject([200, { email: later.email }])
    expect([await count('accounts'), await count('identities')]).toEqual([1, 1])
    const signedIn = await app.call('POST', '/client/login', { body: { email: later.email, password } })
    expect(signedIn.status).toBe(200)
  })

  test('a credential used by many at once signs in once', async () => {
    const credential = await credentialOf()
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await count('accounts'), await count('login_sessions')]).toEqual([1, 1])
  })

  const seconds = () => Math.floor(app.clock.now().getTime() / 1000)
  const forged: Record<string, () => Promise<string>> = {
    'no signature': async () => {
      const [, body = ''] = (await credentialOf()).split('.')
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    },
    'the public key as a shared secret': () =>
      credentialOf({ key: new TextEncoder().encode(publicKey), header: { alg: 'HS256', kid: 'one' } }),
    "somebody else's key": () => credentialOf({ key: strangers }),
    'another audience': () => credentialOf({ claims: { aud: 'another' } }),
    'several audiences, meant for another': () =>
      credentialOf({ claims: { aud: ['hearth', 'another'], azp: 'another' } }),
    'another issuer': () => credentialOf({ claims: { iss: 'https://accounts.example' } }),
    'a nonce that is not ours': () => credentialOf({ claims: { nonce: 'made-up' } }),
    'no nonce': () => credentialOf({ claims: { nonce: undefined } }),
    expired: () => credentialOf({ claims: { iat: seconds() - 7200, exp: seconds() - 3600 } }),
    'no expiry': () => credentialOf({ claims: { exp: undefined } }),
    'an email that is not confirmed': () => credentialOf({ claims: { email_verified: false } }),
    'a confirmation in words': () => credentialOf({ claims: { email_verified: 'true' } }),
    'no email': () => credentialOf({ claims: { email: undefined } }),
    'a changed body': async () => {
      const [head, body = '', signature] = (await credentialOf()).split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as JWTPayload
      const changed = Buffer.from(JSON.stringify({ ...claims, email: 'x@example.com' })).toString('base64url')
      return `${head}.${changed}.${signature}`
    },
    'no token at all': async () => 'credential',
  }
  test.each(Object.keys(forged))('are refused with %s', async (kind) => {
    const client = await createClient(app, { email: 'robin@example.com' })
    const before = [await count('accounts'), await count('login_sessions')]
    for (const call of [signIn, signUp]) {
      const credential = await forged[kind]!()
      const answer = await call(credential)
      expect([answer.status, answer.body.code]).toEqual([401, 'identity_refused'])
      expect(JSON.stringify(answer.body)).not.toContain(credential)
    }
    expect([await count('accounts'), await count('login_sessions')]).toEqual(before)
    expect(await count('identities')).toBe(0)
    expect((await app.call('GET', '/client/profile', { token: client.token })).status).toBe(200)
  })

  test("are refused beside another's email in the body", async () => {
    const other = await createClient(app)
    const answer = await signIn(await credentialOf(), { email: other.email })
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['email']])
    expect(await count('identities')).toBe(0)
  })

  test('with a nonce that is bound to a browser are of no use in another', async () => {
    const answer = await app.call('GET', '/identity/nonce?bound=true')
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^hearth_browser=[\w-]{43}; Path=\/api\/v7; Max-Age=900; HttpOnly; SameSite=Strict$/,
    )
    const other = (await app.call('GET', '/identity/nonce?bound=true')).headers.get('set-cookie') ?? ''
    const credential = await credentialOf({ claims: { nonce: String(answer.body.nonce) } })
    const enter = (headers: Record<string, string>) =>
      app.call('POST', '/client/google-sign-up', { body: { credential, ...wanted }, headers })
    for (const headers of [{}, { cookie: other }, { cookie: 'hearth_browser=undefined' }]) {
      expect((await enter(headers as Record<string, string>)).body.code).toBe('identity_refused')
    }
    expect(await count('accounts')).toBe(0)
    // Another tab asks again: the browser stays the same.
    const again = await app.call('GET', '/identity/nonce?bound=true', { headers: { cookie } })
    expect(again.headers.get('set-cookie')).toBe(cookie)
    expect((await enter({ cookie })).status).toBe(200)
    expect((await enter({ cookie })).body.code).toBe('identity_refused')
    // The binding is part of what is signed.
    const bare = String((await app.call('GET', '/identity/nonce')).body.nonce)
    expect((await signIn(await credentialOf({ claims: { nonce: bare } }))).status).toBe(200)
  })

  test('a nonce is valid where another of the held keys is the first, as during a rotation', async () => {
    const [one, two, three] = [randomBytes(32), randomBytes(32), randomBytes(32)]
    const hold = (...keys: Buffer[]) => Object.assign(app.secrets, createSecrets(keys))
    hold(one, two)
    const bound = await app.call('GET', '/identity/nonce?bound=true')
    const credential = await credentialOf({ claims: { nonce: String(bound.body.nonce) } })
    const headers = { cookie: bound.headers.get('set-cookie') ?? '' }
    const unbound = await credentialOf()
    hold(two, three)
    expect((await signUp(unbound)).body.code).toBe('identity_refused')
    hold(two, one)
    const body = { credential, ...wanted }
    expect((await app.call('POST', '/client/google-sign-up', { body, headers })).status).toBe(200)
    expect((await signIn(unbound)).status).toBe(200)
  })

  test('a nonce is good for a quarter of an hour', async () => {
    const credential = await credentialOf({ claims: { exp: seconds() + 7200 } })
    app.clock.advance(15 * 60_000)
    expect((await signUp(credential)).body.code).toBe('identity_refused')
    expect(await count('accounts')).toBe(0)
  })

  test('go with the account when it is deleted', async () => {
    await signUp(await credentialOf())
    const [account] = await app.db.selectFrom('accounts').select('id').execute()
    await inTransaction(app.db, async (tx) => {
      for (const share of app.personalData()) {
        await share.erase(tx, { accountId: String(account?.id), role: 'client' })
      }
    })
    expect(await count('identities')).toBe(0)
    expect((await signIn(await credentialOf())).body.code).toBe('no_account')
  })
})

test('a provider that is away is said to be away, and asked again the next time', async () => {
  const port = await freePort()
  app = await buildTestApp({
    identityProvider: openidProvider({
      name: 'Test',
      issuer: `http://127.0.0.1:${port}`,
      clientId: 'hearth',
      insecure: true,
      now: systemClock.now,
    }),
  })
  const answer = await app.call('POST', '/client/google-sign-in', { body: { credential: 'a.b.c' } })
  expect([answer.status, answer.body.code]).toEqual([503, 'identity_unavailable'])
  const begun = await fetch(`${app.origin}/api/v7/identity/start?page=/sign-in`, { redirect: 'manual' })
  expect(begun.headers.get('location')).toBe('/sign-in#identity-trouble=failed')
})

test('the server refuses every credential when no provider is configured', async () => {
  app = await buildTestApp()
  const answer = await app.call('POST', '/client/google-sign-in', { body: { credential: 'a.b.c' } })
  expect([answer.status, answer.body.code]).toEqual([401, 'identity_refused'])
})

describe("by way of the provider's own pages", () => {
  let provider: ChildProcess
  let issuer: string
  let publicUrl: string

  beforeAll(async () => {
    publicUrl = 'http://hearth.test'
    provider = spawn(
      process.execPath,
      ['test/identity-provider.ts', '0', `${publicUrl}/api/v7/identity/callback`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    for await (const line of createInterface({ input: provider.stdout! })) {
      if (!line.startsWith('http')) continue
      issuer = line
      break
    }
  })
  afterAll(() => void provider.kill())
  beforeEach(async () => {
    app = await buildTestApp({
      publicUrl,
      identityProvider: openidProvider({
        name: 'Test',
        issuer,
        clientId: 'hearth-test',
        insecure: true,
        // The provider is a process of its own, with the real time.
        now: systemClock.now,
      }),
    })
    app.clock.set(new Date())
  })

  /** As much of a browser as the way needs: it keeps cookies by host, and follows one redirect at a time. */
  function browser() {
    const jars = new Map<string, Map<string, string>>()
    return async (url: string, init: RequestInit = {}) => {
      const real = url.replace(publicUrl, app.origin)
      const host = new URL(real).host
      const jar = jars.get(host) ?? new Map<string, string>()
      jars.set(host, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(real, {
        redirect: 'manual',
        ...init,
        headers: { ...(init.headers as Record<string, string> | undefined), cookie },
      })
      for (const set of answer.headers.getSetCookie()) {
        const [pair = ''] = set.split(';')
        const at = pair.indexOf('=')
        jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      const location = answer.headers.get('location')
      return { answer, next: location ? new URL(location, real).href : '' }
    }
  }

  /** Goes to the provider's page; its address, and where its form is sent. */
  async function arrive(go: ReturnType<typeof browser>, query: string) {
    const begun = await go(`${app.origin}/api/v7/identity/start?${query}`)
    expect(begun.answer.status).toBe(303)
    const asked = await go(begun.next)
    return { kept: begun.answer.headers.getSetCookie()[0] ?? '', form: asked.next, begun: begun.next }
  }

  /** Sends the provider's form, and follows the way back; the page of the product that it ends at. */
  async function choose(go: ReturnType<typeof browser>, form: string, fields: Record<string, string>) {
    let { next } = await go(form, { method: 'POST', body: new URLSearchParams(fields) })
    for (let hops = 0; next && !new URL(next).hash && hops < 6; hops++) ({ next } = await go(next))
    return next
  }

  const robin = { email: 'robin@example.com', first_name: 'Robin', last_name: 'Hale' }
  const exchange = async (go: ReturnType<typeof browser>, page: string): Promise<Answer> => {
    const code = /#identity=([\w-]+)$/.exec(page)?.[1]
    const { answer } = await go(`${app.origin}/api/v7/identity/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'], headers: answer.headers }
  }

  test('a client signs up in the browser that began, with a code that works once', async () => {
    const go = browser()
    const { kept, form, begun } = await arrive(go, 'page=/sign-up&return_to=/my-sessions')
    expect(kept).toMatch(/HttpOnly; SameSite=Lax$/)
    const asked = new URL(begun).searchParams
    expect([asked.get('code_challenge_method'), asked.get('response_type')]).toEqual(['S256', 'code'])
    const page = await choose(go, form, robin)
    expect(page.replace(app.origin, '')).toMatch(/^\/sign-up\?return_to=%2Fmy-sessions#identity=[\w-]{43}$/)

    // The code in the address is useless in another browser.
    expect((await exchange(browser(), page)).body.code).toBe('invalid_token')
    const fetched = await exchange(go, page)
    expect(fetched.body).toMatchObject(robin)
    expect((await exchange(go, page)).body.code).toBe('invalid_token')

    const opened = await app.call('POST', '/client/google-sign-up', {
      body: { ...robin, credential: fetched.body.credential, ...wanted },
    })
    expect(opened.body.user).toEqual(robin)
    expect(await count('identity_codes')).toBe(0)
    expect(app.logged()).not.toContain(String(fetched.body.credential))
  })

  test('turning back, an unconfirmed email, and a way that another browser began, bring nothing', async () => {
    const go = browser()
    const back = await arrive(go, 'page=/therapist/sign-in')
    expect(await choose(go, back.form, { cancel: '1' })).toMatch(
      /\/therapist\/sign-in#identity-trouble=cancelled$/,
    )

    const unsure = await arrive(go, 'page=/sign-in')
    const page = await choose(go, unsure.form, { ...robin, unconfirmed: 'on' })
    expect((await exchange(go, page)).body.code).toBe('identity_refused')

    const [victim, attacker] = [browser(), browser()]
    await arrive(victim, 'page=/sign-in')
    const theirs = await arrive(attacker, 'page=/sign-in')
    let { next } = await attacker(theirs.form, { method: 'POST', body: new URLSearchParams(robin) })
    while (!next.startsWith(publicUrl)) ({ next } = await attacker(next))
    // The last step of the attacker's way, taken by the victim's browser.
    const forced = await victim(next)
    expect(forced.next).toMatch(/\/sign-in#identity-trouble=failed$/)
    expect((await browser()(next)).next).toMatch(/\/sign-in#identity-trouble=failed$/)
    expect([await count('identity_codes'), await count('accounts')]).toEqual([0, 0])
  })

  test('only pages of the product are gone back to', async () => {
    for (const query of [
      'page=https://evil.example',
      'page=/sign-in&return_to=//evil.example',
      'page=/sign-in&return_to=/%5Cevil.example',
    ]) {
      const go = browser()
      const { form } = await arrive(go, query)
      const page = await choose(go, form, robin)
      expect(page.replace(app.origin, '')).toMatch(/^\/sign-in#identity=/)
    }
  })
})
