import type { PrivateDocument, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { ageGroups, videoChoices } from '#contract/practitioners/onboarding.ts'
import { profileSteps } from '#contract/practitioners/profile-steps.ts'
import type { DocumentRow } from '../documents/documents.store.ts'
import { type Filled, missingOf } from './onboarding.rules.ts'
import type { Belongings, OwnRow } from './onboarding.store.ts'
import { portraitPath, videoPath } from '../practitioners.rules.ts'
import { toLocation } from '../practitioners.mapper.ts'
import type { LocationRow } from '../practitioners.store.ts'

/** Everything a practitioner's own profile is made of. */
export type Own = {
  row: OwnRow
  belongings: Belongings
  locations: LocationRow[]
  documents: DocumentRow[]
  titles: { id: number; name: string }[]
  genders: { id: number; name: string }[]
}

/** What a profile is judged by, out of its rows. */
export function toFilled({ row, belongings, locations, documents }: Omit<Own, 'titles' | 'genders'>): Filled {
  const { languages, licences, approaches, issues, services, insurers } = belongings
  const ofType = (type: string) => services.filter((service) => service.appointment_type === type).length
  return {
    gender_id: row.gender_id,
    date_of_birth: row.date_of_birth,
    phone_number: row.phone_number,
    languages: languages.length,
    licences: licences.map(({ state }) => state),
    years_of_experience: row.years_of_experience,
    documents,
    approaches: approaches.length,
    issues: issues.length,
    age_groups: row.age_groups,
    has_portrait: row.image_key !== null,
    about: row.about,
    short_description: row.short_description,
    video_choice: row.video_choice,
    video_url: row.video_url,
    has_video_file: row.video_file_id !== null,
    has_indemnity: row.has_indemnity,
    online_services: ofType('online'),
    room_services: ofType('face_to_face'),
    room: row.room,
    meeting_link: row.meeting_link,
    locations: locations.length,
    works_with_insurance: row.works_with_insurance,
    insurance_companies: insurers.length,
  }
}

export function toTherapistProfile(own: Own): TherapistProfile {
  const { row, belongings, locations, documents, titles, genders } = own
  const filled = toFilled(own)
  const saved = new Map(belongings.steps.map((step) => [step.step, step]))
  const licence = belongings.licences.find(({ state }) => state !== 'refused')
  const servicesOf = (type: string) =>
    belongings.services
      .filter((service) => service.appointment_type === type)
      .map(({ service_id, duration_minutes, fee_pence }) => ({
        service_id,
        duration: duration_minutes,
        fee: fee_pence / 100,
      }))
  return {
    practitioner_id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email ?? '',
    status: row.state,
    reason: row.state_reason,
    gender: row.gender,
    gender_list: genders,
    pronouns: row.pronouns,
    title_id: row.title_id,
    title_list: titles,
    date_of_birth: row.date_of_birth,
    dob: row.date_of_birth,
    phone_code: row.phone_code,
    phone_number: row.phone_number,
    timezone_id: row.timezone_id,
    timezone: row.timezone,
    languages_list: belongings.languages,
    license_list: belongings.licences.map(({ state, ...rest }) => ({ ...rest, status: state })),
    licence: licence?.licensing_body ?? null,
    licence_number: licence?.license_number ?? null,
    years_of_experience: row.years_of_experience,
    documents: documents.map(toDocument),
    therapist_approaches: belongings.approaches,
    issues: belongings.issues,
    age_groups: row.age_groups,
    age_group_list: [...ageGroups],
    main_image: row.image_key && portraitPath(row.image_key, 256),
    about: row.about,
    bio: row.about,
    short_description: row.short_description,
    video_choice: chosenVideo(filled),
    video_url_link: row.video_url,
    profile_video: row.video_key && videoPath(row.video_key),
    profile_video_captions: row.captions_key && videoPath(row.captions_key),
    profile_video_transcript: row.video_transcript,
    has_insurance: row.has_indemnity,
    services: { online: servicesOf('online'), face_to_face: servicesOf('face_to_face') },
    room: row.room,
    meeting_link: row.meeting_link,
    locations: locations.map(toLocation),
    works_with_insurance: row.works_with_insurance,
    insurance_companies: belongings.insurers,
    steps: profileSteps.map((step) => ({
      step,
      version: saved.get(step)?.version ?? 0,
      saved_at: saved.get(step)?.saved_at.toISOString() ?? null,
      missing: missingOf[step](filled),
    })),
  }
}

/** A link from before there was a choice counts as one. */
function chosenVideo({ video_choice, video_url }: Filled): number | null {
  if (video_choice !== null) return videoChoices[video_choice]
  return video_url === null ? null : videoChoices.link
}

export function toDocument(row: DocumentRow): PrivateDocument {
  return {
    document_id: row.id,
    kind: row.kind,
    status: row.state,
    reason: row.reason,
    content_type: row.content_type,
    size: row.bytes,
    uploaded_at: row.created_at.toISOString(),
    expires_on: row.expires_on,
  }
}
