import type { PractitionerState } from '#contract/back-office/back-office.ts'
import type { TherapistAccount } from '#contract/accounts/account-settings.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import { setRemoved } from './documents/documents.store.ts'
import type { Practitioners } from './practitioners.service.ts'
import { findByAccount } from './practitioners.store.ts'
import { lockState } from './standing.store.ts'
import { reopenFacts } from './vetting/vetting.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'events'> & {
  accounts: Pick<Accounts, 'person' | 'setName'>
  practitioners: Pick<Practitioners, 'accountOf'>
}

type Name = { first_name: string; last_name: string }

export type PractitionerAccount = ReturnType<typeof createPractitionerAccount>

/** States in which the name can change. Once the profile is submitted, admins check its documents against the name. */
const renamable: readonly PractitionerState[] = ['draft', 'rejected']

/** A practitioner's account settings that depend on the profile. Clients see the account's name on it. */
export function createPractitionerAccount({ db, clock, events, accounts, practitioners }: Dependencies) {
  return {
    /** @throws 404 for an account without a profile */
    account: (caller: SignedIn): Promise<TherapistAccount> => read(db, caller),

    /** What was accepted under another name waits to be checked again. @throws 409 `not_changeable` once the profile is submitted */
    async rename(caller: SignedIn, name: Name): Promise<TherapistAccount> {
      return inTransaction(db, async (tx) => {
        const { practitioner_id: id, first_name, last_name } = await read(tx, caller)
        const state = await lockState(tx, id)
        if (!state || !renamable.includes(state)) {
          throw fail(
            'not_changeable',
            'Your name is the one on the documents you submitted, and clients see it. Please write to us to change it.',
          )
        }
        await accounts.setName(tx, caller.accountId, name)
        if (first_name !== name.first_name || last_name !== name.last_name) {
          // What was accepted of a profile that is rejected now was checked against the name before.
          const now = clock.now()
          for (const fileId of await reopenFacts(tx, id)) await setRemoved(tx, fileId, now)
        }
        await events.announce(tx, 'practitioner.changed', { practitionerId: id })
        return read(tx, caller)
      })
    },

    /**
     * Changes the name of a practitioner who cannot do so any more, on the word of the back office, which has seen a
     * document under the new one. What was accepted stays. Returns whether it is another name.
     * @throws 404; 409 `not_changeable` while the practitioner can change it, and once the profile is closed
     */
    async renameFor(tx: Tx, id: number, name: Name): Promise<boolean> {
      const state = await lockState(tx, id)
      const accountId = state && (await practitioners.accountOf(tx, id))
      if (!accountId) throw notFound('This practitioner')
      if (renamable.includes(state)) {
        throw fail('not_changeable', 'They can change their name themselves until they submit their profile.')
      }
      if (state === 'closed') throw fail('not_changeable', 'This profile is closed.')
      const before = await accounts.person(tx, accountId)
      if (before?.firstName === name.first_name && before.lastName === name.last_name) return false
      await accounts.setName(tx, accountId, name)
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
      return true
    },
  }

  async function read(handle: Db, caller: SignedIn): Promise<TherapistAccount> {
    const practitioner = await findByAccount(handle, caller.accountId)
    const person = await accounts.person(handle, caller.accountId)
    if (!practitioner || !person) throw notFound('This account')
    return {
      practitioner_id: practitioner.id,
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      email_verified: person.verified,
      name_fixed: !renamable.includes(practitioner.state),
    }
  }
}
