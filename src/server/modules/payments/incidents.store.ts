import { sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import type { DisputeState, IncidentDecision, IncidentKind } from './reconciliation.rules.ts'
import { restOf } from './refunds.store.ts'

/** Inserts an incident, or adds the amount that a stored incident lacks. Returns the id of the stored incident. */
export async function insertIncident(tx: Tx, incident: NewRow<'gateway_incidents'>): Promise<string> {
  const row = await tx
    .insertInto('gateway_incidents')
    .values(incident)
    .onConflict((conflict) =>
      conflict.columns(['gateway', 'kind', 'subject']).doUpdateSet((eb) => ({
        amount_pence: eb.fn.coalesce('gateway_incidents.amount_pence', 'excluded.amount_pence'),
        payment_key: eb.fn.coalesce('gateway_incidents.payment_key', 'excluded.payment_key'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Resolves an open incident. Returns whether it was open. */
export async function resolveIncident(
  tx: Tx,
  which: { id: string } | { gateway: string; kind: IncidentKind; subject: string },
  resolution: IncidentDecision | 'won',
  now: Date,
): Promise<boolean> {
  let query = tx
    .updateTable('gateway_incidents')
    .set({ resolution, resolved_at: now })
    .where('resolved_at', 'is', null)
  query =
    'id' in which
      ? query.where('id', '=', which.id)
      : query
          .where('gateway', '=', which.gateway)
          .where('kind', '=', which.kind)
          .where('subject', '=', which.subject)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Opens an incident that was marked as dealt with, without a movement of money. Returns whether it was. */
export async function reopenIncident(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('gateway_incidents')
    .set({ resolution: null, resolved_at: null })
    .where('id', '=', id)
    .where('resolution', '=', 'noted')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an incident until the transaction ends. */
export function lockIncident(tx: Tx, id: string) {
  return tx.selectFrom('gateway_incidents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export type IncidentRow = {
  id: string
  kind: IncidentKind
  subject: string
  gateway: string
  amount_pence: number | null
  noted_at: Date
  is_known: boolean
  session_id: string | null
  /** Of a charge; null for a session. */
  payer_first_name: string | null
  payer_last_name: string | null
  payer_email: string | null
  charge_purpose: string | null
  /** Of a failed refund: `open` while the bank has not decided a dispute of its payment, else null. */
  dispute_state: DisputeState | null
  /** Of a failed refund: what was paid and has not gone back, nor will; null for all else and for unknown payments. */
  rest_pence: number | null
  total: number
}

/** What a practitioner has paid the platform with a charge `c` and does not have back. Pence. */
const restOfCharge = sql<number>`(c.amount_pence
  - (select coalesce(sum(r.amount_pence), 0) from platform_charge_refunds r
    where r.charge_id = c.id and ${oneOf('r.state', givenBack)})
  - (select coalesce(sum(l.withdrawn_pence), 0) from disputes l
    where l.charge_id = c.id and l.state = 'lost'))::int`

const incidents = sql`
  select g.id, g.kind, g.subject, g.gateway, g.amount_pence, g.noted_at,
    (i.id is not null or c.id is not null) as is_known, i.appointment_id as session_id,
    a.first_name as payer_first_name, a.last_name as payer_last_name, a.email as payer_email, c.purpose as charge_purpose,
    case when g.kind <> 'refund_failed' then d.state
      when exists (select from disputes o where o.state = 'open'
        and (o.payment_intent_id = i.id or o.charge_id = c.id)) then 'open' end as dispute_state,
    case when g.kind = 'refund_failed' then coalesce(${restOf('i')}, ${restOfCharge}) end as rest_pence,
    count(*) over ()::int as total
  from gateway_incidents g
  left join payment_intents i on i.id = g.payment_key
  left join platform_charges c on c.id = g.payment_key
  left join accounts a on a.id = c.account_id
  left join disputes d on g.kind = 'dispute' and d.gateway = g.gateway and d.gateway_ref = g.subject
  where g.resolved_at is null`

/** Whether the bank has to decide a dispute first: the incidents for which `incidentDecisions` returns none. */
const waitsForBank = sql`case kind
  when 'dispute' then is_known and dispute_state is distinct from 'lost'
  when 'refund_failed' then dispute_state is not distinct from 'open'
  else false end`

/** Open incidents that an admin can decide, then those that wait for the bank; the oldest first, each row with the total count. */
export async function listOpenIncidents(db: Db, limit: number): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`select * from (${incidents}) as o
    order by ${waitsForBank}, noted_at, id limit ${limit}`.execute(db)
  return rows
}

export async function findOpenIncident(db: Db, id: string): Promise<IncidentRow | undefined> {
  return (await sql<IncidentRow>`${incidents} and g.id = ${id}`.execute(db)).rows[0]
}

/**
 * Records a refund that did not reach the card as paid by bank transfer. One that never left is recorded for the first
 * time. Returns the id of the stored refund; undefined if it has not failed.
 */
export async function payChargeRefundOtherwise(
  tx: Tx,
  refund: NewRow<'platform_charge_refunds', 'state'>,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('platform_charge_refunds')
    .values({ ...refund, state: 'paid_otherwise' })
    .onConflict((conflict) =>
      conflict
        .columns(['charge_id', 'gateway_ref'])
        .doUpdateSet({ state: 'paid_otherwise', amount_pence: refund.amount_pence })
        .where('platform_charge_refunds.state', '=', 'failed'),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
