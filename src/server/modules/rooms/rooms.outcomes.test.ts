import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PastSession } from '#contract/reviews.ts'
import type { NobodyCame } from '#contract/rooms/nobody-came.ts'
import { later, minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'

const start = new Date('2026-06-08T09:00:00Z')
const phone = '00000000-0000-4000-8000-000000000001'
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
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  id = await bookSession(app, { practitioner, client, startsAt: start.toISOString() })
  await goTo(start)
})
afterEach(async () => app.close())

async function goTo(instant: Date): Promise<void> {
  app.clock.set(instant)
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
}
const sit = (token: string, peer: string) =>
  app.call('POST', `/appointment/${id}/room/seat`, { token, body: { peer_id: peer } })
async function stay(token: string, peer: string, stayed: number): Promise<void> {
  await sit(token, peer)
  for (let at = 0; at < stayed * 6; at++) {
    app.clock.advance(seconds(10))
    if (at % 50 === 49) await goTo(app.clock.now())
    expect((await sit(token === therapist ? therapist : client.token, peer)).status).toBe(200)
  }
}
const nobodyCame = () => app.call('POST', `/appointment/${id}/nobody-came`, { token: client.token, body: {} })
const failed = (reason: string | null = null) =>
  app.call('POST', `/therapist/sessions/${id}/technical-failure`, { token: therapist, body: { reason } })
const missed = () => app.call('POST', `/therapist/sessions/${id}/no-show`, { token: therapist, body: {} })
const session = () =>
  app.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refunds = () => app.db.selectFrom('refunds').selectAll().execute()
/** Kinds of mail about the session that wait or were sent. */
const mails = async () => {
  const rows = await app.services.mails.about(app.db, { type: 'appointment', id })
  return rows.map(({ template }) => template).toSorted()
}

describe('a client whose practitioner did not come', () => {
  test('is refunded at once after ten minutes alone in the room, once', async () => {
    const before = await mails()
    await stay(client.token, phone, 10)
    const answer = await nobodyCame()
    expect(answer.body).toMatchObject({ appointment_id: id, status: 'cancelled', cancelled_by: 'system' })
    expect(await session()).toMatchObject({ state: 'cancelled', cancel_code: 'practitioner_absent' })
    expect(await refunds()).toMatchObject([{ amount_pence: 6000, reason: 'practitioner did not come' }])
    expect((await mails()).length).toBeGreaterThan(before.length)
    const told = await mails()

    expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled' })
    expect(await refunds()).toHaveLength(1)
    expect(await mails()).toEqual(told)
    const room = await app.call('GET', `/appointment/${id}/room`, { token: client.token })
    expect(room.body).toMatchObject({ state: 'ended', ended_by: 'system', nobody_came_from: null })
    expect((await missed()).body.code).toBe('not_changeable')
    await app.queue.drain()
    const owed = Object.entries(await ledger(app)).filter(([, pence]) => pence !== 0)
    expect(owed).toEqual([])
  })

  async function expectNothing(code: string): Promise<void> {
    const told = await mails()
    const answer = await nobodyCame()
    expect([answer.status, answer.body.code]).toEqual([409, code])
    expect(await session()).toMatchObject({ state: 'confirmed', cancel_code: null })
    expect(await refunds()).toEqual([])
    expect(await mails()).toEqual(told)
  }

  test('waits ten minutes', async () => {
    await stay(client.token, phone, 9)
    await expectNothing('too_early')
  })

  test('has been in the room', async () => {
    await goTo(later(start, minutes(20)))
    await expectNothing('attendance_missing')
    await stay(client.token, phone, 5)
    await expectNothing('attendance_missing')
  })

  const leave = () =>
    app.call('POST', `/appointment/${id}/room/leave`, { token: therapist, body: { peer_id: desk } })

  test('is refunded where the practitioner only glanced in', async () => {
    await goTo(later(start, -minutes(10)))
    await stay(therapist, desk, 5)
    await leave()
    await goTo(start)
    await sit(therapist, desk)
    app.clock.advance(seconds(50))
    await leave()
    await stay(client.token, phone, 10)
    expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled' })
    expect(await refunds()).toMatchObject([{ amount_pence: 6000 }])
  })

  test('was alone: a practitioner who was there for a minute came', async () => {
    await stay(therapist, desk, 1)
    await leave()
    await stay(client.token, phone, 10)
    await expectNothing('attendance_missing')
  })

  test('was alone: a practitioner who is there now came', async () => {
    await stay(client.token, phone, 10)
    const read = () => app.call('GET', `/appointment/${id}/room`, { token: client.token })
    expect((await read()).body.nobody_came_from).toBe('2026-06-08T09:10:00.000Z')
    await sit(therapist, desk)
    expect((await read()).body.nobody_came_from).toBe(null)
    await expectNothing('attendance_missing')
    // Gone again within a minute, it was a glance.
    await leave()
    expect((await nobodyCame()).status).toBe(200)
  })

  test('was alone: a practitioner who let the client in came', async () => {
    await sit(client.token, phone)
    await sit(therapist, desk)
    await app.call('POST', `/therapist/sessions/${id}/room/admit`, { token: therapist })
    await leave()
    await stay(client.token, phone, 10)
    await expectNothing('attendance_missing')
  })

  test('was alone, also where the practitioner lets them in once it is over', async () => {
    await stay(client.token, phone, 10)
    await goTo(later(start, minutes(51)))
    await sit(therapist, desk)
    const admitted = await app.call('POST', `/therapist/sessions/${id}/room/admit`, { token: therapist })
    expect(admitted.status).toBe(200)
    await leave()
    expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled', cancelled_by: 'system' })
  })

  test('reads on the page of the session from when until when they may report it', async () => {
    const absence = async () => {
      const path = `/sessions/${id}`
      const [own, theirs, room] = await Promise.all([
        app.call('GET', path, { token: client.token }),
        app.call('GET', path, { token: therapist }),
        app.call('GET', `/appointment/${id}/room`, { token: client.token }),
      ])
      const past = await app.call('GET', '/appointment/get-past-sessions', { token: client.token })
      const found = own.body.as_client?.nobody_came as unknown as NobodyCame | null
      expect(theirs.body.as_client).toBe(null)
      // The room, and the list of sessions that are over, say the same.
      expect(room.body.nobody_came_from).toBe(found?.from ?? null)
      const { data } = past.body as unknown as { data: PastSession[] }
      for (const listed of data) expect(listed.nobody_came).toEqual(found)
      return { found, isListed: data.length > 0 }
    }
    const until = '2026-06-09T09:50:00.000Z'
    const from = '2026-06-08T09:10:00.000Z'
    const unreported = (found: object | null, isListed = false) => ({ found, isListed })
    expect(await absence()).toEqual(unreported({ from: null, until }))
    await sit(client.token, phone)
    expect(await absence()).toEqual(unreported({ from, until }))
    await stay(client.token, phone, 10)
    await goTo(later(start, minutes(51)))
    expect(await absence()).toEqual(unreported({ from, until }, true))

    const answers: Record<string, unknown> = {}
    for (const [name, change] of [
      ['elsewhere from now on', { room: 'own' }],
      ['held here', { room: 'hearth' }],
    ] as const) {
      await app.db.updateTable('practitioners').set(change).execute()
      answers[name] = (await absence()).found
    }
    for (const [name, change] of [
      ['being checked', { frozen_at: start, frozen_cause: 'suspended', frozen_until: new Date(until) }],
      ['restored', { frozen_at: null, frozen_cause: null, frozen_until: null }],
    ] as const) {
      await app.db.updateTable('appointments').set(change).where('id', '=', id).execute()
      answers[name] = (await absence()).found
    }
    await nobodyCame()
    answers['reported'] = (await absence()).found
    expect(answers).toEqual({
      'elsewhere from now on': { from, until },
      'held here': { from, until },
      'being checked': null,
      restored: { from, until },
      reported: null,
    })
  })

  const shownAbsence = async () =>
    (await app.call('GET', `/sessions/${id}`, { token: client.token })).body.as_client?.nobody_came

  test('reads no absence of a practitioner who came', async () => {
    await sit(therapist, desk)
    expect(await shownAbsence()).toBe(null)
    app.clock.advance(seconds(50))
    await leave()
    // For less than a minute, it was a glance.
    expect(await shownAbsence()).toEqual({ from: null, until: '2026-06-09T09:50:00.000Z' })
    await stay(therapist, desk, 1)
    await leave()
    expect(await shownAbsence()).toBe(null)
  })

  test('says so within a day, and of a session in this room', async () => {
    await stay(client.token, phone, 9)
    await app.db.updateTable('practitioners').set({ room: 'own' }).execute()
    expect(await shownAbsence()).toBe(null)
    await goTo(later(start, minutes(12)))
    await expectNothing('attendance_missing')
    await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
    await stay(client.token, phone, 1)
    expect(await shownAbsence()).toMatchObject({ from: '2026-06-08T09:10:00.000Z' })
    await goTo(later(start, minutes(50 + 24 * 60)))
    expect(await shownAbsence()).toMatchObject({ from: null })
    await expectNothing('too_late_to_change')
  })
})

describe('a session that failed for technical reasons', () => {
  test('is refunded in full from its start until a day after its end, and is never missed', async () => {
    await sit(client.token, phone)
    await goTo(later(start, minutes(50 + 24 * 60 - 1)))
    const answer = await failed('The picture froze again and again.')
    expect(answer.body).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'practitioner',
      cancelled_because: 'technical_failure',
      your_reason: 'The picture froze again and again.',
      owed: 0,
    })
    expect(await session()).toMatchObject({ state: 'cancelled', cancel_code: 'technical_failure' })
    expect(await refunds()).toMatchObject([{ amount_pence: 6000, reason: 'technical failure' }])
    expect((await failed()).status).toBe(200)
    expect(await refunds()).toHaveLength(1)
    expect((await missed()).body.code).toBe('not_changeable')
  })

  test.each([
    ['before its start', later(start, -seconds(1)), 'too_early'],
    ['a day after its end', later(start, minutes(50 + 24 * 60)), 'too_late_to_change'],
  ])('is refused %s', async (_, instant, code) => {
    await goTo(instant)
    const told = await mails()
    const answer = await failed()
    expect([answer.status, answer.body.code]).toEqual([409, code])
    expect(await session()).toMatchObject({ state: 'confirmed' })
    expect(await refunds()).toEqual([])
    expect(await mails()).toEqual(told)
  })

  test('took place online', async () => {
    await app.db.updateTable('appointments').set({ appointment_type: 'face_to_face' }).execute()
    expect((await failed()).body.code).toBe('not_changeable')
    expect(await refunds()).toEqual([])
  })
})

test('a client who was in the room for ten minutes of the session did not miss it', async () => {
  await stay(client.token, phone, 10)
  await goTo(later(start, minutes(20)))
  const list = await app.call('GET', '/therapist/sessions', { token: therapist })
  expect(list.body.data?.[0]).toMatchObject({
    can: { no_show: false, complete: false, technical_failure: true },
    attendance: { client: { minutes: 10 }, practitioner: null },
  })
  const answer = await missed()
  expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
  expect(await session()).toMatchObject({ state: 'confirmed' })
  expect(await app.db.selectFrom('no_shows').selectAll().execute()).toEqual([])
})

const endRoom = () => app.call('POST', `/therapist/sessions/${id}/room/end`, { token: therapist, body: {} })

test.each([
  ['before the start', -5],
  ['after two minutes', 0],
])(
  'a client who was in the room when its practitioner ended it %s did not miss the session',
  async (_, from) => {
    await goTo(later(start, minutes(from)))
    await stay(client.token, phone, 2)
    expect((await endRoom()).body).toMatchObject({ state: 'ended', ended_by: 'practitioner' })
    await goTo(later(start, minutes(51)))
    const answer = await missed()
    expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
    expect(await session()).toMatchObject({ state: 'confirmed' })
    expect(await app.db.selectFrom('no_shows').selectAll().execute()).toEqual([])
  },
)

test.each([
  ['had left before its practitioner ended the room', 0, 2],
  ['came to the last minutes before its practitioner ended the room', 47, 0],
])('a client who %s may have missed the session', async (_, from, away) => {
  await goTo(later(start, minutes(from)))
  await stay(client.token, phone, 2)
  app.clock.advance(minutes(away))
  expect((await endRoom()).status).toBe(200)
  await goTo(later(start, minutes(51)))
  expect((await missed()).body).toMatchObject({ status: 'no_show' })
})

test('a client who came late has not missed the session while they are in the room and can still be there for ten minutes', async () => {
  await stay(therapist, phone, 2)
  await goTo(later(start, minutes(14)))
  await stay(client.token, phone, 1)
  await goTo(app.clock.now())
  const list = await app.call('GET', '/therapist/sessions', { token: therapist })
  expect(list.body.data?.[0]).toMatchObject({ can: { no_show: false } })
  const answer = await missed()
  expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
  expect(await session()).toMatchObject({ state: 'confirmed' })
  expect(await app.db.selectFrom('no_shows').selectAll().execute()).toEqual([])
  // They leave again.
  await goTo(later(start, minutes(20)))
  expect((await missed()).body).toMatchObject({ status: 'no_show' })
})

const completed = () => app.call('POST', `/therapist/sessions/${id}/complete`, { token: therapist, body: {} })

test('a practitioner who did not come cannot take the refund away by calling the session completed', async () => {
  await stay(client.token, phone, 10)
  const told = await mails()
  const answer = await completed()
  expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
  expect(await session()).toMatchObject({ state: 'confirmed' })
  expect(await mails()).toEqual(told)
  expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled' })
  expect(await refunds()).toMatchObject([{ amount_pence: 6000 }])
})

test('nor before the client has waited, but once they have left too early to report it', async () => {
  await stay(client.token, phone, 5)
  const refused = await completed()
  expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
  expect(await session()).toMatchObject({ state: 'confirmed' })
  const during = await app.call('GET', '/therapist/sessions', { token: therapist })
  expect(during.body.data?.[0]).toMatchObject({ can: { complete: false } })
  await goTo(later(start, minutes(51)))
  expect((await completed()).body).toMatchObject({ status: 'completed' })
})

test('before its end, no outcome of a session is recorded by a practitioner who was not in its room', async () => {
  await goTo(later(start, minutes(20)))
  const untold = await mails()
  for (const record of [completed, missed]) {
    const refused = await record()
    expect([refused.status, refused.body.code]).toEqual([409, 'not_changeable'])
  }
  expect(await session()).toMatchObject({ state: 'confirmed' })
  expect(await mails()).toEqual(untold)
  const during = await app.call('GET', '/therapist/sessions', { token: therapist })
  expect(during.body.data?.[0]).toMatchObject({
    can: { complete: false, no_show: false, technical_failure: true },
    attendance: null,
  })
  // A client who comes late still waits for ten minutes, and is refunded.
  await stay(client.token, phone, 10)
  expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled' })
  expect(await refunds()).toMatchObject([{ amount_pence: 6000 }])
})

describe('an outcome is recorded before the end of a session', () => {
  test.each([
    [
      'by a link of the practitioner',
      { room: 'own', meeting_link: 'https://rooms.example.test/own' } as const,
    ],
    ['in the room, once the practitioner has come', undefined],
  ])('%s', async (_, elsewhere) => {
    if (elsewhere) await app.db.updateTable('practitioners').set(elsewhere).execute()
    else await sit(therapist, desk)
    await goTo(later(start, minutes(16)))
    if (!elsewhere) await stay(therapist, desk, 2)
    expect((await missed()).body).toMatchObject({ status: 'no_show' })
    expect((await completed()).body).toMatchObject({ status: 'completed' })
  })

  test('face to face', async () => {
    await app.db.updateTable('appointments').set({ appointment_type: 'face_to_face' }).execute()
    await goTo(later(start, minutes(16)))
    expect((await missed()).body).toMatchObject({ status: 'no_show' })
    expect((await completed()).body).toMatchObject({ status: 'completed' })
  })
})

test('once the session has ended, a practitioner without attendance can record its outcome', async () => {
  await goTo(later(start, minutes(51)))
  expect((await completed()).body).toMatchObject({ status: 'completed' })
})

test('a practitioner whom a client has waited for cannot undo that by a link of their own', async () => {
  await stay(client.token, phone, 10)
  const moved = { room: 'own', meeting_link: 'https://rooms.example.test/own' } as const
  await app.db.updateTable('practitioners').set(moved).execute()
  expect((await completed()).body.code).toBe('not_changeable')
  expect((await nobodyCame()).body).toMatchObject({ status: 'cancelled' })
  expect(await refunds()).toMatchObject([{ amount_pence: 6000 }])
})

test('a practitioner who comes after the client has waited can call the session completed', async () => {
  await stay(client.token, phone, 10)
  expect((await completed()).status).toBe(409)
  await stay(therapist, desk, 2)
  const list = await app.call('GET', '/therapist/sessions', { token: therapist })
  expect(list.body.data?.[0]).toMatchObject({ can: { complete: true } })
  expect((await completed()).body).toMatchObject({ status: 'completed' })
})

test('a client who was in the room more shortly may have missed the session', async () => {
  await stay(client.token, phone, 3)
  await goTo(later(start, minutes(51)))
  expect((await missed()).body).toMatchObject({
    status: 'no_show',
    attendance: { client: { minutes: 3 }, practitioner: null },
  })
})
