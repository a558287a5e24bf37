import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayIncident, PaidSession } from '#contract/back-office/payments.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { days, hours, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { postLedger } from '#server/modules/payments/ledger.store.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  password,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'

const startsAt = '2026-06-08T09:00:00Z'
let app: TestApp
let dashboard: ReturnType<typeof sandboxDashboard>
let client: Client
let practitioner: Practitioner
let isAway: boolean

beforeEach(async () => {
  isAway = false
  app = await buildTestApp()
  dashboard = sandboxDashboard(app.db)
  client = await createClient(app)
  practitioner = await createPractitioner(app)
})
afterEach(() => app.close())

const intentOf = async (session: string) => {
  const intent = await app.db
    .selectFrom('payment_intents')
    .selectAll()
    .where('appointment_id', '=', session)
    .executeTakeFirstOrThrow()
  return { ...intent, gateway_ref: String(intent.gateway_ref) }
}
const book = () => bookSession(app, { practitioner, client, startsAt })
/** Reads a payment as the job of a webhook event does. */
const look = (key: string) => app.services.payments.lookAgain(key)
const compareByNight = () => app.services.payments.compare()

const asAdmin = async () => (await createAdmin(app)).token
const incidents = async (token: string) => {
  const { body } = await app.call('GET', '/admin/payments/incidents', { token })
  return body.data as unknown as GatewayIncident[]
}
const resolve = (token: string, id: string, decision: string) =>
  app.call('POST', `/admin/payments/incidents/${id}/resolve`, {
    token,
    body: { decision, reason: 'Looked at in the dashboard.' },
  })
const paid = async (token: string) => {
  const { body } = await app.call('GET', '/admin/payments', { token })
  return (body.data as unknown as PaidSession[])[0]
}
const payable = async (token: string) => {
  const { body } = await app.call('GET', '/admin/payouts', { token })
  const row = (body.data as unknown as { owed: number; held: number; payable: number }[])[0]
  return row && [row.owed, row.held, row.payable]
}
const cancel = async (session: string) =>
  app.call('POST', '/appointment/cancel-session', {
    token: (await signInAgain(app, client)).token,
    body: { appointment_id: session },
  })
const seenByClient = async () => {
  const { token } = await signInAgain(app, client)
  const { body } = await app.call('GET', '/appointment/get-upcoming-sessions', { token })
  return (body as unknown as { refund: unknown; dispute: unknown }[])[0]
}
const isOver = () => app.clock.advance(Date.parse('2026-06-10T09:00:00Z') - app.clock.now().getTime())
/** In the order of their texts: two may be of one millisecond. */
const refunds = async () =>
  (await app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute())
    .map((row) => `${row.amount_pence} ${row.state}`)
    .sort()

test('a move to a cheaper choice refunds at most what a refund in the dashboard has left', async () => {
  const session = await bookSession(app, { practitioner, client, startsAt, type: 'face_to_face' })
  const intent = await intentOf(session)
  await dashboard.refund(intent.gateway_ref, 7000)
  await look(intent.id)
  const moved = await app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: session, type: 'online', service_id: 1, appointment_datetime: startsAt },
  })
  expect([moved.status, moved.body.fee, await refunds()]).toEqual([
    200,
    60,
    ['1000 succeeded', '7000 succeeded'],
  ])
  expect(await dashboard.balance()).toBe(0)
  expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
})

describe('a refund in the dashboard', () => {
  test('is in the ledger, on screens and on the incident list; a cancellation refunds only the rest', async () => {
    const session = await book()
    const intent = await intentOf(session)
    await dashboard.refund(intent.gateway_ref, 2000)
    await look(intent.id)
    await look(intent.id)
    expect(await ledger(app)).toEqual({ gateway_balance: 4000, practitioner_payable: -4000 })
    expect(await seenByClient()).toMatchObject({ refund: { amount: 20, state: 'succeeded' } })
    const token = await asAdmin()
    expect(await paid(token)).toMatchObject({ paid: 60, refunded: 20, refunds: [{ origin: 'gateway' }] })
    const [incident, ...others] = await incidents(token)
    expect(incident).toMatchObject({ kind: 'refund', amount: 20, session_id: session, decisions: ['noted'] })
    expect(others).toEqual([])

    expect((await cancel(session)).status).toBe(200)
    expect(await refunds()).toEqual(['2000 succeeded', '4000 succeeded'])
    expect(await dashboard.balance()).toBe(0)
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })

    expect((await resolve(token, String(incident?.incident_id), 'noted')).body).toEqual({ total: 0 })
    expect((await resolve(token, String(incident?.incident_id), 'noted')).status).toBe(409)
    const audit = await app.db.selectFrom('audit_log').select(['action', 'reason']).execute()
    expect(audit).toContainEqual({
      action: 'resolve gateway incident',
      reason: 'Looked at in the dashboard.',
    })
  })

  test('whose event was lost is booked by a cancellation that refunds too much, at once', async () => {
    const session = await book()
    const { gateway_ref: ref } = await intentOf(session)
    await dashboard.refund(ref)
    expect((await cancel(session)).status).toBe(200)
    expect(await refunds()).toEqual(['6000 succeeded', '6000 withdrawn'])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    app.clock.advance(hours(1))
    await app.services.payments.recover()
    expect(await dashboard.balance()).toBe(0)
  })

  test('is found by the comparison by night when its event is lost, once', async () => {
    const session = await book()
    await dashboard.refund((await intentOf(session)).gateway_ref)
    app.clock.advance(hours(21))
    await compareByNight()
    await compareByNight()
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    expect(await incidents(await asAdmin())).toHaveLength(1)
  })

  test('is found for 200 days after the payment has changed, and again once it changes', async () => {
    const { id, gateway_ref: ref } = await intentOf(await book())
    const found = async () => (await incidents(await asAdmin())).length
    app.clock.advance(hours(21))
    await compareByNight()
    const compared = app.clock.now()
    app.clock.advance(days(200))
    await dashboard.refund(ref)
    await compareByNight()
    expect(await found()).toBe(0)
    // Set aside: the nights that follow do not read it.
    expect(
      await app.db.selectFrom('payment_intents').select('id').where('compared_at', '<=', compared).execute(),
    ).toEqual([])
    const changed = { updated_at: app.clock.now(), attempts: 1 }
    await app.db.updateTable('payment_intents').set(changed).where('id', '=', id).execute()
    await compareByNight()
    expect(await found()).toBe(1)
    app.clock.advance(hours(21))
    await compareByNight()
    expect(await found()).toBe(1)
  })

  test('sends one mail to the back office', async () => {
    const session = await book()
    await createAdmin(app)
    await app.queue.drain()
    const before = app.mails().length
    const intent = await intentOf(session)
    await dashboard.refund(intent.gateway_ref)
    await look(intent.id)
    await look(intent.id)
    await app.queue.drain()
    const subjects = app
      .mails()
      .slice(before)
      .map((mail) => readMail(mail).subject)
    expect(subjects.filter((subject) => subject.startsWith('A refund'))).toEqual([
      'A refund was made at the payment provider',
    ])
  })

  test('as a dispute sends one mail as it opens and one as it is lost, which needs a decision', async () => {
    const session = await book()
    await createAdmin(app)
    await app.queue.drain()
    const before = app.mails().length
    const subjects = async () => {
      await app.queue.drain()
      return app
        .mails()
        .slice(before)
        .map((mail) => readMail(mail).subject)
    }
    const intent = await intentOf(session)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await look(intent.id)
    expect(await subjects()).toEqual(['A payment is disputed'])
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    await look(intent.id)
    expect(await subjects()).toEqual(['A payment is disputed', 'A dispute is lost'])
  })

  test('sends one mail each to client and practitioner, as a refund by the back office does', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const session = await book()
    const byOffice = await bookSession(app, { practitioner, client, startsAt: '2026-06-02T09:00:00Z' })
    await app.queue.drain()
    const intent = await intentOf(session)
    const since = () => app.mails().map(readMail)
    const tellOf = async (act: () => Promise<unknown>) => {
      const before = since().length
      await act()
      await app.queue.drain()
      return since()
        .slice(before)
        .filter(({ to }) => to === client.email || to === practitioner.email)
        .map(({ to, subject }) => `${to === client.email ? 'client' : 'practitioner'}: ${subject}`)
        .toSorted()
    }
    const there = await tellOf(async () => {
      await dashboard.refund(intent.gateway_ref, 2000)
      await look(intent.id)
      await look(intent.id)
    })
    expect(there).toHaveLength(2)
    expect(await tellOf(() => look(intent.id))).toEqual([])
    const again = await tellOf(async () => {
      await dashboard.refund(intent.gateway_ref, 1000)
      await look(intent.id)
    })
    expect(again).toEqual(there)
    app.clock.set('2026-06-02T09:30:00Z')
    const office = await tellOf(async () => {
      const answer = await app.call('POST', `/admin/payments/${byOffice}/refund`, {
        token: await asAdmin(),
        body: { amount: 20, reason: 'They waited.', refunded_before: 0 },
      })
      expect(answer.status).toBe(200)
    })
    expect(there).toEqual(office)
  })

  test('of a payment that was never booked sends mail only to the back office', async () => {
    const session = await book()
    const intent = await intentOf(session)
    await sql`update appointments set first_booked_at = null, state = 'cancelled', cancelled_by = 'client'
      where id = ${session}`.execute(app.db)
    await app.queue.drain()
    const before = app.mails().length
    await dashboard.refund(intent.gateway_ref, 2000)
    await look(intent.id)
    await app.queue.drain()
    const to = app
      .mails()
      .slice(before)
      .map((mail) => readMail(mail).to)
    expect(to).not.toContain(client.email)
    expect(to).not.toContain(practitioner.email)
  })
})

describe('a refund that the bank sends back', () => {
  test('reads so for client and admin, is withheld from payouts, and is paid in another way once', async () => {
    const session = await book()
    const intent = await intentOf(session)
    await cancel(session)
    const refund = await app.db.selectFrom('refunds').select('gateway_ref').executeTakeFirstOrThrow()
    await dashboard.failRefund(String(refund.gateway_ref))
    await look(intent.id)
    expect(await refunds()).toEqual(['6000 failed'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const token = await asAdmin()
    expect(await paid(token)).toMatchObject({ refunded: 0, refunds: [{ state: 'failed' }] })
    expect(await payable(token)).toEqual([60, 60, 0])
    const [incident] = await incidents(token)
    expect(incident).toMatchObject({ kind: 'refund_failed', decisions: ['noted', 'paid_otherwise'] })
    const answers = await Promise.all(
      [1, 2, 3].map(() => resolve(token, String(incident?.incident_id), 'paid_otherwise')),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    await look(intent.id)
    expect(await paid(token)).toMatchObject({ refunded: 60, refunds: [{ state: 'paid_otherwise' }] })
    expect(await refundShown(session)).toMatchObject({ amount: 60, by_transfer: 60, state: 'succeeded' })
  })
})

/** The refund that the client reads of a session. */
const refundShown = async (session: string) => {
  const { token } = await signInAgain(app, client)
  return (await app.call('GET', `/appointment/${session}`, { token })).body.refund
}

test('a failed refund that an admin makes again is shown to the client once', async () => {
  const session = await book()
  const intent = await intentOf(session)
  expect((await cancel(session)).status).toBe(200)
  const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await dashboard.failRefund(String(ref))
  await look(intent.id)
  expect(await refundShown(session)).toMatchObject({ amount: 60, failed: 60, state: 'failed' })
  const again = (amount: number, before: number) =>
    asAdmin().then((token) =>
      app.call('POST', `/admin/payments/${session}/refund`, {
        token,
        body: { amount, reason: 'Sent again.', refunded_before: before },
      }),
    )
  expect((await again(25, 0)).status).toBe(200)
  expect(await refundShown(session)).toMatchObject({ amount: 60, failed: 35, state: 'failed' })
  expect((await again(35, 25)).status).toBe(200)
  expect(await refundShown(session)).toEqual({ amount: 60, on_change: 0, state: 'succeeded' })
  expect(await refunds()).toEqual(['2500 succeeded', '3500 succeeded', '6000 failed'])
  expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
})

test.each([
  { made: 'once', after: { gateway_balance: 4800, practitioner_payable: -6000, referral_discounts: 1200 } },
  { made: 'twice', after: { gateway_balance: 3200, practitioner_payable: -4400, referral_discounts: 1200 } },
])(
  'a failed refund for a cheaper choice that an admin makes again takes its discount once; $made',
  async ({ made, after }) => {
    client = await createClient(app, { referral_code: client.referralCode })
    const session = await bookSession(app, { practitioner, client, startsAt, type: 'face_to_face' })
    const intent = await intentOf(session)
    expect([intent.amount_pence, intent.discount_pence]).toEqual([6400, 1600])
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: session, type: 'online', service_id: 1, appointment_datetime: startsAt },
    })
    expect([moved.body.fee, await refunds()]).toEqual([48, ['1600 succeeded']])
    const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    await dashboard.failRefund(String(ref))
    await look(intent.id)
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -8000, referral_discounts: 1600 })
    isOver()
    const token = await asAdmin()
    for (const before of made === 'once' ? [0] : [0, 16]) {
      const body = { amount: 16, reason: 'Sent again.', refunded_before: before }
      expect((await app.call('POST', `/admin/payments/${session}/refund`, { token, body })).status).toBe(200)
    }
    expect(await ledger(app)).toEqual(after)
  },
)

test('a refund of another amount than the failed one, or after that was marked as dealt with, takes no discount', async () => {
  client = await createClient(app, { referral_code: client.referralCode })
  const session = await bookSession(app, { practitioner, client, startsAt, type: 'face_to_face' })
  const intent = await intentOf(session)
  await app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: session, type: 'online', service_id: 1, appointment_datetime: startsAt },
  })
  const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await dashboard.failRefund(String(ref))
  await look(intent.id)
  isOver()
  const token = await asAdmin()
  const refund = (amount: number, before: number) =>
    app.call('POST', `/admin/payments/${session}/refund`, {
      token,
      body: { amount, reason: 'They waited.', refunded_before: before },
    })
  expect((await refund(10, 0)).status).toBe(200)
  expect(await ledger(app)).toMatchObject({ practitioner_payable: -7000, referral_discounts: 1600 })
  // Nor is it taken for a failure that was marked as dealt with.
  const [failed] = await incidents(token)
  expect((await resolve(token, String(failed?.incident_id), 'noted')).status).toBe(200)
  expect((await refund(16, 10)).status).toBe(200)
  expect(await ledger(app)).toMatchObject({ practitioner_payable: -5400, referral_discounts: 1600 })
})

test('of the refunds of two payments, only the one that failed is shown as failed', async () => {
  const session = await book()
  const { token } = await signInAgain(app, client)
  const moved = await app.call('POST', '/appointment/edit-session', {
    token,
    body: {
      appointment_id: session,
      type: 'face_to_face',
      service_id: 1,
      location_id: practitioner.locationId,
      appointment_datetime: startsAt,
      customer_id: await saveCard(app, client, cards.alsoSucceeds),
    },
  })
  expect([moved.status, moved.body.fee]).toEqual([200, 80])
  expect((await cancel(session)).status).toBe(200)
  const surcharge = await app.db
    .selectFrom('refunds')
    .select(['gateway_ref', 'payment_intent_id'])
    .where('amount_pence', '=', 2000)
    .executeTakeFirstOrThrow()
  await dashboard.failRefund(String(surcharge.gateway_ref))
  await look(surcharge.payment_intent_id)
  expect(await refunds()).toEqual(['2000 failed', '6000 succeeded'])
  expect(await refundShown(session)).toMatchObject({ amount: 80, failed: 20, state: 'failed' })
})

test('a refund that was marked as dealt with before its failure was read is on the list again, and withheld', async () => {
  const session = await book()
  const intent = await intentOf(session)
  await cancel(session)
  const refund = await app.db.selectFrom('refunds').select('gateway_ref').executeTakeFirstOrThrow()
  const subject = String(refund.gateway_ref)
  await dashboard.failRefund(subject)
  // As the event is stored, whose payment is read after it.
  const row = { kind: 'refund_failed', gateway: 'sandbox', subject, payment_key: intent.id } as const
  await app.db
    .insertInto('gateway_incidents')
    .values({ id: crypto.randomUUID(), ...row, noted_at: app.clock.now() })
    .execute()
  const token = await asAdmin()
  const [early] = await incidents(token)
  expect((await resolve(token, String(early?.incident_id), 'noted')).status).toBe(200)
  await app.queue.drain()
  const before = app.mails().length
  await look(intent.id)
  await look(intent.id)
  expect(await incidents(token)).toMatchObject([{ kind: 'refund_failed', amount: 60 }])
  expect(await payable(token)).toEqual([60, 60, 0])
  await app.queue.drain()
  expect(app.mails().slice(before)).toHaveLength(1)
  expect((await resolve(token, String(early?.incident_id), 'noted')).status).toBe(200)
  await look(intent.id)
  expect(await incidents(token)).toEqual([])
})

const held = async () => {
  const created = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      datetime: startsAt,
      appointment_type: 'online',
    },
  })
  const session = String(created.body.session_id)
  const answer = await app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: session, customer_id: await saveCard(app, client) },
  })
  expect(answer.status).toBe(200)
  return session
}
const bookHeld = (session: string) =>
  app.call('POST', '/appointment/instant-book', { token: client.token, body: { appointment_id: session } })

/** The payment of a session that was not given back. */
const captured = (session: string) =>
  app.db
    .selectFrom('payment_intents')
    .select(['id', 'gateway_ref'])
    .where('appointment_id', '=', session)
    .where('captured_elsewhere_at', 'is', null)
    .executeTakeFirstOrThrow()

const unlessAway =
  <Sent, Answer>(send: (sent: Sent) => Promise<Answer>) =>
  async (sent: Sent) => {
    if (isAway) throw new Error('The gateway is away.')
    return send(sent)
  }

/** The product again, with a changed gateway. */
async function restartWith(gateway: (sandbox: PaymentGateway) => PaymentGateway): Promise<void> {
  await app.close()
  app = await buildTestApp({ gateway })
  dashboard = sandboxDashboard(app.db)
  client = await createClient(app)
  practitioner = await createPractitioner(app)
}

test('a failed refund is paid by bank transfer only as far as the client does not have the money', async () => {
  const friend = await createClient(app)
  client = await createClient(app, { referral_code: friend.referralCode })
  const session = await book()
  const intent = await intentOf(session)
  expect([intent.amount_pence, intent.discount_pence]).toEqual([4800, 1200])
  expect((await cancel(session)).status).toBe(200)
  const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await dashboard.failRefund(String(ref))
  await look(intent.id)
  const token = await asAdmin()
  const failed = async () => (await incidents(token)).find(({ kind }) => kind === 'refund_failed')
  await dashboard.refund(intent.gateway_ref, 1800)
  await look(intent.id)
  const id = String((await failed())?.incident_id)
  expect(await failed()).toMatchObject({ decisions: ['noted', 'paid_otherwise'] })
  expect((await resolve(token, id, 'paid_otherwise')).status).toBe(200)
  expect(await refunds()).toEqual(['1800 succeeded', '3000 paid_otherwise'])
  expect(await refundShown(session)).toMatchObject({ amount: 48, by_transfer: 30, state: 'succeeded' })
  expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0, referral_discounts: 0 })
})

test('a failed refund that went back in another way is not offered to be paid by bank transfer', async () => {
  const session = await book()
  const intent = await intentOf(session)
  expect((await cancel(session)).status).toBe(200)
  const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await dashboard.failRefund(String(ref))
  await look(intent.id)
  await dashboard.refund(intent.gateway_ref)
  await look(intent.id)
  const token = await asAdmin()
  const failed = (await incidents(token)).find(({ kind }) => kind === 'refund_failed')
  expect(failed).toMatchObject({ decisions: ['noted'] })
  const id = String(failed?.incident_id)
  expect(await resolve(token, id, 'paid_otherwise')).toMatchObject({
    status: 409,
    body: { code: 'transition_refused' },
  })
  expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  expect((await resolve(token, id, 'noted')).status).toBe(200)
})

test('a failed refund is not paid by bank transfer while a dispute of its payment is open', async () => {
  const session = await book()
  const intent = await intentOf(session)
  expect((await cancel(session)).status).toBe(200)
  const { gateway_ref: ref } = await app.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await dashboard.failRefund(String(ref))
  const dispute = await dashboard.dispute(intent.gateway_ref)
  await look(intent.id)
  const token = await asAdmin()
  const failed = async () => (await incidents(token)).find(({ kind }) => kind === 'refund_failed')
  expect(await failed()).toMatchObject({ dispute: 'open', decisions: [] })
  const id = String((await failed())?.incident_id)
  for (const decision of ['paid_otherwise', 'noted'])
    expect(await resolve(token, id, decision)).toMatchObject({
      status: 409,
      body: {
        code: 'transition_refused',
        message: 'The bank has not decided the dispute of this payment yet.',
      },
    })
  expect(await refunds()).toEqual(['6000 failed'])

  // The client has the money by the dispute, so the failed refund is not paid again.
  await dashboard.closeDispute(String(dispute), 'lost')
  await look(intent.id)
  expect(await failed()).toMatchObject({ dispute: null, decisions: ['noted'] })
  expect((await resolve(token, id, 'paid_otherwise')).status).toBe(409)
  expect((await resolve(token, id, 'noted')).status).toBe(200)
})

test('a payment that is captured while an event about it is read is no contradiction', async () => {
  let meanwhile: () => Promise<void> = async () => undefined
  await restartWith((sandbox) => ({
    ...sandbox,
    async inspect(key) {
      const found = await sandbox.inspect(key)
      const act = meanwhile
      meanwhile = async () => undefined
      await act()
      return found
    },
  }))
  const session = await held()
  meanwhile = async () => expect((await bookHeld(session)).status).toBe(200)
  await look((await intentOf(session)).id)
  expect((await intentOf(session)).state).toBe('captured')
  expect(await incidents(await asAdmin())).toEqual([])
})

describe('a capture in the dashboard', () => {
  test('of a cancelled hold is refunded to the client, with or without its event', async () => {
    for (const isTold of [true, false]) {
      const session = await held()
      const intent = await intentOf(session)
      await dashboard.move(intent.gateway_ref, 'captured')
      if (isTold) {
        await look(intent.id)
        expect(await payable(await asAdmin())).toEqual([60, 60, 0])
        expect(await ledger(app)).toMatchObject({ gateway_balance: 6000 })
      }
      expect((await cancel(session)).status).toBe(200)
      expect(await dashboard.balance()).toBe(0)
      expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
      const { state } = await intentOf(session)
      expect(state).toBe('captured')
      client = await signInAgain(app, client)
    }
    expect((await incidents(await asAdmin())).map(({ kind }) => kind)).toEqual(['capture', 'capture'])
  })

  test('of a hold that has ended is payable to no practitioner while it cannot be given back', async () => {
    await restartWith((sandbox) => ({
      ...sandbox,
      void: unlessAway(sandbox.void),
      inspect: unlessAway(sandbox.inspect),
      refund: unlessAway(sandbox.refund),
    }))
    const session = await held()
    const intent = await intentOf(session)
    await dashboard.move(intent.gateway_ref, 'captured')
    await look(intent.id)
    isAway = true
    expect((await cancel(session)).status).toBe(200)
    expect((await intentOf(session)).state).toBe('voiding')
    expect(await payable(await asAdmin())).toEqual([60, 60, 0])
    isAway = false
    app.clock.advance(minutes(1))
    await app.services.payments.recover()
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  })

  test('of a hold that is booked is booked once', async () => {
    const session = await held()
    const intent = await intentOf(session)
    await dashboard.move(intent.gateway_ref, 'captured')
    await look(intent.id)
    const booked = await bookHeld(session)
    expect(booked.body).toMatchObject({ status: 'confirmed' })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await dashboard.balance()).toBe(6000)
  })

  test('of a card that another one has replaced is refunded, and the session still reads as paid to its practitioner', async () => {
    const session = await held()
    const { gateway_ref: ref } = await intentOf(session)
    await dashboard.move(ref, 'captured')
    const again = await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      body: { session_id: session, customer_id: await saveCard(app, client, cards.alsoSucceeds) },
    })
    expect(again.status).toBe(200)
    expect((await bookHeld(session)).body).toMatchObject({ status: 'confirmed' })
    expect(await refunds()).toEqual(['6000 succeeded'])
    expect(await dashboard.balance()).toBe(6000)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const listed = async () => {
      const token = await signInPractitioner(app, practitioner)
      const { body } = await app.call('GET', '/therapist/sessions?when=upcoming', { token })
      return (body.data as unknown as TherapistSession[])[0]
    }
    expect(await listed()).toMatchObject({ fee: 60, owed: 60, payment_change: null })
    await dashboard.refund(String((await captured(session)).gateway_ref), 2000)
    await look((await captured(session)).id)
    expect(await listed()).toMatchObject({ fee: 60, owed: 40, payment_change: 'partly_refunded' })
  })

  test('an authorisation that ended there before the capture is on the list, and nothing is booked', async () => {
    const session = await held()
    const intent = await intentOf(session)
    await dashboard.move(intent.gateway_ref, 'voided')
    await bookHeld(session)
    app.clock.advance(minutes(1))
    await app.services.payments.recover()
    expect(await ledger(app)).toEqual({})
    expect((await intentOf(session)).state).toBe('voided')
    const list = await incidents(await asAdmin())
    expect(list).toMatchObject([{ kind: 'release', session_id: session, amount: 60 }])

    // It takes place all the same, and its practitioner is owed nothing for it.
    app.clock.set(startsAt)
    const token = await signInPractitioner(app, practitioner)
    const earnings = await app.call('GET', '/therapist/earnings', { token })
    const months = Array(12).fill(expect.objectContaining({ amount: 0 }))
    expect(earnings.body).toMatchObject({ owed: 0, months })
  })

  test('an authorisation that ended there before the capture of a cancelled session leaves no refund on its way', async () => {
    await restartWith((sandbox) => ({
      ...sandbox,
      capture: unlessAway(sandbox.capture),
      inspect: unlessAway(sandbox.inspect),
      refund: unlessAway(sandbox.refund),
    }))
    const session = await held()
    isAway = true
    expect((await bookHeld(session)).status).toBe(200)
    expect((await cancel(session)).status).toBe(200)
    expect(await refunds()).toEqual(['6000 requested'])
    await dashboard.move((await intentOf(session)).gateway_ref, 'voided')
    isAway = false
    app.clock.advance(minutes(1))
    await app.services.payments.recover()
    expect([(await intentOf(session)).state, await refunds()]).toEqual(['voided', ['6000 withdrawn']])
    const { token } = await signInAgain(app, client)
    const leaving = await app.call('GET', '/client/delete-account', { token })
    expect([leaving.body, await ledger(app)]).toEqual([{ hindrances: [] }, {}])
    const body = { current_password: password, understood: true }
    const left = await app.call('POST', '/client/delete-account', { token, body })
    expect([left.status, left.body.message]).toEqual([200, undefined])
    expect(await refunds()).toEqual([])
  })
})

describe('a dispute', () => {
  test('withholds the amount owed while it is open, and restores it when it is won', async () => {
    const session = await book()
    const intent = await intentOf(session)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await look(intent.id)
    expect(await ledger(app)).toEqual({
      gateway_balance: 0,
      disputed_funds: 6000,
      practitioner_payable: -6000,
    })
    expect(await seenByClient()).toMatchObject({ dispute: 'open' })
    isOver()
    const token = await asAdmin()
    expect(await payable(token)).toEqual([60, 60, 0])
    expect(await paid(token)).toMatchObject({ refundable: 0, disputes: [{ amount: 60, state: 'open' }] })
    const [incident] = await incidents(token)
    expect(incident).toMatchObject({ kind: 'dispute', dispute: 'open', decisions: [] })
    expect((await resolve(token, String(incident?.incident_id), 'borne_by_platform')).status).toBe(409)

    await dashboard.closeDispute(String(dispute), 'won')
    await look(intent.id)
    expect(await ledger(app)).toEqual({
      gateway_balance: 6000,
      disputed_funds: 0,
      practitioner_payable: -6000,
    })
    expect(await incidents(token)).toEqual([])
    expect(await payable(token)).toEqual([60, 0, 60])
  })

  test.each([
    { decision: 'borne_by_platform', payableAfter: [60, 0, 60], losses: 6000, mailed: [] },
    {
      decision: 'borne_by_practitioner',
      payableAfter: undefined,
      losses: 0,
      mailed: ['A bank took back a payment for a session with you'],
    },
  ])('lost is $decision by an admin alone', async ({ decision, payableAfter, losses, mailed }) => {
    const session = await book()
    const intent = await intentOf(session)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await look(intent.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    isOver()
    const token = await asAdmin()
    expect(await payable(token)).toEqual([60, 60, 0])
    expect(await paid(token)).toMatchObject({ refundable: 0 })
    const [incident] = await incidents(token)
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    await app.queue.drain()
    const before = app.mails().length
    expect((await resolve(token, String(incident?.incident_id), decision)).status).toBe(200)
    expect(await payable(token)).toEqual(payableAfter)
    await app.queue.drain()
    const mails = app.mails().slice(before).map(readMail)
    expect(mails.map(({ subject }) => subject)).toEqual(mailed)
    for (const { to, text } of mails) {
      expect(to).toBe(practitioner.email)
      expect(text.replaceAll(/\s+/g, ' ')).toContain('£60.00 is taken off what you are owed.')
    }
    expect(await ledger(app)).toMatchObject({ gateway_balance: 0, disputed_funds: 0, dispute_losses: losses })
  })

  test('lost for all of a payment that was refunded in part is borne by its practitioner for the rest alone', async () => {
    const session = await book()
    const intent = await intentOf(session)
    await dashboard.refund(intent.gateway_ref, 2000)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    // All of the payment is disputed, as a bank may do.
    await app.db
      .updateTable('sandbox_gateway.disputes')
      .set({ amount_pence: 6000, withdrawn_pence: 6000 })
      .execute()
    await look(intent.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    const token = await asAdmin()
    const incident = (await incidents(token)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(token, String(incident?.incident_id), 'borne_by_practitioner')).status).toBe(200)
    expect(await ledger(app)).toMatchObject({ practitioner_payable: 0, dispute_losses: 2000 })
  })

  test.each([
    { refunded: 'in part', parts: [2000], bearer: 'practitioner', isCalledOff: false, left: 0 },
    { refunded: 'in full', parts: [6000], bearer: 'practitioner', isCalledOff: false, left: 0 },
    { refunded: 'in two parts', parts: [1000, 3000], bearer: 'practitioner', isCalledOff: false, left: 0 },
    { refunded: 'in part', parts: [2000], bearer: 'platform', isCalledOff: true, left: 0 },
    { refunded: 'in part', parts: [2000], bearer: 'platform', isCalledOff: false, left: 6000 },
  ])(
    'lost for all of a payment that was refunded $refunded, and borne by the $bearer, leaves $left pence owed once the refund fails, without a mail; called off: $isCalledOff',
    async ({ parts, bearer, isCalledOff, left }) => {
      await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
      const session = await book()
      await bookSession(app, { practitioner, client, startsAt: '2026-06-08T13:00:00Z' })
      const intent = await intentOf(session)
      const dispute = await dashboard.dispute(intent.gateway_ref)
      const withdraw = (withdrawn_pence: number) =>
        app.db.updateTable('sandbox_gateway.disputes').set({ withdrawn_pence }).execute()
      // The bank takes all of the payment, also what was refunded.
      await withdraw(0)
      const made: { name: string; pence: number }[] = []
      for (const pence of parts)
        made.push({ name: String(await dashboard.refund(intent.gateway_ref, pence)), pence })
      await withdraw(6000)
      await dashboard.closeDispute(String(dispute), 'lost')
      await look(intent.id)
      if (isCalledOff) {
        const cancelled = { state: 'cancelled', cancelled_by: 'client' } as const
        await app.db.updateTable('appointments').set(cancelled).where('id', '=', session).execute()
      }
      isOver()
      const token = await asAdmin()
      const lost = (await incidents(token)).find(({ kind }) => kind === 'dispute')
      expect((await resolve(token, String(lost?.incident_id), `borne_by_${bearer}`)).status).toBe(200)
      const sums = async () => {
        const { practitioner_payable = 0, dispute_losses = 0 } = await ledger(app)
        return { owed: 0 - practitioner_payable - 6000, losses: dispute_losses }
      }
      let refunded = parts.reduce((sum, pence) => sum + pence, 0)
      const expected = () =>
        left === 0 ? { owed: 0, losses: refunded } : { owed: left - refunded, losses: 6000 }
      expect(await sums()).toEqual(expected())
      await app.queue.drain()
      const before = app.mails().length
      for (const { name, pence } of made) {
        await dashboard.failRefund(name)
        refunded -= pence
        for (let times = 0; times < 2; times++) {
          await look(intent.id)
          expect(await sums()).toEqual(expected())
        }
      }
      await compareByNight()
      expect(await sums()).toEqual(expected())
      await app.queue.drain()
      const mails = app.mails().slice(before).map(readMail)
      expect(mails.filter(({ to }) => to === practitioner.email)).toEqual([])
      const owed = left / 100
      // The other session is paid out.
      expect(await payable(token)).toEqual([owed + 60, owed, 60])
      const own = await signInPractitioner(app, practitioner)
      const past = await app.call('GET', '/therapist/sessions?when=past', { token: own })
      expect(past.body.data).toContainEqual(expect.objectContaining({ appointment_id: session, owed }))
      const balance = await app.call('GET', '/therapist/balance', { token: own })
      expect(balance.body).toMatchObject({
        paid_by_clients: 120,
        refunded: 0,
        returned_after_disputes: 60 - owed,
        owed: owed + 60,
      })
    },
  )

  test('charged in part by the release before, whose refund failed there, is charged in full by night, once', async () => {
    const session = await book()
    const intent = await intentOf(session)
    const refund = await dashboard.refund(intent.gateway_ref, 2000)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    const taken = { amount_pence: 6000, withdrawn_pence: 6000 }
    await app.db.updateTable('sandbox_gateway.disputes').set(taken).execute()
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    const token = await asAdmin()
    const lost = (await incidents(token)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(token, String(lost?.incident_id), 'borne_by_practitioner')).status).toBe(200)
    // As the release before leaves it: the refund is reversed, and nothing more.
    await dashboard.failRefund(String(refund))
    const { id } = await app.db
      .updateTable('refunds')
      .set({ state: 'failed' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await inTransaction(app.db, (tx) =>
      postLedger(tx, 'refund_failed', id, app.clock.now(), [
        { account: 'gateway_balance', practitioner_id: null, amount_pence: 2000 },
        { account: 'practitioner_payable', practitioner_id: practitioner.id, amount_pence: -2000 },
      ]),
    )
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -2000, dispute_losses: 2000 })
    for (let nights = 0; nights < 2; nights++) {
      await compareByNight()
      expect(await ledger(app)).toMatchObject({ practitioner_payable: 0, dispute_losses: 0 })
    }
  })

  test('lost for more than a payment had left leaves all of the second payment to an admin, who sees and refunds as much', async () => {
    const service = { service_id: 1, duration_minutes: 50 }
    practitioner = await createPractitioner(app, {
      services: [
        { ...service, appointment_type: 'online', fee_pence: 6000 },
        { ...service, appointment_type: 'face_to_face', fee_pence: 10_000 },
      ],
    })
    const session = await book()
    const intent = await intentOf(session)
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: {
        appointment_id: session,
        type: 'face_to_face',
        service_id: 1,
        appointment_datetime: startsAt,
        customer_id: await saveCard(app, client),
      },
    })
    expect(moved.body.fee).toBe(100)
    await dashboard.refund(intent.gateway_ref, 2000)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    // All of the payment is disputed, as a bank may do.
    await app.db
      .updateTable('sandbox_gateway.disputes')
      .set({ amount_pence: 6000, withdrawn_pence: 6000 })
      .execute()
    await look(intent.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    isOver()
    const token = await asAdmin()
    const lost = (await incidents(token)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(token, String(lost?.incident_id), 'borne_by_platform')).status).toBe(200)
    expect(await paid(token)).toMatchObject({ paid: 100, refunded: 20, refundable: 40 })
    const refund = (body: object) =>
      app.call('POST', `/admin/payments/${session}/refund`, {
        token,
        body: { reason: 'They waited.', refunded_before: 20, ...body },
      })
    expect((await refund({ amount: 40.01 })).status).toBe(422)
    expect((await refund({})).body).toMatchObject({ refunded: 60, refundable: 0 })
    expect(await refunds()).toEqual(['2000 succeeded', '4000 succeeded'])
    const audit = await app.db
      .selectFrom('audit_log')
      .select('subject')
      .where('action', '=', 'refund session')
      .execute()
    expect(audit).toEqual([{ subject: `£40.00 of session ${session}` }])
    // The session took place: what the platform bears of it is still owed.
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -4000, dispute_losses: 6000 })
  })

  test('lost for a discounted session and borne by its practitioner leaves nothing owed, the discount included', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    const session = await bookSession(app, { practitioner, client: referred, startsAt })
    const intent = await intentOf(session)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await look(intent.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    isOver()
    const token = await asAdmin()
    const [incident] = await incidents(token)
    await resolve(token, String(incident?.incident_id), 'borne_by_practitioner')
    expect(await ledger(app)).toEqual({
      gateway_balance: 0,
      disputed_funds: 0,
      dispute_losses: 0,
      practitioner_payable: 0,
      referral_discounts: 0,
    })
    const own = await signInPractitioner(app, practitioner)
    const past = await app.call('GET', '/therapist/sessions?when=past', { token: own })
    expect(past.body.data).toMatchObject([{ appointment_id: session, owed: 0 }])
    const { body: balance } = await app.call('GET', '/therapist/balance', { token: own })
    expect(balance).toMatchObject({
      paid_by_clients: 48,
      refunded: 0,
      returned_after_disputes: 48,
      discounts_borne_by_us: 0,
      paid_out: 0,
      owed: 0,
    })
    const statement = await fetch(`${app.origin}/api/v7/therapist/statements/2026-06?format=csv`, {
      headers: { authorization: `Bearer ${own}` },
    })
    // Each row adds up: what the client paid and our share are what is owed.
    const amounts = (await statement.text()).split('\r\n').map((row) => row.split(',').slice(-3).join(','))
    expect(amounts.slice(2, 4)).toEqual(['"48.00","12.00","60.00"', '"-48.00","-12.00","-60.00"'])
  })

  test('of two that are lost for one discounted payment takes the discount off its practitioner once', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    const session = await bookSession(app, { practitioner, client: referred, startsAt })
    const intent = await intentOf(session)
    const first = await dashboard.dispute(intent.gateway_ref)
    await app.db
      .updateTable('sandbox_gateway.disputes')
      .set({ amount_pence: 3000, withdrawn_pence: 3000 })
      .execute()
    const second = await dashboard.dispute(intent.gateway_ref)
    for (const dispute of [first, second]) await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    const token = await asAdmin()
    const lost = await incidents(token)
    expect(lost.map(({ amount }) => amount).toSorted()).toEqual([18, 30])
    for (const { incident_id: id } of lost)
      expect((await resolve(token, id, 'borne_by_practitioner')).status).toBe(200)
    expect(await ledger(app)).toEqual({
      gateway_balance: 0,
      disputed_funds: 0,
      dispute_losses: 0,
      practitioner_payable: 0,
      referral_discounts: 0,
    })
  })

  test.each(['the dashboard', 'a bank transfer'])(
    'lost for a part of a discounted payment and borne by its practitioner leaves nothing owed once the rest went back by %s, and the rest with the discount once a refund of it fails',
    async (way) => {
      client = await createClient(app, { referral_code: client.referralCode })
      const session = await book()
      const intent = await intentOf(session)
      const refund = way === 'a bank transfer' && (await dashboard.refund(intent.gateway_ref, 2000))
      const dispute = await dashboard.dispute(intent.gateway_ref)
      const part = { amount_pence: 2800, withdrawn_pence: 2800 }
      await app.db.updateTable('sandbox_gateway.disputes').set(part).execute()
      await dashboard.closeDispute(String(dispute), 'lost')
      await look(intent.id)
      if (refund) {
        await dashboard.failRefund(refund)
        await look(intent.id)
      }
      const token = await asAdmin()
      const find = async (kind: string) => (await incidents(token)).find((each) => each.kind === kind)
      const decide = async (kind: string, decision: string) =>
        expect((await resolve(token, String((await find(kind))?.incident_id), decision)).status).toBe(200)
      await decide('dispute', 'borne_by_practitioner')
      expect(await ledger(app)).toMatchObject({ practitioner_payable: -3200, referral_discounts: 1200 })
      const second = refund ? undefined : String(await dashboard.refund(intent.gateway_ref, 2000))
      if (refund) await decide('refund_failed', 'paid_otherwise')
      const nothing = { practitioner_payable: 0, referral_discounts: 0, dispute_losses: 0 }
      for (let times = 0; times < 2; times++) {
        await look(intent.id)
        expect(await ledger(app)).toMatchObject(nothing)
      }
      await compareByNight()
      expect(await ledger(app)).toMatchObject(nothing)
      // PostgreSQL notes in a row which transaction locked it last: with nothing to take off, the night locks none.
      const lastLock = () => sql`select xmax::text from payment_intents`.execute(app.db)
      const { rows: before } = await lastLock()
      await compareByNight()
      expect((await lastLock()).rows).toEqual(before)
      const own = await signInPractitioner(app, practitioner)
      const balance = await app.call('GET', '/therapist/balance', { token: own })
      expect(balance.body).toMatchObject({
        paid_by_clients: 48,
        refunded: 20,
        returned_after_disputes: 28,
        owed: 0,
      })
      if (!second) return
      await dashboard.failRefund(second)
      for (let times = 0; times < 2; times++) {
        await look(intent.id)
        expect(await ledger(app)).toMatchObject({ practitioner_payable: -3200, referral_discounts: 1200 })
      }
      await compareByNight()
      expect(await ledger(app)).toMatchObject({ practitioner_payable: -3200, referral_discounts: 1200 })
      // Paid by bank transfer, it takes the discount off again.
      await decide('refund_failed', 'paid_otherwise')
      expect(await ledger(app)).toMatchObject(nothing)
    },
  )

  test('lost for a discounted session and borne by its practitioner leaves no discount to a later refund', async () => {
    client = await createClient(app, { referral_code: client.referralCode })
    const session = await book()
    const intent = await intentOf(session)
    const refund = await dashboard.refund(intent.gateway_ref, 2000)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    const token = await asAdmin()
    const lost = (await incidents(token)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(token, String(lost?.incident_id), 'borne_by_practitioner')).status).toBe(200)
    await dashboard.failRefund(String(refund))
    await look(intent.id)
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -2000, referral_discounts: 0 })
    expect((await cancel(session)).status).toBe(200)
    const requested = await app.db
      .selectFrom('refunds')
      .select(['amount_pence', 'discount_pence'])
      .where('state', '=', 'requested')
      .execute()
    expect(requested).toEqual([{ amount_pence: 2000, discount_pence: 0 }])
  })

  test('borne by the platform for a session that was called off without it is taken off by night, once', async () => {
    const [calledOff, kept] = [
      await book(),
      await bookSession(app, { practitioner, client, startsAt: '2026-06-09T13:00:00Z' }),
    ]
    for (const session of [calledOff, kept]) {
      const intent = await intentOf(session)
      const dispute = await dashboard.dispute(intent.gateway_ref)
      await dashboard.closeDispute(String(dispute), 'lost')
      await look(intent.id)
    }
    const token = await asAdmin()
    for (const { incident_id: id } of await incidents(token))
      expect((await resolve(token, id, 'borne_by_platform')).status).toBe(200)
    // As the release before leaves it, which takes nothing off.
    await app.db
      .updateTable('appointments')
      .set({ state: 'cancelled', cancelled_by: 'client' })
      .where('id', '=', calledOff)
      .execute()
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -12_000, dispute_losses: 12_000 })
    await compareByNight()
    await compareByNight()
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -6000, dispute_losses: 6000 })
  })

  test.each([
    { of: 'all', by: 'client', disputed: 4800, waiting: 0 },
    { of: 'all', by: 'practitioner', disputed: 4800, waiting: 0 },
    { of: 'all', by: 'admin', disputed: 4800, waiting: 0 },
    { of: 'a part', by: 'client', disputed: 1800, waiting: 3000 },
  ])(
    'lost for $of of a discounted payment and borne by the platform leaves nothing owed when the $by cancels the session',
    async ({ by, disputed, waiting }) => {
      client = await createClient(app, { referral_code: client.referralCode })
      const session = await book()
      const intent = await intentOf(session)
      const dispute = await dashboard.dispute(intent.gateway_ref)
      await app.db
        .updateTable('sandbox_gateway.disputes')
        .set({ amount_pence: disputed, withdrawn_pence: disputed })
        .execute()
      await dashboard.closeDispute(String(dispute), 'lost')
      await look(intent.id)
      const token = await asAdmin()
      const [lost] = await incidents(token)
      expect((await resolve(token, String(lost?.incident_id), 'borne_by_platform')).status).toBe(200)
      expect(await ledger(app)).toMatchObject({ practitioner_payable: -6000, dispute_losses: disputed })
      const own = await signInPractitioner(app, practitioner)
      const cancelled = {
        client: () => cancel(session),
        practitioner: () =>
          app.call('POST', `/therapist/sessions/${session}/cancel`, { token: own, body: {} }),
        admin: () =>
          app.call('POST', `/admin/sessions/${session}/cancel`, { token, body: { reason: 'Asked for.' } }),
      }[by]
      expect((await cancelled?.())?.status).toBe(200)
      // The sandbox refunds nothing of a disputed payment, so the refund of the rest waits with its discount.
      const discount = waiting > 0 ? 1200 : 0
      expect(await ledger(app)).toEqual({
        gateway_balance: waiting,
        disputed_funds: 0,
        dispute_losses: 0,
        practitioner_payable: 0 - waiting - discount,
        referral_discounts: discount,
      })
      expect(await refunds()).toEqual(waiting > 0 ? [`${waiting} requested`] : [])
      expect((await app.call('GET', '/therapist/balance', { token: own })).body).toMatchObject({
        paid_by_clients: 48,
        returned_after_disputes: disputed / 100,
        owed: (waiting + discount) / 100,
      })
      expect(await payable(token)).toEqual(waiting > 0 ? [42, 42, 0] : undefined)
      const past = await app.call('GET', '/therapist/sessions?when=past', { token: own })
      expect(past.body.data).toMatchObject([{ appointment_id: session, status: 'cancelled', owed: 0 }])
    },
  )

  test('lost for a discounted session lets it be cancelled, with nothing more refunded, nor owed once the platform bears it', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    const session = await bookSession(app, { practitioner, client: referred, startsAt })
    const intent = await intentOf(session)
    expect([intent.amount_pence, intent.discount_pence]).toEqual([4800, 1200])
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await look(intent.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: referred.token,
      body: { appointment_id: session },
    })
    expect([cancelled.status, cancelled.body.status, await refunds()]).toEqual([200, 'cancelled', []])
    const token = await asAdmin()
    expect(await payable(token)).toEqual([60, 60, 0])
    const [lost] = await incidents(token)
    expect((await resolve(token, String(lost?.incident_id), 'borne_by_platform')).status).toBe(200)
    expect(await payable(token)).toBeUndefined()
    expect(await ledger(app)).toMatchObject({ dispute_losses: 0, referral_discounts: 0 })
  })

  test('of a surcharge that is lost leaves nothing to refund when the client moves back, and a later surcharge all', async () => {
    const session = await book()
    const card = await saveCard(app, client)
    const moveTo = async (type: string) => {
      const { token } = await signInAgain(app, client)
      const body = {
        appointment_id: session,
        type,
        service_id: 1,
        appointment_datetime: startsAt,
        customer_id: card,
      }
      return app.call('POST', '/appointment/edit-session', { token, body })
    }
    expect((await moveTo('face_to_face')).body.fee).toBe(80)
    const surcharge = await app.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('purpose', '=', 'change')
      .executeTakeFirstOrThrow()
    const dispute = await dashboard.dispute(String(surcharge.gateway_ref))
    await look(surcharge.id)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(surcharge.id)
    const back = await moveTo('online')
    expect([back.status, back.body.fee, await refunds()]).toEqual([200, 60, []])
    expect(await dashboard.balance()).toBe(6000)
    expect((await moveTo('face_to_face')).body.fee).toBe(80)
    expect((await moveTo('online')).body.fee).toBe(60)
    expect([await refunds(), await dashboard.balance()]).toEqual([['2000 succeeded'], 6000])
  })

  test('lost for as much as a cheaper choice would refund leaves the discount alone to refund, with no mail about a refund', async () => {
    client = await createClient(app, { referral_code: client.referralCode })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const session = await bookSession(app, { practitioner, client, startsAt, type: 'face_to_face' })
    const intent = await intentOf(session)
    expect([intent.amount_pence, intent.discount_pence]).toEqual([6400, 1600])
    const dispute = await dashboard.dispute(intent.gateway_ref)
    const part = { amount_pence: 1600, withdrawn_pence: 1600 }
    await app.db.updateTable('sandbox_gateway.disputes').set(part).execute()
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(intent.id)
    await app.queue.drain()
    const before = app.mails().length
    const { token } = await signInAgain(app, client)
    const moved = await app.call('POST', '/appointment/edit-session', {
      token,
      body: { appointment_id: session, type: 'online', service_id: 1, appointment_datetime: startsAt },
    })
    expect([moved.status, moved.body.fee]).toEqual([200, 48])
    app.clock.advance(minutes(5))
    await app.services.payments.recover()
    await app.queue.drain()
    expect(
      await app.db.selectFrom('refunds').select(['amount_pence', 'discount_pence', 'state']).execute(),
    ).toEqual([{ amount_pence: 0, discount_pence: 400, state: 'succeeded' }])
    const mails = app.mails().slice(before).map(readMail)
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'A session was changed',
      'Your session has changed',
    ])
    for (const { text } of mails) expect(text).not.toContain('£0.00')
    // Once an admin has decided, the practitioner is owed the new price.
    const admin = await asAdmin()
    const lost = (await incidents(admin)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(admin, String(lost?.incident_id), 'borne_by_practitioner')).status).toBe(200)
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -6000, referral_discounts: 1200 })
  })

  test('of a discounted surcharge that is lost and borne by its practitioner leaves the price before it owed when the client moves back', async () => {
    client = await createClient(app, { referral_code: client.referralCode })
    const session = await book()
    const card = await saveCard(app, client)
    const moveTo = async (type: string) => {
      const { token } = await signInAgain(app, client)
      const body = { appointment_id: session, type, service_id: 1, appointment_datetime: startsAt }
      return app.call('POST', '/appointment/edit-session', { token, body: { ...body, customer_id: card } })
    }
    expect((await moveTo('face_to_face')).body.fee).toBe(64)
    const surcharge = await app.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('purpose', '=', 'change')
      .executeTakeFirstOrThrow()
    expect([surcharge.amount_pence, surcharge.discount_pence]).toEqual([1600, 400])
    const dispute = await dashboard.dispute(String(surcharge.gateway_ref))
    await dashboard.closeDispute(String(dispute), 'lost')
    await look(surcharge.id)
    expect((await moveTo('online')).body.fee).toBe(48)
    expect(await refunds()).toEqual([])
    const token = await asAdmin()
    const lost = (await incidents(token)).find(({ kind }) => kind === 'dispute')
    expect((await resolve(token, String(lost?.incident_id), 'borne_by_practitioner')).status).toBe(200)
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -6000, referral_discounts: 1200 })
  })

  test('open when the session is cancelled holds the refund, which goes when it is won', async () => {
    const session = await book()
    const intent = await intentOf(session)
    const dispute = await dashboard.dispute(intent.gateway_ref)
    await cancel(session)
    app.clock.advance(hours(1))
    await app.services.payments.recover()
    expect(await refunds()).toEqual(['6000 requested'])
    await dashboard.closeDispute(String(dispute), 'won')
    await look(intent.id)
    app.clock.advance(minutes(5))
    await app.services.payments.recover()
    expect(await refunds()).toEqual(['6000 succeeded'])
    expect(await dashboard.balance()).toBe(0)
    expect(await ledger(app)).toEqual({ gateway_balance: 0, disputed_funds: 0, practitioner_payable: 0 })
  })
})

test('a card that its bank declines after the question is removed when the decision comes as an event', async () => {
  const card = await saveCard(app, client, cards.authentication)
  const held = {
    practitioner_id: practitioner.id,
    booking_type: 'schedule',
    service_id: 1,
    datetime: startsAt,
  }
  const created = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: { ...held, appointment_type: 'online' },
  })
  const session = String(created.body.appointment_id)
  const asked = await app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: session, customer_id: card },
  })
  expect(asked.body.code).toBe('authentication_required')
  const intent = await intentOf(session)
  await app.db
    .updateTable('sandbox_gateway.payments')
    .set({ state: 'declined', decline_code: 'card_declined' })
    .where('ref', '=', intent.gateway_ref)
    .execute()
  await look(intent.id)
  const kept = await app.call('GET', '/payment/sandbox/get-client-cards', { token: client.token })
  expect([(await intentOf(session)).state, kept.body]).toEqual(['declined', []])
  expect(await ledger(app)).toEqual({})
})

test('incidents that can be decided come first, then the oldest', async () => {
  const disputed = await intentOf(await book())
  const refund = String(await dashboard.refund(disputed.gateway_ref, 2000))
  await look(disputed.id)
  await dashboard.failRefund(refund)
  await dashboard.dispute(disputed.gateway_ref)
  await look(disputed.id)
  // As the event of a dispute is stored, whose payment is read after it.
  const unread = {
    kind: 'dispute',
    gateway: 'sandbox',
    subject: 'du_unread',
    payment_key: disputed.id,
  } as const
  await app.db
    .insertInto('gateway_incidents')
    .values({ id: crypto.randomUUID(), ...unread, noted_at: app.clock.now() })
    .execute()
  const bookLater = async (at: string) => {
    app.clock.advance(minutes(1))
    client = await createClient(app)
    return intentOf(await bookSession(app, { practitioner, client, startsAt: at }))
  }
  const lost = await bookLater('2026-06-08T11:00:00Z')
  await dashboard.closeDispute(String(await dashboard.dispute(lost.gateway_ref)), 'lost')
  await look(lost.id)
  const refunded = await bookLater('2026-06-08T13:00:00Z')
  await dashboard.refund(refunded.gateway_ref)
  await look(refunded.id)
  const listed = await incidents(await asAdmin())
  const decidable = listed.slice(0, 3)
  expect(decidable.map(({ kind, decisions }) => [kind, decisions.length])).toEqual([
    ['refund', 1],
    ['dispute', 2],
    ['refund', 1],
  ])
  expect(decidable.map(({ at }) => at)).toEqual(decidable.map(({ at }) => at).toSorted())
  const waiting = listed.slice(3)
  expect(waiting.map(({ kind }) => kind).toSorted()).toEqual(['dispute', 'dispute', 'refund_failed'])
  expect(waiting.flatMap(({ decisions }) => decisions)).toEqual([])
})

test('only admins can list and resolve incidents', async () => {
  const session = await book()
  const intent = await intentOf(session)
  await dashboard.refund(intent.gateway_ref)
  await look(intent.id)
  const { id } = await app.db.selectFrom('gateway_incidents').select('id').executeTakeFirstOrThrow()
  expect((await app.call('GET', '/admin/payments/incidents', { token: client.token })).status).toBe(403)
  expect((await resolve(client.token, id, 'noted')).status).toBe(403)
})

test.each([
  ['a part', 4000, false],
  ['all', 6000, false],
  ['a part, its own answer lost,', 4000, true],
] as const)(
  'a refund that leaves as one of %s in the dashboard is read, and is returned by the bank, is known in full',
  async (_, there, isLost) => {
    let beforeRefund: () => Promise<void> = async () => undefined
    let afterReading: () => Promise<void> = async () => undefined
    let isCutOff = false
    await restartWith((sandbox) => ({
      ...sandbox,
      async inspect(key) {
        if (isCutOff) throw new Error('The connection was cut off.')
        const found = await sandbox.inspect(key)
        await afterReading()
        return found
      },
      async refund(wanted) {
        await beforeRefund()
        const made = await sandbox.refund(wanted)
        if (isCutOff) throw new Error('The connection was cut off.')
        return made
      },
    }))
    const session = await book()
    const intent = await intentOf(session)
    beforeRefund = async () => {
      const made = String(await dashboard.refund(intent.gateway_ref, there))
      afterReading = () => dashboard.failRefund(made)
      await look(intent.id)
      isCutOff = isLost
    }
    expect((await cancel(session)).status).toBe(200)
    beforeRefund = async () => undefined
    isCutOff = false
    app.clock.advance(minutes(2))
    await app.services.payments.recover()
    await look(intent.id)
    expect(await dashboard.balance()).toBe(0)
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    expect(await refunds()).toEqual([`${there} failed`, '6000 succeeded'].toSorted())
    expect(await paid(await asAdmin())).toMatchObject({ paid: 60, refunded: 60, refundable: 0 })
  },
)

test('random sequences of the product and the dashboard leave the ledger equal to the gateway', async () => {
  const act = fc.constantFrom(
    'refund there',
    'refund part there',
    'refund fails',
    'dispute',
    'win',
    'lose',
    'cancel',
    'look',
    'sweep',
  )
  let day = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), async (acts) => {
      // Each booking has a day of its own, within the first 48 hours in which a client may cancel.
      const owner = await createClient(app)
      const at = new Date(Date.parse(startsAt) + (day % 5) * 86_400_000 + Math.floor(day / 5) * 3_600_000)
      day++
      const session = await bookSession(app, { practitioner, client: owner, startsAt: at.toISOString() })
      const intent = await intentOf(session)
      let dispute: string | undefined
      for (const each of acts) {
        if (each === 'refund there') await dashboard.refund(intent.gateway_ref)
        if (each === 'refund part there') await dashboard.refund(intent.gateway_ref, 1500)
        if (each === 'refund fails') {
          const made = await app.db
            .selectFrom('sandbox_gateway.refunds')
            .select('ref')
            .where('payment_ref', '=', intent.gateway_ref)
            .where('state', '=', 'succeeded')
            .executeTakeFirst()
          if (made && dispute === undefined) await dashboard.failRefund(made.ref)
        }
        if (each === 'dispute') dispute ??= await dashboard.dispute(intent.gateway_ref, 2000)
        if (each === 'win' && dispute) await dashboard.closeDispute(dispute, 'won')
        if (each === 'lose' && dispute) await dashboard.closeDispute(dispute, 'lost')
        if (each === 'cancel') {
          await app.call('POST', '/appointment/cancel-session', {
            token: owner.token,
            body: { appointment_id: session },
          })
        }
        if (each === 'look') await look(intent.id)
        if (each === 'sweep') await app.services.payments.recover()
        const sums = Object.values(await ledger(app)).reduce((sum, pence) => sum + pence, 0)
        expect(sums).toBe(0)
      }
      await look(intent.id)
      await look(intent.id)
      const { gateway_balance: booked = 0 } = await ledger(app)
      expect([acts.join(), booked]).toEqual([acts.join(), await dashboard.balance()])
    }),
    { numRuns: process.env.ENDURANCE === 'full' ? 60 : 8, seed: 18 },
  )
})
