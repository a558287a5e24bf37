import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { containing } from '../../db/containing.ts'
import { type CappedCount, countCapped } from '../../db/count-rows.ts'
import { beforeCommit } from '../../db/transaction.ts'

export type NewEntry = {
  at: Date
  /** Null if no account acted; `actor_name` then names the actor. */
  actor_id: string | null
  actor_name?: string
  action: string
  subject: string
  reason?: string | null
  /** The practitioner that the entry is about, if any. */
  practitioner_id?: number | null
}

/** Writes an entry at the end of the transaction: it locks the head of the chain, which every entry needs. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  beforeCommit(tx, async () => void (await tx.insertInto('audit_log').values(entry).execute()))
}

export type EntryFilter = {
  action?: string | undefined
  practitionerId?: number | undefined
  /** Part of the name or email of the actor. */
  actor?: string | undefined
}

const matching = ({ action, practitionerId, actor }: EntryFilter) =>
  sql<boolean>`(${action ?? null}::text is null or e.action = ${action ?? null})
    and (${practitionerId ?? null}::int is null or e.practitioner_id = ${practitionerId ?? null})
    and ${containing(actor, sql`a.email, a.first_name || ' ' || a.last_name, e.actor_name`)}`

/** Entries with who acted, newest first. */
export async function readEntries(db: Db, filter: EntryFilter, range: { limit: number; offset: number }) {
  return db
    .selectFrom('audit_log as e')
    .leftJoin('accounts as a', 'a.id', 'e.actor_id')
    .select([
      'e.id',
      'e.at',
      'e.action',
      'e.subject',
      'e.practitioner_id',
      'e.reason',
      'e.actor_name',
      'a.first_name',
      'a.last_name',
      'a.email',
    ])
    .where(matching(filter))
    .orderBy('e.id', 'desc')
    .limit(range.limit)
    .offset(range.offset)
    .execute()
}

/** Who acted last on each of some subjects, by one of some actions. Subjects without an entry are left out. */
export async function lastActors(
  db: Db,
  actions: string[],
  subjects: string[],
): Promise<Map<string, { id: number; actor: string; reason: string | null }>> {
  if (subjects.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_log as e')
    .leftJoin('accounts as a', 'a.id', 'e.actor_id')
    .select(['e.id', 'e.subject', 'e.reason', 'e.actor_name', 'a.first_name', 'a.last_name'])
    .where('e.action', 'in', actions)
    .where('e.subject', 'in', subjects)
    .orderBy('e.id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.subject,
      {
        id: row.id,
        actor: row.actor_name ?? `${row.first_name} ${row.last_name}`.trim(),
        reason: row.reason,
      },
    ]),
  )
}

export function countEntries(db: Db, filter: EntryFilter): Promise<CappedCount> {
  return countCapped(
    db,
    sql`select from audit_log e left join accounts a on a.id = e.actor_id where ${matching(filter)}`,
  )
}

/** Every action there is an entry of. Each is found behind the one before it: there are few, and many entries. */
export async function readActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive found as (
      (select action from audit_log order by action limit 1)
      union all
      select (select e.action from audit_log e where e.action > f.action order by e.action limit 1)
      from found f where f.action is not null
    )
    select action from found where action is not null order by action`.execute(db)
  return rows.map((row) => row.action)
}
