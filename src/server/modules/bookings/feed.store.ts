import type { Db, Tx } from '../../db/connection.ts'

export type FeedRow = { practitioner_id: number; created_at: Date; read_at: Date | null }

const feeds = (db: Db) => db.selectFrom('calendar_feeds').select(['practitioner_id', 'created_at', 'read_at'])

export async function findFeed(db: Db, practitionerId: number): Promise<FeedRow | undefined> {
  return feeds(db).where('practitioner_id', '=', practitionerId).executeTakeFirst()
}

export async function findFeedByToken(db: Db, tokenHash: Buffer): Promise<FeedRow | undefined> {
  return feeds(db).where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Takes the place of the one before, which nobody can read any more. */
export async function replaceFeed(
  tx: Tx,
  feed: { practitioner_id: number; token_hash: Buffer; created_at: Date },
): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('practitioner_id', '=', feed.practitioner_id).execute()
  await tx.insertInto('calendar_feeds').values(feed).execute()
}

export async function deleteFeed(db: Db, practitionerId: number): Promise<void> {
  await db.deleteFrom('calendar_feeds').where('practitioner_id', '=', practitionerId).execute()
}

export async function noteRead(db: Db, practitionerId: number, now: Date): Promise<void> {
  await db
    .updateTable('calendar_feeds')
    .set({ read_at: now })
    .where('practitioner_id', '=', practitionerId)
    .execute()
}
