import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

export type SessionFacts = NonNullable<Awaited<ReturnType<typeof findFacts>>>

/** What the session's page shows beside the booking. Undefined for a session that was never booked. */
export function findFacts(db: Db, id: string) {
  return db
    .selectFrom('appointments')
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
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
      'appointments.sequence',
      'appointments.issue_id',
      'appointments.appointment_type',
      'appointments.moved_from',
      'appointments.cancel_code',
      'issues.name as issue_name',
      'chat_dialogs.id as dialog_id',
      'locations.latitude',
      'locations.longitude',
      'practitioners.state as practitioner_state',
    ])
    .where('appointments.id', '=', id)
    .where('appointments.first_booked_at', 'is not', null)
    .executeTakeFirst()
}

/** The two people of a dialog; undefined if the account is neither of them. */
export function findPair(
  db: Db,
  { dialogId, accountId }: { dialogId: string; accountId: string },
): Promise<Pair | undefined> {
  return db
    .selectFrom('chat_dialogs')
    .innerJoin('practitioners', 'practitioners.id', 'chat_dialogs.practitioner_id')
    .select(['chat_dialogs.client_id as clientId', 'chat_dialogs.practitioner_id as practitionerId'])
    .where('chat_dialogs.id', '=', dialogId)
    .where((eb) =>
      eb.or([eb('chat_dialogs.client_id', '=', accountId), eb('practitioners.account_id', '=', accountId)]),
    )
    .executeTakeFirst()
}

type Pair = { clientId: string; practitionerId: number }

/** The id of the session that two people have on a day: the one that runs or comes next, else the last. */
export async function findOfPair(
  db: Db,
  { clientId, practitionerId, day, now }: Pair & { day: { from: Date; to: Date }; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a
    where a.client_id = ${clientId} and a.practitioner_id = ${practitionerId}
      and a.state in ('reserved', 'confirmed', 'completed', 'no_show') and a.first_booked_at is not null
      and a.ends_at is not null
      and ((a.starts_at >= ${day.from} and a.starts_at < ${day.to})
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
