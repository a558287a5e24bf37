import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  type BusyTime,
  type CalendarEvent,
  CalendarProblem,
  type CalendarProvider,
  type Consent,
  type EventPlace,
} from './port.ts'

export type GoogleOptions = {
  clientId: string
  clientSecret: string
  /** Where the Calendar API is, without a slash at the end. */
  api: string
  /** Stands in for Google's sign-in and token servers; theirs when absent. */
  oauth?: string | undefined
  now(): Date
}

/**
 * The smallest sufficient scopes: to create and write a calendar of our own, and to read the busy times of the others,
 * but not their entries. `openid email` identifies the account.
 */
const calendarScopes = [
  'https://www.googleapis.com/auth/calendar.app.created',
  'https://www.googleapis.com/auth/calendar.freebusy',
]
const scopes = ['openid', 'email', ...calendarScopes]

/** How long to wait for one response, in milliseconds. */
const patience = 10_000
/** How long before its expiry an access token is no longer used, in milliseconds. */
const margin = 60_000
/** How many access tokens are cached at most. */
const maxKept = 5000

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  id_token: z.string().optional(),
})
const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  exp: z.number(),
  sub: z.string().min(1).max(255),
  email: z.string().min(3).max(320),
})
const BusyAnswer = z.object({
  calendars: z.object({
    primary: z.object({
      errors: z.array(z.unknown()).optional(),
      busy: z.array(
        z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
      ),
    }),
  }),
})
const Refusal = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).optional() }),
})

const Revision = z.object({ sequence: z.number().int().default(0) })

type Asked = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  etag?: string
}
type Answered = { status: number; body: unknown; etag: string | undefined }

/** Google Calendar (API v3), spoken to directly: seven calls need no library. */
export function googleCalendar(options: GoogleOptions): CalendarProvider {
  const { clientId, clientSecret, api, oauth, now } = options
  const consentPage = `${oauth ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`
  const tokens = oauth ?? 'https://oauth2.googleapis.com'
  /** Access tokens by the digest of the grant that they came from. */
  const kept = new Map<string, { token: string; until: number }>()

  return {
    begin({ redirectUri, state, verifier }) {
      const url = new URL(consentPage)
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes.join(' '),
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        access_type: 'offline',
        // A refresh token comes with the first consent alone, unless consent is asked for again.
        prompt: 'consent select_account',
      }).toString()
      return url
    },

    async finish(code, { redirectUri, verifier }) {
      const { status, body } = await askForToken({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      })
      if (status === 400 || status === 401) return 'refused'
      if (status !== 200) throw new CalendarProblem('away', status)
      const answer = read(TokenAnswer, body)
      const granted = answer.scope?.split(' ') ?? []
      const whose = answer.id_token && claimsOf(answer.id_token)
      if (!answer.refresh_token || !whose) return 'refused'
      keep(answer.refresh_token, answer)
      const isComplete = calendarScopes.every((scope) => granted.includes(scope))
      return { grant: answer.refresh_token, ...whose, isComplete } satisfies Consent
    },

    async revoke(grant) {
      kept.delete(digestOf(grant))
      const { status } = await form(`${tokens}/revoke`, { token: grant })
      // 400: it was no good any more.
      if (status !== 200 && status !== 400) throw new CalendarProblem('away', status)
    },

    async createCalendar(grant, name) {
      const { status, body } = await call(grant, {
        method: 'POST',
        path: '/calendars',
        body: { summary: name, timeZone: 'Europe/London' },
      })
      if (status !== 200) throw problemOf(status)
      return read(z.object({ id: z.string().min(1).max(1024) }), body).id
    },

    deleteCalendar: (grant, calendarId) => deleteAt(grant, pathOf(calendarId)),

    async busy(grant, { from, to }) {
      const { status, body } = await call(grant, {
        method: 'POST',
        path: '/freeBusy',
        body: { timeMin: from.toISOString(), timeMax: to.toISOString(), items: [{ id: 'primary' }] },
      })
      if (status !== 200) throw problemOf(status)
      const { primary } = read(BusyAnswer, body).calendars
      if (primary.errors?.length) throw new CalendarProblem('away', status)
      return primary.busy.map(({ start, end }): BusyTime => ({ from: new Date(start), to: new Date(end) }))
    },

    async put(grant, at, event, etag) {
      const body = toGoogle(event)
      const events = `${pathOf(at.calendarId)}/events`
      const answer =
        etag === undefined
          ? await call(grant, { method: 'POST', path: events, body: { ...body, id: at.eventId } })
          : await replace(grant, at, body, etag)
      const { status } = answer
      if (status === 200 && answer.etag) return answer.etag
      // 409: there is or was an entry of this id. 412: it is not as it was; with a 404, it is not there at all.
      if (status === 409 || status === 412) throw new CalendarProblem('changed', status)
      if (etag !== undefined && status === 404) throw new CalendarProblem('changed', status)
      // What was deleted by hand cannot always be had back.
      if (etag !== undefined && (status === 410 || reasonOf(answer) === 'forbidden')) {
        throw new CalendarProblem('locked', status)
      }
      throw problemOf(status)
    },

    async etagOf(grant, at) {
      const answer = await call(grant, { method: 'GET', path: pathOfEvent(at) })
      if (answer.status === 404 || answer.status === 410) return undefined
      if (answer.status !== 200) throw problemOf(answer.status)
      return answer.etag
    },

    remove: (grant, at) => deleteAt(grant, pathOfEvent(at)),
  }

  /**
   * Replaces an entry that is as it was seen, and all that was changed in it by hand. Google numbers the revisions of an
   * entry, one for each change of its time, and refuses an entry with a lower number.
   */
  async function replace(grant: string, at: EventPlace, event: object, etag: string): Promise<Answered> {
    const path = pathOfEvent(at)
    const seen = await call(grant, { method: 'GET', path })
    if (seen.status !== 200) return seen
    const { sequence } = read(Revision, seen.body)
    return call(grant, { method: 'PUT', path, body: { ...event, sequence }, etag })
  }

  /** What is gone is gone. */
  async function deleteAt(grant: string, path: string): Promise<void> {
    const { status } = await call(grant, { method: 'DELETE', path })
    if (![200, 204, 404, 410].includes(status)) throw problemOf(status)
  }

  /** One call of the API. An access token that is taken no more is had anew, once. */
  async function call(grant: string, asked: Asked): Promise<Answered> {
    const first = await send(await accessFor(grant), asked)
    const answer = first.status === 401 ? await send(await accessFor(grant, true), asked) : first
    if (answer.status === 401) throw new CalendarProblem('revoked', 401)
    // Consent may be taken back in part.
    if (answer.status === 403 && reasonOf(answer) === 'insufficientPermissions') {
      throw new CalendarProblem('revoked', 403)
    }
    return answer
  }

  async function send(token: string, { method, path, body, etag }: Asked): Promise<Answered> {
    return exchange(`${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(etag === undefined ? {} : { 'if-match': etag }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function accessFor(grant: string, anew = false): Promise<string> {
    const known = kept.get(digestOf(grant))
    if (!anew && known && known.until > now().getTime()) return known.token
    const { status, body } = await askForToken({ grant_type: 'refresh_token', refresh_token: grant })
    const refused = z.object({ error: z.string() }).safeParse(body).data?.error
    if (status === 400 && refused === 'invalid_grant') throw new CalendarProblem('revoked', status)
    if (status !== 200) throw new CalendarProblem('away', status)
    return keep(grant, read(TokenAnswer, body))
  }

  function askForToken(asked: Record<string, string>): Promise<Answered> {
    return form(`${tokens}/token`, { ...asked, client_id: clientId, client_secret: clientSecret })
  }

  function keep(grant: string, answer: z.infer<typeof TokenAnswer>): string {
    const [oldest] = kept.keys()
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
    const until = now().getTime() + answer.expires_in * 1000 - margin
    kept.set(digestOf(grant), { token: answer.access_token, until })
    return answer.access_token
  }

  /**
   * Whose consent it is. The token came from Google itself over TLS, in answer to our secret: its signature needs no
   * looking at (OpenID Connect Core 3.1.3.7), what it says does.
   */
  function claimsOf(idToken: string): { subject: string; email: string } | undefined {
    try {
      const text = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()
      const { iss, aud, exp, sub, email } = Claims.parse(JSON.parse(text))
      const issuers = [new URL(consentPage).origin, 'accounts.google.com']
      const isOurs = aud === clientId && issuers.includes(iss) && exp * 1000 > now().getTime()
      return isOurs ? { subject: sub, email } : undefined
    } catch {
      return undefined
    }
  }
}

/** Times are in UTC: the same instants on both sides of a clock change. */
function toGoogle({ startsAt, endsAt, summary, description, location, tentative }: CalendarEvent) {
  return {
    summary,
    description,
    location,
    start: { dateTime: startsAt.toISOString(), timeZone: 'UTC' },
    end: { dateTime: endsAt.toISOString(), timeZone: 'UTC' },
    // Readers of a shared calendar see only that the time is busy.
    visibility: 'private',
    transparency: 'opaque',
    status: tentative ? 'tentative' : 'confirmed',
  }
}

function form(url: string, fields: Record<string, string>): Promise<Answered> {
  return exchange(url, { method: 'POST', body: new URLSearchParams(fields) })
}

/** @throws CalendarProblem `away` when there is no answer in time, or one that goes on elsewhere */
async function exchange(url: string, init: RequestInit): Promise<Answered> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience) })
    const text = await response.text()
    const body: unknown = /json/.test(response.headers.get('content-type') ?? '')
      ? JSON.parse(text)
      : undefined
    const etagOfBody = z.object({ etag: z.string() }).safeParse(body).data?.etag
    return { status: response.status, body, etag: etagOfBody ?? response.headers.get('etag') ?? undefined }
  } catch {
    throw new CalendarProblem('away')
  }
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new CalendarProblem('away')
  return parsed.data
}

const reasonOf = ({ body }: Answered) => Refusal.safeParse(body).data?.error.errors?.[0]?.reason

/** 404 and 410 of a path below a calendar: the calendar itself is not there. Limits and outages pass. */
const problemOf = (status: number) =>
  new CalendarProblem(status === 404 || status === 410 ? 'removed' : 'away', status)

const digestOf = (grant: string) => createHash('sha256').update(grant).digest('base64')

const pathOf = (calendarId: string) => `/calendars/${encodeURIComponent(calendarId)}`

const pathOfEvent = ({ calendarId, eventId }: EventPlace) => `${pathOf(calendarId)}/events/${eventId}`
