import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, later, minutes, seconds } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { answerRequest, askForHelp, switchOn } from '#test/help.ts'
import { toSessionAttendance } from './rooms.mapper.ts'
import { roomsPersonalData } from './rooms.personal-data.ts'
import { readAttendance } from './rooms.store.ts'

const start = new Date('2026-06-08T09:00:00Z')
const opening = later(start, -minutes(15))
const phone = '00000000-0000-4000-8000-000000000001'
const laptop = '00000000-0000-4000-8000-000000000002'
const desk = '00000000-0000-4000-8000-000000000003'

let app: TestApp
let client: Client
let practitioner: Practitioner
let therapist: string
let id: string
beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  await holdInHearth(practitioner)
  id = await bookSession(app, { practitioner, client, startsAt: start.toISOString() })
  await goTo(opening)
})
afterEach(async () => app.close())

/** Has a practitioner hold sessions in Hearth's own room. */
async function holdInHearth({ id: practitionerId }: Practitioner): Promise<void> {
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).where('id', '=', practitionerId).execute()
}

/** Moves the clock, and signs both in again, as access tokens do not last that long. */
async function goTo(instant: Date): Promise<void> {
  app.clock.set(instant)
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
}

const read = (token: string, of = id) => app.call('GET', `/appointment/${of}/room`, { token })
const sit = (token: string, peer = phone, more: object = {}, of = id) =>
  app.call('POST', `/appointment/${of}/room/seat`, { token, body: { peer_id: peer, ...more } })
const leave = (token: string, peer = phone) =>
  app.call('POST', `/appointment/${id}/room/leave`, { token, body: { peer_id: peer } })
const decide = (what: 'admit' | 'wait' | 'end' | 'late' | 'own-link', of = id) =>
  app.call('POST', `/therapist/sessions/${of}/room/${what}`, { token: therapist })
const stored = () =>
  app.db.selectFrom('session_rooms').selectAll().where('appointment_id', '=', id).executeTakeFirst()
const attendance = async () => toSessionAttendance(await readAttendance(app.db, [id]))
const seats = () => app.db.selectFrom('session_room_seats').selectAll().where('left_at', 'is', null).execute()

/** Heartbeats every 10 seconds for so many minutes. */
async function stay(token: string, peer: string, count: number): Promise<void> {
  for (let beat = 0; beat < count * 6; beat++) {
    app.clock.advance(seconds(10))
    expect((await sit(token, peer)).status).toBe(200)
  }
}

describe('taking a seat', () => {
  test('client and practitioner meet, and the client waits until let in', async () => {
    expect((await read(client.token)).body).toMatchObject({
      appointment_id: id,
      you: 'client',
      kind: 'hearth',
      meeting_link: null,
      opens_at: opening.toISOString(),
      closes_at: '2026-06-08T10:20:00.000Z',
      state: 'waiting',
      version: 0,
      seat: null,
      other: { name: expect.stringMatching(/^Priya Patel/), here: false, since: null, peer_id: null },
      attendance: { client: null, practitioner: null },
      nobody_came_from: null,
    })
    expect(await stored()).toBeUndefined()

    const waiting = await sit(client.token)
    expect(waiting.body).toMatchObject({
      state: 'waiting',
      seat: { peer_id: phone, taken_at: opening.toISOString() },
      ice: { has_relay: false, relay_only: false, may_go_direct: true, servers: [], expires_at: null },
    })
    const seen = await sit(therapist, desk)
    expect(seen.body.other).toEqual({
      name: expect.stringMatching(/^\S+ [A-Z]\.$/),
      image: null,
      here: true,
      since: opening.toISOString(),
      peer_id: null,
    })
    expect(Number(seen.body.version)).toBeGreaterThan(Number(waiting.body.version))

    const admitted = await decide('admit')
    expect(admitted.body).toMatchObject({
      state: 'admitted',
      admitted_at: opening.toISOString(),
      other: { peer_id: phone },
    })
    expect((await read(client.token)).body).toMatchObject({
      state: 'admitted',
      other: { peer_id: desk, here: true },
    })
    const version = admitted.body.version
    expect((await decide('admit')).body.version).toBe(version)

    expect((await decide('wait')).body).toMatchObject({
      state: 'waiting',
      admitted_at: null,
      other: { peer_id: null },
    })
    await decide('admit')
    expect((await decide('end')).body).toMatchObject({ state: 'ended', ended_by: 'practitioner', seat: null })
    expect((await decide('end')).status).toBe(200)
    expect(await seats()).toEqual([])
    for (const refused of [await sit(client.token), await decide('admit'), await decide('wait')]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'room_closed'])
    }
    expect(await seats()).toEqual([])
  })

  test('changes of state and seats are sent to both people, and heartbeats are not', async () => {
    const socketOf = async (token: string) => connectChat(app.origin, (await signInToChat(app, token)).token)
    const stranger = await createClient(app)
    const sockets = await Promise.all([client.token, therapist, stranger.token].map(socketOf))
    await sit(client.token)
    await sit(client.token)
    await read(client.token)
    await sit(therapist, desk)
    await decide('admit')
    await leave(client.token)
    const fourEvents = Array.from({ length: 4 }, () => ({ type: 'room.changed', appointment_id: id }))
    await expect
      .poll(() => sockets.map(({ received }) => received.notice))
      .toEqual([fourEvents, fourEvents, []])
    for (const each of sockets) each.close()
  })

  test('the last device that joins has the seat, and the first one learns that it lost it', async () => {
    await sit(client.token)
    const refused = await sit(client.token, laptop)
    expect([refused.status, refused.body.code]).toEqual([409, 'seat_taken_over'])
    expect(await seats()).toMatchObject([{ peer_id: phone }])
    expect((await sit(client.token, laptop, { take: true })).body.seat?.peer_id).toBe(laptop)
    expect((await sit(client.token)).body.code).toBe('seat_taken_over')
    // A device that has lost its seat cannot give it up.
    await leave(client.token)
    expect(await seats()).toMatchObject([{ peer_id: laptop }])
    await leave(client.token, laptop)
    expect(await seats()).toEqual([])
    // It does not come back by itself once the other one has left.
    expect((await sit(client.token)).body.code).toBe('seat_taken_over')
    expect(await seats()).toEqual([])
    expect((await sit(client.token, phone, { take: true })).status).toBe(200)
  })

  test('a room opens to a practitioner with a session before it five minutes before the start', async () => {
    app.clock.set('2026-06-02T08:00:00Z')
    const another = await createClient(app)
    await bookSession(app, { practitioner, client: another, startsAt: '2026-06-08T08:00:00Z' })
    await goTo(later(start, -minutes(6)))
    expect((await sit(client.token)).status).toBe(200)
    const early = await sit(therapist, desk)
    expect([early.status, early.body.code]).toEqual([409, 'room_closed'])
    expect((await read(therapist)).body).toMatchObject({ opens_at: '2026-06-08T08:55:00.000Z', ice: null })
    app.clock.advance(minutes(1))
    expect((await sit(therapist, desk)).status).toBe(200)
  })

  test('no seat is taken before the room opens or after it closes', async () => {
    app.clock.advance(-1)
    for (const attempt of [await sit(client.token), await sit(therapist, desk), await decide('admit')]) {
      expect([attempt.status, attempt.body.code]).toEqual([409, 'room_closed'])
    }
    expect(await stored()).toBeUndefined()
    await goTo(later(start, minutes(80)))
    expect((await sit(client.token)).body.code).toBe('room_closed')
    expect((await read(client.token)).body).toMatchObject({
      state: 'ended',
      ended_by: 'system',
      ended_at: '2026-06-08T10:20:00.000Z',
      ice: null,
    })
    expect(await stored()).toBeUndefined()
    expect(await seats()).toEqual([])
  })

  test('a seat taken in time is lost when the room closes', async () => {
    await sit(client.token)
    await goTo(later(start, minutes(80)))
    expect((await sit(client.token)).body.code).toBe('room_closed')
    expect((await read(client.token)).body).toMatchObject({ state: 'ended', seat: null })
  })

  test('a practitioner says once that they are five minutes late', async () => {
    await sit(client.token)
    expect((await decide('late')).body.late_at).toBe(opening.toISOString())
    app.clock.advance(minutes(1))
    const again = await decide('late')
    expect(again.body.late_at).toBe(opening.toISOString())
    expect((await read(client.token)).body).toMatchObject({
      late_at: opening.toISOString(),
      version: again.body.version,
    })
  })

  test('the client sees the practitioner’s own link once it is offered, while the room is open', async () => {
    await sit(client.token)
    await app.db.updateTable('practitioners').set({ meeting_link: null }).execute()
    expect((await decide('own-link')).body.code).toBe('not_set_up')
    const link = 'https://rooms.example.test/priya'
    await app.db.updateTable('practitioners').set({ meeting_link: link }).execute()
    await holdInHearth(practitioner)
    expect((await read(client.token)).body.own_link).toBe(null)
    expect((await read(therapist)).body.own_link).toEqual({ link, offered_at: null })

    const offered = await decide('own-link')
    const own_link = { link, offered_at: opening.toISOString() }
    expect(offered.body).toMatchObject({ own_link, meeting_link: null, state: 'waiting' })
    app.clock.advance(minutes(1))
    expect((await decide('own-link')).body).toMatchObject({ own_link, version: offered.body.version })
    expect((await read(client.token)).body.own_link).toEqual(own_link)
    await decide('end')
    expect((await read(client.token)).body).toMatchObject({ own_link: null, closed_because: 'ended' })
    expect((await decide('own-link')).body.code).toBe('room_closed')
  })

  test('a practitioner reads whether this installation has a relay', async () => {
    const answer = await app.call('GET', '/therapist/room-settings', { token: therapist })
    expect(answer.body).toEqual({ has_relay: false })
  })

  test('a session at the practitioner’s own link has no room, and shows the link while it takes place', async () => {
    const link = 'https://rooms.example.test/priya'
    await app.db.updateTable('practitioners').set({ meeting_link: link, room: 'own' }).execute()
    expect((await read(client.token)).body).toMatchObject({ kind: 'own', meeting_link: link, ice: null })
    expect((await sit(client.token)).body.code).toBe('room_closed')
    await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body: {} })
    expect((await read(client.token)).body).toMatchObject({ state: 'ended', meeting_link: null })
    expect(await stored()).toBeUndefined()
  })
})

describe('a room closes at once', () => {
  beforeEach(async () => {
    await sit(client.token)
    await sit(therapist, desk)
    await decide('admit')
  })

  const closed = { state: 'ended', ended_by: 'system', seat: null, ice: null }

  test('when the session is cancelled', async () => {
    const answer = await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body: {} })
    expect(answer.status).toBe(200)
    expect((await read(client.token)).body).toMatchObject({
      ...closed,
      ended_at: opening.toISOString(),
      closed_because: 'cancelled',
    })
    expect(await seats()).toEqual([])
    for (const call of [await sit(client.token), await sit(therapist, desk), await decide('admit')]) {
      expect(call.body.code).toBe('room_closed')
    }
    expect(await stored()).toMatchObject({ state: 'ended' })
  })

  test('when the practitioner is suspended, who is refused by every call', async () => {
    const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
      token: (await createAdmin(app)).token,
      body: { reason: 'A complaint.', cause: 'conduct', sessions: 'freeze' },
    })
    expect(suspended.status).toBe(200)
    expect((await read(client.token)).body).toMatchObject({ ...closed, closed_because: 'cancelled' })
    for (const call of [
      await read(therapist),
      await sit(therapist, desk),
      await decide('admit'),
      await decide('end'),
    ]) {
      expect([call.status, call.body.code]).toEqual([403, 'suspended'])
    }
    expect(await seats()).toEqual([])
  })

  test('not when the practitioner records early that it took place', async () => {
    await goTo(later(start, minutes(40)))
    await app.call('POST', `/therapist/sessions/${id}/complete`, { token: therapist })
    expect((await read(client.token)).body).toMatchObject({ state: 'admitted', nobody_came_from: null })
    expect((await sit(client.token)).status).toBe(200)
  })

  test('when it is frozen, and waits anew once it is restored', async () => {
    const freeze = async (frozen_at: Date | null) => {
      const frozen = frozen_at
        ? { frozen_at, frozen_until: later(frozen_at, days(1)), frozen_cause: 'suspended' as const }
        : { frozen_at, frozen_until: null, frozen_cause: null }
      await app.db.updateTable('appointments').set(frozen).where('id', '=', id).execute()
      await announceChange()
    }
    await freeze(app.clock.now())
    expect((await read(client.token)).body).toMatchObject({ ...closed, closed_because: 'frozen' })
    await freeze(null)
    expect((await read(client.token)).body).toMatchObject({ state: 'waiting', seat: null })
    expect((await sit(client.token)).body).toMatchObject({ state: 'waiting', other: { peer_id: null } })
  })

  test('when it is moved, with a new room at its new time', async () => {
    await app.db
      .updateTable('appointments')
      .set({ starts_at: later(start, days(1)), ends_at: later(start, days(1) + minutes(50)) })
      .where('id', '=', id)
      .execute()
    await announceChange()
    expect((await read(client.token)).body).toMatchObject({
      state: 'waiting',
      seat: null,
      ice: null,
      attendance: { client: null, practitioner: null },
    })
    expect((await sit(client.token)).body.code).toBe('room_closed')
    await goTo(later(opening, days(1)))
    expect((await sit(client.token)).body).toMatchObject({ state: 'waiting' })
  })

  test('for a device whose sign-in session ends elsewhere', async () => {
    const elsewhere = await signInAgain(app, client)
    const signIns = await app.call('GET', '/client/login-sessions', { token: elsewhere.token })
    const current = (signIns.body as unknown as { id: string; current: boolean }[]).filter(
      (each) => !each.current,
    )
    for (const each of current) {
      await app.call('DELETE', `/client/login-sessions/${each.id}`, { token: elsewhere.token })
    }
    expect((await sit(client.token)).status).toBe(401)
    expect((await read(therapist)).body).toMatchObject({
      state: 'admitted',
      other: { here: false, peer_id: null },
    })
    expect(await seats()).toMatchObject([{ peer_id: desk }])
  })

  async function announceChange(): Promise<void> {
    await inTransaction(app.db, (tx) => app.services.rooms.sessionChanged(tx, id))
  }
})

test('a face-to-face session has no room, for neither side', async () => {
  const place = await bookSession(app, {
    practitioner,
    client,
    startsAt: later(start, hours(2)).toISOString(),
    type: 'face_to_face',
    serviceId: practitioner.roomServiceId,
  })
  await goTo(later(start, hours(2)))
  const calls = [
    read(client.token, place),
    read(therapist, place),
    sit(client.token, phone, {}, place),
    sit(therapist, desk, {}, place),
    decide('admit', place),
    app.call('POST', `/appointment/${place}/nobody-came`, { token: client.token }),
  ]
  for (const { status, body } of await Promise.all(calls)) {
    expect([status, body]).toMatchObject([
      404,
      { code: 'not_found', message: 'This room does not exist or is not yours to see.' },
    ])
  }
  expect(await seats()).toEqual([])
  expect(await readAttendance(app.db, [place])).toEqual([])
  expect((await app.call('GET', `/sessions/${place}`, { token: client.token })).body).toMatchObject({
    status: 'confirmed',
    room: null,
  })
})

test('help right now is admitted by its acceptance', async () => {
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  const asker = await createClient(app)
  app.clock.set('2026-06-08T12:00:00Z')
  therapist = await signInPractitioner(app, practitioner)
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  const { token } = await signInAgain(app, asker)
  const asked = await askForHelp(app, { client: { ...asker, token }, preferred: practitioner.id })
  expect((await read(token, asked.id)).status).toBe(404)
  await answerRequest(app, therapist, asked.requestId, 'accept')
  expect((await read(token, asked.id)).body).toMatchObject({ state: 'admitted', version: 1 })
  expect((await sit(token, phone, {}, asked.id)).status).toBe(200)
  expect((await sit(therapist, desk, {}, asked.id)).body).toMatchObject({
    state: 'admitted',
    other: { here: true, peer_id: phone },
  })

  // A freeze ends its room; restored or moved, it begins again with admission.
  const change = async (changes: object) => {
    await app.db.updateTable('appointments').set(changes).where('id', '=', asked.id).execute()
    await inTransaction(app.db, (tx) => app.services.rooms.sessionChanged(tx, asked.id))
    return (await read(token, asked.id)).body
  }
  const now = app.clock.now()
  const frozen = { frozen_at: now, frozen_until: later(now, hours(1)), frozen_cause: 'suspended' as const }
  expect(await change(frozen)).toMatchObject({ state: 'ended', ended_by: 'system', seat: null })
  const restored = await change({ frozen_at: null, frozen_until: null, frozen_cause: null })
  expect(restored).toMatchObject({ state: 'admitted', admitted_at: now.toISOString(), seat: null })
  await sit(therapist, desk, {}, asked.id)
  expect((await decide('wait', asked.id)).body).toMatchObject({ state: 'waiting', admitted_at: null })
  app.clock.advance(minutes(1))
  const moved = { starts_at: later(now, minutes(10)), ends_at: later(now, minutes(60)) }
  expect(await change(moved)).toMatchObject({
    state: 'admitted',
    admitted_at: app.clock.now().toISOString(),
    seat: null,
    attendance: { client: null, practitioner: null },
  })
})

describe('attendance', () => {
  test('counts the minutes of each side, and those of the session apart', async () => {
    await goTo(later(start, -minutes(2)))
    await sit(client.token)
    await stay(client.token, phone, 4)
    expect(await attendance()).toEqual({
      client: {
        firstIn: later(start, -minutes(2)),
        lastOut: later(start, minutes(2)),
        seconds: 240,
        sessionSeconds: 120,
      },
      practitioner: null,
    })
    expect((await read(client.token)).body).toMatchObject({
      attendance: { client: { minutes: 4, first_in: '2026-06-08T08:58:00.000Z' }, practitioner: null },
      nobody_came_from: '2026-06-08T09:10:00.000Z',
    })
    app.clock.advance(seconds(5))
    await leave(client.token)
    // Half an hour later the same person is back: the time between does not count.
    await goTo(later(app.clock.now(), minutes(30)))
    await sit(client.token)
    await stay(client.token, phone, 1)
    expect((await attendance()).client).toMatchObject({
      seconds: 305,
      sessionSeconds: 185,
    })
    await sit(therapist, desk)
    expect((await read(client.token)).body.nobody_came_from).toBe(null)
    expect((await read(therapist)).body.attendance?.practitioner).toMatchObject({ minutes: 0 })
  })

  test('does not count what lies between two heartbeats that are far apart', async () => {
    await goTo(start)
    await sit(client.token)
    app.clock.advance(minutes(1))
    await sit(client.token)
    app.clock.advance(minutes(5))
    await sit(client.token)
    expect((await attendance()).client?.seconds).toBe(60)
  })

  test.each([
    ['ends the room', () => decide('end')],
    ['hears of its leaving', () => leave(client.token)],
  ] as const)(
    'of a device that is lost ends where it was seen last, though the server %s later',
    async (_, act) => {
      await goTo(start)
      await sit(client.token)
      await stay(client.token, phone, 2)
      await goTo(later(start, minutes(20)))
      await sit(therapist, desk)
      expect((await act()).status).toBe(200)
      expect(await attendance()).toMatchObject({
        client: { lastOut: later(start, minutes(2)), sessionSeconds: 120 },
        practitioner: { lastOut: later(start, minutes(20)) },
      })
    },
  )

  test('is exported to the client, and its times are forgotten 90 days after the outcome', async () => {
    await goTo(start)
    await sit(client.token)
    await stay(client.token, phone, 1)
    await decide('end')
    const exported = await app.call('GET', '/client/export', { token: client.token })
    expect(JSON.stringify(exported.body)).toContain('"who":"you"')
    const tidied = async (instant: Date) => {
      app.clock.set(instant)
      await app.queue.enqueue(app.db, housekeepingJob, {})
      await app.queue.drain()
      return attendance()
    }
    const over = later(start, minutes(50))
    expect((await tidied(later(over, days(91) - minutes(1)))).client).toMatchObject({ seconds: 60 })
    expect(await stored()).toBeDefined()
    expect(await tidied(later(over, days(91) + minutes(1)))).toEqual({
      client: { firstIn: null, lastOut: null, seconds: 0, sessionSeconds: 0 },
      practitioner: null,
    })
    expect(await stored()).toBeUndefined()
  })

  const dispute = (state: 'disputed' | 'upheld') =>
    app.db
      .insertInto('no_shows')
      .values({
        appointment_id: id,
        state,
        declared_at: start,
        dispute_until: later(start, days(14)),
        disputed_at: start,
        decided_at: state === 'upheld' ? start : null,
      })
      .onConflict((conflict) => conflict.column('appointment_id').doUpdateSet({ state, decided_at: start }))
      .execute()

  test('is exported to each side as theirs, and forgotten by an erasure once no dispute is open', async () => {
    await goTo(start)
    await sit(client.token)
    await sit(therapist, desk)
    const { client_id } = await app.db
      .selectFrom('appointments')
      .select('client_id')
      .executeTakeFirstOrThrow()
    const people = [
      { accountId: client_id, role: 'client' },
      { accountId: practitioner.accountId, role: 'therapist' },
    ] as const
    const exported = await Promise.all(people.map((each) => roomsPersonalData.exported(app.db, each)))
    expect(exported.map(([section]) => section?.entries.map((entry) => entry['who']))).toEqual([
      ['you', 'your practitioner'],
      ['your client', 'you'],
    ])
    const erase = () => inTransaction(app.db, (tx) => roomsPersonalData.erase(tx, people[0]))
    await dispute('disputed')
    await erase()
    expect((await attendance()).client).toMatchObject({ firstIn: start })
    await dispute('upheld')
    await erase()
    expect((await attendance()).client).toMatchObject({ firstIn: null, lastOut: null })
    expect((await attendance()).practitioner).toMatchObject({ firstIn: start })
    expect(await seats()).toMatchObject([{ side: 'practitioner' }])
  })

  /** The client disputes the payment with their bank, and the bank decides. */
  async function cardDispute(state: 'open' | 'lost'): Promise<void> {
    const { id: intent } = await app.db
      .selectFrom('payment_intents')
      .select('id')
      .where('appointment_id', '=', id)
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('disputes')
      .values({
        id: '00000000-0000-4000-8000-000000000009',
        gateway: 'sandbox',
        gateway_ref: 'dispute_1',
        payment_intent_id: intent,
        amount_pence: 6000,
        state,
        opened_at: start,
        closed_at: state === 'lost' ? start : null,
      })
      .onConflict((conflict) =>
        conflict.columns(['gateway', 'gateway_ref']).doUpdateSet({ state, closed_at: start }),
      )
      .execute()
  }

  test.each([
    ['the no-show', () => dispute('disputed'), () => dispute('upheld')],
    ['the payment', () => cardDispute('open'), () => cardDispute('lost')],
  ])('is kept for longer than 90 days while a dispute of %s is open', async (_name, open, close) => {
    await goTo(start)
    await sit(client.token)
    await open()
    app.clock.set(later(start, days(200)))
    await app.services.rooms.tidy()
    expect((await attendance()).client).toMatchObject({ firstIn: start })
    expect(await stored()).toBeDefined()
    await close()
    await app.services.rooms.tidy()
    expect((await attendance()).client).toMatchObject({ firstIn: null })
    expect(await stored()).toBeUndefined()
  })
})
