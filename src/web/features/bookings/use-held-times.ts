import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { type BookingRequest, requestOf } from './booking-address.ts'
import { heldQuery } from './booking-queries.ts'
import { keepHold } from './kept-holds.ts'
import { isHeld } from './use-booking.ts'

export type HeldTime = {
  session: AppointmentDetail & { starts_at: string; ends_at: string; hold_expires_at: string }
  request: BookingRequest
}

/**
 * The unpaid times that are held for the client, also from another tab or device. This tab keeps them, so that the
 * page of the booking finds its hold. There are none while `query` has no data.
 */
export function useHeldTimes() {
  const query = useQuery({
    ...heldQuery(),
    // A hold ends by itself.
    refetchInterval: ({ state }) => (state.data?.length ? 20_000 : false),
  })
  const { data } = query
  useEffect(() => {
    for (const { session, request } of timesOf(data ?? []))
      keepHold({ sessionId: session.appointment_id, request })
  }, [data])
  return { times: timesOf(data ?? []), query }
}

function timesOf(sessions: readonly AppointmentDetail[]): HeldTime[] {
  return sessions.flatMap((session) => {
    const { starts_at, ends_at, hold_expires_at } = session
    const request = requestOf(session)
    // The release before gives booked sessions here.
    if (!request || !isHeld(session) || !starts_at || !ends_at || !hold_expires_at) return []
    return { session: { ...session, starts_at, ends_at, hold_expires_at }, request }
  })
}
