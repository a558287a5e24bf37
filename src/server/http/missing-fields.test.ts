import { afterEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient } from '#test/factories.ts'

let app: TestApp
afterEach(() => app.close())

test('a field that was not sent is named in plain words, in a body and in a query', async () => {
  app = await buildTestApp()
  const { token } = await createClient(app)
  const body = await app.call('POST', '/client/verify-email', { token, body: {} })
  expect([body.status, body.body.errors]).toEqual([422, { token: ['This is missing.'] }])
  const query = await app.call('GET', '/find-therapist/get-help-right-now', { token })
  expect([query.status, query.body.errors]).toEqual([
    422,
    { issue_id: ['This is missing, or not a number.'] },
  ])
})
