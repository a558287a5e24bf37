import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { formatPounds } from './money.ts'

/** What became of a client's payment afterwards, in words; undefined when it stands as it was paid. */
export function returnedMoneyLabel({
  refund,
  dispute,
}: Pick<AppointmentDetail, 'refund' | 'dispute'>): string | undefined {
  if (dispute === 'open')
    return 'You have asked your bank to take this payment back. Your bank decides, and tells you.'
  if (dispute === 'lost') return 'Your bank has taken this payment back for you.'
  if (!refund) return undefined
  const amount = formatPounds(refund.amount)
  if (refund.state === 'failed')
    return `${amount} did not reach your card: your bank sent it back. We will pay it to you in another way.`
  return refund.state === 'succeeded'
    ? `${amount} went back to your card.`
    : `${amount} is going back to your card.`
}
