import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { days, hours } from '#server/clock.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { uploadFile } from '#test/onboarding.ts'
import { mp4, pdf, photoWithPosition } from '#test/upload-samples.ts'
import { keptAfterClosing } from './closed-profiles.ts'

let app: TestApp
let practitioner: Practitioner

const captions = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n')

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { firstName: 'Mary', lastName: 'Okafor' })
  await fill(practitioner)
})
afterEach(() => app.close())

/** Fills in what a profile has of its person, with files. */
async function fill(of: Practitioner): Promise<void> {
  const token = await signInPractitioner(app, of)
  for (const [path, field, content] of [
    ['upload-document-file', 'file', pdf()],
    ['upload-profile-dbs', 'file', pdf()],
    ['upload-profile-image', 'image', await photoWithPosition()],
    ['upload-profile-video', 'video', mp4(5000)],
    ['upload-video-captions', 'captions', captions],
  ] as const) {
    const { status, body } = await uploadFile(app, `/therapist/${path}`, { token, field, content })
    expect([path, status, body.errors]).toEqual([path, 200, undefined])
  }
  const said = {
    date_of_birth: '1980-05-17',
    phone_code: '+44',
    phone_number: '7400123456',
    pronouns: 'she/her',
    about: 'A calm place to think.',
    short_description: 'A calm place.',
    video_transcript: 'Hello.',
  }
  const saved = await app.call('PUT', '/therapist/update-profile', { token, body: said })
  expect([saved.status, saved.body.errors]).toEqual([200, undefined])
  await describeWork(of.id)
}

/** Fills in what a profile says of its person’s work and insurance. */
async function describeWork(id: number): Promise<void> {
  const title = await app.db.selectFrom('titles').select('id').limit(1).executeTakeFirstOrThrow()
  await app.db
    .updateTable('practitioners')
    .set({
      title_id: title.id,
      years_of_experience: 12,
      age_groups: ['adults'],
      has_indemnity: true,
      insurance_certificate_expires: '2027-05-31',
      works_with_insurance: true,
    })
    .where('id', '=', id)
    .execute()
  const company = await app.db
    .selectFrom('insurance_companies')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('practitioner_insurance_companies')
    .values({ practitioner_id: id, insurance_company_id: company.id })
    .execute()
}
const withoutWork = {
  title_id: null,
  years_of_experience: null,
  age_groups: [],
  has_indemnity: null,
  insurance_certificate_expires: null,
  works_with_insurance: false,
}

const filesOf = (folder: string) =>
  readdirSync(join(app.directory, 'media', folder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  )
const countFiles = () => ['documents', 'portraits', 'videos'].map((folder) => filesOf(folder).length)
const own = () =>
  app.db.selectFrom('practitioners').selectAll().where('id', '=', practitioner.id).executeTakeFirstOrThrow()

async function goOn(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds)
  await app.queue.enqueue(app.db, housekeepingJob, {})
  await app.queue.drain()
}

async function close(): Promise<void> {
  const { token } = await createAdmin(app)
  const path = `/admin/practitioners/${practitioner.id}/close`
  expect((await app.call('POST', path, { token, body: { reason: 'She has retired.' } })).status).toBe(200)
}

test('within a month of closing a profile its files and what it said of the person are deleted', async () => {
  const client = await createClient(app)
  const session = await bookSession(app, { client, practitioner, startsAt: '2026-06-08T09:00:00Z' })
  const image = String((await own()).image_key)
  const whole = countFiles()
  await close()
  await goOn(keptAfterClosing - hours(1))
  expect(countFiles()).toEqual(whole)
  expect(await own()).toMatchObject({ about: 'A calm place to think.', image_key: image })

  await goOn(hours(1))
  expect(countFiles()).toEqual([0, 0, 0])
  expect((await fetch(`${app.origin}/media/portraits/${image}/256.webp`)).status).toBe(404)
  expect(await own()).toMatchObject({
    state: 'closed',
    date_of_birth: null,
    phone_code: null,
    phone_number: null,
    pronouns: null,
    about: '',
    short_description: '',
    image_key: null,
    video_file_id: null,
    video_captions_file_id: null,
    video_transcript: null,
    meeting_link: null,
    ...withoutWork,
  })
  for (const table of [
    'stored_files',
    'practitioner_documents',
    'practitioner_licenses',
    'practitioner_languages',
    'practitioner_issues',
    'practitioner_insurance_companies',
  ] as const) {
    expect([table, await app.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }

  // The session stays on the client's list with its name, and the back office still reads of the closing.
  const kept = await app.call('GET', `/appointment/${session}`, {
    token: (await signInAgain(app, client)).token,
  })
  expect(JSON.stringify(kept.body)).toContain('Okafor')
  const { token } = await createAdmin(app)
  const read = await app.call('GET', `/admin/practitioners/${practitioner.id}`, { token })
  const file = read.body as unknown as PractitionerFile
  expect([read.status, file.documents, file.status]).toEqual([200, [], 'closed'])
})

test.each(['practitioner_languages', 'practitioner_issues', 'practitioner_insurance_companies'] as const)(
  'a profile that was emptied before is emptied of rows of %s',
  async (table) => {
    const held = await app.db.selectFrom(table).selectAll().execute()
    await close()
    await goOn(keptAfterClosing)
    await app.db.insertInto(table).values(held).execute()
    await goOn(hours(1))
    expect([held.length, await app.db.selectFrom(table).selectAll().execute()]).toEqual([1, []])
  },
)

test('a profile that was emptied before is emptied of what it says of the work', async () => {
  await close()
  await goOn(keptAfterClosing)
  for (const [column, value] of [
    ['years_of_experience', 12],
    ['age_groups', ['adults']],
    ['works_with_insurance', true],
  ] as const) {
    await app.db
      .updateTable('practitioners')
      .set({ [column]: value })
      .execute()
    await goOn(hours(1))
    expect(await own()).toMatchObject(withoutWork)
  }
})

test('other profiles stay whole, one that is suspended as well', async () => {
  const whole = countFiles()
  const { token } = await createAdmin(app)
  const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token,
    body: { reason: 'A complaint is looked into.' },
  })
  expect(suspended.status).toBe(200)
  const before = await own()
  await goOn(days(60))
  expect([countFiles(), await own()]).toEqual([whole, before])
})
