import { timingSafeEqual } from 'node:crypto'
import { days, later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { marksKept, marksLastDays, type Origin } from '../../http/caller.ts'
import * as store from './known-addresses.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'secrets'>

/** The part of an account that a mark is made from. */
type Markable = { id: string; password_hash: string | null }

/** Stands in for a missing account, so that the check takes equally long. */
const nobody: Markable = { id: '00000000-0000-0000-0000-000000000000', password_hash: null }

const addressesKept = 20
const addressesLast = days(90)

export type Known = ReturnType<typeof createKnown>

/**
 * Browsers and addresses from which the holder of an account has signed in. They grant no access. Failed sign-ins from
 * them have their own limit, so that a stranger's guesses do not lock the holder out.
 *
 * A mark is `issued.mac`, over account, time and the hash of the password. It holds no account id and needs no row. It
 * ends with its password, so that a stolen mark is useless after a change.
 */
export function createKnown({ db, clock, secrets }: Dependencies) {
  const signed = ({ id, password_hash: hash }: Markable, issued: string) =>
    secrets.digests('known browser', id, `${issued} ${hash ?? ''}`)

  const isOf = (account: Markable, mark: string): boolean => {
    const [issued = '', mac = ''] = mark.split('.')
    const given = Buffer.from(mac, 'base64url')
    let isRight = false
    for (const right of signed(account, issued)) {
      isRight = (given.length === right.length && timingSafeEqual(given, right)) || isRight
    }
    const age = clock.now().getTime() - Number.parseInt(issued, 36)
    return isRight && age > -minutes(5) && age < days(marksLastDays)
  }

  return {
    /** The mark by which this browser is known to an account. Takes equally long without an account. */
    markOf(account: Markable | undefined, { browser }: Origin): string | undefined {
      const found = browser.marks.filter((mark) => isOf(account ?? nobody, mark))
      return account && found[0]
    },

    /** The key that counts failures at this address, if it is known to the account. Takes equally long without one. */
    async addressOf(account: Markable | undefined, { address }: Origin): Promise<string | undefined> {
      const { id } = account ?? nobody
      const digest = await store.findKnown(db, id, secrets.digests('known address', id, address))
      return digest && subjectOf(id, digest)
    },

    /** Stores the address of a sign-in. */
    async noteAddress(tx: Tx, { id }: Markable, { address }: Origin): Promise<void> {
      const digest = secrets.digest('known address', id, address)
      await store.noteKnown(tx, id, digest, { now: clock.now(), limit: addressesKept })
    },

    /** Adds the account's mark to the browser's cookie, as the newest of a few. */
    mark(account: Markable, { browser }: Origin): void {
      const issued = clock.now().getTime().toString(36)
      const mac = secrets.digest('known browser', account.id, `${issued} ${account.password_hash ?? ''}`)
      const others = browser.marks.filter((mark) => !isOf(account, mark))
      browser.keep([`${issued}.${mac.toString('base64url')}`, ...others].slice(0, marksKept))
    },

    /** The keys that count failures at the known addresses of an account. */
    async subjectsOf(accountId: string): Promise<string[]> {
      const rows = await store.listKnown(db, accountId)
      return rows.map(({ digest }) => subjectOf(accountId, digest))
    },

    /** Deletes addresses without a sign-in for 90 days. */
    tidy: () => store.deleteKnownBefore(db, later(clock.now(), -addressesLast)),
  }
}

const subjectOf = (accountId: string, digest: Uint8Array) =>
  `${accountId} ${Buffer.from(digest).toString('base64url')}`
