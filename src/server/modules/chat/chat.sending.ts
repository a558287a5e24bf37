import type { z } from 'zod'
import type { Message, SendMessage } from '#contract/chat.ts'
import { later } from '../../clock.ts'
import { afterCommit, inTransaction, sqlState } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Encryption } from './chat.encryption.ts'
import { toMessage } from './chat.mapper.ts'
import { closedFor, messagesInWindow, messageWindow, secondsUntilFree } from './chat.rules.ts'
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

/** PostgreSQL's codes for a statement that lost to another: a number or an id that was taken, a conflict, a deadlock. */
const inTheWay = new Set(['23505', '40001', '40P01'])

/** Sending a message: in one trip to the database where nothing is in the way, and otherwise so that it is told what is. */
export function createSending({ db, clock, random, live, encryption, unread, rateLimitScale }: Dependencies) {
  const messagesAllowed = Math.max(1, Math.floor(messagesInWindow * rateLimitScale))

  const questionOf = (caller: SignedIn, { _id, chat_dialog_id }: Sending, now: Date) => ({
    dialogId: chat_dialog_id,
    accountId: caller.accountId,
    loginSessionId: caller.loginSessionId,
    messageId: _id,
    limit: { count: messagesAllowed, since: later(now, -messageWindow) },
  })

  return {
    /**
     * Sends a message, once for its id. It is committed when this is done; whoever is connected is told.
     * @param from the socket that it came by, which is answered and not told
     * @throws 404; 409 `dialog_closed`, `conflict` for an id that another message has; 429
     */
    async send(caller: SignedIn, body: z.infer<typeof SendMessage>, from?: string): Promise<Message> {
      const sending = { ...body, _id: body._id ?? random.uuid(clock.now()) }
      try {
        return (await append(caller, sending, from)) ?? (await write(caller, sending, from))
      } catch (error) {
        // The same message was sent twice at once, and the other one is there now; or two got in each other's way.
        if (!inTheWay.has(sqlState(error) ?? '')) throw error
        return write(caller, sending, from)
      }
    },
  }

  /**
   * Writes a message to which nothing stands in the way, in one trip to the database, or two where the dialog's key is
   * not known yet. Nothing if something may.
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
    const question = questionOf(caller, sending, sentAt)
    const appended = await store.appendMessage(db, question, { sealedKey, body, sentAt })
    if (!appended) return undefined
    const { seq, other_id } = appended
    const row = { id: messageId, seq, sender_id: senderId, body, sent_at: sentAt }
    const message = toMessage(dialogId, row, () => text)
    told(message, other_id, from)
    return message
  }

  /** Writes a message, or says what stands in its way. */
  async function write(caller: SignedIn, sending: Sending, from: string | undefined): Promise<Message> {
    const { _id: messageId, chat_dialog_id: dialogId, message: text } = sending
    const senderId = caller.accountId
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const opening = await store.lockForMessage(tx, questionOf(caller, sending, now))
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
        return sent
      }
      if (closedFor(opening)) throw closed(closedFor(opening))
      if (opening.full_since) {
        throw fail('too_many_requests', 'That was a lot of messages at once. Please wait a moment.', {
          retryAfter: secondsUntilFree(opening.full_since, now),
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
      return message
    })
  }

  /** Tells whoever is connected of a message that is committed, and the browsers of a reader who is not. */
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
