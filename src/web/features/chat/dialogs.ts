import { clientNameOf } from '#contract/client-name.ts'
import type { ClientExtension, Dialog, Message, PractitionerExtension } from '#contract/chat/chat.ts'

/** The other one in a dialog, as far as one may know them. */
export type Partner = {
  name: string
  image: string | null
  /** Of a practitioner, for clients. */
  providerTypes: readonly string[]
  /** Whose profile can be opened: a practitioner who is listed. */
  profileId: number | undefined
}

/** Whom the dialog is with. A practitioner sees the client's first name, initial and picture. */
export function partnerOf(dialog: Pick<Dialog, 'extensions'>, role: 'client' | 'therapist'): Partner {
  if (role === 'therapist') {
    const client = JSON.parse(dialog.extensions.client) as ClientExtension
    return {
      name: clientNameOf(client.full_name),
      image: client.main_image,
      providerTypes: [],
      profileId: undefined,
    }
  }
  const practitioner = JSON.parse(dialog.extensions.practitioner) as PractitionerExtension
  return {
    name: practitioner.full_name,
    image: practitioner.main_image,
    providerTypes: practitioner.provider_types,
    profileId: practitioner.listed ? practitioner.practitioner_id : undefined,
  }
}

/** Puts a dialog that is new or has changed in its place: last active first. What is older than what is known changes nothing. */
export function mergeDialog(dialogs: readonly Dialog[], arrived: Dialog): readonly Dialog[] {
  const known = dialogs.find(({ _id }) => _id === arrived._id)
  if (known && known.last_seq > arrived.last_seq) return dialogs
  return sorted([latestOf(known, arrived), ...dialogs.filter(({ _id }) => _id !== arrived._id)])
}

/**
 * The same for a whole list as it was read. What came while it was being read stays, and a block that was set or ended
 * then. What was known when that began, and is not in it, is gone: a dialog goes with the client's account.
 */
export function mergeDialogs(
  known: readonly Dialog[],
  read: readonly Dialog[],
  knownAtStart: readonly Dialog[] = known,
): readonly Dialog[] {
  const stays = new Set(read.map(({ _id }) => _id))
  const gone = new Set(knownAtStart.flatMap(({ _id }) => (stays.has(_id) ? [] : _id)))
  const before = new Map(known.filter(({ _id }) => !gone.has(_id)).map((dialog) => [dialog._id, dialog]))
  const closedAtStart = new Map(knownAtStart.map(({ _id, closed }) => [_id, closed]))
  for (const dialog of read) {
    const kept = before.get(dialog._id)
    if (kept && kept.last_seq > dialog.last_seq) continue
    const hasChanged = kept && kept.closed !== closedAtStart.get(dialog._id)
    before.set(dialog._id, latestOf(kept, hasChanged ? { ...dialog, closed: kept.closed } : dialog))
  }
  return sorted([...before.values()])
}

/** The dialogs after a message has arrived in one of them. */
export function noteMessage(
  dialogs: readonly Dialog[],
  message: Message,
  ownId: string | undefined,
): readonly Dialog[] {
  const known = dialogs.find(({ _id }) => _id === message.chat_dialog_id)
  if (!known || known.last_seq >= message.seq) return dialogs
  const isOwn = message.sender_id === ownId
  return mergeDialog(dialogs, {
    ...known,
    last_seq: message.seq,
    last_message: message.message.slice(0, 200),
    last_message_date_sent: message.date_sent,
    last_message_user_id: message.sender_id,
    unread_messages_count: known.unread_messages_count + (isOwn ? 0 : 1),
  })
}

/** Whether messages that have come leave none out after the last one that is known of their dialog. */
export function followsOn({ last_seq }: Pick<Dialog, 'last_seq'>, messages: readonly Message[]): boolean {
  const later = new Set(messages.flatMap(({ seq }) => (seq > last_seq ? seq : [])))
  return Math.max(last_seq, ...later) - last_seq === later.size
}

/** The dialogs after one of the two has read up to a message. */
export function noteRead(
  dialogs: readonly Dialog[],
  { chat_dialog_id, isOwn, upTo }: { chat_dialog_id: string; isOwn: boolean; upTo: number },
): readonly Dialog[] {
  return dialogs.map((dialog) => {
    if (dialog._id !== chat_dialog_id) return dialog
    if (!isOwn) return { ...dialog, other_read_seq: Math.max(dialog.other_read_seq, upTo) }
    if (upTo <= dialog.read_seq) return dialog
    // Some of those after it may be one's own: where any are left, the store has the server count them anew.
    const unread = Math.min(dialog.unread_messages_count, Math.max(0, dialog.last_seq - upTo))
    return { ...dialog, read_seq: upTo, unread_messages_count: unread }
  })
}

/** How many messages are waiting in all dialogs together. */
export function unreadOf(dialogs: readonly Dialog[] | undefined): number {
  return (dialogs ?? []).reduce((sum, { unread_messages_count }) => sum + unread_messages_count, 0)
}

/** The newer of two states of a dialog. Read marks never go back, even if an older state arrives late. */
function latestOf(known: Dialog | undefined, arrived: Dialog): Dialog {
  if (!known) return arrived
  const isBehind = arrived.read_seq < known.read_seq && arrived.last_seq === known.last_seq
  const read_seq = Math.max(known.read_seq, arrived.read_seq)
  return {
    ...arrived,
    read_seq,
    other_read_seq: Math.max(known.other_read_seq, arrived.other_read_seq),
    unread_messages_count: isBehind
      ? known.unread_messages_count
      : Math.min(arrived.unread_messages_count, Math.max(0, arrived.last_seq - read_seq)),
  }
}

function sorted(dialogs: readonly Dialog[]): readonly Dialog[] {
  return dialogs.toSorted((one, other) => activeAt(other) - activeAt(one))
}

/** Epoch milliseconds. */
function activeAt({ last_message_date_sent, created_at }: Dialog): number {
  return last_message_date_sent === null ? Date.parse(created_at) : last_message_date_sent * 1000
}
