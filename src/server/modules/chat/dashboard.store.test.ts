import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient, createPractitioner, signInToChat } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { medianResponse } from './dashboard.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('the median response time of long dialogs is found from their first messages', async () => {
  const practitioner = await createPractitioner(app)
  for (const responseMinutes of [2, 4, 9]) {
    const { token } = await signInToChat(app, (await createClient(app)).token)
    const opened = await app.call('POST', '/chat/dialogs', {
      token,
      body: { practitioner_id: practitioner.id },
    })
    const dialog = String(opened.body._id)
    const body = { chat_dialog_id: dialog, message: 'Hello.' }
    expect((await app.call('POST', '/chat/messages', { token, body })).status).toBe(201)
    await sql`
      insert into chat_messages (dialog_id, seq, id, sender_id, body, sent_at)
      select d.id, n, gen_random_uuid(), case n % 2 when 0 then p.account_id else d.client_id end, m.body,
        m.sent_at + (n - 1) * ${responseMinutes}::int * interval '1 minute'
      from chat_dialogs d join practitioners p on p.id = d.practitioner_id
      join chat_messages m on m.dialog_id = d.id and m.seq = 1, generate_series(2, 400) n
      where d.id = ${dialog}`.execute(app.db)
  }
  await sql`analyze chat_messages`.execute(app.db)
  let median: number | null = null
  const read = await rowsRead(app.db, 'chat_messages', async (tx) => {
    median = await medianResponse(tx, practitioner.id)
  })
  expect(median).toBe(4)
  expect(read).toBeLessThan(30)
})
