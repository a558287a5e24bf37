import { z } from 'zod'

/**
 * Hints that something has changed, sent to every open socket of an account. They may be lost and may come twice, and
 * hold nothing worth hiding: whoever gets one reads the truth over HTTP. Each module adds its own.
 */
export const Notice = z.discriminatedUnion('type', [
  /** Dialogs, their settings or their counts of unread messages changed. */
  z.object({ type: z.literal('chat.changed') }),
  /** A practitioner is asked for help right now. */
  z.object({ type: z.literal('instant.offer'), dispatch_id: z.uuid() }),
  /** A search for help has moved: to its client, and to whoever is or was asked. */
  z.object({ type: z.literal('instant.changed'), dispatch_id: z.uuid() }),
])
export type Notice = z.infer<typeof Notice>
