import type { BodyOf } from '#contract/endpoints.ts'
import type { SeriesPreview } from '#contract/series/series.ts'

/** What a series is about, before and after it is made. */
export type ShownOffer = Pick<
  SeriesPreview,
  'first_on' | 'rhythm' | 'service_id' | 'appointment_type' | 'location' | 'fee'
>

type Shown = NonNullable<BodyOf<'POST /series/{series_id}/agree'>['shown']>

/** The series as it was shown: the server agrees to no other one. */
export function shownOf({
  first_on,
  rhythm,
  service_id,
  appointment_type,
  location,
  fee,
}: ShownOffer): Shown {
  const { every_weeks, duration_minutes } = rhythm
  const location_id = location?.location_id ?? null
  return { first_on, every_weeks, duration_minutes, service_id, appointment_type, location_id, fee }
}

/** Whether two show the same series. */
export function isSameOffer(one: ShownOffer, other: ShownOffer): boolean {
  const [shown, known] = [shownOf(one), shownOf(other)]
  return (Object.keys(shown) as (keyof Shown)[]).every((name) => shown[name] === known[name])
}
