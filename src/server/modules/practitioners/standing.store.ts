import type { PractitionerState } from '#contract/back-office/back-office.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { anyOf, prepare, runPrepared } from '../../db/prepared.ts'

/** The facts that decide whether practitioners can be booked. */
export const selectStanding = (db: Db) =>
  db
    .selectFrom('practitioners as p')
    .select([
      'p.id',
      'p.account_id',
      'p.state',
      'p.subscribed_until',
      'p.vetted_until',
      'p.timezone',
      'p.notice_minutes',
      'p.pause_minutes',
    ])

/** State, what the listing depends on, zone and booking rules of some practitioners. */
export async function readStates(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  return runPrepared(db, selectStanding(db).where('p.id', '=', anyOf(ids)))
}

/** The same of one, kept from being changed until the transaction ends, without keeping other bookings waiting. */
export const lockStanding = prepare((at: { id: number }) => ({
  compile: (db: Db) => selectStanding(db).where('p.id', '=', at.id).forShare().compile(),
}))

/** The state, with the row locked until the transaction ends; readers and foreign keys are not kept waiting. */
export async function lockState(tx: Tx, id: number): Promise<PractitionerState | undefined> {
  const row = await tx
    .selectFrom('practitioners')
    .select('state')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.state
}

export async function setState(
  tx: Tx,
  id: number,
  change: { state: PractitionerState; state_reason: string | null; state_changed_at: Date },
): Promise<void> {
  await tx.updateTable('practitioners').set(change).where('id', '=', id).execute()
}

export async function insertSuspension(tx: Tx, suspension: NewRow<'suspensions'>): Promise<void> {
  await tx.insertInto('suspensions').values(suspension).execute()
}

export async function endSuspension(tx: Tx, practitionerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('suspensions')
    .set({ ended_at: now })
    .where('practitioner_id', '=', practitionerId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Why and since when a profile is closed; undefined unless it is. */
export async function findClosing(
  db: Db,
  practitionerId: number,
): Promise<{ reason: string; at: Date } | undefined> {
  const row = await db
    .selectFrom('practitioners')
    .select(['state_reason', 'state_changed_at'])
    .where('id', '=', practitionerId)
    .where('state', '=', 'closed')
    .executeTakeFirst()
  return row?.state_changed_at ? { reason: row.state_reason ?? '', at: row.state_changed_at } : undefined
}

/** The suspension of a practitioner that has not ended. */
export function findSuspension(db: Db, practitionerId: number) {
  return db
    .selectFrom('suspensions')
    .select(['cause', 'sessions', 'reason', 'at'])
    .where('practitioner_id', '=', practitionerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function setSubscribedUntil(tx: Tx, id: number, until: Date | null): Promise<void> {
  await tx.updateTable('practitioners').set({ subscribed_until: until }).where('id', '=', id).execute()
}
