import type { z } from 'zod'
import type { PractitionerOverview } from '#contract/back-office/back-office.ts'
import type { AppointmentType } from '#contract/common.ts'
import { pounds } from '#contract/money.ts'
import type {
  Location,
  PractitionerCard,
  PractitionerProfile,
  Service,
  ServiceTypes,
} from '#contract/practitioners/practitioners.ts'
import { parsePostcode, type Point } from '#contract/places.ts'
import { issuesOnCard, portraitPath, videoPath } from './practitioners.rules.ts'
import type {
  FactsRow,
  LicenseRow,
  LocationRow,
  OverviewRow,
  ProfileRow,
  ServiceRow,
} from './practitioners.store.ts'

/** A card without what the schedule decides. */
export type LastingCard = Omit<PractitionerCard, 'available_hours' | 'next_available'>
/** A profile without what changes by the minute. */
export type LastingProfile = Omit<PractitionerProfile, 'next_available'>

/** `hundredths`: the average rating times 100. */
export type Rating = { hundredths: number; total: number }

export function toCard(row: FactsRow, rating: Rating): LastingCard {
  const fees = row.services.map((service) => service.fee_pence)
  const key = row.image_key
  return {
    practitioner_id: row.id,
    id: row.id,
    full_name: `${row.first_name} ${row.last_name}`,
    first_name: row.first_name,
    last_name: row.last_name,
    cc_id: row.account_id,
    main_image: key && portraitPath(key, 256),
    profile_image: {
      thumb_64: key && portraitPath(key, 64),
      thumb_256: key && portraitPath(key, 256),
      full: key && portraitPath(key, 1024),
    },
    provider_types: row.provider_types.map((type) => type.name),
    experience: row.years_of_experience ?? 0,
    reviews_rating: rating.hundredths / 100,
    reviews_total: rating.total,
    min_fee: fees.length === 0 ? 0 : pounds(Math.min(...fees)),
    max_fee: fees.length === 0 ? 0 : pounds(Math.max(...fees)),
    short_description: row.short_description,
    works_with_insurance: row.works_with_insurance,
    issue: row.issues.slice(0, issuesOnCard).map((issue) => ({ issue_name: issue.name })),
    session_types: sessionTypes(row.services),
    cities: row.cities,
    waitlist: { open: row.waitlist === 'open', waiting: row.waiting },
  }
}

type OfLaterModules = {
  /** How the reader sees the places of practitioners who see people in person. */
  addresses(row: LocationRow): Location
  rating: Rating
  reviews: LastingProfile['reviews_list']
  hours: LastingProfile['available_hours']
}

export function toProfile(
  facts: FactsRow,
  profile: ProfileRow,
  { rating, reviews, hours, addresses }: OfLaterModules,
): LastingProfile {
  const issues = toIssues(facts)
  const licences = profile.licenses.map(toLicence)
  const seenInPerson = sessionTypes(facts.services).includes('face_to_face')
  const expires = profile.insurance_certificate_expires
  return {
    ...toCard(facts, rating),
    available_hours: hours,
    timezone: facts.timezone,
    gender: profile.gender,
    pronouns: facts.pronouns,
    title: profile.title,
    addresses: profile.locations.map(seenInPerson ? addresses : toTown),
    profile_video_link: profile.video_url,
    profile_video: profile.video_key && videoPath(profile.video_key),
    profile_video_captions: profile.captions_key && videoPath(profile.captions_key),
    profile_video_transcript: profile.video_transcript,
    licence: licences[0]?.licence ?? null,
    licence_number: licences[0]?.licence_number ?? null,
    licences,
    about: profile.about,
    age_groups: profile.age_groups,
    insurance_certificates: expires ? [{ expires }] : [],
    insurance_certificate: expires === null ? null : { expires },
    insurance_companies: profile.insurance_companies,
    languages_list: profile.languages,
    therapist_approaches: profile.therapy_types.map((type) => ({
      therapy_approach_id: type.id,
      therapy_approach_name: type.name,
      therapy_type_id: type.id,
      therapy_type_name: type.name,
    })),
    issue: issues,
    issues,
    reviews_list: reviews,
    services: toServiceTypes(facts.services),
  }
}

/** Everything that a practitioner treats. */
export const toIssues = ({ issues }: Pick<FactsRow, 'issues'>) =>
  issues.map((issue) => ({ issue_id: issue.id, issue_name: issue.name }))

/** Online first. */
export function sessionTypes(services: readonly ServiceRow[]): AppointmentType[] {
  return (['online', 'face_to_face'] as const).filter((type) =>
    services.some((service) => service.appointment_type === type),
  )
}

export function toServiceTypes(services: readonly ServiceRow[]): ServiceTypes {
  const ofType = (type: AppointmentType) =>
    services.filter((service) => service.appointment_type === type).map(toService)
  return { online: ofType('online'), face_to_face: ofType('face_to_face') }
}

function toService(row: ServiceRow): Service {
  return {
    service_id: row.service_id,
    service_name: row.name,
    duration: row.duration_minutes,
    fee: pounds(row.fee_pence),
    appointment_type: row.appointment_type,
  }
}

export function toLocation(row: LocationRow): Location {
  return {
    id: row.id,
    location_id: row.id,
    location_name: row.name,
    country: row.country,
    city: row.city,
    street: row.street,
    home_number: row.home_number,
    postal_code: row.postal_code,
    latitude: row.latitude,
    longitude: row.longitude,
    district: row.district_name ?? row.city,
    show_street: row.show_street,
  }
}

/**
 * The place as the public sees it: without street and inward code, unless the practitioner shows them.
 * @param point that of its district
 */
export function toPublicLocation(row: LocationRow, point: Point | undefined): Location {
  const location = toLocation(row)
  if (row.show_street) return location
  return {
    ...location,
    street: '',
    home_number: '',
    postal_code: parsePostcode(row.postal_code)?.outward ?? '',
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
  }
}

export function pointOf({ latitude, longitude }: LocationRow): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude }
}

/** Reduces the place of an online-only practitioner to its town, since it may be their home. */
function toTown(row: LocationRow): Location {
  return {
    ...toLocation(row),
    location_name: row.city,
    street: '',
    home_number: '',
    postal_code: '',
    latitude: null,
    longitude: null,
    district: row.city,
  }
}

const toLicence = (row: LicenseRow) => ({
  licence: row.body,
  licence_number: row.number,
  provider_type: row.provider_type,
})

export function toOverview(row: OverviewRow, now: Date): z.infer<typeof PractitionerOverview> {
  return {
    practitioner_id: row.id,
    full_name: `${row.first_name} ${row.last_name}`,
    email: row.email,
    status: row.state,
    reason: row.state_reason,
    subscribed: row.subscribed_until !== null && row.subscribed_until > now,
    provider_types: row.provider_types,
    created_at: row.created_at.toISOString(),
    status_since: row.state_since.toISOString(),
  }
}
