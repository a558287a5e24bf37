import { z } from 'zod'
import { Dialog, Message } from './chat.ts'
import { FreeText, Instant, PageMeta, PageQuery, Success } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** Most messages that can be attached to a report. */
export const mostAttached = 20

/** What somebody reported about a dialog of theirs. What was written in it is read by a call of its own. */
export const ChatReport = z.object({
  report_id: z.uuid(),
  status: z.enum(['open', 'settled']),
  reason: z.string(),
  created_at: Instant,
  settled_at: Instant.nullable(),
  reporter: z.object({
    name: z.string(),
    email: z.string().nullable(),
    is: z.enum(['client', 'practitioner']),
  }),
  about: z.object({
    name: z.string(),
    email: z.string().nullable(),
    practitioner_id: z.number().int().nullable(),
  }),
  messages_count: z.number().int(),
})
export type ChatReport = z.infer<typeof ChatReport>

/** A message as it was when it was attached. */
export const AttachedMessage = Message.pick({ message: true, date_sent: true }).extend({
  by: z.enum(['reporter', 'other']),
})
export type AttachedMessage = z.infer<typeof AttachedMessage>

const chat = { access: ['client', 'therapist'], token: 'chat' } as const
const ofDialog = z.object({ id: z.uuid() })
const ofReport = z.object({ id: z.uuid() })

/** Keeping others away, and telling the back office about them. */
export const chatCareEndpoints = defineEndpoints({
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
      reason: FreeText(1000, 'Use at most 1,000 characters').trim().min(1, 'Say what has happened'),
      /** Messages of this dialog, by `_id`; none may be seen without. */
      message_ids: z.array(z.uuid()).max(mostAttached, `Attach at most ${mostAttached} messages`).default([]),
    }),
    answer: Success,
  },
  'GET /admin/chat-reports': {
    access: ['admin'],
    summary: 'Reports of dialogs: open ones oldest first, settled ones newest first. No message is in them',
    query: PageQuery.extend({ status: z.enum(['open', 'settled']).optional() }),
    answer: z.object({ data: z.array(ChatReport), meta: PageMeta }),
  },
  'POST /admin/chat-reports/{id}/look': {
    access: ['admin'],
    summary: 'Read the messages that were attached; looking is written down',
    params: ofReport,
    answer: z.array(AttachedMessage),
  },
  'POST /admin/chat-reports/{id}/settle': {
    access: ['admin'],
    summary: 'Write down what was done about a report',
    params: ofReport,
    body: z.object({ reason: FreeText(2000).trim().min(1, 'Say what was done') }),
    answer: ChatReport,
  },
})
