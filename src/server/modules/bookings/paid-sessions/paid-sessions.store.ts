import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { PaidFilter } from '#contract/back-office/payments.ts'
import type { Db } from '../../../db/connection.ts'
import { containing } from '../../../db/containing.ts'
import { type CappedCount, countCapped } from '../../../db/count-rows.ts'
import { oneOf } from '../../../db/one-of.ts'

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
      'appointments.state',
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
        isCalledOff: row.state === 'cancelled' || row.state === 'expired',
        client: { firstName: row.first_name, lastName: row.last_name, email: row.email },
      },
    ]),
  )
}

/** What a search means: a session by its id, some people, or the words of it where they are too many to name. */
export type Sought = { sessionId: string } | { accountIds: string[] } | { words: string }

type Filter = { show: PaidFilter; sought?: Sought | undefined }

/** How many people of a search are named to the statements that follow. */
const maxNamed = 200

const taken = ['capturing', 'captured'] as const
const isTaken = (payment: 'i' | 'l') => oneOf(`${payment}.state`, taken)

/** A withdrawn refund was replaced by another refund and never made. One of no amount corrects the discount alone. */
const refunded = (show: Exclude<PaidFilter, 'all'>) => sql`select x.appointment_id from refunds r
  join payment_intents x on x.id = r.payment_intent_id
  where r.amount_pence > 0 and ${show === 'refund_open' ? sql`r.state = 'requested'` : sql`r.state <> 'withdrawn'`}`

const isSessionId = (words: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(words)

/** People with a name or an address. No index leads there. */
const peopleNamed = (words: string) =>
  sql`select a.id from accounts a
    where ${containing(words, sql`a.email, a.first_name || ' ' || a.last_name`)}`

/** Looks for the people of a search, once for all statements. Undefined for a search without words. */
export async function readSought(db: Db, search = ''): Promise<Sought | undefined> {
  const words = search.trim()
  if (words === '') return undefined
  if (isSessionId(words)) return { sessionId: words }
  const { rows } = await sql<{ id: string }>`${peopleNamed(words)} limit ${maxNamed + 1}`.execute(db)
  return rows.length > maxNamed ? { words } : { accountIds: rows.map(({ id }) => id) }
}

/** The ids of the sessions of clients and practitioners. */
const sessionsOf = (sought: Sought) => {
  if ('sessionId' in sought) return sql`select ${sought.sessionId}::uuid`
  const people =
    'words' in sought ? peopleNamed(sought.words) : sql`select unnest(${sought.accountIds}::uuid[]) as id`
  return sql`with people as materialized (${people})
    select b.id from appointments b where b.client_id in (select id from people)
    union select b.id from appointments b join practitioners p on p.id = b.practitioner_id
      where p.account_id in (select id from people)`
}

const conditionsOf = ({ show, sought }: Filter) => [
  isTaken('i'),
  ...(sought ? [sql`i.appointment_id in (${sessionsOf(sought)})`] : []),
  ...(show === 'all' ? [] : [sql`i.appointment_id in (${refunded(show)})`]),
]

/** The sessions that a filter finds, each with when it was last paid for. */
const paid = (filter: Filter) => sql`
  select i.appointment_id as id, max(i.created_at) as at from payment_intents i
  where ${sql.join(conditionsOf(filter), sql` and `)} group by i.appointment_id`

/** As `paid`, without adding up each session's payments: what reads the first of many begins at once. */
const newest = (filter: Filter) => sql`
  select i.appointment_id as id, i.created_at as at from payment_intents i
  where ${sql.join(conditionsOf(filter), sql` and `)} and not exists (select from payment_intents l
    where l.appointment_id = i.appointment_id and ${isTaken('l')} and (l.created_at, l.id) > (i.created_at, i.id))`

/** A page of the sessions that money was taken for, the newest payment first. */
export async function listPaid(
  db: Db,
  filter: Filter,
  range: { limit: number; offset: number },
): Promise<PaidRow[]> {
  const isAll = filter.show === 'all' && !filter.sought
  const { rows } = await sql<{ id: string }>`select id from (${isAll ? newest(filter) : paid(filter)}) s
    order by at desc, id limit ${range.limit} offset ${range.offset}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const places = new Map(ids.map((id, place) => [id, place]))
  return (await readPaid(db, ids)).toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

export function countPaid(db: Db, filter: Filter): Promise<CappedCount> {
  return countCapped(db, newest(filter))
}

/** Some sessions by their ids, paid for or not, with what was paid for them and given back. */
export function readPaid(db: Db, ids: readonly string[]) {
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
          // As in `refunded`.
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
          .select(['d.amount_pence', 'd.state', 'd.is_refundable', 'd.opened_at as created_at'])
          .whereRef('x.appointment_id', '=', 'b.id')
          .orderBy('d.opened_at')
          .orderBy('d.id'),
      ).as('disputes'),
    ])
    .where('b.id', 'in', ids)
    .execute()
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

/** Voids and refunds begun before an instant and not yet succeeded. */
const lateReturns = (before: Date) => sql`late as (
      select 'release' as kind, i.appointment_id, i.payment_method_id, i.amount_pence, i.releasing_since as since,
        i.attempts
      from payment_intents i where i.state = 'voiding' and i.releasing_since <= ${before}
      union all
      select 'refund', i.appointment_id, i.payment_method_id, r.amount_pence, r.created_at, r.attempts
      from refunds r join payment_intents i on i.id = r.payment_intent_id
      where r.state = 'requested' and r.amount_pence > 0 and r.created_at <= ${before}
        -- It waits for the bank's decision.
        and not exists (select 1 from disputes d where d.payment_intent_id = i.id and d.state = 'open' and not d.is_refundable))`

export type LateReturnKey = Pick<LateReturnRow, 'appointment_id' | 'kind' | 'since'>

/** The keys of all late voids and refunds. */
export async function readLateReturnKeys(db: Db, before: Date): Promise<LateReturnKey[]> {
  const { rows } = await sql<LateReturnKey>`
    with ${lateReturns(before)}
    select late.kind, late.appointment_id, late.since
    from late join appointments b on b.id = late.appointment_id`.execute(db)
  return rows
}

/** Late voids and refunds, longest first, each row with the total count. */
export async function readLateReturns(db: Db, before: Date, limit: number): Promise<LateReturnRow[]> {
  const { rows } = await sql<LateReturnRow>`
    with ${lateReturns(before)}
    select late.kind, late.appointment_id, b.booking_type, late.amount_pence, m.brand, m.last4,
      c.first_name as client_first_name, c.last_name as client_last_name, c.email as client_email,
      late.since, late.attempts, count(*) over ()::int as total
    from late join appointments b on b.id = late.appointment_id
    join accounts c on c.id = b.client_id
    join payment_methods m on m.id = late.payment_method_id
    order by late.since, late.appointment_id limit ${limit}`.execute(db)
  return rows
}
