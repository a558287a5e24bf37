import { sql } from 'kysely'
import type { RoomKind } from '#contract/common.ts'
import type { LocationSent, ProfileStep, VettingState } from '#contract/practitioners/onboarding.ts'
import type { Db, NewRow, Tx } from '../../../db/connection.ts'
import type { Lookup } from '../places.rules.ts'
import type { LicenceChanges, VideoChoice } from './onboarding.rules.ts'

/** A practitioner's own row, with their names. */
export type OwnRow = NonNullable<Awaited<ReturnType<typeof readOwn>>>

export function readOwn(db: Db, id: number) {
  return db
    .selectFrom('practitioners as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .leftJoin('genders as g', 'g.id', 'p.gender_id')
    .leftJoin('timezones as z', 'z.name', 'p.timezone')
    .leftJoin('stored_files as v', 'v.id', 'p.video_file_id')
    .leftJoin('stored_files as c', 'c.id', 'p.video_captions_file_id')
    .selectAll('p')
    .select(['a.first_name', 'a.last_name', 'a.email', 'g.name as gender', 'z.id as timezone_id'])
    .select(['v.storage_key as video_key', 'c.storage_key as captions_key'])
    .where('p.id', '=', id)
    .executeTakeFirst()
}

/** The key of the portrait that is shown; waits for a transaction that may still change it. */
export async function readSettledImageKey(db: Db, id: number): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('practitioners')
    .select('image_key')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.image_key
}

/** Everything that hangs on a practitioner's row and is edited in the wizard. */
export async function readBelongings(db: Db, id: number) {
  const languages = await db
    .selectFrom('practitioner_languages as x')
    .innerJoin('languages as l', 'l.id', 'x.language_id')
    .select(['l.id as language_id', 'l.name as language_name'])
    .where('practitioner_id', '=', id)
    .orderBy('l.name')
    .execute()
  const licences = await readLicences(db, id)
  const approaches = await db
    .selectFrom('practitioner_therapy_types as x')
    .innerJoin('therapy_types as t', 't.id', 'x.therapy_type_id')
    .select(['t.id as therapy_approach_id', 't.name as therapy_approach_name'])
    .where('practitioner_id', '=', id)
    .orderBy('t.id')
    .execute()
  const issues = await db
    .selectFrom('practitioner_issues as x')
    .innerJoin('issues as i', 'i.id', 'x.issue_id')
    .select(['i.id as issue_id', 'i.name as issue_name'])
    .where('practitioner_id', '=', id)
    .orderBy('i.id')
    .execute()
  const services = await db
    .selectFrom('practitioner_services')
    .select(['service_id', 'appointment_type', 'duration_minutes', 'fee_pence'])
    .where('practitioner_id', '=', id)
    .orderBy('service_id')
    .execute()
  const insurers = await db
    .selectFrom('practitioner_insurance_companies as x')
    .innerJoin('insurance_companies as c', 'c.id', 'x.insurance_company_id')
    .select(['c.id as insurance_company_id', 'c.name as insurance_company'])
    .where('practitioner_id', '=', id)
    .orderBy('c.name')
    .execute()
  const steps = await db
    .selectFrom('practitioner_steps')
    .select(['step', 'version', 'saved_at'])
    .where('practitioner_id', '=', id)
    .execute()
  return { languages, licences, approaches, issues, services, insurers, steps }
}
export type Belongings = Awaited<ReturnType<typeof readBelongings>>

export async function readLicences(db: Db, id: number) {
  return db
    .selectFrom('practitioner_licenses as x')
    .innerJoin('license_bodies as b', 'b.id', 'x.license_body_id')
    .innerJoin('provider_types as t', 't.id', 'x.provider_type_id')
    .select([
      'x.id',
      'x.provider_type_id as specialization_id',
      'x.license_body_id as license_id',
      'x.license_number',
      'x.reason',
      'x.expires_on',
      't.name as specialization',
      'b.name as licensing_body',
    ])
    .select((eb) => eb.ref('x.state').$castTo<VettingState>().as('state'))
    .where('x.practitioner_id', '=', id)
    .orderBy('x.id')
    .execute()
}

// Reference lists ---------------------------------------------------------------------------------------------------

const named = (db: Db, table: 'titles' | 'genders' | 'services') =>
  db.selectFrom(table).select(['id', 'name']).orderBy('id').execute()

export const readTitles = (db: Db) => named(db, 'titles')
export const readGenders = (db: Db) => named(db, 'genders')
export const readServiceNames = (db: Db) => named(db, 'services')

export function readPhoneCodes(db: Db) {
  return db.selectFrom('phone_codes').select(['phone_code', 'country']).orderBy('id').execute()
}

export function readTimezones(db: Db) {
  return db
    .selectFrom('timezones')
    .select(['id as timezone_id', 'name as timezone_name'])
    .orderBy('name')
    .execute()
}

export function readLicenceBodies(db: Db) {
  return db.selectFrom('license_bodies').select(['id as license_body_id', 'name']).orderBy('id').execute()
}

/** Which of these ids there are in a reference list. */
export async function knownIds(
  db: Db,
  table:
    | 'languages'
    | 'therapy_types'
    | 'issues'
    | 'insurance_companies'
    | 'services'
    | 'provider_types'
    | 'license_bodies'
    | 'titles'
    | 'timezones',
  ids: number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}

export async function timezoneName(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('timezones').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

export async function hasPhoneCode(db: Db, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('phone_codes')
    .select('id')
    .where('phone_code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

// Steps -------------------------------------------------------------------------------------------------------------

/** Versions of the steps that have been saved. The practitioner's row is locked. */
export async function readVersions(tx: Tx, id: number): Promise<Map<ProfileStep, number>> {
  const rows = await tx
    .selectFrom('practitioner_steps')
    .select(['step', 'version'])
    .where('practitioner_id', '=', id)
    .execute()
  return new Map(rows.map(({ step, version }) => [step, version]))
}

export async function noteSaved(tx: Tx, id: number, steps: readonly ProfileStep[], now: Date): Promise<void> {
  if (steps.length === 0) return
  await tx
    .insertInto('practitioner_steps')
    .values(steps.map((step) => ({ practitioner_id: id, step, version: 1, saved_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['practitioner_id', 'step']).doUpdateSet({
        version: sql`practitioner_steps.version + 1`,
        saved_at: now,
      }),
    )
    .execute()
}

export type OwnFields = Partial<{
  gender_id: number | null
  pronouns: string | null
  title_id: number | null
  date_of_birth: string | null
  phone_code: string | null
  phone_number: string | null
  timezone: string
  years_of_experience: number | null
  age_groups: string[]
  about: string
  short_description: string
  image_key: string
  video_choice: VideoChoice
  video_url: string | null
  video_file_id: string | null
  video_captions_file_id: string | null
  video_transcript: string | null
  captions_asked_at: Date | null
  has_indemnity: boolean
  works_with_insurance: boolean
  room: RoomKind
  meeting_link: string | null
}>

export async function updateOwn(tx: Tx, id: number, fields: OwnFields): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('practitioners').set(fields).where('id', '=', id).execute()
}

export async function replaceLanguages(tx: Tx, id: number, ids: number[]): Promise<void> {
  await tx.deleteFrom('practitioner_languages').where('practitioner_id', '=', id).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('practitioner_languages')
    .values(ids.map((language_id) => ({ practitioner_id: id, language_id })))
    .execute()
}

export async function replaceApproaches(tx: Tx, id: number, ids: number[]): Promise<void> {
  await tx.deleteFrom('practitioner_therapy_types').where('practitioner_id', '=', id).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('practitioner_therapy_types')
    .values(ids.map((therapy_type_id) => ({ practitioner_id: id, therapy_type_id })))
    .execute()
}

export async function replaceIssues(tx: Tx, id: number, ids: number[]): Promise<void> {
  await tx.deleteFrom('practitioner_issues').where('practitioner_id', '=', id).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('practitioner_issues')
    .values(ids.map((issue_id) => ({ practitioner_id: id, issue_id })))
    .execute()
}

export async function replaceInsurers(tx: Tx, id: number, ids: number[]): Promise<void> {
  await tx.deleteFrom('practitioner_insurance_companies').where('practitioner_id', '=', id).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('practitioner_insurance_companies')
    .values(ids.map((insurance_company_id) => ({ practitioner_id: id, insurance_company_id })))
    .execute()
}

export type OfferedService = NewRow<'practitioner_services', 'practitioner_id'>

export async function replaceServices(tx: Tx, id: number, services: OfferedService[]): Promise<void> {
  await tx.deleteFrom('practitioner_services').where('practitioner_id', '=', id).execute()
  if (services.length === 0) return
  await tx
    .insertInto('practitioner_services')
    .values(services.map((service) => ({ practitioner_id: id, ...service })))
    .execute()
}

// Licences ----------------------------------------------------------------------------------------------------------

export async function changeLicences(
  tx: Tx,
  id: number,
  { remove, reopen, add }: LicenceChanges,
  now: Date,
): Promise<void> {
  if (reopen.length > 0) {
    await tx
      .updateTable('practitioner_licenses')
      .set({ state: 'waiting', reason: null, created_at: now })
      .where('practitioner_id', '=', id)
      .where('id', 'in', reopen)
      .execute()
  }
  if (remove.length > 0) {
    await tx
      .deleteFrom('practitioner_licenses')
      .where('practitioner_id', '=', id)
      .where('id', 'in', remove)
      .execute()
  }
  if (add.length === 0) return
  await tx
    .insertInto('practitioner_licenses')
    .values(
      add.map(({ specialization_id, license_id, license_number }) => ({
        practitioner_id: id,
        provider_type_id: specialization_id,
        license_body_id: license_id,
        license_number,
        state: 'waiting' as const,
        created_at: now,
      })),
    )
    .execute()
}

/** Accepted licences `x` that hold on a day, `YYYY-MM-DD`. */
const holdingOn = (today: string) =>
  sql`x.state = 'accepted' and (x.expires_on is null or x.expires_on >= ${today})`

/**
 * Lists a practitioner under the professions of their licences: the accepted ones that hold `today`, or all accepted ones
 * where none does, and while the profile has not been approved yet also those that wait.
 */
export async function matchProviderTypes(tx: Tx, id: number, today: string): Promise<void> {
  await tx.deleteFrom('practitioner_provider_types').where('practitioner_id', '=', id).execute()
  await sql`
    insert into practitioner_provider_types (practitioner_id, provider_type_id)
    select distinct x.practitioner_id, x.provider_type_id
    from practitioner_licenses x join practitioners p on p.id = x.practitioner_id
    where x.practitioner_id = ${id} and (${holdingOn(today)}
      or (x.state = 'accepted' and not exists (select from practitioner_licenses x
        where x.practitioner_id = ${id} and ${holdingOn(today)}))
      or (x.state = 'waiting' and p.state in ('draft', 'submitted', 'rejected')))`.execute(tx)
}

/** Approved and suspended practitioners listed under a profession whose last licence has ended, while one of another holds. */
export async function listWithEndedProfession(db: Db, today: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct p.id from practitioners p
    join practitioner_provider_types t on t.practitioner_id = p.id
    join practitioner_licenses e on e.practitioner_id = p.id and e.provider_type_id = t.provider_type_id
    where p.state in ('approved', 'suspended') and e.state = 'accepted' and e.expires_on < ${today}
      and not exists (select from practitioner_licenses x where x.practitioner_id = p.id
        and x.provider_type_id = t.provider_type_id and ${holdingOn(today)})
      and exists (select from practitioner_licenses x where x.practitioner_id = p.id and ${holdingOn(today)})
    order by p.id`.execute(db)
  return rows.map(({ id }) => id)
}

// Places ------------------------------------------------------------------------------------------------------------

export type Place = Omit<LocationSent, 'id' | 'location_id' | keyof Lookup | 'show_street'> &
  Lookup & { show_street: boolean }

export async function updateLocation(tx: Tx, id: number, locationId: number, place: Place): Promise<void> {
  const { location_name: name, ...rest } = place
  await tx
    .updateTable('locations')
    .set({ name, ...rest })
    .where('id', '=', locationId)
    .where('practitioner_id', '=', id)
    .execute()
}

export async function insertLocation(tx: Tx, id: number, place: Place): Promise<void> {
  const { location_name: name, ...rest } = place
  await tx
    .insertInto('locations')
    .values({ practitioner_id: id, name, ...rest })
    .execute()
}

/** Marks places as removed. Their rows stay for the sessions booked there. */
export async function removeLocations(tx: Tx, id: number, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('locations')
    .set({ removed_at: now })
    .where('practitioner_id', '=', id)
    .where('id', 'in', ids)
    .execute()
}
