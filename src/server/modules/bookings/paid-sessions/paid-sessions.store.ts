import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { PaidFilter } from '#contract/back-office/payments.ts'
import type { Db } from '../../../db/connection.ts'

export type PaidRow = Awaited<ReturnType<typeof readPaid>>[number]

/** Sessions by appointment, for the ledger and its papers. */
export async function describePaid(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('appointments')
    .innerJoin('accounts', 'accounts.id', 'appointments.client_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .select([
      'appointments.id',
      'appointments.practitioner_id',
      'appointments.starts_at',
      'appointments.booking_type',
      'services.name as service_name',
      'accounts.first_name',
      'accounts.last_name',
      'accounts.email',
    ])
    .where('appointments.id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        practitionerId: row.practitioner_id,
        startsAt: row.starts_at,
        serviceName: row.service_name,
        isInstant: row.booking_type === 'get-help-right-now',
        client: { firstName: row.first_name, lastName: row.last_name, email: row.email },
      },
    ]),
  )
}

type Filter = { show: PaidFilter; search?: string | undefined; id?: string }

/** A withdrawn refund was replaced by another refund and never made. One of no amount corrects the discount alone. */
const refundsOf = sql`from refunds r join payment_intents x on x.id = r.payment_intent_id
  where x.appointment_id = b.id and r.state <> 'withdrawn' and r.amount_pence > 0`

const matching = ({ show, search, id }: Filter) => {
  const words = (search ?? '').trim()
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(b.id = ${id ?? null}::uuid or ${id ?? null}::uuid is null and exists (select 1
      from payment_intents i where i.appointment_id = b.id and i.state in ('capturing', 'captured')))
    and (${show} = 'all' or exists (select 1 ${refundsOf} and (${show} = 'refunded' or r.state = 'requested')))
    and (${pattern} = '%%' or b.id::text = lower(${words}) or c.email::text ilike ${pattern}
      or c.first_name || ' ' || c.last_name ilike ${pattern} or o.email::text ilike ${pattern}
      or o.first_name || ' ' || o.last_name ilike ${pattern})`
}

const paidSessions = sql`from appointments b
  join accounts c on c.id = b.client_id
  join practitioners p on p.id = b.practitioner_id
  join accounts o on o.id = p.account_id`

/** Sessions that money was taken for, the newest payment first; or one by its id, paid or not. */
export function readPaid(db: Db, filter: Filter, range: { limit: number; offset: number }) {
  return db
    .selectFrom('appointments as b')
    .innerJoin('accounts as c', 'c.id', 'b.client_id')
    .innerJoin('practitioners as p', 'p.id', 'b.practitioner_id')
    .innerJoin('accounts as o', 'o.id', 'p.account_id')
    .select([
      'b.id',
      'b.state',
      'b.starts_at',
      'c.first_name as client_first_name',
      'c.last_name as client_last_name',
      'c.email as client_email',
      'b.practitioner_id',
      'o.first_name as practitioner_first_name',
      'o.last_name as practitioner_last_name',
    ])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('payment_intents as i')
          .innerJoin('payment_methods as m', 'm.id', 'i.payment_method_id')
          .select(['i.amount_pence', 'i.state', 'm.brand', 'm.last4', 'i.created_at'])
          .whereRef('i.appointment_id', '=', 'b.id')
          .where('i.state', 'in', taken)
          .$narrowType<{ state: (typeof taken)[number] }>()
          .orderBy('i.created_at')
          .orderBy('i.id'),
      ).as('payments'),
      jsonArrayFrom(
        eb
          .selectFrom('refunds as r')
          .innerJoin('payment_intents as x', 'x.id', 'r.payment_intent_id')
          .select(['r.amount_pence', 'r.state', 'r.origin', 'r.reason', 'r.created_at'])
          .whereRef('x.appointment_id', '=', 'b.id')
          // As in `refundsOf`.
          .where('r.state', '<>', 'withdrawn')
          .where('r.amount_pence', '>', 0)
          .$narrowType<{ state: 'requested' | 'succeeded' | 'failed' | 'paid_otherwise' }>()
          .orderBy('r.created_at')
          .orderBy('r.id'),
      ).as('refunds'),
      jsonArrayFrom(
        eb
          .selectFrom('disputes as d')
          .innerJoin('payment_intents as x', 'x.id', 'd.payment_intent_id')
          .select(['d.amount_pence', 'd.state', 'd.opened_at as created_at'])
          .whereRef('x.appointment_id', '=', 'b.id')
          .orderBy('d.opened_at')
          .orderBy('d.id'),
      ).as('disputes'),
    ])
    .where(matching(filter))
    .orderBy(
      (eb) =>
        eb
          .selectFrom('payment_intents as i')
          .select((of) => of.fn.max('i.created_at').as('at'))
          .whereRef('i.appointment_id', '=', 'b.id')
          .where('i.state', 'in', taken),
      'desc',
    )
    .orderBy('b.id')
    .limit(range.limit)
    .offset(range.offset)
    .execute()
}

const taken = ['capturing', 'captured'] as const

export async function countPaid(db: Db, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${paidSessions} where ${matching(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type LateReturnRow = {
  appointment_id: string
  kind: 'release' | 'refund'
  booking_type: 'schedule' | 'get-help-right-now'
  amount_pence: number
  brand: string
  last4: string
  client_first_name: string
  client_last_name: string
  client_email: string | null
  since: Date
  attempts: number
  total: number
}

/** Voids and refunds begun before an instant and not yet succeeded, longest first, each row with the total count. */
export async function readLateReturns(db: Db, before: Date, limit: number): Promise<LateReturnRow[]> {
  const { rows } = await sql<LateReturnRow>`
    with late as (
      select 'release' as kind, i.appointment_id, i.payment_method_id, i.amount_pence, i.releasing_since as since,
        i.attempts
      from payment_intents i where i.state = 'voiding' and i.releasing_since <= ${before}
      union all
      select 'refund', i.appointment_id, i.payment_method_id, r.amount_pence, r.created_at, r.attempts
      from refunds r join payment_intents i on i.id = r.payment_intent_id
      where r.state = 'requested' and r.amount_pence > 0 and r.created_at <= ${before}
        -- It waits for the bank's decision.
        and not exists (select 1 from disputes d where d.payment_intent_id = i.id and d.state = 'open'))
    select late.kind, late.appointment_id, b.booking_type, late.amount_pence, m.brand, m.last4,
      c.first_name as client_first_name, c.last_name as client_last_name, c.email as client_email,
      late.since, late.attempts, count(*) over ()::int as total
    from late join appointments b on b.id = late.appointment_id
    join accounts c on c.id = b.client_id
    join payment_methods m on m.id = late.payment_method_id
    order by late.since, late.appointment_id limit ${limit}`.execute(db)
  return rows
}
