import { days, later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { deviceLastsDays, type Origin } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import { judgeRefresh, type MailedRole } from './accounts.rules.ts'
import * as store from './device-tokens.store.ts'

type Dependencies = Pick<Deps, 'clock' | 'random' | 'secrets'>

/** After its last use. No longer than a refresh token: a browser that stays signed in is listed by its sign-ins. */
const lifetime = days(deviceLastsDays)

/** Most successors of a spent token that are followed: more than the tabs of a browser derive within 30 seconds. */
const maxHops = 50

export type Devices = ReturnType<typeof createDevices>

/**
 * Browsers that stay signed in. Each keeps a token in a cookie, which is exchanged for a new one at each use and starts a
 * sign-in session for a new tab. It belongs to the browser's family of sign-in sessions and ends with it.
 */
export function createDevices({ clock, random, secrets }: Dependencies) {
  /** The tokens that a spent one leads to, by every key that is held. */
  const successorsOf = (familyId: string, token: string) =>
    secrets.digests('device token', familyId, token).map((digest) => digest.toString('base64url'))

  /** The good token that a spent one has led to. */
  async function latest(tx: Tx, familyId: string, spent: string): Promise<string | undefined> {
    let last = spent
    for (let hop = 0; hop < maxHops; hop++) {
      const derived = successorsOf(familyId, last)
      const row = await store.lockDeviceToken(tx, derived.map(hashSecret))
      const next = row && derived.find((each) => hashSecret(each).equals(row.hash))
      if (!next) return undefined
      if (!row.spent_at) return next
      last = next
    }
    return undefined
  }

  return {
    /** A sign-in takes the place of the one that this browser kept: it stays signed in only if asked for again. */
    async begin(
      tx: Tx,
      { accountId, role, familyId }: { accountId: string; role: MailedRole; familyId: string },
      { browser }: Origin,
    ): Promise<void> {
      const former = browser.deviceToken
      if (former) await store.deleteDeviceOf(tx, hashSecret(former))
      const token = browser.stays ? random.secret() : undefined
      if (token) {
        const now = clock.now()
        await store.insertDeviceToken(tx, {
          hash: hashSecret(token),
          account_id: accountId,
          role,
          family_id: familyId,
          created_at: now,
          expires_at: later(now, lifetime),
        })
      }
      if (token || former) afterCommit(tx, () => browser.keepDevice(role, token))
    },

    /** Ends what keeps this browser signed in, by whichever account; the caller has it forget the token. Returns its family. */
    async end(tx: Tx, { browser }: Origin): Promise<{ familyId: string; accountId: string } | undefined> {
      if (!browser.deviceToken) return undefined
      const hash = hashSecret(browser.deviceToken)
      const row = await store.findDeviceToken(tx, hash)
      if (!row) return undefined
      await store.deleteDeviceOf(tx, hash)
      return { familyId: row.family_id, accountId: row.account_id }
    },

    /** Whose token this browser keeps, without a check. */
    async holder(tx: Tx, role: MailedRole, { browser }: Origin): Promise<string | undefined> {
      const row = browser.deviceToken && (await store.findDeviceToken(tx, hashSecret(browser.deviceToken)))
      return row && row.role === role ? row.account_id : undefined
    },

    /**
     * Exchanges the browser's token for its successor, which the browser keeps. A token that was spent within 30 seconds
     * leads to the same one. The caller has locked the account, so that no ending is overtaken. Returns the browser's
     * family; `isStolen` for a token that was spent earlier, with nothing changed.
     */
    async exchange(
      tx: Tx,
      role: MailedRole,
      { browser }: Origin,
    ): Promise<{ familyId: string; isStolen: boolean } | undefined> {
      const token = browser.deviceToken ?? ''
      const now = clock.now()
      const row = await store.lockDeviceToken(tx, [hashSecret(token)])
      const verdict = judgeRefresh(row && { ...row, ended_at: null }, now)
      if (!row || verdict === 'refuse') return undefined
      const familyId = row.family_id
      if (verdict === 'reuse') return { familyId, isStolen: true }
      let next: string | undefined
      if (verdict === 'repeat') next = await latest(tx, familyId, token)
      else {
        await store.spendDeviceToken(tx, hashSecret(token), now)
        next = secrets.digest('device token', familyId, token).toString('base64url')
        const { account_id, created_at } = row
        const expires_at = later(now, lifetime)
        const hash = hashSecret(next)
        await store.insertDeviceToken(tx, {
          hash,
          account_id,
          role,
          family_id: familyId,
          created_at,
          expires_at,
        })
      }
      if (!next) return undefined
      const kept = next
      afterCommit(tx, () => browser.keepDevice(role, kept))
      return { familyId, isStolen: false }
    },
  }
}
