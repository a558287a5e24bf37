import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'

const wishes = (db: Db) => db.selectFrom('search_wishes').selectAll()

export type WishRow = Awaited<ReturnType<typeof listWishesOf>>[number]

/** The wishes of a client, newest first. */
export const listWishesOf = (db: Db, clientId: string) =>
  wishes(db).where('client_id', '=', clientId).orderBy('created_at', 'desc').orderBy('id').execute()

export const findWish = (db: Db, id: string) => wishes(db).where('id', '=', id).executeTakeFirst()

export async function insertWish(
  tx: Tx,
  wish: { id: string; client_id: string; sealed_filters: Uint8Array; created_at: Date; ends_at: Date },
): Promise<void> {
  await tx.insertInto('search_wishes').values(wish).execute()
}

/** Returns false if the client has no such wish. */
export async function deleteWish(db: Db, id: string, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('search_wishes')
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteWishesOf(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('search_wishes').where('client_id', '=', clientId).execute()
}

export async function deleteEndedWishes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('search_wishes').where('ends_at', '<=', now).execute()
}

/** Wishes that were last looked at before a time, the longest ago first. */
export const listWishesToLookAt = (
  db: Db,
  { lookedBefore, mailedBefore, now }: { lookedBefore: Date; mailedBefore: Date; now: Date },
  limit: number,
) =>
  wishes(db)
    .where((eb) => eb.or([eb('looked_at', 'is', null), eb('looked_at', '<=', lookedBefore)]))
    .where((eb) => eb.or([eb('last_notified_at', 'is', null), eb('last_notified_at', '<=', mailedBefore)]))
    .where('ends_at', '>', now)
    .orderBy(sql`looked_at nulls first`)
    .limit(limit)
    .execute()

/** Records a look at a wish, and a mail about it. Returns false if the wish has gone or was mailed since `mailedBefore`. */
export async function markWish(tx: Tx, id: string, now: Date, mailedBefore: Date | null): Promise<boolean> {
  let query = tx
    .updateTable('search_wishes')
    .set({ looked_at: now, ...(mailedBefore ? { last_notified_at: now } : {}) })
    .where('id', '=', id)
  if (mailedBefore) {
    query = query.where((eb) =>
      eb.or([eb('last_notified_at', 'is', null), eb('last_notified_at', '<=', mailedBefore)]),
    )
  }
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows === 1n
}
