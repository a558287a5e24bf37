import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Endpoint, type Role, roles } from '#contract/endpoint.ts'
import { type BodySent, type EndpointKey, type Endpoints, endpoints } from '#contract/endpoints.ts'
import type { LoginSession } from '#contract/accounts/account-settings.ts'
import { routeOf } from '#server/http/serve.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { askForHelp } from '#test/help.ts'

const all = Object.entries(endpoints) as [EndpointKey, Endpoint][]
const nobody = '00000000-0000-4000-8000-000000000000'

let app: TestApp
afterEach(async () => app.close())

/** Fills every parameter of the path; one that is not given gets an id that no record has. */
function pathOf(key: EndpointKey, params: Record<string, string> = {}): [method: string, path: string] {
  const [method = '', path = ''] = key.split(' ')
  const unknown: Record<string, string> = { provider: 'sandbox', id: '2147483647' }
  return [method, path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? unknown[name] ?? nobody)]
}

describe('every endpoint, by role', () => {
  let practitioner: Practitioner
  /** A new sign-in each, as some of the calls end it. */
  const signIn: Record<Role, () => Promise<string>> = {
    client: async () => (await createClient(app)).token,
    therapist: () => signInPractitioner(app, practitioner),
    admin: async () => (await createAdmin(app)).token,
  }

  test('is open to the roles in the contract, and refuses all others', async () => {
    app = await buildTestApp()
    practitioner = await createPractitioner(app)
    const tokens = new Map<Role, string>()
    const seen = { refused: 0, allowed: 0, otherTokens: 0 }
    const client = await signIn.client()
    const inChat = (await signInToChat(app, client)).token
    const tokenFor = async (role: Role, endpoint: Endpoint) =>
      endpoint.token === 'chat'
        ? (await signInToChat(app, await signIn[role]())).token
        : (tokens.get(role) ?? (await signIn[role]()))
    for (const [key, endpoint] of all) {
      const [method, path] = pathOf(key)
      const body = method === 'GET' ? {} : { body: {} }
      const allows = (role: Role) => endpoint.access === 'anyone' || endpoint.access.includes(role)
      const strangers = new Map<Role, string>()
      for (const role of roles) {
        if (allows(role) || (endpoint.token === 'chat' && role === 'admin')) continue
        const token = await tokenFor(role, endpoint)
        if (endpoint.token !== 'chat') tokens.set(role, token)
        strangers.set(role, token)
      }

      // A search computes free time anew that another call has marked as changed.
      await app.services.search.refresh()
      // Nothing of what follows may write: it is all refused, or asks for nothing that can be done.
      const before = await fingerprint(app.db)
      const asVisitor = await app.call(method, path, body)
      if (endpoint.access === 'anyone') {
        expect([key, asVisitor.body?.code]).not.toEqual([key, 'unauthenticated'])
        expect([key, asVisitor.status]).not.toEqual([key, 403])
      } else {
        expect([key, asVisitor.status, asVisitor.body.code]).toEqual([key, 401, 'unauthenticated'])
        expect(asVisitor.headers.get('www-authenticate')).toBe('Bearer')
      }
      // A worn-out token is refused wherever one is read, so that a client knows to refresh it.
      const wornOut = await app.call(method, path, { token: 'worn-out', ...body })
      expect([key, wornOut.status === 401]).toEqual([key, endpoint.token !== 'ignored'])

      // A token of the chat opens the chat alone, and nothing else opens that.
      if (endpoint.access !== 'anyone') {
        const other = endpoint.token === 'chat' ? client : inChat
        const answer = await app.call(method, path, { token: other, ...body })
        expect([key, answer.status, answer.body.code]).toEqual([key, 401, 'unauthenticated'])
        seen.otherTokens++
      }
      for (const [role, token] of strangers) {
        const answer = await app.call(method, path, { token, ...body })
        expect([key, role, answer.status, answer.body.code]).toEqual([key, role, 403, 'forbidden'])
        seen.refused++
      }
      expect([key, await fingerprint(app.db)]).toEqual([key, before])

      for (const role of roles) {
        if (!allows(role)) continue
        const token = await tokenFor(role, endpoint)
        const answer = await app.call(method, path, { token, ...body })
        expect([key, role, [401, 403].includes(answer.status)]).toEqual([key, role, false])
        expect([key, role, answer.status < 500]).toEqual([key, role, true])
        if (/\/logout(-everywhere)?$/.test(path)) tokens.delete(role)
        else if (endpoint.token !== 'chat') tokens.set(role, token)
        seen.allowed++
      }
    }
    expect(all.length).toBeGreaterThan(30)
    expect(seen.refused).toBeGreaterThan(40)
    expect(seen.allowed).toBeGreaterThan(60)
    expect(seen.otherTokens).toBeGreaterThan(60)
  }, 180_000)
})

describe('a suspended practitioner', () => {
  test('may call what is declared, and nothing else that is for practitioners', async () => {
    app = await buildTestApp()
    const practitioner = await createPractitioner(app)
    let token = await signInPractitioner(app, practitioner)
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
    const seen = { open: [] as string[], closed: 0 }
    let before = await fingerprint(app.db)
    for (const [key, endpoint] of all) {
      // Tokens of the chat are worn out by the suspension itself.
      if (endpoint.access === 'anyone' || !endpoint.access.includes('therapist')) continue
      if (endpoint.token === 'chat') continue
      const [method, path] = pathOf(key)
      const answer = await app.call(method, path, { token, ...(method === 'GET' ? {} : { body: {} }) })
      if (endpoint.whileSuspended) {
        expect([key, [401, 403].includes(answer.status)]).toEqual([key, false])
        expect([key, answer.status < 500]).toEqual([key, true])
        seen.open.push(key)
        if (/\/logout(-everywhere)?$/.test(path)) token = await signInPractitioner(app, practitioner)
        before = await fingerprint(app.db)
      } else {
        expect([key, answer.status, answer.body.code]).toEqual([key, 403, 'suspended'])
        seen.closed++
      }
    }
    // What is closed has written nothing, since the last call that is open.
    expect(await fingerprint(app.db)).toEqual(before)
    expect(seen.closed).toBeGreaterThan(30)
    // Own account, own profile and its papers, earnings, and the page that explains.
    expect(seen.open).toEqual(
      expect.arrayContaining([
        'GET /therapist/account',
        'GET /therapist/balance',
        'GET /therapist/earnings',
        'GET /therapist/invoices',
        'GET /therapist/invoices/{id}/pdf',
        'GET /therapist/statements/{month}',
        'GET /therapist/suspension',
      ]),
    )
    const aboutClients =
      /sessions$|schedule|calendar-feed|reviews|get-help|chat|time-off|available-now|dashboard/
    expect(seen.open.filter((key) => aboutClients.test(key) && !key.startsWith('DELETE'))).toEqual([
      'GET /therapist/login-sessions',
    ])
  })
})

type OwnedKey = {
  [K in EndpointKey]: Endpoints[K] extends { owner: string } ? K : never
}[EndpointKey]

type Objects = {
  appointment: string
  series: string
  card: string
  signIn: string
  review: string
  helpRequest: string
  entry: string
  offer: string
}
type Sample<K extends EndpointKey> = (objects: Objects) => {
  params?: Record<string, string>
  body?: BodySent<K>
}

/** How an endpoint names the object that it is about. A new endpoint with an owner does not compile without. */
const samples: { [K in OwnedKey]: Sample<K> } = {
  'POST /payment/{provider}/existing-card-payment': ({ appointment, card }) => ({
    body: { session_id: appointment, customer_id: card },
  }),
  'POST /payment/{provider}/confirm-authentication': ({ appointment }) => ({
    body: { session_id: appointment },
  }),
  'POST /appointment/instant-book': ({ appointment }) => ({ body: { appointment_id: appointment } }),
  'POST /appointment/edit-session': ({ appointment }) => ({
    body: { appointment_id: appointment, type: 'online', appointment_datetime: '2026-06-12T10:00:00Z' },
  }),
  'POST /appointment/cancel-session': ({ appointment }) => ({ body: { appointment_id: appointment } }),
  'POST /appointment/{appointment_id}/pay': ({ appointment, card }) => ({
    params: { appointment_id: appointment },
    body: { customer_id: card },
  }),
  'POST /appointment/{appointment_id}/extend-hold': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'GET /appointment/{appointment_id}/calendar-file': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'GET /appointment/{appointment_id}': ({ appointment }) => ({ params: { appointment_id: appointment } }),
  'GET /sessions/{appointment_id}': ({ appointment }) => ({ params: { appointment_id: appointment } }),
  'GET /appointment/{appointment_id}/room': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /appointment/{appointment_id}/room/seat': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: { peer_id: nobody },
  }),
  'POST /appointment/{appointment_id}/room/leave': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: { peer_id: nobody },
  }),
  'POST /appointment/{appointment_id}/nobody-came': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/technical-failure': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: {},
  }),
  'POST /therapist/sessions/{appointment_id}/room/admit': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/room/wait': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/room/end': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/room/late': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/room/own-link': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'GET /appointment/{appointment_id}/alternatives': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'DELETE /payment/{provider}/cards/{customer_id}': ({ card }) => ({ params: { customer_id: card } }),
  'DELETE /client/login-sessions/{id}': ({ signIn }) => ({ params: { id: signIn } }),
  'DELETE /therapist/login-sessions/{id}': ({ signIn }) => ({ params: { id: signIn } }),
  'POST /appointment/{appointment_id}/review': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: { rating: 5, comment: 'Kind.' },
  }),
  'PUT /appointment/{appointment_id}/review': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: { rating: 4, comment: 'Kind and clear.' },
  }),
  'DELETE /appointment/{appointment_id}/review': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /appointment/{appointment_id}/dispute-no-show': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: { reason: 'I was there.' },
  }),
  'POST /therapist/sessions/{appointment_id}/cancel': ({ appointment }) => ({
    params: { appointment_id: appointment },
    body: {},
  }),
  'POST /therapist/sessions/{appointment_id}/complete': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/allow-late-payment': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'POST /therapist/sessions/{appointment_id}/no-show': ({ appointment }) => ({
    params: { appointment_id: appointment },
  }),
  'PUT /therapist/reviews/{id}/reply': ({ review }) => ({
    params: { id: review },
    body: { reply: 'Thanks.' },
  }),
  'DELETE /therapist/reviews/{id}/reply': ({ review }) => ({ params: { id: review } }),
  'POST /series/preview': ({ appointment }) => ({ body: { appointment_id: appointment } }),
  'POST /series': ({ appointment }) => ({ body: { appointment_id: appointment } }),
  'GET /series/{series_id}': ({ series }) => ({
    params: { series_id: series },
  }),
  'POST /series/{series_id}/agree': ({ series, card }) => ({
    params: { series_id: series },
    body: { customer_id: card, terms_version: '2026-11' },
  }),
  'POST /series/{series_id}/dates/{on_date}/skip': ({ series }) => ({
    params: { series_id: series, on_date: '2026-06-22' },
  }),
  'POST /series/{series_id}/dates/{on_date}/restore': ({ series }) => ({
    params: { series_id: series, on_date: '2026-06-22' },
  }),
  'POST /series/{series_id}/dates/{on_date}/move': ({ series }) => ({
    params: { series_id: series, on_date: '2026-06-22' },
    body: { starts_at: '2026-06-24T10:00:00Z' },
  }),
  'POST /series/{series_id}/away': ({ series }) => ({
    params: { series_id: series },
    body: { from: '2026-06-22', to: '2026-06-28' },
  }),
  'POST /series/{series_id}/change': ({ series }) => ({
    params: { series_id: series },
    body: { from: '2026-06-22', weekday: 3, start: '11:00' },
  }),
  'POST /series/{series_id}/change-preview': ({ series }) => ({
    params: { series_id: series },
    body: { from: '2026-06-22', weekday: 3, start: '11:00' },
  }),
  'POST /series/{series_id}/end': ({ series }) => ({
    params: { series_id: series },
    body: {},
  }),
  'POST /series/{series_id}/resume': ({ series }) => ({
    params: { series_id: series },
  }),
  'POST /series/{series_id}/confirm-zone': ({ series }) => ({
    params: { series_id: series },
    body: { timezone: 'America/New_York' },
  }),
  'PUT /series/{series_id}/card': ({ series, card }) => ({
    params: { series_id: series },
    body: { customer_id: card },
  }),
  'POST /series/{series_id}/price': ({ series }) => ({
    params: { series_id: series },
    body: { accept: true },
  }),
  'POST /therapist/series/preview': ({ appointment }) => ({
    body: { appointment_id: appointment },
  }),
  'POST /therapist/series': ({ appointment }) => ({ body: { appointment_id: appointment } }),
  'POST /therapist/series/{series_id}/accept': ({ series }) => ({
    params: { series_id: series },
  }),
  'POST /therapist/series/{series_id}/decline': ({ series }) => ({
    params: { series_id: series },
    body: {},
  }),
  'POST /therapist/series/{series_id}/end': ({ series }) => ({
    params: { series_id: series },
    body: {},
  }),
  'POST /therapist/series/{series_id}/new-price': ({ series }) => ({
    params: { series_id: series },
    body: { fee: 70, from: '2026-08-01' },
  }),
  'POST /therapist/series/{series_id}/dates/{on_date}/keep': ({ series }) => ({
    params: { series_id: series, on_date: '2026-06-22' },
  }),
  'POST /therapist/get-help/requests/{id}/accept': ({ helpRequest }) => ({ params: { id: helpRequest } }),
  'POST /therapist/get-help/requests/{id}/decline': ({ helpRequest }) => ({ params: { id: helpRequest } }),
  'POST /waitlist': ({ appointment }) => ({
    body: {
      practitioner_id: 1,
      service_id: 1,
      appointment_type: 'online',
      windows: [{ weekdays: [1], from: '09:00', to: '12:00' }],
      lead_minutes: 60,
      timezone: 'Europe/London',
      swaps_appointment_id: appointment,
    },
  }),
  'PUT /waitlist/{id}': ({ entry }) => ({ params: { id: entry }, body: {} }),
  'DELETE /waitlist/{id}': ({ entry }) => ({ params: { id: entry } }),
  'GET /waitlist/offers/{id}': ({ offer }) => ({ params: { id: offer } }),
  'POST /waitlist/offers/{id}/decline': ({ offer }) => ({ params: { id: offer } }),
  'POST /therapist/waitlist/{id}/offer': ({ entry }) => ({
    params: { id: entry },
    body: { starts_at: '2026-06-12T10:00:00Z' },
  }),
}
type Request = { params?: Record<string, string>; body?: unknown }
const owned = Object.entries(samples) as [OwnedKey, (objects: Objects) => Request][]
const pairOf = (theirs: Request, missing: Request): [Request, Request] => [theirs, missing]
/** Whether it is a practitioner's object; else a client's. */
const isPractitioners = (key: OwnedKey) => !admits(key, 'client')

/** The roles that objects belong to. A call may be open to both people of an appointment. */
const sides = ['client', 'therapist'] as const
const admits = (key: OwnedKey, role: Role) => (endpoints[key].access as readonly Role[]).includes(role)

describe('what belongs to one person', () => {
  let owner: Client
  let other: Client
  let practitioner: Practitioner
  let therapist: string
  let otherTherapist: string
  let admin: string
  /** Of the practitioner, by a client whose account is deleted. */
  let review: string
  /** To the practitioner, by the owner. */
  let helpRequest: string
  /** Proposed by the owner to the practitioner. */
  let series: string
  /** Of the owner, for the practitioner. */
  let waiting: { entry: string; offer: string }
  let card: string
  let othersCard: string
  /** Another sign-in of the owner. */
  let elsewhere: string
  /** And of the practitioner. */
  let practitionerElsewhere: string
  let appointments: Record<'draft' | 'held' | 'authorised' | 'confirmed', string>

  beforeEach(async () => {
    app = await buildTestApp()
    owner = await createClient(app)
    other = await createClient(app)
    practitioner = await createPractitioner(app)
    const second = await createPractitioner(app)
    therapist = await signInPractitioner(app, practitioner)
    otherTherapist = await signInPractitioner(app, second)
    const { id } = await app.db
      .insertInto('reviews')
      .values({
        practitioner_id: practitioner.id,
        reviewer: 'M.',
        rating: 5,
        comment: 'Kind.',
        created_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    review = String(id)
    admin = (await createAdmin(app)).token
    card = await saveCard(app, owner)
    othersCard = await saveCard(app, other)
    helpRequest = (await askForHelp(app, { client: owner, card, preferred: practitioner.id })).requestId
    waiting = await insertOffer(owner, practitioner)
    await signInAgain(app, owner)
    await signInPractitioner(app, practitioner)
    const otherSignIn = async (role: Role, token: string) => {
      const signIns = await app.call('GET', `/${role}/login-sessions`, { token })
      return String((signIns.body as unknown as LoginSession[]).find(({ current }) => !current)?.id)
    }
    elsewhere = await otherSignIn('client', owner.token)
    practitionerElsewhere = await otherSignIn('therapist', therapist)
    const start = async (who: Practitioner, datetime?: string) => {
      const answer = await app.call('POST', '/appointment/create-session', {
        token: owner.token,
        body: {
          practitioner_id: who.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          ...(datetime ? { datetime } : {}),
        },
      })
      expect(answer.status).toBe(201)
      return idOf(answer)
    }
    const confirmed = await bookSession(app, {
      practitioner,
      client: owner,
      card,
      startsAt: '2026-06-08T09:00:00Z',
    })
    const proposed = await app.call('POST', '/series', {
      token: owner.token,
      body: { appointment_id: confirmed },
    })
    expect(proposed.status).toBe(201)
    series = (proposed.body as unknown as { data: { series_id: string } }).data.series_id
    const authorised = await start(practitioner, '2026-06-09T09:00:00Z')
    await app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: owner.token,
      body: { session_id: authorised, customer_id: card },
    })
    appointments = {
      confirmed,
      authorised,
      draft: await start(second),
      held: await start(second, '2026-06-10T09:00:00Z'),
    }
  })

  /** A place on the practitioner's waitlist, with an offer. */
  async function insertOffer(client: Client, { id }: Practitioner) {
    const now = app.clock.now()
    const [entry, offer] = [crypto.randomUUID(), crypto.randomUUID()]
    await app.db
      .insertInto('waitlist_entries')
      .values({
        id: entry,
        client_id: client.id,
        practitioner_id: id,
        service_id: 1,
        appointment_type: 'online',
        windows: JSON.stringify([{ weekdays: [1], from: 540, to: 720 }]),
        lead_minutes: 60,
        timezone: 'Europe/London',
        joined_at: now,
        ends_at: new Date('2026-07-31T08:00:00Z'),
      })
      .execute()
    await app.db
      .insertInto('waitlist_offers')
      .values({
        id: offer,
        entry_id: entry,
        practitioner_id: id,
        kind: 'broadcast',
        starts_at: new Date('2026-06-12T10:00:00Z'),
        freed_at: now,
        round: 1,
        made_at: now,
      })
      .execute()
    return { entry, offer }
  }

  const call = (
    key: OwnedKey,
    sample: Request,
    token?: string,
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    const [method, path] = pathOf(key, sample.params)
    return app.call(method, path, { token, body: sample.body, ...(headers ? { headers } : {}) })
  }

  test('is listed here with every endpoint that names it', () => {
    const withOwner = all.filter(([, endpoint]) => endpoint.owner).map(([key]) => key)
    expect(withOwner.length).toBeGreaterThan(5)
    expect(owned.map(([key]) => key).toSorted()).toEqual(withOwner.toSorted())
    // A path or body that names an appointment or a card is about an account's object.
    const names = /session_id|appointment_id|customer_id/
    const forgotten = all.filter(
      ([key, { access, owner, body, token }]) =>
        // The chat's own tests walk through its calls as a caller who is no member; an admin owns nothing.
        !owner &&
        token !== 'chat' &&
        String(access) !== 'admin' &&
        (names.test(key) || names.test(body ? JSON.stringify(Object.keys(shapeOf(body))) : '')),
    )
    expect(forgotten.map(([key]) => key)).toEqual([])
  })

  test('is hidden from every other account, by every endpoint', async () => {
    for (const [key, sample] of owned)
      for (const appointment of Object.values(appointments)) {
        const signIn = isPractitioners(key) ? practitionerElsewhere : elsewhere
        const theirs = sample({ appointment, series, card, signIn, review, helpRequest, ...waiting })
        const before = await fingerprint(app.db)
        const requests: [theirs: Request, missing: Request][] = [
          [
            theirs,
            sample({
              appointment: nobody,
              series: nobody,
              card: nobody,
              signIn: nobody,
              review: '2147483647',
              helpRequest: nobody,
              entry: nobody,
              offer: nobody,
            }),
          ],
          // With the caller's own card, too: the appointment is still the owner's.
          ...(/\/(cards|login-sessions|reviews|requests|waitlist)\//.test(key)
            ? []
            : [
                pairOf(
                  sample({ appointment, series, card: othersCard, signIn, review, helpRequest, ...waiting }),
                  sample({
                    appointment: nobody,
                    series: nobody,
                    card: othersCard,
                    signIn,
                    review,
                    helpRequest,
                    ...waiting,
                  }),
                ),
              ]),
        ]
        for (const [request, missing] of requests) {
          const strangers = { client: other.token, therapist: otherTherapist }
          for (const role of sides.filter((side) => admits(key, side))) {
            const expected = await call(key, missing, strangers[role])
            expect([key, role, expected.status, expected.body.code]).toEqual([key, role, 404, 'not_found'])
            const answer = await call(key, request, strangers[role])
            expect([key, role, answer.status, answer.body]).toEqual([key, role, 404, expected.body])
          }
        }
        expect([key, (await call(key, theirs)).status]).toEqual([key, 401])
        const owners = { client: owner.token, therapist }
        for (const role of sides.filter((side) => !admits(key, side))) {
          expect([key, role, (await call(key, theirs, owners[role])).status]).toEqual([key, role, 403])
        }
        expect([key, (await call(key, theirs, admin)).status]).toEqual([key, 403])
        expect([key, await fingerprint(app.db)]).toEqual([key, before])
      }
  })

  test.each(owned)('is there for its owner: %s', async (key, sample) => {
    const owners = { client: owner.token, therapist }
    for (const role of sides.filter((side) => admits(key, side))) {
      const statuses: number[] = []
      for (const appointment of Object.values(appointments)) {
        const signIn = isPractitioners(key) ? practitionerElsewhere : elsewhere
        const mine = sample({ appointment, series, card, signIn, review, helpRequest, ...waiting })
        statuses.push((await call(key, mine, owners[role])).status)
      }
      expect(statuses.filter((status) => [401, 403].includes(status) || status >= 500)).toEqual([])
      expect([role, statuses[0]]).not.toEqual([role, 404])
    }
  })

  test('is not replayed to another client who sends the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the same for both' }
    const request = samples['POST /appointment/cancel-session']({
      ...appointments,
      appointment: appointments.confirmed,
      card,
      series,
      signIn: elsewhere,
      review,
      helpRequest,
      ...waiting,
    })
    const mine = await call('POST /appointment/cancel-session', request, owner.token, headers)
    expect(mine.status).toBe(200)
    const theirs = await call('POST /appointment/cancel-session', request, other.token, headers)
    expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found'])
  })

  test('is not paid with another client’s card', async () => {
    const before = await fingerprint(app.db)
    const answer = await call(
      'POST /payment/{provider}/existing-card-payment',
      { body: { session_id: appointments.held, customer_id: othersCard } },
      owner.token,
    )
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('is in no other client’s lists', async () => {
    for (const path of ['/appointment/get-upcoming-sessions', '/payment/sandbox/get-client-cards']) {
      const mine = await app.call('GET', path, { token: owner.token })
      const theirs = await app.call('GET', path, { token: other.token })
      expect(JSON.stringify(mine.body)).toContain(path.includes('card') ? card : appointments.confirmed)
      expect(JSON.stringify(theirs.body)).not.toContain(path.includes('card') ? card : appointments.confirmed)
    }
  })
})

describe('the routes below /api/v7', () => {
  test('are those of the contract, the description, and no others', async () => {
    const routes: string[] = []
    const listen = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', (route: RouteOptions) => {
        for (const method of [route.method].flat()) routes.push(`${method} ${route.url}`)
      })
    }
    subscribe('fastify.initialization', listen)
    try {
      app = await buildTestApp()
    } finally {
      unsubscribe('fastify.initialization', listen)
    }
    const expected = all.map(([key]) => {
      const { method, url } = routeOf(key)
      return `${method} /api/v7${url}`
    })
    const served = routes.filter((route) => route.includes('/api/') && !route.startsWith('HEAD '))
    // A link to a private file carries its own right to look.
    const beside = [
      'GET /api/v7/openapi.json',
      'GET /api/v7/files/:token',
      'GET /api/v7/identity/callback',
      'GET /api/v7/identity/start',
      // Google sends people back here; what the browser keeps says whose way it was.
      'GET /api/v7/therapist/google-calendar/callback',
      'GET /api/docs',
      'GET /api/docs/files/start.js',
      'GET /api/docs/files/*',
    ]
    expect(served.toSorted()).toEqual([...expected, ...beside].toSorted())
    // HEAD is GET without its body, with the same check of roles.
    const head = await fetch(`${app.origin}/api/v7/client/profile`, { method: 'HEAD' })
    expect(head.status).toBe(401)
  })
})

/** The fields of a body: of an object, or of all members of a union. */
function shapeOf(schema: unknown): Record<string, unknown> {
  const { shape, options } = schema as { shape?: Record<string, unknown>; options?: unknown[] }
  if (shape) return shape
  return Object.assign({}, ...(options ?? []).map(shapeOf))
}

function idOf({ body }: Answer): string {
  if (typeof body.session_id !== 'string') throw new Error('The answer has no session_id.')
  return body.session_id
}
