import type { z } from 'zod'
import type { PasswordReset } from '#contract/accounts/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import type { Origin } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Known } from './accounts.known.ts'
import { passwordMailsFromAddress, passwordMailsToAccount } from './accounts.limits.ts'
import { passwordMail } from './accounts.mails.ts'
import { aboutAccount, changeOfEmailMails, lifetimes, type MailedRole } from './accounts.rules.ts'
import type { SecondFactor } from './accounts.second-factor.ts'
import { refuseCommon } from './accounts.settings.ts'
import type { SignIn } from './accounts.sign-in.ts'
import * as store from './accounts.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import { addressee } from './addressee.ts'
import type { Passwords } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'limits' | 'events' | 'publicUrl'> & {
  mails: Mails
  passwords: Passwords
  signIns: SignIn
  known: Known
  secondFactor: SecondFactor
  mailToken(tx: Tx, accountId: string, link: mailTokens.MailedLink): Promise<string>
  notePasswordChanged(tx: Tx, accountId: string): Promise<void>
}

/** The mail for a forgotten password, and the new password set by its link. */
export function createPasswordReset(deps: Dependencies) {
  const { db, clock, mails, limits, events, publicUrl, passwords, signIns, known } = deps
  const { secondFactor, mailToken, notePasswordChanged } = deps

  /** Sent if there is an account; to an admin only with a second factor. */
  mails.template('account.password', {
    isUrgent: true,
    deleteAfter: lifetimes.mail,
    async load(tx, { account_id }) {
      const account = account_id === null ? undefined : await store.findAccount(tx, account_id)
      if (!account || (account.role === 'admin' && !(await secondFactor.isOn(account.id, tx))))
        return 'obsolete'
      const token = await mailToken(tx, account.id, { purpose: 'password_reset' })
      const path = `${account.role === 'client' ? '' : `/${account.role}`}/reset-password`
      const query = new URLSearchParams({ token, email: account.email })
      return passwordMail(addressee(account), `${publicUrl}${path}?${query.toString()}`)
    },
  })

  return {
    /** Queues the mail with the link. Does the same work whether or not there is such an account. */
    async forgotPassword(role: Role, email: string, address: string): Promise<'success'> {
      await limits.use(passwordMailsFromAddress, address)
      await limits.use(passwordMailsToAccount, `${role} ${email}`)
      const account = await store.findByEmail(db, role, email)
      await inTransaction(db, (tx) => notePassword(tx, account?.id ?? null))
      return 'success'
    },

    /**
     * Sets a new password by the mailed link, ends every sign-in session and clears the count of failed sign-ins. The
     * link also confirms the email address, and marks this browser as known to the account. A mail tells the holder.
     * @throws 422 `invalid_token`
     */
    async resetPassword(
      role: MailedRole,
      body: z.infer<typeof PasswordReset>,
      from: Origin,
    ): Promise<{ success: true }> {
      refuseCommon(body.password, 'password')
      const token = hashSecret(body.token)
      // Check the link before hashing the password, which is slow.
      if (!(await mailTokens.isMailTokenGood(db, token, 'password_reset', clock.now()))) throw deadLink()
      const hash = await passwords.hash(body.password)
      const account = await inTransaction(db, async (tx) => {
        const now = clock.now()
        const used = await mailTokens.useMailToken(tx, token, 'password_reset', now)
        const account = used && (await store.findAccount(tx, used.account_id))
        if (
          !account ||
          account.role !== role ||
          account.email.toLowerCase() !== body.email.trim().toLowerCase()
        ) {
          throw deadLink()
        }
        await store.setPassword(tx, account.id, hash)
        await store.setEmailVerified(tx, account.id, now)
        await store.endLoginSessionsOf(tx, account.id, now)
        await events.announce(tx, 'sign-in.ended', { accountId: account.id })
        if (!account.email_verified_at) {
          await events.announce(tx, 'account.reclaimed', { accountId: account.id })
        }
        // An intruder with the old password may have requested a change of email.
        // Its mail first: one that is being sent has its token made meanwhile.
        await mails.withdraw(tx, aboutAccount(account.id), changeOfEmailMails)
        await mailTokens.deleteMailTokens(tx, account.id, ['change_email'])
        await known.noteAddress(tx, account, from)
        await notePasswordChanged(tx, account.id)
        return account
      })
      await signIns.forgiveFailures(account)
      known.mark({ ...account, password_hash: hash }, from)
      return { success: true }
    },
  }

  /** Enqueues the link for a new password. Without an account the same work is done, and the mail is dropped. */
  function notePassword(tx: Db, accountId: string | null): Promise<void> {
    const about = aboutAccount(accountId ?? 'none')
    return mails.enqueue(tx, { template: 'account.password', about, recipient: 'holder', accountId })
  }
}

const deadLink = () =>
  fail('invalid_token', 'This link has expired or has already been used. Please ask for a new one.')
