import type { z } from 'zod'
import type {
  AuthAnswer,
  ClientProfile,
  ClientRegister,
  PasswordReset,
  TherapistRegister,
} from '#contract/accounts/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import type {
  ClientSocialSignIn,
  ClientSocialSignUp,
  TherapistSocialSignUp,
} from '#contract/accounts/identity.ts'
import type { AdminAuthAnswer } from '#contract/accounts/second-factor.ts'
import { days, later } from '../../clock.ts'
import type { Lookups } from '../../contributions/lookups.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { Origin, SignedIn, Visitor } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { IdentityProvider } from '../../integrations/identity/port.ts'
import type { Mails } from '../mails/mails.service.ts'
import { createAdminPassword } from './accounts.admin-password.ts'
import { createConfirmation } from './accounts.confirmation.ts'
import { createIdentities } from './accounts.identity.ts'
import { createKnown } from './accounts.known.ts'
import {
  passwordMailsFromAddress,
  passwordMailsToAccount,
  referralCodesFromAddress,
  registrationsFromAddress,
} from './accounts.limits.ts'
import { passwordMail, welcomeMail } from './accounts.mails.ts'
import { addressee } from './addressee.ts'
import { createAccountSettings, refuseCommon } from './accounts.settings.ts'
import { aboutAccount, changeOfEmailMails, lifetimes, type MailedRole, splitName } from './accounts.rules.ts'
import { createSecondFactor } from './accounts.second-factor.ts'
import { createSignIn } from './accounts.sign-in.ts'
import * as store from './accounts.store.ts'
import type { Passwords } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'events' | 'secrets'> & {
  mails: Mails
  publicUrl: string
  adminsWithoutSecondFactor: readonly string[]
  passwords: Passwords
  identityProvider: IdentityProvider | undefined
  lookups(): Pick<Lookups, 'practitionerId'>
}
type TherapistAuthAnswer = AuthAnswer & { user: { practitioner_id: number } }

/** 20% off a client's first scheduled session. */
export const referralDiscountPercent = 20

/** The secret of the browser that shows a credential, if it keeps one. */
type InBrowser = { browser?: string | undefined }

export type Accounts = ReturnType<typeof createAccounts>

/** Accounts, sign-ins and what belongs to them. */
export function createAccounts(deps: Dependencies) {
  const { db, clock, random, mails, limits, events, publicUrl, passwords } = deps
  const known = createKnown(deps)
  const signIns = createSignIn({ ...deps, known })
  const secondFactor = createSecondFactor({ ...deps, signIns })
  const identities = createIdentities({ ...deps, signIns })
  const settings = createAccountSettings({ ...deps, signIns, known, mailToken, ownProfile })
  const { confirmUrl, ...confirmation } = createConfirmation({ ...deps, mailToken })

  /** Sent if there is an account; to an admin only with a second factor. */
  mails.template('account.password', {
    forgetAfter: lifetimes.letter,
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

  /**
   * With the link that confirms the address, unless it was confirmed after the account's creation. After a crash the
   * mail may be sent again with another link; the newest link works.
   */
  mails.template('account.welcome', {
    forgetAfter: lifetimes.letter,
    async load(tx, { account_id }) {
      const account = account_id === null ? undefined : await store.findAccount(tx, account_id)
      if (!account) return 'obsolete'
      const { role, email, email_verified_at: verifiedAt } = account
      if (verifiedAt && verifiedAt > account.created_at) return 'obsolete'
      const url = verifiedAt ? null : await confirmUrl(tx, account)
      return welcomeMail(
        { email, firstName: account.first_name, role },
        { confirmUrl: url, siteUrl: publicUrl },
      )
    },
  })

  return {
    ...createAdminPassword({
      ...deps,
      signIns,
      known,
      secondFactor,
      notePasswordChanged: settings.notePasswordChanged,
    }),
    ...settings,
    ...confirmation,
    refresh: signIns.refresh,
    handOver: signIns.handOver,

    /** As `handOver`, with the practitioner's id. */
    async handOverTherapist(refreshToken: string, from: Origin): Promise<TherapistAuthAnswer> {
      return withPractitioner(await signIns.handOver('therapist', refreshToken, from))
    },

    secondFactor,
    identities,

    /** The account of a valid access token. */
    async identify(token: string): Promise<SignedIn | undefined> {
      const row = await store.findAccessToken(db, hashSecret(token), clock.now())
      if (!row) return undefined
      return {
        role: row.role,
        accountId: row.account_id,
        loginSessionId: row.login_session_id,
        ...(row.role === 'admin' && {
          needsSecondFactor: !row.second_factor_since && secondFactor.isNeededBy(row.email),
        }),
      }
    },

    /** Creates a client and signs them in. @throws 422 by field, also for a taken email. */
    async registerClient(body: z.infer<typeof ClientRegister>, from: Origin): Promise<AuthAnswer> {
      await limits.use(registrationsFromAddress, from.address)
      const referrer = body.referral_code ? await referrerOf(db, body.referral_code) : null
      const person = { role: 'client' as const, ...body, ...splitName(body.name) }
      return register(person, from, (tx, accountId) => beginAsClient(tx, accountId, referrer))
    },

    /** As a client, by an OpenID provider's word. @throws as `identities.signUp` */
    signUpClient: (body: z.infer<typeof ClientSocialSignUp> & InBrowser, from: Origin): Promise<AuthAnswer> =>
      identities.signUp('client', body, from, (tx, person) =>
        openWithoutPassword(tx, person, (accountId) => beginAsClient(tx, accountId, null)),
      ),

    /** As a practitioner, by an OpenID provider's word. @throws as `identities.signUp` */
    signUpTherapist: async (
      body: z.infer<typeof TherapistSocialSignUp> & InBrowser,
      from: Origin,
    ): Promise<TherapistAuthAnswer> =>
      withPractitioner(
        await identities.signUp('therapist', body, from, (tx, person) =>
          openWithoutPassword(tx, person, (accountId) =>
            events.announce(tx, 'therapist.registered', { accountId }),
          ),
        ),
      ),

    /** As `identities.signIn`, with the practitioner's id. */
    signInTherapist: async (
      body: z.infer<typeof ClientSocialSignIn> & InBrowser,
      from: Origin,
    ): Promise<TherapistAuthAnswer> => withPractitioner(await identities.signIn('therapist', body, from)),

    /** Creates a practitioner and signs them in. @throws 422 by field, also for a taken email. */
    async registerTherapist(
      body: z.infer<typeof TherapistRegister>,
      from: Origin,
    ): Promise<TherapistAuthAnswer> {
      await limits.use(registrationsFromAddress, from.address)
      const person = { role: 'therapist' as const, ...body, first_name: body.name }
      return withPractitioner(
        await register(person, from, (tx, accountId) =>
          events.announce(tx, 'therapist.registered', { accountId }),
        ),
      )
    },

    /** @throws 401 `invalid_credentials`, the same for a wrong password and for no account; 429 after too many. */
    login: signIns.logIn,

    /** As `login`, with the practitioner's id. */
    async loginTherapist(email: string, password: string, from: Origin): Promise<TherapistAuthAnswer> {
      return withPractitioner(await signIns.logIn('therapist', email, password, from))
    },

    /**
     * As `login`, with a code of the second factor once there is one.
     * @throws as `login`; 401 `totp_required`; 422 `wrong_code`
     */
    async loginAdmin(
      { email, password, totp }: { email: string; password: string; totp?: string | undefined },
      from: Origin,
    ): Promise<AdminAuthAnswer> {
      const isOn = { value: false }
      const answer = await signIns.logIn('admin', email, password, from, {
        async further(account) {
          isOn.value = await secondFactor.isOn(account.id)
          return isOn.value ? secondFactor.judge(account, totp) : 'right'
        },
        async recheck(tx, account) {
          // Another window has just set up a second factor: the password alone is no longer enough.
          if (!isOn.value && (await secondFactor.isOn(account.id, tx))) throw secondFactor.codeNeeded()
        },
      })
      return { ...answer, second_factor_needed: !isOn.value && secondFactor.isNeededBy(answer.user.email) }
    },

    /** Ends this sign-in, in all tabs of its browser. */
    async logout(caller: SignedIn): Promise<'success'> {
      await inTransaction(db, async (tx) => {
        await signIns.endFamily(tx, { id: caller.loginSessionId, accountId: caller.accountId })
      })
      return 'success'
    },

    /** Queues the mail with the link. Does the same work whether or not there is such an account. */
    async forgotPassword(role: Role, email: string, address: string): Promise<'success'> {
      await limits.use(passwordMailsFromAddress, address)
      await limits.use(passwordMailsToAccount, `${role} ${email}`)
      const account = await store.findByEmail(db, role, email)
      await inTransaction(db, (tx) => notePassword(tx, account?.id ?? null))
      return 'success'
    },

    notePassword,
    noteWelcome,

    /**
     * Sets a new password by the mailed link, ends every sign-in session and clears the count of failed sign-ins. The
     * link also confirms the email address, and marks this browser as known to the account.
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
      if (!(await store.isMailTokenGood(db, token, 'password_reset', clock.now()))) throw deadLink()
      const hash = await passwords.hash(body.password)
      const account = await inTransaction(db, async (tx) => {
        const now = clock.now()
        const used = await store.useMailToken(tx, token, 'password_reset', now)
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
        // An intruder with the old password may have requested a change of email.
        await store.deleteMailTokens(tx, account.id, ['change_email'])
        await mails.withdraw(tx, aboutAccount(account.id), changeOfEmailMails)
        await known.noteAddress(tx, account, from)
        return account
      })
      await signIns.forgiveFailures(account)
      known.mark({ ...account, password_hash: hash }, from)
      return { success: true }
    },

    /**
     * Checks a referral code, and stores it on the account of a signed-in client who may still use one.
     * @throws 422 `unknown_referral_code`, `own_referral_code`; any error of `assertInTime`
     */
    async checkReferralCode(
      caller: SignedIn | Visitor,
      code: string,
      address: string,
      assertInTime: (clientId: string) => Promise<void>,
    ) {
      await limits.use(referralCodesFromAddress, address)
      const referrer = await referrerOf(db, code)
      if (caller.role === 'client') {
        if (caller.accountId === referrer) {
          throw invalidField(
            'referral_code',
            'This is your own code. It works for somebody else.',
            'own_referral_code',
          )
        }
        await assertInTime(caller.accountId)
        await store.setReferredBy(db, caller.accountId, referrer)
      }
      return { valid: true as const, discount_percent: referralDiscountPercent }
    },

    ownProfile,

    /** For later modules: name and email of an account's holder; `verified` once the email is confirmed. */
    async person(
      handle: Db,
      accountId: string,
    ): Promise<{ email: string; firstName: string; lastName: string; verified: boolean } | undefined> {
      const row = await store.findAccount(handle, accountId)
      return (
        row && {
          email: row.email,
          firstName: row.first_name,
          lastName: row.last_name,
          verified: row.email_verified_at !== null,
        }
      )
    },

    /** For later modules: whether a sign-in session of an account is still valid. */
    isSignedIn: (handle: Db, { loginSessionId, accountId }: { loginSessionId: string; accountId: string }) =>
      store.isSignedIn(handle, loginSessionId, accountId),

    /** For later modules: the role of an account. */
    async roleOf(handle: Db, accountId: string): Promise<Role | undefined> {
      return (await store.findAccount(handle, accountId))?.role
    },

    /** For later modules: the email addresses of all admins. */
    adminEmails: async (handle: Db) => (await store.listAdmins(handle)).map(({ email }) => email),

    /** For later modules: names by account id. A deleted account has none. */
    names: (handle: Db, accountIds: string[]) => store.readNames(handle, accountIds),

    /** For later modules: the account whose referral code the client entered. */
    async referredBy(handle: Db, clientId: string): Promise<string | null> {
      return (await store.findClient(handle, clientId))?.referred_by ?? null
    },

    /** Deletes tokens that expired more than a day ago, and other rows past their retention. */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteOldTokens(db, later(now, -days(1)))
      await store.deleteOldSignIns(db, later(now, -days(31)))
      await known.tidy()
      await identities.tidy()
    },
  }

  /**
   * Opens an account and signs in to it; `also` writes what belongs to its kind.
   * @throws 422 for a common password or a taken email, with nothing written
   */
  async function register(
    person: {
      role: MailedRole
      email: string
      password: string
      first_name: string
      last_name: string
    },
    from: Origin,
    also: (tx: Tx, accountId: string) => Promise<void>,
  ): Promise<AuthAnswer> {
    const { role, email, password, first_name, last_name } = person
    refuseCommon(password, 'password')
    const hash = await passwords.hash(password)
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const id = random.uuid(now)
      const account = { id, role, email, password_hash: hash, first_name, last_name, created_at: now }
      if (!(await store.insertAccount(tx, account))) {
        throw invalidField(
          'email',
          'There is an account with this email already. You can sign in.',
          'email_taken',
        )
      }
      await also(tx, id)
      await noteWelcome(tx, id)
      return signIns.signIn(tx, account, from)
    })
  }

  async function beginAsClient(tx: Tx, accountId: string, referrer: string | null): Promise<void> {
    await store.insertClient(tx, {
      account_id: accountId,
      referral_code: random.code(8),
      referred_by: referrer,
    })
  }

  /** Opens an account whose email is known to be theirs. A password can be set by the mail for a forgotten one. */
  async function openWithoutPassword(
    tx: Tx,
    person: { role: MailedRole; email: string; first_name: string; last_name: string },
    also: (accountId: string) => Promise<void>,
  ): Promise<store.Account | undefined> {
    const now = clock.now()
    const id = random.uuid(now)
    const account = { id, ...person, password_hash: null, created_at: now, email_verified_at: now }
    if (!(await store.insertAccount(tx, account))) return undefined
    await also(id)
    await noteWelcome(tx, id)
    return store.findAccount(tx, id)
  }

  async function withPractitioner(answer: AuthAnswer): Promise<TherapistAuthAnswer> {
    const account = await store.findByEmail(db, 'therapist', answer.user.email)
    const id = account && (await deps.lookups().practitionerId(db, account.id))
    if (id === undefined) throw new Error('A therapist account has no practitioner.')
    return { ...answer, user: { ...answer.user, practitioner_id: id } }
  }

  async function ownProfile(caller: SignedIn): Promise<ClientProfile> {
    const client = await store.findClient(db, caller.accountId)
    if (!client) throw notFound('This account')
    return {
      first_name: client.first_name,
      last_name: client.last_name,
      email: client.email,
      email_verified: client.email_verified_at !== null,
      profile_image: { thumb_256: null },
      referral_code: client.referral_code,
    }
  }

  /** A new link of a kind; those mailed before for the same purpose no longer work. */
  async function mailToken(tx: Tx, accountId: string, link: store.MailedLink): Promise<string> {
    const token = random.secret()
    await store.replaceMailToken(tx, {
      hash: hashSecret(token),
      account_id: accountId,
      ...link,
      expires_at: later(clock.now(), linkLifetimes[link.purpose]),
    })
    return token
  }

  /** Enqueues the link for a new password. Without an account the same work is done, and the mail is dropped. */
  function notePassword(tx: Db, accountId: string | null): Promise<void> {
    const about = aboutAccount(accountId ?? 'none')
    return mails.enqueue(tx, { template: 'account.password', about, recipient: 'holder', accountId })
  }

  function noteWelcome(tx: Db, accountId: string): Promise<void> {
    return mails.enqueue(tx, {
      template: 'account.welcome',
      about: aboutAccount(accountId),
      recipient: 'holder',
      accountId,
      dedupeKey: `account.welcome ${accountId}`,
    })
  }
}

const linkLifetimes: Record<store.Purpose, number> = {
  password_reset: lifetimes.passwordReset,
  verify_email: lifetimes.emailVerification,
  change_email: lifetimes.emailChange,
  operator_reset: lifetimes.passwordReset,
}

const deadLink = () =>
  fail('invalid_token', 'This link has expired or was used already. Please ask for a new one.')

async function referrerOf(db: Db, code: string): Promise<string> {
  const referrer = await store.findByReferralCode(db, code)
  if (!referrer) {
    throw invalidField('referral_code', 'We do not know this code. Please check it.', 'unknown_referral_code')
  }
  return referrer.account_id
}
