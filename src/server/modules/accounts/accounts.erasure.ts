import type { z } from 'zod'
import type { DeleteAccount, Export, Hindrance, Kept } from '#contract/accounts/personal-data.ts'
import { days, later } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { errorName, fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { exportsOfAccount } from './accounts.limits.ts'
import { keptSince } from './accounts.rules.ts'
import type { Accounts } from './accounts.service.ts'
import * as store from './account-settings.store.ts'
import type { Person, PersonalData } from '../../contributions/personal-data.ts'

type Dependencies = Pick<Deps, 'db' | 'reads' | 'clock' | 'limits' | 'log'> & {
  accounts: Accounts
  /** The contributions of every module, in the order of erasure. */
  personalData(): readonly PersonalData[]
}

export type Erasure = ReturnType<typeof createErasure>

/** Exports and erases the personal data of an account, from the contributions of every module. */
export function createErasure({ db, reads, clock, limits, log, accounts, personalData }: Dependencies) {
  return {
    /** Exports all data that is stored about the caller. @throws 429 */
    async exportData(caller: SignedIn): Promise<Export> {
      await limits.use(exportsOfAccount, caller.accountId)
      const sections = await reads.whole(async (handle) => {
        const all: Export['sections'] = []
        for (const part of personalData()) all.push(...(await part.exported(handle, caller)))
        return all
      })
      return { read_me: readMe, created_at: clock.now().toISOString(), sections }
    },

    /** Lists the reasons why the caller's account cannot be deleted yet. */
    async hindrances(caller: SignedIn): Promise<{ hindrances: Hindrance[] }> {
      return { hindrances: await hindrancesOf(db, caller) }
    },

    /** Lists the data that is retained after a deletion. It does not depend on the account. */
    async keptAfterDeletion(): Promise<Kept[]> {
      return personalData().flatMap((part) => part.kept)
    },

    /**
     * Deletes the caller's account. Erases or anonymises its data and ends every sign-in session, in one transaction.
     * @throws 422 `wrong_password`; 409 `not_deletable` with `hindrances`; 429
     */
    async deleteAccount(caller: SignedIn, body: z.infer<typeof DeleteAccount>): Promise<'success'> {
      const account = await accounts.requirePassword(caller, body.current_password)
      await inTransaction(db, async (tx) => {
        if (!(await store.lockForDeletion(tx, caller.accountId))) {
          throw fail('unauthenticated', 'This account has been deleted.')
        }
        await accounts.lockChecked(tx, account)
        for (const part of personalData()) await part.lock?.(tx, caller)
        const hindrances = await hindrancesOf(tx, caller)
        if (hindrances.length > 0) throw notDeletable(hindrances)
        for (const part of personalData()) await part.erase(tx, caller)
      })
      for (const part of personalData()) {
        await part.followUp?.(caller).catch((error: unknown) => {
          log.warn(
            { err: { name: errorName(error) } },
            'What follows from a deleted account is left to the queue.',
          )
        })
      }
      return 'success'
    },

    /** Whether an account was deleted recently, so that its remains in files must be overwritten. */
    hasErasedAccounts: () => store.isAnyDeletedSince(db, later(clock.now(), -days(1))),

    /** Deletes the retained data of deleted accounts once its retention ends. */
    async endRetention(): Promise<void> {
      const before = keptSince(clock.now())
      for (const part of personalData()) {
        for (const accountId of (await part.expired?.(db, before)) ?? []) {
          await inTransaction(db, (tx) => part.endRetention?.(tx, accountId, before) ?? Promise.resolve())
        }
      }
    },
  }

  async function hindrancesOf(handle: Db, person: Person): Promise<Hindrance[]> {
    const found: Hindrance[] = []
    for (const part of personalData()) found.push(...((await part.hindrances?.(handle, person)) ?? []))
    return found
  }
}

function notDeletable(hindrances: Hindrance[]) {
  const [first] = hindrances
  return fail('not_deletable', `Your account cannot be deleted yet. ${first?.message} ${first?.way_out}`, {
    details: { hindrances },
  })
}

const readMe = [
  'This file holds what Hearth keeps about you, in sections. Each says what it is about, and then lists its entries.',
  'It is JSON, a format that people and programs can read. Open it with any text editor or browser.',
  'Times are in UTC, written as 2026-06-01T09:00:00.000Z. Amounts are in pounds.',
  'Your password is not in it: we keep it only in a form that nobody can read. Nor are the numbers of your cards, which never rest with us.',
  'Keep it as safe as a letter from your doctor: it shows that you looked for help, and from whom.',
]
