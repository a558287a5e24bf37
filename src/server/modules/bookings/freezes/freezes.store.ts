import { type NotNull, sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { oneOf } from '../../../db/one-of.ts'
import { assertFreezeStep, type FreezeCause, type FreezeStep } from '../bookings.rules.ts'

export type LockedSession = {
  id: string
  startsAt: Date
  /** Null unless the session is frozen. */
  frozenUntil: Date | null
  frozenCause: FreezeCause | null
}

/** Locks the booked sessions of a practitioner that have not ended, frozen or not, until the transaction ends. */
export async function lockAhead(tx: Tx, practitionerId: number, now: Date): Promise<LockedSession[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select(['id', 'starts_at', 'frozen_until', 'frozen_cause'])
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'in', ['reserved', 'confirmed'])
    .where('ends_at', '>', now)
    .$narrowType<{ starts_at: NotNull }>()
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({
    id: row.id,
    startsAt: row.starts_at,
    frozenUntil: row.frozen_until,
    frozenCause: row.frozen_cause,
  }))
}

/** Freezes a session. The caller holds its lock. */
export async function freeze(
  tx: Tx,
  id: string,
  { cause, now, until }: { cause: FreezeCause; now: Date; until: Date },
): Promise<void> {
  await step(tx, id, 'as booked', 'frozen', { frozen_at: now, frozen_until: until, frozen_cause: cause })
}

/** Changes the cause and the end of a freeze. Calendars do not show it. The caller holds its lock. */
export async function refreeze(
  tx: Tx,
  id: string,
  { cause, now, until }: { cause: FreezeCause; now: Date; until: Date },
): Promise<void> {
  assertFreezeStep('frozen', 'frozen')
  await tx
    .updateTable('appointments')
    .set({ frozen_at: now, frozen_until: until, frozen_cause: cause })
    .where('id', '=', id)
    .where('state', 'in', ['reserved', 'confirmed'])
    .where('frozen_at', 'is not', null)
    .execute()
}

/**
 * Restores a frozen session. The caller holds its lock. One whose money is due could not be paid meanwhile: the next sweep
 * makes the second attempt that the client was told of, or asks them to pay until the start.
 */
export async function restore(tx: Tx, id: string, now: Date): Promise<void> {
  await step(tx, id, 'frozen', 'as booked', { frozen_at: null, frozen_until: null, frozen_cause: null })
  await tx
    .updateTable('appointments')
    .set(({ ref, fn }) => ({
      pay_by: ref('starts_at'),
      charge_at: fn.coalesce(ref('charge_at'), ref('pay_at')),
    }))
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .where('pay_at', '<=', now)
    .execute()
}

/** Increments the sequence, because calendars show freezing and restoring. */
async function step(
  tx: Tx,
  id: string,
  from: FreezeStep,
  to: FreezeStep,
  columns: { frozen_at: Date | null; frozen_until: Date | null; frozen_cause: FreezeCause | null },
): Promise<void> {
  assertFreezeStep(from, to)
  const { numUpdatedRows } = await tx
    .updateTable('appointments')
    .set((eb) => ({ ...columns, sequence: eb('sequence', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['reserved', 'confirmed'])
    .where('frozen_at', from === 'frozen' ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('A session was frozen or restored without its lock.')
}

/** Locks the frozen sessions of a practitioner that may still be restored. */
export async function lockRestorable(
  tx: Tx,
  practitionerId: number,
  cause: FreezeCause,
  now: Date,
): Promise<{ id: string; startsAt: Date; frozenUntil: Date }[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select(['id', 'starts_at', 'frozen_until'])
    .$narrowType<{ starts_at: NotNull; frozen_until: NotNull }>()
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'in', ['reserved', 'confirmed'])
    .where('frozen_cause', '=', cause)
    .where('frozen_until', '>', now)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, startsAt: row.starts_at, frozenUntil: row.frozen_until }))
}

/** Frozen sessions that are due to be cancelled, of one practitioner or of all. The first of a series comes first. */
export async function listDue(
  db: Db,
  now: Date,
  limit: number,
  practitionerId: number | null = null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from appointments
    where state in ('reserved', 'confirmed') and frozen_at is not null and frozen_until <= ${now}
      and (${practitionerId}::int is null or practitioner_id = ${practitionerId})
    order by frozen_until, starts_at, id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Unpaid scheduled bookings of a practitioner. */
export async function listPending(db: Db, practitionerId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('appointments')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', 'pending')
    .where('booking_type', '=', 'schedule')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Suspended or closed practitioners with sessions that are not frozen. */
export async function listUnprotected(db: Db, now: Date, limit: number): Promise<number[]> {
  // A session lasts some hours at most: its start leads past those of the years before.
  const { rows } = await sql<{ id: number }>`
    select p.id from practitioners p where p.state in ('suspended', 'closed') and exists (select from appointments a
      where a.practitioner_id = p.id and a.state in ('reserved', 'confirmed') and a.frozen_at is null
        and a.ends_at > ${now} and a.starts_at > ${now}::timestamptz - interval '1 day')
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

export type LapseRow = {
  practitioner_id: number
  lapses_at: Date
  sessions: number
  frozen: number
  next_cancelled_at: Date | null
}

/**
 * Practitioners whose vetted facts lapse by an instant, with the sessions ahead that begin after it; earliest lapse
 * first.
 */
export async function listLapses(db: Db, now: Date, by: Date, limit: number): Promise<LapseRow[]> {
  const { rows } = await sql<LapseRow>`
    select p.id as practitioner_id, p.vetted_until as lapses_at, count(*)::int as sessions,
      count(a.frozen_at)::int as frozen, min(a.frozen_until) as next_cancelled_at
    from practitioners p join appointments a on a.practitioner_id = p.id and a.state in ('reserved', 'confirmed')
      and a.starts_at >= p.vetted_until and a.ends_at > ${now}
    where p.state = 'approved' and p.vetted_until <= ${by}
    group by p.id order by p.vetted_until, p.id limit ${limit}`.execute(db)
  return rows
}

export type FreezeCounts = {
  cancelled: number
  frozen: number
  next_cancelled_at: Date | null
  refunds: number
  refunded_pence: number
}

/** Counts the outcomes of the sessions that a suspension froze. Amounts in pence. */
export async function countSince(db: Db, practitionerId: number, since: Date): Promise<FreezeCounts> {
  const { rows } = await sql<FreezeCounts>`
    select count(*) filter (where a.state = 'cancelled')::int as cancelled,
      count(*) filter (where a.state in ('reserved', 'confirmed'))::int as frozen,
      min(a.frozen_until) filter (where a.state in ('reserved', 'confirmed')) as next_cancelled_at,
      coalesce(sum(r.refunds), 0)::int as refunds, coalesce(sum(r.pence), 0)::int as refunded_pence
    from appointments a, lateral (select count(*) as refunds, sum(f.amount_pence) as pence
      from refunds f join payment_intents i on i.id = f.payment_intent_id
      where i.appointment_id = a.id and a.state = 'cancelled' and f.amount_pence > 0
        and ${oneOf('f.state', givenBack)}) r
    where a.practitioner_id = ${practitionerId} and a.frozen_cause = 'suspended' and a.frozen_at >= ${since}`.execute(
    db,
  )
  const [counts] = rows
  if (!counts) throw new Error('Counting answers one row.')
  return counts
}

export type AheadRow = {
  id: string
  starts_at: Date
  ends_at: Date
  frozen_until: Date | null
  client_first_name: string
  client_last_name: string
  price_pence: number
  is_paid: boolean
}

/** Booked sessions of a practitioner that have not ended, frozen or not, soonest first. */
export async function listAhead(
  db: Db,
  practitionerId: number,
  now: Date,
  limit: number,
): Promise<AheadRow[]> {
  const { rows } = await sql<AheadRow>`
    select a.id, a.starts_at, a.ends_at, a.frozen_until, c.first_name as client_first_name,
      c.last_name as client_last_name, a.fee_pence - a.discount_pence as price_pence, a.state = 'confirmed' as is_paid
    from appointments a join accounts c on c.id = a.client_id
    where a.practitioner_id = ${practitionerId} and a.state in ('reserved', 'confirmed') and a.ends_at > ${now}
    order by a.starts_at, a.id limit ${limit}`.execute(db)
  return rows
}

/** The number of these sessions, how many begin by an instant, and the sum paid for all. Pence. */
export async function sumAhead(db: Db, practitionerId: number, now: Date, soon: Date) {
  const { rows } = await sql<{ total: number; at_once: number; paid_pence: number }>`
    select count(*)::int as total, count(*) filter (where starts_at <= ${soon})::int as at_once,
      coalesce(sum(fee_pence - discount_pence) filter (where state = 'confirmed'), 0)::int as paid_pence
    from appointments where practitioner_id = ${practitionerId} and state in ('reserved', 'confirmed') and ends_at > ${now}`.execute(
    db,
  )
  const [sums] = rows
  if (!sums) throw new Error('Counting answers one row.')
  return sums
}

/** Sessions that were cancelled because their practitioner did not come, the earliest first. */
export async function listAbsences(
  db: Db,
  practitionerIds: readonly number[],
  from: Date,
  until: Date,
): Promise<{ id: string; practitioner_id: number; starts_at: Date }[]> {
  if (practitionerIds.length === 0) return []
  return db
    .selectFrom('appointments')
    .select(['id', 'practitioner_id', 'starts_at'])
    .where('practitioner_id', 'in', practitionerIds)
    .where('cancel_code', '=', 'practitioner_absent')
    .where('starts_at', '>=', from)
    .where('starts_at', '<=', until)
    .$narrowType<{ starts_at: NotNull }>()
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
}
