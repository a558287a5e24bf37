import { formatPence } from '#contract/money.ts'

/** Whole pence from pounds as they come over the wire. */
export function poundsToPence(pounds: number): number {
  return Math.round(pounds * 100)
}

/** £60 for whole pounds, £52.50 otherwise, of pounds as they come over the wire. */
export function formatPounds(pounds: number): string {
  return formatPence(poundsToPence(pounds))
}
