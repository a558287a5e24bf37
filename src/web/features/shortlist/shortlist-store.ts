import { useSyncExternalStore } from 'react'
import { shortlistedByVisitor } from '#contract/shortlist-limits.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { onAnotherPerson, readSession, subscribeToSession } from '#web/lib/session.ts'
import {
  keepVisitorShortlist,
  onVisitorShortlist,
  readVisitorShortlist,
  type Saved,
  withSaved,
} from '#web/lib/visitor-shortlist.ts'

export type ShortlistState = {
  /** The practitioners saved, the newest first. */
  ids: readonly number[]
  /** Practitioners and admins keep no list. */
  keptIn: 'browser' | 'account' | 'none'
  /** False until the account's list was read. */
  isKnown: boolean
  /** Why the account's list could not be read. */
  error: unknown
  /** Those that were saved in this browser before the client signed in, and are not on the account. */
  waiting: readonly number[]
}

const unknown: ShortlistState = { ids: [], keptIn: 'none', isKnown: false, error: undefined, waiting: [] }
const listeners = new Set<() => void>()
let visitors: readonly Saved[] | undefined
let accounts: readonly number[] | undefined
/** As the server answered last; `accounts` is ahead of it while changes are under way. */
let settled: readonly number[] | undefined
let failure: unknown
let isReading = false
/** Counts the accounts of this tab: what is answered to one is not shown to the next. */
let turn = 0
let changes = 0
/** Ends with the change that was sent last: each waits for the one before, so that answers come in order. */
let lastChange: Promise<unknown> = Promise.resolve()
let state = unknown
let stopListening: (() => void) | undefined

/** The shortlist of the visitor or client of this tab. Empty while the page is rendered on the server and hydrated. */
export function useShortlist(): ShortlistState {
  return useSyncExternalStore(onShortlist, readShortlist, () => unknown)
}

/** Saves a practitioner. @throws ApiError, also if the visitor's list is full */
export async function save(id: number): Promise<void> {
  if (readSession().role === 'client') return addToAccount([id])
  const next = withSaved(visitors ?? [], id, Date.now())
  if (!next) {
    const message = `Your shortlist holds up to ${shortlistedByVisitor} people. Take some off before you add more.`
    throw new ApiError(409, { code: 'conflict', message })
  }
  changeVisitors(next)
}

/** Takes practitioners off the list. @throws ApiError */
export async function takeOff(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  if (readSession().role !== 'client') {
    changeVisitors((visitors ?? []).filter(({ id }) => !ids.includes(id)))
    return
  }
  await changeAccount(
    (accounts ?? []).filter((id) => !ids.includes(id)),
    () => callApi('POST /client/shortlist/remove', { body: { practitioner_ids: [...ids] } }),
  )
}

/** Puts those saved before the sign-in on the account. @throws ApiError */
export async function keepWaiting(): Promise<void> {
  await addToAccount(state.waiting)
  changeVisitors([])
}

function addToAccount(ids: readonly number[]): Promise<void> {
  return changeAccount([...ids, ...(accounts ?? []).filter((id) => !ids.includes(id))], () =>
    callApi('POST /client/shortlist', { body: { practitioner_ids: [...ids] } }),
  )
}

/** Forgets those saved before the sign-in. */
export function forgetWaiting(): void {
  changeVisitors([])
}

/** Reads the account's list again after a failure. */
export function readAgain(): void {
  failure = undefined
  void readAccount()
  publish()
}

function changeVisitors(saved: readonly Saved[]): void {
  visitors = saved
  keepVisitorShortlist(saved)
  publish()
}

/** Shows the change at once, and takes it back if the server refuses it. */
async function changeAccount(
  wanted: readonly number[],
  send: () => Promise<{ practitioner_ids: number[] }>,
): Promise<void> {
  const forTurn = turn
  const own = ++changes
  accounts = wanted
  publish()
  const change = lastChange.then(() => {
    if (forTurn !== turn) throw new Error('Another account has signed in at this tab.')
    return send()
  })
  lastChange = change.catch(() => undefined)
  try {
    const { practitioner_ids: ids } = await change
    if (forTurn === turn) settled = ids
  } finally {
    if (forTurn === turn && own === changes) {
      accounts = settled
      publish()
    }
  }
}

async function readAccount(): Promise<void> {
  if (isReading) return
  const forTurn = turn
  const changesBefore = changes
  isReading = true
  try {
    const { practitioner_ids: ids } = await callApi('GET /client/shortlist')
    if (forTurn !== turn) return
    failure = undefined
    // A change that was sent meanwhile answers with what is there after it.
    if (changesBefore === changes) accounts = settled = ids
  } catch (error) {
    if (forTurn === turn) failure = error
  } finally {
    if (forTurn === turn) {
      isReading = false
      publish()
    }
  }
}

/** Calls the listener on every change. Returns the unsubscribe function. */
export function onShortlist(listener: () => void): () => void {
  listeners.add(listener)
  stopListening ??= listen()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopListening?.()
    stopListening = undefined
  }
}

function listen(): () => void {
  const stops = [
    subscribeToSession(publish),
    // One account's list is never shown to the next.
    onAnotherPerson(() => {
      turn++
      accounts = undefined
      settled = undefined
      isReading = false
      failure = undefined
      publish()
    }),
    onVisitorShortlist(() => {
      visitors = undefined
      publish()
    }),
  ]
  publish()
  return () => stops.forEach((stop) => stop())
}

export function readShortlist(): ShortlistState {
  return state
}

function publish(): void {
  const { role } = readSession()
  if (role === 'client' && accounts === undefined && failure === undefined) void readAccount()
  visitors ??= readVisitorShortlist()
  const saved = visitors.map(({ id }) => id)
  if (role === 'anonymous') state = { ...unknown, ids: saved, keptIn: 'browser', isKnown: true }
  else if (role === 'client') {
    state = {
      ids: accounts ?? [],
      keptIn: 'account',
      isKnown: accounts !== undefined,
      error: failure,
      waiting: accounts ? saved.filter((id) => !accounts?.includes(id)) : [],
    }
  } else state = unknown
  for (const listener of listeners) listener()
}
