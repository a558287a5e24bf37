import type { PersonalData } from '../contributions/personal-data.ts'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Clock, days, later, seconds } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { prepare, runPrepared } from '../db/prepared.ts'
import { fail } from '../errors.ts'
import { resume } from '../resumption.ts'
import type { SignedIn } from './caller.ts'

type Outcome = { status: number; answer: unknown }

export type Idempotency = {
  /**
   * Carries out `act` once for this caller, endpoint and key, and answers every repeat with what came of it. Without a
   * key it is simply carried out: each of these use cases is safe to repeat by itself. A request that is still being
   * carried out, however slowly, is not carried out a second time; one whose process has died is, after 6 seconds.
   * @throws 409 `idempotency_key_reused` for another body, 409 `request_in_progress` when the first one takes too long.
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
  /** Deletes keys older than 7 days. */
  tidy(): Promise<void>
}

/** How long a repeat waits for the first to end. Real time, like all limits here. */
const patience = seconds(10)
/** How often a running request renews its claim, and the age at which a claim counts as that of a crash. */
const renewal = seconds(2)
const abandoned = seconds(6)
/**
 * How long a repeat watches an unchanged claim before it takes it over. While the database is unavailable no request can
 * renew its claim; a live one does so within `renewal` of the database's return.
 */
const watching = seconds(3)
/** How long a key is remembered. */
const remembered = days(7)

export function createIdempotency(db: Db, clock: Clock): Idempotency {
  return {
    async run(caller, endpoint, key, input, act) {
      if (key === undefined) return act()
      if (Array.isArray(key) || key.length < 1 || key.length > 200) {
        throw fail('malformed_request', 'Idempotency-Key must have 1 to 200 characters.')
      }
      const row = { account_id: caller.accountId, endpoint, key, claim: randomUUID() }
      const hash = createHash('sha256')
        .update(`${key}\n${JSON.stringify(input, withoutCard)}`)
        .digest()
      const started = performance.now()
      let watched: { claim: string | null; renewedAt: number | undefined; since: number } | undefined
      while (!(await claim(row, hash))) {
        const earlier = await find(row)
        if (!earlier) continue
        if (!Buffer.from(earlier.request_hash).equals(hash)) {
          throw fail('idempotency_key_reused', 'This Idempotency-Key was used for something else.')
        }
        if (earlier.status !== null) return { status: earlier.status, answer: earlier.answer }
        const now = performance.now()
        const renewedAt = earlier.renewed_at?.getTime()
        if (watched?.claim !== earlier.claim || watched.renewedAt !== renewedAt) {
          watched = { claim: earlier.claim, renewedAt, since: now }
        }
        if (now - watched.since > watching && (await takeOver(row, watched.claim))) {
          return keep(row, () => resume(act))
        }
        if (now - started > patience) {
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
    const claimed = await insertClaim(db, { ...row, hash, now: clock.now() })
    return claimed.length > 0
  }

  /** Takes the claim of a process that has died. False where it lives, or another has taken it. */
  async function takeOver(row: Row, from: string | null): Promise<boolean> {
    if (from === null) return false
    const taken = await db
      .updateTable('idempotency_keys')
      .set({ started_at: clock.now(), claim: row.claim, renewed_at: databaseTime })
      .where((eb) => eb.and({ ...row, claim: from }))
      .where('status', 'is', null)
      .where('renewed_at', '<', sql<Date>`clock_timestamp() - ${abandoned} * interval '1 millisecond'`)
      .returning('key')
      .executeTakeFirst()
    return taken !== undefined
  }

  async function renew(row: Row): Promise<void> {
    await db
      .updateTable('idempotency_keys')
      .set({ renewed_at: databaseTime })
      .where((eb) => eb.and(row))
      .where('status', 'is', null)
      .execute()
  }

  async function find({ account_id, endpoint, key }: Row) {
    const query = db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'status', 'answer', 'claim', 'renewed_at'])
      .where((eb) => eb.and({ account_id, endpoint, key }))
    return (await runPrepared(db, query))[0]
  }

  async function keep(row: Row, act: () => Promise<Outcome>): Promise<Outcome> {
    let outcome: Outcome
    // One that fails is made up for by the next.
    const renewing = setInterval(() => void renew(row).catch(() => undefined), renewal)
    try {
      outcome = await act()
    } catch (error) {
      // A refusal is not kept: nothing was done, and the caller may try again with the same key once it is mended.
      await forget(row)
      throw error
    } finally {
      clearInterval(renewing)
    }
    await storeAnswer(db, { ...row, status: outcome.status, answer: JSON.stringify(outcome.answer) })
    return outcome
  }

  async function forget(row: Row): Promise<void> {
    const query = db
      .deleteFrom('idempotency_keys')
      .where((eb) => eb.and(row))
      .where('status', 'is', null)
    await runPrepared(db, query)
  }
}

/** A request of an account, and the process that carries it out. */
type Row = { account_id: string; endpoint: string; key: string; claim: string }

const databaseTime = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** Returns no row if the key is claimed or answered already. */
const insertClaim = prepare((at: Row & { hash: Buffer; now: Date }) => ({
  compile: (db: Db) =>
    db
      .insertInto('idempotency_keys')
      .values({
        account_id: at.account_id,
        endpoint: at.endpoint,
        key: at.key,
        claim: at.claim,
        request_hash: at.hash,
        started_at: at.now,
        renewed_at: databaseTime,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'endpoint', 'key']).doNothing())
      .returning('key')
      .compile(),
}))

const storeAnswer = prepare((at: Row & { status: number; answer: string }) => ({
  compile: (db: Db) =>
    db
      .updateTable('idempotency_keys')
      .set({ status: at.status, answer: at.answer })
      .where('account_id', '=', at.account_id)
      .where('endpoint', '=', at.endpoint)
      .where('key', '=', at.key)
      .where('claim', '=', at.claim)
      .compile(),
}))

/**
 * Removes card data that must not be stored in any form: a digest of so few digits can be reversed by trying all. The
 * last four digits, which are stored anyway, suffice to tell two cards apart.
 */
function withoutCard(field: string, value: unknown): unknown {
  if (field === 'cvv_number') return undefined
  return field === 'card_number' && typeof value === 'string' ? value.slice(-4) : value
}

/** Stored answers repeat data of other tables: they are not exported, and are deleted with the account. */
export function rememberedAnswers(idempotency: Idempotency): PersonalData {
  return {
    tables: ['idempotency_keys'],
    kept: [],
    exported: async () => [],
    erase: (tx, { accountId }) => idempotency.forget(tx, accountId),
  }
}
