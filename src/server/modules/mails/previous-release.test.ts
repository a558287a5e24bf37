import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { answerRequest, askForHelp, switchOn } from '#test/help.ts'
import { readMail, sessionMails } from '#test/mails.ts'

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
const subjects = () => app.mails().map((mail) => readMail(mail).subject)

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
    await app.services.outbox.remind()
    await previousJob('bookings.mail', { mail_id: row?.id ?? '' })
    await app.queue.drain()
    expect(toClient().filter((mail) => mail.subject === 'Your session is coming up')).toHaveLength(1)
    app.clock.set('2026-06-08T08:00:00Z')
    await app.services.outbox.remind()
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

test('two releases that claim the same mails at once send each once', async () => {
  await app.close()
  const { database } = await clusterDatabase(20)
  app = await buildTestApp({ database })
  const { db } = database
  client = await createClient(app)
  await app.queue.drain()
  const practitioner = await createPractitioner(app)
  await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  const rows = await db.selectFrom('session_mails').select('id').execute()
  expect(rows).toHaveLength(2)
  const until = new Date(app.clock.now().getTime() + minutes(3))
  const previousClaim = (id: string) =>
    inTransaction(db, async (tx) => {
      const mail = await tx
        .selectFrom('session_mails')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (mail.outcome || (mail.claimed_until && mail.claimed_until > app.clock.now())) return []
      await tx.updateTable('session_mails').set({ claimed_until: until }).where('id', '=', id).execute()
      return [id]
    })
  const before = app.mails().length
  const attempts = rows.flatMap(({ id }) =>
    Array.from({ length: 6 }, async (_, time) => {
      if (time % 2 === 0) return previousClaim(id)
      await app.services.mails.send(id).catch(() => undefined)
      return []
    }),
  )
  const byPrevious = (await Promise.all(attempts)).flat()
  const sent = app.mails().slice(before)
  const ids = [
    ...byPrevious,
    ...rows.flatMap(({ id }) => (sent.some((mail) => mail.includes(id)) ? [id] : [])),
  ]
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  expect(sent).toHaveLength(rows.length - byPrevious.length)
})

describe('other mails of the earlier release', () => {
  let practitioner: Practitioner

  beforeEach(async () => {
    practitioner = await createPractitioner(app)
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    await app.queue.drain()
  })

  const createdAt = () => app.clock.now()
  /** The subjects of the mails that come of jobs, each carried out twice. */
  async function mailsOf(name: string, data: object): Promise<string[]> {
    const before = app.mails().length
    await previousJob(name, data)
    await previousJob(name, data)
    await app.queue.drain()
    return subjects().slice(before)
  }

  test('about charges are sent once', async () => {
    const id = crypto.randomUUID()
    await app.db
      .insertInto('subscription_mails')
      .values({
        id,
        practitioner_id: practitioner.id,
        kind: 'cancelled',
        facts: JSON.stringify({ until: '2026-07-01T09:00:00Z' }),
        created_at: createdAt(),
      })
      .execute()
    expect(await mailsOf('subscriptions.mail', { mail_id: id })).toHaveLength(1)
    const row = await app.db.selectFrom('subscription_mails').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ outcome: 'sent', claimed_until: null })
  })

  test('about help right now are sent once, and dropped for a request that was answered', async () => {
    await switchOn(app, practitioner, later(createdAt(), hours(2)))
    const { id, requestId } = await askForHelp(app, { client })
    await app.queue.drain()
    await answerRequest(app, await signInPractitioner(app, practitioner), requestId, 'accept')
    // The earlier release writes both mails: the one of the acceptance, and one that came too late.
    await app.db.deleteFrom('help_mails').where('appointment_id', '=', id).execute()
    const accepted = { id: crypto.randomUUID(), appointment_id: id, kind: 'accepted' as const }
    const asked = { ...accepted, id: crypto.randomUUID(), kind: 'asked' as const, offer_id: requestId }
    for (const row of [accepted, asked]) {
      await app.db
        .insertInto('help_mails')
        .values({ ...row, created_at: createdAt() })
        .execute()
    }
    const ofAcceptance = await mailsOf('get-help.mail', { mail_id: accepted.id })
    expect(ofAcceptance.filter((subject) => subject !== 'Your receipt')).toHaveLength(1)
    expect(await mailsOf('get-help.mail', { mail_id: asked.id })).toEqual([])
    const rows = await app.db.selectFrom('help_mails').select(['id', 'outcome', 'claimed_until']).execute()
    expect(new Map(rows.map((row) => [row.id, row]))).toEqual(
      new Map([
        [accepted.id, { id: accepted.id, outcome: 'sent', claimed_until: null }],
        [asked.id, { id: asked.id, outcome: 'dropped', claimed_until: null }],
      ]),
    )
  })

  test('about vetting are sent once, and their reason is deleted in both forms', async () => {
    const id = crypto.randomUUID()
    const row = { id, practitioner_id: practitioner.id, kind: 'suspended' as const, reason: 'A canary.' }
    await app.db
      .insertInto('vetting_letters')
      .values({ ...row, created_at: createdAt() })
      .execute()
    expect(await mailsOf('practitioners.vetting-letter', { letter_id: id })).toHaveLength(1)
    expect(await app.db.selectFrom('vetting_letters').selectAll().execute()).toEqual([])
    const { rows } = await sql`select from outgoing_mails where data::text like '%canary%'`.execute(app.db)
    expect(rows).toEqual([])
  })

  test('to a new address are sent once, or never after they were withdrawn', async () => {
    const write = async () => {
      const id = crypto.randomUUID()
      const row = { id, account_id: client.id, kind: 'change_asked' as const, first_name: 'Alex' }
      await app.db
        .insertInto('account_letters')
        .values({ ...row, email: 'old@example.test', created_at: createdAt() })
        .execute()
      return id
    }
    expect(await mailsOf('accounts.letter', { letter_id: await write() })).toHaveLength(1)
    const withdrawn = await write()
    await app.db.deleteFrom('account_letters').where('id', '=', withdrawn).execute()
    expect(await mailsOf('accounts.letter', { letter_id: withdrawn })).toEqual([])
    // The other way: a mail of this release that the earlier one withdraws.
    await inTransaction(app.db, (tx) =>
      app.services.accounts.enqueueSettingsMail(
        tx,
        { id: client.id, first_name: 'Alex' },
        'change_asked',
        'old@example.test',
      ),
    )
    await app.db.deleteFrom('account_letters').where('account_id', '=', client.id).execute()
    const before = app.mails().length
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before)
  })

  test('that were sent without a row are sent by their job', async () => {
    await createAdmin(app)
    const jobs = [
      [
        'accounts.password-mail',
        { account_id: client.id },
        ['Choose a new password', 'Choose a new password'],
      ],
      ['accounts.password-mail', { account_id: null }, []],
      ['accounts.welcome-mail', { account_id: client.id }, ['Welcome to Hearth']],
      ['back-office.late-returns', {}, []],
      ['subscriptions.video-ordered', { practitioner_id: practitioner.id }, []],
      ['calendars.ended-mail', { calendar: crypto.randomUUID() }, []],
    ] as const
    for (const [name, data, sent] of jobs) expect([name, await mailsOf(name, data)]).toEqual([name, sent])
  })

  test('about unread messages are sent by one release', async () => {
    const reader = { dialog_id: '', account_id: client.id }
    const chat = await signInToChat(app, client.token)
    const writer = await signInToChat(app, await signInPractitioner(app, practitioner))
    const opened = await app.call('POST', '/chat/dialogs', {
      token: chat.token,
      body: { practitioner_id: practitioner.id },
    })
    reader.dialog_id = String(opened.body._id)
    const message = { chat_dialog_id: reader.dialog_id, message: 'Hello.' }
    await app.call('POST', '/chat/messages', { token: writer.token, body: message })
    app.clock.advance(minutes(16))
    const before = app.mails().length
    const previous = () =>
      app.db
        .selectFrom('chat_unread_mails')
        .selectAll()
        .where('account_id', '=', client.id)
        .executeTakeFirst()
    // The earlier release claims, and fails: this release neither inserts nor sends a mail until then.
    const until = new Date(app.clock.now().getTime() + minutes(3))
    await app.db
      .insertInto('chat_unread_mails')
      .values({ ...reader, claimed_until: until })
      .execute()
    await app.services.unread.sweep()
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before)
    await app.db.updateTable('chat_unread_mails').set({ claimed_until: null }).execute()
    await previousJob('chat.unread-mail', reader)
    await app.services.unread.sweep()
    // The mail of this release waits, and is claimed for the earlier one.
    expect((await previous())?.claimed_until?.getTime()).toBeGreaterThan(app.clock.now().getTime())
    await app.queue.drain()
    expect(subjects().slice(before)).toEqual(['You have a message on Hearth'])
    expect(await previous()).toMatchObject({ claimed_until: null, mailed_seq: 1, mailed_at: app.clock.now() })
    // What the earlier release was the last to mail about, this one does not mail about.
    await app.call('POST', '/chat/messages', { token: writer.token, body: message })
    app.clock.advance(minutes(60 * 25))
    await app.db.updateTable('chat_unread_mails').set({ mailed_seq: 2, mailed_at: app.clock.now() }).execute()
    app.clock.advance(minutes(60 * 25))
    await app.services.unread.sweep()
    await app.queue.drain()
    expect(subjects().slice(before)).toHaveLength(1)
  })
})
