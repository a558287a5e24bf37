import type { AnswerOf } from '#contract/endpoints.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors.ts'
import type { SignedIn, Visitor } from '../../../http/caller.ts'
import { type Accounts, referralDiscountPercent } from '../../accounts/accounts.service.ts'
import * as store from '../bookings.store.ts'

export type Referrals = ReturnType<typeof createReferrals>

/** Codes that take 20 % off a first session. `bookings.quote.ts` computes the price. */
export function createReferrals({ db, accounts }: Pick<Deps, 'db'> & { accounts: Accounts }) {
  return {
    /** The code that the caller entered, and what it still gives. */
    async own({ accountId }: SignedIn): Promise<AnswerOf<'GET /client/check-referral-code'>> {
      const referrer = await accounts.referredBy(db, accountId)
      const isOver = await store.hasUsedDiscount(db, accountId)
      return {
        state: isOver ? 'over' : referrer === null ? 'none' : 'saved',
        referral_code: referrer === null ? null : await accounts.referralCodeOf(db, referrer),
        discount_percent: referralDiscountPercent,
      }
    },

    /**
     * Checks a code, and keeps it for the first session of a signed-in client.
     * @throws 422 `unknown_referral_code`, `own_referral_code`, or `referral_used` once the first session is booked
     */
    async check(caller: SignedIn | Visitor, code: string, address: string) {
      return accounts.checkReferralCode(caller, code, address, async (clientId) => {
        if (!(await store.hasUsedDiscount(db, clientId))) return
        throw invalidField(
          'referral_code',
          'A code is for a first session, and you have booked yours. It was not used up: it still works for someone else.',
          'referral_used',
        )
      })
    },
  }
}
