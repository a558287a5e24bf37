import type { Series } from '#contract/series/series.ts'
import { payPath } from '#web/lib/series-paths.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'

/** Where an agreed series goes on: at the payment of a session that is due, else in My Sessions. */
export function agreedPlace(series: Series): { to: string; state: { agreed: string } | null } {
  const unpaid = series.dates.find(({ can }) => can.pay)?.appointment_id
  return unpaid
    ? { to: payPath(unpaid), state: null }
    : { to: '/my-sessions', state: { agreed: series.series_id } }
}

/** Leads on once a series is agreed. */
export function useLeadOn(): (series: Series) => void {
  const navigate = useLateNavigate()
  return (series) => {
    const { to, state } = agreedPlace(series)
    void navigate(to, { replace: true, state })
  }
}
