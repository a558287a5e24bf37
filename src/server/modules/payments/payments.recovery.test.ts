import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { bookSession, createClient, createPractitioner, saveCard } from '#test/factories.ts'

let app: TestApp
/** Called for each refund at the gateway, before it is made. */
let beforeRefund: () => Promise<void>
let calls = 0

beforeEach(async () => {
  calls = 0
  beforeRefund = async () => undefined
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async refund(wanted) {
        calls++
        await beforeRefund()
        return sandbox.refund(wanted)
      },
    }),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

/** Refunds that a crash left requested, each of a session. */
async function leaveRefunds(count: number): Promise<void> {
  const client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const card = await saveCard(app, client)
  for (let index = 0; index < count; index++) {
    const startsAt = `2026-06-${String(8 + (index % 5)).padStart(2, '0')}T${index < 5 ? '09' : '13'}:00:00.000Z`
    const id = await bookSession(app, { practitioner, client, card, startsAt })
    await inTransaction(app.db, (tx) => app.services.payments.requestRefund(tx, id, 'everything', 'test'))
  }
  app.clock.advance(minutes(1))
}
const states = async () =>
  (await app.db.selectFrom('refunds').select('state').execute()).map(({ state }) => state)

test('a recovery that is called while one runs joins it', async () => {
  await leaveRefunds(2)
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  beforeRefund = () => {
    asked.resolve()
    return goOn.promise
  }
  const runs = [app.services.payments.recover()]
  await asked.promise
  runs.push(
    app.services.payments.recover(),
    app.services.subscriptions.sweep(),
    app.services.payments.recoverNow({ andSoon: false }),
  )
  goOn.resolve()
  await Promise.all(runs)
  expect(calls).toBe(2)
  expect(await states()).toEqual(['succeeded', 'succeeded'])
})

test('a recovery stops after five failures in a row, and the next one tries the other refunds', async () => {
  await leaveRefunds(8)
  beforeRefund = async () => {
    throw new Error('The gateway is away.')
  }
  await app.services.payments.recover()
  expect(calls).toBe(5)
  const untried = () => app.db.selectFrom('refunds').select('id').where('attempts', '=', 0).execute()
  expect(await untried()).toHaveLength(3)
  app.clock.advance(seconds(31))
  await app.services.payments.recover()
  expect(await untried()).toEqual([])
  beforeRefund = async () => undefined
  app.clock.advance(seconds(31))
  await app.services.payments.recover()
  expect(await states()).toEqual(Array(8).fill('succeeded'))
})

test('a recovery whose refunds take long begins no further one in its last 20 seconds, which are for charges', async () => {
  await leaveRefunds(4)
  beforeRefund = async () => app.clock.advance(seconds(15))
  await app.services.payments.recover()
  expect(calls).toBe(3)
  await app.services.payments.recover()
  expect(await states()).toEqual(Array(4).fill('succeeded'))
})

test('a recovery ends although the gateway hangs', { timeout: 120_000 }, async () => {
  await leaveRefunds(2)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hung = Promise.withResolvers<void>()
  beforeRefund = () => {
    hung.resolve()
    return new Promise(() => undefined)
  }
  let isOver = false
  const recovery = app.services.payments.recover().then(() => {
    isOver = true
  })
  await hung.promise
  expect(isOver).toBe(false)
  for (let tries = 0; tries < 2000; tries++) {
    vi.advanceTimersByTime(seconds(1))
    await new Promise(setImmediate)
    if (isOver) break
  }
  expect(isOver).toBe(true)
  await recovery
  expect(calls).toBe(2)
  const rows = await app.db.selectFrom('refunds').select(['state', 'attempts', 'last_error']).execute()
  const failed = { state: 'requested', attempts: 1, last_error: 'GatewayTimeout' }
  expect(rows).toEqual([failed, failed])
})
