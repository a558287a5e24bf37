import type { Db } from '../../db/connection.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import type { AppointmentRow } from './bookings.store.ts'
import { isHeldOnline } from './online-rooms.mapper.ts'
import { unpaidOf } from './reserved/reserved.rules.ts'

type Row = Parameters<typeof isHeldOnline>[0] &
  Parameters<typeof unpaidOf>[0][number] &
  Pick<AppointmentRow, 'practitioner_id' | 'location_id'>

/** Reads what both sides are shown beside their sessions, for all of them at once. Returns it by session. */
export async function readSurroundings(
  handle: Db,
  rows: readonly Row[],
  {
    clock,
    practitioners,
    payments,
    lookups,
  }: Pick<BookingDependencies, 'clock' | 'practitioners' | 'payments' | 'lookups'>,
) {
  const ids = rows.map((row) => row.id)
  const rooms = await practitioners.onlineRooms(handle, [...new Set(rows.map((row) => row.practitioner_id))])
  const places = await practitioners.placesById(
    handle,
    rows.flatMap((row) => row.location_id ?? []),
  )
  const refunds = await payments.refundsOf(handle, ids)
  const disputes = await payments.disputesOf(handle, ids)
  const paying = await payments.underWayOf(handle, unpaidOf(rows))
  const roomEnds = await lookups().roomEnds(
    handle,
    rows.filter(isHeldOnline).map((row) => row.id),
  )
  return (row: Row) => ({
    now: clock.now(),
    onlineRoom: rooms.get(row.practitioner_id),
    roomEndedAt: roomEnds.get(row.id),
    location: places.get(row.location_id ?? 0),
    refund: refunds.get(row.id),
    dispute: disputes.get(row.id),
    isPaying: paying.has(row.id),
  })
}
