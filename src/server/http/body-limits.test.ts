import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { type NewTherapist, registerTherapist } from '#test/onboarding.ts'

let app: TestApp
let therapist: NewTherapist
beforeAll(async () => {
  app = await buildTestApp()
  therapist = await registerTherapist(app)
})
afterAll(() => app.close())

const megabyte = 1024 * 1024

type Sent = { head: string; piece?: Buffer; first?: Buffer }

/** Sends a body in chunks without an end, until the server hangs up. Returns the answer and how much could be sent. */
function sendWithoutEnd({ head, first, piece = Buffer.alloc(65_536, 'a') }: Sent) {
  const { port } = new URL(app.origin)
  const chunk = (data: Buffer) =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
  const framed = chunk(piece)
  return new Promise<{ answer: string; sent: number; isClosed: boolean }>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    let isDone = false
    const end = (isClosed: boolean) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      socket.destroy()
      resolve({ answer, sent: socket.bytesWritten, isClosed })
    }
    const timer = setTimeout(() => end(false), 20_000)
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => end(true))
    const send = () => {
      // Far more than any limit: the test must end even if the server reads for ever.
      while (socket.writable && socket.bytesWritten < 600 * megabyte) if (!socket.write(framed)) return
    }
    socket.on('drain', send)
    socket.write(`${head}\r\nhost: hearth.test\r\ntransfer-encoding: chunked\r\n\r\n`)
    if (first) socket.write(chunk(first))
    send()
  })
}

const form = (name: string) =>
  Buffer.from(`--edge\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n`)
const asTherapist = () => `authorization: Bearer ${therapist.token}`
const multipart = 'content-type: multipart/form-data; boundary=edge'
const json = 'content-type: application/json'

const cases: [string, () => Sent, number, number][] = [
  [
    'a portrait',
    () => ({
      head: `POST /api/v7/therapist/upload-profile-image HTTP/1.1\r\n${asTherapist()}\r\n${multipart}`,
      first: form('image'),
    }),
    413,
    10,
  ],
  [
    'a form that never comes to its file',
    () => ({
      head: `POST /api/v7/therapist/upload-profile-image HTTP/1.1\r\n${asTherapist()}\r\n${multipart}`,
    }),
    413,
    10,
  ],
  [
    'a field of a form',
    () => ({
      head: `POST /api/v7/therapist/upload-profile-dbs HTTP/1.1\r\n${asTherapist()}\r\n${multipart}`,
      first: Buffer.from('--edge\r\ncontent-disposition: form-data; name="expires_on"\r\n\r\n'),
    }),
    413,
    20,
  ],
  [
    'an upload of a visitor',
    () => ({
      head: `POST /api/v7/therapist/upload-profile-video HTTP/1.1\r\n${multipart}`,
      first: form('video'),
    }),
    401,
    1,
  ],
  ['JSON', () => ({ head: `POST /api/v7/client/login HTTP/1.1\r\n${json}` }), 413, 1],
  [
    'JSON of a visitor',
    () => ({ head: `POST /api/v7/appointment/create-session HTTP/1.1\r\n${json}` }),
    401,
    1,
  ],
  ['the body of a GET', () => ({ head: `GET /api/v7/filter/need-assistance HTTP/1.1\r\n${json}` }), 200, 1],
  ['the body of an unknown address', () => ({ head: `POST /api/v7/nothing HTTP/1.1\r\n${json}` }), 413, 1],
  [
    'the body of another type',
    () => ({ head: 'POST /api/v7/client/login HTTP/1.1\r\ncontent-type: text/plain' }),
    415,
    1,
  ],
  ["a mail program's unsubscription", () => ({ head: 'POST /unsubscribe?token=a HTTP/1.1' }), 422, 1],
  [
    "a payment provider's event",
    () => ({ head: `POST /webhooks/stripe HTTP/1.1\r\nstripe-signature: a\r\n${json}` }),
    413,
    1,
  ],
]

test.each(cases)('an endless body is cut off when it is %s', async (_name, sentOf, status, limit) => {
  const before = await fingerprint(app.db)
  const { answer, sent, isClosed } = await sendWithoutEnd(sentOf())
  expect(isClosed).toBe(true)
  expect(answer.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  // Beside the limit itself, what buffers of the two ends hold.
  expect(sent / megabyte).toBeLessThan(limit + 24)
  expect(await fingerprint(app.db)).toEqual(before)
  const left = readdirSync(app.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(app.directory, 'mail')))
    .map(({ name }) => name)
  expect(left.filter((name) => !name.endsWith('.key'))).toEqual([])
})

test('a body that announces more than its call takes is refused before it comes', async () => {
  const { port } = new URL(app.origin)
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('close', () => resolve(text))
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 9999999999\r\n\r\n`)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('payload_too_large')
  expect(answer.toLowerCase()).toContain('connection: close')
})

test('a chunked body within its limit is taken, and its connection goes on', async () => {
  const { port } = new URL(app.origin)
  const lines = await new Promise<string[]>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
      const found = text.match(/HTTP\/1\.1 \d+/g) ?? []
      if (found.length === 2) {
        resolve(found)
        socket.destroy()
      }
    })
    const request = `POST /api/v7/client/login HTTP/1.1\r\nhost: x\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
    socket.write(request)
    setTimeout(() => socket.write(request), 300)
  })
  expect(lines).toEqual(['HTTP/1.1 422', 'HTTP/1.1 422'])
})
