import { setTimeout as sleep } from 'node:timers/promises'
import { toBatch } from './batch.ts'
import type { Db, Tx } from './connection.ts'
import { type Question, queriesOf, sendTogether } from './prepared.ts'

export type { Question }

/** PostgreSQL's codes for a transaction that lost to another and may simply be tried again. */
const lost = new Set(['40001', '40P01'])

/** The code of a database error, such as `23P01` for an exclusion constraint. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What is called once a transaction that is open now has committed. */
const waiting = new WeakMap<Tx, (() => void)[]>()
/** What is written at the end of a transaction that is open now. */
const atTheEnd = new WeakMap<Tx, (() => Promise<void>)[]>()
/** What is sent with the commit of a transaction that is open now. */
const atCommit = new WeakMap<Tx, Question<unknown>[]>()

/**
 * Runs `work` in a transaction, again when it was chosen as a deadlock's victim. `work` must hold no network call. What
 * waits for the commit has been called before this is done.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const calls: (() => void)[] = []
    const last: (() => Promise<void>)[] = []
    const sent: Question<unknown>[] = []
    try {
      const committed = await db.transaction().execute(async (tx) => {
        waiting.set(tx, calls)
        atTheEnd.set(tx, last)
        atCommit.set(tx, sent)
        const result = await work(tx)
        for (const write of last) await write()
        if (sent.length > 0) {
          const queries = sent.flatMap((question) => queriesOf(tx, question))
          await tx.executeQuery(toBatch({ queries, goesWithCommit: true }))
        }
        return result
      })
      for (const call of calls) call()
      return committed
    } catch (error) {
      if (attempt >= 8 || !lost.has(sqlState(error) ?? '')) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * Has `write` be the last thing that the transaction does, after all that it does later: for what locks a row that every
 * such transaction needs.
 * @throws Error for a transaction that `inTransaction` has not begun
 */
export function beforeCommit(tx: Tx, write: () => Promise<void>): void {
  const writes = atTheEnd.get(tx)
  if (!writes) throw new Error('Only a transaction begun by inTransaction writes something at its end.')
  writes.push(write)
}

/**
 * Calls `call` as soon as the transaction has committed, before `inTransaction` returns; never if it fails. `call` must
 * not throw.
 * @throws Error for a transaction that `inTransaction` has not begun
 */
export function afterCommit(tx: Tx, call: () => void): void {
  const calls = waiting.get(tx)
  if (!calls) throw new Error('Only a transaction begun by inTransaction tells when it has committed.')
  if (!calls.includes(call)) calls.push(call)
}

/**
 * Sends what is asked with the commit of the transaction, in one trip, after all that it does before. A statement that
 * fails fails the transaction. What they find out is not read.
 * @throws Error for a transaction that `inTransaction` has not begun
 */
export function withCommit(tx: Tx, ...questions: Question<unknown>[]): void {
  const sent = atCommit.get(tx)
  if (!sent) throw new Error('Only a transaction begun by inTransaction sends something with its commit.')
  sent.push(...questions)
}

type Answers<Q extends readonly Question<unknown>[]> = {
  -readonly [K in keyof Q]: Q[K] extends Question<infer T> ? T : never
}

/**
 * Asks several questions in one trip, within a transaction or outside. Their statements are carried out in order, each with
 * a snapshot of its own: one sees what was committed while one before it waited for a lock.
 */
export async function together<const Q extends readonly Question<unknown>[]>(
  db: Db,
  ...questions: Q
): Promise<Answers<Q>> {
  const asked = questions.map((question) => queriesOf(db, question))
  const found = await sendTogether(db, asked.flat())
  let next = 0
  const answers = questions.map((question, index) => {
    const from = next
    next += asked[index]?.length ?? 0
    return question.read(found.slice(from, next))
  })
  return answers as Answers<Q>
}
