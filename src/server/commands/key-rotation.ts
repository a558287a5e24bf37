import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { countRows } from '../db/count-rows.ts'
import type { SecretPurpose, Secrets } from '../secrets.ts'

type Owner = string | number
type Place = { table: string; column: string; owner: string; purpose: SecretPurpose }

/** What lasts in the database that is sealed with a key that is not in it. What is sealed for minutes is left out. */
export const sealedPlaces: readonly Place[] = [
  { table: 'chat_dialogs', column: 'sealed_key', owner: 'id', purpose: 'chat dialog key' },
  { table: 'chat_reports', column: 'sealed_reason', owner: 'id', purpose: 'chat report' },
  { table: 'chat_reports', column: 'sealed_messages', owner: 'id', purpose: 'chat report' },
  { table: 'release_files', column: 'sealed_body', owner: 'name', purpose: 'release file' },
  { table: 'search_wishes', column: 'sealed_filters', owner: 'id', purpose: 'search wish' },
  { table: 'google_calendars', column: 'sealed_grant', owner: 'id', purpose: 'calendar grant' },
  { table: 'second_factors', column: 'secret', owner: 'account_id', purpose: 'second factor' },
  { table: 'second_factors', column: 'pending_secret', owner: 'account_id', purpose: 'second factor' },
]

const batch = 500

/**
 * Seals everything with the newest key that is sealed with an older one, a batch at a time, while the product runs or
 * not; broken off, it goes on where it was. How many values were sealed anew, and how many recovery codes cannot be:
 * only a digest of them is there, made with the key of their day.
 * @throws Error for what none of the keys opens, with what was done before it kept
 */
export async function rotateKeys(db: Db, secrets: Secrets): Promise<{ sealed: number; codesLeft: number }> {
  let sealed = 0
  for (const place of sealedPlaces) {
    for (let after: Owner | null = null; ; ) {
      const owners: Owner[] = await rotateSome(db, secrets, place, after)
      sealed += owners.length
      const last = owners.at(-1)
      if (last === undefined || owners.length < batch) break
      after = last
    }
  }
  await db.updateTable('installation').set({ value: secrets.keyId }).where('key', '=', 'secret-key').execute()
  const codesLeft = await countRows(
    db
      .selectFrom('recovery_codes')
      .where('used_at', 'is', null)
      .where('key_id', 'is distinct from', secrets.keyId),
  )
  return { sealed, codesLeft }
}

/** Rotates a batch of the values after an owner's, so that each row is read once. Returns their owners, in order. */
async function rotateSome(db: Db, secrets: Secrets, place: Place, after: Owner | null): Promise<Owner[]> {
  const { purpose } = place
  const [table, column, owner] = [sql.table(place.table), sql.ref(place.column), sql.ref(place.owner)]
  const newest = Buffer.from(secrets.keyId, 'hex')
  const isLeft = after === null ? sql`true` : sql`${owner} > ${after}`
  const { rows } = await sql<{ owner: Owner; value: Uint8Array }>`
    select ${owner} as owner, ${column} as value from ${table}
    where ${isLeft} and ${column} is not null and substring(${column} from 2 for 8) <> ${newest}
    order by ${owner} limit ${batch}`.execute(db)
  for (const row of rows) {
    const whose = String(row.owner)
    const anew = secrets.seal(purpose, whose, secrets.open(purpose, whose, row.value))
    // What has been written meanwhile stands.
    await sql`update ${table} set ${column} = ${anew} where ${owner} = ${row.owner} and ${column} = ${Buffer.from(row.value)}`.execute(
      db,
    )
  }
  return rows.map((row) => row.owner)
}
