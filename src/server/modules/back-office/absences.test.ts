import { afterEach, beforeEach, expect, test } from 'vitest'
import { days, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
} from '#test/factories.ts'
import { plainText } from '#test/mails.ts'
import { devices, stayInRoom } from '#test/rooms.ts'
import { backOfficePersonalData } from './back-office.personal-data.ts'

const first = new Date('2026-06-08T09:00:00Z')

let app: TestApp
let practitioner: Practitioner
let client: Client
beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  client = await createClient(app)
})
afterEach(async () => app.close())

/** Books a session, waits alone in its room and reports it. Its id. */
async function isMissed(startsAt: Date): Promise<string> {
  app.clock.set(later(startsAt, -days(2)))
  client = await signInAgain(app, client)
  const id = await bookSession(app, { practitioner, client, startsAt: startsAt.toISOString() })
  app.clock.set(startsAt)
  client = await signInAgain(app, client)
  await stayInRoom(app, id, client.token, devices.phone, 10)
  const answer = await app.call('POST', `/appointment/${id}/nobody-came`, { token: client.token, body: {} })
  expect(answer.body).toMatchObject({ status: 'cancelled' })
  return id
}
const tasks = async () =>
  (await app.call('GET', '/admin/absences', { token: (await createAdmin(app)).token })).body
const resolve = async (body: object = { reason: 'They were ill, and are back.' }) =>
  app.call('POST', `/admin/practitioners/${practitioner.id}/resolve-absences`, {
    token: (await createAdmin(app)).token,
    body,
  })
const subject = 'A practitioner did not come, for the second time in 30 days'
async function officeMails(): Promise<string[]> {
  await app.queue.drain()
  return app
    .mails()
    .map(plainText)
    .filter((mail) => mail.includes(subject))
}

test('the second absence of a practitioner within 30 days is a task, until an admin has dealt with it', async () => {
  await createAdmin(app)
  const one = await isMissed(first)
  expect(await tasks()).toEqual({ data: [], total: 0 })
  expect(await officeMails()).toEqual([])

  const other = await isMissed(later(first, days(30)))
  expect(await tasks()).toMatchObject({
    total: 1,
    data: [
      {
        practitioner_id: practitioner.id,
        full_name: 'Priya Patel',
        since: later(first, days(30) + minutes(10)).toISOString(),
        sessions: [
          { appointment_id: one, starts_at: first.toISOString() },
          { appointment_id: other, starts_at: later(first, days(30)).toISOString() },
        ],
      },
    ],
  })
  const sent = await officeMails()
  expect(sent.length).toBeGreaterThan(0)
  for (const mail of sent) expect(mail).not.toContain('Patel')

  expect((await resolve({ reason: ' ' })).status).toBe(422)
  // One that was not seen is not dealt with.
  for (const shown_sessions of [1, 3]) {
    const refused = await resolve({ reason: 'They were ill.', shown_sessions })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
  }
  expect(await tasks()).toMatchObject({ total: 1 })
  const said = { reason: 'They were ill, and are back.', shown_sessions: 2 }
  expect((await resolve(said)).body).toEqual({ total: 0 })
  expect(await tasks()).toEqual({ data: [], total: 0 })
  expect((await resolve()).status).toBe(404)
  const entries = await app.db
    .selectFrom('audit_log')
    .select(['action', 'practitioner_id', 'reason'])
    .where('action', '=', 'resolve absences')
    .execute()
  expect(entries).toEqual([
    { action: 'resolve absences', practitioner_id: practitioner.id, reason: 'They were ill, and are back.' },
  ])

  await isMissed(later(first, days(32)))
  expect(await tasks()).toMatchObject({ total: 1 })

  // What was dealt with leaves with the client whose session it names; what is open stays.
  await inTransaction(app.db, (tx) =>
    backOfficePersonalData.erase(tx, { accountId: client.id, role: 'client' }),
  )
  const left = await app.db.selectFrom('absence_tasks').select('resolved_at').execute()
  expect(left).toEqual([{ resolved_at: null }])
})

test('absences more than 30 days apart, and those of others, are no task', async () => {
  await isMissed(first)
  await isMissed(later(first, days(30) + minutes(60)))
  practitioner = await createPractitioner(app)
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  await isMissed(later(first, days(31)))
  expect(await tasks()).toEqual({ data: [], total: 0 })
  expect(await app.db.selectFrom('absence_tasks').selectAll().execute()).toEqual([])
  expect(await officeMails()).toEqual([])
})

test('a third absence joins the task that is open, without another mail', async () => {
  await createAdmin(app)
  await isMissed(first)
  await isMissed(later(first, days(7)))
  const sent = await officeMails()
  await isMissed(later(first, days(14)))
  const { data, total } = (await tasks()) as unknown as { data: { sessions: unknown[] }[]; total: number }
  expect([total, data[0]?.sessions.length]).toEqual([1, 3])
  expect(await officeMails()).toEqual(sent)
})
