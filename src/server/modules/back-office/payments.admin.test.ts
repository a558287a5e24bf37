import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaidSession } from '#contract/back-office/payments.ts'
import { hours, seconds } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
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
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { readMail } from '#test/mails.ts'
import { agreeSeries } from '#test/series.ts'

let app: TestApp
let token: string
let client: Client
let practitioner: Practitioner
let session: string
let isGatewayDown: boolean

beforeEach(async () => {
  isGatewayDown = false
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async refund(wanted) {
        if (isGatewayDown) throw new Error('The gateway is away.')
        return sandbox.refund(wanted)
      },
    }),
  })
  client = await createClient(app)
  // Mails to an address that is not confirmed say nothing of a session.
  practitioner = await createPractitioner(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  // Confirmed for next week, at £60; the day after, it is over.
  session = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
  await app.queue.drain()
})
afterEach(() => app.close())

/** The session is over, and an admin has signed in. */
async function afterwards(): Promise<void> {
  app.clock.advance(Date.parse('2026-06-08T12:00:00Z') - app.clock.now().getTime())
  token = (await createAdmin(app)).token
}
const refund = (body: Record<string, unknown>, headers: Record<string, string> = {}, id = session) =>
  app.call('POST', `/admin/payments/${id}/refund`, {
    token,
    body: { reason: 'They waited for half an hour.', refunded_before: 0, ...body },
    headers,
  })
const list = async (query = '') => {
  const { body } = await app.call('GET', `/admin/payments${query}`, { token })
  return body as unknown as { data: PaidSession[]; meta: { total: number } }
}
const statusAndCode = ({ status, body }: Answer) => [status, body?.code]
const audit = () => app.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
const newMails = async (work: () => Promise<unknown>) => {
  const before = app.mails().length
  await work()
  await app.queue.drain()
  return app.mails().slice(before).map(readMail)
}
/** Refunds, and returns the texts of the mails to both sides, line breaks left out. */
const refundMails = async (body: Record<string, unknown>) => {
  let answer: Answer | undefined
  const mails = await newMails(async () => {
    answer = await refund(body)
  })
  const textTo = (isPractitioner: boolean) =>
    mails.find(({ to }) => (to === practitioner.email) === isPractitioner)?.text.replaceAll(/\s+/g, ' ') ?? ''
  return { answer, toPractitioner: textTo(true), toClient: textTo(false) }
}
const atGateway = async () => {
  const rows = await app.db.selectFrom('refunds').select(['amount_pence', 'state']).execute()
  return rows.map((row) => `${row.amount_pence} ${row.state}`)
}

describe('a refund', () => {
  test('of a part leaves the rest; the client is mailed, the ledger balances, and the audit log has it', async () => {
    await afterwards()
    const mails = await newMails(async () => {
      const answer = await refund({ amount: 12.5 })
      expect(answer.body).toMatchObject({
        paid: 60,
        refunded: 12.5,
        refundable: 47.5,
        status: 'confirmed',
        refunds: [{ amount: 12.5, state: 'succeeded', reason: 'They waited for half an hour.' }],
      })
    })
    expect(mails.map((mail) => [mail.to, mail.subject]).toSorted()).toEqual(
      [
        [client.email, 'Your refund is on its way'],
        [practitioner.email, 'A session was refunded'],
      ].toSorted(),
    )
    mails.sort((a) => (a.to === client.email ? -1 : 1))
    expect(mails[1]?.text).toContain('We have refunded £12.50 to')
    expect(mails[1]?.text).toContain('It is taken off what you are owed.')
    expect(mails[0]?.text).toContain('£12.50')
    expect(mails[0]?.text).toContain('Your session with')
    expect(await ledger(app)).toEqual({ gateway_balance: 4750, practitioner_payable: -4750 })
    expect(await audit()).toMatchObject([
      {
        action: 'refund session',
        subject: `£12.50 of session ${session}`,
        practitioner_id: practitioner.id,
        reason: 'They waited for half an hour.',
      },
    ])
    // A second part has a mail of its own.
    const more = await newMails(() => refund({ refunded_before: 12.5 }))
    expect(more.map((mail) => mail.subject).toSorted()).toEqual([
      'A session was refunded',
      'Your refund is on its way',
    ])
    for (const { text } of more) expect(text).toContain('£47.50')
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
  })

  test('is never more than was paid, and nothing happens then', async () => {
    await afterwards()
    const before = await fingerprint(app.db)
    for (const amount of [60.01, 1000, 0]) {
      const answer = await refund({ amount })
      expect([amount, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
        amount,
        422,
        ['amount'],
      ])
    }
    expect((await refund({ amount: -5 })).status).toBe(422)
    expect((await refund({ reason: '  ' })).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await refund({})).body).toMatchObject({ refunded: 60, refundable: 0 })
    expect(statusAndCode(await refund({ refunded_before: 60 }))).toEqual([409, 'not_refundable'])
    expect(await atGateway()).toEqual(['6000 succeeded'])
  })

  test('asked for many times at once happens once', async () => {
    await afterwards()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund({ amount: 20 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
    expect(new Set(answers.map(({ body }) => String(body.code)))).toEqual(
      new Set(['undefined', 'changed_elsewhere']),
    )
    expect(await atGateway()).toEqual(['2000 succeeded'])
    expect(await audit()).toHaveLength(1)
  })

  test('repeated with the same key is answered alike', async () => {
    await afterwards()
    const headers = { 'idempotency-key': 'the same' }
    const first = await refund({ amount: 20 }, headers)
    expect((await refund({ amount: 20 }, headers)).body).toEqual(first.body)
    expect(statusAndCode(await refund({ amount: 21 }, headers))).toEqual([409, 'idempotency_key_reused'])
    expect(await atGateway()).toEqual(['2000 succeeded'])
  })

  test('waits where the gateway is away, is tried again, and the client hears of it when it has left', async () => {
    await afterwards()
    isGatewayDown = true
    const none = await newMails(async () => {
      expect((await refund({})).body).toMatchObject({ refunds: [{ state: 'requested' }], refundable: 0 })
    })
    expect(none).toEqual([])
    expect((await list('?show=refund_open')).data.map((each) => each.session_id)).toEqual([session])
    isGatewayDown = false
    app.clock.advance(hours(1))
    const mails = await newMails(() => app.services.payments.recover())
    expect(mails.map((mail) => mail.subject).toSorted()).toEqual([
      'A session was refunded',
      'Your refund is on its way',
    ])
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })
    token = (await createAdmin(app)).token
    expect((await list('?show=refund_open')).data).toEqual([])
    expect((await list('?show=refunded')).meta.total).toBe(1)
  })

  test('is not for a session that is still to come, nor for what was given back by cancelling', async () => {
    token = (await createAdmin(app)).token
    const before = await fingerprint(app.db)
    expect(statusAndCode(await refund({}))).toEqual([409, 'not_refundable'])
    expect((await refund({}, {}, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect(await fingerprint(app.db)).toEqual(before)
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: session },
    })
    expect(cancelled.status).toBe(200)
    expect(statusAndCode(await refund({ refunded_before: 60 }))).toEqual([409, 'not_refundable'])
    expect(await atGateway()).toEqual(['6000 succeeded'])
  })

  test('of everything reverses what we added to a discounted price', async () => {
    const friend = await createClient(app, { referral_code: client.referralCode })
    session = await bookSession(app, { practitioner, client: friend, startsAt: '2026-06-08T11:00:00Z' })
    const before = await ledger(app)
    expect(before).toMatchObject({ referral_discounts: 1200 })
    await afterwards()
    const part = await refundMails({ amount: 8 })
    expect(part.answer?.body).toMatchObject({ paid: 48, refunded: 8 })
    expect(part.toPractitioner).toContain('We have refunded £8.00 to')
    expect(part.toPractitioner).toContain('It is taken off what you are owed.')
    expect(await ledger(app)).toMatchObject({ referral_discounts: 1200, practitioner_payable: -11_200 })
    const rest = await refundMails({ amount: 40, refunded_before: 8 })
    expect(rest.answer?.body).toMatchObject({ refundable: 0 })
    expect(rest.toPractitioner).toContain('We have refunded £40.00 to')
    expect(rest.toPractitioner).toContain(
      '£52.00 is taken off what you are owed: the refund, and the referral discount of £12.00 that we had paid.',
    )
    expect(await ledger(app)).toEqual({
      gateway_balance: 6000,
      referral_discounts: 0,
      practitioner_payable: -6000,
    })
  })

  test('of two payments for a discounted price mails the practitioner the sum that is taken off', async () => {
    const friend = await createClient(app, { referral_code: client.referralCode })
    const card = await saveCard(app, friend)
    session = await bookSession(app, { practitioner, client: friend, card, startsAt: '2026-06-08T11:00:00Z' })
    // The second payment is the newer one, which is refunded first.
    app.clock.advance(seconds(1))
    const moved = await app.call('POST', '/appointment/edit-session', {
      token: friend.token,
      body: {
        appointment_id: session,
        type: 'face_to_face',
        appointment_datetime: '2026-06-08T11:00:00Z',
        customer_id: card,
      },
    })
    expect(moved.body).toMatchObject({ fee: 64, discount: 16 })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    await app.queue.drain()
    expect(await ledger(app)).toMatchObject({ practitioner_payable: -14_000 })
    await afterwards()
    // The whole of the second payment, of which the discount stays owed until the rest is refunded.
    expect((await refundMails({ amount: 16 })).toPractitioner).toContain('It is taken off what you are owed.')
    const { toPractitioner, toClient } = await refundMails({ refunded_before: 16 })
    expect(toPractitioner).toContain('We have refunded £48.00 to')
    expect(toPractitioner).toContain('£64.00 is taken off what you are owed')
    expect(toClient.match(/£[\d.]+/g)).toEqual(['£48.00', '£48.00'])
    expect(await ledger(app)).toMatchObject({ referral_discounts: 0, practitioner_payable: -6000 })
  })
})

describe('the list of payments', () => {
  test('shows what was paid and given back, the newest first, and is searched', async () => {
    const other = await createClient(app, { name: 'Bo Lindqvist' })
    app.clock.advance(seconds(1))
    const later = await bookSession(app, { practitioner, client: other, startsAt: '2026-06-09T09:00:00Z' })
    token = (await createAdmin(app)).token
    expect((await list()).data.map((each) => each.session_id)).toEqual([later, session])
    expect((await list('?search=lindq')).data).toMatchObject([
      {
        session_id: later,
        client: { full_name: 'Bo Lindqvist' },
        practitioner: { practitioner_id: practitioner.id },
        paid: 60,
        refunded: 0,
        refundable: 0,
        payments: [{ amount: 60, state: 'captured', card: 'Visa ending in 4242' }],
      },
    ])
    expect((await list(`?search=${session.toUpperCase()}`)).meta.total).toBe(1)
    expect((await list('?search=nobody')).data).toEqual([])
    expect((await list('?show=refunded')).data).toEqual([])
  })

  test('is narrowed to what was given back, by a search of either side, and by both; pages follow each other', async () => {
    const other = await createClient(app, { name: 'Bo Lindqvist' })
    const colleague = await createPractitioner(app)
    const later = await bookSession(app, {
      practitioner: colleague,
      client: other,
      startsAt: '2026-06-08T09:00:00Z',
    })
    await afterwards()
    await refund({ amount: 12.5 }, {}, later)
    const found = async (query: string) => {
      const { data, meta } = await list(query)
      return [meta.total, ...data.map((each) => each.session_id)]
    }
    const [first = '', second = ''] = (await list()).data.map((each) => each.session_id)
    expect([first, second].toSorted()).toEqual([session, later].toSorted())
    expect(await found('?show=refunded')).toEqual([1, later])
    expect(await found('?show=refund_open')).toEqual([0])
    expect(await found(`?search=${encodeURIComponent(colleague.email)}`)).toEqual([1, later])
    expect(await found('?show=refunded&search=lindq')).toEqual([1, later])
    expect(await found(`?show=refunded&search=${session}`)).toEqual([0])
    expect(await found(`?search=${encodeURIComponent('100%_')}`)).toEqual([0])
    expect(await found('?page=2')).toEqual([2])
    expect(await found(`?search=${encodeURIComponent(client.email)}&page=1`)).toEqual([1, session])
  })

  test('is closed to visitors, clients and practitioners', async () => {
    await afterwards()
    const strangers = [
      [undefined, 401],
      [(await signInAgain(app, client)).token, 403],
      [await signInPractitioner(app, practitioner), 403],
    ] as const
    const before = await app.db.selectFrom('refunds').selectAll().execute()
    for (const [stranger, status] of strangers) {
      expect((await app.call('GET', '/admin/payments', { token: stranger })).status).toBe(status)
      const answer = await app.call('POST', `/admin/payments/${session}/refund`, {
        token: stranger,
        body: { reason: 'Mine.', refunded_before: 0 },
      })
      expect(answer.status).toBe(status)
    }
    expect(await app.db.selectFrom('refunds').selectAll().execute()).toEqual(before)
  })
})

test('an admin cancels a session that is not paid yet: no money moves, and there is no payment to refund', async () => {
  const card = await saveCard(app, client)
  const { dates } = await agreeSeries(app, { client, card, session })
  const reserved = dates[0]?.appointment_id ?? ''
  token = (await createAdmin(app)).token
  const answer = await app.call('POST', `/admin/sessions/${reserved}/cancel`, {
    token,
    body: { reason: 'They are ill.' },
  })
  expect(answer.body).toMatchObject({ session_id: reserved, status: 'cancelled', paid: 0, payments: [] })
  expect(await audit()).toMatchObject([{ action: 'cancel session', subject: `session ${reserved}` }])
  expect(statusAndCode(await refund({}, {}, reserved))).toEqual([404, 'not_found'])
  expect((await list()).data.map((each) => each.session_id)).toEqual([session])
  expect(await atGateway()).toEqual([])
})
