import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { days } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { bookSession, createClient, createPractitioner } from '#test/factories.ts'

let app: TestApp
const inspected: string[] = []
let underWay = 0
let mostUnderWay = 0

beforeAll(async () => {
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async inspect(key) {
        inspected.push(key)
        mostUnderWay = Math.max(mostUnderWay, ++underWay)
        await wait(5)
        underWay--
        return sandbox.inspect(key)
      },
    }),
  })
  const [practitioner, client] = [await createPractitioner(app), await createClient(app)]
  await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
  await app.queue.drain()
  await app.db.transaction().execute(async (tx) => {
    // Without their sessions.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into payment_intents select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
        'appointment_id', gen_random_uuid(), 'gateway_ref', 'copy ' || n))).*
      from payment_intents i, generate_series(2, 120) n`.execute(tx)
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await sql`delete from pgboss.job`.execute(app.db)
  app.clock.advance(days(1))
  inspected.length = 0
  mostUnderWay = 0
})

/** Jobs of the comparison that wait. */
async function waiting(): Promise<number> {
  const { rows } =
    await sql`select from pgboss.job where name like 'payments.compare%' and state = 'created'`.execute(
      app.db,
    )
  return rows.length
}

test('a night compares every payment once, a few at a time', async () => {
  await app.services.payments.compare()
  await app.queue.drain()
  expect([inspected.length, new Set(inspected).size, await waiting()]).toEqual([120, 120, 0])
  expect(mostUnderWay).toBeGreaterThan(1)
  expect(mostUnderWay).toBeLessThanOrEqual(3)
})

test('a night that begins while the one before is still comparing starts no second chain', async () => {
  await app.services.payments.compare()
  app.clock.advance(days(1))
  await app.services.payments.compare()
  expect([inspected.length, await waiting()]).toEqual([50, 1])
  await app.queue.drain()
  // The chain goes on with what is due again.
  expect([inspected.length, new Set(inspected).size, await waiting()]).toEqual([170, 120, 0])
})
