import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  cards,
  createAdmin,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { uploadFile } from '#test/onboarding.ts'
import { mp4 } from '#test/upload-samples.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'

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

/** The kinds of the mails that were inserted. */
const subscriptionMails = async () =>
  (await app.db.selectFrom('outgoing_mails').select('template').execute())
    .flatMap(({ template }) => /^subscription\.(.*)$/.exec(template)?.[1] ?? [])
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
  expect(await subscriptionMails()).toEqual(['receipt'])
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
  expect(await subscriptionMails()).toEqual(['payment_failed', 'receipt'])
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

describe('a video order', () => {
  const date = '2026-06-09T09:00:00.000Z'
  let admins: string[]
  const asOffice = (by: number, step: string, body: Record<string, unknown>) =>
    app.call('POST', `/admin/video-orders/${practitioner.id}/${step}`, { token: admins[by], body })
  const asPractitioner = (step: string, body: Record<string, unknown>) =>
    app.call('POST', `/therapist/video-production/${step}`, { token, body })
  const live = () =>
    app.db
      .selectFrom('video_production_steps')
      .select('kind')
      .where('undone_at', 'is', null)
      .orderBy('number')
      .execute()
  const mails = async () => (await subscriptionMails()).filter((kind) => /^video_(?!ordered)/.test(kind))
  const actions = async () =>
    (await app.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
      ({ action }) => action,
    )

  beforeEach(async () => {
    await saveTherapistCard(app, token)
    expect((await asPractitioner('order', {})).status).toBe(200)
    admins = [(await createAdmin(app)).token, (await createAdmin(app)).token]
  })

  test('two admins who propose different dates at once: one succeeds, the other gets a 409', async () => {
    const answers = await times(2, (index) =>
      asOffice(index, 'dates', { dates: [`2026-06-0${8 + index}T09:00:00Z`], version: 0 }),
    )
    expect(tally(answers)).toEqual({ '200 ok': 1, '409 changed_elsewhere': 1 })
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.message).toBe(
      'This order has changed since this page was loaded. Nothing you did was saved. Please look at it again.',
    )
    expect(await live()).toEqual([{ kind: 'propose' }])
    expect([await mails(), await actions()]).toEqual([['video_dates'], ['propose video dates']])
  })

  test('the same proposal sent 20 times at once is one, with one mail', async () => {
    const answers = await times(20, () => asOffice(0, 'dates', { dates: [date], version: 0 }))
    expect(tally(answers)).toEqual({ '200 ok': 20 })
    expect(await live()).toEqual([{ kind: 'propose' }])
    expect([await mails(), await actions()]).toEqual([['video_dates'], ['propose video dates']])
  })

  test('a date accepted while the proposal is undone: one of the two succeeds', async () => {
    const wins = { take: 0, undo: 0 }
    for (let version = 0, round = 0; round < 8; round++) {
      const proposed = await asOffice(0, 'dates', { dates: [date], version })
      expect(proposed.status).toBe(200)
      version = Number(proposed.body.version)
      const take = () => asPractitioner('take-date', { date, version })
      const undo = () => asOffice(1, 'undo', { undo: 'proposal', version })
      const [taken, undone] =
        round % 2 ? await Promise.all([take(), undo()]) : (await Promise.all([undo(), take()])).reverse()
      expect(tally([taken, undone].filter((answer) => answer !== undefined))).toEqual({
        '200 ok': 1,
        '409 changed_elsewhere': 1,
      })
      const isTaken = taken?.status === 200
      wins[isTaken ? 'take' : 'undo']++
      expect((await live()).at(-1)?.kind ?? 'none').toBe(isTaken ? 'take_date' : 'none')
      if (isTaken) break
      version = Number(undone?.body.version)
    }
    expect((await mails()).filter((kind) => kind === 'video_date_agreed')).toHaveLength(wins.take)
    expect((await actions()).filter((action) => action === 'undo video dates')).toHaveLength(wins.undo)
  })

  test('the same approval sent 10 times at once puts one video on the profile', async () => {
    const sent = await uploadFile(app, `/admin/video-orders/${practitioner.id}/video`, {
      token: admins[0] ?? '',
      field: 'video',
      content: mp4(3000),
      fields: { version: '0' },
    })
    expect(sent.status).toBe(200)
    const answers = await times(10, () => asPractitioner('approve', { version: 1 }))
    expect(tally(answers)).toEqual({ '200 ok': 10 })
    expect((await live()).map(({ kind }) => kind)).toEqual(['upload', 'approve'])
    expect(await mails()).toEqual([
      'video_approved',
      // One for each admin.
      'video_approved_office',
      'video_approved_office',
      'video_ready',
    ])
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await app.db.selectFrom('stored_files').select('bytes').execute()).toEqual([{ bytes: 3000 }])
  })

  test('an approval while the upload is undone: one of the two succeeds, and no file is left over', async () => {
    await uploadFile(app, `/admin/video-orders/${practitioner.id}/video`, {
      token: admins[0] ?? '',
      field: 'video',
      content: mp4(3000),
      fields: { version: '0' },
    })
    const [approved, undone] = await Promise.all([
      asPractitioner('approve', { version: 1 }),
      asOffice(1, 'undo', { undo: 'upload', version: 1 }),
    ])
    expect([approved.status, undone.status].toSorted()).toEqual([200, expect.any(Number)])
    expect(Math.max(approved.status, undone.status)).toBeGreaterThanOrEqual(404)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await app.db.selectFrom('stored_files').select('id').execute()).toHaveLength(
      approved.status === 200 ? 1 : 0,
    )
  })
})
