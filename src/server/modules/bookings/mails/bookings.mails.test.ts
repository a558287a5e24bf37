import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { days, hours, minutes } from '#server/clock.ts'
import { mailSendJob } from '#server/modules/mails/mails.jobs.ts'
import { bookingsChangedPlacesJob } from '#server/modules/bookings/bookings.jobs.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { entryIn, plainText, type ReadMail, sessionMails } from '#test/mails.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
/** Called before the gateway refunds; a test makes it fail. */
let refunding: () => void

const monday = '2026-06-08T09:00:00.000Z'
const tuesday = '2026-06-09T13:00:00.000Z'

beforeEach(async () => {
  refunding = () => undefined
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      refund: async (wanted) => {
        refunding()
        return sandbox.refund(wanted)
      },
    }),
  })
  client = await createClient(app)
  practitioner = await createPractitioner(app, { firstName: 'Anna', lastName: 'Bell' })
  await app.queue.drain()
  await confirmAddresses()
})
afterEach(async () => app.close())

const confirmAddresses = async (to: Date | null = app.clock.now()) =>
  app.db.updateTable('accounts').set({ email_verified_at: to }).execute()

/** The mails about sessions to an address, after every due job has run. */
async function mailsTo(email: string): Promise<ReadMail[]> {
  await app.queue.drain()
  return sent().filter((mail) => mail.to === email)
}
const sent = () => sessionMails(app.mails())
const toClient = () => mailsTo(client.email)
const toPractitioner = () => mailsTo(practitioner.email)
const subjects = (mails: ReadMail[]) => mails.map((mail) => mail.subject).sort()
const one = (mails: ReadMail[], subject: string) => {
  const found = mails.filter((mail) => mail.subject === subject)
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} mails: ${subject}`)
  return found[0]
}

const book = (startsAt = monday, type: 'online' | 'face_to_face' = 'online') =>
  bookSession(app, { practitioner, client, startsAt, type })
const move = (id: string, body: Record<string, unknown>): Promise<Answer> =>
  app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: id, type: 'online', appointment_datetime: tuesday, ...body },
  })
/** The path of a session's page, as a mail composed now has it. */
const presentPath = async (id: string) => {
  const { body } = await app.call('GET', `/appointment/${id}`, { token: client.token })
  return `/session?appointment=${id}&sequence=${body.sequence}`
}
const cancel = (id: string, body: Record<string, unknown> = {}): Promise<Answer> =>
  app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id, ...body },
  })

describe('a booked session', () => {
  test('is confirmed to the client, with everything they need and the way back', async () => {
    const id = await book()
    const [mail, ...more] = await toClient()
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your session is booked')
    expect(mail?.text).toContain('Your session with Anna Bell is booked and paid.')
    expect(mail?.text).toContain('Date: Monday 8 June 2026')
    expect(mail?.text).toContain('Time: 10:00 to 10:50 (London time, British Summer Time)')
    expect(mail?.text).toContain('Where: Online')
    expect(mail?.text).toContain('Price: £60.00')
    expect(mail?.text).toContain(
      `See this session: http://hearth.test/sign-in?return_to=${encodeURIComponent(await presentPath(id))}`,
    )
    expect(mail?.text).toContain('https://rooms.example.test/priya')
    expect(mail?.text).toContain('until Saturday 6 June 2026, 10:00')
    expect(mail && entryIn(mail)).toMatchObject({
      method: 'REQUEST',
      uid: id,
      start: monday,
      end: '2026-06-08T09:50:00.000Z',
      summary: 'Session with Anna Bell',
      location: 'Online',
      description: expect.stringContaining('Join: https://rooms.example.test/priya'),
    })
  })

  test('is announced to the practitioner, shortly', async () => {
    await book()
    const [mail, ...more] = await toPractitioner()
    expect(more).toEqual([])
    expect(mail?.subject).toBe('A session was booked')
    expect(mail?.text).toContain('Alex M. has booked a session with you.')
    expect(mail?.text).not.toMatch(/Morgan|£|rooms\.example/)
    expect(mail && entryIn(mail)).toMatchObject({ summary: 'Session with Alex M.', start: monday })
  })

  test('face to face has its place in the mail, also after the practitioner has given up the place', async () => {
    await book(monday, 'face_to_face')
    await app.db.updateTable('locations').set({ removed_at: app.clock.now() }).execute()
    const [mail] = await toClient()
    expect(mail?.text).toContain('Where: Rosewood House, 12 Park Row, Leeds, LS1 5HD')
    expect(mail?.text).not.toContain('rooms.example')
    expect(mail && entryIn(mail).location).toBe('Rosewood House, 12 Park Row, Leeds, LS1 5HD')
  })

  test('has times in the zone of each recipient', async () => {
    await app.db.updateTable('practitioners').set({ timezone: 'Asia/Tokyo' }).execute()
    const card = await saveCard(app, client)
    const { body } = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-08T02:00:00Z',
        timezone: 'America/New_York',
      },
    })
    await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      body: { session_id: body.session_id, customer_id: card },
    })
    await app.call('POST', '/appointment/instant-book', {
      token: client.token,
      body: { appointment_id: body.session_id },
    })
    const [mine] = await toClient()
    const [theirs] = await toPractitioner()
    expect(mine?.text).toContain('Date: Sunday 7 June 2026\nTime: 22:00 to 22:50 (New York time,')
    expect(theirs?.text).toContain('Date: Monday 8 June 2026\nTime: 11:00 to 11:50 (Tokyo time,')
    expect(mine && entryIn(mine).start).toBe('2026-06-08T02:00:00.000Z')
    expect(theirs && entryIn(theirs).start).toBe('2026-06-08T02:00:00.000Z')
  })

  test('with an unknown zone is booked, and its mails use London time', async () => {
    const answer = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: monday,
        timezone: 'Mars/Olympus_Mons',
      },
    })
    expect(answer.status).toBe(201)
    const row = await app.db.selectFrom('appointments').select('client_timezone').executeTakeFirst()
    expect(row?.client_timezone).toBeNull()
  })

  test('sends no details to an unconfirmed address, and no calendar entry', async () => {
    await confirmAddresses(null)
    const id = await book()
    await move(id, {})
    await app.queue.drain()
    await cancel(id)
    await app.queue.drain()
    const mails = sent()
    expect(mails.length).toBeGreaterThanOrEqual(5)
    for (const mail of mails) {
      expect(mail.subject).toBe('There is something new for you on Hearth')
      expect(mail.calendar).toBeUndefined()
      expect(plainText(mail.raw).replaceAll('my-sessions', '')).not.toMatch(
        /Anna|Bell|Morgan|June|10:00|14:00|£|rooms\.example|session|booked/i,
      )
      expect(mail.text).toMatch(
        /http:\/\/hearth\.test\/(sign-in\?return_to=%2Fmy-sessions|therapist\/sign-in\?return_to=%2Ftherapist%2Fdashboard)/,
      )
    }
  })

  test('that has become none before the mail went out is not confirmed', async () => {
    const id = await book()
    await cancel(id)
    expect(subjects(await toClient())).toEqual(['Your refund is on its way', 'Your session is cancelled'])
    expect(subjects(await toPractitioner())).toEqual(['A session was cancelled'])
  })

  test('that was moved before the mail went out has one mail, with its current time', async () => {
    const id = await book()
    await move(id, {})
    const mails = await toClient()
    expect(subjects(mails)).toEqual(['Your session has moved'])
    expect(mails[0] && entryIn(mails[0])).toMatchObject({ uid: id, start: tuesday, method: 'REQUEST' })
  })

  test('that is over before the mail went out is not announced', async () => {
    await book()
    app.clock.set('2026-06-08T09:51:00Z')
    await app.queue.drain()
    expect(sent()).toEqual([])
  })
})

describe('a moved session', () => {
  test('mails both parties the new and the old time, and updates the calendar entry rather than adding one', async () => {
    const id = await book()
    const [first] = await toClient()
    await move(id, {})
    const moved = one(await toClient(), 'Your session has moved')
    expect(moved.text).toContain('Date: Tuesday 9 June 2026')
    expect(moved.text).toContain('Before: Monday 8 June 2026, 10:00')
    const before = first && entryIn(first)
    const after = entryIn(moved)
    expect(after).toMatchObject({ method: 'REQUEST', uid: id, start: tuesday })
    expect(before?.uid).toBe(after.uid)
    expect(after.sequence).toBeGreaterThan(before?.sequence ?? Number.POSITIVE_INFINITY)
    expect(subjects(await toPractitioner())).toEqual(['A session was booked', 'A session was moved'])
  })

  // London's clocks go forward on 28 March 2027 and back on 31 October 2027, both at 01:00 UTC.
  test.each([
    { from: '2027-03-26T10:00:00.000Z', to: '2027-03-29T09:00:00.000Z', zone: 'British Summer Time' },
    { from: '2027-03-27T10:00:00.000Z', to: '2027-03-28T09:00:00.000Z', zone: 'British Summer Time' },
    { from: '2027-10-29T09:00:00.000Z', to: '2027-11-01T10:00:00.000Z', zone: 'Greenwich Mean Time' },
    { from: '2027-10-30T09:00:00.000Z', to: '2027-10-31T10:00:00.000Z', zone: 'Greenwich Mean Time' },
  ])(
    'over a clock change, from $from to $to, is at ten in the morning both times',
    async ({ from, to, zone }) => {
      app.clock.set(
        Date.parse(from) > Date.parse('2027-06-01') ? '2027-10-20T08:00:00Z' : '2027-03-20T08:00:00Z',
      )
      client = await createClient(app)
      await confirmAddresses()
      const id = await book(from)
      const booked = one(await toClient(), 'Your session is booked')
      await move(id, { appointment_datetime: to })
      const moved = one(await toClient(), 'Your session has moved')
      expect(booked.text).toContain('Time: 10:00 to 10:50 (London time,')
      expect(moved.text).toContain(`Time: 10:00 to 10:50 (London time, ${zone})`)
      expect(entryIn(booked)).toMatchObject({ uid: id, start: from })
      expect(entryIn(moved)).toMatchObject({ uid: id, start: to })
      expect(entryIn(moved).sequence).toBeGreaterThan(entryIn(booked).sequence)
    },
  )

  test('that was requested twice has one mail', async () => {
    const id = await book()
    await app.queue.drain()
    await move(id, {})
    await move(id, {})
    expect(subjects(await toClient())).toEqual(['Your session has moved', 'Your session is booked'])
  })

  test('to a cheaper choice has a mail, and another about the difference once that is refunded', async () => {
    const id = await book(monday, 'face_to_face')
    await app.queue.drain()
    await move(id, { appointment_datetime: monday })
    const mails = await toClient()
    const changed = one(mails, 'Your session has changed')
    expect(changed.text).toContain('You get the difference back: £20.00, to the card you paid with.')
    expect(changed.text).toContain('Price: £60.00')
    expect(changed.text).not.toContain('Before:')
    const refund = one(mails, 'Your refund is on its way')
    expect(refund.text).toContain('We have refunded £20.00 to you.')
    expect(refund.text).toContain('Amount: £20.00 to your Visa card ending in 4242')
    expect(refund.text).toContain('For: The difference in price of your session with Anna Bell')
    expect(refund.calendar).toBeUndefined()
  })

  test('that could not be moved has no mail', async () => {
    const other = await createClient(app)
    await bookSession(app, { practitioner, client: other, startsAt: tuesday })
    const id = await book()
    await app.queue.drain()
    const mailsBefore = sent().length
    expect((await move(id, {})).body).toMatchObject({ code: 'slot_taken' })
    app.clock.advance(days(5) + hours(2))
    await app.queue.drain()
    expect(sent()).toHaveLength(mailsBefore)
  })
})

describe('a session whose practitioner changes their profile', () => {
  let therapist: string
  const known = { location_name: 'Rosewood House', home_number: '12', street: 'Park Row', city: 'Leeds' }
  const savePlace = async (changes: object) => {
    const place = { id: practitioner.locationId, country: 'United Kingdom', postal_code: 'LS1 5HD', ...known }
    const answer = await app.call('POST', '/therapist/add-location-list', {
      token: therapist,
      body: { location_list: [{ ...place, ...changes }] },
    })
    expect(answer.status).toBe(200)
  }
  const saveRoom = async (room: object) => {
    const services = await app.call('GET', '/therapist/profile', { token: therapist })
    const answer = await app.call('POST', '/therapist/add-service-list', {
      token: therapist,
      body: { ...services.body.services, ...room },
    })
    expect(answer.status).toBe(200)
  }
  beforeEach(async () => {
    therapist = await signInPractitioner(app, practitioner)
  })

  test('has one mail to its client about a place that is described anew, and a later entry', async () => {
    await savePlace({})
    const id = await book(monday, 'face_to_face')
    await book(tuesday)
    const [booked] = (await toClient()).filter((mail) => entryIn(mail).uid === id)
    const before = sent().length
    await savePlace({ show_street: true })
    await app.queue.drain()
    expect(sent()).toHaveLength(before)
    await savePlace({ street: 'Wellington Street' })
    await app.queue.drain()
    const [mail, ...more] = sent().slice(before)
    expect([mail?.to, more]).toEqual([client.email, []])
    expect(mail?.subject).toBe('Your session has changed')
    expect(mail?.text).toContain('Anna Bell has changed the details of the place where you meet.')
    expect(mail?.text).toContain('Where: Rosewood House, 12 Wellington Street, Leeds, LS1 5HD')
    const entry = mail && entryIn(mail)
    expect(entry).toMatchObject({
      method: 'REQUEST',
      uid: id,
      location: 'Rosewood House, 12 Wellington Street, Leeds, LS1 5HD',
    })
    expect(entry?.sequence).toBe((booked ? entryIn(booked).sequence : 0) + 1)
  })

  test('has none while the mail about its booking waits, which states the place', async () => {
    await savePlace({})
    const id = await book(monday, 'face_to_face')
    const waiting = app.db.updateTable('outgoing_mails').where('subject_id', '=', id)
    await waiting.set({ claimed_until: new Date('2026-06-02T08:00:00Z') }).execute()
    await app.queue.drain()
    await waiting.set({ claimed_until: null }).execute()
    await savePlace({ street: 'Wellington Street' })
    await app.queue.drain()
    const mails = app.db.selectFrom('outgoing_mails').select('id').where('subject_id', '=', id)
    for (const mail of await mails.execute())
      await app.queue.enqueue(app.db, mailSendJob, { mail_id: mail.id })
    expect((await toClient()).map((mail) => [mail.subject, mail.text.includes('Wellington Street')])).toEqual(
      [['Your session is booked', true]],
    )
  })

  test('has one about another online room, once however often the job runs, and none if it has begun', async () => {
    await saveRoom({ room: 'own', meeting_link: 'https://rooms.example.test/first' })
    const id = await book()
    await book(tuesday, 'face_to_face')
    await app.queue.drain()
    const before = sent().length
    const job = { change_id: crypto.randomUUID(), location_ids: [], is_online_room: true }
    await saveRoom({ meeting_link: 'https://rooms.example.test/second' })
    await app.queue.drain()
    const [mail, ...more] = sent().slice(before)
    expect([mail?.to, more]).toEqual([client.email, []])
    expect(mail?.text).toContain('Anna Bell has changed the online room where you meet.')
    expect(mail && entryIn(mail)).toMatchObject({
      uid: id,
      description: expect.stringContaining('Join: https://rooms.example.test/second'),
    })

    for (const _ of [1, 2]) {
      await app.queue.enqueue(app.db, bookingsChangedPlacesJob, { ...job, practitioner_id: practitioner.id })
      await app.queue.drain()
    }
    expect(sent()).toHaveLength(before + 2)
    app.clock.set(new Date(monday))
    await app.queue.drain()
    const begun = sent().length
    await app.queue.enqueue(app.db, bookingsChangedPlacesJob, {
      ...job,
      change_id: crypto.randomUUID(),
      practitioner_id: practitioner.id,
    })
    await app.queue.drain()
    expect(sent()).toHaveLength(begun)
  })
})

describe('a cancelled session', () => {
  test('mails both parties, cancels the calendar entry and promises the refund', async () => {
    const id = await book()
    const [booked] = await toClient()
    await cancel(id, { reason: 'I feel better' })
    const mail = one(await toClient(), 'Your session is cancelled')
    expect(mail.text).toContain('You cancelled your session with Anna Bell.')
    expect(mail.text).toContain('You get your money back in full: £60.00, to the card you paid with.')
    expect(mail.text).toContain(`http://hearth.test/recommended-therapist?practitionerId=${practitioner.id}`)
    const entry = entryIn(mail)
    expect(entry).toMatchObject({ method: 'CANCEL', uid: id, start: monday })
    expect(entry.sequence).toBeGreaterThan(booked ? entryIn(booked).sequence : Number.POSITIVE_INFINITY)
    const theirs = one(await toPractitioner(), 'A session was cancelled')
    expect(theirs.text).toContain('Alex M. has cancelled a session with you.')
    expect(entryIn(theirs).method).toBe('CANCEL')
    for (const each of sent()) expect(each.whole).not.toContain('feel better')
  })

  test.each([
    [
      'practitioner',
      'Anna Bell had to cancel your session. We are sorry.',
      'You cancelled the session with Alex M.',
    ],
    [
      'system',
      'We had to cancel your session with Anna Bell. We are sorry.',
      'We cancelled the session with Alex M.',
    ],
  ] as const)('by the %s says so', async (by, toTheClient, toThePractitioner) => {
    const id = await book()
    await cancel(id)
    await app.db.updateTable('appointments').set({ cancelled_by: by }).where('id', '=', id).execute()
    expect(one(await toClient(), 'Your session is cancelled').text).toContain(toTheClient)
    expect(one(await toPractitioner(), 'A session was cancelled').text).toContain(toThePractitioner)
  })

  test.each([
    [
      'practitioner_absent',
      'We are sorry that you waited',
      'You waited for your session, and Anna Bell did not come.',
      'reply to this email',
      'Your client waited for you',
      'Alex M. was alone in the room of this session for ten minutes',
    ],
    [
      'technical_failure',
      'We are sorry that your session did not work',
      'Anna Bell told us that your session did not work for technical reasons.',
      'book another time with Anna Bell',
      'The session that did not work is cancelled',
      'You told us that the session with Alex M. did not work for technical reasons.',
    ],
  ] as const)(
    'for %s has words of its own for both, the refund and what comes next',
    async (code, toTheClient, why, next, toThePractitioner, what) => {
      const id = await book()
      await cancel(id, { reason: 'I feel better' })
      const by = code === 'practitioner_absent' ? 'system' : 'practitioner'
      await app.db
        .updateTable('appointments')
        .set({ cancelled_by: by, cancel_code: code })
        .where('id', '=', id)
        .execute()
      const mail = one(await toClient(), toTheClient)
      expect(mail.text).toContain(why)
      expect(mail.text).toContain('You get your money back in full: £60.00, to the card you paid with.')
      expect(mail.text).toContain('When you feel ready, you can book another time with Anna Bell')
      expect(mail.text).toContain(next)
      expect(mail.text).toContain(
        `http://hearth.test/recommended-therapist?practitionerId=${practitioner.id}`,
      )
      expect(entryIn(mail)).toMatchObject({ method: 'CANCEL', uid: id })
      const theirs = one(await toPractitioner(), toThePractitioner)
      expect(theirs.text).toContain(what)
      expect(theirs.text).toMatch(/there is no fee for it\./i)
      expect(theirs.text).toContain('they get £60.00 back')
      expect(subjects(await toClient())).not.toContain('Your session is cancelled')
      for (const each of sent()) expect(each.whole).not.toContain('feel better')
    },
  )

  test('by the system names up to three who treat the same and are free that week, nearest first', async () => {
    const dear = [
      { service_id: 1, appointment_type: 'online' as const, duration_minutes: 50, fee_pence: 9000 },
    ]
    const near = await createPractitioner(app, { firstName: 'Near', lastName: 'By' })
    const far = await createPractitioner(app, { firstName: 'Far', lastName: 'Off', services: dear })
    const busy = await createPractitioner(app, { firstName: 'Never', lastName: 'Free', hours: [] })
    const other = await createPractitioner(app, { firstName: 'Other', lastName: 'Work' })
    await app.db
      .updateTable('practitioner_issues')
      .set({ issue_id: 2 })
      .where('practitioner_id', '=', other.id)
      .execute()
    await inTransaction(app.db, (tx) => app.services.search.project(tx, other.id))
    const id = await book()
    await cancel(id)
    await app.db.updateTable('appointments').set({ cancelled_by: 'system' }).where('id', '=', id).execute()
    const { text } = one(await toClient(), 'Your session is cancelled')
    expect(text).toContain('Below are two people who help with the same things and are free that week.')
    const linked = [...text.matchAll(/practitionerId=(\d+)/g)].map(([, found]) => Number(found))
    expect(linked.filter((found) => found !== practitioner.id)).toEqual([near.id, far.id])
    expect(linked).not.toContain(busy.id)
    const page = await app.call('GET', `/appointment/${id}/alternatives`, { token: client.token })
    expect((page.body.data as unknown as { id: number }[]).map((card) => card.id)).toEqual([near.id, far.id])
  })

  test('by the system goes without others where there are none', async () => {
    const id = await book()
    await cancel(id)
    await app.db.updateTable('appointments').set({ cancelled_by: 'system' }).where('id', '=', id).execute()
    const { text } = one(await toClient(), 'Your session is cancelled')
    expect(text).not.toContain('help with the same')
    expect(text).toContain('You get your money back in full: £60.00')
  })

  test('of a practitioner who is no longer listed leads to others', async () => {
    const id = await book()
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
    await cancel(id)
    const mail = one(await toClient(), 'Your session is cancelled')
    expect(mail.text).toContain('http://hearth.test/found-therapists')
    expect(mail.text).not.toContain('recommended-therapist')
  })

  test('has one mail about its refund, sent only after the refund succeeded', async () => {
    refunding = () => {
      throw new Error('the gateway is away')
    }
    const id = await book()
    await cancel(id)
    expect(subjects(await toClient())).toEqual(['Your session is cancelled'])
    refunding = () => undefined
    app.clock.advance(minutes(1))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    const refund = one(await toClient(), 'Your refund is on its way')
    expect(refund.text).toContain('We have refunded £60.00 to you.')
    expect(refund.text).toContain('For: Your cancelled session with Anna Bell on Monday 8 June 2026')
    await app.services.bookings.sweep()
    expect(subjects(await toClient())).toHaveLength(2)
  })

  test('that was paid in two parts has one mail about both refunds', async () => {
    const card = await saveCard(app, client, cards.alsoSucceeds)
    const id = await book()
    await move(id, { type: 'face_to_face', customer_id: card })
    let gone = 0
    refunding = () => {
      if (++gone === 1) throw new Error('the gateway is away')
    }
    await cancel(id)
    expect(subjects(await toClient())).not.toContain('Your refund is on its way')
    app.clock.advance(minutes(1))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    const mails = await toClient()
    expect(one(mails, 'Your session is cancelled').text).toContain('£80.00, to the cards you paid with')
    const refund = one(mails, 'Your refund is on its way')
    expect(refund.text).toContain('We have refunded £80.00 to you.')
    expect(refund.text).toContain('£20.00 to your Mastercard card ending in 4444')
    expect(refund.text).toContain('£60.00 to your Visa card ending in 4242')
  })
})

describe('the link of a mail', () => {
  const linked = (mail: ReadMail) =>
    [...mail.text.matchAll(/\?return_to=(\S+)/g)].map(([, path = '']) => decodeURIComponent(path))

  test('carries the sequence of the session when the mail was composed, and the calendar entry does not', async () => {
    const id = await book()
    const paths: string[] = []
    const links: string[][] = []
    const read = async (subject: string) => {
      const mail = one(await toClient(), subject)
      paths.push(await presentPath(id))
      links.push(linked(mail))
      const { description } = mail.calendar ? entryIn(mail) : { description: null }
      if (description) expect(description).toMatch(new RegExp(encodeURIComponent(`=${id}`) + '\\s'))
    }
    await read('Your session is booked')
    await move(id, {})
    await read('Your session has moved')
    await cancel(id)
    await read('Your session is cancelled')
    expect(new Set(paths).size).toBe(3)
    expect(links).toEqual(paths.map((path) => [path]))
    const theirs = (await toPractitioner()).flatMap(linked)
    expect(theirs).toEqual(paths)
  })

  test('about a refund that came late carries the sequence at that time', async () => {
    refunding = () => {
      throw new Error('the gateway is away')
    }
    const id = await book(monday, 'face_to_face')
    await move(id, { appointment_datetime: monday })
    await move(id, {})
    await app.queue.drain()
    refunding = () => undefined
    app.clock.advance(minutes(1))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    const refund = one(await toClient(), 'Your refund is on its way')
    expect(linked(refund)).toEqual([await presentPath(id)])
  })

  test('leads to the present state once the session was moved or cancelled, and changes no row', async () => {
    const tables = ['appointments', 'reservations', 'payment_intents', 'refunds', 'outgoing_mails'] as const
    const rows = () =>
      Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().orderBy('id').execute()))
    const id = await book()
    const [booked] = await toClient()
    const { searchParams } = new URL(linked(booked as ReadMail)[0] ?? '', 'http://hearth.test')
    const follow = async () => {
      await app.queue.drain()
      const before = await rows()
      const path = searchParams.get('appointment')
      const session = (await app.call('GET', `/sessions/${path}`, { token: client.token })).body
      const payment = (await app.call('GET', `/appointment/${path}`, { token: client.token })).body
      await app.queue.drain()
      expect(await rows()).toEqual(before)
      expect(payment).toMatchObject({ status: session.status, sequence: session.sequence })
      return session
    }
    const sequence = Number(searchParams.get('sequence'))
    expect(await follow()).toMatchObject({ status: 'confirmed', starts_at: monday, sequence })
    await move(id, {})
    const moved = await follow()
    expect(moved).toMatchObject({ status: 'confirmed', starts_at: tuesday })
    expect(moved.sequence).toBeGreaterThan(sequence)
    await cancel(id)
    const cancelled = await follow()
    expect(cancelled).toMatchObject({ status: 'cancelled', starts_at: tuesday })
    expect(cancelled.sequence).toBeGreaterThan(Number(moved.sequence))
  })
})

describe('no mail goes out', () => {
  const hold = () =>
    app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: monday,
      },
    })
  const nothing = async () => {
    await app.queue.drain()
    expect(sent()).toEqual([])
    expect(
      await app.db.selectFrom('outgoing_mails').selectAll().where('template', 'like', 'session.%').execute(),
    ).toEqual([])
  }

  test('for a payment that failed', async () => {
    const { body } = await hold()
    const paid = await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      body: { session_id: body.session_id, customer_id: await saveCard(app, client, cards.declined) },
    })
    expect(paid.status).toBe(402)
    await app.call('POST', '/appointment/instant-book', {
      token: client.token,
      body: { appointment_id: body.session_id },
    })
    await nothing()
  })

  test('for a hold that ran out or was cancelled', async () => {
    const { body } = await hold()
    await cancel(String(body.session_id))
    await hold()
    app.clock.advance(minutes(11))
    await app.services.bookings.sweep()
    await nothing()
  })

  test('for a session that could no longer be cancelled or moved', async () => {
    app.clock.set('2026-06-05T09:00:00Z')
    client = await createClient(app)
    await confirmAddresses()
    const id = await book()
    await app.queue.drain()
    const before = sent().length
    app.clock.set('2026-06-07T09:00:01Z')
    const { body } = await app.call('POST', '/client/login', {
      body: { email: client.email, password: 'correct horse battery' },
    })
    client = { ...client, token: String(body.token) }
    expect((await cancel(id)).body).toMatchObject({ code: 'too_late_to_change' })
    expect((await move(id, {})).body).toMatchObject({ code: 'too_late_to_change' })
    await app.queue.drain()
    expect(sent()).toHaveLength(before)
  })

  test('when a session is completed', async () => {
    await book()
    await app.queue.drain()
    const before = sent().length
    app.clock.set('2026-06-09T09:50:00Z')
    await app.services.bookings.sweep()
    await app.queue.drain()
    expect(sent()).toHaveLength(before)
  })
})

test('no detail of a session is logged or kept in the queue with its mails', async () => {
  const id = await book()
  await app.queue.drain()
  await cancel(id)
  await app.queue.drain()
  expect(sent().length).toBeGreaterThan(4)
  expect(app.logged()).not.toMatch(/Anna|Bell|Morgan|rooms\.example|example\.test/)
  const kept = await app.db.selectFrom('outgoing_mails').selectAll().execute()
  expect(JSON.stringify(kept)).not.toMatch(/Anna|Bell|Morgan|rooms\.example|example\.test/)
})
