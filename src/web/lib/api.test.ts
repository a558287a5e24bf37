import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { abandonReading, callApi, newIdempotencyKey, onSessionLost, resumeReading } from './api.ts'
import { ApiError } from './api-error.ts'
import { endSession, readSession, startClientSession, startTherapistSession } from './session.ts'
import { uploadFile } from './upload.ts'

type Answer = { status: number; body?: unknown; headers?: Record<string, string>; text?: string }
type Asked = {
  method: string
  url: string
  authorization: string | undefined
  key: string | undefined
  body: unknown
}

let server: Server
let asked: Asked[]
let answer: (request: Asked) => Answer | Promise<Answer>

const person = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' }

beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    void (async () => {
      const request_ = await read(request)
      asked.push(request_)
      const { status, body, headers, text } = await answer(request_)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(text ?? (body === undefined ? '' : JSON.stringify(body)))
    })()
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const { port } = server.address() as AddressInfo
  Object.assign(globalThis, {
    window: globalThis,
    location: { origin: `http://127.0.0.1:${port}` },
    sessionStorage: storage(),
  })
  endSession()
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((closed) => {
    server.close(closed)
  })
  for (const name of ['window', 'location', 'sessionStorage']) Reflect.deleteProperty(globalThis, name)
})

test('a call fills in path and query, sends the token and answers the body', async () => {
  signInClient()
  answer = () => ({ status: 200, body: { data: [] } })
  await callApi('GET /practitioner/get-practitioners', {
    query: { issue_id: [3, 7], name: '', page: 2, gender: undefined },
  })
  await callApi('GET /practitioner/{id}/profile', { params: { id: 12 } })
  expect(asked.map(({ method, url, authorization }) => [method, url, authorization])).toEqual([
    ['GET', '/api/v7/practitioner/get-practitioners?issue_id=3%2C7&page=2', 'Bearer token-1'],
    ['GET', '/api/v7/practitioner/12/profile', 'Bearer token-1'],
  ])
})

test('a visitor’s call sends no token and rejects with the server’s 401', async () => {
  answer = () => ({ status: 401, body: { code: 'unauthenticated', message: 'Please log in.' } })
  await expect(callApi('GET /client/profile/show')).rejects.toMatchObject({
    status: 401,
    code: 'unauthenticated',
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.authorization).toBeUndefined()
})

test('ten calls that get 401 at once spend the refresh token once and all succeed', async () => {
  signInClient()
  answer = async ({ url, authorization }) => {
    if (url.endsWith('/client/refresh-token')) {
      await wait(30)
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    }
    if (authorization === 'Bearer token-2') return { status: 200, body: person }
    return { status: 401, body: { code: 'unauthenticated', message: 'Expired.' } }
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => callApi('GET /client/profile/show')))
  expect(answers).toHaveLength(10)
  const refreshes = asked.filter(({ url }) => url.endsWith('/refresh-token'))
  expect(refreshes.map(({ body }) => body)).toEqual([{ refresh_token: 'refresh-1' }])
  expect(readSession()).toMatchObject({ role: 'client', accessToken: 'token-2', refreshToken: 'refresh-2' })
  expect(JSON.parse(sessionStorage.getItem('user') ?? '')).toMatchObject({
    firstName: 'Ada',
    isLoggedIn: true,
  })
})

test('a call refused after the tokens were renewed takes the new one without refreshing again', async () => {
  signInClient()
  let slowIsRefused = () => {}
  const slow = new Promise<void>((resolve) => {
    slowIsRefused = resolve
  })
  answer = async ({ url, authorization }) => {
    if (url.endsWith('/refresh-token'))
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    if (authorization === 'Bearer token-2') return { status: 200, body: {} }
    if (url.endsWith('/get-upcoming-sessions')) await slow
    return { status: 401, body: { code: 'unauthenticated', message: 'Expired.' } }
  }
  const late = callApi('GET /appointment/get-upcoming-sessions')
  await callApi('GET /client/profile/show')
  slowIsRefused()
  await late
  expect(asked.filter(({ url }) => url.endsWith('/refresh-token'))).toHaveLength(1)
})

test('what is read is given up while the sign-in ends, and the sign-in is ended', async () => {
  signInClient()
  let end = () => {}
  const slow = new Promise<void>((resolve) => {
    end = resolve
  })
  answer = async ({ url }) => {
    if (url.endsWith('/profile/show')) await slow
    return { status: 200, body: {} }
  }
  const underWay = callApi('GET /client/profile/show')
  await expect.poll(() => asked).toHaveLength(1)
  abandonReading()
  await expect(underWay).rejects.toMatchObject({ name: 'AbortError' })
  await expect(callApi('GET /client/profile')).rejects.toMatchObject({ name: 'AbortError' })
  await callApi('POST /client/logout')
  expect(asked.map(({ url }) => url)).toEqual(['/api/v7/client/profile/show', '/api/v7/client/logout'])
  resumeReading()
  await callApi('GET /client/profile')
  end()
})

test('a therapist refreshes by the therapist’s call', async () => {
  startTherapistSession({
    token: 'token-1',
    refresh_token: 'refresh-1',
    user: { ...person, practitioner_id: 5 },
  })
  answer = ({ url, authorization }) => {
    if (url === '/api/v7/therapist/refresh-token')
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    return authorization === 'Bearer token-2' ? { status: 200, body: 'success' } : refused
  }
  await callApi('POST /therapist/logout')
  expect(readSession()).toMatchObject({ role: 'therapist', therapist: { id: 5 }, accessToken: 'token-2' })
})

test('refreshing and handing over send the mark of the browser, except in the back office', async () => {
  answer = () => ({ status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } })
  const credentials: Record<string, unknown> = {}
  const send = globalThis.fetch
  onTestFinished(() => void (globalThis.fetch = send))
  globalThis.fetch = (url, init) => {
    credentials[new URL(String(url)).pathname.replace('/api/v7/', '')] = init?.credentials
    return send(url, init)
  }
  const body = { refresh_token: 'refresh-1' }
  for (const role of ['client', 'therapist', 'admin'] as const) {
    await callApi(`POST /${role}/refresh-token`, { body })
    await callApi(`POST /${role}/hand-over`, { body })
  }
  await callApi('GET /client/profile')
  expect(credentials).toEqual({
    'client/refresh-token': 'same-origin',
    'client/hand-over': 'same-origin',
    'therapist/refresh-token': 'same-origin',
    'therapist/hand-over': 'same-origin',
    'admin/refresh-token': 'omit',
    'admin/hand-over': 'omit',
    'client/profile': 'omit',
  })
})

test('a refused refresh ends the session and notifies the frame once', async () => {
  signInClient()
  const lost: string[] = []
  const stop = onSessionLost((role) => lost.push(role))
  answer = () => refused
  const outcomes = await Promise.allSettled([
    callApi('GET /client/profile/show'),
    callApi('GET /client/profile'),
  ])
  stop()
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(lost).toEqual(['client'])
  expect(readSession()).toEqual({ role: 'anonymous' })
  expect(sessionStorage.getItem('refreshToken')).toBeNull()
})

test.each([
  ['answers 503', { status: 503, body: { code: 'unavailable', message: 'One moment.' } }, 'unavailable'],
  [
    'answers 429',
    { status: 429, body: { code: 'too_many_requests', message: 'Slow down.' } },
    'too_many_requests',
  ],
])('a refresh that %s keeps the session', async (_, outcome, code) => {
  signInClient()
  answer = ({ url }) => (url.endsWith('/refresh-token') ? outcome : refused)
  await expect(callApi('GET /client/profile/show')).rejects.toMatchObject({ code })
  expect(readSession()).toMatchObject({ role: 'client', refreshToken: 'refresh-1' })
})

test('a network that fails during the refresh keeps the session, and the next call tries again', async () => {
  signInClient()
  let isDown = true
  server.on('connection', (socket) => {
    if (isDown && asked.length > 0) socket.destroy()
  })
  answer = ({ url, authorization }) => {
    if (url.endsWith('/refresh-token'))
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    if (authorization === 'Bearer token-2') return { status: 200, body: {} }
    return { ...refused, headers: { connection: 'close' } }
  }
  await expect(callApi('GET /client/profile/show')).rejects.toMatchObject({
    status: 0,
    code: 'network_failure',
  })
  expect(readSession()).toMatchObject({ role: 'client', refreshToken: 'refresh-1' })
  isDown = false
  await callApi('GET /client/profile/show')
  expect(readSession()).toMatchObject({ accessToken: 'token-2' })
})

test('a wrong password is no reason to refresh', async () => {
  signInClient()
  answer = () => ({ status: 401, body: { code: 'invalid_credentials', message: 'No.' } })
  const attempt = callApi('POST /client/login', { body: { email: 'a@example.com', password: 'wrong' } })
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(asked).toHaveLength(1)
  expect(readSession().role).toBe('client')
})

test('a client who signs out while the tokens are renewed stays signed out', async () => {
  signInClient()
  answer = ({ url, authorization }) => {
    if (url.endsWith('/refresh-token')) {
      endSession()
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    }
    return authorization === 'Bearer token-2' ? { status: 200, body: {} } : refused
  }
  await callApi('GET /client/profile/show')
  expect(readSession()).toEqual({ role: 'anonymous' })
})

test('a call of a former client is not repeated for the one who signed in at this tab meanwhile', async () => {
  signInClient()
  answer = ({ url, authorization }) => {
    if (url.endsWith('/refresh-token')) return refused
    if (authorization === 'Bearer token-b') return { status: 200, body: {} }
    startClientSession({
      token: 'token-b',
      refresh_token: 'refresh-b',
      user: { ...person, email: 'bea@example.com' },
    })
    return refused
  }
  await expect(callApi('PUT /client/profile', { body: { name: 'Ada Byron' } })).rejects.toMatchObject({
    status: 401,
  })
  expect(asked.filter(({ authorization }) => authorization === 'Bearer token-b')).toEqual([])
  expect(readSession()).toMatchObject({ accessToken: 'token-b', refreshToken: 'refresh-b' })
})

test('a 422 carries its fields, and a repetition the same idempotency key', async () => {
  const errors = { email: ['Taken.', 'And odd.'] }
  answer = () => ({ status: 422, body: { code: 'email_taken', message: 'Please check.', errors } })
  const idempotencyKey = newIdempotencyKey()
  const body = {
    name: 'Ada',
    email: 'a@example.com',
    password: 'long enough',
    is_adult: true,
    accept_terms: true,
  } as const
  for (const _ of [1, 2])
    await expect(callApi('POST /client/register', { body, idempotencyKey })).rejects.toMatchObject({ errors })
  expect(asked.map(({ key }) => key)).toEqual([idempotencyKey, idempotencyKey])
})

test('a timeout, a page in place of an answer and Retry-After become errors in words', async () => {
  answer = async () => {
    await wait(200)
    return { status: 200, body: {} }
  }
  await expect(callApi('GET /client/profile/show', { timeout: 40 })).rejects.toMatchObject({
    status: 0,
    code: 'timed_out',
  })

  answer = () => ({ status: 502, text: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } })
  const gateway = await callApi('GET /client/profile/show').catch((error: unknown) => error)
  expect(gateway).toBeInstanceOf(ApiError)
  expect(gateway).toMatchObject({ status: 502, code: 'unreadable_answer' })

  answer = () => ({
    status: 429,
    body: { code: 'too_many_requests', message: 'Slow.' },
    headers: { 'retry-after': '7' },
  })
  await expect(callApi('GET /client/profile/show')).rejects.toMatchObject({ retryAfter: 7 })
})

test('a call that its caller gives up is no error to show', async () => {
  answer = async () => {
    await wait(200)
    return { status: 200, body: {} }
  }
  const abort = new AbortController()
  const call = callApi('GET /client/profile/show', { signal: abort.signal })
  abort.abort()
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

test('either kind of user takes the place of the other', () => {
  signInClient()
  startTherapistSession({
    token: 'token-t',
    refresh_token: 'refresh-t',
    user: { ...person, practitioner_id: 5 },
  })
  expect(sessionStorage.getItem('user')).toBeNull()
  expect(JSON.parse(sessionStorage.getItem('therapist') ?? '')).toMatchObject({ id: 5, email: person.email })
  signInClient()
  expect(sessionStorage.getItem('therapist')).toBeNull()
})

test.each([
  ['a large file is sent once, with a token that was renewed before', 2_000_000, ['Bearer token-2']],
  [
    'a small file is sent at once, and again with a renewed token',
    1000,
    ['Bearer token-1', 'Bearer token-2'],
  ],
])('%s', async (_, size, sentWith) => {
  Object.assign(globalThis, { XMLHttpRequest: FormRequest })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'))
  startTherapistSession({
    token: 'token-1',
    refresh_token: 'refresh-1',
    user: { ...person, practitioner_id: 5 },
  })
  answer = ({ url, authorization }) => {
    if (url.endsWith('/therapist/refresh-token'))
      return { status: 200, body: { token: 'token-2', refresh_token: 'refresh-2' } }
    return authorization === 'Bearer token-2' ? { status: 200, body: {} } : refused
  }
  await uploadFile('POST /therapist/upload-profile-video', {
    field: 'video',
    file: new File([new Uint8Array(size)], 'hello.mp4'),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  const sent = asked.filter(({ url }) => url.endsWith('/upload-profile-video'))
  expect(sent.map(({ authorization }) => authorization)).toEqual(sentWith)
  expect(asked.filter(({ url }) => url.endsWith('/refresh-token'))).toHaveLength(1)
})

const refused: Answer = { status: 401, body: { code: 'unauthenticated', message: 'Expired.' } }

function signInClient(): void {
  startClientSession({ token: 'token-1', refresh_token: 'refresh-1', user: person })
}

const isForm = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('multipart/') === true

/** Sends a form as the browser's own class does, without its progress. */
class FormRequest extends EventTarget {
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  #target = { method: '', url: '' }
  readonly #headers = new Headers()

  open(method: string, url: string): void {
    this.#target = { method, url }
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value)
  }

  getResponseHeader(): null {
    return null
  }

  async send(body: FormData): Promise<void> {
    const { method, url } = this.#target
    const response = await fetch(url, { method, headers: this.#headers, body })
    this.status = response.status
    this.responseText = await response.text()
    this.dispatchEvent(new Event('load'))
    this.dispatchEvent(new Event('loadend'))
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    authorization: request.headers.authorization,
    key: request.headers['idempotency-key']?.toString(),
    body: text && !isForm(request) ? (JSON.parse(text) as unknown) : undefined,
  }
}

function storage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
