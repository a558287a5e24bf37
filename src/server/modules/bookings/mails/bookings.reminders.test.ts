import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { smtpMailer } from '#server/integrations/mail/nodemailer.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { mailServer } from '#test/mail-server.ts'
import { plainText, readMail, refuseMailsTo } from '#test/mails.ts'
import { movableClock } from '#test/movable-clock.ts'
import { backOfficeAs } from '#test/vetting.ts'
import { bookingsChangedPlacesJob, bookingsSweepJob } from '../bookings.jobs.ts'

const clock = movableClock()
let smtp: Awaited<ReturnType<typeof mailServer>>
let app: TestApp
let practitioner: Practitioner
let client: Client
let token: string
/** Called before each void at the payment gateway. */
let beforeVoid = async () => undefined as void

beforeAll(async () => {
  smtp = await mailServer()
  app = await buildTestApp({
    clock,
    mailer: smtpMailer(smtp.url, 'Hearth <hello@hearth.test>'),
    gateway: (sandbox) => ({
      ...sandbox,
      async void(ref) {
        await beforeVoid()
        return sandbox.void(ref)
      },
    }),
  })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
// All tests share one app; each has its own accounts.
beforeEach(async () => {
  clock.set('2026-06-01T08:00:00Z')
  smtp.refusals.length = 0
  practitioner = await createPractitioner(app)
  client = await createClient(app, { name: 'Robin Vale' })
  token = await signInPractitioner(app, practitioner)
  await verifyAll()
})

const verifyAll = () => app.db.updateTable('accounts').set({ email_verified_at: clock.now() }).execute()
const starts = '2026-06-10T09:00:00Z'
const book = (startsAt = starts) => bookSession(app, { practitioner, client, startsAt })
/** Runs the reminders twice at an instant. */
const at = async (instant: string) => {
  clock.set(instant)
  for (let time = 0; time < 2; time++) {
    await app.queue.enqueue(app.db, bookingsSweepJob, {})
    await app.queue.drain()
  }
}
const isReminder = (subject: string) => /^Your session (is coming up|begins soon)$/.test(subject)
const reminded = (email = client.email) =>
  smtp.received.map(readMail).filter((mail) => mail.to === email && isReminder(mail.subject))
const subjects = (email?: string) => reminded(email).map((mail) => mail.subject)
const both = () => [subjects(), subjects(practitioner.email)]
const again = async () => {
  client = await signInAgain(app, client)
}
const edit = (id: string, body: Record<string, unknown>) =>
  app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: id, type: 'online', ...body },
  })
const unsent = (id: string) =>
  app.db
    .selectFrom('outgoing_mails')
    .select('id')
    .where('subject_id', '=', id)
    .where('template', '=', 'session.hour_before')
    .where('outcome', 'is', null)
    .execute()
const noted = (id: string) =>
  app.db
    .selectFrom('outgoing_mails')
    .select(['template', 'outcome'])
    .where('subject_id', '=', id)
    .where('template', 'in', ['session.day_before', 'session.hour_before'])
    .orderBy('template')
    .execute()

describe('a session', () => {
  test('is recalled to its practitioner although its client had a mail about the new room that day', async () => {
    await book()
    clock.set('2026-06-09T08:00:00Z')
    await app.queue.enqueue(app.db, bookingsChangedPlacesJob, {
      change_id: crypto.randomUUID(),
      practitioner_id: practitioner.id,
      location_ids: [],
      is_online_room: true,
    })
    await app.queue.drain()
    await at('2026-06-09T09:00:00Z')
    expect(both()).toEqual([[], ['Your session is coming up']])
  })

  test('is recalled to both a day and an hour before it, once each', async () => {
    await book()
    await at('2026-06-09T08:59:00Z')
    expect(both()).toEqual([[], []])
    await at('2026-06-09T09:00:00Z')
    await at('2026-06-09T12:00:00Z')
    expect(both()).toEqual([['Your session is coming up'], ['Your session is coming up']])
    await at('2026-06-10T07:59:00Z')
    await at('2026-06-10T08:00:00Z')
    await at('2026-06-10T08:30:00Z')
    await at('2026-06-10T10:00:00Z')
    const all = ['Your session is coming up', 'Your session begins soon']
    expect(both()).toEqual([all, all])
    const [toClient] = reminded()
    const [toPractitioner] = reminded(practitioner.email)
    expect(toClient?.text).toContain('Date: Wednesday 10 June 2026')
    expect(toClient?.text).toContain('Time: 10:00 to 10:50 (London time, British Summer Time)')
    expect(toPractitioner?.text).toContain('Client: Robin V.')
    for (const mail of [toClient, toPractitioner]) {
      expect(mail?.calendar).toBeUndefined()
      expect(mail?.raw).toMatch(/^List-Unsubscribe:/im)
      expect(mail?.text).not.toMatch(/tomorrow|Vale/)
    }
  })

  test('held here is recalled with the way into its room, through the sign-in of each', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ room: 'hearth' })
      .where('id', '=', practitioner.id)
      .execute()
    const id = await book()
    await at('2026-06-10T08:00:00Z')
    const way = encodeURIComponent(`/session-room?appointment=${id}`)
    expect(reminded().at(-1)?.text).toContain(`/sign-in?return_to=${way}`)
    expect(reminded(practitioner.email).at(-1)?.text).toContain(`/therapist/sign-in?return_to=${way}`)
    expect(reminded().at(-1)?.text).not.toContain('/therapist/')
  })

  test('of which money is given back at the gateway is not recalled once more, nor less', async () => {
    const id = await book()
    // As such a refund does, which changes nothing else.
    const refund = () =>
      app.db
        .updateTable('appointments')
        .set((eb) => ({ sequence: eb('sequence', '+', 1) }))
        .where('id', '=', id)
        .execute()
    await at('2026-06-09T09:00:00Z')
    await refund()
    await at('2026-06-09T13:00:00Z')
    expect(both()).toEqual([['Your session is coming up'], ['Your session is coming up']])
    smtp.refusals.push(...Array.from({ length: 60 }, () => ({ data: 451 })))
    await at('2026-06-10T08:00:00Z')
    await refund()
    smtp.refusals.length = 0
    await at('2026-06-10T08:30:00Z')
    for (const row of await unsent(id)) await app.services.mails.send(row.id)
    const all = ['Your session is coming up', 'Your session begins soon']
    expect(both()).toEqual([all, all])
  })

  test('that was on hold until a day before it is recalled to its practitioner, whom no mail told the time', async () => {
    await book()
    clock.set('2026-06-09T07:30:00Z')
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const reason = 'Papers.'
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'freeze' })
    await office.act(practitioner.id, 'reinstate', { reason })
    await at('2026-06-09T09:00:00Z')
    expect(both()).toEqual([[], ['Your session is coming up']])
  })

  test('that was moved is recalled at its new time alone', async () => {
    const id = await book()
    await at('2026-06-09T09:00:00Z')
    await again()
    // An old booking less than 48 hours ahead can no longer be moved, so this one is moved earlier.
    expect((await edit(id, { appointment_datetime: '2026-06-15T09:00:00Z' })).status).toBe(409)
    const other = await bookSession(app, { practitioner, client, startsAt: '2026-06-12T12:00:00Z' })
    clock.set('2026-06-10T11:00:00Z')
    await again()
    expect((await edit(other, { appointment_datetime: '2026-06-20T12:00:00Z' })).status).toBe(200)
    const before = subjects().length
    await at('2026-06-11T12:00:00Z')
    await at('2026-06-12T11:00:00Z')
    expect(subjects()).toHaveLength(before)
    await at('2026-06-19T12:00:00Z')
    expect(subjects()).toHaveLength(before + 1)
    expect(reminded().at(-1)?.text).toContain('Saturday 20 June 2026')
  })

  test('is recalled even if the reminder of an earlier one cannot be written, which follows once it can', async () => {
    await book()
    const other = await createClient(app)
    await verifyAll()
    await bookSession(app, { practitioner, client: other, startsAt: '2026-06-10T12:00:00Z' })
    const allow = await refuseMailsTo(app.db, client.id)
    await at('2026-06-09T12:00:00Z')
    expect([subjects(), subjects(other.email)]).toEqual([[], ['Your session is coming up']])
    // The practitioner's is written along with the client's or not at all.
    expect(subjects(practitioner.email)).toEqual(['Your session is coming up'])
    expect(app.logged()).toContain('reminding of a session')
    await allow()
    await at('2026-06-09T12:01:00Z')
    expect([subjects(), subjects(other.email)]).toEqual([
      ['Your session is coming up'],
      ['Your session is coming up'],
    ])
    expect(subjects(practitioner.email)).toHaveLength(2)
  })

  test('that is moved while a sweep has it on its list is recalled at its new time', async () => {
    const first = await book('2026-06-10T08:00:00Z')
    const other = await createClient(app)
    await verifyAll()
    const id = await bookSession(app, { practitioner, client: other, startsAt: starts })
    // A move that commits between the reminder of the session before it and its own.
    await sql`create function move_other() returns trigger language plpgsql as ${sql.lit(`begin
      update appointments set starts_at = starts_at + interval '10 days', ends_at = ends_at + interval '10 days',
        sequence = sequence + 1 where id = '${id}' and starts_at = '${starts}';
      return new; end`)}`.execute(app.db)
    await sql`create trigger move_other before insert on outgoing_mails for each row
      when (new.subject_id = ${sql.lit(first)}) execute function move_other()`.execute(app.db)
    await at('2026-06-09T09:00:00Z')
    await sql`drop function move_other cascade`.execute(app.db)
    expect([subjects(), subjects(other.email)]).toEqual([['Your session is coming up'], []])
    expect(await noted(id)).toEqual([])
    await at('2026-06-19T12:00:00Z')
    expect(subjects(other.email)).toEqual(['Your session is coming up'])
    expect(reminded(other.email)[0]?.text).toContain('Saturday 20 June 2026')
  })

  test('is reminded of while the payment gateway hangs', async () => {
    const id = await book()
    clock.set('2026-06-09T08:50:00Z')
    await again()
    const held = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-11T09:00:00.000Z',
      },
    })
    const paid = await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      body: { session_id: held.body.session_id, customer_id: await saveCard(app, client) },
    })
    expect(paid.status).toBe(200)
    const [hung, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforeVoid = () => {
      hung.resolve()
      return goOn.promise
    }
    clock.set('2026-06-09T09:01:00Z')
    await app.queue.enqueue(app.db, bookingsSweepJob, {})
    const drained = app.queue.drain()
    try {
      await hung.promise
      expect(await noted(id)).toHaveLength(2)
    } finally {
      beforeVoid = async () => undefined
      goOn.resolve()
      await drained
    }
  })

  test('that was cancelled after its reminder was inserted sends no reminder', async () => {
    const id = await book()
    clock.set('2026-06-09T09:00:00Z')
    await app.services.outbox.remind()
    expect(await noted(id)).toHaveLength(2)
    token = await signInPractitioner(app, practitioner)
    await app.call('POST', `/therapist/sessions/${id}/cancel`, { token, body: {} })
    await at('2026-06-09T09:01:00Z')
    await at('2026-06-10T08:00:00Z')
    expect(both()).toEqual([[], []])
    expect((await noted(id)).map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped'])
  })

  test('is reminded of in each recipient’s zone at the time of sending', async () => {
    const id = await book()
    clock.set('2026-06-09T09:00:00Z')
    await app.services.outbox.remind()
    await app.db
      .updateTable('practitioners')
      .set({ timezone: 'America/New_York' })
      .where('id', '=', practitioner.id)
      .execute()
    await app.db
      .updateTable('appointments')
      .set({ client_timezone: 'Asia/Tokyo' })
      .where('id', '=', id)
      .execute()
    await at('2026-06-09T09:01:00Z')
    expect(reminded()[0]?.text).toContain('Time: 18:00 to 18:50 (Tokyo time')
    expect(reminded(practitioner.email)[0]?.text).toContain('Time: 05:00 to 05:50 (New York time')
  })

  test('that was booked shortly before is not recalled on top of that', async () => {
    clock.set('2026-06-10T07:40:00Z')
    await again()
    const id = await book()
    await at('2026-06-10T08:00:00Z')
    await at('2026-06-10T08:30:00Z')
    expect(both()).toEqual([[], []])
    expect(await noted(id)).toEqual([])
  })

  test('is recalled late by a server that was away, while that is of use, and not after', async () => {
    await book()
    await at('2026-06-10T02:00:00Z')
    expect(subjects()).toEqual(['Your session is coming up'])
    await at('2026-06-10T08:46:00Z')
    await at('2026-06-10T09:30:00Z')
    expect(subjects()).toEqual(['Your session is coming up'])
    const other = await createClient(app)
    client = other
    await again()
    await verifyAll()
    await book('2026-06-12T09:00:00Z')
    await at('2026-06-12T04:00:00Z')
    expect(subjects()).toEqual([])
  })

  test('a mail server that is away gets the mail later, or never if it would be too late', async () => {
    const id = await book()
    smtp.refusals.push(...Array.from({ length: 60 }, () => ({ data: 451 })))
    await at('2026-06-10T08:00:00Z')
    expect(both()).toEqual([[], []])
    smtp.refusals.length = 0
    clock.set('2026-06-10T08:50:00Z')
    for (const row of await unsent(id)) await app.services.mails.send(row.id)
    expect(both()).toEqual([[], []])
    expect(
      (await noted(id))
        .filter(({ template }) => template === 'session.hour_before')
        .map(({ outcome }) => outcome),
    ).toEqual(['dropped', 'dropped'])
  })
})

describe('reminders', () => {
  test('can be turned off on the account page, by each for themselves', async () => {
    const answer = await app.call('PUT', '/notices', {
      token: client.token,
      body: { session_reminders: false },
    })
    expect(answer.body).toEqual({ unread_mail: true, session_reminders: false })
    await book()
    await at('2026-06-09T09:00:00Z')
    expect(both()).toEqual([[], ['Your session is coming up']])
    await again()
    const on = await app.call('PUT', '/notices', { token: client.token, body: { session_reminders: true } })
    expect(on.body).toEqual({ unread_mail: true, session_reminders: true })
    await at('2026-06-10T08:00:00Z')
    expect(subjects()).toEqual(['Your session begins soon'])
  })

  test('can be turned off by the link in one, which leaves other mails as they are', async () => {
    await book()
    await at('2026-06-09T09:00:00Z')
    const link = /Stop reminders by email: (\S+)/.exec(reminded()[0]?.text ?? '')?.[1] ?? ''
    const url = new URL(link)
    const pressed = await fetch(`${app.origin}${url.pathname}${url.search}`, { method: 'POST' })
    expect(pressed.status).toBe(200)
    await again()
    const choices = await app.call('GET', '/notices', { token: client.token })
    expect(choices.body).toMatchObject({ unread_mail: true, session_reminders: false })
    await at('2026-06-10T08:00:00Z')
    expect(subjects()).toEqual(['Your session is coming up'])
  })

  test('contain no detail of a session when the address is unconfirmed', async () => {
    await book()
    await app.queue.drain()
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: null })
      .where('id', '=', client.id)
      .execute()
    const before = smtp.received.length
    await at('2026-06-09T09:00:00Z')
    const sent = smtp.received.slice(before).map((raw) => ({ ...readMail(raw), all: plainText(raw) }))
    const [mail] = sent.filter(({ to }) => to === client.email)
    expect(mail?.subject).toBe('There is something new for you on Hearth')
    expect(mail?.all).not.toMatch(/10 June|10:00|session with/i)
  })
})
