import { sql } from 'kysely'
import { filterTable } from '#contract/search-filters.ts'
import type { Db } from '../../db/connection.ts'

export type GuidedRow = {
  id: number
  name: string
  description: string
  questions: {
    id: number
    name: string
    hint: string | null
    type: number
    answers: {
      id: number
      title: string
      because: string | null
      trigger_next: boolean
      shows_danger: boolean
      danger: 'now' | 'watch' | null
      issue_id: number | null
      scores: Record<string, number>
      excludes: number[]
    }[]
  }[]
}

/** All categories with their questions and answers in order, or one of them. */
export async function readCategories(db: Db, id?: number): Promise<GuidedRow[]> {
  const { rows } = await sql<GuidedRow>`
    select c.id, c.name, c.description,
      (select json_agg(json_build_object('id', q.id, 'name', q.name, 'hint', q.hint, 'type', q.type, 'answers',
          (select json_agg(json_build_object('id', a.id, 'title', a.title, 'because', a.because,
             'trigger_next', a.trigger_next, 'shows_danger', a.shows_danger,
             'danger', coalesce(a.danger, case when a.shows_danger then 'watch' end), 'issue_id', a.issue_id,
             'scores', a.scores, 'excludes', a.excludes) order by a.position)
           from guided_answers a where a.question_id = q.id)) order by q.position)
       from guided_questions q where q.category_id = c.id) as questions
    from guided_categories c
    where ${id ?? null}::int is null or c.id = ${id ?? null}::int
    order by c.id`.execute(db)
  return rows
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
