import type { AnswerOf, EndpointKey } from '#contract/endpoints.ts'
import { ApiError } from './api-error.ts'
import { callApi, type CallOptions } from './api.ts'
import { serverNow } from './clock.ts'
import type { InputArguments } from './endpoint-types.ts'
import { onAnotherPerson, personOf, readSession, type SignedIn } from './session.ts'
import { noteSuspended } from './suspension.ts'
import { tabStorage } from './tab-storage.ts'

/** The chat's own sign-in: what the socket and every call below `/chat` are made with. */
export type ChatSession = {
  token: string
  /** The account's id in the chat, by which senders and occupants are named. */
  ccId: string
}

type Kept = ChatSession & { expiresAt: number; owner: string }

/** As the rest of a sign-in, in this tab alone. */
const storageKey = 'chatSession'
/** Not used any more when it is about to end. */
const marginMilliseconds = 30_000

let asking: { owner: string; session: Promise<ChatSession> } | undefined

/** Whether a client or practitioner is signed in: these can chat. */
export function canChat(): boolean {
  const { role } = readSession()
  return role === 'client' || role === 'therapist'
}

/** The role of the signed-in account on the chat's pages, which admit clients and practitioners alone. */
export function chatRole(): 'client' | 'therapist' {
  return readSession().role === 'therapist' ? 'therapist' : 'client'
}

/**
 * Returns the chat session of the signed-in account: the stored one, or a new one by the credentials in the own profile.
 * Concurrent calls share one new session.
 * @throws ApiError `unauthenticated` for visitors and admins
 */
export function chatSession(): Promise<ChatSession> {
  const session = readSession()
  if (session.role !== 'client' && session.role !== 'therapist') {
    const message = 'Please log in to see your chats.'
    return Promise.reject(new ApiError(401, { code: 'unauthenticated', message }))
  }
  const owner = ownerOf(session)
  const kept = readKept()
  if (kept?.owner === owner && kept.expiresAt - marginMilliseconds > serverNow()) {
    return Promise.resolve(kept)
  }
  if (asking?.owner === owner) return asking.session
  const made = makeSession(session.role, owner)
    .catch((error: unknown) => {
      const current = readSession()
      const isStillThem = current.role !== 'anonymous' && ownerOf(current) === owner
      if (isStillThem && error instanceof ApiError && error.code === 'suspended') noteSuspended()
      throw error
    })
    .finally(() => {
      if (asking?.session === made) asking = undefined
    })
  asking = { owner, session: made }
  return made
}

/** Forgets a token that was refused, so that the next call gets another. */
export function dropChatSession(token: string): void {
  if (readKept()?.token === token) forget()
}

/**
 * Calls the API with the token of the chat; one that has ended is replaced, once.
 * @throws ApiError
 */
export async function callChat<K extends EndpointKey>(
  key: K,
  ...[input]: InputArguments<K, CallOptions>
): Promise<AnswerOf<K>> {
  const call = async (token: string) =>
    // The arguments are the caller's own with one option more.
    callApi(key, ...([{ ...input, bearer: token }] as unknown as InputArguments<K, CallOptions>))
  const { token } = await chatSession()
  try {
    return await call(token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    dropChatSession(token)
    return call((await chatSession()).token)
  }
}

async function makeSession(role: 'client' | 'therapist', owner: string): Promise<ChatSession> {
  const { cc_id, cc_username, cc_password } = await callApi(`GET /${role}/profile/show`)
  const { token, expires_at } = await callApi('POST /chat/session', { body: { cc_username, cc_password } })
  const kept: Kept = { token, ccId: cc_id, expiresAt: Date.parse(expires_at), owner }
  const current = readSession()
  // Stored only if the session is still the one it was made for: the tab may have signed out or in meanwhile.
  if (current.role !== 'anonymous' && ownerOf(current) === owner) keep(kept)
  return kept
}

function ownerOf(session: SignedIn): string {
  return `${session.role} ${personOf(session)?.email}`
}

function readKept(): Kept | undefined {
  try {
    return (JSON.parse(tabStorage.getItem(storageKey) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}

const keep = (session: Kept) => tabStorage.setItem(storageKey, JSON.stringify(session))

const forget = () => tabStorage.removeItem(storageKey)

/** It ends with the sign-in that it came from. */
onAnotherPerson(forget)
