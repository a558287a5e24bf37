import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { formatPounds } from './money.ts'

/** What became of a client's payment afterwards, in words; undefined when it stands as it was paid. */
export function returnedMoneyLabel({
  refund,
  dispute,
  cancelled_by,
}: Pick<AppointmentDetail, 'refund' | 'dispute' | 'cancelled_by'>): string | undefined {
  if (dispute === 'open')
    return 'You have asked your bank to take this payment back. Your bank decides, and tells you.'
  if (dispute === 'lost') return 'Your bank has taken this payment back for you.'
  if (!refund) return undefined
  const { amount, failed = amount, by_transfer: transferred = 0, state } = refund
  if (state === 'failed')
    return `${formatPounds(failed)} did not reach your card: your bank sent it back. We will pay it to you in another way.`
  const transfer = `${formatPounds(transferred)} was paid to you by bank transfer.`
  if (transferred === amount) return transfer
  const rest = transferred ? `, and ${transfer}` : `${partsLabel(refund, cancelled_by)}.`
  return `${formatPounds(amount - transferred)} ${state === 'succeeded' ? 'was sent' : 'is going'} back to your card${rest}`
}

/** When the parts of a refund came, if a change of the session brought some of it. */
function partsLabel(
  { amount, on_change = 0 }: NonNullable<AppointmentDetail['refund']>,
  cancelledBy: AppointmentDetail['cancelled_by'],
): string {
  if (!on_change) return ''
  if (on_change === amount) return ' when you changed it'
  const when =
    cancelledBy === 'client' ? 'when you cancelled it' : cancelledBy ? 'when it was cancelled' : 'later'
  return `: ${formatPounds(on_change)} when you changed it and ${formatPounds(amount - on_change)} ${when}`
}
