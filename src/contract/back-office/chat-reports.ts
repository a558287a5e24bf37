import { z } from 'zod'
import { Message } from '../chat/chat.ts'
import { FreeText, Instant, PageMeta, PageQuery, UuidSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** A participant's report of a dialog. A separate call returns the dialog's messages. */
export const ChatReport = z.object({
  report_id: z.uuid(),
  status: z.enum(['open', 'settled']),
  reason: z.string(),
  created_at: Instant,
  settled_at: Instant.nullable(),
  /** The admin who settled it, and what they did; null for an open report and if no audit entry names them. */
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
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

const ofReport = z.object({ id: UuidSent })

export const chatReportEndpoints = defineEndpoints({
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
    body: z.object({ reason: FreeText(2000).trim().min(1, 'Say what was done.') }),
    answer: ChatReport,
  },
})
