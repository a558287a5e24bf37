import type { z } from 'zod'
import type { AuthAnswer, TokenPair } from '#contract/accounts/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import { later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Limit } from '../../http/limits.ts'
import { fail, invalidField } from '../../errors.ts'
import type { Origin, SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Devices } from './accounts.devices.ts'
import type { Known } from './accounts.known.ts'
import {
  confirmationsOfAccount,
  handOversFromAddress,
  signInFailuresAtKnownAddress,
  signInFailuresFromAddress,
  signInFailuresInKnownBrowser,
  signInFailuresOfAccount,
  signInsOfAccount,
} from './accounts.limits.ts'
import { judgeRefresh, lifetimes, type MailedRole } from './accounts.rules.ts'
import * as store from './accounts.store.ts'
import type { Passwords } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'events' | 'secrets'> & {
  known: Known
  devices: Devices
  passwords: Passwords
  /** Limits how often a sign-in session gets new tokens: each time leaves two rows. */
  refreshes: { use(loginSessionId: string): void }
}

/** The limit that counts a failed sign-in. A success clears the count, except where it `isShared`. */
type Budget = { limit: Limit; subject: string; isShared?: true }

export type SignIn = ReturnType<typeof createSignIn>

/** Checks passwords within the limit on failed sign-ins, and creates, refreshes and ends sign-in sessions. */
export function createSignIn(deps: Dependencies) {
  const { db, clock, random, limits, events, secrets, known, devices, passwords, refreshes } = deps

  return {
    /**
     * `further` looks at what else the account asks for: what it throws counts as no failure, `wrong` as one. `recheck`
     * throws where that has changed by the time the sign-in is written down.
     * @throws 401 `invalid_credentials`, the same for a wrong password and for no account; 409 `conflict` when all sign-ins
     * of the account were ended meanwhile; 422 `wrong_code`; 429 after too many
     */
    async logIn(
      role: Role,
      email: string,
      password: string,
      from: Origin,
      {
        further = async () => 'right',
        recheck = async () => undefined,
      }: {
        further?: (account: store.Account) => Promise<'right' | 'wrong'>
        recheck?: (tx: Tx, account: store.Account) => Promise<void>
      } = {},
    ): Promise<AuthAnswer> {
      const folded = email.trim().toLowerCase()
      let isCodeWrong = false
      const budgets = await budgetsOf(role, folded, from)
      const account = await attempt(budgets, async () => {
        const found = await store.findByEmail(db, role, folded)
        if (!(await passwords.verify(found?.password_hash, password)) || !found) return undefined
        isCodeWrong = (await further(found)) === 'wrong'
        return isCodeWrong ? undefined : found
      })
      if (isCodeWrong) throw wrongCode('totp')
      if (!account) throw wrongCredentials()
      await limits.use(signInsOfAccount, account.id)
      return inTransaction(db, async (tx) => {
        // Hashing takes a while: check under the lock that neither the password has changed nor all sign-ins were ended.
        const current = await store.lockAccount(tx, account.id, 'share')
        if (current?.password_hash !== account.password_hash) throw wrongCredentials()
        if (current.session_epoch !== account.session_epoch) throw endedMeanwhile()
        await recheck(tx, account)
        return signIn(tx, account, from)
      })
    },

    /**
     * Returns the caller's account if the password is right. Wrong passwords count apart from failed sign-ins, so that
     * a stranger who guesses there does not block the caller. The transaction that follows calls `lockChecked`.
     * @throws 422 `wrong_password` under `current_password`, for an account without one too; 429
     */
    async requirePassword(caller: SignedIn, password: string): Promise<store.Account> {
      const account = await store.findAccount(db, caller.accountId)
      if (!account) throw fail('unauthenticated', 'This account has been deleted.')
      const right = await attempt([confirming(account)], async () =>
        (await passwords.verify(account.password_hash, password)) ? account : undefined,
      )
      if (!right) throw account.password_hash === null ? noPassword() : wrongPassword()
      return right
    },

    /**
     * Locks an account whose password was checked. Hashing takes a while: a holder who has set another password meanwhile
     * must not be overtaken by a caller who knew the one before. @throws as `requirePassword`
     */
    async lockChecked(tx: Tx, account: store.Account): Promise<void> {
      const current = await store.lockAccount(tx, account.id, 'update')
      if (current?.password_hash !== account.password_hash) throw wrongPassword()
    },

    /**
     * Exchanges a refresh token for a new pair. One that is sent again within 30 seconds, or whose answer was lost, returns
     * the same successor. Another that was spent counts as stolen, and ends all tabs of its browser. @throws 401; 429
     */
    async refresh(role: Role, refreshToken: string, from: Origin): Promise<z.infer<typeof TokenPair>> {
      const pair = await inTransaction(db, async (tx) => {
        const now = clock.now()
        const token = await usable(tx, role, refreshToken, from)
        if (!token) return undefined
        const id = token.login_session_id
        refreshes.use(id)
        await store.noteUse(tx, id, now)
        const present = token.spent_at ? await successorOf(tx, id, refreshToken) : undefined
        if (present) return { token: await issueAccess(tx, id), refresh_token: present }
        const spentAt = token.spent_at ?? now
        await store.spendRefreshToken(tx, hashSecret(refreshToken), spentAt, isKnown(token, from))
        const next = secrets.digest('refresh token', id, refreshToken).toString('base64url')
        return issueTokens(tx, { id, role }, { refreshToken: next })
      })
      if (!pair) throw ended()
      return pair
    },

    /**
     * Signs in another tab of the same browser by the refresh token of an open tab, which keeps its token. The new
     * sign-in session joins the same family, has the same rights and expires no later. A family holds 50 at most: the
     * one that was used longest ago ends. @throws 401; 429
     */
    async handOver(role: Role, refreshToken: string, from: Origin): Promise<AuthAnswer> {
      await limits.use(handOversFromAddress, from.address)
      const answer = await inTransaction(db, async (tx) => {
        const now = clock.now()
        const token = await usable(tx, role, refreshToken, from)
        const account = token && (await store.lockAccount(tx, token.account_id, 'share'))
        // Every use case that ends sign-in sessions locks the account first. Check again under the lock.
        if (!account || !(await store.isSignedIn(tx, token.login_session_id, account.id))) return undefined
        const family_id = token.family_id ?? token.login_session_id
        const id = await beginSession(tx, account, from, { family_id })
        await store.endOldOfFamily(tx, { id, accountId: account.id }, { now, limit: familySize })
        return answerFor(account, await issueTokens(tx, { id, role }, { expiresAt: token.expires_at }))
      })
      if (!answer) throw ended()
      return answer
    },

    /**
     * Signs in a new tab of a browser that stays signed in, by the token in its cookie, which is exchanged. A token that
     * was spent earlier counts as stolen, and ends the sign-in sessions of the browser. Null without a good token: the
     * browser then forgets it. @throws 429
     */
    async resume(role: MailedRole, from: Origin): Promise<AuthAnswer | null> {
      if (from.browser.deviceToken === undefined) return null
      await limits.use(handOversFromAddress, from.address)
      const outcome = await inTransaction(db, async (tx) => {
        const holder = await devices.holder(tx, role, from)
        const account = holder === undefined ? undefined : await store.lockAccount(tx, holder, 'share')
        const device = account && (await devices.exchange(tx, role, from))
        if (!account || !device) return undefined
        const { familyId: family_id, isStolen } = device
        if (isStolen) return { stolenFrom: { familyId: family_id, accountId: account.id } }
        const id = await beginSession(tx, account, from, { family_id })
        const now = clock.now()
        await store.endOldOfFamily(tx, { id, accountId: account.id }, { now, limit: familySize })
        return { answer: answerFor(account, await issueTokens(tx, { id, role })) }
      })
      if (outcome?.answer) return outcome.answer
      if (outcome?.stolenFrom) {
        const { familyId, accountId } = outcome.stolenFrom
        await inTransaction(db, (tx) => endFamily(tx, { id: familyId, accountId }))
      }
      from.browser.keepDevice(role, undefined)
      return null
    },

    signIn,
    endFamily,

    /**
     * Checks a code of a signed-in account, or of an account that resets its password by a link. A wrong code counts
     * against the same limit as a wrong current password.
     * @throws 422 `wrong_code` under the field; 429
     */
    async requireCode(
      account: Pick<store.Account, 'id'>,
      field: 'totp' | 'code',
      judge: () => Promise<boolean>,
    ): Promise<void> {
      const isRight = await attempt([confirming(account)], async () => (await judge()) || undefined)
      if (!isRight) throw wrongCode(field)
    },

    /** Clears the counts of sign-ins and of wrong passwords of an account. */
    async forgiveFailures(account: { id: string; role: Role; email: string }): Promise<void> {
      await limits.clear(signInsOfAccount, account.id)
      await limits.clear(signInFailuresOfAccount, subjectOf(account))
      await limits.clear(confirmationsOfAccount, account.id)
      for (const subject of await known.subjectsOf(account.id)) {
        await limits.clear(signInFailuresAtKnownAddress, subject)
      }
    },
  }

  /**
   * The limits that a failed sign-in counts against. Known browsers and addresses of the account have their own. The
   * lookup takes equally long for a missing account.
   */
  async function budgetsOf(role: Role, email: string, from: Origin): Promise<Budget[]> {
    const account = await store.findByEmail(db, role, email)
    const mark = known.markOf(account, from)
    const atAddress = await known.addressOf(account, from)
    if (account && mark) {
      return [{ limit: signInFailuresInKnownBrowser, subject: `${account.id} ${mark}` }]
    }
    return [
      { limit: signInFailuresFromAddress, subject: from.address, isShared: true },
      atAddress
        ? { limit: signInFailuresAtKnownAddress, subject: atAddress }
        : { limit: signInFailuresOfAccount, subject: subjectOf({ role, email }) },
    ]
  }

  /**
   * Checks a password. Counts each try before the check, so that concurrent guesses, on any number of instances, never
   * exceed the limit.
   */
  async function attempt<T>(budgets: Budget[], judge: () => Promise<T | undefined>): Promise<T | undefined> {
    const taken: { budget: Budget; hit: Awaited<ReturnType<Deps['limits']['take']>> }[] = []
    try {
      for (const budget of budgets) {
        taken.push({ budget, hit: await limits.take(budget.limit, budget.subject) })
      }
      const judged = await judge()
      const end = ({ budget, hit }: (typeof taken)[number]) => {
        if (judged === undefined) return hit.keep()
        return budget.isShared ? hit.giveBack() : hit.forgive()
      }
      await Promise.all(taken.map(end))
      return judged
    } catch (error) {
      await Promise.all(taken.map(({ hit }) => hit.giveBack()))
      throw error
    }
  }

  async function signIn(
    tx: Tx,
    account: Pick<store.Account, 'id' | 'role' | 'email' | 'first_name' | 'last_name' | 'password_hash'>,
    from: Origin,
  ): Promise<AuthAnswer> {
    const id = await beginSession(tx, account, from)
    await known.noteAddress(tx, account, from)
    const { role } = account
    if (role !== 'admin') await devices.begin(tx, { accountId: account.id, role, familyId: id }, from)
    afterCommit(tx, () => known.mark(account, from))
    return answerFor(account, await issueTokens(tx, { id, role }))
  }

  async function beginSession(
    tx: Tx,
    account: { id: string },
    from: Origin,
    family: { family_id?: string } = {},
  ): Promise<string> {
    const now = clock.now()
    const id = random.uuid(now)
    const session = { id, account_id: account.id, device: from.device, created_at: now, last_used_at: now }
    await store.insertLoginSession(tx, { ...session, ...family })
    return id
  }

  /** A refresh token that may be used now, locked. One that was spent too long ago ends its family. */
  async function usable(tx: Tx, role: Role, refreshToken: string, from: Origin) {
    const token = await store.lockRefreshToken(tx, hashSecret(refreshToken))
    const found = token?.role === role ? token : undefined
    const verdict = judgeRefresh(found, clock.now())
    if (!found || verdict === 'refuse') return undefined
    if (verdict === 'reuse' && !(await isAnswerLost(tx, found, refreshToken, from))) {
      await endFamily(tx, { id: found.login_session_id, accountId: found.account_id })
      return undefined
    }
    return found
  }

  function isKnown({ account_id: id, password_hash }: store.RefreshRow, from: Origin): boolean {
    return known.markOf({ id, password_hash }, from) !== undefined
  }

  /** Whether a spent token's successor was never used, and both calls came from a known browser. Not for the back office. */
  async function isAnswerLost(tx: Tx, row: store.RefreshRow, spent: string, from: Origin): Promise<boolean> {
    if (row.role === 'admin' || !row.spent_in_known_browser || !isKnown(row, from)) return false
    const next = await store.lockOneRefreshToken(tx, derivedFrom(row.login_session_id, spent).map(hashSecret))
    return next?.spent_at === null
  }

  /** Ends a sign-in with those of the other tabs of its browser. */
  async function endFamily(tx: Tx, session: { id: string; accountId: string }): Promise<void> {
    await store.lockAccount(tx, session.accountId, 'update')
    await store.endFamily(tx, session, clock.now())
    await events.announce(tx, 'sign-in.ended', { accountId: session.accountId })
  }

  /**
   * The refresh token that a spent one has led to and that can still be spent. Each is derived from the one before it by
   * a key of the server, so that none of them is kept. Undefined if an older release spent it: its successor was random.
   */
  async function successorOf(tx: Tx, loginSessionId: string, spent: string): Promise<string | undefined> {
    let last = spent
    for (let hop = 0; hop < maxHops; hop++) {
      const derived = derivedFrom(loginSessionId, last)
      const row = await store.lockOneRefreshToken(tx, derived.map(hashSecret))
      const next = row && derived.find((each) => hashSecret(each).equals(row.hash))
      if (!next) return undefined
      if (!row.spent_at) return next
      last = next
    }
    throw ended()
  }

  function derivedFrom(id: string, token: string): string[] {
    return secrets.digests('refresh token', id, token).map((digest) => digest.toString('base64url'))
  }

  async function issueAccess(tx: Tx, loginSessionId: string): Promise<string> {
    const token = random.secret()
    const expiresAt = later(clock.now(), lifetimes.accessToken)
    const access = { hash: hashSecret(token), expires_at: expiresAt }
    await store.insertTokens(tx, { login_session_id: loginSessionId, access })
    return token
  }

  async function issueTokens(
    tx: Tx,
    { id, role }: { id: string; role: Role },
    {
      refreshToken = random.secret(),
      expiresAt = later(clock.now(), lifetimes[role === 'admin' ? 'adminRefreshToken' : 'refreshToken']),
    }: { refreshToken?: string; expiresAt?: Date } = {},
  ): Promise<z.infer<typeof TokenPair>> {
    const token = random.secret()
    await store.insertTokens(tx, {
      login_session_id: id,
      access: { hash: hashSecret(token), expires_at: later(clock.now(), lifetimes.accessToken) },
      refresh: { hash: hashSecret(refreshToken), expires_at: expiresAt },
    })
    return { token, refresh_token: refreshToken }
  }
}

/** Open tabs of one browser, and those of late that were closed without signing out. */
const familySize = 50

/** Most successors of a spent token that are followed: more than a browser derives within 30 seconds. */
const maxHops = 50

const answerFor = (
  { first_name, last_name, email }: Pick<store.Account, 'first_name' | 'last_name' | 'email'>,
  tokens: z.infer<typeof TokenPair>,
): AuthAnswer => ({ ...tokens, user: { first_name, last_name, email } })

const ended = () => fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')

const wrongCredentials = () => fail('invalid_credentials', 'The email or the password is not right.')

const wrongPassword = () =>
  invalidField('current_password', 'Check your password and try again.', 'wrong_password')

/** For people who have only ever signed in through a provider. */
const noPassword = () =>
  invalidField(
    'current_password',
    'You have not chosen a password yet. We can send you a link to choose one.',
    'wrong_password',
  )

const endedMeanwhile = () =>
  fail('conflict', 'You were signed out everywhere a moment ago. Please log in again.')

const wrongCode = (field: 'totp' | 'code') =>
  invalidField(
    field,
    'This code is not right, or has already been used. Wait for the next one and try again.',
    'wrong_code',
  )

/** The limit that counts wrong passwords and codes of an account that confirms an action. */
const confirming = ({ id }: { id: string }): Budget => ({ limit: confirmationsOfAccount, subject: id })

/** The key that counts failed sign-ins from unknown browsers and addresses. */
function subjectOf({ role, email }: { role: string; email: string }): string {
  return `${role} ${email.toLowerCase()}`
}
