import { afterEach, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { hours, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import {
  bookSession,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { linkIn, tokenOf } from '#test/mails.ts'
import { registerTherapist, uploadFile } from '#test/onboarding.ts'
import { pdf } from '#test/upload-samples.ts'

let app: TestApp
afterEach(() => app.close())

const from = (address: string) => ({ 'x-forwarded-for': address })

test('an account sends so many files an hour, counted before the file is read; others go on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.05 })
  const therapist = await registerTherapist(app)
  const send = (token: string, address: string) =>
    uploadFile(app, '/therapist/upload-profile-dbs', { token, content: pdf(), headers: from(address) })
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    expect((await send(therapist.token, address)).status).toBe(200)
  }
  const before = await app.db.selectFrom('stored_files').select('id').execute()
  const refused = await send(therapist.token, '192.0.2.4')
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.body.message).toContain('wait')
  expect(await app.db.selectFrom('stored_files').select('id').execute()).toEqual(before)
})

test('a client opens so many dialogs an hour, and goes on with those there are', async () => {
  app = await buildTestApp({ rateLimitScale: 0.1 })
  const client = await createClient(app)
  const { token } = await signInToChat(app, client.token)
  const open = (practitionerId: number) =>
    app.call('POST', '/chat/dialogs', { token, body: { practitioner_id: practitionerId } })
  const ids: number[] = []
  for (let count = 0; count < 4; count++) ids.push((await createPractitioner(app)).id)
  const [first = 0, , , last = 0] = ids
  for (const id of ids.slice(0, 3)) expect((await open(id)).status).toBe(200)
  const refused = await open(last)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await open(first)).status).toBe(200)
  expect(await app.db.selectFrom('chat_dialogs').select('id').execute()).toHaveLength(3)
})

test('a practitioner opens the dialog of a session again without counting', async () => {
  app = await buildTestApp({ rateLimitScale: 0.2 })
  const practitioner = await createPractitioner(app)
  const client = await createClient(app)
  const appointmentId = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
  const { token } = await signInToChat(app, await signInPractitioner(app, practitioner))
  for (let count = 0; count < 8; count++) {
    const again = await app.call('POST', '/chat/dialogs', { token, body: { appointment_id: appointmentId } })
    expect(again.status).toBe(200)
  }
  expect(await app.db.selectFrom('chat_dialogs').select('id').execute()).toHaveLength(1)
})

test('a client begins so many bookings an hour and moves so many sessions; others go on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.2 })
  const practitioner = await createPractitioner(app)
  const [client, other] = [await createClient(app), await createClient(app)]
  const at = (day: number, hour: number) => `2026-06-${10 + day}T${10 + (hour % 10)}:00:00Z`
  const begin = (token: string, hour: number) =>
    app.call('POST', '/appointment/create-session', {
      token,
      headers: from(`192.0.2.${hour}`),
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: at(0, hour),
      },
    })
  const id = await bookSession(app, { practitioner, client: other, startsAt: at(1, 0) })
  const move = (hour: number) =>
    app.call('POST', '/appointment/edit-session', {
      token: other.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: at(1, hour) },
    })
  for (let count = 0; count < 24; count++) expect((await begin(client.token, count)).status).toBe(201)
  for (let count = 1; count <= 6; count++) expect((await move(count)).status).toBe(200)
  const written = async () => [
    await app.db.selectFrom('appointments').select(['id', 'state', 'starts_at']).execute(),
    await app.db.selectFrom('outgoing_mails').select('id').execute(),
  ]
  const before = await written()
  for (const refused of [await begin(client.token, 0), await move(7)]) {
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await written()).toEqual(before)
  expect((await begin(other.token, 0)).status).toBe(201)
})

test('the accounts of one address hold so many times and claim so much help within minutes; other addresses go on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.05 })
  const practitioner = await createPractitioner(app)
  const clients: string[] = []
  for (let count = 0; count < 6; count++) clients.push((await createClient(app)).token)
  const begin = (index: number, address: string) =>
    app.call('POST', '/appointment/create-session', {
      token: clients[index],
      headers: from(address),
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: `2026-06-08T1${index}:00:00Z`,
      },
    })
  const claim = (index: number, address: string) =>
    app.call('POST', '/appointment/create-session', {
      token: clients[index],
      headers: from(address),
      body: { booking_type: 'get-help-right-now', issue_id: 1 },
    })
  for (let index = 0; index < 5; index++) expect((await begin(index, '192.0.2.1')).status).toBe(201)
  expect((await claim(0, '192.0.2.1')).status).toBe(201)
  const before = await fingerprint(app.db)
  for (const [refused, words] of [
    [await begin(5, '192.0.2.1'), 'were chosen from your network'],
    [await claim(1, '192.0.2.1'), 'on your network have asked for help'],
  ] as const) {
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(refused.body.message).toContain(words)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await fingerprint(app.db)).toEqual(before)
  expect((await begin(5, '192.0.2.2')).status).toBe(201)
  expect((await claim(1, '192.0.2.2')).body.code).toBe('nobody_available')
  app.clock.advance(minutes(30))
  clients[6] = (await createClient(app)).token
  expect((await begin(6, '192.0.2.1')).status).toBe(201)
})

test('an account has so many idempotency keys remembered an hour, and others go on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.01 })
  const practitioner = await createPractitioner(app)
  const clients = [await createClient(app), await createClient(app)]
  const tokens = clients.map(({ token }) => token)
  const call = (path: string, token: string, body: object) =>
    app.call('POST', path, {
      token,
      body,
      headers: { 'idempotency-key': crypto.randomUUID(), ...from(`192.0.2.${tokens.indexOf(token)}`) },
    })
  const statuses: number[][] = []
  for (const [index, { token }] of clients.entries()) {
    const hold = await call('/appointment/create-session', token, {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: `2026-06-08T1${index}:00:00Z`,
    })
    const answers = [hold]
    for (let count = 0; count < 6; count++)
      answers.push(await call('/appointment/cancel-session', token, { appointment_id: hold.body.session_id }))
    statuses.push(answers.map(({ status }) => status))
  }
  expect(statuses).toEqual([0, 1].map(() => [201, 200, 200, 200, 200, 200, 429]))
  expect(await app.db.selectFrom('idempotency_keys').select('key').execute()).toHaveLength(12)
})

test('an address and an account read so much a minute, and go on a minute later', async () => {
  app = await buildTestApp({ rateLimitScale: 0.01 })
  const client = await createClient(app)
  const read = async (address: string, token?: string) =>
    app.call('GET', '/filter/need-assistance', { token, headers: from(address) })
  let refused: Awaited<ReturnType<typeof read>> | undefined
  let count = 0
  for (; count < 40 && !refused; count++) {
    const answer = await read('192.0.2.1')
    if (answer.status === 429) refused = answer
  }
  expect(count).toBe(31)
  expect(refused?.body.code).toBe('too_many_requests')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await read('192.0.2.2')).status).not.toBe(429)
  for (const path of ['files/none', 'identity/callback', 'therapist/google-calendar/callback']) {
    const page = await fetch(`${app.origin}/api/v7/${path}`, {
      headers: from('192.0.2.1'),
      redirect: 'manual',
    })
    expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 429, 'no-store'])
  }
  const own = async (address: string) =>
    (await app.call('GET', '/client/profile', { token: client.token, headers: from(address) })).status
  const statuses: number[] = []
  for (let address = 10; address < 22; address++) statuses.push(await own(`192.0.2.${address}`))
  expect(statuses.filter((status) => status === 200).length).toBe(9)
  expect(statuses.at(-1)).toBe(429)
  app.clock.advance(minutes(2))
  expect((await read('192.0.2.1')).status).not.toBe(429)
})

test('an address and an account send so many calls that change something a minute, and still read', async () => {
  app = await buildTestApp({ rateLimitScale: 0.01 })
  const client = await createClient(app)
  const changes = Object.keys(endpoints).filter((key) => !key.startsWith('GET '))
  const send = (key: string, address: string, token?: string) => {
    const [method, path] = key.split(' ') as ['POST', string]
    return app.call(method, path.replace(/\{\w+\}/g, '1'), { token, headers: from(address) })
  }
  const before = await fingerprint(app.db)
  for (let count = 0; count < 30; count++) await send('POST /client/login', '192.0.2.1')
  for (const key of changes) {
    const { status, body } = await send(key, '192.0.2.1')
    expect([key, status, body.code]).toEqual([key, 429, 'too_many_requests'])
  }
  expect((await send('POST /client/login', '192.0.2.2')).status).toBe(422)
  const own: number[] = []
  for (let count = 10; count < 21; count++)
    own.push((await send('PUT /notices', `192.0.2.${count}`, client.token)).status)
  expect([own.filter((status) => status !== 429).length, own.at(-1)]).toEqual([9, 429])
  expect((await app.call('GET', '/notices', { token: client.token })).status).toBe(200)
  expect(await fingerprint(app.db)).toEqual(before)
})

test('a sign-in gets new tokens so often an hour, then keeps those it has; another one goes on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.1 })
  const client = await createClient(app)
  const signIn = async () =>
    (await app.call('POST', '/client/login', { body: { email: client.email, password } })).body
  const [first, second] = [await signIn(), await signIn()]
  const refresh = (token: unknown) =>
    app.call('POST', '/client/refresh-token', { body: { refresh_token: token } })
  let last: unknown = first.refresh_token
  for (let count = 0; count < 12; count++) {
    const answer = await refresh(last)
    expect(answer.status).toBe(200)
    last = answer.body.refresh_token
  }
  const rows = async () => [
    (await app.db.selectFrom('access_tokens').select('hash').execute()).length,
    (await app.db.selectFrom('refresh_tokens').select('hash').execute()).length,
  ]
  const before = await rows()
  const refused = await refresh(last)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await rows()).toEqual(before)
  expect((await refresh(second.refresh_token)).status).toBe(200)
  app.clock.advance(hours(2))
  expect((await refresh(last)).status).toBe(200)
})

test('an account signs in so often an hour, until its password is set anew by a mailed link', async () => {
  app = await buildTestApp({ rateLimitScale: 0.2 })
  const client = await createClient(app)
  const signIn = (secret = password) =>
    app.call('POST', '/client/login', { body: { email: client.email, password: secret } })
  for (let count = 0; count < 40; count++) expect((await signIn()).status).toBe(200)
  const rows = async () => [
    (await app.db.selectFrom('login_sessions').select('id').execute()).length,
    (await app.db.selectFrom('refresh_tokens').select('hash').execute()).length,
  ]
  const before = await rows()
  expect((await signIn()).status).toBe(429)
  expect(await rows()).toEqual(before)
  await app.call('POST', '/client/forgot-password', { body: { email: client.email } })
  await app.queue.drain()
  const fresh = 'a new and longer passphrase'
  // The mail that welcomes the client may be the last.
  const links = app.mails().map(linkIn)
  const token = tokenOf(links.find(({ pathname }) => pathname === '/reset-password'))
  const body = { token, email: client.email, password: fresh, password_confirmation: fresh }
  expect((await app.call('POST', '/client/password/reset', { body })).status).toBe(200)
  expect((await signIn(fresh)).status).toBe(200)
})

test('a client changes a place on a waitlist so often an hour, and it stays as it is', async () => {
  app = await buildTestApp({ rateLimitScale: 0.05 })
  const client = await createClient(app)
  const change = () =>
    app.call('PUT', `/waitlist/${crypto.randomUUID()}`, { token: client.token, body: { state: 'paused' } })
  for (let count = 0; count < 3; count++) expect((await change()).status).toBe(404)
  expect((await change()).status).toBe(429)
})

test('an account sends so many events a minute over all its sockets, and another one goes on', async () => {
  app = await buildTestApp({ rateLimitScale: 0.01 })
  const sign = async () => signInToChat(app, (await createClient(app)).token)
  const [user, other] = [await sign(), await sign()]
  const codes: (string | undefined)[] = []
  const ask = async ({ token }: { token: string }) => {
    const { socket, close } = await connectChat(app.origin, token)
    for (let time = 0; time < 2; time++) {
      const answer = await socket.emitWithAck('after', { chat_dialog_id: crypto.randomUUID(), after: 0 })
      codes.push(answer.ok ? undefined : answer.error.code)
    }
    close()
  }
  for (let windows = 0; windows < 13; windows++) await ask(user)
  await ask(other)
  expect(codes).toEqual([
    ...Array<string>(24).fill('not_found'),
    ...Array<string>(2).fill('too_many_requests'),
    ...Array<string>(2).fill('not_found'),
  ])
})

test('an account gets credentials of the chat so often an hour, and no token beyond them', async () => {
  app = await buildTestApp({ rateLimitScale: 0.02 })
  const [client, other] = [await createClient(app), await createClient(app)]
  const show = (token: string) => app.call('GET', '/client/profile/show', { token })
  for (let count = 0; count < 6; count++) expect((await show(client.token)).status).toBe(200)
  const refused = await show(client.token)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(await app.db.selectFrom('chat_passwords').select('hash').execute()).toHaveLength(6)
  expect((await show(other.token)).status).toBe(200)
})

test('the socket is opened so often a minute from an address, before a token is looked up', async () => {
  app = await buildTestApp({ rateLimitScale: 0.01 })
  const open = async (token: string, address: string) => {
    const socket = await connectChat(app.origin, token, { headers: from(address) })
    socket.close()
  }
  const { token } = await signInToChat(app, (await createClient(app)).token)
  for (let count = 0; count < 30; count++) {
    await expect(open('a'.repeat(43), '192.0.2.1')).rejects.toThrow('Your sign-in to the chat has ended.')
  }
  await expect(open(token, '192.0.2.1')).rejects.toThrow('websocket error')
  await open(token, '192.0.2.2')
  app.clock.advance(minutes(2))
  await open(token, '192.0.2.1')
})
