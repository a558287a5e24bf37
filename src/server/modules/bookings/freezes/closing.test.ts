import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { subscriptionsSweepJob } from '#server/modules/subscriptions/subscriptions.jobs.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  saveTherapistCard,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { askForHelp } from '#test/help.ts'
import { readMail } from '#test/mails.ts'
import { addDocument, backOfficeAs } from '#test/vetting.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'

/** The reason, which only the back office and the practitioner may read. */
const reason = 'CANARY-51c2 they have left the profession'

let app: TestApp
let practitioner: Practitioner
let client: Client
let card: string
let admin: string
let backOffice: ReturnType<typeof backOfficeAs>

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app)
  client = await createClient(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  card = await saveCard(app, client)
  admin = (await createAdmin(app)).token
  backOffice = backOfficeAs(app, admin)
})
afterEach(() => app.close())

const close = (body: Record<string, unknown> = { reason }) => backOffice.act(practitioner.id, 'close', body)
const finish = async () => {
  app.clock.advance(minutes(1))
  await app.queue.enqueue(app.db, bookingsSweepJob, {})
  await app.queue.drain()
  await app.services.payments.recover()
  await app.queue.drain()
}
const state = async () =>
  (
    await app.db
      .selectFrom('practitioners')
      .select('state')
      .where('id', '=', practitioner.id)
      .executeTakeFirstOrThrow()
  ).state
const row = (id: string) =>
  app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refunds = () => app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute()
const mailsTo = (email: string) =>
  app
    .mails()
    .map(readMail)
    .filter(({ to }) => to === email)
const balanced = async () =>
  expect(Object.values(await ledger(app)).reduce((sum, amount) => sum + amount, 0)).toBe(0)

describe('closing a profile', () => {
  test('cancels and refunds sessions ahead, expires unpaid bookings and notifies clients without the reason', async () => {
    const ids = [
      await bookSession(app, { practitioner, client, card, startsAt: '2026-06-08T12:00:00Z' }),
      await bookSession(app, { practitioner, client, card, startsAt: '2026-06-20T12:00:00Z' }),
    ]
    const pending = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        datetime: '2026-06-25T09:00:00Z',
        appointment_type: 'online',
      },
    })
    const other = await createPractitioner(app)
    const help = await askForHelp(app, { client: await createClient(app), preferred: practitioner.id })
    await app.queue.drain()
    const answer = await close()
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'closed',
      listed: false,
      sessions: { cancelled: 2, frozen: 0, refunds: 2, refunded: 120 },
    })
    await finish()
    for (const id of ids)
      expect(await row(id)).toMatchObject({
        state: 'cancelled',
        cancelled_by: 'system',
        cancel_code: 'practitioner_suspended',
      })
    expect((await row(String(pending.body.session_id))).state).toBe('expired')
    expect(await refunds()).toEqual([
      { amount_pence: 6000, state: 'succeeded' },
      { amount_pence: 6000, state: 'succeeded' },
    ])
    const offers = await app.db
      .selectFrom('help_offers')
      .select(['state', 'practitioner_id'])
      .where('appointment_id', '=', help.id)
      .execute()
    expect(offers).toContainEqual({ state: 'withdrawn', practitioner_id: practitioner.id })
    expect(offers).toContainEqual({ state: 'open', practitioner_id: other.id })
    const told = mailsTo(client.email)
    expect(told.filter(({ subject }) => subject === 'Your session is cancelled')).toHaveLength(2)
    for (const { whole } of told) expect(whole).not.toMatch(/CANARY|clos|died/i)
    const mine = mailsTo(practitioner.email).find(({ subject }) => subject === 'Your profile is closed')
    expect(mine?.text).toContain(reason)
    expect(mine?.text).toContain('Your upcoming sessions are cancelled.')
    expect((await app.call('GET', `/practitioner/${practitioner.id}/profile`)).status).toBe(404)
    const log = await app.call('GET', '/admin/audit?action=close', { token: admin })
    expect(log.body.data).toMatchObject([{ subject: `practitioner ${practitioner.id}`, reason }])
    expect(app.logged()).not.toContain('CANARY')
    await balanced()
  })

  test('mails a practitioner without sessions ahead nothing about sessions and clients', async () => {
    await close()
    await app.queue.drain()
    const mail = mailsTo(practitioner.email).find(({ subject }) => subject === 'Your profile is closed')
    expect(mail?.text).toContain(reason)
    expect(mail?.text).not.toContain('Your upcoming sessions')
    expect(mail?.text).not.toContain('Your clients have been told')
  })

  test('takes over sessions that a suspension had frozen, and refunds each once', async () => {
    const id = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-20T12:00:00Z' })
    await backOffice.act(practitioner.id, 'suspend', { reason })
    expect((await row(id)).state).toBe('confirmed')
    const answer = await close()
    expect(answer.body.sessions).toMatchObject({ cancelled: 1, refunds: 1, refunded: 60 })
    await finish()
    await finish()
    expect((await row(id)).state).toBe('cancelled')
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    await balanced()
  })

  test('is final: nothing leads back, and no fact can be decided on', async () => {
    await close()
    await app.queue.drain()
    const document = await addDocument(app, practitioner, 'dbs')
    const before = app.mails().length
    for (const [action, body] of [
      ['reinstate', undefined],
      ['approve', undefined],
      ['reject', { reason }],
      ['suspend', { reason }],
      ['close', { reason }],
    ] as const) {
      const answer = await backOffice.act(practitioner.id, action, body)
      expect([action, answer.status, answer.body.code]).toEqual([action, 409, 'transition_refused'])
    }
    const decided = await backOffice.document(practitioner.id, document, 'accept', {
      expires_on: '2030-01-01',
    })
    expect([decided.status, decided.body.code]).toEqual([409, 'transition_refused'])
    const token = await signInPractitioner(app, practitioner)
    expect((await app.call('POST', '/therapist/complete', { token })).body.code).toBe('suspended')
    expect(await state()).toBe('closed')
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before)
  })

  test.each(['draft', 'submitted', 'rejected'] as const)('of one that is %s', async (from) => {
    practitioner = await createPractitioner(app, { state: from })
    expect((await close()).status).toBe(200)
    expect(await state()).toBe('closed')
  })

  test('needs a reason, an admin and a practitioner; nothing changes without', async () => {
    const id = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-20T12:00:00Z' })
    expect((await close({ reason: ' ' })).status).toBe(422)
    expect((await backOffice.act(999_999, 'close', { reason })).status).toBe(404)
    const path = `/admin/practitioners/${practitioner.id}/close`
    const token = await signInPractitioner(app, practitioner)
    expect((await app.call('POST', path, { token, body: { reason } })).status).toBe(403)
    expect(await state()).toBe('approved')
    expect((await row(id)).state).toBe('confirmed')
    expect(await refunds()).toEqual([])
  })
})

describe('a practitioner whose profile is closed', () => {
  test('reads why, keeps account and earnings, and is refused everything else', async () => {
    const token = await signInPractitioner(app, practitioner)
    const chat = await signInToChat(app, token)
    await bookSession(app, { practitioner, client, card, startsAt: '2026-06-20T12:00:00Z' })
    await close()
    expect((await app.call('GET', '/therapist/suspension', { token })).body.data).toMatchObject({
      state: 'closed',
      since: app.clock.now().toISOString(),
      reason,
      cause: null,
      sessions: { frozen: 0, cancelled: 1, next_cancelled_at: null },
    })
    for (const [method, path, body] of [
      ['GET', '/therapist/sessions'],
      ['GET', '/therapist/schedule'],
      ['GET', '/therapist/home/get-dashboard-overview'],
      ['PUT', '/therapist/available-now', { available: true }],
    ] as const) {
      const answer = await app.call(method, path, { token, body })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'suspended'])
    }
    expect((await app.call('GET', '/chat/dialogs', { token: chat.token })).status).toBe(401)
    for (const path of [
      '/therapist/account',
      '/therapist/balance',
      '/therapist/earnings',
      '/therapist/invoices',
    ])
      expect([path, (await app.call('GET', path, { token })).status]).toEqual([path, 200])
  })

  test('pays for no further month, and cannot subscribe or order a video again', async () => {
    const token = await signInPractitioner(app, practitioner)
    const saved = await saveTherapistCard(app, token)
    const subscribe = () =>
      app.call('POST', '/therapist/subscription/subscribe', { token, body: { payment_method_id: saved } })
    expect((await subscribe()).status).toBe(200)
    await close()
    const charges = () => app.db.selectFrom('platform_charges').select(['state', 'purpose']).execute()
    const before = await charges()
    const again = await subscribe()
    expect([again.status, again.body.code]).toEqual([403, 'suspended'])
    const video = await app.call('POST', '/therapist/video-production/order', { token })
    expect([video.status, video.body.code]).toEqual([403, 'suspended'])
    app.clock.advance(minutes(60 * 24 * 40))
    await app.queue.enqueue(app.db, subscriptionsSweepJob, {})
    await app.queue.drain()
    expect(await charges()).toEqual(before)
    const states = await app.db.selectFrom('subscriptions').select('state').execute()
    expect(states).toEqual([{ state: 'ended' }])
  })
})
