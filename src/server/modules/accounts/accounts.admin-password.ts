import type { z } from 'zod'
import type { AdminPasswordReset } from '#contract/accounts/second-factor.ts'
import { later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField } from '../../errors.ts'
import type { Origin } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Known } from './accounts.known.ts'
import { refuseCommon } from './accounts.settings.ts'
import { lifetimes } from './accounts.rules.ts'
import type { SecondFactor } from './accounts.second-factor.ts'
import type { SignIn } from './accounts.sign-in.ts'
import * as store from './accounts.store.ts'
import { removePassword } from './identity.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import type { Passwords } from './passwords.ts'
import * as factors from './second-factor.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'events'> & {
  notePasswordChanged(tx: Tx, accountId: string): Promise<void>
  signIns: SignIn
  known: Known
  secondFactor: SecondFactor
  passwords: Passwords
}

/** Links that lead an admin to a new password: the one of the mail, and the one that the operator makes. */
const purposes = ['password_reset', 'operator_reset'] as const

/** An admin's forgotten password. */
export function createAdminPassword({
  db,
  clock,
  events,
  notePasswordChanged,
  signIns,
  known,
  secondFactor,
  passwords,
}: Dependencies) {
  return {
    /**
     * Sets a new password by a link, ends every sign-in and lifts the limits on failed ones. The link of a mail works
     * with a code of the second factor alone; that of the operator also for an admin who has none.
     * @throws 422 `invalid_token`; 422 `wrong_code` under `totp`, the link stays good; 429
     */
    async resetAdminPassword(
      body: z.infer<typeof AdminPasswordReset>,
      from: Origin,
    ): Promise<{ success: true }> {
      refuseCommon(body.password, 'password')
      const hash = hashSecret(body.token)
      const link = await mailTokens.findMailToken(db, hash, purposes, clock.now())
      const found = link && (await store.findAccount(db, link.account_id))
      if (!link || found?.role !== 'admin') throw deadLink()
      const isOn = await secondFactor.isOn(found.id)
      if (!isOn && link.purpose !== 'operator_reset') throw deadLink()
      if (isOn) {
        const { totp } = body
        if (!totp)
          throw invalidField(
            'totp',
            'Enter the six digits that your app shows, or a recovery code.',
            'wrong_code',
          )
        await signIns.requireCode(
          found,
          'totp',
          async () => (await secondFactor.judge(found, totp)) === 'right',
        )
      }
      const password = await passwords.hash(body.password)
      await inTransaction(db, async (tx) => {
        const now = clock.now()
        const account = await store.lockAccount(tx, found.id, 'update')
        const used = await mailTokens.useMailToken(tx, hash, link.purpose, now)
        // Another window has just set up a second factor, whose code this request does not have.
        if (!account || !used || isOn !== (await secondFactor.isOn(found.id, tx))) throw deadLink()
        await store.setPassword(tx, account.id, password)
        await store.endLoginSessionsOf(tx, account.id, now)
        await mailTokens.deleteMailTokens(tx, account.id, [...purposes])
        await events.announce(tx, 'sign-in.ended', { accountId: account.id })
        await known.noteAddress(tx, account, from)
        await notePasswordChanged(tx, account.id)
        await events.announce(tx, 'admin.acted', {
          accountId: account.id,
          action: 'reset password',
          subject: 'own sign-in',
        })
        afterCommit(tx, () => known.mark({ ...account, password_hash: password }, from))
      })
      await signIns.forgiveFailures(found)
      return { success: true }
    },
  }
}

type ResetDependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'events'>

/** The actor of a command that the operator runs on the server. */
const operator = 'operator on the server'

/**
 * Creates a link for a new password, for an admin who cannot use a mailed one, removes the old password and ends all
 * their sign-in sessions. The link works once, for an hour. Returns undefined if there is no such admin.
 */
export async function makeOperatorReset(
  { db, clock, random, events }: ResetDependencies,
  { email, dropSecondFactor }: { email: string; dropSecondFactor: boolean },
): Promise<{ token: string; email: string; expiresAt: Date } | undefined> {
  const token = random.secret()
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    const found = await store.findByEmail(tx, 'admin', email)
    const account = found && (await store.lockAccount(tx, found.id, 'update'))
    if (!account) return undefined
    if (dropSecondFactor) await factors.removeFactor(tx, account.id)
    await removePassword(tx, account.id)
    await store.endLoginSessionsOf(tx, account.id, now)
    await mailTokens.deleteMailTokens(tx, account.id, [...purposes])
    const expiresAt = later(now, lifetimes.passwordReset)
    const link = { hash: hashSecret(token), account_id: account.id, purpose: 'operator_reset' as const }
    await mailTokens.replaceMailToken(tx, { ...link, expires_at: expiresAt })
    await events.announce(tx, 'sign-in.ended', { accountId: account.id })
    const action = dropSecondFactor ? 'make reset link without second factor' : 'make reset link'
    await events.announce(tx, 'admin.acted', { operator, action, subject: `sign-in of ${account.email}` })
    return { token, email: account.email, expiresAt }
  })
}

const deadLink = () =>
  fail('invalid_token', 'This link has expired or has already been used. Please ask for a new one.')
