import { useQueryClient } from '@tanstack/react-query'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import type { BookingRequest } from './booking-address.ts'
import { appointmentQuery } from './booking-queries.ts'
import { keepHold } from './kept-holds.ts'

export type HoldAgain = {
  isPending: boolean
  error: unknown
  /** Returns the new session; undefined when that was refused. */
  hold(): Promise<AppointmentDetail | undefined>
}

/** Holds the time of an unpaid session once more: as a new session, at the price that is on the screen. */
export function useHoldAgain(
  session: AppointmentDetail,
  request: BookingRequest | undefined,
  onHeld: (session: AppointmentDetail) => void,
): HoldAgain {
  const client = useQueryClient()
  const create = useAction('POST /appointment/create-session', {
    async onDone({ session_id }) {
      if (request) keepHold({ sessionId: session_id, request })
      onHeld(await client.fetchQuery(appointmentQuery(session_id)))
    },
  })

  async function hold(): Promise<AppointmentDetail | undefined> {
    if (create.isPending || !request) return undefined
    const body = {
      practitioner_id: request.practitionerId,
      service_id: request.serviceId,
      datetime: request.startsAt,
      appointment_type: request.type ?? null,
      location_id: session.location_id,
      booking_type: 'schedule',
      fee: session.fee,
      timezone: viewerZone(),
    } as const
    return create.send({ body }).then(
      ({ session_id }) => client.getQueryData(appointmentQuery(session_id).queryKey),
      () => undefined,
    )
  }

  return {
    isPending: create.isPending,
    error: create.error,
    hold,
  }
}
