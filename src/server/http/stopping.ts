import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Stopping = {
  /** From here on each answer is the last one of its connection, so that a balancer takes its next request elsewhere. */
  begin(): void
  /** Accepts no further connection and waits until every request that has begun is answered, or its answer is not taken. */
  finish(): Promise<void>
  /** Waits until every connection has ended, and ends those that no request has come on. */
  disconnect(): Promise<void>
}

/**
 * How long sockets have to say goodbye, and answers to be read: one whose reader has stopped reading would keep jobs from
 * being finished and the database from being closed. Milliseconds.
 */
const patience = { sockets: 2000, answers: 20_000 }

/**
 * Lets the product stop without a request that fails. A connection is closed by an answer that says so: one that is closed
 * while idle may have a request on its way, whose sender sees a reset.
 */
export function serveStopping(app: FastifyInstance, { answers } = patience): Stopping {
  let isStopping = false
  let underWay = 0
  let answered: (() => void) | undefined
  const closed = new Promise<void>((resolve) => app.server.once('close', resolve))

  // Before Fastify's own, which answers.
  app.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay++
    response.once('close', () => {
      underWay--
      if (underWay === 0) answered?.()
    })
    if (isStopping) response.setHeader('connection', 'close')
  })

  return {
    begin() {
      isStopping = true
    },
    async finish() {
      isStopping = true
      // Sockets stay open until Fastify closes; its own call to close the server then finds it closed.
      app.server.close()
      if (underWay === 0) return
      const timer = setTimeout(() => app.server.closeAllConnections(), answers)
      await new Promise<void>((resolve) => (answered = resolve))
      clearTimeout(timer)
    },

    async disconnect() {
      const timer = setTimeout(() => app.server.closeAllConnections(), patience.sockets)
      await closed
      clearTimeout(timer)
    },
  }
}

/**
 * When the product stops, a connection that answers its last request just then is closed right after, rather than when
 * its keep-alive runs out.
 */
export function closeConnectionsOnceIdle(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50).unref()
  })
  app.server.on('close', () => clearInterval(timer))
}
