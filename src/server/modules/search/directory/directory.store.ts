import { type RawBuilder, sql } from 'kysely'
import { type FilterColumns, filtersOfKind, filterTable } from '#contract/search-filters.ts'
import type { Db } from '../../../db/connection.ts'
import type { PlacePoint } from '../near.rules.ts'
import { freshTime } from '../free-time.store.ts'
import type { StoredWord } from '../search.store.ts'

/** A search row as the index reads it. Times are epoch milliseconds; lists are joined by spaces. */
export type StoredRow = FilterColumns & {
  id: number
  version: number
  rank: number
  rating_hundredths: number
  min_fee_pence: number
  max_fee_pence: number
  min_online_fee_pence: number | null
  max_online_fee_pence: number | null
  min_face_to_face_fee_pence: number | null
  max_face_to_face_fee_pence: number | null
  offers_online: boolean
  offers_face_to_face: boolean
  listed_until: number
  fresh_until: number
  knows_next_starts: boolean
  next_free_online: number | null
  next_free_face_to_face: number | null
  free_days_online: string
  free_days_face_to_face: string
  tags: string
  place_points: PlacePoint[] | null
}

const valueColumns = filtersOfKind('named', 'choice').map((name) => sql.ref(filterTable[name].column))

const milliseconds = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::float8`

const columns: RawBuilder<unknown> = sql`
  s.practitioner_id as id, s.updated_xid::text::int8 as version, rank, rating_hundredths, min_fee_pence, max_fee_pence,
  min_online_fee_pence, max_online_fee_pence, min_face_to_face_fee_pence, max_face_to_face_fee_pence,
  ${sql.join(valueColumns)},
  offers_online, offers_face_to_face, ${milliseconds(sql`listed_until`)} as listed_until,
  next_starts is not null as knows_next_starts, ${milliseconds(sql`next_free_online`)} as next_free_online,
  ${milliseconds(sql`next_free_face_to_face`)} as next_free_face_to_face,
  array_to_string(free_days_online, ' ') as free_days_online,
  array_to_string(free_days_face_to_face, ' ') as free_days_face_to_face,
  array_to_string(tsvector_to_array(tags), ' ') as tags, place_points, ${milliseconds(freshTime('s.practitioner_id'))} as fresh_until`

export async function readRows(db: Db, ids: readonly number[]): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from practitioner_search s where practitioner_id = any(${ids}::int[])`.execute(db)
  return rows
}

/** Rows with an id above `after`, in the order of ids. */
export async function readRowsAfter(db: Db, after: number, limit: number): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from practitioner_search s
    where practitioner_id > ${after} order by practitioner_id limit ${limit}`.execute(db)
  return rows
}

export async function countRows(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('practitioner_search')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function readWordsAfter(db: Db, after: number, limit: number): Promise<StoredWord[]> {
  return db
    .selectFrom('search_words')
    .select(['id', 'word'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function readWordsOf(db: Db, ids: readonly number[]): Promise<StoredWord[]> {
  const { rows } = await sql<StoredWord>`
    select id, word from search_words where id = any(${ids}::int[])`.execute(db)
  return rows
}

/** The oldest transaction that is still open: what has been written by an older one is seen by every later statement. */
export async function readHorizon(db: Db): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(db)
  return rows[0]?.horizon ?? '0'
}

export type Changes = {
  horizon: string
  /** Another one where a replica has become the primary. Numbers of transactions may then begin again a little lower. */
  timeline: string
  /** Practitioners and the transactions that wrote their rows. */
  written: [id: number, version: number][]
  removed: number[]
  /** Practitioners whose free time has changed since their row was written. */
  marked: number[]
}

/** What has been written by transactions at or above a horizon, and the next horizon. */
export async function readChanges(db: Db, horizon: string): Promise<Changes> {
  const since = sql`updated_xid >= ${horizon}::text::xid8`
  const { rows } = await sql<Changes>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      coalesce((select jsonb_agg(jsonb_build_array(practitioner_id, updated_xid::text::int8))
        from practitioner_search where ${since}), '[]') as written,
      coalesce((select jsonb_agg(practitioner_id) from practitioner_search_removed where ${since}), '[]') as removed,
      coalesce((select jsonb_agg(distinct practitioner_id) from practitioner_search_marks where ${since}), '[]')
        as marked`.execute(db)
  return rows[0] ?? { horizon, timeline: '', written: [], removed: [], marked: [] }
}

/** Forgets removals of rows that every instance has read by now. */
export async function deleteOldRemovals(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('practitioner_search_removed').where('removed_at', '<', before).execute()
}
