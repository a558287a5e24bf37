import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, notFound, type ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Mails } from '../mails/mails.service.ts'
import { confirmationMailsFromAddress, confirmationMailsToAccount } from './accounts.limits.ts'
import { confirmationMail } from './accounts.mails.ts'
import { aboutAccount, accountPage, lifetimes, withToken } from './accounts.rules.ts'
import * as store from './accounts.store.ts'
import * as mailTokens from './mail-tokens.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'limits' | 'publicUrl'> & {
  mails: Mails
  mailToken(tx: Tx, accountId: string, link: mailTokens.MailedLink): Promise<string>
}

/**
 * Confirms the email address that an account was registered with. The link proves that the mailbox is read; the sign-in
 * proves that its reader is the account's holder. Neither suffices alone: a visitor can register with another person's
 * address, and mail programs open links.
 */
export function createConfirmation(deps: Dependencies) {
  const { db, clock, mails, limits, publicUrl, mailToken } = deps

  mails.template('account.confirmation', {
    isUrgent: true,
    deleteAfter: lifetimes.mail,
    async load(tx, { account_id }) {
      const account = account_id === null ? undefined : await store.findAccount(tx, account_id)
      if (!account || account.email_verified_at) return 'obsolete'
      return confirmationMail(account.email, account.first_name, await confirmUrl(tx, account))
    },
  })

  return {
    /** Mails the link again. @throws 409 `already_confirmed`; 429 with Retry-After */
    async resendVerification(caller: SignedIn, address: string): Promise<'success'> {
      const account = await store.findAccount(db, caller.accountId)
      if (!account) throw notFound('This account')
      if (account.email_verified_at) throw fail('already_confirmed', 'Your email is already confirmed.')
      await limits.use(confirmationMailsFromAddress, address)
      await limits.use(confirmationMailsToAccount, account.id)
      const about = aboutAccount(account.id)
      await inTransaction(db, (tx) =>
        mails.enqueue(tx, {
          template: 'account.confirmation',
          about,
          recipient: 'holder',
          accountId: account.id,
        }),
      )
      return 'success'
    },

    /** @throws 403 `other_account`, with the link unused; 422 `invalid_token` */
    async verifyEmail(caller: SignedIn, token: string): Promise<{ success: true }> {
      return inTransaction(db, async (tx) => {
        const now = clock.now()
        const account = await store.lockAccount(tx, caller.accountId, 'update')
        const used = await mailTokens.useMailToken(tx, hashSecret(token), 'verify_email', now)
        if (!used || !account) throw deadLink()
        if (used.account_id !== account.id) throw otherAccount()
        if (used.email !== null && used.email !== account.email) throw deadLink()
        await store.setEmailVerified(tx, account.id, now)
        return { success: true as const }
      })
    },

    confirmUrl,
  }

  /** A new link for the present address of an account; those mailed before no longer work. */
  async function confirmUrl(tx: Tx, account: { id: string; role: string; email: string }): Promise<string> {
    const token = await mailToken(tx, account.id, { purpose: 'verify_email', email: account.email })
    return withToken(accountPage(publicUrl, account.role, 'verify-email'), token)
  }
}

const deadLink = () => fail('invalid_token', 'This link has expired or has already been used.')

/** For a link that was mailed for another account than the caller's. Thrown in the transaction, it leaves the link unused. */
export function otherAccount(): ProductError {
  return fail(
    'other_account',
    'This link belongs to another account. Log in to the account the email is about, then open the link again.',
  )
}
