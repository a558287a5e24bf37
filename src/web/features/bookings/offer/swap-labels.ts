import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { formatPounds } from '#web/lib/money.ts'
import { bankReturnsLabel } from '../bank-returns.ts'

type Returned = Pick<NonNullable<WaitlistOffer['swap']>, 'refund' | 'discount' | 'dispute'>

/** What a client gets back for a session that another one replaces. A server of the release before sends no `discount`. */
export function swapReturnsLabel({ refund, discount = 0, dispute = null }: Returned): string {
  const paid = refund - discount
  const back =
    bankReturnsLabel({ dispute }) ??
    (paid > 0
      ? `You get ${formatPounds(paid)} back, to the card you paid with.`
      : 'There is nothing to give back for it.')
  if (discount === 0) return back
  return `${back} Its discount goes over to this session: you get ${formatPounds(discount)} of the price back once it is booked, unless the card you pay with has had a discount on another session.`
}
