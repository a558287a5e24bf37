import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import type { PastSession, ReceivedReview, Report } from '#contract/reviews.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
/** Signed in after the session. */
let therapist: string
let sessionId: string

/** The session, an hour long at most, has counted as completed since noon. */
const dayAfter = '2026-06-09T12:00:00Z'

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app, { name: 'Morgan Wells' })
  practitioner = await createPractitioner(app)
  sessionId = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
  app.clock.set(dayAfter)
  await app.services.bookings.sweep()
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const said = { rating: 4, comment: 'Kind, and clear about what comes next.' }
const review = (body: unknown = said, id = sessionId, who = client) =>
  app.call('POST', `/appointment/${id}/review`, { token: who.token, body })
const change = (body: unknown, id = sessionId) =>
  app.call('PUT', `/appointment/${id}/review`, { token: client.token, body })
const withdraw = (id = sessionId) => app.call('DELETE', `/appointment/${id}/review`, { token: client.token })
const reply = (id: unknown, text: string, token = therapist) =>
  app.call('PUT', `/therapist/reviews/${String(id)}/reply`, { token, body: { reply: text } })
const report = (id: unknown, reason: string, token: string, about = '') =>
  app.call('POST', `/reviews/${String(id)}${about}/report`, { token, body: { reason } })
const profile = async () => {
  const answer = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
  expect(answer.status).toBe(200)
  return PractitionerProfile.parse(answer.body)
}
/** Rating and total in the search. */
const inSearch = async () => {
  const answer = await app.call('GET', '/practitioner/get-practitioners')
  const [card] = answer.body.data as unknown as { reviews_rating: number; reviews_total: number }[]
  return [card?.reviews_rating, card?.reviews_total]
}
const past = async (who = client) => {
  const answer = await app.call('GET', '/appointment/get-past-sessions', { token: who.token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as { data: PastSession[]; meta: { total: number } }
}
const received = async (query = '') => {
  const answer = await app.call('GET', `/therapist/reviews${query}`, { token: therapist })
  expect(answer.status).toBe(200)
  return answer.body as unknown as {
    data: ReceivedReview[]
    meta: { total: number; rating: number; shown: number; unreplied: number }
  }
}
async function deleteAccount(who = client): Promise<void> {
  const deleted = await app.call('POST', '/client/delete-account', {
    token: who.token,
    body: { current_password: password, understood: true },
  })
  expect(deleted.status).toBe(200)
}
/** Creates another client with a session, an hour after the last one. */
async function another(hour: number, name = 'Robin Other'): Promise<{ client: Client; sessionId: string }> {
  app.clock.set('2026-06-05T08:00:00Z')
  const other = await createClient(app, { name })
  const startsAt = `2026-06-08T${String(hour).padStart(2, '0')}:00:00Z`
  const id = await bookSession(app, { practitioner, client: other, startsAt })
  app.clock.set(dayAfter)
  await app.services.bookings.sweep()
  client = await signInAgain(app, client)
  return { client: await signInAgain(app, other), sessionId: id }
}

describe('a review', () => {
  test('is signed with an initial, and counts on the profile and in the search at once', async () => {
    const answer = await review()
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ ...said, reviewer: 'M.', reply: null, hidden_reason: null })
    const { reviews_list, reviews_rating, reviews_total } = await profile()
    expect(reviews_list).toEqual([
      {
        review_id: answer.body.review_id,
        reviewer: 'M.',
        ...said,
        date: '2026-06-09T00:00:00.000Z',
        reply: null,
      },
    ])
    expect([reviews_rating, reviews_total]).toEqual([4, 1])
    expect(await inSearch()).toEqual([4, 1])
    const text = JSON.stringify(await profile()) + JSON.stringify(await received())
    for (const secret of ['Morgan', 'Wells', client.email, client.id, sessionId])
      expect(text).not.toContain(secret)
    const sitemap = await fetch(`${app.origin}/sitemap/profiles-${practitioner.id}.xml`)
    expect(await sitemap.text()).toContain('<lastmod>2026-06-09T00:00:00.000Z</lastmod>')
  })

  test('is written once for a session: the same words again change nothing, others are refused', async () => {
    const first = await review()
    const before = await fingerprint(app.db)
    expect((await review()).body).toEqual(first.body)
    const other = await review({ rating: 1, comment: 'Something else.' })
    expect([other.status, other.body.code]).toEqual([409, 'already_reviewed'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test.each([
    ['rating', { ...said, rating: 0 }],
    ['rating', { ...said, rating: 6 }],
    ['rating', { ...said, rating: 4.5 }],
    ['rating', { comment: said.comment }],
    ['comment', { ...said, comment: ' \n ' }],
    ['comment', { ...said, comment: 'x'.repeat(4001) }],
    ['comment', { rating: 5 }],
  ])('is refused for its %s (%#), and nothing is written', async (field, body) => {
    const before = await fingerprint(app.db)
    const answer = await review(body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('is for sessions that have taken place alone', async () => {
    app.clock.set('2026-06-10T08:00:00Z')
    client = await signInAgain(app, client)
    const ahead = await bookSession(app, { practitioner, client, startsAt: '2026-06-15T09:00:00Z' })
    const cancelled = await bookSession(app, { practitioner, client, startsAt: '2026-06-16T09:00:00Z' })
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: cancelled },
    })
    const held = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-17T09:00:00Z',
      },
    })
    await app.db.updateTable('appointments').set({ state: 'no_show' }).where('id', '=', sessionId).execute()
    const before = await fingerprint(app.db)
    for (const id of [ahead, cancelled, String(held.body.session_id), sessionId]) {
      const answer = await review(said, id)
      expect([answer.status, answer.body.code]).toEqual([409, 'not_reviewable'])
    }
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await inSearch()).toEqual([0, 0])
  })

  test('can be changed, which counts and is said, and withdrawn, after which it can be written anew', async () => {
    await review()
    app.clock.advance(60_000)
    const changed = await change({ rating: 2, comment: 'On reflection, less so.' })
    expect(changed.body).toMatchObject({ rating: 2, edited_at: '2026-06-09T12:01:00.000Z' })
    expect(await inSearch()).toEqual([2, 1])
    const before = await fingerprint(app.db)
    app.clock.advance(60_000)
    expect((await change({ rating: 2, comment: 'On reflection, less so.' })).body).toEqual(changed.body)
    expect(await fingerprint(app.db)).toEqual(before)

    expect((await withdraw()).body).toBe('success')
    expect((await withdraw()).body).toBe('success')
    expect(await inSearch()).toEqual([0, 0])
    expect((await profile()).reviews_list).toEqual([])
    expect([(await change(said)).status, (await change(said)).body.code]).toEqual([409, 'not_reviewable'])
    expect((await review()).status).toBe(201)
    expect(await inSearch()).toEqual([4, 1])
  })

  test('stands beside the session in the list of what is over', async () => {
    expect(await past()).toMatchObject({
      data: [{ appointment_id: sessionId, status: 'completed', reviewable: true, review: null }],
      meta: { total: 1 },
    })
    await review()
    expect((await past()).data).toMatchObject([{ reviewable: false, review: said }])
    // Ended, and not yet counted as completed.
    const { client: other, sessionId: later } = await another(10)
    await app.db.updateTable('appointments').set({ state: 'confirmed' }).where('id', '=', later).execute()
    expect((await past(other)).data).toMatchObject([{ status: 'confirmed', reviewable: false, review: null }])
  })

  test('is listed on pages of twenty, and all are counted', async () => {
    const rows = await app.db.selectFrom('appointments').selectAll().where('id', '=', sessionId).execute()
    const [row] = rows
    if (!row) throw new Error('no session')
    for (let day = 1; day <= 24; day++) {
      const startsAt = new Date(Date.UTC(2026, 3, day, 9))
      await app.db
        .insertInto('appointments')
        .values({
          ...row,
          id: crypto.randomUUID(),
          state: 'cancelled',
          cancelled_by: 'practitioner',
          cancel_reason: `Day ${day}`,
          reservation_id: null,
          starts_at: startsAt,
          ends_at: new Date(startsAt.getTime() + 3_000_000),
        })
        .execute()
    }
    const first = await past()
    expect(first.meta).toEqual({ total: 25, page: 1, per_page: 20 })
    expect(first.data).toHaveLength(20)
    expect(first.data[1]).toMatchObject({ practitioners_reason: 'Day 24', reviewable: false })
    const second = await app.call('GET', '/appointment/get-past-sessions?page=2', { token: client.token })
    const rest = second.body.data as unknown as PastSession[]
    expect(rest).toHaveLength(5)
    const ids = [...first.data, ...rest].map((each) => each.appointment_id)
    expect(new Set(ids).size).toBe(25)
  })

  test('keeps its stars and its day alone once its author has deleted their account', async () => {
    await review()
    app.clock.advance(60_000)
    await change({ ...said, rating: 5 })
    await deleteAccount()
    const rows = await app.db
      .selectFrom('reviews')
      .select(['rating', 'comment', 'reviewer', 'created_at', 'edited_at'])
      .execute()
    expect(rows).toEqual([
      {
        rating: 5,
        comment: '',
        reviewer: 'A former client',
        created_at: new Date('2026-06-09T00:00:00Z'),
        edited_at: null,
      },
    ])
  })
})

describe('an answer', () => {
  test('a reply is public under its review, and the practitioner can edit and delete it', async () => {
    const { body } = await review()
    const answered = await reply(body.review_id, 'Thank you for saying so.')
    expect(answered.body).toMatchObject({
      reply: { reply: 'Thank you for saying so.', edited_at: null },
      edited_since_reply: false,
    })
    expect((await profile()).reviews_list[0]?.reply).toEqual({
      reply: 'Thank you for saying so.',
      date: '2026-06-09T12:00:00.000Z',
    })
    expect((await past()).data[0]?.review?.reply?.reply).toBe('Thank you for saying so.')
    expect((await received('?unreplied=true')).meta.total).toBe(0)
    app.clock.advance(60_000)
    await change({ ...said, rating: 5 })
    expect((await received()).data[0]?.edited_since_reply).toBe(true)
    app.clock.advance(60_000)
    expect((await reply(body.review_id, 'Thank you, again.')).body).toMatchObject({
      reply: { reply: 'Thank you, again.', edited_at: '2026-06-09T12:02:00.000Z' },
      edited_since_reply: false,
    })
    const back = await app.call('DELETE', `/therapist/reviews/${String(body.review_id)}/reply`, {
      token: therapist,
    })
    expect(back.body).toMatchObject({ reply: null })
    expect((await profile()).reviews_list[0]?.reply).toBeNull()
    expect((await received()).meta).toMatchObject({ total: 1, shown: 1, unreplied: 1, rating: 5 })
  })

  test('is asked for on the dashboard again once the review is changed, until it is saved anew', async () => {
    const task = async () => {
      const answer = await app.call('GET', '/therapist/home/get-dashboard-overview', { token: therapist })
      const { tasks } = answer.body as unknown as DashboardOverview
      return tasks.find(({ code }) => code === 'review_unreplied')
    }
    const { body } = await review()
    expect((await task())?.title).toBe('A review has no reply')
    const thanks = 'Thank you for saying so.'
    await reply(body.review_id, thanks)
    expect(await task()).toBeUndefined()
    app.clock.advance(60_000)
    const edited_at = (await change({ ...said, rating: 1 })).body.edited_at
    expect(await task()).toMatchObject({
      title: 'A review was changed after your reply',
      message:
        'A reply stays as it is when its review is changed. Change it, or save it again if it still fits.',
    })
    const { client: other, sessionId: otherSession } = await another(10)
    app.clock.advance(120_000)
    await review(said, otherSession, other)
    expect((await task())?.title).toBe('A review has no reply, and one was changed after your reply')

    const order = async () => (await received()).data.map(({ review_id }) => review_id)
    const [first] = await order()
    expect(first).toBe(body.review_id)
    const again = (shown?: object) =>
      app.call('PUT', `/therapist/reviews/${String(body.review_id)}/reply`, {
        token: therapist,
        body: { reply: thanks, shown },
      })
    for (const shown of [undefined, { edited_at: null }]) {
      const before = await fingerprint(app.db)
      expect((await again(shown)).body).toMatchObject({ edited_since_reply: true })
      expect(await fingerprint(app.db)).toEqual(before)
    }
    expect((await again({ edited_at })).body).toMatchObject({
      reply: { reply: thanks, edited_at: '2026-06-09T12:02:00.000Z' },
      edited_since_reply: false,
    })
    expect((await task())?.title).toBe('A review has no reply')
    expect((await order()).at(-1)).toBe(body.review_id)
    // A reply that is hidden cannot be changed.
    app.clock.advance(60_000)
    await change({ ...said, rating: 2 })
    expect((await task())?.title).toMatch(/changed after your reply$/)
    await app.db
      .updateTable('reviews')
      .set({ reply_hidden_at: app.clock.now(), reply_hidden_reason: 'It names a client.' })
      .where('id', '=', Number(body.review_id))
      .execute()
    expect((await task())?.title).toBe('A review has no reply')
  })

  test('is no longer asked for once the client has deleted their account, and the words with it', async () => {
    const { body } = await review()
    await reply(body.review_id, 'Thank you for saying so.')
    await deleteAccount()
    expect((await received()).meta).toMatchObject({ total: 1, shown: 1, unreplied: 0, rating: 4 })
    expect(await received('?unreplied=true')).toMatchObject({ data: [], meta: { total: 0 } })
    const dashboard = await app.call('GET', '/therapist/home/get-dashboard-overview', { token: therapist })
    expect(dashboard.status).toBe(200)
    expect(JSON.stringify(dashboard.body)).not.toContain('review_unreplied')
  })

  test('to a review is refused once the words were deleted with their author’s account', async () => {
    const { body } = await review()
    await reply(body.review_id, 'Thank you for saying so.')
    await deleteAccount()
    const before = await fingerprint(app.db)
    for (const shown of [undefined, { edited_at: null }]) {
      const refused = await app.call('PUT', `/therapist/reviews/${String(body.review_id)}/reply`, {
        token: therapist,
        body: { reply: 'Thank you for saying so, Morgan.', shown },
      })
      expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    }
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await profile()).reviews_list[0]?.reply).toBeNull()
  })

  test('to other words than the ones that were read is refused', async () => {
    const { body } = await review()
    app.clock.advance(60_000)
    await change({ ...said, rating: 5 })
    const answer = (edited_at: string | null) =>
      app.call('PUT', `/therapist/reviews/${String(body.review_id)}/reply`, {
        token: therapist,
        body: { reply: 'That was not so.', shown: { edited_at } },
      })
    const refused = await answer(null)
    expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    expect((await received()).data[0]?.reply).toBeNull()
    const [now] = (await received()).data
    expect((await answer(now?.edited_at ?? null)).body).toMatchObject({
      reply: { reply: 'That was not so.' },
    })
  })

  test('is the practitioner’s alone, and goes with the review', async () => {
    const { body } = await review()
    const other = await signInPractitioner(app, await createPractitioner(app))
    const before = await fingerprint(app.db)
    expect((await reply(body.review_id, 'Not mine.', other)).status).toBe(404)
    expect((await reply(body.review_id, '  ')).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
    await reply(body.review_id, 'Thank you.')
    await withdraw()
    expect((await reply(body.review_id, 'Thank you?')).status).toBe(404)
    expect((await received()).data).toEqual([])
  })
})

describe('what is reported', () => {
  let admin: string
  let reviewId: unknown
  beforeEach(async () => {
    admin = (await createAdmin(app)).token
    reviewId = (await review({ rating: 1, comment: 'He lives at 3 Elm Row.' })).body.review_id
  })
  const reports = async (status = 'open') => {
    const answer = await app.call('GET', `/admin/reports?status=${status}`, { token: admin })
    expect(answer.status).toBe(200)
    return answer.body.data as unknown as Report[]
  }
  const decide = (id: unknown, decision: string, body?: unknown) =>
    app.call('POST', `/admin/reports/${String(id)}/${decision}`, {
      token: admin,
      ...(body === undefined ? {} : { body }),
    })
  const audit = async () =>
    (
      await app.db.selectFrom('audit_log').select(['action', 'subject', 'reason']).orderBy('id').execute()
    ).map((row) => `${row.action} | ${row.subject} | ${row.reason ?? ''}`)

  test('stays as it is until an admin decides; each person’s report is noted once', async () => {
    const { client: other } = await another(10)
    expect((await report(reviewId, 'An address.', therapist)).body).toBe('success')
    expect((await report(reviewId, 'An address!', therapist)).body).toBe('success')
    expect((await report(reviewId, 'Somebody’s address.', other.token)).body).toBe('success')
    expect(await inSearch()).toEqual([1, 1])
    expect((await received()).data[0]).toMatchObject({ reported: true, hidden_reason: null })
    const open = await reports()
    expect(open).toMatchObject([
      {
        about: 'review',
        status: 'open',
        reason: 'An address.',
        open_reports: 2,
        reporter: { is: 'practitioner', email: practitioner.email },
        review: { comment: 'He lives at 3 Elm Row.', hidden: false },
        practitioner: { practitioner_id: practitioner.id },
        decided_by: null,
        decision_reason: null,
        others: [
          {
            reason: 'Somebody’s address.',
            reporter: { is: 'client', name: 'Robin Other', email: other.email },
          },
        ],
      },
    ])
  })

  test('an author reads which reviews of a practitioner are their own, and no other client’s', async () => {
    const { client: other } = await another(10)
    const ownReviews = async (who: Client, of = practitioner.id) =>
      (await app.call('GET', `/client/reviews?practitioner_id=${of}`, { token: who.token })).body
    expect(await ownReviews(client)).toEqual([{ review_id: reviewId, appointment_id: sessionId }])
    expect(await ownReviews(client, practitioner.id + 1)).toEqual([])
    expect(await ownReviews(other)).toEqual([])
  })

  test('an author cannot report their own review or reply, while each can report the other’s', async () => {
    await reply(reviewId, 'That is my address.')
    const before = await fingerprint(app.db)
    const own = [
      await report(reviewId, 'I regret it.', client.token),
      await report(reviewId, 'I regret it.', therapist, '/reply'),
    ]
    expect(own.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'conflict'],
      [409, 'conflict'],
    ])
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await reports()).toEqual([])
    expect((await report(reviewId, 'An address.', therapist)).body).toBe('success')
    expect((await report(reviewId, 'It names the street.', client.token, '/reply')).body).toBe('success')
    expect((await reports()).map(({ about, reporter }) => [about, reporter.is])).toEqual([
      ['review', 'practitioner'],
      ['reply', 'client'],
    ])
  })

  test('is not decided on as it was before its author changed it, or another person reported it', async () => {
    await reply(reviewId, 'That is my address.')
    await report(reviewId, 'An address.', therapist)
    await report(reviewId, 'It names the street.', client.token, '/reply')
    const [first, second] = await reports()
    const shownOf = (each: Report | undefined) => ({
      edited_at: (each?.about === 'reply' ? each.review.reply_edited_at : each?.review.edited_at) ?? null,
      open_reports: each?.open_reports,
    })
    const expectRefused = async (each: Report | undefined, shown: object) => {
      for (const [how, more] of [
        ['hide', { reason: 'It names an address.' }],
        ['dismiss', {}],
      ] as const) {
        const refused = await decide(each?.report_id, how, { ...more, shown })
        expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
      }
    }
    const [before, replyBefore] = [shownOf(first), shownOf(second)]
    await change({ rating: 1, comment: 'He was late.' })
    await expectRefused(first, before)
    await reply(reviewId, 'I am sorry.')
    await expectRefused(second, replyBefore)
    const changed = shownOf((await reports())[0])
    const { client: other } = await another(10)
    await report(reviewId, 'It is rude.', other.token)
    await expectRefused(first, changed)
    expect(await audit()).toEqual([])
    const [now, replyNow] = await reports()
    expect((await decide(now?.report_id, 'dismiss', { shown: shownOf(now) })).body.status).toBe('dismissed')
    const hidden = await decide(replyNow?.report_id, 'hide', { reason: 'Rude.', shown: shownOf(replyNow) })
    expect(hidden.body.status).toBe('hidden')
  })

  test('a hidden review leaves the profile and the rating, and its author sees the reason', async () => {
    const { client: other, sessionId: otherSession } = await another(10)
    await review({ rating: 5, comment: 'Wonderful.' }, otherSession, other)
    expect(await inSearch()).toEqual([3, 2])
    await report(reviewId, 'An address.', therapist)
    await report(reviewId, 'An address.', other.token)
    const [first] = await reports()
    const hidden = await decide(first?.report_id, 'hide', { reason: 'It names an address.' })
    expect(hidden.body).toMatchObject({
      status: 'hidden',
      review: { hidden: true },
      open_reports: 0,
      decided_by: 'Ada Admin',
      decision_reason: 'It names an address.',
      others: [{ reporter: { name: 'Robin Other' } }],
    })
    expect(await inSearch()).toEqual([5, 1])
    const shown = await profile()
    expect([shown.reviews_rating, shown.reviews_total]).toEqual([5, 1])
    expect(JSON.stringify(shown)).not.toContain('Elm Row')
    expect((await past()).data[0]).toMatchObject({
      review: { hidden_reason: 'It names an address.' },
      reviewable: false,
    })
    expect((await received()).meta).toMatchObject({ total: 2, shown: 1, rating: 5, unreplied: 1 })
    expect(await reports()).toEqual([])
    expect(await reports('hidden')).toEqual([hidden.body])
    expect(await audit()).toEqual([
      `hide reported | report ${first?.report_id} of review ${String(reviewId)} | It names an address.`,
    ])

    // A hidden review cannot be edited, withdrawn, replied to, reported or written a second time.
    const before = await fingerprint(app.db)
    for (const answer of [await change(said), await withdraw(), await reply(reviewId, 'Thanks.')]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'review_hidden'])
      expect(answer.body.message).toContain('It is not public')
    }
    expect((await review(said)).body.code).toBe('already_reviewed')
    expect((await report(reviewId, 'Again.', other.token)).status).toBe(404)
    const again = await decide(first?.report_id, 'hide', { reason: 'Twice.' })
    expect([again.status, again.body.code]).toEqual([409, 'transition_refused'])
    expect(await fingerprint(app.db)).toEqual(before)

    // An admin can restore it.
    expect((await decide(first?.report_id, 'restore')).body).toMatchObject({
      status: 'dismissed',
      review: { hidden: false },
    })
    expect(await inSearch()).toEqual([3, 2])
    expect(await reports('hidden')).toEqual([])
    expect(await reports('dismissed')).toMatchObject([
      { decided_by: 'Ada Admin', decision_reason: null, others: [{}] },
    ])
    expect((await change(said)).status).toBe(200)
  })

  test('stays when it is dismissed, and can be reported anew', async () => {
    await report(reviewId, 'I disagree with it.', therapist)
    const [first] = await reports()
    expect((await decide(first?.report_id, 'dismiss')).body).toMatchObject({ status: 'dismissed' })
    expect(await inSearch()).toEqual([1, 1])
    expect((await received()).data[0]?.reported).toBe(false)
    const twice = await decide(first?.report_id, 'dismiss')
    expect([twice.status, twice.body.code]).toEqual([409, 'transition_refused'])
    await report(reviewId, 'It has an address.', therapist)
    expect(await reports()).toMatchObject([{ reason: 'It has an address.' }])
    expect(await audit()).toHaveLength(1)
  })

  test('reports of one review are one entry for each decision, and of its reply another', async () => {
    const { client: other } = await another(10)
    const { client: third } = await another(11, 'Jo Third')
    await reply(reviewId, 'That is my address.')
    await report(reviewId, 'An address.', other.token)
    const [first] = await reports()
    await decide(first?.report_id, 'dismiss')
    app.clock.advance(60_000)
    await report(reviewId, 'Still an address.', therapist)
    await report(reviewId, 'An address.', third.token)
    await report(reviewId, 'It names the street.', client.token, '/reply')
    const list = await app.call('GET', '/admin/reports', { token: admin })
    expect(list.body).toMatchObject({
      data: [
        { about: 'review', reason: 'Still an address.', others: [{ reporter: { name: 'Jo Third' } }] },
        { about: 'reply', others: [] },
      ],
      meta: { total: 2 },
    })
    const [again] = await reports()
    const ada = await createAdmin(app)
    await app.db.updateTable('accounts').set({ first_name: 'Kit' }).where('id', '=', ada.id).execute()
    await app.call('POST', `/admin/reports/${again?.report_id}/dismiss`, { token: ada.token })
    expect(await reports('dismissed')).toMatchObject([
      { reason: 'Still an address.', decided_by: 'Kit Admin', others: [{ reporter: { name: 'Jo Third' } }] },
      { reason: 'An address.', decided_by: 'Ada Admin', others: [] },
    ])
  })

  test('a hidden review can be restored after its reporter has deleted their account', async () => {
    const { client: other } = await another(10)
    await reply(reviewId, 'That is my address.')
    await report(reviewId, 'He is my neighbour.', other.token)
    const [first] = await reports()
    await decide(first?.report_id, 'hide', { reason: 'It names an address.' })
    await decide(first?.report_id, 'restore')
    await report(reviewId, 'It is still my neighbour.', other.token)
    await report(reviewId, 'My neighbour again.', other.token, '/reply')
    const [again, open] = await reports()
    await decide(again?.report_id, 'hide', { reason: 'It names an address.' })
    expect(open?.about).toBe('reply')
    await deleteAccount(other)

    const [kept, ...more] = await reports('hidden')
    expect(more).toEqual([])
    expect(kept).toMatchObject({
      report_id: again?.report_id,
      reason: '',
      decision_reason: 'It names an address.',
      decided_by: 'Ada Admin',
      reporter: { name: '', email: '', is: 'deleted account' },
    })
    expect([await reports(), await reports('dismissed')]).toEqual([[], []])
    const rows = await app.db.selectFrom('review_reports').select(['account_id', 'reason']).execute()
    expect(rows).toEqual([{ account_id: null, reason: null }])
    const restored = await decide(kept?.report_id, 'restore')
    expect(restored.body).toMatchObject({ status: 'dismissed', review: { hidden: false } })
    expect(await inSearch()).toEqual([1, 1])
    // A mistake can be undone in turn.
    expect((await decide(kept?.report_id, 'hide', { reason: 'An address.' })).status).toBe(200)
    expect(await inSearch()).toEqual([0, 0])
  })

  test('may be the answer, which is hidden without the review', async () => {
    expect((await report(reviewId, 'No answer yet.', client.token, '/reply')).status).toBe(404)
    await reply(reviewId, 'You owe me for a window.')
    expect((await report(reviewId, 'A threat.', client.token, '/reply')).body).toBe('success')
    const [first] = await reports()
    expect(first).toMatchObject({ about: 'reply', review: { reply: 'You owe me for a window.' } })
    await decide(first?.report_id, 'hide', { reason: 'It is a threat.' })
    expect(await app.db.selectFrom('audit_log').select(['action', 'practitioner_id']).execute()).toEqual([
      { action: 'hide reported', practitioner_id: practitioner.id },
    ])
    const { reviews_list, reviews_total } = await profile()
    expect([reviews_list[0]?.reply, reviews_total]).toEqual([null, 1])
    expect((await past()).data[0]?.review?.reply).toBeNull()
    const copy = await app.call('GET', '/client/export', { token: client.token })
    expect(copy.status).toBe(200)
    expect(JSON.stringify(copy.body)).not.toContain('a window')
    expect((await received()).data[0]?.reply?.hidden_reason).toBe('It is a threat.')
    const before = await fingerprint(app.db)
    expect((await reply(reviewId, 'You do.')).body.code).toBe('review_hidden')
    const back = await app.call('DELETE', `/therapist/reviews/${String(reviewId)}/reply`, {
      token: therapist,
    })
    expect(back.body.code).toBe('review_hidden')
    expect(await fingerprint(app.db)).toEqual(before)
    await decide(first?.report_id, 'restore')
    expect((await profile()).reviews_list[0]?.reply?.reply).toBe('You owe me for a window.')
    // A withdrawn reply leaves no report to decide.
    await report(reviewId, 'A threat.', client.token, '/reply')
    await app.call('DELETE', `/therapist/reviews/${String(reviewId)}/reply`, { token: therapist })
    expect(await reports()).toEqual([])
  })

  test('needs a reason to be hidden, and is not there where nothing was reported', async () => {
    await report(reviewId, 'An address.', therapist)
    const [first] = await reports()
    const before = await fingerprint(app.db)
    expect((await decide(first?.report_id, 'hide', { reason: '  ' })).status).toBe(422)
    expect((await decide(2_147_483_647, 'hide', { reason: 'Why.' })).status).toBe(404)
    expect((await decide(first?.report_id, 'restore')).body.code).toBe('transition_refused')
    expect((await report(2_147_483_647, 'Nothing.', therapist)).status).toBe(404)
    expect((await report(reviewId, '', therapist)).status).toBe(422)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(await audit()).toEqual([])
  })
})
