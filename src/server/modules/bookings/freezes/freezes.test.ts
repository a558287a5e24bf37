import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PushSender } from '#server/integrations/push/port.ts'
import { hours, later, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { askForHelp, claimHelp, openRequest } from '#test/help.ts'
import { entryIn, readMail } from '#test/mails.ts'
import { backOfficeAs } from '#test/vetting.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'

/** The reason, which only the back office and the practitioner may read. */
const reason = 'CANARY-7f3a a client has complained'
const noon = '2026-06-08T12:00:00.000Z'
const evening = '2026-06-08T15:00:00.000Z'

let app: TestApp
let practitioner: Practitioner
let backOffice: ReturnType<typeof backOfficeAs>
let admin: string
/** Endpoints that got a push notification, with its text. */
let pushed: { endpoint: string; text: string }[]

const push: PushSender = {
  publicKey: 'key',
  allows: () => true,
  send: async ({ endpoint }, { text }) => {
    pushed.push({ endpoint, text })
    return 'taken'
  },
}

const setUp = async (options: Parameters<typeof buildTestApp>[0] = {}) => {
  pushed = []
  app = await buildTestApp({ push, ...options })
  practitioner = await createPractitioner(app)
  admin = (await createAdmin(app)).token
  backOffice = backOfficeAs(app, admin)
}
afterEach(async () => app.close())

/** Sets the clock and signs the admin in again, because sign-in sessions expire. */
const at = async (instant: string | Date) => {
  app.clock.set(instant)
  admin = (await createAdmin(app)).token
  backOffice = backOfficeAs(app, admin)
}
const suspend = (body: Record<string, unknown> = {}) =>
  backOffice.act(practitioner.id, 'suspend', { reason, ...body })
const reinstate = () => backOffice.act(practitioner.id, 'reinstate')
const sweep = async () => {
  await app.queue.enqueue(app.db, bookingsSweepJob, {})
  await app.queue.drain()
  await app.services.payments.recover()
  await app.queue.drain()
}
/** Runs the jobs that finish payments after a delay. */
const finish = async () => {
  app.clock.advance(minutes(1))
  await sweep()
}
const row = (id: string) =>
  app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const detail = async (client: Client, id: string) =>
  (await app.call('GET', `/appointment/${id}`, { token: client.token })).body
const mailsTo = (email: string) =>
  app
    .mails()
    .map(readMail)
    .filter(({ to }) => to === email)
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject)
/** The payments of a session at the gateway. Amounts in pence. */
const held = async (id: string) => {
  const { rows } = await sql<{ state: string; amount: number; refunded: number }>`
    select g.state, g.amount_pence as amount, g.refunded_pence as refunded
    from payment_intents i join sandbox_gateway.payments g on g.idempotency_key = i.id::text
    where i.appointment_id = ${id}`.execute(app.db)
  return rows
}
const balanced = async () => {
  const books = Object.values(await ledger(app))
  expect(books.reduce((sum, amount) => sum + amount, 0)).toBe(0)
}
const verified = () => app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()

describe('the freeze of a session', () => {
  beforeEach(() => setUp())

  test('ends at its deadline to the millisecond, for any start', async () => {
    const client = await createClient(app)
    const card = await saveCard(app, client)
    const starts = [
      '2026-06-08T11:00:00Z',
      '2026-06-08T14:00:01Z',
      '2026-06-10T09:00:00Z',
      '2026-06-20T09:00:00Z',
    ]
    const ids: string[] = []
    for (const startsAt of starts) {
      const wanted = startsAt.replace(/:\d\d:\d\dZ/, ':00:00Z')
      ids.push(await bookSession(app, { practitioner, client, card, startsAt: wanted }))
    }
    await at('2026-06-08T10:30:00Z')
    expect((await suspend()).body.sessions).toMatchObject({ cancelled: 1, frozen: 3 })
    const deadlines = [
      '2026-06-08T10:30:00Z',
      '2026-06-08T12:00:00Z',
      '2026-06-10T07:00:00Z',
      '2026-06-11T10:30:00Z',
    ]
    for (const [index, deadline] of deadlines.entries()) {
      const id = ids[index] ?? ''
      if (index > 0) {
        app.clock.set(new Date(Date.parse(deadline) - 1))
        await sweep()
        expect([id, (await row(id)).state]).toEqual([id, 'confirmed'])
        expect((await held(id)).map(({ refunded }) => refunded)).toEqual([0])
      }
      app.clock.set(deadline)
      await sweep()
      const { state, cancel_code } = await row(id)
      expect([id, state, cancel_code]).toEqual([id, 'cancelled', 'practitioner_suspended'])
      await finish()
      expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
    }
    await balanced()
  })
})

describe('suspending a practitioner with thirty sessions in every state', () => {
  let clients: Client[]
  let cards: string[]
  let ahead: { id: string; client: Client }[]
  let untouched: { id: string; state: string }[]
  let pending: string[]
  let draft: string
  let asked: string
  /** Available to take over a help request from the suspended practitioner. */
  let standIn: Practitioner

  const start = (client: Client, datetime?: string) =>
    app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        ...(datetime ? { datetime } : {}),
      },
    })

  beforeEach(async () => {
    await setUp()
    standIn = await createPractitioner(app)
    clients = []
    for (let index = 0; index < 6; index++) clients.push(await createClient(app))
    cards = []
    for (const client of clients) cards.push(await saveCard(app, client))
    await verified()
    const book = async (index: number, startsAt: string) => {
      const client = clients[index % 4] as Client
      const id = await bookSession(app, { practitioner, client, card: cards[index % 4], startsAt })
      return { id, client }
    }
    const early: string[] = []
    for (let index = 0; index < 3; index++)
      early.push((await book(index, `2026-06-0${2 + index}T09:00:00Z`)).id)
    const cancelled = (await book(3, '2026-06-25T09:00:00Z')).id
    await app.call('POST', '/appointment/cancel-session', {
      token: clients[3]?.token,
      body: { appointment_id: cancelled },
    })
    ahead = []
    // The first begins within two hours; one follows on each of the next days.
    ahead.push(await book(0, '2026-06-08T13:00:00Z'))
    for (let day = 9; day < 28; day++)
      ahead.push(await book(ahead.length, `2026-06-${String(day).padStart(2, '0')}T09:00:00Z`))
    await at('2026-06-08T11:52:00Z')
    clients = await Promise.all(clients.map((client) => signInAgain(app, client)))
    ahead = ahead.map(({ id }, index) => ({ id, client: clients[index % 4] as Client }))
    await sweep()
    const therapist = await signInPractitioner(app, practitioner)
    const missed = await book(0, '2026-06-30T09:00:00Z')
    await sql`update appointments set state = 'no_show', starts_at = '2026-06-07T09:00:00Z',
      ends_at = '2026-06-07T09:50:00Z' where id = ${missed.id}`.execute(app.db)
    await app.call('PUT', '/therapist/available-now', { token: therapist, body: { available: true } })
    untouched = [
      ...early.map((id) => ({ id, state: 'completed' })),
      { id: cancelled, state: 'cancelled' },
      { id: missed.id, state: 'no_show' },
    ]
    pending = []
    const [fifth, sixth] = clients.slice(4) as [Client, Client]
    const unpaid = String((await start(fifth, '2026-07-01T09:00:00Z')).body.session_id)
    const authorised = String((await start(sixth, '2026-07-02T09:00:00Z')).body.session_id)
    await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: sixth.token,
      body: { session_id: authorised, customer_id: cards[5] },
    })
    pending = [unpaid, authorised]
    draft = String((await start(sixth)).body.session_id)
    const helped = await createClient(app)
    asked = (await askForHelp(app, { client: helped, preferred: practitioner.id })).id
    await app.queue.drain()
  })

  test.each(['cancel', 'freeze'] as const)(
    'protects every client in the moment of the suspension: %s',
    async (sessions) => {
      expect(ahead.length + untouched.length + pending.length + 3).toBeGreaterThanOrEqual(30)
      const before = await backOffice.file(practitioner.id)
      expect(before.status).toBe(200)
      const look = await app.call('GET', `/admin/practitioners/${practitioner.id}/ahead`, { token: admin })
      expect(look.body).toMatchObject({
        total: 20,
        at_once: 1,
        money: 20 * 60,
        pending: 2,
        offers: 1,
      })
      const mailsBefore = app.mails().length
      const answer = await suspend({ cause: 'conduct', sessions })
      expect(answer.status).toBe(200)
      const expected = sessions === 'cancel' ? { cancelled: 20, frozen: 0 } : { cancelled: 1, frozen: 19 }
      expect(answer.body).toMatchObject({
        status: 'suspended',
        sessions: { ...expected, refunds: expected.cancelled, refunded: expected.cancelled * 60 },
      })

      // The link is withheld from every client under either choice, and before any job has run.
      for (const { id, client } of ahead) {
        const seen = await detail(client, id)
        expect([id, seen.meeting_link, seen.room]).toEqual([id, null, null])
        expect(seen.change).toMatchObject({ allowed: false })
        expect(JSON.stringify(seen)).not.toContain('CANARY')
      }
      for (const client of clients) {
        const list = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
        expect(JSON.stringify(list.body)).not.toContain('rooms.example.test')
        expect(JSON.stringify(list.body)).not.toContain('CANARY')
      }
      const states = await Promise.all(ahead.map(async ({ id }) => (await row(id)).state))
      expect(states.filter((state) => state === 'cancelled')).toHaveLength(expected.cancelled)
      // This session begins within two hours.
      expect(states[0]).toBe('cancelled')
      for (const { id, state } of untouched) expect([id, (await row(id)).state]).toEqual([id, state])

      // Unpaid bookings have expired, and their authorisations are voided.
      for (const id of pending) expect((await row(id)).state).toBe('expired')
      await finish()
      expect((await held(pending[1] ?? '')).map(({ state }) => state)).toEqual(['voided'])
      const booked = await app.call('POST', '/appointment/instant-book', {
        token: clients[5]?.token,
        body: {
          appointment_id: draft,
          datetime: '2026-07-03T09:00:00Z',
          service_id: 1,
          appointment_type: 'online',
        },
      })
      expect(booked.status).toBeGreaterThanOrEqual(400)
      expect((await row(draft)).state).not.toBe('confirmed')

      // The help request has gone to the stand-in.
      const offers = await app.db
        .selectFrom('help_offers')
        .select(['state', 'practitioner_id'])
        .where('appointment_id', '=', asked)
        .orderBy('state', 'desc')
        .execute()
      expect(offers).toEqual([
        { state: 'withdrawn', practitioner_id: practitioner.id },
        { state: 'open', practitioner_id: standIn.id },
      ])
      const standing = await app.db
        .selectFrom('practitioners')
        .select('available_now_until')
        .where('id', '=', practitioner.id)
        .executeTakeFirstOrThrow()
      expect(standing.available_now_until).toBeNull()

      // Only cancelled sessions are refunded, once and in full.
      for (const [index, { id }] of ahead.entries()) {
        const refunded = states[index] === 'cancelled' ? 6000 : 0
        expect([id, (await held(id)).map((payment) => payment.refunded)]).toEqual([id, [refunded]])
      }
      for (const { id } of untouched.slice(0, 3))
        expect((await held(id)).map(({ refunded }) => refunded)).toEqual([0])
      await balanced()

      // Every client gets a mail, and no mail contains the reason.
      const mails = app.mails().slice(mailsBefore).map(readMail)
      const toClients = mails.filter(({ to }) => to !== practitioner.email)
      const told = (subject: string) => toClients.filter((mail) => mail.subject === subject).length
      expect(told('Your session is cancelled')).toBe(expected.cancelled)
      expect(told('Your session is being checked')).toBe(expected.frozen)
      for (const mail of toClients) {
        expect(mail.whole).not.toContain('CANARY')
        expect(mail.whole).not.toContain('rooms.example.test')
        expect(mail.text).not.toMatch(/suspend|conduct|complain/i)
      }
      expect(app.logged()).not.toContain('CANARY')

      // Frozen sessions are cancelled at the promised deadline.
      app.clock.set(later(app.clock.now(), hours(72)))
      await sweep()
      for (const { id } of ahead) {
        const { state, cancelled_by, cancel_code } = await row(id)
        expect([state, cancelled_by, cancel_code]).toEqual(['cancelled', 'system', 'practitioner_suspended'])
        expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
      }
      await balanced()
    },
  )
})

describe('help right now', () => {
  test('moves an unpaid claim to the next practitioner, and expires it at no cost when there is none', async () => {
    await setUp()
    const standIn = await createPractitioner(app)
    const first = await createClient(app)
    const asked = (await askForHelp(app, { client: first, preferred: practitioner.id })).id
    const second = await createClient(app)
    const claimed = String((await claimHelp(app, { client: second })).body.session_id)
    expect((await row(claimed)).practitioner_id).toBe(standIn.id)
    const third = await createPractitioner(app)
    const before = await app.call('GET', `/admin/practitioners/${standIn.id}/ahead`, { token: admin })
    expect(before.body).toMatchObject({ offers: 1, total: 0 })
    await backOffice.act(standIn.id, 'suspend', { reason, cause: 'identity', sessions: 'cancel' })
    expect(await row(claimed)).toMatchObject({ state: 'pending', practitioner_id: third.id })
    expect((await backOffice.act(third.id, 'suspend', { reason })).status).toBe(200)
    expect((await row(claimed)).state).toBe('expired')
    expect(await held(claimed)).toEqual([])
    // The other client's request stays with its practitioner.
    expect((await openRequest(app, asked)).practitionerId).toBe(practitioner.id)
    // When the last practitioner is suspended, the payment is voided.
    expect((await suspend()).status).toBe(200)
    expect((await row(asked)).state).toBe('cancelled')
    await finish()
    expect((await held(asked)).map(({ state }) => state)).toEqual(['voided'])
  })
})

describe('a frozen session', () => {
  let client: Client
  let card: string
  let id: string

  beforeEach(async () => {
    await setUp()
    client = await createClient(app)
    card = await saveCard(app, client)
    await verified()
    id = await bookSession(app, { practitioner, client, card, startsAt: noon })
    await app.queue.drain()
  })

  test('is restored with its time and its link when the practitioner is reinstated in time', async () => {
    await at('2026-06-07T08:00:00Z')
    client = await signInAgain(app, client)
    await suspend()
    await app.queue.drain()
    const frozen = await detail(client, id)
    expect(frozen).toMatchObject({ status: 'confirmed', meeting_link: null, starts_at: noon })
    expect(frozen.frozen_until).toBe('2026-06-08T10:00:00.000Z')
    // Its reservation stays booked, so the time is not offered.
    const { rows } = await sql<{ state: string }>`
      select r.state from reservations r join appointments a on a.reservation_id = r.id where a.id = ${id}`.execute(
      app.db,
    )
    expect(rows).toEqual([{ state: 'booked' }])
    expect((await reinstate()).status).toBe(200)
    const restored = await detail(client, id)
    expect(restored).toMatchObject({
      status: 'confirmed',
      meeting_link: 'https://rooms.example.test/priya',
      starts_at: noon,
      frozen_until: null,
    })
    await app.queue.drain()
    app.clock.set('2026-06-08T12:30:00Z')
    await sweep()
    expect((await row(id)).state).toBe('confirmed')
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([0])
    const entries = mailsTo(client.email).filter(({ calendar }) => calendar)
    expect(entries.map(({ subject }) => subject)).toEqual([
      'Your session is booked',
      'Your session is being checked',
      'Your session is going ahead',
    ])
    expect(entries[1]?.text).toContain('Until then the session’s link and the chat are closed.')
    const [first, checked, last] = entries.map(entryIn)
    expect([first?.uid, first?.uid]).toEqual([checked?.uid, last?.uid])
    expect((checked?.sequence ?? 0) > (first?.sequence ?? 0)).toBe(true)
    expect(checked?.description).not.toContain('rooms.example.test')
    expect(last?.description).toContain('rooms.example.test')
  })

  test('stays cancelled when the practitioner is reinstated after the freeze has run out', async () => {
    await at('2026-06-07T08:00:00Z')
    await suspend()
    // At the deadline it is no longer restored, even before the sweep: the promise to the client stands.
    await at('2026-06-08T10:00:00Z')
    await reinstate()
    client = await signInAgain(app, client)
    expect((await detail(client, id)).meeting_link).toBeNull()
    await sweep()
    expect(await row(id)).toMatchObject({ state: 'cancelled', cancelled_by: 'system' })
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
  })

  test('may be cancelled by its client at any time, with everything back, and cannot be moved', async () => {
    await at('2026-06-07T11:00:00Z')
    client = await signInAgain(app, client)
    const cancel = () =>
      app.call('POST', '/appointment/cancel-session', { token: client.token, body: { appointment_id: id } })
    // Within 48 hours of the start, a session that is not frozen cannot be cancelled.
    expect((await cancel()).body.code).toBe('too_late_to_change')
    await suspend()
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: '2026-06-12T10:00:00Z' },
    })
    expect([moved.status, moved.body.code]).toEqual([409, 'not_changeable'])
    expect((await cancel()).status).toBe(200)
    await app.queue.drain()
    expect(await row(id)).toMatchObject({ state: 'cancelled', cancelled_by: 'client', cancel_code: null })
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
    app.clock.set('2026-06-08T12:00:00Z')
    await sweep()
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
    await balanced()
  })

  describe('whose change was not mailed yet', () => {
    /** The subjects of the practitioner's mails about sessions, after every due job has run. */
    const toPractitioner = async () => {
      await app.queue.drain()
      return subjectsTo(practitioner.email).filter((subject) => subject.startsWith('A session was'))
    }
    const unsent = () =>
      app.db.selectFrom('outgoing_mails').select('template').where('outcome', 'is', null).execute()
    const move = async () => {
      const moved = await app.call('POST', '/appointment/edit-session', {
        token: client.token,
        body: { appointment_id: id, type: 'online', appointment_datetime: evening },
      })
      expect(moved.status).toBe(200)
    }

    test('mails its practitioner the move once it is restored', async () => {
      await move()
      await suspend()
      expect(await toPractitioner()).toEqual(['A session was booked'])
      expect(await unsent()).toEqual([{ template: 'session.moved' }])
      expect((await reinstate()).status).toBe(200)
      expect(await toPractitioner()).toEqual(['A session was booked', 'A session was moved'])
      const [booked, moved] = mailsTo(practitioner.email)
        .filter(({ calendar }) => calendar)
        .map(entryIn)
      expect(moved).toMatchObject({ method: 'REQUEST', uid: booked?.uid, start: evening })
      expect(moved?.sequence).toBeGreaterThan(booked?.sequence ?? Number.POSITIVE_INFINITY)
      expect(await unsent()).toEqual([])
      const toClient = subjectsTo(client.email).filter((subject) => subject.startsWith('Your session'))
      expect(toClient).toEqual([
        'Your session is booked',
        'Your session is being checked',
        'Your session is going ahead',
      ])
    })

    test('mails its practitioner the booking once it is restored', async () => {
      const other = await bookSession(app, { practitioner, client, card, startsAt: evening })
      await suspend()
      expect(await toPractitioner()).toEqual(['A session was booked'])
      await reinstate()
      expect(await toPractitioner()).toEqual(['A session was booked', 'A session was booked'])
      const entries = mailsTo(practitioner.email)
        .filter(({ calendar }) => calendar)
        .map(entryIn)
      expect(entries.at(-1)).toMatchObject({ uid: `${other}-practitioner`, start: evening })
    })

    test.each(['client', 'system'])(
      'mails its practitioner the cancelling alone when the %s cancels it',
      async (by) => {
        await move()
        await suspend()
        await app.queue.drain()
        if (by === 'client') {
          const body = { appointment_id: id }
          await app.call('POST', '/appointment/cancel-session', { token: client.token, body })
        } else {
          app.clock.set(later(app.clock.now(), hours(72)))
          await sweep()
        }
        expect((await row(id)).state).toBe('cancelled')
        expect(await toPractitioner()).toEqual(['A session was booked', 'A session was cancelled'])
        await finish()
        expect(await unsent()).toEqual([])
        const entries = mailsTo(practitioner.email)
          .filter(({ calendar }) => calendar)
          .map(entryIn)
        expect(entries.at(-1)).toMatchObject({ method: 'CANCEL', uid: entries[0]?.uid })
      },
    )
  })

  test('gets no reminders, and is tentative in the calendar of its client', async () => {
    const feed = await app.call('POST', '/client/calendar-feed', { token: client.token })
    const read = async () => (await fetch(`${app.origin}${new URL(String(feed.body.url)).pathname}`)).text()
    await at('2026-06-07T11:00:00Z')
    await suspend()
    app.clock.set('2026-06-07T12:00:00Z')
    await sweep()
    expect(subjectsTo(client.email)).toContain('Your session is being checked')
    expect(subjectsTo(client.email)).not.toContain('Your session is coming up')
    expect(subjectsTo(practitioner.email)).not.toContain('Your session is coming up')
    expect(await read()).toContain('STATUS:TENTATIVE')
    expect(await read()).toContain('SUMMARY:Being checked')
    await at('2026-06-07T13:00:00Z')
    await reinstate()
    await sweep()
    expect(await read()).toContain('STATUS:CONFIRMED')
    // The mail about the restoring replaces the reminder.
    expect(subjectsTo(client.email).filter((subject) => subject === 'Your session is coming up')).toEqual([])
  })

  test('is announced to the browsers of its client without a word of why', async () => {
    await app.db
      .insertInto('push_subscriptions')
      .values({
        id: crypto.randomUUID(),
        login_session_id: (
          await app.db
            .selectFrom('login_sessions')
            .select('id')
            .where('account_id', '=', client.id)
            .executeTakeFirstOrThrow()
        ).id,
        endpoint: 'https://push.example.test/1',
        p256dh: Buffer.alloc(65),
        auth: Buffer.alloc(16),
        created_at: app.clock.now(),
      })
      .execute()
    await suspend({ cause: 'conduct' })
    await app.queue.drain()
    expect(pushed).toEqual([
      {
        endpoint: 'https://push.example.test/1',
        text: JSON.stringify({ kind: 'session', path: `/session?appointment=${id}`, role: 'client' }),
      },
    ])
  })

  test.each(['cancel', 'freeze'] as const)('in progress is cancelled at once: %s', async (sessions) => {
    await at('2026-06-08T12:10:00Z')
    const answer = await suspend({ sessions })
    expect(answer.body.sessions).toMatchObject({ cancelled: 1, frozen: 0, refunds: 1, refunded: 60 })
    client = await signInAgain(app, client)
    expect(await detail(client, id)).toMatchObject({
      status: 'cancelled',
      meeting_link: null,
      frozen_until: null,
    })
  })

  test('is frozen by the sweep when an instance of an older release has suspended', async () => {
    await sql`update practitioners set state = 'suspended' where id = ${practitioner.id}`.execute(app.db)
    await sweep()
    expect(await row(id)).toMatchObject({ state: 'confirmed', frozen_cause: 'suspended' })
    expect(subjectsTo(client.email)).toContain('Your session is being checked')
  })

  test('counts against deleting the account, and can be got out of the way', async () => {
    await at('2026-06-07T11:00:00Z')
    client = await signInAgain(app, client)
    const hindrances = async () =>
      JSON.stringify((await app.call('GET', '/client/delete-account', { token: client.token })).body)
    expect(await hindrances()).toContain('can no longer be cancelled')
    await suspend()
    expect(await hindrances()).toContain('Cancel it in My Sessions')
  })
})

describe('the back office', () => {
  let client: Client
  let id: string
  beforeEach(async () => {
    await setUp()
    client = await createClient(app)
    await verified()
    id = await bookSession(app, { practitioner, client, startsAt: noon })
    await app.queue.drain()
  })
  const cancel = (of = id, body: unknown = { reason }) =>
    app.call('POST', `/admin/sessions/${of}/cancel`, { token: admin, body })

  test('cancels one session, refunds it, notifies both parties and writes the audit log; a repeat changes nothing', async () => {
    const answer = await cancel()
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'cancelled', refunded: 60 }])
    await app.queue.drain()
    expect(await row(id)).toMatchObject({ cancelled_by: 'system', cancel_code: 'office' })
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
    expect(subjectsTo(client.email)).toContain('Your session is cancelled')
    expect(subjectsTo(practitioner.email)).toContain('A session was cancelled')
    for (const { whole } of app.mails().map(readMail)) expect(whole).not.toContain('CANARY')
    const seen = JSON.stringify([
      await detail(client, id),
      (await app.call('GET', '/client/export', { token: client.token })).body,
    ])
    expect(seen).not.toContain('CANARY')
    expect((await cancel()).status).toBe(200)
    await app.queue.drain()
    expect((await held(id)).map(({ refunded }) => refunded)).toEqual([6000])
    const log = await app.call('GET', '/admin/audit?action=cancel%20session', { token: admin })
    expect(log.body.data).toMatchObject([
      { subject: `session ${id}`, practitioner_id: practitioner.id, reason },
    ])
    await balanced()
  })

  test('does not cancel a session that was moved after its start was shown', async () => {
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: evening },
    })
    expect(moved.status).toBe(200)
    const refused = await cancel(id, { reason, starts_at: noon })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect((await row(id)).state).toBe('confirmed')
    expect(await app.db.selectFrom('refunds').selectAll().execute()).toEqual([])
    const log = await app.call('GET', '/admin/audit?action=cancel%20session', { token: admin })
    expect(log.body.data).toEqual([])
    expect((await cancel(id, { reason, starts_at: evening })).body).toMatchObject({ status: 'cancelled' })
  })

  test('cannot cancel an ended session or an unpaid booking, or without a reason', async () => {
    expect((await cancel(crypto.randomUUID())).status).toBe(404)
    expect((await cancel(id, { reason: ' ' })).status).toBe(422)
    await at('2026-06-08T12:50:00Z')
    expect((await cancel()).body.code).toBe('not_changeable')
    expect((await row(id)).state).toBe('confirmed')
    expect(await app.db.selectFrom('refunds').selectAll().execute()).toEqual([])
  })
})

describe('a suspended practitioner', () => {
  beforeEach(() => setUp())

  test('reads the reason, the effect on sessions and the contact address', async () => {
    const client = await createClient(app)
    await bookSession(app, { practitioner, client, startsAt: noon })
    const token = await signInPractitioner(app, practitioner)
    const read = () => app.call('GET', '/therapist/suspension', { token })
    expect((await read()).body).toEqual({ data: null, documents_lapsed: false })
    await suspend({ cause: 'papers' })
    expect((await read()).body.data).toMatchObject({
      since: app.clock.now().toISOString(),
      reason,
      cause: 'papers',
      sessions: { frozen: 1, cancelled: 0, next_cancelled_at: '2026-06-04T08:00:00.000Z' },
      write_to: 'hello@hearth.test',
    })
    await reinstate()
    expect((await read()).body).toEqual({ data: null, documents_lapsed: false })
  })

  test.each([
    { which: 'one session ahead', hasSession: true },
    { which: 'no sessions ahead', hasSession: false },
  ])('with $which reads about sessions and clients in the mail only if it is so', async ({ hasSession }) => {
    const client = await createClient(app)
    if (hasSession) await bookSession(app, { practitioner, client, startsAt: noon })
    await verified()
    await suspend()
    await app.queue.drain()
    const mail = mailsTo(practitioner.email).find(
      ({ subject }) => subject === 'Your profile is hidden for now',
    )
    expect(mail?.text.includes('Your upcoming sessions')).toBe(hasSession)
    expect(mail?.text.includes('your clients have been told')).toBe(hasSession)
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(
      'Your account shows what happens next and who to contact.',
    )
  })

  test('loses sessions, schedule, calendar links and the chat with the next request, and an open socket by itself', async () => {
    await app.close()
    await setUp({ socketSweepEvery: minutes(1) })
    const client = await createClient(app)
    const id = await bookSession(app, { practitioner, client, startsAt: noon })
    const token = await signInPractitioner(app, practitioner)
    const feed = await app.call('POST', '/therapist/calendar-feed', { token })
    const readFeed = async () =>
      (await fetch(`${app.origin}${new URL(String(feed.body.url)).pathname}`)).text()
    expect(await readFeed()).toContain('BEGIN:VEVENT')
    const clientChat = await signInToChat(app, client.token)
    const opened = await app.call('POST', '/chat/dialogs', {
      token: clientChat.token,
      body: { practitioner_id: practitioner.id },
    })
    const dialog = String(opened.body._id)
    const theirs = await signInToChat(app, token)
    const socket = await connectChat(app.origin, theirs.token)
    expect(socket.socket.connected).toBe(true)
    await suspend({ cause: 'conduct' })
    // By the event: the sweep that closes what no event has closed comes in a minute.
    await vi.waitFor(() => expect(socket.socket.connected).toBe(false), { timeout: 5000 })
    for (const [method, path, body] of [
      ['GET', '/therapist/sessions'],
      ['GET', '/therapist/schedule'],
      ['GET', '/therapist/home/get-dashboard-overview'],
      ['POST', '/therapist/calendar-feed'],
      ['GET', '/therapist/request-google-calendar-access'],
      ['POST', `/therapist/sessions/${id}/cancel`, {}],
      ['PUT', '/therapist/available-now', { available: true }],
    ] as const) {
      const answer = await app.call(method, path, { token, body })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'suspended'])
    }
    expect(await readFeed()).not.toContain('BEGIN:VEVENT')
    // The client can still read the messages but not send any.
    const messages = await app.call('GET', `/chat/messages?chat_dialog_id=${dialog}`, {
      token: clientChat.token,
    })
    expect(messages.status).toBe(200)
    const sent = await app.call('POST', '/chat/messages', {
      token: clientChat.token,
      body: { chat_dialog_id: dialog, message: 'Hello?' },
    })
    expect([sent.status, sent.body.code]).toEqual([409, 'dialog_closed'])
    expect((await app.call('GET', '/chat/dialogs', { token: theirs.token })).status).toBe(401)
    for (const path of [
      '/therapist/account',
      '/therapist/profile',
      '/therapist/balance',
      '/therapist/invoices',
    ])
      expect([path, (await app.call('GET', path, { token })).status]).toEqual([path, 200])
    await reinstate()
    expect((await app.call('GET', '/therapist/sessions', { token })).body.data).toHaveLength(1)
    expect(await readFeed()).toContain('BEGIN:VEVENT')
  })
})

describe('on a cluster', () => {
  test('a client who cancels in the moment of the suspension is refunded once', async () => {
    await setUp({ database: (await clusterDatabase()).database })
    const clients: Client[] = []
    const ids: string[] = []
    for (let index = 0; index < 8; index++) {
      const client = await createClient(app)
      clients.push(client)
      ids.push(await bookSession(app, { practitioner, client, startsAt: `2026-06-${10 + index}T09:00:00Z` }))
    }
    const late = await createClient(app)
    const card = await saveCard(app, late)
    const created = await app.call('POST', '/appointment/create-session', {
      token: late.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        datetime: '2026-06-25T09:00:00Z',
        appointment_type: 'online',
      },
    })
    const lateId = String(created.body.session_id)
    await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: late.token,
      body: { session_id: lateId, customer_id: card },
    })
    const [answer] = await Promise.all([
      suspend({ cause: 'conduct', sessions: 'cancel' }),
      ...clients.map((client, index) =>
        app.call('POST', '/appointment/cancel-session', {
          token: client.token,
          body: { appointment_id: ids[index] },
        }),
      ),
      app.call('POST', '/appointment/edit-session', {
        token: clients[0]?.token,
        body: { appointment_id: ids[0], type: 'online', appointment_datetime: '2026-06-26T10:00:00Z' },
      }),
      app.call('POST', '/appointment/instant-book', { token: late.token, body: { appointment_id: lateId } }),
      sweep(),
    ])
    expect(answer.status).toBe(200)
    await finish()
    for (const id of ids) {
      expect([id, (await row(id)).state]).toEqual([id, 'cancelled'])
      expect([id, await held(id)]).toEqual([id, [{ state: 'captured', amount: 6000, refunded: 6000 }]])
    }
    // A session booked just before the suspension was frozen and cancelled with the others. Just after it, booking
    // fails.
    const lateRow = await row(lateId)
    expect(['cancelled', 'expired']).toContain(lateRow.state)
    const [payment] = await held(lateId)
    expect(payment && payment.state === 'captured' ? payment.refunded : 0).toBe(
      payment?.state === 'captured' ? 6000 : 0,
    )
    expect(['captured', 'voided']).toContain(payment?.state)
    await balanced()
  }, 60_000)
})
