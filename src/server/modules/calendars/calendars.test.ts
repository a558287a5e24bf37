import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '#server/clock.ts'
import { rotateKeys } from '#server/commands/key-rotation.ts'
import { bookingsCalendarEntryJob } from '#server/modules/bookings/bookings.jobs.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { entryIn, linkIn, sessionMails, textOf, tokenOf } from '#test/mails.ts'
import { movableClock } from '#test/movable-clock.ts'
import { agreeSeries } from '#test/series.ts'
import { backOfficeAs } from '#test/vetting.ts'
import { comeBack, connectCalendar, ownCalendars, type OwnCalendars } from '#test/own-calendar.ts'
import { calendarsSweepJob } from './calendars.jobs.ts'

let google: OwnCalendars
let app: TestApp
let practitioner: Practitioner
let client: Client
let token: string
/** Called between two steps. */
let reached: (step: string) => Promise<void>

const clock = movableClock()

beforeAll(async () => {
  google = await ownCalendars()
  app = await buildTestApp({
    clock,
    calendarProvider: google.provider(clock.now),
    checkpoint: (step) => reached(step),
  })
})
afterAll(async () => {
  await app.close()
  await google.close()
})
// One product for all tests, whose calendars are gone after each.
beforeEach(async () => {
  await google.control('reset')
  await app.db.deleteFrom('google_calendars').execute()
  await app.db.deleteFrom('busy_elsewhere').execute()
  clock.set('2026-06-01T08:00:00Z')
  reached = async () => undefined
  practitioner = await createPractitioner(app)
  client = await createClient(app, { name: 'Robin Vale' })
  token = await signInPractitioner(app, practitioner)
})

const account = 'sam.hale@example.test'
const state = async () => (await app.call('GET', '/therapist/google-calendar', { token })).body
const connect = async (answer: Record<string, string> = {}) => {
  const outcome = await connectCalendar(app, google, token, answer)
  await app.queue.drain()
  return outcome
}
const entries = async () =>
  (await google.look()).calendars
    .flatMap((calendar) => calendar.events)
    .filter((event) => event.status !== 'cancelled')
    .map((event) => event.start.dateTime)
    .toSorted()
const book = async (startsAt: string) => {
  const id = await bookSession(app, { practitioner, client, startsAt })
  await app.queue.drain()
  return id
}
const move = (id: string, to: string) =>
  app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: id, type: 'online', appointment_datetime: to },
  })
const cancel = (id: string) =>
  app.call('POST', '/appointment/cancel-session', { token: client.token, body: { appointment_id: id } })
const busy = (...ranges: [start: string, end: string][]) =>
  google.control('busy', { email: account, busy: ranges.map(([start, end]) => ({ start, end })) })
const readAgain = async () => {
  clock.advance(minutes(5))
  await app.queue.enqueue(app.db, calendarsSweepJob, {})
  await app.queue.drain()
}
const free = async (day: string) => {
  const answer = await app.call(
    'GET',
    `/practitioner/${practitioner.id}/next-available-sessions?from=${day}&days=1`,
  )
  return (answer.body.slots as unknown as { starts_at: string; appointment_type: string }[])
    .filter((slot) => slot.appointment_type === 'online')
    .map((slot) => slot.starts_at.slice(11, 16))
}
const hold = (datetime: string) =>
  app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })
const row = () => app.db.selectFrom('google_calendars').selectAll().executeTakeFirst()
const mine = () => app.mails().filter((mail) => mail.includes(`To: ${practitioner.email}`))
const mails = (subject: string) => mine().filter((mail) => mail.includes(`Subject: ${subject}`))

describe('connecting', () => {
  test('keeps the consent sealed, says whose calendar it is, and reads it at once', async () => {
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    expect(await state()).toMatchObject({ available: true, status: 'none', email: null })
    expect(await connect()).toBe('connected')
    expect(await state()).toEqual({
      available: true,
      status: 'connected',
      ended_why: null,
      ended_at: null,
      email: account,
      connected_at: clock.now().toISOString(),
      read_at: clock.now().toISOString(),
      reading_fails: false,
    })
    expect((await google.look()).calendars).toMatchObject([{ owner: account, summary: 'Hearth', events: [] }])
    const kept = await row()
    const grant = app.secrets.open('calendar grant', kept?.id ?? '', kept?.sealed_grant ?? Buffer.alloc(0))
    expect(Buffer.from(kept?.sealed_grant ?? []).includes(grant)).toBe(false)
    // Sealed for this row: in another one it opens nothing.
    expect(() =>
      app.secrets.open('calendar grant', practitioner.accountId, kept?.sealed_grant ?? Buffer.alloc(0)),
    ).toThrow()
    expect(app.logged()).not.toContain(grant.toString())
    expect(app.logged()).not.toContain(account)
  })

  test('asks for no more than it needs, offline, with PKCE', async () => {
    const asked = await app.call('GET', '/therapist/request-google-calendar-access', { token })
    const query = new URL(asked.body as unknown as string).searchParams
    expect(
      query
        .get('scope')
        ?.split(' ')
        .map((scope) => scope.split('/').at(-1)),
    ).toEqual(['openid', 'email', 'calendar.app.created', 'calendar.freebusy'])
    expect([
      query.get('access_type'),
      query.get('code_challenge_method'),
      query.get('response_type'),
    ]).toEqual(['offline', 'S256', 'code'])
    expect(asked.headers.get('set-cookie')).toMatch(
      /^hearth_calendar=[\w-]+; Path=\/api\/v7\/therapist\/google-calendar; Max-Age=900; HttpOnly; SameSite=Lax$/,
    )
  })

  test('ends in the browser that it began in, in time, while signed in, or not at all', async () => {
    const begin = async (as = token) => {
      const asked = await app.call('GET', '/therapist/request-google-calendar-access', { token: as })
      const cookie = /^(hearth_calendar=[^;]+)/.exec(asked.headers.get('set-cookie') ?? '')?.[1] ?? ''
      return { cookie, back: await google.consent(asked.body as unknown as string) }
    }
    const mine = await begin()
    const other = await begin(await signInPractitioner(app, await createPractitioner(app)))
    const before = await fingerprint(app.db)
    // Another practitioner's callback URL in this browser, and this one's URL without its cookie.
    expect(await comeBack(app, other.back, mine.cookie)).toBe('expired')
    expect(await comeBack(app, mine.back, '')).toBe('expired')
    expect(await comeBack(app, mine.back, 'hearth_calendar=made-up')).toBe('expired')
    const denied = new URL(mine.back)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(await comeBack(app, denied, mine.cookie)).toBe('cancelled')
    denied.searchParams.set('error', 'server_error')
    expect(await comeBack(app, denied, mine.cookie)).toBe('failed')
    denied.searchParams.delete('error')
    expect(await comeBack(app, denied, mine.cookie)).toBe('failed')
    expect(await fingerprint(app.db)).toEqual(before)
    await app.call('POST', '/therapist/logout', { token, body: {} })
    expect(await comeBack(app, mine.back, mine.cookie)).toBe('expired')
    token = await signInPractitioner(app, practitioner)
    const late = await begin()
    clock.advance(minutes(15))
    expect(await comeBack(app, late.back, late.cookie)).toBe('expired')
    expect(await row()).toBeUndefined()
    expect((await google.look()).calendars).toEqual([])
  })

  test('without all that is needed gives back what was given', async () => {
    for (const scope of ['calendar.freebusy', 'calendar.app.created']) {
      expect(await connect({ without: `https://www.googleapis.com/auth/${scope}` })).toBe('incomplete')
    }
    expect(await row()).toBeUndefined()
    expect((await google.look()).grants).toBe(0)
  })

  test('where our calendar cannot be made gives the consent back and says that it failed', async () => {
    await google.trouble('^POST .*/calendars$', { status: 503 })
    expect(await connect()).toBe('failed')
    expect(await row()).toBeUndefined()
    expect((await google.look()).grants).toBe(0)
  })

  test('another account asks to disconnect the first, and leaves that as it is', async () => {
    await connect()
    expect(await connect({ email: 'other@example.test' })).toBe('other_account')
    expect(await state()).toMatchObject({ status: 'connected', email: account })
    expect((await google.look()).grants).toBe(1)
    await readAgain()
    expect(await state()).toMatchObject({ status: 'connected', reading_fails: false })
  })

  test('the same account again goes on with the same calendar', async () => {
    await connect()
    const id = await book('2026-06-08T09:00:00Z')
    expect(await connect()).toBe('connected')
    await move(id, '2026-06-09T09:00:00Z')
    await app.queue.drain()
    expect((await google.look()).calendars).toHaveLength(1)
    expect(await entries()).toEqual(['2026-06-09T09:00:00.000Z'])
  })

  test('two practitioners may share an account: consent is given back when the last of them leaves', async () => {
    await connect()
    const other = await signInPractitioner(app, await createPractitioner(app))
    expect(await connectCalendar(app, google, other, { scope: 'openid email' })).toBe('incomplete')
    expect(await connectCalendar(app, google, other)).toBe('connected')
    await app.queue.drain()
    expect((await google.look()).calendars).toHaveLength(2)
    await app.call('DELETE', '/therapist/google-calendar', { token })
    await app.queue.drain()
    expect((await google.look()).calendars).toHaveLength(1)
    await readAgain()
    expect((await app.call('GET', '/therapist/google-calendar', { token: other })).body).toMatchObject({
      status: 'connected',
      reading_fails: false,
    })
    await app.call('DELETE', '/therapist/google-calendar', { token: other })
    await app.queue.drain()
    const left = await google.look()
    expect([left.calendars, left.grants]).toEqual([[], 0])
  })

  test('a first connection that could not be stored leaves neither calendar nor consent', async () => {
    reached = async () => {
      throw new Error('The database is away.')
    }
    await connect()
    expect(await google.look()).toMatchObject({ calendars: [], grants: 0 })
    expect(await state()).toMatchObject({ status: 'none' })
    reached = async () => undefined
    expect(await connect()).toBe('connected')
    expect((await google.look()).calendars).toHaveLength(1)
  })

  test.each([
    {
      what: 'the holder of the address takes the account back',
      act: async () => {
        await app.db
          .updateTable('accounts')
          .set({ email_verified_at: null })
          .where('id', '=', practitioner.accountId)
          .execute()
        await app.call('POST', '/therapist/forgot-password', { body: { email: practitioner.email } })
        await app.queue.drain()
        const secret = 'a new and longer passphrase'
        const reset = await app.call('POST', '/therapist/password/reset', {
          body: {
            token: tokenOf(linkIn(mine().at(-1) ?? '')),
            email: practitioner.email,
            password: secret,
            password_confirmation: secret,
          },
        })
        expect(reset.status).toBe(200)
      },
    },
    {
      what: 'the profile is closed',
      act: async () => {
        const office = backOfficeAs(app, (await createAdmin(app)).token)
        expect((await office.act(practitioner.id, 'close', { reason: 'Left.' })).status).toBe(200)
      },
    },
  ])('is given back where $what meanwhile', async ({ act }) => {
    reached = async (step) => {
      if (step === 'calendar made') await act()
    }
    expect(await connectCalendar(app, google, token)).toBe('expired')
    expect(await row()).toBeUndefined()
    expect(await google.look()).toMatchObject({ calendars: [], grants: 0 })
  })

  test('ends with the profile of the practitioner: the consent is given back and busy times are forgotten', async () => {
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    const office = backOfficeAs(app, (await createAdmin(app)).token)
    expect((await office.act(practitioner.id, 'close', { reason: 'Left.' })).status).toBe(200)
    expect(await app.db.selectFrom('busy_elsewhere').selectAll().execute()).toEqual([])
    await app.queue.drain()
    expect(await row()).toBeUndefined()
    expect(await google.look()).toMatchObject({ calendars: [], grants: 0 })
  })

  test('is refused in words where it is not set up', async () => {
    const other = await buildTestApp()
    try {
      const as = await signInPractitioner(other, await createPractitioner(other))
      const asked = await other.call('GET', '/therapist/request-google-calendar-access', { token: as })
      expect([asked.status, asked.body.code]).toEqual([409, 'not_set_up'])
      expect(asked.body.message).toMatch(/^Google Calendar cannot be connected here/)
      expect(asked.headers.get('set-cookie')).toBeNull()
      const { body } = await other.call('GET', '/therapist/google-calendar', { token: as })
      expect(body).toMatchObject({ available: false, status: 'none' })
    } finally {
      await other.close()
    }
  })

  test('a consent outlives a rotation of keys', async () => {
    await connect()
    const before = await row()
    const old = randomBytes(32)
    const first = createSecrets([old])
    const opened = app.secrets.open(
      'calendar grant',
      before?.id ?? '',
      before?.sealed_grant ?? Buffer.alloc(0),
    )
    await app.db
      .updateTable('google_calendars')
      .set({ sealed_grant: first.seal('calendar grant', before?.id ?? '', opened) })
      .execute()
    const both = createSecrets([randomBytes(32), old])
    expect(await rotateKeys(app.db, both)).toMatchObject({ sealed: 1 })
    const after = await row()
    const sealed = Buffer.from(after?.sealed_grant ?? [])
    expect(sealed.subarray(1, 9).toString('hex')).toBe(both.keyId)
    expect(both.open('calendar grant', after?.id ?? '', sealed)).toEqual(opened)
  })
})

describe('sessions in the calendar', () => {
  test('come, move and go, and say nothing of whom they are with', async () => {
    await book('2026-06-07T09:00:00Z')
    await connect()
    expect(await entries()).toEqual(['2026-06-07T09:00:00.000Z'])
    const id = await book('2026-06-08T09:00:00Z')
    expect(await entries()).toEqual(['2026-06-07T09:00:00.000Z', '2026-06-08T09:00:00.000Z'])
    await move(id, '2026-06-09T12:00:00Z')
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-07T09:00:00.000Z', '2026-06-09T12:00:00.000Z'])
    const said = JSON.stringify(await google.look())
    for (const secret of ['Robin', 'Vale', client.email, client.id, 'rooms.example.test', 'meet'])
      expect(said).not.toContain(secret)
    await cancel(id)
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-07T09:00:00.000Z'])
  })

  test('that a practitioner cancels go as well, and unpaid times never come', async () => {
    await connect()
    const id = await book('2026-06-08T09:00:00Z')
    expect((await hold('2026-06-09T09:00:00Z')).status).toBe(201)
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-08T09:00:00.000Z'])
    await app.call('POST', `/therapist/sessions/${id}/cancel`, { token, body: {} })
    await app.queue.drain()
    expect(await entries()).toEqual([])
  })

  test('of a series are tentative until their money is taken', async () => {
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
    await agreeSeries(app, { client, card, session })
    await connect()
    const statuses = async () =>
      (await google.look()).calendars
        .flatMap((calendar) => calendar.events)
        .toSorted((a, b) => a.start.dateTime.localeCompare(b.start.dateTime))
        .map(({ status }) => status)
    expect(await statuses()).toEqual(['confirmed', ...Array<string>(8).fill('tentative')])
    clock.set('2026-06-14T09:00:00Z')
    await app.services.reserved.sweep()
    await readAgain()
    expect((await statuses()).slice(0, 3)).toEqual(['confirmed', 'confirmed', 'tentative'])
  })

  test('that a client had reserved go with the account of the client', async () => {
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
    await agreeSeries(app, { client, card, session })
    await connect()
    expect(await entries()).toHaveLength(9)
    clock.set('2026-06-10T09:00:00Z')
    const body = { current_password: password, understood: true }
    const { token: now } = await signInAgain(app, client)
    expect((await app.call('POST', '/client/delete-account', { token: now, body })).status).toBe(200)
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-09T09:00:00.000Z'])
  })

  test('that are cancelled while the calendar is not connected go once it is again', async () => {
    await connect()
    const id = await book('2026-06-20T12:00:00Z')
    await book('2026-06-21T12:00:00Z')
    await google.control('revoke')
    await google.control('expire')
    await readAgain()
    expect(await state()).toMatchObject({ status: 'ended', ended_why: 'revoked' })
    expect((await cancel(id)).status).toBe(200)
    await app.queue.drain()
    expect(await connect()).toBe('connected')
    expect(await entries()).toEqual(['2026-06-21T12:00:00.000Z'])
  })

  test('are taken out while they are frozen, written again when restored, and gone once cancelled', async () => {
    await connect()
    await book('2026-06-08T12:00:00Z')
    await book('2026-06-20T12:00:00Z')
    const both = ['2026-06-08T12:00:00.000Z', '2026-06-20T12:00:00.000Z']
    expect(await entries()).toEqual(both)
    const backOffice = backOfficeAs(app, (await createAdmin(app)).token)
    const reason = 'Papers are late.'
    await backOffice.act(practitioner.id, 'suspend', { reason, cause: 'papers' })
    await app.queue.drain()
    expect(await entries()).toEqual([])
    await backOffice.act(practitioner.id, 'reinstate')
    await app.queue.drain()
    expect(await entries()).toEqual(both)
    await backOffice.act(practitioner.id, 'suspend', { reason, sessions: 'cancel' })
    await app.queue.drain()
    expect(await entries()).toEqual([])
  })

  test('are in the mail as well only where the calendar has them not', async () => {
    const entry = (mail: string) => /Content-Type: text\/calendar/.test(mail)
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: clock.now() })
      .where('deleted_at', 'is', null)
      .execute()
    const told = () => mine().filter((mail) => mail.includes('news-'))
    const before = await book('2026-06-08T09:00:00Z')
    expect(told().map(entry)).toEqual([true])
    clock.advance(minutes(1))
    await connect()
    clock.advance(minutes(1))
    await book('2026-06-09T09:00:00Z')
    expect(told().map(entry)).toEqual([true, false])
    // An entry that came by mail goes by mail.
    await cancel(before)
    await app.queue.drain()
    expect(told().map(entry)).toEqual([true, false, true])
  })

  test('of a series reserved before connecting are in the mail as well only if one had an entry by mail', async () => {
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: clock.now() })
      .where('deleted_at', 'is', null)
      .execute()
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
    const { dates } = await agreeSeries(app, { client, card, session })
    const [first, second, third] = dates.flatMap(({ appointment_id }) => appointment_id ?? [])
    if (!first || !second || !third) throw new Error('The series has too few dates.')
    expect((await move(second, '2026-06-24T12:00:00Z')).status).toBe(200)
    clock.advance(minutes(1))
    await connect()
    clock.advance(minutes(1))
    const methods = () =>
      sessionMails(mine()).map((mail) => [mail.subject, mail.calendar ? entryIn(mail).method : 'no entry'])
    const before = methods().length
    expect((await move(third, '2026-07-01T12:00:00Z')).status).toBe(200)
    await app.queue.drain()
    expect(methods().slice(before)).toEqual([['A session was moved', 'no entry']])
    for (const now of ['2026-06-14T09:00:00Z', '2026-06-22T12:00:00Z']) {
      clock.set(now)
      await app.services.reserved.sweep()
      await app.queue.drain()
    }
    expect(methods().filter(([subject]) => subject === 'A session was booked')).toEqual([
      ['A session was booked', 'REQUEST'],
      ['A session was booked', 'no entry'],
      ['A session was booked', 'REQUEST'],
    ])
    expect(await entries()).toContain('2026-06-16T09:00:00.000Z')
  })

  test('a session has one calendar entry after repeated jobs, lost responses and crashes', async () => {
    await connect()
    await google.trouble('^POST .*/events$', { late: true })
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await app.queue.drain()
    const again = async () => {
      await app.queue.enqueue(app.db, bookingsCalendarEntryJob, { appointment_id: id })
      await app.queue.drain()
    }
    await again()
    expect(await entries()).toHaveLength(1)
    let isEnding = true
    reached = async (step) => {
      if (step === 'calendar entry written' && isEnding) throw new Error('The process ends.')
    }
    await move(id, '2026-06-09T09:00:00Z')
    await app.queue.drain()
    isEnding = false
    await again()
    await again()
    expect(await entries()).toEqual(['2026-06-09T09:00:00.000Z'])
    // Written, never noted, and cancelled meanwhile.
    isEnding = true
    const other = await bookSession(app, { practitioner, client, startsAt: '2026-06-10T09:00:00Z' })
    await app.queue.drain()
    isEnding = false
    expect(await entries()).toHaveLength(2)
    await cancel(other)
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-09T09:00:00.000Z'])
  })

  test('concurrent writers leave the current state, even if the first is slow', async () => {
    await connect()
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const written = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let isFirst = true
    reached = async (step) => {
      if (step !== 'calendar entry written' || !isFirst) return
      isFirst = false
      written.resolve()
      await released.promise
    }
    const slow = app.queue.drain()
    await written.promise
    await cancel(id)
    released.resolve()
    await slow
    await app.queue.drain()
    expect(await entries()).toEqual([])
  })

  test('that were changed or deleted by hand are put right with the next change', async () => {
    await connect()
    const id = await book('2026-06-08T09:00:00Z')
    await google.control('edit', { start: { dateTime: '2026-06-20T09:00:00Z' } })
    await move(id, '2026-06-09T09:00:00Z')
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-09T09:00:00.000Z'])
    await google.control('edit', { status: 'cancelled' })
    await google.control('lock-deleted')
    await move(id, '2026-06-10T09:00:00Z')
    await app.queue.drain()
    expect(await entries()).toEqual(['2026-06-10T09:00:00.000Z'])
    await cancel(id)
    await app.queue.drain()
    expect(await entries()).toEqual([])
  })

  test('a session can be booked while Google fails, and its entry is written afterwards', async () => {
    await connect()
    await google.trouble('events', { status: 503, times: 3 })
    const id = await book('2026-06-08T09:00:00Z')
    expect(await entries()).toEqual([])
    const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
    expect(upcoming.body).toMatchObject([{ appointment_id: id }])
    const waiting = await app.db.selectFrom('google_calendars').select('state').execute()
    expect(waiting).toEqual([{ state: 'connected' }])
    await google.control('trouble', { match: 'nothing' })
    for (let time = 0; time < 4; time++) {
      await app.queue.enqueue(app.db, bookingsCalendarEntryJob, { appointment_id: id })
      await app.queue.drain()
    }
    expect(await entries()).toEqual(['2026-06-08T09:00:00.000Z'])
  })
})

describe('busy times', () => {
  test('a busy time cannot be offered, held or moved into, and is free again once the calendar is', async () => {
    const all = await free('2026-06-08')
    expect(all).toEqual(expect.arrayContaining(['09:00', '10:00', '11:00', '12:00', '13:00']))
    await busy(
      ['2026-06-08T10:30:00Z', '2026-06-08T12:10:00Z'],
      ['2026-06-09T00:00:00Z', '2026-06-10T00:00:00Z'],
    )
    await connect()
    expect(await free('2026-06-08')).toEqual(expect.arrayContaining(['09:00', '13:00']))
    for (const taken of ['10:00', '11:00', '12:00']) expect(await free('2026-06-08')).not.toContain(taken)
    expect(await free('2026-06-09')).toEqual([])
    const before = await fingerprint(app.db)
    const refused = await hold('2026-06-08T11:00:00Z')
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    // It has not been taken by another client, and what is in its way is the practitioner's own affair.
    expect(refused.body.message).toBe(
      'This time is no longer free. Nothing was charged. Please choose another.',
    )
    expect(await fingerprint(app.db)).toEqual(before)
    // A session cannot be moved into a busy time.
    const id = await book('2026-06-08T09:00:00Z')
    expect((await move(id, '2026-06-08T11:00:00Z')).body).toMatchObject({ code: 'slot_taken' })
    await app.services.search.refresh()
    const found = await app.db
      .selectFrom('practitioner_search')
      .select('free_days_online')
      .where('practitioner_id', '=', practitioner.id)
      .executeTakeFirstOrThrow()
    expect(found.free_days_online).not.toContain(Date.UTC(2026, 5, 9) / days(1))
    await busy()
    await readAgain()
    expect(await free('2026-06-08')).toContain('11:00')
    expect(await free('2026-06-09')).toContain('10:00')
  })

  test('stay where a session was booked before, and leave it booked', async () => {
    const id = await book('2026-06-08T09:00:00Z')
    await busy(['2026-06-08T08:00:00Z', '2026-06-08T12:00:00Z'])
    await connect()
    const upcoming = await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })
    expect(upcoming.body).toMatchObject([{ appointment_id: id }])
    expect((await move(id, '2026-06-08T13:00:00Z')).status).toBe(200)
    await readAgain()
    expect(await free('2026-06-08')).not.toContain('09:00')
  })

  test.each([
    ['is cancelled', (id: string) => cancel(id)],
    ['is moved', (id: string) => move(id, '2026-06-08T13:00:00Z')],
  ])('longer than a session keep its hour closed when the session %s', async (_, change) => {
    const id = await book('2026-06-08T10:00:00Z')
    await busy(['2026-06-08T09:55:00Z', '2026-06-08T11:15:00Z'])
    await connect()
    expect((await change(id)).status).toBe(200)
    expect(await free('2026-06-08')).toContain('09:00')
    expect(await free('2026-06-08')).not.toContain('10:00')
    const refused = await hold('2026-06-08T10:00:00Z')
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
  })

  test('of a mailed invitation open with the session that it was for', async () => {
    const id = await book('2026-06-08T10:00:00Z')
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T10:50:00Z'])
    await connect()
    expect(await free('2026-06-08')).not.toContain('10:00')
    expect((await cancel(id)).status).toBe(200)
    expect(await free('2026-06-08')).toContain('10:00')
  })

  test('that can no longer be read stand as they were read last, and are tried again ever less often', async () => {
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    const readAt = (await state()).read_at
    expect(readAt).not.toBeNull()
    await google.trouble('freeBusy', { status: 503, times: 100 })
    await readAgain()
    expect(await state()).toMatchObject({ status: 'connected', read_at: readAt, reading_fails: true })
    expect(await free('2026-06-08')).not.toContain('10:00')
    const asked = async () =>
      (await google.look()).asked.filter(({ path }) => path.includes('freeBusy')).length
    const so = await asked()
    await readAgain()
    expect(await asked()).toBe(so + 1)
    await readAgain()
    expect(await asked()).toBe(so + 1)
  })

  test('keep the date of a series that is due to be reserved from being reserved', async () => {
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
    const { series_id: seriesId } = await agreeSeries(app, { client, card, session })
    await busy(['2026-08-11T08:30:00Z', '2026-08-11T09:10:00Z'])
    await connect()
    // Its reading is the last one before the date is due.
    clock.set('2026-06-02T09:00:00Z')
    await app.services.series.sweep()
    const dates = await app.db
      .selectFrom('series_dates')
      .select(['on_date', 'state', 'conflict_cause'])
      .where('series_id', '=', seriesId)
      .where('on_date', '>=', '2026-08-04')
      .orderBy('on_date')
      .execute()
    expect(dates).toEqual([
      { on_date: '2026-08-04', state: 'planned', conflict_cause: null },
      { on_date: '2026-08-11', state: 'conflict', conflict_cause: 'busy_elsewhere' },
    ])
  })

  test('an answer that makes no sense changes nothing', async () => {
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    await google.trouble('freeBusy', { status: 200 })
    await readAgain()
    expect(await free('2026-06-08')).not.toContain('10:00')
    expect(await state()).toMatchObject({ status: 'connected', reading_fails: true })
  })

  test('keep a practitioner whose hours they lie in from being asked for help right now', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ state: 'draft' })
      .where('id', '<>', practitioner.id)
      .execute()
    const { issue_id } = (await app.call('GET', '/issue/get-issues')).body[0] as unknown as {
      issue_id: number
    }
    await app.db
      .insertInto('practitioner_issues')
      .values({ practitioner_id: practitioner.id, issue_id })
      .onConflict((c) => c.doNothing())
      .execute()
    const found = async () =>
      (
        (
          await app.call('GET', `/find-therapist/get-help-right-now?issue_id=${issue_id}`, {
            token: client.token,
          })
        ).body.data as unknown as unknown[]
      ).length
    expect(await found()).toBe(1)
    await busy(['2026-06-01T08:05:00Z', '2026-06-01T09:00:00Z'])
    await connect()
    expect(await found()).toBe(0)
  })
})

describe('ending', () => {
  test('removes our calendar, gives the consent back and forgets everything', async () => {
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    const id = await book('2026-06-08T09:00:00Z')
    const answer = await app.call('DELETE', '/therapist/google-calendar', { token })
    expect([answer.status, answer.body]).toEqual([200, 'success'])
    expect(await free('2026-06-08')).toContain('10:00')
    expect(await state()).toMatchObject({ status: 'leaving' })
    await app.queue.drain()
    expect(await google.look()).toMatchObject({ grants: 0, calendars: [] })
    expect(await state()).toMatchObject({ status: 'none', email: null })
    for (const table of ['google_calendars', 'calendar_entries', 'busy_elsewhere'] as const) {
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    await cancel(id)
    await app.queue.drain()
    expect(mails('Your Google Calendar is no longer connected')).toEqual([])
    expect(await connect()).toBe('connected')
  })

  test.each([
    ['ends that of an account whose address was never confirmed', null, 'none'],
    ['keeps that of one whose address was', new Date('2026-05-01T08:00:00Z'), 'connected'],
  ] as const)('a mailed link for a new password %s', async (_, confirmedAt, status) => {
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: confirmedAt })
      .where('email', '=', practitioner.email)
      .execute()
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    const { email } = practitioner
    await app.call('POST', '/therapist/forgot-password', { body: { email } })
    await app.queue.drain()
    const next = { password: 'a brand new secret', password_confirmation: 'a brand new secret' }
    const body = { email, token: tokenOf(linkIn(mine().at(-1) ?? '')), ...next }
    expect((await app.call('POST', '/therapist/password/reset', { body })).status).toBe(200)
    await app.queue.drain()
    token = await signInPractitioner(app, practitioner)
    expect(await state()).toMatchObject({ status })
    expect(await google.look()).toMatchObject({ grants: status === 'none' ? 0 : 1 })
    expect((await free('2026-06-08')).includes('10:00')).toBe(status === 'none')
  })

  test('while Google is away is tried for three days; nothing else is begun meanwhile', async () => {
    await connect()
    await google.trouble('.', { status: 503, times: 1000 })
    await app.call('DELETE', '/therapist/google-calendar', { token })
    await app.queue.drain()
    expect(await state()).toMatchObject({ status: 'leaving', reading_fails: true })
    const again = await app.call('GET', '/therapist/request-google-calendar-access', { token })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    clock.advance(days(3) + hours(1))
    await app.queue.enqueue(app.db, calendarsSweepJob, {})
    await app.queue.drain()
    expect(await row()).toBeUndefined()
  })

  test.each([
    ['revoked', 'no longer lets us use the calendar'],
    ['removed', 'is no longer there'],
  ] as const)('from the other side (%s) is noticed, told once, and loses nothing', async (why, words) => {
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: clock.now() })
      .where('deleted_at', 'is', null)
      .execute()
    await busy(['2026-06-08T10:00:00Z', '2026-06-08T11:00:00Z'])
    await connect()
    await google.control(why === 'revoked' ? 'revoke' : 'remove-calendars')
    if (why === 'revoked') await google.control('expire')
    const id = await book('2026-06-08T09:00:00Z')
    expect(id).toBeTruthy()
    expect(await state()).toMatchObject({ status: 'ended', ended_why: why, email: account })
    const told = mails('Your Google Calendar is no longer connected')
    expect(told.map((mail) => textOf(mail).replace(/\s+/g, ' ').includes(words))).toEqual([true])
    // What was read before still stands, and the dashboard says what to do.
    expect(await free('2026-06-08')).not.toContain('10:00')
    const dashboard = await app.call('GET', '/therapist/home/get-dashboard-overview', { token })
    expect(JSON.stringify(dashboard.body)).toContain('calendar_ended')
    await readAgain()
    await book('2026-06-09T09:00:00Z')
    expect(mails('Your Google Calendar is no longer connected')).toHaveLength(1)
    const kept = await row()
    expect(kept?.sealed_grant === null).toBe(why === 'revoked')
    // Given again, everything that is ahead is there.
    expect(await connect()).toBe('connected')
    expect(await entries()).toEqual(['2026-06-08T09:00:00.000Z', '2026-06-09T09:00:00.000Z'])
    expect((await state()).connected_at).toBe(clock.now().toISOString())
    await app.call('DELETE', '/therapist/google-calendar', { token })
    await app.queue.drain()
    expect(await row()).toBeUndefined()
  })

  test('the mail about an ended connection names no detail to an unconfirmed address', async () => {
    await connect()
    await app.db
      .updateTable('accounts')
      .set({ email_verified_at: null })
      .where('deleted_at', 'is', null)
      .execute()
    await google.control('revoke')
    await google.control('expire')
    await readAgain()
    const [mail = ''] = mails('There is something new for you on Hearth').slice(-1)
    expect(mail).toContain(`To: ${practitioner.email}`)
    expect(textOf(mail)).not.toMatch(/Google|calendar /i)
  })
})
