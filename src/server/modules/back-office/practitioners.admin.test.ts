import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoints.ts'
import { minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { readMail } from '#test/mails.ts'

let app: TestApp
let practitioner: Practitioner
let token: string
beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
})
afterEach(() => app.close())

const audit = () =>
  app.db.selectFrom('audit_log').select(['action', 'subject', 'reason']).orderBy('id').execute()

describe('paying out', () => {
  const payOut = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    app.call('POST', `/admin/payouts/${practitioner.id}`, {
      token,
      body: { reference: 'BACS 1234', ...body },
      headers,
    })
  const listed = async () => (await app.call('GET', '/admin/payouts', { token })).body
  const recorded = async (search = '') => {
    const query = new URLSearchParams(search && { search }).toString()
    const { body } = await app.call('GET', `/admin/payouts/recorded?${query}`, { token })
    return (body as unknown as AnswerOf<'GET /admin/payouts/recorded'>).data
  }
  const reverse = (id = '', reason = 'returned_by_bank') =>
    app.call('POST', `/admin/payouts/recorded/${id}/reverse`, { token, body: { reversal_reason: reason } })

  /** Two sessions at £60: one is over, the other is a day ahead. */
  beforeEach(async () => {
    const client = await createClient(app)
    for (const startsAt of ['2026-06-08T09:00:00Z', '2026-06-10T09:00:00Z'])
      await bookSession(app, { practitioner, client, startsAt })
    await app.queue.drain()
    app.clock.advance(Date.parse('2026-06-09T10:00:00Z') - app.clock.now().getTime())
    token = (await createAdmin(app)).token
  })

  test('is possible for sessions that are over, and shows in the ledger, the balance and the statement', async () => {
    expect(await listed()).toMatchObject({
      data: [
        {
          practitioner_id: practitioner.id,
          full_name: 'Priya Patel',
          owed: 120,
          held: 60,
          payable: 60,
          paid_out_at: null,
        },
      ],
      meta: { total: 1 },
    })
    const answer = await payOut({ amount: 60, owed_before: 120 })
    expect([answer.status, answer.body]).toMatchObject([200, { owed: 60, held: 60, payable: 0 }])
    expect(answer.body.paid_out_at).toBe(app.clock.now().toISOString())
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await audit()).toEqual([
      { action: 'pay out', subject: `£60.00 to practitioner ${practitioner.id}`, reason: 'BACS 1234' },
    ])

    const own = await signInPractitioner(app, practitioner)
    expect((await app.call('GET', '/therapist/balance', { token: own })).body).toMatchObject({
      paid_by_clients: 120,
      refunded: 0,
      paid_out: 60,
      owed: 60,
    })
    const { body: overview } = await app.call('GET', '/therapist/home/get-dashboard-overview', { token: own })
    expect(overview.owed).toBe(60)
    const statement = await fetch(`${app.origin}/api/v7/therapist/statements/2026-06?format=csv`, {
      headers: { authorization: `Bearer ${own}` },
    })
    const lines = (await statement.text()).split('\r\n')
    expect(lines.find((line) => line.includes('Paid out to you'))).toMatch(
      /"Paid out to you","","","","BACS 1234","","0.00","0.00","-60.00"$/,
    )
    expect(lines.at(-2)).toBe('"","","Balance so far","","","","","","","","60.00"')
  })

  test('is not possible for a session whose client can still say that its practitioner did not come', async () => {
    app.clock.advance(-minutes(15))
    expect(await listed()).toMatchObject({ data: [{ owed: 120, held: 120, payable: 0 }] })
    expect((await payOut({ amount: 60, owed_before: 120 })).status).toBe(422)
  })

  test('happens once, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'one payout' }
    const answers = [
      await payOut({ amount: 60, owed_before: 120 }, headers),
      await payOut({ amount: 60, owed_before: 120 }, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const again = await payOut({ amount: 60, owed_before: 120 })
    expect([again.status, again.body.code]).toEqual([409, 'changed_elsewhere'])
    const both = await Promise.all([1, 2].map(() => payOut({ amount: 0.5, owed_before: 60 })))
    expect(both.map(({ status }) => status)).toEqual([422, 422])
    expect(both[0]?.body.errors).toEqual({ amount: ['At most £0 can be paid out now.'] })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await app.db.selectFrom('payouts').select('amount_pence').execute()).toEqual([
      { amount_pence: 6000 },
    ])
    expect(await audit()).toHaveLength(1)
  })

  test.each([
    [{ amount: 60.01, owed_before: 120 }, 422, 'validation_failed'],
    [{ amount: 0, owed_before: 120 }, 422, 'validation_failed'],
    [{ amount: 60, owed_before: 120, reference: ' ' }, 422, 'validation_failed'],
    [{ amount: 60, owed_before: 60 }, 409, 'changed_elsewhere'],
  ])('is refused with nothing written: %j', async (body, status, code) => {
    const before = await fingerprint(app.db)
    const answer = await payOut(body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('cannot be changed afterwards, not even in the database', async () => {
    await payOut({ amount: 60, owed_before: 120 })
    const [payout] = await recorded()
    await reverse(payout?.payout_id)
    for (const table of ['payouts', 'payout_reversals'] as const) {
      await expect(app.db.updateTable(table).set({ created_at: new Date() }).execute()).rejects.toThrow()
      await expect(app.db.deleteFrom(table).execute()).rejects.toThrow()
    }
  })

  test('that left the bank before something was held back is recorded in full', async () => {
    const refused = await payOut({ amount: 100, owed_before: 120 })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { amount: ['At most £60 can be paid out now.'] },
    ])
    expect(await recorded()).toEqual([])
    const answer = await payOut({ amount: 130, owed_before: 120, beyond_payable: true })
    expect([answer.status, answer.body]).toMatchObject([200, { owed: -10, held: 60, payable: 0 }])
    expect((await audit()).map(({ subject }) => subject)).toEqual([
      `£130.00 to practitioner ${practitioner.id}, beyond what could be paid out`,
    ])
    // Another transfer after it has its place as well, and a repetition has not.
    expect((await payOut({ amount: 130, owed_before: 120, beyond_payable: true })).status).toBe(409)
    expect((await payOut({ amount: 5, owed_before: -10, beyond_payable: true })).status).toBe(200)
    expect(await ledger(app)).toEqual({ gateway_balance: -1500, practitioner_payable: 1500 })
  })

  test('is withheld during a suspension for conduct, and shown so', async () => {
    const suspend = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token,
      body: { cause: 'conduct', reason: 'A complaint.', sessions: 'freeze' },
    })
    expect(suspend.status).toBe(200)
    expect(await listed()).toMatchObject({
      data: [{ payable: 60, suspended_for: 'conduct', is_withheld: true }],
    })
    const own = await signInPractitioner(app, practitioner)
    expect((await app.call('GET', '/therapist/balance', { token: own })).body).toMatchObject({
      owed: 120,
      held: 60,
      payouts_withheld: true,
    })
    const before = await fingerprint(app.db)
    const refused = await payOut({ amount: 60, owed_before: 120 })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { despite_suspension: ['During this suspension nothing is to be paid out.'] },
    ])
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await payOut({ amount: 60, owed_before: 120, despite_suspension: true })).status).toBe(200)
    expect((await audit()).at(-1)?.subject).toBe(
      `£60.00 to practitioner ${practitioner.id}, despite the suspension`,
    )
  })

  test('stays withheld where the profile is closed out of the suspension, and not where it was lifted', async () => {
    const act = (what: string, body: object) =>
      app.call('POST', `/admin/practitioners/${practitioner.id}/${what}`, { token, body })
    const suspension = { cause: 'identity', reason: 'The document is forged.', sessions: 'freeze' }
    expect((await act('suspend', suspension)).status).toBe(200)
    app.clock.advance(minutes(1))
    expect((await act('reinstate', {})).status).toBe(200)
    expect(await listed()).toMatchObject({ data: [{ suspended_for: null, is_withheld: false }] })
    // Words about what was not so are no part of the log.
    const flags = { beyond_payable: true, despite_suspension: true }
    expect((await payOut({ amount: 20, owed_before: 120, ...flags })).status).toBe(200)
    expect((await audit()).at(-1)?.subject).toBe(`£20.00 to practitioner ${practitioner.id}`)
    expect((await act('suspend', suspension)).status).toBe(200)
    app.clock.advance(minutes(1))
    expect((await act('close', { reason: 'They left.' })).status).toBe(200)
    expect(await listed()).toMatchObject({ data: [{ suspended_for: 'identity', is_withheld: true }] })
    const [row] = ((await listed()) as unknown as AnswerOf<'GET /admin/payouts'>).data
    const refused = await payOut({ amount: 10, owed_before: row?.owed })
    expect(refused.body.errors).toHaveProperty('despite_suspension')
  })

  test('goes on during a suspension for late documents', async () => {
    await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token,
      body: { cause: 'papers', reason: 'The insurance is late.', sessions: 'freeze' },
    })
    expect((await payOut({ amount: 60, owed_before: 120 })).status).toBe(200)
  })

  test('finds those with whom all is settled by their name', async () => {
    await payOut({ amount: 120, owed_before: 120, beyond_payable: true })
    const found = async (search: string) =>
      (await app.call('GET', `/admin/payouts?${new URLSearchParams({ search }).toString()}`, { token })).body
    expect(await listed()).toMatchObject({ data: [], meta: { total: 0 } })
    expect(await found('yA PAt')).toMatchObject({
      data: [{ practitioner_id: practitioner.id, owed: 0, payable: 0 }],
      meta: { total: 1 },
    })
    expect(await found('Smith')).toMatchObject({ data: [], meta: { total: 0 } })
  })

  test.each(["Siân O'Connor", 'sian oconnor', 'O’CONNOR', 'SIA\u0302N', 'o`con'])(
    'finds Siân O’Connor by %s, in every list of the back office',
    async (search) => {
      const rename = (first_name: string, last_name: string) =>
        app.db.updateTable('accounts').set({ first_name, last_name }).execute()
      await rename('Siân', 'O’Connor')
      await payOut({ amount: 60, owed_before: 120 })
      const totals = () =>
        Promise.all(
          [
            '/admin/practitioners?search=',
            '/admin/payouts?search=',
            '/admin/payouts/recorded?search=',
            '/admin/payments?search=',
            '/admin/audit?actor=',
          ].map(async (path) => {
            const { body } = await app.call('GET', path + encodeURIComponent(search), { token })
            return (body as unknown as { data: unknown[] }).data.length
          }),
        )
      expect(await totals()).toEqual([1, 1, 1, 2, 1])
      await rename('Sean', 'O’Conner')
      expect(await totals()).toEqual(search === 'o`con' ? [1, 1, 1, 2, 1] : [0, 0, 0, 0, 0])
    },
  )

  test('that the bank sends back is owed again, once, and can be made again', async () => {
    await payOut({ amount: 60, owed_before: 120 })
    app.clock.advance(minutes(5))
    const [payout] = await recorded()
    expect(payout).toMatchObject({
      practitioner_id: practitioner.id,
      full_name: 'Priya Patel',
      amount: 60,
      reference: 'BACS 1234',
      reversal: null,
    })
    const answers = await Promise.all([1, 2].map(() => reverse(payout?.payout_id)))
    const reversal = { reason: 'returned_by_bank', reversed_at: app.clock.now().toISOString() }
    expect(answers.map(({ status, body }) => [status, body.reversal])).toEqual([
      [200, reversal],
      [200, reversal],
    ])
    expect((await reverse(payout?.payout_id, 'recorded_wrongly')).body.reversal).toEqual(reversal)
    expect(await recorded()).toEqual([{ ...payout, reversal }])
    expect(await ledger(app)).toEqual({ gateway_balance: 12_000, practitioner_payable: -12_000 })
    expect(await listed()).toMatchObject({ data: [{ owed: 120, held: 60, payable: 60, paid_out_at: null }] })
    expect((await audit()).slice(1)).toEqual([
      {
        action: 'reverse payout',
        subject: `£60.00 to practitioner ${practitioner.id}, BACS 1234`,
        reason: 'Returned by the bank',
      },
    ])

    const own = await signInPractitioner(app, practitioner)
    expect((await app.call('GET', '/therapist/balance', { token: own })).body).toMatchObject({
      paid_by_clients: 120,
      paid_out: 0,
      owed: 120,
      held: 60,
      payouts_withheld: false,
    })
    const statement = await fetch(`${app.origin}/api/v7/therapist/statements/2026-06?format=csv`, {
      headers: { authorization: `Bearer ${own}` },
    })
    const lines = (await statement.text()).split('\r\n')
    expect(lines.find((line) => line.includes('Payout reversed'))).toMatch(
      /"Payout reversed","","","","BACS 1234","","0.00","0.00","60.00"$/,
    )
    expect(lines.at(-2)).toBe('"","","Balance so far","","","","","","","","120.00"')

    expect((await payOut({ amount: 60, owed_before: 120, reference: 'BACS 1235' })).status).toBe(200)
    expect((await recorded()).map(({ reference }) => reference)).toEqual(['BACS 1235', 'BACS 1234'])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('is found by its reference or its practitioner, and one that does not exist is not reversed', async () => {
    await payOut({ amount: 20, owed_before: 120, reference: '100%_BACS' })
    app.clock.advance(minutes(1))
    await payOut({ amount: 30, owed_before: 100, reference: 'BACS 2' })
    expect((await recorded('%_b')).map(({ amount }) => amount)).toEqual([20])
    expect((await recorded('yA PAt')).map(({ amount }) => amount)).toEqual([30, 20])
    expect(await recorded('Smith')).toEqual([])
    const before = await fingerprint(app.db)
    expect((await reverse('0197a1a0-0000-7000-8000-000000000000')).status).toBe(404)
    const [payout] = await recorded()
    expect((await reverse(payout?.payout_id, 'lost')).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

test('a video order is mailed to the back office, listed, and completed once', async () => {
  const admin = await createAdmin(app)
  token = admin.token
  const own = await signInPractitioner(app, practitioner)
  await saveTherapistCard(app, own)
  await app.queue.drain()
  const sent = app.mails().length
  expect((await app.call('GET', '/admin/video-orders', { token })).body).toMatchObject({ data: [] })
  for (let time = 0; time < 2; time++) {
    const ordered = await app.call('POST', '/therapist/video-production/order', { token: own })
    expect(ordered.status).toBe(200)
  }
  await app.queue.drain()
  const mails = app.mails().slice(sent).map(readMail)
  const toOffice = mails.filter(({ subject }) => subject === 'A video was ordered')
  expect(toOffice.map(({ to }) => to)).toEqual([admin.email])
  expect(toOffice[0]?.text).toContain('/admin/sign-in?return_to=%2Fadmin%2Fvideos')
  expect((await app.call('GET', '/admin/video-orders', { token })).body).toMatchObject({
    data: [{ practitioner_id: practitioner.id, full_name: 'Priya Patel', price: 10, done_at: null }],
  })

  const finish = () => app.call('POST', `/admin/video-orders/${practitioner.id}/done`, { token })
  expect((await finish()).body.done_at).toBe(app.clock.now().toISOString())
  expect((await finish()).status).toBe(200)
  expect(await audit()).toEqual([
    { action: 'finish video', subject: `video of practitioner ${practitioner.id}`, reason: null },
  ])
  expect((await app.call('GET', '/admin/video-orders', { token })).body).toMatchObject({ data: [] })
  expect((await app.call('GET', '/admin/video-orders?status=done', { token })).body).toMatchObject({
    data: [{ practitioner_id: practitioner.id }],
  })
  const other = await createPractitioner(app)
  expect((await app.call('POST', `/admin/video-orders/${other.id}/done`, { token })).status).toBe(404)
})
