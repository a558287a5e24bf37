import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connection.ts'
import type { VettedFact } from './dashboard.rules.ts'

/** A profile as its own dashboard needs it. `lacks_captions`: they or a transcript were asked for, and neither is there. */
export function readOwnProfile(db: Db, id: number) {
  return db
    .selectFrom('practitioners')
    .innerJoin('accounts', 'accounts.id', 'practitioners.account_id')
    .select([
      'practitioners.id',
      'accounts.first_name',
      'practitioners.state',
      'practitioners.state_reason',
      'practitioners.timezone',
      'practitioners.subscribed_until',
      'practitioners.vetted_until',
      'practitioners.available_now_until',
      sql<boolean>`captions_asked_at is not null and video_captions_file_id is null and video_transcript is null
        and (video_file_id is not null or video_url is not null)`.as('lacks_captions'),
    ])
    .where('practitioners.id', '=', id)
    .executeTakeFirst()
}

/** Documents and licences of a practitioner, the newest first. Certificates of an insurance that they no longer have are left out. */
export async function readVettedFacts(db: Db, id: number): Promise<VettedFact[]> {
  const { rows } = await sql<VettedFact>`
    select kind, name, state, reason, expires_on from (
      select kind, null as name, state, reason, expires_on::text, created_at
      from practitioner_documents where practitioner_id = ${id} and (kind <> 'insurance_certificate'
        or (select has_indemnity is not false from practitioners where id = ${id}))
      union all
      select 'licence', b.name || ' ' || l.license_number, l.state, l.reason, l.expires_on::text, l.created_at
      from practitioner_licenses l join license_bodies b on b.id = l.license_body_id
      where l.practitioner_id = ${id}) facts
    order by created_at desc`.execute(db)
  return rows
}

/** Counts a view of a profile on a day. */
export async function addView(tx: Tx, practitionerId: number, day: string): Promise<void> {
  await tx
    .insertInto('practitioner_profile_views')
    .values({ practitioner_id: practitionerId, day, views: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['practitioner_id', 'day'])
        .doUpdateSet((eb) => ({ views: eb('practitioner_profile_views.views', '+', 1) })),
    )
    .execute()
}

/** Deletes counts of days before one, at most `limit`. Returns how many. */
export async function deleteViews(db: Db, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from practitioner_profile_views where (practitioner_id, day) in (
      select practitioner_id, day from practitioner_profile_views where day < ${before} order by day limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Views from a day on, of the given months' first day and of the last 30 days. */
export async function readViews(
  db: Db,
  practitionerId: number,
  { from, lastFrom }: { from: string; lastFrom: string },
): Promise<{ last_30_days: number; months: Map<string, number> }> {
  const rows = await db
    .selectFrom('practitioner_profile_views')
    .select(['day', 'views'])
    .where('practitioner_id', '=', practitionerId)
    .where('day', '>=', from)
    .execute()
  const months = new Map<string, number>()
  let last = 0
  for (const { day, views } of rows) {
    months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + views)
    if (day >= lastFrom) last += views
  }
  return { last_30_days: last, months }
}
