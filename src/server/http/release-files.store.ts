import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '../db/connection.ts'

export type ReleaseFileRow = NewRow<'release_files', 'left_at'>

/** One instance at a time writes down its files. */
export async function lockReleaseFiles(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('release files'))`.execute(tx)
}

export async function listReleaseFiles(db: Db): Promise<{ name: string; left_at: Date | null }[]> {
  return db.selectFrom('release_files').select(['name', 'left_at']).execute()
}

export async function readSealedBody(db: Db, name: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('release_files')
    .select('sealed_body')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.sealed_body
}

export async function addReleaseFiles(tx: Tx, files: readonly ReleaseFileRow[]): Promise<void> {
  await tx
    .insertInto('release_files')
    .values(files.map((file) => ({ ...file, left_at: null })))
    .onConflict((same) => same.column('name').doUpdateSet({ left_at: null }))
    .execute()
}

/** Makes `names` the files of the release that was started last, and deletes those that were left before `before`. */
export async function switchRelease(
  tx: Tx,
  names: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  const isOurs = sql<boolean>`name = any(${names}::text[])`
  await tx.updateTable('release_files').set({ left_at: null }).where(isOurs).execute()
  await tx
    .updateTable('release_files')
    .set({ left_at: now })
    .where('left_at', 'is', null)
    .where((eb) => eb.not(isOurs))
    .execute()
  await tx.deleteFrom('release_files').where('left_at', '<', before).execute()
}
