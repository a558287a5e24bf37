import { CompiledQuery, sql } from 'kysely'
import { fromPglite, PgBoss } from 'pg-boss'
import type { FastifyBaseLogger } from 'fastify'
import { seconds } from '../clock.ts'
import type { Database, Db, Tx } from '../db/connection.ts'
import { runPrepared } from '../db/prepared.ts'
import { afterCommit, withCommit } from '../db/transaction.ts'
import { inSpan, type Tracing } from '../integrations/tracing/port.ts'
import { errorName, summary } from '../errors.ts'

type Settings = {
  retryLimit: number
  /** Seconds before the first retry; each further one waits twice as long. */
  retryDelay: number
  retryDelayMax: number
  /** A cron expression, for what has to happen anyway. */
  every?: string
  /** How many of a kind an instance does at once on a server's database; one after the other is the usual. */
  workers?: number
  /** Whether at most one job waits for each `singletonKey` at a time: another one is dropped. */
  isSingleton?: boolean
}

/** A kind of job and what it carries: ids, never text that a person wrote. */
export type Job<Data extends object = Record<string, never>> = Settings & {
  name: string
  /** For the compiler alone. */
  data?: Data
}

/** Of a kind that names no others. */
const usualRetries = { retryLimit: 3, retryDelay: 5, retryDelayMax: 60 }

/** Declares a kind of job. Modules declare theirs in `x.jobs.ts`; `name` is stored, so the next release has to know it. */
export function defineJob<Data extends object = Record<string, never>>(
  name: string,
  settings: Partial<Settings> = {},
): Job<Data> {
  return { name, ...usualRetries, ...settings }
}

/** How often is looked which kinds have something to do. */
const lookEvery = seconds(1)
/** Times of shared jobs that are remembered, by kind. */
const maxShared = 1000
/** How often the workers of a kind look for themselves, in seconds, should looking for all of them fail them. */
const lookAlone = 60
/**
 * How long a completed or failed job is kept, in seconds. The library reads its whole table every 15 seconds, finished
 * jobs included, and nothing of the product reads those.
 */
const keepFinished = 3600
/** After this time, in seconds, the library fails a job and its worker takes the next one, while the handler goes on. */
const expiresAfter = 120
/** Before that, a job is counted as failed: the library tells nothing of one that it fails. */
const overdueAfter = seconds(115)
/** The library's own queue, for jobs whose time has come. */
const ownQueue = '__pgboss__send-it'

export type Queue = {
  /** Puts a job in the queue; in a transaction, it is there exactly if the transaction commits. */
  enqueue<Data extends object>(
    db: Db,
    job: Job<Data>,
    data: NoInfer<Data>,
    /** `isUrgent`: before the other jobs of its kind. */
    options?: { startAfter?: Date; isUrgent?: boolean; singletonKey?: string },
  ): Promise<void>
  /** Whether a job of a kind waits, also to be tried again, or runs. */
  isUnderWay(db: Db, job: Pick<Job, 'name'>): Promise<boolean>
  /**
   * Has a job without data run at a time, sent with the commit of a transaction. Transactions that ask for the same time
   * share the first job that one of them has committed.
   */
  enqueueSharedWithCommit(tx: Tx, job: Job, options: { startAfter: Date }): Promise<void>
  /**
   * Registers the handler of a kind of job, before `start`. Handlers are safe to repeat: a job may run again after a
   * crash.
   */
  handle<Data extends object>(job: Job<Data>, handler: (data: NoInfer<Data>) => Promise<void>): void
  /**
   * Installs the queue's tables, unless `installQueue` has, and its queues, and with `work` begins to work through it.
   */
  start(options: { work: boolean; install?: boolean }): Promise<void>
  stop(): Promise<void>
  /**
   * How often jobs of a kind have failed in this process, once for each time. An expected failure counts when it is the
   * last.
   */
  failures(): ReadonlyMap<string, number>
  /** Does every job that is due now, in this process, until none is left. For tests and one-off commands. */
  drain(): Promise<void>
}

/** Has the queue work within a transaction, by statements whose texts are always the same for a kind of job. */
const within = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await runPrepared(db, { compile: () => CompiledQuery.raw(text, values) }),
  }),
})

/** Has the queue send its statement with the commit of a transaction. It takes the job as inserted. */
const withCommitOf = (tx: Tx) => ({
  async executeSql(text: string, values: unknown[] = []) {
    withCommit(tx, {
      statements: [{ compile: () => CompiledQuery.raw(text, values) }],
      read: () => undefined,
    })
    return { rows: [{ id: 'unknown before the commit' }] }
  },
})

/** Throws the kind of an error alone. The queue stores it with the job, and a message may repeat user input. */
function withoutWords(error: unknown): never {
  throw new Error(errorName(error))
}

/** Whether a queue that is there was made with other settings. */
function differs<T extends object>(present: { [K in keyof T]?: unknown }, wanted: T): boolean {
  return (Object.keys(wanted) as (keyof T)[]).some((key) => present[key] !== wanted[key])
}

/** Whether an error says of itself that trying again would be no use. */
function isFinal(error: unknown): error is Error {
  return error instanceof Error && 'final' in error && error.final === true
}

/** Whether an error says of itself that trying again is how it goes on, and that it has been logged where that is of use. */
function isExpected(error: unknown): boolean {
  return error instanceof Error && 'expected' in error && error.expected === true
}

const executorOf = ({ engine }: Database) =>
  engine.kind === 'embedded'
    ? { db: fromPglite(engine.pglite), backend: 'pglite' as const }
    : { db: { executeSql: async (text: string, values?: unknown[]) => engine.pool.query(text, values) } }

/** Creates or upgrades the queue's own tables, owned by the database role of the handle. */
export async function installQueue(database: Database): Promise<void> {
  const boss = new PgBoss({ ...executorOf(database), schedule: false, supervise: false })
  const failed = Promise.withResolvers<never>()
  boss.on('error', failed.reject)
  await Promise.race([boss.start(), failed.promise])
  await boss.stop({ graceful: false, close: false })
}

export function createQueue(database: Database, log: FastifyBaseLogger, tracing?: Tracing): Queue {
  const { engine } = database
  const kinds = new Map<string, { settings: Settings; handler: (data: never) => Promise<void> }>()
  /** Times (epoch milliseconds) of shared jobs that are committed, by kind, in the order of their commits. */
  const shared = new Map<string, Set<number>>()
  const failures = new Map<string, number>()
  let boss: PgBoss | undefined
  let looking: NodeJS.Timeout | undefined

  const started = () => {
    if (!boss) throw new Error('The queue has not been started.')
    return boss
  }
  /** How many jobs of each kind wait to be done. Asked at once: there are many kinds, and most have nothing to do. */
  const waiting = async (): Promise<{ name: string; jobs: number }[]> => {
    // As the queue's own index has it, so that what is done and kept for a while is not looked through.
    const text = `select name, count(*)::int as jobs from pgboss.job
      where state < 'active' and not blocked and start_after <= now() group by name`
    const { rows } =
      engine.kind === 'embedded'
        ? await engine.pglite.query<{ name: string; jobs: number }>(text)
        : await engine.pool.query<{ name: string; jobs: number }>(text)
    const found = new Map(rows.map(({ name, jobs }) => [name, jobs]))
    return [...kinds.keys()]
      .map((name) => ({ name, jobs: found.get(name) ?? 0 }))
      .filter(({ jobs }) => jobs > 0)
  }
  const run = async (name: string, { data: put, retryCount }: { data: unknown; retryCount: number }) => {
    const kind = kinds.get(name)
    if (!kind) throw new Error(`No handler for ${name}.`)
    shared.delete(name)
    const { traceparent: after, ...data } = (put ?? {}) as { traceparent?: string }
    let isCounted = false
    const count = () => {
      if (!isCounted) failures.set(name, (failures.get(name) ?? 0) + 1)
      isCounted = true
    }
    const overdue = setTimeout(() => {
      count()
      log.error({ job: name }, 'A job takes too long and is given up for now, while its work goes on.')
    }, overdueAfter).unref()
    try {
      await inSpan(tracing, `job ${name}`, { kind: 'consumer', after }, () => kind.handler(data as never))
    } catch (error) {
      if (isFinal(error)) {
        count()
        log.error(
          { job: name, err: { name: error.name } },
          'A job has failed for good and is not tried again.',
        )
        return
      }
      const isLast = retryCount >= kind.settings.retryLimit
      if (isExpected(error) && !isLast) throw error
      count()
      // The queue keeps its name alone.
      log.error(
        { job: name, err: summary(error) },
        isLast ? 'A job has failed for the last time and is given up.' : 'A job has failed.',
      )
      throw error
    } finally {
      clearTimeout(overdue)
    }
  }

  const send = async (
    executor: ReturnType<typeof within>,
    { name }: { name: string },
    data: object,
    options?: { startAfter?: Date; isUrgent?: boolean; singletonKey?: string },
  ) => {
    if (!kinds.has(name)) throw new Error(`No handler for ${name}.`)
    const traceparent = tracing?.traceparent()
    await started().send(name, traceparent ? { ...data, traceparent } : data, {
      db: executor,
      ...(options?.startAfter ? { startAfter: options.startAfter } : {}),
      ...(options?.isUrgent ? { priority: 1 } : {}),
      ...(options?.singletonKey ? { singletonKey: options.singletonKey } : {}),
    })
  }

  return {
    async enqueue(db, job, data, options) {
      await send(within(db), job, data, options)
    },
    async isUnderWay(db, { name }) {
      const { rows } = await sql`
        select from pgboss.job where name = ${name} and state <= 'active' limit 1`.execute(db)
      return rows.length > 0
    },
    async enqueueSharedWithCommit(tx, job, options) {
      const time = options.startAfter.getTime()
      if (shared.get(job.name)?.has(time)) return
      await send(withCommitOf(tx), job, {}, options)
      afterCommit(tx, () => {
        const times = shared.get(job.name) ?? new Set()
        shared.set(job.name, times.add(time))
        for (const oldest of times) {
          if (times.size <= maxShared) break
          times.delete(oldest)
        }
      })
    },
    failures: () => failures,
    handle({ name, ...settings }, handler) {
      if (kinds.has(name)) throw new Error(`${name} has a handler already.`)
      kinds.set(name, { settings, handler })
    },
    async start({ work, install = true }) {
      boss = new PgBoss({
        ...executorOf(database),
        migrate: install,
        schedule: work,
        supervise: work,
        // What an instance that died had begun is noticed soon after its time is over.
        superviseIntervalSeconds: 15,
        monitorIntervalSeconds: 15,
        // How often finished jobs are deleted.
        maintenanceIntervalSeconds: 600,
      })
      boss.on('error', (error) => log.error({ err: { name: error.name } }, 'job queue'))
      // The data of a slow query holds its values.
      boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'))
      await boss.start()
      const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      const own = present.get(ownQueue)
      if (own && differs(own, { deleteAfterSeconds: keepFinished }))
        await boss.updateQueue(ownQueue, { deleteAfterSeconds: keepFinished })
      const [first] = kinds.keys()
      for (const [name, { settings }] of kinds) {
        const { retryLimit, retryDelay, retryDelayMax, isSingleton } = settings
        const retries = { retryLimit, retryDelay, retryDelayMax, retryBackoff: true }
        const options = { ...retries, expireInSeconds: expiresAfter, deleteAfterSeconds: keepFinished }
        const queue = present.get(name)
        // The policy is what a queue is made with, and stays.
        if (!queue) await boss.createQueue(name, isSingleton ? { ...options, policy: 'short' } : options)
        // For jobs from here on: one that waits already keeps what it was put there with.
        else if (differs(queue, options)) await boss.updateQueue(name, options)
        else if (name !== first) continue
        // The library reads the queues when it starts and forgets one that changes. Its first job in a transaction would
        // wait for a read that only the transaction's end allows. One is always asked for: it fails without that read.
        await boss.previewRedrive(name)
      }
      if (!work) return
      /** Those with nothing to do, by the kind that each does. */
      const idle = new Map<string, Set<string>>()
      for (const [name, { settings }] of kinds) {
        const { every, workers = 1 } = settings
        if (every) await boss.schedule(name, every, {})
        const resting = new Set<string>()
        idle.set(name, resting)
        for (let count = engine.kind === 'embedded' ? 1 : workers; count > 0; count--) {
          const id = await boss.work(
            name,
            { pollingIntervalSeconds: lookAlone },
            async (jobs: { data: unknown; retryCount: number }[]) => {
              resting.delete(id)
              try {
                for (const job of jobs) await run(name, job).catch(withoutWords)
              } finally {
                resting.add(id)
                // There may be more where this came from.
                boss?.notifyWorker(id)
              }
            },
          )
          resting.add(id)
        }
      }
      // One question for all kinds: each worker's own, every second, would come between the messages of the chat.
      const look = async () => {
        for (const { name, jobs } of await waiting()) {
          for (const id of [...(idle.get(name) ?? [])].slice(0, jobs)) boss?.notifyWorker(id)
        }
      }
      let isLooking = false
      looking = setInterval(() => {
        if (isLooking) return
        isLooking = true
        look()
          .catch((error: unknown) => log.error({ err: { name: errorName(error) } }, 'job queue'))
          .finally(() => {
            isLooking = false
          })
      }, lookEvery)
    },
    async stop() {
      clearInterval(looking)
      await boss?.stop({ graceful: true, timeout: 10_000, close: false })
      boss = undefined
    },
    async drain() {
      const queue = started()
      for (let busy = true; busy; ) {
        busy = false
        for (const { name } of await waiting()) {
          for (const job of await queue.fetch<unknown>(name, { batchSize: 20 })) {
            busy = true
            try {
              await run(name, job)
              await queue.complete(name, job.id)
            } catch (error) {
              await queue.fail(name, job.id, { name: errorName(error) })
            }
          }
        }
      }
    },
  }
}
