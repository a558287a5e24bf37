import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'

/** Locks a client's appointments until the transaction ends. */
export async function lockAppointmentsOf(tx: Tx, clientId: string): Promise<void> {
  await tx
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Every appointment of a client with the practitioner's name, newest first. */
export function listAppointmentsOf(db: Db, clientId: string) {
  return db
    .selectFrom('appointments')
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
    .innerJoin('accounts as owner', 'owner.id', 'practitioners.account_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .leftJoin('issues', 'issues.id', 'appointments.issue_id')
    .leftJoin('locations', 'locations.id', 'appointments.location_id')
    .leftJoin('no_shows', 'no_shows.appointment_id', 'appointments.id')
    .selectAll('appointments')
    .select([
      'no_shows.state as no_show_state',
      'no_shows.declared_at',
      'no_shows.disputed_at',
      'no_shows.client_words',
      'owner.first_name',
      'owner.last_name',
      'services.name as service_name',
      'issues.name as issue_name',
      'locations.name as location_name',
    ])
    .where('appointments.client_id', '=', clientId)
    .orderBy('appointments.created_at', 'desc')
    .orderBy('appointments.id')
    .execute()
}

/** Deletes appointments. The mails about them stay: most are obsolete without them. */
export async function deleteAppointments(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('appointments').where('id', 'in', ids).execute()
}

/** Clears a client's cancellation reason, issue and time zone from their appointments. */
export async function eraseWords(tx: Tx, clientId: string): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ cancel_reason: null, issue_id: null, client_timezone: null, series_id: null })
    .where('client_id', '=', clientId)
    .execute()
}

/**
 * Whether appointment `a` was over before an instant and had no payment or refund activity since. A refund that waits, or that
 * failed and is not dealt with, keeps it.
 */
const overBefore = (before: Date) => sql<boolean>`
  a.created_at < ${before} and (a.ends_at is null or a.ends_at < ${before})
  and not exists (select from payment_intents i where i.appointment_id = a.id and i.updated_at >= ${before})
  and not exists (select from payment_intents i join refunds r on r.payment_intent_id = i.id
    where i.appointment_id = a.id and (r.state = 'requested' or coalesce(r.succeeded_at, r.created_at) >= ${before}))
  and not exists (select from payment_intents i join gateway_incidents g on g.payment_key = i.id
    where i.appointment_id = a.id and g.resolved_at is null)`

/** A batch of deleted accounts that still have such appointments. */
export async function listKeptBefore(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct a.client_id as id from appointments a join accounts owner on owner.id = a.client_id
    where owner.deleted_at is not null and ${overBefore(before)} limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Such appointments of a client. */
export async function listOver(db: Db, clientId: string, before: Date) {
  const { rows } = await sql<{ id: string; reservation_id: string | null }>`
    select a.id, a.reservation_id from appointments a
    where a.client_id = ${clientId} and ${overBefore(before)}`.execute(db)
  return rows
}
