import type { z } from 'zod'
import type { AuthAnswer, ClientRegister, TherapistRegister } from '#contract/accounts/accounts.ts'
import type { ClientSocialSignUp, TherapistSocialSignUp } from '#contract/accounts/identity.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import type { Origin } from '../../http/caller.ts'
import type { Mails } from '../mails/mails.service.ts'
import { aboutHealth, type Consents } from './accounts.consents.ts'
import type { Identities, InBrowser } from './accounts.identity.ts'
import { registrationsFromAddress } from './accounts.limits.ts'
import { welcomeMail } from './accounts.mails.ts'
import { aboutAccount, lifetimes, type MailedRole, splitName } from './accounts.rules.ts'
import { refuseCommon } from './accounts.settings.ts'
import type { SignIn } from './accounts.sign-in.ts'
import * as store from './accounts.store.ts'
import type { Passwords } from './passwords.ts'

export type TherapistAuthAnswer = AuthAnswer & { user: { practitioner_id: number } }

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'events' | 'publicUrl'> & {
  mails: Mails
  consents: Consents
  passwords: Passwords
  signIns: SignIn
  identities: Identities
  confirmUrl(tx: Tx, account: store.Account): Promise<string>
  withPractitioner(answer: AuthAnswer): Promise<TherapistAuthAnswer>
  referrerOf(db: Db, code: string): Promise<string>
}

/** New accounts, by a password or by an OpenID provider, and the mail that welcomes them. */
export function createRegistration(deps: Dependencies) {
  const { db, clock, random, mails, limits, events, publicUrl, passwords, signIns, identities } = deps
  const { consents, confirmUrl, withPractitioner, referrerOf } = deps

  /**
   * With the link that confirms the address, unless it was confirmed after the account's creation. After a crash the
   * mail may be sent again with another link; the newest link works.
   */
  mails.template('account.welcome', {
    isUrgent: true,
    deleteAfter: lifetimes.mail,
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
    noteWelcome,

    /** Creates a client and signs them in. @throws 422 by field, also for a taken email. */
    async registerClient(body: z.infer<typeof ClientRegister>, from: Origin): Promise<AuthAnswer> {
      await limits.use(registrationsFromAddress, from.address)
      const referrer = body.referral_code ? await referrerOf(db, body.referral_code) : null
      const person = { role: 'client' as const, ...body, ...splitName(body.name) }
      return register(person, from, (tx, accountId) =>
        beginAsClient(tx, accountId, { referrer, healthConsent: body.health_consent }),
      )
    },

    /** As a client, by an OpenID provider's word. @throws as `identities.signUp` */
    signUpClient: (body: z.infer<typeof ClientSocialSignUp> & InBrowser, from: Origin): Promise<AuthAnswer> =>
      identities.signUp('client', body, from, (tx, person) =>
        openWithoutPassword(tx, person, (accountId) =>
          beginAsClient(tx, accountId, { referrer: null, healthConsent: body.health_consent }),
        ),
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
          'There is already an account with this email. You can sign in.',
          'email_taken',
        )
      }
      await also(tx, id)
      await noteWelcome(tx, id)
      return signIns.signIn(tx, account, from)
    })
  }

  async function beginAsClient(
    tx: Tx,
    accountId: string,
    { referrer, healthConsent }: { referrer: string | null; healthConsent: string | null | undefined },
  ): Promise<void> {
    await store.insertClient(tx, {
      account_id: accountId,
      referral_code: random.code(8),
      referred_by: referrer,
    })
    if (healthConsent) await consents.give(tx, { ...aboutHealth(accountId), textVersion: healthConsent })
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
