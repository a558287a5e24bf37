import type { z } from 'zod'
import type { AuthAnswer, TokenPair } from '#contract/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import { later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField } from '../../errors.ts'
import type { Origin, SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import { judgeRefresh, lifetimes } from './accounts.rules.ts'
import * as store from './accounts.store.ts'
import { verifyPassword } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'events'>

export type SignIn = ReturnType<typeof createSignIn>

/** Checking passwords, within the limit on failed ones, and what a sign-in is made of. */
export function createSignIn({ db, clock, random, limits, events }: Dependencies) {
  return {
    /**
     * `further` looks at what else the account asks for: what it throws counts as no failure, `wrong` as one. `recheck`
     * throws where that has changed by the time the sign-in is written down.
     * @throws 401 `invalid_credentials`, the same for a wrong password and for no account; 422 `wrong_code`; 429 after
     * too many
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
      const account = await attempt(subjectOf({ role, email: folded }), from.address, async () => {
        const found = await store.findByEmail(db, role, folded)
        if (!(await verifyPassword(found?.password_hash, password)) || !found) return undefined
        isCodeWrong = (await further(found)) === 'wrong'
        return isCodeWrong ? undefined : found
      })
      if (isCodeWrong) throw wrongCode('totp')
      if (!account) throw wrongCredentials()
      return inTransaction(db, async (tx) => {
        // Judging takes a while: what ended every sign-in meanwhile ends this one as well.
        const current = await store.lockAccount(tx, account.id, 'share')
        if (current?.password_hash !== account.password_hash) throw wrongCredentials()
        await recheck(tx, account)
        return signIn(tx, account, from.device)
      })
    },

    /**
     * The caller's account, once they have given its password again. A wrong one counts as a failed sign-in.
     * @throws 422 `wrong_password` under `current_password`; 429
     */
    async requirePassword(caller: SignedIn, password: string, address: string): Promise<store.Account> {
      const account = await store.findAccount(db, caller.accountId)
      if (!account) throw fail('unauthenticated', 'This account has been deleted.')
      const right = await attempt(subjectOf(account), address, async () =>
        (await verifyPassword(account.password_hash, password)) ? account : undefined,
      )
      if (!right) {
        throw invalidField('current_password', 'Check your password and try again.', 'wrong_password')
      }
      return right
    },

    /**
     * Trades a refresh token for a new pair. One that was spent more than 30 seconds ago is taken for stolen and ends
     * the sign-in. @throws 401
     */
    async refresh(role: Role, refreshToken: string): Promise<z.infer<typeof TokenPair>> {
      const hash = hashSecret(refreshToken)
      const pair = await inTransaction(db, async (tx) => {
        const now = clock.now()
        const token = await store.lockRefreshToken(tx, hash)
        const known = token?.role === role ? token : undefined
        const verdict = judgeRefresh(known, now)
        if (!known || verdict === 'refuse') return undefined
        if (verdict === 'reuse') {
          await store.endLoginSession(tx, known.login_session_id, now)
          await events.announce(tx, 'sign-in.ended', { accountId: known.account_id })
          return undefined
        }
        if (verdict === 'rotate') await store.spendRefreshToken(tx, hash, now)
        await store.noteUse(tx, known.login_session_id, now)
        return issueTokens(tx, known.login_session_id)
      })
      if (!pair) throw fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
      return pair
    },

    signIn,

    /**
     * Judges a code of somebody who is signed in. A wrong one counts as a failed sign-in.
     * @throws 422 `wrong_code` under `code`; 429
     */
    async requireCode(account: store.Account, address: string, judge: () => Promise<boolean>): Promise<void> {
      const isRight = await attempt(subjectOf(account), address, async () => (await judge()) || undefined)
      if (!isRight) throw wrongCode('code')
    },

    /** Forgets that the password of an account was got wrong. */
    async forgiveFailures(account: { role: Role; email: string }): Promise<void> {
      await limits.clear('sign-in failures of an account', subjectOf(account))
    },
  }

  /**
   * Judges a password. Each try is counted before it is judged, so that guesses sent at once, to however many instances,
   * are never more than the limit.
   */
  async function attempt<T>(
    subject: string,
    address: string,
    judge: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const fromAddress = await limits.take('sign-in failures from an address', address)
    const atAccount = await limits
      .take('sign-in failures of an account', subject)
      .catch(async (error: unknown) => {
        await fromAddress.giveBack()
        throw error
      })
    try {
      const judged = await judge()
      if (judged === undefined) await Promise.all([atAccount.keep(), fromAddress.keep()])
      else await Promise.all([atAccount.forgive(), fromAddress.giveBack()])
      return judged
    } catch (error) {
      await Promise.all([atAccount.giveBack(), fromAddress.giveBack()])
      throw error
    }
  }

  async function signIn(
    tx: Tx,
    account: { id: string; email: string; first_name: string; last_name: string },
    device: string | null,
  ): Promise<AuthAnswer> {
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertLoginSession(tx, {
      id,
      account_id: account.id,
      device,
      created_at: now,
      last_used_at: now,
    })
    const { first_name, last_name, email } = account
    return { ...(await issueTokens(tx, id)), user: { first_name, last_name, email } }
  }

  async function issueTokens(tx: Tx, loginSessionId: string): Promise<z.infer<typeof TokenPair>> {
    const now = clock.now()
    const token = random.secret()
    const refreshToken = random.secret()
    await store.insertTokens(tx, {
      login_session_id: loginSessionId,
      access: { hash: hashSecret(token), expires_at: later(now, lifetimes.accessToken) },
      refresh: { hash: hashSecret(refreshToken), expires_at: later(now, lifetimes.refreshToken) },
    })
    return { token, refresh_token: refreshToken }
  }
}

const wrongCredentials = () =>
  fail('invalid_credentials', 'The email or the password is not right.', {
    errors: {
      email: ['Check your email and try again.'],
      password: ['Check your password and try again.'],
    },
  })

const wrongCode = (field: 'totp' | 'code') =>
  invalidField(
    field,
    'This code is not right, or was used already. Wait for the next one and try again.',
    'wrong_code',
  )

/** What failed sign-ins are counted by. */
function subjectOf({ role, email }: { role: string; email: string }): string {
  return `${role} ${email.toLowerCase()}`
}
