import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
} from '#test/factories.ts'
import { linkIn, tokenOf } from '#test/mails.ts'
import { addAcceptedFacts, addDocument, backOfficeAs } from '#test/vetting.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => app.close())

const register = () =>
  app.call('POST', '/therapist/register', {
    body: { name: 'Mary Ann', last_name: 'Okafor', email: 'mary@example.test', password, accept_terms: true },
  })
const login = (email: string, secret = password) =>
  app.call('POST', '/therapist/login', { body: { email, password: secret } })

test('a practitioner changes the name until the profile is handed in, and clients see the new one', async () => {
  const token = String((await register()).body.token)
  const before = await app.call('GET', '/therapist/account', { token })
  expect(before.body).toMatchObject({
    first_name: 'Mary Ann',
    last_name: 'Okafor',
    email: 'mary@example.test',
    email_verified: false,
    name_fixed: false,
  })
  const renamed = await app.call('PUT', '/therapist/account', {
    token,
    body: { first_name: 'Marian', last_name: ' O’Kafor ' },
  })
  expect([renamed.status, renamed.body.first_name, renamed.body.last_name]).toEqual([
    200,
    'Marian',
    'O’Kafor',
  ])
  expect((await app.call('GET', '/therapist/profile', { token })).body).toMatchObject({
    first_name: 'Marian',
  })
})

test.each(['submitted', 'approved', 'suspended'] as const)(
  'a practitioner who is %s cannot change the name, which is the one on their documents',
  async (state) => {
    const practitioner = await createPractitioner(app, { state, firstName: 'Priya', lastName: 'Patel' })
    const token = await signInPractitioner(app, practitioner)
    const answer = await app.call('PUT', '/therapist/account', {
      token,
      body: { first_name: 'Another', last_name: 'Person' },
    })
    expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
    expect((await app.call('GET', '/therapist/account', { token })).body).toMatchObject({
      first_name: 'Priya',
      last_name: 'Patel',
      name_fixed: true,
    })
  },
)

test('what was accepted under one name is checked again under another', async () => {
  const practitioner = await createPractitioner(app, {
    state: 'rejected',
    firstName: 'Priya',
    lastName: 'Patel',
  })
  await app.db.deleteFrom('practitioner_licenses').where('practitioner_id', '=', practitioner.id).execute()
  await addAcceptedFacts(app, practitioner)
  const newer = await addDocument(app, practitioner, 'dbs')
  const token = await signInPractitioner(app, practitioner)
  const rename = (first_name: string) =>
    app.call('PUT', '/therapist/account', { token, body: { first_name, last_name: 'Patel' } })
  const backOffice = backOfficeAs(app, (await createAdmin(app)).token)
  const states = async () => {
    const { documents, licences } = (await backOffice.file(practitioner.id)).body
    const facts = [documents, licences] as unknown as { kind?: string; status: string }[][]
    return facts.flat().map(({ kind, status }) => [kind ?? 'licence', status].join(' '))
  }
  const expiresOn = '2027-05-31'
  await addDocument(app, practitioner, 'insurance_certificate', { state: 'accepted', expiresOn })
  await app.db
    .updateTable('practitioners')
    .set({ has_indemnity: true, insurance_certificate_expires: expiresOn })
    .execute()
  const insured = async () =>
    (await app.call('GET', '/therapist/profile-preview', { token })).body.insurance_certificates as unknown
  const before = [
    'dbs accepted',
    'dbs waiting',
    'identity accepted',
    'insurance_certificate accepted',
    'licence accepted',
  ]
  const after = ['dbs waiting', 'identity waiting', 'insurance_certificate waiting', 'licence waiting']
  expect((await states()).toSorted()).toEqual(before)
  expect((await rename('Priya')).status).toBe(200)
  expect((await states()).toSorted()).toEqual(before)
  expect(await insured()).toEqual([{ expires: expiresOn }])
  expect((await rename('Sunita')).status).toBe(200)
  expect((await states()).toSorted()).toEqual(after)
  expect(await insured()).toEqual([])
  // An admin who still has the name before, or another last day, before them is not taken to have checked it.
  const shown = { full_name: 'Sunita Patel', expires_on: null }
  for (const other of [{ full_name: 'Priya Patel' }, { expires_on: '2027-01-31' }]) {
    const refused = await backOffice.document(practitioner.id, newer, 'accept', {
      shown: { ...shown, ...other },
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
  }
  expect((await states()).toSorted()).toEqual(after)
  const accepted = await backOffice.document(practitioner.id, newer, 'accept', { shown })
  expect(accepted.status).toBe(200)
})

test('the email, password and sign-ins of a practitioner are changed as a client’s are, by links below /therapist', async () => {
  const first = String((await register()).body.token)
  const second = String((await login('mary@example.test')).body.token)
  await app.queue.drain()
  const sent = app.mails().length
  const asked = await app.call('POST', '/therapist/change-email', {
    token: first,
    body: { email: 'new@example.test', current_password: password },
  })
  expect(asked.status).toBe(200)
  await app.queue.drain()
  const link = app
    .mails()
    .slice(sent)
    .filter((mail) => /^To: new@example\.test/m.test(mail))
    .map(linkIn)
    .at(-1)
  expect(link?.pathname).toBe('/therapist/confirm-email')
  const body = { token: tokenOf(link) }
  // Another account cannot use a practitioner's link up, of whichever kind it is.
  const client = await createClient(app)
  const byClient = await app.call('POST', '/client/confirm-email', { body, token: client.token })
  expect([byClient.status, byClient.body.code]).toEqual([403, 'other_account'])
  expect((await app.call('POST', '/therapist/confirm-email', { body })).status).toBe(401)
  expect((await app.call('POST', '/therapist/confirm-email', { body, token: first })).status).toBe(200)
  expect((await app.call('GET', '/therapist/account', { token: first })).body).toMatchObject({
    email: 'new@example.test',
    email_verified: true,
  })

  const other = 'another good passphrase'
  const changed = await app.call('POST', '/therapist/change-password', {
    token: first,
    body: { current_password: password, password: other, password_confirmation: other },
  })
  expect(changed.status).toBe(200)
  expect((await app.call('GET', '/therapist/account', { token: second })).status).toBe(401)
  expect((await login('new@example.test')).status).toBe(401)
  expect((await login('new@example.test', other)).status).toBe(200)

  const sessions = await app.call('GET', '/therapist/login-sessions', { token: first })
  expect(sessions.body).toHaveLength(2)
  expect((await app.call('POST', '/therapist/logout-everywhere', { token: first })).status).toBe(200)
  expect((await app.call('GET', '/therapist/account', { token: first })).status).toBe(401)
})
