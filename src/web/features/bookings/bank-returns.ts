import type { AppointmentDetail } from '#contract/bookings/bookings.ts'

/**
 * How the money of a session comes back where its client has asked the bank for it, so that no sum of ours is promised.
 * Undefined where the bank has nothing to do with it.
 */
export function bankReturnsLabel({ dispute }: Pick<AppointmentDetail, 'dispute'>): string | undefined {
  if (dispute === 'open')
    return 'You have asked your bank to take the payment back. Once it has decided, what is due to you comes from your bank or from us.'
  if (dispute === 'lost')
    return 'Your bank has taken a payment back for you already. We send back to your card only what it has not.'
  return undefined
}
