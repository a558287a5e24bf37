import type { z } from 'zod'
import type { Message, SendMessage } from '#contract/chat/chat.ts'
import { afterCommit, inTransaction, sqlState } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { type Appended, appendMessages, type NewMessage } from './append.store.ts'
import type { Encryption } from './chat.encryption.ts'
import { createGroupCommit, type Outcome, type WrittenGroup } from './chat.group-commit.ts'
import { toMessage, toWritten } from './chat.mapper.ts'
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

/** A message on its way, under an id. `from` is the socket that sent it. */
type Sending = z.infer<typeof SendMessage> & { _id: string; caller: SignedIn; from: string | undefined }

/** A stored message, and whether this call created it. */
type Written = { message: Message; isNew: boolean }

/** A message that waits to be written, and its caller. */
type Entry = { sending: Sending; resolve(written: Written): void; reject(error: unknown): void }

/** A committed message, the other member, and the socket that it came from. */
type Committed = { message: Message; recipientId: string; from: string | undefined }

/** PostgreSQL's codes for a statement that lost to a concurrent one: a used number or id, a conflict, a deadlock. */
const inTheWay = new Set(['23505', '40001', '40P01'])

/** PostgreSQL's classes of errors that one message of a group may cause: data, constraints, conflicts, a lock. */
const ofOneMessage = /^(22|23|40|55|HE)/

/** Sends messages: in groups, with one statement and one commit for each, and by a longer path what a group refused. */
export function createSending({ db, clock, random, live, encryption, unread, rateLimitScale }: Dependencies) {
  const allowed = Math.max(1, Math.floor(messagesInWindow * rateLimitScale))
  const pace = createPace({ allowed, window: messageWindow, clock })
  const groups = createGroupCommit<Entry>({
    laneOf: ({ sending }) => sending.chat_dialog_id,
    writeGroup,
    writeAlone: ({ sending, resolve, reject }) => writeAgain(sending).then(resolve, reject),
  })

  return {
    /**
     * Sends a message, once per id. The message is committed when this resolves, and connected members get it live.
     * @param from the socket that sent it; it gets the acknowledgement and no live event
     * @throws 404; 409 `dialog_closed`, `conflict` for an id that another message has; 429; 503 if too many wait
     */
    async send(caller: SignedIn, body: z.infer<typeof SendMessage>, from?: string): Promise<Message> {
      const sending = { ...body, _id: body._id ?? random.uuid(clock.now()), caller, from }
      const wait = pace.take(caller.accountId)
      let isNew = false
      try {
        const written = wait === undefined ? await writeInGroup(sending) : await writeAgain(sending, wait)
        isNew = written.isNew
        return written.message
      } finally {
        // What was not written, or had been before, is none of the minute's.
        if (wait === undefined && !isNew) pace.giveBack(caller.accountId)
      }
    },
  }

  function writeInGroup(sending: Sending): Promise<Written> {
    return new Promise((resolve, reject) => {
      if (groups.add({ sending, resolve, reject })) return
      reject(
        fail('unavailable', 'We are very busy at the moment. Please try again shortly.', { retryAfter: 2 }),
      )
    })
  }

  async function writeGroup(entries: readonly Entry[]): Promise<WrittenGroup> {
    try {
      const sentAt = clock.now()
      const appended = await append(
        entries.map(({ sending }) => sending),
        sentAt,
      )
      const outcomes = appended.map((each): Outcome => {
        if (each === 'locked') return 'locked'
        return each === 'refused' ? 'alone' : 'settled'
      })
      return { outcomes, deliver: () => deliver(entries, appended, sentAt) }
    } catch (error) {
      const isAlone = ofOneMessage.test(sqlState(error) ?? '')
      return {
        outcomes: entries.map(() => (isAlone ? 'alone' : 'settled')),
        deliver() {
          if (!isAlone) for (const { reject } of entries) reject(error)
        },
      }
    }
  }

  /** Writes messages with one commit, as far as nothing may be in their way. */
  async function append(sendings: readonly Sending[], sentAt: Date): Promise<Appended[]> {
    const sealedKeys = await sealedKeysOf(sendings)
    const messages = sendings.map((sending) => encrypted(sending, sealedKeys.get(sending.chat_dialog_id)))
    const encryptedOnes = messages.filter((message) => message !== undefined)
    const appended = encryptedOnes.length > 0 ? await appendMessages(db, encryptedOnes, sentAt) : []
    return messages.map((message) => (message && appended.shift()) ?? 'refused')
  }

  /** The sealed keys of dialogs; one that was opened here lately is not read again. */
  async function sealedKeysOf(sendings: readonly Sending[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const sealedKeys = new Map<string, Uint8Array>()
    const unknown = new Set<string>()
    for (const { chat_dialog_id: dialogId } of sendings) {
      if (sealedKeys.has(dialogId)) continue
      const known = encryption.known(dialogId)
      if (known) sealedKeys.set(dialogId, known)
      else unknown.add(dialogId)
    }
    if (unknown.size === 0) return sealedKeys
    return new Map([...sealedKeys, ...(await store.readSealedKeys(db, [...unknown]))])
  }

  /** Returns undefined without a key, or with one that cannot be opened. */
  function encrypted(sending: Sending, sealedKey: Uint8Array | undefined): NewMessage | undefined {
    if (!sealedKey) return undefined
    const question = questionOf(sending)
    const { dialogId, messageId, accountId: senderId } = question
    try {
      const body = encryption.encrypt(sealedKey, { dialogId, messageId, senderId }, sending.message)
      return { ...question, sealedKey, body }
    } catch {
      // The longer path throws it to the sender alone.
      return undefined
    }
  }

  /** Sends the committed messages of a group to their readers, and acknowledges them. */
  function deliver(entries: readonly Entry[], appended: readonly Appended[], sentAt: Date): void {
    const committed: Committed[] = []
    const calls: (() => void)[] = []
    for (const [index, { sending, resolve }] of entries.entries()) {
      const place = appended[index]
      if (typeof place !== 'object') continue
      const { _id, chat_dialog_id, caller, message: text } = sending
      const row = { id: _id, seq: place.seq, sender_id: caller.accountId, sent_at: sentAt }
      const message = toWritten(chat_dialog_id, row, text)
      committed.push({ message, recipientId: place.other_id, from: sending.from })
      calls.push(() => resolve({ message, isNew: true }))
    }
    tell(committed)
    for (const call of calls) call()
  }

  /** Writes a message alone, once more if a concurrent statement was in its way. */
  async function writeAgain(sending: Sending, wait?: number): Promise<Written> {
    try {
      return await write(sending, wait)
    } catch (error) {
      // The same message is there now, or two got in each other's way.
      if (!inTheWay.has(sqlState(error) ?? '')) throw error
      return write(sending, wait)
    }
  }

  /**
   * Writes a message, or throws the error that prevents it. Returns an existing message with the same id. `wait` is the
   * seconds until a sender over the limit may write again.
   */
  async function write(sending: Sending, wait: number | undefined): Promise<Written> {
    const { message: text, from } = sending
    const question = questionOf(sending)
    const { dialogId, messageId, accountId: senderId } = question
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const opening = await store.lockForMessage(tx, question)
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
        // The process that wrote it may have ended before it told the reader.
        afterCommit(tx, () => live.tell([other_id], { type: 'chat.changed' }))
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
      const message = toWritten(dialogId, row, text)
      afterCommit(tx, () => tell([{ message, recipientId: other_id, from }]))
      return { message, isNew: true }
    })
  }

  /** Sends committed messages to connected members, and has readers notified who do not read them. */
  function tell(committed: readonly Committed[]): void {
    live.sendAll(
      committed.map(({ message, recipientId, from }) => ({
        accountIds: [message.sender_id, recipientId],
        event: 'message',
        carried: { chat_dialog_id: message.chat_dialog_id, message },
        except: from,
      })),
    )
    unread.push(
      committed.map(({ message, recipientId }) => ({
        dialog_id: message.chat_dialog_id,
        account_id: recipientId,
        seq: message.seq,
      })),
    )
  }
}

const questionOf = ({ _id, chat_dialog_id, caller }: Sending): store.Question => ({
  dialogId: chat_dialog_id,
  accountId: caller.accountId,
  loginSessionId: caller.loginSessionId,
  messageId: _id,
})

function closed(why: ReturnType<typeof closedFor>) {
  return fail(
    'dialog_closed',
    why === 'blocked_by_you'
      ? 'You have blocked this conversation. Unblock it to write again.'
      : 'This conversation is closed. Your message was not sent.',
  )
}
