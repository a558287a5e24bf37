import { type NotNull, sql } from 'kysely'
import type { Db } from '../../../db/connection.ts'
import { countRows } from '../../../db/count-rows.ts'
import { isOver, noShowColumns, overAt, owedPence, type NoShowColumns, type Page } from '../bookings.store.ts'

export type PractitionerRow = NonNullable<Awaited<ReturnType<typeof findForPractitioner>>>

/** Sessions that were confirmed once, each with its client's name and the account of its practitioner. */
const sessions = (db: Db) =>
  db
    .selectFrom('appointments')
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
    .innerJoin('accounts as client', 'client.id', 'appointments.client_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .leftJoin('no_shows', 'no_shows.appointment_id', 'appointments.id')
    .selectAll('appointments')
    .select(noShowColumns)
    .select([
      'practitioners.account_id as practitioner_account_id',
      'client.first_name',
      'client.last_name',
      'services.name as service_name',
    ])
    .select(owedPence.as('owed_pence'))
    .where('appointments.first_booked_at', 'is not', null)
    .where('appointments.starts_at', 'is not', null)
    .where('appointments.ends_at', 'is not', null)
    .where('appointments.appointment_type', 'is not', null)
    .$narrowType<{ starts_at: NotNull; ends_at: NotNull; appointment_type: NotNull } & NoShowColumns>()

export function findForPractitioner(db: Db, id: string) {
  return sessions(db).where('appointments.id', '=', id).executeTakeFirst()
}

const isUpcoming = (now: Date) =>
  sql<boolean>`appointments.state in ('reserved', 'confirmed') and appointments.ends_at > ${now}`

/** A page of a practitioner's sessions: those that have not ended, soonest first, or those that are over, the last to end or to be cancelled first. */
export function listForPractitioner(
  db: Db,
  practitionerId: number,
  when: 'upcoming' | 'past',
  now: Date,
  { page, perPage }: Page,
) {
  const direction = when === 'upcoming' ? 'asc' : 'desc'
  return sessions(db)
    .where('appointments.practitioner_id', '=', practitionerId)
    .where(when === 'upcoming' ? isUpcoming(now) : isOver(now))
    .orderBy(when === 'upcoming' ? sql<Date>`appointments.starts_at` : overAt, direction)
    .orderBy('appointments.id', direction)
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

export async function countForPractitioner(
  db: Db,
  practitionerId: number,
  when: 'upcoming' | 'past',
  now: Date,
): Promise<number> {
  return countRows(
    db
      .selectFrom('appointments')
      .where('practitioner_id', '=', practitionerId)
      .where(when === 'upcoming' ? isUpcoming(now) : isOver(now)),
  )
}

/** Number of sessions that have ended and have no recorded outcome. */
export async function countWithoutOutcome(db: Db, practitionerId: number, now: Date): Promise<number> {
  return countRows(
    db
      .selectFrom('appointments')
      .where('practitioner_id', '=', practitionerId)
      .where('state', '=', 'confirmed')
      .where('ends_at', '<=', now),
  )
}

/**
 * The amount owed by month, in pence, for sessions that have begun and were not cancelled, less refunds. Months are
 * given by their first instants, and named by their places among these.
 */
export async function sumByMonth(
  db: Db,
  practitionerId: number,
  { months, now }: { months: readonly Date[]; now: Date },
): Promise<Map<number, { pence: number; sessions: number }>> {
  const { rows } = await sql<{ month: number; pence: number; sessions: number }>`
    select width_bucket(starts_at, ${months}::timestamptz[]) - 1 as month,
      sum(${owedPence})::float8 as pence, count(*)::int as sessions
    from appointments
    where practitioner_id = ${practitionerId} and state in ('confirmed', 'completed', 'no_show')
      and starts_at >= ${months[0]} and starts_at <= ${now}
    group by 1`.execute(db)
  return new Map(rows.map(({ month, pence, sessions }) => [month, { pence, sessions }]))
}
