import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Series } from '#contract/series/series.ts'
import { days, later } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bookingsSweepJob } from '#server/modules/bookings/bookings.jobs.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  password,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { plainText, readMail } from '#test/mails.ts'
import { agreeSeries, seriesIn } from '#test/series.ts'
import { addAcceptedFacts, addDocument, backOfficeAs, type DocumentKind } from '#test/vetting.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let card: string
let series: Series

beforeEach(async () => {
  app = await buildTestApp({ rateLimitScale: 1_000 })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  card = await saveCard(app, client)
  const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
  series = await agreeSeries(app, { client, card, session })
})
afterEach(async () => app.close())

const post = (path: string, body: object = {}): Promise<Answer> =>
  app.call('POST', path, { token: client.token, body })
const read = async (): Promise<Series> =>
  seriesIn(await app.call('GET', `/series/${series.series_id}`, { token: client.token }))
const sessions = () =>
  app.db
    .selectFrom('appointments')
    .select(['id', 'state', 'starts_at', 'pay_at', 'charge_at', 'payment_method_id', 'cancel_code'])
    .where('series_id', 'is not', null)
    .orderBy('starts_at')
    .execute()
/** Those that have not begun: a sweep that is not run here cancels the others. */
const reserved = async () =>
  (await sessions()).filter(
    ({ state, starts_at }) => state === 'reserved' && starts_at !== null && starts_at > app.clock.now(),
  )
const goTo = async (now: Date | string) => {
  app.clock.set(new Date(now))
  client = await signInAgain(app, client)
}
/** As the sweep does with a session that was not paid by its deadline. */
const leaveUnpaid = async (onDate: string) => {
  const id = series.dates.find(({ on_date }) => on_date === onDate)?.appointment_id ?? ''
  await inTransaction(app.db, (tx) =>
    app.services.reserved.cancelReserved(tx, id, { by: 'system', code: 'unpaid' }),
  )
}
/** The practitioner asks for £70 from a day on. */
const askNewPrice = async (from: string) => {
  const asked = await app.call('POST', `/therapist/series/${series.series_id}/new-price`, {
    token: await signInPractitioner(app, practitioner),
    body: { fee: 70, from },
  })
  expect(asked.status).toBe(200)
}
/** What the jobs of sessions do, also with frozen ones. */
const sweepBookings = async () => {
  await app.queue.enqueue(app.db, bookingsSweepJob, {})
  await app.queue.drain()
  await app.services.payments.recover()
  await app.queue.drain()
}
const subjects = async (email: string) => {
  await app.queue.drain()
  return app
    .mails()
    .map(readMail)
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject)
}

describe('two unpaid dates running', () => {
  beforeEach(async () => {
    await goTo('2026-06-15T09:00:00Z')
    await leaveUnpaid('2026-06-16')
    expect((await read()).state).toBe('active')
    await goTo('2026-06-22T09:00:00Z')
    await leaveUnpaid('2026-06-23')
  })

  test('pause the series: nothing is charged, and the next date can be paid when its payment is due', async () => {
    const paused = await read()
    const next = (await reserved())[0]
    expect(paused).toMatchObject({
      state: 'paused',
      paused: {
        cause: 'unpaid',
        until: '2026-07-06T09:00:00.000Z',
        pay_appointment_id: next?.id,
      },
      can: { end: true, change_card: true, away: false },
    })
    expect((await reserved()).map(({ payment_method_id }) => payment_method_id)).toEqual(Array(6).fill(null))
    // Two days before the session, as ever.
    expect(next).toMatchObject({ pay_at: new Date('2026-06-28T09:00:00Z') })
    expect(await subjects(client.email)).toContain('Your regular sessions are paused')
    await app.services.series.sweep()
    expect(await reserved()).toHaveLength(6)

    const early = await post(`/appointment/${next?.id}/pay`, { customer_id: card })
    expect([early.status, early.body.code]).toEqual([409, 'not_payable'])
    await goTo('2026-06-28T09:00:00Z')
    await app.services.reserved.sweep()
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await subjects(client.email)).toContain('Pay for Tuesday')
    expect((await post(`/appointment/${next?.id}/pay`, { customer_id: card })).status).toBe(200)
    expect(await read()).toMatchObject({ state: 'active', paused: null })
    expect(await ledger(app)).toEqual({ gateway_balance: 12_000, practitioner_payable: -12_000 })
    expect((await reserved()).map(({ payment_method_id }) => payment_method_id)).toEqual(Array(5).fill(card))
  })

  test('pause it also while the client moves a session that was paid before', async () => {
    const paid = await bookSession(app, { practitioner, client, card, startsAt: '2026-07-15T09:00:00Z' })
    // It stands for the last date, as one that takes the place of a session of a series does.
    const { numAffectedRows } = await sql`
      update series_dates set appointment_id = ${paid} where on_date = '2026-08-04'`.execute(app.db)
    expect(numAffectedRows).toBe(1n)
    const moved = await post('/appointment/edit-session', {
      appointment_id: paid,
      type: 'online',
      appointment_datetime: '2026-07-15T13:00:00Z',
    })
    expect([moved.status, moved.body.status]).toEqual([200, 'confirmed'])
    expect(await read()).toMatchObject({ state: 'paused', paused: { cause: 'unpaid' } })
    expect((await reserved()).map(({ payment_method_id }) => payment_method_id)).toEqual(Array(6).fill(null))
  })

  test('go on once the next date is moved to a near time and paid with that', async () => {
    await goTo('2026-06-26T09:00:00Z')
    const next = (await reserved())[0]
    const moved = await post('/appointment/edit-session', {
      appointment_id: next?.id,
      type: 'online',
      appointment_datetime: '2026-06-26T13:00:00Z',
      customer_id: card,
    })
    expect([moved.status, moved.body.status]).toEqual([200, 'confirmed'])
    expect(await read()).toMatchObject({ state: 'active', paused: null })
  })

  test('end the series if nothing is paid within 14 days, and its dates are free', async () => {
    await goTo('2026-07-06T09:00:00Z')
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'unpaid' } })
    expect(await reserved()).toEqual([])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  describe('wait for the next date', () => {
    const until = async () => (await read()).paused?.until
    beforeEach(async () => {
      await goTo('2026-06-29T09:00:00Z')
      await app.services.reserved.sweep()
      await goTo('2026-07-05T10:00:00Z')
      expect(await until()).toBe('2026-07-06T09:00:00.000Z')
    })
    const next = async () => (await reserved())[0]?.id ?? ''
    const sweep = async () => {
      await app.services.reserved.sweep()
      await app.services.series.sweep()
    }

    test('until it starts, where the practitioner keeps it unpaid', async () => {
      const token = await signInPractitioner(app, practitioner)
      const kept = await app.call('POST', `/therapist/sessions/${await next()}/allow-late-payment`, { token })
      expect(kept.status).toBe(200)
      expect(await until()).toBe('2026-07-07T09:00:00.000Z')
      await goTo('2026-07-06T09:00:00Z')
      await sweep()
      expect([await until(), (await reserved()).length]).toEqual(['2026-07-07T09:00:00.000Z', 5])
      const paid = await post(`/appointment/${await next()}/pay`, { customer_id: card })
      expect([paid.status, (await read()).state]).toEqual([200, 'active'])
    })

    test('until it can no longer be paid, where the client has moved it', async () => {
      const moved = await post('/appointment/edit-session', {
        appointment_id: await next(),
        type: 'online',
        appointment_datetime: '2026-07-10T13:00:00Z',
      })
      expect([moved.status, moved.body.status]).toEqual([200, 'reserved'])
      await goTo('2026-07-06T09:00:00Z')
      await sweep()
      expect([await until(), (await reserved()).length]).toEqual(['2026-07-09T13:00:00.000Z', 5])
      for (const when of ['2026-07-08T13:00:00Z', '2026-07-09T13:00:00Z']) {
        await goTo(when)
        await sweep()
      }
      expect(await read()).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'unpaid' } })
      expect(await reserved()).toEqual([])
    })
  })

  test('and a suspension leave the sessions to be charged once the client goes on', async () => {
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const reason = 'Papers.'
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'freeze' })
    await office.act(practitioner.id, 'reinstate', { reason })
    expect(await read()).toMatchObject({ state: 'paused', paused: { cause: 'suspension' } })
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    expect((await reserved()).map(({ payment_method_id }) => payment_method_id)).toEqual(Array(6).fill(card))
  })

  test('do not stop the client from ending it', async () => {
    expect(seriesIn(await post(`/series/${series.series_id}/end`)).state).toBe('ended')
    expect(await reserved()).toEqual([])
  })
})

/** The mails to an address with such a subject, by subject; line breaks of their texts left out. */
const mailsTo = async (email: string, subject: RegExp) => {
  await app.queue.drain()
  return app
    .mails()
    .map(readMail)
    .filter((mail) => mail.to === email && subject.test(mail.subject))
    .map((mail) => ({ ...mail, text: mail.text.replaceAll(/\s+/g, ' ') }))
    .sort((a, b) => a.subject.localeCompare(b.subject))
}
/** The sessions that a mail about several lists. */
const timesIn = (mail: { text: string } | undefined) =>
  /Sessions: (.*) Time zone:/.exec(mail?.text ?? '')?.[1]?.split(/(?<=, 10:00) /) ?? []
/** The dates of the series after its first session, as mails name them. */
const tuesdays = (count: number) =>
  Array.from({ length: count }, (_, week) => {
    const at = later(new Date('2026-06-16T09:00:00Z'), days(7 * week))
    return `Tuesday ${at.getUTCDate()} ${at.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })} 2026, 10:00`
  })

describe('a practitioner who is', () => {
  const reason = 'CANARY-77 papers'

  test('suspended has their series paused, which the client lets go on after a reinstatement', async () => {
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const body = { reason, cause: 'papers', sessions: 'freeze' }
    expect((await office.act(practitioner.id, 'suspend', body)).status).toBe(200)
    expect(await read()).toMatchObject({
      state: 'paused',
      paused: { cause: 'suspension', until: later(app.clock.now(), days(28)).toISOString() },
      can: { resume: false, end: true },
    })
    await app.services.series.sweep()
    expect(await reserved()).toHaveLength(8)
    expect((await post(`/series/${series.series_id}/resume`)).status).toBe(409)
    expect((await office.act(practitioner.id, 'reinstate', { reason })).status).toBe(200)
    expect(await read()).toMatchObject({ state: 'paused', can: { resume: true } })
    expect(await subjects(client.email)).toContain('Your regular sessions can go on')
    const goingAhead = await mailsTo(client.email, /going ahead/)
    expect(goingAhead.map(({ subject }) => subject)).toEqual([
      'Your regular sessions are going ahead',
      'Your session is going ahead',
    ])
    expect(timesIn(goingAhead[0])).toEqual(tuesdays(8))
    expect(goingAhead[1]?.text).toContain('Date: Tuesday 9 June 2026')
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    await app.services.series.sweep()
    const withReason = app.mails().filter((mail) => mail.includes('CANARY-77'))
    expect(withReason.filter((mail) => readMail(mail).to === client.email)).toEqual([])
  })

  test('suspended once a date can be paid has it neither paid nor moved while it is checked', async () => {
    const [first] = (await read()).dates
    expect(first).toMatchObject({ frozen: false, can: { move: true } })
    await app.db
      .updateTable('appointments')
      .set({ pay_at: app.clock.now(), pay_failures: 1 })
      .where('id', '=', first?.appointment_id ?? '')
      .execute()
    expect((await read()).dates[0]).toMatchObject({ payment: 'due', can: { pay: true } })
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'freeze' })
    const frozen = { frozen: true, can: { pay: false, move: false, skip: true } }
    expect((await read()).dates[0]).toMatchObject(frozen)
    await office.act(practitioner.id, 'reinstate', { reason })
    expect((await read()).dates[0]).toMatchObject({ frozen: false, can: { pay: true, move: true } })
  })

  test('late with their papers keeps their series while its sessions are checked, and has it paused once they are cancelled', async () => {
    await addAcceptedFacts(app, practitioner)
    await app.db.deleteFrom('practitioner_documents').where('kind', '=', 'dbs').execute()
    const accept = async (expires_on: string, kind: DocumentKind = 'dbs') => {
      const office = backOfficeAs(app, (await createAdmin(app)).token)
      const document = await addDocument(app, practitioner, kind)
      expect((await office.document(practitioner.id, document, 'accept', { expires_on })).status).toBe(200)
    }
    await accept('2026-06-13')
    await goTo('2026-06-13T23:00:00Z')
    await sweepBookings()
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ state: 'active' })
    expect(await reserved()).toHaveLength(8)
    for (const email of [client.email, practitioner.email]) {
      const [unlisted, ...more] = await mailsTo(email, /^No new regular sessions/)
      expect(more).toEqual([])
      expect(unlisted?.text).toContain('being checked')
      expect(unlisted?.text).not.toContain('stay')
    }
    const [checked] = await mailsTo(client.email, /are being checked/)
    expect(checked?.text).toContain('Until then their links are closed.')
    expect(checked?.text, 'the chat stays open').not.toContain('chat')

    await goTo('2026-06-17T00:00:00Z')
    await sweepBookings()
    await app.services.series.sweep()
    expect(await reserved()).toEqual([])
    expect(await read()).toMatchObject({
      state: 'paused',
      paused: { cause: 'suspension', until: '2026-07-15T00:00:00.000Z' },
      can: { resume: false, end: true },
    })
    expect((await post(`/series/${series.series_id}/resume`)).status).toBe(409)
    await accept('2027-06-13', 'insurance_certificate')
    expect(await subjects(client.email)).not.toContain('Your regular sessions can go on')

    await accept('2027-06-13')
    await accept('2028-06-13')
    const goOn = (await subjects(client.email)).filter((each) => each === 'Your regular sessions can go on')
    expect(goOn).toHaveLength(1)
    expect(await read()).toMatchObject({ can: { resume: true } })
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    await app.services.series.sweep()
    expect(
      (await reserved()).map(({ starts_at }) => starts_at?.toISOString().slice(0, 10)).slice(0, 2),
    ).toEqual(['2026-06-23', '2026-06-30'])
    expect(await reserved()).toHaveLength(10)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
  })

  test('late with their papers until the sessions are cancelled, and on time before the next sweep, has the series go on', async () => {
    await addAcceptedFacts(app, practitioner)
    await app.db.deleteFrom('practitioner_documents').where('kind', '=', 'dbs').execute()
    const accept = async (expires_on: string) => {
      const office = backOfficeAs(app, (await createAdmin(app)).token)
      const document = await addDocument(app, practitioner, 'dbs')
      expect((await office.document(practitioner.id, document, 'accept', { expires_on })).status).toBe(200)
    }
    await accept('2026-06-13')
    await goTo('2026-06-13T23:00:00Z')
    await sweepBookings()
    await goTo('2026-06-17T00:00:00Z')
    await sweepBookings()
    expect(await reserved()).toEqual([])
    expect(await read()).toMatchObject({ state: 'paused', paused: { cause: 'suspension' } })
    await accept('2027-06-13')
    expect(await subjects(client.email)).toContain('Your regular sessions can go on')
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    await app.services.series.sweep()
    expect(await reserved()).toHaveLength(10)
  })

  test('suspended has an offer ended, whose mails do not say that its time has run out', async () => {
    const other = await createClient(app)
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const startsAt = '2026-06-10T09:00:00Z'
    const held = { practitioner, client: other, card: await saveCard(app, other), startsAt }
    const body = { appointment_id: await bookSession(app, held) }
    const offer = seriesIn(await app.call('POST', '/series', { token: other.token, body }))
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'freeze' })
    expect(
      seriesIn(await app.call('GET', `/series/${offer.series_id}`, { token: other.token })),
    ).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'suspension' } })
    await app.queue.drain()
    const mails = app
      .mails()
      .map(readMail)
      .filter(({ text }) => text.includes('Wednesdays at 10:00'))
    expect(mails).toHaveLength(2)
    const texts = new Map(mails.map(({ to, text }) => [to, text.replace(/\s+/g, ' ')]))
    expect(texts.get(other.email)).toContain(
      'is not available on Hearth for now, so Wednesdays at 10:00 are not kept for you.',
    )
    expect(texts.get(practitioner.email)).toContain(
      'were not agreed, as you are not listed on Hearth for now.',
    )
    for (const { text } of mails) expect(text).not.toContain('run out')
  })

  test('suspended until the freeze has ended has the dates made again once the client goes on', async () => {
    await goTo('2026-06-13T09:00:00Z')
    const office = async () => backOfficeAs(app, (await createAdmin(app)).token)
    const body = { reason, cause: 'papers', sessions: 'freeze' }
    expect((await (await office()).act(practitioner.id, 'suspend', body)).status).toBe(200)
    const before = await ledger(app)
    const frozen = await app.db
      .selectFrom('appointments')
      .select('frozen_at')
      .where('series_id', 'is not', null)
      .where('state', '=', 'reserved')
      .execute()
    expect(frozen.map(({ frozen_at }) => frozen_at)).toEqual(Array(8).fill(app.clock.now()))
    await app.queue.drain()
    const [checked, ...more] = await mailsTo(client.email, /is being checked|are being checked/)
    expect(more).toEqual([])
    expect(checked?.subject).toBe('Your regular sessions are being checked')
    expect(timesIn(checked)).toEqual(tuesdays(8))
    expect(checked?.text).toContain('we will write to you by Tuesday 16 June 2026, 10:00')
    expect(checked?.text).toContain('They are not paid yet, and nothing is charged.')
    expect(checked?.text).toContain('Until then their links and the chat are closed.')
    expect(checked?.text, 'nothing has been paid that could come back').not.toMatch(/refund|money back/)
    expect(checked?.calendar, 'a calendar knows none of them').toBeUndefined()
    // The money of the first date would be taken now.
    await goTo('2026-06-14T09:00:00Z')
    await app.services.reserved.sweep()
    expect(await ledger(app)).toEqual(before)

    await goTo('2026-06-16T10:00:00Z')
    await sweepBookings()
    expect(await reserved()).toEqual([])
    expect(await app.db.selectFrom('refunds').select('id').execute()).toEqual([])
    expect((await read()).dates.map(({ state }) => state)).toEqual([
      ...Array(7).fill('released'),
      ...Array(3).fill('later'),
    ])
    for (const email of [client.email, practitioner.email]) {
      const cancelled = await mailsTo(email, /cancelled$/)
      // The first of them was cancelled two hours before its start, the others after three days.
      expect(cancelled.map(timesIn).sort((a, b) => a.length - b.length)).toEqual([[], tuesdays(8).slice(1)])
      for (const { text } of cancelled) expect(text).not.toMatch(/refund|money back/)
    }

    expect((await (await office()).act(practitioner.id, 'reinstate', { reason })).status).toBe(200)
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    await app.services.series.sweep()
    await app.queue.drain()
    const again = Array.from({ length: 10 }, (_, week) =>
      later(new Date('2026-06-23T09:00:00Z'), days(7 * week)).toISOString(),
    )
    expect((await reserved()).map(({ starts_at }) => starts_at?.toISOString())).toEqual(again)
    await app.services.series.sweep()
    expect(await reserved()).toHaveLength(10)
    expect((await read()).dates.map(({ state }) => state)).toEqual(Array(10).fill('planned'))
    expect(await ledger(app)).toEqual(before)
  })

  test.each([0, 2])(
    'suspended has frozen date %i, which an admin cancels, mailed about alone, and the others at the end of the freeze',
    async (index) => {
      const office = async () => backOfficeAs(app, (await createAdmin(app)).token)
      const body = { reason, cause: 'papers', sessions: 'freeze' }
      expect((await (await office()).act(practitioner.id, 'suspend', body)).status).toBe(200)
      await app.queue.drain()
      const id = (await reserved())[index]?.id
      const cancelled = await app.call('POST', `/admin/sessions/${id}/cancel`, {
        token: (await createAdmin(app)).token,
        body: { reason },
      })
      expect([cancelled.status, await reserved()]).toMatchObject([200, { length: 7 }])
      const dates = tuesdays(8)
      for (const email of [client.email, practitioner.email]) {
        const [alone, ...more] = await mailsTo(email, /cancelled$/)
        expect([timesIn(alone), more]).toEqual([[], []])
        expect(alone?.text).toContain(`Date: ${dates[index]?.split(',')[0]}`)
        expect(alone?.text).not.toMatch(/refund|money back/)
        expect(alone?.calendar, 'a calendar does not know it').toBeUndefined()
      }

      await goTo(later(app.clock.now(), days(3)))
      await sweepBookings()
      expect(await reserved()).toEqual([])
      for (const email of [client.email, practitioner.email]) {
        const lists = (await mailsTo(email, /cancelled$/)).map(timesIn).filter((times) => times.length > 0)
        expect(lists).toEqual([dates.filter((_, week) => week !== index)])
      }
    },
  )

  test('suspended has a date that was moved written about by itself, since calendars show it', async () => {
    const [, second] = await reserved()
    const moved = await post('/appointment/edit-session', {
      appointment_id: second?.id,
      type: 'online',
      appointment_datetime: '2026-06-24T12:00:00Z',
    })
    expect(moved.status).toBe(200)
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'cancel' })
    await sweepBookings()
    const dates = tuesdays(8)
    for (const email of [client.email, practitioner.email]) {
      const cancelled = await mailsTo(email, /cancelled$/)
      const alone = cancelled.find(({ text }) => text.includes('Wednesday 24 June 2026'))
      expect(alone?.calendar).toContain('STATUS:CANCELLED')
      const paid = cancelled.filter(({ text }) => text.includes('Tuesday 9 June 2026'))
      expect(paid).toHaveLength(1)
      expect(cancelled).toHaveLength(3)
      expect(cancelled.map(timesIn).filter((times) => times.length > 0)).toEqual([
        dates.filter((_, week) => week !== 1),
      ])
    }
  })

  test('suspended with the sessions cancelled has the dates released at once', async () => {
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    const body = { reason, cause: 'papers', sessions: 'cancel' }
    expect((await office.act(practitioner.id, 'suspend', body)).status).toBe(200)
    await sweepBookings()
    expect(await reserved()).toEqual([])
    const dates = await app.db.selectFrom('series_dates').select('state').execute()
    expect(dates.map(({ state }) => state)).toEqual(Array(8).fill('released'))
    expect(await read()).toMatchObject({ state: 'paused', can: { resume: false } })
  })

  test('suspended for longer than 28 days has their series ended', async () => {
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    await office.act(practitioner.id, 'suspend', { reason, cause: 'papers', sessions: 'freeze' })
    await goTo(later(app.clock.now(), days(28)))
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'suspension' } })
    expect(await reserved()).toEqual([])
  })

  test('back again, whose client does not go on in time, has it ended in words that are true', async () => {
    const act = async (action: 'suspend' | 'reinstate', body = {}) => {
      const office = backOfficeAs(app, (await createAdmin(app)).token)
      expect((await office.act(practitioner.id, action, { reason, ...body })).status).toBe(200)
    }
    await act('suspend', { cause: 'papers', sessions: 'cancel' })
    await sweepBookings()
    const pausedUntil = later(app.clock.now(), days(28))
    await goTo(later(app.clock.now(), days(4)))
    await act('reinstate')
    expect(await subjects(client.email)).toContain('Your regular sessions can go on')
    await goTo(pausedUntil)
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'suspension' } })
    const [theirs] = await mailsTo(client.email, /^Your regular sessions have ended$/)
    expect(theirs?.text).toContain('were paused and not taken up again in time, so they have ended')
    expect(theirs?.text).not.toContain('no longer available')
    const [own] = await mailsTo(practitioner.email, /^Regular sessions have ended$/)
    expect(own?.text).toContain('were paused and not taken up again in time, so they have ended')
    expect(own?.text).not.toContain('listing')
  })

  test('closed has their series ended, and no date is made again', async () => {
    await goTo('2026-06-14T10:00:00Z')
    const [next] = await reserved()
    const paid = await post(`/appointment/${next?.id}/pay`, {
      customer_id: card,
    })
    expect([paid.status, paid.body.code]).toEqual([200, undefined])
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await office.act(practitioner.id, 'close', { reason })).status).toBe(200)
    for (const email of [client.email, practitioner.email]) {
      const [ended] = await mailsTo(email, /egular sessions have ended$/)
      expect(ended?.text).toContain('have ended')
      expect(ended?.text).not.toMatch(/stay booked|still booked/i)
    }
    expect(await read()).toMatchObject({ state: 'ended', ended: { by: 'system', cause: 'closed' } })
    await goTo(later(app.clock.now(), days(1)))
    await app.services.series.sweep()
    expect((await sessions()).length).toBe(8)
  })

  test('in another time zone keeps the hour, and both are asked once and confirm it', async () => {
    const therapist = await signInPractitioner(app, practitioner)
    const moveTo = async (timezone: string) => {
      const known = await app.db
        .selectFrom('timezones')
        .select('id')
        .where('name', '=', timezone)
        .executeTakeFirstOrThrow()
      const saved = await app.call('PUT', '/therapist/update-profile', {
        token: therapist,
        body: { timezone_id: known.id },
      })
      expect(saved.status).toBe(200)
      await app.queue.drain()
    }
    const confirm = (token: string, timezone: string) =>
      app.call('POST', `/series/${series.series_id}/confirm-zone`, { token, body: { timezone } })
    const asked = async () =>
      (await Promise.all([client.email, practitioner.email].map(subjects))).map(
        (all) => all.filter((each) => each.endsWith('still work for you?')).length,
      )
    expect(await read()).toMatchObject({ new_zone: null, can: { confirm_zone: false } })
    const before = (await reserved()).map(({ starts_at }) => starts_at)
    await moveTo('America/New_York')
    expect(await asked()).toEqual([1, 1])
    expect(
      app.mails().filter((mail) => plainText(mail).includes('Tuesday 16 June 2026 at 05:00')),
    ).toHaveLength(2)
    expect(await read()).toMatchObject({
      rhythm: { start: '10:00', timezone: 'Europe/London' },
      new_zone: {
        timezone: 'America/New_York',
        confirmed_by_client: false,
        confirmed_by_practitioner: false,
      },
      can: { confirm_zone: true },
    })
    expect((await reserved()).map(({ starts_at }) => starts_at)).toEqual(before)

    const stale = await confirm(client.token, 'Asia/Tokyo')
    expect([stale.status, stale.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(seriesIn(await confirm(client.token, 'America/New_York'))).toMatchObject({
      new_zone: { confirmed_by_client: true, confirmed_by_practitioner: false },
      can: { confirm_zone: false },
    })
    expect(seriesIn(await confirm(therapist, 'America/New_York'))).toMatchObject({
      you: 'practitioner',
      new_zone: { confirmed_by_client: true, confirmed_by_practitioner: true },
      can: { confirm_zone: false },
    })

    // Another zone is confirmed anew; back where the series began, there is nothing to confirm.
    await moveTo('Asia/Tokyo')
    expect(await asked()).toEqual([2, 2])
    expect((await read()).can.confirm_zone).toBe(true)
    await moveTo('Europe/London')
    await app.services.series.sweep()
    expect(await asked()).toEqual([2, 2])
    expect(await read()).toMatchObject({ new_zone: null, can: { confirm_zone: false } })
  })

  test('no longer listed keeps what is reserved, gets no new dates, and the series ends with its last one', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ subscribed_until: later(app.clock.now(), days(1)) })
      .where('id', '=', practitioner.id)
      .execute()
    await goTo(later(app.clock.now(), days(8)))
    await app.services.series.sweep()
    await app.services.series.sweep()
    expect(await reserved()).toHaveLength(8)
    expect((await read()).state).toBe('active')
    expect(
      (await subjects(client.email)).filter((each) => each === 'No new regular sessions for now'),
    ).toHaveLength(1)
    expect(
      (await subjects(practitioner.email)).filter(
        (each) => each === 'No new regular sessions while you are not listed',
      ),
    ).toHaveLength(1)
    for (const { id } of await reserved()) {
      await inTransaction(app.db, (tx) => app.services.reserved.cancelReserved(tx, id, { by: 'client' }))
    }
    await goTo(later(app.clock.now(), days(8) - 1))
    await app.services.series.sweep()
    expect((await read()).state).toBe('active')
    await goTo(later(app.clock.now(), 1))
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ state: 'ended', ended: { cause: 'unlisted' } })
  })

  test('back on the list within eight days keeps a series that had no session left', async () => {
    const listUntil = (subscribed_until: Date) =>
      app.db
        .updateTable('practitioners')
        .set({ subscribed_until })
        .where('id', '=', practitioner.id)
        .execute()
    await listUntil(later(app.clock.now(), -1))
    for (const { id } of await reserved()) {
      await inTransaction(app.db, (tx) => app.services.reserved.cancelReserved(tx, id, { by: 'client' }))
    }
    await goTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    const [unlisted] = await mailsTo(client.email, /^No new regular sessions/)
    expect(unlisted?.text).toContain(
      'so no new sessions are added. If that lasts, your regular sessions end.',
    )
    await goTo(later(app.clock.now(), days(7)))
    await app.services.series.sweep()
    expect((await read()).state).toBe('active')
    await listUntil(later(app.clock.now(), days(30)))
    await app.services.series.sweep()
    await app.services.series.sweep()
    expect((await read()).state).toBe('active')
    expect((await reserved()).length).toBeGreaterThan(0)
  })
})

describe('a series that ends with a session', () => {
  const lastDay = '2026-06-16'
  const reason = 'CANARY-78 papers'
  const act = async (action: string, body: object = {}) => {
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await office.act(practitioner.id, action, { reason, ...body })).status).toBe(200)
  }
  const suspend = () => act('suspend', { cause: 'papers', sessions: 'freeze' })
  const endWithNext = async () => {
    const token = await signInPractitioner(app, practitioner)
    const path = `/therapist/series/${series.series_id}/end`
    expect(seriesIn(await app.call('POST', path, { token, body: {} }))).toMatchObject({
      state: 'active',
      last_on: lastDay,
    })
  }
  const reservedStarts = async () => (await reserved()).map(({ starts_at }) => starts_at?.toISOString())
  const prices = () => app.db.selectFrom('series_price_changes').selectAll().execute()
  const byChoice = { state: 'ended', ended: { by: 'practitioner', cause: 'by_choice' } }

  test('has no calendar entry in any mail about its last date, which is not paid', async () => {
    await endWithNext()
    await app.queue.drain()
    const about = async (subject: RegExp) => {
      const sides = await Promise.all([client.email, practitioner.email].map((to) => mailsTo(to, subject)))
      return sides.flat().filter(({ text }) => text.includes('Date: Tuesday 16 June 2026'))
    }
    await suspend()
    const frozen = await about(/is being checked$/)
    await act('reinstate')
    const restored = await about(/is going ahead$/)
    await suspend()
    await goTo('2026-06-15T09:00:00Z')
    await sweepBookings()
    const cancelled = await about(/cancelled$/)
    expect([frozen.length, restored.length, cancelled.length]).toEqual([1, 1, 2])
    for (const mail of [...frozen, ...restored, ...cancelled]) {
      expect([mail.subject, mail.calendar]).toEqual([mail.subject, undefined])
      expect(mail.text).not.toContain('calendar entry')
    }
  })

  test('is offered with the next session, and only while that would end it', async () => {
    const asPractitioner = async () =>
      seriesIn(
        await app.call('GET', `/series/${series.series_id}`, {
          token: await signInPractitioner(app, practitioner),
        }),
      )
    expect((await asPractitioner()).on_end.last_session_at).toBe('2026-06-16T09:00:00.000Z')
    await endWithNext()
    expect((await asPractitioner()).on_end.last_session_at).toBeNull()
  })

  test('does not mail a new price that is answered before the mail is sent', async () => {
    await askNewPrice('2026-07-05')
    expect((await post(`/series/${series.series_id}/price`, { accept: true })).status).toBe(200)
    expect(await subjects(client.email)).not.toContain('A new price for your regular sessions')
  })

  test('withdraws a price that would begin later, which is neither mailed nor answered', async () => {
    await askNewPrice('2026-07-05')
    expect(await read()).toMatchObject({ can: { answer_price: true } })
    await endWithNext()
    expect(await read()).toMatchObject({ price_change: null, can: { answer_price: false } })
    expect(await prices()).toEqual([])
    expect((await post(`/series/${series.series_id}/price`, { accept: true })).status).toBe(409)
    expect(await subjects(client.email)).not.toContain('A new price for your regular sessions')
  })

  test('leaves out a price from before this rule, whose expiry sends no mail', async () => {
    await endWithNext()
    const change = {
      id: '00000000-0000-4000-8000-000000000001',
      series_id: series.series_id,
      fee_pence: 7000,
      from_date: '2026-07-07',
      asked_at: app.clock.now(),
      answer_by: new Date('2026-07-04T09:00:00Z'),
    }
    await app.db.insertInto('series_price_changes').values(change).execute()
    expect(await read()).toMatchObject({ price_change: null, can: { answer_price: false } })
    const answer = await post(`/series/${series.series_id}/price`, { accept: false })
    expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
    const before = [await subjects(client.email), await subjects(practitioner.email)]
    await goTo('2026-07-05T09:00:00Z')
    await app.services.series.sweep()
    await app.services.series.sweep()
    expect(await read()).toMatchObject(byChoice)
    expect([await subjects(client.email), await subjects(practitioner.email)]).toEqual(before)
  })

  test('keeps a price question whose first session is the last one', async () => {
    await askNewPrice('2026-07-05')
    await goTo('2026-07-01T09:00:00Z')
    const token = await signInPractitioner(app, practitioner)
    await app.call('POST', `/therapist/series/${series.series_id}/end`, { token, body: {} })
    expect(await read()).toMatchObject({ last_on: '2026-07-07', can: { answer_price: true } })
    const mails = () =>
      app.db
        .selectFrom('outgoing_mails')
        .select('recipient')
        .where('template', '=', 'series.ending')
        .orderBy('recipient')
        .execute()
    expect(await mails()).toHaveLength(2)
    // Without an answer the series ends before it, and a mail to both names that day as well.
    await goTo('2026-07-04T09:00:00Z')
    await app.services.series.sweep()
    expect(await read()).toMatchObject({ last_on: '2026-07-06' })
    expect(await mails()).toHaveLength(4)
  })

  test('takes up, moves, skips and makes no date after it', async () => {
    const path = (day: string, what: string) => `/series/${series.series_id}/dates/${day}/${what}`
    expect((await post(path('2026-06-23', 'skip'))).status).toBe(200)
    await endWithNext()
    const skipped = (await read()).dates.find(({ on_date }) => on_date === '2026-06-23')
    expect(skipped?.can.restore).not.toBe(true)
    const refused = await post(path('2026-06-23', 'restore'))
    expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
    expect((await post(path('2026-09-01', 'restore'))).status).toBe(404)
    expect((await post(path('2026-06-30', 'skip'))).status).toBe(404)
    expect((await post(path('2026-06-30', 'move'), { starts_at: '2026-07-01T09:00:00.000Z' })).status).toBe(
      409,
    )
    const away = await post(`/series/${series.series_id}/away`, { from: '2026-06-17', to: '2026-08-30' })
    expect([away.status, away.body.skipped]).toEqual([200, []])
    await app.services.series.sweep()
    await app.queue.drain()
    expect(await reservedStarts()).toEqual(['2026-06-16T09:00:00.000Z'])
  })

  test('is over after a suspension that outlasts its last session, and its client is not asked to go on', async () => {
    await endWithNext()
    await goTo('2026-06-13T09:00:00Z')
    await suspend()
    await goTo('2026-06-16T10:00:00Z')
    await sweepBookings()
    await act('reinstate')
    expect(await read()).toMatchObject(byChoice)
    expect((await post(`/series/${series.series_id}/resume`)).status).toBe(409)
    expect(await subjects(client.email)).not.toContain('Your regular sessions can go on')
  })

  test('is over the day after its last session while its practitioner is suspended', async () => {
    await endWithNext()
    await goTo('2026-06-13T09:00:00Z')
    await suspend()
    await goTo('2026-06-17T09:00:00Z')
    await sweepBookings()
    await app.services.series.sweep()
    expect(await read()).toMatchObject(byChoice)
    expect(await subjects(client.email)).not.toContain('Your regular sessions have ended')
  })

  test('goes on to its last session after a suspension that ends before', async () => {
    await endWithNext()
    await goTo('2026-06-10T09:00:00Z')
    await suspend()
    await goTo('2026-06-11T09:00:00Z')
    await act('reinstate')
    expect(await read()).toMatchObject({ state: 'paused', can: { resume: true } })
    expect(seriesIn(await post(`/series/${series.series_id}/resume`)).state).toBe('active')
    await app.services.series.sweep()
    await app.queue.drain()
    expect(await reservedStarts()).toEqual(['2026-06-16T09:00:00.000Z'])
  })
})

describe('a client', () => {
  test('who deletes their account ends the series: no row of it stays, and the practitioner gets a mail', async () => {
    await goTo('2026-06-11T09:00:00Z')
    await askNewPrice('2026-07-14')
    await app.queue.drain()
    const rows = await app.db.selectFrom('series_price_changes').select('fee_pence').execute()
    expect(rows).toEqual([{ fee_pence: 7000 }])
    const before = app.mails().length
    const left = await post('/client/delete-account', { current_password: password, understood: true })
    expect([left.status, left.body.message]).toEqual([200, undefined])
    await app.queue.drain()
    for (const table of ['session_series', 'series_dates', 'series_price_changes', 'consents'] as const) {
      expect([table, await app.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
    }
    expect(await sessions()).toEqual([])
    const live = await app.db.selectFrom('reservations').select('id').where('state', '=', 'booked').execute()
    expect(live).toHaveLength(1)
    const mails = app.mails().slice(before).map(readMail)
    const theirs = mails.filter(({ to }) => to === practitioner.email)
    expect(theirs.map(({ subject }) => subject)).toEqual(['Regular sessions have ended'])
    expect(theirs.map(({ text }) => text).join()).toContain('Tuesdays at 10:00')
    expect(theirs.map(({ text }) => text).join()).not.toContain('Alex')
  })

  test('who deletes their account gives back the dates of the hour before, of which the practitioner gets a mail', async () => {
    await goTo('2026-06-11T09:00:00Z')
    const change = { from: '2026-07-01', weekday: 3, start: '10:00' }
    expect((await post(`/series/${series.series_id}/change`, change)).status).toBe(200)
    await app.queue.drain()
    const before = app.mails().length
    const left = await post('/client/delete-account', { current_password: password, understood: true })
    expect(left.status).toBe(200)
    await app.queue.drain()
    expect(await sessions()).toEqual([])
    const hours = app
      .mails()
      .slice(before)
      .map(readMail)
      .filter(({ to }) => to === practitioner.email)
      .map(({ text }) => /(?:Tuesday|Wednesday)s at 10:00/.exec(text)?.[0])
    expect(hours.toSorted()).toEqual(['Tuesdays at 10:00', 'Wednesdays at 10:00'])
  })

  test('finds the series, its dates and prices in the export of their data', async () => {
    await askNewPrice('2026-07-07')
    await post(`/series/${series.series_id}/price`, { accept: true })
    const exported = await app.call('GET', '/client/export', { token: client.token })
    const text = JSON.stringify(exported.body)
    expect(text).toContain('Your regular sessions')
    expect(text).toContain('2026-06-16: planned')
    expect(text).toContain('70 from 2026-07-07: accepted')
  })
})

test('twenty clients who race a sweep that comes late leave one of them, or the series, with the hour', async () => {
  // The sweep was away for two weeks, so that public bookings reach the hour of its next date.
  await goTo(later(app.clock.now(), days(14)))
  const others = await Promise.all(Array.from({ length: 20 }, () => createClient(app)))
  const hour = '2026-08-11T09:00:00.000Z'
  const hold = ({ token }: Client) =>
    app.call('POST', '/appointment/create-session', {
      token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: hour,
      },
    })
  const [, ...held] = await Promise.all([app.services.series.sweep(), ...others.map(hold)])
  const winners = held.filter(({ status }) => status === 201)
  expect(held.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
    Array(20 - winners.length).fill('slot_taken'),
  )
  const date = await app.db
    .selectFrom('series_dates')
    .select(['state', 'appointment_id', 'conflict_cause'])
    .where('on_date', '=', '2026-08-11')
    .executeTakeFirstOrThrow()
  const isOurs = date.state === 'planned'
  expect(winners.length + (isOurs ? 1 : 0)).toBe(1)
  if (!isOurs) expect(date).toEqual({ state: 'conflict', appointment_id: null, conflict_cause: 'taken' })
  const { rows } = await sql`select 1 from reservations where practitioner_id = ${practitioner.id}
    and state <> 'released' and during @> ${hour}::timestamptz`.execute(app.db)
  expect(rows).toHaveLength(1)
})
