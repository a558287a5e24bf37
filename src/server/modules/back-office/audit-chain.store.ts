import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'

/** A place in the chain of the audit log: the entry's number and its hash. */
export type Anchor = { seq: number; hash: Buffer }

/** What of an entry is hashed, as text. */
export type ChainedEntry = {
  seq: number
  prev: Uint8Array
  hash: Uint8Array
  /** Microseconds since 1970. */
  micros: string
  actor_id: string | null
  actor_name: string | null
  action: string
  subject: string
  reason: string | null
  practitioner_id: number | null
}

/** The last entry of the chain as the database has it, and the lowest number of an entry that lies beyond it. */
export async function readHead(db: Db): Promise<(Anchor & { beyond: number | null }) | undefined> {
  const { rows } = await sql<{ seq: number; hash: Uint8Array; beyond: number | null }>`
    select h.seq, h.hash, (select min(e.seq) from audit_log e where e.seq > h.seq) as beyond
    from audit_head h`.execute(db)
  const [head] = rows
  return head && { ...head, hash: Buffer.from(head.hash) }
}

export async function countEntries(db: Db): Promise<number> {
  return countRows(db.selectFrom('audit_log'))
}

/** Entries after a number, in the chain's order. */
export async function readChain(db: Db, after: number, upTo: number, limit: number): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select seq, prev, hash, ((extract(epoch from at) * 1000000)::bigint)::text as micros, actor_id, actor_name,
      action, subject, reason, practitioner_id
    from audit_log where seq > ${after} and seq <= ${upTo} order by seq limit ${limit}`.execute(db)
  return rows
}

export async function hashAt(db: Db, seq: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('audit_log').select('hash').where('seq', '=', seq).executeTakeFirst()
  return row?.hash ? Buffer.from(row.hash) : undefined
}

export async function insertCheck(
  db: Db,
  check: { at: Date; seq: number; hash: Buffer; wrong_seq: number | null },
): Promise<void> {
  await db.insertInto('audit_checks').values(check).execute()
}

/** The newest check, and the newest one that found nothing wrong. */
export async function readChecks(db: Db) {
  const newest = (isWhole: boolean) =>
    db
      .selectFrom('audit_checks')
      .select(['at', 'seq', 'hash', 'wrong_seq'])
      .$if(isWhole, (query) => query.where('wrong_seq', 'is', null))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [last, whole] = await Promise.all([newest(false), newest(true)])
  return { last, whole }
}

/** When the first entry of the chain was written. */
export async function firstEntryAt(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('audit_log').select('at').where('seq', '=', 1).executeTakeFirst()
  return row?.at
}
