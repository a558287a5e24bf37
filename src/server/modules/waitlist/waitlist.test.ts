import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { plainText } from '#test/mails.ts'
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
/** The session at the time that is waited for. */
let booked: string

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { hours: [10] })
  booker = await createClient(app)
  waiter = await createClient(app)
  card = await saveCard(app, waiter)
  booked = await bookSession(app, { practitioner, client: booker, startsAt: wantedStart })
})
afterEach(async () => app.close())

const offers = () =>
  app.db
    .selectFrom('waitlist_offers')
    .select(['id', 'entry_id', 'kind', 'state', 'round', 'appointment_id'])
    .orderBy('made_at')
    .orderBy('round')
    .orderBy('id')
    .execute()
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
const reservationsAt = async (start: string) => {
  const { rows } = await sql<{ state: string; origin: string }>`
    select state, origin from reservations where lower(during) = ${start} and state <> 'released'`.execute(
    app.db,
  )
  return rows
}
/** Sums the payments at the gateway: captured less refunds, and authorised. Pence. */
async function atGateway() {
  const { rows } = await sql<{ taken: number; reserved: number }>`
    select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int as taken,
      coalesce(sum(amount_pence) filter (where state in ('authorised', 'requires_action')), 0)::int as reserved
    from sandbox_gateway.payments`.execute(app.db)
  return rows[0]
}
/** Frees the wanted hour and lets the grace pass. Returns the open offer of the longest waiting. */
async function free(): Promise<string> {
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  app.clock.set('2026-06-01T08:00:00Z')
  expect((await cancelSession(app, booker, booked)).status).toBe(200)
  await passMinutes(app, 3)
  const [offer] = (await offers()).filter(({ state }) => state === 'open')
  if (!offer) throw new Error('Nothing was offered.')
  return offer.id
}

describe('joining', () => {
  test('is refused with the free times while one of them fits', async () => {
    const answer = await app.call('POST', '/waitlist', {
      token: waiter.token,
      body: joinBody(practitioner, { latest: '2026-06-07' }),
    })
    expect([answer.status, answer.body.code]).toEqual([409, 'slot_free'])
    expect(answer.body.details?.slots).toEqual([
      {
        starts_at: '2026-06-06T09:00:00.000Z',
        ends_at: '2026-06-06T09:50:00.000Z',
        appointment_type: 'online',
        location_id: null,
      },
      expect.objectContaining({ starts_at: '2026-06-07T09:00:00.000Z' }),
    ])
    expect(await entriesOf(app, waiter)).toEqual([])
  })

  test('is possible while the client has another session at each time that fits', async () => {
    const other = await createPractitioner(app)
    const card = await saveCard(app, waiter)
    const book = (day: string) =>
      bookSession(app, { practitioner: other, client: waiter, card, startsAt: `${day}T09:00:00Z` })
    await book('2026-06-06')
    const body = joinBody(practitioner, { latest: '2026-06-07' })
    const refused = await app.call('POST', '/waitlist', { token: waiter.token, body })
    expect(refused.body.details?.slots).toEqual([
      expect.objectContaining({ starts_at: '2026-06-07T09:00:00.000Z' }),
    ])
    await book('2026-06-07')
    expect((await app.call('POST', '/waitlist', { token: waiter.token, body })).status).toBe(201)
    expect(await entriesOf(app, waiter)).toMatchObject([{ state: 'waiting', place: 1 }])
  })

  test('gives the last place, which card and profile count', async () => {
    const first = await joinWaitlist(app, waiter, practitioner)
    expect(first).toMatchObject({ state: 'waiting', place: 1, waiting: 1, fee: 60, duration: 50 })
    const second = await joinWaitlist(app, await createClient(app), practitioner)
    expect(second).toMatchObject({ place: 2, waiting: 2 })
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body.waitlist).toEqual({ open: true, waiting: 2 })
    const found = await app.call('GET', '/practitioner/get-practitioners')
    const [shown] = found.body.data as unknown as PractitionerCard[]
    expect(shown?.waitlist).toEqual({ open: true, waiting: 2 })
    expect((await app.call('DELETE', `/waitlist/${first.entry_id}`, { token: waiter.token })).status).toBe(
      200,
    )
    const after = await app.call('GET', '/practitioner/get-practitioners')
    expect((after.body.data as unknown as PractitionerCard[])[0]?.waitlist.waiting).toBe(1)
  })

  test('a second time, or once the list is closed, is refused and leaves nothing', async () => {
    await joinWaitlist(app, waiter, practitioner)
    const again = await app.call('POST', '/waitlist', { token: waiter.token, body: joinBody(practitioner) })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    const therapist = await signInPractitioner(app, practitioner)
    const rules = await app.call('PUT', '/therapist/booking-rules', {
      token: therapist,
      body: { waitlist: 'closed' },
    })
    expect(rules.body).toMatchObject({ notice_minutes: 60, pause_minutes: 0, waitlist: 'closed' })
    const other = await createClient(app)
    const refused = await app.call('POST', '/waitlist', { token: other.token, body: joinBody(practitioner) })
    expect([refused.status, refused.body.code]).toEqual([409, 'waitlist_closed'])
    expect(await entriesOf(app, other)).toEqual([])
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body.waitlist).toEqual({ open: false, waiting: 1 })
  })

  test('for a service that is not offered, or days in the wrong order, names the field', async () => {
    for (const [more, field] of [
      [{ service_id: 2 }, 'service_id'],
      [{ earliest: '2026-06-06' }, 'latest'],
    ] as const) {
      const answer = await app.call('POST', '/waitlist', {
        token: waiter.token,
        body: joinBody(practitioner, more),
      })
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    }
  })
})

describe('a place', () => {
  const change = (client: Pick<Client, 'token'>, id: string, body: object) =>
    app.call('PUT', `/waitlist/${id}`, { token: client.token, body })

  test('is kept through a change, a pause and missed turns, ahead of one who joined later', async () => {
    const { entry_id: entryId, joined_at } = await joinWaitlist(app, waiter, practitioner)
    const other = await createClient(app)
    const { entry_id: otherId } = await joinWaitlist(app, other, practitioner)
    /** States and places of both. */
    const both = async () => {
      const rows = []
      for (const client of [waiter, other]) {
        const [entry] = await entriesOf(app, await signInAgain(app, client))
        rows.push([entry?.state, entry?.place, entry?.waiting, entry?.misses])
      }
      return rows
    }
    const changed = await change(waiter, entryId, { lead_minutes: 1440 })
    expect([changed.status, changed.body.lead_minutes, changed.body.place]).toEqual([200, 1440, 1])
    expect((await change(waiter, entryId, { state: 'paused' })).body.state).toBe('paused')
    expect(await both()).toEqual([
      ['paused', null, 1, 0],
      ['waiting', 1, 1, 0],
    ])
    expect((await change(waiter, entryId, { state: 'waiting' })).body.state).toBe('waiting')
    expect(await both()).toEqual([
      ['waiting', 1, 2, 0],
      ['waiting', 2, 2, 0],
    ])

    await readOffer(app, waiter, await free())
    await passMinutes(app, 241)
    // The turn has passed on.
    expect(await both()).toEqual([
      ['waiting', 1, 2, 1],
      ['offered', 2, 2, 0],
    ])
    const [turn] = (await offers()).filter(({ state }) => state === 'open')
    expect(turn?.entry_id).toBe(otherId)
    const { token } = await signInAgain(app, other)
    expect((await app.call('POST', `/waitlist/offers/${turn?.id}/decline`, { token })).status).toBe(200)
    // Public now, as both were asked. It is booked and cancelled once more.
    const again = await signInAgain(app, booker)
    const second = await bookSession(app, { practitioner, client: again, startsAt: wantedStart })
    await passMinutes(app, 12)
    expect((await cancelSession(app, again, second)).status).toBe(200)
    await passMinutes(app, 3)
    await passMinutes(app, 3)
    expect(await both()).toEqual([
      ['offered', 1, 2, 1],
      ['waiting', 2, 2, 0],
    ])
    await passMinutes(app, 241)
    expect(await both()).toEqual([
      ['paused', null, 1, 2],
      ['offered', 1, 1, 0],
    ])
    const back = await change(await signInAgain(app, waiter), entryId, { state: 'waiting' })
    expect(back.body).toMatchObject({ state: 'waiting', place: 1, waiting: 2, misses: 0, joined_at })
  })

  test('is not changed to times of which one is free, which the answer names', async () => {
    const { entry_id: entryId } = await joinWaitlist(app, waiter, practitioner)
    const refused = await change(waiter, entryId, { latest: '2026-06-06', lead_minutes: 120 })
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_free'])
    expect(refused.body.details?.slots).toEqual([
      expect.objectContaining({ starts_at: '2026-06-06T09:00:00.000Z' }),
    ])
    expect(await entriesOf(app, waiter)).toMatchObject([
      { entry_id: entryId, state: 'waiting', latest: wantedDay, lead_minutes: 60, place: 1 },
    ])
  })
})

describe('a freed hour', () => {
  test('has three minutes of its own in which it is public, also after another one was freed', async () => {
    const busy = await createPractitioner(app, { hours: [10, 11] })
    const host = await createClient(app)
    const nextHour = '2026-06-05T10:00:00.000Z'
    const first = await bookSession(app, { practitioner: busy, client: host, startsAt: wantedStart })
    const second = await bookSession(app, { practitioner: busy, client: host, startsAt: nextHour })
    await joinWaitlist(app, waiter, busy)
    await joinWaitlist(app, await createClient(app), busy)
    const offered = async () =>
      (await app.db.selectFrom('waitlist_offers').select('starts_at').orderBy('starts_at').execute()).map(
        ({ starts_at }) => starts_at.toISOString(),
      )
    expect((await cancelSession(app, host, first)).status).toBe(200)
    await passMinutes(app, 2)
    expect((await cancelSession(app, host, second)).status).toBe(200)
    await passMinutes(app, 1)
    expect(await offered()).toEqual([wantedStart])
    // The client who cancelled by mistake takes it again.
    await bookSession(app, { practitioner: busy, client: host, startsAt: nextHour })
    await passMinutes(app, 2)
    expect(await offered()).toEqual([wantedStart])
    const again = await app.db
      .selectFrom('appointments')
      .select('id')
      .where('starts_at', '=', new Date(nextHour))
      .where('state', '=', 'confirmed')
      .executeTakeFirstOrThrow()
    expect((await cancelSession(app, host, again.id)).status).toBe(200)
    await passMinutes(app, 3)
    expect(await offered()).toEqual([wantedStart, nextHour])
  })

  test('is offered to the longest waiting, whose mail starts the clock and who pays within the turn', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const second = await joinWaitlist(app, await createClient(app), practitioner)
    await app.queue.drain()
    const offerId = await free()
    expect(await offers()).toMatchObject([{ entry_id: entry.entry_id, kind: 'turn', round: 1 }])
    expect(await reservationsAt(wantedStart)).toEqual([{ state: 'held', origin: 'offer' }])
    const slots = await app.call(
      'GET',
      `/practitioner/${practitioner.id}/next-available-sessions?from=${wantedDay}&days=1`,
    )
    expect(slots.body.slots).toEqual([])
    const rowBefore = await app.db.selectFrom('waitlist_offers').selectAll().executeTakeFirstOrThrow()
    expect(rowBefore.started_at).toBeNull()

    await app.queue.drain()
    const [mail] = mailsAbout('A time has come free for you')
    // Handed over at 09:03 in London: four hours, as it is more than three days ahead.
    expect(mail).toContain('until 13:03 on Monday 1 June 2026')
    expect(mail).toContain(`offer%3D${offerId}`)
    const offer = await readOffer(app, waiter, offerId)
    expect(offer).toMatchObject({
      kind: 'turn',
      state: 'open',
      available: true,
      fee: 60,
      starts_at: wantedStart,
      expires_at: '2026-06-01T12:03:00.000Z',
      now: '2026-06-01T08:03:00.000Z',
      swap: null,
    })
    const appointment = String(offer.appointment_id)
    const detail = await app.call('GET', `/appointment/${appointment}`, { token: waiter.token })
    expect(detail.body).toMatchObject({ status: 'pending', hold_extendable: false })
    const extended = await app.call('POST', `/appointment/${appointment}/extend-hold`, {
      token: waiter.token,
    })
    expect([extended.status, extended.body.code]).toEqual([409, 'not_changeable'])

    await passMinutes(app, 239)
    const back = await signInAgain(app, waiter)
    expect((await payOffered(app, back, appointment, card)).status).toBe(200)
    const confirmed = await confirmOffered(app, back, appointment)
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'confirmed'])
    expect(await offers()).toMatchObject([{ state: 'taken' }])
    expect((await stateOf(entry.entry_id)).state).toBe('booked')
    expect((await stateOf(second.entry_id)).state).toBe('waiting')
    expect(await atGateway()).toEqual({ taken: 6000, reserved: 0 })
    expect(Object.values(await ledger(app)).reduce((sum, pence) => sum + pence, 0)).toBe(0)
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body.waitlist).toEqual({ open: true, waiting: 1 })
  })

  test('brings no offer if it was free for less than three minutes', async () => {
    await joinWaitlist(app, waiter, practitioner)
    await cancelSession(app, booker, booked)
    await passMinutes(app, 2)
    expect(await offers()).toEqual([])
    await bookSession(app, { practitioner, client: booker, startsAt: wantedStart })
    await passMinutes(app, 1)
    await passMinutes(app, 60)
    await app.queue.drain()
    expect(await offers()).toEqual([])
    expect(mailsAbout('come free')).toEqual([])
  })

  test('goes to the next client when the first declines, who keeps the place and may decline once more', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const next = await createClient(app)
    const nextEntry = await joinWaitlist(app, next, practitioner)
    const offerId = await free()
    const declined = await app.call('POST', `/waitlist/offers/${offerId}/decline`, { token: waiter.token })
    expect([declined.status, declined.body.state, declined.body.available]).toEqual([200, 'declined', false])
    const again = await app.call('POST', `/waitlist/offers/${offerId}/decline`, { token: waiter.token })
    expect([again.status, again.body.state]).toEqual([200, 'declined'])
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    await passMinutes(app, 0)
    expect(await offers()).toMatchObject([
      { entry_id: entry.entry_id, state: 'declined', round: 1 },
      { entry_id: nextEntry.entry_id, state: 'open', round: 2 },
    ])
    expect((await entriesOf(app, waiter))[0]).toMatchObject({ place: 1, waiting: 2, offers: [] })
  })

  test('passes over clients who are blocked or in another session then, and offers last to one who has a session that day', async () => {
    const host = await createPractitioner(app, { hours: [10, 15] })
    const [busy, served, next] = [await createClient(app), await createClient(app), await createClient(app)]
    const first = await createClient(app)
    const freed = await bookSession(app, { practitioner: host, client: first, startsAt: wantedStart })
    await bookSession(app, { practitioner: host, client: served, startsAt: '2026-06-05T14:00:00.000Z' })
    const elsewhere = await createPractitioner(app)
    await bookSession(app, { practitioner: elsewhere, client: busy, startsAt: wantedStart })
    const { _id: dialog } = (
      await app.call('POST', '/chat/dialogs', {
        token: (await signInToChat(app, waiter.token)).token,
        body: { practitioner_id: host.id },
      })
    ).body
    const writer = await signInToChat(app, await signInPractitioner(app, host))
    const block = await app.call('POST', `/chat/dialogs/${String(dialog)}/block`, { token: writer.token })
    expect(block.status).toBe(200)
    const entries: string[] = []
    for (const client of [waiter, busy, served, next]) {
      entries.push((await joinWaitlist(app, client, host)).entry_id)
    }

    expect((await cancelSession(app, first, freed)).status).toBe(200)
    await passMinutes(app, 3)
    const outcomes = async () => (await offers()).map(({ entry_id, state }) => [entry_id, state])
    expect(await outcomes()).toEqual([[entries[3], 'open']])
    const decline = async (who: Client) => {
      const open = (await offers()).find(({ state }) => state === 'open')
      const { token } = await signInAgain(app, who)
      const answer = await app.call('POST', `/waitlist/offers/${open?.id}/decline`, { token })
      expect(answer.status).toBe(200)
    }
    await decline(next)
    expect(await outcomes()).toEqual([
      [entries[3], 'declined'],
      [entries[2], 'open'],
    ])
    await decline(served)
    await passMinutes(app, 3)
    expect(await outcomes()).toEqual([
      [entries[3], 'declined'],
      [entries[2], 'declined'],
    ])
    expect(await reservationsAt(wantedStart)).not.toContainEqual(expect.objectContaining({ state: 'held' }))
    for (const [index, who] of [waiter, busy].entries()) {
      const [entry] = await entriesOf(app, await signInAgain(app, who))
      expect(entry).toMatchObject({ state: 'waiting', place: index + 1, misses: 0 })
    }
  })

  test('a payment at the very deadline is refused, and nothing is charged', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const offer = await readOffer(app, waiter, await free())
    const appointment = String(offer.appointment_id)
    expect((await payOffered(app, waiter, appointment, card)).status).toBe(200)
    expect(await atGateway()).toMatchObject({ reserved: 6000 })
    app.clock.set(String(offer.expires_at))
    const back = await signInAgain(app, waiter)
    const late = await confirmOffered(app, back, appointment)
    expect([late.status, late.body.code]).toEqual([409, 'offer_over'])
    expect(await atGateway()).toEqual({ taken: 0, reserved: 0 })
    expect((await payOffered(app, back, appointment, card)).body.code).toBe('offer_over')
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 1, paused_by: null })
    expect(await readOffer(app, back, offer.offer_id)).toMatchObject({ state: 'expired', available: false })
  })

  test('a turn is not missed whose practitioner is not listed any more', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const id = await free()
    await readOffer(app, waiter, id)
    await inTransaction(app.db, (tx) =>
      app.services.practitioners.setSubscribedUntil(tx, practitioner.id, app.clock.now()),
    )
    await passMinutes(app, 241)
    expect((await offers()).find((offer) => offer.id === id)?.state).toBe('withdrawn')
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
  })

  test('a second missed turn pauses the place, and one press goes on', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    await readOffer(app, waiter, await free())
    await passMinutes(app, 241)
    expect(await stateOf(entry.entry_id)).toMatchObject({ state: 'waiting', misses: 1 })
    /** Public now: the only one who waits was asked. Another client books and cancels it, and the turn passes once more. */
    const missAnother = async () => {
      const again = await signInAgain(app, booker)
      const second = await bookSession(app, { practitioner, client: again, startsAt: wantedStart })
      await passMinutes(app, 12)
      expect((await cancelSession(app, again, second)).status).toBe(200)
      await passMinutes(app, 3)
      await passMinutes(app, 3)
      const [seen] = await entriesOf(app, await signInAgain(app, waiter))
      expect(seen?.offers).toHaveLength(1)
      await passMinutes(app, 241)
    }
    await missAnother()
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'paused', misses: 2, paused_by: 'misses' })
    await app.queue.drain()
    expect(mailsAbout('Your place on the waitlist is paused')).toHaveLength(1)
    const last = await signInAgain(app, waiter)
    const resumed = await app.call('PUT', `/waitlist/${entry.entry_id}`, {
      token: last.token,
      body: { state: 'waiting' },
    })
    expect([resumed.status, resumed.body.state, resumed.body.misses]).toEqual([200, 'waiting', 0])
    // On the next morning: a turn does not run at night.
    await passMinutes(app, 16 * 60)
    await missAnother()
    await missAnother()
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'paused', misses: 2, paused_by: 'misses' })
    await app.queue.drain()
    expect(mailsAbout('Your place on the waitlist is paused')).toHaveLength(2)
  })

  test('an offer whose mail is not handed over in ten minutes is withdrawn, and the next client is asked', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const next = await joinWaitlist(app, await createClient(app), practitioner)
    await free()
    await passMinutes(app, 9)
    expect(await offers()).toMatchObject([{ state: 'open' }])
    await passMinutes(app, 1)
    expect(await offers()).toMatchObject([
      { entry_id: entry.entry_id, state: 'withdrawn' },
      { entry_id: next.entry_id, state: 'open', round: 2 },
    ])
    expect(await stateOf(entry.entry_id)).toEqual({ state: 'waiting', misses: 0, paused_by: null })
    await app.queue.drain()
    // The mail of the first offer was dropped, and no mail says that it is gone.
    expect(mailsAbout('A time has come free for you')).toHaveLength(1)
    expect(mailsAbout('no longer free')).toEqual([])
  })

  test('stays with its offer while the client holds another time of the practitioner, and counts as no hold', async () => {
    await joinWaitlist(app, waiter, practitioner)
    await free()
    const hold = (who: Practitioner, datetime: string) =>
      app.call('POST', '/appointment/create-session', {
        token: waiter.token,
        body: {
          practitioner_id: who.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime,
        },
      })
    expect((await hold(practitioner, '2026-06-06T09:00:00Z')).status).toBe(201)
    expect((await hold(await createPractitioner(app), '2026-06-07T12:00:00Z')).status).toBe(201)
    const third = await hold(await createPractitioner(app), '2026-06-08T12:00:00Z')
    expect([third.status, third.body.code]).toEqual([429, 'too_many_holds'])
    expect(await reservationsAt(wantedStart)).toEqual([{ state: 'held', origin: 'offer' }])
    expect(await offers()).toMatchObject([{ state: 'open' }])
  })

  test('cancelling the offered appointment declines the offer', async () => {
    const entry = await joinWaitlist(app, waiter, practitioner)
    const offer = await readOffer(app, waiter, await free())
    expect((await cancelSession(app, waiter, String(offer.appointment_id))).status).toBe(200)
    expect(await offers()).toMatchObject([{ state: 'declined' }])
    expect((await stateOf(entry.entry_id)).state).toBe('waiting')
  })
})
