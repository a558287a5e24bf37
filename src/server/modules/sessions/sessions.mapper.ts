import { SharedCancelCause } from '#contract/bookings/bookings.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import type { PastSession } from '#contract/reviews.ts'
import type { Session } from '#contract/sessions.ts'
import type { SessionFacts } from './sessions.store.ts'

export type Facts = SessionFacts & Pick<Session, 'series'>

/** A session as its client sees it. Undefined before it has a time and a format. */
export function toClientSession(detail: PastSession, facts: Facts): Session | undefined {
  const { practitioner, starts_at, ends_at, appointment_type } = detail
  if (!starts_at || !ends_at || !appointment_type) return undefined
  return {
    appointment_id: detail.appointment_id,
    you: 'client',
    other: {
      name: practitioner.full_name,
      image: practitioner.main_image,
      provider_types: practitioner.provider_types,
      practitioner_id: practitioner.practitioner_id,
      timezone: practitioner.timezone,
    },
    booking_type: detail.booking_type,
    status: detail.status,
    service_name: detail.service_name,
    appointment_type,
    starts_at,
    ends_at,
    location: detail.location,
    meeting_link: detail.meeting_link,
    room: detail.room,
    price: detail.fee,
    cancelled_by: detail.cancelled_by,
    frozen_until: detail.frozen_until,
    // A client learns the exact place once the session has been confirmed.
    ...fromFacts(facts, wasConfirmed(detail.status)),
    as_client: detail,
    as_practitioner: null,
  }
}

/** The same session as its practitioner sees it. */
export function toPractitionerSession(session: TherapistSession, facts: Facts): Session {
  return {
    appointment_id: session.appointment_id,
    you: 'practitioner',
    other: {
      name: session.client.name,
      image: null,
      provider_types: [],
      practitioner_id: null,
      timezone: session.client.timezone,
    },
    booking_type: session.booking_type,
    status: session.status,
    service_name: session.service_name,
    appointment_type: session.appointment_type,
    starts_at: session.starts_at,
    ends_at: session.ends_at,
    location: session.location,
    meeting_link: session.meeting_link,
    room: session.room,
    price: session.fee,
    cancelled_by: session.cancelled_by,
    frozen_until: session.frozen_until,
    ...fromFacts(facts, true),
    as_client: null,
    as_practitioner: session,
  }
}

const wasConfirmed = (status: PastSession['status']) =>
  status === 'confirmed' || status === 'completed' || status === 'no_show'

type FromFacts =
  | 'sequence'
  | 'issue'
  | 'dialog_id'
  | 'chat_closed'
  | 'series'
  | 'moved_from'
  | 'coordinates'
  | 'cancelled_because'

function fromFacts(facts: Facts, isPlaceKnown: boolean): Pick<Session, FromFacts> {
  const { issue_id, issue_name, latitude, longitude } = facts
  const isPlaced = facts.appointment_type === 'face_to_face' && latitude !== null && longitude !== null
  return {
    sequence: facts.sequence,
    issue: issue_id === null || issue_name === null ? null : { issue_id, issue_name },
    dialog_id: facts.dialog_id,
    chat_closed: facts.practitioner_state === 'suspended' || facts.practitioner_state === 'closed',
    series: facts.series,
    moved_from: facts.moved_from?.toISOString() ?? null,
    cancelled_because: SharedCancelCause.options.find((cause) => cause === facts.cancel_code) ?? null,
    coordinates: isPlaced && isPlaceKnown ? { latitude, longitude } : null,
  }
}
