import type { z } from 'zod'
import type { AuthAnswer, ClientProfile } from '#contract/accounts/accounts.ts'
import type { Role } from '#contract/endpoint.ts'
import type { ClientSocialSignIn } from '#contract/accounts/identity.ts'
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
import { aboutHealth, type Consents } from './accounts.consents.ts'
import { createDevices } from './accounts.devices.ts'
import { createConfirmation } from './accounts.confirmation.ts'
import { createIdentities, type InBrowser } from './accounts.identity.ts'
import { createKnown } from './accounts.known.ts'
import { referralCodesFromAddress } from './accounts.limits.ts'
import { createAccountSettings } from './accounts.settings.ts'
import { lifetimes } from './accounts.rules.ts'
import { createPasswordReset } from './accounts.password-reset.ts'
import { createRegistration, type TherapistAuthAnswer } from './accounts.registration.ts'
import { createSecondFactor } from './accounts.second-factor.ts'
import { createSignIn } from './accounts.sign-in.ts'
import * as store from './accounts.store.ts'
import { deleteDevices, deleteOldDevices } from './device-tokens.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import type { Passwords } from './passwords.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'events' | 'secrets' | 'publicUrl'> & {
  mails: Mails
  consents: Consents
  adminsWithoutSecondFactor: readonly string[]
  passwords: Passwords
  identityProvider: IdentityProvider | undefined
  lookups(): Pick<Lookups, 'practitionerId'>
  refreshes: { use(loginSessionId: string): void }
}

/** 20% off a client's first scheduled session. */
export const referralDiscountPercent = 20

export type Accounts = ReturnType<typeof createAccounts>

/** Accounts, sign-ins and what belongs to them. */
export function createAccounts(deps: Dependencies) {
  const { db, clock, random, limits } = deps
  const known = createKnown(deps)
  const devices = createDevices(deps)
  const signIns = createSignIn({ ...deps, known, devices })
  const secondFactor = createSecondFactor({ ...deps, signIns })
  const identities = createIdentities({ ...deps, signIns })
  const settings = createAccountSettings({ ...deps, signIns, known, mailToken, ownProfile })
  const { notePasswordChanged } = settings
  const { confirmUrl, ...confirmation } = createConfirmation({ ...deps, mailToken })

  return {
    ...createRegistration({ ...deps, signIns, identities, confirmUrl, withPractitioner, referrerOf }),
    ...createPasswordReset({ ...deps, signIns, known, secondFactor, mailToken, notePasswordChanged }),
    ...createAdminPassword({ ...deps, signIns, known, secondFactor, notePasswordChanged }),
    ...settings,
    ...confirmation,
    refresh: signIns.refresh,
    handOver: signIns.handOver,

    /** As `handOver`, with the practitioner's id. */
    async handOverTherapist(refreshToken: string, from: Origin): Promise<TherapistAuthAnswer> {
      return withPractitioner(await signIns.handOver('therapist', refreshToken, from))
    },

    resume: signIns.resume,

    /** As `resume`, with the practitioner's id. */
    async resumeTherapist(from: Origin): Promise<TherapistAuthAnswer | null> {
      const answer = await signIns.resume('therapist', from)
      return answer && withPractitioner(answer)
    },

    /** A browser of the account stays signed in no longer. For later modules. */
    async endDevices(tx: Tx, accountId: string): Promise<void> {
      await store.lockAccount(tx, accountId, 'update')
      await deleteDevices(tx, accountId)
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

    /** As `identities.signIn`, with the practitioner's id. */
    signInTherapist: async (
      body: z.infer<typeof ClientSocialSignIn> & InBrowser,
      from: Origin,
    ): Promise<TherapistAuthAnswer> => withPractitioner(await identities.signIn('therapist', body, from)),

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

    /** Ends this sign-in, in all tabs of its browser, which stays signed in no longer, by a later sign-in neither. */
    async logout(caller: SignedIn, from: Origin): Promise<'success'> {
      const { accountId } = caller
      await inTransaction(db, async (tx) => {
        await signIns.endFamily(tx, { id: caller.loginSessionId, accountId })
        const kept = await devices.end(tx, from)
        if (kept?.accountId === accountId) await signIns.endFamily(tx, { id: kept.familyId, accountId })
      })
      if (caller.role !== 'admin') from.browser.keepDevice(caller.role, undefined)
      return 'success'
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
            'This is your own code. It only works for someone else.',
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

    /** For later modules: as `isSignedIn`; a sign-in session that is valid stays so until the transaction ends. */
    async holdSignIn(tx: Tx, at: { loginSessionId: string; accountId: string }): Promise<boolean> {
      await store.lockAccount(tx, at.accountId, 'share')
      return store.isSignedIn(tx, at.loginSessionId, at.accountId)
    },

    /** For later modules: the role of an account. */
    async roleOf(handle: Db, accountId: string): Promise<Role | undefined> {
      return (await store.findAccount(handle, accountId))?.role
    },

    /** For later modules: names by account id. A deleted account has none. */
    names: (handle: Db, accountIds: string[]) => store.readNames(handle, accountIds),

    /** For later modules: the account whose referral code the client entered. */
    async referredBy(handle: Db, clientId: string): Promise<string | null> {
      return (await store.findClient(handle, clientId))?.referred_by ?? null
    },

    /** For later modules: a client's own referral code. */
    async referralCodeOf(handle: Db, clientId: string): Promise<string | null> {
      return (await store.findClient(handle, clientId))?.referral_code ?? null
    },

    /** Deletes tokens that expired more than a day ago, and other rows past their retention. */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteOldTokens(db, later(now, -days(1)))
      await deleteOldDevices(db, later(now, -days(1)))
      await store.deleteOldSignIns(db, later(now, -days(31)))
      await known.tidy()
      await identities.tidy()
    },
  }

  /** By the token: the email may have changed since. @throws 401 once the account or the sign-in has ended */
  async function withPractitioner(answer: AuthAnswer): Promise<TherapistAuthAnswer> {
    const signedIn = await store.findAccessToken(db, hashSecret(answer.token), clock.now())
    if (!signedIn) throw fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
    const id = await deps.lookups().practitionerId(db, signedIn.account_id)
    if (id === undefined) throw new Error('A therapist account has no practitioner.')
    return { ...answer, user: { ...answer.user, practitioner_id: id } }
  }

  async function ownProfile(caller: SignedIn): Promise<ClientProfile> {
    const client = await store.findClient(db, caller.accountId)
    if (!client) throw notFound('This account')
    const agreedAt = await deps.consents.givenAt(db, aboutHealth(caller.accountId))
    return {
      first_name: client.first_name,
      last_name: client.last_name,
      email: client.email,
      email_verified: client.email_verified_at !== null,
      profile_image: { thumb_256: null },
      referral_code: client.referral_code,
      health_consent_at: agreedAt?.toISOString() ?? null,
    }
  }

  /** A new link of a kind; those mailed before for the same purpose no longer work. */
  async function mailToken(tx: Tx, accountId: string, link: mailTokens.MailedLink): Promise<string> {
    const token = random.secret()
    await mailTokens.replaceMailToken(tx, {
      hash: hashSecret(token),
      account_id: accountId,
      ...link,
      expires_at: later(clock.now(), linkLifetimes[link.purpose]),
    })
    return token
  }
}

const linkLifetimes: Record<mailTokens.Purpose, number> = {
  password_reset: lifetimes.passwordReset,
  verify_email: lifetimes.emailVerification,
  change_email: lifetimes.emailChange,
  operator_reset: lifetimes.passwordReset,
}

async function referrerOf(db: Db, code: string): Promise<string> {
  const referrer = await store.findByReferralCode(db, code)
  if (!referrer) {
    throw invalidField('referral_code', 'We do not know this code. Please check it.', 'unknown_referral_code')
  }
  return referrer.account_id
}
