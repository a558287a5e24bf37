import type { Clock } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import type { Secrets } from '../../secrets.ts'
import type { Db, Tx } from '../connection.ts'
import { demoCount, fillDemo, fillReference, installed, once, settle } from './insert.ts'
import { insertRows } from './insert-rows.ts'

type Options = {
  db: Db
  clock: Clock
  random: Random
  secrets: Secrets
  search: { rebuild(tx: Tx): Promise<void> }
  /** What a new database is filled with. The choice of the first start stays; later values are ignored. */
  seed: 'demo' | 'reference' | 'none'
  /** Holds `media/portraits`. */
  dataDirectory: string
  /** The first admin of a database without demo data: made where both are given. */
  admin?: { email?: string | undefined; password?: string | undefined }
  /** Prints what takes long, for the operator who starts the product. */
  say: (sentence: string) => void
}

/**
 * Fills a new database, and goes on where a first start was broken off. Several instances may do this at once; on a
 * database that is filled it takes a moment.
 */
export async function fillDatabase(options: Options): Promise<void> {
  const { db, seed, say } = options
  const chosen = await settle(db, 'seed', seed)
  if (chosen === 'none') return
  await fillReference(db)
  if (chosen === 'demo') {
    if (!(await installed(db, 'demo'))) {
      say(`Filling the new database with ${demoCount} made-up practitioners. This takes half a minute, once.`)
    }
    await fillDemo(options)
  } else {
    await fillAdmin(options)
  }
}

async function fillAdmin({
  db,
  clock,
  random,
  admin: { email, password } = {},
  say,
}: Options): Promise<void> {
  if (await installed(db, 'admin')) return
  if (!email || !password) {
    const missing =
      email || password
        ? `${email ? 'ADMIN_EMAIL needs ADMIN_PASSWORD' : 'ADMIN_PASSWORD needs ADMIN_EMAIL'} beside it`
        : 'ADMIN_EMAIL and ADMIN_PASSWORD are not set'
    say(`No admin was made: ${missing}.`)
    return
  }
  const password_hash = await hashPassword(password)
  const now = clock.now()
  await once(db, 'admin', 'filled', (tx) =>
    insertRows(tx, 'accounts', [
      {
        id: random.uuid(now),
        role: 'admin',
        email,
        email_verified_at: now,
        password_hash,
        first_name: 'Hearth',
        last_name: 'Admin',
        created_at: now,
      },
    ]),
  )
}
