import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { codeOf, createAdmin, createClient, password } from '#test/factories.ts'
import { rotateKeys, sealedPlaces } from './key-rotation.ts'

let app: TestApp
afterEach(() => app.close())

const old = randomBytes(32)
const young = randomBytes(32)

test('every column that is sealed and lasts is sealed anew', async () => {
  app = await buildTestApp()
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'
      and (column_name like '%sealed%' or column_name like '%secret%')`.execute(app.db)
  const rotated = sealedPlaces.map(({ table, column }) => `${table}.${column}`)
  // A credential of a sign-in under way, for two minutes.
  expect(rows.map(({ place }) => place).toSorted()).toEqual([...rotated, 'identity_codes.sealed'].toSorted())
})

test('a client reads their search wishes after the old key is gone', async () => {
  app = await buildTestApp({ secrets: createSecrets([old]) })
  const client = await createClient(app)
  const body = { filters: { name: 'Nobody Of This Name' } }
  const wish = await app.call('POST', '/search-wishes', { token: client.token, body })
  expect(wish.status).toBe(201)
  expect(await rotateKeys(app.db, createSecrets([young, old]))).toEqual({ sealed: 1, codesLeft: 0 })
  const row = await app.db.selectFrom('search_wishes').selectAll().executeTakeFirstOrThrow()
  const opened = createSecrets([young]).open('search wish', row.id, row.sealed_filters)
  expect(JSON.parse(opened.toString())).toEqual(body.filters)
})

test('more values than are sealed at a time are all sealed anew', async () => {
  app = await buildTestApp()
  const client = await createClient(app)
  const [before, after] = [createSecrets([old]), createSecrets([young])]
  const filters = Buffer.from('{"name":"Nobody"}')
  const ids = Array.from({ length: 1100 }, () => randomUUID())
  const sealed = ids.map((id) => ({
    id,
    client_id: client.id,
    sealed_filters: before.seal('search wish', id, filters),
    created_at: app.clock.now(),
    ends_at: app.clock.now(),
  }))
  await app.db.insertInto('search_wishes').values(sealed).execute()
  const both = createSecrets([young, old])
  expect(await rotateKeys(app.db, both)).toEqual({ sealed: 1100, codesLeft: 0 })
  expect(await rotateKeys(app.db, both), 'nothing is left').toEqual({ sealed: 0, codesLeft: 0 })
  const rows = await app.db.selectFrom('search_wishes').select(['id', 'sealed_filters']).execute()
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  for (const { id, sealed_filters } of rows) {
    expect(after.open('search wish', id, sealed_filters)).toEqual(filters)
  }
})

test('recovery codes need the old key until the admin has set up new ones', async () => {
  const both = createSecrets([young, old])
  app = await buildTestApp({ secrets: both })
  const { token } = await createAdmin(app)
  expect((await rotateKeys(app.db, both)).codesLeft).toBe(2)
  const post = (path: string, body: object) => app.call('POST', path, { token, body })
  const shown = await post('/admin/second-factor/set-up', { current_password: password })
  const code = codeOf(app, String(shown.body.secret))
  expect((await post('/admin/second-factor/confirm', { code })).status).toBe(200)
  expect((await rotateKeys(app.db, both)).codesLeft).toBe(0)
  expect((await rotateKeys(app.db, createSecrets([randomBytes(32), young, old]))).codesLeft).toBe(10)
})
