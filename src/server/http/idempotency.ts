import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, days, later, seconds } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { fail } from '../errors.ts'
import type { SignedIn } from './caller.ts'

type Outcome = { status: number; answer: unknown }

export type Idempotency = {
  /**
   * Carries out `act` once for this caller, endpoint and key, and answers every repeat with what came of it. Without a
   * key it is simply carried out: each of these use cases is safe to repeat by itself.
   * @throws 422 `idempotency_key_reused` for another body, 409 `request_in_progress` when the first one takes too long.
   */
  run(
    caller: SignedIn,
    endpoint: string,
    key: string | string[] | undefined,
    input: unknown,
    act: () => Promise<Outcome>,
  ): Promise<Outcome>
  /** Forgets the keys of an account, with the answers that they hold. */
  forget(handle: Db, accountId: string): Promise<void>
  /** Forgets keys that nobody repeats any more. */
  tidy(): Promise<void>
}

/** How long a repeat waits for the first to end, and after what time a first that never ended counts as crashed. */
const patience = seconds(10)
const abandoned = seconds(60)
/** How long a key is remembered. */
const remembered = days(7)

export function createIdempotency(db: Db, clock: Clock): Idempotency {
  return {
    async run(caller, endpoint, key, input, act) {
      if (key === undefined) return act()
      if (Array.isArray(key) || key.length < 1 || key.length > 200) {
        throw fail('malformed_request', 'Idempotency-Key must have 1 to 200 characters.')
      }
      const row = { account_id: caller.accountId, endpoint, key }
      const hash = createHash('sha256')
        .update(`${key}\n${JSON.stringify(input, withoutCard)}`)
        .digest()
      const deadline = performance.now() + patience
      while (!(await claim(row, hash))) {
        const earlier = await find(row)
        if (!earlier) continue
        if (!Buffer.from(earlier.request_hash).equals(hash)) {
          throw fail('idempotency_key_reused', 'This Idempotency-Key was used for something else.')
        }
        if (earlier.status !== null) return { status: earlier.status, answer: earlier.answer }
        if (performance.now() > deadline) {
          throw fail('request_in_progress', 'The same request is still being carried out.', { retryAfter: 2 })
        }
        await sleep(25)
      }
      return keep(row, act)
    },
    async forget(handle, accountId) {
      await handle.deleteFrom('idempotency_keys').where('account_id', '=', accountId).execute()
    },
    async tidy() {
      await db
        .deleteFrom('idempotency_keys')
        .where('started_at', '<', later(clock.now(), -remembered))
        .execute()
    },
  }

  async function claim(row: Row, hash: Buffer): Promise<boolean> {
    const now = clock.now()
    const claimed = await db
      .insertInto('idempotency_keys')
      .values({ ...row, request_hash: hash, started_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'endpoint', 'key'])
          .doUpdateSet({ started_at: now })
          .where('idempotency_keys.status', 'is', null)
          .where('idempotency_keys.request_hash', '=', hash)
          .where('idempotency_keys.started_at', '<', later(now, -abandoned)),
      )
      .returning('key')
      .executeTakeFirst()
    return claimed !== undefined
  }

  async function find(row: Row) {
    return db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'status', 'answer'])
      .where('account_id', '=', row.account_id)
      .where('endpoint', '=', row.endpoint)
      .where('key', '=', row.key)
      .executeTakeFirst()
  }

  async function keep(row: Row, act: () => Promise<Outcome>): Promise<Outcome> {
    let outcome: Outcome
    try {
      outcome = await act()
    } catch (error) {
      // A refusal is not kept: nothing was done, and the caller may try again with the same key once it is mended.
      await forget(row)
      throw error
    }
    await db
      .updateTable('idempotency_keys')
      .set({ status: outcome.status, answer: JSON.stringify(outcome.answer) })
      .where('account_id', '=', row.account_id)
      .where('endpoint', '=', row.endpoint)
      .where('key', '=', row.key)
      .execute()
    return outcome
  }

  async function forget(row: Row): Promise<void> {
    await db
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', row.account_id)
      .where('endpoint', '=', row.endpoint)
      .where('key', '=', row.key)
      .where('status', 'is', null)
      .execute()
  }
}

type Row = { account_id: string; endpoint: string; key: string }

/**
 * Leaves out what of a card must not be kept in any form: so few digits are found by trying, whatever they are digested
 * with. The last four, which are kept anyway, tell two cards apart well enough.
 */
function withoutCard(field: string, value: unknown): unknown {
  if (field === 'cvv_number') return undefined
  return field === 'card_number' && typeof value === 'string' ? value.slice(-4) : value
}
