import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { PractitionerState } from '#contract/back-office/back-office.ts'
import type { Db, Row, Tx } from '../../db/connection.ts'
import { arrayFrom } from '../../db/array-from.ts'
import { anyOf, prepare, type Question, runPrepared } from '../../db/prepared.ts'
import type { Lookup } from './places.rules.ts'
import type { OnlineRoom } from './practitioners.rules.ts'
import { lockStanding, selectStanding } from './standing.store.ts'

/** A service as it is booked: price and length are the practitioner's own. */
export type ServiceRow = Omit<Row<'practitioner_services'>, 'practitioner_id'> & { name: string }

export type LocationRow = ProfileRow['locations'][number]
export type LicenseRow = ProfileRow['licenses'][number]

export type FactsRow = Awaited<ReturnType<typeof readFacts>>[number]

/** Public facts of some practitioners that a list needs, listed or not, in the order of their ids. */
export function readFacts(db: Db, ids: number[]) {
  return db
    .selectFrom('practitioners as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select([
      'p.id',
      'p.account_id',
      'a.first_name',
      'a.last_name',
      'p.image_key',
      'p.gender_id',
      'p.pronouns',
      'p.timezone',
      'p.years_of_experience',
      'p.short_description',
      'p.works_with_insurance',
      'p.state',
      'p.waitlist',
      'p.waiting',
      'p.subscribed_until',
      'p.vetted_until',
      sql<number>`length(p.about)`.as('about_length'),
      sql<boolean>`p.video_url is not null or p.video_file_id is not null`.as('has_video'),
    ])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('practitioner_provider_types as x')
          .innerJoin('provider_types as t', 't.id', 'x.provider_type_id')
          .select(['t.id', 't.name'])
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('t.id'),
      ).as('provider_types'),
      jsonArrayFrom(
        eb
          .selectFrom('practitioner_issues as x')
          .innerJoin('issues as t', 't.id', 'x.issue_id')
          .select(['t.id', 't.name'])
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('t.id'),
      ).as('issues'),
      arrayFrom(
        eb
          .selectFrom('practitioner_therapy_types as x')
          .select('x.therapy_type_id')
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('x.therapy_type_id'),
      ).as('therapy_type_ids'),
      arrayFrom(
        eb
          .selectFrom('practitioner_languages as x')
          .select('x.language_id')
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('x.language_id'),
      ).as('language_ids'),
      arrayFrom(
        eb
          .selectFrom('practitioner_insurance_companies as x')
          .select('x.insurance_company_id')
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('x.insurance_company_id'),
      ).as('insurance_company_ids'),
      jsonArrayFrom(
        eb
          .selectFrom('practitioner_services as x')
          .innerJoin('services as s', 's.id', 'x.service_id')
          .select(['x.service_id', 's.name', 'x.appointment_type', 'x.duration_minutes', 'x.fee_pence'])
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('x.fee_pence')
          .orderBy('x.service_id'),
      ).as('services'),
      arrayFrom(
        eb
          .selectFrom('locations as l')
          .select('l.city')
          .distinct()
          .whereRef('l.practitioner_id', '=', 'p.id')
          .where('l.removed_at', 'is', null)
          .orderBy('l.city'),
      ).as('cities'),
    ])
    .where('p.id', '=', anyOf(ids))
    .orderBy('p.id')
    .execute()
}

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof readProfile>>>

/**
 * What a profile has beyond the facts of a list, with the licences and the insurance that count on a day (`YYYY-MM-DD`),
 * or with all licences that are not refused.
 */
export function readProfile(db: Db, id: number, licences: { goodOn: string } | 'any') {
  return db
    .selectFrom('practitioners as p')
    .leftJoin('genders as g', 'g.id', 'p.gender_id')
    .leftJoin('titles as t', 't.id', 'p.title_id')
    .leftJoin('stored_files as v', 'v.id', 'p.video_file_id')
    .leftJoin('stored_files as c', 'c.id', 'p.video_captions_file_id')
    .select([
      'g.name as gender',
      't.name as title',
      'p.about',
      'p.age_groups',
      'p.video_url',
      // Of an uploaded introduction, in the object storage.
      'v.storage_key as video_key',
      'c.storage_key as captions_key',
      'p.video_transcript',
    ])
    .select((eb) => [
      eb
        .case()
        .when(
          eb.and([
            eb('p.has_indemnity', 'is distinct from', false),
            ...(licences === 'any' ? [] : [eb('p.insurance_certificate_expires', '>=', licences.goodOn)]),
          ]),
        )
        .then(eb.ref('p.insurance_certificate_expires'))
        .end()
        .as('insurance_certificate_expires'),
      jsonArrayFrom(
        eb
          .selectFrom('practitioner_licenses as x')
          .innerJoin('license_bodies as b', 'b.id', 'x.license_body_id')
          .innerJoin('provider_types as y', 'y.id', 'x.provider_type_id')
          .select(['b.name as body', 'x.license_number as number', 'y.name as provider_type'])
          .whereRef('x.practitioner_id', '=', 'p.id')
          .where((of) =>
            licences === 'any'
              ? of('x.state', '<>', 'refused')
              : of.and([
                  of('x.state', '=', 'accepted'),
                  of.or([of('x.expires_on', 'is', null), of('x.expires_on', '>=', licences.goodOn)]),
                ]),
          )
          .orderBy('x.id'),
      ).as('licenses'),
      jsonArrayFrom(
        eb
          .selectFrom('locations as l')
          .select(placeColumns)
          .whereRef('l.practitioner_id', '=', 'p.id')
          .where('l.removed_at', 'is', null)
          .orderBy('l.id'),
      ).as('locations'),
      arrayFrom(
        eb
          .selectFrom('practitioner_insurance_companies as x')
          .innerJoin('insurance_companies as c', 'c.id', 'x.insurance_company_id')
          .select('c.name')
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('c.name'),
      ).as('insurance_companies'),
      arrayFrom(
        eb
          .selectFrom('practitioner_languages as x')
          .innerJoin('languages as l', 'l.id', 'x.language_id')
          .select('l.name')
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('l.id'),
      ).as('languages'),
      jsonArrayFrom(
        eb
          .selectFrom('practitioner_therapy_types as x')
          .innerJoin('therapy_types as y', 'y.id', 'x.therapy_type_id')
          .select(['y.id', 'y.name'])
          .whereRef('x.practitioner_id', '=', 'p.id')
          .orderBy('y.id'),
      ).as('therapy_types'),
    ])
    .where('p.id', '=', id)
    .executeTakeFirst()
}

/** Practitioners as they can be booked: their standing, with the services of each, the cheapest first. */
export async function readBookable(db: Db, ids: number[]) {
  return ids.length === 0 ? [] : selectBookable(db, { ids })
}

const bookable = (those: RawBuilder<SqlBool>) => ({
  compile: (db: Db) =>
    selectStanding(db)
      .select(
        sql<ServiceRow[]>`coalesce((
          select json_agg(json_build_object('service_id', x.service_id, 'name', s.name, 'appointment_type', x.appointment_type,
            'duration_minutes', x.duration_minutes, 'fee_pence', x.fee_pence) order by x.fee_pence, x.service_id)
          from practitioner_services x join services s on s.id = x.service_id
          where x.practitioner_id = p.id), '[]'::json)`.as('services'),
      )
      .where(those)
      .compile(),
})

const selectBookable = prepare((at: { ids: number[] }) => bookable(sql`p.id = any(${at.ids}::int[])`))
// PostgreSQL keeps the plan for one, and makes one anew for each list.
const selectOneBookable = prepare((at: { id: number }) => bookable(sql`p.id = ${at.id}::int`))

/** `readBookable` of one, to be asked together with other questions. */
export const askBookable = (id: number): Question<BookableRow | undefined> => {
  const { statements, read } = selectOneBookable.of({ id })
  return { statements, read: (rows) => read(rows)[0] }
}

/** The services of a practitioner, the cheapest first. */
const servicesOf = prepare(
  (at: { id: number }) => sql<ServiceRow>`
    select x.service_id, s.name, x.appointment_type, x.duration_minutes, x.fee_pence
    from practitioner_services x join services s on s.id = x.service_id
    where x.practitioner_id = ${at.id}::int order by x.fee_pence, x.service_id`,
)

/** `lockStanding` and the services once it is locked, to be asked together with other questions. */
export function lockBookable(id: number): Question<BookableRow | undefined> {
  const standing = lockStanding.of({ id })
  const services = servicesOf.of({ id })
  return {
    statements: [...standing.statements, ...services.statements],
    read([locked = [], offered = []]) {
      const [row] = standing.read([locked])
      return row && { ...row, services: services.read([offered]) }
    },
  }
}

export type BookableRow = Awaited<ReturnType<typeof readBookable>>[number]

export async function insertDraft(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .insertInto('practitioners')
    .values({ account_id: accountId, state: 'draft', created_at: now })
    .execute()
}

/** The practitioner whose account it is. */
export type OwnRow = NonNullable<Awaited<ReturnType<typeof findByAccount>>>

export async function findByAccount(db: Db, accountId: string) {
  const [practitioner] = await runPrepared(
    db,
    db
      .selectFrom('practitioners')
      .select(['id', 'state', 'timezone', 'created_at', 'subscribed_until'])
      .where('account_id', '=', accountId),
  )
  return practitioner
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

const placeColumns = [
  'l.id',
  'l.name',
  'l.country',
  'l.city',
  'l.street',
  'l.home_number',
  'l.postal_code',
  'l.latitude',
  'l.longitude',
  'l.show_street',
  'l.point_source',
  'l.district_name',
] as const

const places = (db: Db) => db.selectFrom('locations as l').select(placeColumns)

export async function readLocations(db: Db, id: number): Promise<LocationRow[]> {
  return places(db).where('practitioner_id', '=', id).where('removed_at', 'is', null).orderBy('id').execute()
}

/** The places of some practitioners. */
export async function readLocationsOf(db: Db, ids: number[]) {
  return places(db)
    .select('l.practitioner_id')
    .where('practitioner_id', '=', anyOf(ids))
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function updateLookup(tx: Tx, id: number, found: Lookup): Promise<void> {
  await tx.updateTable('locations').set(found).where('id', '=', id).execute()
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
  /** When the profile came into its state. */
  state_since: Date
}

export const overviewColumns = sql`p.id, a.first_name, a.last_name, a.email, p.state, p.state_reason, p.subscribed_until,
  p.created_at, coalesce(p.state_changed_at, p.created_at) as state_since, array(select t.name from practitioner_provider_types x
    join provider_types t on t.id = x.provider_type_id where x.practitioner_id = p.id order by t.id) as provider_types`

/** How one practitioner stands. */
export async function readOverview(db: Db, id: number): Promise<OverviewRow | undefined> {
  const { rows } = await sql<OverviewRow>`
    select ${overviewColumns} from practitioners p join accounts a on a.id = p.account_id
    where p.id = ${id}`.execute(db)
  return rows[0]
}

export async function readOnlineRooms(db: Db, ids: number[]): Promise<Map<number, OnlineRoom>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('practitioners')
    .select(['id', 'room as kind', 'meeting_link as link'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...room }) => [id, room]))
}
