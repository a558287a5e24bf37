import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
} from '#test/factories.ts'

/** Many clients of one practitioner, all at once. */
const many = 30

let app: TestApp
let practitioner: Practitioner
let admin: string
let sessions: { client: Client; id: string }[]

beforeAll(async () => {
  app = await buildTestApp({ database: (await clusterDatabase(20)).database, rateLimitScale: 1_000_000 })
  practitioner = await createPractitioner(app)
  const booked: { client: Client; id: string }[] = []
  for (let index = 0; index < many; index++) {
    const client = await createClient(app)
    const day = String(2 + Math.floor(index / 10)).padStart(2, '0')
    const hour = String(8 + (index % 10)).padStart(2, '0')
    const id = await bookSession(app, { practitioner, client, startsAt: `2026-06-${day}T${hour}:00:00Z` })
    booked.push({ client, id })
  }
  app.clock.set('2026-06-09T12:00:00Z')
  await app.services.bookings.sweep()
  sessions = await Promise.all(
    booked.map(async ({ client, id }) => ({ client: await signInAgain(app, client), id })),
  )
  admin = (await createAdmin(app)).token
})
afterAll(async () => app.close())

const write = ({ client, id }: { client: Client; id: string }, rating: number) =>
  app.call('POST', `/appointment/${id}/review`, {
    token: client.token,
    body: { rating, comment: `${rating} stars` },
  })

/** Checks rating and total in the search, on the card and on the profile against the rows. Returns their count. */
async function expectRecounted(): Promise<number> {
  const rows = await app.db
    .selectFrom('reviews')
    .select('rating')
    .where('practitioner_id', '=', practitioner.id)
    .where('hidden_at', 'is', null)
    .execute()
  const sum = rows.reduce((total, { rating }) => total + rating, 0)
  const average = rows.length === 0 ? 0 : Math.round((sum / rows.length) * 100)
  const search = await app.db
    .selectFrom('practitioner_search')
    .innerJoin(
      'practitioner_cards',
      'practitioner_cards.practitioner_id',
      'practitioner_search.practitioner_id',
    )
    .select(['rating_hundredths', 'card'])
    .where('practitioner_search.practitioner_id', '=', practitioner.id)
    .executeTakeFirstOrThrow()
  const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
  expect([search.rating_hundredths, search.card, profile.body]).toMatchObject([
    average,
    { reviews_rating: average / 100, reviews_total: rows.length },
    { reviews_rating: average / 100, reviews_total: rows.length },
  ])
  return rows.length
}

describe('with many connections', () => {
  test('rating and total equal those of the reviews after concurrent writes', async () => {
    const answers = await Promise.all(sessions.map((session, index) => write(session, 1 + (index % 5))))
    expect(answers.map(({ status }) => status)).toEqual(sessions.map(() => 201))
    expect(await expectRecounted()).toBe(many)
  })

  test('five concurrent requests with the same review create it once', async () => {
    const [session] = sessions
    if (!session) throw new Error('no session')
    await app.call('DELETE', `/appointment/${session.id}/review`, { token: session.client.token })
    const answers = await Promise.all(Array.from({ length: 5 }, () => write(session, 5)))
    expect(new Set(answers.map(({ body }) => body.review_id)).size).toBe(1)
    const different = await Promise.all([1, 2, 3].map((rating) => write(session, rating)))
    expect(different.map(({ body }) => body.code)).toEqual(
      Array.from({ length: 3 }, () => 'already_reviewed'),
    )
    expect(await expectRecounted()).toBe(many)
  })

  test('rating and total equal those of the reviews after concurrent edits, withdrawals and decisions', async () => {
    const rows = await app.db.selectFrom('reviews').select(['id', 'appointment_id']).orderBy('id').execute()
    const idOf = (session: { id: string }) => rows.find((row) => row.appointment_id === session.id)?.id
    const reported = sessions.slice(0, 10)
    const reporter = sessions.at(-1)?.client
    await Promise.all(
      reported.map((session) =>
        app.call('POST', `/reviews/${idOf(session)}/report`, {
          token: reporter?.token,
          body: { reason: 'Look at it.' },
        }),
      ),
    )
    const open = await app.db.selectFrom('review_reports').select('id').orderBy('id').execute()
    expect(open).toHaveLength(10)
    const hide = (id: number) =>
      app.call('POST', `/admin/reports/${id}/hide`, { token: admin, body: { reason: 'Hidden.' } })
    const statuses = (
      await Promise.all([
        ...open.map(({ id }) => hide(id)),
        // Two admins make the same decision while clients edit their reviews.
        ...open.map(({ id }) => hide(id)),
        ...sessions.slice(5, 15).map(({ client, id }) =>
          app.call('PUT', `/appointment/${id}/review`, {
            token: client.token,
            body: { rating: 3, comment: 'Changed.' },
          }),
        ),
        ...sessions
          .slice(15, 20)
          .map(({ client, id }) => app.call('DELETE', `/appointment/${id}/review`, { token: client.token })),
      ])
    ).map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(await expectRecounted()).toBe(many - 10 - 5)
    const audited = await app.db.selectFrom('audit_log').select('subject').execute()
    expect(audited).toHaveLength(10)
    const back = await Promise.all(
      open.map(({ id }) => app.call('POST', `/admin/reports/${id}/restore`, { token: admin })),
    )
    expect(back.map(({ status }) => status)).toEqual(open.map(() => 200))
    expect(await expectRecounted()).toBe(many - 5)
  })
})
