import argon2 from 'argon2'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { days, hours, minutes, seconds } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  password,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { linkIn, plainText, textOf, tokenOf } from '#test/mails.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => app.close())

const post = (path: string, body: unknown, token?: string) => app.call('POST', path, { body, token })
const login = (email: string, secret = password, role = 'client') =>
  post(`/${role}/login`, { email, password: secret })
const profile = (token: unknown) => app.call('GET', '/client/profile', { token: String(token) })
const asFirefox = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0',
}

/** The mails that some work leads to, once the queue is empty, in the order of whom they are to. */
async function newMails(
  work: () => Promise<unknown>,
): Promise<{ to: string; subject: string; mail: string }[]> {
  await app.queue.drain()
  const before = app.mails().length
  await work()
  await app.queue.drain()
  return app
    .mails()
    .slice(before)
    .map((mail) => ({
      to: /^To: (.*)$/m.exec(mail)?.[1]?.trim() ?? '',
      subject: /^Subject: (.*)$/m.exec(mail)?.[1]?.trim() ?? '',
      mail,
    }))
    .toSorted((a, b) => a.to.localeCompare(b.to))
}

describe('the name', () => {
  test('is changed by its owner, and shows on the next request', async () => {
    const client = await createClient(app)
    const answer = await app.call('PUT', '/client/profile', {
      token: client.token,
      body: { name: '  Sam   de la Cruz ' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ first_name: 'Sam', last_name: 'de la Cruz', email: client.email })
    expect((await profile(client.token)).body).toMatchObject({ first_name: 'Sam', last_name: 'de la Cruz' })
  })

  test.each([
    ['', 'Enter a name.'],
    ['   ', 'Enter a name.'],
    ['x'.repeat(101), 'Use at most 100 characters.'],
    ['A\u0000B', 'Contains a character that cannot be stored.'],
  ])('is refused under its field where it is none: %j', async (name, message) => {
    const client = await createClient(app)
    const before = await fingerprint(app.db)
    const answer = await app.call('PUT', '/client/profile', { token: client.token, body: { name } })
    expect([answer.status, answer.body.errors]).toEqual([422, { name: [message] }])
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

describe('another email', () => {
  let client: Client
  beforeEach(async () => {
    client = await createClient(app, { email: 'old@example.test' })
  })
  const ask = (email: string, secret = password, token = client.token) =>
    post('/client/change-email', { email, current_password: secret }, token)
  const confirm = (token: string, as = client.token) => post('/client/confirm-email', { token }, as)
  const tokenIn = (mails: Awaited<ReturnType<typeof newMails>>) => {
    const found = mails.find(({ mail }) => linkIn(mail).pathname === '/confirm-email')
    return found ? tokenOf(linkIn(found.mail)) : ''
  }

  test('becomes the account’s once the link mailed to it is opened, and not before', async () => {
    const asked = await newMails(() => ask(' New@Example.TEST '))
    expect(asked.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: 'new@example.test', subject: 'Confirm your new email address' },
      { to: 'old@example.test', subject: 'A new email address was asked for' },
    ])
    // The mail to the old address does not contain the new one: another person may read the old mailbox.
    expect(plainText(asked[1]?.mail ?? '')).not.toContain('new@example.test')
    expect((await profile(client.token)).body).toMatchObject({
      email: 'old@example.test',
      email_verified: false,
    })
    expect((await login('new@example.test')).status).toBe(401)

    const confirmed = await newMails(async () => {
      const answer = await confirm(tokenIn(asked))
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
    })
    expect(confirmed.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: 'old@example.test', subject: 'Your email address was changed' },
    ])
    expect(plainText(confirmed[0]?.mail ?? '')).not.toContain('new@example.test')
    expect(textOf(confirmed[0]?.mail ?? '').replace(/\s+/g, ' ')).toContain(
      'Calendar entries that we sent to this address are no longer updated when a session is moved or cancelled: please remove them from your calendar.',
    )
    expect((await profile(client.token)).body).toMatchObject({
      email: 'new@example.test',
      email_verified: true,
    })
    expect((await login('new@example.test')).status).toBe(200)
    expect((await login('old@example.test')).status).toBe(401)
    // Another account can register with the old address.
    expect((await createClient(app, { email: 'old@example.test' })).id).not.toBe(client.id)
    const mails = app.db.selectFrom('outgoing_mails').selectAll().where('template', '<>', 'account.welcome')
    expect(await mails.execute()).toEqual([])
  })

  test('has a link that works once, for 24 hours to the second, and only the newest', async () => {
    const first = tokenIn(await newMails(() => ask('first@example.test')))
    const second = tokenIn(await newMails(() => ask('second@example.test')))
    expect((await confirm(first)).body.code).toBe('invalid_token')
    app.clock.advance(hours(24))
    client = await signInAgain(app, client)
    expect((await confirm(second)).body.code).toBe('invalid_token')
    app.clock.advance(-seconds(1))
    expect((await confirm(second)).status).toBe(200)
    const again = await confirm(second)
    expect([again.status, again.body.code]).toEqual([422, 'invalid_token'])
    expect((await login('second@example.test')).status).toBe(200)
  })

  test('that is taken gets the same answer, and the mail to it says so', async () => {
    const other = await createClient(app, { email: 'taken@example.test' })
    const answers: unknown[] = []
    const mails = await newMails(async () => {
      for (const email of ['free@example.test', 'taken@example.test']) {
        const answer = await ask(email)
        answers.push([answer.status, answer.body])
        await app.queue.drain()
      }
    })
    expect(answers).toEqual([
      [200, 'success'],
      [200, 'success'],
    ])
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['free@example.test', 'Confirm your new email address'],
      ['old@example.test', 'A new email address was asked for'],
      ['old@example.test', 'A new email address was asked for'],
      ['taken@example.test', 'This address already has a Hearth account'],
    ])
    // The mail to the taken address does not reveal the account that requested it.
    expect(plainText(mails[3]?.mail ?? '')).not.toMatch(/old@example|Alex|confirm-email/)
    expect((await profile(other.token)).body.email).toBe('taken@example.test')
    expect((await profile(client.token)).body.email).toBe('old@example.test')
  })

  const pending = (token = client.token) => app.call('GET', '/change-email', { token })
  const resend = () => post('/change-email/resend', undefined, client.token)

  test('that waits for its link is shown to its account alone, until when, and again after the link is resent', async () => {
    expect((await pending()).body).toBeNull()
    await ask('new@example.test')
    const until = (after = 0) => new Date(app.clock.now().getTime() + hours(24) - after).toISOString()
    expect((await pending()).body).toEqual({ email: 'new@example.test', until: until() })
    const stranger = await createClient(app)
    expect((await pending(stranger.token)).body).toBeNull()
    await app.queue.drain()
    app.clock.advance(minutes(10))
    expect((await pending()).body).toEqual({ email: 'new@example.test', until: until(minutes(10)) })

    const mails = await newMails(async () =>
      expect((await resend()).body).toEqual({ email: 'new@example.test', until: until() }),
    )
    expect(mails.map(({ to }) => to)).toEqual(['new@example.test'])
    expect((await confirm(tokenIn(mails))).status).toBe(200)
    expect((await pending()).body).toBeNull()
  })

  test('that is taken waits in the same way as one that is free', async () => {
    await createClient(app, { email: 'taken@example.test' })
    await ask('taken@example.test')
    const before = (await pending()).body
    expect(before).toMatchObject({ email: 'taken@example.test' })
    await app.queue.drain()
    expect((await pending()).body).toEqual(before)
    const mails = await newMails(async () => expect((await resend()).status).toBe(200))
    expect(mails.map(({ subject }) => subject)).toEqual(['This address already has a Hearth account'])
  })

  test('can be cancelled: its link no longer works, an unsent mail stays unsent, and no link is resent', async () => {
    const token = tokenIn(await newMails(() => ask('new@example.test')))
    const cancel = () => app.call('DELETE', '/change-email', { token: client.token })
    expect([(await cancel()).body, (await cancel()).body]).toEqual(['success', 'success'])
    expect((await pending()).body).toBeNull()
    expect((await confirm(token)).body.code).toBe('invalid_token')
    const mails = await newMails(async () => {
      await ask('other@example.test')
      await cancel()
      expect((await resend()).status).toBe(404)
    })
    expect(mails).toEqual([])
    expect((await profile(client.token)).body.email).toBe('old@example.test')
  })

  test('is not mailed again once it was cancelled while its mail was being sent', async () => {
    await app.close()
    const to: string[] = []
    app = await buildTestApp({
      mailer: {
        sender: { name: 'Hearth', address: 'hello@hearth.test' },
        async send(mail) {
          to.push(mail.to)
          if (mail.to !== 'new@example.test') return
          await app.call('DELETE', '/change-email', { token: client.token })
          throw new Error('The mail server is away.')
        },
      },
    })
    client = await createClient(app, { email: 'old@example.test' })
    await ask('new@example.test')
    const { id } = await app.db
      .selectFrom('outgoing_mails')
      .select('id')
      .where('template', '=', 'account.change_email')
      .executeTakeFirstOrThrow()
    await expect(app.services.mails.send(id)).rejects.toThrow('away')
    await app.services.mails.send(id)
    expect(to).toEqual(['new@example.test'])
    expect((await pending()).body).toBeNull()
    const links = app.db.selectFrom('mail_tokens').select('account_id').where('purpose', '=', 'change_email')
    expect(await links.execute()).toEqual([])
  })

  test('is mailed nowhere again once it was confirmed while its mails were being sent', async () => {
    await app.close()
    const sent: string[] = []
    app = await buildTestApp({
      mailer: {
        sender: { name: 'Hearth', address: 'hello@hearth.test' },
        async send(mail) {
          sent.push(`${mail.to} ${mail.subject}`)
          // The old mailbox asks to come again later. The new one has the mail, but its answer is lost.
          if (mail.to === 'new@example.test') await confirm(/token=([\w-]+)/.exec(mail.text)?.[1] ?? '')
          throw new Error('The mail server is away.')
        },
      },
    })
    client = await createClient(app, { email: 'old@example.test' })
    await ask('new@example.test')
    const waiting = () =>
      app.db
        .selectFrom('outgoing_mails')
        .select(['id', 'template'])
        .where('outcome', 'is', null)
        .where('template', 'like', 'account.%chang%')
        .orderBy('template')
        .execute()
    for (const { id } of (await waiting()).toReversed())
      await app.services.mails.send(id).catch(() => undefined)
    expect((await profile(client.token)).body.email).toBe('new@example.test')
    expect((await waiting()).map(({ template }) => template)).toEqual(['account.email_changed'])
    expect((await pending()).body).toBeNull()
    expect(sent).toHaveLength(1)
  })

  test('confirming a new email fails and changes nothing when another account has taken it meanwhile', async () => {
    const token = tokenIn(await newMails(() => ask('new@example.test')))
    await createClient(app, { email: 'new@example.test' })
    const before = await fingerprint(app.db)
    const answer = await confirm(token)
    expect([answer.status, answer.body.code]).toEqual([422, 'email_taken'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('a client may take the email of a practitioner, since accounts differ by role', async () => {
    const practitioner = await createPractitioner(app)
    await signInPractitioner(app, practitioner)
    const token = tokenIn(await newMails(() => ask(practitioner.email)))
    expect((await confirm(token)).status).toBe(200)
    expect((await login(practitioner.email)).status).toBe(200)
    expect((await login(practitioner.email, password, 'therapist')).status).toBe(200)
  })

  test('needs the password and an address other than the present one; nothing is mailed without', async () => {
    await app.queue.drain()
    const before = await fingerprint(app.db)
    const mails = await newMails(async () => {
      const wrong = await ask('new@example.test', 'not my password')
      expect([wrong.status, wrong.body.code, wrong.body.errors]).toEqual([
        422,
        'wrong_password',
        { current_password: ['Check your password and try again.'] },
      ])
      const same = await ask('OLD@example.test')
      expect([same.status, Object.keys(same.body.errors ?? {})]).toEqual([422, ['email']])
      const none = await ask('no address')
      expect([none.status, Object.keys(none.body.errors ?? {})]).toEqual([422, ['email']])
    })
    expect(mails).toEqual([])
    expect((await fingerprint(app.db))['public.accounts']).toEqual(before['public.accounts'])
    expect((await fingerprint(app.db))['public.outgoing_mails']).toEqual(before['public.outgoing_mails'])
  })

  test.each(['password change', 'reset by mail'])('is stopped by a %s of the owner', async (how) => {
    const token = tokenIn(await newMails(() => ask('thief@example.test')))
    const next = 'a wholly new phrase'
    if (how === 'password change') {
      const body = { current_password: password, password: next, password_confirmation: next }
      expect((await post('/client/change-password', body, client.token)).status).toBe(200)
    } else {
      const mails = await newMails(() => post('/client/forgot-password', { email: client.email }))
      const reset = linkIn(mails[0]?.mail ?? '').searchParams.get('token')
      const body = { token: reset, email: client.email, password: next, password_confirmation: next }
      expect((await post('/client/password/reset', body)).status).toBe(200)
    }
    const again = await login('old@example.test', next)
    expect(again.status).toBe(200)
    expect((await confirm(token, String(again.body.token))).body.code).toBe('invalid_token')
  })

  test('makes links that were mailed to the old address worthless', async () => {
    const reset = await newMails(() => post('/client/forgot-password', { email: client.email }))
    const old = linkIn(reset[0]?.mail ?? '').searchParams.get('token')
    await confirm(tokenIn(await newMails(() => ask('new@example.test'))))
    for (const email of ['old@example.test', 'new@example.test']) {
      const next = 'a wholly new phrase'
      const body = { token: old, email, password: next, password_confirmation: next }
      expect((await post('/client/password/reset', body)).body.code).toBe('invalid_token')
    }
    expect((await login('new@example.test')).status).toBe(200)
  })

  test('only the account’s holder can confirm a new email, and failed tries leave the link valid', async () => {
    const token = tokenIn(await newMails(() => ask('new@example.test')))
    const stranger = await createClient(app)
    await app.queue.drain()
    const before = await fingerprint(app.db)
    const visitor = await app.call('POST', '/client/confirm-email', { body: { token } })
    expect([visitor.status, visitor.body.code]).toEqual([401, 'unauthenticated'])
    const other = await confirm(token, stranger.token)
    expect([other.status, other.body.code]).toEqual([403, 'other_account'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await profile(stranger.token)).body.email).toBe(stranger.email)
    expect((await confirm(token)).status).toBe(200)
    expect(app.logged()).not.toContain(token)
  })

  test('is not confirmed by another kind of link', async () => {
    await app.queue.drain()
    const verification = tokenOf(linkIn(app.mails()[0] ?? ''))
    await ask('new@example.test')
    const before = await fingerprint(app.db)
    expect((await confirm(verification)).body.code).toBe('invalid_token')
    expect((await confirm('made-up')).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('a client can request five changes of email an hour at most, to any addresses', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    client = await createClient(app)
    const statuses: number[] = []
    const mails = await newMails(async () => {
      for (let time = 0; time < 6; time++) {
        statuses.push((await ask(`new${time}@example.test`)).status)
        await app.queue.drain()
      }
    })
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(mails).toHaveLength(10)
    app.clock.advance(hours(2))
    client = await signInAgain(app, client)
    expect((await ask('new6@example.test')).status).toBe(200)
  })

  test('is stored nowhere once a day has gone by without its mail', async () => {
    await ask('new@example.test')
    const waiting = () =>
      app.db.selectFrom('outgoing_mails').select('id').where('template', 'like', 'account.change%').execute()
    expect(await waiting()).toHaveLength(2)
    app.clock.advance(hours(23))
    await app.services.mails.tidy()
    expect(await waiting()).toHaveLength(2)
    app.clock.advance(hours(2))
    await app.services.mails.tidy()
    expect(await waiting()).toEqual([])
    expect(await newMails(async () => undefined)).toEqual([])
  })
})

describe('another password', () => {
  const next = 'seven slow herons'
  const change = (client: Client, body: Record<string, unknown> = {}) =>
    post(
      '/client/change-password',
      { current_password: password, password: next, password_confirmation: next, ...body },
      client.token,
    )

  test('ends every other sign-in, keeps this one, and a mail says that it happened', async () => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    const mails = await newMails(async () => expect((await change(client)).body).toBe('success'))
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [client.email, 'Your password was changed'],
    ])
    expect(textOf(mails[0]?.mail ?? '')).not.toContain(next)
    expect((await profile(client.token)).status).toBe(200)
    expect((await post('/client/refresh-token', { refresh_token: client.refreshToken })).status).toBe(200)
    expect((await profile(elsewhere.token)).status).toBe(401)
    expect((await post('/client/refresh-token', { refresh_token: elsewhere.refreshToken })).status).toBe(401)
    expect((await login(client.email)).status).toBe(401)
    expect((await login(client.email, next)).status).toBe(200)
  })

  test('makes a link for a new password that was mailed before worthless', async () => {
    const client = await createClient(app)
    const mails = await newMails(() => post('/client/forgot-password', { email: client.email }))
    await change(client)
    const token = linkIn(mails[0]?.mail ?? '').searchParams.get('token')
    const body = {
      token,
      email: client.email,
      password: 'third phrase',
      password_confirmation: 'third phrase',
    }
    expect((await post('/client/password/reset', body)).body.code).toBe('invalid_token')
  })

  test.each(['change of the password', 'change of the email', 'deletion'])(
    'set by a mailed link is not undone by a %s that was asked for with the old one',
    async (which) => {
      const client = await createClient(app)
      const mails = await newMails(() => post('/client/forgot-password', { email: client.email }))
      const link = linkIn(mails[0]?.mail ?? '').searchParams.get('token')
      const { verify } = argon2
      vi.spyOn(argon2, 'verify').mockImplementationOnce(async (...given) => {
        const body = { token: link, email: client.email, password: next, password_confirmation: next }
        expect((await post('/client/password/reset', body)).status).toBe(200)
        return verify(...given)
      })
      const asked = {
        'change of the password': () =>
          change(client, { password: 'a thief has it', password_confirmation: 'a thief has it' }),
        'change of the email': () =>
          post(
            '/client/change-email',
            { email: 'thief@example.test', current_password: password },
            client.token,
          ),
        deletion: () =>
          post('/client/delete-account', { current_password: password, understood: true }, client.token),
      }[which]
      const answer = await asked?.()
      expect([answer?.status, answer?.body.code]).toEqual([422, 'wrong_password'])
      expect((await login(client.email, next)).status).toBe(200)
      expect((await login(client.email, 'a thief has it')).status).toBe(401)
      const changes = app.db
        .selectFrom('mail_tokens')
        .select('account_id')
        .where('purpose', '=', 'change_email')
      expect(await changes.execute()).toEqual([])
    },
  )

  test.each([
    ['current_password', { current_password: 'not my password' }, 'Check your password and try again.'],
    ['current_password', { current_password: '' }, 'Enter your password.'],
    ['password', { password: 'short', password_confirmation: 'short' }, 'Use at least 8 characters.'],
    ['password', { password: 'password1', password_confirmation: 'password1' }, /most common/],
    ['password_confirmation', { password_confirmation: 'seven slow heron' }, 'Passwords do not match.'],
  ])('is refused under %s (%j), and nothing changes', async (field, body, message) => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    const before = await fingerprint(app.db)
    const answer = await change(client, body)
    const errors = answer.body.errors as unknown as Record<string, string[]>
    expect([answer.status, Object.keys(errors)]).toEqual([422, [field]])
    expect(errors[field]?.[0]).toMatch(message)
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await profile(elsewhere.token)).status).toBe(200)
  })

  test('cannot be had by guessing the present one: that is limited, apart from signing in', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    const client = await createClient(app)
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess++) {
      statuses.push((await change(client, { current_password: `guess ${guess}` })).status)
      const asked = { email: 'new@example.test', current_password: `guess ${guess}` }
      statuses.push((await post('/client/change-email', asked, client.token)).status)
    }
    expect(statuses).toEqual(Array(10).fill(422))
    expect((await change(client)).status).toBe(429)
    expect((await login(client.email)).status).toBe(200)
    expect((await change(client)).status).toBe(429)
    app.clock.advance(minutes(31))
    const later = await login(client.email)
    expect((await change({ ...client, token: String(later.body.token) })).status).toBe(200)
  })
})

describe('where one is signed in', () => {
  type Listed = {
    id: string
    device: string | null
    began_at: string
    last_used_at: string
    current: boolean
  }
  const list = async (token: string) =>
    (await app.call('GET', '/client/login-sessions', { token })).body as unknown as Listed[]
  const end = (token: string, id: string) => app.call('DELETE', `/client/login-sessions/${id}`, { token })

  test('is listed with device and times, and no address; what is over is not', async () => {
    const client = await createClient(app)
    app.clock.advance(minutes(5))
    const firefox = await app.call('POST', '/client/login', {
      body: { email: client.email, password },
      headers: { ...asFirefox, 'x-forwarded-for': '198.51.100.7' },
    })
    app.clock.advance(minutes(10))
    await post('/client/logout', undefined, String((await login(client.email)).body.token))
    app.clock.advance(minutes(20))
    const refreshed = await post('/client/refresh-token', { refresh_token: firefox.body.refresh_token })
    const listed = await list(String(refreshed.body.token))
    expect(listed).toMatchObject([
      {
        device: 'Firefox on Windows',
        began_at: '2026-06-01T08:05:00.000Z',
        last_used_at: '2026-06-01T08:35:00.000Z',
        current: true,
      },
      {
        device: null,
        began_at: '2026-06-01T08:00:00.000Z',
        last_used_at: '2026-06-01T08:00:00.000Z',
        current: false,
      },
    ])
    const rows = await app.db.selectFrom('login_sessions').selectAll().execute()
    expect(JSON.stringify([rows, listed])).not.toMatch(/198\.51|Mozilla|rv:/)
    // A sign-in that can no longer be renewed is over.
    app.clock.advance(days(30) - minutes(35))
    const later = await signInAgain(app, client)
    expect((await list(later.token)).map(({ began_at }) => began_at)).toEqual([
      '2026-07-01T08:00:00.000Z',
      '2026-06-01T08:05:00.000Z',
    ])
  })

  test('can be ended one by one, by its owner alone', async () => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    const stranger = await createClient(app)
    const other = (await list(client.token)).find(({ current }) => !current)
    const theirs = (await list(stranger.token))[0]
    expect((await end(client.token, theirs?.id ?? '')).status).toBe(404)
    expect((await profile(stranger.token)).status).toBe(200)

    const ended = await end(client.token, other?.id ?? '')
    expect([ended.status, ended.body.id]).toEqual([200, other?.id])
    expect((await end(client.token, other?.id ?? '')).status).toBe(200)
    expect((await profile(elsewhere.token)).status).toBe(401)
    expect((await profile(client.token)).status).toBe(200)
    expect(await list(client.token)).toHaveLength(1)
  })

  test('signing out everywhere ends all sign-in sessions of the caller, and no other account’s', async () => {
    const client = await createClient(app)
    const elsewhere = await signInAgain(app, client)
    const stranger = await createClient(app)
    expect((await post('/client/logout-everywhere', undefined, client.token)).body).toBe('success')
    for (const { token, refreshToken } of [client, elsewhere]) {
      expect((await profile(token)).status).toBe(401)
      expect((await post('/client/refresh-token', { refresh_token: refreshToken })).status).toBe(401)
    }
    expect((await profile(stranger.token)).status).toBe(200)
    expect((await login(client.email)).status).toBe(200)
  })
})

describe('two instances on one database', () => {
  let second: TestApp
  beforeEach(async () => {
    await app.close()
    const { url, database } = await clusterDatabase()
    app = await buildTestApp({ database, rateLimitScale: 1, passwordCost: undefined })
    second = await buildTestApp({
      database: openServer(url, 20, () => undefined),
      clock: app.clock,
      secrets: app.secrets,
      rateLimitScale: 1,
      passwordCost: undefined,
    })
  })
  afterEach(async () => second.close())

  const guesses = (email: string, count: number, secret: (index: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? app : second).call('POST', '/client/login', {
          body: { email, password: secret(index) },
        }),
      ),
    )

  test('let ten guesses of forty at once be made in all, wherever they arrive', async () => {
    const client = await createClient(app)
    const answers = await guesses(client.email, 40, (index) => `guess number ${index}`)
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    expect((await login(client.email)).status).toBe(429)
  })

  test('forty concurrent sign-ins with the right password all succeed', async () => {
    const client = await createClient(app)
    const answers = await guesses(client.email, 40, () => password)
    expect(answers.map((answer) => answer.status)).toEqual(Array(40).fill(200))
    const counts = await app.db.selectFrom('rate_limits').select(['hits', 'under_way']).execute()
    expect(counts.filter(({ under_way }) => under_way > 0)).toEqual([])
  })

  test('let the right password in among wrong ones until ten of those were made', async () => {
    const client = await createClient(app)
    const answers = await guesses(client.email, 9, (index) => (index === 4 ? password : `guess ${index}`))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(8).fill(401)])
  })
})
