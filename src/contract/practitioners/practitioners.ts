import { z } from 'zod'
import { TherapistAccount } from '../accounts/account-settings.ts'
import { AppointmentType, Id, IdInPath, PersonName, Pounds, Reference, WeekName } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

export const Service = z.object({
  service_id: Id,
  service_name: z.string(),
  /** Minutes. */
  duration: z.number().int(),
  fee: Pounds,
  appointment_type: AppointmentType,
})
export type Service = z.infer<typeof Service>

export const ServiceTypes = z.object({ online: z.array(Service), face_to_face: z.array(Service) })
export type ServiceTypes = z.infer<typeof ServiceTypes>

/**
 * A place where clients are seen. For the public, `street` and `home_number` are empty, `postal_code` is the outward code
 * and the coordinates are those of the district, unless `show_street`. The practitioner, admins and a client with a
 * confirmed face-to-face session with the practitioner read all of it.
 */
export const Location = z.object({
  id: Id,
  location_id: Id,
  location_name: z.string(),
  country: z.string(),
  city: z.string(),
  street: z.string(),
  home_number: z.string(),
  postal_code: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** "Headingley, Leeds"; the town where the outward code is not known. */
  district: z.string(),
  /** Whether the public sees street, number and full postcode. */
  show_street: z.boolean(),
})
export type Location = z.infer<typeof Location>

/** The saved weekly hours: starts of whole hours, `HH:MM` in the practitioner's own zone, online and face to face. */
export const AvailableHours = z.record(WeekName, z.array(z.string()))
export type AvailableHours = z.infer<typeof AvailableHours>

/** A practitioner in a list. */
export const PractitionerCard = z.object({
  practitioner_id: Id,
  id: Id,
  full_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Their account in the chat. */
  cc_id: z.uuid(),
  /** Path of the portrait, 256 pixels; null when there is none. */
  main_image: z.string().nullable(),
  profile_image: z.object({
    thumb_64: z.string().nullable(),
    thumb_256: z.string().nullable(),
    full: z.string().nullable(),
  }),
  provider_types: z.array(z.string()),
  /** Years in practice. */
  experience: z.number().int(),
  reviews_rating: z.number(),
  reviews_total: z.number().int(),
  min_fee: Pounds,
  max_fee: Pounds,
  short_description: z.string(),
  works_with_insurance: z.boolean(),
  /** The first few issues they treat, for the card. */
  issue: z.array(z.object({ issue_name: z.string() })),
  session_types: z.array(AppointmentType),
  cities: z.array(z.string()),
  available_hours: AvailableHours,
  /** Whether clients may join the waitlist, and how many wait or have an offer. */
  waitlist: z.object({ open: z.boolean(), waiting: z.number().int() }),
  /** The next free start, by session type; null when there is none in the next weeks. */
  next_available: z.object({ online: z.string().nullable(), face_to_face: z.string().nullable() }),
})
export type PractitionerCard = z.infer<typeof PractitionerCard>

/** A review as the public profile shows it. */
export const PublicReview = z.object({
  review_id: Id,
  /** The initial of a first name, never more. */
  reviewer: z.string(),
  /** Empty once its author has deleted their account: the stars stay. */
  comment: z.string(),
  rating: z.number().int(),
  /** The start of the day on which it was written, in UTC. */
  date: z.string(),
  /** The practitioner's answer. */
  reply: z.object({ reply: z.string(), date: z.string() }).nullable(),
})
export type PublicReview = z.infer<typeof PublicReview>

const NamedIssue = z.object({ issue_id: Id, issue_name: z.string() })

export const PractitionerProfile = PractitionerCard.extend({
  timezone: z.string(),
  gender: z.string().nullable(),
  pronouns: z.string().nullable(),
  title: z.string().nullable(),
  addresses: z.array(Location),
  profile_video_link: z.string().nullable(),
  /** Path of an introduction that was uploaded. */
  profile_video: z.string().nullable(),
  /** Path of its captions, as WebVTT. */
  profile_video_captions: z.string().nullable(),
  /** What is said in the introduction, in words. */
  profile_video_transcript: z.string().nullable(),
  licence: z.string().nullable(),
  licence_number: z.string().nullable(),
  licences: z.array(z.object({ licence: z.string(), licence_number: z.string(), provider_type: z.string() })),
  about: z.string(),
  age_groups: z.array(z.string()),
  /** Expiry day of the professional insurance certificate that the back office has seen. */
  insurance_certificates: z.array(z.object({ expires: z.string() })),
  /** The one of `insurance_certificates`. */
  insurance_certificate: z.object({ expires: z.string() }).nullable(),
  insurance_companies: z.array(z.string()),
  languages_list: z.array(z.string()),
  /** An approach is a therapy type that one can search by: both names stand for the same. */
  therapist_approaches: z.array(
    z.object({
      therapy_approach_id: Id,
      therapy_approach_name: z.string(),
      therapy_type_id: Id,
      therapy_type_name: z.string(),
    }),
  ),
  /** All of them, where a card has the first few. */
  issue: z.array(NamedIssue),
  issues: z.array(NamedIssue),
  reviews_list: z.array(PublicReview),
  services: ServiceTypes,
})
export type PractitionerProfile = z.infer<typeof PractitionerProfile>

export const FilterData = z.object({
  provider_types: z.array(Reference.providerType),
  issues: z.array(Reference.issue),
  min_price: Pounds,
  max_price: Pounds,
  insurance_companies: z.array(Reference.insuranceCompany),
  therapy_types: z.array(Reference.therapyType),
  languages: z.array(Reference.language),
  genders: z.array(z.string()),
})
export type FilterData = z.infer<typeof FilterData>

export const practitionerEndpoints = defineEndpoints({
  'GET /issue/get-issues': {
    access: 'anyone',
    summary: 'Issues that practitioners help with',
    answer: z.array(Reference.issue),
  },
  'GET /language/get-languages': {
    access: 'anyone',
    summary: 'Languages that sessions are held in',
    answer: z.array(Reference.language),
  },
  'GET /practitioner/{id}/service-types': {
    access: 'anyone',
    summary: 'What a listed practitioner offers, by format',
    params: z.object({ id: IdInPath }),
    answer: ServiceTypes,
  },
  'GET /therapist/account': {
    access: ['therapist'],
    whileSuspended: true,
    summary: "The caller's own account",
    answer: TherapistAccount,
  },
  'PUT /therapist/account': {
    access: ['therapist'],
    whileSuspended: true,
    summary: 'Change the name, until the profile is handed in',
    body: z.object({ first_name: PersonName, last_name: PersonName }),
    answer: TherapistAccount,
  },
})
