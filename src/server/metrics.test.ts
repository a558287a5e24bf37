import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient } from '#test/factories.ts'
import { serveHealth } from './http/health.ts'
import { serveMetrics } from './http/metrics-server.ts'
import { createMetrics } from './metrics.ts'
import { mailSendJob } from './modules/mails/mails.jobs.ts'

let app: TestApp
let figures: { port: number; close(): Promise<void> }
beforeEach(async () => {
  app = await buildTestApp()
  figures = await serveMetrics(app.metrics, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await figures.close()
  await app.close()
})

const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${figures.port}${path}`, { method })

test('requests are counted by the pattern of their route, and jobs by their queue', async () => {
  const client = await createClient(app)
  await app.call('GET', '/client/profile', { token: client.token })
  await app.call('GET', `/appointment/${client.id}?secret=canary`, { token: client.token })
  await app.queue.enqueue(app.db, mailSendJob, { mail_id: 'no id of a mail' })
  await app.queue.drain()
  await app.call('POST', '/client/forgot-password', { body: { email: client.email } })
  const answer = await at('/metrics')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  expect(text).toMatch(
    /hearth_http_request_duration_seconds_count\{method="GET",route="\/api\/v7\/client\/profile",status="200"\} 1\n/,
  )
  expect(text).toMatch(/hearth_jobs_failed_total\{queue="mail\.send"\} 1\n/)
  expect(text).toMatch(/route="\/api\/v7\/appointment\/:appointment_id",status="404"\} 1\n/)
  expect(text).toMatch(/hearth_jobs\{queue="mail\.send",state="created"\} [1-9]/)
  expect(text).toContain('hearth_http_requests_under_way 0\n')
  expect(text).toContain('hearth_sockets 0\n')
  expect(text).toContain('hearth_database_up 1\n')
  expect(text).toContain('process_resident_memory_bytes')
  for (const personal of [client.id, client.email, 'canary']) expect(text).not.toContain(personal)
})

test('built files, which have other names in each release, are counted as one', async () => {
  const http = Fastify()
  const { read } = createMetrics(http, {
    database: app.database,
    reads: { figures: () => undefined },
    queue: app.queue,
    openSockets: () => 0,
    directory: () => undefined,
    charges: () => undefined,
  })
  const paths = ['/assets/page-a1b2.js', '/assets/page-c3d4.js']
  for (const path of paths) http.get(path, () => '')
  for (const path of paths) await http.inject(path)
  const { text } = await read()
  expect(text).toMatch(/route="\/assets\/\*",status="200"\} 2\n/)
  expect(text).not.toContain('page-')
  await http.close()
})

test('nothing else is at that port, and the figures are not at the product’s own', async () => {
  expect((await at('/')).status).toBe(404)
  expect((await at('/metrics', 'POST')).status).toBe(404)
  expect((await fetch(`${app.origin}/metrics`)).status).toBe(404)
})

test('a process is not ready while it still does what others wait for, also where that fails', async () => {
  const http = Fastify()
  const health = serveHealth(http, app.db, { isFull: async () => false })
  const look = async () => (await http.inject('/readyz')).statusCode
  for (const end of ['resolve', 'reject'] as const) {
    const work = Promise.withResolvers<void>()
    const ready = health.readyAfter(work.promise).catch(() => undefined)
    expect(await look()).toBe(503)
    work[end]()
    await ready
    expect(await look()).toBe(200)
  }
  await http.close()
})

test('a process is alive while it runs, and ready only until it drains', async () => {
  const look = async (path: string) => (await fetch(app.origin + path)).status
  expect([await look('/healthz'), await look('/readyz')]).toEqual([200, 200])
  app.drain()
  expect([await look('/healthz'), await look('/readyz')]).toEqual([200, 503])
  expect((await app.call('GET', '/find-therapist/types')).status).toBeLessThan(500)
})
