import { Day, type RoomKind } from '#contract/common.ts'
import {
  type DocumentKind,
  type LocationSent,
  type ProfileFields,
  type VettingState,
  videoChoices,
} from '#contract/practitioners/onboarding.ts'
import { type ProfileStep, profileSteps } from '#contract/practitioners/profile-steps.ts'
import { dayInLondon } from '../../../clock.ts'

/** How an introduction on video is chosen, as it is stored. */
export type VideoChoice = keyof typeof videoChoices

/** The stored choice for a number on the wire. */
export function videoChoice(number: number): VideoChoice | undefined {
  return (Object.keys(videoChoices) as VideoChoice[]).find((choice) => videoChoices[choice] === number)
}

/** The step that a field of `PUT /therapist/update-profile` belongs to. */
const stepOfField: Record<keyof ProfileFields, ProfileStep> = {
  gender: 'about_you',
  pronouns: 'about_you',
  title_id: 'about_you',
  date_of_birth: 'about_you',
  dob: 'about_you',
  phone_code: 'about_you',
  phone_number: 'about_you',
  timezone_id: 'about_you',
  about: 'bio',
  bio: 'bio',
  short_description: 'bio',
  video_choice: 'video',
  video_url_link: 'video',
  video_transcript: 'video',
  has_insurance: 'insurance',
  insurance_expires: 'insurance',
}

/** The steps that these fields belong to, in the wizard's order. */
export function stepsOf(fields: ProfileFields): ProfileStep[] {
  const touched = new Set(
    (Object.keys(fields) as (keyof ProfileFields)[])
      .filter((field) => fields[field] !== undefined)
      .map((field) => stepOfField[field]),
  )
  return profileSteps.filter((step) => touched.has(step))
}

/** The step that a document is sent in. */
export const stepOfDocument: Record<DocumentKind, ProfileStep> = {
  identity: 'identity',
  dbs: 'dbs',
  insurance_certificate: 'insurance',
}

/** Versions that a window knows of, by step. */
export type KnownVersions = Partial<Record<ProfileStep, number>>

/**
 * Reads `If-Match: "bio-3", "issues-1"`. What is not such a tag, and `*`, says nothing.
 */
export function readVersions(header: string | undefined): KnownVersions {
  const known: KnownVersions = {}
  for (const [, step = '', version = ''] of (header ?? '').matchAll(/"([a-z_]{1,20})-(\d{1,9})"/g)) {
    const found = profileSteps.find((each) => each === step)
    if (found) known[found] = Number(version)
  }
  return known
}

/** What a profile is judged by. */
export type Filled = {
  gender_id: number | null
  date_of_birth: string | null
  phone_number: string | null
  languages: number
  licences: readonly VettingState[]
  years_of_experience: number | null
  documents: readonly { kind: DocumentKind; state: VettingState }[]
  approaches: number
  issues: number
  age_groups: readonly string[]
  has_portrait: boolean
  about: string
  short_description: string
  video_choice: VideoChoice | null
  video_url: string | null
  has_video_file: boolean
  has_indemnity: boolean | null
  online_services: number
  room_services: number
  room: RoomKind
  meeting_link: string | null
  locations: number
  works_with_insurance: boolean
  insurance_companies: number
}

const when = (isMissing: boolean, sentence: string) => (isMissing ? [sentence] : [])

/** What is still missing of each step before a profile can be handed in, as short sentences. */
export const missingOf: Record<ProfileStep, (filled: Filled) => string[]> = {
  about_you: (p) => [
    ...when(p.gender_id === null, 'Choose your gender.'),
    ...when(p.date_of_birth === null, 'Enter your date of birth.'),
    ...when(p.phone_number === null, 'Enter your phone number.'),
  ],
  languages: (p) => when(p.languages === 0, 'Choose at least one language.'),
  licences: (p) => [
    ...when(!p.licences.some((state) => state !== 'refused'), 'Add at least one licence or registration.'),
    ...when(p.years_of_experience === null, 'Enter your years of experience.'),
  ],
  identity: (p) => when(!has(p, 'identity'), 'Upload a document that shows who you are.'),
  dbs: (p) => when(!has(p, 'dbs'), 'Upload your DBS check.'),
  approaches: (p) => when(p.approaches === 0, 'Choose at least one approach.'),
  issues: (p) => [
    ...when(p.issues === 0, 'Choose at least one issue.'),
    ...when(p.age_groups.length === 0, 'Choose who you see.'),
  ],
  photo: (p) => when(!p.has_portrait, 'Add a photo of yourself.'),
  bio: (p) => [
    ...when(p.about.trim() === '', 'Write your bio.'),
    ...when(p.short_description.trim() === '', 'Write a sentence or two for the list.'),
  ],
  video: (p) => [
    ...when(
      p.video_choice === null && p.video_url === null,
      'Say whether you want an introduction on video.',
    ),
    ...when(p.video_choice === 'own' && !p.has_video_file, 'Upload your video.'),
    ...when(p.video_choice === 'link' && p.video_url === null, 'Enter the link to your video.'),
  ],
  insurance: (p) => [
    ...when(p.has_indemnity === null, 'Say whether you have professional insurance.'),
    ...when(
      p.has_indemnity === true && !has(p, 'insurance_certificate'),
      'Upload your insurance certificate.',
    ),
  ],
  services: (p) => [
    ...when(p.online_services + p.room_services === 0, 'Choose at least one service.'),
    ...when(
      p.online_services > 0 && p.room === 'own' && p.meeting_link === null,
      'Enter the link to your online room.',
    ),
  ],
  locations: (p) => when(p.room_services > 0 && p.locations === 0, 'Add a place where you see people.'),
  insurers: (p) =>
    when(p.works_with_insurance && p.insurance_companies === 0, 'Choose the insurers you work with.'),
}

/** A refused document has to be sent again; one that waits will do. */
function has(filled: Filled, kind: DocumentKind): boolean {
  return filled.documents.some((document) => document.kind === kind && document.state !== 'refused')
}

/** The steps with something missing. */
export function missingSteps(filled: Filled): { step: ProfileStep; missing: string[] }[] {
  return profileSteps
    .map((step) => ({ step, missing: missingOf[step](filled) }))
    .filter(({ missing }) => missing.length > 0)
}

/** Whether the profile was approved: its practitioner stands on facts that were accepted. */
export const wasApproved = (state: string): boolean => state === 'approved' || state === 'suspended'

/**
 * Whether the back office is asked to look at what is sent of a kind, by what there was of it: nothing of it waited, and it
 * is sent after the approval, or beside what was decided of it in a profile that is being checked.
 */
export function isDecisionAsked(state: string, before: readonly { state: VettingState }[]): boolean {
  const isMailed = before.some((fact) => fact.state === 'waiting')
  return !isMailed && (wasApproved(state) || (state === 'submitted' && before.length > 0))
}

export type Licence = { specialization_id: number; license_id: number; license_number: string }
export type KeptLicence = Licence & { id: number; state: VettingState }

/** What becomes of stored licences: ids to remove and to check again, and licences to add. */
export type LicenceChanges = { remove: number[]; reopen: number[]; add: Licence[] }

/**
 * What to do so that the stored licences become the ones sent: those that are the same stay as they were judged, unless
 * another check is asked for. Then a refused one waits again, and beside an accepted one the same waits as its renewal.
 */
export function licenceChanges(
  kept: readonly KeptLicence[],
  sent: readonly (Licence & { check_again?: boolean | undefined })[],
): LicenceChanges {
  const nameOf = ({ specialization_id, license_id, license_number }: Licence) =>
    `${specialization_id} ${license_id} ${license_number.toUpperCase().replaceAll(/\s/g, '')}`
  const wanted = new Map(sent.map((licence) => [nameOf(licence), licence]))
  const changes: LicenceChanges = { remove: [], reopen: [], add: [] }
  for (const { id, ...licence } of kept) {
    if (!wanted.has(nameOf(licence))) changes.remove.push(id)
  }
  for (const [name, { check_again, ...licence }] of wanted) {
    const same = kept.filter((each) => nameOf(each) === name)
    const [first] = same
    if (!first) changes.add.push(licence)
    if (!first || !check_again || same.some(({ state }) => state === 'waiting')) continue
    const refused = same.find(({ state }) => state === 'refused')
    if (refused) changes.reopen.push(refused.id)
    // Written as it was: once accepted, it takes the place of the one before.
    else changes.add.push({ ...licence, license_number: first.license_number })
  }
  return changes
}

/**
 * Why a text cannot be the last day of an insurance that is sent on `today`, `YYYY-MM-DD` in London; undefined where it
 * can.
 */
export function insuranceEndFault(day: string, today: string): string | undefined {
  if (!Day.safeParse(day).success) return 'Enter the day on which the insurance ends.'
  return day > today
    ? undefined
    : 'This insurance ends today or has ended. Please send the one that follows it.'
}

/** Whether a person with this date of birth is 18 at `now`, by the calendar of the United Kingdom. */
export function isAdult(dateOfBirth: string, now: Date): boolean {
  const today = dayInLondon(now)
  const year = Number(today.slice(0, 4)) - 18
  return dateOfBirth <= `${year}${today.slice(4)}`
}

type PlaceWords = Pick<LocationSent, 'home_number' | 'street' | 'city' | 'postal_code' | 'country'>

/** Whether a place is described in other words: what clients who come there read. */
export function isElsewhere(
  stored: PlaceWords & { name: string },
  wanted: PlaceWords & { location_name: string },
): boolean {
  const keys = ['home_number', 'street', 'city', 'postal_code', 'country'] as const
  return stored.name !== wanted.location_name || keys.some((key) => stored[key] !== wanted[key])
}

/** Where an online session takes place: the link of the practitioner's own room, or undefined in this product's. */
export const ownLink = ({ room, meeting_link: link }: Pick<Filled, 'room' | 'meeting_link'>) =>
  room === 'own' ? link : undefined
