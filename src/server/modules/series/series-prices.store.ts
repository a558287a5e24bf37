import type { Db, NewRow, Tx } from '../../db/connection.ts'

export type PriceRow = Awaited<ReturnType<typeof listPriceChanges>>[number]

/** Price changes of series that are open, or accepted and not applied yet. */
export function listPriceChanges(db: Db, seriesIds: string[]) {
  return db
    .selectFrom('series_price_changes')
    .selectAll()
    .where('series_id', 'in', seriesIds)
    .where((eb) =>
      eb.or([
        eb('answer', 'is', null),
        eb.and([eb('answer', '=', 'accepted'), eb('applied_at', 'is', null)]),
      ]),
    )
    .execute()
}

/** The prices that are asked for sessions as their series has them and not answered, by appointment. */
export function listAskedOfSessions(db: Db, appointmentIds: readonly string[]) {
  return db
    .selectFrom('series_price_changes')
    .innerJoin('series_dates', 'series_dates.series_id', 'series_price_changes.series_id')
    .innerJoin('session_series', 'session_series.id', 'series_price_changes.series_id')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.id', '=', 'series_dates.appointment_id')
        .onRef('appointments.service_id', '=', 'session_series.service_id')
        .onRef('appointments.appointment_type', '=', 'session_series.appointment_type'),
    )
    .select([
      'series_dates.appointment_id',
      'series_price_changes.fee_pence',
      'series_price_changes.answer_by',
    ])
    .where('series_dates.appointment_id', 'in', appointmentIds)
    .whereRef('series_dates.on_date', '>=', 'series_price_changes.from_date')
    .where('series_price_changes.answer', 'is', null)
    .execute()
}

/** Returns false while another price change of the series is open. */
export async function insertPriceChange(tx: Tx, change: NewRow<'series_price_changes'>): Promise<boolean> {
  const row = await tx
    .insertInto('series_price_changes')
    .values(change)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function answerPrice(
  tx: Tx,
  id: string,
  answer: { answer: 'accepted' | 'declined'; answered_at: Date | null },
): Promise<void> {
  await tx.updateTable('series_price_changes').set(answer).where('id', '=', id).execute()
}

/** Has a price change apply to the series that goes on in the place of its own. */
export async function handOver(tx: Tx, id: string, seriesId: string): Promise<void> {
  await tx.updateTable('series_price_changes').set({ series_id: seriesId }).where('id', '=', id).execute()
}

/** Deletes the price change of a series that was not answered, if it would begin after a day. */
export async function withdrawPrice(tx: Tx, seriesId: string, after: string): Promise<void> {
  await tx
    .deleteFrom('series_price_changes')
    .where('series_id', '=', seriesId)
    .where('answer', 'is', null)
    .where('from_date', '>', after)
    .execute()
}

export async function markApplied(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('series_price_changes').set({ applied_at: now }).where('id', '=', id).execute()
}
