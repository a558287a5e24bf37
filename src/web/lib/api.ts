import type { AnswerOf, EndpointKey } from '#contract/endpoints.ts'
import { ApiError, errorOfAnswer, unreached } from './api-error.ts'
import { noteServerDate } from './clock.ts'
import { type GetKey, type InputArguments, pathOf, type QueryValue, queryTexts } from './endpoint-types.ts'
import { createListeners } from './listeners.ts'
import { randomId } from './random-id.ts'
import { endSession, personOf, readSession, renewTokens, type SignedIn } from './session.ts'

/**
 * Calls that keep something in a cookie that only they see: both ends of ways to a provider and back, and those that
 * sign in, by which the browser is known the next time or stays signed in. Those that exchange a refresh token show the
 * server that this browser is known.
 */
const withCookie = new Set<string>([
  'POST /client/login',
  'POST /client/logout',
  'POST /client/register',
  'POST /client/resume',
  'POST /client/refresh-token',
  'POST /client/hand-over',
  'POST /client/change-password',
  'POST /client/password/reset',
  'POST /therapist/login',
  'POST /therapist/logout',
  'POST /therapist/register',
  'POST /therapist/resume',
  'POST /therapist/refresh-token',
  'POST /therapist/hand-over',
  'POST /therapist/change-password',
  'POST /therapist/password/reset',
  'POST /admin/login',
  'POST /admin/password/reset',
  'GET /identity/nonce',
  'POST /identity/exchange',
  'POST /client/google-sign-in',
  'POST /client/google-sign-up',
  'POST /therapist/google-sign-in',
  'POST /therapist/google-sign-up',
  'GET /therapist/request-google-calendar-access',
])

export type CallOptions = {
  signal?: AbortSignal
  /** Makes a POST that moves money or books safe to repeat; `useAction` gives it to those that the contract marks. */
  idempotencyKey?: string
  /** What this window has seen of what it saves, such as `"bio-3"`: a later save elsewhere is then not overwritten. */
  ifMatch?: string
  /** A token of another kind, in the place of the sign-in's, such as the chat's; a 401 is then the caller's business. */
  bearer?: string
  /** Milliseconds until the call is given up; 20 seconds unless said otherwise. */
  timeout?: number
}

export const basePath = '/api/v7'
const usualTimeout = 20_000

/**
 * Calls the API, typed by the contract: `callApi('POST /client/login', { body: { email, password } })`. Sends the access
 * token when one is held. A 401 then refreshes the tokens once and repeats the call; when they cannot be refreshed, the
 * session is over and the sign-in page opens.
 * @throws ApiError for every answer but 2xx, for a network that fails and for a timeout. An abort by `signal` is thrown as it is.
 */
export async function callApi<K extends EndpointKey>(
  key: K,
  ...[input]: InputArguments<K, CallOptions>
): Promise<AnswerOf<K>> {
  return bodyOf(await answerTo(key, input ?? {})) as Promise<AnswerOf<K>>
}

/** As `callApi`, for a call that returns a file: its bytes and the name that the server gives it. */
export async function callApiForFile<K extends GetKey>(
  key: K,
  ...[input]: InputArguments<K, CallOptions>
): Promise<{ blob: Blob; name: string }> {
  const answer = await answerTo(key, input ?? {})
  if (!answer.ok) await bodyOf(answer)
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await answer.blob(), name: name ?? 'hearth' }
}

async function answerTo(key: EndpointKey, input: object): Promise<Response> {
  const call = input as LooseInput
  if (call.bearer) return send(key, call, call.bearer)
  const session = readSession()
  const answer = await send(key, call, session.role === 'anonymous' ? undefined : session.accessToken)
  if (answer.status !== 401 || session.role === 'anonymous' || isSignIn(key)) return answer
  return send(key, call, await freshToken(session))
}

/** A key for one intent of the user: made once, sent with every repetition of it. */
export function newIdempotencyKey(): string {
  return randomId()
}

/** What happens when a session can no longer be renewed; the frame goes to the matching sign-in page. */
export function onSessionLost(listener: (role: SignedIn['role']) => void): () => void {
  return lostListeners.add(listener)
}
const lostListeners = createListeners<[SignedIn['role']]>()

let leaving = new AbortController()

/** Gives up what is read with a token until `resumeReading`: while the sign-in ends on the server, it would be refused. */
export function abandonReading(): void {
  leaving.abort()
}

export function resumeReading(): void {
  leaving = new AbortController()
}

type LooseInput = CallOptions & {
  params?: Record<string, string | number>
  query?: Record<string, QueryValue>
  body?: unknown
}

/** Calls that answer 401 about what was typed, not about the token. */
function isSignIn(key: EndpointKey): boolean {
  return /\/(login|refresh-token|hand-over|resume|google-sign-(in|up)|exchange)$/.test(key)
}

async function send(key: EndpointKey, input: LooseInput, token: string | undefined): Promise<Response> {
  const { method, path } = pathOf(key, input.params)
  const search = new URLSearchParams(queryTexts(input.query)).toString()
  const timeout = AbortSignal.timeout(input.timeout ?? usualTimeout)
  const abandoned = [input.signal, token && method === 'GET' ? leaving.signal : undefined].filter(
    (signal) => signal !== undefined,
  )
  try {
    const response = await fetch(`${location.origin}${basePath}${path}${search && `?${search}`}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(input.idempotencyKey && { 'Idempotency-Key': input.idempotencyKey }),
        ...(input.ifMatch && { 'If-Match': input.ifMatch }),
      },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      // Tokens are the only credentials; no cookie authenticates a call.
      credentials: withCookie.has(key) ? 'same-origin' : 'omit',
      signal: AbortSignal.any([...abandoned, timeout]),
    })
    noteServerDate(response.headers.get('date'))
    return response
  } catch (cause) {
    throw transportError(cause, timeout, abandoned)
  }
}

function transportError(cause: unknown, timeout: AbortSignal, abandoned: AbortSignal[]): unknown {
  if (abandoned.some((signal) => signal.aborted)) return cause
  if (timeout.aborted) {
    const message = 'That took too long. Please check your connection and try again.'
    return new ApiError(0, { code: 'timed_out', message }, { cause })
  }
  return new ApiError(0, { code: 'network_failure', message: unreached }, { cause })
}

async function bodyOf(response: Response): Promise<unknown> {
  const body = await readBody(response)
  if (response.ok) return body
  const retryAfter = Number(response.headers.get('retry-after'))
  throw errorOfAnswer(response.status, body, retryAfter > 0 ? retryAfter : undefined)
}

async function readBody(response: Response): Promise<unknown> {
  try {
    if (response.status === 204) return undefined
    return await response.json()
  } catch (cause) {
    if (!response.ok) return undefined
    const message = 'We could not read our server’s reply. Please try again in a moment.'
    throw new ApiError(response.status, { code: 'unreadable_answer', message }, { cause })
  }
}

/** The other tabs of this browser, where it lets them speak to each other; see `tabs.ts`. */
type Tabs = {
  /** Until a copied tab has tokens of its own. */
  settled(): Promise<void>
  /** Has another tab of the same person give this one tokens, where it can. */
  renewByOthers(): Promise<void>
}
let tabs: Tabs | undefined

export function joinTabs(others: Tabs): void {
  tabs = others
}

let refreshing: { spent: string; token: Promise<string> } | undefined

/**
 * A token newer than the one that was refused. However many calls are refused at once, the refresh token is spent once:
 * those that come while it is under way wait for it, and those that come after find the new token already there.
 */
export function freshToken(refused: SignedIn): Promise<string> {
  const renewed = renewedToken(refused)
  if (renewed !== undefined) return Promise.resolve(renewed)
  if (refreshing?.spent === refused.refreshToken) return refreshing.token
  const token = refresh(refused).finally(() => {
    if (refreshing?.token === token) refreshing = undefined
  })
  refreshing = { spent: refused.refreshToken, token }
  return token
}

/** A newer token of the same person. Another may have signed in at this tab since. */
function renewedToken(refused: SignedIn): string | undefined {
  const current = readSession()
  if (current.role === 'anonymous' || current.accessToken === refused.accessToken) return undefined
  const isSame = current.role === refused.role && personOf(current)?.email === personOf(refused)?.email
  return isSame ? current.accessToken : undefined
}

async function refresh(refused: SignedIn): Promise<string> {
  await tabs?.settled()
  const settled = renewedToken(refused)
  if (settled !== undefined) return settled
  const { role, refreshToken } = refused
  const response = await send(
    `POST /${role}/refresh-token`,
    { body: { refresh_token: refreshToken } },
    undefined,
  )
  // The tab may have signed out or in meanwhile.
  const isCurrent = () => {
    const session = readSession()
    return session.role === role && session.refreshToken === refreshToken
  }
  if (response.status === 401 && isCurrent()) {
    // Ended by a new password chosen in another tab: that one is still signed in.
    await tabs?.renewByOthers()
    const given = renewedToken(refused)
    if (given !== undefined) return given
    if (isCurrent()) {
      endSession()
      lostListeners.call(role)
    }
  }
  const pair = (await bodyOf(response)) as { token: string; refresh_token: string }
  if (isCurrent()) renewTokens(pair)
  return pair.token
}
