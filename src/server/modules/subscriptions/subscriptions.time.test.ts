import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DashboardTask } from '#contract/practitioners/dashboard.ts'
import { days, hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  cards,
  createAdmin,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { readMail } from '#test/mails.ts'
import { addAcceptedFacts, addDocument, backOfficeAs } from '#test/vetting.ts'
import { monthsAfter } from './months.ts'

let app: TestApp
let practitioner: Practitioner
let isAway: boolean
/** Whether every card is declined from now on. */
let declines: boolean

const changeable = (sandbox: PaymentGateway): PaymentGateway => ({
  ...sandbox,
  async authorise(request) {
    if (isAway) throw new Error('The gateway is away.')
    if (!declines) return sandbox.authorise(request)
    const bad = await sandbox.saveCard(
      { card_number: cards.insufficientFunds, expiry_month: 12, expiry_year: 2099, cvv_number: '123' },
      request.owner,
    )
    return sandbox.authorise({ ...request, token: bad.token })
  },
})

beforeEach(async () => {
  isAway = false
  declines = false
  app = await buildTestApp({ gateway: changeable })
})
afterEach(async () => app.close())

async function subscribeAt(instant: string, number: string = cards.succeeds): Promise<void> {
  app.clock.set(instant)
  practitioner = await createPractitioner(app, { subscribedUntil: null })
  await app.db
    .updateTable('accounts')
    .set({ email_verified_at: app.clock.now() })
    .where('id', '=', practitioner.accountId)
    .execute()
  const token = await signIn()
  await subscribe(token, number)
}
const signIn = () => signInPractitioner(app, practitioner)
async function subscribe(token: string, number: string = cards.succeeds): Promise<void> {
  const payment_method_id = await saveTherapistCard(app, token, number)
  const answer = await app.call('POST', '/therapist/subscription/subscribe', {
    token,
    body: { payment_method_id },
  })
  expect(answer.body).toBe('You have successfully subscribed')
}
const act = async (what: 'cancel' | 'resume') =>
  app.call('POST', `/therapist/subscription/${what}`, { token: await signIn(), body: {} })
const status = async () => app.call('GET', '/therapist/subscription', { token: await signIn() })
/** The dashboard's tasks about the subscription. */
const tasks = async () => {
  const { body } = await app.call('GET', '/therapist/home/get-dashboard-overview', { token: await signIn() })
  return (body.tasks as unknown as DashboardTask[]).filter(({ code }) => code === 'subscribe')
}
const sweep = () => app.services.subscriptions.sweep()
/** Sets the clock and runs the jobs of a minute. */
async function at(instant: string | Date): Promise<void> {
  app.clock.set(instant)
  await sweep()
  await sweep()
  await app.queue.drain()
}
const charges = async () =>
  (
    await app.db
      .selectFrom('sandbox_gateway.payments')
      .select('created_at')
      .where('state', '=', 'captured')
      .orderBy('created_at')
      .execute()
  ).map((row) => row.created_at.toISOString())
/** How many charges were begun, declined ones included. */
const attempts = async () => (await app.db.selectFrom('platform_charges').select('id').execute()).length
/** Subjects of the mails so far, sorted, because mails due together go out in any order. */
async function mails(): Promise<string[]> {
  await app.queue.drain()
  return app
    .mails()
    .map(readMail)
    .filter((mail) => mail.messageId.startsWith('<billing-'))
    .map((mail) => mail.subject)
    .toSorted()
}
const receipt = 'Your receipt from Hearth'
const failed = 'Your subscription could not be renewed'

/** Whether the practitioner is listed in search, profile and sitemap, which always agree. */
async function listed(): Promise<boolean> {
  const { id } = practitioner
  const profile = await app.call('GET', `/practitioner/${id}/profile`)
  const found = await app.call('GET', '/practitioner/get-practitioners')
  const read = async (path: string) => (await fetch(`${app.origin}${path}`)).text()
  const files = [...(await read('/sitemap.xml')).matchAll(/<loc>[^<]*(\/sitemap\/profiles[^<]+)</g)]
  const sitemaps = await Promise.all(files.map(([, path = '']) => read(path)))
  const seen = [
    profile.status === 200,
    (found.body.data as unknown as { practitioner_id: number }[]).some((each) => each.practitioner_id === id),
    sitemaps.join('').includes(`practitionerId=${id}<`),
  ]
  expect(new Set(seen).size, `profile, search and sitemap: ${seen.join()}`).toBe(1)
  return seen[0] ?? false
}

describe('over two years', () => {
  test.each([
    ['2026-06-15T10:00:00Z'],
    ['2027-01-31T23:30:00Z'],
    ['2026-08-31T22:30:00Z'],
    ['2028-02-29T12:00:00Z'],
    // In summer, this instant is the next day in London.
    ['2026-06-30T23:30:00Z'],
  ])(
    'a subscription begun at %s is paid once a month, and the practitioner listed all the time',
    async (start) => {
      await subscribeAt(start)
      const anchor = new Date(start)
      for (let month = 1; month <= 24; month++) {
        const due = monthsAfter(anchor, month)
        await at(later(due, -1))
        expect(await charges()).toHaveLength(month)
        await at(due)
        expect(await charges()).toHaveLength(month + 1)
        await at(later(due, hours(30)))
        expect(await charges()).toHaveLength(month + 1)
        if (month % 6 === 0) expect(await listed()).toBe(true)
      }
      expect(await charges()).toEqual(
        Array.from({ length: 25 }, (_, month) => monthsAfter(anchor, month).toISOString()),
      )
      expect(await ledger(app)).toEqual({ gateway_balance: 25 * 3000, subscription_income: -25 * 3000 })
      expect(await mails()).toEqual(Array(25).fill(receipt))
      const invoices = await app.db
        .selectFrom('invoices')
        .select(['year', 'serial'])
        .orderBy('issued_at')
        .execute()
      for (const year of new Set(invoices.map((each) => each.year))) {
        const serials = invoices.filter((each) => each.year === year).map((each) => each.serial)
        expect(serials).toEqual(serials.map((_, index) => index + 1))
      }
    },
  )
})

describe('a payment that fails', () => {
  beforeEach(() => subscribeAt('2026-01-31T10:00:00Z'))

  test('is tried three times over a week, with a mail each; then it lapses, and hides at once', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    expect(await attempts()).toBe(2)
    expect((await status()).body).toMatchObject({
      status: 'past_due',
      next_charge_at: '2026-03-01T10:00:00.000Z',
      lapses_at: '2026-03-07T10:00:00.000Z',
    })
    expect(await listed()).toBe(true)
    await at('2026-03-01T09:59:59Z')
    expect(await attempts()).toBe(2)
    await at('2026-03-01T10:00:00Z')
    expect(await attempts()).toBe(3)
    await at('2026-03-03T10:00:00Z')
    expect(await attempts()).toBe(4)
    await at('2026-03-07T09:59:59Z')
    expect(await attempts()).toBe(4)
    expect(await listed()).toBe(true)
    await at('2026-03-07T10:00:00Z')
    expect(await attempts()).toBe(5)
    expect(await listed()).toBe(false)
    const none = await status()
    expect([none.status, none.body.code, none.body.details]).toEqual([
      404,
      'not_subscribed',
      { price: 30, last_status: 'lapsed', ended_at: '2026-03-07T10:00:00.000Z' },
    ])
    expect(await mails()).toEqual(
      [receipt, failed, failed, failed, 'Your subscription has lapsed'].toSorted(),
    )
    expect(await charges()).toHaveLength(1)
    expect(await ledger(app)).toEqual({ gateway_balance: 3000, subscription_income: -3000 })
    await at('2026-06-07T10:00:00Z')
    expect(await attempts()).toBe(5)

    // Subscribing again starts a month on that day.
    declines = false
    app.clock.set('2026-06-10T15:00:00Z')
    await subscribe(await signIn())
    expect(await listed()).toBe(true)
    expect((await status()).body).toMatchObject({
      status: 'active',
      paid_until: '2026-07-10T15:00:00.000Z',
    })
    await at('2026-07-10T15:00:00Z')
    expect(await charges()).toHaveLength(3)
  })

  test('and succeeds at the second try pays the month that was due, not one more', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    await app.queue.drain()
    declines = false
    await at('2026-03-01T10:00:00Z')
    expect((await status()).body).toMatchObject({
      status: 'active',
      paid_until: '2026-03-31T09:00:00.000Z',
      lapses_at: null,
      paused_for: null,
    })
    expect(await charges()).toHaveLength(2)
    await at('2026-03-31T09:00:00Z')
    expect(await charges()).toHaveLength(3)
    expect(await mails()).toEqual([receipt, failed, receipt, receipt].toSorted())
  })

  test('is tried at once with another card', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    app.clock.advance(hours(5))
    declines = false
    await saveTherapistCard(app, await signIn(), cards.alsoSucceeds)
    expect((await status()).body.status).toBe('active')
    expect(await charges()).toHaveLength(2)
  })

  test('and is paid, or was cancelled and resumed, before the mail about it is sent, needs none', async () => {
    declines = true
    app.clock.set('2026-02-28T10:00:00Z')
    await sweep()
    expect((await status()).body.status).toBe('past_due')
    declines = false
    await subscribe(await signIn())
    expect(await mails()).toEqual([receipt, receipt])
    expect((await act('cancel')).status).toBe(200)
    expect((await act('resume')).status).toBe(200)
    expect(await mails()).toEqual([receipt, receipt])
  })

  test('and fails with another card too uses up none of the tries', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    const token = await signIn()
    const payment_method_id = await saveTherapistCard(app, token, cards.alsoSucceeds)
    const answer = await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id },
    })
    expect([answer.status, answer.body.code]).toEqual([402, 'card_declined'])
    expect((await status()).body).toMatchObject({
      status: 'past_due',
      next_charge_at: '2026-03-01T10:00:00.000Z',
    })
    expect(await mails()).toEqual([receipt, failed].toSorted())
    expect(await charges()).toHaveLength(1)
  })

  test('is tried only once with another card that the caller pays with next', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    const token = await signIn()
    const before = await attempts()
    const card = await app.call('POST', '/therapist/payment/add-new-card', {
      token,
      body: {
        card_number: cards.alsoSucceeds,
        expiry_month: 12,
        expiry_year: 2034,
        cvv_number: '123',
        charges_due: false,
      },
    })
    expect([card.status, await attempts()]).toEqual([201, before])
    const answer = await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id: card.body.payment_method_id },
    })
    expect([answer.status, answer.body.code]).toEqual([402, 'card_declined'])
    expect(await attempts()).toBe(before + 1)
  })

  test('because the bank wants to ask counts as failed, and can be paid on the page', async () => {
    await saveTherapistCard(app, await signIn(), cards.authentication)
    await at('2026-02-28T10:00:00Z')
    expect((await status()).body.status).toBe('past_due')
    await app.queue.drain()
    const told = app
      .mails()
      .map(readMail)
      .findLast((mail) => mail.subject === failed)
    expect(told?.text).toContain('Your bank wants to check that it is you')
    const left = await app.db.selectFrom('sandbox_gateway.payments').select('state').execute()
    expect(left.map((row) => row.state).toSorted()).toEqual(['captured', 'voided'])
    const token = await signIn()
    const card = await app.call('GET', '/therapist/payment/card', { token })
    const asked = await app.call('POST', '/therapist/subscription/subscribe', {
      token,
      body: { payment_method_id: card.body.payment_method_id },
    })
    expect(asked.body.code).toBe('authentication_required')
    const confirmed = await app.call('POST', '/therapist/payment/confirm-authentication', {
      token,
      body: { purpose: 'subscription' },
    })
    expect(confirmed.body).toBe('success')
    expect((await status()).body.status).toBe('active')
    expect(await charges()).toHaveLength(2)
  })

  test('because the gateway is away does not count as a failure, and the profile stays listed', async () => {
    isAway = true
    await at('2026-02-28T10:00:00Z')
    await at('2026-02-28T10:05:00Z')
    expect((await status()).body.status).toBe('active')
    expect(await listed()).toBe(true)
    expect(await mails()).toEqual([receipt])
    isAway = false
    await at('2026-02-28T10:10:00Z')
    await at('2026-02-28T10:15:00Z')
    expect(await charges()).toHaveLength(2)
    expect((await status()).body).toMatchObject({ status: 'active', paid_until: '2026-03-31T09:00:00.000Z' })
  })

  test('is over at once when it is cancelled', async () => {
    declines = true
    await at('2026-02-28T10:00:00Z')
    expect((await act('cancel')).body.status).toBe('ended')
    expect(await listed()).toBe(false)
    declines = false
    await at('2026-03-08T10:00:00Z')
    expect(await charges()).toHaveLength(1)
    expect(await mails()).toEqual([receipt, failed, 'Your subscription has ended'].toSorted())
  })
})

describe('a cancelled subscription', () => {
  beforeEach(() => subscribeAt('2026-01-31T10:00:00Z'))

  test('runs to the end of the paid month, to the second, and is charged no more', async () => {
    app.clock.set('2026-02-10T10:00:00Z')
    expect((await act('cancel')).body).toMatchObject({
      status: 'cancelling',
      paid_until: '2026-02-28T10:00:00.000Z',
      next_charge_at: null,
    })
    expect((await act('cancel')).body.status).toBe('cancelling')
    await at('2026-02-28T09:59:59Z')
    expect(await listed()).toBe(true)
    // The profile is hidden at this time even before the job runs.
    app.clock.set('2026-02-28T10:00:00Z')
    expect(await listed()).toBe(false)
    await at('2026-02-28T10:01:00Z')
    expect((await status()).body.code).toBe('not_subscribed')
    expect(await charges()).toHaveLength(1)
    expect(await mails()).toEqual(
      [receipt, 'Your subscription is cancelled', 'Your subscription has ended'].toSorted(),
    )
  })

  test('is renewed again when it is resumed, or subscribed to, before that', async () => {
    await act('cancel')
    expect((await act('resume')).body).toMatchObject({
      status: 'active',
      next_charge_at: '2026-02-28T10:00:00.000Z',
    })
    await act('cancel')
    await subscribe(await signIn())
    expect((await status()).body.status).toBe('active')
    expect(await charges()).toHaveLength(1)
    await at('2026-02-28T10:00:00Z')
    expect(await charges()).toHaveLength(2)
  })

  test('that is over can be taken up again, with a month from that day', async () => {
    await act('cancel')
    await at('2026-02-28T10:00:00Z')
    const late = await act('resume')
    expect([late.status, late.body.code]).toEqual([404, 'not_subscribed'])
    app.clock.set('2026-03-05T10:00:00Z')
    await subscribe(await signIn())
    expect(await charges()).toHaveLength(2)
    expect((await status()).body.paid_until).toBe('2026-04-05T09:00:00.000Z')
    expect(await listed()).toBe(true)
  })
})

test('a renewal that fails after a suspension is not that of a first month', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  expect((await status()).body).toMatchObject({ begun: true })
  const decide = async (action: string) =>
    app.call('POST', `/admin/practitioners/${practitioner.id}/${action}`, {
      token: (await createAdmin(app)).token,
      body: { reason: 'A reason.' },
    })
  await decide('suspend')
  await at('2026-02-28T10:00:00Z')
  app.clock.set('2026-04-10T10:00:00Z')
  declines = true
  await decide('reinstate')
  await app.queue.drain()
  expect((await status()).body).toMatchObject({ status: 'past_due', paid_until: null, begun: true })
  expect(await charges()).toHaveLength(1)
})

test('a suspended practitioner is not charged, and starts a new month on the day of the reinstatement', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  const decide = async (action: string) =>
    app.call('POST', `/admin/practitioners/${practitioner.id}/${action}`, {
      token: (await createAdmin(app)).token,
      body: { reason: 'A reason.' },
    })
  expect((await decide('suspend')).status).toBe(200)
  expect(await listed()).toBe(false)
  await at('2026-02-28T10:00:00Z')
  await at(new Date('2026-03-28T10:00:00Z'))
  expect(await charges()).toHaveLength(1)
  expect((await status()).body).toMatchObject({ status: 'waiting', paid_until: null })
  app.clock.set('2026-04-10T10:00:00Z')
  expect((await decide('reinstate')).status).toBe(200)
  await app.queue.drain()
  expect(await charges()).toHaveLength(2)
  expect((await status()).body).toMatchObject({ status: 'active', paid_until: '2026-05-10T10:00:00.000Z' })
  expect(await listed()).toBe(true)
})

test('a practitioner whose papers have lapsed is not charged, and starts a new month on the day they hold again', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  const { id } = practitioner
  await addAcceptedFacts(app, practitioner)
  const accept = async (kind: 'dbs' | 'insurance_certificate', expires_on: string) => {
    const backOffice = backOfficeAs(app, (await createAdmin(app)).token)
    const document = await addDocument(app, practitioner, kind)
    expect((await backOffice.document(id, document, 'accept', { expires_on })).status).toBe(200)
    await app.queue.drain()
  }
  await app.db.deleteFrom('practitioner_documents').where('kind', '=', 'dbs').execute()
  await accept('dbs', '2026-02-19')
  expect((await status()).body).toMatchObject({ status: 'active', paused_for: null })
  expect(await charges()).toHaveLength(1)

  await at('2026-02-21T10:00:00Z')
  expect((await status()).body).toMatchObject({ status: 'active', paused_for: 'documents' })
  await at('2026-02-28T10:00:00Z')
  await at('2026-03-28T10:00:00Z')
  expect(await charges()).toHaveLength(1)
  const waiting = { status: 'waiting', paid_until: null, paused_for: 'documents' }
  expect((await status()).body).toMatchObject(waiting)
  // Nor on their own press, nor by another paper.
  await subscribe(await signIn())
  await accept('insurance_certificate', '2027-01-31')
  await at('2026-04-09T10:00:00Z')
  expect(await charges()).toHaveLength(1)
  expect((await status()).body).toMatchObject(waiting)
  expect(await tasks()).toEqual([])

  app.clock.set('2026-04-10T10:00:00Z')
  await accept('dbs', '2029-02-19')
  expect(await charges()).toHaveLength(2)
  expect((await status()).body).toMatchObject({
    status: 'active',
    paid_until: '2026-05-10T10:00:00.000Z',
    paused_for: null,
  })
  expect(await listed()).toBe(true)
})

test('a subscription that waits is taken up by the sweep once its practitioner is vetted, by any end of the lapse', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  await app.db
    .updateTable('practitioners')
    .set({ vetted_until: new Date('2026-02-20') })
    .execute()
  await at('2026-02-28T10:00:00Z')
  expect((await status()).body.status).toBe('waiting')
  await at('2026-03-10T10:00:00Z')
  expect(await charges()).toHaveLength(1)
  await app.db.updateTable('practitioners').set({ vetted_until: null }).execute()
  await at('2026-03-11T10:00:00Z')
  expect((await status()).body).toMatchObject({ status: 'active', paid_until: '2026-04-11T09:00:00.000Z' })
  expect(await charges()).toHaveLength(2)
})

test('a suspended practitioner who cancels is not mailed that clients find them, nor that one click resumes it', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  await app.queue.drain()
  const before = app.mails().length
  await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token: (await createAdmin(app)).token,
    body: { reason: 'A reason.' },
  })
  const token = await signIn()
  expect((await app.call('POST', '/therapist/subscription/cancel', { token })).status).toBe(200)
  await at('2026-02-28T10:00:00Z')
  await app.queue.drain()
  const texts = app
    .mails()
    .slice(before)
    .map((mail) => readMail(mail))
    .filter(({ subject }) => /^Your subscription (is cancelled|has ended)/.test(subject))
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
  expect(texts).toHaveLength(2)
  expect(texts.join()).toContain('It runs to the end of the month you have paid for: 28 February 2026.')
  for (const text of texts) {
    expect(text).not.toMatch(/clients can find|can no longer find|one click|stay booked|is back as soon as/i)
  }
})

test('an invoice names the day before its month ends, also where the clocks go forward on that day', async () => {
  await subscribeAt('2027-01-29T00:30:00Z')
  await at('2027-02-28T00:30:00Z')
  await at('2027-03-28T23:30:00Z')
  await app.queue.drain()
  const { body } = await app.call('GET', '/therapist/invoices', { token: await signIn() })
  expect((body as unknown as { description: string }[]).map(({ description }) => description)).toEqual([
    'Hearth subscription, 29 March 2027 to 28 April 2027',
    'Hearth subscription, 28 February 2027 to 28 March 2027',
    'Hearth subscription, 29 January 2027 to 27 February 2027',
  ])
})

test('a server that was away over a renewal charges the month that runs, once', async () => {
  await subscribeAt('2026-01-31T10:00:00Z')
  await at('2026-05-10T10:00:00Z')
  expect(await charges()).toHaveLength(2)
  expect((await status()).body.paid_until).toBe('2026-05-31T09:00:00.000Z')
  expect(later(app.clock.now(), minutes(0)) < new Date('2026-05-31T09:00:00Z')).toBe(true)
  await at(later(new Date('2026-05-31T09:00:00Z'), days(1)))
  expect(await charges()).toHaveLength(3)
})

describe('the dashboard', () => {
  beforeEach(async () => {
    practitioner = await createPractitioner(app, { subscribedUntil: null })
  })

  const asked = async () => (await tasks()).map(({ action }) => action?.label)
  const answerOf = async () => {
    const { status: code, body } = await status()
    return code === 200 ? body.status : body.code
  }

  test('asks for one thing at most in every state of the subscription, and for none that is done', async () => {
    const seen: Record<string, unknown> = {}
    const look = async (name: string) => {
      seen[name] = [await answerOf(), await asked()]
    }
    await look('none')
    const declined = await saveTherapistCard(app, await signIn(), cards.declined)
    const refused = await app.call('POST', '/therapist/subscription/subscribe', {
      token: await signIn(),
      body: { payment_method_id: declined },
    })
    expect([refused.status, refused.body.code]).toEqual([402, 'card_declined'])
    await look('declined at once')
    await subscribe(await signIn())
    await look('active')
    await act('cancel')
    await look('cancelling')
    await act('resume')
    await saveTherapistCard(app, await signIn(), cards.declined)
    const { paid_until: paidUntil } = (await status()).body
    await at(String(paidUntil))
    await look('declined at the renewal')
    for (let time = 0; time < 2; time++) await at(later(new Date(String(paidUntil)), days(7)))
    await look('lapsed')
    expect(seen).toEqual({
      none: ['not_subscribed', ['Enable subscription']],
      'declined at once': ['not_subscribed', ['Enable subscription']],
      active: ['active', []],
      cancelling: ['cancelling', []],
      'declined at the renewal': ['past_due', ['Pay it now']],
      lapsed: ['not_subscribed', ['Enable subscription']],
    })
  })

  test('asks to pay, and not to subscribe, once the first charge after the approval was declined', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ state: 'submitted' })
      .where('id', '=', practitioner.id)
      .execute()
    await subscribe(await signIn(), cards.declined)
    expect([await answerOf(), await asked()]).toEqual(['waiting', []])
    await app.db
      .updateTable('practitioners')
      .set({ state: 'approved' })
      .where('id', '=', practitioner.id)
      .execute()
    expect([await answerOf(), await asked()]).toEqual(['waiting', []])
    await inTransaction(app.db, (tx) => app.services.subscriptions.vetted(tx, practitioner.id))
    await app.queue.drain()
    expect([await answerOf(), await asked()]).toEqual(['past_due', ['Pay it now']])
    expect(await charges()).toEqual([])
  })

  test('asks for another card from 30 days before the one in use expires, until there is a newer one', async () => {
    await subscribeAt('2026-05-20T10:00:00Z')
    await app.db.updateTable('payment_methods').set({ expiry_month: 6, expiry_year: 2026 }).execute()
    const tasksAt = (instant: string) => {
      app.clock.set(instant)
      return tasks()
    }
    expect(await tasksAt('2026-05-31T23:59:59Z')).toEqual([])
    const action = { label: 'Add another card', path: '/therapist/add-card' }
    expect(await tasksAt('2026-06-01T00:00:00Z')).toMatchObject([
      { title: 'Your card expires soon', urgency: 'soon', due: '2026-06-30', action },
    ])
    await act('cancel')
    expect(await tasks()).toEqual([])
    await act('resume')
    await at('2026-06-20T10:00:00Z')
    expect(await tasksAt('2026-06-30T23:59:59Z')).toMatchObject([{ urgency: 'soon' }])
    expect(await tasksAt('2026-07-01T00:00:00Z')).toMatchObject([
      { title: 'Your card has expired', urgency: 'now', due: null, action },
    ])
    expect(await mails()).toEqual([receipt, receipt])
    await saveTherapistCard(app, await signIn())
    expect(await tasks()).toEqual([])
  })
})
