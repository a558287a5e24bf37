import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, later, seconds } from '#server/clock.ts'
import { practitionersRemindersJob } from '#server/modules/practitioners/practitioners.jobs.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createPractitioner,
  password,
  type Practitioner,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { readMail, refuseMailsTo } from '#test/mails.ts'
import { uploadFile } from '#test/onboarding.ts'
import { mp4, pdf } from '#test/upload-samples.ts'
import { addAcceptedFacts, addDocument, addLicence, backOfficeAs } from '#test/vetting.ts'

let app: TestApp
let backOffice: ReturnType<typeof backOfficeAs>
let practitioner: Practitioner
beforeEach(async () => {
  app = await buildTestApp()
  backOffice = backOfficeAs(app, (await createAdmin(app)).token)
})
afterEach(() => app.close())

/** The clock stands there; admins have to sign in anew. */
async function moveTo(instant: string): Promise<void> {
  app.clock.advance(Date.parse(instant) - app.clock.now().getTime())
  backOffice = backOfficeAs(app, (await createAdmin(app)).token)
}

/** Runs the jobs that are due, and returns the mails that they sent. */
async function mailsNow() {
  const before = app.mails().length
  await app.queue.enqueue(app.db, practitionersRemindersJob, {})
  await app.queue.drain()
  return app.mails().slice(before).map(readMail)
}

/** Whether a practitioner is in the search, has a profile, and is in the sitemap. */
async function seen(id: number): Promise<[search: boolean, profile: boolean, sitemap: boolean]> {
  const search = await app.call('GET', '/practitioner/get-practitioners')
  const profile = await app.call('GET', `/practitioner/${id}/profile`)
  const sitemap = await (await fetch(`${app.origin}/sitemap/profiles-1.xml`)).text()
  return [
    JSON.stringify(search.body).includes(`"id":${id},`),
    profile.status === 200,
    sitemap.includes(`practitionerId=${id}<`),
  ]
}
const everywhere = [true, true, true]
const nowhere = [false, false, false]

describe('a practitioner who no longer qualifies is hidden from search, profile and sitemap on the next request', () => {
  test('when suspended, and shown again when reinstated', async () => {
    practitioner = await createPractitioner(app)
    expect(await seen(practitioner.id)).toEqual(everywhere)
    expect((await backOffice.act(practitioner.id, 'suspend', { reason: 'A complaint.' })).status).toBe(200)
    expect(await seen(practitioner.id)).toEqual(nowhere)
    await backOffice.act(practitioner.id, 'reinstate')
    expect(await seen(practitioner.id)).toEqual(everywhere)
  })

  test('when rejected', async () => {
    practitioner = await createPractitioner(app, { state: 'submitted' })
    expect(await seen(practitioner.id)).toEqual(nowhere)
    await backOffice.act(practitioner.id, 'reject', { reason: 'No such registration.' })
    expect(await seen(practitioner.id)).toEqual(nowhere)
  })

  test.each(['dbs', 'insurance_certificate'] as const)(
    'when the %s has run out, at the end of its last day in the United Kingdom; a newer one that is accepted lists again',
    async (kind) => {
      practitioner = await createPractitioner(app)
      const { id } = practitioner
      await addAcceptedFacts(app, practitioner)
      if (kind === 'dbs') {
        await app.db.deleteFrom('practitioner_documents').where('kind', '=', 'dbs').execute()
      } else {
        await app.db.updateTable('practitioners').set({ has_indemnity: true }).where('id', '=', id).execute()
      }
      const document = await addDocument(app, practitioner, kind)
      const accepted = await backOffice.document(id, document, 'accept', { expires_on: '2026-07-31' })
      // British Summer Time: the day ends at 23:00 UTC.
      expect(accepted.body.vetted_until).toBe('2026-07-31T23:00:00.000Z')
      await moveTo('2026-07-31T22:59:59Z')
      expect(await seen(id)).toEqual(everywhere)
      app.clock.advance(seconds(1))
      expect(await seen(id)).toEqual(nowhere)
      expect((await backOffice.file(id)).body).toMatchObject({ status: 'approved', listed: false })
      const newer = await addDocument(app, practitioner, kind)
      expect(await seen(id)).toEqual(nowhere)
      const again = await backOffice.document(id, newer, 'accept', { expires_on: '2027-01-31' })
      expect(again.body).toMatchObject({ listed: true, vetted_until: '2027-02-01T00:00:00.000Z' })
      expect(await seen(id)).toEqual(everywhere)
    },
  )

  test('when the last licence that holds has run out', async () => {
    practitioner = await createPractitioner(app)
    const { id } = practitioner
    const first = await addLicence(app, practitioner)
    const second = await addLicence(app, practitioner)
    await backOffice.licence(id, first, 'accept', { expires_on: '2026-06-30' })
    const both = await backOffice.licence(id, second, 'accept', { expires_on: '2026-08-31' })
    expect(both.body.vetted_until).toBe('2026-08-31T23:00:00.000Z')
    await moveTo('2026-08-31T22:00:00Z')
    expect(await seen(id)).toEqual(everywhere)
    const numbers = new Map(
      (await app.db.selectFrom('practitioner_licenses').select(['id', 'license_number']).execute()).map(
        (row) => [row.id, row.license_number],
      ),
    )
    // Of two licences, the one that has run out is not shown any more.
    const shown = JSON.stringify((await app.call('GET', `/practitioner/${id}/profile`)).body)
    expect([shown.includes(numbers.get(first) ?? ''), shown.includes(numbers.get(second) ?? '')]).toEqual([
      false,
      true,
    ])
    app.clock.advance(hours(1))
    expect(await seen(id)).toEqual(nowhere)
    const lasting = await addLicence(app, practitioner)
    await moveTo('2026-09-02T09:00:00Z')
    expect((await backOffice.licence(id, lasting, 'accept')).body).toMatchObject({
      vetted_until: null,
      listed: true,
    })
    expect(await seen(id)).toEqual(everywhere)
  })

  test('but not for who they are, which does not run out', async () => {
    practitioner = await confirmed()
    const document = await addDocument(app, practitioner, 'identity')
    const { body } = await backOffice.document(practitioner.id, document, 'accept', {
      expires_on: '2026-06-05',
    })
    expect(body).toMatchObject({ vetted_until: null, listed: true })
    const [mail] = await mailsNow()
    expect(mail?.subject).toBe('Your identity document is accepted')
    expect(mail?.text).not.toMatch(/valid until|write to you/)
    await moveTo('2026-06-06T09:00:00Z')
    expect(await mailsNow()).toEqual([])
  })
})

/** A practitioner with a confirmed address, whose mails contain more than that there is news. */
async function confirmed(options: Parameters<typeof createPractitioner>[1] = {}): Promise<Practitioner> {
  const made = await createPractitioner(app, options)
  await app.db
    .updateTable('accounts')
    .set({ email_verified_at: app.clock.now() })
    .where('id', '=', made.accountId)
    .execute()
  return made
}

describe('mails', () => {
  test('tell of every decision with its reason, once, in text and HTML', async () => {
    practitioner = await confirmed({ state: 'submitted' })
    const { id, email } = practitioner
    await addAcceptedFacts(app, practitioner)
    const sent = async () => {
      const [mail, ...more] = await mailsNow()
      expect(more).toEqual([])
      expect(mail?.to).toBe(email)
      return mail
    }
    await backOffice.act(id, 'approve')
    expect((await sent())?.subject).toBe('Your profile is approved')
    await backOffice.act(id, 'suspend', { reason: 'A complaint <is> being looked into.' })
    const suspended = await sent()
    expect(suspended?.text).toContain('Reason: A complaint <is> being looked into.')
    expect(suspended?.raw).toContain('&#60;is&#62;')
    await backOffice.act(id, 'reinstate')
    expect((await sent())?.subject).toBe('Your profile is open again')
    const dbs = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(id, dbs, 'refuse', { reason: 'It is cut off.' })
    const refused = await sent()
    expect(refused?.subject).toBe('Your DBS certificate needs another look')
    expect(refused?.text).toContain('Reason: It is cut off.')
    expect(refused?.text).toContain('still counts')
    const newer = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(id, newer, 'accept', { expires_on: '2029-03-31' })
    const accepted = await sent()
    expect(accepted?.subject).toBe('Your DBS certificate is accepted')
    expect(accepted?.text).toContain('31 March 2029')
    const another = await confirmed({ state: 'submitted' })
    await backOffice.act(another.id, 'reject', { reason: 'No such registration.' })
    const [rejected] = await mailsNow()
    expect([rejected?.to, rejected?.subject]).toEqual([another.email, 'Your profile is not approved yet'])
    expect(rejected?.text).toContain('Reason: No such registration.')
    expect(
      await app.db.selectFrom('outgoing_mails').selectAll().where('template', 'like', 'vetting.%').execute(),
    ).toEqual([])
    expect(app.logged()).not.toContain('No such registration')
  })

  test('are not sent for facts that are accepted while the profile is looked at for the first time', async () => {
    practitioner = await confirmed({ state: 'submitted' })
    const dbs = await addDocument(app, practitioner, 'dbs')
    expect((await backOffice.document(practitioner.id, dbs, 'accept')).status).toBe(200)
    expect(await mailsNow()).toEqual([])
  })

  test('handed over again after a failure are the same mail', async () => {
    await app.close()
    const sent: (string | undefined)[] = []
    app = await buildTestApp({
      mailer: {
        sender: { name: 'Hearth', address: 'hello@hearth.test' },
        async send(mail) {
          sent.push(mail.messageId)
          if (sent.length === 1) throw new Error('The answer was lost.')
        },
      },
    })
    backOffice = backOfficeAs(app, (await createAdmin(app)).token)
    practitioner = await confirmed()
    await backOffice.act(practitioner.id, 'suspend', { reason: 'Because.' })
    const { id } = await app.db.selectFrom('outgoing_mails').select('id').executeTakeFirstOrThrow()
    await expect(app.services.mails.send(id)).rejects.toThrow('lost')
    await app.services.mails.send(id)
    await app.services.mails.send(id)
    expect(sent).toEqual([`mail-${id}@hearth.test`, `mail-${id}@hearth.test`])
  })
})

describe('an introduction on video', () => {
  const ask = () => backOffice.act(practitioner.id, 'ask-for-captions')
  const tasks = async () => {
    const token = await signInPractitioner(app, practitioner)
    const { body } = await app.call('GET', '/therapist/home/get-dashboard-overview', { token })
    return (body.tasks as unknown as { code: string }[]).map(({ code }) => code)
  }

  test('is asked captions or a transcript for, once, until one is there', async () => {
    practitioner = await confirmed({ password })
    expect((await ask()).status).toBe(409)
    expect(await mailsNow()).toEqual([])
    const token = await signInPractitioner(app, practitioner)
    const put = (body: object) => app.call('PUT', '/therapist/update-profile', { token, body })
    await put({ video_choice: 2, video_url_link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })
    expect(await tasks()).not.toContain('captions_asked')

    const asked = await ask()
    expect(asked.body).toMatchObject({
      video: { captions: null, transcript: null, asked_at: app.clock.now().toISOString() },
    })
    expect((await ask()).status).toBe(200)
    const mails = await mailsNow()
    expect(mails.map(({ subject }) => subject)).toEqual(['Your introduction needs captions or a transcript'])
    expect(mails[0]?.text).toContain('/therapist/professional-info?step=5&return=dashboard')
    expect(await tasks()).toContain('captions_asked')
    const entries = await app.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'ask for captions')
      .execute()
    expect(entries).toHaveLength(1)

    await put({ video_transcript: 'Hello, I am Priya.' })
    expect(await tasks()).not.toContain('captions_asked')
    expect((await ask()).status).toBe(409)
    const seen = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(seen.body).toMatchObject({ profile_video_transcript: 'Hello, I am Priya.' })

    // Another video has not been asked about.
    const sent = await uploadFile(app, '/therapist/upload-profile-video', {
      token,
      field: 'video',
      content: mp4(5000),
    })
    expect(sent.status).toBe(200)
    expect(await tasks()).not.toContain('captions_asked')
    expect((await ask()).status).toBe(200)
    expect((await mailsNow()).map(({ subject }) => subject)).toEqual([
      'Your introduction needs captions or a transcript',
    ])
    expect(await tasks()).toContain('captions_asked')
    await put({ video_choice: 2, video_url_link: 'https://www.youtube.com/watch?v=aaaaaaaaaaa' })
    expect(await tasks()).not.toContain('captions_asked')
  })

  test('of a closed profile is asked nothing for', async () => {
    practitioner = await confirmed({ password })
    const token = await signInPractitioner(app, practitioner)
    const body = { video_choice: 2, video_url_link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }
    expect((await app.call('PUT', '/therapist/update-profile', { token, body })).status).toBe(200)
    await backOffice.act(practitioner.id, 'close', { reason: 'They have left.' })
    await mailsNow()
    const before = await fingerprint(app.db)
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([409, 'transition_refused'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await mailsNow()).toEqual([])
  })
})

test('a profile is not approved with a document that has run out since it was accepted', async () => {
  practitioner = await createPractitioner(app, { state: 'submitted' })
  const { id } = practitioner
  await addAcceptedFacts(app, practitioner)
  const newer = await addDocument(app, practitioner, 'dbs')
  await backOffice.document(id, newer, 'accept', { expires_on: '2026-06-05' })
  await moveTo('2026-06-05T22:59:00Z')
  expect((await backOffice.file(id)).body.missing).toEqual([])
  await moveTo('2026-06-05T23:00:00Z')
  const refused = await backOffice.act(id, 'approve')
  expect([refused.status, refused.body.code]).toEqual([409, 'facts_missing'])
  expect((await backOffice.file(id)).body).toMatchObject({
    status: 'submitted',
    missing: ['The DBS certificate has run out.'],
  })
  expect(await mailsNow()).toEqual([])
  const present = await addDocument(app, practitioner, 'dbs')
  await backOffice.document(id, present, 'accept', { expires_on: '2027-06-05' })
  expect((await backOffice.act(id, 'approve')).status).toBe(200)
})

test('a practitioner keeps the licence that is valid until a new one is checked', async () => {
  practitioner = await createPractitioner(app)
  const { id } = practitioner
  const over = await addLicence(app, practitioner, { state: 'accepted', expiresOn: '2026-05-31' })
  await addLicence(app, practitioner, { state: 'accepted' })
  const { license_number } = await app.db
    .selectFrom('practitioner_licenses')
    .select('license_number')
    .where('id', '=', over)
    .executeTakeFirstOrThrow()
  const answer = await app.call('POST', '/therapist/add-license-list', {
    token: await signInPractitioner(app, practitioner),
    body: { license_list: [{ specialization_id: 1, license_id: 1, license_number }] },
  })
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['license_list']])
  expect(await seen(id)).toEqual(everywhere)
})

/** Saves one licence, as the practitioner. Returns the states of theirs. */
async function saveLicence(licenceId: number, also: { check_again?: boolean } = {}): Promise<string[]> {
  const { license_number } = await app.db
    .selectFrom('practitioner_licenses')
    .select('license_number')
    .where('id', '=', licenceId)
    .executeTakeFirstOrThrow()
  const saved = await app.call('POST', '/therapist/add-license-list', {
    token: await signInPractitioner(app, practitioner),
    body: { license_list: [{ specialization_id: 1, license_id: 1, license_number, ...also }] },
  })
  return (saved.body.license_list as unknown as { status: string }[]).map(({ status }) => status)
}

test('a renewed licence is checked again under its number, and counts meanwhile', async () => {
  practitioner = await createPractitioner(app)
  const { id } = practitioner
  await app.db.deleteFrom('practitioner_licenses').where('practitioner_id', '=', id).execute()
  const licence = await addLicence(app, practitioner)
  await backOffice.licence(id, licence, 'accept', { expires_on: '2026-06-20' })
  await mailsNow()
  expect(await saveLicence(licence)).toEqual(['accepted'])
  expect(await saveLicence(licence, { check_again: true })).toEqual(['accepted', 'waiting'])
  expect(await saveLicence(licence, { check_again: true })).toEqual(['accepted', 'waiting'])
  await moveTo('2026-06-19T09:00:00Z')
  expect((await mailsNow()).map(({ subject }) => subject)).toEqual(['A new document was sent'])
  expect(await seen(id)).toEqual(everywhere)

  const waiting = async () => {
    const { licences } = (await backOffice.file(id)).body
    const found = licences as unknown as { licence_id: number; status: string }[]
    return found.find(({ status }) => status === 'waiting')?.licence_id ?? 0
  }
  await backOffice.licence(id, await waiting(), 'refuse', { reason: 'The register says no.' })
  expect(await saveLicence(licence)).toEqual(['accepted', 'refused'])
  expect(await seen(id)).toEqual(everywhere)
  expect(await saveLicence(licence, { check_again: true })).toEqual(['accepted', 'waiting'])
  const renewal = await waiting()
  const accepted = await backOffice.licence(id, renewal, 'accept', { expires_on: '2028-06-20' })
  expect(accepted.body).toMatchObject({
    vetted_until: '2028-06-20T23:00:00.000Z',
    licences: [{ licence_id: renewal, status: 'accepted', expires_on: '2028-06-20' }],
  })
  await moveTo('2026-06-21T09:00:00Z')
  expect(await seen(id)).toEqual(everywhere)
})

test('an accepted licence is not reopened while its renewal waits, and gives way to no refused one', async () => {
  practitioner = await createPractitioner(app, { state: 'rejected' })
  const { id } = practitioner
  await app.db.deleteFrom('practitioner_licenses').where('practitioner_id', '=', id).execute()
  const licence = await addLicence(app, practitioner, { state: 'accepted', expiresOn: '2026-06-20' })
  expect(await saveLicence(licence, { check_again: true })).toEqual(['accepted', 'waiting'])
  await app.db.updateTable('practitioners').set({ state: 'submitted' }).where('id', '=', id).execute()
  const reopen = () => backOffice.licence(id, licence, 'reopen', { reason: 'Looked at the wrong register.' })
  const states = async () => {
    const rows = await app.db
      .selectFrom('practitioner_licenses')
      .select('state')
      .where('practitioner_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ state }) => state)
  }
  const refused = await reopen()
  expect([refused.status, refused.body.message]).toEqual([409, 'A newer one is waiting for your decision.'])
  expect(await states()).toEqual(['accepted', 'waiting'])
  const { licences } = (await backOffice.file(id)).body
  const renewal = (licences as unknown as { licence_id: number; status: string }[]).find(
    ({ status }) => status === 'waiting',
  )
  await backOffice.licence(id, renewal?.licence_id ?? 0, 'refuse', { reason: 'The register says no.' })
  expect(await states()).toEqual(['accepted', 'refused'])
  expect((await reopen()).status).toBe(200)
  expect(await states()).toEqual(['waiting'])
})

test('a refused licence is checked again under its number', async () => {
  practitioner = await createPractitioner(app, { state: 'submitted' })
  const { id } = practitioner
  await app.db.deleteFrom('practitioner_licenses').where('practitioner_id', '=', id).execute()
  const licence = await addLicence(app, practitioner)
  await backOffice.licence(id, licence, 'refuse', { reason: 'The register says no.' })
  expect(await saveLicence(licence)).toEqual(['refused'])
  expect(await saveLicence(licence, { check_again: true })).toEqual(['waiting'])
  expect((await backOffice.licence(id, licence, 'accept')).body).toMatchObject({
    licences: [{ status: 'accepted', reason: null }],
  })
})

test('a practitioner is found under the professions whose licences hold', async () => {
  practitioner = await createPractitioner(app)
  const { id } = practitioner
  await addAcceptedFacts(app, practitioner)
  const names = new Map(
    (await app.db.selectFrom('provider_types').selectAll().execute()).map(({ id, name }) => [id, name]),
  )
  const addSecond = async (expires_on: string) => {
    const licence = await addLicence(app, practitioner)
    await app.db
      .updateTable('practitioner_licenses')
      .set({ provider_type_id: 2 })
      .where('id', '=', licence)
      .execute()
    await backOffice.licence(id, licence, 'accept', { expires_on })
  }
  const found = async () => {
    await mailsNow()
    const search = await app.call('GET', '/practitioner/get-practitioners?provider_id=2')
    const profile = await app.call('GET', `/practitioner/${id}/profile`)
    return [profile.body.provider_types, JSON.stringify(search.body).includes(`"id":${id},`)]
  }
  await addSecond('2026-06-20')
  await moveTo('2026-06-20T22:59:00Z')
  expect(await found()).toEqual([[names.get(1), names.get(2)], true])
  await moveTo('2026-06-20T23:00:00Z')
  expect(await found()).toEqual([[names.get(1)], false])
  await addSecond('2026-09-20')
  expect(await found()).toEqual([[names.get(1), names.get(2)], true])
  // Without any licence that holds they are hidden, and keep what they were found under.
  await app.db.updateTable('practitioner_licenses').set({ expires_on: '2026-09-20' }).execute()
  await moveTo('2026-09-21T09:00:00Z')
  await mailsNow()
  const types = await app.db
    .selectFrom('practitioner_provider_types')
    .select('provider_type_id')
    .where('practitioner_id', '=', id)
    .orderBy('provider_type_id')
    .execute()
  expect(types.map(({ provider_type_id }) => provider_type_id)).toEqual([1, 2])
})

test('a profile shows the insurance that a practitioner has, until it ends', async () => {
  practitioner = await createPractitioner(app)
  const { id } = practitioner
  await app.db.updateTable('practitioners').set({ has_indemnity: true }).where('id', '=', id).execute()
  const document = await addDocument(app, practitioner, 'insurance_certificate')
  await backOffice.document(id, document, 'accept', { expires_on: '2026-06-20' })
  const shown = async () =>
    (await app.call('GET', `/practitioner/${id}/profile`)).body.insurance_certificates as unknown
  expect(await shown()).toEqual([{ expires: '2026-06-20' }])
  // One whose acceptance is reopened is not shown before it is accepted again, even where none was decided before it.
  const setState = (state: 'submitted' | 'approved') =>
    app.db.updateTable('practitioners').set({ state }).where('id', '=', id).execute()
  await setState('submitted')
  const reopened = await backOffice.document(id, document, 'reopen', { reason: 'Of another person.' })
  expect(reopened.status).toBe(200)
  await setState('approved')
  expect(await shown()).toEqual([])
  await backOffice.document(id, document, 'accept', { expires_on: '2026-06-20' })
  expect(await shown()).toEqual([{ expires: '2026-06-20' }])
  const saveInsurance = async (has_insurance: boolean) =>
    app.call('PUT', '/therapist/update-profile', {
      token: await signInPractitioner(app, practitioner),
      body: { has_insurance },
    })
  expect((await saveInsurance(false)).status).toBe(200)
  expect(await shown()).toEqual([])
  expect((await saveInsurance(true)).status).toBe(200)
  expect(await shown()).toEqual([{ expires: '2026-06-20' }])
  // One that was accepted by mistake, and refused then, is not shown; nor is the one after it before it is accepted.
  const newer = await addDocument(app, practitioner, 'insurance_certificate')
  await backOffice.document(id, newer, 'accept', { expires_on: '2027-06-20' })
  expect(await shown()).toEqual([{ expires: '2027-06-20' }])
  await setState('submitted')
  for (const act of ['reopen', 'refuse'])
    expect((await backOffice.document(id, newer, act, { reason: 'Of another person.' })).status).toBe(200)
  await setState('approved')
  expect(await shown()).toEqual([])
  const last = await addDocument(app, practitioner, 'insurance_certificate')
  expect(await shown()).toEqual([])
  await backOffice.document(id, last, 'accept', { expires_on: '2026-06-20' })
  expect(await shown()).toEqual([{ expires: '2026-06-20' }])
  await saveInsurance(false)
  await moveTo('2026-06-21T09:00:00Z')
  const sent = await uploadFile(app, '/therapist/upload-insurance-certificate', {
    token: await signInPractitioner(app, practitioner),
    field: 'insurance_certificate',
    content: pdf(),
    fields: { expires_on: '2027-05-31' },
  })
  expect(sent.body).toMatchObject({ has_insurance: true })
  expect(await shown()).toEqual([])
})

test('a certificate of an insurance that a practitioner went without hides nothing when a new one is sent', async () => {
  practitioner = await createPractitioner(app)
  const { id } = practitioner
  await addDocument(app, practitioner, 'insurance_certificate', {
    state: 'accepted',
    expiresOn: '2026-05-31',
  })
  await app.db.updateTable('practitioners').set({ has_indemnity: false }).where('id', '=', id).execute()
  const token = await signInPractitioner(app, practitioner)
  const sent = await uploadFile(app, '/therapist/upload-insurance-certificate', {
    token,
    field: 'insurance_certificate',
    content: pdf(),
    fields: { expires_on: '2027-05-31' },
  })
  expect(sent.status).toBe(200)
  expect((await backOffice.file(id)).body).toMatchObject({
    has_insurance: true,
    vetted_until: null,
    documents: [{ status: 'waiting', expires_on: '2027-05-31' }],
  })
  expect(await seen(id)).toEqual(everywhere)
})

test('a letter that was late is not sent once the opposite has been decided', async () => {
  practitioner = await confirmed()
  await addAcceptedFacts(app, practitioner)
  const { id } = practitioner
  const act = async (action: 'suspend' | 'reinstate') =>
    expect((await backOffice.act(id, action, { reason: 'A complaint.' })).status).toBe(200)
  const subjects = async () => (await mailsNow()).map((mail) => mail.subject)
  await act('suspend')
  await act('reinstate')
  expect(await subjects()).toEqual(['Your profile is open again'])
  await act('suspend')
  await act('reinstate')
  await act('suspend')
  expect(await subjects()).toEqual(Array(2).fill('Your profile is hidden for now'))
  const other = await confirmed({ state: 'submitted' })
  expect((await backOffice.act(other.id, 'reject', { reason: 'No such register.' })).status).toBe(200)
  await app.db.updateTable('practitioners').set({ state: 'submitted' }).where('id', '=', other.id).execute()
  expect(await subjects()).toEqual([])
})

test.each([
  ['none', undefined, 422],
  ['one that has ended', '2026-05-31', 422],
  ['one that holds', '2027-05-31', 200],
])(
  'an approved practitioner without insurance says to be insured by a certificate: %s',
  async (_what, expiresOn, status) => {
    practitioner = await createPractitioner(app)
    const { id } = practitioner
    if (expiresOn) {
      await addDocument(app, practitioner, 'insurance_certificate', { state: 'accepted', expiresOn })
    }
    await app.db.updateTable('practitioners').set({ has_indemnity: false }).where('id', '=', id).execute()
    const documents = async () => (await backOffice.file(id)).body.documents
    const before = await documents()
    const answer = await app.call('PUT', '/therapist/update-profile', {
      token: await signInPractitioner(app, practitioner),
      body: { has_insurance: true },
    })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
      status,
      status === 422 ? ['has_insurance'] : [],
    ])
    expect((await backOffice.file(id)).body.has_insurance).toBe(status === 200)
    expect(await documents()).toEqual(before)
    expect(await seen(id)).toEqual(everywhere)
  },
)

describe('what runs out', () => {
  const expiresOn = '2026-08-31'
  beforeEach(async () => {
    practitioner = await confirmed()
    await addAcceptedFacts(app, practitioner)
    const dbs = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(practitioner.id, dbs, 'accept', { expires_on: expiresOn })
    await mailsNow()
  })
  const subjects = async () => (await mailsNow()).map((mail) => mail.subject)

  test('is asked for again with a link to its own step', async () => {
    const newer = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(practitioner.id, newer, 'refuse', { reason: 'It is cut off.' })
    const [mail] = await mailsNow()
    expect(mail?.text).toContain('/therapist/personal-info?step=5&return=dashboard')
  })

  test('is reminded of 30, 7 and 1 days before, once each, and told of when it has', async () => {
    const told: Record<string, string[]> = {}
    for (
      let day = new Date('2026-07-28T06:00:00Z');
      day < new Date('2026-09-05');
      day = later(day, hours(6))
    ) {
      app.clock.advance(day.getTime() - app.clock.now().getTime())
      const mails = await subjects()
      if (mails.length > 0) told[day.toISOString()] = mails
    }
    expect(told).toEqual({
      // The first look of the day in the United Kingdom.
      '2026-08-01T00:00:00.000Z': ['Your DBS certificate runs out on 31 August 2026'],
      '2026-08-24T00:00:00.000Z': ['Your DBS certificate runs out on 31 August 2026'],
      '2026-08-30T00:00:00.000Z': ['Your DBS certificate runs out on 31 August 2026'],
      '2026-09-01T00:00:00.000Z': ['Your DBS certificate has run out'],
    })
  })

  test('is mailed about even if the mail about another one cannot be written, which follows once it can', async () => {
    const other = await confirmed()
    await addAcceptedFacts(app, other)
    const dbs = await addDocument(app, other, 'dbs')
    await backOffice.document(other.id, dbs, 'accept', { expires_on: expiresOn })
    await mailsNow()
    const allow = await refuseMailsTo(app.db, practitioner.accountId)
    await moveTo('2026-08-24T09:00:00Z')
    const told = async () => (await mailsNow()).map(({ to, subject }) => [to, subject])
    const subject = 'Your DBS certificate runs out on 31 August 2026'
    expect(await told()).toEqual([[other.email, subject]])
    expect(app.logged()).toContain('reminding of what runs out')
    await allow()
    app.clock.advance(hours(1))
    expect(await told()).toEqual([[practitioner.email, subject]])
  })

  test('is mailed about once where reminders were missed', async () => {
    app.clock.advance(Date.parse('2026-08-29T09:00:00Z') - app.clock.now().getTime())
    expect(await subjects()).toEqual(['Your DBS certificate runs out on 31 August 2026'])
    expect(await subjects()).toEqual([])
  })

  test('is not reminded of while a newer one waits, nor for a longer one once that is accepted', async () => {
    const newer = await addDocument(app, practitioner, 'dbs')
    await moveTo('2026-08-29T09:00:00Z')
    expect(await subjects()).toEqual([])
    await backOffice.document(practitioner.id, newer, 'accept', { expires_on: '2027-08-31' })
    expect(await subjects()).toEqual(['Your DBS certificate is accepted'])
    app.clock.advance(days(10))
    expect(await subjects()).toEqual([])
  })

  test('is not mailed about any more once a newer one was sent or accepted before the mail was sent', async () => {
    app.clock.advance(Date.parse('2026-08-30T09:00:00Z') - app.clock.now().getTime())
    await app.services.vetting.remind()
    const newer = await addDocument(app, practitioner, 'dbs')
    expect(await subjects()).toEqual([])
    await moveTo('2026-08-31T09:00:00Z')
    await backOffice.document(practitioner.id, newer, 'refuse', { reason: 'It is cut off.' })
    await subjects()
    app.clock.advance(days(1))
    await app.services.vetting.remind()
    await moveTo('2026-09-01T10:00:00Z')
    const newest = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(practitioner.id, newest, 'accept', { expires_on: '2027-08-31' })
    expect(await subjects()).toEqual(['Your DBS certificate is accepted'])
  })

  test('is mailed about after its last day while the newer one waits, without a late warning or a request to send it', async () => {
    app.clock.advance(Date.parse('2026-08-30T09:00:00Z') - app.clock.now().getTime())
    await app.services.vetting.remind()
    const newer = await addDocument(app, practitioner, 'dbs')
    await moveTo('2026-09-01T09:00:00Z')
    expect(await seen(practitioner.id)).toEqual(nowhere)
    const [mail, ...more] = await mailsNow()
    expect([mail?.to, mail?.subject, more]).toEqual([
      practitioner.email,
      'Your DBS certificate has run out',
      [],
    ])
    expect(mail?.text).toContain('Your profile is hidden since')
    expect(mail?.text).toContain('We are checking the new one that you sent.')
    expect(mail?.text).not.toMatch(/Please send|step=/)
    app.clock.advance(hours(1))
    expect(await subjects()).toEqual([])
    await moveTo('2026-09-01T12:00:00Z')
    await backOffice.document(practitioner.id, newer, 'accept', { expires_on: '2027-08-31' })
    expect(await subjects()).toEqual(['Your DBS certificate is accepted'])
  })

  test('is not said to hide the profile while another licence is valid for longer', async () => {
    const shorter = await addLicence(app, practitioner)
    await backOffice.licence(practitioner.id, shorter, 'accept', { expires_on: '2026-06-20' })
    await mailsNow()
    app.clock.advance(Date.parse('2026-06-19T09:00:00Z') - app.clock.now().getTime())
    const [mail, ...more] = await mailsNow()
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Your licence .+ runs out/)
    expect(mail?.text).toContain('another licence of yours is valid for longer')
    expect(mail?.text).not.toMatch(/cannot find|put on hold|cancelled/)
    await moveTo('2026-06-21T09:00:00Z')
    expect(await seen(practitioner.id)).toEqual(everywhere)
  })

  test('is said to hide the profile where no other licence holds', async () => {
    await app.db.deleteFrom('practitioner_licenses').execute()
    for (const expires_on of ['2026-06-10', '2026-06-20']) {
      const licence = await addLicence(app, practitioner)
      await backOffice.licence(practitioner.id, licence, 'accept', { expires_on })
    }
    await mailsNow()
    app.clock.advance(Date.parse('2026-06-19T09:00:00Z') - app.clock.now().getTime())
    const mails = await mailsNow()
    const mail = mails.find(({ subject }) => subject.includes('runs out'))
    expect(mail?.text).toContain('After that day clients cannot find or book you')
    await moveTo('2026-06-21T09:00:00Z')
    expect(await seen(practitioner.id)).toEqual(nowhere)
  })

  test('is not reminded of while the practitioner is not listed', async () => {
    await backOffice.act(practitioner.id, 'suspend', { reason: 'A complaint.' })
    await mailsNow()
    app.clock.advance(Date.parse('2026-08-29T09:00:00Z') - app.clock.now().getTime())
    expect(await subjects()).toEqual([])
  })
})

test('a mail about vetting to an address that is not confirmed says where to read it, and not what', async () => {
  practitioner = await createPractitioner(app)
  expect((await backOffice.act(practitioner.id, 'suspend', { reason: 'CANARY a complaint.' })).status).toBe(
    200,
  )
  const [mail, ...more] = await mailsNow()
  expect(more).toEqual([])
  expect(mail?.subject).toBe('There is something new for you on Hearth')
  expect(mail?.text).toContain('press “Send the link again” on your account page')
  expect(mail?.whole).not.toMatch(/CANARY|suspend|complaint/i)
})
