import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { seconds } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import { createClient, createPractitioner, saveCard } from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'

const authorised = 'payment authorised at the gateway'

/** A held session, and the call that pays it, at any instance, always with the same key. */
async function prepare(app: TestApp) {
  const client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const card = await saveCard(app, client)
  const start = new Date(Date.now() + 7 * 86_400_000)
  start.setUTCHours(12, 0, 0, 0)
  const held = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: start.toISOString(),
    },
  })
  const pay = (at: TestApp) =>
    at.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      headers: { 'idempotency-key': 'pay once' },
      body: { session_id: held.body.session_id, customer_id: card },
    })
  const payments = async () =>
    (await app.db.selectFrom('sandbox_gateway.payments').select(['state', 'amount_pence']).execute()).map(
      ({ state, amount_pence }) => `${state} ${amount_pence}`,
    )
  return { pay, payments }
}

const now = () => movableClock(new Date().toISOString())

describe('a request with an Idempotency-Key', () => {
  test.concurrent('succeeds within 10 s of the death of the process that was at it, and pays once', async () => {
    const { url, database } = await clusterDatabase(5)
    const app = await buildTestApp({ database, clock: now() })
    const { pay, payments } = await prepare(app)
    const { other, gone } = await startCrashing(app, url, authorised)
    await expect(pay(other)).rejects.toThrow()
    expect(await gone).toBe('SIGKILL')
    const died = performance.now()
    const repeated = await pay(app)
    expect([repeated.status, performance.now() - died < seconds(10)]).toEqual([200, true])
    expect(await payments()).toEqual(['authorised 6000'])
    expect((await pay(app)).body).toEqual(repeated.body)
    await app.close()
  })

  test.concurrent('is not carried out a second time while it is slow but alive', async () => {
    const { url, database } = await clusterDatabase(5)
    let begun = 0
    const slow = await buildTestApp({
      database,
      clock: now(),
      checkpoint: async (step) => {
        // After the gateway has answered: its own patience is shorter than this.
        if (step !== 'payment authorised') return
        begun += 1
        await sleep(seconds(8))
      },
    })
    const { pay, payments } = await prepare(slow)
    const other = await buildTestApp({ database: openServer(url, 5, () => undefined), clock: now() })
    const first = pay(slow)
    await sleep(200)
    const repeated = await pay(other)
    expect(repeated.status).toBe(200)
    expect(repeated.body).toEqual((await first).body)
    expect(begun).toBe(1)
    expect(await payments()).toEqual(['authorised 6000'])
    await other.close()
    await slow.close()
  })
})
