import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type Admin,
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  openChat,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { uploadFile } from '#test/onboarding.ts'
import { pdf } from '#test/upload-samples.ts'
import { addAcceptedFacts, addDocument, addLicence, backOfficeAs } from '#test/vetting.ts'

let app: TestApp
let admin: Admin
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app)
})
afterEach(async () => app.close())

/** The subjects of the mails to the back office, which name no person and repeat no words of theirs. */
async function asked(): Promise<string[]> {
  await app.queue.drain()
  const mails = app
    .mails()
    .map(readMail)
    .filter(({ to, subject }) => to === admin.email && / was | is disputed/.test(subject))
  for (const { whole } of mails) expect(whole).not.toMatch(/Patel|Wells|frightened|waited/)
  return mails.map(({ subject }) => subject)
}

test('the back office is mailed of a submitted profile once, and of its next submission again', async () => {
  const practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  const { id } = practitioner
  await addAcceptedFacts(app, practitioner)
  const token = await signInPractitioner(app, practitioner)
  const submit = async () => (await app.call('POST', '/therapist/complete', { token })).status
  const change = (values: object) =>
    app.db.updateTable('practitioners').set(values).where('id', '=', id).execute()
  await app.db
    .insertInto('practitioner_therapy_types')
    .values({ practitioner_id: id, therapy_type_id: 1 })
    .execute()
  const { gender_id } = await app.db
    .selectFrom('genders')
    .select('id as gender_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await change({
    state: 'draft',
    gender_id,
    date_of_birth: '1980-05-06',
    phone_code: '+44',
    phone_number: '7400123456',
    age_groups: ['adults'],
    image_key: 'portrait',
    video_choice: 'none',
  })
  expect([await submit(), await asked()]).toEqual([409, []])
  await change({ has_indemnity: false })
  expect([await submit(), await submit()]).toEqual([200, 200])
  expect(await asked()).toEqual(['A profile was submitted'])
  await change({ state: 'rejected' })
  app.clock.advance(60_000)
  expect(await submit()).toBe(200)
  expect(await asked()).toEqual(['A profile was submitted', 'A profile was submitted'])
})

test('the back office is mailed of a new document of an approved practitioner where none waited, and of a licence', async () => {
  const practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  await addAcceptedFacts(app, practitioner)
  const token = await signInPractitioner(app, practitioner)
  const send = async (content = pdf()) =>
    (await uploadFile(app, '/therapist/upload-profile-dbs', { token, field: 'file', content })).status
  expect([await send(Buffer.from('no PDF')), await asked()]).toEqual([415, []])
  expect([await send(), await send(), await asked()]).toEqual([200, 200, ['A new document was sent']])
  const { id } = await app.db
    .selectFrom('practitioner_documents')
    .select('id')
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const refused = await backOfficeAs(app, admin.token).document(practitioner.id, id, 'refuse', {
    reason: 'Too dark.',
  })
  app.clock.advance(60_000)
  expect([refused.status, await send()]).toEqual([200, 200])
  expect(await asked()).toHaveLength(2)
  const { license_number } = await app.db
    .selectFrom('practitioner_licenses')
    .select('license_number')
    .executeTakeFirstOrThrow()
  const licences = (...numbers: string[]) =>
    app.call('POST', '/therapist/add-license-list', {
      token,
      body: {
        license_list: numbers.map((number) => ({
          specialization_id: 1,
          license_id: 1,
          license_number: number,
        })),
      },
    })
  expect([(await licences(license_number)).status, (await asked()).length]).toEqual([200, 2])
  expect((await licences(license_number, 'PYL 7654321')).status).toBe(200)
  expect(await asked()).toHaveLength(3)
})

test('the back office is mailed of what is sent of a kind that was decided on in a submitted profile, where nothing of it waited', async () => {
  const practitioner = await createPractitioner(app, {
    firstName: 'Priya',
    lastName: 'Patel',
    state: 'submitted',
  })
  const { id } = practitioner
  const dbs = await addDocument(app, practitioner, 'dbs')
  const token = await signInPractitioner(app, practitioner)
  const send = async () => {
    app.clock.advance(60_000)
    const file = { token, field: 'file', content: pdf() }
    return (await uploadFile(app, '/therapist/upload-profile-dbs', file)).status
  }
  const backOffice = backOfficeAs(app, admin.token)
  const refuse = { reason: 'Too dark.' }
  expect((await backOffice.document(id, dbs, 'refuse', refuse)).status).toBe(200)
  expect([await send(), await send()]).toEqual([200, 200])
  expect(await asked()).toEqual(['A new document was sent'])
  const newer = await app.db
    .selectFrom('practitioner_documents')
    .select('id')
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  expect((await backOffice.document(id, newer.id, 'accept')).status).toBe(200)
  expect([await send(), (await asked()).length]).toEqual([200, 2])

  await app.db.deleteFrom('practitioner_licenses').where('practitioner_id', '=', id).execute()
  const licence = await addLicence(app, practitioner)
  const { license_number } = await app.db
    .selectFrom('practitioner_licenses')
    .select('license_number')
    .executeTakeFirstOrThrow()
  const sendLicences = async (...numbers: string[]) => {
    app.clock.advance(60_000)
    const sent = { specialization_id: 1, license_id: 1, check_again: true }
    const body = { license_list: numbers.map((number) => ({ ...sent, license_number: number })) }
    return (await app.call('POST', '/therapist/add-license-list', { token, body })).status
  }
  expect((await backOffice.licence(id, licence, 'refuse', refuse)).status).toBe(200)
  expect([await sendLicences(license_number), await sendLicences(license_number)]).toEqual([200, 200])
  expect(await asked()).toHaveLength(3)
  const { id: again } = await app.db
    .selectFrom('practitioner_licenses')
    .select('id')
    .executeTakeFirstOrThrow()
  expect((await backOffice.licence(id, again, 'accept')).status).toBe(200)
  expect(await sendLicences(license_number, 'PYL999')).toBe(200)
  expect(await asked()).toHaveLength(4)
})

test('the back office is mailed of a reported conversation at once, and not of a second report that is refused', async () => {
  const { client, dialog } = await openChat(app)
  const report = async (message_ids: string[] = []) => {
    const body = { reason: 'I am frightened of them.', message_ids }
    return (await app.call('POST', `/chat/dialogs/${dialog}/report`, { token: client.token, body })).status
  }
  expect([await report([crypto.randomUUID()]), await asked()]).toEqual([404, []])
  expect([await report(), await report()]).toEqual([200, 409])
  expect(await asked()).toEqual(['A conversation was reported'])
})

test('the back office is mailed of a disputed no-show and of a reported review once each', async () => {
  app.clock.set('2026-06-05T08:00:00Z')
  const practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  let client = await createClient(app, { name: 'Morgan Wells' })
  const book = (startsAt: string) => bookSession(app, { practitioner, client, startsAt })
  const missed = await book('2026-06-08T09:00:00Z')
  const held = await book('2026-06-08T11:00:00Z')
  app.clock.set('2026-06-08T13:00:00Z')
  await app.services.bookings.sweep()
  client = await signInAgain(app, client)
  const therapist = await signInPractitioner(app, practitioner)
  const call = async (token: string, path: string, body?: object) => {
    const answer = await app.call('POST', path, { token, body })
    expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201])])
    return answer.body
  }
  await call(therapist, `/therapist/sessions/${missed}/no-show`)
  expect(await asked()).toEqual([])
  const dispute = { reason: 'I waited for half an hour.' }
  await call(client.token, `/appointment/${missed}/dispute-no-show`, dispute)
  await call(client.token, `/appointment/${missed}/dispute-no-show`, dispute)
  expect(await asked()).toEqual(['A no-show is disputed'])

  await call(therapist, `/therapist/sessions/${held}/complete`)
  const { review_id: id } = await call(client.token, `/appointment/${held}/review`, {
    rating: 1,
    comment: 'No.',
  })
  const other = await createClient(app)
  const reason = { reason: 'I am frightened by it.' }
  await call(therapist, `/reviews/${String(id)}/report`, reason)
  await call(therapist, `/reviews/${String(id)}/report`, reason)
  await call(other.token, `/reviews/${String(id)}/report`, reason)
  expect(await asked()).toEqual(['A no-show is disputed', 'A review was reported'])
})
