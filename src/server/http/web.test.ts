import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'
import { webRenderer } from './web.ts'

/** A build with one page, as `react-router build` would write it; it knows the page context by its global name alone. */
const pages = `
const pageContext = () => globalThis[Symbol.for('hearth.page-context')]
const root = {
  id: 'root',
  path: '*',
  module: {
    default: () => null,
    async loader({ request, context }) {
      const { api } = context.get(pageContext())
      const url = new URL(request.url)
      if (url.pathname === '/failing') throw new Error('a page that fails')
      if (url.pathname === '/waiting') {
        globalThis.hearthTestWaiting()
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        globalThis.hearthTestAborted()
      }
      if (url.pathname === '/find-therapist') return { told: await globalThis.hearthTestTold() }
      const answer = await api('GET /echo', { query: { page: '2' } })
      return { headers: Object.fromEntries(request.headers), url: request.url, answer }
    },
  },
}
export const routes = { root }
export const entry = {
  module: {
    default(request, status, headers, { staticHandlerContext }, context) {
      const { scriptMark, requestId, finish } = context.get(pageContext())
      headers.set('content-type', 'text/html; charset=utf-8')
      const script = '<script nonce="' + scriptMark + '">' + request.url.length + '</script><script>stranger()</script>'
      const data = JSON.stringify({ requestId, data: staticHandlerContext.loaderData.root })
      finish(new URL(request.url).pathname.startsWith('/script') ? script : data)
      return new Response(null, { status, headers })
    },
    handleError: (error, { context }) => context.get(pageContext()).report(error),
  },
}
export const assets = { routes: { root: { id: 'root', module: '/root.js' } }, entry: { module: '/entry.js', imports: [] }, url: '/manifest.js', version: '1' }
export const assetsBuildDirectory = 'client'
export const basename = '/'
export const publicPath = '/'
export const future = {}
export const ssr = true
export const isSpaMode = false
export const prerender = []
export const routeDiscovery = { mode: 'initial' }
`

const script = 'export const answer = 42\n'.repeat(100)
let directory: string
let app: FastifyInstance
const logged: unknown[] = []
const cache = createPageCache(() => 0)
const otherRelease = new Map([
  ['dialog-c3d4.js', brotliCompressSync(script)],
  ['theme-c3d4.css', brotliCompressSync('body {}')],
])
let keeps = 0
let isReady = true

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hearth-web-'))
  await mkdir(join(directory, 'client/assets'), { recursive: true })
  await mkdir(join(directory, 'server'))
  await writeFile(join(directory, 'client/assets/page-a1b2.js'), script)
  await writeFile(join(directory, 'client/assets/page-a1b2.js.br'), brotliCompressSync(script))
  await writeFile(join(directory, 'client/favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(directory, 'server/index.js'), pages)
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')

  const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
  app = Fastify({ logger: { level: 'error', stream } })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 'not_found' }))
  await app.register(webRenderer, {
    mode: 'production',
    buildDirectory: directory,
    site: {
      origin: 'http://hearth.test',
      contactEmail: 'hello@hearth.test',
      appStoreUrl: null,
      playStoreUrl: null,
      identityProvider: null,
      identityButton: null,
      files: null,
      payment: { provider: 'sandbox' },
    },
    cache,
    releaseFiles: {
      keep: async () => {
        await setImmediate()
        keeps += isReady ? 0 : 1
      },
      find: async (name) => otherRelease.get(name),
    },
    countPage: () => undefined,
    readyAfter: async (work) => {
      isReady = false
      await work
      isReady = true
    },
    callInProcess: async (key, input, { address, id, log: _log, signal: _signal, ...more }) => ({
      status: 200,
      body: { key, input, address, id, more },
    }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true })
})

test('the policy names the scripts that a page itself has written by their content, and allows no other', async () => {
  const [one, other] = await Promise.all([page('/script'), page('/script/other')])
  const sources = [one, other].map((each) => {
    const policy = String(each.headers['content-security-policy'])
    expect(policy).not.toMatch(/unsafe-inline'(?!;)|unsafe-eval|nonce-/)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy.match(/https?:\/\/[^ ;]+/g)).toEqual(['https://www.youtube-nocookie.com'])
    return /script-src ([^;]*);/.exec(policy)?.[1]
  })
  const lengths = ['/script', '/script/other'].map((path) => String(`http://hearth.test${path}`.length))
  expect(sources).toEqual(
    lengths.map((script) => `'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`),
  )
  expect(one.body).toBe(`<script>${lengths[0]}</script><script>stranger()</script>`)
  expect(one.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-cache',
  })
})

test('a page and its Server-Timing header carry the id of the request', async () => {
  const { headers, json } = await page('/not-kept')
  expect(json().requestId).toMatch(/^req-/)
  expect(headers['server-timing']).toBe(`request;desc="${json().requestId}"`)
})

test('a file of another release is sent as one of this is', async () => {
  const read = async (name: string, encoding: string, method: 'GET' | 'HEAD' = 'GET') => {
    const { statusCode, headers, body, rawPayload } = await app.inject({
      method,
      url: `/assets/${name}`,
      headers: { 'accept-encoding': encoding },
    })
    const told = ['content-type', 'content-encoding', 'cache-control', 'x-content-type-options', 'vary']
    return { statusCode, told: told.map((each) => headers[each]), body, rawPayload }
  }
  const lasting = ['public, max-age=31536000, immutable', 'nosniff']
  const javascript = 'text/javascript; charset=utf-8'
  const packed = await read('dialog-c3d4.js', 'gzip, deflate, br')
  expect(packed.told).toEqual([javascript, 'br', ...lasting, 'Accept-Encoding'])
  expect(packed.rawPayload).toEqual(otherRelease.get('dialog-c3d4.js'))
  const plain = await read('dialog-c3d4.js?v=1', 'br;q=0')
  expect([plain.told, plain.body]).toEqual([[javascript, undefined, ...lasting, 'Accept-Encoding'], script])
  const style = await read('theme-c3d4.css', 'identity')
  expect([style.told[0], style.body]).toEqual(['text/css; charset=utf-8', 'body {}'])
  const head = await read('dialog-c3d4.js', 'br', 'HEAD')
  expect([head.statusCode, head.told, head.body]).toEqual([200, packed.told, ''])
  const missing = await read('dialog-e5f6.js', 'br')
  expect([missing.statusCode, missing.told[2]]).toEqual([404, undefined])
  expect([keeps, isReady], 'its own are kept once it listens, before it is ready').toEqual([1, true])
})

test('HEAD answers as GET does, without a body', async () => {
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/' })
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('text/html')
  expect(body).toBe('')
})

test.each(['/api/nothing', '/api', '/socket/x', '/healthz'])(
  '%s is no page, by GET, HEAD or POST',
  async (url) => {
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      const answer = await app.inject({ method, url })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-security-policy']).toBeUndefined()
    }
    expect((await page('/apiary')).json().data).toBeDefined()
  },
)

test('a page asks the API in-process with nothing of its reader but the address', async () => {
  const { data, requestId } = (
    await app.inject({
      url: '/x?y=1',
      headers: { authorization: 'Bearer secret', cookie: 'a=b', 'user-agent': 'test', host: 'evil.test' },
    })
  ).json()
  expect(data.headers).toEqual({})
  expect(data.url).toBe('http://hearth.test/x?y=1')
  expect(data.answer).toEqual({
    status: 200,
    body: {
      key: 'GET /echo',
      input: { query: { page: '2' } },
      address: '127.0.0.1',
      id: requestId,
      more: {},
    },
  })
})

test('hashed files are kept for good and sent compressed as they were built', async () => {
  const plain = await app.inject('/assets/page-a1b2.js')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.body).toBe(script)
  const compressed = await app.inject({
    url: '/assets/page-a1b2.js',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(compressed.rawPayload.length).toBeLessThan(200)
  expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
})

test('a file of another version is 404 rather than a page', async () => {
  const answer = await app.inject('/assets/page-zzzz.js')
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toContain('text/plain')
})

test.each([
  ['/sign-in?return_to=%2F', '/sign-in?return_to=%2F'],
  ['//evil.example/x', '/evil.example/x'],
])('a form sent to %s before the page was alive comes back as a page of this site', async (url, location) => {
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=a%40example.com&password=secret',
  })
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe(location)
})

test('a page that was being rendered while something changed is sent, but not again', async () => {
  const holding = Promise.withResolvers<void>()
  let fact = 'before'
  Object.assign(globalThis, {
    async hearthTestTold() {
      const read = fact
      await holding.promise
      return read
    },
  })
  const early = page('/find-therapist')
  await new Promise((resolve) => setTimeout(resolve, 50))
  fact = 'after'
  cache.forget()
  holding.resolve()
  expect((await early).json().data.told).toBe('before')
  expect((await page('/find-therapist')).json().data.told).toBe('after')
  fact = 'later, without a word'
  expect((await page('/find-therapist')).json().data.told).toBe('after')
})

test('a page that fails is 500, and its error is logged', async () => {
  logged.length = 0
  expect((await page('/failing')).statusCode).toBe(500)
  expect(logged).toMatchObject([
    { err: { message: 'Error', stack: expect.stringContaining('server/index.js') } },
  ])
  expect(JSON.stringify(logged)).not.toContain('a page that fails')
})

test('a reader who leaves stops the work for the page', async () => {
  const waiting = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  Object.assign(globalThis, { hearthTestWaiting: waiting.resolve, hearthTestAborted: aborted.resolve })
  const { port } = app.server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, path: '/waiting' })
  request.on('error', () => undefined)
  await waiting.promise
  request.destroy()
  await aborted.promise
})

function page(url: string) {
  return app.inject({ url })
}
