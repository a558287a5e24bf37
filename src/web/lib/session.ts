import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import {
  forgetTabTexts,
  formTexts,
  hasTabTexts,
  keepTabText,
  readTabText,
  renameTabTexts,
} from './tab-texts.ts'

/** A signed-in person as this tab knows them. What they may do is decided by the server, from the token. */
export type SessionUser = { firstName: string; lastName: string; email: string; isLoggedIn: true }
export type SessionTherapist = SessionUser & { id: number }

/** What this tab keeps: one kind of user, or none. */
export type Session =
  | { role: 'anonymous' }
  | { role: 'client'; accessToken: string; refreshToken: string; user: SessionUser }
  | { role: 'therapist'; accessToken: string; refreshToken: string; therapist: SessionTherapist }
  | { role: 'admin'; accessToken: string; refreshToken: string; admin: SessionUser }

export type SignedIn = Exclude<Session, { role: 'anonymous' }>

/** What the sign-in and sign-up calls answer. */
type AuthAnswer = {
  token: string
  refresh_token: string
  user: { first_name: string; last_name: string; email: string }
}
type TherapistAuthAnswer = AuthAnswer & { user: { practitioner_id: number } }

const anonymous: Session = { role: 'anonymous' }
const listeners = createListeners()
let known: Session | undefined
let hasEnded = false

/** The session of this tab. On the server it is always anonymous. */
export function readSession(): Session {
  if (typeof window === 'undefined') return anonymous
  known ??= readStorage()
  return known
}

/** Keeps a client's sign-in; a therapist's in the same tab ends. */
export function startClientSession(answer: AuthAnswer): void {
  becomeAnother({
    role: 'client',
    accessToken: answer.token,
    refreshToken: answer.refresh_token,
    user: userOf(answer),
  })
}

/** Keeps a therapist's sign-in; a client's in the same tab ends. */
export function startTherapistSession(answer: TherapistAuthAnswer): void {
  const therapist = { ...userOf(answer), id: answer.user.practitioner_id }
  becomeAnother({
    role: 'therapist',
    accessToken: answer.token,
    refreshToken: answer.refresh_token,
    therapist,
  })
}

/** Stores an admin's session; a session of another account in the same tab ends. */
export function startAdminSession(answer: AuthAnswer): void {
  becomeAnother({
    role: 'admin',
    accessToken: answer.token,
    refreshToken: answer.refresh_token,
    admin: userOf(answer),
  })
}

/** Puts a fresh pair of tokens in the place of the old one. */
export function renewTokens(pair: { token: string; refresh_token: string }): void {
  const session = readSession()
  if (session.role !== 'anonymous')
    store({ ...session, accessToken: pair.token, refreshToken: pair.refresh_token })
}

/** Keeps what the signed-in person has changed about themselves. */
export function renewPerson(person: SessionUser): void {
  const session = readSession()
  const before = personOf(session)?.email
  if (before !== undefined && before !== person.email)
    renameTabTexts(formTexts.of(before), formTexts.of(person.email))
  if (session.role === 'client') store({ ...session, user: { ...session.user, ...person } })
  if (session.role === 'therapist') store({ ...session, therapist: { ...session.therapist, ...person } })
}

/** Forgets who was signed in here. */
export function endSession(): void {
  hasEnded = true
  becomeAnother(anonymous)
}

/**
 * Whether a document that was left may show what is no longer so: an account has signed out in it, or another document of
 * this tab has signed one in or out.
 */
export function isOutdated(): boolean {
  const session = readSession()
  const token = session.role === 'anonymous' ? null : session.refreshToken
  try {
    return hasEnded || sessionStorage.getItem('refreshToken') !== token
  } catch {
    return hasEnded
  }
}

/**
 * Calls the listener when another account signs in at this tab or the session ends: data of the former account must be
 * forgotten. Returns the unsubscribe function.
 */
export function onAnotherPerson(listener: () => void): () => void {
  return othersListeners.add(listener)
}
const othersListeners = createListeners()

/** The session, anonymous while the page is being rendered on the server and hydrated. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, readSession, () => anonymous)
}

/** The person signed in, whichever kind; undefined for a visitor. */
export function personOf(session: Session): SessionUser | undefined {
  if (session.role === 'client') return session.user
  if (session.role === 'admin') return session.admin
  return session.role === 'therapist' ? session.therapist : undefined
}

export function subscribeToSession(listener: () => void): () => void {
  return listeners.add(listener)
}

/** Under which name the texts of this tab keep whose they are, after a session has ended. */
const ownerName = 'owner'

/**
 * Texts stay for the account that wrote them, which may sign in again after its session has ended, and go when another one
 * signs in. What a visitor wrote is theirs who sign in next.
 */
function becomeAnother(session: Session): void {
  const before = personOf(readSession())?.email ?? readTabText(ownerName) ?? undefined
  const next = personOf(session)?.email
  if (before !== undefined && next !== undefined && before !== next) forgetTabTexts()
  keepTabText(ownerName, next === undefined && hasTabTexts() ? before : undefined)
  store(session)
  othersListeners.call()
}

/** The keys and shapes are those of the specification; it knows no `admin`. */
const keys = ['accessToken', 'refreshToken', 'user', 'therapist', 'admin'] as const

function store(session: Session): void {
  known = session
  const kept: Partial<Record<(typeof keys)[number], string>> =
    session.role === 'anonymous'
      ? {}
      : {
          accessToken: session.accessToken,
          refreshToken: session.refreshToken,
          ...(session.role === 'client' && { user: JSON.stringify(session.user) }),
          ...(session.role === 'therapist' && { therapist: JSON.stringify(session.therapist) }),
          ...(session.role === 'admin' && { admin: JSON.stringify(session.admin) }),
        }
  // Storage may be forbidden by the reader's settings, or full: the session then lasts as long as the page, and a reload
  // finds no part of it beside one of the session before.
  if (!keepInTab(kept)) keepInTab({})
  listeners.call()
}

function keepInTab(kept: Partial<Record<(typeof keys)[number], string>>): boolean {
  try {
    for (const key of keys) {
      const value = kept[key]
      if (value === undefined) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, value)
    }
    return true
  } catch {
    return false
  }
}

function readStorage(): Session {
  try {
    const accessToken = sessionStorage.getItem('accessToken')
    const refreshToken = sessionStorage.getItem('refreshToken')
    if (!accessToken || !refreshToken) return anonymous
    const therapist = sessionStorage.getItem('therapist')
    if (therapist)
      return {
        role: 'therapist',
        accessToken,
        refreshToken,
        therapist: JSON.parse(therapist) as SessionTherapist,
      }
    const admin = sessionStorage.getItem('admin')
    if (admin) return { role: 'admin', accessToken, refreshToken, admin: JSON.parse(admin) as SessionUser }
    const user = sessionStorage.getItem('user')
    return user
      ? { role: 'client', accessToken, refreshToken, user: JSON.parse(user) as SessionUser }
      : anonymous
  } catch {
    return anonymous
  }
}

/** The person in an answer of the server. */
export function userOf({ user }: Pick<AuthAnswer, 'user'>): SessionUser {
  return { firstName: user.first_name, lastName: user.last_name, email: user.email, isLoggedIn: true }
}
