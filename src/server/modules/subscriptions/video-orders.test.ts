import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import type { VideoProduction } from '#contract/subscriptions/subscriptions.ts'
import { days, hours, minutes } from '#server/clock.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { readMail } from '#test/mails.ts'
import { uploadFile } from '#test/onboarding.ts'
import { mp4, pdf } from '#test/upload-samples.ts'
import { mailSendJob } from '../mails/mails.jobs.ts'

let app: TestApp
let practitioner: Practitioner
/** Token of the practitioner. */
let own: string
let office: string
let backOfficeEmail: string
/** Number of mails sent before the test. */
let mailsBefore: number

const first = '2026-06-09T09:00:00.000Z'
const second = '2026-06-10T13:00:00.000Z'
const third = '2026-06-12T08:00:00.000Z'

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, {
    firstName: 'Priya',
    lastName: 'Patel',
    timezone: 'Europe/Madrid',
  })
  await setConfirmed(app.clock.now())
  const admin = await createAdmin(app)
  office = admin.token
  backOfficeEmail = admin.email
  own = await signInPractitioner(app, practitioner)
  await saveTherapistCard(app, own)
  expect((await app.call('POST', '/therapist/video-production/order', { token: own })).status).toBe(200)
  await app.queue.drain()
  mailsBefore = app.mails().length
})
afterEach(() => app.close())

const setConfirmed = (email_verified_at: Date | null) =>
  app.db.updateTable('accounts').set({ email_verified_at }).where('id', '=', practitioner.accountId).execute()
const production = async () =>
  (await app.call('GET', '/therapist/video-production', { token: own })).body as unknown as VideoProduction
const order = async (status = 'open') =>
  (
    (await app.call('GET', `/admin/video-orders?status=${status}`, { token: office })).body
      .data as unknown as VideoOrder[]
  )[0]
const version = async () => (await production()).progress?.version ?? -1
const asOffice = (step: string, body: Record<string, unknown> = {}) =>
  app.call('POST', `/admin/video-orders/${practitioner.id}/${step}`, { token: office, body })
const asPractitioner = (step: string, body: Record<string, unknown> = {}) =>
  app.call('POST', `/therapist/video-production/${step}`, { token: own, body })
const propose = async (...dates: string[]) => asOffice('dates', { dates, version: await version() })
const take = async (date: string) => asPractitioner('take-date', { date, version: await version() })
const upload = async (content: Uint8Array = mp4(5000), fields?: Record<string, string>) =>
  uploadFile(app, `/admin/video-orders/${practitioner.id}/video`, {
    token: office,
    field: 'video',
    content,
    fields: fields ?? { version: String(await version()) },
  })
const undo = async (what: string) => asOffice('undo', { undo: what, version: await version() })
const signInAgain = async () => {
  own = await signInPractitioner(app, practitioner)
  office = (await createAdmin(app)).token
}

/** New mails, as `recipient: subject`, once the queue is empty. */
async function newMails(): Promise<string[]> {
  await app.queue.drain()
  const mails = app.mails().slice(mailsBefore).map(readMail)
  mailsBefore = app.mails().length
  const names: Record<string, string> = { [practitioner.email]: 'practitioner', [backOfficeEmail]: 'office' }
  return mails.map(({ to, subject }) => `${names[to] ?? to}: ${subject}`).toSorted()
}
const lastMail = () => readMail(app.mails().at(-1) ?? '').text
const audit = async () =>
  (await app.db.selectFrom('audit_log').select(['action', 'subject']).orderBy('id').execute()).map(
    ({ action, subject }) => `${action}: ${subject}`,
  )
const subject = () => `video of practitioner ${practitioner.id}`
const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.code]

/** Runs a call that is refused, and asserts that it changed no row and sent no mail. */
async function expectNothing(
  work: () => Promise<Pick<Answer, 'status' | 'body'>>,
  ...expected: [number, string]
): Promise<Answer['body']> {
  await app.queue.drain()
  const before = await fingerprint(app.db)
  const sent = app.mails().length
  const answer = await work()
  expect(refusal(answer)).toEqual(expected)
  await app.queue.drain()
  const after = await fingerprint(app.db)
  delete before['public.rate_limits']
  delete after['public.rate_limits']
  expect(after).toEqual(before)
  expect(app.mails().length).toBe(sent)
  return answer.body
}

describe('from the order to the profile', () => {
  test('both sides see every step, are mailed of it once, and the video is public once it is approved', async () => {
    expect(await production()).toEqual({
      status: 'ordered',
      price: 10,
      full_price: 60,
      offer_ends_at: null,
      ordered_at: app.clock.now().toISOString(),
      progress: {
        state: 'ordered',
        version: 0,
        dates: [],
        dates_expired: false,
        agreed_date: null,
        note: null,
        uploaded_at: null,
        timezone: 'Europe/Madrid',
      },
    })

    const proposed = await propose(second, first)
    expect([proposed.status, proposed.body]).toEqual([
      200,
      {
        practitioner_id: practitioner.id,
        full_name: 'Priya Patel',
        email: practitioner.email,
        price: 10,
        ordered_at: app.clock.now().toISOString(),
        done_at: null,
        state: 'dates_proposed',
        version: 1,
        dates: [first, second],
        dates_expired: false,
        agreed_date: null,
        note: null,
        uploaded_at: null,
        timezone: 'Europe/Madrid',
        undo: 'proposal',
      },
    ])
    expect(await newMails()).toEqual(['practitioner: Choose a date for your video call'])
    expect(lastMail()).toContain(
      'Date 1: Tuesday 9 June 2026, 11:00\nDate 2: Wednesday 10 June 2026, 15:00\nTime zone: Madrid time, Central European Summer Time',
    )
    expect(lastMail()).toContain('/therapist/sign-in?return_to=%2Ftherapist%2Fsubscription%23video')

    const asked = await asPractitioner('ask-dates', { note: ' Mornings suit me. ', version: 1 })
    expect([asked.status, asked.body.progress]).toMatchObject([
      200,
      { state: 'dates_asked', version: 2, dates: [], note: 'Mornings suit me.' },
    ])
    expect(await newMails()).toEqual(['office: Other dates were asked for'])
    expect(lastMail()).not.toContain('Mornings')
    expect(lastMail()).toContain('/admin/sign-in?return_to=%2Fadmin%2Fvideos')
    expect(await order()).toMatchObject({ state: 'dates_asked', note: 'Mornings suit me.', undo: null })

    expect((await propose(third)).status).toBe(200)
    await newMails()
    const taken = await take(third)
    expect([taken.status, taken.body.progress]).toMatchObject([
      200,
      { state: 'date_agreed', version: 4, dates: [], note: null, agreed_date: third },
    ])
    expect(await newMails()).toEqual([
      'office: A date for a video call is agreed',
      'practitioner: Your video call has a date',
    ])
    const texts = app.mails().slice(-2).map(readMail)
    expect(texts.find(({ to }) => to === practitioner.email)?.text).toContain(
      'Date: Friday 12 June 2026, 10:00\nTime zone: Madrid time, Central European Summer Time',
    )
    expect(texts.find(({ to }) => to === backOfficeEmail)?.text).toContain(
      'Date: Friday 12 June 2026, 09:00\nTime zone: London time, British Summer Time',
    )

    const content = mp4(5000)
    const uploaded = await upload(content)
    expect([uploaded.status, uploaded.body]).toMatchObject([
      200,
      { state: 'uploaded', version: 5, undo: 'upload', agreed_date: null, done_at: null },
    ])
    expect(await newMails()).toEqual(['practitioner: Your video is ready to watch'])
    expect((await profile()).profile_video).toBeNull()

    const change = await asPractitioner('ask-change', { note: 'A little shorter.', version: 5 })
    expect([change.status, change.body.progress]).toMatchObject([
      200,
      { state: 'change_asked', note: 'A little shorter.', uploaded_at: app.clock.now().toISOString() },
    ])
    expect(await newMails()).toEqual(['office: A change to a video was asked for'])
    const better = mp4(4000)
    expect((await upload(better)).status).toBe(200)
    expect(await newMails()).toEqual(['practitioner: Your video is ready to watch'])

    const approved = await asPractitioner('approve', { version: 7 })
    expect([approved.status, approved.body.progress]).toMatchObject([
      200,
      { state: 'approved', version: 8, uploaded_at: null },
    ])
    expect(await newMails()).toEqual([
      'office: A video is approved',
      'practitioner: Your video is on your profile',
    ])
    const { profile_video } = await profile()
    const shown = await fetch(`${app.origin}${String(profile_video)}`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(Buffer.from(await shown.arrayBuffer()).equals(better)).toBe(true)
    expect(await order('done')).toMatchObject({
      state: 'approved',
      done_at: app.clock.now().toISOString(),
      undo: null,
    })
    expect(await order()).toBeUndefined()
    // Files that waited for approval are deleted; the published file stays.
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await app.db.selectFrom('stored_files').select('bytes').execute()).toEqual([{ bytes: 4000 }])
    expect((await fetch(`${app.origin}${String(profile_video)}`)).status).toBe(200)
    expect(await audit()).toEqual([
      `propose video dates: ${subject()}`,
      `propose video dates: ${subject()}`,
      `upload video: ${subject()}`,
      `upload video: ${subject()}`,
    ])
  })

  test('the approved video takes the place of an own one, which is deleted', async () => {
    const before = await uploadFile(app, '/therapist/upload-profile-video', {
      token: own,
      field: 'video',
      content: mp4(3000),
    })
    const old = String(before.body.profile_video)
    await upload()
    expect((await profile()).profile_video).toBe(old)
    await asPractitioner('approve', { version: 1 })
    const { profile_video } = await profile()
    expect(profile_video).not.toBe(old)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect((await fetch(`${app.origin}${old}`)).status).toBe(404)
    expect((await fetch(`${app.origin}${String(profile_video)}`)).status).toBe(200)
    const { body } = await app.call('GET', '/therapist/profile', { token: own })
    expect(body).toMatchObject({ video_choice: 0, video_url_link: null, profile_video })
  })

  const profile = async () => (await app.call('GET', `/practitioner/${practitioner.id}/profile`)).body
})

describe('a repeated call', () => {
  test('changes nothing, sends no second mail and is in the audit log once', async () => {
    const twice = async (call: () => Promise<Pick<Answer, 'status' | 'body'>>) => {
      const [one, two] = [await call(), await call()]
      expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
      return newMails()
    }
    expect(await twice(() => asOffice('dates', { dates: [first], version: 0 }))).toHaveLength(1)
    const note = { note: 'Later.', version: 1 }
    expect(await twice(() => asPractitioner('ask-dates', note))).toHaveLength(1)
    await propose(second)
    await newMails()
    expect(await twice(() => asPractitioner('take-date', { date: second, version: 3 }))).toHaveLength(2)
    await upload()
    await newMails()
    const change = { note: 'Shorter.', version: 5 }
    expect(await twice(() => asPractitioner('ask-change', change))).toHaveLength(1)
    await upload()
    await newMails()
    expect(await twice(() => asPractitioner('approve', { version: 7 }))).toHaveLength(2)
    expect((await audit()).length).toBe(4)
    expect(
      await app.db.selectFrom('video_production_steps').select('kind').orderBy('number').execute(),
    ).toEqual(
      ['propose', 'ask_dates', 'propose', 'take_date', 'upload', 'ask_change', 'upload', 'approve'].map(
        (kind) => ({ kind }),
      ),
    )
  })

  test('a mail that is sent again by its job is not sent twice', async () => {
    await propose(first)
    await newMails()
    const { id } = await app.db
      .selectFrom('outgoing_mails')
      .select('id')
      .where('template', '=', 'subscription.video_dates')
      .executeTakeFirstOrThrow()
    await app.queue.enqueue(app.db, mailSendJob, { mail_id: id })
    expect(await newMails()).toEqual([])
  })
})

describe('dates', () => {
  test('that cannot be proposed are refused with a message, and change no row', async () => {
    const start = app.clock.now().getTime()
    const at = (offset: number) => new Date(start + offset).toISOString()
    for (const [dates, message] of [
      [[], 'Enter at least one date.'],
      [[1, 2, 3, 4].map((day) => at(days(day + 1))), 'Enter at most 3 dates.'],
      [[first, '2026-06-09T10:00:00+01:00'], 'Enter different dates.'],
      [[at(hours(24) - 1)], 'Enter dates that are at least 24 hours from now.'],
      [[at(-hours(1))], 'Enter dates that are at least 24 hours from now.'],
      [[at(days(90) + 1)], 'Enter dates within the next 90 days.'],
    ] as const) {
      const body = await expectNothing(
        () => asOffice('dates', { dates, version: 0 }),
        422,
        'validation_failed',
      )
      expect(body.errors?.dates).toEqual([message])
    }
    expect(await audit()).toEqual([])
  })

  test('are taken only as proposed, and not once they have passed', async () => {
    await propose(first, second)
    const wrong = await expectNothing(() => take(third), 422, 'validation_failed')
    expect(wrong.errors?.date).toEqual(['Choose one of the dates we propose.'])
    app.clock.set(first)
    await signInAgain()
    const late = await expectNothing(() => take(first), 422, 'validation_failed')
    expect(late.errors?.date).toEqual(['This date has passed. Choose another one, or ask for other dates.'])
    expect((await take(second)).status).toBe(200)
  })

  test('that have all passed are shown as expired on both sides, and can be proposed again or asked for', async () => {
    await propose(first, second)
    const standing = await expectNothing(() => propose(third), 409, 'transition_refused')
    expect(standing.message).toBe('These dates can still be taken. Take them back before you propose others.')
    app.clock.set(second)
    await signInAgain()
    expect([(await production()).progress, await order()]).toMatchObject([
      { state: 'dates_proposed', dates_expired: true },
      { state: 'dates_proposed', dates_expired: true },
    ])
    const again = await propose('2026-06-20T09:00:00.000Z')
    expect([again.status, again.body]).toMatchObject([
      200,
      { state: 'dates_proposed', dates_expired: false, dates: ['2026-06-20T09:00:00.000Z'] },
    ])
    app.clock.set('2026-06-21T09:00:00Z')
    await signInAgain()
    const asked = await asPractitioner('ask-dates', { note: 'Next week.', version: await version() })
    expect([asked.status, asked.body.progress]).toMatchObject([200, { state: 'dates_asked' }])
  })

  test('can be changed by either side after one was taken, until the upload', async () => {
    await propose(first)
    await take(first)
    await newMails()
    const moved = await propose(second)
    expect([moved.status, moved.body.state]).toEqual([200, 'dates_proposed'])
    expect(await newMails()).toEqual(['practitioner: Choose a date for your video call'])
    expect(lastMail()).toContain('we have to move the call on Tuesday 9 June 2026, 11:00')
    await take(second)
    const asked = await asPractitioner('ask-dates', { note: 'I am ill.', version: await version() })
    expect([asked.status, asked.body.progress]).toMatchObject([
      200,
      { state: 'dates_asked', agreed_date: null },
    ])
    await propose(third)
    await take(third)
    await upload()
    const late = { note: 'Another day.', version: await version() }
    await expectNothing(() => asPractitioner('ask-dates', late), 409, 'transition_refused')
    await expectNothing(() => propose('2026-06-20T09:00:00.000Z'), 409, 'transition_refused')
  })
})

describe('a step that the order does not allow', () => {
  test('is refused with a message, and changes no row', async () => {
    const none = { version: 0 }
    for (const call of [
      () => asPractitioner('take-date', { ...none, date: first }),
      () => asPractitioner('ask-dates', { ...none, note: 'Later.' }),
      () => asPractitioner('ask-change', { ...none, note: 'Shorter.' }),
      () => asPractitioner('approve', none),
      () => undo('proposal'),
      () => undo('upload'),
      () => undo('done'),
    ]) {
      const { message } = await expectNothing(call, 409, 'transition_refused')
      expect(String(message).length).toBeGreaterThan(20)
    }
    await propose(first)
    await expectNothing(() => upload(), 409, 'transition_refused')
  })

  test('is refused with an outdated version, for every kind of step', async () => {
    await propose(first)
    await asPractitioner('ask-dates', { note: 'Later.', version: 1 })
    await propose(second)
    for (const call of [
      () => asOffice('dates', { dates: [third], version: 2 }),
      () => asPractitioner('take-date', { date: second, version: 1 }),
      () => asPractitioner('ask-dates', { note: 'Mornings.', version: 1 }),
      () => asOffice('undo', { undo: 'proposal', version: 1 }),
      () => asOffice('done', { version: 2 }),
      () => upload(mp4(), { version: '2' }),
    ]) {
      const { message } = await expectNothing(call, 409, 'changed_elsewhere')
      expect(message).toContain('This order has changed since this page was loaded.')
    }
  })

  test('is a 404 where nothing is ordered', async () => {
    const other = await createPractitioner(app)
    const token = await signInPractitioner(app, other)
    const call = (path: string, body: unknown, by: string) => app.call('POST', path, { token: by, body })
    for (const [step, body] of [
      ['dates', { dates: [first], version: 0 }],
      ['undo', { undo: 'done', version: 0 }],
      ['video-link', {}],
      ['done', {}],
    ] as const) {
      await expectNothing(
        () => call(`/admin/video-orders/${other.id}/${step}`, body, office),
        404,
        'not_found',
      )
    }
    for (const [step, body] of [
      ['take-date', { date: first, version: 0 }],
      ['ask-dates', { note: 'Later.', version: 0 }],
      ['ask-change', { note: 'Later.', version: 0 }],
      ['approve', { version: 0 }],
      ['video-link', {}],
    ] as const) {
      await expectNothing(() => call(`/therapist/video-production/${step}`, body, token), 404, 'not_found')
    }
    const sent = await uploadFile(app, `/admin/video-orders/${other.id}/video`, {
      token: office,
      field: 'video',
      content: mp4(),
      fields: { version: '0' },
    })
    expect(sent.status).toBe(404)
    expect(await app.db.selectFrom('stored_files').select('id').execute()).toEqual([])
  })
})

const close = async () => {
  const path = `/admin/practitioners/${practitioner.id}/close`
  expect((await app.call('POST', path, { token: office, body: { reason: 'Has retired.' } })).status).toBe(200)
}

test('no dates and no video are sent to a practitioner whose profile is closed', async () => {
  await propose(first)
  await take(first)
  const [at] = [await version()]
  await close()
  await expectNothing(() => upload(mp4(), { version: String(at) }), 409, 'transition_refused')
  await asOffice('undo', { undo: 'proposal', version: at })
  await expectNothing(() => asOffice('dates', { dates: [second], version: at }), 409, 'transition_refused')
  // The order can still be closed.
  expect((await asOffice('done', { version: at })).status).toBe(200)
})

test('a video that was made for a practitioner who has left goes with their profile, also one that was empty', async () => {
  await app.db
    .updateTable('practitioners')
    .set({ state: 'draft', about: '', short_description: '', meeting_link: null })
    .where('id', '=', practitioner.id)
    .execute()
  await propose(first)
  await asPractitioner('ask-dates', { note: 'My mother is ill that week.', version: await version() })
  await propose(second)
  await take(second)
  await upload()
  const count = async () => (await app.db.selectFrom('stored_files').select('id').execute()).length
  await close()
  for (const [passed, left] of [
    [days(27), 1],
    [days(1), 1],
    [hours(1), 0],
  ] as const) {
    app.clock.advance(passed)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await count()).toBe(left)
  }
  const steps = await app.db.selectFrom('video_production_steps').select(['note', 'file_id']).execute()
  expect(JSON.stringify(steps)).not.toContain('mother')
})

describe('undo', () => {
  const mine = async () => {
    const { progress } = await production()
    return progress && { ...progress, version: 0 }
  }

  test('each undo returns to the state before, and is in the audit log', async () => {
    await propose(first)
    await asPractitioner('ask-dates', { note: 'Mornings.', version: 1 })
    const asked = await mine()
    await propose(second)
    expect((await undo('proposal')).body).toMatchObject({
      state: 'dates_asked',
      note: 'Mornings.',
      undo: null,
    })
    expect(await mine()).toEqual(asked)

    await propose(third)
    await take(third)
    const agreed = await mine()
    await propose(first)
    expect((await undo('proposal')).body).toMatchObject({ state: 'date_agreed', agreed_date: third })
    expect(await mine()).toEqual(agreed)
    await upload()
    const { storage_key } = await app.db
      .selectFrom('stored_files')
      .select('storage_key')
      .executeTakeFirstOrThrow()
    const link = await asPractitioner('video-link')
    expect((await undo('upload')).body).toMatchObject({ state: 'date_agreed', agreed_date: third })
    expect(await mine()).toEqual(agreed)
    expect((await fetch(`${app.origin}${String(link.body.url)}`)).status).toBe(404)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await app.db.selectFrom('stored_files').select('id').execute()).toEqual([])
    expect(storage_key).toMatch(/^productions\//)

    expect((await asOffice('done')).body).toMatchObject({ state: 'done', undo: 'done' })
    expect((await production()).progress).toMatchObject({ state: 'done', agreed_date: null })
    expect((await undo('done')).body).toMatchObject({ state: 'date_agreed', done_at: null })
    expect(await mine()).toEqual(agreed)
    expect(await audit()).toEqual(
      [
        'propose video dates',
        'propose video dates',
        'undo video dates',
        'propose video dates',
        'propose video dates',
        'undo video dates',
        'upload video',
        'undo video upload',
        'finish video',
        'undo finish video',
      ].map((action) => `${action}: ${subject()}`),
    )
  })

  test('an undone step sends the practitioner a mail only if the mail about the step was sent', async () => {
    await propose(first)
    await undo('proposal')
    expect(await newMails()).toEqual([])
    await propose(first)
    expect(await newMails()).toEqual(['practitioner: Choose a date for your video call'])
    await undo('proposal')
    expect(await newMails()).toEqual(['practitioner: The dates for your video call are withdrawn'])
    expect(lastMail()).toContain('We will write to you with other dates.')
    await propose(first)
    await take(first)
    await propose(second)
    await newMails()
    await undo('proposal')
    expect(await newMails()).toEqual(['practitioner: The dates for your video call are withdrawn'])
    expect(lastMail()).toContain('is still agreed: Tuesday 9 June 2026, 11:00')
    await upload()
    await newMails()
    await undo('upload')
    expect(await newMails()).toEqual(['practitioner: Your video is not ready after all'])
  })

  test('is refused after the approval, and for a step of the practitioner', async () => {
    await propose(first)
    await take(first)
    await expectNothing(() => undo('proposal'), 409, 'transition_refused')
    await upload()
    await asPractitioner('approve', { version: await version() })
    for (const what of ['proposal', 'upload', 'done']) {
      await expectNothing(() => undo(what), 409, 'transition_refused')
    }
    expect((await asOffice('done')).body).toMatchObject({ state: 'approved' })
  })
})

describe('a video that waits for approval', () => {
  test('is watched by the practitioner and the back office alone, whole and in parts, for an hour', async () => {
    const content = mp4(5000)
    await upload(content)
    const client = await createClient(app)
    const stranger = await signInPractitioner(app, await createPractitioner(app))
    const path = '/therapist/video-production/video-link'
    expect((await app.call('POST', path, { body: {} })).status).toBe(401)
    expect((await app.call('POST', path, { token: client.token, body: {} })).status).toBe(403)
    expect((await app.call('POST', path, { token: stranger, body: {} })).status).toBe(404)
    const { storage_key } = await app.db
      .selectFrom('stored_files')
      .select('storage_key')
      .executeTakeFirstOrThrow()
    expect((await fetch(`${app.origin}/media/${storage_key}`)).status).toBe(404)
    expect((await fetch(`${app.origin}/media/${storage_key.replace('productions', 'videos')}`)).status).toBe(
      404,
    )

    for (const answer of [await asPractitioner('video-link'), await asOffice('video-link')]) {
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          url: expect.stringMatching(/^\/api\/v7\/files\/[\w-]{20,}$/),
          expires_at: new Date(app.clock.now().getTime() + hours(1)).toISOString(),
          content_type: 'video/mp4',
        },
      ])
      const url = `${app.origin}${String(answer.body.url)}`
      const whole = await fetch(url)
      expect([whole.status, whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
        200,
        'video/mp4',
        'no-store',
      ])
      expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
      const part = await fetch(url, { headers: { range: 'bytes=4-11' } })
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        'bytes 4-11/5000',
        'ftypmp42',
      ])
      expect((await fetch(url, { headers: { range: 'bytes=5000-' } })).status).toBe(416)
    }
    const { body } = await asPractitioner('video-link')
    app.clock.advance(hours(1) - minutes(1))
    expect((await fetch(`${app.origin}${String(body.url)}`)).status).toBe(200)
    app.clock.advance(minutes(1))
    expect((await fetch(`${app.origin}${String(body.url)}`)).status).toBe(404)
  })

  test.each<[string, Uint8Array, Record<string, string> | undefined, number, string]>([
    ['a document', pdf(), undefined, 415, 'unsupported_media_type'],
    ['an empty file', new Uint8Array(), undefined, 422, 'validation_failed'],
    ['no version', mp4(), {}, 422, 'validation_failed'],
    ['a version that is no number', mp4(), { version: 'one' }, 422, 'validation_failed'],
  ])('is not %s, and nothing is left behind', async (_name, content, fields, status, code) => {
    await expectNothing(() => upload(content, fields), status, code)
    expect(await audit()).toEqual([])
  })

  test('is not approved when its file cannot be copied, and can be approved after that', async () => {
    let isDown = false
    await app.close()
    app = await buildTestApp({
      storage: (folder) => ({
        ...folder,
        async put(key, source) {
          await folder.put(key, source)
          if (isDown) throw new Error('The storage is away.')
        },
      }),
    })
    practitioner = await createPractitioner(app)
    office = (await createAdmin(app)).token
    own = await signInPractitioner(app, practitioner)
    await saveTherapistCard(app, own)
    await app.call('POST', '/therapist/video-production/order', { token: own })
    await upload()
    isDown = true
    await expectNothing(() => asPractitioner('approve', { version: 1 }), 500, 'internal_error')
    expect((await production()).progress).toMatchObject({ state: 'uploaded' })
    isDown = false
    expect((await asPractitioner('approve', { version: 1 })).status).toBe(200)
    expect(await app.db.selectFrom('stored_files').select('id').execute()).toHaveLength(2)
  })
})

test('an order that an earlier release marks as made is done, and can be undone', async () => {
  await propose(first)
  await app.db.updateTable('video_productions').set({ done_at: app.clock.now() }).execute()
  expect([(await production()).progress, await order('done')]).toMatchObject([
    { state: 'done', dates: [] },
    { state: 'done', undo: 'done' },
  ])
  expect((await asOffice('done')).body).toMatchObject({ state: 'done' })
  expect(await audit()).toEqual([`propose video dates: ${subject()}`])
  expect((await undo('done')).body).toMatchObject({ state: 'dates_proposed', dates: [first] })
})

test('a suspended practitioner sees the order and can do nothing with it', async () => {
  await propose(first)
  await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
  expect((await production()).progress).toMatchObject({ state: 'dates_proposed' })
  for (const [step, body] of [
    ['take-date', { date: first, version: 1 }],
    ['ask-dates', { note: 'Later.', version: 1 }],
    ['ask-change', { note: 'Later.', version: 1 }],
    ['approve', { version: 1 }],
    ['video-link', {}],
  ] as const) {
    await expectNothing(() => asPractitioner(step, body), 403, 'suspended')
  }
})

test('a mail to an unconfirmed address says only that there is news', async () => {
  await setConfirmed(null)
  await propose(first)
  expect(await newMails()).toEqual(['practitioner: There is something new for you on Hearth'])
  expect(lastMail()).not.toMatch(/9 June|Priya/)
})

test('a mail about a step that is over is not sent', async () => {
  await propose(first)
  await take(first)
  expect(await newMails()).toEqual([
    'office: A date for a video call is agreed',
    'practitioner: Your video call has a date',
  ])
  const outcomes = await app.db.selectFrom('outgoing_mails').select(['template', 'outcome']).execute()
  expect(outcomes).toContainEqual({ template: 'subscription.video_dates', outcome: 'dropped' })
})
