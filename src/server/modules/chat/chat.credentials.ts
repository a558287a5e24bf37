import type { z } from 'zod'
import type { ChatSession } from '#contract/chat/chat.ts'
import { later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import { lifetimes } from './chat.rules.ts'
import * as store from './credentials.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random'> & {
  /** Limits how often an account gets a password: the token that it is exchanged for stays for hours. */
  mints: { use(accountId: string): void }
}

/** The holder of a chat token, and the token's expiry. */
export type ChatCaller = SignedIn & { tokenHash: Buffer; expiresAt: Date }

/**
 * Signs accounts in to the chat. A profile carries a single-use password, which is exchanged for a token of the chat
 * alone. Both end with the sign-in session that they came from.
 */
export function createCredentials({ db, clock, random, mints }: Dependencies) {
  const holders = async (hashes: Buffer[]): Promise<ChatCaller[]> => {
    const rows = hashes.length === 0 ? [] : await store.findTokens(db, hashes, clock.now())
    return rows.map((row) => ({
      role: row.role,
      accountId: row.account_id,
      loginSessionId: row.login_session_id,
      tokenHash: Buffer.from(row.hash),
      expiresAt: row.expires_at,
    }))
  }

  return {
    /** What the caller's profile carries. @throws 429 */
    async mint(caller: SignedIn): Promise<{ cc_id: string; cc_username: string; cc_password: string }> {
      mints.use(caller.accountId)
      const password = random.secret()
      await store.insertPassword(db, {
        hash: hashSecret(password),
        login_session_id: caller.loginSessionId,
        expires_at: later(clock.now(), lifetimes.password),
      })
      return { cc_id: caller.accountId, cc_username: caller.accountId, cc_password: password }
    },

    /** @throws 401 `invalid_credentials` for a wrong name or password; 403 for a suspended or closed practitioner */
    async openSession(body: {
      cc_username: string
      cc_password: string
    }): Promise<z.infer<typeof ChatSession>> {
      return inTransaction(db, async (tx) => {
        const now = clock.now()
        const taken = await store.takePassword(tx, hashSecret(body.cc_password), now)
        const holder = taken && (await store.findHolder(tx, taken.login_session_id))
        if (!taken || !holder || holder.account_id !== body.cc_username.toLowerCase()) {
          throw fail('invalid_credentials', 'This password of the chat has been used or has expired.')
        }
        if (!(await store.maySignIn(tx, taken.login_session_id))) {
          throw fail('suspended', 'Your profile is suspended or closed. You cannot write to clients.')
        }
        const token = random.secret()
        const expiresAt = later(now, lifetimes.token)
        const { login_session_id } = taken
        await store.insertToken(tx, { hash: hashSecret(token), login_session_id, expires_at: expiresAt })
        return { token, expires_at: expiresAt.toISOString() }
      })
    },

    /** Returns the holder of a chat token, or undefined if it is not valid. */
    async identify(token: string): Promise<ChatCaller | undefined> {
      return (await holders([hashSecret(token)]))[0]
    },

    /** Returns which of the token hashes are valid now, in hex. */
    async stillGood(hashes: Buffer[]): Promise<Set<string>> {
      return new Set((await holders(hashes)).map(({ tokenHash }) => tokenHash.toString('hex')))
    },

    /** Deletes expired passwords and tokens. */
    tidy: () => store.deleteOld(db, clock.now()),
  }
}
