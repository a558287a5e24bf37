import { Secret, TOTP } from 'otpauth'
import type { z } from 'zod'
import type { AdminProfile, RecoveryCodes, SecondFactorSecret } from '#contract/accounts/second-factor.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Mails } from '../mails/mails.service.ts'
import { secondFactorReplacedMail } from './accounts.mails.ts'
import { aboutAccount, accountPage, lifetimes } from './accounts.rules.ts'
import type { SignIn } from './accounts.sign-in.ts'
import { addressee } from './addressee.ts'
import * as store from './accounts.store.ts'
import * as factors from './second-factor.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'secrets' | 'events' | 'publicUrl'> & {
  mails: Mails
  signIns: SignIn
  /** Emails of admins who need no second factor. */
  adminsWithoutSecondFactor: readonly string[]
}

/** RFC 6238 as every authenticator app does it: SHA-1, six digits, 30 seconds. */
const period = 30
/** Steps by which a phone's clock may be off, either way. */
const drift = 1
const secretBytes = 20
const codesGiven = 10
const groups = { count: 4, length: 4 }

export type SecondFactor = ReturnType<typeof createSecondFactor>

/** The second factor of admins: codes of an authenticator app, each good once, and recovery codes for when it is lost. */
export function createSecondFactor({
  db,
  clock,
  random,
  secrets,
  events,
  publicUrl,
  mails,
  signIns,
  adminsWithoutSecondFactor,
}: Dependencies) {
  mails.template('account.second_factor_replaced', {
    deleteAfter: lifetimes.mail,
    async load(tx, { account_id }) {
      const account = account_id === null ? undefined : await store.findAccount(tx, account_id)
      if (!account) return 'obsolete'
      const forgotUrl = accountPage(publicUrl, account.role, 'forgot-password')
      return secondFactorReplacedMail(addressee(account), forgotUrl)
    },
  })

  return {
    /** Whether an admin must set up a second factor before any other call. */
    isNeededBy: (email: string | null) => email === null || !adminsWithoutSecondFactor.includes(email),

    async isOn(accountId: string, handle: Db = db): Promise<boolean> {
      return Boolean((await factors.findFactor(handle, accountId))?.secret)
    },

    codeNeeded,

    /** Checks a code at sign-in and spends it. @throws 401 `totp_required` without one */
    async judge(account: { id: string }, given: string | undefined): Promise<'right' | 'wrong'> {
      if (given === undefined) throw codeNeeded()
      const factor = await factors.findFactor(db, account.id)
      if (!factor?.secret) return 'wrong'
      const code = tidied(given)
      const isRight = isDigits(code)
        ? await useCode(account.id, factor.secret, code)
        : await useRecoveryCode(account.id, code)
      return isRight ? 'right' : 'wrong'
    },

    /** Who is signed in to the back office, and how. */
    async profile(caller: SignedIn): Promise<AdminProfile> {
      const account = await accountOf(caller)
      const [factor, left] = await Promise.all([
        factors.findFactor(db, caller.accountId),
        factors.countRecoveryCodes(db, caller.accountId),
      ])
      return {
        first_name: account.first_name,
        last_name: account.last_name,
        email: account.email,
        second_factor: {
          is_on: Boolean(factor?.secret),
          needed: caller.needsSecondFactor === true,
          recovery_codes_left: left,
        },
      }
    },

    /**
     * Creates a new secret. An active one stays valid until a code of the new one is confirmed.
     * @throws 422 `wrong_password` while a second factor is active
     */
    async setUp(caller: SignedIn, password: string | undefined): Promise<z.infer<typeof SecondFactorSecret>> {
      const account = await accountOf(caller)
      if ((await factors.findFactor(db, account.id))?.secret) {
        await signIns.requirePassword(caller, password ?? '')
      }
      const bytes = Buffer.from(random.secret(), 'base64url').subarray(0, secretBytes)
      await factors.keepPending(db, account.id, secrets.seal('second factor', account.id, bytes))
      const totp = totpOf(bytes, account.email)
      return { secret: totp.secret.base32, uri: totp.toString() }
    },

    /**
     * Activates the new secret with a code of it. Ends every other sign-in session of the account.
     * @throws 409 `conflict` when there is none to confirm; 422 `wrong_code`; 429
     */
    async confirm(caller: SignedIn, given: string): Promise<z.infer<typeof RecoveryCodes>> {
      const account = await accountOf(caller)
      const codes = Array.from({ length: codesGiven }, () => random.code(groups.count * groups.length))
      await signIns.requireCode(account, 'code', () =>
        inTransaction(db, async (tx) => {
          // The lock orders concurrent sign-ins: one is either ended below, or begins later and asks for a code.
          await store.lockAccount(tx, account.id, 'update')
          const factor = await factors.lockFactor(tx, account.id)
          const secret = factor?.pending_secret
          if (!secret) throw fail('conflict', 'There is nothing to confirm. Please begin again.')
          const step = stepOf(account.id, secret, tidied(given))
          if (step === undefined) return false
          const now = clock.now()
          await factors.turnOn(tx, account.id, { secret, step, now })
          const digests = codes.map((code) => secrets.digest('recovery code', account.id, code))
          await factors.replaceRecoveryCodes(tx, account.id, { digests, keyId: secrets.keyId })
          await store.endLoginSessionsOf(tx, account.id, now, { except: caller.loginSessionId })
          await events.announce(tx, 'sign-in.ended', { accountId: account.id })
          await note(tx, account.id, factor.secret ? 'replace second factor' : 'set up second factor')
          if (factor.secret) {
            await mails.enqueue(tx, {
              template: 'account.second_factor_replaced',
              about: aboutAccount(account.id),
              recipient: 'holder',
              accountId: account.id,
            })
          }
          return true
        }),
      )
      return { recovery_codes: codes.map(grouped) }
    },
  }

  async function accountOf(caller: SignedIn): Promise<store.Account> {
    const account = await store.findAccount(db, caller.accountId)
    if (!account) throw notFound('This account')
    return account
  }

  /** The time step whose code this is, if it is one of those about now. */
  function stepOf(accountId: string, sealed: Uint8Array, code: string): number | undefined {
    if (!isDigits(code)) return undefined
    const timestamp = clock.now().getTime()
    const bytes = secrets.open('second factor', accountId, sealed)
    const delta = totpOf(bytes, '').validate({ token: code, timestamp, window: drift })
    return delta === null ? undefined : Math.floor(timestamp / 1000 / period) + delta
  }

  async function useCode(accountId: string, sealed: Uint8Array, code: string): Promise<boolean> {
    const step = stepOf(accountId, sealed, code)
    return step !== undefined && factors.useStep(db, accountId, step)
  }

  async function useRecoveryCode(accountId: string, code: string): Promise<boolean> {
    return inTransaction(db, async (tx) => {
      const digests = secrets.digests('recovery code', accountId, code.toUpperCase())
      if (!(await factors.useRecoveryCode(tx, accountId, digests, clock.now()))) return false
      await note(tx, accountId, 'use recovery code')
      return true
    })
  }

  async function note(tx: Parameters<typeof events.announce>[0], accountId: string, action: string) {
    await events.announce(tx, 'admin.acted', { accountId, action, subject: 'own sign-in' })
  }
}

const codeNeeded = () => fail('totp_required', 'Enter the six digits that your authenticator app shows.')

const tidied = (given: string) => given.replace(/[\s-]/g, '')
const isDigits = (code: string) => /^\d{6}$/.test(code)

/** `ABCDEFGH…` as people copy it: ABCD-EFGH-… */
function grouped(code: string): string {
  return Array.from({ length: groups.count }, (_, at) =>
    code.slice(at * groups.length, (at + 1) * groups.length),
  ).join('-')
}

function totpOf(bytes: Uint8Array, label: string): TOTP {
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer })
  return new TOTP({ issuer: 'Hearth', label, algorithm: 'SHA1', digits: 6, period, secret })
}
