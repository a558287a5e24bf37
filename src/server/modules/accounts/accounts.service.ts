import type { z } from 'zod'
import type {
  AuthAnswer,
  ClientProfile,
  ClientRegister,
  PasswordReset,
  TokenPair,
} from '#contract/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import { days, later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn, Visitor } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { Mailer } from '../../integrations/mail/port.ts'
import { passwordMail, verificationMail } from './accounts.mails.ts'
import { judgeRefresh, lifetimes, splitName } from './accounts.rules.ts'
import * as store from './accounts.store.ts'
import { hashPassword, isCommonPassword, verifyPassword } from './passwords.ts'
import { createGate, createTurns } from './turns.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'limits'> & {
  mailer: Mailer
  publicUrl: string
}
type TherapistAuthAnswer = AuthAnswer & { user: { practitioner_id: number } }
type MailedRole = 'client' | 'therapist'

/** 20% off a client's first scheduled session. */
export const referralDiscountPercent = 20

export type Accounts = ReturnType<typeof createAccounts>

/** Accounts, sign-ins and what belongs to them. */
export function createAccounts({ db, clock, random, queue, limits, mailer, publicUrl }: Dependencies) {
  const inTurn = createTurns()
  const within = createGate()

  return {
    /** Who holds this access token, if it is good. */
    async identify(token: string): Promise<SignedIn | undefined> {
      const row = await store.findAccessToken(db, hashSecret(token), clock.now())
      return row && { role: row.role, accountId: row.account_id, loginSessionId: row.login_session_id }
    },

    /** Creates a client and signs them in. @throws 422 by field, also for a taken email. */
    async registerClient(body: z.infer<typeof ClientRegister>, address: string): Promise<AuthAnswer> {
      await limits.use('registrations from an address', address)
      refuseCommon(body.password, 'password')
      const referrer = body.referral_code ? await referrerOf(db, body.referral_code) : null
      const hash = await hashPassword(body.password)
      return inTransaction(db, async (tx) => {
        const now = clock.now()
        const account = {
          id: random.uuid(now),
          role: 'client' as const,
          email: body.email,
          password_hash: hash,
          ...splitName(body.name),
          created_at: now,
        }
        if (!(await store.insertAccount(tx, account))) {
          throw invalidField(
            'email',
            'There is an account with this email already. You can sign in.',
            'email_taken',
          )
        }
        await store.insertClient(tx, {
          account_id: account.id,
          referral_code: random.code(8),
          referred_by: referrer,
        })
        await queue.enqueue(tx, 'accounts.verification-mail', { account_id: account.id })
        return signIn(tx, account)
      })
    },

    /** @throws 401 `invalid_credentials`, the same for a wrong password and for no account; 429 after too many. */
    async login(role: Role, email: string, password: string, address: string): Promise<AuthAnswer> {
      return logIn(role, email, password, address)
    },

    /** As `login`, with the practitioner's id. */
    async loginTherapist(email: string, password: string, address: string): Promise<TherapistAuthAnswer> {
      const answer = await logIn('therapist', email, password, address)
      const account = await store.findByEmail(db, 'therapist', answer.user.email)
      const practitioner = account && (await store.findPractitionerId(db, account.id))
      if (!practitioner) throw new Error('A therapist account has no practitioner.')
      return { ...answer, user: { ...answer.user, practitioner_id: practitioner.id } }
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
          return undefined
        }
        if (verdict === 'rotate') await store.spendRefreshToken(tx, hash, now)
        return issueTokens(tx, known.login_session_id)
      })
      if (!pair) throw fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
      return pair
    },

    async logout(caller: SignedIn): Promise<'success'> {
      await store.endLoginSession(db, caller.loginSessionId, clock.now())
      return 'success'
    },

    /** Queues the mail with the link. Does the same work whether or not there is such an account. */
    async forgotPassword(role: MailedRole, email: string, address: string): Promise<'success'> {
      await limits.use('password mails from an address', address)
      await limits.use('password mails to an account', `${role} ${email}`)
      const account = await store.findByEmail(db, role, email)
      await queue.enqueue(db, 'accounts.password-mail', { account_id: account?.id ?? null })
      return 'success'
    },

    /** Sends the link for a new password, if there is an account. */
    async sendPasswordMail(accountId: string | null): Promise<void> {
      const account = accountId === null ? undefined : await store.findAccount(db, accountId)
      if (!account) return
      const token = await mailToken(account.id, 'password_reset')
      const path = account.role === 'client' ? '/reset-password' : '/therapist/reset-password'
      const query = new URLSearchParams({ token, email: account.email })
      await mailer.send(
        passwordMail(account.email, account.first_name, `${publicUrl}${path}?${query.toString()}`),
      )
    },

    /** Sends the link that confirms the address, unless it is confirmed already. */
    async sendVerificationMail(accountId: string): Promise<void> {
      const account = await store.findAccount(db, accountId)
      if (!account || account.email_verified_at) return
      const token = await mailToken(account.id, 'verify_email')
      const url = `${publicUrl}/verify-email?${new URLSearchParams({ token }).toString()}`
      await mailer.send(verificationMail(account.email, account.first_name, url))
    },

    /**
     * Sets a new password by the link of the mail, ends every sign-in and lifts the limit on failed ones. Following
     * the link also shows that the address is theirs. @throws 422 `invalid_token`
     */
    async resetPassword(role: MailedRole, body: z.infer<typeof PasswordReset>): Promise<{ success: true }> {
      refuseCommon(body.password, 'password')
      const token = hashSecret(body.token)
      // Hashing is dear: only whoever has a link gets that far.
      if (!(await store.isMailTokenGood(db, token, 'password_reset', clock.now()))) throw deadLink()
      const hash = await hashPassword(body.password)
      const email = await inTransaction(db, async (tx) => {
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
        return account.email
      })
      await limits.clear('sign-in failures of an account', `${role} ${email.toLowerCase()}`)
      return { success: true }
    },

    /** @throws 422 `invalid_token` */
    async verifyEmail(token: string): Promise<{ success: true }> {
      return inTransaction(db, async (tx) => {
        const now = clock.now()
        const used = await store.useMailToken(tx, hashSecret(token), 'verify_email', now)
        if (!used) throw fail('invalid_token', 'This link has expired or was used already.')
        await store.setEmailVerified(tx, used.account_id, now)
        return { success: true as const }
      })
    },

    /** Says whether a code is good; for a signed-in client it is kept for the first session. */
    async checkReferralCode(caller: SignedIn | Visitor, code: string, address: string) {
      await limits.use('referral codes from an address', address)
      const referrer = await referrerOf(db, code)
      if (caller.role === 'client') {
        if (caller.accountId === referrer) {
          throw invalidField(
            'referral_code',
            'This is your own code. It works for somebody else.',
            'own_referral_code',
          )
        }
        await store.setReferredBy(db, caller.accountId, referrer)
      }
      return { valid: true as const, discount_percent: referralDiscountPercent }
    },

    async ownProfile(caller: SignedIn): Promise<ClientProfile> {
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
    },

    /** For later modules: whom to write to, and whether the address is known to be theirs. */
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

    /** For later modules: whose code the client entered. */
    async referredBy(handle: Db, clientId: string): Promise<string | null> {
      return (await store.findClient(handle, clientId))?.referred_by ?? null
    },

    /** Forgets tokens that expired more than a day ago. */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteOldTokens(db, later(now, -days(1)))
      await store.deleteOldSignIns(db, later(now, -days(31)))
    },
  }

  async function logIn(role: Role, email: string, password: string, address: string): Promise<AuthAnswer> {
    const folded = email.trim().toLowerCase()
    const subject = `${role} ${folded}`
    // One after the other, or guesses sent at once would all be made before the first is counted.
    const account = await inTurn(subject, () =>
      within(
        address,
        () => limits.check('sign-in failures from an address', address),
        () => authenticate(role, folded, password, subject, address),
      ),
    )
    return inTransaction(db, (tx) => signIn(tx, account))
  }

  async function authenticate(role: Role, email: string, password: string, subject: string, address: string) {
    await limits.check('sign-in failures of an account', subject)
    const account = await store.findByEmail(db, role, email)
    if (!(await verifyPassword(account?.password_hash, password)) || !account) {
      await limits.count('sign-in failures of an account', subject)
      await limits.count('sign-in failures from an address', address)
      throw fail('invalid_credentials', 'The email or the password is not right.', {
        errors: {
          email: ['Check your email and try again.'],
          password: ['Check your password and try again.'],
        },
      })
    }
    await limits.clear('sign-in failures of an account', subject)
    return account
  }

  async function signIn(
    tx: Tx,
    account: { id: string; email: string; first_name: string; last_name: string },
  ): Promise<AuthAnswer> {
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertLoginSession(tx, { id, account_id: account.id, created_at: now })
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

  async function mailToken(accountId: string, purpose: 'password_reset' | 'verify_email'): Promise<string> {
    const token = random.secret()
    const lifetime = purpose === 'password_reset' ? lifetimes.passwordReset : lifetimes.emailVerification
    await inTransaction(db, (tx) =>
      store.replaceMailToken(tx, {
        hash: hashSecret(token),
        account_id: accountId,
        purpose,
        expires_at: later(clock.now(), lifetime),
      }),
    )
    return token
  }
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

function refuseCommon(password: string, field: string): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is one of the most common ones. Please choose another.')
  }
}
