import type { Db, Tx } from '../../../db/connection.ts'

/** The owner of a link. */
export type FeedOwner = { practitionerId: number } | { clientId: string }
export type Feed = { created_at: Date; read_at: Date | null }

export async function findFeed(db: Db, owner: FeedOwner): Promise<Feed | undefined> {
  return 'clientId' in owner
    ? db
        .selectFrom('client_calendar_feeds')
        .select(['created_at', 'read_at'])
        .where('client_id', '=', owner.clientId)
        .executeTakeFirst()
    : db
        .selectFrom('calendar_feeds')
        .select(['created_at', 'read_at'])
        .where('practitioner_id', '=', owner.practitionerId)
        .executeTakeFirst()
}

export async function findFeedByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ owner: FeedOwner; read_at: Date | null } | undefined> {
  const practitioners = await db
    .selectFrom('calendar_feeds')
    .select(['practitioner_id', 'read_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (practitioners) {
    return { owner: { practitionerId: practitioners.practitioner_id }, read_at: practitioners.read_at }
  }
  const clients = await db
    .selectFrom('client_calendar_feeds')
    .select(['client_id', 'read_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return clients && { owner: { clientId: clients.client_id }, read_at: clients.read_at }
}

/** Replaces the owner's previous link, which ends. */
export async function replaceFeed(
  tx: Tx,
  owner: FeedOwner,
  feed: { token_hash: Buffer; created_at: Date },
): Promise<void> {
  const renewed = { ...feed, read_at: null }
  if ('clientId' in owner) {
    await tx
      .insertInto('client_calendar_feeds')
      .values({ client_id: owner.clientId, ...feed })
      .onConflict((conflict) => conflict.column('client_id').doUpdateSet(renewed))
      .execute()
  } else {
    await tx
      .insertInto('calendar_feeds')
      .values({ practitioner_id: owner.practitionerId, ...feed })
      .onConflict((conflict) => conflict.column('practitioner_id').doUpdateSet(renewed))
      .execute()
  }
}

export async function deleteFeed(db: Db, owner: FeedOwner): Promise<void> {
  if ('clientId' in owner) {
    await db.deleteFrom('client_calendar_feeds').where('client_id', '=', owner.clientId).execute()
  } else {
    await db.deleteFrom('calendar_feeds').where('practitioner_id', '=', owner.practitionerId).execute()
  }
}

export async function deleteFeedOfAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('client_calendar_feeds').where('client_id', '=', accountId).execute()
  await tx
    .deleteFrom('calendar_feeds')
    .where('practitioner_id', 'in', (query) =>
      query.selectFrom('practitioners').select('id').where('account_id', '=', accountId),
    )
    .execute()
}

export async function noteRead(db: Db, owner: FeedOwner, now: Date): Promise<void> {
  if ('clientId' in owner) {
    await db
      .updateTable('client_calendar_feeds')
      .set({ read_at: now })
      .where('client_id', '=', owner.clientId)
      .execute()
  } else {
    await db
      .updateTable('calendar_feeds')
      .set({ read_at: now })
      .where('practitioner_id', '=', owner.practitionerId)
      .execute()
  }
}
