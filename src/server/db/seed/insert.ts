import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { localDirectory } from '../../integrations/object-storage/local.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import type { Db, Tx } from '../connection.ts'
import { inTransaction } from '../transaction.ts'
import { demoAccounts, generateDemoDirectory } from './demo.ts'
import { drawDocuments, insertDocuments } from './insert-documents.ts'
import { drawPortraits } from './insert-portraits.ts'
import { insertPractitioners } from './insert-practitioners.ts'
import { insertReference } from './insert-reference.ts'
import { insertSubscription } from './insert-subscription.ts'
import { insertRows } from './insert-rows.ts'
import { referenceData } from './reference.ts'

/** What a database says about how it was filled, by key. */
type Marker = 'seed' | 'reference' | 'demo' | 'admin' | 'secret-key'

export const demoPassword = 'demo-password'
/** How many practitioners the demo directory lists. */
export const demoCount = 240
const demoSeed = 20_240_401
const filled = 'filled'

/** Whether a part has been filled in, and with what. */
export async function installed(db: Db, marker: Marker): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', marker).executeTakeFirst()
  return row?.value
}

/** Keeps a fact about the database, unless it is known already; what holds from now on. */
export async function settle(db: Db, marker: Marker, value: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ key: marker, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  return (await installed(db, marker)) ?? value
}

/** Writes the reference data, or what has changed in it since it was last written. */
export async function fillReference(db: Db): Promise<void> {
  const version = createHash('sha256').update(JSON.stringify(referenceData)).digest('hex')
  if ((await installed(db, 'reference')) === version) return
  await once(db, 'reference', version, insertReference)
}

type DemoOptions = {
  db: Db
  clock: Clock
  random: Random
  /** Holds `media/portraits`. */
  dataDirectory: string
  /** Makes the new practitioners findable, within the same transaction. */
  search: { rebuild(tx: Tx): Promise<void> }
  /** Practitioners to list; `demoCount` when absent. */
  count?: number
}

/**
 * Fills a database with the demo directory and accounts, once: portraits first, which can be begun again at any point,
 * then all rows in one transaction. The reference data must be there.
 */
export async function fillDemo(options: DemoOptions): Promise<void> {
  const { db, clock, random, dataDirectory, search, count = demoCount } = options
  if ((await installed(db, 'demo')) === filled) return
  const now = clock.now()
  const directory = generateDemoDirectory({ count, seed: demoSeed, today: now.toISOString().slice(0, 10) })
  const people = [...directory.practitioners, ...directory.unlisted]
  await drawPortraits(
    people.flatMap((person) => person.portrait ?? []),
    join(localDirectory(dataDirectory), 'portraits'),
  )
  const media = localDirectory(dataDirectory)
  await drawDocuments(people, media)
  const passwordHashes = new Map(
    await Promise.all(
      demoAccounts.map(async ({ email }) => [email, await hashPassword(demoPassword)] as const),
    ),
  )
  await once(db, 'demo', filled, async (tx) => {
    const others = demoAccounts
      .filter((account) => account.role !== 'therapist')
      .map((account) => ({
        id: random.uuid(now),
        role: account.role,
        email: account.email,
        email_verified_at: now,
        password_hash: passwordHashes.get(account.email) ?? null,
        first_name: account.firstName,
        last_name: account.lastName,
        created_at: now,
      }))
    await insertRows(tx, 'accounts', others)
    await insertRows(
      tx,
      'clients',
      others
        .filter((account) => account.role === 'client')
        .map((account) => ({ account_id: account.id, referral_code: random.code(8) })),
    )
    await insertPractitioners(tx, people, 1, { now, random, passwordHashes })
    await insertDocuments(tx, people, media, { now, random })
    const first = await tx
      .selectFrom('practitioners')
      .innerJoin('accounts', 'accounts.id', 'practitioners.account_id')
      .select(['practitioners.id', 'accounts.id as accountId', 'first_name', 'last_name'])
      .where('email', '=', 'therapist@demo.test')
      .executeTakeFirst()
    if (first) {
      const name = `${first.first_name} ${first.last_name}`
      await insertSubscription(tx, { ...first, name }, { now, random })
    }
    await search.rebuild(tx)
  })
}

/** Does something in one transaction with its marker, alone among all instances, unless it has been done. */
export async function once(
  db: Db,
  marker: Marker,
  value: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('hearth filling'))`.execute(tx)
    if ((await installed(tx, marker)) === value) return
    await work(tx)
    await tx
      .insertInto('installation')
      .values({ key: marker, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  })
}
