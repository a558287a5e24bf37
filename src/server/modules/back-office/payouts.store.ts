import { sql } from 'kysely'
import type { SuspensionCause } from '#contract/back-office/back-office.ts'
import type { PayoutReversalReason } from '#contract/back-office/practitioners.ts'
import type { Db } from '../../db/connection.ts'
import { containing } from '../../db/containing.ts'
import { countRows } from '../../db/count-rows.ts'

export type PayableRow = {
  practitioner_id: number
  first_name: string
  last_name: string
  email: string | null
  owed_pence: number
  held_pence: number
  paid_out_at: Date | null
  /** Of the suspension that has not ended, or has by the closing of the profile. */
  suspended_for: SuspensionCause | null
}

/** Whose rows are meant; null for all. */
type Ids = readonly number[] | null

/**
 * Whether the client may still dispute a no-show, or its dispute is undecided. A no-show declared by the previous
 * release counts from the session's end.
 */
const isContestable = (now: Date) => sql`(coalesce(n.state, 'declared') = 'disputed'
  or (coalesce(n.state, 'declared') <> 'upheld'
    and coalesce(n.dispute_until, b.ends_at + interval '14 days') > ${now}))`

/** The sessions whose money may still go back to its client. Few beside all that were ever held, so balances start here. */
const unsettled = (now: Date, ids: Ids) => {
  const ours = sql`(${ids}::int[] is null or b.practitioner_id = any(${ids}::int[]))`
  return sql`
    -- Until a day after it, a client whose practitioner did not come has the money back at once.
    select b.id from appointments b
    where b.state = 'confirmed' and b.ends_at > ${now}::timestamptz - interval '1 day' and ${ours}
    union
    select b.id from appointments b left join no_shows n on n.appointment_id = b.id
    where b.state = 'no_show' and ${isContestable(now)} and ${ours}
    union
    -- Captured at the gateway by other hands before it was booked.
    select b.id from appointments b where b.state in ('draft', 'pending') and ${ours}
    union
    -- And is about to be given back.
    select i.appointment_id from payment_intents i where i.state = 'voiding' and i.captured_elsewhere_at is not null
    union
    select b.id from appointments b where b.state = 'reserved' and ${ours}
    union
    select i.appointment_id from refunds r join payment_intents i on i.id = r.payment_intent_id
    where r.state = 'requested'
    union
    select i.appointment_id from gateway_incidents g join payment_intents i on i.id = g.payment_key
    where g.kind in ('dispute', 'refund_failed') and g.resolved_at is null`
}

/** What the ledger owes for those sessions, by practitioner. */
const held = (now: Date, ids: Ids) => sql`
  select e.practitioner_id, -sum(e.amount_pence) as pence
  from (${unsettled(now, ids)}) b
  join payment_intents i on i.appointment_id = b.id
  cross join lateral (
    select t.id from ledger_transactions t where t.kind = 'capture' and t.source_id = i.id
    union all
    select t.id from refunds r
    join ledger_transactions t on t.source_id = r.id
      and t.kind in ('refund', 'refund_failed', 'refund_paid_otherwise', 'dispute_charged')
    where r.payment_intent_id = i.id
    union all
    select t.id from disputes d join ledger_transactions t on t.kind = 'dispute_charged' and t.source_id = d.id
    where d.payment_intent_id = i.id
  ) t
  join ledger_entries e on e.transaction_id = t.id and e.practitioner_id is not null
  group by e.practitioner_id`

/** What the ledger owes practitioners, who are the ones that its entries name. */
const owed = (ids: Ids) => sql`
  select practitioner_id, -sum(amount_pence) as pence from ledger_entries
  where practitioner_id is not null and (${ids}::int[] is null or practitioner_id = any(${ids}::int[]))
  group by practitioner_id`

/** The ledger's balances of practitioners at an instant: of those with an id, or of all who have one. */
const balances = (now: Date, ids: Ids) => sql`
  select p.id as practitioner_id, a.first_name, a.last_name, a.email,
    coalesce(o.pence, 0)::int8 as owed_pence, coalesce(h.pence, 0)::int8 as held_pence,
    (select max(m.created_at) from payouts m where m.practitioner_id = p.id
      and not exists (select from payout_reversals v where v.payout_id = m.id)) as paid_out_at,
    (select s.cause from suspensions s where s.practitioner_id = p.id
      -- One who is closed out of a suspension has not been found to be in order.
      and (s.ended_at is null or (p.state = 'closed' and s.ended_at >= p.state_changed_at))
      order by s.id desc limit 1) as suspended_for
  from practitioners p join accounts a on a.id = p.account_id
  left join (${owed(ids)}) o on o.practitioner_id = p.id
  left join (${held(now, ids)}) h on h.practitioner_id = p.id
  where ${ids === null ? sql`o.pence <> 0` : sql`p.id = any(${ids}::int[])`}`

/** A page of balances, highest payable amount first. */
export async function listPayables(
  db: Db,
  now: Date,
  ids: Ids,
  range: { limit: number; offset: number },
): Promise<PayableRow[]> {
  const { rows } = await sql<PayableRow>`select * from (${balances(now, ids)}) b
    order by greatest(owed_pence - held_pence, 0) desc, practitioner_id
    limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

export async function countPayables(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${owed(null)}) o where o.pence <> 0`.execute(db)
  return rows[0]?.count ?? 0
}

/** Practitioners whose name or email contains the words, and to whom something is or was owed; the first by number. */
export async function findPaid(db: Db, search: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from practitioners p join accounts a on a.id = p.account_id
    where ${containing(search, sql`a.email, a.first_name || ' ' || a.last_name`)}
      and exists (select from ledger_entries e where e.practitioner_id = p.id)
    order by p.id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

export type RecordedRow = {
  id: string
  practitioner_id: number
  first_name: string
  last_name: string
  email: string | null
  amount_pence: number
  reference: string
  created_at: Date
  reason: PayoutReversalReason | null
  reversed_at: Date | null
}

/** Payouts whose practitioner's name or bank reference contains the words. */
const recorded = (db: Db, search = '') =>
  db
    .selectFrom('payouts as m')
    .innerJoin('practitioners as p', 'p.id', 'm.practitioner_id')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .leftJoin('payout_reversals as v', 'v.payout_id', 'm.id')
    .where(containing(search, sql`m.reference, a.first_name || ' ' || a.last_name`))

const describe = (query: ReturnType<typeof recorded>) =>
  query.select([
    'm.id',
    'm.practitioner_id',
    'a.first_name',
    'a.last_name',
    'a.email',
    'm.amount_pence',
    'm.reference',
    'm.created_at',
    'v.reason',
    'v.created_at as reversed_at',
  ])

/** A page of recorded payouts, newest first. */
export async function listRecorded(
  db: Db,
  search: string | undefined,
  range: { limit: number; offset: number },
): Promise<RecordedRow[]> {
  return describe(recorded(db, search))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(range.limit)
    .offset(range.offset)
    .execute()
}

export const countRecorded = (db: Db, search: string | undefined): Promise<number> =>
  countRows(recorded(db, search))

export async function findRecorded(db: Db, id: string): Promise<RecordedRow | undefined> {
  return describe(recorded(db)).where('m.id', '=', id).executeTakeFirst()
}
