import type { Card } from '#contract/payments.ts'

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

/** 'Visa ending in 4242'. */
export function cardName({ brand, last4 }: Pick<Card, 'brand' | 'last4'>): string {
  return `${brands[brand] ?? brand} ending in ${last4}`
}

/** '04 / 29', which no line breaks. */
export function cardExpiry({
  expiry_month,
  expiry_year,
}: Pick<Card, 'expiry_month' | 'expiry_year'>): string {
  return `${String(expiry_month).padStart(2, '0')}\u00a0/\u00a0${String(expiry_year % 100).padStart(2, '0')}`
}

/** What stands below a card's name. */
export function cardState(card: Card, now: number): string {
  if (isExpired(card, now)) return `Expired ${cardExpiry(card)}`
  return card.declined ? `Declined last time, expires ${cardExpiry(card)}` : `Expires ${cardExpiry(card)}`
}

/** A card is good to the end of its month. `now` in epoch milliseconds. */
export function isExpired(
  { expiry_month, expiry_year }: Pick<Card, 'expiry_month' | 'expiry_year'>,
  now: number,
): boolean {
  return Date.UTC(expiry_year, expiry_month, 1) <= now
}
