import { sql } from 'kysely'
import type { DocumentKind, VettingState } from '#contract/practitioners/onboarding.ts'
import type { Db, NewRow, Tx } from '../../../db/connection.ts'

/** A file in the object storage. */
export type StoredFile = { id: string; storage_key: string; content_type: string; bytes: number }

/** Notes down a file before it is stored, so that one that is left over is found. */
export async function insertFile(
  db: Db,
  file: StoredFile & { account_id: string; created_at: Date },
): Promise<void> {
  await db.insertInto('stored_files').values(file).execute()
}

/** @throws Error for a file that was given up meanwhile */
export async function setReady(tx: Tx, id: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_files')
    .set({ ready_at: now })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Error('The file was given up.')
}

/** Gives up a file unless it is complete; waits for a transaction that may still complete it. Returns whether it did. */
export async function giveUpUnfinished(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stored_files')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('ready_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The file is not needed any more; its object is removed by a job. */
export async function setRemoved(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('stored_files')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute()
}

/** A file that is complete and not given up. */
export function findFile(db: Db, id: string) {
  return db
    .selectFrom('stored_files')
    .select(['storage_key', 'content_type'])
    .where('id', '=', id)
    .where('ready_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Files whose objects are to go: given up, or begun before `unfinishedBefore` and never finished. Those whose removal
 * failed come last.
 */
export async function readLeftOver(db: Db, unfinishedBefore: Date) {
  return db
    .selectFrom('stored_files')
    .select(['id', 'storage_key'])
    .where((eb) =>
      eb.or([
        eb('removed_at', 'is not', null),
        eb.and([eb('ready_at', 'is', null), eb('created_at', '<', unfinishedBefore)]),
      ]),
    )
    .orderBy((eb) => eb.fn.coalesce('removed_at', 'created_at'))
    .limit(500)
    .execute()
}

/** Gives up a file whose object could not be removed, and lets the others go first. */
export async function postponeRemoval(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('stored_files').set({ removed_at: now }).where('id', '=', id).execute()
}

/** Forgets a file whose object has gone, with the document that another took the place of. */
export async function deleteFile(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom('practitioner_documents')
    .where('file_id', '=', id)
    .where('state', '=', 'replaced')
    .execute()
  await db.deleteFrom('stored_files').where('id', '=', id).execute()
}

// Documents ---------------------------------------------------------------------------------------------------------

export type DocumentRow = {
  id: string
  kind: DocumentKind
  state: VettingState
  reason: string | null
  expires_on: string | null
  created_at: Date
  content_type: string
  bytes: number
}

/** The newest of each kind, and beside one that does not count yet the one that does. */
export async function readDocuments(db: Db, practitionerId: number): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select d.id, d.kind, d.state, d.reason, d.expires_on, d.created_at, f.content_type, f.bytes::int as bytes
    from practitioner_documents d join stored_files f on f.id = d.file_id
    where d.practitioner_id = ${practitionerId} and (d.state in ('waiting', 'accepted') or (d.state = 'refused'
      and not exists (select 1 from practitioner_documents n where n.practitioner_id = d.practitioner_id
        and n.kind = d.kind and n.created_at > d.created_at)))
    order by d.kind, d.created_at desc`.execute(db)
  return rows
}

/** Puts a document in the place of the one of its kind that was waiting. */
export async function insertDocument(
  tx: Tx,
  document: NewRow<'practitioner_documents', 'state'>,
): Promise<void> {
  const replaced = await tx
    .deleteFrom('practitioner_documents')
    .where('practitioner_id', '=', document.practitioner_id)
    .where('kind', '=', document.kind)
    .where('state', '=', 'waiting')
    .returning('file_id')
    .execute()
  for (const { file_id } of replaced) await setRemoved(tx, file_id, document.created_at)
  await tx
    .insertInto('practitioner_documents')
    .values({ ...document, state: 'waiting' })
    .execute()
}

/** Sets the last day of a document. */
export async function setExpiry(tx: Tx, id: string, day: string | null): Promise<void> {
  await tx.updateTable('practitioner_documents').set({ expires_on: day }).where('id', '=', id).execute()
}

/** A document with whose it is and where it lies. */
export function findDocument(db: Db, id: string) {
  return db
    .selectFrom('practitioner_documents as d')
    .innerJoin('stored_files as f', 'f.id', 'd.file_id')
    .innerJoin('practitioners as p', 'p.id', 'd.practitioner_id')
    .select(['d.id', 'd.kind', 'd.practitioner_id', 'p.account_id', 'd.file_id', 'f.content_type'])
    .where('d.id', '=', id)
    .executeTakeFirst()
}

// Replaced portraits ------------------------------------------------------------------------------------------------

export async function insertReplacedPortrait(
  db: Db,
  imageKey: string,
  practitionerId: number,
  now: Date,
): Promise<void> {
  await db
    .insertInto('practitioner_replaced_portraits')
    .values({ image_key: imageKey, practitioner_id: practitionerId, replaced_at: now })
    .onConflict((conflict) => conflict.column('image_key').doNothing())
    .execute()
}

/** Keys of portraits that were replaced before, and that no profile shows again. */
export function readReplacedPortraits(db: Db, replacedBefore: Date) {
  return db
    .selectFrom('practitioner_replaced_portraits as r')
    .select('r.image_key')
    .where('r.replaced_at', '<=', replacedBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('practitioners as p').select('p.id').whereRef('p.image_key', '=', 'r.image_key'),
        ),
      ),
    )
    .orderBy('r.replaced_at')
    .limit(500)
    .execute()
}

/** Counts a portrait that could not be removed as replaced later, but still due, so that the others go first. */
export async function postponePortrait(db: Db, imageKey: string, replacedAt: Date): Promise<void> {
  await db
    .updateTable('practitioner_replaced_portraits')
    .set({ replaced_at: replacedAt })
    .where('image_key', '=', imageKey)
    .execute()
}

export async function deleteReplacedPortrait(db: Db, imageKey: string): Promise<void> {
  await db.deleteFrom('practitioner_replaced_portraits').where('image_key', '=', imageKey).execute()
}

// Links -------------------------------------------------------------------------------------------------------------

export async function insertLink(
  db: Db,
  link: { hash: Buffer; file_id: string; expires_at: Date },
): Promise<void> {
  await db.insertInto('file_links').values(link).execute()
}

/** The file that a link shows, while it does. */
export function findLinked(db: Db, hash: Buffer, now: Date) {
  return db
    .selectFrom('file_links as l')
    .innerJoin('stored_files as f', 'f.id', 'l.file_id')
    .select(['f.storage_key', 'f.content_type'])
    .where('l.hash', '=', hash)
    .where('l.expires_at', '>', now)
    .where('f.ready_at', 'is not', null)
    .where('f.removed_at', 'is', null)
    .executeTakeFirst()
}

export async function deleteOldLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('file_links').where('expires_at', '<=', now).execute()
}
