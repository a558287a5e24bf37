import type { APIRequestContext } from '@playwright/test'
import { bookByApi, type Offer } from './booking.ts'
import { type Account, callAs, saveCard } from './people.ts'

type KeptDate = {
  on_date: string
  state: string
  starts_at: string
  session_status: string | null
  payment: string
  pay_at: string
  pay_by: string
  appointment_id: string | null
}
export type Kept = {
  series_id: string
  state: string
  fee: number
  rhythm: { weekday: number; start: string; every_weeks: number }
  new_zone: { timezone: string; confirmed_by_client: boolean; confirmed_by_practitioner: boolean } | null
  dates: KeptDate[]
  terms: { version: string } | null
}

/** A session by the API, and the same hour kept every week from then on. */
export async function keepHour(
  request: APIRequestContext,
  account: Account,
  offer: Offer,
  time: string,
): Promise<Kept> {
  const { session_id } = await bookByApi(request, account, offer, time)
  const { data } = await callAs<{ data: Kept }>(request, account, 'POST', '/series', {
    appointment_id: session_id,
  })
  return agreeByApi(request, account, data)
}

/** Agrees to a proposal by the API; dates whose hour is taken are skipped. */
export async function agreeByApi(request: APIRequestContext, account: Account, data: Kept): Promise<Kept> {
  const { customer_id } = await saveCard(request, account)
  const agreed = await callAs<{ data: Kept }>(request, account, 'POST', `/series/${data.series_id}/agree`, {
    customer_id,
    terms_version: data.terms?.version,
    dates: data.dates
      .filter(({ state }) => state === 'conflict')
      .map(({ on_date }) => ({ on_date, action: 'skip' })),
  })
  return agreed.data
}

/** What the server knows of the account's series. */
export async function ownSeries(request: APIRequestContext, account: Account): Promise<Kept[]> {
  return (await callAs<{ data: Kept[] }>(request, account, 'GET', '/client/series')).data
}

/** `YYYY-MM-DD` in London, some days from now. */
export function dayAhead(days: number): string {
  return dayAfter(new Date().toISOString(), days)
}

/** `YYYY-MM-DD` in London, some days after an instant. */
export function dayAfter(instant: string, days: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(
    Date.parse(instant) + days * 86_400_000,
  )
}

/** 1 is Monday. */
export function weekdayOf(day: string): number {
  return ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) + 1
}
