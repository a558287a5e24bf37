import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'

/** Reasons why a dialog is closed, as one of its members sees it. */
type Hindrances = {
  blocked_by_caller: boolean
  blocked_by_other: boolean
  other_has_left: boolean
  practitioner_suspended: boolean
}

/** A dialog as one of its two sees it. */
export type DialogRow = Hindrances & {
  id: string
  client_id: string
  practitioner_id: number
  practitioner_account_id: string
  sealed_key: Uint8Array
  last_seq: number
  created_at: Date
  read_seq: number
  other_read_seq: number
  unread: number
  /** Of the last message; null while there is none. */
  last_id: string | null
  last_sender_id: string | null
  last_body: Uint8Array | null
  last_sent_at: Date | null
}

/** A dialog of the caller, as an action in it needs it. */
export type Access = {
  /** The other one's account. */
  other_id: string
  sealed_key: Uint8Array
  last_seq: number
  /** By either of the two. */
  is_blocked: boolean
}

export type MessageRow = { id: string; seq: number; sender_id: string; body: Uint8Array; sent_at: Date }

const both = sql`
  join chat_members caller on caller.dialog_id = d.id
  join chat_members partner on partner.dialog_id = d.id and partner.account_id <> caller.account_id`
const people = sql`
  join accounts other on other.id = partner.account_id
  join practitioners p on p.id = d.practitioner_id`
const isClient = sql`caller.account_id = d.client_id`
const hindrances = sql`
  case when ${isClient} then d.client_blocks else d.practitioner_blocks end as blocked_by_caller,
  case when ${isClient} then d.practitioner_blocks else d.client_blocks end as blocked_by_other,
  other.deleted_at is not null as other_has_left, p.state in ('suspended', 'closed') as practitioner_suspended`

/** How far the caller sees that the other one has read: no further than when the first of them blocked the other. */
const shownToCaller = sql`
  case when d.client_blocks or d.practitioner_blocks then coalesce(partner.shown_read_seq, partner.read_seq) else partner.read_seq end`

type Range = { ids?: string[] | undefined; before?: string | undefined; limit: number }

/**
 * The caller's dialogs, last active first: those named, or those before one in this order. All of them if that one was
 * deleted meanwhile, so that the rest is not lost to a caller who reads page by page.
 */
export async function readDialogs(
  db: Db,
  accountId: string,
  { ids, before, limit }: Range,
): Promise<DialogRow[]> {
  const named = ids ? sql`and d.id = any(${ids}::uuid[])` : sql``
  const earlier = before
    ? sql`and ((d.active_at, d.id) < (select b.active_at, b.id from chat_dialogs b where b.id = ${before}::uuid)) is not false`
    : sql``
  const { rows } = await sql<DialogRow>`
    select d.id, d.client_id, d.practitioner_id, p.account_id as practitioner_account_id, d.sealed_key, d.last_seq,
      d.created_at, caller.read_seq, ${shownToCaller} as other_read_seq, ${hindrances},
      (select count(*)::int from chat_messages m
        where m.dialog_id = d.id and m.seq > caller.read_seq and m.sender_id <> caller.account_id) as unread,
      l.id as last_id, l.sender_id as last_sender_id, l.body as last_body, l.sent_at as last_sent_at
    from chat_dialogs d ${both} ${people}
    left join chat_messages l on l.dialog_id = d.id and l.seq = d.last_seq
    where caller.account_id = ${accountId}::uuid ${named} ${earlier}
    order by d.active_at desc, d.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** Messages and dialogs that an account has not read. */
export async function countUnread(db: Db, accountId: string): Promise<{ messages: number; dialogs: number }> {
  const { rows } = await sql<{ messages: number; dialogs: number }>`
    select count(*)::int as messages, count(distinct m.dialog_id)::int as dialogs
    from chat_members caller
    join chat_messages m on m.dialog_id = caller.dialog_id and m.seq > caller.read_seq and m.sender_id <> caller.account_id
    where caller.account_id = ${accountId}::uuid`.execute(db)
  return rows[0] ?? { messages: 0, dialogs: 0 }
}

export async function findAccess(db: Db, dialogId: string, accountId: string): Promise<Access | undefined> {
  const [row] = await runPrepared(
    db,
    sql<Access>`
      select partner.account_id as other_id, d.sealed_key, d.last_seq, d.client_blocks or d.practitioner_blocks as is_blocked
      from chat_dialogs d ${both}
      where d.id = ${dialogId}::uuid and caller.account_id = ${accountId}::uuid`,
  )
  return row
}

/** The clients who have a dialog with a practitioner. */
export async function listClientsOf(db: Db, practitionerId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('chat_dialogs')
    .select('client_id')
    .where('practitioner_id', '=', practitionerId)
    .execute()
  return rows.map((row) => row.client_id)
}

/** Whether two accounts are in a dialog with each other. */
export async function areInDialog(db: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await sql`
    select from chat_dialogs d ${both}
    where caller.account_id = ${one}::uuid and partner.account_id = ${other}::uuid limit 1`.execute(db)
  return rows.length > 0
}

// Opening -----------------------------------------------------------------------------------------------------------

export async function findDialogOf(
  db: Db,
  clientId: string,
  practitionerId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('chat_dialogs')
    .select('id')
    .where('client_id', '=', clientId)
    .where('practitioner_id', '=', practitionerId)
    .executeTakeFirst()
  return row?.id
}

/** Whether it is new: the two may have one already, or get one at the same moment. */
export async function insertDialog(
  tx: Tx,
  dialog: NewRow<'chat_dialogs', 'active_at'>,
  practitionerAccountId: string,
): Promise<boolean> {
  const row = await tx
    .insertInto('chat_dialogs')
    .values({ ...dialog, active_at: dialog.created_at })
    .onConflict((conflict) => conflict.columns(['client_id', 'practitioner_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await tx
    .insertInto('chat_members')
    .values(
      [dialog.client_id, practitionerAccountId].map((account_id) => ({ dialog_id: row.id, account_id })),
    )
    .execute()
  return true
}

// Messages ----------------------------------------------------------------------------------------------------------

/** Where a new message would stand, and what may be in its way. */
export type Opening = Omit<Access, 'is_blocked'> &
  Hindrances & {
    /** The sender's sign-in still holds. */
    signed_in: boolean
    /** The message that has this id already. */
    earlier: { seq: number; sender_id: string; body: Uint8Array; sent_at: Date } | null
  }

export type Question = {
  dialogId: string
  accountId: string
  loginSessionId: string
  messageId: string
}

const readKeys = prepare(
  (at: { dialogIds: readonly string[] }) => sql<{ id: string; sealed_key: Uint8Array }>`
    select id, sealed_key from chat_dialogs where id = any((select ${at.dialogIds}::uuid[])::uuid[])`,
)

/** Reads the sealed keys of dialogs, for any caller: `appendMessages` finds whether the sender is a member. */
export async function readSealedKeys(db: Db, dialogIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  const rows = await readKeys(db, { dialogIds })
  return new Map(rows.map(({ id, sealed_key }) => [id, sealed_key]))
}

/** Locks a dialog for a message until the transaction ends, so that no other message takes the next number. */
export async function lockForMessage(tx: Tx, question: Question): Promise<Opening | undefined> {
  const { dialogId, accountId, loginSessionId, messageId } = question
  const { rows } = await sql<
    Omit<Opening, 'earlier'> & {
      earlier_seq: number | null
      earlier_sender_id: string
      earlier_body: Uint8Array
      earlier_sent_at: Date
    }
  >`
    select partner.account_id as other_id, d.sealed_key, d.last_seq, ${hindrances},
      exists (select from login_sessions s where s.id = ${loginSessionId}::uuid and s.ended_at is null) as signed_in,
      e.seq as earlier_seq, e.sender_id as earlier_sender_id, e.body as earlier_body, e.sent_at as earlier_sent_at
    from chat_dialogs d ${both} ${people}
    left join chat_messages e on e.dialog_id = d.id and e.id = ${messageId}::uuid
    where d.id = ${dialogId}::uuid and caller.account_id = ${accountId}::uuid
    for update of d`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { earlier_seq, earlier_sender_id, earlier_body, earlier_sent_at, ...opening } = row
  return {
    ...opening,
    earlier:
      earlier_seq === null
        ? null
        : { seq: earlier_seq, sender_id: earlier_sender_id, body: earlier_body, sent_at: earlier_sent_at },
  }
}

/** Appends a message to a dialog locked by `lockForMessage`. @throws 23505 for an id that was just used */
export async function insertMessage(tx: Tx, dialogId: string, message: MessageRow): Promise<void> {
  const { id, seq, sender_id, body, sent_at } = message
  await sql`
    with written as (
      insert into chat_messages (dialog_id, seq, id, sender_id, body, sent_at)
      values (${dialogId}, ${seq}, ${id}, ${sender_id}, ${body}, ${sent_at})
    )
    update chat_dialogs set last_seq = ${seq}, active_at = ${sent_at} where id = ${dialogId}`.execute(tx)
}

/** Messages of a dialog in their order: those before or after a number, the nearest to it; the last ones without. */
export async function readMessages(
  db: Db,
  dialogId: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<MessageRow[]> {
  let query = db
    .selectFrom('chat_messages')
    .select(['id', 'seq', 'sender_id', 'body', 'sent_at'])
    .where('dialog_id', '=', dialogId)
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit)
  if (before !== undefined) query = query.where('seq', '<', before)
  if (after !== undefined) query = query.where('seq', '>', after)
  const rows = await query.execute()
  return after === undefined ? rows.toReversed() : rows
}

/** Moves a member's read mark forward. Returns undefined for an account outside the dialog. */
export async function markRead(
  db: Db,
  dialogId: string,
  accountId: string,
  upTo: number,
): Promise<{ read_seq: number; moved: boolean; other_id: string; is_blocked: boolean } | undefined> {
  const [row] = await runPrepared(
    db,
    sql<{ read_seq: number; moved: boolean; other_id: string; is_blocked: boolean }>`
      with moved as (
        update chat_members m set read_seq = least(${upTo}::int, d.last_seq) from chat_dialogs d
        where d.id = m.dialog_id and m.dialog_id = ${dialogId}::uuid and m.account_id = ${accountId}::uuid
          and m.read_seq < least(${upTo}::int, d.last_seq)
        returning m.read_seq
      )
      select coalesce(moved.read_seq, caller.read_seq) as read_seq, moved.read_seq is not null as moved,
        partner.account_id as other_id, d.client_blocks or d.practitioner_blocks as is_blocked
      from chat_dialogs d ${both} left join moved on true
      where d.id = ${dialogId}::uuid and caller.account_id = ${accountId}::uuid`,
  )
  return row
}
