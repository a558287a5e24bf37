import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createAdmin } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { lastActors, readActions } from './back-office.store.ts'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await buildTestApp()
  ;({ token } = await createAdmin(app))
  await sql`
    insert into audit_log (at, actor_name, action, subject)
    select now(), 'operator', case when n % 4 = 0 then 'suspend' else 'look at document' end, 'document ' || n
    from generate_series(1, 10050) n`.execute(app.db)
  await sql`analyze audit_log`.execute(app.db)
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
