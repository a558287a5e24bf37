import type { Db, Tx } from '../../db/connection.ts'

/** The digest by which one of some addresses is known, if any is. */
export async function findKnown(db: Db, accountId: string, digests: Buffer[]): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('known_addresses')
    .select('digest')
    .where('account_id', '=', accountId)
    .where('digest', 'in', digests)
    .limit(1)
    .executeTakeFirst()
  return row && Buffer.from(row.digest)
}

/** Every address of an account, last used first. */
export function listKnown(db: Db, accountId: string) {
  return db
    .selectFrom('known_addresses')
    .select(['digest', 'first_seen_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('digest')
    .execute()
}

/** Notes a sign-in from an address, and forgets all but the last `most`. */
export async function noteKnown(
  tx: Tx,
  accountId: string,
  digest: Buffer,
  { now, limit }: { now: Date; limit: number },
): Promise<void> {
  await tx
    .insertInto('known_addresses')
    .values({ account_id: accountId, digest, first_seen_at: now, last_seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'digest']).doUpdateSet((eb) => ({
        // A clock that was put back breaks no order.
        last_seen_at: eb.fn('greatest', ['known_addresses.last_seen_at', eb.val(now)]),
      })),
    )
    .execute()
  await tx
    .deleteFrom('known_addresses')
    .where('account_id', '=', accountId)
    .where('digest', 'in', (query) =>
      query
        .selectFrom('known_addresses as other')
        .select('other.digest')
        .where('other.account_id', '=', accountId)
        .where('other.digest', '<>', digest)
        .orderBy('other.last_seen_at', 'desc')
        .orderBy('other.digest')
        .offset(limit - 1),
    )
    .execute()
}

export async function deleteKnownBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('known_addresses').where('last_seen_at', '<', instant).execute()
}
