import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './db/connection.ts'
import type { Queue } from './jobs/queue.ts'
import type { Reads } from './db/reads.ts'
import { onRequestEnd } from './http/request-end.ts'

export type Metrics = {
  /** Counts an answer: of a request, or of a call within the process. */
  observe(labels: { method: string; route: string; status: string }, seconds: number): void
  /** Measures the process itself as well, from here on: its memory, its processor time, how long its loop is held up. */
  watchProcess(): void
  /** Everything that is counted, in the text format that Prometheus reads. */
  read(): Promise<{ type: string; text: string }>
}

type SearchIndexFigures = { state: string; practitioners: number; compared: number; differences: number }

/**
 * Counts what the product does, without a word about whom it does it for: routes by their pattern, queues by their name.
 */
export function createMetrics(
  app: FastifyInstance,
  {
    database: { db, engine },
    reads,
    queue,
    openSockets,
    directory,
    charges,
  }: {
    database: Database
    reads: Pick<Reads, 'figures'>
    queue: Pick<Queue, 'failures'>
    openSockets: () => number
    /** The index of the directory; undefined before the modules are composed. */
    directory: () => SearchIndexFigures | undefined
    /** How charges of reserved sessions ended; undefined before the modules are composed. */
    charges: () => Record<string, number> | undefined
  },
): Metrics {
  const registry = new Registry()
  const registers = [registry]

  const answers = new Histogram({
    name: 'hearth_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const underWay = new Gauge({
    name: 'hearth_http_requests_under_way',
    help: 'Requests that are being answered',
    registers,
  })
  const brokenOff = new Counter({
    name: 'hearth_http_requests_broken_off_total',
    help: 'Requests whose sender has gone before the answer',
    registers,
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    underWay.inc()
    done()
  })
  onRequestEnd(app, {
    answered(request, status, ms) {
      underWay.dec()
      const labels = {
        method: request.method,
        route: routeOf(request.routeOptions.url),
        status: String(status),
      }
      answers.observe(labels, ms / 1000)
    },
    brokenOff() {
      underWay.dec()
      brokenOff.inc()
    },
  })

  const sockets = new Gauge({
    name: 'hearth_sockets',
    help: 'Open sockets of people who are signed in, on this instance',
    registers,
  })
  const connections = new Gauge({
    name: 'hearth_database_connections',
    help: 'Connections of this instance to the database',
    labelNames: ['state'] as const,
    registers,
  })
  const jobs = new Gauge({
    name: 'hearth_jobs',
    help: 'Jobs in the queue that all instances share; the active ones are counted every 15 seconds',
    labelNames: ['queue', 'state'] as const,
    registers,
  })
  const failed = new Counter({
    name: 'hearth_jobs_failed_total',
    help: 'Failures of jobs on this instance, once for each time that one was tried',
    labelNames: ['queue'] as const,
    registers,
  })
  const oldest = new Gauge({
    name: 'hearth_oldest_due_job_seconds',
    help: 'How long the oldest job has been due; it grows where nobody works',
    registers,
  })
  const isReachable = new Gauge({
    name: 'hearth_database_up',
    help: 'Whether the database answered when this was read',
    registers,
  })

  const indexed = new Gauge({
    name: 'hearth_search_index_practitioners',
    help: 'Practitioners in the index of the directory, by its state; it answers searches while it is live',
    labelNames: ['state'] as const,
    registers,
  })
  const compared = new Counter({
    name: 'hearth_search_comparisons_total',
    help: 'Searches whose answer by the index was compared with that of the database',
    labelNames: ['result'] as const,
    registers,
  })
  const charged = new Counter({
    name: 'hearth_charges_total',
    help: 'Charges of reserved sessions without the client, by how they ended',
    labelNames: ['outcome'] as const,
    registers,
  })
  const replicaAge = new Gauge({
    name: 'hearth_replica_age_seconds',
    help: 'How old what the replica answers may be at most; without a replica there is no such figure',
    registers,
  })
  const readsOf = new Counter({
    name: 'hearth_reads_total',
    help: 'Reads of what may be a moment old, by the server that answered',
    labelNames: ['server'] as const,
    registers,
  })

  async function lookAround(): Promise<void> {
    sockets.set(openSockets())
    const index = directory()
    indexed.reset()
    compared.reset()
    if (index) {
      indexed.set({ state: index.state }, index.practitioners)
      compared.inc({ result: 'equal' }, index.compared - index.differences)
      compared.inc({ result: 'different' }, index.differences)
    }
    failed.reset()
    for (const [name, number] of queue.failures()) failed.inc({ queue: name }, number)
    charged.reset()
    for (const [outcome, number] of Object.entries(charges() ?? {})) charged.inc({ outcome }, number)
    const figures = reads.figures()
    replicaAge.reset()
    readsOf.reset()
    if (figures) {
      replicaAge.set(figures.age)
      readsOf.inc({ server: 'replica' }, figures.replica)
      readsOf.inc({ server: 'primary' }, figures.primary)
    }
    if (engine.kind === 'server') {
      connections.set({ state: 'idle' }, engine.pool.idleCount)
      connections.set({ state: 'busy' }, engine.pool.totalCount - engine.pool.idleCount)
      connections.set({ state: 'wanted' }, engine.pool.waitingCount)
    }
    try {
      // Waiting ones by the queue's own index, active ones as the queue counts them: what is done is kept for a while, and
      // is not looked through.
      const { rows } = await sql<{ name: string; state: string; count: number; due: number }>`
        select name, state::text as state, count(*)::int as count,
          coalesce(max(extract(epoch from now() - start_after)), 0)::float8 as due
        from pgboss.job where state < 'active' and not blocked and name not like '\\_\\_pgboss%' group by name, state
        union all
        select name, 'active', active_count, 0 from pgboss.queue
        where active_count > 0 and name not like '\\_\\_pgboss%'`.execute(db)
      jobs.reset()
      for (const { name, state, count } of rows) jobs.set({ queue: name, state }, count)
      oldest.set(Math.max(0, ...rows.map(({ due }) => due)))
      isReachable.set(1)
    } catch {
      // What the process knows of itself is wanted most when the database is away.
      isReachable.set(0)
    }
  }

  return {
    observe: (labels, seconds) => answers.observe(labels, seconds),
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    async read() {
      await lookAround()
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Each built file has a route of its own, and another one in the next release. */
const routeOf = (url = 'none') => (url.startsWith('/assets/') ? '/assets/*' : url)
