import { sql } from 'kysely'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'
import { type SubscriptionState, subscriptionTransitions } from './subscriptions.rules.ts'

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>

export async function insertSubscription(tx: Tx, subscription: NewRow<'subscriptions'>): Promise<void> {
  await tx.insertInto('subscriptions').values(subscription).execute()
}

export function findSubscription(db: Db, id: string) {
  return db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A practitioner's live subscription. */
export function findLive(db: Db, practitionerId: number) {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'not in', ['lapsed', 'ended'])
    .executeTakeFirst()
}

/** A practitioner's last ended subscription. */
export function findLastEnded(db: Db, practitionerId: number) {
  return db
    .selectFrom('subscriptions')
    .select(['state', 'ended_at'])
    .where('practitioner_id', '=', practitionerId)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Changes the state of a subscription. The caller has locked its practitioner. */
export async function moveSubscription(
  tx: Tx,
  row: Pick<SubscriptionRow, 'id' | 'state'>,
  to: SubscriptionState,
  patch: Omit<Patch<'subscriptions'>, 'id' | 'state'>,
): Promise<void> {
  if (!subscriptionTransitions[row.state].includes(to))
    throw new Error(`A subscription cannot go from ${row.state} to ${to}.`)
  const moved = await tx
    .updateTable('subscriptions')
    .set({ ...patch, state: to })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .returning('id')
    .executeTakeFirst()
  if (!moved) throw new Error('A subscription has been moved by somebody else.')
}

export async function setCharge(tx: Tx, id: string, chargeId: string | null): Promise<void> {
  await tx.updateTable('subscriptions').set({ charge_id: chargeId }).where('id', '=', id).execute()
}

export async function setPrice(tx: Tx, id: string, pricePence: number): Promise<void> {
  await tx.updateTable('subscriptions').set({ price_pence: pricePence }).where('id', '=', id).execute()
}

export async function insertMonth(tx: Tx, month: NewRow<'subscription_months'>): Promise<void> {
  await tx.insertInto('subscription_months').values(month).execute()
}

/** The month that a charge pays. */
export function findMonth(db: Db, chargeId: string) {
  return db
    .selectFrom('subscription_months')
    .select(['starts_at', 'ends_at'])
    .where('charge_id', '=', chargeId)
    .executeTakeFirst()
}

/**
 * Subscriptions that are due by `now`, longest overdue first; then those that wait although their practitioner is vetted, as
 * `practitioners.isVetted` has it.
 */
export function listDue(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('subscriptions as s')
    .innerJoin('practitioners as p', 'p.id', 's.practitioner_id')
    .select('s.id')
    .where(({ and, eb, or }) =>
      or([
        and([eb('s.state', 'not in', ['waiting', 'lapsed', 'ended']), eb('s.due_at', '<=', now)]),
        and([
          eb('s.state', '=', 'waiting'),
          eb('p.state', '=', 'approved'),
          or([eb('p.vetted_until', 'is', null), eb('p.vetted_until', '>', now)]),
        ]),
      ]),
    )
    .orderBy('s.due_at')
    .limit(limit)
    .execute()
}

// Produced videos -----------------------------------------------------------------------------------------------------

export type VideoRow = NonNullable<Awaited<ReturnType<typeof findVideo>>>

export function findVideo(db: Db, practitionerId: number) {
  return db
    .selectFrom('video_productions')
    .selectAll()
    .where('practitioner_id', '=', practitionerId)
    .executeTakeFirst()
}

/** Stores the charge for a video. An ordered video stays as it is. */
export async function saveVideoAttempt(
  tx: Tx,
  attempt: { practitioner_id: number; price_pence: number; charge_id: string },
): Promise<void> {
  const { price_pence, charge_id } = attempt
  await tx
    .insertInto('video_productions')
    .values(attempt)
    .onConflict((conflict) =>
      conflict
        .column('practitioner_id')
        .doUpdateSet({ price_pence, charge_id })
        .where('video_productions.ordered_at', 'is', null),
    )
    .execute()
}

export type VideoOrderRow = {
  practitioner_id: number
  first_name: string
  last_name: string
  email: string | null
  price_pence: number
  ordered_at: Date
  done_at: Date | null
  timezone: string
}

const videoOrders = sql`from video_productions v join practitioners p on p.id = v.practitioner_id
  join accounts a on a.id = p.account_id where v.ordered_at is not null`
const videoColumns = sql`v.practitioner_id, a.first_name, a.last_name, a.email, v.price_pence, v.ordered_at, v.done_at, p.timezone`

/** Ordered videos: open ones oldest first, finished ones newest first. */
export async function listVideoOrders(
  db: Db,
  status: 'open' | 'done',
  range: { limit: number; offset: number },
): Promise<VideoOrderRow[]> {
  const order =
    status === 'open'
      ? sql`and v.done_at is null order by v.ordered_at, v.practitioner_id`
      : sql`and v.done_at is not null order by v.done_at desc, v.practitioner_id`
  const { rows } = await sql<VideoOrderRow>`select ${videoColumns} ${videoOrders} ${order}
    limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

export async function findVideoOrder(db: Db, practitionerId: number): Promise<VideoOrderRow | undefined> {
  const { rows } = await sql<VideoOrderRow>`
    select ${videoColumns} ${videoOrders} and v.practitioner_id = ${practitionerId}`.execute(db)
  return rows[0]
}

export async function countVideoOrders(db: Db, status: 'open' | 'done'): Promise<number> {
  return countRows(
    db
      .selectFrom('video_productions')
      .where('ordered_at', 'is not', null)
      .where('done_at', status === 'open' ? 'is' : 'is not', null),
  )
}

export async function orderVideo(tx: Tx, practitionerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('video_productions')
    .set({ ordered_at: now })
    .where('practitioner_id', '=', practitionerId)
    .execute()
}
