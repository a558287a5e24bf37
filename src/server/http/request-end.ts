import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Calls `brokenOff` for each request whose caller leaves before the answer is sent, and `answered` for any other: one of
 * the two, once. Fastify's `onRequestAbort` alone misses callers who leave after their body has arrived.
 */
export function onRequestEnd(
  app: FastifyInstance,
  calls: {
    answered(request: FastifyRequest, status: number, ms: number): void
    brokenOff(request: FastifyRequest): void
  },
): void {
  const left = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      left.add(request)
      calls.brokenOff(request)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!left.has(request)) calls.answered(request, reply.statusCode, reply.elapsedTime)
    done()
  })
}
