import { afterEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'

let app: TestApp
afterEach(() => app.close())

const paths = [
  '/api/v7/openapi.json',
  '/api/v7/filter/need-assistance',
  '/api/v7/client/profile',
  '/api/v7/nothing',
  '/api/v7/files/guessed',
  '/api/docs/files/start.js',
  '/media/portraits/none/64.webp',
  '/calendar/none.ics',
  '/healthz',
]

test.each(paths)('an answer at %s allows nothing, and no frame', async (path) => {
  app = await buildTestApp()
  const { headers } = await fetch(`${app.origin}${path}`)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('script')
  expect(headers.get('strict-transport-security')).toBeNull()
})

test('every answer asks for https from then on where people reach the product by it', async () => {
  app = await buildTestApp({ publicUrl: 'https://hearth.test' })
  for (const path of paths) {
    const { headers } = await fetch(`${app.origin}${path}`)
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  }
})
