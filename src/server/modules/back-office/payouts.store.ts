import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

export type PayableRow = {
  practitioner_id: number
  first_name: string
  last_name: string
  email: string | null
  owed_pence: number
  held_pence: number
  paid_out_at: Date | null
}

/**
 * Whether the client may still dispute a no-show, or its dispute is undecided. A no-show declared by the previous
 * release counts from the session's end.
 */
const isContestable = (now: Date) => sql`(coalesce(n.state, 'declared') = 'disputed'
  or (coalesce(n.state, 'declared') <> 'upheld'
    and coalesce(n.dispute_until, b.ends_at + interval '14 days') > ${now}))`

/**
 * The ledger's balances of practitioners at an instant. A practitioner without any balance is included only when asked
 * for by id.
 */
const balances = (now: Date, practitionerId: number | null) => sql`
  select p.id as practitioner_id, a.first_name, a.last_name, a.email,
    coalesce(s.owed_pence, 0)::int8 as owed_pence, coalesce(s.held_pence, 0)::int8 as held_pence,
    (select max(created_at) from payouts where practitioner_id = p.id) as paid_out_at
  from practitioners p join accounts a on a.id = p.account_id
  left join (
    select e.practitioner_id, -sum(e.amount_pence) as owed_pence,
      -- Until a day after it, a client whose practitioner did not come has the money back at once.
      -sum(e.amount_pence) filter (where (b.state = 'confirmed' and b.ends_at > ${now}::timestamptz - interval '1 day')
        or (b.state = 'no_show' and ${isContestable(now)})
        -- Captured at the gateway by other hands before it was booked.
        or b.state in ('draft', 'pending', 'reserved')
        or exists (select 1 from payment_intents o join refunds x on x.payment_intent_id = o.id
          where o.appointment_id = b.id and x.state = 'requested')
        or exists (select 1 from payment_intents o join gateway_incidents g on g.payment_key = o.id
          where o.appointment_id = b.id and g.kind in ('dispute', 'refund_failed') and g.resolved_at is null)
        ) as held_pence
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    left join refunds r on t.kind in ('refund', 'refund_failed', 'refund_paid_otherwise') and r.id = t.source_id
    left join disputes d on t.kind = 'dispute_charged' and d.id = t.source_id
    left join payment_intents i on i.id =
      case when t.kind = 'capture' then t.source_id else coalesce(r.payment_intent_id, d.payment_intent_id) end
    left join appointments b on b.id = i.appointment_id
    left join no_shows n on n.appointment_id = b.id
    where e.account = 'practitioner_payable'
      and (${practitionerId}::int is null or e.practitioner_id = ${practitionerId})
    group by e.practitioner_id) s on s.practitioner_id = p.id
  where ${practitionerId === null ? sql`s.owed_pence <> 0` : sql`p.id = ${practitionerId}`}`

/** A page of practitioners with a balance, highest payable amount first. */
export async function listPayables(
  db: Db,
  now: Date,
  range: { limit: number; offset: number },
): Promise<PayableRow[]> {
  const { rows } = await sql<PayableRow>`select * from (${balances(now, null)}) b
    order by greatest(owed_pence - held_pence, 0) desc, practitioner_id
    limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

export async function findPayable(
  db: Db,
  now: Date,
  practitionerId: number,
): Promise<PayableRow | undefined> {
  return (await sql<PayableRow>`${balances(now, practitionerId)}`.execute(db)).rows[0]
}

export async function countPayables(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ledger_entries where account = 'practitioner_payable'
      group by practitioner_id having sum(amount_pence) <> 0) s`.execute(db)
  return rows[0]?.count ?? 0
}
