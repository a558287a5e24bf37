import { z } from 'zod'
import { PractitionerState } from '../back-office/back-office.ts'
import { Day, FreeText, Id, IdInPath, IdSent, Instant, Pounds, Reference, RoomKind } from '../common.ts'
import { defineEndpoints, type Endpoint } from '../endpoint.ts'
import { choicesOf } from '../search-filters.ts'
import { Location, PractitionerProfile } from './practitioners.ts'
import { profileSteps } from './profile-steps.ts'

export const ProfileStep = z.enum(profileSteps)
export type ProfileStep = z.infer<typeof ProfileStep>

/** Whom a practitioner sees. */
export const ageGroups = [
  'Children (5 to 12)',
  'Teenagers (13 to 17)',
  'Adults (18 to 64)',
  'Older adults (65 and over)',
] as const

/** How a fact stands that the back office looks at. */
export const VettingState = z.enum(['waiting', 'accepted', 'refused'])
export type VettingState = z.infer<typeof VettingState>

export const documentKinds = ['identity', 'dbs', 'insurance_certificate'] as const
export const DocumentKind = z.enum(documentKinds)
export type DocumentKind = z.infer<typeof DocumentKind>

/** A private file, without what is in it. */
export const PrivateDocument = z.object({
  document_id: z.uuid(),
  kind: DocumentKind,
  status: VettingState,
  /** Why it was refused. */
  reason: z.string().nullable(),
  content_type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  uploaded_at: Instant,
  expires_on: Day.nullable(),
})
export type PrivateDocument = z.infer<typeof PrivateDocument>

export const OwnLicence = z.object({
  id: Id,
  specialization_id: Id,
  license_id: Id,
  license_number: z.string(),
  specialization: z.string(),
  licensing_body: z.string(),
  status: VettingState,
  reason: z.string().nullable(),
  expires_on: Day.nullable(),
})
export type OwnLicence = z.infer<typeof OwnLicence>

const OfferedService = z.object({ service_id: Id, duration: z.number().int(), fee: Pounds })
export const OfferedServices = z.object({
  online: z.array(OfferedService),
  face_to_face: z.array(OfferedService),
})
export type OfferedServices = z.infer<typeof OfferedServices>

/** How a step stands: how often it was saved, and what of it is still missing, in words. */
export const StepState = z.object({
  step: ProfileStep,
  /** Sent back as `If-Match: "<step>-<version>"`, it keeps one window from overwriting another. 0 while never saved. */
  version: z.number().int(),
  saved_at: Instant.nullable(),
  missing: z.array(z.string()),
})
export type StepState = z.infer<typeof StepState>

const NamedId = z.object({ id: Id, name: z.string() })

/** Intro video: 0 an upload of one's own, 1 produced over a video call, 2 a link, 3 none. */
export const videoChoices = { own: 0, call: 1, link: 2, none: 3 } as const

/** A practitioner's profile as they see and edit it themselves. */
export const TherapistProfile = z.object({
  practitioner_id: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  status: PractitionerState,
  /** Why it was rejected or suspended. */
  reason: z.string().nullable(),
  gender: z.string().nullable(),
  gender_list: z.array(NamedId),
  pronouns: z.string().nullable(),
  title_id: Id.nullable(),
  title_list: z.array(NamedId),
  date_of_birth: Day.nullable(),
  dob: Day.nullable(),
  phone_code: z.string().nullable(),
  phone_number: z.string().nullable(),
  timezone_id: Id.nullable(),
  timezone: z.string(),
  languages_list: z.array(Reference.language),
  license_list: z.array(OwnLicence),
  licence: z.string().nullable(),
  licence_number: z.string().nullable(),
  years_of_experience: z.number().int().nullable(),
  /** The newest of each kind, and beside one that waits the one that counts meanwhile. */
  documents: z.array(PrivateDocument),
  therapist_approaches: z.array(z.object({ therapy_approach_id: Id, therapy_approach_name: z.string() })),
  issues: z.array(z.object({ issue_id: Id, issue_name: z.string() })),
  age_groups: z.array(z.string()),
  age_group_list: z.array(z.string()),
  main_image: z.string().nullable(),
  about: z.string(),
  bio: z.string(),
  short_description: z.string(),
  video_choice: z.number().int().nullable(),
  video_url_link: z.string().nullable(),
  /** Path of the uploaded video. */
  profile_video: z.string().nullable(),
  /** Path of its captions, as WebVTT. */
  profile_video_captions: z.string().nullable(),
  /** What is said in the video, in words. */
  profile_video_transcript: z.string().nullable(),
  /** Professional indemnity insurance; null while not answered. */
  has_insurance: z.boolean().nullable(),
  services: OfferedServices,
  room: RoomKind,
  /** The practitioner's own link; while `room` is `hearth`, a client sees it only where it was offered in the room. */
  meeting_link: z.string().nullable(),
  locations: z.array(Location),
  works_with_insurance: z.boolean(),
  insurance_companies: z.array(Reference.insuranceCompany),
  steps: z.array(StepState),
})
export type TherapistProfile = z.infer<typeof TherapistProfile>

/** JSON text, as older clients send, or the value itself. */
const JsonOr = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value) as unknown
    } catch {
      return value
    }
  }, schema)

const blankAsNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)
/** Ids, or things that carry one under `name`, or either as JSON text. Repeated ones count once. */
const IdsSent = (name: string) =>
  JsonOr(
    z
      .array(
        z.preprocess(
          (value) =>
            typeof value === 'object' && value !== null && name in value
              ? (value as Record<string, unknown>)[name]
              : value,
          IdSent,
        ),
      )
      .max(100)
      .transform((sent) => [...new Set(sent)]),
  )

/** What is left out stays. So does a time zone, video choice or insurance that is null: none of them can be emptied. */
export const ProfileFields = z.object({
  gender: z.preprocess(blankAsNull, FreeText(40).trim().nullish()),
  pronouns: z.preprocess(blankAsNull, z.enum(choicesOf('pronouns'), 'Choose one from the list.').nullish()),
  title_id: z.preprocess(blankAsNull, IdSent.nullish()),
  date_of_birth: z.preprocess(blankAsNull, Day.nullish()),
  dob: z.preprocess(blankAsNull, Day.nullish()),
  phone_code: z.preprocess(blankAsNull, FreeText(8).trim().nullish()),
  phone_number: z.preprocess(blankAsNull, FreeText(30).trim().nullish()),
  timezone_id: z.preprocess(blankAsNull, IdSent.nullish()),
  about: FreeText(30_000, 'This is more than fits. Please shorten it.').optional(),
  bio: FreeText(30_000, 'This is more than fits. Please shorten it.').optional(),
  short_description: FreeText(300).trim().optional(),
  video_choice: z.preprocess(blankAsNull, z.coerce.number().int().min(0).max(3).nullish()),
  video_url_link: z.preprocess(blankAsNull, FreeText(500).trim().nullish()),
  /** What is said in the video; given up with it. */
  video_transcript: z.preprocess(blankAsNull, FreeText(20_000).trim().nullish()),
  has_insurance: z.boolean().nullish(),
  /** The last day of the insurance certificate that waits to be checked. */
  insurance_expires: z.preprocess(blankAsNull, Day.nullish()),
})
export type ProfileFields = z.infer<typeof ProfileFields>

const YearsOfExperience = z.coerce
  .number({ error: 'Enter the years as a number.' })
  .int('Enter whole years.')
  .min(0, 'Enter 0 or more.')
  .max(70, 'Enter 70 or less.')

export const LicenceSent = z.object({
  specialization_id: IdSent,
  license_id: IdSent,
  license_number: z.coerce.string().pipe(FreeText(50).trim().min(1, 'Enter the number.')),
  /** Asks for another check of one that is stored already: it was refused, or has been renewed under the same number. */
  check_again: z.boolean().optional(),
})

const ServiceSent = z.object({
  service_id: IdSent,
  /** Left out or true: offered. */
  active: z.boolean().optional(),
  duration: z.coerce
    .number()
    .int('Enter whole minutes.')
    .min(15, 'A session lasts at least 15 minutes.')
    .max(240, 'A session lasts at most 240 minutes.'),
  fee: z.coerce
    .number()
    .min(1, 'A session costs at least £1.')
    .max(1000, 'A session costs at most £1,000.')
    .refine((fee) => Math.abs(fee * 100 - Math.round(fee * 100)) < 1e-6, 'Use whole pence.'),
})
/** Those that are not offered need no duration or fee: they are sent as they were read. */
const ServicesSent = z.preprocess(
  (sent: z.input<typeof ServiceSent>[] | null | undefined) =>
    Array.isArray(sent) ? sent.filter((service) => service?.active !== false) : sent,
  z.array(ServiceSent).max(50).nullish(),
)
const MeetingLink = z.preprocess(
  blankAsNull,
  FreeText(500)
    .trim()
    .pipe(z.url({ protocol: /^https$/, error: 'Enter a link that starts with https://' }))
    // "Https://" and "https:/" are read as links too, and stored in their usual form.
    .transform((link) => (link.startsWith('https://') ? link : new URL(link).href))
    .nullish(),
)
const coordinate = (limit: number, message: string) =>
  z.preprocess(
    blankAsNull,
    z.coerce.number({ error: message }).min(-limit, message).max(limit, message).nullish(),
  )

/** Coordinates are those of the postcode, or else of the town; those sent are kept where the postcode is not known. */
export const LocationSent = z.object({
  id: z.preprocess(blankAsNull, IdSent.nullish()),
  location_id: z.preprocess(blankAsNull, IdSent.nullish()),
  location_name: FreeText(100).trim().min(1, 'Give the place a name.'),
  country: FreeText(100).trim().min(1, 'Enter the country.'),
  city: FreeText(100).trim().min(1, 'Enter the town or city.'),
  street: FreeText(200).trim().min(1, 'Enter the street.'),
  home_number: FreeText(50).trim().min(1, 'Enter the number or name of the house.'),
  postal_code: FreeText(20).trim().min(1, 'Enter the postcode.'),
  latitude: coordinate(90, 'Enter a latitude between -90 and 90'),
  longitude: coordinate(180, 'Enter a longitude between -180 and 180'),
  /** Whether the public sees street, number and full postcode. Unchanged when absent, false for a new place. */
  show_street: z.boolean().nullish(),
})
export type LocationSent = z.infer<typeof LocationSent>

const therapistOnly = { access: ['therapist'] } as const
/** What only reads the own profile. */
const list = <Answer extends z.ZodType>(summary: string, answer: Answer) =>
  ({ ...therapistOnly, whileSuspended: true, summary, answer }) as const
/** Idempotent: repeated after a lost answer it would be refused, by the version that it has made itself. */
const save = <Body extends z.ZodType>(summary: string, body: Body) =>
  ({ ...therapistOnly, summary, body, answer: TherapistProfile, versioned: true, idempotent: true }) as const
const upload = <const T extends NonNullable<Endpoint['upload']>>(summary: string, file: T) =>
  ({ ...therapistOnly, summary, answer: TherapistProfile, versioned: true, upload: file }) as const
/** What a suspension may be waiting for. */
const paper = { whileSuspended: true } as const

const Approaches = z.array(z.object({ therapy_approach_id: Id, therapy_approach_name: z.string() }))
const Issues = z.array(z.object({ issue_id: Id, issue_name: z.string() }))

/** A practitioner's own profile, step by step. Every save answers the whole profile as it is then. */
export const onboardingEndpoints = defineEndpoints({
  'GET /therapist/profile': list("The caller's own profile, with what is still missing", TherapistProfile),
  'GET /therapist/profile-preview': list(
    "The caller's profile as clients will see it",
    PractitionerProfile.omit({ next_available: true }),
  ),
  'GET /therapist/{id}/get-profile': {
    access: 'anyone',
    summary: 'Public facts of a listed practitioner, without free times; to the owner and admins, of any',
    params: z.object({ id: IdInPath }),
    answer: PractitionerProfile.omit({ next_available: true }),
  },
  'POST /therapist/complete': {
    ...therapistOnly,
    summary: 'Hand the profile in to be checked; 409 `incomplete_profile` with what is missing by step',
    answer: TherapistProfile,
  },

  'GET /therapist/get-title-list': list('Forms of address', z.array(NamedId)),
  'GET /therapist/get-title': list("The caller's form of address", z.object({ title_id: Id.nullable() })),
  'GET /therapist/get-gender-list': list('Genders', z.array(NamedId)),
  'GET /therapist/get-gender': list("The caller's gender", z.object({ gender: z.string().nullable() })),
  'GET /therapist/get-phone-code-list': list(
    'Country calling codes',
    z.array(z.object({ phone_code: z.string(), country: z.string() })),
  ),
  'GET /therapist/get-phone-code': list(
    "The caller's calling code",
    z.object({ phone_code: z.string().nullable() }),
  ),
  'GET /therapist/get-phone-number': list(
    "The caller's phone number",
    z.object({ phone_number: z.string().nullable() }),
  ),
  'GET /therapist/get-timezone-list': list(
    'Time zones',
    z.array(z.object({ timezone_id: Id, timezone_name: z.string() })),
  ),
  'GET /therapist/get-timezone': list(
    "The caller's time zone",
    z.object({ timezone_id: Id.nullable(), timezone: z.string() }),
  ),
  'GET /therapist/get-specialization-list': list(
    'Professions that a licence is for',
    z.array(Reference.providerType),
  ),
  'GET /therapist/get-licensing-body-list': list(
    'Bodies that license or register',
    z.array(z.object({ license_body_id: Id, name: z.string() })),
  ),
  'GET /therapist/get-languages': list("The caller's languages", z.array(Reference.language)),
  'GET /therapist/get-therapy-approach-list': list('Therapy approaches', Approaches),
  'GET /therapist/get-therapy-approaches': list("The caller's approaches", Approaches),
  'GET /therapist/get-issue-list': list('Issues', Issues),
  'GET /therapist/get-issues': list('Issues that the caller treats', Issues),
  'GET /therapist/services': list(
    'Services there are; `active` where the caller offers one',
    z.array(
      z.object({ service_id: Id, name: z.string(), active: z.boolean(), duration: z.number(), fee: Pounds }),
    ),
  ),
  'GET /therapist/get-services': list('What the caller offers, by format', OfferedServices),
  'GET /therapist/get-insurance-company-list': list('Insurers', z.array(Reference.insuranceCompany)),
  'GET /therapist/get-locations': list('Where the caller sees people', z.array(Location)),

  'PUT /therapist/update-profile': save('Save single fields; those left out stay as they are', ProfileFields),
  'POST /therapist/add-language-list': save(
    'Save the languages',
    z.object({ language_list: IdsSent('language_id') }),
  ),
  'POST /therapist/add-license-list': {
    ...save(
      'Save the licences; new ones are looked at by the back office',
      z.object({
        license_list: JsonOr(z.array(LicenceSent).max(20)),
        years_of_experience: z.preprocess(blankAsNull, YearsOfExperience.nullish()),
      }),
    ),
    ...paper,
  },
  'POST /therapist/add-therapy-approach-list': save(
    'Save the approaches',
    z.object({ therapy_approach_list: IdsSent('therapy_approach_id') }),
  ),
  'POST /therapist/add-issue-list': save(
    'Save the issues, and whom the practitioner sees',
    z.object({
      issue_list: IdsSent('issue_id'),
      age_groups: z.array(z.enum(ageGroups)).max(ageGroups.length).optional(),
    }),
  ),
  'POST /therapist/add-service-list': save(
    'Save what is offered, by format; a format that is left out is not offered',
    z
      .object({
        online: ServicesSent,
        face_to_face: ServicesSent,
        /** Left out: as it is, or `own` where a link is sent. */
        room: RoomKind.optional(),
        /** Needed with `own` where something is offered online. */
        meeting_link: MeetingLink,
      })
      .refine((body) => body.online || body.face_to_face, {
        path: ['online'],
        message: 'Say what is offered online or face to face.',
      }),
  ),
  'POST /therapist/add-location-list': save(
    'Save the places; one that is left out is given up, and so are its hours in the schedule',
    z.object({ location_list: JsonOr(z.array(LocationSent).max(20)) }),
  ),
  'POST /therapist/add-insurance-company-list': save(
    'Save the insurers',
    z.object({
      insurance_company_list: IdsSent('insurance_company_id'),
      works_with_insurance: z.boolean().optional(),
    }),
  ),

  'POST /therapist/upload-document-file': {
    ...upload('Send a document that shows who one is', { field: 'file', kind: 'document' }),
    ...paper,
  },
  'POST /therapist/upload-profile-dbs': {
    ...upload('Send a DBS check', { field: 'file', kind: 'document' }),
    ...paper,
  },
  'POST /therapist/upload-profile-image': upload('Send a portrait', { field: 'image', kind: 'image' }),
  'POST /therapist/upload-profile-video': upload('Send an introduction on video', {
    field: 'video',
    kind: 'video',
  }),
  'POST /therapist/upload-video-captions': upload(
    'Send captions of the uploaded introduction as WebVTT; they go with the video',
    { field: 'captions', kind: 'captions' },
  ),
  'DELETE /therapist/video-captions': {
    ...therapistOnly,
    summary: 'Remove the captions of the introduction; repeating it changes nothing',
    answer: TherapistProfile,
    versioned: true,
    idempotent: true,
  },
  'POST /therapist/upload-insurance-certificate': {
    ...upload(
      'Send an insurance certificate; `expires_on` may be a field of the form before the file, or follow as `insurance_expires`',
      {
        field: 'insurance_certificate',
        kind: 'document',
      },
    ),
    ...paper,
  },
  'POST /documents/{id}/link': {
    access: 'anyone',
    summary: 'A link to a private document, for its owner, good for a minute; 404 to everybody else',
    params: z.object({ id: z.uuid() }),
    answer: z.object({ url: z.string(), expires_at: Instant, content_type: z.string() }),
  },
})
