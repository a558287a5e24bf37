import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient, password } from '#test/factories.ts'
import { linkIn } from '#test/mails.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => app.close())

const register = (body: Record<string, unknown> = {}) =>
  app.call('POST', '/therapist/register', {
    body: {
      name: 'Mary Ann',
      last_name: 'Okafor',
      email: 'mary@example.test',
      password,
      accept_terms: true,
      ...body,
    },
  })
const therapists = () =>
  app.db
    .selectFrom('accounts')
    .leftJoin('practitioners', 'practitioners.account_id', 'accounts.id')
    .select(['accounts.id as account', 'practitioners.id as practitioner', 'state', 'email'])
    .where('role', '=', 'therapist')
    .execute()

test('creates a practitioner whose profile is a draft, signs them in and welcomes them by mail', async () => {
  const answer = await register()
  expect(answer.status).toBe(201)
  const [row] = await therapists()
  expect(row).toMatchObject({ email: 'mary@example.test', state: 'draft' })
  expect(answer.body.user).toEqual({
    first_name: 'Mary Ann',
    last_name: 'Okafor',
    email: 'mary@example.test',
    practitioner_id: row?.practitioner,
  })
  expect((await app.call('GET', `/practitioner/${row?.practitioner}/profile`)).status).toBe(404)
  const signedIn = await app.call('POST', '/therapist/login', {
    body: { email: 'mary@example.test', password },
  })
  expect(signedIn.body.user).toEqual(answer.body.user)
  const out = await app.call('POST', '/therapist/logout', { token: String(answer.body.token) })
  expect(out.status).toBe(200)
  await app.queue.drain()
  expect(app.mails()).toHaveLength(1)
  expect(linkIn(app.mails()[0] ?? '').pathname).toBe('/therapist/verify-email')
})

test('says what is wrong under each field and opens nothing', async () => {
  const answer = await register({
    name: ' ',
    last_name: '',
    email: 'mary',
    password: 'short',
    accept_terms: false,
  })
  expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
  expect(Object.keys(answer.body.errors ?? {}).toSorted()).toEqual([
    'accept_terms',
    'email',
    'last_name',
    'name',
    'password',
  ])
  expect((await register({ password: 'password1' })).body.errors).toHaveProperty('password')
  expect(await therapists()).toEqual([])
  await app.queue.drain()
  expect(app.mails()).toEqual([])
})

test('takes the email of a client, and an email once', async () => {
  const client = await createClient(app)
  expect((await register({ email: client.email })).status).toBe(201)
  const again = await register({ email: client.email.toUpperCase(), name: 'Somebody else' })
  expect([again.status, again.body.code]).toEqual([422, 'email_taken'])
  expect(again.body.errors).toHaveProperty('email')
  expect(await therapists()).toHaveLength(1)
})

test('opens one account when the same form is sent many times at once', async () => {
  await app.close()
  app = await buildTestApp({ passwordCost: undefined })
  const answers = await Promise.all(Array.from({ length: 5 }, () => register()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422])
  expect(await therapists()).toHaveLength(1)
})
