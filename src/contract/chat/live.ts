import { z } from 'zod'

/**
 * Live events, sent to every open socket of an account when something has changed. An event may be lost or come twice.
 * It holds nothing confidential: the client reads the new state over HTTP. Each module adds its own events.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  /** Dialogs, their settings or their counts of unread messages changed. */
  z.object({ type: z.literal('chat.changed') }),
  /** A practitioner is asked for help right now. */
  z.object({ type: z.literal('instant.offer'), dispatch_id: z.uuid() }),
  /** A search for help has changed. Sent to its client and to the practitioners who are or were asked. */
  z.object({ type: z.literal('instant.changed'), dispatch_id: z.uuid() }),
  /** A session was booked, moved, cancelled, frozen or restored, or its outcome recorded. Sent to both of its people. */
  z.object({ type: z.literal('session.changed'), appointment_id: z.uuid() }),
  /** A room's state or one of its seats changed. Sent to both of its people. */
  z.object({ type: z.literal('room.changed'), appointment_id: z.uuid() }),
  /** A series or one of its dates changed. Sent to both of its people. */
  z.object({ type: z.literal('series.changed'), series_id: z.uuid() }),
])
export type LiveEvent = z.infer<typeof LiveEvent>
