const whole = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** £60 for whole pounds, £2,760.50 otherwise, −£5 below zero. */
export function formatPence(pence: number): string {
  // Minus zero has no sign.
  return (pence % 100 === 0 ? whole : exact).format((pence || 0) / 100).replace('-', '−')
}
