import { z } from 'zod'
import { chat, Dialog } from './chat.ts'
import { FreeText, Success, UuidSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** Most messages that can be attached to a report. */
export const maxAttached = 20

const ofDialog = z.object({ id: UuidSent })

/** Blocking and reporting a dialog. */
export const moderationEndpoints = defineEndpoints({
  'POST /chat/dialogs/{id}/block': {
    ...chat,
    summary: 'Block a dialog: nobody can write in it. The other one is not told why',
    params: ofDialog,
    answer: Dialog,
  },
  'POST /chat/dialogs/{id}/unblock': {
    ...chat,
    summary: 'Take a block of one’s own back',
    params: ofDialog,
    answer: Dialog,
  },
  'POST /chat/dialogs/{id}/report': {
    ...chat,
    summary: 'Report a dialog, with those of its messages that the back office may see',
    params: ofDialog,
    body: z.object({
      reason: FreeText(1000).trim().min(1, 'Say what has happened.'),
      /** Messages of this dialog, by `_id`; none may be seen without. */
      message_ids: z.array(z.uuid()).max(maxAttached, `Attach at most ${maxAttached} messages.`).default([]),
    }),
    answer: Success,
  },
})
