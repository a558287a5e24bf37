import { z } from 'zod'
import { ClientProfile } from '../accounts/accounts.ts'
import { FreeText, Id, Instant, UuidSent } from '../common.ts'
import { defineEndpoints, withoutToken } from '../endpoint.ts'
import type { ErrorAnswer } from '../errors.ts'
import type { Signal } from '../rooms/signals.ts'
import type { LiveEvent } from './live.ts'

/** Characters as people count them: code points, so that an emoji of one code point is one. The web counts alike. */
export const maxMessageLength = 4000

/** Most messages to one answer. */
export const maxMessages = 100

/**
 * The text of a message, stored exactly as typed. Rejects blank text and text that is not well formed: a NUL, or half
 * of a surrogate pair.
 */
const MessageText = z
  .string()
  .refine((text) => !isTooLong(text), `Use at most ${maxMessageLength.toLocaleString('en-GB')} characters.`)
  .refine(
    (text) => !text.includes('\u0000') && text.isWellFormed(),
    'Contains a character that cannot be stored.',
  )
  .refine((text) => !isBlank(text), 'Write a message.')

function isTooLong(text: string): boolean {
  // No text has more code points than code units, and at most twice as many units as points.
  if (text.length <= maxMessageLength) return false
  return text.length > 2 * maxMessageLength || Array.from(text).length > maxMessageLength
}

/** Nothing to see: white space, and characters that take no room or are empty. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** What a profile carries for the chat. `cc_password` is good for one session of the chat, and for five minutes. */
const ChatCredentials = z.object({
  /** The account in the chat: occupants and senders are named by it. */
  cc_id: z.uuid(),
  cc_username: z.string(),
  cc_password: z.string(),
})

export const ClientShow = ClientProfile.extend(ChatCredentials.shape)
export type ClientShow = z.infer<typeof ClientShow>

export const TherapistShow = z
  .object({
    practitioner_id: Id,
    first_name: z.string(),
    last_name: z.string(),
    profile_image: z.object({ thumb_256: z.string().nullable() }),
  })
  .extend(ChatCredentials.shape)
export type TherapistShow = z.infer<typeof TherapistShow>

export const ChatSession = z.object({
  /** The bearer of every call below `/chat`, and of the socket. It opens nothing else. */
  token: z.string(),
  expires_at: Instant,
})

export const Message = z.object({
  _id: z.uuid(),
  chat_dialog_id: z.uuid(),
  /** The order within the dialog: 1, 2, 3 and so on, without a gap. */
  seq: z.number().int(),
  /** A `cc_id`. */
  sender_id: z.uuid(),
  message: z.string(),
  /** Seconds since 1970, by the server's clock. */
  date_sent: z.number().int(),
})
export type Message = z.infer<typeof Message>

export const Dialog = z.object({
  _id: z.uuid(),
  /** Always 3, a private one, as the chat service of old called it. */
  type: z.literal(3),
  /** The `cc_id` of both. */
  occupants_ids: z.array(z.uuid()),
  /** JSON texts, written by the server: `ClientExtension` and `PractitionerExtension`. */
  extensions: z.object({ client: z.string(), practitioner: z.string() }),
  /** The first 200 characters of the last message; null while there is none. */
  last_message: z.string().nullable(),
  /** Seconds since 1970; null while there is none. */
  last_message_date_sent: z.number().int().nullable(),
  /** Whose it is, a `cc_id`; null while there is none. */
  last_message_user_id: z.uuid().nullable(),
  unread_messages_count: z.number().int(),
  /** How many messages there are: the `seq` of the last one. */
  last_seq: z.number().int(),
  /** Up to which message the caller has read. */
  read_seq: z.number().int(),
  /** Up to which message the other one has read. */
  other_read_seq: z.number().int(),
  /**
   * Why the dialog accepts no messages: the caller blocked the other participant, or another reason such as a closed
   * account. Null while it is open.
   */
  closed: z.enum(['blocked_by_you', 'unavailable']).nullable(),
  created_at: Instant,
})
export type Dialog = z.infer<typeof Dialog>

/** What `extensions.client` holds, as JSON. */
export const ClientExtension = z.object({ full_name: z.string(), main_image: z.string().nullable() })
export type ClientExtension = z.infer<typeof ClientExtension>
/** What `extensions.practitioner` holds, as JSON. */
export const PractitionerExtension = ClientExtension.extend({
  provider_types: z.array(z.string()),
  practitioner_id: Id,
  /** Whether their profile can be opened and booked. */
  listed: z.boolean(),
})
export type PractitionerExtension = z.infer<typeof PractitionerExtension>

export const SendMessage = z.object({
  /** With one, sending again changes nothing and answers the same message; without, the server makes one up. */
  _id: UuidSent.optional(),
  chat_dialog_id: UuidSent,
  message: MessageText,
})

const Seq = z.number().int().min(0).max(2_147_483_647)
const SeqInQuery = z.coerce.number().int().min(0).max(2_147_483_647)

export const ReadMessages = z.object({ chat_dialog_id: UuidSent, up_to: Seq })

/** What a chat's token opens. */
export const chat = { access: ['client', 'therapist'], token: 'chat' } as const

export const chatEndpoints = defineEndpoints({
  'GET /client/profile/show': {
    access: ['client'],
    summary: "The caller's own data, with new credentials for the chat",
    answer: ClientShow,
  },
  'GET /therapist/profile/show': {
    access: ['therapist'],
    summary: "The caller's name and picture, with new credentials for the chat",
    answer: TherapistShow,
  },
  'GET /client/{id}/get-chat-profile': {
    access: ['client', 'therapist'],
    summary: 'Name and picture of a client, by `cc_id`, to themselves and to whom they are in a dialog with',
    params: z.object({ id: z.uuid() }),
    answer: ClientExtension.extend({ cc_id: z.uuid() }),
  },
  'POST /chat/session': {
    ...withoutToken,
    summary: 'Trade the credentials of a profile for the token of the chat; they are good once',
    body: z.object({ cc_username: FreeText(100), cc_password: FreeText(200) }),
    answer: ChatSession,
    status: 201,
  },
  'GET /chat/dialogs': {
    ...chat,
    summary: "The caller's dialogs, last active first",
    query: z.object({
      _id: z
        .string()
        .max(4000)
        .transform((text) => text.split(',').map((id) => id.trim()))
        .pipe(z.array(z.uuid()).max(100))
        .optional()
        .describe('One id, or several joined by commas'),
      limit: z.coerce.number().int().min(1).max(100).default(100),
      before: z.uuid().optional().describe('Those less active of late than this dialog'),
    }),
    answer: z.array(Dialog),
  },
  'POST /chat/dialogs': {
    ...chat,
    summary:
      'Open a dialog, the one there is or a new one: as a client with a practitioner, as a practitioner with the client of one of their sessions',
    body: z.object({
      practitioner_id: Id.optional().describe('Needed from a client'),
      appointment_id: z
        .uuid()
        .optional()
        .describe('Needed from a practitioner: a session that was confirmed'),
    }),
    answer: Dialog,
  },
  'GET /chat/unread': {
    ...chat,
    summary: 'How much the caller has not read',
    answer: z.object({ unread_messages_count: z.number().int(), unread_dialogs_count: z.number().int() }),
  },
  'GET /chat/messages': {
    ...chat,
    summary:
      'Messages of a dialog in their order: the last ones, the last ones before a `seq`, or the first ones after one',
    query: z.object({
      chat_dialog_id: UuidSent,
      sort_asc: z.enum(['date_sent']).optional().describe('Oldest first, as without it'),
      sort_desc: z.enum(['date_sent']).optional().describe('Newest first'),
      limit: z.coerce.number().int().min(1).max(maxMessages).default(maxMessages),
      before: SeqInQuery.optional(),
      after: SeqInQuery.optional(),
    }),
    answer: z.array(Message),
  },
  'POST /chat/messages': {
    ...chat,
    summary: 'Send a message; with an `_id` it is sent once however often it is tried',
    body: SendMessage,
    answer: Message,
    status: 201,
  },
  'POST /chat/messages/read': {
    ...chat,
    summary: 'Mark everything as read up to a message; never takes a mark back',
    body: ReadMessages,
    answer: z.object({ chat_dialog_id: z.uuid(), reader_id: z.uuid(), up_to: z.number().int() }),
  },
})

// The socket --------------------------------------------------------------------------------------------------------

/*
 * The socket is socket.io's at `/socket`, by WebSocket alone, with `auth: { token }` of the chat. A refused handshake is
 * a `connect_error` whose `data` is an `ErrorAnswer`: `unauthenticated` needs a new session of the chat,
 * `too_many_requests` a wait. A disconnection for the reason `io server disconnect` says that the token has ended: get
 * another and connect again. Any other, `transport close` for one, is only to be connected again, after which `after`
 * brings what was missed: the server cuts off a connection that reads too slowly in this way.
 */

/** Events from the server. Each may be lost with its connection, and may come twice; `seq` says what is missing. */
export type ServerEvents = {
  message: (event: { chat_dialog_id: string; message: Message }) => void
  read: (event: { chat_dialog_id: string; reader_id: string; up_to: number }) => void
  typing: (event: { chat_dialog_id: string; sender_id: string }) => void
  notice: (event: LiveEvent) => void
  /** Events of other processes may have been lost: read anew, as after a connection. */
  look: () => void
  /** From the other person of a room, for one of the reader's devices. It may be lost, or come twice. */
  signal: (event: Signal) => void
}
/** What an event carries. */
export type Carried<E extends keyof ServerEvents> = Parameters<ServerEvents[E]>[0]

/** How an event that asks for something is answered. */
export type Acknowledgement<T> = ({ ok: true } & T) | { ok: false; error: ErrorAnswer }
type Answered<T> = (answer: Acknowledgement<T>) => void

/** Events from the browser. */
export type ClientEvents = {
  /** As `POST /chat/messages`. Acknowledged once it is committed. */
  send: (event: z.input<typeof SendMessage>, answer: Answered<{ message: Message }>) => void
  /** As `POST /chat/messages/read`. */
  read: (event: z.input<typeof ReadMessages>, answer: Answered<{ up_to: number }>) => void
  /** At most one in two seconds is passed on. */
  typing: (event: { chat_dialog_id: string }) => void
  /** The first messages after a `seq`, in their order; `more` when there are others after them. */
  after: (
    event: z.input<typeof MessagesAfter>,
    answer: Answered<{ messages: Message[]; more: boolean }>,
  ) => void
  /** Forwards what a device of a room says to the other one. Acknowledged once it is sent on, not once it has arrived. */
  signal: (event: z.input<typeof Signal>, answer: Answered<object>) => void
}

export const MessagesAfter = z.object({
  chat_dialog_id: UuidSent,
  after: Seq,
  limit: z.number().int().min(1).max(maxMessages).default(maxMessages),
})
export const Typing = z.object({ chat_dialog_id: UuidSent })
