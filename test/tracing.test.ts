import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { traceStatements } from '#server/db/trace-statements.ts'
import { openTelemetry } from '#server/integrations/tracing/open-telemetry.ts'
import { inSpan } from '#server/integrations/tracing/port.ts'
import { buildWebIfNeeded } from '#server/web-build.ts'
import { buildTestApp } from './build-test-app.ts'
import { connectChat } from './chat-socket.ts'
import { clusterDatabase } from './cluster-database.ts'
import { createClient, createPractitioner, password, signInPractitioner, signInToChat } from './factories.ts'
import { freePort } from './private-cluster.ts'
import { type ReceivedSpan, startCollector } from './trace-collector.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function collector() {
  const started = await startCollector()
  closing.push(started.close)
  return started
}

/** The product on a server's database, followed, with what it has said about that. */
async function followed(endpoint: string, ratio = 1) {
  const said: string[] = []
  const tracing = openTelemetry({
    endpoint,
    headers: { authorization: 'Bearer a-key' },
    service: 'hearth',
    ratio,
    say: (sentence) => said.push(sentence),
  })
  const { database } = await clusterDatabase(5, traceStatements(tracing))
  const app = await buildTestApp({ database, tracing })
  closing.push(app.close)
  return { app, tracing, said }
}

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`

const below = (spans: ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId)
const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)

describe('with a collector', () => {
  test('a sentence that is searched for is in no span and no statement', async () => {
    const at = await collector()
    const { app, tracing } = await followed(at.endpoint)
    await createPractitioner(app, { firstName: 'Priya', lastName: 'Zyxwmarker' })
    const answer = await app.call('POST', '/search/parse', { body: { q: 'Zyxwmarker, anxiety in Leeds' } })
    expect(answer.body.filters).toMatchObject({ name: 'Zyxwmarker', issue_id: [1], near: 'Leeds' })
    await tracing.close()
    expect(named(at.spans(), 'POST /api/v7/search/parse')).toHaveLength(1)
    const texts = JSON.stringify(at.spans(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(texts).not.toMatch(/zyxwmarker|leeds/i)
  })

  test('a request is one trace down to its statements, and what it puts in the queue follows from it', async () => {
    const at = await collector()
    const { app, tracing } = await followed(at.endpoint)
    const body = {
      name: 'Alex Morgan',
      email: 'one@example.test',
      password,
      is_adult: true,
      accept_terms: true,
    }
    const answer = await app.call('POST', '/client/register', { body, headers: { traceparent } })
    expect(answer.status).toBe(201)
    await app.queue.drain()
    expect((await app.call('GET', `/practitioner/${'9'.repeat(9)}/profile`)).status).toBe(404)
    await tracing.close()

    expect(at.asked[0]).toEqual({ path: '/v1/traces', authorization: 'Bearer a-key' })
    expect(at.resource()).toMatchObject({ 'service.name': 'hearth' })
    const spans = at.spans()
    const [request] = named(spans, 'POST /api/v7/client/register')
    if (!request) throw new Error(`Only ${spans.map(({ name }) => name).join(', ')}`)
    expect(request).toMatchObject({
      kind: 2,
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
      failed: false,
      facts: {
        'http.request.method': 'POST',
        'http.route': '/api/v7/client/register',
        'http.response.status_code': 201,
      },
    })
    const statements = below(spans, request)
    expect(statements.length).toBeGreaterThan(4)
    for (const span of statements) {
      expect(span.traceId).toBe(parent.traceId)
      // Within it, as far as a clock of milliseconds tells.
      expect(span.startedAt).toBeGreaterThanOrEqual(request.startedAt - 2_000_000n)
      expect(span.endedAt).toBeLessThanOrEqual(request.endedAt + 2_000_000n)
    }
    const [insert] = named(statements, 'INSERT accounts')
    expect(insert?.facts).toMatchObject({ 'db.system.name': 'postgresql', 'db.operation.name': 'INSERT' })
    expect(insert?.facts['db.query.text']).toMatch(/^insert into "accounts" \(.*\) values \(\$1, \$2,/)
    expect(statements.map(({ name }) => name)).toContain('COMMIT')

    const [job] = named(spans, 'job mail.send')
    expect(job).toMatchObject({ kind: 5, links: [parent.traceId], parentSpanId: undefined })
    expect(job?.traceId).not.toBe(parent.traceId)
    expect(below(spans, job as ReceivedSpan).map(({ name }) => name)).toContain('mail.send')

    const [missing] = named(spans, 'GET /api/v7/practitioner/:id/profile')
    expect(missing).toMatchObject({ failed: false, facts: { 'http.response.status_code': 404 } })
    expect(missing?.traceId).not.toBe(parent.traceId)

    const line = app
      .logged()
      .split('\n')
      .find((each) => each.includes('/client/register'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: parent.traceId, span_id: request.spanId })
  })

  test('nothing of what people send, and of who they are, is exported', async () => {
    const at = await collector()
    const { app, tracing } = await followed(at.endpoint)
    const canary = 'kingfisher'
    const client = await createClient(app, {
      name: `Alex ${canary}`,
      email: `${canary}@example.test`,
    })
    const practitioner = await createPractitioner(app)
    const account = await app.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', client.email)
      .executeTakeFirstOrThrow()
    const reader = await signInToChat(app, client.token)
    const therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
    const opened = await app.call('POST', '/chat/dialogs', {
      token: reader.token,
      body: { practitioner_id: practitioner.id },
    })
    const dialog = String(opened.body._id)
    const body = { chat_dialog_id: dialog, message: `Something about a ${canary}.` }
    expect((await app.call('POST', '/chat/messages', { token: reader.token, body })).status).toBe(201)
    const socket = await connectChat(app.origin, therapist.token)
    expect((await socket.send(dialog, `The ${canary} again.`)).ok).toBe(true)
    socket.close()
    // What is refused, not found, or goes wrong tells no more.
    await app.call('POST', '/client/login', { body: { email: `${canary}@example.test`, password: canary } })
    await app.call('POST', '/client/register', { body: { name: canary, email: canary } })
    await app.call('GET', `/${canary}?${canary}=${canary}`, { headers: { [canary]: canary } })
    await app.call('GET', `/practitioner/get-practitioners?name=${canary}`, {
      headers: { 'user-agent': canary, referer: `https://${canary}.test`, 'x-forwarded-for': '203.0.113.9' },
    })
    const failing = inSpan(tracing, 'failing', { kind: 'internal' }, () =>
      sql`select ${canary}::int`.execute(app.db),
    )
    await expect(failing).rejects.toThrow(canary)
    await app.queue.drain()
    await tracing.close()

    const spans = at.spans()
    const [failed] = named(spans, 'failing')
    expect(failed).toMatchObject({ failed: true, facts: { 'error.type': 'error' } })
    // PostgreSQL's code for what cannot be read as a number; its words quote it.
    expect(below(spans, failed as ReceivedSpan)).toMatchObject([
      { failed: true, facts: { 'error.type': '22P02', 'db.query.text': 'select $1::int' } },
    ])
    expect(named(spans, 'socket send')).toHaveLength(1)
    expect(below(spans, named(spans, 'socket send')[0] as ReceivedSpan)).not.toEqual([])
    expect(named(spans, 'GET /api/v7/practitioner/get-practitioners')).toHaveLength(1)
    expect(named(spans, 'GET none')).toHaveLength(1)
    const words = at.words()
    for (const secret of [
      canary,
      'example.test',
      '203.0.113.9',
      password,
      client.token,
      reader.token,
      account.id,
      dialog,
      practitioner.accountId,
      '127.0.0.1',
    ]) {
      expect(words.includes(secret), secret).toBe(false)
    }
    // What identifies people looks like this, but for the name that the instance has given itself.
    const uuids = words.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []
    expect(new Set(uuids)).toEqual(new Set([at.resource()['service.instance.id']]))
  })

  test('a trace that begins here is sampled by ratio; one with a traceparent follows its sampled flag', async () => {
    const at = await collector()
    const { app, tracing } = await followed(at.endpoint, 0)
    await app.call('GET', '/filter/i-know')
    await app.call('GET', '/issue/get-issues', { headers: { traceparent } })
    await app.call('GET', '/language/get-languages', { headers: { traceparent: 'something else' } })
    await tracing.close()
    const roots = at.spans().filter(({ kind }) => kind === 2)
    expect(roots.map(({ name }) => name)).toEqual(['GET /api/v7/issue/get-issues'])
  })
})

describe('without a collector that answers', () => {
  test('requests are answered as ever, and it is said once', async () => {
    const { app, tracing, said } = await followed(`http://127.0.0.1:${await freePort()}`)
    const begun = performance.now()
    for (let round = 0; round < 20; round++) {
      expect((await app.call('GET', '/filter/i-know')).status).toBe(200)
    }
    expect(performance.now() - begun).toBeLessThan(5000)
    const ending = performance.now()
    await tracing.close()
    expect(performance.now() - ending).toBeLessThan(4000)
    expect(said).toEqual(['Traces cannot be delivered; they are let go until they can.'])
  })
})

describe('the product as it is started', () => {
  beforeAll(() => buildWebIfNeeded(() => undefined), 240_000)

  const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
  /** Prints, at the end of the process, how much of the SDK has been loaded; Prometheus' client knows its types. */
  const watching = `data:text/javascript,${encodeURIComponent(
    `import { createRequire } from 'node:module'
     const { cache } = createRequire('file:///')
     process.on('exit', () => console.log('loaded', Object.keys(cache).filter((path) => path.includes('@opentelemetry') && !path.includes('opentelemetry/api/')).length))`,
  )}`

  async function start(environment: Record<string, string>) {
    const directory = mkdtempSync(join(tmpdir(), 'hearth-traces-'))
    const { url, database } = await clusterDatabase(1)
    await database.close()
    const port = String(await freePort())
    const child = spawn(process.execPath, ['--import', watching, main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        DATA_DIR: directory,
        DATABASE_URL: url,
        PORT: port,
        ...environment,
      },
    })
    let words = ''
    child.stdout.on('data', (chunk: Buffer) => (words += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    closing.push(async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(directory, { recursive: true, force: true })
    })
    await vi.waitFor(() => expect(words).toContain('is ready at'), { timeout: 60_000, interval: 50 })
    return {
      origin: `http://127.0.0.1:${port}`,
      async stop() {
        child.kill('SIGTERM')
        await ended
        return words
      },
    }
  }

  test('sends what it has at SIGTERM, a page with what it asks of the API; and nothing is loaded unasked', async () => {
    const at = await collector()
    const [on, off] = await Promise.all([
      // Without the index the search asks the database.
      start({ OTEL_EXPORTER_OTLP_ENDPOINT: at.endpoint, TRUST_PROXY: '0', SEARCH_INDEX: 'off' }),
      start({ LOG_LEVEL: 'info' }),
    ])
    for (const { origin } of [on, off]) {
      const page = await fetch(`${origin}/found-therapists?session_type=online`, { headers: { traceparent } })
      expect(page.status).toBe(200)
      await page.text()
      await fetch(`${origin}/healthz`)
    }
    const [followed, without] = await Promise.all([on.stop(), off.stop()])
    expect(Number(/loaded (\d+)/.exec(followed)?.[1])).toBeGreaterThan(10)
    expect(/loaded (\d+)/.exec(without)?.[1]).toBe('0')
    expect(without).not.toContain('trace_id')

    const spans = at.spans()
    const [page] = named(spans, 'GET /*')
    // A stranger's trace is not joined.
    expect(page).toMatchObject({ kind: 2, parentSpanId: undefined })
    expect(page?.traceId).not.toBe(parent.traceId)
    const [asked] = named(below(spans, page as ReceivedSpan), 'GET /api/v7/practitioner/get-practitioners')
    expect(asked).toMatchObject({ kind: 1, traceId: page?.traceId })
    expect(below(spans, asked as ReceivedSpan).some(({ name }) => name.startsWith('SELECT'))).toBe(true)
    expect(named(spans, 'GET /healthz')).toEqual([])
    expect(followed).toContain(`"trace_id":"${page?.traceId}"`)
  })
})
