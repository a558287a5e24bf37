import { describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'

type Act = (app: TestApp, token: string) => Promise<unknown>

const subscribe: Act = async (app, token) => {
  const payment_method_id = await saveTherapistCard(app, token)
  return app.call('POST', '/therapist/subscription/subscribe', { token, body: { payment_method_id } })
}
const renew: Act = async (app, token) => {
  await subscribe(app, token)
  const clock = app.clock
  clock.set('2026-07-01T08:00:00Z')
  return app.services.subscriptions.sweep()
}
const order: Act = async (app, token) => {
  await saveTherapistCard(app, token)
  return app.call('POST', '/therapist/video-production/order', { token, body: {} })
}

/** Every boundary between two steps, with an operation that passes it and the state expected after recovery. */
const boundaries: { what: string; act: Act; step: string; nth: number; left: string }[] = [
  { what: 'subscribing', act: subscribe, step: 'charge noted', nth: 1, left: 'none 0' },
  { what: 'subscribing', act: subscribe, step: 'charge authorised at the gateway', nth: 1, left: 'none 0' },
  { what: 'subscribing', act: subscribe, step: 'subscription paid', nth: 1, left: 'active 3000' },
  {
    what: 'subscribing',
    act: subscribe,
    step: 'charge captured at the gateway',
    nth: 1,
    left: 'active 3000',
  },
  { what: 'renewing', act: renew, step: 'renewal noted', nth: 1, left: 'active 6000' },
  { what: 'renewing', act: renew, step: 'charge noted', nth: 2, left: 'active 6000' },
  { what: 'renewing', act: renew, step: 'charge authorised at the gateway', nth: 2, left: 'active 6000' },
  { what: 'renewing', act: renew, step: 'subscription paid', nth: 2, left: 'active 6000' },
  { what: 'renewing', act: renew, step: 'charge captured at the gateway', nth: 2, left: 'active 6000' },
  { what: 'ordering a video', act: order, step: 'charge authorised at the gateway', nth: 1, left: 'none 0' },
  { what: 'ordering a video', act: order, step: 'video ordered', nth: 1, left: 'video 1000' },
  {
    what: 'ordering a video',
    act: order,
    step: 'charge captured at the gateway',
    nth: 1,
    left: 'video 1000',
  },
]

/** The practitioner's subscription or video and the sum paid, once gateway, ledger and invoices agree. */
async function whatIsLeft(app: TestApp, practitioner: Practitioner): Promise<string> {
  const token = await signInPractitioner(app, practitioner)
  const subscription = await app.call('GET', '/therapist/subscription', { token })
  const video = await app.call('GET', '/therapist/video-production', { token })
  const payments = await app.db
    .selectFrom('sandbox_gateway.payments')
    .select(['state', 'amount_pence'])
    .execute()
  expect(payments.filter((each) => !['captured', 'voided'].includes(each.state))).toEqual([])
  const taken = payments
    .filter((each) => each.state === 'captured')
    .reduce((sum, each) => sum + each.amount_pence, 0)
  const books = await ledger(app)
  expect(books.gateway_balance ?? 0).toBe(taken)
  expect(Object.values(books).reduce((sum, each) => sum + each, 0)).toBe(0)
  const invoices = await app.db.selectFrom('invoices').select('amount_pence').execute()
  expect(invoices.reduce((sum, each) => sum + each.amount_pence, 0)).toBe(taken)
  const has =
    video.body.status === ('ordered' as unknown)
      ? 'video'
      : subscription.status === 200
        ? String(subscription.body.status)
        : 'none'
  return `${has} ${taken}`
}

describe('a crash in the middle leaves neither a charge for nothing nor something that is not charged', () => {
  test.each(boundaries)('$what, after: $step ($nth)', async ({ act, step, nth, left }) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock()
    const reached = Promise.withResolvers<void>()
    let passed = 0
    const before = await buildTestApp({
      database,
      clock,
      checkpoint: async (here) => {
        if (here !== step || ++passed !== nth) return
        reached.resolve()
        // This promise never resolves, so the operation stops here as at the end of the process.
        await new Promise(() => undefined)
      },
    })
    const practitioner = await createPractitioner(before, { subscribedUntil: null })
    const token = await signInPractitioner(before, practitioner)
    const attempt = act(before, token).catch(() => undefined)
    await Promise.race([
      reached.promise,
      attempt.then(() => {
        throw new Error(`It never came to: ${step}`)
      }),
    ])
    before.app.server.closeAllConnections()

    const after = await buildTestApp({ database: openServer(url, 5, () => undefined), clock })
    for (let minute = 0; minute < 6; minute++) {
      clock.advance(minutes(1))
      await after.services.subscriptions.sweep()
    }
    expect(await whatIsLeft(after, practitioner)).toBe(left)
    await after.close()
    await before.close()
  })
})
