import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import type { Endpoint, Role } from '#contract/endpoint.ts'
import { type EndpointKey, endpoints } from '#contract/endpoints.ts'
import { ErrorAnswer } from '#contract/errors.ts'
import { weekNames } from '#contract/common.ts'
import { statusOf } from '#server/errors.ts'
import { seriesTerms } from '#server/modules/series/series.terms.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  password,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'

const all = Object.entries(endpoints) as [EndpointKey, Endpoint][]
const withBody = all.filter(([, endpoint]) => endpoint.body)
const withQuery = all.filter(([, endpoint]) => endpoint.query)
const withParams = all.filter(([, endpoint]) => endpoint.params)
const notReading = all.filter(([key]) => !key.startsWith('GET '))

// Thousands of requests: on a busy machine one of these takes more than the usual minute.
vi.setConfig({ testTimeout: 240_000 })

let app: TestApp
let tokens: Record<Role, string>
/** Tokens of the chat. */
let inChat: Partial<Record<Role, string>>
let signIn: Record<Role, () => Promise<string>>
/** What a field holds in a request that would be carried out, by the field's name. */
let sensible: Record<string, unknown>

beforeAll(async () => {
  app = await buildTestApp({ rateLimitScale: 1_000_000 })
  const client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const card = await saveCard(app, client)
  const appointment = await bookSession(app, {
    practitioner,
    client,
    card,
    startsAt: '2026-06-08T09:00:00Z',
  })
  const held = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: '2026-06-09T09:00:00Z',
    },
  })
  expect(held.status).toBe(201)
  // Named nowhere below: this session always stands in the way of deleting the account.
  await bookSession(app, {
    practitioner: await createPractitioner(app),
    client,
    card,
    startsAt: '2026-06-20T12:00:00Z',
  })
  signIn = {
    client: async () => (await signInAgain(app, client)).token,
    therapist: () => signInPractitioner(app, practitioner),
    admin: async () => (await createAdmin(app)).token,
  }
  tokens = { client: client.token, therapist: await signIn.therapist(), admin: await signIn.admin() }
  const chatter = await signInToChat(app, await signIn.client())
  inChat = { client: chatter.token, therapist: (await signInToChat(app, await signIn.therapist())).token }
  const dialog = await app.call('POST', '/chat/dialogs', {
    token: chatter.token,
    body: { practitioner_id: practitioner.id },
  })
  expect(dialog.status).toBe(200)
  const proposed = await app.call('POST', '/series', {
    token: client.token,
    body: { appointment_id: appointment },
  })
  expect(proposed.status).toBe(201)
  sensible = {
    // Another one: an admin's call may suspend them.
    id: (await createPractitioner(app)).id,
    practitioner_id: practitioner.id,
    practitioner_ids: [practitioner.id],
    service_id: 1,
    location_id: null,
    session_id: held.body.session_id,
    appointment_id: appointment,
    patient_id: null,
    customer_id: card,
    provider: 'sandbox',
    booking_type: 'schedule',
    appointment_type: 'online',
    type: 'online',
    datetime: '2026-06-10T09:00:00Z',
    fee: 60,
    fee_amount: 60,
    price: 60,
    appointment_datetime: '2026-06-11T09:00:00Z',
    purpose: 'subscription',
    name: 'Alex Morgan',
    email: client.email,
    password,
    password_confirmation: password,
    current_password: password,
    // A session stays ahead, so that nothing is deleted.
    understood: true,
    is_adult: true,
    accept_terms: true,
    health_consent: healthConsent.version,
    referral_code: client.referralCode,
    refresh_token: client.refreshToken,
    token: 'a'.repeat(43),
    reason: 'A reason.',
    card_number: '4242424242424242',
    expiry_month: 12,
    expiry_year: 2034,
    cvv_number: '123',
    // The week as it is.
    schedule: weekNames.map((week_name) => ({ week_name, online: everyHour, face_to_face: everyHour })),
    notice_minutes: 60,
    pause_minutes: 0,
    waitlist: 'open',
    windows: [{ weekdays: [1, 2], from: '09:00', to: '12:00' }],
    lead_minutes: 60,
    earliest: null,
    latest: null,
    swaps_appointment_id: null,
    replaces_appointment_id: null,
    replaces_starts_at: null,
    state: 'waiting',
    filters: { issue_id: '1' },
    // Far from the times above.
    first_day: '2027-01-04',
    last_day: '2027-01-05',
    from_time: '09:00',
    to_time: '12:30',
    available: true,
    chat_dialog_id: dialog.body._id,
    _id: '0a0a0a0a-0000-4000-8000-00000000000a',
    message: 'A few words.',
    up_to: 1,
    // Of the chat: never right, since one is good once.
    cc_username: chatter.id,
    cc_password: 'a'.repeat(43),
    // Of the second factor: never right.
    totp: '123 456',
    code: '123 456',
    // Ids that no record has.
    document_id: '00000000-0000-4000-8000-000000000000',
    payout_id: '00000000-0000-4000-8000-000000000000',
    licence_id: 2_147_483_647,
    expires_on: '2030-01-31',
    refunded_before: 0,
    owed_before: 0,
    reference: 'BACS 1234',
    reversal_reason: 'returned_by_bank',
    beyond_payable: false,
    despite_suspension: false,
    amount: 1,
    // Of a video order: nothing is ordered.
    dates: ['2026-06-10T09:00:00Z'],
    date: '2026-06-10T09:00:00Z',
    note: 'A few words.',
    version: 0,
    undo: 'proposal',
    issue_id: 1,
    preferred_practitioner_id: null,
    first_name: 'Alex',
    last_name: 'Morgan',
    language_list: [1, 2],
    license_list: [{ specialization_id: 5, license_id: 7, license_number: '123456' }],
    therapy_approach_list: [1],
    issue_list: [1],
    age_groups: ['Adults (18 to 64)'],
    insurance_company_list: [1],
    online: [{ service_id: 1, duration: 50, fee: 60 }],
    face_to_face: [{ service_id: 1, duration: 50, fee: 80 }],
    room: 'own',
    meeting_link: 'https://rooms.example.test/priya',
    location_list: [],
    gender: 'Female',
    pronouns: 'she/her',
    date_of_birth: '1980-05-06',
    phone_code: '+44',
    phone_number: '7400123456',
    video_choice: 3,
    video_url_link: null,
    video_transcript: null,
    has_insurance: false,
    insurance_expires: null,
    works_with_insurance: false,
    title_id: 1,
    dob: '1980-05-06',
    timezone_id: 1,
    about: 'A few words.',
    bio: 'A few words.',
    short_description: 'A few words.',
    years_of_experience: 12,
    seen: { notice_minutes: 60, pause_minutes: 0 },
    until: null,
    // Of Google: never right.
    credential: 'a'.repeat(100),
    unread_mail: true,
    session_reminders: true,
    endpoint: 'https://push.example.test/subscription',
    former: { endpoint: 'https://push.example.test/former', auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
    remember: true,
    charges_due: true,
    stay_signed_in: false,
    payment_method_id: '00000000-0000-4000-8000-000000000000',
    past_due_only: true,
    month: '2026-05',
    timezone: 'Europe/London',
    client_category_id: null,
    message_ids: [],
    rating: 5,
    comment: 'A few words.',
    reply: 'A few words.',
    therapy_category_id: 1,
    question_answer_array: [1],
    cause: 'other',
    sessions: 'freeze',
    decision: 'noted',
    q: 'A woman for anxiety, under £60.',
    series_id: String(proposed.body.data?.series_id),
    on_date: '2026-06-16',
    weekday: 2,
    start: '10:00',
    every_weeks: 1,
    first_on: '2026-06-16',
    terms_version: seriesTerms.version,
    starts_at: '2026-06-17T09:00:00Z',
    from: '2026-07-06',
    to: '2026-07-12',
    accept: true,
    at_once: false,
    last_session_at: '2026-06-16T09:00:00Z',
    hold_only: true,
    proposal_only: true,
    shown: {
      fee: 70,
      from_date: '2026-07-07',
      first_on: '2026-07-07',
      every_weeks: 1,
      duration_minutes: 50,
      service_id: 1,
      appointment_type: 'online',
      location_id: null,
      edited_at: null,
      open_reports: 1,
      full_name: 'Priya Patel',
      starts_at: '2026-06-17T09:00:00Z',
      expires_on: null,
    },
    shown_sessions: 2,
    only: [{ appointment_id: '00000000-0000-4000-8000-000000000000', starts_at: '2026-06-17T09:00:00Z' }],
    status_since: '2026-06-01T08:00:00Z',
    series_rule: 'open',
    peer_id: '00000000-0000-4000-8000-000000000001',
    take: true,
  }
})
const everyHour = Array.from({ length: 14 }, (_, index) => ({
  timeslot: `${index + 8}:00`,
  location_id: null,
}))

afterAll(async () => {
  vi.resetConfig()
  await app.close()
})

// Requests --------------------------------------------------------------------------------------------------------

type Sent = {
  params?: Record<string, string>
  query?: string
  raw?: string
  headers?: Record<string, string>
}

function targetOf(key: EndpointKey, { params = {}, query }: Sent): { method: string; path: string } {
  const [method = '', path = ''] = key.split(' ')
  const endpoint: Endpoint = endpoints[key]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] !== undefined) return params[name]
    // Ids are numbers of practitioners, or those of sessions.
    const isNumber = endpoint.params?.safeParse({ ...sensible, provider: 'sandbox' }).success ?? true
    return String(name === 'id' && !isNumber ? sensible.session_id : sensible[name])
  })
  return { method, path: query ? `${filled}?${query}` : filled }
}

async function tokenFor(key: EndpointKey, { access, token }: Endpoint): Promise<string | undefined> {
  if (access === 'anyone') return undefined
  const role = access[0] ?? 'client'
  if (token === 'chat') return inChat[role]
  // Carried out, it would end the sign-in of everything that follows.
  if (/\/logout(-everywhere)?$/.test(key)) tokens[role] = await signIn[role]()
  return tokens[role]
}

type Verdict = { refused: boolean; complaints: string[] }

/** How a request was answered, and what is wrong with that. */
async function judge(
  key: EndpointKey,
  endpoint: Endpoint,
  sent: Sent,
  note: string,
  token: string | undefined,
): Promise<Verdict> {
  const { method, path } = targetOf(key, sent)
  const answer = await app.call(method, path, {
    token,
    ...(sent.raw === undefined ? {} : { raw: sent.raw }),
    ...(sent.headers ? { headers: sent.headers } : {}),
  })
  const refused = answer.status >= 400
  const complain = (what?: string): Verdict => ({
    refused,
    complaints: what ? [`${key} with ${note}: ${answer.status} ${what}`] : [],
  })
  if (answer.status < 300) {
    if (isHopeless(endpoint, sent)) return complain('although it cannot be read')
    // A file has no shape.
    if (answer.headers.has('content-disposition')) return complain()
    return complain(
      endpoint.answer.safeParse(answer.body).success ? undefined : 'and an answer of another shape',
    )
  }
  const error = ErrorAnswer.safeParse(answer.body)
  if (!error.success) return complain('and not the shape of an error')
  const { code, errors } = error.data
  if (answer.status >= 500 || !refused) return complain(code)
  if (statusOf[code] !== answer.status) return complain(`which is not the status of ${code}`)
  if (code === 'validation_failed' && !errors) return complain('and names no field')
  const foreign = Object.values(errors ?? {})
    .flat()
    .filter(isValidatorsEnglish)
  return complain(foreign.length > 0 ? `and words that are not for people: ${foreign.join(', ')}` : undefined)
}

/** Whether a field's error is the validator's own, or does not begin as a sentence does. */
function isValidatorsEnglish(message: string): boolean {
  return (
    /\b(expected|received|Invalid|Unrecognized key|Too (small|big))\b/.test(message) ||
    !/^\p{Lu}/u.test(message)
  )
}

/** As `judge`, and that a refused request has written nothing. */
async function judgeAlone(key: EndpointKey, endpoint: Endpoint, sent: Sent, note: string): Promise<string[]> {
  const token = await tokenFor(key, endpoint)
  const before = await fingerprint(app.db)
  const { refused, complaints } = await judge(key, endpoint, sent, note, token)
  if (!refused) return complaints
  return [...complaints, ...written(before, await fingerprint(app.db), `${key} with ${note}`)]
}

/** Whether a body can never be carried out: it is no JSON, or not what the schema takes. */
function isHopeless(endpoint: Endpoint, { raw, headers }: Sent): boolean {
  if (raw === undefined) return false
  if (headers?.['content-type']) return true
  try {
    return endpoint.body?.safeParse(JSON.parse(raw)).success === false
  } catch {
    return true
  }
}

function written(before: Record<string, string>, after: Record<string, string>, by: string): string[] {
  const tables = Object.keys(after).filter((table) => after[table] !== before[table])
  return tables.length > 0 ? [`${by} wrote to ${tables.join(', ')}`] : []
}

// What a schema takes -----------------------------------------------------------------------------------------------

type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}

/** The fields that a body or query takes, by its schema; those of every alternative of a union. */
function fieldsOf(schema: z.ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const objects = [described, ...(described.anyOf ?? [])]
  return [...new Set(objects.flatMap((each) => Object.keys(each.properties ?? {})))]
}

function requiredOf(schema: z.ZodType): string[] {
  return (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).required ?? []
}

/** A body that would be carried out. */
function bodyOf(endpoint: Endpoint): Record<string, unknown> {
  if (!endpoint.body) return {}
  const entries = fieldsOf(endpoint.body)
    .filter((field) => field in sensible)
    .map((field) => [field, field === 'dates' && isOfSeries(endpoint) ? [] : sensible[field]])
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** Whether a call is about the dates of a series, which are other dates than those of a video order. */
const isOfSeries = ({ params }: Endpoint) => params !== undefined && fieldsOf(params).includes('series_id')

/** A body's JSON in which one field is given as it stands. */
function rawWith(body: Record<string, unknown>, field: string, raw: string): string {
  const others = Object.entries(body).filter(([name, value]) => name !== field && value !== undefined)
  return `{${[...others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`), `${JSON.stringify(field)}:${raw}`].join(',')}}`
}

/** JSON texts that no field expects, or hardly any. */
const hostileJson: Record<string, string> = {
  null: 'null',
  true: 'true',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '1.5',
  'a number beyond int': '2147483648',
  'a number beyond 2^53': '9007199254740993',
  'a number beyond double': '1e400',
  'a tiny number': '1e-300',
  'the text NaN': '"NaN"',
  'the text Infinity': '"-Infinity"',
  'empty text': '""',
  'white space': '" \\t\\n"',
  'a NUL': '"\\u0000"',
  'a NUL within': '"a\\u0000b"',
  'half a surrogate pair': '"\\ud800"',
  'the other half': '"a\\udfffb"',
  'a huge text': JSON.stringify('x'.repeat(100_000)),
  'huge digits': JSON.stringify('9'.repeat(100_000)),
  'an empty array': '[]',
  'an array': '[1,"a"]',
  'an empty object': '{}',
  'an operator': '{"$ne":null}',
  'deep nesting': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  SQL: '"\'; drop table accounts; --"',
  'an id that nobody has': '"00000000-0000-4000-8000-000000000000"',
  'a number that nobody has': '2147483647',
  'the end of time': '"9999-12-31T23:59:59.999Z"',
  'the beginning of time': '"0000-01-01T00:00:00+23:59"',
  'a day that does not exist': '"2026-02-30T10:00:00Z"',
  'a very exact time': `"2026-06-10T09:00:00.${'9'.repeat(2000)}Z"`,
}

const hostileText: Record<string, string> = {
  empty: '',
  space: '%20',
  zero: '0',
  negative: '-1',
  fraction: '1.5',
  word: 'abc',
  NaN: 'NaN',
  Infinity: 'Infinity',
  exponent: '1e99',
  hex: '0x7f',
  'beyond int': '2147483648',
  'beyond 2^53': '99999999999999999999',
  NUL: '%00',
  'broken UTF-8': '%ED%A0%80',
  'broken escape': '%E0%A4%A',
  slash: '..%2F..%2Fetc%2Fpasswd',
  quote: "'%20or%201%3D1--",
  'many ids': Array.from({ length: 300 }, (_, index) => index + 1).join(','),
  'the end of time': '9999-12-31',
  'the beginning of time': '0000-01-01',
  'a time long ago': '0000-01-01T00:00:00Z',
  'the last time': '9999-12-31T23:59:59%2B00:00',
  'the first time': '0000-01-01T00:00:00%2B23:59',
  zone: 'Etc/GMT%2B14',
}

// Tests -----------------------------------------------------------------------------------------------------------

async function collect(
  list: readonly [EndpointKey, Endpoint][],
  requests: (key: EndpointKey, endpoint: Endpoint) => Iterable<[note: string, sent: Sent]>,
): Promise<{ sent: number; complaints: string[] }> {
  const complaints: string[] = []
  let sent = 0
  for (const [key, endpoint] of list) {
    const all = [...requests(key, endpoint)]
    sent += all.length
    // What only reads or cannot be read may be sent in a row: none of it may write. The rest is looked at one by one.
    const inARow = all.filter(([, what]) => key.startsWith('GET ') || isHopeless(endpoint, what))
    const token = await tokenFor(key, endpoint)
    const before = await fingerprint(app.db)
    for (const [note, what] of inARow) {
      complaints.push(...(await judge(key, endpoint, what, note, token)).complaints)
    }
    complaints.push(...written(before, await fingerprint(app.db), `One of ${inARow.length} to ${key}`))
    for (const request of all.filter((each) => !inARow.includes(each))) {
      complaints.push(...(await judgeAlone(key, endpoint, request[1], request[0])))
    }
  }
  return { sent, complaints }
}

test('every field of a path or a body has a good value', () => {
  const missing = all.flatMap(([key, { params, body }]) =>
    [params, body]
      .flatMap((schema) => (schema ? fieldsOf(schema) : []))
      .filter((field) => !(field in sensible))
      .map((field) => `${field} of ${key}`),
  )
  expect(missing).toEqual([])
})

test('a body of good values fits the contract', () => {
  const wrong = withBody.flatMap(([key, endpoint]) => {
    const { error } = endpoint.body?.safeParse(bodyOf(endpoint)) ?? {}
    return error ? [`${key}: ${z.prettifyError(error)}`] : []
  })
  expect(wrong).toEqual([])
})

describe('malformed input to an endpoint', () => {
  test('a body that is not JSON, or not an object, or too large, is refused and nothing is written', async () => {
    const { sent, complaints } = await collect(notReading, function* (_key, endpoint) {
      const json = JSON.stringify(bodyOf(endpoint))
      for (const raw of [
        '{',
        '{"a":',
        'nonsense',
        '{"a":1}}',
        '\u0000',
        '{"__proto__":{"role":"admin"}}',
        "{'a':1}",
      ]) {
        yield [`the body ${raw}`, { raw }]
      }
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        'json',
        'image/png',
      ]) {
        yield [`the content type ${type}`, { raw: json, headers: { 'content-type': type } }]
      }
      yield ['an empty body', { raw: '' }]
      yield ['300 kB', { raw: JSON.stringify({ a: 'x'.repeat(300_000) }) }]
      if (!endpoint.body) return
      for (const raw of ['[]', `[${json}]`, 'null', '1', '"text"', 'true', '{}'])
        yield [`the body ${raw}`, { raw }]
    })
    expect(complaints).toEqual([])
    expect(sent).toBeGreaterThan(300)
  })

  test('such a body is never carried out', async () => {
    const carriedOut: string[] = []
    for (const [key, endpoint] of notReading) {
      const { method, path } = targetOf(key, {})
      const expected: [number, { raw: string; headers?: Record<string, string> }][] = [
        [400, { raw: '{' }],
        [415, { raw: '{}', headers: { 'content-type': 'text/plain' } }],
        // A file may be that large, but no JSON is one.
        [endpoint.upload ? 415 : 413, { raw: JSON.stringify({ a: 'x'.repeat(300_000) }) }],
        ...(endpoint.body ? [[422, { raw: '[]' }] as [number, { raw: string }]] : []),
      ]
      for (const [status, sent] of expected) {
        const token = await tokenFor(key, endpoint)
        const answer = await app.call(method, path, { token, ...sent })
        if (answer.status !== status) carriedOut.push(`${key}: ${answer.status} instead of ${status}`)
      }
    }
    expect(carriedOut).toEqual([])
  })

  test('a field of any wrong kind is refused, or harmless', async () => {
    const { sent, complaints } = await collect(withBody, function* (_key, endpoint) {
      const body = bodyOf(endpoint)
      if (!endpoint.body) return
      for (const field of fieldsOf(endpoint.body)) {
        for (const [kind, raw] of Object.entries(hostileJson)) {
          yield [`${kind} as ${field}`, { raw: rawWith(body, field, raw) }]
        }
        yield [`no ${field}`, { raw: JSON.stringify({ ...body, [field]: undefined }) }]
      }
    })
    expect(complaints).toEqual([])
    expect(sent).toBeGreaterThan(1000)
  })

  test('a query of any wrong kind is refused, or harmless', async () => {
    // A search by time writes the free time that is out of date, also when nothing else is asked.
    await app.services.search.refresh()
    const { sent, complaints } = await collect(withQuery, function* (_key, endpoint) {
      if (!endpoint.query) return
      const others = requiredOf(endpoint.query)
      for (const field of fieldsOf(endpoint.query)) {
        const rest = others
          .filter((name) => name !== field)
          .map((name) => `&${name}=${encodeURIComponent(String(sensible[name]))}`)
          .join('')
        for (const [kind, text] of Object.entries(hostileText))
          yield [`${field}=${kind}`, { query: `${field}=${text}${rest}` }]
        yield [`${field} twice`, { query: `${field}=1&${field}=2${rest}` }]
        yield [`${field} as an array`, { query: `${field}[]=1&${field}[a]=2${rest}` }]
        yield [`10 kB as ${field}`, { query: `${field}=${'7'.repeat(10_000)}${rest}` }]
      }
      yield ['unknown names', { query: 'role=admin&__proto__=1&constructor=2&toString=3&=4&&&' }]
      yield ['a broken query', { query: '%E0%A4%A=%&a=%zz' }]
    })
    expect(complaints).toEqual([])
    expect(sent).toBeGreaterThan(400)
  })

  test('a path with any wrong id is refused', async () => {
    const { sent, complaints } = await collect(withParams, function* (key, endpoint) {
      const body = endpoint.body ? { raw: JSON.stringify(bodyOf(endpoint)) } : {}
      for (const [, name = ''] of key.matchAll(/\{(\w+)\}/g)) {
        for (const [kind, text] of Object.entries(hostileText)) {
          if (text === '') continue
          yield [`${kind} as {${name}}`, { params: { [name]: text }, ...body }]
        }
        yield [`10 kB as {${name}}`, { params: { [name]: '1'.repeat(10_000) }, ...body }]
      }
    })
    expect(complaints).toEqual([])
    expect(sent).toBeGreaterThan(200)
  })

  test('page, per_page and dates out of range are 422 with the field’s name', async () => {
    for (const query of [
      'page=-1',
      'page=abc',
      'page=0',
      'per_page=51',
      'date_from=2026-02-30',
      'sort=random',
    ]) {
      const answer = await app.call('GET', `/practitioner/get-practitioners?${query}`)
      expect([query, answer.status]).toEqual([query, 422])
      expect(Object.keys(answer.body.errors ?? {})).toEqual([query.split('=')[0]])
    }
  })

  test('random JSON in the place of a body or a field never brings it down', async () => {
    const complaints: string[] = []
    for (const [key, endpoint] of withBody) {
      if (!endpoint.body) continue
      const fields = fieldsOf(endpoint.body)
      const body = bodyOf(endpoint)
      const wild = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.maxSafeInteger())
      const bodies = fc.oneof(
        { weight: 1, arbitrary: fc.jsonValue() },
        {
          weight: 4,
          arbitrary: fc
            .subarray(fields, { minLength: 1 })
            .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field, wild]))))
            .map((changed) => ({ ...body, ...changed })),
        },
      )
      await fc.assert(
        fc.asyncProperty(bodies, async (sent) => {
          const raw = JSON.stringify(sent) ?? 'null'
          const found = await judgeAlone(key, endpoint, { raw }, raw.slice(0, 300))
          complaints.push(...found)
          return found.length === 0
        }),
        { numRuns: 12, seed: 20_261_121, endOnFailure: true },
      )
    }
    expect(complaints).toEqual([])
  })
})

describe('fields that an endpoint does not take', () => {
  const extra = {
    status: 'confirmed',
    state: 'approved',
    fee_pence: 1,
    full_fee: 0.01,
    discount_pence: 5999,
    discount: 59,
    role: 'admin',
    account_id: '00000000-0000-4000-8000-000000000000',
    client_id: '00000000-0000-4000-8000-000000000000',
    email_verified: true,
    email_verified_at: '2020-01-01T00:00:00Z',
    hold_expires_at: '2099-01-01T00:00:00Z',
    first_booked_at: '2099-01-01T00:00:00Z',
    constructor: { prototype: { role: 'admin' } },
  }

  test('change no answer', async () => {
    const { complaints } = await collect(withBody, function* (_key, endpoint) {
      yield ['extra fields', { raw: JSON.stringify({ ...bodyOf(endpoint), ...extra }) }]
      yield ['extra fields alone', { raw: JSON.stringify(extra) }]
    })
    expect(complaints).toEqual([])
  })

  test('make no client an admin and no address confirmed', async () => {
    const { constructor: _, ...fields } = extra
    const client = await createClient(app, fields)
    const account = await app.db
      .selectFrom('accounts')
      .select(['role', 'email_verified_at'])
      .where('id', '=', client.id)
      .executeTakeFirstOrThrow()
    expect(account).toEqual({ role: 'client', email_verified_at: null })
    expect((await app.call('GET', '/admin/audit', { token: client.token })).status).toBe(403)
  })

  test('make no session cheaper, confirmed or held for longer', async () => {
    const { constructor: _, ...fields } = extra
    const client = await createClient(app)
    const answer = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: (await createPractitioner(app)).id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-15T09:00:00Z',
        ...fields,
      },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      status: 'pending',
      fee: 60,
      full_fee: 60,
      discount: 0,
      patient_id: client.id,
      hold_expires_at: '2026-06-01T08:10:00.000Z',
    })
  })
})

describe('requests that no endpoint is for', () => {
  test.each([
    '/api/v7',
    '/api/v7/',
    '/api/v7/nothing-here',
    '/api/v8/client/profile',
    '/api/v7/client/register/extra',
    '/api/v7//client/profile',
    '/api/v7/client/%2e%2e/profile',
    '/api/v7/constructor',
    '/api/v7/__proto__',
  ])('%s is a 404 in the shape of an error', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await rawRequest(method, path)
      expect([method, answer.status, ErrorAnswer.parse(answer.body).code]).toEqual([method, 404, 'not_found'])
    }
  })

  test('another method than the endpoint’s own is a 404 and changes nothing', async () => {
    const before = await fingerprint(app.db)
    for (const [key] of all) {
      const { method: own, path } = targetOf(key, {})
      for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE']) {
        if (method === own || key.replace(own, method) in endpoints) continue
        const answer = await rawRequest(method, `/api/v7${path}`)
        expect([key, method, answer.status]).toEqual([key, method, 404])
        ErrorAnswer.parse(answer.body)
      }
    }
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('a target that is a whole address is read as its path, and one that is none is a 404', async () => {
    const { status, body } = await rawRequest('GET', `${app.origin}/api/v7/practitioner/get-practitioners`)
    expect([status, (body as { data?: unknown[] }).data?.length]).toEqual([200, 3])
    for (const [method, target] of [
      ['GET', 'http://host/'],
      ['GET', 'http://host'],
      ['GET', 'https://user@host:1?x'],
      ['GET', '*'],
      ['OPTIONS', '*'],
      ['POST', '*'],
    ] as const) {
      const answer = await rawRequest(method, target)
      expect([method, target, answer.status]).toEqual([method, target, 404])
      expect(ErrorAnswer.parse(answer.body).code).toBe('not_found')
    }
  })

  test('what is not HTTP, or too long for it, is a 4xx in the shape of an error', async () => {
    const broken = await rawRequest('GET', '/api/v7/%')
    expect(broken.status).toBe(400)
    ErrorAnswer.parse(broken.body)
    const unknown = await rawRequest('FETCH', '/api/v7/client/profile')
    expect(unknown.status).toBe(400)
    ErrorAnswer.parse(unknown.body)
    const long = await rawRequest('GET', '/api/v7/client/profile', { 'x-long': 'x'.repeat(20_000) })
    expect(long.status).toBe(431)
    ErrorAnswer.parse(long.body)
  })

  test.each(['', 'x'.repeat(201)])('an Idempotency-Key that is none is refused (%#)', async (key) => {
    const before = await fingerprint(app.db)
    const answer = await app.call('POST', '/appointment/create-session', {
      token: tokens.client,
      headers: { 'idempotency-key': key },
      body: {
        practitioner_id: sensible.practitioner_id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
      },
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_request'])
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

/** A request as it stands: `fetch` mends paths and refuses methods. */
function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(app.origin)
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, body: text ? JSON.parse(text) : null })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
