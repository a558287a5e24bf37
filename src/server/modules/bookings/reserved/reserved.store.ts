import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { runPrepared } from '../../../db/prepared.ts'

/** Where `installation` says whether weekly series are agreed. */
const marker = 'weekly-series'

/** Whether the release before this one has stopped, so that sessions may be reserved. */
export async function isSwitchedOn(db: Db): Promise<boolean> {
  const query = db.selectFrom('installation').select('value').where('key', '=', marker)
  const [row] = await runPrepared(db, query)
  return row?.value === 'on'
}

/** The live session of a series at a time. */
export async function findOfSeries(db: Db, seriesId: string, startsAt: Date): Promise<string | undefined> {
  const query = db
    .selectFrom('appointments')
    .select('id')
    .where('series_id', '=', seriesId)
    .where('starts_at', '=', startsAt)
    .where('state', 'not in', ['cancelled', 'expired'])
  const [row] = await runPrepared(db, query)
  return row?.id
}

type NewReserved = {
  id: string
  series_id: string
  client_id: string
  practitioner_id: number
  service_id: number
  appointment_type: AppointmentType
  location_id: number | null
  reservation_id: string
  payment_method_id: string | null
  starts_at: Date
  ends_at: Date
  fee_pence: number
  client_timezone: string
  pay_at: Date
  pay_by: Date
  now: Date
}

export async function insertReserved(tx: Tx, { now, ...appointment }: NewReserved): Promise<void> {
  await runPrepared(
    tx,
    tx.insertInto('appointments').values({
      ...appointment,
      booking_type: 'schedule',
      state: 'reserved',
      discount_pence: 0,
      charge_at: appointment.pay_at,
      first_booked_at: now,
      created_at: now,
    }),
  )
}

/** Has the reserved sessions of a series paid with another card, or with none. */
export async function setCard(tx: Tx, seriesId: string, methodId: string | null): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ payment_method_id: methodId })
    .where('series_id', '=', seriesId)
    .where('state', '=', 'reserved')
    .execute()
}

export async function setFee(tx: Tx, id: string, feePence: number): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ fee_pence: feePence })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}

/** Has a reserved session be paid on the page from now on. */
export async function openPayment(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('appointments')
    .set((eb) => ({ pay_at: eb.fn<Date>('least', ['pay_at', eb.val(now)]), charge_at: null }))
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}
