import type { z } from 'zod'
import type {
  ClientShow,
  Dialog,
  Message,
  MessagesAfter,
  ReadMessages,
  TherapistShow,
} from '#contract/chat/chat.ts'
import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { createCredentials } from './chat.credentials.ts'
import { createEncryption } from './chat.encryption.ts'
import { dialogsOpenedByAccount, dialogsOpenedFromAddress } from './chat.limits.ts'
import { type Open, toDialog, toMessage } from './chat.mapper.ts'
import { fittingIn, largestAnswer } from './chat.rules.ts'
import { createSending } from './chat.sending.ts'
import * as store from './chat.store.ts'
import type { Unread } from './chat.unread.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'secrets' | 'live' | 'limits'> & {
  accounts: Accounts
  practitioners: Practitioners
  bookings: Pick<Bookings, 'haveMet'>
  sessions: Pick<PractitionerSessions, 'pairOf'>
  unread: Pick<Unread, 'push'>
  mints: { use(accountId: string): void }
  /** Multiplies the limit on messages. */
  rateLimitScale: number
}

export type Chat = ReturnType<typeof createChat>

/** Messages between clients and practitioners. A dialog has two members; to all other callers it is a 404. */
export function createChat(deps: Dependencies) {
  const { db, clock, random, live, limits, accounts, practitioners, bookings, sessions } = deps
  const credentials = createCredentials(deps)
  const encryption = createEncryption(deps.secrets, deps)
  const sending = createSending({ ...deps, encryption })

  const openerOf =
    (dialogId: string, sealedKey: Uint8Array): Open =>
    (place, body) =>
      encryption.decrypt(sealedKey, { dialogId, ...place }, body)

  return {
    openSession: credentials.openSession,
    identify: credentials.identify,
    stillGood: credentials.stillGood,
    tidy: credentials.tidy,

    /** A client's own data, with what they sign in to the chat with. */
    async clientShow(caller: SignedIn): Promise<ClientShow> {
      return { ...(await accounts.ownProfile(caller)), ...(await credentials.mint(caller)) }
    },

    /** As `clientShow`, of a practitioner. @throws 404 for an account without a profile */
    async therapistShow(caller: SignedIn): Promise<TherapistShow> {
      const practitioner = await practitioners.ofAccount(db, caller.accountId)
      const card = practitioner && (await practitioners.cards(db, [practitioner.id])).get(practitioner.id)
      if (!card) throw notFound('Your profile')
      return {
        practitioner_id: card.practitioner_id,
        first_name: card.first_name,
        last_name: card.last_name,
        profile_image: { thumb_256: card.profile_image.thumb_256 },
        ...(await credentials.mint(caller)),
      }
    },

    /** @throws 404, unless it is the caller or whom they are in a dialog with */
    async chatProfile(caller: SignedIn, id: string): Promise<AnswerOf<'GET /client/{id}/get-chat-profile'>> {
      const isVisible = id === caller.accountId || (await store.areInDialog(db, caller.accountId, id))
      const person = isVisible ? await accounts.person(db, id) : undefined
      if (!person) throw notFound('This profile')
      return { cc_id: id, full_name: fullName(person), main_image: null }
    },

    dialogs,

    /**
     * Returns the caller's dialog with the named person, or opens one. A client may open one with a practitioner who is
     * listed or has had a session with them. A practitioner may open one with the client of one of their sessions.
     * @throws 404; 422 if the body names no practitioner or appointment
     */
    async start(
      caller: SignedIn,
      { practitioner_id, appointment_id }: BodyOf<'POST /chat/dialogs'>,
      address: string,
    ): Promise<Dialog> {
      const pair =
        caller.role === 'client'
          ? practitioner_id && { clientAccountId: caller.accountId, practitionerId: practitioner_id }
          : appointment_id && (await sessions.pairOf(db, caller, appointment_id))
      const isOpen =
        pair && (await store.findDialogOf(db, pair.clientAccountId, pair.practitionerId)) !== undefined
      // A call for a dialog that exists does not count against the limits.
      if (!isOpen) {
        await limits.use(dialogsOpenedByAccount, caller.accountId)
        await limits.use(dialogsOpenedFromAddress, address)
      }
      const id = await inTransaction(db, async (tx) => {
        if (caller.role === 'client') {
          if (!practitioner_id) throw invalidField('practitioner_id', 'Say which practitioner.')
          return ask(tx, caller, practitioner_id)
        }
        if (!appointment_id) throw invalidField('appointment_id', 'Say which session.')
        const met = await sessions.pairOf(tx, caller, appointment_id)
        if (!(await accounts.person(tx, met.clientAccountId))) throw notFound('This client')
        return open(tx, met)
      })
      const [dialog] = await dialogs(caller, { _id: [id], limit: 1 })
      if (!dialog) throw notFound('This dialog')
      return dialog
    },

    open,

    async unread(caller: SignedIn): Promise<AnswerOf<'GET /chat/unread'>> {
      const { messages, dialogs: count } = await store.countUnread(db, caller.accountId)
      return { unread_messages_count: messages, unread_dialogs_count: count }
    },

    /** @throws 404 */
    async messages(caller: SignedIn, query: QueryOf<'GET /chat/messages'>): Promise<Message[]> {
      const access = await requireAccess(caller, query.chat_dialog_id)
      const rows = await store.readMessages(db, query.chat_dialog_id, query)
      const messages = toMessages(query.chat_dialog_id, access.sealed_key, rows)
      return query.sort_desc ? messages.toReversed() : messages
    },

    /** The first messages after one, and whether there are more after them. @throws 404 */
    async messagesAfter(
      caller: SignedIn,
      { chat_dialog_id, after, limit }: z.infer<typeof MessagesAfter>,
    ): Promise<{ messages: Message[]; more: boolean }> {
      const access = await requireAccess(caller, chat_dialog_id)
      const rows = await store.readMessages(db, chat_dialog_id, { after, limit: limit + 1 })
      const fitting = fittingIn(rows.slice(0, limit), largestAnswer)
      return {
        messages: toMessages(chat_dialog_id, access.sealed_key, fitting),
        more: rows.length > fitting.length,
      }
    },

    send: sending.send,

    /** Marks everything up to a message as read. The other one hears of it unless either has blocked the other. @throws 404 */
    async read(
      caller: SignedIn,
      { chat_dialog_id, up_to }: z.infer<typeof ReadMessages>,
    ): Promise<AnswerOf<'POST /chat/messages/read'>> {
      const mark = await store.markRead(db, chat_dialog_id, caller.accountId, up_to)
      if (!mark) throw notFound('This dialog')
      const read = { chat_dialog_id, reader_id: caller.accountId, up_to: mark.read_seq }
      const readers = mark.is_blocked ? [caller.accountId] : [caller.accountId, mark.other_id]
      if (mark.moved) live.send(readers, 'read', read)
      return read
    },

    /** Tells the other one that the caller is writing, unless either has blocked the other. @throws 404 */
    async typing(caller: SignedIn, dialogId: string): Promise<void> {
      const { other_id, is_blocked } = await requireAccess(caller, dialogId)
      if (is_blocked) return
      live.send([other_id], 'typing', { chat_dialog_id: dialogId, sender_id: caller.accountId })
    },

    recheckAfter,
    tellClientsOf,

    /** Ends the chats of a practitioner who was suspended or closed, once the transaction has committed. */
    async stopped(tx: Tx, practitioner: { accountId: string; practitionerId: number }): Promise<void> {
      recheckAfter(tx, practitioner.accountId)
      await tellClientsOf(tx, practitioner.practitionerId)
    },
  }

  /** Has every socket of an account look again whether it may stay, once the transaction has committed. */
  function recheckAfter(tx: Tx, accountId: string): void {
    afterCommit(tx, () => live.recheck(accountId))
  }

  /** Tells a practitioner's clients that their dialogs have closed or opened, once the transaction has committed. */
  async function tellClientsOf(tx: Tx, practitionerId: number): Promise<void> {
    const clients = await store.listClientsOf(tx, practitionerId)
    if (clients.length > 0) afterCommit(tx, () => live.tell(clients, { type: 'chat.changed' }))
  }

  /** The caller's dialogs, last active first. Those named that are not theirs are left out. */
  async function dialogs(caller: SignedIn, query: QueryOf<'GET /chat/dialogs'>): Promise<Dialog[]> {
    const rows = await store.readDialogs(db, caller.accountId, {
      ids: query._id,
      before: query.before,
      limit: query.limit,
    })
    const names = await accounts.names(db, [...new Set(rows.map((row) => row.client_id))])
    const ids = [...new Set(rows.map((row) => row.practitioner_id))]
    const cards = await practitioners.cards(db, ids)
    const listed = new Set(await practitioners.listedIds(db, ids))
    return rows.map((row) => {
      const card = cards.get(row.practitioner_id)
      const name = names.get(row.client_id)
      if (!card || !name) throw new Error('A dialog is without its people.')
      const { full_name, main_image, provider_types, practitioner_id } = card
      return toDialog(
        row,
        {
          client: { full_name: fullName(name), main_image: null },
          practitioner: {
            full_name,
            main_image,
            provider_types,
            practitioner_id,
            listed: listed.has(practitioner_id),
          },
        },
        openerOf(row.id, row.sealed_key),
      )
    })
  }

  async function ask(tx: Tx, { accountId }: SignedIn, practitionerId: number): Promise<string> {
    const present = await store.findDialogOf(tx, accountId, practitionerId)
    if (present) return present
    const mayAsk =
      (await practitioners.listed(tx, practitionerId)) ||
      (await bookings.haveMet(tx, accountId, practitionerId))
    if (!mayAsk) throw notFound('This practitioner')
    return open(tx, { clientAccountId: accountId, practitionerId, openedFor: 'enquiry' })
  }

  /** For later modules, and `start`: the dialog of a client and a practitioner, opened if there is none. Its id. */
  async function open(
    tx: Tx,
    {
      clientAccountId,
      practitionerId,
      openedFor = 'session',
    }: { clientAccountId: string; practitionerId: number; openedFor?: 'enquiry' | 'session' },
  ): Promise<string> {
    const present = await store.findDialogOf(tx, clientAccountId, practitionerId)
    if (present) return present
    const practitionerAccountId = await practitioners.accountOf(tx, practitionerId)
    if (!practitionerAccountId) throw notFound('This practitioner')
    const now = clock.now()
    const id = random.uuid(now)
    const dialog = {
      id,
      client_id: clientAccountId,
      practitioner_id: practitionerId,
      opened_for: openedFor,
      sealed_key: encryption.newKey(id),
      created_at: now,
    }
    if (await store.insertDialog(tx, dialog, practitionerAccountId)) {
      afterCommit(tx, () => live.tell([clientAccountId, practitionerAccountId], { type: 'chat.changed' }))
      return id
    }
    // A concurrent transaction inserted the row first; it is visible now.
    const theirs = await store.findDialogOf(tx, clientAccountId, practitionerId)
    if (!theirs) throw new Error('A dialog has gone.')
    return theirs
  }

  /** @throws 404 for a caller who is not a member */
  async function requireAccess(caller: SignedIn, dialogId: string): Promise<store.Access> {
    const access = await store.findAccess(db, dialogId, caller.accountId)
    if (!access) throw notFound('This dialog')
    return access
  }

  function toMessages(dialogId: string, sealedKey: Uint8Array, rows: store.MessageRow[]): Message[] {
    const opener = openerOf(dialogId, sealedKey)
    return rows.map((row) => toMessage(dialogId, row, opener))
  }
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()
