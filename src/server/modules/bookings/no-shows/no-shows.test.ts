import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoints.ts'
import { days } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  password,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { plainText, sessionMails } from '#test/mails.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'
import { noShowLife } from './no-shows.rules.ts'

const startsAt = '2026-06-08T09:00:00.000Z'

let app: TestApp
let client: Client
let practitioner: Practitioner
let therapist: string
let admin: string
let id: string

const setUp = async (options: Parameters<typeof buildTestApp>[0] = {}) => {
  app = await buildTestApp(options)
  client = await createClient(app, { name: 'Morgan Wells' })
  practitioner = await createPractitioner(app, { firstName: 'Anna', lastName: 'Bell' })
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  id = await bookSession(app, { practitioner, client, startsAt })
  await app.queue.drain()
}
afterEach(async () => app.close())

const at = async (time: string | Date) => {
  app.clock.set(new Date(time).toISOString())
  therapist = await signInPractitioner(app, practitioner)
  client = await signInAgain(app, client)
}
const finish = (what: 'complete' | 'no-show', of = id) =>
  app.call('POST', `/therapist/sessions/${of}/${what}`, { token: therapist })
const dispute = (reason = 'I waited in the room for half an hour.', of = id) =>
  app.call('POST', `/appointment/${of}/dispute-no-show`, { token: client.token, body: { reason } })
const decide = (what: 'uphold' | 'overturn', of = id) =>
  app.call('POST', `/admin/no-shows/${of}/${what}`, { token: admin, body: { reason: 'The room’s log.' } })
const disputes = async (status = 'open') =>
  (await app.call('GET', `/admin/no-shows?status=${status}`, { token: admin }))
    .body as unknown as AnswerOf<'GET /admin/no-shows'>
const payable = async () => {
  const { body } = await app.call('GET', '/admin/payouts', { token: admin })
  const { data } = body as unknown as AnswerOf<'GET /admin/payouts'>
  const { owed, held, payable: free } = data.find((each) => each.practitioner_id === practitioner.id) ?? {}
  return { owed, held, payable: free }
}
const payOut = (amount: number, owed_before: number) =>
  app.call('POST', `/admin/payouts/${practitioner.id}`, {
    token: admin,
    body: { amount, owed_before, reference: 'BACS 1' },
  })
const stateOf = async (of = id) => {
  const row = await app.db
    .selectFrom('appointments')
    .leftJoin('no_shows', 'no_shows.appointment_id', 'appointments.id')
    .select(['appointments.state', 'no_shows.state as no_show'])
    .where('id', '=', of)
    .executeTakeFirstOrThrow()
  return `${row.state} ${row.no_show}`
}
const refunds = () => app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute()
const past = async () => {
  const { body } = await app.call('GET', '/appointment/get-past-sessions', { token: client.token })
  return (body as unknown as AnswerOf<'GET /appointment/get-past-sessions'>).data[0]
}
/** Subjects of the mails about sessions to an address, after the first `since` mails, in order. */
const told = async (email: string, since: number) => {
  await app.queue.drain()
  return sessionMails(app.mails().slice(since))
    .filter((mail) => mail.to === email)
    .map((mail) => mail.subject)
}
/** Text of the newest mail about a session to the client. */
const clientText = () => sessionMails(app.mails()).findLast((mail) => mail.to === client.email)?.text
const balanced = async () => {
  const books = await ledger(app)
  expect(Object.values(books).reduce((sum, amount) => sum + amount, 0)).toBe(0)
  return books
}

describe('a no-show', () => {
  beforeEach(() => setUp())

  test('is declared 15 minutes after the start at the earliest, and the client is notified', async () => {
    await at('2026-06-08T09:14:59.999Z')
    const before = await fingerprint(app.db)
    const early = await finish('no-show')
    expect([early.status, early.body.code]).toEqual([409, 'too_early'])
    expect(early.body.message).toContain('15 minutes after its start')
    expect(await fingerprint(app.db)).toEqual(before)
    await at('2026-06-08T09:15:00Z')
    const mails = app.mails().length
    expect((await finish('no-show')).body).toMatchObject({
      status: 'no_show',
      no_show: { state: 'declared', dispute_until: '2026-06-22T09:15:00.000Z' },
    })
    expect((await finish('no-show')).status).toBe(200)
    expect(await told(client.email, mails)).toEqual(['Your session is recorded as missed'])
    expect(await told(practitioner.email, mails)).toEqual([])
    const [mail] = sessionMails(app.mails().slice(mails))
    expect(mail?.text).toContain('tell us by Monday 22 June 2026, 10:15')
    expect(await past()).toMatchObject({
      status: 'no_show',
      reviewable: false,
      no_show: {
        state: 'declared',
        declared_at: '2026-06-08T09:15:00.000Z',
        dispute_until: '2026-06-22T09:15:00.000Z',
        can_dispute: true,
        your_words: null,
      },
    })
    expect(await refunds()).toEqual([])
  })

  test('is withdrawn by a correction, which notifies the client once and is the last word', async () => {
    await at('2026-06-08T09:20:00Z')
    const mails = app.mails().length
    await finish('no-show')
    await app.queue.drain()
    expect((await finish('complete')).body).toMatchObject({ status: 'completed', no_show: null })
    expect(await told(client.email, mails)).toEqual([
      'Your session is recorded as missed',
      'Your session has been corrected',
    ])
    expect((await dispute()).body.code).toBe('not_changeable')
    expect(await past()).toMatchObject({ status: 'completed', no_show: null })
    app.clock.advance(60_000)
    const again = await finish('no-show')
    expect([again.status, again.body.code]).toEqual([409, 'not_changeable'])
    expect(await past()).toMatchObject({ status: 'completed', no_show: null })
    expect(await stateOf()).toBe('completed withdrawn')
    expect(await told(client.email, mails)).toHaveLength(2)
  })

  test('can be disputed only by its client, and only with a reason', async () => {
    await at('2026-06-08T09:20:00Z')
    await finish('no-show')
    const stranger = await createClient(app)
    const before = await fingerprint(app.db)
    const mails = app.mails().length
    const theirs = await app.call('POST', `/appointment/${id}/dispute-no-show`, {
      token: stranger.token,
      body: { reason: 'Me.' },
    })
    expect(theirs.status).toBe(404)
    for (const reason of ['', '  ', 'x'.repeat(2001)]) expect((await dispute(reason)).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(app.mails().length).toBe(mails)
  })

  test('can be disputed for 14 days, to the moment, and once', async () => {
    await at('2026-06-08T09:15:00Z')
    await finish('no-show')
    await at('2026-06-22T09:14:59.999Z')
    const mails = app.mails().length
    expect((await dispute()).body).toMatchObject({
      no_show: {
        state: 'disputed',
        can_dispute: false,
        your_words: 'I waited in the room for half an hour.',
      },
    })
    const before = await fingerprint(app.db)
    expect((await dispute('Something else.')).status).toBe(200)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await told(client.email, mails)).toEqual(['We have your dispute'])
    expect(clientText()).toContain('We will look at what you and Anna Bell say')
    expect(await told(practitioner.email, mails)).toEqual(['A client disputes that they did not come'])
    // Only the back office gets the client's words.
    expect(plainText(app.mails().slice(mails).join(''))).not.toContain('waited in the room')
    const sessions = await app.call('GET', '/therapist/sessions?when=past', { token: therapist })
    expect(JSON.stringify(sessions.body)).not.toContain('waited in the room')
    expect(sessions.body.data).toMatchObject([{ no_show: { state: 'disputed' } }])
  })

  test('cannot be disputed once 14 days have passed', async () => {
    await at('2026-06-08T09:15:00Z')
    await finish('no-show')
    await app.queue.drain()
    await at('2026-06-22T09:15:00Z')
    const before = await fingerprint(app.db)
    const late = await dispute()
    expect([late.status, late.body.code]).toEqual([409, 'too_late_to_change'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await past()).toMatchObject({ no_show: { state: 'declared', can_dispute: false } })
  })

  test('that is disputed cannot be corrected by the practitioner any more', async () => {
    await at('2026-06-08T09:15:00Z')
    await finish('no-show')
    await dispute()
    const before = await fingerprint(app.db)
    const corrected = await finish('complete')
    expect([corrected.status, corrected.body.code]).toEqual([409, 'not_changeable'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('declared by an early release counts from the session’s end', async () => {
    await at('2026-06-08T09:15:00Z')
    await app.db.updateTable('appointments').set({ state: 'no_show' }).where('id', '=', id).execute()
    admin = (await createAdmin(app)).token
    await at('2026-06-22T09:49:59Z')
    admin = (await createAdmin(app)).token
    expect(await payable()).toEqual({ owed: 60, held: 60, payable: 0 })
    expect((await dispute()).body).toMatchObject({
      no_show: { state: 'disputed', dispute_until: '2026-06-22T09:50:00.000Z' },
    })
  })

  test('is exported to the client, whose words are deleted with the account', async () => {
    await at('2026-06-08T09:15:00Z')
    await finish('no-show')
    await dispute()
    await app.queue.drain()
    const { body } = await app.call('GET', '/client/export', { token: client.token })
    expect(JSON.stringify(body)).toContain('I waited in the room for half an hour.')
    const left = await app.call('POST', '/client/delete-account', {
      token: client.token,
      body: { current_password: password, understood: true },
    })
    expect([left.status, left.body]).toEqual([200, 'success'])
    expect(await app.db.selectFrom('no_shows').select(['state', 'client_words']).execute()).toEqual([
      { state: 'disputed', client_words: null },
    ])
  })
})

describe('a dispute', () => {
  beforeEach(async () => {
    await setUp()
    await at('2026-06-08T09:15:00Z')
    await finish('no-show')
    await dispute()
    await app.queue.drain()
    admin = (await createAdmin(app)).token
  })

  test('is listed to the back office with both sides, and decided once', async () => {
    const came = { first_in: '2026-06-08T09:01:00.000Z', last_out: '2026-06-08T09:21:00.000Z' }
    const inItsRoom = { appointment_type: 'online', room: 'hearth' }
    await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
    expect((await disputes()).data).toMatchObject([
      { ...inItsRoom, seen: { client: false, practitioner: false }, attendance: null },
    ])
    await app.db
      .insertInto('session_attendance')
      .values({
        appointment_id: id,
        side: 'practitioner',
        first_in: new Date(came.first_in),
        last_out: new Date(came.last_out),
        seconds: 1200,
        session_seconds: 1200,
      })
      .execute()
    expect(await disputes()).toMatchObject({
      data: [
        {
          appointment_id: id,
          state: 'disputed',
          client_words: 'I waited in the room for half an hour.',
          client: { full_name: 'Morgan Wells', email: client.email },
          practitioner: { practitioner_id: practitioner.id, full_name: 'Anna Bell' },
          ...inItsRoom,
          seen: { client: false, practitioner: true },
          attendance: { client: null, practitioner: { ...came, minutes: 20 } },
          paid: 60,
          refunded: 0,
        },
      ],
      meta: { total: 1 },
    })
    expect((await disputes('decided')).data).toEqual([])
    expect((await decide('uphold')).body).toMatchObject({
      state: 'upheld',
      attendance: { practitioner: { minutes: 20 } },
    })
    const before = await fingerprint(app.db)
    expect((await decide('uphold')).status).toBe(200)
    const other = await decide('overturn')
    expect([other.status, other.body.code]).toEqual([409, 'transition_refused'])
    expect((await dispute()).body.code).toBe('not_changeable')
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await disputes()).data).toEqual([])
    expect((await disputes('decided')).data).toMatchObject([{ state: 'upheld' }])
  })

  test('shows where a session without a room of ours was held', async () => {
    expect((await disputes()).data).toMatchObject([
      { appointment_type: 'online', room: 'own', attendance: null },
    ])
    await app.db.updateTable('appointments').set({ appointment_type: 'face_to_face' }).execute()
    expect((await disputes()).data).toMatchObject([
      { appointment_type: 'face_to_face', room: null, attendance: null },
    ])
  })

  test('keeps the room that a side was in, and that it came, once its times are forgotten', async () => {
    const times = { first_in: app.clock.now(), last_out: app.clock.now() }
    const seat = { appointment_id: id, side: 'client', seconds: 0, session_seconds: 0 } as const
    await app.db
      .insertInto('session_attendance')
      .values({ ...seat, ...times })
      .execute()
    await decide('uphold')
    const held = { appointment_type: 'online', room: 'hearth', seen: { client: true, practitioner: false } }
    const known = async () => (await disputes('decided')).data
    expect(await known()).toMatchObject([{ ...held, attendance: { practitioner: null } }])
    await app.db.updateTable('session_attendance').set({ first_in: null, last_out: null }).execute()
    expect(await known()).toMatchObject([{ ...held, attendance: null }])
  })

  test('that is upheld leaves the fee, allows its payout, and notifies both parties', async () => {
    const mails = app.mails().length
    await at('2026-07-30T09:00:00Z')
    admin = (await createAdmin(app)).token
    // No payout before the decision, however long it takes.
    expect(await payable()).toEqual({ owed: 60, held: 60, payable: 0 })
    expect((await payOut(60, 60)).status).toBe(422)
    await decide('uphold')
    expect(await payable()).toEqual({ owed: 60, held: 0, payable: 60 })
    expect((await payOut(60, 60)).status).toBe(200)
    expect(await told(client.email, mails)).toEqual(['Our decision about your session'])
    expect(clientText()).toContain('What Anna Bell recorded stays: that you did not come.')
    expect(await told(practitioner.email, mails)).toEqual(['Our decision about a session'])
    expect([await stateOf(), await refunds()]).toEqual(['no_show upheld', []])
    expect((await disputes('decided')).data).toMatchObject([
      { decided_by: 'Ada Admin', decision_reason: 'The room’s log.' },
    ])
    expect(await audit()).toEqual([
      { action: 'uphold no-show', subject: `session ${id}`, reason: 'The room’s log.' },
      { action: 'pay out', subject: `£60.00 to practitioner ${practitioner.id}`, reason: 'BACS 1' },
    ])
    expect(await balanced()).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  })

  test.each([
    [30, 'What is left of the fee is yours and can be paid out.'],
    [60, 'The fee was refunded before, so nothing of it is paid out.'],
  ])('that is upheld after a refund of £%i by hand is mailed as that', async (amount, rest) => {
    const refunded = await app.call('POST', `/admin/payments/${id}/refund`, {
      token: admin,
      body: { amount, reason: 'Goodwill.', refunded_before: 0 },
    })
    expect(refunded.status).toBe(200)
    await app.queue.drain()
    await app.services.payments.recover()
    await app.queue.drain()
    const mails = app.mails().length
    await decide('uphold')
    await app.queue.drain()
    const [toClient, toPractitioner] = [client, practitioner].map(({ email }) =>
      sessionMails(app.mails().slice(mails))
        .find((mail) => mail.to === email)
        ?.text.replace(/\s+/g, ' '),
    )
    expect(toClient).toContain('Nothing more is refunded.')
    expect(toClient).not.toContain('is not refunded')
    expect(toPractitioner).toContain(rest)
    expect(toPractitioner).not.toContain('The fee is yours')
  })

  test('that is upheld after a refund by hand that the bank returned is mailed as not refunded', async () => {
    const refunded = await app.call('POST', `/admin/payments/${id}/refund`, {
      token: admin,
      body: { amount: 60, reason: 'Goodwill.', refunded_before: 0 },
    })
    expect(refunded.status).toBe(200)
    await app.queue.drain()
    await app.services.payments.recover()
    await app.db.updateTable('refunds').set({ state: 'failed' }).execute()
    await app.queue.drain()
    const mails = app.mails().length
    await decide('uphold')
    await app.queue.drain()
    const texts = sessionMails(app.mails().slice(mails)).map(({ text }) => text.replace(/\s+/g, ' '))
    expect(texts.some((text) => text.includes('The session is not refunded.'))).toBe(true)
    expect(texts.some((text) => text.includes('The fee is yours and can be paid out.'))).toBe(true)
    expect(texts.some((text) => text.includes('Nothing more is refunded.'))).toBe(false)
  })

  test('that is upheld after a failed refund was made again by hand is mailed as refunded before', async () => {
    const body = { amount: 60, reason: 'Goodwill.', refunded_before: 0 }
    const refund = () => app.call('POST', `/admin/payments/${id}/refund`, { token: admin, body })
    expect((await refund()).status).toBe(200)
    const { id: intent } = await app.db.selectFrom('payment_intents').select('id').executeTakeFirstOrThrow()
    const { gateway_ref } = await app.db.selectFrom('refunds').select('gateway_ref').executeTakeFirstOrThrow()
    await sandboxDashboard(app.db).failRefund(String(gateway_ref))
    await app.services.payments.lookAgain(intent)
    expect((await refund()).status).toBe(200)
    await app.queue.drain()
    const mails = app.mails().length
    await decide('uphold')
    await app.queue.drain()
    const texts = sessionMails(app.mails().slice(mails)).map(({ text }) => text.replace(/\s+/g, ' '))
    expect(texts.some((text) => text.includes('Nothing more is refunded.'))).toBe(true)
    expect(texts.some((text) => text.includes('The fee was refunded before'))).toBe(true)
    expect(texts.some((text) => text.includes('The fee is yours'))).toBe(false)
  })

  test('that is overturned is refunded in full, reverses the amount owed, and notifies both parties', async () => {
    const mails = app.mails().length
    expect((await decide('overturn')).body).toMatchObject({
      state: 'overturned',
      paid: 60,
      refunded: 60,
      decision_reason: 'The room’s log.',
    })
    expect(await stateOf()).toBe('cancelled overturned')
    expect(await refunds()).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    expect(await balanced()).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    expect(await payable()).toEqual({})
    // Two mails of one moment, sent in either order.
    expect((await told(client.email, mails)).toSorted()).toEqual([
      'Our decision about your session',
      'Your refund is on its way',
    ])
    expect(await told(practitioner.email, mails)).toEqual(['Our decision about a session'])
    expect(await past()).toMatchObject({
      status: 'cancelled',
      refund: { amount: 60, state: 'succeeded' },
      no_show: { state: 'overturned', can_dispute: false },
    })
    expect(await audit()).toEqual([
      { action: 'overturn no-show', subject: `session ${id}`, reason: 'The room’s log.' },
    ])
    const before = await fingerprint(app.db)
    expect((await decide('overturn')).status).toBe(200)
    expect((await decide('uphold')).body.code).toBe('transition_refused')
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('is not decided where there is none, nor without a reason', async () => {
    const other = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await app.queue.drain()
    const before = await fingerprint(app.db)
    expect((await decide('overturn', other)).status).toBe(404)
    expect((await decide('overturn', crypto.randomUUID())).status).toBe(404)
    const wordless = await app.call('POST', `/admin/no-shows/${id}/overturn`, {
      token: admin,
      body: { reason: ' ' },
    })
    expect(wordless.status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await refunds()).toEqual([])
  })
})

test('the fee of a no-show is paid out once 14 days have passed without a dispute', async () => {
  await setUp()
  await at('2026-06-08T09:15:00Z')
  await finish('no-show')
  const until = Date.parse('2026-06-08T09:15:00Z') + days(14)
  await at(new Date(until - 1))
  admin = (await createAdmin(app)).token
  expect(await payable()).toEqual({ owed: 60, held: 60, payable: 0 })
  expect((await payOut(60, 60)).status).toBe(422)
  expect(await app.db.selectFrom('payouts').selectAll().execute()).toEqual([])
  app.clock.advance(1)
  expect(await payable()).toEqual({ owed: 60, held: 0, payable: 60 })
  expect((await payOut(60, 60)).status).toBe(200)
})

test('a refund that the gateway has not taken yet is not paid out', async () => {
  let isDown = true
  await setUp({
    gateway: (sandbox) => ({
      ...sandbox,
      refund: async (wanted) => {
        if (isDown) throw new Error('out of reach')
        return sandbox.refund(wanted)
      },
    }),
  })
  await at('2026-06-08T09:15:00Z')
  await finish('no-show')
  await dispute()
  admin = (await createAdmin(app)).token
  await decide('overturn')
  expect(await payable()).toEqual({ owed: 60, held: 60, payable: 0 })
  expect((await payOut(60, 60)).status).toBe(422)
  isDown = false
  app.clock.advance(60_000)
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  expect(await balanced()).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
})

describe('on a cluster', () => {
  beforeEach(async () => setUp({ database: (await clusterDatabase(20)).database }))

  test('dispute, decisions and payout at once leave one decision, and never a fee both paid out and refunded', async () => {
    for (let round = 0; round < 6; round++) {
      const day = String(9 + round).padStart(2, '0')
      app.clock.set('2026-06-01T08:00:00.000Z')
      client = await signInAgain(app, client)
      const session = await bookSession(app, { practitioner, client, startsAt: `2026-06-${day}T11:00:00Z` })
      await at(`2026-06-${day}T11:20:00Z`)
      expect((await finish('no-show', session)).status).toBe(200)
      // Every other round runs at the last moment of the dispute period, where a payout may come first.
      if (round % 2 === 1) await at(new Date(app.clock.now().getTime() + days(14) - 1))
      admin = (await createAdmin(app)).token
      const { owed = 0 } = await payable()
      const race = Promise.all([
        dispute('Late.', session),
        ...[1, 2].map(async () => {
          await new Promise((resolve) => setTimeout(resolve, round * 3))
          return decide('overturn', session)
        }),
        decide('uphold', session),
        payOut(60, owed),
      ])
      if (round % 2 === 1) app.clock.advance(1)
      const [disputed] = await race
      const first = await stateOf(session)
      if (disputed?.status === 200) await decide('overturn', session)
      const last = await stateOf(session)
      expect(['no_show declared', 'no_show upheld', 'cancelled overturned']).toContain(last)
      if (first !== 'no_show disputed') expect(last).toBe(first)
      const given = await app.db
        .selectFrom('refunds')
        .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
        .select('refunds.amount_pence')
        .where('appointment_id', '=', session)
        .execute()
      expect(given).toHaveLength(last === 'cancelled overturned' ? 1 : 0)
      const decided = (await audit()).filter(({ subject }) => subject === `session ${session}`)
      expect(decided).toHaveLength(last === 'no_show declared' ? 0 : 1)
      // The amount owed is never negative: no fee was both paid out and refunded.
      expect((await balanced()).practitioner_payable ?? 0).toBeLessThanOrEqual(0)
    }
  })
})

test('the life of a no-show has one start, and ends where it is withdrawn or an admin decides', () => {
  const ends = new Set(
    noShowLife.map(({ to }) => to).filter((to) => !noShowLife.some(({ from }) => from === to)),
  )
  expect([...ends].toSorted()).toEqual(['overturned', 'upheld', 'withdrawn'])
  const isPractitioner = ({ to }: { to: string }) => to === 'withdrawn'
  for (const step of noShowLife) {
    if (ends.has(step.to)) expect(step.by).toBe(isPractitioner(step) ? 'practitioner' : 'admin')
  }
})

const audit = () =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'subject', 'reason'])
    .where('action', 'in', ['uphold no-show', 'overturn no-show', 'pay out'])
    .orderBy('id')
    .execute()
