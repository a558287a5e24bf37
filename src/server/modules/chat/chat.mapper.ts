import type { ClientExtension, Dialog, Message, PractitionerExtension } from '#contract/chat/chat.ts'
import { closedFor, type Place, preview } from './chat.rules.ts'
import type { DialogRow, MessageRow } from './chat.store.ts'

/** Opens the text of a message of one dialog. */
export type Open = (place: Omit<Place, 'dialogId'>, body: Uint8Array) => string

/** Names and portraits of the two members, from their accounts. */
export type People = { client: ClientExtension; practitioner: PractitionerExtension }

export function toMessage(dialogId: string, row: MessageRow, open: Open): Message {
  return toWritten(dialogId, row, open({ messageId: row.id, senderId: row.sender_id }, row.body))
}

/** As `toMessage`, for a text that is not encrypted. */
export function toWritten(dialogId: string, row: Omit<MessageRow, 'body'>, text: string): Message {
  return {
    _id: row.id,
    chat_dialog_id: dialogId,
    seq: row.seq,
    sender_id: row.sender_id,
    message: text,
    date_sent: toSeconds(row.sent_at),
  }
}

export function toDialog(row: DialogRow, people: People, open: Open): Dialog {
  const { last_id, last_sender_id, last_body, last_sent_at } = row
  const last =
    last_id && last_sender_id && last_body
      ? open({ messageId: last_id, senderId: last_sender_id }, last_body)
      : null
  return {
    _id: row.id,
    type: 3,
    occupants_ids: [row.client_id, row.practitioner_account_id],
    extensions: {
      client: JSON.stringify(people.client),
      practitioner: JSON.stringify(people.practitioner),
    },
    last_message: last === null ? null : preview(last),
    last_message_date_sent: last_sent_at && toSeconds(last_sent_at),
    last_message_user_id: last_sender_id,
    unread_messages_count: row.unread,
    last_seq: row.last_seq,
    read_seq: row.read_seq,
    other_read_seq: row.other_read_seq,
    closed: closedFor(row),
    created_at: row.created_at.toISOString(),
  }
}

const toSeconds = (instant: Date) => Math.floor(instant.getTime() / 1000)
