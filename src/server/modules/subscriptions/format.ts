import { date, time } from '../../integrations/mail/times.ts'
import { billingZone } from './months.ts'

/** 8 June 2026, in Europe/London. */
export const day = (instant: Date): string => date(instant, billingZone)

/** 2026-06-08, in Europe/London. */
export const isoDay = (instant: Date): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: billingZone }).format(instant)

/** 10:00, in Europe/London. */
export const clockTime = (instant: Date): string => time(instant, billingZone)

/** June 2026, out of `2026-06`. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}
