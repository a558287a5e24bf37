import type { z } from 'zod'
import type { ClientProfile } from '#contract/accounts/accounts.ts'
import type {
  ChangeEmail,
  ChangePassword,
  LoginSession,
  PendingEmail,
} from '#contract/accounts/account-settings.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction, sqlState } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { Origin, SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { hashSecret } from '../../ids.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import { emailChangesFromAddress, emailChangesOfAccount } from './accounts.limits.ts'
import {
  accountDeletedMail,
  changeAskedMail,
  changeEmailMail,
  emailChangedMail,
  emailTakenMail,
  passwordChangedMail,
} from './accounts.mails.ts'
import { otherAccount } from './accounts.confirmation.ts'
import { aboutHealth, type Consents } from './accounts.consents.ts'
import type { Known } from './accounts.known.ts'
import { addressee } from './addressee.ts'
import {
  aboutAccount,
  accountPage,
  changeOfEmailMails,
  familiesOf,
  lifetimes,
  type SessionRow,
  splitName,
  withToken,
} from './accounts.rules.ts'
import type { SignIn } from './accounts.sign-in.ts'
import * as accounts from './accounts.store.ts'
import { listDevices } from './device-tokens.store.ts'
import { deleteIdentities } from './identity.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import * as store from './account-settings.store.ts'
import { isCommonPassword, type Passwords } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'limits' | 'events' | 'publicUrl'> & {
  mails: Mails
  consents: Consents
  signIns: SignIn
  known: Known
  passwords: Passwords
  mailToken(tx: Tx, accountId: string, link: mailTokens.MailedLink): Promise<string>
  ownProfile(caller: SignedIn): Promise<ClientProfile>
}

const settingsMailKinds = ['change_email', 'change_asked', 'email_changed', 'account_deleted'] as const
type SettingsMailKind = (typeof settingsMailKinds)[number]
/** What a mail to an address that is not the account's stores until it is sent. */
type SettingsMailFacts = { email: string; first_name: string; wasJoined?: boolean }

/** The account settings: name, email, password and sign-in sessions. */
export function createAccountSettings(deps: Dependencies) {
  const { db, clock, mails, consents, limits, events, publicUrl } = deps
  const { signIns, known, passwords, mailToken, ownProfile } = deps

  mails.template('account.password_changed', {
    deleteAfter: lifetimes.mail,
    async load(tx, { account_id }) {
      const account = account_id === null ? undefined : await accounts.findAccount(tx, account_id)
      if (!account) return 'obsolete'
      return passwordChangedMail(addressee(account), linkTo(account.role, 'forgot-password'), publicUrl)
    },
  })
  for (const kind of settingsMailKinds) {
    mails.template<SettingsMailFacts>(`account.${kind}`, {
      isUrgent: kind === 'change_email',
      deleteAfter: lifetimes.mail,
      load: (tx, mail) => load(tx, kind, mail),
    })
  }

  return {
    requirePassword: signIns.requirePassword,
    lockChecked: signIns.lockChecked,
    enqueueSettingsMail,
    notePasswordChanged,

    /** For later modules: renames an account. */
    setName: store.setName,

    async rename(caller: SignedIn, name: string): Promise<ClientProfile> {
      await store.setName(db, caller.accountId, splitName(name))
      return ownProfile(caller)
    },

    /** Records that a client agrees to the use of data on their health. */
    async agreeToHealthData(caller: SignedIn, version: string): Promise<ClientProfile> {
      const { accountId } = caller
      await inTransaction(db, async (tx) => {
        // Two tabs agree at once.
        if (!(await accounts.lockAccount(tx, accountId, 'update'))) throw notFound('This account')
        await consents.give(tx, { ...aboutHealth(accountId), textVersion: version })
      })
      return ownProfile(caller)
    },

    /**
     * Mails a link to the new address, and tells the present one. The same happens whether or not the address is taken:
     * then the mail to it says so. @throws 422 `wrong_password`, or for one's present address; 429
     */
    async changeEmail(
      caller: SignedIn,
      body: z.infer<typeof ChangeEmail>,
      address: string,
    ): Promise<'success'> {
      const account = await signIns.requirePassword(caller, body.current_password)
      if (account.email.toLowerCase() === body.email) {
        throw invalidField('email', 'This is already your email address.')
      }
      await limits.use(emailChangesFromAddress, address)
      await limits.use(emailChangesOfAccount, account.id)
      await inTransaction(db, async (tx) => {
        await signIns.lockChecked(tx, account)
        await mails.withdraw(tx, aboutAccount(account.id), changeOfEmailMails)
        await mailChange(tx, account, body.email)
        await enqueueSettingsMail(tx, account, 'change_asked', account.email)
      })
      return 'success'
    },

    /** The caller's new address that is not confirmed yet. */
    pendingEmail: (caller: SignedIn) => pendingEmail(db, caller),

    /** @throws 404 when no address waits; 429 */
    async resendChangeEmail(caller: SignedIn, address: string): Promise<z.infer<typeof PendingEmail>> {
      await limits.use(emailChangesFromAddress, address)
      await limits.use(emailChangesOfAccount, caller.accountId)
      return inTransaction(db, async (tx) => {
        const account = await accounts.lockAccount(tx, caller.accountId, 'update')
        const pending = account && (await pendingEmail(tx, caller))
        if (!pending) throw notFound('This change of email')
        await mails.withdraw(tx, aboutAccount(account.id), ['account.change_email'])
        await mailChange(tx, account, pending.email)
        return (await pendingEmail(tx, caller)) ?? pending
      })
    },

    /** Idempotent. */
    async cancelChangeEmail(caller: SignedIn): Promise<'success'> {
      await inTransaction(db, async (tx) => {
        await accounts.lockAccount(tx, caller.accountId, 'update')
        await stopChange(tx, caller.accountId)
      })
      return 'success'
    },

    /**
     * Confirms the caller's new address by the link mailed there. Invalidates links mailed to the old address, and parts
     * the account from the identities that it was joined to by that address.
     * @throws 403 `other_account`, with the link unused; 422 `invalid_token`, or `email_taken` when another account has
     * got the address meanwhile
     */
    async confirmEmail(caller: SignedIn, token: string): Promise<{ success: true }> {
      try {
        await inTransaction(db, async (tx) => {
          const now = clock.now()
          const account = await accounts.lockAccount(tx, caller.accountId, 'update')
          const used = await mailTokens.useMailToken(tx, hashSecret(token), 'change_email', now)
          if (used && used.account_id !== caller.accountId) throw otherAccount()
          if (!used?.new_email || !account) {
            throw fail(
              'invalid_token',
              'This link has expired or has already been used. You can ask for another on your account page.',
            )
          }
          await store.setEmail(tx, account.id, used.new_email, now)
          // What is still to be sent speaks of a change that waits.
          await mails.withdraw(tx, aboutAccount(account.id), changeOfEmailMails)
          await mailTokens.deleteMailTokens(tx, account.id)
          const wasJoined = await deleteIdentities(tx, account.id)
          await enqueueSettingsMail(tx, account, 'email_changed', account.email, { wasJoined })
        })
      } catch (error) {
        if (sqlState(error) !== '23505') throw error
        throw fail('email_taken', 'Another account now has this address. Your email has not changed.')
      }
      return { success: true }
    },

    /**
     * Sets a new password, ends every other sign-in session, and invalidates links that were mailed before.
     * @throws 422 `wrong_password` or by field; 429
     */
    async changePassword(
      caller: SignedIn,
      body: z.infer<typeof ChangePassword>,
      from: Origin,
    ): Promise<'success'> {
      refuseCommon(body.password, 'password')
      const account = await signIns.requirePassword(caller, body.current_password)
      const hash = await passwords.hash(body.password)
      await inTransaction(db, async (tx) => {
        await signIns.lockChecked(tx, account)
        await accounts.setPassword(tx, account.id, hash)
        await accounts.endLoginSessionsOf(tx, account.id, clock.now(), { except: caller.loginSessionId })
        await events.announce(tx, 'sign-in.ended', { accountId: account.id })
        await mailTokens.deleteMailTokens(tx, account.id, ['password_reset'])
        await stopChange(tx, account.id)
        await notePasswordChanged(tx, account.id)
        afterCommit(tx, () => known.mark({ ...account, password_hash: hash }, from))
      })
      return 'success'
    },

    /** The sign-in sessions of the caller's account, last used first. */
    async loginSessions(caller: SignedIn): Promise<LoginSession[]> {
      const rows = await store.listLoginSessions(db, caller.accountId, clock.now())
      const staying = new Set(
        (await listDevices(db, caller.accountId, clock.now())).map((each) => each.family_id),
      )
      return familiesOf(rows).map((family) => toLoginSession(family, caller, staying))
    },

    /** Ends a sign-in session, in all tabs of its browser. Idempotent. @throws 404 */
    async endLoginSession(caller: SignedIn, id: string): Promise<LoginSession> {
      const row = owned('login_session', caller, await store.findLoginSession(db, id))
      await inTransaction(db, async (tx) => {
        await signIns.endFamily(tx, { id: row.id, accountId: row.account_id })
      })
      return toLoginSession([row], caller, new Set())
    },

    /** Ends every sign-in session of the account, the caller's included. */
    async logoutEverywhere(caller: SignedIn): Promise<'success'> {
      await inTransaction(db, async (tx) => {
        await accounts.lockAccount(tx, caller.accountId, 'update')
        await accounts.endLoginSessionsOf(tx, caller.accountId, clock.now())
        await events.announce(tx, 'sign-in.ended', { accountId: caller.accountId })
      })
      return 'success'
    },
  }

  /** The token makes the change show as pending at once. It works for none: that of the mail replaces it. */
  async function mailChange(tx: Tx, account: { id: string; first_name: string }, email: string) {
    await mailToken(tx, account.id, { purpose: 'change_email', new_email: email })
    await enqueueSettingsMail(tx, account, 'change_email', email)
  }

  async function stopChange(tx: Tx, accountId: string): Promise<void> {
    await mails.withdraw(tx, aboutAccount(accountId), changeOfEmailMails)
    await mailTokens.deleteMailTokens(tx, accountId, ['change_email'])
  }

  async function pendingEmail(handle: Db, { accountId }: SignedIn) {
    const row = await mailTokens.findPendingEmail(handle, accountId, clock.now())
    return row ? { email: row.new_email, until: row.expires_at.toISOString() } : null
  }

  function notePasswordChanged(tx: Db, accountId: string): Promise<void> {
    const about = aboutAccount(accountId)
    return mails.enqueue(tx, { template: 'account.password_changed', about, recipient: 'holder', accountId })
  }

  /** Enqueues a mail to an address that is not, or no longer, the account's. The last one outlives the account. */
  function enqueueSettingsMail(
    tx: Tx,
    { id, first_name }: { id: string; first_name: string },
    kind: SettingsMailKind,
    email: string,
    more: Pick<SettingsMailFacts, 'wasJoined'> = {},
  ): Promise<void> {
    return mails.enqueue(tx, {
      template: `account.${kind}`,
      about: aboutAccount(id),
      recipient: kind === 'change_email' ? 'new address' : 'old address',
      accountId: kind === 'account_deleted' ? null : id,
      data: { email, first_name, ...more } satisfies SettingsMailFacts,
    })
  }

  async function load(
    tx: Tx,
    kind: SettingsMailKind,
    { account_id, data: { email, first_name, wasJoined } }: OutgoingMail<SettingsMailFacts>,
  ): Promise<Mail | 'obsolete'> {
    if (kind === 'account_deleted') return accountDeletedMail(email, first_name, publicUrl)
    if (kind === 'email_changed') return emailChangedMail(email, first_name, publicUrl, wasJoined)
    const account = account_id === null ? undefined : await accounts.findAccount(tx, account_id)
    if (!account) return 'obsolete'
    const { id, role } = account
    if (kind === 'change_asked') return changeAskedMail(email, first_name, linkTo(role, 'forgot-password'))
    // Also for a taken address, which never learns it: the change shows as pending in the same way.
    const token = await mailToken(tx, id, { purpose: 'change_email', new_email: email })
    if (await accounts.findByEmail(tx, role, email)) {
      return emailTakenMail(email, linkTo(role, 'sign-in'), linkTo(role, 'forgot-password'))
    }
    return changeEmailMail(email, first_name, withToken(linkTo(role, 'confirm-email'), token))
  }

  function linkTo(role: string, page: string): string {
    return accountPage(publicUrl, role, page)
  }
}

/** Sign-ins of one browser, one for each tab, as one entry: named by the one used last, or by the caller's own. */
function toLoginSession(family: SessionRow[], caller: SignedIn, staying: ReadonlySet<string>): LoginSession {
  const own = family.find(({ id }) => id === caller.loginSessionId)
  const [last] = family
  const shown = own ?? last
  if (!last || !shown) throw new Error('A family has no sign-in.')
  const begun = Math.min(...family.map(({ created_at }) => created_at.getTime()))
  return {
    id: shown.id,
    device: shown.device,
    began_at: new Date(begun).toISOString(),
    last_used_at: last.last_used_at.toISOString(),
    current: own !== undefined,
    stays_signed_in: staying.has(shown.family_id ?? shown.id),
  }
}

/** @throws 422 under the field */
export function refuseCommon(password: string, field: string): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is one of the most common ones. Please choose another.')
  }
}
