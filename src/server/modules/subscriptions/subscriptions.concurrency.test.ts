import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  cards,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'

// Real concurrency: PostgreSQL on a private cluster, twenty connections.
let app: TestApp
let practitioner: Practitioner
let token: string

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
  practitioner = await createPractitioner(app, { subscribedUntil: null })
  token = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const key = `${answer.status} ${answer.status < 300 ? 'ok' : String(answer.body.code)}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const payments = async () =>
  (await app.db.selectFrom('sandbox_gateway.payments').select(['state', 'amount_pence']).execute())
    .map((row) => `${row.state} ${row.amount_pence}`)
    .toSorted()

test('the same subscribe sent 20 times at once charges once', async () => {
  const payment_method_id = await saveTherapistCard(app, token)
  const answers = await times(20, (index) =>
    app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id },
      // Half of them with one key, half with none.
      ...(index % 2 ? { headers: { 'idempotency-key': 'subscribe' } } : {}),
    }),
  )
  expect(tally(answers)).toEqual({ '200 ok': 20 })
  expect(await payments()).toEqual(['captured 3000'])
  expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
  expect(await app.db.selectFrom('subscriptions').select('state').execute()).toEqual([{ state: 'active' }])
  expect(await app.db.selectFrom('subscription_mails').select('kind').execute()).toEqual([
    { kind: 'receipt' },
  ])
})

test('the same order of a video sent 20 times at once charges once', async () => {
  await saveTherapistCard(app, token)
  const answers = await times(20, () =>
    app.call('POST', '/therapist/video-production/order', { token, body: {} }),
  )
  expect(tally(answers)).toEqual({ '200 ok': 20 })
  expect(await payments()).toEqual(['captured 1000'])
  expect(await ledger(app)).toEqual({ gateway_balance: 1000, video_production_income: -1000 })
})

test('a renewal that ten instances do at once is charged once', async () => {
  const payment_method_id = await saveTherapistCard(app, token)
  await app.call('POST', '/therapist/subscription/subscribe', { token, body: { payment_method_id } })
  app.clock.set('2026-07-01T08:00:00Z')
  await times(10, () => app.services.subscriptions.sweep())
  expect(await payments()).toEqual(['captured 3000', 'captured 3000'])
  expect(await app.db.selectFrom('subscriptions').select(['months', 'payments']).execute()).toEqual([
    { months: 2, payments: 2 },
  ])
})

test('a failed renewal that ten instances do at once is one failure', async () => {
  const payment_method_id = await saveTherapistCard(app, token)
  await app.call('POST', '/therapist/subscription/subscribe', { token, body: { payment_method_id } })
  await saveTherapistCard(app, token, cards.declined)
  app.clock.set('2026-07-01T08:00:00Z')
  await times(10, () => app.services.subscriptions.sweep())
  expect(await app.db.selectFrom('subscriptions').select(['state', 'failures']).execute()).toEqual([
    { state: 'past_due', failures: 1 },
  ])
  expect(
    (await app.db.selectFrom('subscription_mails').select('kind').execute())
      .map((row) => row.kind)
      .toSorted(),
  ).toEqual(['payment_failed', 'receipt'])
})

test('cancelling and subscribing at random leaves one subscription, paid once', async () => {
  const payment_method_id = await saveTherapistCard(app, token)
  await app.call('POST', '/therapist/subscription/subscribe', { token, body: { payment_method_id } })
  const acts = ['subscribe', 'cancel', 'resume']
  const answers = await times(30, (index) =>
    app.call('POST', `/therapist/subscription/${acts[index % 3]}`, { token, body: { payment_method_id } }),
  )
  expect(answers.filter((answer) => answer.status >= 500)).toEqual([])
  expect(await payments()).toEqual(['captured 3000'])
  const rows = await app.db.selectFrom('subscriptions').select('state').execute()
  expect(rows).toHaveLength(1)
  expect(['active', 'cancelling']).toContain(rows[0]?.state)
})

test('ten cards saved at once leave one', async () => {
  await times(10, () => saveTherapistCard(app, token))
  const kept = await app.db
    .selectFrom('payment_methods')
    .select('id')
    .where('removed_at', 'is', null)
    .execute()
  expect(kept).toHaveLength(1)
})

test('invoices of many at once have every number, each once', async () => {
  const others = await times(12, async () => {
    const other = await createPractitioner(app, { subscribedUntil: null })
    return signInPractitioner(app, other)
  })
  await Promise.all(
    others.map(async (each) => {
      const payment_method_id = await saveTherapistCard(app, each)
      await app.call('POST', '/therapist/subscription/subscribe', {
        token: each,
        body: { payment_method_id },
      })
    }),
  )
  const serials = (await app.db.selectFrom('invoices').select('serial').execute()).map((row) => row.serial)
  expect(serials.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
})
