import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient } from '#test/factories.ts'
import { serveMetrics } from './http/metrics-server.ts'

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
  await app.call('POST', '/client/forgot-password', { body: { email: client.email } })
  const answer = await at('/metrics')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  expect(text).toMatch(
    /hearth_http_request_duration_seconds_count\{method="GET",route="\/api\/v7\/client\/profile",status="200"\} 1\n/,
  )
  expect(text).toMatch(/route="\/api\/v7\/appointment\/:appointment_id",status="404"\} 1\n/)
  expect(text).toMatch(/hearth_jobs\{queue="mail\.send",state="created"\} [1-9]/)
  expect(text).toContain('hearth_http_requests_under_way 0\n')
  expect(text).toContain('hearth_sockets 0\n')
  expect(text).toContain('hearth_database_up 1\n')
  expect(text).toContain('process_resident_memory_bytes')
  for (const personal of [client.id, client.email, 'canary']) expect(text).not.toContain(personal)
})

test('nothing else is at that port, and the figures are not at the product’s own', async () => {
  expect((await at('/')).status).toBe(404)
  expect((await at('/metrics', 'POST')).status).toBe(404)
  expect((await fetch(`${app.origin}/metrics`)).status).toBe(404)
})

test('a process is alive while it runs, and ready only until it drains', async () => {
  const look = async (path: string) => (await fetch(app.origin + path)).status
  expect([await look('/healthz'), await look('/readyz')]).toEqual([200, 200])
  app.drain()
  expect([await look('/healthz'), await look('/readyz')]).toEqual([200, 503])
  expect((await app.call('GET', '/find-therapist/types')).status).toBeLessThan(500)
})
