import type { EveryWeeks } from '#contract/series/series.ts'

/** Where the dates of a series that goes on from a session are agreed. */
export function keepHourPath(appointmentId: string, everyWeeks: EveryWeeks = 1): string {
  return `/series?${new URLSearchParams({ appointment: appointmentId, every: String(everyWeeks) })}`
}

/** Whether a series can go on at the hour of a session: it is of none yet, and was booked for a time rather than at once. */
export const hasKeepableHour = (session: { series_id: string | null; booking_type: string }) =>
  session.series_id === null && session.booking_type === 'schedule'

/** One series: a proposal to answer, or what became of it. */
export const seriesPath = (id: string) => `/series?series=${encodeURIComponent(id)}`

/** Where a session whose payment did not go through is paid. */
export const payPath = (appointmentId: string) => `/pay?appointment=${encodeURIComponent(appointmentId)}`

/** Where a practitioner offers the hour of a session to be kept. */
export const proposePath = (appointmentId: string) =>
  `/therapist/series/propose?appointment=${encodeURIComponent(appointmentId)}`

/** A practitioner's own series. */
export const therapistSeriesPath = '/therapist/series'

/** Where either of its two people finds the series of a session. */
export const seriesPathOf = (you: 'client' | 'practitioner', { series_id }: { series_id: string }) =>
  you === 'client' ? seriesPath(series_id) : therapistSeriesPath
