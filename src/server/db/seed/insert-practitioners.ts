import { sql } from 'kysely'
import { days, later } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import type { Db } from '../connection.ts'
import type { DemoPractitioner } from './demo/types.ts'
import { storageKey } from './insert-portraits.ts'
import { insertRows } from './insert-rows.ts'

/** Demo subscriptions and "available now" outlive the demo. */
const farAhead = days(3650)

type Options = {
  now: Date
  random: Random
  /** Password hashes by email. Accounts without one cannot be signed in to. */
  passwordHashes: ReadonlyMap<string, string>
}

/**
 * Inserts made-up practitioners with everything that is theirs; the first gets id `firstId`. Portraits are drawn
 * elsewhere.
 */
export async function insertPractitioners(
  db: Db,
  people: readonly DemoPractitioner[],
  firstId: number,
  { now, random, passwordHashes }: Options,
): Promise<void> {
  const all = people.map((person, index) => ({
    person,
    id: firstId + index,
    accountId: random.uuid(now),
    since: later(now, -days(person.createdDaysAgo)),
  }))
  await insertRows(
    db,
    'accounts',
    all.map(({ person, accountId, since }) => ({
      id: accountId,
      role: 'therapist' as const,
      email: person.email,
      email_verified_at: since,
      password_hash: passwordHashes.get(person.email) ?? null,
      first_name: person.firstName,
      last_name: person.lastName,
      created_at: since,
    })),
  )
  await insertRows(
    db,
    'practitioners',
    all.map(({ person, id, accountId, since }) => ({
      id,
      account_id: accountId,
      state: person.state,
      state_reason: person.stateReason,
      state_changed_at: person.state === 'draft' ? null : since,
      title_id: person.titleId,
      gender_id: person.genderId,
      pronouns: person.pronouns,
      date_of_birth: person.dateOfBirth,
      phone_code: person.phoneCode,
      phone_number: person.phoneNumber,
      timezone: person.timezone,
      years_of_experience: person.yearsOfExperience,
      about: person.about,
      short_description: person.shortDescription,
      age_groups: person.ageGroups,
      image_key: person.portrait && storageKey(person.portrait),
      video_url: person.videoUrl,
      works_with_insurance: person.worksWithInsurance,
      insurance_certificate_expires: person.insuranceCertificateExpires,
      room: person.room,
      meeting_link: person.meetingLink,
      available_now_until: person.availableNow ? later(now, farAhead) : null,
      subscribed_until: subscribedUntil(person, now),
      created_at: since,
    })),
  )
  await insertFacets(db, all)
  await insertRows(
    db,
    'practitioner_services',
    all.flatMap(({ person, id }) =>
      person.services.map((service) => ({
        practitioner_id: id,
        service_id: service.serviceId,
        appointment_type: service.appointmentType,
        duration_minutes: service.durationMinutes,
        fee_pence: service.feePence,
      })),
    ),
  )
  await insertSchedules(db, all)
  await insertRows(
    db,
    'reviews',
    all.flatMap(({ person, id }) =>
      person.reviews.map((review) => ({
        practitioner_id: id,
        reviewer: review.reviewerName,
        rating: review.rating,
        comment: review.comment,
        created_at: later(now, -days(review.createdDaysAgo)),
      })),
    ),
  )
  // Ids were given, so the counter has to be told.
  await sql`select setval(pg_get_serial_sequence('practitioners', 'id'), (select max(id) from practitioners))`.execute(
    db,
  )
}

type Numbered = { person: DemoPractitioner; id: number; since: Date }

function subscribedUntil(person: DemoPractitioner, now: Date): Date | null {
  if (person.subscription === 'active') return later(now, farAhead)
  return person.subscription === 'lapsed' ? later(now, -days(20)) : null
}

async function insertFacets(db: Db, all: readonly Numbered[]): Promise<void> {
  const linked = (ids: (person: DemoPractitioner) => readonly number[], column: string) =>
    all.flatMap(({ person, id }) => ids(person).map((value) => ({ practitioner_id: id, [column]: value })))
  await insertRows(
    db,
    'practitioner_provider_types',
    linked((p) => p.providerTypeIds, 'provider_type_id'),
  )
  await insertRows(
    db,
    'practitioner_issues',
    linked((p) => p.issueIds, 'issue_id'),
  )
  await insertRows(
    db,
    'practitioner_therapy_types',
    linked((p) => p.therapyTypeIds, 'therapy_type_id'),
  )
  await insertRows(
    db,
    'practitioner_languages',
    linked((p) => p.languageIds, 'language_id'),
  )
  await insertRows(
    db,
    'practitioner_insurance_companies',
    linked((p) => p.insuranceCompanyIds, 'insurance_company_id'),
  )
  await insertRows(
    db,
    'practitioner_licenses',
    all.flatMap(({ person, id, since }) =>
      person.licenses.map((license) => ({
        practitioner_id: id,
        state: 'accepted',
        created_at: since,
        provider_type_id: license.providerTypeId,
        license_body_id: license.licenseBodyId,
        license_number: license.licenseNumber,
      })),
    ),
  )
}

/** Places and the hours that are held there. */
async function insertSchedules(db: Db, all: readonly Numbered[]): Promise<void> {
  const places = all.flatMap(({ person, id }) =>
    person.locations.map((location, index) => ({ location, index, practitionerId: id })),
  )
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('locations', 'id'))::int as id
    from generate_series(1, ${places.length}::int)`.execute(db)
  const idAt = new Map(
    places.map((place, position) => [`${place.practitionerId} ${place.index}`, rows[position]?.id]),
  )
  await insertRows(
    db,
    'locations',
    places.map(({ location, index, practitionerId }) => ({
      id: idAt.get(`${practitionerId} ${index}`),
      practitioner_id: practitionerId,
      name: location.name,
      country: location.country,
      city: location.city,
      street: location.street,
      home_number: location.homeNumber,
      postal_code: location.postalCode,
      latitude: location.latitude,
      longitude: location.longitude,
    })),
  )
  await insertRows(
    db,
    'weekly_hours',
    all.flatMap(({ person, id }) =>
      person.schedule.map(({ weekday, hour, appointmentType, locationIndex }) => ({
        practitioner_id: id,
        weekday,
        hour,
        appointment_type: appointmentType,
        location_id: locationIndex === null ? null : (idAt.get(`${id} ${locationIndex}`) ?? null),
      })),
    ),
  )
}
