import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { filterTable } from '#contract/search-filters.ts'
import type { Db } from '../../db/connection.ts'

/** All categories with their questions and answers in order, or one of them. */
export function readCategories(db: Db, id?: number) {
  return db
    .selectFrom('guided_categories as c')
    .select(['c.id', 'c.name', 'c.description'])
    .select((category) =>
      jsonArrayFrom(
        category
          .selectFrom('guided_questions as q')
          .select(['q.id', 'q.name', 'q.hint', 'q.type'])
          .select((question) =>
            jsonArrayFrom(
              question
                .selectFrom('guided_answers as a')
                .select([
                  'a.id',
                  'a.title',
                  'a.because',
                  'a.trigger_next',
                  'a.shows_danger',
                  'a.danger',
                  'a.issue_id',
                  sql<Record<string, number>>`a.scores`.as('scores'),
                  'a.excludes',
                ])
                .whereRef('a.question_id', '=', 'q.id')
                .orderBy('a.position'),
            ).as('answers'),
          )
          .whereRef('q.category_id', '=', 'c.id')
          .orderBy('q.position'),
      ).as('questions'),
    )
    .$if(id !== undefined, (query) => query.where('c.id', '=', id ?? 0))
    .orderBy('c.id')
    .execute()
}

/** Those of some therapy types that a listed practitioner offers online, as the list is opened. */
export async function readOffered(db: Db, ids: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${ids}::int[]) id
    where exists (select from practitioner_search s
      where s.tags @@ (${filterTable.therapy_type_id.tag}::text || id)::tsquery and s.offers_online and s.listed_until > ${now})`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

export async function readTherapyType(db: Db, id: number) {
  return db
    .selectFrom('therapy_types')
    .select(['id', 'name', 'description', 'image', 'fits'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
