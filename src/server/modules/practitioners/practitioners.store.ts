import { type RawBuilder, sql } from 'kysely'
import type { PractitionerState, SessionsChoice, SuspensionCause } from '#contract/back-office/back-office.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { anyOf, runPrepared } from '../../db/prepared.ts'

type Named = { id: number; name: string }

export type ServiceRow = {
  service_id: number
  name: string
  appointment_type: AppointmentType
  duration_minutes: number
  fee_pence: number
}

export type LocationRow = {
  id: number
  name: string
  country: string
  city: string
  street: string
  home_number: string
  postal_code: string
  latitude: number | null
  longitude: number | null
}

export type LicenseRow = { body: string; number: string; provider_type: string }

/** Public facts of a practitioner that a list needs. */
export type FactsRow = {
  id: number
  account_id: string
  first_name: string
  last_name: string
  image_key: string | null
  gender_id: number | null
  timezone: string
  years_of_experience: number | null
  short_description: string
  about_length: number
  has_video: boolean
  works_with_insurance: boolean
  state: PractitionerState
  subscribed_until: Date | null
  vetted_until: Date | null
  provider_types: Named[]
  issues: Named[]
  therapy_type_ids: number[]
  language_ids: number[]
  insurance_company_ids: number[]
  services: ServiceRow[]
  cities: string[]
}

const servicesJson = sql`(
  select coalesce(json_agg(json_build_object('service_id', s.id, 'name', s.name, 'appointment_type', x.appointment_type,
    'duration_minutes', x.duration_minutes, 'fee_pence', x.fee_pence) order by x.fee_pence, s.id), '[]')
  from practitioner_services x join services s on s.id = x.service_id where x.practitioner_id = p.id)`

/** The facts of some practitioners, listed or not, in the order of their ids. */
export async function readFacts(db: Db, ids: number[]): Promise<FactsRow[]> {
  const { rows } = await sql<FactsRow>`
    select p.id, p.account_id, a.first_name, a.last_name, p.image_key, p.gender_id, p.timezone, p.years_of_experience,
      p.short_description, length(p.about) as about_length, p.video_url is not null or p.video_file_id is not null as has_video,
      p.works_with_insurance, p.state, p.subscribed_until, p.vetted_until,
      (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by t.id), '[]')
       from practitioner_provider_types x join provider_types t on t.id = x.provider_type_id
       where x.practitioner_id = p.id) as provider_types,
      (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by t.id), '[]')
       from practitioner_issues x join issues t on t.id = x.issue_id where x.practitioner_id = p.id) as issues,
      array(select therapy_type_id from practitioner_therapy_types where practitioner_id = p.id
        order by 1) as therapy_type_ids,
      array(select language_id from practitioner_languages where practitioner_id = p.id order by 1) as language_ids,
      array(select insurance_company_id from practitioner_insurance_companies where practitioner_id = p.id
        order by 1) as insurance_company_ids,
      ${servicesJson} as services,
      array(select distinct city from locations where practitioner_id = p.id and removed_at is null
        order by city) as cities
    from practitioners p
    join accounts a on a.id = p.account_id
    where p.id = any(${ids}::int[])
    order by p.id`.execute(db)
  return rows
}

/** What a profile has beyond the facts of a list. */
export type ProfileRow = {
  gender: string | null
  title: string | null
  about: string
  age_groups: string[]
  video_url: string | null
  /** Of an uploaded introduction, in the object storage. */
  video_key: string | null
  insurance_certificate_expires: string | null
  licenses: LicenseRow[]
  locations: LocationRow[]
  insurance_companies: string[]
  languages: string[]
  therapy_types: Named[]
}

const licensesJson = (which: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(json_build_object('body', b.name, 'number', x.license_number,
    'provider_type', t.name) order by x.id), '[]')
  from practitioner_licenses x join license_bodies b on b.id = x.license_body_id
  join provider_types t on t.id = x.provider_type_id where x.practitioner_id = p.id and ${which})`

/** With the licences that count on a day (`YYYY-MM-DD`), or with all that are not refused. */
export async function readProfile(
  db: Db,
  id: number,
  licences: { goodOn: string } | 'any',
): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select g.name as gender, t.name as title, p.about, p.age_groups, p.video_url, v.storage_key as video_key,
      p.insurance_certificate_expires,
      ${licensesJson(
        licences === 'any'
          ? sql`x.state <> 'refused'`
          : sql`x.state = 'accepted' and (x.expires_on is null or x.expires_on >= ${licences.goodOn})`,
      )} as licenses,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'country', country, 'city', city,
         'street', street, 'home_number', home_number, 'postal_code', postal_code, 'latitude', latitude,
         'longitude', longitude) order by id), '[]')
       from locations where practitioner_id = p.id and removed_at is null) as locations,
      array(select c.name from practitioner_insurance_companies x
        join insurance_companies c on c.id = x.insurance_company_id
        where x.practitioner_id = p.id order by c.name) as insurance_companies,
      array(select l.name from practitioner_languages x join languages l on l.id = x.language_id
        where x.practitioner_id = p.id order by l.id) as languages,
      (select coalesce(json_agg(json_build_object('id', y.id, 'name', y.name) order by y.id), '[]')
       from practitioner_therapy_types x join therapy_types y on y.id = x.therapy_type_id
       where x.practitioner_id = p.id) as therapy_types
    from practitioners p
    left join genders g on g.id = p.gender_id
    left join titles t on t.id = p.title_id
    left join stored_files v on v.id = p.video_file_id
    where p.id = ${id}`.execute(db)
  return rows[0]
}

const standing = (db: Db) =>
  db
    .selectFrom('practitioners as p')
    .select([
      'p.id',
      'p.account_id',
      'p.state',
      'p.subscribed_until',
      'p.vetted_until',
      'p.timezone',
      'p.notice_minutes',
      'p.pause_minutes',
    ])

/** State, what the listing depends on, zone and booking rules of some practitioners. */
export async function readStates(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  return runPrepared(db, standing(db).where('p.id', '=', anyOf(ids)))
}

/** The same of one, kept from being changed until the transaction ends, without keeping other bookings waiting. */
export async function lockStanding(tx: Tx, id: number) {
  return (await runPrepared(tx, standing(tx).where('p.id', '=', id).forShare()))[0]
}

/** The same with the services of each, the cheapest first. */
export async function readBookable(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  const services = sql<ServiceRow[]>`coalesce((
    select json_agg(json_build_object('service_id', x.service_id, 'name', s.name, 'appointment_type', x.appointment_type,
      'duration_minutes', x.duration_minutes, 'fee_pence', x.fee_pence) order by x.fee_pence, x.service_id)
    from practitioner_services x join services s on s.id = x.service_id
    where x.practitioner_id = p.id), '[]'::json)`
  return runPrepared(db, standing(db).select(services.as('services')).where('p.id', '=', anyOf(ids)))
}

export async function insertDraft(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .insertInto('practitioners')
    .values({ account_id: accountId, state: 'draft', created_at: now })
    .execute()
}

/** The practitioner whose account it is. */
export async function findByAccount(db: Db, accountId: string) {
  return db
    .selectFrom('practitioners')
    .select(['id', 'state', 'timezone', 'created_at', 'subscribed_until'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function readServices(
  db: Db,
  ids: number[],
): Promise<(ServiceRow & { practitioner_id: number })[]> {
  if (ids.length === 0) return []
  return runPrepared(
    db,
    db
      .selectFrom('practitioner_services as x')
      .innerJoin('services as s', 's.id', 'x.service_id')
      .select([
        'x.practitioner_id',
        'x.service_id',
        's.name',
        'x.appointment_type',
        'x.duration_minutes',
        'x.fee_pence',
      ])
      .where('x.practitioner_id', '=', anyOf(ids))
      .orderBy('x.fee_pence')
      .orderBy('x.service_id'),
  )
}

const places = (db: Db) =>
  db
    .selectFrom('locations')
    .select([
      'id',
      'name',
      'country',
      'city',
      'street',
      'home_number',
      'postal_code',
      'latitude',
      'longitude',
    ])

export async function readLocations(db: Db, id: number): Promise<LocationRow[]> {
  return places(db).where('practitioner_id', '=', id).where('removed_at', 'is', null).orderBy('id').execute()
}

/** Places by their ids, removed or not. */
export async function readLocationsById(db: Db, ids: number[]): Promise<LocationRow[]> {
  return places(db).where('id', 'in', ids).execute()
}

/** Ids above `after` of practitioners in a state, a batch at a time. */
export async function idsAfter(
  db: Db,
  state: PractitionerState,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('practitioners')
    .select('id')
    .where('state', '=', state)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

// Life cycle --------------------------------------------------------------------------------------------------------

/** The state, with the row locked until the transaction ends; readers and foreign keys are not kept waiting. */
export async function lockState(tx: Tx, id: number): Promise<PractitionerState | undefined> {
  const row = await tx
    .selectFrom('practitioners')
    .select('state')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.state
}

export async function setState(
  tx: Tx,
  id: number,
  change: { state: PractitionerState; state_reason: string | null; state_changed_at: Date },
): Promise<void> {
  await tx.updateTable('practitioners').set(change).where('id', '=', id).execute()
}

type NewSuspension = {
  practitioner_id: number
  cause: SuspensionCause
  sessions: SessionsChoice
  reason: string
  at: Date
}

export async function insertSuspension(tx: Tx, suspension: NewSuspension): Promise<void> {
  await tx.insertInto('suspensions').values(suspension).execute()
}

export async function endSuspension(tx: Tx, practitionerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('suspensions')
    .set({ ended_at: now })
    .where('practitioner_id', '=', practitionerId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Why and since when a profile is closed; undefined unless it is. */
export async function findClosing(
  db: Db,
  practitionerId: number,
): Promise<{ reason: string; at: Date } | undefined> {
  const row = await db
    .selectFrom('practitioners')
    .select(['state_reason', 'state_changed_at'])
    .where('id', '=', practitionerId)
    .where('state', '=', 'closed')
    .executeTakeFirst()
  return row?.state_changed_at ? { reason: row.state_reason ?? '', at: row.state_changed_at } : undefined
}

/** The suspension of a practitioner that has not ended. */
export function findSuspension(db: Db, practitionerId: number) {
  return db
    .selectFrom('suspensions')
    .select(['cause', 'sessions', 'reason', 'at'])
    .where('practitioner_id', '=', practitionerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function setSubscribedUntil(tx: Tx, id: number, until: Date | null): Promise<void> {
  await tx.updateTable('practitioners').set({ subscribed_until: until }).where('id', '=', id).execute()
}

// Vetting -----------------------------------------------------------------------------------------------------------

export type OverviewRow = {
  id: number
  first_name: string
  last_name: string
  email: string
  state: PractitionerState
  state_reason: string | null
  subscribed_until: Date | null
  provider_types: string[]
  created_at: Date
}

const overviewColumns = sql`p.id, a.first_name, a.last_name, a.email, p.state, p.state_reason, p.subscribed_until,
  p.created_at, array(select t.name from practitioner_provider_types x
    join provider_types t on t.id = x.provider_type_id where x.practitioner_id = p.id order by t.id) as provider_types`

/** How one practitioner stands. */
export async function readOverview(db: Db, id: number): Promise<OverviewRow | undefined> {
  const { rows } = await sql<OverviewRow>`
    select ${overviewColumns} from practitioners p join accounts a on a.id = p.account_id
    where p.id = ${id}`.execute(db)
  return rows[0]
}

export async function readMeetingLinks(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('practitioners')
    .select(['id', 'meeting_link'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.flatMap((row) => (row.meeting_link ? [[row.id, row.meeting_link] as const] : [])))
}
