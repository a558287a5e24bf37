import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { prepare } from '../../db/prepared.ts'

export type Reader = { dialog_id: string; account_id: string }
/** A message that a reader has received. */
export type Received = Reader & { seq: number }
type Times = {
  /** Messages from then on have not been unread for long enough. */
  unreadSince: Date
  /** A member mailed about a dialog after this time is not mailed about it again yet. */
  mailedBefore: Date
  /** The queue still tries to send mails from then on. */
  triedSince: Date
  now: Date
}

/** Members with unread messages that they were not mailed about, in dialogs that are open. */
const due = ({ unreadSince, mailedBefore, triedSince, now }: Times) => sql`
  from chat_members reader
  join chat_dialogs d on d.id = reader.dialog_id
  join chat_members writer on writer.dialog_id = d.id and writer.account_id <> reader.account_id
  join practitioners p on p.id = d.practitioner_id
  left join lateral (
    select max(settled_at) filter (where outcome in ('sent', 'refused')) as mailed_at,
      max((data ->> 'seq')::int) filter (where outcome in ('sent', 'refused')) as mailed_seq,
      bool_or(outcome is null and created_at > ${triedSince} and (claimed_until is null or claimed_until > ${now})) as is_waiting
    from outgoing_mails
    where subject_type = 'dialog' and subject_id = d.id::text and recipient = reader.account_id::text) u on true
  where reader.read_seq < d.last_seq
    and not d.client_blocks and not d.practitioner_blocks and p.state not in ('suspended', 'closed')
    and (u.mailed_at is null or u.mailed_at <= ${mailedBefore})
    and exists (select from chat_messages m where m.dialog_id = d.id and m.sender_id = writer.account_id
      and m.seq > greatest(reader.read_seq, coalesce(u.mailed_seq, 0)) and m.sent_at <= ${unreadSince})`

/** Whom a mail is due to that they want, of dialogs in which something was written after `activeSince`. */
export async function listDue(
  db: Db,
  times: Times & { activeSince: Date },
  limit: number,
): Promise<Reader[]> {
  const { rows } = await sql<Reader>`select d.id as dialog_id, reader.account_id ${due(times)}
    and u.is_waiting is not true
    and not exists (select from notice_choices c where c.account_id = reader.account_id and not c.unread_mail)
    and d.active_on >= (${times.activeSince}::timestamptz at time zone 'UTC')::date
    and d.active_at > ${times.activeSince} order by d.active_at limit ${limit}`.execute(db)
  return rows
}

/** The last message of a dialog, if a mail about it is due to the reader. */
export async function findDue(
  db: Db,
  { dialog_id, account_id }: Reader,
  times: Times,
): Promise<number | undefined> {
  const { rows } = await sql<{ last_seq: number }>`select d.last_seq ${due(times)}
    and d.id = ${dialog_id} and reader.account_id = ${account_id}`.execute(db)
  return rows[0]?.last_seq
}

const readUnread = prepare(
  (at: {
    dialogIds: readonly string[]
    accountIds: readonly string[]
    seqs: readonly number[]
  }) => sql<Reader>`
    select m.dialog_id, m.account_id
    from unnest(
      (select ${at.dialogIds}::uuid[]), (select ${at.accountIds}::uuid[]), (select ${at.seqs}::int[])
    ) as r (dialog_id, account_id, seq)
    join chat_members m on m.dialog_id = r.dialog_id and m.account_id = r.account_id
    group by m.dialog_id, m.account_id, m.read_seq
    having m.read_seq < max(r.seq)`,
)

/** Those of some readers who have not read the messages yet, each once for a dialog. */
export function listUnread(db: Db, messages: readonly Received[]): Promise<Reader[]> {
  return readUnread(db, {
    dialogIds: messages.map(({ dialog_id }) => dialog_id),
    accountIds: messages.map(({ account_id }) => account_id),
    seqs: messages.map(({ seq }) => seq),
  })
}
