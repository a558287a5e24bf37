import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { prepare } from '../../db/prepared.ts'
import type { Question } from './chat.store.ts'

/** A message to append, encrypted with the key of its dialog. */
export type NewMessage = Question & { sealedKey: Uint8Array; body: Uint8Array }

/** What appending a message came to: its number and the other member, or what prevented it. */
export type Appended = { seq: number; other_id: string } | 'locked' | 'refused'

/** A dialog, with its practitioner, that takes messages encrypted with this key. */
const takesMessages = (sealedKey: RawBuilder<Uint8Array>) => sql`
  d.sealed_key = ${sealedKey} and not d.client_blocks and not d.practitioner_blocks
    and p.state not in ('suspended', 'closed')`

// Lists stand in selects of their own: if the planner knew their lengths, it would plan again for each group.
const appendGroup = prepare(
  (at: {
    dialogIds: readonly string[]
    sealedKeys: readonly Uint8Array[]
    firsts: readonly number[]
    lasts: readonly number[]
    messageIds: readonly string[]
    accountIds: readonly string[]
    loginSessionIds: readonly string[]
    bodies: readonly Uint8Array[]
    sentAt: Date
  }) => sql<{ place: number; seq: number | null; id: string }>`
    with locked as materialized (
      select g.first, g.last, d.id, d.last_seq, d.client_id, p.account_id,
        ${takesMessages(sql`g.sealed_key`)} as is_open
      from unnest(
        (select ${at.dialogIds}::uuid[]), (select ${at.sealedKeys}::bytea[]),
        (select ${at.firsts}::int[]), (select ${at.lasts}::int[])
      ) as g (id, sealed_key, first, last)
      join chat_dialogs d on d.id = g.id
      join practitioners p on p.id = d.practitioner_id
      order by d.id
      for update of d skip locked
    ), accepted as materialized (
      select l.id as dialog_id, (l.first + m.nth - 1)::int as place,
        (l.last_seq + row_number() over (partition by l.id order by m.nth))::int as seq,
        m.id, m.sender_id, m.body, case m.sender_id when l.client_id then l.account_id else l.client_id end as other_id
      from locked l
      cross join lateral unnest(
        (${at.messageIds}::uuid[])[l.first:l.last], (${at.accountIds}::uuid[])[l.first:l.last],
        (${at.loginSessionIds}::uuid[])[l.first:l.last], (${at.bodies}::bytea[])[l.first:l.last]
      ) with ordinality as m (id, sender_id, login_session_id, body, nth)
      join login_sessions s on s.id = m.login_session_id and s.ended_at is null
      where l.is_open and m.sender_id in (l.client_id, l.account_id)
        and (select e.seq from chat_messages e where e.dialog_id = l.id and e.id = m.id) is null
        and m.id <> all((${at.messageIds}::uuid[])[l.first:l.first + m.nth::int - 2])
    ), written as (
      insert into chat_messages (dialog_id, seq, id, sender_id, body, sent_at)
      select dialog_id, seq, id, sender_id, body, ${at.sentAt}::timestamptz from accepted
    ), numbered as (
      update chat_dialogs d set last_seq = a.last_seq, active_at = ${at.sentAt}::timestamptz
      from (select dialog_id, max(seq) as last_seq from accepted group by dialog_id) a
      where d.id = a.dialog_id
    )
    select place, seq, other_id as id from accepted
    union all
    select 0, null, id from locked`,
)

// As of a group, in the fewest steps: started for one message, the other statement takes twice as long.
const appendOne = prepare(
  (at: NewMessage & { sentAt: Date }) => sql<{
    seq: number | null
    id: string
  }>`
    with locked as materialized (
      select d.id, d.last_seq + 1 as seq, ${takesMessages(sql`${at.sealedKey}::bytea`)}
          and ${at.accountId}::uuid in (d.client_id, p.account_id)
          and exists (select from login_sessions s where s.id = ${at.loginSessionId}::uuid and s.ended_at is null)
          and not exists (select from chat_messages e where e.dialog_id = d.id and e.id = ${at.messageId}::uuid)
          as is_accepted,
        case ${at.accountId}::uuid when d.client_id then p.account_id else d.client_id end as other_id
      from chat_dialogs d join practitioners p on p.id = d.practitioner_id
      where d.id = ${at.dialogId}::uuid
      for update of d skip locked
    ), written as (
      insert into chat_messages (dialog_id, seq, id, sender_id, body, sent_at)
      select id, seq, ${at.messageId}::uuid, ${at.accountId}::uuid, ${at.body}::bytea, ${at.sentAt}::timestamptz
      from locked where is_accepted
    ), numbered as (
      update chat_dialogs d set last_seq = l.seq, active_at = ${at.sentAt}::timestamptz
      from locked l where d.id = l.id and l.is_accepted
    )
    select case when is_accepted then seq end as seq, other_id as id from locked`,
)

/**
 * Appends messages to their dialogs and commits them, in the given order within each dialog. Waits for no lock: the
 * messages of a dialog that another transaction has locked are `locked`. A message is `refused` if a condition may
 * prevent it, if its id is used, or if the dialog's key is not the one that it was encrypted with; `lockForMessage` then
 * finds the reason.
 * @param messages those of one dialog encrypted with one key
 * @throws 23505 for an id that was just used; then none is written
 */
export async function appendMessages(
  db: Db,
  messages: readonly NewMessage[],
  sentAt: Date,
): Promise<Appended[]> {
  const [only] = messages
  if (only && messages.length === 1) {
    const [row] = await appendOne(db, { ...only, sentAt })
    if (!row) return ['locked']
    return [row.seq === null ? 'refused' : { seq: row.seq, other_id: row.id }]
  }
  // Every instance locks dialogs in the order of their ids.
  const inOrder = messages
    .map((message, index) => ({ ...message, index }))
    .sort((one, other) => compare(one.dialogId, other.dialogId) || one.index - other.index)
  const dialogs: { id: string; sealedKey: Uint8Array; first: number; last: number }[] = []
  for (const [index, { dialogId, sealedKey }] of inOrder.entries()) {
    const before = dialogs.at(-1)
    if (before?.id === dialogId) before.last = index + 1
    else dialogs.push({ id: dialogId, sealedKey, first: index + 1, last: index + 1 })
  }
  const rows = await appendGroup(db, {
    dialogIds: dialogs.map(({ id }) => id),
    sealedKeys: dialogs.map(({ sealedKey }) => sealedKey),
    firsts: dialogs.map(({ first }) => first),
    lasts: dialogs.map(({ last }) => last),
    messageIds: inOrder.map(({ messageId }) => messageId),
    accountIds: inOrder.map(({ accountId }) => accountId),
    loginSessionIds: inOrder.map(({ loginSessionId }) => loginSessionId),
    bodies: inOrder.map(({ body }) => body),
    sentAt,
  })
  const unlocked = new Set(rows.flatMap(({ seq, id }) => (seq === null ? [id] : [])))
  const appended = messages.map(({ dialogId }): Appended => (unlocked.has(dialogId) ? 'refused' : 'locked'))
  for (const { place, seq, id } of rows) {
    const message = inOrder[place - 1]
    if (seq !== null && message) appended[message.index] = { seq, other_id: id }
  }
  return appended
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
