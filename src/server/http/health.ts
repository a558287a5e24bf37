import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DatabaseSpace } from './disk-space.ts'

/** Milliseconds after which a database that does not answer counts as away. */
const patience = 2000

/**
 * Serves the health checks. `/healthz` answers 200 while the process runs, also without the database, since a restart
 * would not help. `/readyz` answers 200 while the process can serve requests. It answers 503 while the database is
 * unavailable or its disk is full, while work of the start is under way, and once `drain` was called.
 */
export function serveHealth(app: FastifyInstance, db: Db, space: DatabaseSpace) {
  let isDraining = false
  let starting = 0

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isDraining) return reply.code(503).send({ status: 'stopping' })
    if (starting > 0) return reply.code(503).send({ status: 'starting' })
    if (!(await answers(db))) return reply.code(503).send({ status: 'no database' })
    if (await space.isFull()) return reply.code(503).send({ status: 'disk full' })
    return { status: 'ready' }
  })

  return {
    drain() {
      isDraining = true
    },
    /** Has `/readyz` answer 503 until the work ends, also where it fails. */
    async readyAfter(work: Promise<unknown>): Promise<void> {
      starting += 1
      await work.finally(() => (starting -= 1))
    },
  }
}

async function answers(db: Db): Promise<boolean> {
  // A replica that is about to become the primary answers, and cannot write yet.
  const asked = db
    .selectFrom('installation')
    .select(sql<boolean>`not pg_is_in_recovery()`.as('canWrite'))
    .limit(1)
    .execute()
  const { promise: tooLong, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), patience)
  try {
    return await Promise.race([
      asked.then(
        ([row]) => row?.canWrite !== false,
        () => false,
      ),
      tooLong,
    ])
  } finally {
    clearTimeout(timer)
  }
}
