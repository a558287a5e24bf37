import { z } from 'zod'
import { UuidSent } from '../common.ts'
import { maxSignalBytes } from './room-limits.ts'

/** Of lists and objects within each other. */
const maxLevels = 8

/** What the browsers of a room say to each other to connect. The server forwards `data` unread. */
export const Signal = z.object({
  appointment_id: UuidSent,
  /** The peer that it is for. Every open page of the other person receives it; the others ignore it. */
  to: UuidSent,
  /** The sender's peer, which has the seat. */
  from: UuidSent,
  /** Chosen by the sender, for acknowledgement and order. */
  n: z.number().int().min(0).max(2_147_483_647),
  kind: z.enum(['description', 'candidate', 'commit', 'reveal', 'bye', 'ack']),
  data: z
    .unknown()
    .refine(isShallow, `Use at most ${maxLevels} levels.`)
    .pipe(z.json().refine(isShort, 'Use at most 16 KB.')),
})
export type Signal = z.infer<typeof Signal>

/** Looks at one level after the other: a check that calls itself for each level ends with the stack. */
function isShallow(data: unknown): boolean {
  let level = [data]
  for (let depth = 0; depth <= maxLevels; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return level.length === 0
}

function isShort(data: unknown): boolean {
  const text = JSON.stringify(data)
  if (text.length * 3 <= maxSignalBytes) return true
  return text.length <= maxSignalBytes && new TextEncoder().encode(text).length <= maxSignalBytes
}
