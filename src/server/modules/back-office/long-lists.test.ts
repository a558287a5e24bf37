import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { bookSession, type Client, createAdmin, createClient, createPractitioner } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { lastActors, readActions } from './back-office.store.ts'

let app: TestApp
let token: string
let client: Client

beforeAll(async () => {
  app = await buildTestApp()
  ;({ token } = await createAdmin(app))
  client = await createClient(app)
  await bookSession(app, {
    practitioner: await createPractitioner(app),
    client,
    startsAt: '2026-06-08T09:00:00Z',
  })
  await app.queue.drain()
  await sql`
    insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'email', 'copy-' || n || '@example.test'))).*
    from accounts a, generate_series(1, 250) n where a.email = ${client.email}`.execute(app.db)
  await app.db.transaction().execute(async (tx) => {
    // Entries without their chain, and payments without their sessions.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into audit_log (at, actor_name, action, subject, seq, prev, hash)
      select now(), 'operator', case when n % 4 = 0 then 'suspend' else 'look at document' end, 'document ' || n,
        100000 + n, '', ''
      from generate_series(1, 10050) n`.execute(tx)
    await sql`
      insert into payment_intents select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
        'appointment_id', gen_random_uuid(), 'gateway_ref', 'copy ' || n))).*
      from payment_intents i, generate_series(1, 10049) n`.execute(tx)
  })
  await sql`analyze audit_log, accounts, payment_intents`.execute(app.db)
})
afterAll(() => app.close())

const metaOf = async (path: string) => (await app.call('GET', path, { token })).body.meta

test('a long audit log is counted up to 10,000', async () => {
  expect(await metaOf('/admin/audit')).toMatchObject({ total: 10_000, is_capped: true, per_page: 50 })
  expect(await metaOf('/admin/audit?action=suspend')).toMatchObject({ total: 2512, is_capped: false })
})

test('the actions of the audit log and the last actors of its subjects are found without reading it', async () => {
  let found: unknown
  expect(
    await rowsRead(app.db, 'audit_log', async (tx) => {
      found = await readActions(tx)
    }),
  ).toBeLessThan(20)
  expect(found).toEqual(['look at document', 'suspend'])
  expect(
    await rowsRead(app.db, 'audit_log', async (tx) => {
      found = await lastActors(tx, ['look at document', 'suspend'], ['document 7', 'document 8'])
    }),
  ).toBeLessThan(20)
  expect(found).toMatchObject(
    new Map([
      ['document 7', { actor: 'operator' }],
      ['document 8', { actor: 'operator' }],
    ]),
  )
})

test('a long list of payments is counted up to 10,000', async () => {
  expect(await metaOf('/admin/payments')).toMatchObject({ total: 10_000, is_capped: true })
  expect(await metaOf('/admin/payments?show=refunded')).toMatchObject({ total: 0, is_capped: false })
})

test('a search of payments looks for its people once', async () => {
  const { rows } = await sql`select from accounts`.execute(app.db)
  let found: unknown
  const read = await rowsRead(app.db, 'accounts', async (tx) => {
    found = await app.services.paidSessions.paid(
      tx,
      { show: 'all', search: client.email },
      { limit: 25, offset: 0 },
    )
  })
  expect(found).toMatchObject({ data: [{}], total: 1 })
  expect(read).toBeLessThan(rows.length + 20)
})

test('a search of payments finds the sessions of more people than 200', async () => {
  const { rows } = await sql<{ name: string; people: number }>`
    select c.first_name || ' ' || c.last_name as name, (select count(*)::int from accounts a
      where a.first_name = c.first_name and a.last_name = c.last_name) as people
    from accounts c where c.email = ${client.email}`.execute(app.db)
  const { name = '', people } = rows[0] ?? {}
  expect(people).toBeGreaterThan(200)
  const search = encodeURIComponent(name)
  expect(await metaOf(`/admin/payments?search=${search}`)).toMatchObject({ total: 1, is_capped: false })
})
