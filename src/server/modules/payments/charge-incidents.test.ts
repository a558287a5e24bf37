import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayIncident } from '#contract/back-office/payments.ts'
import type { Invoice } from '#contract/subscriptions/subscriptions.ts'
import { days, hours, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'

let app: TestApp
let dashboard: ReturnType<typeof sandboxDashboard>
let practitioner: Practitioner
let token: string
/** Called before each capture. */
let beforeCapture: (ref: string) => Promise<void>
/** Called after each authorisation. */
let afterAuthorisation: (ref: string) => Promise<void>
/** Called before each refund. */
let beforeRefund: () => Promise<void>
/** Called after each refund. */
let afterRefund: (ref: string) => Promise<void>

beforeEach(async () => {
  beforeCapture = async () => undefined
  afterAuthorisation = async () => undefined
  beforeRefund = async () => undefined
  afterRefund = async () => undefined
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async authorise(wanted) {
        const payment = await sandbox.authorise(wanted)
        await afterAuthorisation(payment.ref)
        return payment
      },
      async capture(ref) {
        await beforeCapture(ref)
        return sandbox.capture(ref)
      },
      async refund(wanted) {
        await beforeRefund()
        const refund = await sandbox.refund(wanted)
        await afterRefund(refund.ref)
        return refund
      },
    }),
  })
  dashboard = sandboxDashboard(app.db)
  practitioner = await createPractitioner(app, { subscribedUntil: null })
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  token = await signInPractitioner(app, practitioner)
})
afterEach(() => app.close())

const subscribe = async () =>
  app.call('POST', '/therapist/subscription/subscribe', {
    token,
    body: { payment_method_id: await saveTherapistCard(app, token) },
  })
const orderVideo = async () => {
  await saveTherapistCard(app, token)
  return app.call('POST', '/therapist/video-production/order', { token })
}
const charge = async () => {
  const row = await app.db.selectFrom('platform_charges').selectAll().executeTakeFirstOrThrow()
  return { ...row, gateway_ref: String(row.gateway_ref) }
}
const look = async () => app.services.payments.lookAgain((await charge()).id)
const invoices = async () =>
  (await app.call('GET', '/therapist/invoices', { token })).body as unknown as Invoice[]
const mails = () =>
  app
    .mails()
    .map(readMail)
    .filter(({ to }) => to === practitioner.email)
const subjects = () => mails().map(({ subject }) => subject)
const listed = async () => {
  const admin = await createAdmin(app)
  const { body } = await app.call('GET', '/admin/payments/incidents', { token: admin.token })
  return body.data as unknown as GatewayIncident[]
}
const failedRefund = async () => {
  const failed = (await listed()).find(({ kind }) => kind === 'refund_failed')
  if (!failed) throw new Error('No refund has failed.')
  return failed
}
const resolve = async (id: string, decision: string) =>
  app.call('POST', `/admin/payments/incidents/${id}/resolve`, {
    token: (await createAdmin(app)).token,
    body: { decision, reason: 'Looked at in the dashboard.' },
  })
const incidents = async () =>
  (await listed())
    .map(({ kind, paid_for, amount, decisions }) => ({ kind, paid_for, amount, decisions }))
    .toSorted((one, other) => (one.amount ?? 0) - (other.amount ?? 0))
const subscription = async () =>
  (await app.call('GET', '/therapist/subscription', { token: await signInPractitioner(app, practitioner) }))
    .body

describe('a subscription that is refunded in the dashboard', () => {
  test('is in the ledger, on the invoice and on the incident list, sends one mail, and runs to the end of its month', async () => {
    await subscribe()
    await app.queue.drain()
    expect(await invoices()).toMatchObject([{ amount: 30, refunded: 0, status: 'paid' }])
    await dashboard.refund((await charge()).gateway_ref, 1000)
    await look()
    await look()
    await app.queue.drain()
    expect(await invoices()).toMatchObject([{ amount: 30, refunded: 10, status: 'partly_refunded' }])
    await dashboard.refund((await charge()).gateway_ref)
    await look()
    await app.queue.drain()
    expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
    expect(await dashboard.balance()).toBe(0)
    const [invoice] = await invoices()
    expect(invoice).toMatchObject({ amount: 30, refunded: 30, status: 'refunded' })
    const told = mails().filter(({ subject }) => subject === 'Your payment to Hearth was refunded')
    expect(told).toHaveLength(2)
    expect(told[0]?.text).toContain('£10')
    expect(told[0]?.text).toContain(String(invoice?.number))
    expect(told[0]?.text).toContain('continues to the end of the month')
    expect(await incidents()).toEqual([
      { kind: 'refund', paid_for: 'subscription', amount: 10, decisions: ['noted'] },
      { kind: 'refund', paid_for: 'subscription', amount: 20, decisions: ['noted'] },
    ])
    expect(await subscription()).toMatchObject({
      status: 'active',
      paid_until: '2026-07-01T08:00:00.000Z',
      next_charge_at: '2026-07-01T08:00:00.000Z',
    })
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.status).toBe(200)
    // The next month has a separate charge.
    app.clock.advance(days(31))
    await app.services.subscriptions.sweep()
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
  })

  test('and comes back from the bank is paid again on the invoice, and on the list', async () => {
    await subscribe()
    const refund = await dashboard.refund((await charge()).gateway_ref)
    await look()
    expect((await invoices())[0]?.status).toBe('refunded')
    await dashboard.failRefund(String(refund))
    await look()
    expect(await invoices()).toMatchObject([{ refunded: 0, status: 'paid' }])
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    expect((await incidents()).map(({ kind }) => kind).toSorted()).toEqual(['refund', 'refund_failed'])
  })

  test('and comes back from the bank is paid by bank transfer once, in the ledger and on the invoice', async () => {
    await subscribe()
    const refund = await dashboard.refund((await charge()).gateway_ref)
    await look()
    await dashboard.failRefund(String(refund))
    await look()
    const failed = await failedRefund()
    expect(failed).toMatchObject({ amount: 30, decisions: ['noted', 'paid_otherwise'] })
    const answers = await Promise.all([1, 2, 3].map(() => resolve(failed.incident_id, 'paid_otherwise')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    await look()
    expect(await invoices()).toMatchObject([{ refunded: 30, status: 'refunded' }])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
    expect((await incidents()).map(({ kind }) => kind)).toEqual(['refund'])
  })

  test('and comes back from the bank is paid by bank transfer only as far as it has not gone back since', async () => {
    await subscribe()
    const { gateway_ref: ref } = await charge()
    const refund = String(await dashboard.refund(ref, 2000))
    await look()
    await dashboard.failRefund(refund)
    await look()
    const failed = await failedRefund()
    expect(failed).toMatchObject({ amount: 20, decisions: ['noted', 'paid_otherwise'] })
    await dashboard.refund(ref, 1800)
    await look()
    expect((await resolve(failed.incident_id, 'paid_otherwise')).status).toBe(200)
    expect(await invoices()).toMatchObject([{ refunded: 30, status: 'refunded' }])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
  })

  test('and comes back from the bank is only marked as dealt with once all of it has gone back in another way', async () => {
    await subscribe()
    const { gateway_ref: ref } = await charge()
    const refund = String(await dashboard.refund(ref))
    await look()
    await dashboard.failRefund(refund)
    await dashboard.refund(ref)
    await look()
    const failed = await failedRefund()
    expect(failed.decisions).toEqual(['noted'])
    expect(await resolve(failed.incident_id, 'paid_otherwise')).toMatchObject({
      status: 409,
      body: { code: 'transition_refused' },
    })
    expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
    expect((await resolve(failed.incident_id, 'noted')).status).toBe(200)
  })

  test('and comes back from the bank waits for the bank while the payment is disputed', async () => {
    await subscribe()
    const { gateway_ref: ref } = await charge()
    const refund = String(await dashboard.refund(ref))
    await look()
    await dashboard.failRefund(refund)
    const dispute = String(await dashboard.dispute(ref))
    await look()
    const failed = await failedRefund()
    expect(failed).toMatchObject({ dispute: 'open', decisions: [] })
    for (const decision of ['paid_otherwise', 'noted'])
      expect((await resolve(failed.incident_id, decision)).status).toBe(409)
    expect(await invoices()).toMatchObject([{ refunded: 0, status: 'disputed' }])
    await dashboard.closeDispute(dispute, 'lost')
    await look()
    expect((await failedRefund()).decisions).toEqual(['noted'])
  })

  test('and comes back before it was seen is paid by bank transfer too, once its amount is known', async () => {
    await subscribe()
    const { id, gateway_ref: ref } = await charge()
    const refund = String(await dashboard.refund(ref))
    await dashboard.failRefund(refund)
    await app.db
      .insertInto('gateway_incidents')
      .values({
        id,
        kind: 'refund_failed',
        gateway: 'sandbox',
        subject: refund,
        payment_key: id,
        noted_at: app.clock.now(),
      })
      .execute()
    expect(await failedRefund()).toMatchObject({ amount: null, decisions: ['noted'] })
    expect((await resolve(id, 'paid_otherwise')).status).toBe(409)
    await look()
    const failed = await failedRefund()
    expect(failed).toMatchObject({ amount: 30, decisions: ['noted', 'paid_otherwise'] })
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    expect((await resolve(failed.incident_id, 'paid_otherwise')).status).toBe(200)
    await look()
    expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
    expect(await invoices()).toMatchObject([{ refunded: 30, status: 'refunded' }])
    expect(await listed()).toEqual([])
  })

  test('sends no detail of the refund to an unconfirmed address', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: null }).execute()
    await subscribe()
    await dashboard.refund((await charge()).gateway_ref)
    await look()
    await app.queue.drain()
    for (const { text, whole } of mails()) {
      expect(text).not.toContain('£30')
      expect(whole).not.toMatch(/refunded/i)
    }
  })
})

test('a video that is refunded in the dashboard stays ordered, and its invoice shows the refund', async () => {
  await orderVideo()
  await dashboard.refund((await charge()).gateway_ref)
  await look()
  await app.queue.drain()
  expect(await ledger(app)).toEqual({ gateway_balance: 0, video_production_income: 0 })
  expect(await invoices()).toMatchObject([{ amount: 10, refunded: 10, status: 'refunded' }])
  expect(subjects()).toContain('Your payment to Hearth was refunded')
  expect(await incidents()).toMatchObject([{ kind: 'refund', paid_for: 'video_production', amount: 10 }])
  const video = await app.call('GET', '/therapist/video-production', { token })
  expect(video.body.status).toBe('ordered')
})

describe('a subscription that is disputed', () => {
  test('shows the dispute on the invoice, sends one mail, and is paid again once the dispute is won; the fee stays', async () => {
    await subscribe()
    const dispute = await dashboard.dispute((await charge()).gateway_ref, 2000)
    await look()
    await look()
    await app.queue.drain()
    expect(await ledger(app)).toEqual({
      gateway_balance: -2000,
      disputed_funds: 3000,
      dispute_fees: 2000,
      subscription_income: -3000,
    })
    expect(await dashboard.balance()).toBe(-2000)
    expect(await invoices()).toMatchObject([{ refunded: 0, status: 'disputed' }])
    expect(
      subjects().filter((subject) => subject === 'A payment has been disputed through your bank'),
    ).toHaveLength(1)
    expect(await incidents()).toEqual([
      { kind: 'dispute', paid_for: 'subscription', amount: 30, decisions: [] },
    ])
    await dashboard.closeDispute(String(dispute), 'won')
    await look()
    expect(await invoices()).toMatchObject([{ status: 'paid' }])
    expect(await incidents()).toEqual([])
    expect(await ledger(app)).toEqual({
      gateway_balance: 1000,
      disputed_funds: 0,
      dispute_fees: 2000,
      subscription_income: -3000,
    })
  })

  test('and lost is borne by the platform alone', async () => {
    await subscribe()
    const dispute = await dashboard.dispute((await charge()).gateway_ref, 2000)
    await dashboard.closeDispute(String(dispute), 'lost')
    await look()
    expect(await invoices()).toMatchObject([{ status: 'taken_back' }])
    expect(await incidents()).toMatchObject([{ kind: 'dispute', decisions: ['borne_by_platform'] }])
    expect(await ledger(app)).toEqual({
      gateway_balance: -2000,
      disputed_funds: 0,
      dispute_losses: 3000,
      dispute_fees: 2000,
      subscription_income: -3000,
    })
    expect((await subscription()).status).toBe('active')
  })
})

describe('a charge whose authorisation ended before the capture', () => {
  test('ends, is on the list once, and is tried no more; nothing is booked and no invoice is written', async () => {
    let captures = 0
    beforeCapture = async (ref) => {
      captures++
      await dashboard.move(ref, 'voided')
    }
    await subscribe()
    for (let hour = 0; hour < 5; hour++) {
      app.clock.advance(hours(1))
      await app.services.subscriptions.sweep()
      await app.queue.drain()
    }
    expect(captures).toBe(1)
    expect((await charge()).state).toBe('voided')
    expect(await ledger(app)).toEqual({})
    token = await signInPractitioner(app, practitioner)
    expect(await invoices()).toEqual([])
    expect(subjects()).not.toContain('Your receipt from Hearth')
    expect(await incidents()).toEqual([
      { kind: 'release', paid_for: 'subscription', amount: 30, decisions: ['noted'] },
    ])
  })

  test('is retried while the gateway is only away, and is then captured', async () => {
    let failures = 2
    beforeCapture = async () => {
      if (failures-- > 0) throw new Error('The gateway is away.')
    }
    await subscribe()
    expect((await charge()).state).toBe('capturing')
    for (let tries = 0; tries < 3; tries++) {
      app.clock.advance(hours(1))
      await app.services.subscriptions.sweep()
    }
    expect((await charge()).state).toBe('captured')
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    expect(await incidents()).toEqual([])
  })
})

test('a charge that was captured in the dashboard and given back is compared by night like others', async () => {
  afterAuthorisation = async (ref) => {
    await dashboard.move(ref, 'captured')
    throw new Error('The connection was cut off.')
  }
  expect((await subscribe()).status).toBeGreaterThan(400)
  app.clock.advance(minutes(2))
  await app.services.payments.recover()
  expect([(await charge()).state, await dashboard.balance()]).toEqual(['voided', 0])
  const { ref } = await app.db.selectFrom('sandbox_gateway.refunds').select('ref').executeTakeFirstOrThrow()
  await dashboard.failRefund(ref)
  app.clock.advance(days(1))
  await app.services.payments.compare()
  expect((await incidents()).map(({ kind }) => kind).toSorted()).toEqual(['capture', 'refund_failed'])
  expect((await ledger(app)).gateway_balance).toBe(3000)
  expect((await resolve((await failedRefund()).incident_id, 'paid_otherwise')).status).toBe(200)
  expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
})

test('a charge whose refund never left is given back by bank transfer once', async () => {
  afterAuthorisation = async (ref) => {
    await dashboard.move(ref, 'captured')
    throw new Error('The connection was cut off.')
  }
  await subscribe()
  app.clock.advance(minutes(2))
  afterRefund = async (ref) => dashboard.failRefund(ref)
  await app.services.payments.recover()
  app.clock.advance(days(1))
  await app.services.payments.compare()
  expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
  const failed = await failedRefund()
  expect(failed.decisions).toEqual(['noted', 'paid_otherwise'])
  expect((await resolve(failed.incident_id, 'paid_otherwise')).status).toBe(200)
  app.clock.advance(days(1))
  await app.services.payments.compare()
  expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
  expect((await incidents()).map(({ kind }) => kind)).toEqual(['capture'])
})

test('a charge that was captured in the dashboard is in the ledger and on the list while its refund fails', async () => {
  afterAuthorisation = async (ref) => {
    await dashboard.move(ref, 'captured')
    throw new Error('The connection was cut off.')
  }
  beforeRefund = async () => {
    throw new Error('The gateway is away.')
  }
  await subscribe()
  const captured = [{ kind: 'capture', paid_for: 'subscription', amount: 30, decisions: ['noted'] }]
  for (let tries = 0; tries < 2; tries++) {
    app.clock.advance(minutes(2))
    await app.services.payments.recover()
    expect([(await charge()).state, await dashboard.balance()]).toEqual(['voiding', 3000])
    expect(await incidents()).toEqual(captured)
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
  }
  beforeRefund = async () => undefined
  app.clock.advance(minutes(2))
  await app.services.payments.recover()
  expect([(await charge()).state, await dashboard.balance()]).toEqual(['voided', 0])
  expect(await incidents()).toEqual(captured)
  expect(await ledger(app)).toEqual({ gateway_balance: 0, subscription_income: 0 })
  token = await signInPractitioner(app, practitioner)
  expect(await invoices()).toEqual([])
  await app.queue.drain()
  expect(subjects()).not.toContain('Your receipt from Hearth')
})
