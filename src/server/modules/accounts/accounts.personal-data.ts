import { days, later } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import type { Accounts } from './accounts.service.ts'
import { deleteConsents, listConsents } from './consents.store.ts'
import * as accountStore from './accounts.store.ts'
import * as mailTokens from './mail-tokens.store.ts'
import * as identities from './identity.store.ts'
import { listDevices } from './device-tokens.store.ts'
import { listKnown } from './known-addresses.store.ts'
import * as store from './account-settings.store.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'limits' | 'events'> & {
  accounts: Accounts
  /** Every module's contribution, for the columns that name an account. */
  referrers(): readonly PersonalData[]
}

/** How many deleted accounts are looked after at a time. */
const batch = 200

/** The account itself: the last to go, since everything else refers to it. */
export function accountsPersonalData({ clock, events, accounts, referrers }: Dependencies): PersonalData {
  return {
    tables: [
      'accounts',
      'clients',
      'login_sessions',
      'access_tokens',
      'refresh_tokens',
      'device_tokens',
      'mail_tokens',
      'identities',
      'known_addresses',
      'consents',
    ],
    kept: [
      {
        what: 'That there was an account: a random number, and the days on which it was opened and deleted.',
        why: 'The records of payments have to name someone. This number names nobody.',
        how_long: 'As long as a record needs it; a day if none does.',
        tables: ['accounts', 'clients'],
      },
      {
        what: 'Your email address and first name, for the one email that says that your account is deleted.',
        why: 'So that you know, also if it was someone else who deleted it.',
        how_long: 'Until that email has gone, and never longer than a day.',
        tables: ['outgoing_mails'],
      },
      {
        what: 'Counts of failed sign-ins and of emails, under a digest of your email address.',
        why: 'They keep others from guessing their way into accounts.',
        how_long: 'A day.',
        tables: [],
      },
      {
        what: 'What lies in safety copies of our database, and in the files that it works with.',
        why: 'They bring everything back after an accident. Nobody looks into them otherwise.',
        how_long: 'Until they are overwritten: 30 days at most.',
        tables: [],
      },
      {
        what: 'Emails that we sent to you before.',
        why: 'They lie in your mailbox, where we cannot reach them.',
        how_long: 'As long as you keep them.',
        tables: [],
      },
    ],

    async exported(db, person) {
      const account = await accountStore.findAccount(db, person.accountId)
      if (!account) return []
      const client = await accountStore.findClient(db, person.accountId)
      const joined = await identities.listIssuers(db, person.accountId)
      const signIns = await store.listAllLoginSessions(db, person.accountId)
      const devices = await listDevices(db, person.accountId, clock.now())
      const addresses = await listKnown(db, person.accountId)
      const consents = await listConsents(db, person.accountId)
      return [
        {
          title: 'Your account',
          about: 'Who you are to us, as you told us.',
          entries: [
            {
              name: `${account.first_name} ${account.last_name}`.trim(),
              email: account.email,
              email_confirmed_at: account.email_verified_at?.toISOString() ?? null,
              account_opened_at: account.created_at.toISOString(),
              ...(client
                ? {
                    your_referral_code: client.referral_code,
                    you_entered_the_code_of_a_friend: client.referred_by !== null,
                  }
                : {}),
            },
          ],
        },
        {
          title: 'Other accounts that you sign in with',
          about: 'We keep the number by which that service knows you, and nothing else of it.',
          entries: joined.map((row) => ({ service: row.issuer, since: row.created_at.toISOString() })),
        },
        {
          title: 'Where you signed in',
          about: 'Sign-ins of the last weeks. We keep no network address of yours with them.',
          entries: signIns.map((row) => ({
            device: row.device ?? 'not known',
            began_at: row.created_at.toISOString(),
            last_used_at: row.last_used_at.toISOString(),
            ended_at: row.ended_at?.toISOString() ?? null,
          })),
        },
        {
          title: 'Devices that you stay signed in on',
          about: 'You asked for it when you logged in there. It ends when you log out, or by itself.',
          entries: devices.map((row) => ({
            since: row.created_at.toISOString(),
            ends_at: row.expires_at.toISOString(),
          })),
        },
        {
          title: 'What you agreed to',
          about: 'Agreements that you gave and withdrew, with the version of the text that you saw.',
          entries: consents.map((row) => ({
            about: row.scope,
            number: row.subject,
            text: row.text_version,
            agreed_at: row.given_at?.toISOString() ?? null,
            withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
          })),
        },
        {
          title: 'Networks that you signed in from',
          about:
            'So that nobody who guesses at your password elsewhere keeps you out. We keep a code of each network address, from which we cannot read the address, for 90 days.',
          entries: addresses.map((row) => ({
            first_signed_in_at: row.first_seen_at.toISOString(),
            last_signed_in_at: row.last_seen_at.toISOString(),
          })),
        },
      ]
    },

    async erase(tx, person) {
      const account = await accountStore.findAccount(tx, person.accountId)
      if (!account) return
      await accounts.enqueueSettingsMail(tx, account, 'account_deleted', account.email)
      await mailTokens.deleteMailTokens(tx, account.id)
      await identities.deleteIdentities(tx, account.id)
      await deleteConsents(tx, account.id)
      await store.eraseAccount(tx, account.id, clock.now())
      await events.announce(tx, 'sign-in.ended', { accountId: account.id })
    },

    // Here the number itself goes, once nothing names it, and not before a day has gone by.
    expired(db) {
      const columns = referrers().flatMap(({ namedBy = {} }) => Object.entries(namedBy))
      return store.listUnreferred(db, columns, later(clock.now(), -days(1)), batch)
    },
    endRetention: (tx, accountId) => store.deleteAccount(tx, accountId),
  }
}
