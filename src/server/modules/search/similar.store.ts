import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { shared } from './search.store.ts'

/** What a listed practitioner is found by, and the lowest fee in pence. */
export type Described = { tags: string[]; fee_pence: number }

export async function readDescribed(db: Db, id: number, now: Date): Promise<Described | undefined> {
  const { rows } = await sql<Described>`
    select tsvector_to_array(tags) as tags, min_fee_pence as fee_pence
    from practitioner_search where practitioner_id = ${id} and listed_until > ${now}`.execute(db)
  return rows[0]
}

/** Most practitioners that are weighed; the best of a large directory are enough. */
const weighedAtMost = 300

/** A difference of so many pence weighs as much as one issue. */
const pencePerIssue = 1500

/**
 * Listed practitioners with an issue in common, those first that share the most issues, approaches and professions and
 * cost about the same.
 */
export async function readSimilar(
  db: Db,
  wanted: {
    practitionerId: number
    issues: string[]
    approaches: string[]
    professions: string[]
    feePence: number
  },
  limit: number,
  now: Date,
): Promise<number[]> {
  const { practitionerId, issues, approaches, professions, feePence } = wanted
  if (issues.length === 0) return []
  const { rows } = await sql<{ practitioner_id: number }>`
    select practitioner_id
    from (select practitioner_id, tags, min_fee_pence, rank from practitioner_search
      where listed_until > ${now} and practitioner_id <> ${practitionerId} and tags @@ ${issues.join('|')}::tsquery
      order by rank desc, practitioner_id limit ${weighedAtMost}) found
    order by ${shared(issues)} + ${shared(approaches)} + 2 * least(${shared(professions)}, 1)
        - abs(min_fee_pence - ${feePence}::int) / ${pencePerIssue}::numeric desc,
      rank desc, practitioner_id
    limit ${limit}`.execute(db)
  return rows.map((row) => row.practitioner_id)
}
