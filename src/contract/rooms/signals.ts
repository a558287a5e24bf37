import { z } from 'zod'
import { maxSignalBytes } from './room-limits.ts'

/** A device in a room, as it names itself. */
export const PeerId = z.uuid().toLowerCase()

/** What the browsers of a room say to each other to connect. The server forwards `data` unread. */
export const Signal = z.object({
  appointment_id: z.uuid().toLowerCase(),
  /** The peer that it is for. Every open page of the other person receives it; the others ignore it. */
  to: PeerId,
  /** The sender's peer, which has the seat. */
  from: PeerId,
  /** Chosen by the sender, for acknowledgement and order. */
  n: z.number().int().min(0).max(2_147_483_647),
  kind: z.enum(['description', 'candidate', 'commit', 'reveal', 'bye', 'ack']),
  data: z.json().refine(isShort, 'Use at most 16 KB.'),
})
export type Signal = z.infer<typeof Signal>

function isShort(data: unknown): boolean {
  const text = JSON.stringify(data)
  if (text.length * 3 <= maxSignalBytes) return true
  return text.length <= maxSignalBytes && new TextEncoder().encode(text).length <= maxSignalBytes
}
