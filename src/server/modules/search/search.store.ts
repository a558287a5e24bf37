import { type RawBuilder, sql } from 'kysely'
import type { AppointmentType } from '#contract/common.ts'
import { earthMiles, type Point } from '#contract/places.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { NextStart } from '#contract/search.ts'
import { type FilterName, filterOrder, filterTable, isOfKind } from '#contract/search-filters.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.gen.ts'
import type { Sort } from './directory/directory.rules.ts'
import { freshUntil, isMarked } from './free-time.store.ts'
import { cellsAround, type PlacePoint } from './near.rules.ts'
import { daysBetween, type Filters, tagConditions, tagOf } from './search.rules.ts'

export type SearchRow = Omit<
  Schema['practitioner_search'],
  'tags' | 'next_starts' | 'place_points' | 'updated_xid'
> & {
  next_starts: NextStart[]
  place_points: PlacePoint[]
}

/** The columns of a search row about free time. */
export type FreeColumns = Pick<
  SearchRow,
  | 'practitioner_id'
  | 'rank'
  | 'next_free_online'
  | 'next_free_face_to_face'
  | 'free_days_online'
  | 'free_days_face_to_face'
  | 'next_starts'
  | 'fresh_until'
>

// Reading -----------------------------------------------------------------------------------------------------------

type Condition = RawBuilder<unknown>

/** The `where` condition of a search. */
function condition(filters: Filters, now: Date): Condition {
  const tags = tagConditions(filters, 'forgiven')
  if (tags === null) return sql`false`
  const parts = [sql`listed_until > ${now}`, ...hasTags(tags)]
  for (const write of conditions) {
    const part = write(filters)
    if (part) parts.push(part)
  }
  return sql.join(parts, sql` and `)
}

/** The conditions for the tags of a row. */
const hasTags = ({ lookUp, lists }: NonNullable<ReturnType<typeof tagConditions>>): Condition[] => [
  ...(lookUp === undefined ? [] : [sql`tags @@ ${lookUp}::tsquery`]),
  ...lists.map(
    (list) =>
      sql`exists (select from unnest(tsvector_to_array(tags)) as tag where tag = any(${list}::text[]))`,
  ),
]

/** A part of a statement that is put together once, with a place for a value after each text but the last. */
function template(...texts: string[]): (...values: unknown[]) => Condition {
  const strings = Object.assign(texts, { raw: texts })
  return (...values) => sql(strings, ...values)
}

const columnOf = (name: keyof SearchRow): string => name

/** What writes the condition of a filter that is not a tag. */
function writerOf(name: FilterName): ((filters: Filters) => Condition | undefined) | undefined {
  if (isOfKind(name, 'named', 'choice')) {
    const equal = template(`${columnOf(filterTable[name].column)} = `, '')
    return ({ [name]: wanted }) => (wanted === undefined ? undefined : equal(wanted))
  }
  if (isOfKind(name, 'pounds')) {
    const { lowest, highest } = filterTable[name].columns
    const overlap = template(`${columnOf(lowest)} <= `, ` and ${columnOf(highest)} >= `, '')
    const overlapOf = (type: AppointmentType) =>
      template(`min_${type}_fee_pence <= `, ` and max_${type}_fee_pence >= `, '')
    const overlapIn = { online: overlapOf('online'), face_to_face: overlapOf('face_to_face') }
    return ({ [name]: wanted, session_type: format }) => {
      // The fees of both formats overlap where those of one do, and have an index.
      const both = wanted && overlap(wanted.highest, wanted.lowest)
      return both && format ? sql`${both} and ${overlapIn[format](wanted.highest, wanted.lowest)}` : both
    }
  }
  if (isOfKind(name, 'format')) {
    const { columns } = filterTable[name]
    const isOffered = {
      online: template(columnOf(columns.online)),
      face_to_face: template(columnOf(columns.face_to_face)),
    }
    return ({ [name]: wanted }) => wanted && isOffered[wanted]()
  }
  if (isOfKind(name, 'place')) {
    return ({ [name]: circle }) =>
      circle &&
      sql`(places && ${cellsAround(circle)}::int[] and ${milesTo(circle)} <= ${circle.miles}
        or places is null or places = '{}')`
  }
  if (!isOfKind(name, 'days')) return undefined
  const { columns } = filterTable[name]
  const isFree = (type: AppointmentType) => template(`${columnOf(columns[type])} && `, '::int[]')
  const isFreeIn = { online: isFree('online'), face_to_face: isFree('face_to_face') }
  return ({ [name]: wanted, session_type: format }) => {
    const days = wanted && daysBetween(wanted)
    if (days && format) return isFreeIn[format](days)
    return days && sql`(${isFreeIn.online(days)} or ${isFreeIn.face_to_face(days)})`
  }
}

const conditions = filterOrder.address.flatMap((name) => writerOf(name) ?? [])

/** Miles to the nearest place of a row; null without one. */
const milesTo = ({ latitude, longitude }: Point): Condition => sql`(
  select min(${2 * earthMiles}::float8 * asin(least(1, sqrt(
    sind((p.latitude - ${latitude}::float8) / 2) ^ 2 + cosd(${latitude}::float8) * cosd(p.latitude)
      * sind((p.longitude - ${longitude}::float8) / 2) ^ 2))))
  from jsonb_to_recordset(place_points) as p (latitude float8, longitude float8))`

/** Sort orders. Each ends with the id, so that pages neither repeat nor skip a practitioner. */
const orders: Record<Sort, (filters: Filters) => RawBuilder<unknown>> = {
  recommended({ name }) {
    const byRank = sql`rank desc, practitioner_id`
    // An exact match of a name ranks before one with a mistake.
    const hasMistakes = name?.some(({ close }) => close.length > 0) ?? false
    const exact = name && hasMistakes ? tagConditions({ name }, 'refused') : null
    return exact ? sql`(${sql.join(hasTags(exact), sql` and `)}) desc, ${byRank}` : byRank
  },
  price_asc: () => sql`min_fee_pence, practitioner_id`,
  price_desc: () => sql`max_fee_pence desc, practitioner_id`,
  rating: () => sql`rating_hundredths desc, practitioner_id`,
  nearest: (filters) =>
    filters.near
      ? sql`${milesTo(filters.near)} nulls last, rank desc, practitioner_id`
      : orders.recommended(filters),
  soonest({ session_type: type }) {
    if (type === 'online') return sql`next_free_online nulls last, practitioner_id`
    if (type) return sql`next_free_face_to_face nulls last, practitioner_id`
    return sql`least(next_free_online, next_free_face_to_face) nulls last, practitioner_id`
  },
}

/** A card without what the schedule decides. */
type StoredCard = Omit<PractitionerCard, 'available_hours' | 'next_available' | 'waitlist'> &
  Partial<Pick<PractitionerCard, 'waitlist'>>

export type FoundRow = {
  practitioner_id: number
  next_free_online: Date | null
  next_free_face_to_face: Date | null
  /** Null while unknown. */
  next_starts: NextStart[] | null
  fresh_until: Date
  /** Null while unknown. Of a page alone. */
  place_points?: PlacePoint[] | null
  card: StoredCard
}

/** A page of cards, in order. */
export async function readPage(
  db: Db,
  filters: Filters,
  sort: Sort,
  range: { limit: number; offset: number },
  now: Date,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select found.practitioner_id, next_free_online, next_free_face_to_face, next_starts, place_points,
      ${freshUntil('found.practitioner_id')}, c.card
    from (
      select page.practitioner_id, row_number() over () as place
      from (
        select practitioner_id from practitioner_search where ${condition(filters, now)}
        order by ${orders[sort](filters)} limit ${range.limit} offset ${range.offset}
      ) page
    ) found
    join practitioner_search s using (practitioner_id)
    join practitioner_cards c using (practitioner_id)
    order by place`.execute(db)
  return rows
}

/** A card with the number of the transaction that wrote its row. */
export type VersionedRow = FoundRow & { version: number }

/** The cards of listed practitioners, in any order. */
export async function readCards(db: Db, ids: number[], now: Date): Promise<VersionedRow[]> {
  const { rows } = await sql<VersionedRow>`
    select s.practitioner_id, s.updated_xid::text::int8 as version, next_free_online, next_free_face_to_face, next_starts,
      ${freshUntil('s.practitioner_id')}, card
    from practitioner_search s join practitioner_cards c using (practitioner_id)
    where practitioner_id = any(${ids}::int[]) and listed_until > ${now}`.execute(db)
  return rows
}

/** Issues, professions and lowest fee (pence) of a practitioner, listed or not. */
export type Offer = { issue_ids: number[]; provider_ids: number[]; fee_pence: number | null }

export async function readOffer(
  db: Db,
  practitionerId: number,
  appointmentType: AppointmentType,
): Promise<Offer> {
  const { rows } = await sql<Offer>`
    select array(select issue_id from practitioner_issues where practitioner_id = ${practitionerId}) as issue_ids,
      array(select provider_type_id from practitioner_provider_types where practitioner_id = ${practitionerId})
        as provider_ids,
      (select min(fee_pence) from practitioner_services
        where practitioner_id = ${practitionerId} and appointment_type = ${appointmentType}) as fee_pence`.execute(
    db,
  )
  return rows[0] ?? { issue_ids: [], provider_ids: [], fee_pence: null }
}

/** How many of some tags a row has. */
export const shared = (tags: string[]) => sql`(select count(*) from unnest(tsvector_to_array(tags)) as tag
    where tag = any(${tags}::text[]))`

/** Most matching practitioners that are compared; the best of a large directory are enough. */
const comparedAtMost = 300

/**
 * Matching practitioners, by most issues in common, then by the same profession, then by the nearest fee. Leaves out those
 * whose free time is out of date.
 */
export async function readComparable(
  db: Db,
  filters: Filters & { session_type: AppointmentType },
  offer: Offer & { practitionerId: number },
  limit: number,
  now: Date,
): Promise<FoundRow[]> {
  const issues = offer.issue_ids.map((id) => tagOf('issue_id', id))
  const providers = offer.provider_ids.map((id) => tagOf('provider_id', id))
  const lowestFee = sql.ref(`best.min_${filters.session_type}_fee_pence`)
  const { rows } = await sql<FoundRow>`
    select best.practitioner_id, best.next_free_online, best.next_free_face_to_face, best.next_starts,
      best.fresh_until, c.card
    from (select * from practitioner_search
      where ${condition(filters, now)} and practitioner_id <> ${offer.practitionerId}
        and not ${isMarked('practitioner_search.practitioner_id')}
      order by rank desc, practitioner_id limit ${comparedAtMost}) best
    join practitioner_cards c using (practitioner_id)
    order by ${shared(issues)} desc, least(${shared(providers)}, 1) desc,
      abs(${lowestFee} - ${offer.fee_pence ?? 0}::int), best.rank desc, best.practitioner_id
    limit ${limit}`.execute(db)
  return rows
}

/** The exact number of matches. */
export async function countMatches(db: Db, filters: Filters, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from practitioner_search where ${condition(filters, now)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The lowest and the highest fee of all listed practitioners; zero without any. */
export async function readBounds(
  db: Db,
  now: Date,
): Promise<{ min_fee_pence: number; max_fee_pence: number }> {
  const { rows } = await sql<{ min_fee_pence: number | null; max_fee_pence: number | null }>`
    select
      (select min_fee_pence from practitioner_search where listed_until > ${now}
       order by min_fee_pence, practitioner_id limit 1),
      (select max_fee_pence from practitioner_search where listed_until > ${now}
       order by max_fee_pence desc, practitioner_id limit 1)`.execute(db)
  return { min_fee_pence: rows[0]?.min_fee_pence ?? 0, max_fee_pence: rows[0]?.max_fee_pence ?? 0 }
}

export type StoredWord = { id: number; word: string }

/** Words of names that contain one of the fragments. */
export async function readWords(db: Db, fragments: string[]): Promise<StoredWord[]> {
  const { rows } = await sql<StoredWord>`
    select id, word from search_words
    where word like any(${fragments.map((fragment) => `%${fragment}%`)}::text[])`.execute(db)
  return rows
}

/** The words of all names. */
export async function readAllWords(db: Db): Promise<StoredWord[]> {
  return db.selectFrom('search_words').select(['id', 'word']).execute()
}

/** The next free times of some practitioners. */
export async function readNextFree(db: Db, ids: number[]): Promise<Omit<FoundRow, 'card'>[]> {
  const { rows } = await sql<Omit<FoundRow, 'card'>>`
    select practitioner_id, next_free_online, next_free_face_to_face, next_starts, fresh_until
    from practitioner_search where practitioner_id = any(${ids}::int[])`.execute(db)
  return rows
}

// Writing -----------------------------------------------------------------------------------------------------------

/** Locks the row of a practitioner, so that facts read afterwards are newer than those stored in it. */
export async function lockRow(tx: Tx, id: number): Promise<void> {
  await runPrepared(
    tx,
    tx.selectFrom('practitioner_search').select('merit').where('practitioner_id', '=', id).forUpdate(),
  )
}

export async function updateFree(db: Db, rows: FreeColumns[]): Promise<void> {
  if (rows.length === 0) return
  await runPrepared(
    db,
    sql`
    update practitioner_search s set
      rank = r.rank, next_free_online = r.next_free_online, next_free_face_to_face = r.next_free_face_to_face,
      free_days_online = r.free_days_online, free_days_face_to_face = r.free_days_face_to_face,
      next_starts = r.next_starts, fresh_until = r.fresh_until
    from jsonb_populate_recordset(null::practitioner_search, ${JSON.stringify(rows)}::jsonb) r
    where s.practitioner_id = r.practitioner_id`,
  )
}

/** Inserts or replaces rows and their cards. */
export async function writeRows(
  db: Db,
  entries: { row: SearchRow; tags: string[]; card: StoredCard }[],
): Promise<void> {
  const [first] = entries
  if (!first) return
  const { practitioner_id: _, ...others } = { ...first.row, tags: '' }
  const names = Object.keys(others)
  const columns = sql.raw(['practitioner_id', ...names].join(', '))
  const changes = sql.raw(names.map((name) => `${name} = excluded.${name}`).join(', '))
  // A tag is a letter and digits, so a list of them is a tsvector's text.
  const rows = JSON.stringify(entries.map(({ row, tags }) => ({ ...row, tags: tags.join(' ') })))
  await sql`
    insert into practitioner_search (${columns})
    select ${columns} from jsonb_populate_recordset(null::practitioner_search, ${rows}::jsonb)
    on conflict (practitioner_id) do update set ${changes}`.execute(db)
  const cards = JSON.stringify(
    entries.map(({ row, card }) => ({ practitioner_id: row.practitioner_id, card })),
  )
  await sql`
    insert into practitioner_cards (practitioner_id, card)
    select practitioner_id, card from jsonb_populate_recordset(null::practitioner_cards, ${cards}::jsonb)
    on conflict (practitioner_id) do update set card = excluded.card`.execute(db)
}

export async function deleteRows(db: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('practitioner_search').where('practitioner_id', 'in', ids).execute()
}

export async function deleteEverything(db: Db): Promise<void> {
  await db.deleteFrom('practitioner_search').execute()
  await db.deleteFrom('search_words').execute()
}

/** Deletes the rows of practitioners whose listing has ended. */
export async function deleteEnded(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('practitioner_search').where('listed_until', '<=', now).execute()
}

/** The ids of words. Inserts new ones. */
export async function wordIds(db: Db, words: string[]): Promise<Map<string, number>> {
  if (words.length === 0) return new Map()
  const list = sql`${[...words].sort()}::text[]`
  await sql`insert into search_words (word) select unnest(${list}) on conflict (word) do nothing`.execute(db)
  const { rows } = await sql<StoredWord>`
    select id, word from search_words where word = any(${list})`.execute(db)
  return new Map(rows.map((row) => [row.word, row.id]))
}

/** Listed practitioners, with the end of their listing and the last change of their profile: its creation, its state or the day of its newest review. */
export async function readListedAfter(db: Db, after: number, limit: number, now: Date) {
  const { rows } = await sql<{ id: number; changed_at: Date; listed_until: Date }>`
    select s.practitioner_id as id, s.listed_until, greatest(p.created_at, p.state_changed_at,
      (select date_trunc('day', max(r.created_at), 'UTC') from reviews r where r.practitioner_id = p.id)) as changed_at
    from practitioner_search s join practitioners p on p.id = s.practitioner_id
    where s.practitioner_id > ${after} and s.listed_until > ${now}
    order by s.practitioner_id limit ${limit}`.execute(db)
  return rows
}

export async function readListedStarts(db: Db, size: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select practitioner_id as id, row_number() over (order by practitioner_id) - 1 as place
      from practitioner_search where listed_until > ${now}) numbered
    where place % ${size} = 0 order by id`.execute(db)
  return rows.map((row) => row.id)
}

/** Practitioners whose places are unknown. */
export async function readUnplaced(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('practitioner_search')
    .select('practitioner_id')
    .where('places', 'is', null)
    .orderBy('practitioner_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.practitioner_id)
}
