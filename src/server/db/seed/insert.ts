import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import type { Clock } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { localDirectory } from '../../integrations/object-storage/local.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import type { Db, Tx } from '../connection.ts'
import { inTransaction } from '../transaction.ts'
import type { Secrets } from '../../secrets.ts'
import { demoAccounts, generateDemoDirectory } from './demo.ts'
import { type DemoHistory, emailOf, enquirer, guestEmail, planHistory, reporter } from './demo/history.ts'
import { host } from './demo/host.ts'
import { insertChats, planChats } from './insert-chats.ts'
import { drawDocuments, insertDocuments } from './insert-documents.ts'
import { insertHistory, insertViews } from './insert-history.ts'
import { drawPortraits } from './insert-portraits.ts'
import { insertPractitioners } from './insert-practitioners.ts'
import { insertReference } from './insert-reference.ts'
import { insertSeries } from './insert-series.ts'
import { insertSubscription } from './insert-subscription.ts'
import { insertRows } from './insert-rows.ts'
import { insertWaitlist } from './insert-waitlist.ts'
import { referenceData } from './reference.ts'

/** What a database says about how it was filled, by key. */
type Marker = 'seed' | 'reference' | 'demo' | 'admin' | 'secret-key' | 'push-key'

export const demoPassword = 'demo-password'
/** How many practitioners the demo directory lists. */
export const demoCount = 240
const demoSeed = 20_240_401
/** Id of the first practitioner of the directory. */
const firstId = 1
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
  /** Encrypts the made-up conversations. */
  secrets: Secrets
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
  const { db, clock, random, dataDirectory, secrets, search, count = demoCount } = options
  if ((await installed(db, 'demo')) === filled) return
  const now = clock.now()
  const directory = generateDemoDirectory({ count, seed: demoSeed, today: now.toISOString().slice(0, 10) })
  const people = [...directory.practitioners, ...directory.unlisted]
  await drawPortraits(
    people.flatMap((person) => person.portrait ?? []),
    join(localDirectory(dataDirectory), 'portraits'),
  )
  const history = planHistory(directory.practitioners, now)
  const media = localDirectory(dataDirectory)
  await drawDocuments(people, media)
  const passwordHashes = new Map(
    await Promise.all(
      demoAccounts.map(async ({ email }) => [email, await hashPassword(demoPassword)] as const),
    ),
  )
  await once(db, 'demo', filled, async (tx) => {
    const clients = [
      ...demoAccounts
        .filter(({ role }) => role === 'client')
        .map((account) => ({ ...account, createdAt: history.joinedAt })),
      ...history.clients.map((client) => ({ ...client, role: 'client' as const })),
    ]
    const admins = demoAccounts
      .filter(({ role }) => role === 'admin')
      .map((account) => ({ ...account, createdAt: now }))
    const accounts = [...clients, ...admins].map((account) => ({
      id: random.uuid(account.createdAt),
      role: account.role,
      email: account.email,
      email_verified_at: account.createdAt,
      password_hash: passwordHashes.get(account.email) ?? null,
      first_name: account.firstName,
      last_name: account.lastName,
      created_at: account.createdAt,
    }))
    await insertRows(tx, 'accounts', accounts)
    await insertRows(
      tx,
      'clients',
      accounts
        .filter(({ role }) => role === 'client')
        .map(({ id }) => ({ account_id: id, referral_code: random.code(8) })),
    )
    await insertRows(
      tx,
      'consents',
      accounts
        .filter(({ role }) => role === 'client')
        .map(({ id, created_at }) => ({
          id: random.uuid(created_at),
          account_id: id,
          scope: 'health-data',
          subject: id,
          text_version: healthConsent.version,
          given_at: created_at,
        })),
    )
    // The reviews of the demo practitioner belong to sessions, and are inserted with them.
    const inserted = people.map((person) =>
      person.email === host.email ? { ...person, reviews: [] } : person,
    )
    await insertPractitioners(tx, inserted, firstId, { now, random, passwordHashes })
    await insertDocuments(tx, people, media, { now, random })
    const idOf = new Map(accounts.map(({ id, email }) => [email, id]))
    await insertLife(tx, history, idOf, { now, random, secrets, last: directory.practitioners.length - 1 })
    await insertWaitlist(tx, directory.practitioners, { now, random, accounts: idOf, firstId })
    await search.rebuild(tx)
  })
}

/** Inserts what has happened to the demo practitioner and the clients around her, and what is to come. */
async function insertLife(
  tx: Tx,
  history: DemoHistory,
  accounts: ReadonlyMap<string, string>,
  { now, random, secrets, last }: Pick<DemoOptions, 'random' | 'secrets'> & { now: Date; last: number },
): Promise<void> {
  const owners = await tx
    .selectFrom('practitioners')
    .innerJoin('accounts', 'accounts.id', 'practitioners.account_id')
    .select(['practitioners.id', 'accounts.id as accountId', 'first_name', 'last_name'])
    .where(
      'practitioners.id',
      'in',
      [0, history.colleague, last].map((index) => firstId + index),
    )
    .execute()
  const at = (index: number) => {
    const owner = owners.find(({ id }) => id === firstId + index)
    if (!owner) throw new Error('A demo practitioner is missing.')
    return owner
  }
  const first = at(0)
  await insertSubscription(tx, { ...first, name: `${first.first_name} ${first.last_name}` }, { now, random })
  await insertHistory(tx, history, { now, random, accounts, firstId, hostAccountId: first.accountId })
  const guestId = accounts.get(guestEmail)
  if (history.series && guestId !== undefined) {
    await insertSeries(tx, history.series, { random, clientId: guestId, firstId })
  }
  await insertViews(tx, first.id, now)
  const clientId = (email: string) => accounts.get(email) ?? ''
  const dialogs = planChats(
    {
      guest: clientId(guestEmail),
      reporter: clientId(emailOf(reporter)),
      enquirer: clientId(emailOf(enquirer)),
      host: first,
      colleague: at(history.colleague),
      reported: at(last),
    },
    now,
  )
  await insertChats(tx, dialogs, { now, random, secrets })
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
