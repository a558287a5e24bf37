import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExportSection } from '#contract/accounts/personal-data.ts'
import type { PractitionerWaitlist, SearchWish } from '#contract/waitlist/waitlist.ts'
import { later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
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
  signInToChat,
} from '#test/factories.ts'
import { linkIn, plainText, readMail } from '#test/mails.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'
import { agreeSeries, seriesIn } from '#test/series.ts'
import {
  cancelSession,
  confirmOffered,
  entriesOf,
  joinBody,
  joinWaitlist,
  passMinutes,
  payOffered,
  readOffer,
  wantedDay,
  wantedStart,
} from '#test/waitlist.ts'

let app: TestApp
let practitioner: Practitioner
let booker: Client
let waiter: Client
let card: string
let booked: string
/** What was handed to push services, and for how many seconds. */
let pushed: string[]
let ttls: number[]

beforeEach(async () => {
  pushed = []
  ttls = []
  app = await buildTestApp({
    push: {
      publicKey: 'key',
      allows: () => true,
      async send(_target, { text, ttl }) {
        pushed.push(text)
        ttls.push(ttl)
        return 'taken'
      },
    },
  })
  practitioner = await createPractitioner(app, { hours: [10] })
  booker = await createClient(app)
  waiter = await createClient(app, { name: 'Billie Grey' })
  card = await saveCard(app, waiter)
  booked = await bookSession(app, { practitioner, client: booker, startsAt: wantedStart })
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
})
afterEach(async () => app.close())

const offers = () =>
  app.db
    .selectFrom('waitlist_offers')
    .select(['id', 'entry_id', 'kind', 'state', 'round', 'by_hand', 'appointment_id'])
    .orderBy('made_at')
    .orderBy('round')
    .orderBy('id')
    .execute()
const open = async () => (await offers()).filter(({ state }) => state === 'open')
const stateOf = async (entryId: string) =>
  app.db
    .selectFrom('waitlist_entries')
    .select(['state', 'misses', 'paused_by'])
    .where('id', '=', entryId)
    .executeTakeFirstOrThrow()
const mailsAbout = (words: string) =>
  app
    .mails()
    .map(plainText)
    .filter((mail) => mail.includes(words))
const mailsTo = (who: Client, words: string) => mailsAbout(words).filter((mail) => mail.includes(who.email))
async function atGateway() {
  const { rows } = await sql<{ taken: number; reserved: number }>`
    select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int as taken,
      coalesce(sum(amount_pence) filter (where state in ('authorised', 'requires_action')), 0)::int as reserved
    from sandbox_gateway.payments`.execute(app.db)
  return rows[0]
}
/** Runs the jobs that wait for a while after a change, such as those that void and refund. */
async function finishPayments(): Promise<void> {
  await sql`update pgboss.job set start_after = now() where state < 'active'`.execute(app.db)
  await app.queue.drain()
}
/** Has the waiting client's browser show notifications. */
async function subscribeToPush(): Promise<void> {
  const keys = {
    p256dh: Buffer.alloc(65, 4).toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  }
  const body = { endpoint: 'https://push.example.test/1', keys }
  expect((await app.call('POST', '/notices/push', { token: waiter.token, body })).status).toBe(200)
}
/** Cancels the session that stands in the way, and lets the grace pass. */
async function free(): Promise<string> {
  expect((await cancelSession(app, await signInAgain(app, booker), booked)).status).toBe(200)
  await passMinutes(app, 3)
  return (await open())[0]?.id ?? ''
}
/** The same so shortly before the hour that no turn fits. */
async function freeSoon(): Promise<void> {
  app.clock.set('2026-06-05T06:00:00Z')
  // The session can still be cancelled: it was booked within 48 hours.
  await app.db
    .updateTable('appointments')
    .set({ first_booked_at: app.clock.now() })
    .where('id', '=', booked)
    .execute()
  await free()
}
const therapist = () => signInPractitioner(app, practitioner)
/** As a reading of the practitioner's own calendar does: half an hour is busy. */
async function busyElsewhere(startsAt: string): Promise<void> {
  const from = Date.parse(startsAt)
  const busy = [{ from, to: from + minutes(30) }]
  await inTransaction(app.db, (tx) => app.services.availability.setBusyElsewhere(tx, practitioner.id, busy))
  await app.queue.drain()
}

describe('an hour that starts soon', () => {
  test('booked by a client who has the turn for another hour gives that hour to the next', async () => {
    const laterStart = '2026-06-12T09:00:00.000Z'
    const bookedToo = await bookSession(app, { practitioner, client: booker, startsAt: laterStart })
    const fridays = {
      windows: [{ weekdays: [5], from: '08:00', to: '20:00' }],
      earliest: '2026-06-05',
      latest: '2026-06-12',
    }
    const entry = (await joinWaitlist(app, waiter, practitioner, fridays)).entry_id
    const next = await createClient(app)
    const nextEntry = await joinWaitlist(app, next, practitioner, { ...fridays, earliest: '2026-06-12' })
    await freeSoon()
    await app.db
      .updateTable('appointments')
      .set({ first_booked_at: app.clock.now() })
      .where('id', '=', bookedToo)
      .execute()
    expect((await cancelSession(app, await signInAgain(app, booker), bookedToo)).status).toBe(200)
    await passMinutes(app, 3)
    expect(await open()).toMatchObject([
      { kind: 'broadcast', entry_id: entry },
      { kind: 'turn', entry_id: entry },
    ])
    const session = { practitioner, client: await signInAgain(app, waiter), startsAt: wantedStart, card }
    await bookSession(app, session)
    expect((await stateOf(entry)).state).toBe('booked')
    expect(await open()).toMatchObject([{ kind: 'turn', entry_id: nextEntry.entry_id }])
    const pending = await app.db
      .selectFrom('appointments')
      .select('client_id')
      .where('state', '=', 'pending')
      .execute()
    expect(pending).toEqual([{ client_id: next.id }])
    await app.queue.drain()
    expect(mailsTo(waiter, 'is no longer free')).toEqual([])
  })

  test('stays public, and every client whom it suits gets a mail and keeps the place', async () => {
    const other = await createClient(app)
    const soon = { lead_minutes: 60 }
    const entry = await joinWaitlist(app, waiter, practitioner, soon)
    const second = await joinWaitlist(app, other, practitioner, soon)
    const late = await createClient(app)
    await joinWaitlist(app, late, practitioner, { lead_minutes: 10_080 })
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    await freeSoon()
    expect(await offers()).toMatchObject([{ kind: 'broadcast' }, { kind: 'broadcast' }])
    await app.queue.drain()
    expect(mailsTo(waiter, 'A time that starts soon has come free')).toHaveLength(1)
    expect(mailsTo(other, 'A time that starts soon has come free')).toHaveLength(1)
    expect(mailsTo(late, 'come free')).toEqual([])
    expect(mailsTo(waiter, 'starts soon')[0]).toContain('we have told everyone on the waitlist whom it suits')
    // Nor does it name the practitioner.
    expect(mailsTo(waiter, 'starts soon')[0]).not.toMatch(/Priya|Patel/)

    const [mine] = await entriesOf(app, await signInAgain(app, waiter))
    const offerId = String(mine?.offers[0]?.offer_id)
    const back = await signInAgain(app, waiter)
    expect(await readOffer(app, back, offerId)).toMatchObject({
      kind: 'broadcast',
      state: 'open',
      available: true,
      appointment_id: null,
      expires_at: null,
      fee: 60,
    })
    await bookSession(app, { practitioner, client: back, startsAt: wantedStart, card })
    expect((await stateOf(entry.entry_id)).state).toBe('booked')
    expect(await stateOf(second.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    expect((await offers()).map(({ state }) => state).toSorted()).toEqual(['taken', 'withdrawn'])
    const gone = (await offers()).find(({ entry_id }) => entry_id === second.entry_id)
    expect(await readOffer(app, await signInAgain(app, other), String(gone?.id))).toMatchObject({
      state: 'withdrawn',
      available: false,
    })
  })
})

test.each(['a client on the waitlist', 'another client'])(
  'an hour that starts soon, booked by %s and free again a moment later, is offered to all who still wait',
  async (who) => {
    const other = await createClient(app)
    await joinWaitlist(app, waiter, practitioner, { lead_minutes: 60 })
    const second = await joinWaitlist(app, other, practitioner, { lead_minutes: 60 })
    await freeSoon()
    expect(await open()).toMatchObject([{ kind: 'broadcast' }, { kind: 'broadcast' }])
    const quick = who === 'another client' ? booker : waiter
    const client = await signInAgain(app, quick)
    const id = await bookSession(app, { practitioner, client, startsAt: wantedStart })
    expect(await open()).toEqual([])
    expect((await cancelSession(app, client, id)).status).toBe(200)
    await passMinutes(app, 3)
    const told = await open()
    expect(told.map(({ entry_id }) => entry_id)).toContain(second.entry_id)
    expect(told).toHaveLength(quick === waiter ? 1 : 2)
    expect(told).toMatchObject(told.map(() => ({ kind: 'broadcast', round: 1 })))
  },
)

test('hours that come free together and start soon are one mail and one notification for each client', async () => {
  const away = await createPractitioner(app, { hours: [9, 10, 11] })
  const token = await signInPractitioner(app, away)
  const body = { first_day: wantedDay, last_day: wantedDay }
  const timeOff = await app.call('POST', '/therapist/time-off', { token, body })
  expect(timeOff.status).toBe(201)
  const entry = await joinWaitlist(app, waiter, away, { lead_minutes: 60 })
  await app.queue.drain()
  await subscribeToPush()
  app.clock.set('2026-06-05T06:30:00Z')
  const removed = await app.call('DELETE', `/therapist/time-off/${String(timeOff.body.time_off_id)}`, {
    token: await signInPractitioner(app, away),
  })
  expect(removed.status).toBe(200)
  await passMinutes(app, 3)
  const told = (await open()).filter(({ entry_id }) => entry_id === entry.entry_id)
  expect(told.map(({ kind }) => kind)).toEqual(told.map(() => 'broadcast'))
  expect(told.length).toBeGreaterThan(2)
  await app.queue.drain()
  expect(mailsTo(waiter, 'A time that starts soon')).toEqual([])
  const [mail = '', ...more] = mailsTo(waiter, 'Times that start soon have come free')
  expect(more).toEqual([])
  for (const at of ['09:00', '10:00', '11:00']) expect(mail).toContain(`Friday 5 June 2026, ${at}`)
  expect(pushed.filter((text) => text.includes('waitlist-offer'))).toHaveLength(1)
})

test('hours that come free one after the other are each told of, also within the same minute', async () => {
  const two = await createPractitioner(app, { hours: [10, 11] })
  const other = await createClient(app)
  const starts = [wantedStart, new Date(Date.parse(wantedStart) + minutes(60)).toISOString()]
  const ids = []
  for (const startsAt of starts) {
    ids.push(await bookSession(app, { practitioner: two, client: other, startsAt }))
  }
  await joinWaitlist(app, waiter, two, { lead_minutes: 60 })
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  await subscribeToPush()
  await app.queue.drain()
  await app.db
    .updateTable('appointments')
    .set({ first_booked_at: new Date('2026-06-05T06:00:00Z') })
    .execute()
  for (const [index, at] of ['2026-06-05T06:00:20Z', '2026-06-05T06:00:50Z'].entries()) {
    app.clock.set(at)
    expect((await cancelSession(app, await signInAgain(app, other), String(ids[index]))).status).toBe(200)
  }
  for (const [index, at] of ['2026-06-05T06:03:20Z', '2026-06-05T06:04:00Z'].entries()) {
    app.clock.set(at)
    await app.services.waitlistMatching.sweep()
    await app.queue.drain()
    expect(await open()).toHaveLength(index + 1)
    expect(mailsTo(waiter, 'A time that starts soon has come free')).toHaveLength(index + 1)
    expect(pushed.filter((text) => text.includes('waitlist-offer'))).toHaveLength(index + 1)
    expect(ttls.at(-1)).toBe((Date.parse(String(starts[index])) - Date.parse(at)) / 1000)
  }
  expect(mailsTo(waiter, 'Times that start soon')).toEqual([])
})

describe('an hour that was offered to several', () => {
  let entry: string
  let offerId: string
  beforeEach(async () => {
    entry = (await joinWaitlist(app, waiter, practitioner)).entry_id
    await freeSoon()
    const [broadcast, ...more] = await open()
    expect([broadcast?.kind, more]).toEqual(['broadcast', []])
    offerId = String(broadcast?.id)
    await app.queue.drain()
  })
  const seen = async () => {
    const back = await signInAgain(app, waiter)
    const { state, available } = await readOffer(app, back, offerId)
    const [own] = await entriesOf(app, back)
    return { state, available, listed: own?.offers.length }
  }

  test('is in their list once, however often another client holds it and lets it go', async () => {
    const sent = () => mailsTo(waiter, 'A time that starts soon has come free').length
    expect(sent()).toBe(1)
    for (let round = 0; round < 2; round++) {
      const held = await app.call('POST', '/appointment/create-session', {
        token: (await signInAgain(app, booker)).token,
        body: {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          datetime: wantedStart,
          appointment_type: 'online',
        },
      })
      expect(held.status).toBe(201)
      // Matching looks meanwhile, as it does after any change, and each hour.
      await app.services.waitlistMatching.run(practitioner.id, { everything: true })
      await passMinutes(app, 11)
      await passMinutes(app, 3)
      await app.queue.drain()
    }
    expect(await seen()).toEqual({ state: 'open', available: true, listed: 1 })
    expect(sent()).toBe(1)
  })

  test('is over once it starts, which counts as no miss', async () => {
    app.clock.set(later(new Date(wantedStart), -1))
    await passMinutes(app, 0)
    expect((await open()).map(({ id }) => id)).toEqual([offerId])
    app.clock.set(wantedStart)
    await passMinutes(app, 0)
    expect(await seen()).toEqual({ state: 'expired', available: false, listed: 0 })
    expect(await stateOf(entry)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
  })

  test('is withdrawn by time off at that hour alone, at once and without a mail', async () => {
    const before = app.mails().length
    const takeOff = async (first_day: string) => {
      const answer = await app.call('POST', '/therapist/time-off', {
        token: await therapist(),
        body: { first_day },
      })
      expect(answer.status).toBe(201)
      // Without the minutes in which a freed hour is not offered.
      const { rows } = await sql`select name from pgboss.job where state = 'created'
        and name = 'waitlist.next' and data = ${{ practitioner_id: practitioner.id }}`.execute(app.db)
      expect(rows).toHaveLength(1)
      await app.queue.drain()
    }
    await takeOff('2026-06-06')
    expect(await seen()).toEqual({ state: 'open', available: true, listed: 1 })
    await takeOff('2026-06-05')
    expect(await seen()).toEqual({ state: 'withdrawn', available: false, listed: 0 })
    expect(await stateOf(entry)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    expect(app.mails().slice(before)).toEqual([])
  })

  test("is withdrawn by a time of the practitioner's own calendar that cuts the session", async () => {
    await busyElsewhere(later(new Date(wantedStart), -minutes(30)).toISOString())
    expect(await seen()).toMatchObject({ state: 'open' })
    await busyElsewhere(later(new Date(wantedStart), minutes(30)).toISOString())
    expect(await seen()).toEqual({ state: 'withdrawn', available: false, listed: 0 })
    expect(await stateOf(entry)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
  })

  test('is withdrawn by a suspension, which pauses the list', async () => {
    const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token: (await createAdmin(app)).token,
      body: { cause: 'other', reason: 'A complaint.', sessions: 'freeze' },
    })
    expect(suspended.status).toBe(200)
    await app.queue.drain()
    expect(await seen()).toEqual({ state: 'withdrawn', available: false, listed: 0 })
    expect(await stateOf(entry)).toEqual({ state: 'paused', misses: 0, paused_by: 'practitioner' })
    expect(mailsTo(waiter, 'no longer free')).toEqual([])
  })
})

test('an offer reaches its client by push and mail, neither of which names a practitioner', async () => {
  const keys = {
    p256dh: Buffer.alloc(65, 4).toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  }
  for (const [index, { token }] of [waiter, booker].entries()) {
    const body = { endpoint: `https://push.example.test/${index}`, keys }
    expect((await app.call('POST', '/notices/push', { token, body })).status).toBe(200)
  }
  await joinWaitlist(app, waiter, practitioner)
  await app.queue.drain()
  const before = app.mails().length
  expect(pushed).toEqual([])
  const offerId = await free()
  await app.queue.drain()
  const path = `/book-therapist?offer=${offerId}`
  expect(pushed).toContain(JSON.stringify({ kind: 'waitlist-offer', path, role: 'client' }))
  expect(pushed.filter((text) => text.includes('waitlist-offer'))).toHaveLength(1)
  const { expires_at: end } = await readOffer(app, await signInAgain(app, waiter), offerId)
  expect(ttls[pushed.findIndex((text) => text.includes('waitlist-offer'))]).toBe(
    Math.ceil((Date.parse(String(end)) - app.clock.now().getTime()) / 1000),
  )
  const sent = app
    .mails()
    .slice(before)
    .map(readMail)
    .filter(({ text }) => text.includes('it is your turn'))
  expect(sent).toMatchObject([{ to: waiter.email, subject: 'A time has come free for you' }])
  expect(linkIn(sent[0]?.raw ?? '').searchParams.get('return_to')).toBe(path)
  expect(plainText(sent[0]?.raw ?? '')).not.toMatch(/Priya|Patel/)
})

describe('the price of an offer', () => {
  test('is the one at the offer, also after the fee was raised during the turn', async () => {
    await joinWaitlist(app, waiter, practitioner)
    const offer = await readOffer(app, waiter, await free())
    const appointment = String(offer.appointment_id)
    const raised = { online: [{ service_id: 1, duration: 50, fee: 75 }] }
    const saved = await app.call('POST', '/therapist/add-service-list', {
      token: await therapist(),
      body: raised,
    })
    expect(saved.status).toBe(200)
    expect(await readOffer(app, waiter, offer.offer_id)).toMatchObject({ fee: 60, full_fee: 60 })

    const pay = (fee: number) =>
      app.call('POST', '/payment/sandbox/existing-card-payment', {
        token: waiter.token,
        body: { session_id: appointment, customer_id: card, fee_amount: fee },
      })
    const wrong = await pay(75)
    expect([wrong.status, wrong.body.code, wrong.body.details]).toEqual([422, 'price_changed', { fee: 60 }])
    const intents = app.db.selectFrom('payment_intents').selectAll().where('appointment_id', '=', appointment)
    expect(await intents.execute()).toEqual([])
    expect((await atGateway())?.reserved).toBe(0)
    expect(await open()).toMatchObject([{ id: offer.offer_id }])

    expect((await pay(60)).status).toBe(200)
    expect((await confirmOffered(app, waiter, appointment)).body).toMatchObject({ status: 'confirmed' })
    expect(await atGateway()).toEqual({ taken: 6000, reserved: 0 })
  })
})

test("the bank's question extends the hold of an offer once by ten minutes, in which it can be paid", async () => {
  const entry = await joinWaitlist(app, waiter, practitioner)
  const offerId = await free()
  const { appointment_id, expires_at } = await readOffer(app, waiter, offerId)
  const appointment = String(appointment_id)
  expect(expires_at).toBe('2026-06-01T12:04:00.000Z')
  const asking = await saveCard(app, waiter, cards.authentication)
  const ends = async (client: Client) => [
    (await readOffer(app, client, offerId)).expires_at,
    (await entriesOf(app, client))[0]?.offers[0]?.expires_at,
  ]
  await passMinutes(app, 200)
  let back = await signInAgain(app, waiter)
  const extended = '2026-06-01T12:14:00.000Z'
  for (const _ of ['first', 'second']) {
    const asked = await payOffered(app, back, appointment, asking)
    expect([asked.status, asked.body.code]).toEqual([402, 'authentication_required'])
    expect(await ends(back)).toEqual([extended, extended])
  }
  app.clock.set(later(new Date(extended), -1))
  await passMinutes(app, 0)
  back = await signInAgain(app, waiter)
  const authenticated = await app.call('POST', '/payment/sandbox/confirm-authentication', {
    token: back.token,
    body: { session_id: appointment },
  })
  expect(authenticated.body).toMatchObject({ status: 'authorised' })
  expect((await confirmOffered(app, back, appointment)).body).toMatchObject({ status: 'confirmed' })
  expect((await stateOf(entry.entry_id)).state).toBe('booked')
  expect(await atGateway()).toEqual({ taken: 6000, reserved: 0 })
})

describe('an offer is withdrawn with its payment voided', () => {
  test.each([
    [
      'takes time off',
      async () => {
        const body = { first_day: '2026-06-05' }
        const taken = await app.call('POST', '/therapist/time-off', { token: await therapist(), body })
        expect(taken.status).toBe(201)
      },
    ],
    ['is busy in their own calendar', () => busyElsewhere(wantedStart)],
    ...[true, false].map((hasHours): [string, () => Promise<void>] => [
      `gives up the place of the session, ${hasHours ? 'with' : 'without'} hours there`,
      async () => {
        if (!hasHours) {
          await app.db.deleteFrom('weekly_hours').where('location_id', '=', practitioner.locationId).execute()
        }
        const body = { location_list: [] }
        const saved = await app.call('POST', '/therapist/add-location-list', {
          token: await therapist(),
          body,
        })
        expect(saved.status).toBe(200)
      },
    ]),
  ])('when the practitioner %s, with an apology', async (_, act) => {
    const entry = await joinWaitlist(app, waiter, practitioner, { appointment_type: 'face_to_face' })
    const offer = await readOffer(app, waiter, await free())
    const appointment = String(offer.appointment_id)
    expect((await payOffered(app, waiter, appointment, card)).status).toBe(200)
    await act()
    await app.queue.drain()
    expect(await offers()).toMatchObject([{ state: 'withdrawn' }])
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    expect(mailsTo(waiter, 'The time we offered you is no longer free')).toHaveLength(1)
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    const late = await confirmOffered(app, waiter, appointment)
    expect([late.status, late.body.code]).toEqual([409, 'offer_over'])
  })

  test.each([
    ['pays', (appointment: string) => payOffered(app, waiter, appointment, card)],
    ['confirms', (appointment: string) => confirmOffered(app, waiter, appointment)],
  ])('when its client %s right after time off was entered, which is no miss', async (_, act) => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const offer = await readOffer(app, waiter, await free())
    const appointment = String(offer.appointment_id)
    expect((await payOffered(app, waiter, appointment, card)).status).toBe(200)
    const body = { first_day: '2026-06-05' }
    await app.call('POST', '/therapist/time-off', { token: await therapist(), body })
    const refused = await act(appointment)
    expect([refused.status, refused.body.code]).toEqual([409, 'offer_over'])
    await app.queue.drain()
    expect(await offers()).toMatchObject([{ state: 'withdrawn' }])
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
  })

  test('by a suspension, which pauses the list; reinstated, it goes on with its order', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const other = await createClient(app)
    const second = await joinWaitlist(app, other, practitioner)
    const own = await createClient(app)
    const paused = await joinWaitlist(app, own, practitioner)
    await app.call('PUT', `/waitlist/${paused.entry_id}`, { token: own.token, body: { state: 'paused' } })
    const offer = await readOffer(app, waiter, await free())
    expect((await payOffered(app, waiter, String(offer.appointment_id), card)).status).toBe(200)
    const admin = await createAdmin(app)
    const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token: admin.token,
      body: { cause: 'other', reason: 'A complaint.', sessions: 'freeze' },
    })
    expect(suspended.status).toBe(200)
    await app.queue.drain()
    expect(await offers()).toMatchObject([{ state: 'withdrawn' }])
    for (const id of [entry.entry_id, second.entry_id]) {
      expect(await stateOf(id)).toMatchObject({ state: 'paused', paused_by: 'practitioner' })
    }
    expect(mailsTo(waiter, 'no longer free')).toHaveLength(1)
    await finishPayments()
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    const refused = await app.call('PUT', `/waitlist/${entry.entry_id}`, {
      token: waiter.token,
      body: { state: 'waiting' },
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
    await passMinutes(app, 60)
    expect(await open()).toEqual([])

    const back = await app.call('POST', `/admin/practitioners/${practitioner.id}/reinstate`, {
      token: (await createAdmin(app)).token,
      body: {},
    })
    expect(back.status).toBe(200)
    expect((await stateOf(entry.entry_id)).state).toBe('waiting')
    expect(await stateOf(paused.entry_id)).toMatchObject({ state: 'paused', paused_by: 'client' })
    const [seen] = await entriesOf(app, await signInAgain(app, waiter))
    expect(seen).toMatchObject({ place: 1, waiting: 2 })
  })

  test('by the closing of a profile, with an apology that names no place, and ends the list', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const other = await createClient(app)
    const second = await joinWaitlist(app, other, practitioner)
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const offer = await readOffer(app, waiter, await free())
    const appointment = String(offer.appointment_id)
    expect((await payOffered(app, waiter, appointment, card)).status).toBe(200)
    expect(await atGateway()).toEqual({ taken: 0, reserved: 6000 })
    const closed = await app.call('POST', `/admin/practitioners/${practitioner.id}/close`, {
      token: (await createAdmin(app)).token,
      body: { reason: 'They have retired.' },
    })
    expect(closed.status).toBe(200)
    await app.queue.drain()
    await finishPayments()
    expect(await offers()).toMatchObject([{ state: 'withdrawn', entry_id: entry.entry_id }])
    for (const id of [entry.entry_id, second.entry_id]) {
      expect(await stateOf(id)).toMatchObject({ state: 'ended', misses: 0 })
    }
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    const [apology, ...more] = mailsTo(waiter, 'The time we offered you is no longer free')
    expect(more).toEqual([])
    expect(apology).toContain('no longer offers sessions on Hearth, so this waitlist has ended')
    expect(apology).not.toContain('You keep your place')
    expect(mailsTo(other, 'come free')).toEqual([])
    const [ended, ...again] = mailsTo(other, 'Your waitlist has ended')
    expect(again).toEqual([])
    expect(ended).toContain('no longer offers sessions on Hearth, so your place on their waitlist has ended')
    // The apology says so already.
    expect(mailsTo(waiter, 'Your waitlist has ended')).toEqual([])
    const row = await app.db
      .selectFrom('practitioners')
      .select('waiting')
      .where('id', '=', practitioner.id)
      .executeTakeFirstOrThrow()
    expect(row.waiting).toBe(0)
    const late = await confirmOffered(app, waiter, appointment)
    expect([late.status, late.body.code]).toEqual([409, 'offer_over'])
    await passMinutes(app, 60)
    expect(await open()).toEqual([])
  })
})

describe('a session to be replaced', () => {
  test('is cancelled and refunded in the transaction that confirms the new one', async () => {
    const old = await bookSession(app, {
      practitioner,
      client: waiter,
      startsAt: '2026-06-12T09:00:00Z',
      card,
    })
    const entry = await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
    expect(entry.swaps).toEqual({
      appointment_id: old,
      starts_at: '2026-06-12T09:00:00.000Z',
      possible: true,
    })
    const offer = await readOffer(app, waiter, await free())
    expect(offer.swap).toEqual({
      appointment_id: old,
      starts_at: '2026-06-12T09:00:00.000Z',
      refund: 60,
      discount: 0,
      dispute: null,
      possible: true,
      until: '2026-06-10T09:00:00.000Z',
    })
    expect((await payOffered(app, waiter, String(offer.appointment_id), card)).status).toBe(200)
    expect((await confirmOffered(app, waiter, String(offer.appointment_id))).status).toBe(200)
    const states = await app.db
      .selectFrom('appointments')
      .select(['id', 'state'])
      .where('client_id', '=', waiter.id)
      .execute()
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [old, 'cancelled'],
        [offer.appointment_id, 'confirmed'],
      ]),
    )
    await finishPayments()
    expect(await atGateway()).toEqual({ taken: 6000, reserved: 0 })
    expect(Object.values(await ledger(app)).reduce((sum, pence) => sum + pence, 0)).toBe(0)
  })

  test.each([
    ['that was shown', () => ({ replaces_starts_at: '2026-06-12T09:00:00.000Z' }), 'cancelled'],
    ['of another place', () => ({ replaces_appointment_id: crypto.randomUUID() }), 'confirmed'],
    ['that was not shown', () => ({ replaces_appointment_id: null, replaces_starts_at: null }), 'confirmed'],
    ['that was not shown, nor a time', () => ({ replaces_appointment_id: null }), 'confirmed'],
    ['shown at another time', () => ({ replaces_starts_at: '2026-06-11T09:00:00.000Z' }), 'confirmed'],
  ])('%s at a turn is cancelled only as it was shown', async (_, shown, state) => {
    const startsAt = '2026-06-12T09:00:00Z'
    const old = await bookSession(app, { practitioner, client: waiter, startsAt, card })
    await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
    const offer = await readOffer(app, waiter, await free())
    const query = new URLSearchParams({
      practitioner_id: String(practitioner.id),
      starts_at: offer.starts_at,
    })
    const told = await app.call('GET', `/client/waitlist/swap?${query}`, { token: waiter.token })
    expect(told.body.data).toEqual(offer.swap)
    expect((await payOffered(app, waiter, String(offer.appointment_id), card)).status).toBe(200)
    const body = { replaces_appointment_id: old, ...shown() }
    expect((await confirmOffered(app, waiter, String(offer.appointment_id), body)).status).toBe(200)
    const after = app.db.selectFrom('appointments').select('state').where('id', '=', old)
    expect(await after.executeTakeFirst()).toEqual({ state })
    await finishPayments()
    expect(await atGateway()).toEqual({ taken: state === 'cancelled' ? 6000 : 12_000, reserved: 0 })
  })

  describe('for an hour that starts soon', () => {
    let old: string
    let back: Client
    beforeEach(async () => {
      old = await bookSession(app, { practitioner, client: waiter, startsAt: '2026-06-12T09:00:00Z', card })
      await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
      await freeSoon()
      back = await signInAgain(app, waiter)
      expect(await open()).toMatchObject([{ kind: 'broadcast' }])
    })
    const stateOfOld = async () => {
      const session = app.db.selectFrom('appointments').select('state').where('id', '=', old)
      return (await session.executeTakeFirstOrThrow()).state
    }

    test.each([
      ['was shown', () => old, 'cancelled'],
      ['was not asked about, by an older page', () => undefined, 'cancelled'],
      ['was not shown', () => null, 'confirmed'],
      ['is not the one that was shown', () => crypto.randomUUID(), 'confirmed'],
    ])('that %s', async (_, replaces, state) => {
      await bookSession(app, {
        practitioner,
        client: back,
        startsAt: wantedStart,
        card,
        replaces: replaces(),
      })
      expect(await stateOfOld()).toBe(state)
      expect(await open()).toEqual([])
      await finishPayments()
      expect(await atGateway()).toEqual({ taken: state === 'cancelled' ? 6000 : 12_000, reserved: 0 })
    })

    test('stays if it starts at another time than was shown', async () => {
      const replacesStart = '2026-06-11T09:00:00.000Z'
      const booked = { practitioner, client: back, startsAt: wantedStart, card, replaces: old, replacesStart }
      await bookSession(app, booked)
      expect(await stateOfOld()).toBe('confirmed')
    })

    test('is named to the client who was told of the hour alone, and starts no clock', async () => {
      const started = async () =>
        (await app.db.selectFrom('waitlist_offers').select('started_at').execute()).map(
          ({ started_at }) => started_at,
        )
      const before = await started()
      const swapOf = async (token: string, practitionerId: number, startsAt: string) => {
        const query = new URLSearchParams({ practitioner_id: String(practitionerId), starts_at: startsAt })
        const answer = await app.call('GET', `/client/waitlist/swap?${query}`, { token })
        expect(answer.status).toBe(200)
        return answer.body.data
      }
      expect(await swapOf(back.token, practitioner.id, wantedStart)).toMatchObject({
        appointment_id: old,
        refund: 60,
        possible: true,
      })
      const { token } = await createClient(app)
      expect([
        await swapOf(token, practitioner.id, wantedStart),
        await swapOf(back.token, practitioner.id + 1, wantedStart),
        await swapOf(back.token, practitioner.id, '2026-06-05T10:00:00.000Z'),
      ]).toEqual([null, null, null])
      expect(await started()).toEqual(before)
    })

    test('stays where another session is moved to that hour', async () => {
      const moving = await bookSession(app, {
        practitioner,
        client: back,
        startsAt: '2026-06-19T09:00:00Z',
        card,
      })
      const moved = await app.call('POST', '/appointment/edit-session', {
        token: back.token,
        body: { appointment_id: moving, type: 'online', appointment_datetime: wantedStart },
      })
      expect(moved.status).toBe(200)
      expect(await stateOfOld()).toBe('confirmed')
    })
  })

  test('is shown with the dispute of its payment, so that its refund is not promised', async () => {
    const old = await bookSession(app, {
      practitioner,
      client: waiter,
      startsAt: '2026-06-12T09:00:00Z',
      card,
    })
    const { gateway_ref, id } = await app.db
      .selectFrom('payment_intents')
      .select(['gateway_ref', 'id'])
      .where('appointment_id', '=', old)
      .executeTakeFirstOrThrow()
    await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
    const offer = await free()
    expect((await readOffer(app, waiter, offer)).swap?.dispute).toBeNull()
    await sandboxDashboard(app.db).dispute(String(gateway_ref))
    await app.services.payments.lookAgain(id)
    expect((await readOffer(app, waiter, offer)).swap).toMatchObject({ dispute: 'open', possible: true })
  })

  test('is shown with what is left of its payment, once a part was refunded at the payment provider', async () => {
    const old = await bookSession(app, {
      practitioner,
      client: waiter,
      startsAt: '2026-06-12T09:00:00Z',
      card,
    })
    const { gateway_ref, id } = await app.db
      .selectFrom('payment_intents')
      .select(['gateway_ref', 'id'])
      .where('appointment_id', '=', old)
      .executeTakeFirstOrThrow()
    await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
    const offer = await free()
    const dashboard = sandboxDashboard(app.db)
    await dashboard.refund(String(gateway_ref), 2000)
    await app.services.payments.lookAgain(id)
    expect((await readOffer(app, waiter, offer)).swap).toMatchObject({ refund: 40, possible: true })
    await dashboard.refund(String(gateway_ref))
    await app.services.payments.lookAgain(id)
    expect((await readOffer(app, waiter, offer)).swap).toMatchObject({ refund: 0, possible: true })
  })

  describe('that has the first-session discount', () => {
    let old: string
    let entryId: string
    const swap = async (offer: { appointment_id: string | null }, paidWith: string) => {
      expect((await payOffered(app, waiter, String(offer.appointment_id), paidWith)).status).toBe(200)
      const answer = await confirmOffered(app, waiter, String(offer.appointment_id))
      await finishPayments()
      return answer
    }
    beforeEach(async () => {
      waiter = await createClient(app, { name: 'Billie Grey', referral_code: booker.referralCode })
      await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
      card = await saveCard(app, waiter, cards.alsoSucceeds)
      old = await bookSession(app, { practitioner, client: waiter, startsAt: '2026-06-12T09:00:00Z', card })
      entryId = (await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })).entry_id
    })

    test('leaves it to the new one, whose part of it is refunded', async () => {
      const offer = await readOffer(app, waiter, await free())
      expect([offer.fee, offer.swap]).toMatchObject([60, { refund: 60, discount: 12 }])
      const { body } = await swap(offer, card)
      expect(body).toMatchObject({ status: 'confirmed', fee: 48, discount: 12 })
      expect(await atGateway()).toEqual({ taken: 4800, reserved: 0 })
      expect(await ledger(app)).toEqual({
        gateway_balance: 4800,
        practitioner_payable: -6000,
        referral_discounts: 1200,
      })
      const mails = mailsTo(waiter, 'We have refunded')
      const amounts = mails.map((mail) => mail.match(/refunded (£\S+)/)?.[1])
      expect(amounts.toSorted()).toEqual(['£12.00', '£48.00'])
      // The card has had its discount, and the client too.
      const other = await createClient(app, { referral_code: waiter.referralCode })
      const theirs = await saveCard(app, other, cards.alsoSucceeds)
      const second = { practitioner, client: other, card: theirs, startsAt: '2026-06-19T09:00:00Z' }
      await expect(bookSession(app, second)).rejects.toThrow()
      expect(await atGateway()).toEqual({ taken: 4800, reserved: 0 })
    })

    test('leaves it to the new one, and the practitioner reads as much on balance and statement', async () => {
      const offer = await readOffer(app, waiter, await free())
      await swap(offer, card)
      const own = await therapist()
      const balance = async () => (await app.call('GET', '/therapist/balance', { token: own })).body
      expect(await balance()).toMatchObject({
        // The session whose time became free was paid for and refunded too.
        paid_by_clients: 60 + 48 + 60,
        refunded: 60 + 48 + 12,
        discounts_borne_by_us: 12,
        owed: 60,
        months: ['2026-06'],
      })
      const statement = async () => {
        const answer = await fetch(`${app.origin}/api/v7/therapist/statements/2026-06?format=csv`, {
          headers: { authorization: `Bearer ${own}` },
        })
        const rows = (await answer.text()).split('\r\n').map((row) => row.split(',').slice(-3).join(','))
        return rows.slice(2, -2).toSorted()
      }
      expect(await statement()).toEqual([
        '"-12.00","12.00","0.00"',
        '"-48.00","-12.00","-60.00"',
        '"-60.00","0.00","-60.00"',
        '"48.00","12.00","60.00"',
        '"60.00","0.00","60.00"',
        '"60.00","0.00","60.00"',
      ])
      await cancelSession(app, waiter, String(offer.appointment_id))
      await finishPayments()
      expect(await balance()).toMatchObject({ refunded: 168, discounts_borne_by_us: 0, owed: 0 })
    })

    test('leaves it to the new one also where its refund fails and an admin makes it again', async () => {
      const offer = await readOffer(app, waiter, await free())
      await swap(offer, card)
      const part = await app.db
        .selectFrom('refunds')
        .select(['gateway_ref', 'payment_intent_id'])
        .where('amount_pence', '=', 1200)
        .executeTakeFirstOrThrow()
      await sandboxDashboard(app.db).failRefund(String(part.gateway_ref))
      await app.services.payments.lookAgain(part.payment_intent_id)
      expect(await ledger(app)).toMatchObject({ practitioner_payable: -6000, referral_discounts: 0 })
      app.clock.advance(Date.parse(wantedStart) + 1000 - app.clock.now().getTime())
      const { token } = await createAdmin(app)
      const again = await app.call('POST', `/admin/payments/${offer.appointment_id}/refund`, {
        token,
        body: { amount: 12, reason: 'Sent again.', refunded_before: 0 },
      })
      expect(again.status).toBe(200)
      await finishPayments()
      const [told, ...others] = mailsAbout('What you are owed stays the same')
      expect([others, told]).toEqual([[], expect.stringContaining('We have refunded £12.00')])
      expect(await ledger(app)).toEqual({
        gateway_balance: 4800,
        practitioner_payable: -6000,
        referral_discounts: 1200,
      })
    })

    test('leaves it to the new one also where it is an unpaid one of a series', async () => {
      const { token } = waiter
      await cancelSession(app, waiter, old)
      expect((await app.call('DELETE', `/waitlist/${entryId}`, { token })).status).toBeLessThan(300)
      const offered = await app.call('POST', '/series', {
        token,
        body: {
          practitioner_id: practitioner.id,
          service_id: 1,
          appointment_type: 'online',
          weekday: 2,
          start: '10:00',
          first_on: '2026-06-16',
        },
      })
      const { series_id } = seriesIn(offered)
      const agreed = await app.call('POST', `/series/${series_id}/agree`, {
        token,
        body: { customer_id: card, terms_version: seriesIn(offered).terms?.version, dates: [] },
      })
      const [first, second] = seriesIn(agreed).dates
      expect([first?.fee, second?.fee]).toEqual([48, 60])
      const entry = await joinWaitlist(app, waiter, practitioner, {
        swaps_appointment_id: first?.appointment_id,
      })
      expect(entry.swaps?.appointment_id).toBe(first?.appointment_id)
      const offer = await readOffer(app, waiter, await free())
      expect([offer.fee, offer.swap]).toMatchObject([60, { refund: 12, discount: 12 }])
      expect((await swap(offer, card)).body).toMatchObject({ status: 'confirmed', fee: 48, discount: 12 })
      expect(await ledger(app)).toEqual({
        gateway_balance: 4800,
        practitioner_payable: -6000,
        referral_discounts: 1200,
      })
    })

    test('does not leave it to one paid with a card that has had another', async () => {
      const other = await createClient(app, { referral_code: waiter.referralCode })
      await bookSession(app, { practitioner, client: other, startsAt: '2026-06-19T09:00:00Z' })
      const offer = await readOffer(app, waiter, await free())
      const { body } = await swap(offer, await saveCard(app, waiter))
      expect(body).toMatchObject({ status: 'confirmed', fee: 60, discount: 0 })
      expect(await ledger(app)).toEqual({
        gateway_balance: 4800 + 6000,
        practitioner_payable: -6000 - 6000,
        referral_discounts: 1200,
      })
    })
  })

  test('that is an unpaid one of a series is cancelled at no cost, and its date is moved to the new one', async () => {
    const first = await bookSession(app, {
      practitioner,
      client: waiter,
      startsAt: '2026-06-09T09:00:00Z',
      card,
    })
    const series = await agreeSeries(app, { client: waiter, card, session: first })
    const dates = () =>
      app.db
        .selectFrom('series_dates')
        .select(['on_date', 'state', 'appointment_id'])
        .where('series_id', '=', series.series_id)
        .orderBy('on_date')
        .execute()
    const before = await dates()
    const old = String(before[0]?.appointment_id)
    await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
    const offer = await readOffer(app, waiter, await free())
    expect(offer.swap).toMatchObject({ appointment_id: old, refund: 0, possible: true })
    expect((await payOffered(app, waiter, String(offer.appointment_id), card)).status).toBe(200)
    expect((await confirmOffered(app, waiter, String(offer.appointment_id))).status).toBe(200)
    const row = await app.db
      .selectFrom('appointments')
      .select('state')
      .where('id', '=', old)
      .executeTakeFirst()
    expect(row?.state).toBe('cancelled')
    const [moved, ...others] = await dates()
    expect(moved).toEqual({ on_date: '2026-06-16', state: 'moved', appointment_id: offer.appointment_id })
    expect(others).toEqual(before.slice(1))
    await app.services.series.sweep()
    expect(await dates()).toEqual([moved, ...others])
    const refunds = await app.db
      .selectFrom('refunds as r')
      .innerJoin('payment_intents as i', 'i.id', 'r.payment_intent_id')
      .select('r.id')
      .where('i.appointment_id', '=', old)
      .execute()
    expect(refunds).toEqual([])
  })

  describe('that can be changed until 3 June at 09:00', () => {
    let old: string
    beforeEach(async () => {
      // Booked on 1 June at 09:00 in London, for less than 96 hours later.
      old = await bookSession(app, { practitioner, client: waiter, startsAt: '2026-06-04T09:00:00Z', card })
    })
    const stateOfOld = async () =>
      (
        await app.db
          .selectFrom('appointments')
          .select('state')
          .where('id', '=', old)
          .executeTakeFirstOrThrow()
      ).state

    test('is refused after that, and no place is made', async () => {
      app.clock.set('2026-06-03T08:00:00.001Z')
      const back = await signInAgain(app, waiter)
      const answer = await app.call('POST', '/waitlist', {
        token: back.token,
        body: joinBody(practitioner, { swaps_appointment_id: old }),
      })
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['swaps_appointment_id']])
      expect(await entriesOf(app, back)).toEqual([])
      expect(await stateOfOld()).toBe('confirmed')
    })

    test.each([
      ['has become unchangeable meanwhile', '2026-06-03T08:05:00Z'],
      ['would become unchangeable within the turn', '2026-06-03T07:30:00Z'],
    ])('is not offered in exchange once it %s: the next is asked', async (_, cancelledAt) => {
      const entry = await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
      const next = await joinWaitlist(app, await createClient(app), practitioner)
      app.clock.set(cancelledAt)
      await free()
      expect(await offers()).toMatchObject([{ entry_id: next.entry_id, kind: 'turn', state: 'open' }])
      expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
      expect(await stateOfOld()).toBe('confirmed')
      app.clock.set('2026-06-03T12:00:00Z')
      const [own] = await entriesOf(app, await signInAgain(app, waiter))
      expect(own?.swaps).toMatchObject({ appointment_id: old, possible: false })
    })

    test('and that its practitioner cancels leaves its client waiting for any time, with the place', async () => {
      const entry = await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
      await joinWaitlist(app, await createClient(app), practitioner)
      const cancelled = await app.call('POST', `/therapist/sessions/${old}/cancel`, {
        token: await therapist(),
        body: {},
      })
      expect(cancelled.status).toBe(200)
      const changed = await app.call('PUT', `/waitlist/${entry.entry_id}`, {
        token: waiter.token,
        body: { lead_minutes: 120 },
      })
      expect([changed.status, changed.body.swaps]).toEqual([200, null])
      await free()
      expect(await offers()).toMatchObject([{ entry_id: entry.entry_id, kind: 'turn', state: 'open' }])
    })

    test('is offered in exchange by hand only if it can be cancelled until the end of the turn', async () => {
      const { entry_id: id } = await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
      const offer = async () =>
        app.call('POST', `/therapist/waitlist/${id}/offer`, {
          token: await therapist(),
          body: { starts_at: '2026-06-10T09:00:00Z' },
        })
      app.clock.set('2026-06-03T07:30:00Z')
      const late = await offer()
      expect([late.status, late.body.code]).toEqual([409, 'request_over'])
      expect(await offers()).toEqual([])
      expect(mailsTo(waiter, 'has come free')).toEqual([])
      expect(await stateOf(id)).toMatchObject({ state: 'waiting' })
      app.clock.set('2026-06-03T08:05:00Z')
      // It would be one more session, as the page of the offer says.
      expect((await offer()).status).toBe(200)
      const [made] = await open()
      const back = await signInAgain(app, waiter)
      expect((await readOffer(app, back, made?.id ?? '')).swap).toMatchObject({
        possible: false,
        until: null,
      })
    })

    test('is offered in exchange while a whole turn is left', async () => {
      const entry = await joinWaitlist(app, waiter, practitioner, { swaps_appointment_id: old })
      await joinWaitlist(app, await createClient(app), practitioner)
      app.clock.set('2026-06-02T10:00:00Z')
      await free()
      expect(await offers()).toMatchObject([{ entry_id: entry.entry_id, kind: 'turn', state: 'open' }])
    })
  })

  test('of another client is refused as if it did not exist', async () => {
    const answer = await app.call('POST', '/waitlist', {
      token: waiter.token,
      body: {
        practitioner_id: practitioner.id,
        service_id: 1,
        appointment_type: 'online',
        windows: [{ weekdays: [1], from: '08:00', to: '12:00' }],
        lead_minutes: 60,
        timezone: 'Europe/London',
        swaps_appointment_id: booked,
      },
    })
    expect(answer.status).toBe(404)
    expect(await entriesOf(app, waiter)).toEqual([])
  })
})

describe('the practitioner', () => {
  test('sees initials, windows and the hours that are wanted, and no name', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const answer = await app.call('GET', '/therapist/waitlist?from=2026-06-05', { token: await therapist() })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toMatch(/Billie|Grey|@/)
    const list = answer.body as unknown as PractitionerWaitlist
    expect(list).toMatchObject({
      open: true,
      waiting: 1,
      entries: [{ entry_id: entry.entry_id, initials: 'B. G.', state: 'waiting' }],
      week: {
        week_starts: '2026-06-01',
        offered: [],
        wanted: [{ starts_at: wantedStart, entry_ids: [entry.entry_id], free: false }],
      },
    })
    await free()
    const after = await app.call('GET', '/therapist/waitlist?from=2026-06-01', { token: await therapist() })
    expect((after.body as unknown as PractitionerWaitlist).week.offered).toMatchObject([
      { entry_id: entry.entry_id, initials: 'B. G.', starts_at: wantedStart },
    ])
  })

  test('offers a free time out of order, which the audit log records', async () => {
    await joinWaitlist(app, waiter, practitioner)
    const other = await createClient(app)
    const second = await joinWaitlist(app, other, practitioner)
    const token = await therapist()
    const offer = (startsAt: string) =>
      app.call('POST', `/therapist/waitlist/${second.entry_id}/offer`, {
        token,
        body: { starts_at: startsAt },
      })
    const taken = await offer(wantedStart)
    expect([taken.status, taken.body.code]).toEqual([422, 'slot_not_offered'])
    expect(await offers()).toEqual([])
    const made = await offer('2026-06-10T09:00:00Z')
    expect([made.status, made.body.state]).toEqual([200, 'offered'])
    expect(await offers()).toMatchObject([{ entry_id: second.entry_id, by_hand: true, kind: 'turn' }])
    const again = await offer('2026-06-11T09:00:00Z')
    expect([again.status, again.body.code]).toEqual([409, 'request_over'])
    const log = await app.db.selectFrom('audit_log').select(['actor_id', 'action', 'subject']).execute()
    expect(log).toEqual([
      {
        actor_id: practitioner.accountId,
        action: 'offer a time out of order',
        subject: `waitlist entry ${second.entry_id}, 2026-06-10T09:00:00.000Z`,
      },
    ])
  })
})

describe('an offer by hand', () => {
  let entry: string
  const offer = async (startsAt: string) =>
    app.call('POST', `/therapist/waitlist/${entry}/offer`, {
      token: await therapist(),
      body: { starts_at: startsAt },
    })
  const audited = () => app.db.selectFrom('audit_log').select('action').execute()
  beforeEach(async () => {
    entry = (await joinWaitlist(app, waiter, practitioner)).entry_id
  })

  test('of an hour that starts soon is sent to that client, and the hour stays public', async () => {
    const other = await createClient(app)
    await joinWaitlist(app, other, practitioner)
    app.clock.set('2026-06-04T06:00:00Z')
    const start = '2026-06-04T09:00:00.000Z'
    const made = await offer(start)
    expect([made.status, made.body.state]).toEqual([200, 'waiting'])
    expect(await offers()).toMatchObject([
      { entry_id: entry, kind: 'broadcast', state: 'open', by_hand: true, appointment_id: null },
    ])
    expect(await audited()).toEqual([{ action: 'offer a time out of order' }])
    await app.queue.drain()
    const [mail, ...more] = mailsTo(waiter, 'A time that starts soon has come free')
    expect(more).toEqual([])
    expect(mail).toContain('They have offered it to you.')
    expect(mail).not.toContain('everyone')
    expect(mailsTo(other, 'come free')).toEqual([])
    const slots = await app.call(
      'GET',
      `/practitioner/${practitioner.id}/next-available-sessions?from=2026-06-04&days=1`,
    )
    expect(slots.body.slots).toContainEqual(expect.objectContaining({ starts_at: start }))
  })

  test('of an hour that starts soon is sent once, also when it is repeated', async () => {
    app.clock.set('2026-06-04T06:00:00Z')
    const start = '2026-06-04T09:00:00.000Z'
    for (const _ of [1, 2]) {
      const made = await offer(start)
      expect([made.status, made.body.state]).toEqual([200, 'waiting'])
    }
    expect(await offers()).toHaveLength(1)
    expect(await audited()).toHaveLength(1)
    await app.queue.drain()
    expect(mailsTo(waiter, 'A time that starts soon has come free')).toHaveLength(1)
  })

  /** Another client waits, for any day until then, though hours that suit have come free since. */
  const waitUntil = async (latest: string) => {
    const other = await createClient(app)
    entry = (await joinWaitlist(app, other, practitioner)).entry_id
    await app.db.updateTable('waitlist_entries').set({ latest }).where('id', '=', entry).execute()
    return other
  }
  const wantedFrom = async (from: string) => {
    const list = await app.call('GET', `/therapist/waitlist?from=${from}`, { token: await therapist() })
    return (list.body as unknown as PractitionerWaitlist).week.wanted.filter(({ entry_ids }) =>
      entry_ids.includes(entry),
    )
  }

  test('of an hour that the client has declined is refused, and the week no longer lists it as wanted', async () => {
    const start = '2026-06-10T09:00:00.000Z'
    const asking = await waitUntil('2026-06-19')
    const others = (await wantedFrom('2026-06-08')).map(({ starts_at }) => starts_at)
    expect(others).toContain(start)
    expect((await offer(start)).status).toBe(200)
    const { token } = asking
    const id = (await offers())[0]?.id
    expect((await app.call('POST', `/waitlist/offers/${id}/decline`, { token })).status).toBe(200)
    expect((await wantedFrom('2026-06-08')).map(({ starts_at }) => starts_at)).toEqual(
      others.filter((each) => each !== start),
    )
    const again = await offer(start)
    expect([again.status, again.body.code]).toEqual([409, 'request_over'])
    expect((await offers()).map(({ state }) => state)).toEqual(['declined'])
    expect(await audited()).toHaveLength(1)
    expect((await offer('2026-06-11T09:00:00.000Z')).status).toBe(200)
  })

  test('of an hour that is kept for the other format is refused, and does not count as wanted', async () => {
    const start = '2026-06-10T09:00:00.000Z'
    await waitUntil('2026-06-19')
    const wanted = async () => (await wantedFrom('2026-06-08')).map(({ starts_at }) => starts_at)
    const before = await wanted()
    expect(before).toContain(start)
    await app.db
      .deleteFrom('weekly_hours')
      .where('practitioner_id', '=', practitioner.id)
      .where('weekday', '=', 3)
      .where('appointment_type', '=', 'online')
      .execute()
    expect(await wanted()).toEqual(before.filter((each) => each !== start))
    expect((await offer(start)).body.code).toBe('slot_not_offered')
    expect(await offers()).toEqual([])
  })

  test('to a client where one of the two has blocked the other is refused, and no hour counts as wanted', async () => {
    const chat = await signInToChat(app, (await waitUntil('2026-06-19')).token)
    const { _id: dialog } = (
      await app.call('POST', '/chat/dialogs', {
        token: chat.token,
        body: { practitioner_id: practitioner.id },
      })
    ).body
    expect(await wantedFrom('2026-06-08')).not.toEqual([])
    await app.call('POST', `/chat/dialogs/${String(dialog)}/block`, { token: chat.token })
    expect(await wantedFrom('2026-06-08')).toEqual([])
    const refused = await offer('2026-06-10T09:00:00.000Z')
    expect([refused.status, refused.body.code]).toEqual([409, 'request_over'])
    expect(await offers()).toEqual([])
    expect(await audited()).toEqual([])
  })

  test('of an hour at which the client has another session is refused, and nothing is kept or sent', async () => {
    const start = '2026-06-10T09:00:00.000Z'
    await bookSession(app, {
      practitioner: await createPractitioner(app),
      client: waiter,
      startsAt: start,
      card,
    })
    await app.queue.drain()
    const before = app.mails().length
    const refused = await offer(start)
    expect([refused.status, refused.body.code]).toEqual([409, 'client_busy'])
    expect(await offers()).toEqual([])
    expect((await stateOf(entry)).state).toBe('waiting')
    expect(await audited()).toEqual([])
    await app.queue.drain()
    expect(app.mails().slice(before)).toEqual([])
    const { rows } = await sql`select from reservations where practitioner_id = ${practitioner.id}
      and state <> 'released' and lower(during) = ${start}`.execute(app.db)
    expect(rows).toEqual([])
  })
})

describe('a place', () => {
  test('with a practitioner who takes no sessions is not changed to a service that they do not offer', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token: (await createAdmin(app)).token,
      body: { cause: 'other', reason: 'A complaint.', sessions: 'freeze' },
    })
    expect(suspended.status).toBe(200)
    const change = (body: object) =>
      app.call('PUT', `/waitlist/${entry.entry_id}`, { token: waiter.token, body })
    for (const service_id of [2, 999_999]) {
      const refused = await change({ service_id })
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['service_id']])
    }
    const changed = await change({ appointment_type: 'face_to_face', lead_minutes: 120 })
    expect([changed.status, changed.body.service_id, changed.body.fee]).toEqual([200, 1, 80])
  })

  /** Joins for a time that is not free before the place ends. */
  const joinForLong = async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    await app.db
      .updateTable('waitlist_entries')
      .set({ latest: null, earliest: '2026-12-01' })
      .where('id', '=', entry.entry_id)
      .execute()
    return entry
  }

  test('ends after 60 days, its client is asked before, and one press keeps it', async () => {
    const entry = await joinForLong()
    app.clock.set('2026-07-25T09:00:00Z')
    await passMinutes(app, 0)
    await passMinutes(app, 60)
    await app.queue.drain()
    expect(mailsTo(waiter, 'Are you still waiting?')).toHaveLength(1)
    const kept = await app.call('PUT', `/waitlist/${entry.entry_id}`, {
      token: (await signInAgain(app, waiter)).token,
      body: { state: 'waiting' },
    })
    expect(kept.body.ends_at).toBe('2026-09-23T10:00:00.000Z')
    app.clock.set('2026-09-23T10:00:00Z')
    await passMinutes(app, 0)
    expect((await stateOf(entry.entry_id)).state).toBe('ended')
    expect(await entriesOf(app, await signInAgain(app, waiter))).toEqual([])
  })

  test('is kept for as long as its practitioner is suspended, and its client is asked after that', async () => {
    const entry = await joinForLong()
    const act = async (what: 'suspend' | 'reinstate', body?: object) => {
      const { token } = await createAdmin(app)
      const path = `/admin/practitioners/${practitioner.id}/${what}`
      expect((await app.call('POST', path, { token, body })).status).toBe(200)
    }
    await act('suspend', { cause: 'other', reason: 'A complaint.', sessions: 'freeze' })
    app.clock.set('2026-09-01T09:00:00Z')
    await passMinutes(app, 0)
    await app.queue.drain()
    expect(await stateOf(entry.entry_id)).toMatchObject({ state: 'paused', paused_by: 'practitioner' })
    expect(mailsTo(waiter, 'Are you still waiting?')).toEqual([])

    await act('reinstate', { reason: 'It is settled.' })
    await passMinutes(app, 0)
    await app.queue.drain()
    expect(await entriesOf(app, await signInAgain(app, waiter))).toMatchObject([
      { state: 'waiting', place: 1, ends_at: '2026-09-08T09:00:00.000Z' },
    ])
    expect(mailsTo(waiter, 'Are you still waiting?')).toHaveLength(1)
    app.clock.set('2026-09-08T09:00:00Z')
    await passMinutes(app, 0)
    expect((await stateOf(entry.entry_id)).state).toBe('ended')
  })

  test('is exported, and erased with the account while an offer is open', async () => {
    await joinWaitlist(app, waiter, practitioner)
    await free()
    await app.call('POST', '/search-wishes', {
      token: waiter.token,
      body: { filters: { issue_id: '1', near: 'LS6', session_type: 'face_to_face' } },
    })
    const sections: ExportSection[] = []
    for (const part of app.personalData()) {
      sections.push(...(await part.exported(app.db, { accountId: waiter.id, role: 'client' })))
    }
    const entriesIn = (title: string) => sections.find((section) => section.title === title)?.entries
    expect(entriesIn('Waitlists')).toMatchObject([
      { times: expect.arrayContaining([expect.objectContaining({ from: expect.any(String) })]) },
    ])
    expect(entriesIn('Offers from waitlists')).toMatchObject([{ outcome: 'open' }])
    expect(entriesIn('Searches you want to hear of')).toMatchObject([
      { filters: { issue_id: '1', near: 'LS6', session_type: 'face_to_face' } },
    ])
    const { rows } = await sql<{
      text: string
    }>`select search_wishes::text as text from search_wishes`.execute(app.db)
    expect(rows[0]?.text).not.toContain('LS6')

    const deleted = await app.call('POST', '/client/delete-account', {
      token: waiter.token,
      body: { current_password: password, understood: true },
    })
    expect(deleted.status).toBe(200)
    for (const table of ['waitlist_entries', 'waitlist_offers', 'search_wishes'] as const) {
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    const live = await sql`select from reservations where state <> 'released'`.execute(app.db)
    expect(live.rows).toEqual([])
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body.waitlist).toEqual({ open: true, waiting: 0 })
  })
})

describe('a search wish', () => {
  const wish = (filters: Record<string, string>) =>
    app.call('POST', '/search-wishes', { token: waiter.token, body: { filters } })

  test('is mailed when the search finds a practitioner, at most once in three days', async () => {
    const added = await wish({ name: 'Quillfeather', sort: 'price_asc' })
    expect([added.status, added.body.filters]).toEqual([201, { name: 'Quillfeather' }])
    expect((await wish({ name: 'Quillfeather' })).body.wish_id).toBe(added.body.wish_id)
    await app.services.searchWishes.sweep()
    await app.queue.drain()
    expect(mailsAbout('Your search has found someone')).toEqual([])
    await createPractitioner(app, { lastName: 'Quillfeather' })
    const hoursLater = async (count: number) => {
      app.clock.advance(count * 3_600_000)
      await app.services.searchWishes.sweep()
      await app.queue.drain()
    }
    await hoursLater(1)
    await hoursLater(1)
    await hoursLater(69)
    expect(mailsAbout('Your search has found someone')).toHaveLength(1)
    await hoursLater(2)
    expect(mailsAbout('Your search has found someone')).toHaveLength(2)
    await hoursLater(60 * 24)
    const left = await app.call('GET', '/client/search-wishes', {
      token: (await signInAgain(app, waiter)).token,
    })
    expect(left.body).toEqual([])
  })

  test('of a place that is not known finds no practitioner, rather than one anywhere', async () => {
    await wish({ name: 'Quillfeather', session_type: 'face_to_face', near: 'Xyzzyville' })
    await createPractitioner(app, { lastName: 'Quillfeather' })
    app.clock.advance(3_600_000)
    await app.services.searchWishes.sweep()
    await app.queue.drain()
    expect(mailsAbout('Your search has found someone')).toEqual([])
  })

  test('is one of three at most, of filters that a search has, and its own client’s alone', async () => {
    expect((await wish({})).status).toBe(422)
    expect((await wish({ issue_id: 'none' })).status).toBe(422)
    for (const id of ['1', '2', '3']) expect((await wish({ issue_id: id })).status).toBe(201)
    const fourth = await wish({ issue_id: '4' })
    expect([fourth.status, fourth.body.code]).toEqual([409, 'conflict'])
    const own = await app.call('GET', '/client/search-wishes', { token: waiter.token })
    const [first] = own.body as unknown as SearchWish[]
    const remove = (client: Client) =>
      app.call('DELETE', `/search-wishes/${first?.wish_id}`, { token: client.token })
    expect((await remove(booker)).status).toBe(404)
    expect((await remove(waiter)).status).toBe(200)
    expect((await app.call('GET', '/client/search-wishes', { token: waiter.token })).body).toHaveLength(2)
  })
})
