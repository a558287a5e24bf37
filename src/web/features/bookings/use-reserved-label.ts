import { useQuery } from '@tanstack/react-query'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { viewerZone } from '#web/lib/time.ts'
import { askedPriceLabel, reservedLabel } from './booking-labels.ts'
import { sessionQuery } from './session-page/session-queries.ts'

/** Where the payment of a client's reserved session stands. No amount is named before it is known whether another is asked. */
export function useReservedLabel(session: AppointmentDetail): ReturnType<typeof reservedLabel> {
  const { appointment_id, status, series_id, fee } = session
  const zone = viewerZone()
  const label = reservedLabel(session, zone)
  const isOfSeries = status === 'reserved' && series_id !== null && !label.isDue
  const { data } = useQuery({ ...sessionQuery(appointment_id), enabled: isOfSeries })
  const asked = data?.series?.asked_price
  if (!isOfSeries || (data && !asked)) return label
  return { ...label, words: asked ? askedPriceLabel(asked, fee, zone) : 'Not paid yet.' }
}
