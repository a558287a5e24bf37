import type { Db, Tx } from '../../db/connection.ts'

/** Keeps others from changing a client's appointments until the transaction ends. */
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
    .selectAll('appointments')
    .select([
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

/** Forgets appointments, with the mails that were due about them. */
export async function deleteAppointments(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('appointments').where('id', 'in', ids).execute()
}

/** Takes out of appointments what a client said or what tells of them. */
export async function eraseWords(tx: Tx, clientId: string): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ cancel_reason: null, issue_id: null, client_timezone: null })
    .where('client_id', '=', clientId)
    .execute()
}
