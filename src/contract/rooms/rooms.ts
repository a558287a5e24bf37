import { z } from 'zod'
import { AppointmentDetail } from '../bookings/bookings.ts'
import { Instant, RoomKind, UuidSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SessionAttendance } from './attendance.ts'
import { heartbeatSeconds } from './room-limits.ts'

/** `waiting` also where neither person has come yet. */
export const RoomState = z.enum(['waiting', 'admitted', 'ended'])
export type RoomState = z.infer<typeof RoomState>

export const ClosedBecause = z.enum(['ended', 'over', 'cancelled', 'frozen', 'missed', 'unpaid'])
export type ClosedBecause = z.infer<typeof ClosedBecause>

/** The room of an online session as one of its two people sees it. */
export const Room = z.object({
  appointment_id: z.uuid(),
  you: z.enum(['client', 'practitioner']),
  /** Where the session is held: in this product, or at the practitioner's own link. */
  kind: RoomKind,
  /** The practitioner's own room, while the session takes place; null with `hearth`. */
  meeting_link: z.string().nullable(),
  starts_at: Instant,
  ends_at: Instant,
  /** When the caller may take a seat: 15 minutes before the start, or 5 for a practitioner whose session before ends then. */
  opens_at: Instant,
  closes_at: Instant,
  state: RoomState,
  /** Rises with every change of the state or of a seat; a live event `room.changed` follows each. */
  version: z.number().int(),
  admitted_at: Instant.nullable(),
  ended_at: Instant.nullable(),
  ended_by: z.enum(['practitioner', 'system']).nullable(),
  /** Why the room is closed: `ended` by the practitioner, `over` by its time, or what has become of the session. */
  closed_because: ClosedBecause.nullable(),
  /** When the practitioner said that they are five minutes late. */
  late_at: Instant.nullable(),
  /**
   * The practitioner's own link, another way on while the room is open. The client sees it once it was offered. Null with
   * `own`, and without a link in the profile.
   */
  own_link: z.object({ link: z.string(), offered_at: Instant.nullable() }).nullable(),
  /** The caller's seat, and the device that holds it. */
  seat: z.object({ peer_id: z.uuid(), taken_at: Instant }).nullable(),
  other: z.object({
    name: z.string(),
    image: z.string().nullable(),
    /** Seen within the last 30 seconds. */
    here: z.boolean(),
    /** Since when the seat has been taken. */
    since: Instant.nullable(),
    /** Where signals go; only while the room is admitted and the other has a seat. */
    peer_id: z.uuid().nullable(),
  }),
  /** Null while the room is closed to the caller. */
  ice: z
    .object({
      servers: z.array(
        z.object({
          urls: z.array(z.string()),
          username: z.string().optional(),
          credential: z.string().optional(),
        }),
      ),
      /** Whether this installation has a relay. */
      has_relay: z.boolean(),
      /** Whether media goes through the relay alone, unless the client chooses otherwise. */
      relay_only: z.boolean(),
      /** Whether the client may choose a direct connection. */
      may_go_direct: z.boolean(),
      expires_at: Instant.nullable(),
    })
    .nullable(),
  /** So far. */
  attendance: SessionAttendance,
  /**
   * From when the client may report that the practitioner did not come: they have been alone in the room for 10 minutes
   * of the session by then. Null for the practitioner, and once they came.
   */
  nobody_came_from: Instant.nullable(),
})
export type Room = z.infer<typeof Room>

const params = z.object({ appointment_id: z.uuid() })
const room = { access: ['client', 'therapist'], owner: 'appointment', params, answer: Room } as const
const ofPractitioner = { ...room, access: ['therapist'] } as const

/** The private room of an online session. */
export const roomEndpoints = defineEndpoints({
  'GET /appointment/{appointment_id}/room': {
    ...room,
    summary: 'The room of an online session, for its client and its practitioner',
  },
  'POST /appointment/{appointment_id}/room/seat': {
    ...room,
    summary: `Take a seat with a device, and keep it by repeating the call every ${heartbeatSeconds} seconds`,
    body: z.object({
      /** Chosen by the device; kept across a reload. */
      peer_id: UuidSent,
      /** Takes the seat from another device. Without it, a seat that another device has, or had last, is a 409 `seat_taken_over`. */
      take: z.boolean().default(false),
    }),
  },
  'POST /appointment/{appointment_id}/room/leave': {
    ...room,
    summary: 'Give the seat up, if this device has it',
    body: z.object({ peer_id: UuidSent }),
  },
  'POST /appointment/{appointment_id}/nobody-came': {
    access: ['client'],
    owner: 'appointment',
    summary:
      'Say that the practitioner did not come, after ten minutes alone in the room; the session is cancelled and refunded',
    params,
    answer: AppointmentDetail,
    idempotent: true,
  },
  'POST /therapist/sessions/{appointment_id}/room/admit': {
    ...ofPractitioner,
    summary: 'Let the client in',
  },
  'POST /therapist/sessions/{appointment_id}/room/wait': {
    ...ofPractitioner,
    summary: 'Send the client back to waiting; media stops',
  },
  'POST /therapist/sessions/{appointment_id}/room/end': {
    ...ofPractitioner,
    summary: 'End the room for both',
  },
  'POST /therapist/sessions/{appointment_id}/room/late': {
    ...ofPractitioner,
    summary: 'Tell the waiting client that the practitioner is five minutes late; once in a session',
  },
  'POST /therapist/sessions/{appointment_id}/room/own-link': {
    ...ofPractitioner,
    summary: "Show the client the practitioner's own link, as another way on where the room does not work",
  },
  'GET /therapist/room-settings': {
    access: ['therapist'],
    summary: 'How the rooms of this installation connect two people',
    answer: z.object({
      /** Whether there is a relay. Without one, two home networks often cannot reach each other. */
      has_relay: z.boolean(),
    }),
  },
})
