import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { placeOf } from './BookingSummary.tsx'

type Places = PractitionerProfile['addresses']

/** A place among those of a profile, as the profile shows it to its reader. Undefined for one that is not there. */
export function placeAmong(places: Places, id: number | null | undefined): string | undefined {
  const location = places.find((each) => each.location_id === id)
  if (!location) return undefined
  const { location_name, home_number, street, city, postal_code } = location
  const line = [home_number, street].filter(Boolean).join(' ')
  return placeOf({ location_name, address: [line, city, postal_code].filter(Boolean).join(', ') })
}

/** The place of a session, or one that it would move to. Its own is shown as its client may see it. */
export function placeFor(
  { location, location_id }: Pick<AppointmentDetail, 'location' | 'location_id'>,
  places: Places,
  id: number | null,
): string | undefined {
  return location && location_id === id ? placeOf(location) : placeAmong(places, id)
}
