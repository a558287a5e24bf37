import type { Serve } from '../../http/serve.ts'
import type { Rooms } from './rooms.service.ts'

export function roomRoutes(serve: Serve, rooms: Rooms): void {
  serve('GET /appointment/{appointment_id}/room', ({ caller, params }) =>
    rooms.detail(caller, params.appointment_id),
  )
  serve('POST /appointment/{appointment_id}/room/seat', ({ caller, params, body }) =>
    rooms.seat(caller, params.appointment_id, body),
  )
  serve('POST /appointment/{appointment_id}/room/leave', ({ caller, params, body }) =>
    rooms.leave(caller, params.appointment_id, body),
  )
  serve('POST /appointment/{appointment_id}/nobody-came', ({ caller, params }) =>
    rooms.nobodyCame(caller, params.appointment_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/room/admit', ({ caller, params }) =>
    rooms.admit(caller, params.appointment_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/room/wait', ({ caller, params }) =>
    rooms.wait(caller, params.appointment_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/room/end', ({ caller, params }) =>
    rooms.end(caller, params.appointment_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/room/late', ({ caller, params }) =>
    rooms.late(caller, params.appointment_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/room/own-link', ({ caller, params }) =>
    rooms.offerOwnLink(caller, params.appointment_id),
  )
  serve('GET /therapist/room-settings', () => rooms.settings())
}
