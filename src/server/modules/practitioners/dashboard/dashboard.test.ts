import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { addDocument } from '#test/vetting.ts'
import { lastMonths } from '../../../months.ts'
import { captionsTasks, factTasks, monthsShown, type VettedFact } from './dashboard.rules.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app, { name: 'Morgan Wells' })
  practitioner = await createPractitioner(app, { firstName: 'Priya' })
})
afterEach(async () => app.close())

const overview = async (who = practitioner): Promise<DashboardOverview> => {
  const token = await signInPractitioner(app, who)
  const answer = await app.call('GET', '/therapist/home/get-dashboard-overview', { token })
  expect(answer.status).toBe(200)
  return DashboardOverview.parse(answer.body)
}
const at = async (time: string) => {
  app.clock.set(time)
  await app.services.bookings.sweep()
  client = await signInAgain(app, client)
}
const codes = ({ tasks }: DashboardOverview) => tasks.map(({ code }) => code)
const earned = ({ earnings }: DashboardOverview) =>
  Object.fromEntries(
    earnings.flatMap(({ month, amount, sessions }) => (sessions ? [[month, [amount, sessions]]] : [])),
  )

describe('the dashboard', () => {
  test('the dashboard shows zeros and no tasks for a practitioner without bookings', async () => {
    const seen = await overview()
    expect(seen).toMatchObject({
      profile: { first_name: 'Priya', status: 'approved', listed: true, available_now_until: null },
      upcoming: { total: 0, sessions: [] },
      owed: 0,
      profile_views: { last_30_days: 0 },
      reviews: { rating: 0, total: 0, unreplied: 0 },
      enquiries_count: 0,
      response_minutes: null,
      tasks: [],
    })
    expect(seen.earnings).toHaveLength(12)
    expect(seen.earnings[0]).toEqual({ month: '2025-07', amount: 0, sessions: 0 })
    expect(seen.earnings.at(-1)).toEqual({ month: '2026-06', amount: 0, sessions: 0 })
    expect(seen.profile_views.months.map(({ month }) => month)).toEqual(
      seen.earnings.map(({ month }) => month),
    )
  })

  test('earnings alone are those of the dashboard, also for a suspended practitioner', async () => {
    await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await at('2026-06-08T09:30:00Z')
    const { earnings, owed } = await overview()
    expect(owed).toBe(60)
    const token = await signInPractitioner(app, practitioner)
    const read = async () => (await app.call('GET', '/therapist/earnings', { token })).body
    expect(await read()).toEqual({ months: earnings, owed })
    await app.db
      .updateTable('practitioners')
      .set({ state: 'suspended' })
      .where('id', '=', practitioner.id)
      .execute()
    expect(await read()).toEqual({ months: earnings, owed })
  })

  test('shows the next five sessions, soonest first, and how many there are', async () => {
    for (const day of ['14', '13', '12', '11', '10', '09']) {
      await bookSession(app, { practitioner, client, startsAt: `2026-06-${day}T09:00:00Z` })
    }
    const { upcoming } = await overview()
    expect(upcoming.total).toBe(6)
    expect(upcoming.sessions.map(({ starts_at }) => starts_at.slice(8, 10))).toEqual([
      '09',
      '10',
      '11',
      '12',
      '13',
    ])
    expect(upcoming.sessions[0]?.client).toEqual({ name: 'Morgan W.', timezone: null })
  })

  test('counts what was earned in the month of the session, in the practitioner’s zone, as the ledger has it', async () => {
    const far = await createPractitioner(app, { timezone: 'Pacific/Auckland' })
    // 09:00 on 1 July there is still June in London.
    await bookSession(app, { practitioner: far, client, startsAt: '2026-06-30T21:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-06-11T09:00:00Z', type: 'face_to_face' })
    const missed = await bookSession(app, { practitioner, client, startsAt: '2026-06-30T09:00:00Z' })
    const cancelled = await bookSession(app, { practitioner, client, startsAt: '2026-06-30T12:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-07-20T09:00:00Z' })
    // Paid for and not begun: owed, and not earned yet.
    expect([earned(await overview()), (await overview()).owed]).toEqual([{}, 60 + 80 + 60 + 60 + 60])
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: cancelled },
    })
    await at('2026-06-30T10:00:00Z')
    await app.call('POST', `/therapist/sessions/${missed}/no-show`, {
      token: await signInPractitioner(app, practitioner),
    })
    expect(earned(await overview())).toEqual({ '2026-06': [200, 3] })
    await at('2026-07-21T12:00:00Z')
    const seen = await overview()
    expect(earned(seen)).toEqual({ '2026-06': [200, 3], '2026-07': [60, 1] })
    expect(seen.owed).toBe(260)
    expect(earned(await overview(far))).toEqual({ '2026-07': [60, 1] })
    expect((await ledger(app)).practitioner_payable).toBe(-(260 + 60) * 100)
    // A year later it has left the picture, and is still owed.
    await at('2027-07-01T00:00:00Z')
    const later = await overview()
    expect([earned(later), later.owed]).toEqual([{}, 260])
    expect(later.earnings[0]?.month).toBe('2026-08')
  })

  test('counts what was earned less what the back office has given back', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-06-11T09:00:00Z' })
    await at('2026-06-12T09:00:00Z')
    const admin = await createAdmin(app)
    const refunded = await app.call('POST', `/admin/payments/${id}/refund`, {
      token: admin.token,
      body: { amount: 20, refunded_before: 0, reason: 'It began late.' },
    })
    expect(refunded.status).toBe(200)
    const seen = await overview()
    expect([earned(seen), seen.owed]).toEqual([{ '2026-06': [100, 2] }, 100])
    const { body } = await app.call('GET', '/therapist/sessions?when=past', {
      token: await signInPractitioner(app, practitioner),
    })
    expect(body.data).toMatchObject([
      { fee: 60, owed: 60 },
      { fee: 60, owed: 40 },
    ])
  })

  test('owes the whole fee where a friend’s code took something off', async () => {
    const friend = await createClient(app, { referral_code: client.referralCode })
    await bookSession(app, { practitioner, client: friend, startsAt: '2026-06-10T09:00:00Z' })
    await at('2026-06-12T09:00:00Z')
    const seen = await overview()
    expect([earned(seen), seen.owed]).toEqual([{ '2026-06': [60, 1] }, 60])
  })

  test('says what became of reviews', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await at('2026-06-12T09:00:00Z')
    await app.call('POST', `/appointment/${id}/review`, {
      token: client.token,
      body: { rating: 4, comment: 'Kind.' },
    })
    const seen = await overview()
    expect(seen.reviews).toEqual({ rating: 4, total: 1, unreplied: 1 })
    expect(codes(seen)).toEqual(['review_unreplied'])
  })

  test('is there for practitioners alone, each their own', async () => {
    await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    const other = await createPractitioner(app)
    expect((await overview(other)).upcoming.total).toBe(0)
    for (const token of [undefined, client.token]) {
      const answer = await app.call('GET', '/therapist/home/get-dashboard-overview', { token })
      expect(answer.status).toBe(token ? 403 : 401)
    }
  })
})

describe('what needs doing next', () => {
  test.each([
    ['draft', 'complete_profile'],
    ['rejected', 'profile_refused'],
  ] as const)('of a profile that is %s is %s', async (state, code) => {
    const other = await createPractitioner(app, { state })
    await app.db
      .updateTable('practitioners')
      .set({ state_reason: state === 'draft' ? null : 'Your licence number is not known.' })
      .where('id', '=', other.id)
      .execute()
    const seen = await overview(other)
    expect(codes(seen)).toEqual([code])
    expect(seen.profile).toMatchObject({ status: state, listed: false })
    if (state === 'draft')
      expect(seen.tasks[0]?.message).toMatch(
        /^It is not finished yet\. Next: \w+ your .+\. What you have saved is kept\.$/,
      )
    else expect(seen.tasks[0]?.message).toBe('Your licence number is not known.')
  })

  test('once approved is to subscribe and to say when one works, the urgent first', async () => {
    const other = await createPractitioner(app, { subscribedUntil: null, hours: [] })
    await app.db
      .insertInto('reviews')
      .values({
        practitioner_id: other.id,
        reviewer: 'M.',
        rating: 5,
        comment: 'Kind.',
        created_at: app.clock.now(),
      })
      .execute()
    expect(codes(await overview(other))).toEqual(['subscribe', 'schedule_empty', 'review_unreplied'])
    const waiting = await createPractitioner(app, { state: 'submitted', subscribedUntil: null })
    expect(codes(await overview(waiting))).toEqual([])
  })

  test('where no session fits into the hours is to change one of the two', async () => {
    const services = [60, 180].map((duration_minutes) => ({
      service_id: 1,
      appointment_type: duration_minutes === 60 ? ('face_to_face' as const) : ('online' as const),
      duration_minutes,
      fee_pence: 6000,
    }))
    const other = await createPractitioner(app, { services, hours: [10, 12] })
    // Sessions in the room can be booked.
    expect(codes(await overview(other))).toEqual([])
    const hoursOf = app.db.deleteFrom('weekly_hours').where('practitioner_id', '=', other.id)
    await hoursOf.where('appointment_type', '=', 'face_to_face').execute()
    const [task, ...others] = (await overview(other)).tasks
    expect(others).toEqual([])
    expect(task).toMatchObject({ code: 'schedule_empty', urgency: 'now' })
    expect(task?.message).toContain('No session that you offer fits into the hours of your weekly schedule')
    await hoursOf.execute()
    expect((await overview(other)).tasks[0]?.message).toContain('Your weekly schedule is empty')
    // Before any session is offered, there is nothing to fit in.
    await app.db.deleteFrom('practitioner_services').where('practitioner_id', '=', practitioner.id).execute()
    expect(codes(await overview())).toEqual([])
  })

  test('after a session is to say whether it took place, until that is said or a day has passed', async () => {
    const first = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-06-10T12:00:00Z' })
    await at('2026-06-10T09:50:00Z')
    expect((await overview()).tasks[0]?.title).toBe('Did your last session take place?')
    await app.call('POST', `/therapist/sessions/${first}/complete`, {
      token: await signInPractitioner(app, practitioner),
    })
    expect(codes(await overview())).toEqual([])
    await at('2026-06-10T13:00:00Z')
    expect(codes(await overview())).toEqual(['session_to_settle'])
    await at('2026-06-11T12:50:00Z')
    expect(codes(await overview())).toEqual([])
  })

  test('is to renew a licence within sixty days of its end, to the day', async () => {
    await app.db
      .insertInto('practitioner_licenses')
      .values({
        practitioner_id: practitioner.id,
        provider_type_id: 1,
        license_body_id: 1,
        license_number: '9123456',
        state: 'accepted',
        expires_on: '2026-08-15',
        created_at: app.clock.now(),
      })
      .execute()
    await at('2026-06-15T22:59:59Z')
    expect(codes(await overview())).toEqual([])
    await at('2026-06-15T23:00:00Z')
    const [task] = (await overview()).tasks
    expect(task).toMatchObject({ code: 'document_expires', urgency: 'now', due: '2026-08-15' })
    expect(task?.title).toMatch(/^Your licence \(.+ 9123456\) expires soon$/)
    await at('2026-08-15T23:00:00Z')
    expect((await overview()).tasks[0]?.title).toMatch(/has expired$/)
  })

  const fact = (change: Partial<VettedFact>): VettedFact => ({
    kind: 'dbs',
    name: null,
    state: 'accepted',
    reason: null,
    expires_on: null,
    ...change,
  })
  const now = new Date('2026-06-01T08:00:00Z')

  test.each([
    ['nothing that does not expire', [fact({})], []],
    [
      'no identity document, whose end hides nothing',
      [fact({ kind: 'identity', expires_on: '2026-05-10' })],
      [],
    ],
    ['what was refused', [fact({ state: 'refused', reason: 'Too dark.' })], ['Too dark.']],
    [
      'not what was sent again since',
      [fact({ state: 'waiting' }), fact({ state: 'refused', reason: 'Too dark.' })],
      [],
    ],
    [
      'not an older refusal of what was accepted since',
      [fact({ expires_on: '2027-06-01' }), fact({ state: 'refused', reason: 'Too dark.' })],
      [],
    ],
    [
      'not what runs out and is sent again',
      [fact({ state: 'waiting' }), fact({ expires_on: '2026-06-10' })],
      [],
    ],
    [
      'what has run out and is sent again, without anything to send',
      [fact({ state: 'waiting' }), fact({ expires_on: '2026-05-31' })],
      ['We are checking the new one. Clients cannot find you until then.'],
    ],
    [
      'not a licence that is sent again beside one that holds',
      [
        fact({ kind: 'licence', name: 'HCPC 1', state: 'waiting' }),
        fact({ kind: 'licence', name: 'HCPC 1', expires_on: '2026-05-31' }),
        fact({ kind: 'licence', name: 'UKCP 2' }),
      ],
      [],
    ],
    [
      'a licence that runs out unless its own renewal waits',
      [
        fact({ kind: 'licence', name: 'HCPC 1', state: 'waiting' }),
        fact({ kind: 'licence', name: 'HCPC 1', expires_on: '2026-06-10' }),
        fact({ kind: 'licence', name: 'UKCP 2', expires_on: '2026-06-10' }),
      ],
      ['Send the new one before that day, so that clients can go on finding you while we check it.'],
    ],
    [
      'every licence that was refused',
      [
        fact({ kind: 'licence', name: 'BACP 1', state: 'refused', reason: 'Unknown.' }),
        fact({ kind: 'licence', name: 'UKCP 2', state: 'refused', reason: 'Not yours.' }),
      ],
      ['Unknown.', 'Not yours.'],
    ],
  ] satisfies [string, VettedFact[], string[]][])('names %s', (_, facts, messages) => {
    expect(factTasks(facts, now).map(({ message }) => message)).toEqual(messages)
  })

  test('leads nowhere and names no day while the newer one of what has run out is checked', () => {
    const facts = [fact({ state: 'waiting' }), fact({ expires_on: '2026-05-31' })]
    expect(factTasks(facts, now)).toMatchObject([
      { code: 'document_expires', title: 'Your DBS check has expired', action: null, due: null },
    ])
  })

  test.each([
    ['identity', '/therapist/personal-info?step=4'],
    ['dbs', '/therapist/personal-info?step=5'],
    ['licence', '/therapist/personal-info?step=3'],
    ['insurance_certificate', '/therapist/professional-info?step=6'],
  ] as const)('leads from a refused %s to the step where it is sent again', (kind, path) => {
    const [task] = factTasks([fact({ kind, state: 'refused' })], now)
    expect(task?.action?.path).toBe(`${path}&return=dashboard`)
  })

  test('asks for the last day of an insurance that was sent without it', () => {
    const waiting = fact({ kind: 'insurance_certificate', state: 'waiting' })
    expect(factTasks([waiting], now).map(({ code }) => code)).toEqual(['document_undated'])
    expect(factTasks([{ ...waiting, expires_on: '2027-01-01' }], now)).toEqual([])
    expect(captionsTasks(false)).toEqual([])
  })

  test('does not say that a licence hides the profile while another one is valid for longer', () => {
    const licence = (expires_on: string | null) => fact({ kind: 'licence', name: 'BACP 1', expires_on })
    const says = (...facts: VettedFact[]) =>
      factTasks(facts, now).map(({ urgency, message }) => [urgency, /cannot|while we check/.test(message)])
    expect(says(licence('2026-06-20'), licence(null))).toEqual([['soon', false]])
    expect(says(licence('2026-05-20'), licence('2027-06-20'))).toEqual([['soon', false]])
    expect(says(licence('2026-05-20'), licence('2026-05-30'))).toEqual([
      ['now', true],
      ['now', true],
    ])
    const other = fact({ kind: 'licence', name: 'UKCP 2', state: 'waiting' })
    expect(says(licence('2026-05-20'), other)).toEqual([['now', true]])
  })

  test('asks for no new certificate of an insurance that the practitioner no longer has', async () => {
    await addDocument(app, practitioner, 'insurance_certificate', {
      state: 'accepted',
      expiresOn: '2026-05-20',
    })
    expect(codes(await overview())).toEqual(['document_expires'])
    await app.db.updateTable('practitioners').set({ has_indemnity: false }).execute()
    expect(codes(await overview())).toEqual([])
  })

  test('counts the days of a document by the calendar of the United Kingdom', () => {
    const facts = [fact({ expires_on: '2026-06-30' })]
    const titles = (at: string) => factTasks(facts, new Date(at)).map(({ title }) => title)
    expect(titles('2026-06-30T22:59:59Z')).toEqual(['Your DBS check expires soon'])
    expect(titles('2026-06-30T23:00:00Z')).toEqual(['Your DBS check has expired'])
  })

  test('looks back twelve months in the practitioner’s own zone', () => {
    const eve = new Date('2026-12-31T23:30:00Z')
    expect(lastMonths(eve, 'Europe/London', monthsShown).at(-1)).toBe('2026-12')
    expect(lastMonths(eve, 'Europe/Paris', monthsShown).at(-1)).toBe('2027-01')
    expect(lastMonths(eve, 'Europe/Paris', monthsShown)[0]).toBe('2026-02')
  })
})

describe('views of a profile', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  const open = (from: string, options: { token?: string; agent?: string; id?: number } = {}) =>
    app.call('POST', `/practitioner/${options.id ?? practitioner.id}/view`, {
      token: options.token,
      headers: { 'x-forwarded-for': from, 'user-agent': options.agent ?? browser },
    })

  test('a profile view counts once in half an hour per address, and no address is stored or logged', async () => {
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      expect((await open(address)).body).toBe('success')
    }
    expect((await open('203.0.113.3', { token: client.token })).body).toBe('success')
    expect((await overview()).profile_views.last_30_days).toBe(3)
    app.clock.set('2026-06-01T09:10:00Z')
    await open('203.0.113.1')
    expect((await overview()).profile_views.last_30_days).toBe(4)
    const rows = await app.db.selectFrom('practitioner_profile_views').selectAll().execute()
    expect(rows).toEqual([{ practitioner_id: practitioner.id, day: '2026-06-01', views: 4 }])
    expect(app.logged()).not.toContain('203.0.113')
  })

  test('are not those of practitioners, of programs, or of a profile that is not there', async () => {
    const hidden = await createPractitioner(app, { state: 'suspended' })
    const token = await signInPractitioner(app, practitioner)
    const before = await fingerprint(app.db)
    await open('203.0.113.1', { token })
    await open('203.0.113.2', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
    await open('203.0.113.3', { agent: '' })
    expect((await open('203.0.113.4', { id: hidden.id })).status).toBe(404)
    expect((await open('203.0.113.5', { id: 2_147_483_647 })).status).toBe(404)
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('the dashboard shows profile views by month and of the last thirty days', async () => {
    await app.db
      .insertInto('practitioner_profile_views')
      .values(
        [
          ['2025-06-30', 100],
          ['2025-07-01', 10],
          ['2026-05-02', 3],
          ['2026-05-03', 5],
          ['2026-06-01', 7],
        ].map(([day, views]) => ({
          practitioner_id: practitioner.id,
          day: String(day),
          views: Number(views),
        })),
      )
      .execute()
    const { last_30_days, months } = (await overview()).profile_views
    expect(last_30_days).toBe(12)
    expect(months.filter(({ views }) => views > 0)).toEqual([
      { month: '2025-07', views: 10 },
      { month: '2026-05', views: 8 },
      { month: '2026-06', views: 7 },
    ])
  })

  test('are kept for as long as the dashboard shows them', async () => {
    await app.db
      .insertInto('practitioner_profile_views')
      .values(
        ['2025-04-26', '2025-04-27', '2026-06-01'].map((day) => ({
          practitioner_id: practitioner.id,
          day,
          views: 1,
        })),
      )
      .execute()
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    const rows = await app.db.selectFrom('practitioner_profile_views').select('day').orderBy('day').execute()
    expect(rows.map(({ day }) => day)).toEqual(['2025-04-27', '2026-06-01'])
  })
})
