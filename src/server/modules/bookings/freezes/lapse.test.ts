import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Schedule } from '#contract/availability/schedule.ts'
import { hours, later, minutes, seconds } from '#server/clock.ts'
import { backOfficeSweepJob } from '#server/modules/back-office/back-office.jobs.ts'
import { practitionersRemindersJob } from '#server/modules/practitioners/practitioners.jobs.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type Admin,
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { refuseRows } from '#test/refused-rows.ts'
import { addAcceptedFacts, addDocument, backOfficeAs } from '#test/vetting.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'

/** British Summer Time: the last good day ends at 23:00 UTC. */
const lapse = '2026-06-15T23:00:00.000Z'

let app: TestApp
let practitioner: Practitioner
let client: Client
let admin: Admin
let backOffice: ReturnType<typeof backOfficeAs>
/** Sessions on the last good day, an hour and a half after the lapse, and a week later. */
let ids: [before: string, soon: string, week: string]

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app)
  await at('2026-06-01T09:00:00Z')
  client = await createClient(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  await addAcceptedFacts(app, practitioner)
  await app.db.deleteFrom('practitioner_documents').where('kind', '=', 'dbs').execute()
  await accept('2026-06-15')
  const card = await saveCard(app, client)
  const book = (startsAt: string) => bookSession(app, { practitioner, client, card, startsAt })
  ids = [
    await book('2026-06-15T14:00:00Z'),
    await book('2026-06-16T09:00:00Z'),
    await book('2026-06-22T09:00:00Z'),
  ]
  await app.queue.drain()
})
afterEach(() => app.close())

/** Sets the clock and signs the admin in again, because sign-in sessions expire. */
async function at(instant: string | Date): Promise<void> {
  app.clock.set(instant)
  admin = await createAdmin(app)
  backOffice = backOfficeAs(app, admin.token)
}

/** Accepts a DBS certificate with this last good day. */
async function accept(expiresOn: string) {
  const document = await addDocument(app, practitioner, 'dbs')
  const answer = await backOffice.document(practitioner.id, document, 'accept', { expires_on: expiresOn })
  expect([answer.status, answer.body.code]).toEqual([200, undefined])
}

const sweep = async () => {
  await app.queue.enqueue(app.db, bookingsSweepJob, {})
  await app.queue.drain()
  await app.services.payments.recover()
  await app.queue.drain()
}
const officeSweep = async () => {
  await app.queue.enqueue(app.db, backOfficeSweepJob, {})
  await app.queue.drain()
}
const finish = async () => {
  app.clock.advance(minutes(1))
  await sweep()
}
const row = (id: string) =>
  app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const rows = () => Promise.all(ids.map(row))
const frozen = async () => (await rows()).map(({ state, frozen_cause }) => [state, frozen_cause])
const refunds = () => app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute()
const tasks = async () => (await app.call('GET', '/admin/vetting-lapses', { token: admin.token })).body
const mailsTo = (email: string) =>
  app
    .mails()
    .map(readMail)
    .filter(({ to }) => to === email)
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject)
const balanced = async () =>
  expect(Object.values(await ledger(app)).reduce((sum, amount) => sum + amount, 0)).toBe(0)

describe('the back office', () => {
  test('has a task from 14 days before the lapse, and one mail, however often it looks', async () => {
    const { id } = practitioner
    const again = await addDocument(app, practitioner, 'dbs')
    await at('2026-06-01T22:59:59Z')
    const { email } = admin
    await officeSweep()
    expect((await tasks()).data).toEqual([])
    expect(subjectsTo(email)).toEqual([])
    app.clock.advance(seconds(1))
    expect(await tasks()).toEqual({
      data: [
        {
          practitioner_id: id,
          full_name: expect.any(String),
          facts: [{ name: 'DBS certificate', expires_on: '2026-06-15' }],
          lapses_at: lapse,
          sessions: 2,
          frozen: 0,
          next_cancelled_at: null,
          is_waiting: true,
        },
      ],
      total: 1,
    })
    await officeSweep()
    await officeSweep()
    app.clock.advance(hours(30))
    await officeSweep()
    const mails = mailsTo(email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Documents lapse with sessions booked for later'])
    expect(mails[0]?.text).toContain('2 sessions are booked')
    expect(mails[0]?.text).toContain('15 June 2026')
    expect(mails[0]?.text).toContain('A newer document or licence waits for your decision')
    expect(mails[0]?.text).not.toContain('Please ask')

    // Accepted in time: no task remains and no session is frozen.
    await at('2026-06-10T09:00:00Z')
    await backOffice.document(id, again, 'accept', { expires_on: '2027-06-15' })
    expect((await tasks()).data).toEqual([])
    await at('2026-06-15T23:30:00Z')
    await sweep()
    await officeSweep()
    expect((await frozen()).slice(1)).toEqual([
      ['confirmed', null],
      ['confirmed', null],
    ])
    expect(subjectsTo(email)).toHaveLength(1)
  })

  test('is asked for a newer document of the kind that lapses while another kind waits', async () => {
    await addDocument(app, practitioner, 'identity')
    await at('2026-06-05T09:00:00Z')
    await officeSweep()
    expect((await tasks()).data).toMatchObject([{ is_waiting: false }])
    expect(mailsTo(admin.email)).toMatchObject([{ text: expect.stringContaining('Please ask for a newer') }])
  })

  test('is mailed of a lapse, although one before it cannot be noted just now', async () => {
    const when = sql`new.practitioner_id = ${sql.lit(practitioner.id)}`
    const allow = await refuseRows(app.db, { table: 'vetting_lapse_notes', before: 'insert', when })
    practitioner = await createPractitioner(app)
    await addAcceptedFacts(app, practitioner)
    await app.db
      .deleteFrom('practitioner_documents')
      .where('kind', '=', 'dbs')
      .where('practitioner_id', '=', practitioner.id)
      .execute()
    await accept('2026-06-16')
    const card = await saveCard(app, client)
    await bookSession(app, { practitioner, client, card, startsAt: '2026-06-22T13:00:00Z' })
    await at('2026-06-05T09:00:00Z')
    await officeSweep()
    expect(mailsTo(admin.email)).toMatchObject([{ text: expect.stringContaining('16 June 2026') }])
    await allow()
    await officeSweep()
    expect(mailsTo(admin.email)).toMatchObject([{}, { text: expect.stringContaining('15 June 2026') }])
  })

  test('has no task and no mail where no session begins after the lapse', async () => {
    for (const id of ids.slice(1))
      await app.call('POST', '/appointment/cancel-session', {
        token: client.token,
        body: { appointment_id: id },
      })
    await at('2026-06-10T09:00:00Z')
    await officeSweep()
    expect(await tasks()).toEqual({ data: [], total: 0 })
    expect(subjectsTo(admin.email)).toEqual([])
    expect(await app.db.selectFrom('vetting_lapse_notes').selectAll().execute()).toEqual([])
  })
})

describe('sessions after a lapse', () => {
  test('are frozen at the lapse and not before; one that began earlier takes place', async () => {
    await at('2026-06-15T22:59:59Z')
    await sweep()
    expect((await frozen()).map(([, cause]) => cause)).toEqual([null, null, null])
    app.clock.advance(seconds(1))
    await sweep()
    expect(await frozen()).toEqual([
      ['confirmed', null],
      ['confirmed', 'vetting_lapsed'],
      ['confirmed', 'vetting_lapsed'],
    ])
    const [, soon, week] = await rows()
    // Two hours before its start, and 72 hours from the lapse.
    const { sessions } = (
      await app.call('GET', '/therapist/schedule?from=2026-06-15', {
        token: await signInPractitioner(app, practitioner),
      })
    ).body as unknown as Schedule
    expect(sessions.map(({ appointment_id, frozen }) => [appointment_id, frozen])).toEqual([
      [ids[0], false],
      [ids[1], true],
    ])
    expect(soon?.frozen_until?.toISOString()).toBe('2026-06-16T07:00:00.000Z')
    expect(week?.frozen_until?.toISOString()).toBe('2026-06-18T23:00:00.000Z')
    await sweep()
    expect(subjectsTo(client.email).filter((subject) => subject.includes('being checked'))).toHaveLength(2)
    const mail = mailsTo(client.email).find(({ subject }) => subject.includes('being checked'))
    expect(mail?.text).not.toMatch(/DBS|insurance|certificate|licence|lapse/i)
    expect(mail?.text).toContain('Until then the session’s link is closed.')
    expect(mail?.text, 'the chat stays open').not.toContain('chat')
    expect(await refunds()).toEqual([])
    expect((await tasks()).data).toMatchObject([
      { sessions: 2, frozen: 2, next_cancelled_at: '2026-06-16T07:00:00.000Z' },
    ])
  })

  test('are restored once a newer fact is accepted in time, and frozen anew if that one lapses', async () => {
    await at(lapse)
    await sweep()
    await accept('2026-06-20')
    await app.queue.drain()
    expect(await frozen()).toEqual([
      ['confirmed', null],
      ['confirmed', null],
      ['confirmed', null],
    ])
    expect(subjectsTo(client.email).filter((subject) => /is going ahead/.test(subject))).toHaveLength(2)
    expect(await refunds()).toEqual([])
    await at('2026-06-20T23:00:00Z')
    await sweep()
    expect((await row(ids[2])).frozen_cause).toBe('vetting_lapsed')
  })

  test('stay frozen when another fact than the lapsed one is accepted, or the newer one is refused', async () => {
    await at(lapse)
    await sweep()
    const insurance = await addDocument(app, practitioner, 'insurance_certificate')
    await backOffice.document(practitioner.id, insurance, 'accept', { expires_on: '2027-01-01' })
    const refused = await addDocument(app, practitioner, 'dbs')
    await backOffice.document(practitioner.id, refused, 'refuse', { reason: 'It cannot be read.' })
    await sweep()
    expect((await frozen()).slice(1).map(([, cause]) => cause)).toEqual(['vetting_lapsed', 'vetting_lapsed'])
  })

  test('are cancelled with a full refund when no newer fact is accepted in time; a later one restores none', async () => {
    await at('2026-06-15T23:00:00Z')
    await sweep()
    await at('2026-06-16T07:00:00Z')
    await sweep()
    await finish()
    expect(await row(ids[1])).toMatchObject({
      state: 'cancelled',
      cancelled_by: 'system',
      cancel_code: 'vetting_lapsed',
    })
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    await accept('2027-06-15')
    await finish()
    expect((await rows()).map(({ state }) => state).slice(1)).toEqual(['cancelled', 'confirmed'])
    expect((await row(ids[2])).frozen_at).toBeNull()
    expect(await refunds()).toHaveLength(1)
    const cancelled = mailsTo(client.email).filter(({ subject }) => subject === 'Your session is cancelled')
    expect(cancelled).toHaveLength(1)
    expect(cancelled[0]?.text).not.toMatch(/DBS|insurance|certificate|licence|lapse/i)
    await balanced()
  })

  test('are not frozen by a subscription that ends', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ subscribed_until: new Date('2026-06-10T00:00:00Z'), vetted_until: null })
      .execute()
    await at('2026-06-16T00:00:00Z')
    await sweep()
    await officeSweep()
    expect((await frozen()).map(([, cause]) => cause)).toEqual([null, null, null])
    expect((await tasks()).data).toEqual([])
    expect(await refunds()).toEqual([])
  })
})

describe('a lapse and a suspension', () => {
  test('a suspension takes frozen sessions over and never puts their cancellation off', async () => {
    await at(lapse)
    await sweep()
    await at('2026-06-16T01:00:00Z')
    await backOffice.act(practitioner.id, 'suspend', { reason: 'A complaint.' })
    const [, soon, week] = await rows()
    expect([soon?.frozen_cause, week?.frozen_cause]).toEqual(['suspended', 'suspended'])
    expect(soon?.frozen_until?.toISOString()).toBe('2026-06-16T07:00:00.000Z')
    expect(week?.frozen_until?.toISOString()).toBe('2026-06-18T23:00:00.000Z')
    // A newer fact does not end a suspension.
    await accept('2027-06-15')
    await sweep()
    expect((await frozen()).slice(1).map(([, cause]) => cause)).toEqual(['suspended', 'suspended'])
    expect(subjectsTo(client.email).filter((subject) => subject.includes('being checked'))).toHaveLength(2)
    await backOffice.act(practitioner.id, 'reinstate')
    expect((await frozen()).slice(1).map(([, cause]) => cause)).toEqual([null, null])
  })

  test('a reinstatement leaves sessions after a lapse frozen until the facts hold again', async () => {
    await at('2026-06-15T13:00:00Z')
    await backOffice.act(practitioner.id, 'suspend', { reason: 'A complaint.' })
    await at(later(new Date(lapse), hours(1)))
    await backOffice.act(practitioner.id, 'reinstate')
    await sweep()
    const [, soon, week] = await rows()
    expect([soon?.frozen_cause, week?.frozen_cause]).toEqual(['vetting_lapsed', 'vetting_lapsed'])
    expect(week?.frozen_until?.toISOString()).toBe('2026-06-18T13:00:00.000Z')
    expect(subjectsTo(client.email).filter((subject) => /is going ahead/.test(subject))).toEqual([])
    const lifted = mailsTo(practitioner.email).find(({ subject }) => subject === 'Your profile is open again')
    expect(lifted?.text).not.toContain('go ahead')
    expect(lifted?.text.replace(/\s+/g, ' ')).toContain('stay on hold until we have accepted the new one')
    const token = await signInPractitioner(app, practitioner)
    const own = async () => (await app.call('GET', '/therapist/suspension', { token })).body
    expect(await own()).toEqual({ data: null, documents_lapsed: true })
    await accept('2027-06-15')
    await app.queue.drain()
    expect((await frozen()).slice(1).map(([, cause]) => cause)).toEqual([null, null])
    expect(await own()).toEqual({ data: null, documents_lapsed: false })
  })

  test('a suspension that cancels refunds what a lapse had frozen, once', async () => {
    await at(lapse)
    await sweep()
    const answer = await backOffice.act(practitioner.id, 'suspend', {
      reason: 'A complaint.',
      cause: 'conduct',
      sessions: 'cancel',
    })
    expect(answer.body.sessions).toMatchObject({ cancelled: 2, frozen: 0, refunds: 2, refunded: 120 })
    await finish()
    expect((await refunds()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    await balanced()
  })
})

test('the practitioner’s mails name the effect on sessions before and after the lapse', async () => {
  await at('2026-06-08T09:00:00Z')
  await app.queue.enqueue(app.db, practitionersRemindersJob, {})
  await app.queue.drain()
  await at('2026-06-16T00:00:00Z')
  await app.queue.enqueue(app.db, practitionersRemindersJob, {})
  await app.queue.drain()
  const mails = mailsTo(practitioner.email).filter(({ subject }) => subject.includes('DBS certificate'))
  const [, soon, out] = mails.slice(-3)
  expect(soon?.text).toMatch(/Sessions that are booked for later are put on hold then/)
  expect(out?.text).toMatch(/Sessions that are booked for later are on hold/)
  for (const { text } of mails) expect(text).not.toContain('Sessions that are booked stay')
  const token = await signInPractitioner(app, practitioner)
  await sweep()
  const sessions = await app.call('GET', '/therapist/sessions', { token })
  expect(JSON.stringify(sessions.body)).toContain('2026-06-16T07:00:00.000Z')
})
