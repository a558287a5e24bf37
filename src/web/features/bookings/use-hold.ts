import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import type { BookingRequest } from './booking-address.ts'
import { appointmentQuery } from './booking-queries.ts'
import { keepHold } from './kept-holds.ts'

/** Holding and releasing: who holds a time while another is being released waits for that. */
export const holdsQueue = 'holds'

/** What is agreed to with a hold: the format, the place and the price that are on the screen. */
type Terms = Pick<AppointmentDetail, 'appointment_type' | 'location_id' | 'fee'>

export type Hold = {
  isPending: boolean
  error: unknown
  /** Returns the new session; undefined when that was refused. */
  hold(): Promise<AppointmentDetail | undefined>
  clearError(): void
}

/** Holds the time of a request, as a new session. Nothing can be held before request and terms are known. */
export function useHold(
  request: BookingRequest | undefined,
  terms: Terms | undefined,
  onHeld: (session: AppointmentDetail) => void,
): Hold {
  const client = useQueryClient()
  const isHolding = useRef(false)
  const create = useAction('POST /appointment/create-session', {
    async onDone({ session_id }) {
      if (request) keepHold({ sessionId: session_id, request })
      onHeld(await client.fetchQuery(appointmentQuery(session_id)))
    },
    queue: holdsQueue,
  })

  async function hold(): Promise<AppointmentDetail | undefined> {
    if (isHolding.current || !request || !terms) return undefined
    isHolding.current = true
    const body = {
      practitioner_id: request.practitionerId,
      service_id: request.serviceId,
      datetime: request.startsAt,
      appointment_type: terms.appointment_type,
      location_id: terms.location_id,
      booking_type: 'schedule',
      fee: terms.fee,
      timezone: viewerZone(),
    } as const
    try {
      const { session_id } = await create.send({ body })
      return client.getQueryData(appointmentQuery(session_id).queryKey)
    } catch {
      return undefined
    } finally {
      isHolding.current = false
    }
  }

  return {
    isPending: create.isPending,
    error: create.error,
    hold,
    clearError() {
      // One that has begun meanwhile stays on the screen.
      if (!isHolding.current) create.reset()
    },
  }
}
