import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, minutes } from '#server/clock.ts'
import { smtpMailer } from '#server/integrations/mail/nodemailer.ts'
import { MailRefused } from '#server/integrations/mail/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bookSession, type Client, createAdmin, createClient, createPractitioner } from '#test/factories.ts'
import { mailServer, type Refusal } from '#test/mail-server.ts'
import { readMail, sessionMails } from '#test/mails.ts'
import { mailSendJob } from './mails.jobs.ts'

let app: TestApp
let client: Client
/** Called after the mail server has accepted the mail and before the row is settled; a test ends the process there. */
let reached: (step: string) => Promise<void>

beforeEach(async () => {
  reached = async () => undefined
  await open()
})
afterEach(async () => app.close())

async function open(options: Parameters<typeof buildTestApp>[0] = {}): Promise<void> {
  app = await buildTestApp({ ...options, checkpoint: (step) => reached(step) })
  client = await createClient(app)
  await app.queue.drain()
}

/** Books a session between two people whose addresses are confirmed. */
async function book(): Promise<string> {
  const practitioner = await createPractitioner(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  return bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
}
const cancel = (id: string) =>
  app.call('POST', '/appointment/cancel-session', { token: client.token, body: { appointment_id: id } })
const sent = () => sessionMails(app.mails())
const toClient = async () => {
  await app.queue.drain()
  return sent().filter((mail) => mail.to === client.email)
}
const subjects = (mails: { subject: string }[]) => mails.map((mail) => mail.subject).sort()

test('a mail that its reader waits for has a priority before others in the queue', async () => {
  await book()
  await app.call('POST', '/client/forgot-password', { body: { email: client.email } })
  const { rows } = await sql<{ template: string; priority: number }>`
    select m.template, j.priority from pgboss.job j join outgoing_mails m on m.id = (j.data ->> 'mail_id')::uuid
    where j.name = 'mail.send' and j.state = 'created' order by m.template`.execute(app.db)
  expect(rows.find(({ template }) => template === 'account.password')?.priority).toBe(1)
  const sessions = rows.filter(({ template }) => template.startsWith('session.'))
  expect(sessions.map(({ priority }) => priority)).toEqual([0, 0])
})

describe('a job that is done again', () => {
  const rows = () =>
    app.db
      .selectFrom('outgoing_mails')
      .selectAll()
      .where('template', 'like', 'session.%')
      .orderBy('recipient')
      .execute()
  const again = async (id: string) => {
    await app.queue.enqueue(app.db, mailSendJob, { mail_id: id })
    await app.queue.drain()
  }

  test('after its mail was sent sends no other', async () => {
    await book()
    await app.queue.drain()
    const before = sent().length
    for (const row of await rows()) await again(row.id)
    expect(sent()).toHaveLength(before)
  })

  test('by two at once sends one mail', async () => {
    await book()
    const [row] = await rows()
    const release = Promise.withResolvers<void>()
    const handedOver = Promise.withResolvers<void>()
    reached = async (step) => {
      if (step !== 'mail handed over') return
      handedOver.resolve()
      await release.promise
    }
    const first = app.services.mails.send(row?.id ?? '')
    await handedOver.promise
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('on its way')
    release.resolve()
    await first
    await app.services.mails.send(row?.id ?? '')
    expect(sent().filter((mail) => mail.messageId.includes(row?.id ?? 'none'))).toHaveLength(1)
  })

  test('by ten at once on a server sends one mail', async () => {
    await app.close()
    const { database } = await clusterDatabase(10)
    await open({ database })
    await book()
    const [row] = await rows()
    const attempts = Array.from({ length: 10 }, () => app.services.mails.send(row?.id ?? ''))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBeGreaterThan(0)
    await app.services.mails.send(row?.id ?? '')
    expect(sent()).toHaveLength(1)
    expect((await rows()).map((each) => each.outcome)).toEqual(['sent', null])
  })

  test('after the process ended between the mail server and its note sends the very same mail', async () => {
    await book()
    const row = (await rows()).find((each) => each.recipient === 'client')
    reached = async (step) => {
      if (step === 'mail handed over') throw new Error('the process has ended')
    }
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('ended')
    reached = async () => undefined
    // Until the claim expires, another run does not send the mail.
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('on its way')
    app.clock.advance(minutes(3))
    await app.services.mails.send(row?.id ?? '')
    await app.services.mails.send(row?.id ?? '')
    const mails = await toClient()
    expect(mails).toHaveLength(2)
    expect(mails[1]?.messageId).toBe(mails[0]?.messageId)
    expect(mails[1]?.raw).toBe(mails[0]?.raw)
  })

  test('after such an end is not done when the session was cancelled meanwhile', async () => {
    const id = await book()
    const row = (await rows()).find((each) => each.recipient === 'client')
    reached = async (step) => {
      if (step === 'mail handed over') throw new Error('the process has ended')
    }
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('ended')
    reached = async () => undefined
    await cancel(id)
    app.clock.advance(minutes(3))
    await app.services.mails.send(row?.id ?? '')
    expect(subjects(await toClient())).toEqual([
      'Your refund is on its way',
      'Your session is booked',
      'Your session is cancelled',
    ])
  })
})

describe('through a real mail server', () => {
  /**
   * Books a session in an app of its own. Returns the row of the client's mail and the mails that the client received.
   */
  async function booked(...refusals: Refusal[]) {
    await app.close()
    const post = await mailServer()
    await open({ mailer: smtpMailer(post.url, 'Hearth <hello@hearth.test>') })
    await book()
    post.refusals.push(...refusals)
    const find = () =>
      app.db
        .selectFrom('outgoing_mails')
        .selectAll()
        .where('template', '=', 'session.booked')
        .where('recipient', '=', 'client')
        .executeTakeFirstOrThrow()
    const { id } = await find()
    return {
      find,
      send: () => app.services.mails.send(id),
      received: () => post.received.map(readMail).filter((mail) => mail.messageId.includes(id)),
      close: post.close,
    }
  }

  test.each([
    { to: 450 },
    { data: 451 },
    { from: 421 },
    { data: '554 Message rejected: Email address alex@example.test is not verified.' },
    { to: '554 5.7.1 <alex@example.test>: Relay access denied' },
  ])('a mail refused for now (%j) is left to the queue, and arrives once', async (refusal) => {
    const post = await booked(refusal)
    await expect(post.send()).rejects.toThrow()
    expect(await post.find()).toMatchObject({ outcome: null, claimed_until: null })
    expect(post.received()).toEqual([])
    expect(app.logged()).toContain(String(refusal.to ?? refusal.data ?? refusal.from).slice(0, 3))
    expect(app.logged()).not.toContain('refused for good')
    expect(app.logged()).not.toContain('@example.test')
    await app.queue.drain()
    await post.send()
    expect(post.received()).toHaveLength(1)
    expect(await post.find()).toMatchObject({ outcome: 'sent' })
    await post.close()
  })

  test.each([{ to: 550 }, { data: '550 5.1.1 <alex@example.test>: User unknown' }])(
    'a mail refused for good (%j) is given up, without a word of the server in the log',
    async (refusal) => {
      const post = await booked(refusal)
      await post.send()
      expect(await post.find()).toMatchObject({ outcome: 'refused', claimed_until: null })
      await post.send()
      expect(post.received()).toEqual([])
      expect(app.logged()).toContain('refused for good')
      expect(app.logged()).not.toContain('@example.test')
      await post.close()
    },
  )

  test('a mail that was taken before the process ended comes again as the same one', async () => {
    const post = await booked()
    reached = async (step) => {
      if (step === 'mail handed over') throw new Error('the process has ended')
    }
    await expect(post.send()).rejects.toThrow('ended')
    reached = async () => undefined
    app.clock.advance(minutes(3))
    await app.queue.drain()
    const [first, second, ...more] = post.received()
    expect(more).toEqual([])
    expect(first?.raw).toContain('Your session is booked')
    expect(second?.raw).toBe(first?.raw)
    await post.close()
  })

  test('retries after the server was unavailable', async () => {
    const post = await booked()
    await post.close()
    await expect(post.send()).rejects.toThrow()
    expect(app.logged()).toContain('"code":"ECONNREFUSED"')
    expect(await post.find()).toMatchObject({ outcome: null, claimed_until: null })
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where name = 'mail.send' and data ->> 'mail_id' in (select id::text from outgoing_mails where template = 'session.booked')`.execute(
      app.db,
    )
    expect(rows.map((row) => row.state)).toEqual(['created', 'created'])
    await app.queue.drain()
    const after = await sql<{ state: string }>`
      select state from pgboss.job where name = 'mail.send' and data ->> 'mail_id' in (select id::text from outgoing_mails where template = 'session.booked')`.execute(
      app.db,
    )
    expect(after.rows.map((row) => row.state)).toEqual(['retry', 'retry'])
  })
})

describe('every template', () => {
  const anchor = (id: string) => ({
    template: 'back-office.audit_anchor',
    about: { type: 'audit-check', id },
    dedupeKey: `back-office.audit_anchor ${id}`,
    data: { anchor: '1:ab', wrong: null },
  })
  const outgoing = () => app.db.selectFrom('outgoing_mails').selectAll().orderBy('created_at').execute()

  test('has one mail for a change that twenty repeat at once', async () => {
    await app.close()
    const { database } = await clusterDatabase(20)
    await open({ database })
    await createAdmin(app)
    await Promise.all(
      Array.from({ length: 20 }, () => app.services.adminMails.enqueue(app.db, anchor('one'))),
    )
    expect(await outgoing()).toHaveLength(1)
    const before = app.mails().length
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before + 1)
  })

  test('has the same Message-ID and date when its mail is sent again after a crash', async () => {
    await createAdmin(app)
    const before = app.mails().length
    await app.services.adminMails.enqueue(app.db, anchor('one'))
    const [row] = (await outgoing()).filter(({ template }) => template === 'back-office.audit_anchor')
    reached = async () => {
      throw new Error('the process has ended')
    }
    await expect(app.services.mails.send(row?.id ?? '')).rejects.toThrow('ended')
    reached = async () => undefined
    app.clock.advance(minutes(3))
    await app.services.mails.send(row?.id ?? '')
    const [first, second, ...more] = app.mails().slice(before)
    expect(more).toEqual([])
    expect(first).toContain(row?.id)
    expect(second).toBe(first)
  })

  test('mails each admin once when the address of one is refused for now', async () => {
    await app.close()
    const sent: string[] = []
    let isAway = true
    app = await buildTestApp({
      mailer: {
        sender: { name: 'Hearth', address: 'hello@hearth.test' },
        async send({ to }) {
          if (isAway && to === second.email) throw new Error('The server is away.')
          sent.push(to)
        },
      },
    })
    const first = await createAdmin(app)
    const second = await createAdmin(app)
    await app.services.adminMails.enqueue(app.db, anchor('one'))
    await app.queue.drain()
    expect(sent).toEqual([first.email])
    isAway = false
    for (const { id } of await outgoing()) await app.services.mails.send(id)
    expect(sent).toEqual([first.email, second.email])
  })

  test('of the back office is retried while its address is refused, and arrives once it is not', async () => {
    await app.close()
    const sent: string[] = []
    let isRefused = true
    app = await buildTestApp({
      mailer: {
        sender: { name: 'Hearth', address: 'hello@hearth.test' },
        async send({ to }) {
          if (isRefused) throw new MailRefused(550)
          sent.push(to)
        },
      },
    })
    const admin = await createAdmin(app)
    await app.services.adminMails.enqueue(app.db, anchor('one'))
    await app.queue.drain()
    expect(await outgoing()).toMatchObject([{ outcome: null, claimed_until: null }])
    const { rows } = await sql`select state from pgboss.job where name = 'mail.send'`.execute(app.db)
    expect(rows).toEqual([{ state: 'retry' }])
    expect(app.logged()).toContain('"code":550')
    isRefused = false
    for (const { id } of await outgoing()) await app.services.mails.send(id)
    expect(sent).toEqual([admin.email])
  })

  test('keeps a settled mail for a year, and a mail with personal facts until it is sent or too old', async () => {
    await createAdmin(app)
    await app.services.adminMails.enqueue(app.db, anchor('one'))
    await app.queue.drain()
    await app.call('POST', '/client/resend-verification', { token: client.token })
    const kept = async () => {
      await app.services.mails.tidy()
      return (await outgoing()).map(({ template }) => template)
    }
    expect(await kept()).toEqual(['back-office.audit_anchor', 'account.confirmation'])
    app.clock.advance(days(1) + 1)
    expect(await kept()).toEqual(['back-office.audit_anchor'])
    app.clock.advance(days(365))
    expect(await kept()).toEqual([])
  })

  test('loses a mail that nothing sent after a year', async () => {
    await createAdmin(app)
    await app.services.adminMails.enqueue(app.db, anchor('one'))
    const kept = async () => {
      await app.services.mails.tidy()
      return (await outgoing()).map(({ template, outcome }) => [template, outcome])
    }
    app.clock.advance(days(365) - 1)
    expect(await kept()).toEqual([['back-office.audit_anchor', null]])
    app.clock.advance(2)
    expect(await kept()).toEqual([])
  })

  test('is registered before a mail names it', async () => {
    await expect(
      app.services.mails.enqueue(app.db, {
        template: 'made-up',
        about: { type: 'account', id: client.id },
        recipient: 'holder',
      }),
    ).rejects.toThrow('no template made-up')
    expect(() => app.services.mails.template('session.booked', { load: async () => 'obsolete' })).toThrow(
      'already',
    )
    expect(await outgoing()).toEqual([])
  })
})
