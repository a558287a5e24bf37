import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { AuthAnswer } from '#contract/accounts/accounts.ts'
import { Entrance, type FetchedCredential, type IdentityTrouble } from '#contract/accounts/identity.ts'
import { later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { createJourneys } from '../../journeys.ts'
import { fail, invalidField } from '../../errors.ts'
import type { Origin } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import type { IdentityProvider, VerifiedIdentity } from '../../integrations/identity/port.ts'
import type { Mails } from '../mails/mails.service.ts'
import { registrationsFromAddress } from './accounts.limits.ts'
import { aboutAccount, changeOfEmailMails, lifetimes, type MailedRole } from './accounts.rules.ts'
import type { SignIn } from './accounts.sign-in.ts'
import * as accounts from './accounts.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import * as store from './identity.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'limits' | 'secrets' | 'events' | 'publicUrl'> & {
  mails: Pick<Mails, 'withdraw'>
  /** Undefined: sign-in by an OpenID provider is switched off. */
  identityProvider: IdentityProvider | undefined
  signIns: SignIn
}

/** A credential as a client sends it, with the secret of the client's browser if it has one. */
type Shown = { credential: string; email?: string | undefined; browser?: string | undefined }

/** State of the flow, which the browser keeps encrypted in a cookie. */
const Journey = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  page: Entrance,
  returnTo: z.string().optional(),
  browser: z.string(),
  expires: z.number(),
})
type Journey = z.infer<typeof Journey>

/** The secret of the browser that shows a credential, if it keeps one. */
export type InBrowser = { browser?: string | undefined }

/** Creates an account without a password; false when another one has this email. */
export type OpenAccount = (
  tx: Tx,
  person: { role: MailedRole; email: string; first_name: string; last_name: string },
) => Promise<accounts.Account | undefined>

export type Identities = ReturnType<typeof createIdentities>

/** Sign-in by an OpenID provider: checks its credentials, and runs the flow to its pages and back. */
export function createIdentities(deps: Dependencies) {
  const {
    db,
    clock,
    random,
    limits,
    secrets,
    events,
    mails,
    identityProvider: provider,
    publicUrl,
    signIns,
  } = deps
  const redirectUri = `${publicUrl}/api/v7/identity/callback`
  const journeys = createJourneys(deps, 'identity', Journey)

  return {
    /** Issues a nonce for one credential. With a browser's secret, the nonce is valid in that browser alone. */
    nonce(browser?: string): { nonce: string; expires_at: string } {
      const { nonce, expiresAt } = issueNonce(browser)
      return { nonce, expires_at: expiresAt.toISOString() }
    },

    /**
     * Signs in to the account of a credential. An account with the same email is joined to the identity, since the
     * provider has verified the address. @throws 401 `identity_refused`; 404 `no_account`; 422 under `email`; 503
     */
    async signIn(role: MailedRole, shown: Shown, from: Origin): Promise<AuthAnswer> {
      const identity = await verified(shown)
      return inTransaction(db, async (tx) => {
        await spend(tx, identity, shown.browser)
        const account = await holderOf(tx, role, identity)
        // The rollback keeps the nonce unused, for a sign-up with the same credential.
        if (!account) throw fail('no_account', 'Need to create an account with this email')
        return signIns.signIn(tx, account, from)
      })
    },

    /**
     * Creates an account for a credential by `open`, and signs in to it. Signs in only if the account exists already.
     * @throws 401 `identity_refused`; 422 under `email`; 429; 503
     */
    async signUp(role: MailedRole, shown: Shown, from: Origin, open: OpenAccount): Promise<AuthAnswer> {
      await limits.use(registrationsFromAddress, from.address)
      const identity = await verified(shown)
      return inTransaction(db, async (tx) => {
        await spend(tx, identity, shown.browser)
        const there = await holderOf(tx, role, identity)
        if (there) return signIns.signIn(tx, there, from)
        const account = await open(tx, {
          role,
          email: identity.email,
          first_name: identity.firstName,
          last_name: identity.lastName,
        })
        // A concurrent request has created an account with this email.
        if (!account) throw refused()
        await join(tx, account, role, identity)
        return signIns.signIn(tx, account, from)
      })
    },

    /** Returns the URL of the provider's pages, and the sealed state for the browser's cookie. @throws 503; 404 */
    async begin({
      page,
      returnTo,
    }: {
      page: Entrance
      returnTo?: string | undefined
    }): Promise<{ url: string; kept: string }> {
      if (!provider) throw fail('not_found', 'There is nothing at this address.')
      const { nonce } = issueNonce()
      const journey: Journey = {
        state: random.secret(),
        nonce,
        verifier: random.secret(),
        browser: random.secret(),
        page,
        ...(returnTo === undefined ? {} : { returnTo }),
        expires: later(clock.now(), lifetimes.identity).getTime(),
      }
      const begun = await provider.begin({ redirectUri, ...journey })
      if (!begun.ok) throw unavailable()
      return { url: begun.url.href, kept: journeys.seal(journey) }
    },

    /**
     * Completes the provider's callback. Returns the page to redirect to, and the one-time code that the page exchanges
     * for the credential. Never throws for input of the browser or the provider.
     */
    async finish(
      query: URLSearchParams,
      kept: string | undefined,
    ): Promise<
      { page: Entrance; returnTo?: string | undefined } & ({ code: string } | { trouble: IdentityTrouble })
    > {
      const journey = journeys.open(kept)
      if (!provider || !journey) return { page: '/sign-in', trouble: 'failed' }
      const { page, returnTo } = journey
      const address = new URL(`${redirectUri}?${query.toString()}`)
      const outcome = await provider.finish(address, { redirectUri, ...journey })
      if (!outcome.ok) {
        return { page, returnTo, trouble: outcome.why === 'cancelled' ? 'cancelled' : 'failed' }
      }
      const code = random.secret()
      const hash = hashSecret(code)
      await store.insertCode(db, {
        hash,
        browser: hashSecret(journey.browser),
        sealed: secrets.seal('identity', hash.toString('hex'), Buffer.from(outcome.credential)),
        expires_at: later(clock.now(), lifetimes.identityCode),
      })
      return { page, returnTo, code }
    },

    /** Exchanges a one-time code for its credential, in the browser that began. @throws 422 `invalid_token`; 503 */
    async exchange(code: string, kept: string | undefined): Promise<FetchedCredential> {
      const journey = journeys.open(kept)
      const hash = hashSecret(code)
      const sealed =
        journey &&
        (await store.spendCode(db, { hash, browser: hashSecret(journey.browser), now: clock.now() }))
      if (!sealed) throw fail('invalid_token', 'This sign-in has expired. Please try again.')
      const credential = secrets.open('identity', hash.toString('hex'), sealed).toString()
      const { firstName, lastName, email } = await verified({ credential })
      return { credential, first_name: firstName, last_name: lastName, email }
    },

    /** Deletes used nonces that have expired, and expired codes that were never exchanged. */
    tidy: () => store.deleteOldIdentityWork(db, clock.now()),
  }

  /** Returns a nonce `random.expiry.signature`. It needs no row before it is used. */
  function issueNonce(browser?: string): { nonce: string; expiresAt: Date } {
    const expiresAt = later(clock.now(), lifetimes.identity)
    const unsigned = `${random.secret()}.${expiresAt.getTime().toString(36)}`
    const signature = secrets.digest('identity', 'nonce', boundTo(browser, unsigned)).toString('base64url')
    return { nonce: `${unsigned}.${signature}`, expiresAt }
  }

  /** The expiry of a nonce that this server signed; undefined for a foreign one or one bound to another browser. */
  function expiryOf(nonce: string, browser: string | undefined): Date | undefined {
    const [, unsigned = '', expiry = '', signature = ''] = /^(.+\.(\w+))\.([\w-]+)$/.exec(nonce) ?? []
    const given = Buffer.from(signature)
    let isOurs = false
    for (const text of [unsigned, boundTo(browser, unsigned)]) {
      for (const digest of secrets.digests('identity', 'nonce', text)) {
        const right = Buffer.from(digest.toString('base64url'))
        isOurs = (given.length === right.length && timingSafeEqual(given, right)) || isOurs
      }
    }
    return isOurs ? new Date(Number.parseInt(expiry, 36)) : undefined
  }

  /** Verifies a credential with the provider. Rejects a request whose `email` differs from the credential's. */
  async function verified({ credential, email }: Shown): Promise<VerifiedIdentity> {
    if (!provider) throw refused()
    const verdict = await provider.verify(credential)
    if (!verdict.ok) throw verdict.why === 'refused' ? refused() : unavailable()
    const identity = { ...verdict.identity, email: verdict.identity.email.trim().toLowerCase() }
    if (identity.email.length > 254) throw refused()
    if (email !== undefined && email.trim().toLowerCase() !== identity.email) {
      throw invalidField('email', 'This is not the email of the account that you chose.')
    }
    return identity
  }

  async function spend(tx: Tx, { nonce }: VerifiedIdentity, browser?: string): Promise<void> {
    const expiresAt = expiryOf(nonce, browser)
    if (!expiresAt || expiresAt <= clock.now()) throw refused()
    if (!(await store.spendNonce(tx, { hash: hashSecret(nonce), expires_at: expiresAt }))) throw refused()
  }

  /**
   * Finds the account joined to an identity. Otherwise joins the account that has the identity's email.
   * @throws 401 `identity_refused` for an email that may have changed hands, whether there is an account with it or not
   */
  async function holderOf(
    tx: Tx,
    role: MailedRole,
    identity: VerifiedIdentity,
  ): Promise<accounts.Account | undefined> {
    const joined = await store.findAccountOf(tx, { ...identity, role })
    const holder = joined && (await accounts.lockAccount(tx, joined, 'share'))
    // Before the lock, the account may have been deleted, or parted from its identities.
    if (holder && (await store.findAccountOf(tx, { ...identity, role })) === holder.id) return holder
    if (!identity.ownsEmail) throw unproven()
    const found = await accounts.findByEmail(tx, role, identity.email)
    const locked = found && (await store.lockAccount(tx, found.id))
    // Its email may have changed before the lock.
    if (!found || locked?.email !== found.email) return undefined
    if (!locked.email_verified_at) await takeFromStranger(tx, found)
    await join(tx, found, role, identity)
    return found
  }

  /**
   * Removes every way into an account whose email was never confirmed: password, sign-ins and mailed links. A stranger
   * may have registered it with this address.
   */
  async function takeFromStranger(tx: Tx, account: accounts.Account): Promise<void> {
    const now = clock.now()
    await store.removePassword(tx, account.id)
    await accounts.endLoginSessionsOf(tx, account.id, now)
    await mails.withdraw(tx, aboutAccount(account.id), changeOfEmailMails)
    await mailTokens.deleteMailTokens(tx, account.id)
    await events.announce(tx, 'sign-in.ended', { accountId: account.id })
    await events.announce(tx, 'account.reclaimed', { accountId: account.id })
    await accounts.setEmailVerified(tx, account.id, now)
  }

  async function join(
    tx: Tx,
    account: { id: string },
    role: MailedRole,
    { issuer, subject }: VerifiedIdentity,
  ): Promise<void> {
    const identity = { issuer, subject, role, account_id: account.id, created_at: clock.now() }
    // The account is joined to another subject of the same provider: its email address has changed hands.
    if (!(await store.insertIdentity(tx, identity))) throw refused()
  }
}

const boundTo = (browser: string | undefined, unsigned: string): string =>
  browser === undefined ? unsigned : `${unsigned} ${browser}`

const refused = () =>
  fail(
    'identity_refused',
    'This sign-in could not be confirmed. Please try again, or use your email and password.',
  )
const unproven = () =>
  fail(
    'identity_refused',
    'This sign-in does not show whether the email is still yours. Please use your email and password.',
  )
const unavailable = () =>
  fail(
    'identity_unavailable',
    'We cannot reach the sign-in service at the moment. Please try again, or use your email and password.',
    {
      retryAfter: 10,
    },
  )
