const whole = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** No card can be charged less, in pence: the payment gateway's limit for sterling. */
export const leastChargePence = 30

/** A sum as the API gives it. */
export const pounds = (pence: number): number => pence / 100

/** £60 for whole pounds, £2,760.50 otherwise, −£5 below zero. */
export function formatPence(pence: number): string {
  return format(pence % 100 === 0 ? whole : exact, pence)
}

/** £60.00, £2,760.50, −£5.00: as invoices, statements and mails write it. */
export const formatExactPence = (pence: number): string => format(exact, pence)

function format(by: Intl.NumberFormat, pence: number): string {
  // Minus zero has no sign.
  return by.format((pence || 0) / 100).replace('-', '−')
}

/** States of refunds that the client has received or will receive. */
export const givenBack = ['requested', 'succeeded', 'paid_otherwise'] as const

export const isGivenBack = (state: string): boolean => (givenBack as readonly string[]).includes(state)

/** How long before its start the money of a reserved session is taken, in milliseconds. */
export const takenAhead = 48 * 3_600_000
