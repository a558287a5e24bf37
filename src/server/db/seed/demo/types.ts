import type { ChoiceOf } from '#contract/search-filters.ts'
import type { PortraitKey } from './portrait/key.ts'

export type DemoAppointmentType = 'online' | 'face_to_face'

export interface DemoLocation {
  name: string
  country: string
  city: string
  street: string
  homeNumber: string
  postalCode: string
  /** Degrees. */
  latitude: number
  /** Degrees, negative west of Greenwich. */
  longitude: number
}

export interface DemoService {
  serviceId: number
  appointmentType: DemoAppointmentType
  /** 15 to 240. */
  durationMinutes: number
  feePence: number
}

/** An hour that is offered every week, in the practitioner's own time zone. */
export interface DemoScheduleHour {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number
  /** The hour it starts, 8 to 21. */
  hour: number
  appointmentType: DemoAppointmentType
  /** Position in `locations`; null when online. */
  locationIndex: number | null
}

export interface DemoLicense {
  providerTypeId: number
  licenseBodyId: number
  licenseNumber: string
}

export interface DemoReview {
  /** A pseudonym, never a full name. */
  reviewerName: string
  /** 1 to 5. */
  rating: number
  comment: string
  /** Whole days before `today`, at least 1. */
  createdDaysAgo: number
}

export type DemoState = 'draft' | 'submitted' | 'approved' | 'rejected' | 'suspended'

/** A made-up practitioner; every `…Id` is one of the reference data. */
export interface DemoPractitioner {
  /** Position in the directory from 0; the unlisted ones count on after the last. */
  index: number
  firstName: string
  lastName: string
  /** Unique, lower case, below demo.test. */
  email: string
  /** The main profession first; one or two. */
  providerTypeIds: number[]
  titleId: number | null
  genderId: number
  /** Null where none are shown. */
  pronouns: ChoiceOf<'pronouns'> | null
  /** YYYY-MM-DD. */
  dateOfBirth: string
  /** With its plus, such as `+44`. */
  phoneCode: string
  /** Digits without the leading zero, from the range that Ofcom keeps for fiction. */
  phoneNumber: string
  /** IANA name. */
  timezone: string
  yearsOfExperience: number
  /** Paragraphs separated by an empty line. */
  about: string
  shortDescription: string
  ageGroups: string[]
  issueIds: number[]
  therapyTypeIds: number[]
  languageIds: number[]
  insuranceCompanyIds: number[]
  worksWithInsurance: boolean
  /** Of the professional indemnity insurance, YYYY-MM-DD; null where none was shown. */
  insuranceCertificateExpires: string | null
  licenses: DemoLicense[]
  locations: DemoLocation[]
  services: DemoService[]
  schedule: DemoScheduleHour[]
  /** https; null when no service is online, or sessions are held in the product's own room. */
  meetingLink: string | null
  room: 'hearth' | 'own'
  videoUrl: string | null
  /** Has switched "available now" on; only ever with an online service. */
  availableNow: boolean
  state: DemoState
  /** Why it was rejected or suspended, else null. */
  stateReason: string | null
  subscription: 'active' | 'lapsed' | null
  /** Whole days before `today` on which the account was made. */
  createdDaysAgo: number
  /** What `portraitSvg` draws; null where no photo was uploaded. */
  portrait: PortraitKey | null
  reviews: DemoReview[]
}

export interface DemoAccount {
  email: string
  role: 'client' | 'therapist' | 'admin'
  firstName: string
  lastName: string
}

export interface DemoDirectory {
  /** Approved and subscribed, `count` of them; the first belongs to therapist@demo.test. */
  practitioners: DemoPractitioner[]
  /** A handful in the other states, for the back office; none of them may be found by a client. */
  unlisted: DemoPractitioner[]
}

export interface DemoOptions {
  /** Listed practitioners, at least 1. */
  count: number
  seed: number
  /** YYYY-MM-DD; ages and dates are reckoned from it. */
  today: string
}
