import { ApiError } from './api-error.ts'
import { callApi, joinTabs } from './api.ts'
import { randomId } from './random-id.ts'
import { entrances, hasReturnPath } from './return-to.ts'
import {
  endSession,
  personOf,
  readSession,
  renewPerson,
  renewTokens,
  type SessionUser,
  type SignedIn,
  startAdminSession,
  startClientSession,
  startTherapistSession,
  subscribeToSession,
} from './session.ts'
import { keepStaying, type StayingRole, stayingRoles } from './staying.ts'
import { forgetTabTexts } from './tab-texts.ts'
import { keepVisitorShortlist } from './visitor-shortlist.ts'

/*
 * The tabs of one browser. Each has tokens of its own, so that no tab's renewal ends another's sign-in:
 * - a new tab asks the open ones, and one of them has the server sign it in;
 * - a duplicated tab, whose storage the browser has copied, has the server sign it in by the copied token;
 * - signing out in one tab signs out the others of the same person, and a new name or email is theirs as well;
 * - the first tab of a device that stays signed in has the server sign it in by a cookie;
 * - the lock of its role shows the service worker which roles are signed in, so that it leads no tab of another one.
 * Web Locks show whether another tab is open, so that a single tab does not wait for an answer. In a browser without Web
 * Locks, each tab is on its own.
 */

type Role = SignedIn['role']
type Wanted = { roles: Role[]; email?: string | undefined }
/** On the channel of all tabs. `reply` names a channel for this question alone. */
export type Said =
  | { type: 'ask'; wanted: Wanted; reply: string }
  | { type: 'signed out'; role: Role; email: string }
  /** `of` is the person as tabs know each other. A tab of the release before takes a `role` and `email` here for a sign-out. */
  | { type: 'renamed'; of: { role: Role; email: string }; person: SessionUser }
/** On the channel of one question. */
type Reply =
  | { type: 'here'; tab: string; role: Role }
  | { type: 'chosen'; tab: string }
  | { type: 'sign-in'; role: Role; answer: Answer }
  | { type: 'none' }
type Answer = Parameters<typeof startTherapistSession>[0]
type Given = { role: Role; answer: Answer } | undefined

/** The channel of all tabs. */
export const tabsChannel = 'hearth-tabs'
const lockPrefix = 'hearth-tab:'
const roleLockPrefix = 'hearth-role:'
const tabKey = 'tab'
/**
 * How long open tabs have to say that they are there: those that hold the lock of a wanted role, which are there and may be
 * slow, and others, which may be of no use; and how long the server has to sign the new one in. Milliseconds.
 */
const patience = { ofRole: 1000, others: 150, signIn: 3000 }

let release: (() => void) | undefined
let roleLock: { role: Role; release: () => void } | undefined
let everybody: BroadcastChannel | undefined
let ownSignIn: Promise<void> | undefined
/** Whether this tab still has the tokens of the one that it was copied from. */
let sharesTokens = false

/**
 * Finds out before the first page is alive whose tab this is: takes a sign-in over from an open tab, or notices that this
 * one is a copy of another.
 */
export async function settleTab(at: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') return
  joinTabs({ settled, renewByOthers })
  holdRole()
  subscribeToSession(() => {
    holdRole()
    void follow()
  })
  const session = readSession()
  if (session.role === 'anonymous') {
    const roles = rolesFor(at)
    if (roles.length > 0 && !(await takeOver({ roles }))) await resume(roles)
    return
  }
  if (await hold(tabId())) return
  await hold(tabId('new'))
  ownSignIn = signInByCopy(session).finally(() => {
    ownSignIn = undefined
  })
}

/**
 * Signs out the other tabs of this person, and forgets what was written and saved in this one. This device stays signed in no
 * longer.
 */
export function announceSignOut(): void {
  const session = readSession()
  forgetTabTexts()
  keepVisitorShortlist([])
  if (session.role !== 'anonymous') keepStaying(session.role, false)
  const email = personOf(session)?.email
  if (session.role !== 'anonymous' && email) say({ type: 'signed out', role: session.role, email })
}

/** The roles that a page is for; none on pages for signing in or up, but for a sign-in on the way to another page. */
function rolesFor({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Role[] {
  const entrance = entrances.exec(pathname)
  if (entrance) {
    const [, role = 'client', page] = entrance
    return page === 'sign-in' && hasReturnPath(search) ? [role as Role] : []
  }
  if (/^\/admin(\/|$)/.test(pathname)) return ['admin']
  return pathname.startsWith('/therapist/') ? ['therapist'] : ['client', 'therapist']
}

/**
 * Ends once this tab may renew its tokens. A copy that has none of its own asks the tab that it was copied from once more:
 * the first of the two to renew would leave the other a spent token, which ends the sign-ins of both.
 */
async function settled(): Promise<void> {
  await ownSignIn
  if (!sharesTokens) return
  sharesTokens = false
  await renewByOthers()
}

/** Puts tokens from an open tab of the same person in the place of this tab's. What the tab has open goes on. */
async function renewByOthers(): Promise<void> {
  const session = readSession()
  if (session.role === 'anonymous') return
  const given = await askOpenTabs({ roles: [session.role], email: personOf(session)?.email })
  if (given) replaceTokens(session, given.answer)
}

/** Takes a sign-in over from an open tab. False when none has one to give. */
async function takeOver(wanted: Wanted): Promise<boolean> {
  const given = await askOpenTabs(wanted)
  if (given) start(given.role, given.answer)
  return given !== undefined
}

/** Asks the open tabs for a sign-in. Undefined when none has one to give, and where the browser refuses locks. */
async function askOpenTabs(wanted: Wanted): Promise<Given> {
  const { held = [] } = await navigator.locks.query().catch(() => ({ held: [] }))
  const own = lockPrefix + (release ? tabId() : '')
  const hasOthers = held.some(({ name }) => name?.startsWith(lockPrefix) && name !== own)
  if (!hasOthers) return undefined
  const isThere = (role: Role) =>
    held.filter(({ name }) => name === roleLockPrefix + role).length > (role === roleLock?.role ? 1 : 0)
  return ask(wanted, wanted.roles.find(isThere))
}

function start(role: Role, answer: Answer): void {
  if (role === 'client') startClientSession(answer)
  if (role === 'therapist') startTherapistSession(answer)
  if (role === 'admin') startAdminSession(answer)
}

/**
 * Signs in on a device that stays signed in. Of tabs that open at once, one after the other.
 * @throws where one before it takes too long, such as a tab that was frozen meanwhile
 */
async function resume(roles: Role[]): Promise<void> {
  const isWanted = (role: StayingRole) => roles.includes(role)
  if (!stayingRoles().some(isWanted)) return
  const signal = AbortSignal.timeout(2 * patience.signIn)
  await navigator.locks.request('hearth-resume', { signal }, async () => {
    if (await takeOver({ roles })) return
    for (const role of stayingRoles().filter(isWanted)) {
      const answer = await callApi(`POST /${role}/resume`, { timeout: patience.signIn })
      if (answer) return start(role, answer as Answer)
      keepStaying(role, false)
    }
  })
}

/** Asks for the first of the wanted roles that a tab has to give. `expected` is that role as the locks show it. */
async function ask(wanted: Wanted, expected: Role | undefined): Promise<Given> {
  const name = `hearth-hand-over:${randomId()}`
  const channel = openChannel(name)
  if (!channel) return undefined
  const { promise, resolve } = Promise.withResolvers<Given>()
  let best: { tab: string; role: Role } | undefined
  let isChosen = false
  let timer: ReturnType<typeof setTimeout>
  const choose = () => {
    if (isChosen) return
    clearTimeout(timer)
    if (!best) return resolve(undefined)
    isChosen = true
    post(channel, { type: 'chosen', tab: best.tab })
    timer = setTimeout(() => resolve(undefined), patience.signIn)
  }
  timer = setTimeout(choose, expected ? patience.ofRole : patience.others)
  channel.onmessage = ({ data }: MessageEvent<Reply>) => {
    if (data.type === 'here') {
      const rank = (role: Role) => wanted.roles.indexOf(role)
      if (!best || rank(data.role) < rank(best.role)) best = data
      if (rank(data.role) <= (expected ? rank(expected) : 0)) choose()
    }
    if (data.type === 'none') resolve(undefined)
    if (data.type === 'sign-in') resolve({ role: data.role, answer: data.answer })
  }
  say({ type: 'ask', wanted, reply: name })
  const given = await promise
  clearTimeout(timer)
  channel.close()
  return given
}

/** Replies to another tab that this one is open and, when chosen, sends it a sign-in from the server. */
function give(wanted: Wanted, reply: string): void {
  const session = readSession()
  if (session.role === 'anonymous' || !wanted.roles.includes(session.role)) return
  if (wanted.email && wanted.email !== personOf(session)?.email) return
  const { role } = session
  const tab = tabId()
  const channel = openChannel(reply)
  if (!channel) return
  const answer = (message: Reply) => {
    post(channel, message)
    channel.close()
  }
  const timer = setTimeout(() => channel.close(), patience.signIn)
  channel.onmessage = ({ data }: MessageEvent<Reply>) => {
    if (data.type !== 'chosen') return
    clearTimeout(timer)
    if (data.tab !== tab) return channel.close()
    handOver(readSession()).then(
      (given) => answer({ type: 'sign-in', role, answer: given }),
      () => answer({ type: 'none' }),
    )
  }
  post(channel, { type: 'here', tab, role })
}

async function handOver(session: ReturnType<typeof readSession>): Promise<Answer> {
  if (session.role === 'anonymous') throw new Error('Signed out.')
  const options = { body: { refresh_token: session.refreshToken }, timeout: patience.signIn }
  return (await callApi(`POST /${session.role}/hand-over`, options)) as Answer
}

/** What a copied tab does before it renews anything: it has the server sign it in for itself. */
async function signInByCopy(copied: SignedIn): Promise<void> {
  try {
    replaceTokens(copied, await handOver(copied))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Refused, its sign-in has ended. Otherwise it goes on with the copied tokens, as any tab without a network does.
    sharesTokens = error.status !== 401
  }
}

/** Keeps tokens of this tab's own in the place of copied or ended ones. Another person may have signed in here meanwhile. */
function replaceTokens(before: SignedIn, own: Answer): void {
  const current = readSession()
  if (current.role === before.role && current.refreshToken === before.refreshToken) renewTokens(own)
}

/** Holds the lock of this tab's role, beside other tabs of it, and releases that of the role before. */
function holdRole(): void {
  const { role } = readSession()
  if (role === roleLock?.role) return
  roleLock?.release()
  roleLock = undefined
  if (role === 'anonymous') return
  const { promise, resolve } = Promise.withResolvers<void>()
  roleLock = { role, release: resolve }
  // Refused where the reader's settings forbid storage.
  navigator.locks.request(roleLockPrefix + role, { mode: 'shared' }, () => promise).catch(() => undefined)
}

/** Joins the channel of tabs while this tab is signed in, and leaves it at sign-out. */
async function follow(): Promise<void> {
  const isSignedIn = readSession().role !== 'anonymous'
  if (isSignedIn && !release) {
    if (!(await hold(tabId()))) await hold(tabId('new'))
  }
  if (!isSignedIn && release) {
    release()
    release = undefined
    everybody?.close()
    everybody = undefined
  }
}

/**
 * Keeps this tab's lock for as long as it is open and signed in. False when another tab has it. A browser that refuses locks
 * leaves each tab on its own.
 */
async function hold(id: string): Promise<boolean> {
  if (release) return true
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  const isFree = await new Promise<boolean>((answer) => {
    const asked = navigator.locks.request(lockPrefix + id, { ifAvailable: true }, (lock) => {
      answer(lock !== null)
      return lock && promise
    })
    asked.catch(() => answer(true))
  })
  if (!isFree) {
    release = undefined
    return false
  }
  everybody ??= listen()
  return true
}

function listen(): BroadcastChannel | undefined {
  const channel = openChannel(tabsChannel)
  if (!channel) return undefined
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.type === 'ask') return give(data.wanted, data.reply)
    const session = readSession()
    const { role, email } = data.type === 'renamed' ? data.of : data
    if (session.role !== role || personOf(session)?.email !== email) return
    if (data.type === 'renamed') return renewPerson(data.person)
    forgetTabTexts()
    endSession()
    window.location.assign('/')
  }
  return channel
}

/** Posts to the other tabs. A channel does not receive its own messages. */
function say(said: Said): void {
  if (everybody) return post(everybody, said)
  const channel = openChannel(tabsChannel)
  if (!channel) return
  post(channel, said)
  channel.close()
}

/** Undefined where there are no channels, and where the reader's settings forbid them with the rest of storage. */
function openChannel(name: string): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

function post(channel: BroadcastChannel, message: Said | Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel.postMessage(message)
}

/** A name for this tab that a reload keeps; a copy of the tab starts with the same one. */
function tabId(which: 'kept' | 'new' = 'kept'): string {
  try {
    const kept = which === 'kept' ? sessionStorage.getItem(tabKey) : null
    const id = kept ?? randomId()
    if (!kept) sessionStorage.setItem(tabKey, id)
    return id
  } catch {
    return 'without storage'
  }
}
