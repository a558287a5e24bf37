import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'
import { listOwnReports } from './moderation.store.ts'
import { createEncryption } from './chat.encryption.ts'
import * as store from './personal-data.store.ts'

/** What a client and their practitioners have written to each other. */
export function chatPersonalData({
  secrets,
  clock,
  live,
}: Pick<Deps, 'secrets' | 'clock' | 'live'>): PersonalData {
  const encryption = createEncryption(secrets, { clock })
  return {
    tables: [
      'chat_dialogs',
      'chat_members',
      'chat_messages',
      'chat_passwords',
      'chat_tokens',
      'chat_reports',
    ],
    kept: [],

    async exported(db, { accountId }) {
      const rows = await store.listWritten(db, accountId)
      return [
        {
          title: 'Your messages',
          about: 'What you and your practitioners wrote to each other, by conversation, oldest first.',
          entries: rows.map((row) => ({
            with: `${row.first_name} ${row.last_name}`,
            written_by: row.sender_id === accountId ? 'you' : 'your practitioner',
            sent_at: row.sent_at.toISOString(),
            message: encryption.decrypt(
              row.sealed_key,
              { dialogId: row.dialog_id, messageId: row.id, senderId: row.sender_id },
              row.body,
            ),
          })),
        },
        {
          title: 'What you reported about conversations',
          about: 'As you sent it to us, with how many messages you attached.',
          entries: (await listOwnReports(db, accountId)).map((row) => ({
            reported_at: row.created_at.toISOString(),
            reason: secrets.open('chat report', row.id, row.sealed_reason).toString(),
            messages_attached: row.messages_count,
            settled: row.state === 'settled',
          })),
        },
      ]
    },

    // The conversations go as a whole: what a practitioner wrote in them is about the client too.
    async erase(tx, { accountId }) {
      const others = await store.deleteDialogs(tx, accountId)
      if (others.length > 0) afterCommit(tx, () => live.tell(others, { type: 'chat.changed' }))
    },
  }
}
