import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import * as store from './consents.store.ts'

/** What an account agrees to. */
type Agreed = {
  accountId: string
  /** The kind of agreement, such as `series`. */
  scope: string
  /** The id of the object that it is about. */
  subject: string
  /** Names the text that was shown. */
  textVersion: string
}

/** What a client's consent to the use of data on their health is about. */
export const aboutHealth = (accountId: string) => ({ accountId, scope: 'health-data', subject: accountId })

export type Consents = ReturnType<typeof createConsents>

/** Agreements of accounts: one row when one is given, another when it is withdrawn. */
export function createConsents({ clock, random }: Pick<Deps, 'clock' | 'random'>) {
  return {
    /** Records an agreement. Repeating the last one about its subject adds nothing. */
    async give(tx: Tx, agreed: Agreed): Promise<void> {
      const last = await store.findLastConsent(tx, agreed.accountId, agreed.scope, agreed.subject)
      if (last?.given_at && last.text_version === agreed.textVersion) return
      await insert(tx, agreed, 'given_at')
    },

    /** Records a withdrawal, if there is an agreement to withdraw. */
    async withdraw(tx: Tx, { accountId, scope, subject }: Omit<Agreed, 'textVersion'>): Promise<void> {
      const last = await store.findLastConsent(tx, accountId, scope, subject)
      if (!last?.given_at) return
      await insert(tx, { accountId, scope, subject, textVersion: last.text_version }, 'withdrawn_at')
    },

    /** Since when an account agrees to something; undefined where it does not. */
    async givenAt(
      handle: Db,
      { accountId, scope, subject }: Omit<Agreed, 'textVersion'>,
    ): Promise<Date | undefined> {
      const last = await store.findLastConsent(handle, accountId, scope, subject)
      return last?.given_at ?? undefined
    },

    /** What an account has agreed to and withdrawn, oldest first. */
    list: (handle: Db, accountId: string) => store.listConsents(handle, accountId),
  }

  async function insert(tx: Tx, agreed: Agreed, as: 'given_at' | 'withdrawn_at'): Promise<void> {
    const now = clock.now()
    await store.insertConsent(tx, {
      id: random.uuid(now),
      account_id: agreed.accountId,
      scope: agreed.scope,
      subject: agreed.subject,
      text_version: agreed.textVersion,
      given_at: null,
      withdrawn_at: null,
      [as]: now,
    })
  }
}
