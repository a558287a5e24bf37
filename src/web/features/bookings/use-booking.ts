import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AppointmentDetail, BookingPreview } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerProfile, Service } from '#contract/practitioners/practitioners.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { practitionerQuery } from '#web/lib/practitioner-query.ts'
import { sessionFormats } from '#web/lib/session-formats.ts'
import { type BookingRequest, requestOf } from './booking-address.ts'
import { appointmentQuery, heldQuery, placeQuery, previewQuery } from './booking-queries.ts'
import { type BookingFacts, factsOf } from './BookingSummary.tsx'
import { placeAmong } from './places.ts'
import { findHold, forgetHold, keepHold } from './kept-holds.ts'
import { useHold } from './use-hold.ts'

/** What `/book-therapist` shows: nothing yet, why it cannot, or the booking in one of its stages. */
export type BookingView =
  | { stage: 'loading' }
  | { stage: 'failed'; error: unknown; isRetrying: boolean; retry(): void }
  /** The practitioner is not listed, or does not offer the service in this way. */
  | { stage: 'not offered'; what: 'practitioner' | 'service' }
  | { stage: 'booked'; session: AppointmentDetail; facts: BookingFacts }
  | { stage: 'held'; session: AppointmentDetail; facts: BookingFacts; preview: BookingPreview | undefined }
  | {
      stage: 'review'
      facts: BookingFacts
      preview: BookingPreview
      /** A hold on this time has ended unpaid: not in time, or released, such as by choosing another time. */
      hasEnded: boolean
      /** Whether it is free is being looked up again. */
      isChecking: boolean
    }

export type Booking = {
  view: BookingView
  /** Starting to hold the time. */
  isHolding: boolean
  holdError: unknown
  /** The session that now holds the time; undefined when that was refused. */
  hold(): Promise<AppointmentDetail | undefined>
  /** The hold's time is up on this screen. */
  noteEnd(): void
  /** A code was kept for the client: the price is read again. */
  notePrice(): void
  clearError(): void
}

/** The review of a booking and the hold on its time, found again after a reload. */
export function useBooking(request: BookingRequest): Booking {
  const [sessionId, setSessionId] = useState(() => findHold(request))
  const [, setEnds] = useState(0)

  const practitioner = useQuery(practitionerQuery(request.practitionerId))
  const offer = practitioner.data && offerOf(practitioner.data, request)
  const wanted = { ...request, type: offer?.type ?? request.type ?? 'online' }
  const preview = useQuery({ ...previewQuery(wanted), enabled: offer !== undefined })
  const place = useQuery({ ...placeQuery(wanted), enabled: offer?.type === 'face_to_face' })
  const held = useQuery({ ...appointmentQuery(sessionId ?? ''), enabled: sessionId !== undefined })

  // Another tab may hold the time, or hold it again.
  const allHeld = useQuery(heldQuery())
  const heldId = allHeld.data?.find((each) => isHeld(each) && isSame(requestOf(each), wanted))?.appointment_id
  const [seenId, setSeenId] = useState<string>()
  if (heldId !== undefined && heldId !== seenId) {
    setSeenId(heldId)
    setSessionId(heldId)
  }
  const keep = useEffectEvent((id: string) => keepHold({ sessionId: id, request }))
  useEffect(() => {
    if (heldId !== undefined) keep(heldId)
  }, [heldId])

  const isUnknown = held.error instanceof ApiError && held.error.status === 404
  const isElsewhere = held.data !== undefined && isPaid(held.data) && !isAsWanted(held.data, request)
  const isNone = isUnknown || isElsewhere
  useEffect(() => {
    if (isNone && sessionId !== undefined) forgetHold(sessionId)
  }, [isNone, sessionId])

  const terms = offer &&
    preview.data && {
      appointment_type: offer.type,
      location_id: place.data ?? null,
      fee: preview.data.fee,
    }
  const holding = useHold(request, terms, ({ session_id }) => setSessionId(session_id))

  async function hold(): Promise<AppointmentDetail | undefined> {
    const session = await holding.hold()
    if (!session) {
      void preview.refetch()
      if (offer?.type === 'face_to_face') void place.refetch()
    }
    return session
  }

  return {
    view: viewOf(),
    isHolding: holding.isPending,
    holdError: holding.error,
    hold,
    noteEnd() {
      setEnds((ends) => ends + 1)
      void held.refetch()
      void preview.refetch()
    },
    notePrice: () => void preview.refetch(),
    clearError: holding.clearError,
  }

  function viewOf(): BookingView {
    const session = sessionId !== undefined && !isNone ? held.data : undefined
    // What is held or paid stays so, also where its practitioner has left or offers it no more.
    const own = session && stageOf(session)
    if (own) return own
    const isSettled = sessionId === undefined ? !allHeld.isPending : isNone || !held.isPending
    if (isSettled && isGone(practitioner.error)) return { stage: 'not offered', what: 'practitioner' }
    if (isSettled && practitioner.data && !offer) return { stage: 'not offered', what: 'service' }
    const failed = [practitioner, preview, held].find((query) => query.error && !query.data)
    if (failed && !(failed === held && isUnknown) && !(failed === preview && session)) {
      if (failed === preview && isGone(failed.error)) return { stage: 'not offered', what: 'practitioner' }
      if (failed === preview && isInvalid(failed.error)) return { stage: 'not offered', what: 'service' }
      return {
        stage: 'failed',
        error: failed.error,
        isRetrying: failed.isFetching,
        retry: () => void failed.refetch(),
      }
    }
    if (!practitioner.data || !offer) return { stage: 'loading' }
    if (!isSettled) return { stage: 'loading' }
    const about = (times: { starts_at: string; ends_at: string }): BookingFacts => ({
      practitioner: {
        name: practitioner.data.full_name,
        providerTypes: practitioner.data.provider_types,
        image: practitioner.data.profile_image,
        timezone: practitioner.data.timezone,
      },
      serviceName: offer.service.service_name,
      type: offer.type,
      startsAt: times.starts_at,
      endsAt: times.ends_at,
      place: placeAmong(practitioner.data.addresses, place.data),
    })
    if (!preview.data) return { stage: 'loading' }
    return {
      stage: 'review',
      facts: about(preview.data),
      preview: preview.data,
      // A session that was paid, and cancelled, is none.
      hasEnded: session !== undefined && !(session.status === 'cancelled' && session.refund !== null),
      isChecking: preview.isFetching,
    }
  }

  function stageOf(session: AppointmentDetail): BookingView | undefined {
    const facts = factsOf(session)
    if (!facts) return undefined
    if (isPaid(session)) return { stage: 'booked', session, facts }
    return isHeld(session) ? { stage: 'held', session, facts, preview: preview.data } : undefined
  }
}

const isPaid = ({ status }: AppointmentDetail) => status === 'confirmed' || status === 'completed'

/** Whether a session is what was asked for: one that was booked here and moved is at another time by now. */
function isAsWanted(session: AppointmentDetail, request: BookingRequest): boolean {
  const own = requestOf(session)
  return isSame(own, { ...request, type: request.type ?? own?.type })
}

const isSame = (held: BookingRequest | undefined, wanted: BookingRequest): boolean =>
  held !== undefined &&
  held.practitionerId === wanted.practitionerId &&
  held.serviceId === wanted.serviceId &&
  held.type === wanted.type &&
  Date.parse(held.startsAt) === Date.parse(wanted.startsAt)

/** Whether an unpaid session still has its time. */
export function isHeld(session: Pick<AppointmentDetail, 'status' | 'hold_expires_at'>): boolean {
  return (
    session.status === 'pending' &&
    session.hold_expires_at !== null &&
    Date.parse(session.hold_expires_at) > serverNow()
  )
}

/** The service in the format wanted, or in the first that it is offered in. */
export function offerOf(
  practitioner: Pick<PractitionerProfile, 'services'>,
  request: BookingRequest,
): { service: Service; type: AppointmentType } | undefined {
  for (const type of request.type ? [request.type] : sessionFormats) {
    const service = practitioner.services[type].find((each) => each.service_id === request.serviceId)
    if (service) return { service, type }
  }
  return undefined
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404
const isInvalid = (error: unknown) => error instanceof ApiError && error.status === 422
