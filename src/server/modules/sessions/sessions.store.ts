import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

export type SessionFacts = NonNullable<Awaited<ReturnType<typeof findFacts>>>

/** What the session's page shows beside the booking. Undefined for a session that was never confirmed. */
export function findFacts(db: Db, id: string) {
  return db
    .selectFrom('appointments')
    .leftJoin('issues', 'issues.id', 'appointments.issue_id')
    .leftJoin('chat_dialogs', (join) =>
      join
        .onRef('chat_dialogs.client_id', '=', 'appointments.client_id')
        .onRef('chat_dialogs.practitioner_id', '=', 'appointments.practitioner_id'),
    )
    .leftJoin('locations', (join) =>
      join
        .onRef('locations.id', '=', 'appointments.location_id')
        // That of a town says nothing of the door.
        .on('locations.point_source', '=', 'postcode'),
    )
    .select([
      'appointments.issue_id',
      'appointments.appointment_type',
      'appointments.moved_from',
      'issues.name as issue_name',
      'chat_dialogs.id as dialog_id',
      'locations.latitude',
      'locations.longitude',
    ])
    .where('appointments.id', '=', id)
    .where('appointments.first_booked_at', 'is not', null)
    .executeTakeFirst()
}

/**
 * The id of the session that the members of a dialog have today: the one that runs or comes next, else the last. The
 * account must be one of the members.
 */
export async function findOfDialog(
  db: Db,
  {
    dialogId,
    accountId,
    timezone,
    now,
  }: { dialogId: string; accountId: string; timezone: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select a.id from chat_dialogs d
    join practitioners p on p.id = d.practitioner_id
    join appointments a on a.client_id = d.client_id and a.practitioner_id = d.practitioner_id
    where d.id = ${dialogId} and ${accountId}::uuid in (d.client_id, p.account_id)
      and a.state in ('reserved', 'confirmed', 'completed', 'no_show') and a.first_booked_at is not null
      and a.ends_at is not null
      and ((a.starts_at at time zone ${timezone})::date = (${now}::timestamptz at time zone ${timezone})::date
        or (a.starts_at <= ${now} and a.ends_at > ${now}))
    order by a.ends_at > ${now} desc, case when a.ends_at > ${now} then a.starts_at end, a.ends_at desc
    limit 1`.execute(db)
  return rows[0]?.id
}

/** The accounts of a session's client and practitioner. */
export async function findPeople(db: Db, id: string): Promise<string[]> {
  const row = await db
    .selectFrom('appointments')
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
    .select(['appointments.client_id', 'practitioners.account_id'])
    .where('appointments.id', '=', id)
    .executeTakeFirst()
  return row ? [row.client_id, row.account_id] : []
}
