import type { AppointmentType } from '#contract/common.ts'
import type { AvailableHours, PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { FoundPractitioner, NextStart } from '#contract/search.ts'
import type { PractitionerOutlook } from '../availability/availability.rules.ts'
import type { LastingCard } from '../practitioners/practitioners.mapper.ts'
import type { Listing } from '../practitioners/practitioners.service.ts'
import { cellOf, nearestOf, type PlacePoint } from './near.rules.ts'
import { type Filters, meritOf, nextStarts, rankOf, tagsOf } from './search.rules.ts'
import type { FoundRow, FreeColumns, SearchRow } from './search.store.ts'

/** The card, with the next starts in a format or in both. */
export function toCard(
  row: FoundRow,
  hours: AvailableHours,
  { session_type: type, near }: Pick<Filters, 'session_type' | 'near'> = {},
): FoundPractitioner {
  return {
    ...row.card,
    // A row that the release before has written lacks it.
    waitlist: row.card.waitlist ?? { open: true, waiting: 0 },
    available_hours: hours,
    next_available: toNextAvailable({
      online: row.next_free_online,
      face_to_face: row.next_free_face_to_face,
    }),
    next_starts: nextStarts(row.next_starts ?? [], type),
    ...(near ? toDistance(nearestOf(near, row.place_points ?? [])) : {}),
  }
}

/** What a card has of the nearest place. */
export function toDistance(nearest: { place: PlacePoint; miles: number } | undefined) {
  return {
    distance_miles: nearest ? Math.round(nearest.miles * 10) / 10 : null,
    district: nearest?.place.district ?? null,
  }
}

/** The bounds of fees as a price slider shows them. */
export function inPounds(bounds: { min_fee_pence: number; max_fee_pence: number }) {
  return { min_price: bounds.min_fee_pence / 100, max_price: bounds.max_fee_pence / 100 }
}

export function toNextAvailable(
  nextFree: Record<AppointmentType, Date | null>,
): PractitionerCard['next_available'] {
  return {
    online: nextFree.online?.toISOString() ?? null,
    face_to_face: nextFree.face_to_face?.toISOString() ?? null,
  }
}

export function toFreeColumns(
  practitionerId: number,
  merit: number,
  outlook: PractitionerOutlook,
): FreeColumns {
  return {
    practitioner_id: practitionerId,
    rank: rankOf(merit, outlook.nextFree),
    next_free_online: outlook.nextFree.online,
    next_free_face_to_face: outlook.nextFree.face_to_face,
    free_days_online: outlook.freeDays.online,
    free_days_face_to_face: outlook.freeDays.face_to_face,
    next_starts: (['online', 'face_to_face'] as const).flatMap((type) => startsOf(outlook, type)),
    fresh_until: outlook.freshUntil,
  }
}

function startsOf(outlook: PractitionerOutlook, type: AppointmentType): NextStart[] {
  const service = outlook.services[type]
  if (!service) return []
  return outlook.nextStarts[type].map((start) => ({
    starts_at: start.toISOString(),
    appointment_type: type,
    service_id: service.service_id,
  }))
}

/** The search index entry of a listed practitioner. */
export function toEntry(
  listing: Listing,
  wordIds: number[],
  outlook: PractitionerOutlook,
): { row: SearchRow; tags: string[]; card: LastingCard } {
  const merit = meritOf(listing)
  const offered = listing.card.session_types
  return {
    row: {
      ...toFreeColumns(listing.id, merit, outlook),
      merit,
      rating_hundredths: listing.rating_hundredths,
      ...listing.columns,
      min_fee_pence: listing.min_fee_pence,
      max_fee_pence: listing.max_fee_pence,
      min_online_fee_pence: listing.fees.online?.lowest ?? null,
      max_online_fee_pence: listing.fees.online?.highest ?? null,
      min_face_to_face_fee_pence: listing.fees.face_to_face?.lowest ?? null,
      max_face_to_face_fee_pence: listing.fees.face_to_face?.highest ?? null,
      offers_online: offered.includes('online'),
      offers_face_to_face: offered.includes('face_to_face'),
      listed_until: listing.listed_until,
      places: [...new Set(listing.places.map(cellOf))],
      place_points: listing.places,
    },
    tags: tagsOf(listing.facets, wordIds),
    card: listing.card,
  }
}
