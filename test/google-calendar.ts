// The part of Google's OAuth and Calendar API that the product uses, in a process of its own: `node test/google-calendar.ts
// REDIRECT_URI`. It says its origin on the first line. Like Google's it refuses parameters that it does not know, keeps the
// ids of deleted entries, and compares etags. `/control` looks into it and makes it fail.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

type Event = { etag: string; status: string; sequence: number; [field: string]: unknown }
type Calendar = { owner: string; summary: string; events: Map<string, Event> }
type Account = { sub: string; email: string; busy: { start: string; end: string }[] }
/** What the next calls whose `METHOD path` matches are answered with; `late`: carried out, and then not answered. */
type Trouble = { match: string; status?: number; reason?: string; late?: boolean; times: number }

const [redirectUri = '', port = '0'] = process.argv.slice(2)
const client = { id: 'calendar-client', secret: 'calendar-secret' }
const wanted = [
  'openid',
  'email',
  'https://www.googleapis.com/auth/calendar.app.created',
  'https://www.googleapis.com/auth/calendar.freebusy',
]

const accounts = new Map<string, Account>()
const codes = new Map<string, { account: string; challenge: string; scope: string }>()
const grants = new Map<string, { account: string; scope: string }>()
const accesses = new Map<string, { grant: string }>()
const calendars = new Map<string, Calendar>()
/** What was asked, without secrets: method, path and body. */
let asked: { method: string; path: string; body: unknown }[] = []
let troubles: Trouble[] = []
let isDeletedLocked = false

class Refused extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(String(status))
    this.status = status
    this.body = body
  }
}
const refuse = (status: number, reason: string) =>
  new Refused(status, {
    error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] },
  })
const refuseToken = (error: string) => new Refused(400, { error, error_description: error })
const secret = () => randomBytes(24).toString('base64url')

function accountOf(email: string): Account {
  const known = accounts.get(email)
  if (known) return known
  const made = { sub: createHash('sha256').update(email).digest('hex').slice(0, 21), email, busy: [] }
  accounts.set(email, made)
  return made
}

/** Throws for fields that are not among those known, as the real one does. */
function only(fields: Record<string, unknown>, ...known: string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) throw refuse(400, `invalid: unknown name ${unknown}`)
}

// Consent -------------------------------------------------------------------------------------------------------------

function consentPage(query: URLSearchParams): string {
  const values = Object.fromEntries(query)
  only(
    values,
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'access_type',
    'prompt',
  )
  const isRight =
    values.client_id === client.id &&
    values.redirect_uri === redirectUri &&
    values.response_type === 'code' &&
    values.access_type === 'offline' &&
    values.code_challenge_method === 'S256' &&
    /^[\w-]{43}$/.test(values.code_challenge ?? '') &&
    (values.scope ?? '').split(' ').every((scope) => wanted.includes(scope))
  if (!isRight) throw refuse(400, 'invalid_request')
  const hidden = ['state', 'code_challenge', 'scope']
    .map((name) => `<input type="hidden" name="${name}" value="${values[name]?.replaceAll('"', '&quot;')}">`)
    .join('')
  return `<!doctype html><html lang="en"><title>Consent</title><h1>A stand-in for Google</h1>
    <form action="/consent">${hidden}<label>Account <input name="email" value="sam.hale@example.test"></label>
    <button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></form></html>`
}

/** What the form sends on to: the product, with a code. `without` leaves a scope out, as people may. */
function consent(query: URLSearchParams): string {
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  if (query.get('answer') === 'deny') {
    back.searchParams.set('error', 'access_denied')
    return back.href
  }
  const code = secret()
  const scope = (query.get('scope') ?? '')
    .split(' ')
    .filter((each) => each !== query.get('without'))
    .join(' ')
  const { email } = accountOf(query.get('email') ?? 'sam.hale@example.test')
  codes.set(code, { account: email, challenge: query.get('code_challenge') ?? '', scope })
  back.searchParams.set('code', code)
  back.searchParams.set('scope', scope)
  return back.href
}

function token(fields: Record<string, string>): unknown {
  if (fields.client_id !== client.id || fields.client_secret !== client.secret) {
    throw new Refused(401, { error: 'invalid_client' })
  }
  if (fields.grant_type === 'refresh_token') {
    only(fields, 'grant_type', 'refresh_token', 'client_id', 'client_secret')
    const grant = grants.get(fields.refresh_token ?? '')
    if (!grant) throw refuseToken('invalid_grant')
    return issued(fields.refresh_token ?? '', grant.scope)
  }
  only(fields, 'grant_type', 'code', 'code_verifier', 'redirect_uri', 'client_id', 'client_secret')
  const code = codes.get(fields.code ?? '')
  codes.delete(fields.code ?? '')
  const challenge = createHash('sha256')
    .update(fields.code_verifier ?? '')
    .digest('base64url')
  if (!code || code.challenge !== challenge || fields.redirect_uri !== redirectUri)
    throw refuseToken('invalid_grant')
  const refresh = secret()
  grants.set(refresh, { account: code.account, scope: code.scope })
  const account = accountOf(code.account)
  const claims = {
    iss: origin,
    aud: client.id,
    sub: account.sub,
    email: account.email,
    email_verified: true,
    exp: 4_000_000_000,
    iat: 1,
  }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    ...issued(refresh, code.scope),
    refresh_token: refresh,
    id_token: `${encode({ alg: 'RS256' })}.${encode(claims)}.c2lnbmVk`,
  }
}

function issued(grant: string, scope: string) {
  const access = secret()
  accesses.set(access, { grant })
  return { access_token: access, expires_in: 3599, token_type: 'Bearer', scope }
}

// Calendars -----------------------------------------------------------------------------------------------------------

const eventFields = [
  'id',
  'summary',
  'description',
  'location',
  'start',
  'end',
  'visibility',
  'transparency',
  'status',
]

function written(fields: Record<string, unknown>, id: string, before?: Event): Event {
  only(fields, ...eventFields)
  const instant = (value: unknown) => {
    const { dateTime, ...rest } = value as { dateTime?: string; timeZone?: string }
    only(rest, 'timeZone')
    return Date.parse(dateTime ?? '')
  }
  const [start, end] = [instant(fields.start), instant(fields.end)]
  if (Number.isNaN(start) || Number.isNaN(end)) throw refuse(400, 'invalid')
  if (end <= start) throw refuse(400, 'timeRangeEmpty')
  const status = String(fields.status ?? 'confirmed')
  return { ...fields, id, status, etag: `"${secret()}"`, sequence: sequenceAfter(before, fields) }
}

/** Another time is another revision, as in RFC 5546. */
function sequenceAfter(before: Event | undefined, after: Record<string, unknown>): number {
  if (!before) return 0
  const hasMoved = (['start', 'end'] as const).some(
    (end) => after[end] !== undefined && JSON.stringify(after[end]) !== JSON.stringify(before[end]),
  )
  return before.sequence + (hasMoved ? 1 : 0)
}

function answerCalendar(
  method: string,
  path: string,
  headers: IncomingMessage['headers'],
  body: unknown,
): unknown {
  const access = accesses.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
  const grant = access && grants.get(access.grant)
  if (!grant) throw refuse(401, 'authError')
  const fields = (body ?? {}) as Record<string, unknown>
  if (method === 'POST' && path === '/freeBusy') {
    if (!grant.scope.includes('calendar.freebusy')) throw refuse(403, 'insufficientPermissions')
    only(fields, 'timeMin', 'timeMax', 'items')
    const [from, to] = [Date.parse(String(fields.timeMin)), Date.parse(String(fields.timeMax))]
    // The real one rejects more than 90 days.
    if (!(from < to) || to - from > 90 * 86_400_000) throw refuse(400, 'timeRangeTooLong')
    const busy = accountOf(grant.account).busy.filter(
      ({ start, end }) => Date.parse(end) > from && Date.parse(start) < to,
    )
    return { kind: 'calendar#freeBusy', calendars: { primary: { busy } } }
  }
  if (!grant.scope.includes('calendar.app.created')) throw refuse(403, 'insufficientPermissions')
  if (method === 'POST' && path === '/calendars') {
    only(fields, 'summary', 'timeZone')
    const id = `${secret().toLowerCase()}@group.calendar.test`
    calendars.set(id, { owner: grant.account, summary: String(fields.summary), events: new Map() })
    return { kind: 'calendar#calendar', id, summary: fields.summary }
  }
  const [, calendarId = '', rest = '', eventId = ''] =
    /^\/calendars\/([^/]+)(\/events)?(?:\/([^/]+))?$/.exec(path) ?? []
  const id = decodeURIComponent(calendarId)
  const calendar = calendars.get(id)
  if (calendar?.owner !== grant.account) throw refuse(404, 'notFound')
  if (method === 'DELETE' && rest === '') {
    calendars.delete(id)
    return undefined
  }
  if (method === 'POST' && eventId === '') {
    const chosen = String(fields.id)
    if (!/^[a-v0-9]{5,1024}$/.test(chosen)) throw refuse(400, 'invalid')
    if (calendar.events.has(chosen)) throw refuse(409, 'duplicate')
    const event = written(fields, chosen)
    calendar.events.set(chosen, event)
    return event
  }
  const event = calendar.events.get(eventId)
  if (!event) throw refuse(404, 'notFound')
  if (method === 'GET') return event
  const match = headers['if-match']
  if (match !== undefined && match !== event.etag) throw refuse(412, 'conditionNotMet')
  if (method === 'PUT') {
    if (event.status === 'cancelled' && isDeletedLocked) throw refuse(403, 'forbidden')
    const { sequence = 0, ...rest } = fields
    // What replaces an entry has to name its revision; the real one says 'Invalid sequence value.'
    if (Number(sequence) < event.sequence) throw refuse(400, 'invalid')
    const anew = written(rest, eventId, event)
    calendar.events.set(eventId, anew)
    return anew
  }
  if (event.status === 'cancelled') throw refuse(410, 'deleted')
  calendar.events.set(eventId, { ...event, status: 'cancelled', etag: `"${secret()}"` })
  return undefined
}

// For tests -----------------------------------------------------------------------------------------------------------

function control(what: string, sent: Record<string, unknown>): unknown {
  if (what === 'look') {
    return {
      asked,
      grants: grants.size,
      calendars: [...calendars].map(([id, { owner, summary, events }]) => ({
        id,
        owner,
        summary,
        events: [...events.values()],
      })),
    }
  }
  if (what === 'reset') {
    for (const each of [accounts, codes, grants, accesses, calendars]) each.clear()
    ;[asked, troubles, isDeletedLocked] = [[], [], false]
  } else if (what === 'trouble') troubles.push({ times: 1, ...sent } as Trouble)
  else if (what === 'lock-deleted') isDeletedLocked = true
  else if (what === 'busy') accountOf(String(sent.email)).busy = sent.busy as Account['busy']
  else if (what === 'revoke') grants.clear()
  else if (what === 'expire') accesses.clear()
  else if (what === 'remove-calendars') calendars.clear()
  else if (what === 'edit') {
    // The practitioner changes or deletes an entry by hand.
    for (const { events } of calendars.values()) {
      for (const [id, event] of events) {
        events.set(id, { ...event, ...sent, etag: `"${secret()}"`, sequence: sequenceAfter(event, sent) })
      }
    }
  } else throw new Error(what)
  return {}
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://here.invalid')
  const method = request.method ?? ''
  const text = await textOf(request)
  const send = (status: number, body: unknown) => {
    response.statusCode = status
    if (body === undefined) {
      response.end()
      return
    }
    const isPage = typeof body === 'string'
    response.setHeader(
      'content-type',
      isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    )
    response.end(isPage ? body : JSON.stringify(body))
  }
  try {
    if (path.startsWith('/control/')) {
      return send(200, control(path.slice(9), text ? (JSON.parse(text) as Record<string, unknown>) : {}))
    }
    if (method === 'GET' && path === '/o/oauth2/v2/auth') return send(200, consentPage(query))
    if (method === 'GET' && path === '/consent') {
      response.setHeader('location', consent(query))
      return send(303, undefined)
    }
    const isForm = path === '/token' || path === '/revoke'
    const body: unknown = isForm
      ? Object.fromEntries(new URLSearchParams(text))
      : text
        ? JSON.parse(text)
        : undefined
    asked.push({ method, path, body: isForm ? undefined : body })
    const trouble = troubles.find(
      (each) => each.times > 0 && new RegExp(each.match).test(`${method} ${path}`),
    )
    if (trouble) trouble.times--
    if (trouble?.status) throw refuse(trouble.status, trouble.reason ?? 'backendError')
    const answer = isForm
      ? path === '/token'
        ? token(body as Record<string, string>)
        : revoke(body as Record<string, string>)
      : path.startsWith('/calendar/v3/')
        ? answerCalendar(method, path.slice('/calendar/v3'.length), request.headers, body)
        : undefined
    if (trouble?.late) {
      await sleep(50)
      request.socket.destroy()
      return
    }
    send(answer === undefined ? 204 : 200, answer)
  } catch (error) {
    if (error instanceof Refused) return send(error.status, error.body)
    send(500, { error: { message: String(error) } })
  }
}

function revoke(fields: Record<string, string>): unknown {
  only(fields, 'token')
  // All that the account has granted goes with it.
  const grant = grants.get(fields.token ?? '')
  if (!grant) throw refuseToken('invalid_token')
  for (const [key, { account }] of grants) if (account === grant.account) grants.delete(key)
  return {}
}

const server = createServer((request, response) => void handle(request, response))
await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.stdout.write(`${origin}\n`)
