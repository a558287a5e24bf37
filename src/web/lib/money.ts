/** Whole pence from pounds as they come over the wire. */
export function poundsToPence(pounds: number): number {
  return Math.round(pounds * 100)
}

const whole = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** £60 for whole pounds, £52.50 otherwise. */
export function formatPence(pence: number): string {
  return (pence % 100 === 0 ? whole : exact).format(pence / 100)
}

/** The same for pounds as they come over the wire. */
export function formatPounds(pounds: number): string {
  return formatPence(poundsToPence(pounds))
}
