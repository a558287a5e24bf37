import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type OwnCalendars, ownCalendars } from '#test/own-calendar.ts'

let google: OwnCalendars
let app: TestApp

beforeAll(async () => {
  google = await ownCalendars()
  app = await buildTestApp({ calendarProvider: google.provider(() => new Date()) })
})
afterAll(async () => {
  await app.close()
  await google.close()
})

/** How many calendars have a job that waits, and how many such jobs there are. */
async function queued() {
  const { rows } = await sql<{ calendars: number; jobs: number }>`
    select count(distinct data ->> 'calendar')::int as calendars, count(*)::int as jobs
    from pgboss.job where name like 'calendars.%' and data ? 'calendar'`.execute(app.db)
  return rows[0]
}

test('one sweep enqueues every calendar that is due, and a later one none that still waits', async () => {
  await app.db.transaction().execute(async (tx) => {
    // Without their practitioners.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into google_calendars (id, practitioner_id, subject, email, calendar_id, sealed_grant, state, connected_at, due_at)
      select gen_random_uuid(), n, n, n || '@example.test', n, 'sealed', 'connected', ${app.clock.now()}, ${app.clock.now()}
      from generate_series(1, 1200) n`.execute(tx)
  })
  await app.services.calendars.sweep()
  expect(await queued()).toEqual({ calendars: 1200, jobs: 1200 })
  app.clock.advance(minutes(3))
  await app.services.calendars.sweep()
  expect(await queued()).toEqual({ calendars: 1200, jobs: 1200 })
})
