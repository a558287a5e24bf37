import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, later, minutes } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  addPlace,
  cards,
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
import { linkIn, sessionMails } from '#test/mails.ts'
import { reserveDate } from '#test/reserved.ts'
import { backOfficeAs } from '#test/vetting.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let card: string
let id: string
let isDown = false
/** The texts of push notifications. */
let pushed: string[]
const tuesday = new Date('2026-06-16T09:00:00Z')
const before = (milliseconds: number) => later(tuesday, -milliseconds)
const asksTheClient = '4000002500003155'
const declines = '4000000000000002'
const withoutMoney = '4000000000009995'

beforeEach(async () => {
  isDown = false
  pushed = []
  app = await buildTestApp({
    push: {
      publicKey: 'key',
      allows: () => true,
      send: async (_to, { text }) => {
        pushed.push(text)
        return 'taken'
      },
    },
    gateway: (sandbox) => ({
      ...sandbox,
      authorise: async (request) => {
        if (isDown) throw new Error('The gateway is away.')
        return sandbox.authorise(request)
      },
    }),
  })
  client = await createClient(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  practitioner = await createPractitioner(app)
})
afterEach(async () => app.close())

async function reserveWith(number: string = cards.succeeds): Promise<void> {
  card = await saveCard(app, client, number)
  id = await reserveDate(app, { client, practitioner, card }, tuesday)
}
async function goTo(when: Date): Promise<void> {
  app.clock.set(when)
  client = await signInAgain(app, client)
}
async function sweepAt(when: Date): Promise<void> {
  await goTo(when)
  await app.services.reserved.sweep()
}
const row = () => app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const state = async () => (await row()).state
const intents = () =>
  app.db
    .selectFrom('payment_intents')
    .select(['state', 'on_session', 'purpose', 'amount_pence'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
const templates = async () =>
  (
    await app.db
      .selectFrom('outgoing_mails')
      .select(['template', 'recipient'])
      .where('template', 'like', 'session.%')
      .orderBy('created_at')
      .orderBy('recipient')
      .execute()
  ).map(({ template, recipient }) => `${template.slice(8)} ${recipient}`)
const live = async () =>
  (await app.db.selectFrom('reservations').select('id').where('state', '<>', 'released').execute()).length
const post = (path: string, body: object, token = client.token): Promise<Answer> =>
  app.call('POST', path, { token, body })
const pay = (customer_id: string) => post(`/appointment/${id}/pay`, { customer_id })
const detail = async () => (await app.call('GET', `/appointment/${id}`, { token: client.token })).body

describe('the money of a reserved session', () => {
  test('is announced a day ahead, and taken 48 hours before the start, once', async () => {
    await reserveWith()
    await sweepAt(before(hours(72) + 1))
    expect(await templates()).toEqual([])
    await sweepAt(before(hours(72)))
    await sweepAt(before(hours(71)))
    expect(await templates()).toEqual(['charge_ahead client'])
    await app.queue.drain()
    expect(sessionMails(app.mails()).map((mail) => mail.subject)).toEqual([
      '=?UTF-8?Q?=C2=A360=2E00_will_be_taken_on_Sunday?=',
    ])
    await sweepAt(before(hours(48) + 1))
    expect([await state(), await intents(), await ledger(app)]).toEqual(['reserved', [], {}])
    await sweepAt(before(hours(48)))
    await sweepAt(before(hours(47)))
    expect(await state()).toBe('confirmed')
    expect(await intents()).toEqual([
      { state: 'captured', on_session: false, purpose: 'booking', amount_pence: 6000 },
    ])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await templates()).toEqual(['charge_ahead client', 'booked client', 'booked practitioner'])
    expect(await detail()).toMatchObject({ status: 'confirmed', payment_due: null })
  })

  test('follows an outage of the gateway, with one charge', async () => {
    await reserveWith()
    isDown = true
    await sweepAt(before(hours(48)))
    expect(await state()).toBe('reserved')
    expect(await detail()).toMatchObject({ payment_due: 'checking' })
    isDown = false
    await sweepAt(before(hours(47)))
    expect(await state()).toBe('confirmed')
    expect((await intents()).map((each) => each.state)).toEqual(['captured'])
    expect(app.services.reserved.figures()).toEqual({ taken: 1, refused: 0, unfinished: 1, unpaid: 0 })
    expect((await app.metrics.read()).text).toContain('hearth_charges_total{outcome="taken"} 1\n')
  })

  test('is asked for on the page if the sweep was away for days, and never after the start', async () => {
    await reserveWith()
    await sweepAt(before(hours(3)))
    expect(await row()).toMatchObject({
      state: 'reserved',
      pay_by: tuesday,
      charge_at: null,
      pay_failures: 0,
    })
    expect(await intents()).toEqual([])
    expect(await templates()).toEqual(['payment_failed client'])
    expect(await detail()).toMatchObject({ payment_due: 'open' })
    await sweepAt(tuesday)
    expect(await row()).toMatchObject({ state: 'cancelled', cancelled_by: 'system', cancel_code: 'unpaid' })
    expect([await intents(), await ledger(app), await live()]).toEqual([[], {}, 0])
  })

  test('of a session that starts before the sweep comes back is never taken', async () => {
    await reserveWith()
    await sweepAt(later(tuesday, days(3)))
    expect(await row()).toMatchObject({ state: 'cancelled', cancel_code: 'unpaid' })
    expect([await intents(), await ledger(app)]).toEqual([[], {}])
  })

  test('paid less than 96 hours after it was agreed is refunded in full, and later is not', async () => {
    await goTo(before(hours(90)))
    await reserveWith()
    await sweepAt(before(hours(48)))
    expect(await state()).toBe('confirmed')
    await goTo(before(hours(43)))
    const cancelled = await post('/appointment/cancel-session', { appointment_id: id })
    expect(cancelled.status).toBe(200)
    expect(await ledger(app)).toEqual({ gateway_balance: 0, practitioner_payable: 0 })

    id = await reserveDate(app, { client, practitioner, card }, later(tuesday, days(7)))
    await goTo(later(tuesday, days(7) - hours(48)))
    await app.services.reserved.sweep()
    await goTo(later(tuesday, days(7) - hours(47)))
    const late = await post('/appointment/cancel-session', { appointment_id: id })
    expect([late.status, late.body.code]).toEqual([409, 'too_late_to_change'])
  })
})

describe('a declined charge', () => {
  test.each([
    ['that the bank wants to ask about', asksTheClient, 'voided'],
    ['of a card that is refused', declines, 'declined'],
  ])(
    '%s is not tried again; unpaid, the session is cancelled and both get a mail',
    async (_what, number, left) => {
      await reserveWith(number)
      await sweepAt(before(hours(48)))
      await sweepAt(before(hours(36)))
      await sweepAt(before(hours(25)))
      expect(await row()).toMatchObject({ state: 'reserved', pay_failures: 1, charge_at: null })
      expect((await intents()).map((each) => each.state)).toEqual([left])
      expect((await templates()).filter((each) => each !== 'charge_ahead client')).toEqual([
        'payment_failed client',
      ])
      await app.queue.drain()
      const mail = app.mails().find((each) => each.includes('Subject: Pay for Tuesday'))
      const { sequence } = await row()
      expect(linkIn(mail ?? '').searchParams.get('return_to')).toBe(
        `/pay?appointment=${id}&sequence=${sequence}`,
      )
      await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
      await sweepAt(before(hours(24)))
      expect(await row()).toMatchObject({ state: 'cancelled', cancelled_by: 'system', cancel_code: 'unpaid' })
      expect((await templates()).slice(-2)).toEqual(['unpaid client', 'unpaid practitioner'])
      await app.queue.drain()
      const ended = sessionMails(app.mails()).filter(({ subject }) => /(is|was) cancelled$/.test(subject))
      expect(ended.map(({ calendar }) => calendar)).toEqual([undefined, undefined])
      expect([await live(), await ledger(app)]).toEqual([0, {}])
      const late = await pay(await saveCard(app, client))
      expect([late.status, late.body.code]).toEqual([409, 'hold_expired'])
      expect(await ledger(app)).toEqual({})
    },
  )

  test('reaches the browsers of the client alone, and leads to the payment', async () => {
    await reserveWith(declines)
    const keys = {
      p256dh: Buffer.alloc(65, 4).toString('base64url'),
      auth: Buffer.alloc(16).toString('base64url'),
    }
    const tokens = [client.token, await signInPractitioner(app, practitioner)]
    for (const [index, token] of tokens.entries()) {
      const endpoint = `https://push.example.test/${index}`
      expect((await post('/notices/push', { endpoint, keys }, token)).status).toBeLessThan(300)
    }
    await sweepAt(before(hours(72)))
    await app.queue.drain()
    expect(pushed).toEqual([])
    await sweepAt(before(hours(48)))
    await app.queue.drain()
    expect(pushed).toEqual([
      JSON.stringify({ kind: 'session', path: `/pay?appointment=${id}`, role: 'client' }),
    ])
  })

  test('for want of money is tried once more 36 hours before the start', async () => {
    await reserveWith(withoutMoney)
    await sweepAt(before(hours(48)))
    expect(await detail()).toMatchObject({ payment_due: 'retrying' })
    await sweepAt(before(hours(37)))
    expect(await intents()).toHaveLength(1)
    await sweepAt(before(hours(36)))
    await sweepAt(before(hours(30)))
    expect(await intents()).toHaveLength(2)
    expect(await row()).toMatchObject({ state: 'reserved', pay_failures: 2, charge_at: null })
    const methods = await app.db.selectFrom('payment_methods').select('removed_at').execute()
    expect(methods).toEqual([{ removed_at: null }])
    expect(await ledger(app)).toEqual({})
  })

  test('is tried once more also where the client has tried the card in between, which the series keeps', async () => {
    await reserveWith(withoutMoney)
    await sweepAt(before(hours(48)))
    const tried = await pay(card)
    expect([tried.status, tried.body.code]).toEqual([402, 'card_declined'])
    const methods = await app.db.selectFrom('payment_methods').select('removed_at').execute()
    expect(methods).toEqual([{ removed_at: null }])
    await app.db.updateTable('sandbox_gateway.cards').set({ behaviour: 'succeeds' }).execute()
    await sweepAt(before(hours(36)))
    expect([await state(), await ledger(app)]).toEqual([
      'confirmed',
      { gateway_balance: 6000, practitioner_payable: -6000 },
    ])
  })

  test('is tried once more also where the client has left the question of the bank in between', async () => {
    await reserveWith(withoutMoney)
    await sweepAt(before(hours(48)))
    const behave = (behaviour: 'succeeds' | 'requires_action') =>
      app.db.updateTable('sandbox_gateway.cards').set({ behaviour }).execute()
    await behave('requires_action')
    const tried = await pay(card)
    expect([tried.status, tried.body.code]).toEqual([402, 'authentication_required'])
    await behave('succeeds')
    await sweepAt(before(hours(36)))
    expect((await intents()).map((each) => each.state).toSorted()).toEqual(['captured', 'declined', 'voided'])
    expect([await state(), await ledger(app)]).toEqual([
      'confirmed',
      { gateway_balance: 6000, practitioner_payable: -6000 },
    ])
  })

  test('is reported a quarter of an hour after the client has left the question of the bank', async () => {
    await reserveWith(asksTheClient)
    await goTo(before(hours(40)))
    const tried = await pay(card)
    expect([tried.status, tried.body.code]).toEqual([402, 'authentication_required'])
    await sweepAt(before(hours(40) - minutes(14)))
    expect([await intents(), await templates()]).toMatchObject([[{ state: 'requires_action' }], []])
    await sweepAt(before(hours(40) - minutes(16)))
    expect((await intents()).map((each) => each.state)).toEqual(['voided', 'voided'])
    expect(await templates()).toEqual(['payment_failed client'])
    expect(await row()).toMatchObject({ state: 'reserved', pay_failures: 1, charge_at: null })
    await sweepAt(before(hours(39)))
    expect([await intents(), await ledger(app)]).toEqual([expect.objectContaining({ length: 2 }), {}])
  })

  test('leads to a payment on the page', async () => {
    await reserveWith(declines)
    await sweepAt(before(hours(48)))
    const other = await saveCard(app, client)
    const paid = await pay(other)
    expect([paid.status, paid.body]).toEqual([
      200,
      { session_id: id, status: 'captured', amount: 60, hold_expires_at: null },
    ])
    expect(await pay(other)).toMatchObject({ status: 200, body: { status: 'captured' } })
    expect((await intents()).map(({ state, on_session }) => `${state} ${on_session}`).toSorted()).toEqual([
      'captured true',
      'declined false',
    ])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const mailed = (await templates()).toSorted()
    expect(mailed).toEqual(['booked client', 'booked practitioner', 'payment_failed client'])
    await sweepAt(before(hours(24)))
    expect(await state()).toBe('confirmed')
  })

  test('on the page goes through the question of the bank', async () => {
    await reserveWith(asksTheClient)
    await sweepAt(before(hours(48)))
    const asked = await pay(card)
    expect([asked.status, asked.body.code]).toEqual([402, 'authentication_required'])
    // A second press does not stand for the answer to the bank.
    const again = await pay(card)
    expect([again.status, again.body.code]).toEqual([402, 'authentication_required'])
    expect([await state(), await ledger(app)]).toEqual(['reserved', {}])
    const confirmed = await post('/payment/sandbox/confirm-authentication', { session_id: id })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'captured'])
    expect(await state()).toBe('confirmed')
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('on the page names no lost time where the session is being checked once the bank has answered', async () => {
    await reserveWith(asksTheClient)
    await goTo(before(hours(47)))
    expect((await pay(card)).body.code).toBe('authentication_required')
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const papers = { reason: 'The certificate is late.', cause: 'papers', sessions: 'freeze' }
    expect((await office.act(practitioner.id, 'suspend', papers)).status).toBe(200)
    const answered = await post('/payment/sandbox/confirm-authentication', { session_id: id })
    expect([answered.status, answered.body.code]).toEqual([409, 'not_changeable'])
    expect([await state(), await live(), await ledger(app)]).toEqual(['reserved', 1, {}])
    expect(await intents()).toMatchObject([{ state: 'voided' }])
  })

  test('on the page leaves the session reserved', async () => {
    await reserveWith(declines)
    await sweepAt(before(hours(48)))
    const again = await pay(await saveCard(app, client, declines))
    expect([again.status, again.body.code]).toEqual([402, 'card_declined'])
    expect([await state(), await ledger(app)]).toEqual(['reserved', {}])
    await sweepAt(before(hours(24)))
    expect(await state()).toBe('cancelled')
    expect(app.services.reserved.figures()).toEqual({ taken: 0, refused: 1, unfinished: 0, unpaid: 1 })
  })

  test('of each of six sessions leaves the five attempts an hour to the client', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 1 })
    client = await createClient(app)
    practitioner = await createPractitioner(app)
    card = await saveCard(app, client, declines)
    for (let hour = 0; hour < 6; hour++) {
      id = await reserveDate(app, { client, practitioner, card }, later(tuesday, hours(hour)))
    }
    await sweepAt(before(hours(43)))
    expect((await intents()).map((each) => each.state)).toEqual(Array.from({ length: 6 }, () => 'declined'))
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push((await pay(await saveCard(app, client, declines))).status)
    expect(statuses).toEqual([402, 402, 402, 402, 402, 429])
    expect([await state(), await ledger(app)]).toEqual(['reserved', {}])
  })

  test('lets the practitioner keep the session until it starts', async () => {
    await reserveWith(declines)
    const allow = async () =>
      post(`/therapist/sessions/${id}/allow-late-payment`, {}, await signInPractitioner(app, practitioner))
    expect((await allow()).body.code).toBe('not_changeable')
    await sweepAt(before(hours(48)))
    const allowed = await allow()
    expect([allowed.status, allowed.body.pay_by, allowed.body.payment_due]).toEqual([
      200,
      tuesday.toISOString(),
      'needed',
    ])
    expect((await allow()).status).toBe(200)
    await sweepAt(before(hours(1)))
    expect(await state()).toBe('reserved')
    expect((await pay(await saveCard(app, client))).status).toBe(200)
    expect(await state()).toBe('confirmed')
  })

  test('leaves a session that can still be skipped at no cost', async () => {
    await reserveWith(declines)
    await sweepAt(before(hours(48)))
    expect((await post('/appointment/cancel-session', { appointment_id: id })).status).toBe(200)
    expect([await live(), await ledger(app), (await pay(card)).status]).toEqual([0, {}, 409])
  })
})

describe('paying on the page', () => {
  test('is over once it is paid: the mailed link then leads to the paid session and charges nothing', async () => {
    await reserveWith(declines)
    await sweepAt(before(hours(48)))
    await app.queue.drain()
    const mail = app.mails().find((each) => each.includes('Subject: Pay for Tuesday'))
    const page = new URL(linkIn(mail ?? '').searchParams.get('return_to') ?? '', 'http://hearth.test')
    const sequence = Number(page.searchParams.get('sequence'))
    expect(await detail()).toMatchObject({ status: 'reserved', sequence })
    expect((await pay(await saveCard(app, client))).status).toBe(200)
    const paid = [await row(), await intents(), await ledger(app)]
    const read = await app.call('GET', `/appointment/${page.searchParams.get('appointment')}`, {
      token: client.token,
    })
    expect(read.body).toMatchObject({ status: 'confirmed', payment_due: null })
    expect(read.body.sequence).toBeGreaterThan(sequence)
    await app.queue.drain()
    expect([await row(), await intents(), await ledger(app)]).toEqual(paid)
  })

  test('before the money is due is refused', async () => {
    await reserveWith()
    await goTo(before(hours(49)))
    const early = await pay(card)
    expect([early.status, early.body.code]).toEqual([409, 'not_payable'])
    expect([await intents(), await state()]).toEqual([[], 'reserved'])
  })

  test('and the sweep at once take the money once', async () => {
    await reserveWith()
    await goTo(before(hours(48)))
    await Promise.all([pay(card), app.services.reserved.sweep(), app.services.reserved.sweep(), pay(card)])
    expect(await state()).toBe('confirmed')
    expect((await intents()).filter((each) => each.state === 'captured')).toHaveLength(1)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('without a card of the series nothing is charged by itself', async () => {
    card = await saveCard(app, client)
    id = await reserveDate(app, { client, practitioner, card: null }, tuesday)
    await sweepAt(before(hours(60)))
    expect(await templates()).toEqual([])
    await sweepAt(before(hours(48)))
    expect(await intents()).toEqual([])
    expect(await templates()).toEqual(['payment_failed client'])
    expect(await detail()).toMatchObject({ payment_due: 'open' })
    expect((await pay(card)).status).toBe(200)
  })
})

describe('a card that cannot be charged', () => {
  test.each([
    ['it is removed', { removed_at: new Date('2026-06-01T08:00:00Z') }],
    ['it expires before the money is taken', { expiry_year: 2026, expiry_month: 5 }],
  ])('because %s is reported ten days ahead, once for the series', async (_why, change) => {
    await reserveWith()
    const second = later(tuesday, days(7))
    await reserveDate(app, { client, practitioner, card }, second)
    expect(await detail()).toMatchObject({ payment_due: 'planned', card_set: true })
    await app.db.updateTable('payment_methods').set(change).where('id', '=', card).execute()
    expect(await detail()).toMatchObject({ payment_due: 'planned', card_set: false })
    await sweepAt(before(days(12) + 1))
    expect(await templates()).toEqual([])
    await sweepAt(before(days(12)))
    await sweepAt(before(days(5)))
    // Nor is the client told a day ahead that there is nothing to do.
    await sweepAt(before(hours(72)))
    await sweepAt(before(hours(71)))
    expect(await templates()).toEqual(['card_ahead client'])
    await sweepAt(before(hours(48)))
    expect([await intents(), await state()]).toEqual([[], 'reserved'])
    expect((await templates()).filter((each) => each === 'payment_failed client')).toHaveLength(1)
    expect((await templates()).filter((each) => each === 'card_ahead client')).toHaveLength(1)
    expect(await ledger(app)).toEqual({})
  })

  test('is not reported if it expires after the money is taken', async () => {
    await reserveWith()
    await app.db
      .updateTable('payment_methods')
      .set({ expiry_year: 2026, expiry_month: 6 })
      .where('id', '=', card)
      .execute()
    await sweepAt(before(days(12)))
    expect(await templates()).toEqual([])
    await sweepAt(before(hours(48)))
    expect(await state()).toBe('confirmed')
  })
})

describe('moving a reserved session', () => {
  const move = (at: Date, more: object = {}) =>
    post('/appointment/edit-session', {
      appointment_id: id,
      type: 'online',
      appointment_datetime: at.toISOString(),
      ...more,
    })

  test('is free, plans its payment anew and goes back to the hour of the rhythm', async () => {
    await reserveWith()
    const thursday = later(tuesday, days(2))
    expect((await move(thursday)).body).toMatchObject({
      status: 'reserved',
      starts_at: thursday.toISOString(),
    })
    expect(await row()).toMatchObject({
      pay_at: later(thursday, -hours(48)),
      pay_by: later(thursday, -hours(24)),
    })
    expect(await templates()).toEqual(['moved client', 'moved practitioner'])
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    await app.queue.drain()
    const mails = sessionMails(app.mails())
    expect(mails).toHaveLength(2)
    expect(Object.fromEntries(mails.map(({ to, subject }) => [to, subject]))).toEqual({
      [client.email]: 'Your session has moved',
      [practitioner.email]: 'A session was moved',
    })
    for (const { text } of mails) expect(text).toContain('Thursday 18 June 2026')
    // The practitioner no longer offers the hour.
    await app.db.deleteFrom('weekly_hours').where('practitioner_id', '=', practitioner.id).execute()
    expect((await move(later(thursday, hours(1)))).body.code).toBe('slot_not_offered')
    expect((await move(tuesday)).body).toMatchObject({ status: 'reserved', starts_at: tuesday.toISOString() })
    expect([await live(), await intents(), await ledger(app)]).toEqual([1, [], {}])
  })

  test('goes back to the hour of the rhythm at its own place, which the schedule need not offer', async () => {
    card = await saveCard(app, client)
    const own = practitioner.locationId
    const inPerson = { appointmentType: 'face_to_face', locationId: own } as const
    id = await reserveDate(app, { client, practitioner, card }, tuesday, inPerson)
    const other = await addPlace(app, practitioner, 'Elm House')
    await app.db.deleteFrom('weekly_hours').where('weekday', '=', 2).execute()
    await app.db
      .updateTable('weekly_hours')
      .set({ location_id: other })
      .where('appointment_type', '=', 'face_to_face')
      .execute()
    await app.db
      .insertInto('practitioner_services')
      .values({
        practitioner_id: practitioner.id,
        service_id: 2,
        appointment_type: 'face_to_face',
        duration_minutes: 120,
        fee_pence: 6000,
      })
      .execute()
    const moveTo = (at: Date, more: object = {}) => move(at, { type: 'face_to_face', ...more })
    const thursday = later(tuesday, days(2))
    for (const place of [{ location_id: own }, {}]) {
      expect((await moveTo(thursday, { location_id: other })).body).toMatchObject({ location_id: other })
      const moved = await row()
      for (const wanted of [{ location_id: other }, { service_id: 2 }, { type: 'online' }]) {
        expect((await moveTo(tuesday, wanted)).body.code).toBe('slot_not_offered')
      }
      expect(await row()).toEqual(moved)
      const back = await moveTo(tuesday, place)
      expect(back.body).toMatchObject({ starts_at: tuesday.toISOString(), location_id: own })
    }
    // The hour is offered at the other place again: that of the client stays free for them where it was agreed.
    const hour = { weekday: 2, hour: 10, appointment_type: 'face_to_face', location_id: other } as const
    await app.db
      .insertInto('weekly_hours')
      .values({ ...hour, practitioner_id: practitioner.id })
      .execute()
    const preview = async (service: number) => {
      const query = `practitioner_id=${practitioner.id}&service_id=${service}&appointment_type=face_to_face`
      const at = `datetime=${tuesday.toISOString()}&appointment_id=${id}&location_id=${own}`
      return (await app.call('GET', `/appointment/preview?${query}&${at}`, { token: client.token })).body
    }
    expect(await preview(1)).toMatchObject({ free: true, location_id: own })
    expect(await preview(2)).toMatchObject({ free: false, location_id: null })
    expect([await live(), await intents(), await ledger(app)]).toEqual([1, [], {}])
  })

  test('as another than the one shown is refused, and changes nothing', async () => {
    await reserveWith()
    const before = await row()
    const shown = { starts_at: before.starts_at, service_id: 1, appointment_type: 'online' }
    const refused = await move(later(tuesday, days(2)), {
      shown: { ...shown, starts_at: later(tuesday, days(1)) },
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(await row()).toEqual(before)
    expect((await move(later(tuesday, days(2)), { shown })).status).toBe(200)
  })

  test('to a dearer choice stores the price, which is taken later', async () => {
    await reserveWith()
    const moved = await move(tuesday, {
      type: 'face_to_face',
      service_id: 1,
      location_id: practitioner.locationId,
    })
    expect([moved.status, moved.body.fee, await intents()]).toEqual([200, 80, []])
    await sweepAt(before(hours(48)))
    expect(await ledger(app)).toEqual({ gateway_balance: 8000, practitioner_payable: -8000 })
  })

  test('to a time whose money is due needs a card and is paid at once', async () => {
    await reserveWith()
    await goTo(before(hours(72)))
    const near = before(hours(26))
    const without = await move(near)
    expect([without.status, Object.keys(without.body.errors ?? {})]).toEqual([422, ['customer_id']])
    const refused = await move(near, { customer_id: await saveCard(app, client, declines) })
    expect([refused.status, await state(), await ledger(app)]).toEqual([402, 'reserved', {}])
    const moved = await move(near, { customer_id: card })
    expect(moved.body).toMatchObject({ status: 'confirmed', starts_at: near.toISOString() })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    await sweepAt(before(hours(48)))
    await sweepAt(before(hours(24)))
    expect((await intents()).filter((each) => each.state === 'captured')).toHaveLength(1)
  })

  test('to a time whose money is due goes through the question of the bank, and charges once', async () => {
    await reserveWith(asksTheClient)
    await goTo(before(hours(72)))
    const near = before(hours(26))
    const asked = await move(near, { customer_id: card })
    expect([asked.status, asked.body.code, await state()]).toEqual([
      402,
      'authentication_required',
      'reserved',
    ])
    const confirmed = await post('/payment/sandbox/confirm-authentication', { session_id: id })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'authorised'])
    const moved = await move(near, { customer_id: card })
    expect(moved.body).toMatchObject({ status: 'confirmed', starts_at: near.toISOString() })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('after a question of the bank that was left open answers the question about the move', async () => {
    await reserveWith(asksTheClient)
    await goTo(before(hours(47)))
    expect((await pay(card)).body.code).toBe('authentication_required')
    const near = before(hours(26))
    expect((await move(near, { customer_id: card })).body.code).toBe('authentication_required')
    const confirmed = await post('/payment/sandbox/confirm-authentication', { session_id: id })
    expect([confirmed.status, await state()]).toEqual([200, 'reserved'])
    const moved = await move(near, { customer_id: card })
    expect(moved.body).toMatchObject({ status: 'confirmed', starts_at: near.toISOString() })
    expect((await intents()).map((each) => `${each.purpose} ${each.state}`).toSorted()).toEqual([
      'booking voided',
      'change captured',
    ])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('to a taken time leaves everything as it was, and voids what was authorised', async () => {
    await reserveWith()
    await goTo(before(hours(72)))
    const near = before(hours(26))
    await reserveDate(app, { client: await createClient(app), practitioner, card: null }, near, {
      seriesId: '018f0000-0000-7000-8000-000000000002',
    })
    const refused = await move(near, { customer_id: card })
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    expect(await row()).toMatchObject({ state: 'reserved', starts_at: tuesday })
    expect([(await intents()).map((each) => each.state), await ledger(app)]).toEqual([['voided'], {}])
  })
})

describe('a suspended practitioner', () => {
  test('is paid nothing while the session is checked; reinstated, it is charged again', async () => {
    await reserveWith()
    await app.db
      .updateTable('appointments')
      .set({ frozen_at: app.clock.now(), frozen_until: before(hours(30)), frozen_cause: 'suspended' })
      .where('id', '=', id)
      .execute()
    await sweepAt(before(hours(47)))
    const refused = await pay(card)
    expect([refused.body.code, await intents(), await state()]).toEqual(['not_changeable', [], 'reserved'])
    await app.db
      .updateTable('appointments')
      .set({ frozen_at: null, frozen_until: null, frozen_cause: null })
      .where('id', '=', id)
      .execute()
    await sweepAt(later(before(hours(47)), minutes(1)))
    expect(await state()).toBe('confirmed')
  })

  test.each([
    ['after the time to pay has passed', hours(20)],
    ['shortly before', hours(24) + minutes(1)],
  ])('reinstated %s, has its client asked to pay until the start', async (_, ahead) => {
    await reserveWith(declines)
    await sweepAt(before(hours(48)))
    expect(await row()).toMatchObject({ pay_failures: 1, charge_at: null, pay_by: before(hours(24)) })
    await goTo(before(hours(40)))
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const papers = { reason: 'The certificate is late.', cause: 'papers', sessions: 'freeze' }
    expect((await office.act(practitioner.id, 'suspend', papers)).status).toBe(200)
    await sweepAt(before(ahead))
    expect(await state()).toBe('reserved')
    const admin = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await admin.act(practitioner.id, 'reinstate')).status).toBe(200)
    await app.queue.drain()
    const restored = sessionMails(app.mails()).find(
      ({ subject }) => subject === 'Your session is going ahead',
    )
    expect(restored?.text).toContain('If it is not paid by Tuesday 16 June 2026, 10:00, it is cancelled')
    await sweepAt(later(before(ahead), minutes(1)))
    expect(await row()).toMatchObject({ state: 'reserved', pay_by: tuesday })
    expect(await detail()).toMatchObject({ payment_due: 'needed', pay_by: tuesday.toISOString() })
    expect((await templates()).filter((each) => each === 'payment_failed client')).toHaveLength(2)
    expect((await pay(await saveCard(app, client))).status).toBe(200)
    expect([await state(), await ledger(app)]).toEqual([
      'confirmed',
      { gateway_balance: 6000, practitioner_payable: -6000 },
    ])
  })

  test.each([
    ['before the second attempt', hours(40), hours(36)],
    ['after its time', hours(30), hours(30)],
  ])('reinstated %s, is tried once more as its client was told', async (_, reinstated, tried) => {
    await reserveWith(withoutMoney)
    await sweepAt(before(hours(48)))
    await goTo(before(hours(46)))
    const papers = { reason: 'The certificate is late.', cause: 'papers', sessions: 'freeze' }
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await office.act(practitioner.id, 'suspend', papers)).status).toBe(200)
    await sweepAt(before(reinstated))
    const admin = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await admin.act(practitioner.id, 'reinstate')).status).toBe(200)
    await app.db.updateTable('sandbox_gateway.cards').set({ behaviour: 'succeeds' }).execute()
    await sweepAt(later(before(tried), -minutes(1)))
    await sweepAt(later(before(tried), minutes(1)))
    expect((await templates()).filter((each) => each === 'payment_failed client')).toHaveLength(1)
    expect([await state(), await ledger(app)]).toEqual([
      'confirmed',
      { gateway_balance: 6000, practitioner_payable: -6000 },
    ])
  })
})
