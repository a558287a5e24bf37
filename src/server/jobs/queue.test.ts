import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Database, openServer } from '#server/db/connection.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bookingsSweepJob } from '#server/modules/bookings/bookings.jobs.ts'
import { mailSendJob } from '#server/modules/mails/mails.jobs.ts'
import { paymentsRefundJob, paymentsFinishJob } from '#server/modules/payments/payments.jobs.ts'
import { searchRefreshJob } from '#server/modules/search/search.jobs.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bareDatabase } from '#test/test-database.ts'
import { housekeepingJob } from './housekeeping.ts'
import { createQueue, type Job } from './queue.ts'

const several = [
  bookingsSweepJob,
  mailSendJob,
  searchRefreshJob,
  paymentsFinishJob,
  paymentsRefundJob,
  housekeepingJob,
] as Job<never>[]
const silent = pino({ level: 'silent' })
const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function embedded(): Promise<Database> {
  const database = await bareDatabase()
  opened.push(database)
  return database
}
async function server(): Promise<Database> {
  const { url, database } = await clusterDatabase(5)
  await database.close()
  const again = openServer(url, 5, () => undefined)
  opened.push(again)
  return again
}

/** What the queue knows about its queues, without when it was written. */
async function settings({ db }: Database) {
  const { rows } = await sql<{ name: string; deletion_seconds: number; updated_on: Date }>`
    select name, retry_limit, retry_delay, retry_delay_max, retry_backoff, expire_seconds, deletion_seconds, updated_on
    from pgboss.queue where name not like '\\_\\_%' order by name`.execute(db)
  return rows.map(({ updated_on, ...row }) => ({ ...row, at: new Date(updated_on).getTime() }))
}
async function startAndStop(database: Database, work: boolean): Promise<void> {
  const queue = createQueue(database, silent)
  for (const job of several) queue.handle(job, async () => undefined)
  await queue.start({ work })
  await queue.stop()
}

describe.each([
  { kind: 'the embedded database', open: embedded },
  { kind: 'a server', open: server },
])('the queues in $kind', ({ open }) => {
  test('take a job within a transaction as soon as they are there', async () => {
    const database = await open()
    const queue = createQueue(database, silent)
    const done: string[] = []
    queue.handle(mailSendJob, async ({ mail_id }) => void done.push(mail_id))
    await queue.start({ work: false })
    await database.db.transaction().execute((tx) => queue.enqueue(tx, mailSendJob, { mail_id: 'the first' }))
    await queue.drain()
    await queue.stop()
    expect(done).toEqual(['the first'])
  })

  test('keep one job for all transactions that ask for its time, from the first commit until it runs', async () => {
    const database = await open()
    const queue = createQueue(database, silent)
    const runs: number[] = []
    queue.handle(bookingsSweepJob, async () => void runs.push(Date.now()))
    await queue.start({ work: false })
    const [past, other] = [new Date('2026-06-01T08:10:00Z'), new Date('2026-06-01T08:10:01Z')]
    const ask = (startAfter: Date, end?: Error) =>
      inTransaction(database.db, async (tx) => {
        await queue.enqueueSharedWithCommit(tx, bookingsSweepJob, { startAfter })
        if (end) throw end
      })
    const times = async () => {
      const { rows } = await sql<{ start_after: Date }>`
        select start_after from pgboss.job where name = 'bookings.sweep' order by start_after`.execute(
        database.db,
      )
      return rows.map((row) => row.start_after)
    }
    await expect(ask(past, new Error('undone'))).rejects.toThrow('undone')
    expect(await times()).toEqual([])
    for (const time of [past, other, past, other, past]) await ask(time)
    expect(await times()).toEqual([past, other])
    await queue.drain()
    expect(runs).toHaveLength(2)
    // A job that has run serves no later hold.
    await ask(past)
    expect(await times()).toEqual([past, past, other])
    await queue.drain()
    expect(runs).toHaveLength(3)
    await queue.stop()
  })

  test('take over settings that have changed, and are left alone otherwise', async () => {
    const database = await open()
    await startAndStop(database, false)
    const wanted = await settings(database)
    expect(wanted.length).toBeGreaterThan(5)
    expect(wanted.every((row) => row.deletion_seconds === 3600)).toBe(true)

    await startAndStop(database, true)
    expect(await settings(database)).toEqual(wanted)

    await sql`update pgboss.queue set retry_limit = 1, retry_delay_max = 7, retry_backoff = false,
      deletion_seconds = 604800 where name = 'mail.send'`.execute(database.db)
    await startAndStop(database, true)
    const after = await settings(database)
    const timeless = (rows: typeof after) => rows.map((row) => ({ ...row, at: 0 }))
    expect(timeless(after)).toEqual(timeless(wanted))
    const written = after.filter((row, index) => row.at !== wanted[index]?.at).map((row) => row.name)
    expect(written).toEqual(['mail.send'])
  })

  test('are worked through soon after something is put there, or is to start', async () => {
    const database = await open()
    const queue = createQueue(database, silent)
    const done = new Map<string, number>()
    queue.handle(mailSendJob, async ({ mail_id }) => void done.set(mail_id, Date.now()))
    queue.handle(paymentsFinishJob, async ({ intent_id }) => void done.set(intent_id, Date.now()))
    await queue.start({ work: true })
    try {
      const later = new Date(Date.now() + 3000)
      await queue.enqueue(database.db, paymentsFinishJob, { intent_id: 'later' }, { startAfter: later })
      for (const mails of [['first'], ['second', 'third', 'fourth']]) {
        for (const mail_id of mails) await queue.enqueue(database.db, mailSendJob, { mail_id })
        // Each worker looks for itself once a minute alone.
        await expect.poll(() => mails.every((mail) => done.has(mail)), { timeout: 40_000 }).toBe(true)
      }
      await expect.poll(() => done.get('later'), { timeout: 40_000 }).toBeGreaterThanOrEqual(later.getTime())
      expect(done.size).toBe(5)
    } finally {
      await queue.stop()
    }
  })
})

test('the queue deletes finished jobs after an hour, and logs what the library warns of', async () => {
  const database = await embedded()
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(JSON.parse(line)) })
  const queue = createQueue(database, log)
  queue.handle(mailSendJob, async () => undefined)
  queue.handle(paymentsFinishJob, async () => undefined)
  await queue.start({ work: false })
  for (const mail_id of ['old', 'recent']) await queue.enqueue(database.db, mailSendJob, { mail_id })
  await queue.drain()
  await sql`update pgboss.job set completed_on = now() - case when data ->> 'mail_id' = 'old' then interval '61 minutes'
    else interval '59 minutes' end`.execute(database.db)
  await sql`insert into pgboss.job (name, start_after, policy)
    select 'payments.settle', now() + interval '1 day', 'standard' from generate_series(1, 10001)`.execute(
    database.db,
  )
  await queue.stop()
  await queue.start({ work: true })
  try {
    const kept = async () => {
      const { rows } = await sql<{ mail: string }>`
        select data ->> 'mail_id' as mail from pgboss.job where name = 'mail.send'`.execute(database.db)
      return rows.map(({ mail }) => mail)
    }
    await expect.poll(kept, { timeout: 40_000, interval: 500 }).toEqual(['recent'])
    expect(logged).toEqual([
      { level: 40, warning: expect.stringContaining('"payments.settle" has 10001 jobs'), msg: 'job queue' },
    ])
  } finally {
    await queue.stop()
  }
})

test('a job that fails for good is not tried again, any other is', async () => {
  const database = await embedded()
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(JSON.parse(line)) })
  const queue = createQueue(database, log)
  queue.handle(paymentsFinishJob, async () => {
    throw Object.assign(new Error('never'), { final: true })
  })
  queue.handle(paymentsRefundJob, async () => {
    throw new AggregateError([new TypeError('of Jane Doe')], 'of Jane Doe')
  })
  await queue.start({ work: false })
  await queue.enqueue(database.db, paymentsFinishJob, { intent_id: 'a' })
  await queue.enqueue(database.db, paymentsRefundJob, { refund_id: 'b' })
  await queue.drain()
  const { rows } = await sql`select name, state from pgboss.job order by name`.execute(database.db)
  expect(rows).toEqual([
    { name: 'payments.refund', state: 'retry' },
    { name: 'payments.settle', state: 'completed' },
  ])
  expect([...queue.failures()].toSorted()).toEqual([
    ['payments.refund', 1],
    ['payments.settle', 1],
  ])
  expect(logged).toMatchObject([
    { level: 50, job: 'payments.settle', msg: 'A job has failed for good and is not tried again.' },
    {
      job: 'payments.refund',
      err: {
        message: 'AggregateError',
        errors: [{ type: 'TypeError', stack: expect.stringContaining('queue.test') }],
      },
      msg: 'A job has failed.',
    },
  ])
  expect(JSON.stringify(logged)).not.toContain('Jane')
  await queue.stop()
})

test('a job that takes longer than its time is logged and counted once, also if it fails later', async () => {
  const database = await embedded()
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(JSON.parse(line)) })
  const queue = createQueue(database, log)
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  queue.handle(paymentsFinishJob, () => {
    begun.resolve()
    return end.promise
  })
  await queue.start({ work: false })
  await queue.enqueue(database.db, paymentsFinishJob, { intent_id: 'a' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const drained = queue.drain()
    await begun.promise
    vi.advanceTimersByTime(114_000)
    expect([...queue.failures()]).toEqual([])
    vi.advanceTimersByTime(1000)
    expect([...queue.failures()]).toEqual([['payments.settle', 1]])
    expect(logged).toEqual([
      { level: 50, job: 'payments.settle', msg: expect.stringContaining('takes too long') },
    ])
    end.reject(new Error('too late'))
    await drained
  } finally {
    vi.useRealTimers()
  }
  expect([...queue.failures()]).toEqual([['payments.settle', 1]])
  await queue.stop()
})

test('a job that was to be tried again is a failure once it has been tried often enough', async () => {
  const database = await embedded()
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(JSON.parse(line)) })
  const queue = createQueue(database, log)
  queue.handle({ ...mailSendJob, retryLimit: 2 }, async () => {
    throw Object.assign(new Error('to jane@example.test'), { expected: true })
  })
  await queue.start({ work: false })
  await queue.enqueue(database.db, mailSendJob, { mail_id: 'a' })
  const attempt = async () => {
    await sql`update pgboss.job set start_after = now()`.execute(database.db)
    await queue.drain()
    const { rows } = await sql<{ state: string }>`select state from pgboss.job`.execute(database.db)
    return [rows.map(({ state }) => state), queue.failures().get('mail.send') ?? 0]
  }
  expect(await attempt()).toEqual([['retry'], 0])
  expect(await attempt()).toEqual([['retry'], 0])
  expect(logged).toEqual([])
  expect(await attempt()).toEqual([['failed'], 1])
  expect(logged).toMatchObject([
    { level: 50, job: 'mail.send', msg: 'A job has failed for the last time and is given up.' },
  ])
  expect(JSON.stringify(logged)).not.toContain('jane')
  await queue.stop()
})
