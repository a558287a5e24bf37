import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoints.ts'
import { hours, later } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { reserveDate } from '#test/reserved.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let card: string
const tuesday = new Date('2026-06-16T09:00:00Z')

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  card = await saveCard(app, client)
})
afterEach(async () => app.close())

async function at(instant: Date | string): Promise<void> {
  app.clock.set(instant)
  client = await signInAgain(app, client)
}

const book = (startsAt: string) => bookSession(app, { practitioner, client, card, startsAt })

async function cancel(id: string): Promise<void> {
  const body = { appointment_id: id }
  const answer = await app.call('POST', '/appointment/cancel-session', { token: client.token, body })
  expect(answer.status).toBe(200)
}

/** Ids of both sides' lists, which are the same, with the number that the client's list counts. */
async function past(): Promise<{ ids: string[]; total: number }> {
  const own = await app.call('GET', '/appointment/get-past-sessions', { token: client.token })
  const { data, meta } = own.body as unknown as AnswerOf<'GET /appointment/get-past-sessions'>
  const token = await signInPractitioner(app, practitioner)
  const theirs = await app.call('GET', '/therapist/sessions?when=past', { token })
  const ids = data.map(({ appointment_id }) => appointment_id)
  const other = theirs.body as unknown as AnswerOf<'GET /therapist/sessions'>
  expect(other.data.map(({ appointment_id }) => appointment_id)).toEqual(ids)
  expect(other.meta.total).toBe(meta.total)
  return { ids, total: meta.total }
}

const detail = async (id: string) =>
  (await app.call('GET', `/appointment/${id}`, { token: client.token })).body

test('past sessions come in the order in which they ended or were cancelled, the newest first', async () => {
  const held = await book('2026-06-08T09:00:00Z')
  const ahead = await book('2026-06-24T13:00:00Z')
  await cancel(ahead)
  await at('2026-06-10T08:00:00Z')
  expect(await past()).toEqual({ ids: [held, ahead], total: 2 })
  const late = await book('2026-06-22T13:00:00Z')
  await cancel(late)
  expect(await past()).toEqual({ ids: [late, held, ahead], total: 3 })
})

test('a session that is cancelled after its end keeps the place of its time', async () => {
  const failed = await book('2026-06-08T09:00:00Z')
  const held = await book('2026-06-08T11:00:00Z')
  await at('2026-06-08T13:00:00Z')
  expect(await past()).toEqual({ ids: [held, failed], total: 2 })
  const token = await signInPractitioner(app, practitioner)
  const path = `/therapist/sessions/${failed}/technical-failure`
  const answer = await app.call('POST', path, { token, body: { reason: null } })
  expect(answer.body).toMatchObject({ status: 'cancelled' })
  expect(await past()).toEqual({ ids: [held, failed], total: 2 })
})

test('a date of a series that is given up unpaid is no past session, before its day and after', async () => {
  const id = await reserveDate(app, { client, practitioner, card }, tuesday)
  await inTransaction(app.db, (tx) =>
    app.services.reserved.cancelReserved(tx, id, { by: 'client', code: 'series_ended' }),
  )
  expect(await past()).toEqual({ ids: [], total: 0 })
  expect(await detail(id)).toMatchObject({ cancelled_by: 'client', cancelled_because: 'series_ended' })
  await at('2026-06-17T08:00:00Z')
  expect(await past()).toEqual({ ids: [], total: 0 })
})

test('a date of a series that was paid and then cancelled is a past session', async () => {
  const id = await reserveDate(app, { client, practitioner, card }, tuesday)
  await at(later(tuesday, -hours(48)))
  await app.services.reserved.sweep()
  expect(await detail(id)).toMatchObject({ status: 'confirmed' })
  await cancel(id)
  expect(await past()).toEqual({ ids: [id], total: 1 })
  expect(await detail(id)).toMatchObject({ cancelled_because: null })
})

test('a date of a series that is cancelled as unpaid stands in the list until its start', async () => {
  const declined = await saveCard(app, client, '4000000000000002')
  const id = await reserveDate(app, { client, practitioner, card: declined }, tuesday)
  await at(later(tuesday, -hours(48)))
  await app.services.reserved.sweep()
  await at(later(tuesday, -hours(24)))
  await app.services.reserved.sweep()
  expect(await detail(id)).toMatchObject({ status: 'cancelled', cancelled_because: 'unpaid' })
  expect(await past()).toEqual({ ids: [id], total: 1 })
  await at(later(tuesday, hours(1)))
  expect(await past()).toEqual({ ids: [], total: 0 })
})

/** A session ahead, as its practitioner sees it. */
async function theirs(id: string) {
  const token = await signInPractitioner(app, practitioner)
  const answer = await app.call('GET', '/therapist/sessions?when=upcoming', { token })
  const { data } = answer.body as unknown as AnswerOf<'GET /therapist/sessions'>
  return data.find(({ appointment_id }) => appointment_id === id)
}

test('a session that was moved to one for less than half is no refunded one to its practitioner', async () => {
  await app.db
    .updateTable('practitioner_services')
    .set({ fee_pence: 3000 })
    .where('practitioner_id', '=', practitioner.id)
    .where('appointment_type', '=', 'online')
    .execute()
  const startsAt = '2026-06-08T09:00:00Z'
  const id = await bookSession(app, { practitioner, client, card, startsAt, type: 'face_to_face' })
  const body = { appointment_id: id, type: 'online', appointment_datetime: '2026-06-09T13:00:00Z' }
  const moved = await app.call('POST', '/appointment/edit-session', { token: client.token, body })
  expect(moved.body).toMatchObject({ fee: 30 })
  expect((await detail(id)).refund).toMatchObject({ amount: 50, on_change: 50 })
  expect(await theirs(id)).toMatchObject({ status: 'confirmed', fee: 30, payment_change: null })
})

test('the refund for a change and the one for the cancellation are given apart', async () => {
  const id = await bookSession(app, {
    practitioner,
    client,
    card,
    startsAt: '2026-06-08T09:00:00Z',
    type: 'face_to_face',
  })
  const body = { appointment_id: id, type: 'online', appointment_datetime: '2026-06-09T13:00:00Z' }
  const moved = await app.call('POST', '/appointment/edit-session', { token: client.token, body })
  expect(moved.body).toMatchObject({ fee: 60 })
  expect((await detail(id)).refund).toEqual({ amount: 20, on_change: 20, state: 'succeeded' })
  expect(await theirs(id)).toMatchObject({ status: 'confirmed', fee: 60, payment_change: null })
  await cancel(id)
  expect((await detail(id)).refund).toEqual({ amount: 80, on_change: 20, state: 'succeeded' })
})
