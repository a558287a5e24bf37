import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint, Role } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { ErrorAnswer } from '#contract/errors.ts'
import { minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'
import { clusterDatabase } from './cluster-database.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  saveCard,
  saveTherapistCard,
  signInPractitioner,
  signInToChat,
} from './factories.ts'
import { createRequests, randomOf, type Sent } from './fuzz-requests.ts'

/*
 * Requests made from the contract's schemas: valid, at their bounds and hostile, some of them several times at once, by
 * every role. None may be answered 5xx, and none may store what cannot be read afterwards.
 */

const total = process.env.ENDURANCE === 'full' ? 10_000 : 300
const seed = Number(process.env.FUZZ_SEED ?? 1606)

type Cast = Record<Role | 'visitor' | 'client in chat' | 'therapist in chat', string | undefined>

let app: TestApp
let casts: Cast[] = []
const sensible: Record<string, unknown[]> = {
  service_id: [1],
  provider: ['sandbox'],
  booking_type: ['schedule', 'get-help-right-now'],
  appointment_type: ['online', 'face_to_face'],
  type: ['online', 'face_to_face'],
  datetime: ['2026-06-10T09:00:00Z', '2026-06-11T10:00:00Z', '2026-06-12T09:00:00Z'],
  appointment_datetime: ['2026-06-16T09:00:00Z', '2026-06-17T10:00:00Z'],
  password: [password],
  password_confirmation: [password],
  current_password: [password, password, 'not the right one'],
  card_number: ['4242424242424242', '4000000000000002', '4000002500003155'],
  expiry_month: [12],
  expiry_year: [2034],
  cvv_number: ['123'],
  first_day: ['2026-06-20', '2026-07-01'],
  last_day: ['2026-07-02'],
  from_time: ['09:00'],
  to_time: ['17:30'],
  issue_id: [1, 2],
  week_name: ['Mon'],
  understood: [true],
  accept_terms: [true],
  is_adult: [true],
  meeting_link: ['https://rooms.example.test/fuzz'],
  room: ['hearth', 'own'],
}

beforeAll(async () => {
  app = await buildTestApp({
    database: (await clusterDatabase(20)).database,
    rateLimitScale: 1_000_000,
  })
})
afterAll(() => app.close())

test(`${total} requests made from the contract (seed ${seed}) fail nowhere and leave nothing unreadable`, async () => {
  const random = randomOf(seed)
  const requests = createRequests(random, sensible)
  const complaints: string[] = []
  const seen = new Map<number, number>()
  const covered = new Set<string>()

  /** Sends a request and keeps what is wrong with how it was answered. */
  const send = async (sent: Sent, who: keyof Cast, token: string | undefined) => {
    const { status, body, note } = await answerTo(sent, token)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    if (status < 300) covered.add(sent.key)
    if (status < 300) requests.learn(sent.key, body)
    const error = status < 400 ? undefined : ErrorAnswer.safeParse(body)
    const isAsDescribed = !error || (error.success && (status === 422 || !error.data.errors))
    if (status < 500 && isAsDescribed && !note) return
    const words = `${sent.method} ${sent.path} ${sent.raw ?? ''}`.slice(0, 300)
    complaints.push(`${who}: ${words} → ${status} ${note ?? JSON.stringify(body).slice(0, 200)}`)
  }

  for (let count = 0, round = 0; count < total && complaints.length < 20; round++) {
    // Some of them are signed out, suspended or deleted by what they send.
    if (round % 150 === 0) casts = [...casts.slice(-3), await newCast(requests.learn)]
    if (round % 40 === 0) app.clock.advance(minutes(0.2))
    const sent = requests.next()
    const who = roleFor(endpoints[sent.key], random)
    const token = random.pick(casts.slice(-2))[who]
    const times = sent.method !== 'GET' && random.chance(0.2) ? 3 + random.below(6) : 1
    await Promise.all(Array.from({ length: times }, () => send(sent, who, token)))
    count += times
  }

  // Every caller can read their stored data afterwards.
  for (const cast of casts) {
    for (const sent of requests.reads()) {
      const who = roleFor(endpoints[sent.key])
      await send(sent, who, cast[who])
    }
  }
  await app.queue.drain()
  const inLog = app
    .logged()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  expect([...complaints, ...inLog.slice(0, 5)]).toEqual([])
  // Most calls were carried out at least once; otherwise this test would look at refusals alone.
  if (total >= 10_000) expect(covered.size).toBeGreaterThan(Object.keys(endpoints).length * 0.5)
  expect(seen.get(200) ?? 0).toBeGreaterThan(total / 20)
}, 1_200_000)

/** Picks the caller: mostly a role that the endpoint allows, now and then a random one. */
function roleFor({ access, token }: Endpoint, random?: ReturnType<typeof randomOf>): keyof Cast {
  if (random?.chance(0.1)) return random.pick(['visitor', 'client', 'therapist', 'admin'] as const)
  const able = access === 'anyone' ? (['visitor', 'client'] as const) : access
  const role = random ? random.pick<keyof Cast>(able) : (able[0] ?? 'visitor')
  return token === 'chat' ? (role === 'therapist' ? 'therapist in chat' : 'client in chat') : role
}

/** New people with a session, a card, a chat and help asked for, known to the requests that follow. */
async function newCast(learn: (key: 'GET /client/profile/show', known: unknown) => void): Promise<Cast> {
  const client = await createClient(app)
  const practitioner = await createPractitioner(app, { timezone: 'Europe/London' })
  const therapist = await signInPractitioner(app, practitioner)
  const admin = (await createAdmin(app)).token
  const card = await saveCard(app, client)
  await saveTherapistCard(app, therapist)
  const day = 8 + (casts.length % 20)
  const appointment = await bookSession(app, {
    practitioner,
    client,
    card,
    startsAt: new Date(app.clock.now().getTime() + day * 86_400_000)
      .toISOString()
      .slice(0, 10)
      .concat('T11:00:00Z'),
  })
  const inChat = await signInToChat(app, client.token)
  const dialog = await app.call('POST', '/chat/dialogs', {
    token: inChat.token,
    body: { practitioner_id: practitioner.id },
  })
  learn('GET /client/profile/show', {
    practitioner_id: practitioner.id,
    preferred_practitioner_id: practitioner.id,
    id: practitioner.id,
    appointment_id: appointment,
    session_id: appointment,
    customer_id: card,
    chat_dialog_id: dialog.body._id,
    location_id: practitioner.locationId,
    referral_code: client.referralCode,
    email: client.email,
  })
  return {
    visitor: undefined,
    client: client.token,
    therapist,
    admin,
    'client in chat': inChat.token,
    'therapist in chat': (await signInToChat(app, therapist)).token,
  }
}

async function answerTo(
  { method, path, raw, file, headers, key }: Sent,
  token: string | undefined,
): Promise<{ status: number; body: unknown; note?: string }> {
  const endpoint: Endpoint = endpoints[key]
  const form = new FormData()
  if (file) {
    form.set('expires_on', '2030-01-31')
    form.set(endpoint.upload?.field ?? 'file', new Blob([new Uint8Array(file)]), 'file.pdf')
  }
  try {
    const response = await fetch(`${app.origin}/api/v7${path}`, {
      method,
      headers: {
        ...headers,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(file ? { body: form } : raw === undefined ? {} : { body: raw }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text }
  } catch (error) {
    return { status: 0, body: undefined, note: `no answer: ${String(error)}` }
  }
}
