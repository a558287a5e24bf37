import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '../../db/connection.ts'

// What people want ----------------------------------------------------------------------------------------------------

export type Choices = { unread_mail: boolean; session_reminders: boolean }

export async function readChoices(db: Db, accountId: string): Promise<Choices> {
  const row = await db
    .selectFrom('notice_choices')
    .select(['unread_mail', 'session_reminders'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { unread_mail: true, session_reminders: true }
}

/** Updates the settings that are given. Does nothing for an account that is deleted. */
export async function setChoices(db: Db, accountId: string, choices: Partial<Choices>): Promise<void> {
  const { unread_mail = null, session_reminders = null } = choices
  await sql`insert into notice_choices as known (account_id, unread_mail, session_reminders)
    select id, coalesce(${unread_mail}::boolean, true), coalesce(${session_reminders}::boolean, true) from accounts
    where id = ${accountId} and deleted_at is null for key share
    on conflict (account_id) do update set unread_mail = coalesce(${unread_mail}::boolean, known.unread_mail),
      session_reminders = coalesce(${session_reminders}::boolean, known.session_reminders)`.execute(db)
}

export async function deleteChoices(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('notice_choices').where('account_id', '=', accountId).execute()
}

// Browsers --------------------------------------------------------------------------------------------------------------

/** Creates a push subscription. A browser that has one moves to the latest sign-in session. */
export async function saveSubscription(db: Db, subscription: NewRow<'push_subscriptions'>): Promise<void> {
  const { login_session_id, p256dh, auth } = subscription
  await db
    .insertInto('push_subscriptions')
    .values(subscription)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ login_session_id, p256dh, auth, gone_at: null }),
    )
    .execute()
}

/**
 * Moves the subscription with this address and secret, gone or not, to another address, or deletes it where the browser is
 * subscribed by that already. False when there is none.
 */
export async function moveSubscription(
  tx: Tx,
  former: Pick<NewRow<'push_subscriptions'>, 'endpoint' | 'auth'>,
  next: Pick<NewRow<'push_subscriptions'>, 'endpoint' | 'p256dh' | 'auth'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', former.endpoint)
    .where('auth', '=', former.auth)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return false
  const moved = await sql`update push_subscriptions
    set endpoint = ${next.endpoint}, p256dh = ${next.p256dh}, auth = ${next.auth}, gone_at = null
    where id = ${row.id}
      and not exists (select from push_subscriptions where endpoint = ${next.endpoint} and id <> ${row.id})`.execute(
    tx,
  )
  if (moved.numAffectedRows === 0n) await deleteSubscription(tx, row.id)
  return true
}

export async function removeSubscription(db: Db, accountId: string, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions p using login_sessions s
    where s.id = p.login_session_id and s.account_id = ${accountId} and p.endpoint = ${endpoint}`.execute(db)
}

/** Notes that the push service no longer knows an address, unless the browser has given another one meanwhile. */
export async function setGone(db: Db, id: string, endpoint: string, now: Date): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ gone_at: now })
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .execute()
}

export async function deleteGoneBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('gone_at', '<', instant).execute()
}

async function deleteSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/**
 * Deletes those whose browser is no longer signed in, of one account or of all. Each tab of a browser has a sign-in session
 * of its own: the others move to the session of the tab that was used last, before theirs ends or is forgotten.
 */
export async function deleteEnded(db: Db, accountId: string | null = null): Promise<void> {
  const ofAccount = sql`(${accountId}::uuid is null or s.account_id = ${accountId})`
  await sql`update push_subscriptions p set login_session_id = latest.id
    from login_sessions s
    cross join lateral (
      select t.id from login_sessions t
      where t.account_id = s.account_id and t.ended_at is null
        and coalesce(t.family_id, t.id) = coalesce(s.family_id, s.id)
      order by t.last_used_at desc, t.id desc limit 1) latest
    where s.id = p.login_session_id and latest.id <> s.id and ${ofAccount}`.execute(db)
  await sql`delete from push_subscriptions p using login_sessions s
    where s.id = p.login_session_id and s.ended_at is not null and ${ofAccount}`.execute(db)
}

/** The browsers of some people, where their sign-in holds and their address is not gone. */
export function listSubscriptions(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom('push_subscriptions as p')
    .innerJoin('login_sessions as s', 's.id', 'p.login_session_id')
    .select(['p.id', 's.account_id'])
    .where('s.account_id', 'in', accountIds)
    .where('s.ended_at', 'is', null)
    .where('p.gone_at', 'is', null)
    .execute()
}

/** A browser whose sign-in still holds, with the role that it is signed in with. Admins cannot subscribe. */
export function findSubscription(db: Db, id: string) {
  return db
    .selectFrom('push_subscriptions as p')
    .innerJoin('login_sessions as s', 's.id', 'p.login_session_id')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['p.id', 'p.endpoint', 'p.p256dh', 'p.auth', 'a.id as account_id', 'a.role'])
    .where('p.id', '=', id)
    .where('s.ended_at', 'is', null)
    .where('p.gone_at', 'is', null)
    .$narrowType<{ role: 'client' | 'therapist' }>()
    .executeTakeFirst()
}

export async function readEndpoints(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('push_subscriptions as p')
    .innerJoin('login_sessions as s', 's.id', 'p.login_session_id')
    .select('p.endpoint')
    .where('s.account_id', '=', accountId)
    .where('s.ended_at', 'is', null)
    .where('p.gone_at', 'is', null)
    .orderBy('p.created_at')
    .execute()
  return rows.map((row) => row.endpoint)
}
