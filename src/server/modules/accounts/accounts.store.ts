import { type NotNull, sql } from 'kysely'
import type { Role } from '#contract/endpoint.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'
import { deleteDevices } from './device-tokens.store.ts'

/** A row of an account that is not deleted. */
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const living = (db: Db) =>
  db.selectFrom('accounts').selectAll().where('deleted_at', 'is', null).$narrowType<{ email: NotNull }>()

export function findByEmail(db: Db, role: Role, email: string) {
  return living(db).where('role', '=', role).where('email', '=', email).executeTakeFirst()
}

export function findAccount(db: Db, id: string) {
  return living(db).where('id', '=', id).executeTakeFirst()
}

/** As `findAccount`, kept as it is until the transaction ends: `share` from being changed, `update` also from being shared. */
export function lockAccount(tx: Tx, id: string, how: 'share' | 'update') {
  const query = living(tx).where('id', '=', id)
  return (how === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst()
}

type NewAccount = {
  id: string
  role: Role
  email: string
  password_hash: string | null
  first_name: string
  last_name: string
  created_at: Date
  /** When the address was shown to be theirs; by default it has yet to be. */
  email_verified_at?: Date
}

/** The new account's id, or nothing when the role and email are taken. */
export async function insertAccount(db: Db, account: NewAccount): Promise<boolean> {
  const row = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.columns(['role', 'email']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertClient(
  db: Db,
  client: { account_id: string; referral_code: string; referred_by: string | null },
): Promise<void> {
  await db.insertInto('clients').values(client).execute()
}

export async function findClient(db: Db, accountId: string) {
  const client = db
    .selectFrom('clients')
    .innerJoin('accounts', 'accounts.id', 'clients.account_id')
    .select([
      'accounts.id',
      'accounts.first_name',
      'accounts.last_name',
      'accounts.email',
      'accounts.email_verified_at',
      'accounts.created_at',
      'clients.referral_code',
      'clients.referred_by',
    ])
    .where('clients.account_id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .$narrowType<{ email: NotNull; referral_code: NotNull }>()
  return (await runPrepared(db, client))[0]
}

export function findByReferralCode(db: Db, code: string) {
  return db
    .selectFrom('clients')
    .select('account_id')
    .where('referral_code', '=', code.toUpperCase())
    .executeTakeFirst()
}

/** Keeps whose code a client entered; the last one entered counts. */
export async function setReferredBy(db: Db, accountId: string, referrer: string): Promise<void> {
  await db
    .updateTable('clients')
    .set({ referred_by: referrer })
    .where('account_id', '=', accountId)
    // Not for an account that is being deleted.
    .where('referral_code', 'is not', null)
    .execute()
}

export async function setPassword(db: Db, accountId: string, hash: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_hash: hash })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()
}

export async function setEmailVerified(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email_verified_at: now })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('email_verified_at', 'is', null)
    .execute()
}

// Sign-ins and tokens --------------------------------------------------------------------------------------------

/** `family_id`: the first of the sign-ins that were handed over from tab to tab; absent for the first itself. */
export async function insertLoginSession(
  db: Db,
  session: NewRow<'login_sessions', 'ended_at'>,
): Promise<void> {
  await db.insertInto('login_sessions').values(session).execute()
}

type NewTokens = {
  login_session_id: string
  access: { hash: Buffer; expires_at: Date }
  /** Absent where the sign-in keeps the one that it has. */
  refresh?: { hash: Buffer; expires_at: Date }
}

export async function insertTokens(db: Db, { login_session_id, access, refresh }: NewTokens): Promise<void> {
  await db
    .insertInto('access_tokens')
    .values({ ...access, login_session_id })
    .execute()
  if (!refresh) return
  await db
    .insertInto('refresh_tokens')
    .values({ ...refresh, login_session_id })
    .execute()
}

/** Who holds an access token that is good now. */
export async function findAccessToken(db: Db, hash: Buffer, now: Date) {
  return (await selectHolder(db, { hash, now }))[0]
}

const selectHolder = prepare((at: { hash: Buffer; now: Date }) => ({
  compile: (db: Db) =>
    db
      .selectFrom('access_tokens')
      .innerJoin('login_sessions', 'login_sessions.id', 'access_tokens.login_session_id')
      .innerJoin('accounts', 'accounts.id', 'login_sessions.account_id')
      .leftJoin('second_factors', 'second_factors.account_id', 'accounts.id')
      .select([
        'accounts.id as account_id',
        'accounts.role',
        'accounts.email',
        'login_sessions.id as login_session_id',
        'second_factors.confirmed_at as second_factor_since',
      ])
      .where('access_tokens.hash', '=', at.hash)
      .where('access_tokens.expires_at', '>', at.now)
      .where('login_sessions.ended_at', 'is', null)
      .compile(),
}))

/** Whether a sign-in of an account holds. */
export async function isSignedIn(db: Db, loginSessionId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('login_sessions')
    .select('id')
    .where('id', '=', loginSessionId)
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** A refresh token with its sign-in, locked until the transaction ends. */
export function lockRefreshToken(db: Db, hash: Buffer) {
  return db
    .selectFrom('refresh_tokens')
    .innerJoin('login_sessions', 'login_sessions.id', 'refresh_tokens.login_session_id')
    .innerJoin('accounts', 'accounts.id', 'login_sessions.account_id')
    .select([
      'refresh_tokens.expires_at',
      'refresh_tokens.spent_at',
      'refresh_tokens.spent_in_known_browser',
      'login_sessions.id as login_session_id',
      'login_sessions.family_id',
      'login_sessions.ended_at',
      'accounts.id as account_id',
      'accounts.role',
      'accounts.password_hash',
    ])
    .where('refresh_tokens.hash', '=', hash)
    .forUpdate('refresh_tokens')
    .executeTakeFirst()
}

export type RefreshRow = NonNullable<Awaited<ReturnType<typeof lockRefreshToken>>>

/** The one of some refresh tokens that there is, locked until the transaction ends. */
export function lockOneRefreshToken(db: Db, hashes: Buffer[]) {
  return db
    .selectFrom('refresh_tokens')
    .select(['hash', 'spent_at'])
    .where('hash', 'in', hashes)
    .forUpdate()
    .executeTakeFirst()
}

export async function spendRefreshToken(
  db: Db,
  hash: Buffer,
  spent_at: Date,
  spent_in_known_browser: boolean,
): Promise<void> {
  const spent = { spent_at, spent_in_known_browser }
  await db.updateTable('refresh_tokens').set(spent).where('hash', '=', hash).execute()
}

/** Notes that a sign-in is in use. */
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('login_sessions').set({ last_used_at: now }).where('id', '=', id).execute()
}

type Member = { id: string; accountId: string }

/** The id of a member's family. The first member, whose id that is, may be forgotten already. */
const familyIdOf = ({ id }: Member) =>
  sql<string>`coalesce((select f.family_id from login_sessions f where f.id = ${id}), ${id}::uuid)`

/** The sign-ins of a family that hold; one of its members names it, or its own id. */
const familyOf = (member: Member) =>
  sql<boolean>`account_id = ${member.accountId} and ended_at is null
    and coalesce(family_id, id) = ${familyIdOf(member)}`

/** Ends a sign-in and those of the same family: the other tabs of its browser, and what keeps it signed in. The account is locked by the caller. */
export async function endFamily(db: Db, member: Member, now: Date): Promise<void> {
  await db.updateTable('login_sessions').set({ ended_at: now }).where(familyOf(member)).execute()
  await db
    .deleteFrom('device_tokens')
    .where('account_id', '=', member.accountId)
    .where('family_id', '=', familyIdOf(member))
    .execute()
}

/** Ends those of a family that were used longest ago, but for so many. */
export async function endOldOfFamily(
  db: Db,
  member: Member,
  { now, limit }: { now: Date; limit: number },
): Promise<void> {
  await db
    .updateTable('login_sessions')
    .set({ ended_at: now })
    .where('id', 'in', (query) =>
      query
        .selectFrom('login_sessions')
        .select('id')
        .where(familyOf(member))
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .offset(limit),
    )
    .execute()
}

/**
 * Ends every sign-in of an account, but for one that may be left out, and no browser stays signed in. The account is locked
 * by the caller.
 */
export async function endLoginSessionsOf(
  db: Db,
  accountId: string,
  now: Date,
  { except }: { except?: string } = {},
): Promise<void> {
  let query = db
    .updateTable('login_sessions')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
  if (except) query = query.where('id', '<>', except)
  await query.execute()
  await deleteDevices(db, accountId)
  await db
    .updateTable('accounts')
    .set(({ eb }) => ({ session_epoch: eb('session_epoch', '+', 1) }))
    .where('id', '=', accountId)
    .execute()
}

/** Forgets tokens that have been of no use for a while. */
export async function deleteOldTokens(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('access_tokens').where('expires_at', '<', before).execute()
  await db.deleteFrom('refresh_tokens').where('expires_at', '<', before).execute()
}

/** Forgets sign-ins without any token left, and links that no longer work. */
export async function deleteOldSignIns(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('login_sessions')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_tokens')
            .select('hash')
            .whereRef('refresh_tokens.login_session_id', '=', 'login_sessions.id'),
        ),
      ),
    )
    .execute()
  await db.deleteFrom('mail_tokens').where('expires_at', '<', before).execute()
}

// Links in mails --------------------------------------------------------------------------------------------------

/** What people are called, by account. */
export async function readNames(
  db: Db,
  ids: string[],
): Promise<Map<string, { firstName: string; lastName: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { firstName: row.first_name, lastName: row.last_name }]))
}

export function listAdmins(db: Db) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .where('email', 'is not', null)
    .$narrowType<{ email: string }>()
    .orderBy('created_at')
    .execute()
}
