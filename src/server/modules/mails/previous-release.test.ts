import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { bookSession, type Client, createClient, createPractitioner } from '#test/factories.ts'
import { sessionMails } from '#test/mails.ts'

/*
 * What an instance of the release before does is carried out here by its statements: it writes to its own tables and
 * enqueues jobs of its own kinds.
 */

let app: TestApp
let client: Client
/** Called after the mail server has accepted a mail. */
let reached: () => Promise<void>

beforeEach(async () => {
  reached = async () => undefined
  app = await buildTestApp({ checkpoint: () => reached() })
  client = await createClient(app)
  await app.queue.drain()
})
afterEach(async () => app.close())

/** Enqueues a job as the earlier release does. */
const previousJob = (name: string, data: object) => app.queue.enqueue(app.db, { ...unsettled, name }, data)
const unsettled = { retryLimit: 0, retryDelay: 0, retryDelayMax: 0 }
const subjects = () => app.mails().map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim())

describe('mails about sessions', () => {
  let appointment: string

  beforeEach(async () => {
    const practitioner = await createPractitioner(app)
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    appointment = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  })

  const toClient = () => sessionMails(app.mails()).filter((mail) => mail.to === client.email)
  const previousRow = (kind: 'booked' | 'day_before') =>
    app.db
      .selectFrom('session_mails')
      .selectAll()
      .where('recipient', '=', 'client')
      .where('kind', '=', kind)
      .executeTakeFirst()
  const insertPrevious = (kind: 'cancelled' | 'day_before', sequence: number) => {
    const mail = { id: crypto.randomUUID(), appointment_id: appointment, kind, sequence }
    return app.db
      .insertInto('session_mails')
      .values({ ...mail, recipient: 'client', created_at: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  }
  const sequence = async () => (await previousRow('booked'))?.sequence ?? 0

  test('of the earlier release are sent once, by its job and by a repeated one', async () => {
    await app.queue.drain()
    app.clock.set('2026-06-07T09:00:00Z')
    const row = await insertPrevious('day_before', await sequence())
    for (let time = 0; time < 2; time++) await previousJob('bookings.mail', { mail_id: row?.id ?? '' })
    await app.queue.drain()
    expect(toClient().map((mail) => mail.subject)).toEqual([
      'Your session is booked',
      'Your session is coming up',
    ])
    expect(await previousRow('day_before')).toMatchObject({ outcome: 'sent', claimed_until: null })
  })

  test('inserted by one release are not inserted by the other again', async () => {
    await app.queue.drain()
    app.clock.set('2026-06-07T09:00:00Z')
    const row = await insertPrevious('day_before', await sequence())
    await app.services.mailing.remind()
    await previousJob('bookings.mail', { mail_id: row?.id ?? '' })
    await app.queue.drain()
    expect(toClient().filter((mail) => mail.subject === 'Your session is coming up')).toHaveLength(1)
    app.clock.set('2026-06-08T08:00:00Z')
    await app.services.mailing.remind()
    await app.queue.drain()
    expect(await previousRow('booked')).toMatchObject({ outcome: 'sent' })
    expect(await insertPrevious('day_before', await sequence())).toBeUndefined()
  })

  test('claimed or sent by the earlier release are not sent by this one', async () => {
    const row = await previousRow('booked')
    const change = (values: { claimed_until: Date | null; outcome?: 'sent'; settled_at?: Date }) =>
      app.db
        .updateTable('session_mails')
        .set(values)
        .where('id', '=', row?.id ?? '')
        .execute()
    await change({ claimed_until: new Date(app.clock.now().getTime() + minutes(3)) })
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('on its way')
    await change({ claimed_until: null, outcome: 'sent', settled_at: app.clock.now() })
    await app.queue.drain()
    expect(toClient()).toEqual([])
  })

  test('claimed by this release are claimed for the earlier one, and obsolete ones are dropped', async () => {
    let claimed: Date | null | undefined
    reached = async () => {
      claimed ??= (await previousRow('booked'))?.claimed_until
    }
    const row = await previousRow('booked')
    await app.services.mails.send(row?.id ?? '')
    expect(claimed).toEqual(new Date(app.clock.now().getTime() + minutes(3)))
    expect(await previousRow('booked')).toMatchObject({ outcome: 'sent', claimed_until: null })
    const cancelled = await insertPrevious('cancelled', 5)
    await previousJob('bookings.mail', { mail_id: cancelled?.id ?? '' })
    await app.queue.drain()
    expect(subjects()).not.toContain('Your session is cancelled')
  })

  test('go with their session', async () => {
    await app.db.deleteFrom('session_mails').where('appointment_id', '=', appointment).execute()
    const { rows } = await sql`select from outgoing_mails where subject_id = ${appointment}`.execute(app.db)
    expect(rows).toEqual([])
  })
})
