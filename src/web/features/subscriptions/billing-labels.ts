import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import { cardExpiry, cardName } from '#web/lib/card-names.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay } from '#web/lib/time.ts'

/** What the platform charges goes by the clock in London. */
const billingZone = 'Europe/London'

/** Wednesday 1 July, with the year where it is not this one. */
export const billingDay = (instant: string) => formatDay(instant, billingZone, serverNow())

/** June 2026, out of `2026-06`. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}

/** Visa ending in 4242, expires 12 / 34. */
export const cardLabel = (card: TherapistCard) => `${cardName(card)}, expires ${cardExpiry(card)}`

/** Where the card that the platform is paid with is added or changed. */
export const addCardPath = '/therapist/add-card'
export const subscriptionPath = '/therapist/subscription'
