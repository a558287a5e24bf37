import { sql } from 'kysely'
import type { AppointmentType } from '#contract/common.ts'
import { givenBack } from '#contract/money.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { countRows } from '../../../db/count-rows.ts'
import { oneOf } from '../../../db/one-of.ts'
import { assertNoShowStep, type NoShowState, noShowTimes } from './no-shows.rules.ts'

/**
 * Locks the no-show of a session until the transaction ends. Inserts the missing row of a no-show that an early
 * release declared. Returns undefined if the session has no no-show.
 */
export async function lockNoShow(tx: Tx, appointmentId: string) {
  await sql`
    insert into no_shows (appointment_id, state, declared_at, dispute_until)
    select id, 'declared', ends_at, ends_at + make_interval(secs => ${noShowTimes.dispute / 1000})
    from appointments where id = ${appointmentId} and state = 'no_show'
    on conflict do nothing`.execute(tx)
  return tx
    .selectFrom('no_shows')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .$narrowType<{ state: NoShowState }>()
    .executeTakeFirst()
}

/** Declares a no-show, for the first time or again. */
export async function declareNoShow(
  tx: Tx,
  noShow: { appointment_id: string; declared_at: Date; dispute_until: Date },
): Promise<void> {
  await tx
    .insertInto('no_shows')
    .values({ ...noShow, state: 'declared' })
    .onConflict((conflict) =>
      conflict
        .column('appointment_id')
        .doUpdateSet({
          state: 'declared',
          declared_at: noShow.declared_at,
          dispute_until: noShow.dispute_until,
        })
        .where('no_shows.state', '=', 'declared'),
    )
    .execute()
}

type Patch = { disputed_at?: Date; client_words?: string; decided_at?: Date }

/** Moves a no-show along its life. The caller holds its lock. */
export async function changeNoShow(
  tx: Tx,
  appointmentId: string,
  from: NoShowState,
  to: NoShowState,
  patch: Patch = {},
): Promise<void> {
  assertNoShowStep(from, to)
  const { numUpdatedRows } = await tx
    .updateTable('no_shows')
    .set({ ...patch, state: to })
    .where('appointment_id', '=', appointmentId)
    .where('state', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('A no-show was changed without its lock.')
}

export type DisputeRow = NonNullable<Awaited<ReturnType<typeof findDispute>>>

const disputes = (db: Db) =>
  db
    .selectFrom('no_shows as n')
    .innerJoin('appointments as b', 'b.id', 'n.appointment_id')
    .innerJoin('accounts as c', 'c.id', 'b.client_id')
    .innerJoin('practitioners as p', 'p.id', 'b.practitioner_id')
    .innerJoin('accounts as o', 'o.id', 'p.account_id')
    .select([
      'n.appointment_id',
      'n.state',
      'b.starts_at',
      'b.ends_at',
      'b.appointment_type',
      'n.declared_at',
      'n.disputed_at',
      'n.decided_at',
      'n.client_words',
      'c.first_name as client_first_name',
      'c.last_name as client_last_name',
      'c.email as client_email',
      'b.practitioner_id',
      'o.first_name as practitioner_first_name',
      'o.last_name as practitioner_last_name',
      'o.email as practitioner_email',
      sql<number>`(select coalesce(sum(i.amount_pence), 0)::int from payment_intents i
        where i.appointment_id = b.id and i.state in ('capturing', 'captured'))`.as('paid_pence'),
      sql<number>`(select coalesce(sum(r.amount_pence), 0)::int from refunds r
        join payment_intents i on i.id = r.payment_intent_id
        where i.appointment_id = b.id and ${oneOf('r.state', givenBack)})`.as('refunded_pence'),
    ])
    .$narrowType<{
      state: 'disputed' | 'upheld' | 'overturned'
      starts_at: Date
      ends_at: Date
      appointment_type: AppointmentType
      disputed_at: Date
    }>()

/** A page of disputes: open ones oldest first, or decided ones newest first. */
export function listDisputes(db: Db, status: 'open' | 'decided', range: { limit: number; offset: number }) {
  const query =
    status === 'open'
      ? disputes(db).where('n.state', '=', 'disputed').orderBy('n.disputed_at')
      : disputes(db).where('n.state', 'in', ['upheld', 'overturned']).orderBy('n.decided_at', 'desc')
  return query.orderBy('n.appointment_id').limit(range.limit).offset(range.offset).execute()
}

export async function countDisputes(db: Db, status: 'open' | 'decided'): Promise<number> {
  return countRows(
    db
      .selectFrom('no_shows')
      .where('state', 'in', status === 'open' ? ['disputed'] : ['upheld', 'overturned']),
  )
}

export function findDispute(db: Db, appointmentId: string) {
  return disputes(db)
    .where('n.appointment_id', '=', appointmentId)
    .where('n.disputed_at', 'is not', null)
    .executeTakeFirst()
}

/** Deletes a client's own words from their disputes. */
export async function eraseDisputeWords(tx: Tx, clientId: string): Promise<void> {
  await tx
    .updateTable('no_shows')
    .set({ client_words: null })
    .where('appointment_id', 'in', (eb) =>
      eb.selectFrom('appointments').select('id').where('client_id', '=', clientId),
    )
    .execute()
}
