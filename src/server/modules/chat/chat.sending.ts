import type { z } from 'zod'
import type { Message, SendMessage } from '#contract/chat/chat.ts'
import { afterCommit, inTransaction, sqlState } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Encryption } from './chat.encryption.ts'
import { toMessage } from './chat.mapper.ts'
import { createPace } from './chat.pace.ts'
import { closedFor, messagesInWindow, messageWindow } from './chat.rules.ts'
import * as store from './chat.store.ts'
import type { Unread } from './chat.unread.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'live'> & {
  encryption: Encryption
  unread: Pick<Unread, 'push'>
  /** Multiplies the limit on messages. */
  rateLimitScale: number
}

/** A message on its way, under an id. */
type Sending = z.infer<typeof SendMessage> & { _id: string }

/** A stored message, and whether this call created it. */
type Written = { message: Message; isNew: boolean }

/** PostgreSQL's codes for a statement that lost to a concurrent one: a used number or id, a conflict, a deadlock. */
const inTheWay = new Set(['23505', '40001', '40P01'])

/** Sends messages: in one database round trip if all is in order, else by a slower path that finds the error. */
export function createSending({ db, clock, random, live, encryption, unread, rateLimitScale }: Dependencies) {
  const allowed = Math.max(1, Math.floor(messagesInWindow * rateLimitScale))
  const pace = createPace({ allowed, window: messageWindow, clock })

  const questionOf = (caller: SignedIn, { _id, chat_dialog_id }: Sending) => ({
    dialogId: chat_dialog_id,
    accountId: caller.accountId,
    loginSessionId: caller.loginSessionId,
    messageId: _id,
  })

  return {
    /**
     * Sends a message, once per id. The message is committed when this resolves, and connected members get it live.
     * @param from the socket that sent it; it gets the acknowledgement and no live event
     * @throws 404; 409 `dialog_closed`, `conflict` for an id that another message has; 429
     */
    async send(caller: SignedIn, body: z.infer<typeof SendMessage>, from?: string): Promise<Message> {
      const sending = { ...body, _id: body._id ?? random.uuid(clock.now()) }
      const wait = pace.take(caller.accountId)
      let isNew = false
      try {
        const written = await put(caller, sending, from, wait)
        isNew = written.isNew
        return written.message
      } finally {
        // What was not written, or had been before, is none of the minute's.
        if (wait === undefined && !isNew) pace.giveBack(caller.accountId)
      }
    },
  }

  /** Writes a message the short way, or else the longer one. */
  async function put(...given: Parameters<typeof write>): Promise<Written> {
    const [caller, sending, from, wait] = given
    try {
      const message = wait === undefined ? await append(caller, sending, from) : undefined
      return message ? { message, isNew: true } : await write(...given)
    } catch (error) {
      // The same message had been sent before, or twice at once, and is there now; or two got in each other's way.
      if (!inTheWay.has(sqlState(error) ?? '')) throw error
      return write(...given)
    }
  }

  /**
   * Writes a message to which nothing stands in the way, in one trip to the database, or two where the dialog's key is
   * not known yet. Nothing if something may.
   * @throws 23505 for a message that is there already
   */
  async function append(
    caller: SignedIn,
    sending: Sending,
    from: string | undefined,
  ): Promise<Message | undefined> {
    const { _id: messageId, chat_dialog_id: dialogId, message: text } = sending
    const senderId = caller.accountId
    const sealedKey =
      encryption.known(dialogId) ?? (await store.findAccess(db, dialogId, senderId))?.sealed_key
    if (!sealedKey) return undefined
    const sentAt = clock.now()
    const body = encryption.encrypt(sealedKey, { dialogId, messageId, senderId }, text)
    const question = questionOf(caller, sending)
    const appended = await store.appendMessage(db, question, { sealedKey, body, sentAt })
    if (!appended) return undefined
    const { seq, other_id } = appended
    const row = { id: messageId, seq, sender_id: senderId, body, sent_at: sentAt }
    const message = toMessage(dialogId, row, () => text)
    told(message, other_id, from)
    return message
  }

  /**
   * Writes a message, or throws the error that prevents it. Returns an existing message with the same id. `wait` is the
   * seconds until a sender over the limit may write again.
   */
  async function write(
    caller: SignedIn,
    sending: Sending,
    from: string | undefined,
    wait: number | undefined,
  ): Promise<Written> {
    const { _id: messageId, chat_dialog_id: dialogId, message: text } = sending
    const senderId = caller.accountId
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const opening = await store.lockForMessage(tx, questionOf(caller, sending))
      if (!opening) throw notFound('This dialog')
      if (!opening.signed_in) throw fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
      const { sealed_key, earlier, other_id } = opening
      if (earlier) {
        const sent = toMessage(dialogId, { id: messageId, ...earlier }, (place, bytes) =>
          encryption.decrypt(sealed_key, { dialogId, ...place }, bytes),
        )
        if (sent.sender_id !== senderId || sent.message !== text) {
          throw fail('conflict', 'Another message has this id already.')
        }
        return { message: sent, isNew: false }
      }
      if (closedFor(opening)) throw closed(closedFor(opening))
      if (wait !== undefined) {
        throw fail('too_many_requests', 'That was a lot of messages at once. Please wait a moment.', {
          retryAfter: wait,
        })
      }
      const row = {
        id: messageId,
        seq: opening.last_seq + 1,
        sender_id: senderId,
        body: encryption.encrypt(sealed_key, { dialogId, messageId, senderId }, text),
        sent_at: now,
      }
      await store.insertMessage(tx, dialogId, row)
      const message = toMessage(dialogId, row, () => text)
      afterCommit(tx, () => told(message, other_id, from))
      return { message, isNew: true }
    })
  }

  /** Sends a committed message to connected members, and a push to a reader who is not connected. */
  function told(message: Message, recipientId: string, from: string | undefined): void {
    const { chat_dialog_id, sender_id, seq } = message
    live.send([sender_id, recipientId], 'message', { chat_dialog_id, message }, { except: from })
    unread.push({ dialogId: chat_dialog_id, seq, recipientId })
  }
}

function closed(why: ReturnType<typeof closedFor>) {
  return fail(
    'dialog_closed',
    why === 'blocked_by_you'
      ? 'You have blocked this conversation. Unblock it to write again.'
      : 'This conversation is closed. Your message was not sent.',
  )
}
