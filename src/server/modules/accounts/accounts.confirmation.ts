import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, notFound, type ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Mailer } from '../../integrations/mail/port.ts'
import { accountsConfirmationMailJob } from './accounts.jobs.ts'
import { confirmationMailsFromAddress, confirmationMailsToAccount } from './accounts.limits.ts'
import { confirmationMail } from './accounts.mails.ts'
import { accountPage, withToken } from './accounts.rules.ts'
import * as store from './accounts.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'limits'> & {
  mailer: Mailer
  publicUrl: string
  mailToken(accountId: string, link: store.MailedLink): Promise<string>
}

/**
 * Confirms the email address that an account was registered with. The link proves that the mailbox is read; the sign-in
 * proves that its reader is the account's holder. Neither suffices alone: a visitor can register with another person's
 * address, and mail programs open links.
 */
export function createConfirmation(deps: Dependencies) {
  const { db, clock, queue, limits, mailer, publicUrl, mailToken } = deps

  return {
    /** Mails the link again. @throws 409 `already_confirmed`; 429 with Retry-After */
    async resendVerification(caller: SignedIn, address: string): Promise<'success'> {
      const account = await store.findAccount(db, caller.accountId)
      if (!account) throw notFound('This account')
      if (account.email_verified_at) throw fail('already_confirmed', 'Your email is confirmed already.')
      await limits.use(confirmationMailsFromAddress, address)
      await limits.use(confirmationMailsToAccount, account.id)
      await queue.enqueue(db, accountsConfirmationMailJob, { account_id: account.id })
      return 'success'
    },

    /** Sends the link, unless the address has been confirmed since. */
    async sendConfirmationMail(accountId: string): Promise<void> {
      const account = await store.findAccount(db, accountId)
      if (!account || account.email_verified_at) return
      await mailer.send(confirmationMail(account.email, account.first_name, await confirmUrl(account)))
    },

    /** @throws 403 `other_account`, with the link unused; 422 `invalid_token` */
    async verifyEmail(caller: SignedIn, token: string): Promise<{ success: true }> {
      return inTransaction(db, async (tx) => {
        const now = clock.now()
        const account = await store.lockAccount(tx, caller.accountId, 'update')
        const used = await store.useMailToken(tx, hashSecret(token), 'verify_email', now)
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
  async function confirmUrl(account: { id: string; role: string; email: string }): Promise<string> {
    const token = await mailToken(account.id, { purpose: 'verify_email', email: account.email })
    return withToken(accountPage(publicUrl, account.role, 'verify-email'), token)
  }
}

const deadLink = () => fail('invalid_token', 'This link has expired or was used already.')

/** For a link that was mailed for another account than the caller's. Thrown in the transaction, it leaves the link unused. */
export function otherAccount(): ProductError {
  return fail(
    'other_account',
    'This link belongs to another account. Log in to the account that the mail is about, then open the link again.',
  )
}
