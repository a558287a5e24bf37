import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
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

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

/** Visa ending in 4242, expires 12 / 34, which no line breaks. */
export function cardLabel({ brand, last4, expiry_month, expiry_year }: TherapistCard): string {
  const expiry = `${String(expiry_month).padStart(2, '0')}\u00a0/\u00a0${String(expiry_year % 100).padStart(2, '0')}`
  return `${brands[brand] ?? brand} ending in ${last4}, expires ${expiry}`
}

/** Where the card that the platform is paid with is added or changed. */
export const addCardPath = '/therapist/add-card'
export const subscriptionPath = '/therapist/subscription'
