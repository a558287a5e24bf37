import { sql } from 'kysely'
import { type ChildProcess, spawn } from 'node:child_process'
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, later, minutes, seconds } from '#server/clock.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { localLive } from '#server/integrations/live/local.ts'
import type { Live } from '#server/integrations/live/port.ts'
import { encryptFor, vapidSender } from '#server/integrations/push/vapid.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type ChatSocket, connectChat } from '#test/chat-socket.ts'
import {
  type ChatUser,
  type Client,
  createClient,
  createPractitioner,
  password,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'

type Received = {
  path: string
  headers: Record<string, string>
  body: string
  signed: { aud: string; exp: number; sub: string; key: string } | null
}
/** A browser with its keys. */
type Browser = {
  ecdh: ECDH
  auth: Buffer
  body: { endpoint: string; keys: { p256dh: string; auth: string } }
}

let service: ChildProcess
let host: string
let app: TestApp
let client: Client
let live: Live

beforeAll(async () => {
  service = spawn(process.execPath, ['test/push-service.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!service.stdout) throw new Error('The push service says nothing.')
  const [port] = (await once(createInterface(service.stdout), 'line')) as [string]
  host = `127.0.0.1:${port}`
})
afterAll(() => {
  service.kill()
})
beforeEach(async () => {
  await behave(201)
  live = localLive()
  app = await buildTestApp({
    live,
    push: vapidSender({
      directory: `${process.env.TMPDIR ?? '/tmp'}/hearth-push-${process.pid}`,
      contact: 'mailto:hello@hearth.test',
      services: [host, 'push.example.test', '.below.example.test'],
      now: () => new Date('2026-06-01T09:00:00Z'),
    }),
  })
  client = await createClient(app)
})
afterEach(() => app.close())

const behave = (status: number, answer = '') =>
  fetch(`http://${host}/behaviour`, { method: 'PUT', body: JSON.stringify({ status, answer }) })
const receivedAt = async (path: string) =>
  ((await (await fetch(`http://${host}/received`)).json()) as Received[]).filter((each) => each.path === path)

function browser(endpoint = `http://${host}/${crypto.randomUUID()}`): Browser {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') }
  return { ecdh, auth, body: { endpoint, keys } }
}
const pathOf = ({ body }: Browser) => new URL(body.endpoint).pathname
const subscribe = ({ body }: Browser, token = client.token) =>
  app.call('POST', '/notices/push', { token, body })
const subscriptions = () => app.db.selectFrom('push_subscriptions').select('endpoint').execute()
/** The addresses that the account knows of: where notifications are on. */
const endpoints = async () => (await app.call('GET', '/notices', { token: client.token })).body.push_endpoints
const renew = ({ body, auth }: Browser, next: Browser) =>
  app.call('POST', '/notices/push/renew', {
    body: { ...next.body, former: { endpoint: body.endpoint, auth: auth.toString('base64url') } },
  })
const notify = (
  kind: 'message' | 'instant-offer' | 'waitlist-offer' = 'message',
  path = '/chat?dialogId=1',
  until?: Date,
) => app.services.notifications.notify(app.db, [client.id], { kind, path, until })

/** A push finds that the service knows an address no more. */
async function findGone(status = 410): Promise<void> {
  await behave(status)
  await notify()
  await app.queue.drain()
  await behave(201)
}

const jobStates = async () => {
  const jobs = await app.db
    .withSchema('pgboss')
    .selectFrom('job' as never)
    .select('state' as never)
    .where('name' as never, '=', 'notices.push' as never)
    .execute()
  return (jobs as { state: string }[]).map(({ state }) => state)
}

/** What the browser reads (RFC 8291), by other means than it was written with. */
function decipher({ ecdh, auth }: Browser, body: string): string {
  const bytes = Buffer.from(body, 'base64url')
  const [salt, sender, sealed] = [bytes.subarray(0, 16), bytes.subarray(21, 86), bytes.subarray(86)]
  expect([bytes.readUInt32BE(16), bytes[20]]).toEqual([4096, 65])
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const material = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const part = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${name}\0`, length))
  const opened = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  opened.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()])
  expect(text.at(-1)).toBe(2)
  return text.subarray(0, -1).toString()
}

test('what is pushed is encrypted as in the example of RFC 8291', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const target = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const text = Buffer.from('When I grow up, I want to be a watermelon')
  expect(
    encryptFor(target, text, { ecdh, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') }).toString('base64url'),
  ).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

describe('a browser with notifications', () => {
  test('gets what is of use for minutes before what can wait', async () => {
    expect((await subscribe(browser())).status).toBe(200)
    await notify('message')
    await notify('instant-offer', '/therapist/dashboard')
    const { rows } = await sql<{ kind: string; priority: number }>`
      select data ->> 'kind' as kind, priority from pgboss.job where name = 'notices.push'`.execute(app.db)
    expect(Object.fromEntries(rows.map(({ kind, priority }) => [kind, priority]))).toEqual({
      message: 0,
      'instant-offer': 1,
    })
  })

  test('a push message holds only its kind, path, role and end, encrypted and signed', async () => {
    const mine = browser()
    expect((await subscribe(mine)).status).toBe(200)
    expect((await subscribe(mine)).status).toBe(200)
    await notify()
    await app.queue.drain()
    await notify('instant-offer', '/therapist/dashboard')
    await app.queue.drain()
    const [first, second, ...more] = await receivedAt(pathOf(mine))
    expect(more).toEqual([])
    expect(JSON.parse(decipher(mine, first?.body ?? ''))).toEqual({
      kind: 'message',
      path: '/chat?dialogId=1',
      role: 'client',
    })
    expect(JSON.parse(decipher(mine, second?.body ?? ''))).toEqual({
      kind: 'instant-offer',
      path: '/therapist/dashboard',
      role: 'client',
      seconds: 120,
      ends_at: new Date(app.clock.now().getTime() + seconds(120)).toISOString(),
    })
    expect(first?.headers).toMatchObject({ ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' })
    expect(second?.headers).toMatchObject({ ttl: '120', urgency: 'high' })
    expect(first?.headers.topic).toMatch(/^[\w-]{32}$/)
    const { push_key } = (await app.call('GET', '/notices', { token: client.token })).body
    expect(first?.signed).toEqual({
      aud: `http://${host}`,
      exp: Date.parse('2026-06-01T21:00:00Z') / 1000,
      sub: 'mailto:hello@hearth.test',
      key: push_key,
    })
    expect(app.logged()).not.toContain(pathOf(mine))
  })

  test.each([404, 410])(
    'that has gone (%i) gets no more, and is forgotten after four weeks',
    async (status) => {
      const mine = browser()
      await subscribe(mine)
      await findGone(status)
      expect(await endpoints()).toEqual([])
      await notify()
      await app.queue.drain()
      expect(await receivedAt(pathOf(mine))).toHaveLength(1)
      for (const left of [1, 0]) {
        app.clock.advance(days(left === 1 ? 27 : 2))
        await app.queue.enqueue(app.db, housekeepingJob, {})
        await app.queue.drain()
        expect(await subscriptions()).toHaveLength(left)
      }
    },
  )

  test('that has gone hears again once it is subscribed again', async () => {
    const mine = browser()
    await subscribe(mine)
    await findGone()
    await subscribe(mine)
    expect(await endpoints()).toEqual([mine.body.endpoint])
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(mine))).toHaveLength(2)
  })

  test('a browser whose key is no key gets nothing after its first notification', async () => {
    const mine = browser()
    mine.body.keys.p256dh = Buffer.alloc(65, 4).toString('base64url')
    expect((await subscribe(mine)).status).toBe(200)
    await notify()
    await app.queue.drain()
    expect(await endpoints()).toEqual([])
    expect(await receivedAt(pathOf(mine))).toEqual([])
  })

  test.each([429, 500, 302])(
    'is tried again later when the service answers %i, and stays',
    async (status) => {
      const mine = browser()
      await subscribe(mine)
      await behave(status)
      await notify()
      await app.queue.drain()
      expect(await subscriptions()).toHaveLength(1)
      expect(await jobStates()).toEqual(['retry'])
      // A redirect is not followed.
      expect(await receivedAt('/elsewhere')).toEqual([])
    },
  )

  test.each([
    { status: 401 },
    { status: 403 },
    // As Apple refuses a signature by another key.
    { status: 400, answer: JSON.stringify({ reason: 'VapidPkHashMismatch' }) },
  ])(
    'stays, and a notification that the service refuses our signature for ($status) is not tried again',
    async ({ status, answer }) => {
      const mine = browser()
      await subscribe(mine)
      await behave(status, answer)
      await notify()
      await app.queue.drain()
      expect(await jobStates()).toEqual(['completed'])
      expect(await endpoints()).toEqual([mine.body.endpoint])
      expect(app.logged()).toContain('PushRefused')
      expect(app.queue.failures().get('notices.push')).toBe(1)
      expect(app.logged()).not.toContain(pathOf(mine))
      await behave(201)
      await notify()
      await app.queue.drain()
      expect(await receivedAt(pathOf(mine))).toHaveLength(2)
    },
  )

  test.each([
    { status: 413, answer: '' },
    { status: 400, answer: '' },
    { status: 400, answer: 'null' },
    { status: 400, answer: '{"reason":"BadTtl"}' },
    { status: 400, answer: `{"reason":"VapidPkHashMismatch","more":"${'x'.repeat(100_000)}"}` },
  ])(
    'stays, and a notification that the service rejects ($status) is logged by host and not tried again',
    async ({ status, answer }) => {
      const mine = browser()
      await subscribe(mine)
      await behave(status, answer)
      await notify()
      await app.queue.drain()
      expect(await jobStates()).toEqual(['completed'])
      expect(await endpoints()).toEqual([mine.body.endpoint])
      expect(await receivedAt(pathOf(mine))).toHaveLength(1)
      expect(app.logged()).toContain(`"host":"127.0.0.1","status":${status}`)
      expect(app.logged()).not.toContain('PushRefused')
      expect(app.logged()).not.toContain(pathOf(mine))
    },
  )

  test('a notification that waited for longer than it is of use is not sent', async () => {
    const mine = browser()
    await subscribe(mine)
    await notify('instant-offer', '/therapist/dashboard')
    app.clock.advance(seconds(120))
    await app.queue.drain()
    expect(await receivedAt(pathOf(mine))).toEqual([])
    await notify('instant-offer', '/therapist/dashboard')
    app.clock.advance(seconds(30))
    await app.queue.drain()
    const [late] = await receivedAt(pathOf(mine))
    expect(late?.headers.ttl).toBe('90')
    expect(JSON.parse(decipher(mine, late?.body ?? ''))).toMatchObject({
      seconds: 90,
      ends_at: new Date(app.clock.now().getTime() + seconds(90)).toISOString(),
    })
    expect(await receivedAt(pathOf(mine))).toHaveLength(1)
  })

  test('a notification that is of use until an instant is kept until then, and not sent after it', async () => {
    const mine = browser()
    await subscribe(mine)
    const inMinutes = (count: number) => later(app.clock.now(), minutes(count))
    await notify('waitlist-offer', '/book-therapist?offer=1', inMinutes(16 * 60))
    await notify('waitlist-offer', '/book-therapist?offer=2', inMinutes(20))
    app.clock.advance(hours(5))
    await app.queue.drain()
    const [long, ...more] = await receivedAt(pathOf(mine))
    expect([long?.headers.ttl, more]).toEqual([String(11 * 3600), []])
    expect(JSON.parse(decipher(mine, long?.body ?? ''))).toMatchObject({ path: '/book-therapist?offer=1' })
    // As those of the release before, which do not say.
    await notify('waitlist-offer', '/book-therapist?offer=3')
    await app.queue.drain()
    expect((await receivedAt(pathOf(mine)))[1]?.headers.ttl).toBe(String(4 * 3600))
  })

  test('hears nothing after its sign-in has ended, nor once it is turned off', async () => {
    const mine = browser()
    const other = browser()
    await subscribe(mine)
    const again = await signInAgain(app, client)
    await subscribe(other, again.token)
    await app.call('POST', '/client/logout', { token: client.token })
    await notify()
    await app.call('POST', '/notices/push/remove', {
      token: again.token,
      body: { endpoint: other.body.endpoint },
    })
    await app.queue.drain()
    expect([await receivedAt(pathOf(mine)), await receivedAt(pathOf(other))]).toEqual([[], []])
  })

  test('hears on when the tab that turned it on has ended, as long as another tab of its browser is signed in', async () => {
    const mine = browser()
    const elsewhere = browser()
    await subscribe(elsewhere, (await signInAgain(app, client)).token)
    await subscribe(mine)
    const tab = await app.call('POST', '/client/hand-over', { body: { refresh_token: client.refreshToken } })
    const token = String(tab.body.token)
    const next = 'three quiet lanterns'
    const changed = await app.call('POST', '/client/change-password', {
      token,
      body: { current_password: password, password: next, password_confirmation: next },
    })
    expect(changed.status).toBe(200)
    await notify()
    await app.queue.drain()
    expect([await receivedAt(pathOf(mine)), await receivedAt(pathOf(elsewhere))]).toMatchObject([[{}], []])
    expect(await subscriptions()).toEqual([{ endpoint: mine.body.endpoint }])

    await app.call('POST', '/client/logout', { token })
    expect(await subscriptions()).toEqual([])
  })

  test('hears on after the tab that turned it on is forgotten, while its browser is in use', async () => {
    const mine = browser()
    await subscribe(mine)
    const sessions = () => app.db.selectFrom('login_sessions').select('id').orderBy('created_at').execute()
    const [first] = await sessions()
    let refreshToken: unknown = client.refreshToken
    for (let week = 0; week < 6; week++) {
      const tab = await app.call('POST', '/client/hand-over', { body: { refresh_token: refreshToken } })
      const renewed = await app.call('POST', '/client/refresh-token', {
        body: { refresh_token: tab.body.refresh_token },
      })
      refreshToken = renewed.body.refresh_token
      app.clock.advance(days(7))
      await app.queue.enqueue(app.db, housekeepingJob, {})
      await app.queue.drain()
    }
    expect(await sessions()).not.toContainEqual(first)
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(mine))).toHaveLength(1)
  })

  test('is refused as the 21st with a way out, and one of the 20 can turn them on again', async () => {
    const browsers = Array.from({ length: 20 }, () => browser())
    for (const each of browsers) expect((await subscribe(each)).status).toBe(200)
    const again = await signInAgain(app, client)
    const refused = await subscribe(browser(), again.token)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.message).toContain('Signed-in devices')
    const [first = browser()] = browsers
    expect((await subscribe(first, again.token)).status).toBe(200)
    expect(await subscriptions()).toHaveLength(20)
    await app.call('POST', '/client/logout', { token: client.token })
    expect((await subscribe(browser(), again.token)).status).toBe(200)
    expect(await subscriptions()).toHaveLength(2)
  })

  test('a browser gets no notification of an earlier account once another has subscribed it', async () => {
    const shared = browser()
    await subscribe(shared)
    const next = await createClient(app)
    await subscribe(shared, next.token)
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(shared))).toEqual([])
    // Nor one that was on its way as the other one did.
    await subscribe(shared)
    await notify()
    await subscribe(shared, next.token)
    await app.queue.drain()
    expect(await receivedAt(pathOf(shared))).toEqual([])
  })

  test('hears on at the address that its push service gives it anew, by the secret of the former one alone', async () => {
    const [former, next, stranger] = [browser(), browser(), browser()]
    await subscribe(former)
    const before = await fingerprint(app.db)
    expect((await renew({ ...former, auth: stranger.auth }, next)).status).toBe(404)
    expect((await renew({ ...stranger, auth: former.auth }, next)).status).toBe(404)
    const elsewhere = browser('https://elsewhere.test/1')
    expect((await renew(former, elsewhere)).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)

    expect((await renew(former, next)).status).toBe(200)
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(former))).toEqual([])
    const [pushed] = await receivedAt(pathOf(next))
    expect(JSON.parse(decipher(next, pushed?.body ?? ''))).toMatchObject({ kind: 'message' })

    // As when the settings were opened meanwhile.
    const last = browser()
    await subscribe(last)
    expect((await renew(next, last)).status).toBe(200)
    expect(await subscriptions()).toEqual([{ endpoint: last.body.endpoint }])
    await app.call('POST', '/client/logout', { token: client.token })
    expect((await renew(last, next)).status).toBe(404)
    expect(await subscriptions()).toEqual([])
  })

  test('hears on at the new address also after a push has found the former one gone', async () => {
    const [former, next] = [browser(), browser()]
    await subscribe(former)
    await findGone()
    expect((await renew(former, next)).status).toBe(200)
    expect(await endpoints()).toEqual([next.body.endpoint])
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(next))).toHaveLength(1)
  })

  test('hears on at the new address that it gives while a push finds the former one gone', async () => {
    const [former, next] = [browser(), browser()]
    await app.close()
    const sender = vapidSender({
      directory: `${process.env.TMPDIR ?? '/tmp'}/hearth-push-${process.pid}`,
      contact: 'mailto:hello@hearth.test',
      services: [host],
      now: () => new Date('2026-06-01T09:00:00Z'),
    })
    const between = async (...given: Parameters<typeof sender.send>) => {
      const outcome = await sender.send(...given)
      if (outcome === 'gone') expect((await renew(former, next)).status).toBe(200)
      return outcome
    }
    app = await buildTestApp({ push: { ...sender, send: between } })
    client = await createClient(app)
    await subscribe(former)
    await findGone()
    expect(await endpoints()).toEqual([next.body.endpoint])
    await notify()
    await app.queue.drain()
    expect(await receivedAt(pathOf(next))).toHaveLength(1)
  })

  test.each([
    'http://push.example.test/1',
    'https://push.example.test:8443/1',
    'https://user:secret@push.example.test/1',
    'https://elsewhere.test/1',
    'https://push.example.test.elsewhere.test/1',
    'https://below.example.test.elsewhere.test/1',
    'https://127.0.0.1/1',
    'http://127.0.0.1:1/1',
    'https://[::1]/1',
    'https://169.254.169.254/latest',
    'https://localhost/1',
    'file:///etc/passwd',
  ])('is not taken at an address that is no push service: %s', async (endpoint) => {
    const before = await fingerprint(app.db)
    const answer = await subscribe(browser(endpoint))
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['endpoint']])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test.each(['https://push.example.test/1', 'https://a.below.example.test/1'])(
    'is taken at one that is listed: %s',
    async (endpoint) => {
      expect((await subscribe(browser(endpoint))).status).toBe(200)
    },
  )
})

describe('a message', () => {
  let mine: Browser
  let me: ChatUser
  let therapist: ChatUser
  let dialog: string
  beforeEach(async () => {
    mine = browser()
    await subscribe(mine)
    const practitioner = await createPractitioner(app)
    therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
    me = await signInToChat(app, client.token)
    const body = { practitioner_id: practitioner.id }
    dialog = String((await app.call('POST', '/chat/dialogs', { token: me.token, body })).body._id)
  })
  const write = async ({ token }: ChatUser, message: string) => {
    const body = { chat_dialog_id: dialog, message }
    expect((await app.call('POST', '/chat/messages', { token, body })).status).toBe(201)
  }
  const countShown = async () => {
    await app.queue.drain()
    return (await receivedAt(pathOf(mine))).length
  }
  const shownAfter = async (time: number) => {
    app.clock.advance(time)
    await app.services.unread.pushWaiting()
    return countShown()
  }

  test('is shown in the browsers of whom it is for at once, without what it says', async () => {
    await write(me, 'I am the one who writes.')
    await write(therapist, 'A canary in a cage.')
    await expect.poll(countShown).toBe(1)
    const [pushed] = await receivedAt(pathOf(mine))
    expect(JSON.parse(decipher(mine, pushed?.body ?? ''))).toEqual({
      kind: 'message',
      path: `/chat?dialogId=${dialog}`,
      role: 'client',
    })
  })

  describe('to whom has a page open', () => {
    let page: ChatSocket
    beforeEach(async () => {
      page = await connectChat(app.origin, me.token)
    })
    afterEach(() => page.socket.close())
    const reaches = async (seq: number) =>
      expect.poll(() => page.received.message.at(-1)?.message.seq).toBe(seq)

    test('is shown in their browsers once it was unread for a minute', async () => {
      await write(therapist, 'A canary in a cage.')
      await reaches(1)
      expect(await shownAfter(minutes(1) - 1)).toBe(0)
      expect(await shownAfter(1)).toBe(1)
      expect(await shownAfter(minutes(1))).toBe(1)
      await write(therapist, 'And another one.')
      await reaches(2)
      expect(await shownAfter(minutes(1))).toBe(2)
    })

    test('is shown once if another reaches them after they have closed the page', async () => {
      await write(therapist, 'A canary in a cage.')
      await reaches(1)
      page.socket.close()
      await expect.poll(() => live.isOnline(client.id)).toBe(false)
      await write(therapist, 'And another one.')
      await expect.poll(countShown).toBe(1)
      expect(await shownAfter(minutes(1))).toBe(1)
    })

    test('is not shown there if it is read within the minute, and one after it has its own', async () => {
      await write(therapist, 'A canary in a cage.')
      await reaches(1)
      app.clock.advance(seconds(50))
      const body = { chat_dialog_id: dialog, up_to: 1 }
      await app.call('POST', '/chat/messages/read', { token: me.token, body })
      await write(therapist, 'And another one.')
      await reaches(2)
      expect(await shownAfter(seconds(59))).toBe(0)
      expect(await shownAfter(seconds(1))).toBe(1)
      expect(await shownAfter(minutes(1))).toBe(1)
    })
  })
})
