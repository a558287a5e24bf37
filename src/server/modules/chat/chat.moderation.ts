import { reportsOfAccount } from '../accounts/accounts.limits.ts'
import { z } from 'zod'
import type { Dialog } from '#contract/chat/chat.ts'
import type { ChatReport } from '#contract/back-office/chat-reports.ts'
import { AttachedMessage } from '#contract/back-office/chat-reports.ts'
import type { BodyOf } from '#contract/endpoints.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import * as moderation from './moderation.store.ts'
import { createEncryption } from './chat.encryption.ts'
import type { Chat } from './chat.service.ts'
import { findAccess } from './chat.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'secrets' | 'live' | 'limits' | 'events'> & {
  chat: Pick<Chat, 'dialogs'>
}

/** Who settled it, the back office knows. */
export type ReportOfChat = Omit<ChatReport, 'settled_by' | 'settled_reason'>

export type ChatModeration = ReturnType<typeof createChatModeration>

/** Blocks and reports of dialogs. */
export function createChatModeration(deps: Dependencies) {
  const { db, clock, random, secrets, live, limits, events, chat } = deps
  const encryption = createEncryption(secrets, { clock })

  return {
    /** Closes a dialog to messages of both members. Repeating it changes nothing. @throws 404 */
    block: (caller: SignedIn, dialogId: string): Promise<Dialog> => setBlocked(caller, dialogId, true),

    /** Lifts the caller's own block; the other member's stays. @throws 404 */
    unblock: (caller: SignedIn, dialogId: string): Promise<Dialog> => setBlocked(caller, dialogId, false),

    /**
     * Reports a dialog, with the messages that the reporter lets the back office see.
     * @throws 404, for a message of another dialog too; 409 `conflict` while an earlier report of it is open; 429
     */
    async report(
      caller: SignedIn,
      dialogId: string,
      { reason, message_ids }: BodyOf<'POST /chat/dialogs/{id}/report'>,
    ): Promise<'success'> {
      const access = await requireAccess(caller, dialogId)
      await limits.use(reportsOfAccount, caller.accountId)
      const ids = [...new Set(message_ids.map((id) => id.toLowerCase()))]
      const rows = ids.length === 0 ? [] : await moderation.readNamed(db, dialogId, ids)
      if (rows.length !== ids.length) throw notFound('One of these messages')
      const attached = rows.map(
        (row): AttachedMessage => ({
          message: encryption.decrypt(
            access.sealed_key,
            { dialogId, messageId: row.id, senderId: row.sender_id },
            row.body,
          ),
          date_sent: Math.floor(row.sent_at.getTime() / 1000),
          by: row.sender_id === caller.accountId ? 'reporter' : 'other',
        }),
      )
      const now = clock.now()
      const id = random.uuid(now)
      const seal = (text: string) => secrets.seal('chat report', id, Buffer.from(text))
      const isNew = await inTransaction(db, async (tx) => {
        const isInserted = await moderation.insertReport(tx, {
          id,
          dialog_id: dialogId,
          reporter_id: caller.accountId,
          sealed_reason: seal(reason),
          sealed_messages: attached.length > 0 ? seal(JSON.stringify(attached)) : null,
          messages_count: attached.length,
          created_at: now,
        })
        if (isInserted) await events.announce(tx, 'decision.asked', { of: 'conversation', id })
        return isInserted
      })
      if (!isNew) throw fail('conflict', 'You have already reported this conversation. We are looking at it.')
      return 'success'
    },

    // For the back office --------------------------------------------------------------------------------------------

    async reports(handle: Db, state: 'open' | 'settled', range: { limit: number; offset: number }) {
      const rows = await moderation.listReports(handle, state, range)
      return { data: rows.map(toReport), total: await moderation.countReports(handle, state) }
    },

    /** A report and the messages that were attached to it. The caller writes down who looked. @throws 404 */
    async attached(handle: Db, id: string): Promise<{ report: ReportOfChat; messages: AttachedMessage[] }> {
      const row = await moderation.findReport(handle, id)
      const sealed = row && (await moderation.readSealedMessages(handle, id))
      if (!row || sealed === undefined) throw notFound('This report')
      const messages = sealed === null ? '[]' : secrets.open('chat report', id, sealed).toString()
      return { report: toReport(row), messages: z.array(AttachedMessage).parse(JSON.parse(messages)) }
    },

    /** @throws 404; 409 `transition_refused` */
    async resolve(tx: Tx, id: string): Promise<ReportOfChat> {
      const isNews = await moderation.resolveReport(tx, id, clock.now())
      const row = await moderation.findReport(tx, id)
      if (!row) throw notFound('This report')
      if (!isNews) throw fail('transition_refused', 'This report has already been settled.')
      return toReport(row)
    },
  }

  async function setBlocked(caller: SignedIn, dialogId: string, isBlocked: boolean): Promise<Dialog> {
    const { other_id } = await requireAccess(caller, dialogId)
    const by = caller.role === 'client' ? 'client' : 'practitioner'
    await inTransaction(db, async (tx) => {
      const changed = await moderation.setBlocked(tx, dialogId, by, isBlocked)
      if (!changed) return
      if (isBlocked) await events.announce(tx, 'chat.blocked', changed)
      afterCommit(tx, () => live.tell([caller.accountId, other_id], { type: 'chat.changed' }))
    })
    const [dialog] = await chat.dialogs(caller, { _id: [dialogId], limit: 1 })
    if (!dialog) throw notFound('This dialog')
    return dialog
  }

  /** @throws 404 for a caller who is not a member */
  async function requireAccess(caller: SignedIn, dialogId: string) {
    const access = await findAccess(db, dialogId, caller.accountId)
    if (!access) throw notFound('This dialog')
    return access
  }

  function toReport(row: moderation.ReportRow): ReportOfChat {
    const isClient = row.reporter_role === 'client'
    const name = (first: string, last: string) => `${first} ${last}`.trim()
    return {
      report_id: row.id,
      status: row.state,
      reason: secrets.open('chat report', row.id, row.sealed_reason).toString(),
      created_at: row.created_at.toISOString(),
      settled_at: row.settled_at?.toISOString() ?? null,
      reporter: {
        name: name(row.reporter_first_name, row.reporter_last_name),
        email: row.reporter_email,
        is: isClient ? 'client' : 'practitioner',
      },
      about: {
        name: name(row.other_first_name, row.other_last_name),
        email: row.other_email,
        practitioner_id: isClient ? row.practitioner_id : null,
      },
      messages_count: row.messages_count,
    }
  }
}
